//! Cutting the text into tokens.
//!
//! Characters that do not belong are reported here. Where it is plain what was meant, the token
//! meant is passed on, so that the parser has nothing further to complain about.

use super::brackets::Brackets;
use super::error::{Errors, codes, quoted};
use super::foreign::{self, Command, MAX_REPEATED, is_lowered_digit, spelled};
use super::function::Function;
use super::suggest::ascii_spelling;
use super::tree::{Arithmetic, Relation, Span};

/// Shape of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Round,
    Square,
}

impl Shape {
    pub(super) fn opener(self) -> char {
        match self {
            Self::Round => '(',
            Self::Square => '[',
        }
    }

    pub(super) fn closer(self) -> char {
        match self {
            Self::Round => ')',
            Self::Square => ']',
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Number,
    /// Digits after a dot: the `0` of `contact.0`.
    Index,
    Name,
    /// With its quotes.
    Text,
    /// One or more `'`.
    Primes,
    Arithmetic(Arithmetic),
    Relation(Relation),
    Open(Shape),
    /// Always matches the innermost open bracket.
    Close(Shape),
    Comma,
    Dot,
    /// Something already reported.
    Unknown,
    /// Always the last token and nowhere else.
    End,
}

impl TokenKind {
    /// Whether this token begins an operand; signs are not counted.
    pub(super) fn starts_operand(self) -> bool {
        matches!(self, Self::Number | Self::Name | Self::Text | Self::Open(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// The tokens of `source`, brackets balanced, `End` last. Stops early once `errors` is full.
pub(super) fn tokens(source: &str, errors: &mut Errors) -> Vec<Token> {
    let mut lexer = Lexer {
        source,
        at: 0,
        tokens: Vec::new(),
        brackets: Brackets::default(),
        braces: 0,
        bars: 0,
        errors,
    };
    while lexer.at < source.len() && !lexer.errors.is_full() {
        lexer.advance();
    }
    let end = lexer.at as u32;
    lexer.brackets.finish(end, &mut lexer.tokens, lexer.errors);
    lexer.tokens.push(Token {
        kind: TokenKind::End,
        span: Span { start: end, end },
    });
    lexer.tokens
}

struct Lexer<'s, 'e> {
    source: &'s str,
    at: usize,
    tokens: Vec<Token>,
    brackets: Brackets,
    /// Braces read as parentheses and not closed yet.
    braces: usize,
    /// Runs of `|` so far: every second one closes what the one before it opened.
    bars: usize,
    errors: &'e mut Errors,
}

impl Lexer<'_, '_> {
    /// Reads what starts here.
    fn advance(&mut self) {
        use TokenKind::{Arithmetic as Op, Relation as Rel};
        match self.byte(0) {
            b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_ascii_digit() && !self.dot_follows_operand() => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.name(),
            b'"' => self.text(),
            b'\'' => {
                let count = self.run(0, |b| b == b'\'');
                self.push(TokenKind::Primes, count);
            }
            b'+' => self.push(Op(Arithmetic::Add), 1),
            b'-' => self.push(Op(Arithmetic::Subtract), 1),
            b'*' if self.byte(1) == b'*' => self.foreign(2, Op(Arithmetic::Power), "write ^"),
            b'*' => self.push(Op(Arithmetic::Multiply), 1),
            b'/' => self.push(Op(Arithmetic::Divide), 1),
            b'^' => self.push(Op(Arithmetic::Power), 1),
            b'=' if self.byte(1) == b'=' => self.foreign(2, Rel(Relation::Equal), "write ="),
            b'=' if self.byte(1) == b'<' => self.foreign(2, Rel(Relation::LessOrEqual), "write <="),
            b'=' if self.byte(1) == b'>' => {
                self.foreign(2, Rel(Relation::GreaterOrEqual), "write >=")
            }
            b'!' if self.byte(1) == b'=' => self.unequal(2),
            b'<' if self.byte(1) == b'>' => self.unequal(2),
            b'<' if self.byte(1) == b'=' => self.push(Rel(Relation::LessOrEqual), 2),
            b'>' if self.byte(1) == b'=' => self.push(Rel(Relation::GreaterOrEqual), 2),
            b'=' => self.push(Rel(Relation::Equal), 1),
            b'<' => self.push(Rel(Relation::Less), 1),
            b'>' => self.push(Rel(Relation::Greater), 1),
            b'(' => self.open(Shape::Round),
            b'[' => self.open(Shape::Square),
            b')' => self.close(Shape::Round),
            b']' => self.close(Shape::Square),
            b',' => self.push(TokenKind::Comma, 1),
            b'.' => self.push(TokenKind::Dot, 1),
            b'{' => self.brace(),
            b'}' if self.braces > 0 => {
                self.braces -= 1;
                self.close(Shape::Round);
            }
            b'|' => self.bar(),
            b'\\' if self.byte(1).is_ascii_alphabetic() => self.command(),
            byte if byte.is_ascii() => self.stray(byte),
            _ => self.beyond_ascii(),
        }
    }

    /// The byte `offset` from here; 0 beyond the end.
    fn byte(&self, offset: usize) -> u8 {
        self.source
            .as_bytes()
            .get(self.at + offset)
            .copied()
            .unwrap_or(0)
    }

    /// How many bytes from `offset` on belong to a set.
    fn run(&self, offset: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let bytes = self.source.as_bytes().iter().skip(self.at + offset);
        bytes.take_while(|&&b| belongs(b)).count()
    }

    fn span(&self, length: usize) -> Span {
        Span::new(self.at, self.at + length)
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token {
            kind,
            span: self.span(length),
        });
        self.at += length;
    }

    fn open(&mut self, shape: Shape) {
        self.brackets.open(shape, self.span(1));
        self.push(TokenKind::Open(shape), 1);
    }

    fn close(&mut self, shape: Shape) {
        self.brackets
            .close(shape, self.span(1), &mut self.tokens, self.errors);
        self.at += 1;
    }

    fn last(&self) -> Option<TokenKind> {
        self.tokens.last().map(|token| token.kind)
    }

    /// Tells the dot of `contact.0` from that of `x .5`: the first one touches what it belongs to.
    fn dot_follows_operand(&self) -> bool {
        let touches = self
            .tokens
            .last()
            .is_some_and(|token| token.span.end as usize == self.at);
        let kinds = [TokenKind::Name, TokenKind::Index, TokenKind::Primes];
        touches
            && self
                .last()
                .is_some_and(|k| kinds.contains(&k) || matches!(k, TokenKind::Close(_)))
    }

    fn number(&mut self) {
        let digit = |b: u8| b.is_ascii_digit();
        if self.last() == Some(TokenKind::Dot) {
            let length = self.run(0, digit);
            return self.push(TokenKind::Index, length);
        }
        let mut length = self.run(0, |b| digit(b) || b == b'.' || b == b'_');
        if matches!(self.byte(length), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(length + 1), b'+' | b'-'));
            let digits = self.run(length + 1 + sign, digit);
            if digits > 0 {
                length += 1 + sign + digits;
            }
        }
        let text = self.span(length).text(self.source);
        if text.contains('_') || text.matches('.').count() > 1 {
            let message = format!("{} is not a number", quoted(text));
            self.errors.report(
                codes::MALFORMED_NUMBER,
                self.span(length),
                message,
                "write digits with at most one decimal point between them",
            );
        }
        self.push(TokenKind::Number, length);
    }

    /// Letters of other alphabets are read as part of the name, and reported.
    fn name(&mut self) {
        let start = self.at;
        if self.byte(0) == b'_' && self.follows_prime() {
            return self.late_index();
        }
        let mut foreign = None;
        let mut several = false;
        while let Some(c) = self.source[self.at..].chars().next() {
            let ascii = c.is_ascii_alphanumeric() || c == '_';
            if !ascii && !is_foreign_letter(c) {
                break;
            }
            if !ascii {
                several |= foreign.is_some() || is_lowered_digit(c);
                foreign = Some((self.at, c));
            }
            self.at += c.len_utf8();
        }
        match foreign {
            Some((at, c)) if !several => {
                let end = std::mem::replace(&mut self.at, at);
                self.not_ascii(c, c.len_utf8());
                self.at = end;
            }
            Some(_) => {
                let text = &self.source[start..self.at];
                let message = format!("{} is not ASCII", quoted(text));
                let help = match spelled(text).filter(|text| text.len() <= MAX_REPEATED) {
                    Some(spelled) => format!("write {spelled}"),
                    None => PLAIN_NAMES.to_owned(),
                };
                let span = Span::new(start, self.at);
                self.errors.report(codes::NOT_ASCII, span, message, help);
            }
            None => self.braced_index(start),
        }
        let span = Span::new(start, self.at);
        self.tokens.push(Token {
            kind: TokenKind::Name,
            span,
        });
    }

    fn follows_prime(&self) -> bool {
        self.tokens.last().is_some_and(|token| {
            token.kind == TokenKind::Primes && token.span.end as usize == self.at
        })
    }

    /// The `_1` of `theta'_1`, which is dropped.
    fn late_index(&mut self) {
        let index = self.span(self.run(0, |b| b.is_ascii_alphanumeric() || b == b'_'));
        let name = match self.tokens.as_slice() {
            [.., name, primes] if name.kind == TokenKind::Name => Some((name.span, primes.span)),
            _ => None,
        };
        let help = match name {
            Some((name, primes)) if name.to(index).range().len() <= MAX_REPEATED => {
                let [name, index, primes] = [name, index, primes].map(|s| s.text(self.source));
                format!("write {name}{index}{primes}")
            }
            _ => "write the primes after the whole name".to_owned(),
        };
        let message = format!("{} stands after the prime", quoted(index.text(self.source)));
        self.errors.report(codes::STRAY_PRIME, index, message, help);
        self.at = index.end as usize;
    }

    /// The `{1}` of `x_{1}` becomes part of the name.
    fn braced_index(&mut self, start: usize) {
        if self.byte(0) != b'{' || !self.source[start..self.at].ends_with('_') {
            return;
        }
        let index = self.run(1, |b| b.is_ascii_alphanumeric() || b == b'_');
        if index == 0 || index > MAX_REPEATED || self.byte(1 + index) != b'}' {
            return;
        }
        let name = format!(
            "{}{}",
            &self.source[start..self.at],
            &self.source[self.at + 1..=self.at + index]
        );
        self.at += index + 2;
        let span = Span::new(start, self.at);
        let message = format!("{} is LaTeX", quoted(span.text(self.source)));
        let help = if name.len() <= MAX_REPEATED {
            format!("write {name}")
        } else {
            PLAIN_NAMES.to_owned()
        };
        self.errors
            .report(codes::STRAY_CHARACTER, span, message, help);
    }

    /// A brace is read as a parenthesis, once it is reported.
    fn brace(&mut self) {
        let message = "`{` has no meaning here";
        let help = "group with ( ) and write vectors with [ ]";
        self.errors
            .report(codes::STRAY_CHARACTER, self.span(1), message, help);
        self.braces += 1;
        self.open(Shape::Round);
    }

    /// `|x|` is reported once.
    fn bar(&mut self) {
        let length = self.run(0, |b| b == b'|');
        self.bars += 1;
        if self.bars % 2 == 1 {
            let rest = &self.source.as_bytes()[self.at + length..];
            let inside = rest
                .iter()
                .take(MAX_REPEATED)
                .position(|&b| b == b'|')
                .and_then(|end| self.source.get(self.at + length..self.at + length + end))
                .map(str::trim)
                .filter(|inside| !inside.is_empty());
            let help = match inside {
                Some(inside) => format!("write abs({inside}), or norm({inside}) of a vector"),
                None => "write abs(x) or norm(v)".to_owned(),
            };
            let message = format!(
                "{} has no meaning here",
                quoted(self.span(length).text(self.source))
            );
            self.errors
                .report(codes::STRAY_CHARACTER, self.span(length), message, help);
        }
        self.push(TokenKind::Unknown, length);
    }

    /// A LaTeX command, reported once with its groups.
    fn command(&mut self) {
        let word = 1 + self.run(1, |b| b.is_ascii_alphabetic());
        let name = self.span(word).text(self.source).trim_start_matches('\\');
        let (length, cure, meant) = match foreign::command(name) {
            Command::Groups(wanted) => {
                let (groups, length) = self.groups(word, wanted);
                let cure = foreign::command_cure(name, &groups);
                // Without its groups only the command itself is dropped.
                (length, cure, Some(TokenKind::Unknown))
            }
            Command::Operator(operator) => {
                (word, operator.to_owned(), Some(operator_token(operator)))
            }
            Command::Layout => (word, "the brackets alone".to_owned(), None),
            Command::Name => (word, name.to_owned(), None),
        };
        let is_name = matches!(foreign::command(name), Command::Name);
        let message = format!("{} is LaTeX", quoted(self.span(length).text(self.source)));
        let help = format!("write {cure}");
        self.errors
            .report(codes::STRAY_CHARACTER, self.span(length), message, help);
        match meant {
            Some(kind) => self.push(kind, length),
            None if is_name => {
                self.at += 1;
                self.name();
            }
            None => self.at += length,
        }
    }

    /// Up to `wanted` groups in braces from `offset` on, and the length with them.
    fn groups(&self, offset: usize, wanted: usize) -> (Vec<&str>, usize) {
        let mut groups = Vec::new();
        let mut length = offset;
        while groups.len() < wanted && self.byte(length) == b'{' {
            let mut depth = 0_usize;
            let bytes = &self.source.as_bytes()[self.at + length..];
            let end = bytes.iter().position(|&b| {
                depth += usize::from(b == b'{');
                depth -= usize::from(b == b'}');
                depth == 0
            });
            let Some(end) = end else { break };
            let start = self.at + length;
            groups.push(&self.source[start + 1..start + end]);
            length += end + 1;
        }
        (groups, length)
    }

    fn text(&mut self) {
        let inside = self.run(1, |b| b != b'"');
        if self.at + 1 + inside < self.source.len() {
            return self.push(TokenKind::Text, inside + 2);
        }
        self.errors.report(
            codes::OPEN_TEXT,
            self.span(1),
            "the text is never closed",
            "write the `\"` that closes it",
        );
        self.brackets.excuse();
        self.push(TokenKind::Text, inside + 1);
    }

    /// An operator of another language; `meant` is passed on.
    fn foreign(&mut self, length: usize, meant: TokenKind, cure: &str) {
        let message = format!(
            "{} is not an operator",
            quoted(self.span(length).text(self.source))
        );
        self.errors
            .report(codes::FOREIGN_OPERATOR, self.span(length), message, cure);
        self.push(meant, length);
    }

    fn unequal(&mut self, length: usize) {
        let cure = "a condition compares by < > <= or >=";
        self.foreign(length, TokenKind::Relation(Relation::Less), cure);
    }

    /// A run of the same character without meaning, reported once.
    fn stray(&mut self, byte: u8) {
        let length = self.run(0, |b| b == byte);
        let message = if byte.is_ascii_graphic() {
            format!(
                "{} has no meaning here",
                quoted(self.span(length).text(self.source))
            )
        } else {
            format!("the character U+{byte:04X} has no meaning here")
        };
        let help = match byte {
            b'}' => "group with ( ) and write vectors with [ ]",
            b';' | b':' => "separate elements by commas",
            b'\\' => "write names without a backslash",
            b'&' => "write one condition",
            _ => "",
        };
        self.errors
            .report(codes::STRAY_CHARACTER, self.span(length), message, help);
        self.push(TokenKind::Unknown, length);
    }

    fn beyond_ascii(&mut self) {
        let Some(c) = self.source[self.at..].chars().next() else {
            return;
        };
        if is_foreign_letter(c) {
            return self.name();
        }
        if ascii_spelling(c).is_some_and(|spelling| spelling.starts_with('^')) {
            return self.raised(c);
        }
        let same = self.source[self.at..]
            .chars()
            .take_while(|&other| other == c)
            .count();
        let length = same * c.len_utf8();
        self.not_ascii(c, length);
        match ascii_spelling(c).unwrap_or_default() {
            "-" => self.push(TokenKind::Arithmetic(Arithmetic::Subtract), length),
            "*" => self.push(TokenKind::Arithmetic(Arithmetic::Multiply), length),
            "/" => self.push(TokenKind::Arithmetic(Arithmetic::Divide), length),
            "<=" => self.push(TokenKind::Relation(Relation::LessOrEqual), length),
            ">=" => self.push(TokenKind::Relation(Relation::GreaterOrEqual), length),
            "'" | "''" => self.push(TokenKind::Primes, length),
            "deg" => self.push(TokenKind::Name, length),
            // Spaces leave what stands around them complete.
            "an ordinary space" => self.at += length,
            // Letters with a dot on them.
            dotted if dotted.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                self.push(TokenKind::Name, length);
            }
            _ => self.push(TokenKind::Unknown, length),
        }
    }

    /// A raised exponent leaves what stands around it complete.
    fn raised(&mut self, c: char) {
        let mut power = String::from("^");
        let mut length = 0;
        for c in self.source[self.at..].chars() {
            match ascii_spelling(c).and_then(|spelling| spelling.strip_prefix('^')) {
                Some(digit) => power.push_str(digit),
                None => break,
            }
            length += c.len_utf8();
        }
        let mut help = format!("write {power}");
        if power.len() > MAX_REPEATED {
            "write ^ and the power".clone_into(&mut help);
        }
        let function = self
            .tokens
            .last()
            .filter(|token| token.kind == TokenKind::Name)
            .map(|token| token.span.text(self.source))
            .filter(|name| Function::named(name).is_some());
        if let Some(function) = function {
            help = match self.in_parentheses(length) {
                Some(argument) => format!("write {function}({argument}){power}"),
                None => format!("write {function}(x){power}"),
            };
        }
        let message = format!(
            "{} (U+{:04X}) is not ASCII",
            quoted(self.span(length).text(self.source)),
            u32::from(c)
        );
        self.errors
            .report(codes::NOT_ASCII, self.span(length), message, help);
        self.at += length;
    }

    /// What stands in the parentheses that open `offset` from here, if it is short.
    fn in_parentheses(&self, offset: usize) -> Option<&str> {
        let rest = self.source.get(self.at + offset..)?.trim_start();
        let mut depth = 0_usize;
        let end = rest.bytes().take(MAX_REPEATED).position(|b| {
            depth += usize::from(b == b'(');
            let closes = b == b')' && depth <= 1;
            depth -= usize::from(b == b')' && depth > 0);
            closes
        })?;
        rest.strip_prefix('(')?.get(..end - 1)
    }

    fn not_ascii(&mut self, c: char, length: usize) {
        // Marks that combine with the letter before them, and invisible ones, are not quoted.
        let shapeless = matches!(c, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}');
        let name = if !shapeless && !c.is_control() && !c.is_whitespace() {
            quoted(self.span(length).text(self.source))
        } else {
            "the character".to_owned()
        };
        let message = format!("{name} (U+{:04X}) is not ASCII", u32::from(c));
        let help = match ascii_spelling(c) {
            Some(spelling) => format!("write {spelling}"),
            None => PLAIN_NAMES.to_owned(),
        };
        self.errors
            .report(codes::NOT_ASCII, self.span(length), message, help);
    }
}

const PLAIN_NAMES: &str = "names consist of the letters a-z A-Z, digits and _";

fn operator_token(operator: &str) -> TokenKind {
    match operator {
        "/" => TokenKind::Arithmetic(Arithmetic::Divide),
        "<=" => TokenKind::Relation(Relation::LessOrEqual),
        ">=" => TokenKind::Relation(Relation::GreaterOrEqual),
        _ => TokenKind::Arithmetic(Arithmetic::Multiply),
    }
}

/// Whether a character beyond ASCII was meant as part of a name: letters and lowered digits, but
/// not the letter-like prime `ʹ`.
fn is_foreign_letter(c: char) -> bool {
    match ascii_spelling(c) {
        Some(spelling) => c != '°' && spelling.bytes().all(|b| b.is_ascii_alphanumeric()),
        None => !c.is_ascii() && c.is_alphabetic(),
    }
}
