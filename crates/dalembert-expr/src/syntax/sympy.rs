//! Text of SymPy, as `str` prints it, in the language of models.
//!
//! ```text
//! Derivative(theta(t), (t, 2))     theta''
//! x(t)**2*Rational(1, 2)           x^2*(1/2)
//! Eq(m*g, lambda_)                 m*g = lambda
//! ```
//!
//! The text is rewritten token by token, and every piece remembers where it comes from: what is wrong
//! with the rewritten text is shown in the text that was given. What the language of models has not
//! (imaginary numbers, choices without a value elsewhere, derivatives of anything but functions of time) is refused.

use super::error::{Errors, ExpressionError, codes, quoted};
use super::piecewise::{PIECEWISE, reordered};
use super::tree::{MAX_PRIMES, Span};
use super::{Function, MAX_LENGTH};
use crate::print::{is_sympy_word, sympy_identifier};
use std::collections::BTreeMap;

/// A text of SymPy in the language of models.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FromSympy {
    /// The text.
    pub text: String,
    /// Where its pieces come from, as (byte of the text, byte of the source), ascending; the first is (0, 0).
    pub places: Vec<(usize, usize)>,
    /// Names that stood there as functions of time.
    pub functions: Vec<String>,
}

impl FromSympy {
    /// Where a byte of the text comes from.
    #[must_use]
    pub fn origin(&self, offset: usize) -> usize {
        let after = self.places.partition_point(|&(text, _)| text <= offset);
        let (text, source) = match after.checked_sub(1) {
            Some(piece) => self.places[piece],
            None => (0, 0),
        };
        let next = self.places.get(after).map_or(usize::MAX, |&(_, next)| next);
        (source + (offset - text)).min(next.max(source))
    }

    fn push(&mut self, text: &str, from: usize) {
        self.places.push((self.text.len(), from));
        self.text.push_str(text);
    }
}

/// How names are spelled in a text of SymPy: `I` may be a moment of inertia there, and `lambda_contact_0` a multiplier
/// whose name no Python identifier can spell.
#[derive(Clone, Debug, Default)]
pub struct SympyNames {
    /// The name, by spelling.
    names: BTreeMap<String, String>,
    /// Names that look like calls, and their spelling.
    calls: Vec<(String, String)>,
}

impl SympyNames {
    /// A name, as SymPy prints it and as our programs spell it. It means itself, also where SymPy has a meaning for it.
    pub fn add(&mut self, name: &str) {
        let identifier = sympy_identifier(name);
        if name.contains('(') {
            self.calls.push((name.to_owned(), identifier.clone()));
        }
        self.names
            .entry(name.to_owned())
            .or_insert_with(|| name.to_owned());
        self.names
            .entry(identifier)
            .or_insert_with(|| name.to_owned());
    }

    /// A spelling of a name, in place of what it meant before.
    pub fn spell(&mut self, spelling: &str, name: &str) {
        self.names.insert(spelling.to_owned(), name.to_owned());
    }
}

/// Rewrites a text of SymPy.
///
/// ```
/// use dalembert_expr::syntax::{SympyNames, from_sympy};
/// let mut names = SympyNames::default();
/// let read = from_sympy("m*Derivative(x(t), (t, 2)) + k*x(t)**2/2", &names)?;
/// assert_eq!(read.text, "m*x'' + k*x^2/2");
/// assert_eq!(read.functions, ["x"]);
/// assert!(from_sympy("I*x(t)", &names).is_err()); // imaginary
/// names.add("I");
/// assert_eq!(from_sympy("I*x(t)", &names)?.text, "I*x");
/// # Ok::<(), Vec<dalembert_expr::syntax::ExpressionError>>(())
/// ```
///
/// # Errors
/// Everything that the language of models cannot say, at most twenty entries.
pub fn from_sympy(source: &str, names: &SympyNames) -> Result<FromSympy, Vec<ExpressionError>> {
    let source = &in_identifiers(source, names);
    let mut rewriting = Rewriting {
        source,
        tokens: Vec::new(),
        at: 0,
        open: Vec::new(),
        read: FromSympy::default(),
        errors: Errors::default(),
        names: &names.names,
    };
    if source.len() > MAX_LENGTH {
        let message = format!("the expression is {} bytes long", source.len());
        let help = format!("write at most {MAX_LENGTH} bytes");
        rewriting
            .errors
            .report(codes::TOO_LONG, Span::default(), message, help);
    } else {
        rewriting.tokens = reordered(source, &tokens(source));
        while rewriting.at < rewriting.tokens.len() && !rewriting.errors.is_full() {
            rewriting.step();
        }
    }
    if rewriting.errors.is_empty() {
        Ok(rewriting.read)
    } else {
        Err(rewriting.errors.sorted())
    }
}

/// SymPy writes a symbol by its name, `lambda(rod)`, which looks like a call: names are put as identifiers, as long as they
/// were.
fn in_identifiers(source: &str, names: &SympyNames) -> String {
    let mut text = source.to_owned();
    for (name, identifier) in &names.calls {
        if identifier.len() <= name.len() && text.contains(name) {
            text = text.replace(name, &format!("{identifier:<0$}", name.len()));
        }
    }
    text
}

/// Names, numbers, `**`, and single characters; blanks belong to none.
fn tokens(source: &str) -> Vec<Span> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if word(first) {
            let digits = first.is_ascii_digit();
            let inside = |c: char| word(c) || (digits && c == '.');
            let mut end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            // 1.0e-5 is one number.
            let exponent = digits && rest[..end].ends_with(['e', 'E']);
            if exponent && rest[end..].starts_with(['+', '-']) {
                let digits = &rest[end + 1..];
                end += 1 + digits
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(digits.len());
            }
            end
        } else if rest.starts_with("**") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(Span::new(at, at + length));
        at += length;
    }
    tokens
}

/// A bracket that is open: what a comma in it and its end become.
struct Open {
    comma: &'static str,
    close: &'static str,
}

struct Rewriting<'s> {
    source: &'s str,
    tokens: Vec<Span>,
    at: usize,
    open: Vec<Open>,
    read: FromSympy,
    errors: Errors,
    names: &'s BTreeMap<String, String>,
}

impl<'s> Rewriting<'s> {
    fn token(&self, index: usize) -> &'s str {
        self.tokens
            .get(index)
            .map_or("", |span| span.text(self.source))
    }

    /// Whether these tokens stand from `from` on.
    fn matches(&self, from: usize, texts: &[&str]) -> bool {
        let mut found = texts.iter().enumerate();
        found.all(|(offset, text)| self.token(from + offset) == *text)
    }

    /// Writes `text` in place of the next `count` tokens.
    fn emit(&mut self, text: &str, count: usize) {
        let from = self.tokens[self.at].range().start;
        // Tokens of choices have changed places: what ends an argument has no blanks before it.
        if !text.starts_with([',', ')']) {
            self.blanks(from);
        }
        self.read.push(text, from);
        self.at += count;
    }

    /// Blanks before a token stay, so that operators stand as they stood.
    fn blanks(&mut self, from: usize) {
        let end = match self.at {
            0 => 0,
            at => self.tokens[at - 1].range().end,
        };
        let joined = self.read.text.is_empty() || self.read.text.ends_with([' ', '/', '(']);
        if end < from && !joined {
            self.read.push(" ", end);
        }
    }

    fn refuse(&mut self, code: &'static str, message: String, help: &str) {
        let span = self.tokens[self.at];
        self.errors.report(code, span, message, help);
        self.at += 1;
    }

    fn step(&mut self) {
        let token = self.token(self.at);
        let is_name = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match token {
            _ if is_name && self.token(self.at + 1) == "(" => self.call(token),
            _ if is_name => self.name(token),
            // How SymPy is told to leave an expression as it is.
            "," if self.matches(self.at + 1, &["evaluate", "="]) => self.at += 4,
            "**" => self.emit("^", 1),
            "&" => self.emit("and", 1),
            "|" => self.emit("or", 1),
            "~" => self.emit("not", 1),
            "(" | "[" => {
                let close = if token == "(" { ")" } else { "]" };
                self.open.push(Open { comma: ",", close });
                self.emit(token, 1);
            }
            "," => {
                let comma = self.open.last().map_or(",", |open| open.comma);
                self.emit(comma, 1);
            }
            ")" | "]" => {
                let close = self.open.pop().map_or(token, |open| open.close);
                self.emit(close, 1);
            }
            _ => self.emit(token, 1),
        }
    }

    /// The name of the model that an identifier spells.
    fn spelled(&self, identifier: &'s str) -> &'s str {
        if let Some(name) = self.names.get(identifier) {
            return name;
        }
        // Reserved words got an underscore when they were printed.
        let bare = identifier
            .strip_suffix('_')
            .filter(|bare| is_sympy_word(bare));
        bare.unwrap_or(identifier)
    }

    fn name(&mut self, token: &'s str) {
        match token {
            _ if self.names.contains_key(token) => {
                let name = self.spelled(token);
                self.emit(name, 1);
            }
            "pi" | "t" => self.emit(token, 1),
            "E" => self.emit("exp(1)", 1),
            "I" | "oo" | "zoo" | "nan" | "true" | "false" => {
                let message = format!("`{token}` is no number of the language of models");
                self.refuse(codes::UNKNOWN_NAME, message, "take real, finite values");
            }
            _ => {
                let name = self.spelled(token);
                self.emit(name, 1);
            }
        }
    }

    fn call(&mut self, token: &'s str) {
        let same = Function::named(token).is_some();
        let (open, comma, close) = match token {
            _ if self.names.contains_key(token) => return self.function_of_time(token),
            "Derivative" => return self.derivative(),
            "Eq" if self.open.is_empty() && self.read.text.is_empty() => ("", " =", ""),
            PIECEWISE if self.is_reordered() => ("if(", ", ", ")"),
            "Rational" => ("(", "/", ")"),
            "Integer" | "Float" => ("(", ",", ")"),
            "Abs" => ("abs(", ",", ")"),
            "Min" => ("min(", ",", ")"),
            "Max" => ("max(", ",", ")"),
            "ln" => ("log(", ",", ")"),
            "Pow" => ("((", ")^(", "))"),
            "Mul" => ("((", ")*(", "))"),
            "Add" => ("((", ") + (", "))"),
            "cot" => ("(1/tan(", ",", "))"),
            "sec" => ("(1/cos(", ",", "))"),
            "csc" => ("(1/sin(", ",", "))"),
            _ if same => ("", ",", ")"),
            _ => return self.function_of_time(token),
        };
        self.open.push(Open { comma, close });
        match same {
            true => {
                self.emit(token, 1);
                self.emit("(", 1);
            }
            false => self.emit(open, 2),
        }
    }

    /// Whether the choice here was put in the order of `if`: its condition stood further behind.
    fn is_reordered(&self) -> bool {
        let [opening, next] = [1, 2].map(|offset| self.tokens.get(self.at + offset));
        let between = opening.zip(next).and_then(|(opening, next)| {
            let between = opening.range().end..next.range().start;
            self.source.get(between)
        });
        between.is_some_and(|between| !between.trim().is_empty())
    }

    /// `x(t)`.
    fn function_of_time(&mut self, token: &'s str) {
        if self.matches(self.at + 1, &["(", "t", ")"]) {
            let name = self.function(token);
            self.emit(name, 4);
            return;
        }
        let message = format!("unknown function {}", quoted(token));
        let help = match is_sympy_word(token) {
            true if token == PIECEWISE => {
                "write pairs of a value and a condition, and (value, True) last: a choice has a value everywhere"
            }
            true => "the language of models has no such function",
            false => "functions of time are written x(t)",
        };
        self.refuse(codes::UNKNOWN_FUNCTION, message, help);
        // Its arguments are looked through too.
    }

    fn function(&mut self, token: &'s str) -> &'s str {
        let name = self.spelled(token);
        if !self.read.functions.iter().any(|known| known == name) {
            self.read.functions.push(name.to_owned());
        }
        name
    }

    /// `Derivative(x(t), t)`, `Derivative(x(t), (t, 2))`, `Derivative(x(t), t, t)`.
    fn derivative(&mut self) {
        let begin = self.at;
        let function = self.token(begin + 2);
        let mut next = begin + 6;
        let mut order = 0_u32;
        let applied = self.matches(begin + 3, &["(", "t", ")"]);
        while applied && self.token(next) == "," {
            if self.token(next + 1) == "t" {
                order += 1;
                next += 2;
            } else if self.matches(next + 1, &["(", "t", ","]) && self.token(next + 5) == ")" {
                order = order.saturating_add(self.token(next + 4).parse().unwrap_or(u32::MAX));
                next += 6;
            } else {
                break;
            }
        }
        let known =
            applied && self.token(next) == ")" && (1..=u32::from(MAX_PRIMES)).contains(&order);
        if !known {
            let message = "only functions of time are differentiated, and only by t".to_owned();
            let help = "call doit() in SymPy before printing";
            return self.refuse(codes::NO_DERIVATIVE, message, help);
        }
        let name = self.function(function);
        let primes = "'".repeat(order as usize);
        self.emit(&format!("{name}{primes}"), next + 1 - begin);
    }
}
