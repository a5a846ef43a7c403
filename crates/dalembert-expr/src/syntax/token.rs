//! Cutting the text into tokens.
//!
//! Characters that do not belong are reported here. Where it is plain what was meant, the token
//! meant is passed on, so that the parser has nothing further to complain about.

use super::brackets::Brackets;
use super::error::{Errors, codes, quoted};
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

#[derive(Clone, Copy, Debug)]
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

    /// Letters of other alphabets are read as part of the name, each of them reported.
    fn name(&mut self) {
        let start = self.at;
        while let Some(c) = self.source[self.at..].chars().next() {
            let ascii = c.is_ascii_alphanumeric() || c == '_';
            if !ascii && !is_foreign_letter(c) {
                break;
            }
            if !ascii {
                self.not_ascii(c, c.len_utf8());
            }
            self.at += c.len_utf8();
        }
        let span = Span::new(start, self.at);
        self.tokens.push(Token {
            kind: TokenKind::Name,
            span,
        });
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
            b'{' | b'}' => "group with ( ) and write vectors with [ ]",
            b';' | b':' => "separate elements by commas",
            b'|' => "write abs(x) or norm(v)",
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
            // Spaces and raised exponents leave what stands around them complete.
            "an ordinary space" => self.at += length,
            power if power.starts_with('^') => self.at += length,
            _ => self.push(TokenKind::Unknown, length),
        }
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
            None => "names consist of the letters a-z A-Z, digits and _".to_owned(),
        };
        self.errors
            .report(codes::NOT_ASCII, self.span(length), message, help);
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
