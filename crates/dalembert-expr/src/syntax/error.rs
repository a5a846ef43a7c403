//! What can be wrong with a text, and the list in which it is collected.
//!
//! Codes E01xx are mistakes of form, E02xx of meaning.

use super::tree::Span;
use std::fmt;

/// After so many errors reading stops: the reader has enough to do.
pub(super) const MAX_ERRORS: usize = 20;

/// Longest piece of source text quoted in a message, in characters.
const MAX_QUOTED: usize = 40;

/// A mistake in the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// One of [`CODES`].
    pub code: &'static str,
    /// Where the mistake is.
    pub span: Span,
    /// What is wrong, in one clause.
    pub message: String,
    /// How to put it right.
    pub help: Option<String>,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ExpressionError {}

/// Names for the codes, for use in the code.
pub(super) mod codes {
    pub(in crate::syntax) const EMPTY: &str = "E0101";
    pub(in crate::syntax) const TOO_LONG: &str = "E0102";
    pub(in crate::syntax) const STRAY_CHARACTER: &str = "E0103";
    pub(in crate::syntax) const NOT_ASCII: &str = "E0104";
    pub(in crate::syntax) const MALFORMED_NUMBER: &str = "E0105";
    pub(in crate::syntax) const NUMBER_OUT_OF_RANGE: &str = "E0106";
    pub(in crate::syntax) const OPEN_TEXT: &str = "E0107";
    pub(in crate::syntax) const FOREIGN_OPERATOR: &str = "E0108";
    pub(in crate::syntax) const NEVER_CLOSED: &str = "E0109";
    pub(in crate::syntax) const CLOSES_NOTHING: &str = "E0110";
    pub(in crate::syntax) const WRONG_BRACKET: &str = "E0111";
    pub(in crate::syntax) const MISSING_OPERAND: &str = "E0112";
    pub(in crate::syntax) const MISSING_OPERATOR: &str = "E0113";
    pub(in crate::syntax) const MISSING_COMMA: &str = "E0114";
    pub(in crate::syntax) const STRAY_COMMA: &str = "E0115";
    pub(in crate::syntax) const EMPTY_BRACKETS: &str = "E0116";
    pub(in crate::syntax) const MISSING_ITEM: &str = "E0117";
    pub(in crate::syntax) const POSITIONAL_AFTER_NAMED: &str = "E0118";
    pub(in crate::syntax) const REPEATED_ARGUMENT: &str = "E0119";
    pub(in crate::syntax) const STRAY_PRIME: &str = "E0120";
    pub(in crate::syntax) const TOO_MANY_PRIMES: &str = "E0121";
    pub(in crate::syntax) const MISSING_MEMBER: &str = "E0122";
    pub(in crate::syntax) const RELATION_IN_BRACKETS: &str = "E0123";
    pub(in crate::syntax) const CHAINED_RELATION: &str = "E0124";
    pub(in crate::syntax) const UNIT_POWER: &str = "E0125";
    pub(in crate::syntax) const METHOD_CALL: &str = "E0126";

    pub(in crate::syntax) const UNKNOWN_NAME: &str = "E0201";
    pub(in crate::syntax) const UNKNOWN_FUNCTION: &str = "E0202";
    pub(in crate::syntax) const ARGUMENT_COUNT: &str = "E0203";
    pub(in crate::syntax) const NAMED_ARGUMENT: &str = "E0204";
    pub(in crate::syntax) const NOT_A_NUMBER: &str = "E0205";
    pub(in crate::syntax) const SIDE_BY_SIDE: &str = "E0206";
    pub(in crate::syntax) const UNKNOWN_UNIT: &str = "E0207";
    pub(in crate::syntax) const NO_DERIVATIVE: &str = "E0208";
    pub(in crate::syntax) const UNWANTED_RELATION: &str = "E0209";
}

/// Every code with one sentence that explains it.
pub const CODES: &[(&str, &str)] = &[
    (
        codes::EMPTY,
        "An expression is expected, but the text is empty.",
    ),
    (
        codes::TOO_LONG,
        "The text of one expression is longer than 16 MiB.",
    ),
    (
        codes::STRAY_CHARACTER,
        "A character has no meaning in expressions.",
    ),
    (
        codes::NOT_ASCII,
        "Expressions are written in ASCII: Greek letters are spelled out, powers use ^.",
    ),
    (
        codes::MALFORMED_NUMBER,
        "A number is written like 12, 0.1, .5 or 6.674e-11.",
    ),
    (
        codes::NUMBER_OUT_OF_RANGE,
        "A number has too many digits, or lies beyond the range of double precision.",
    ),
    (
        codes::OPEN_TEXT,
        "A text starts with a double quote that is never closed.",
    ),
    (
        codes::FOREIGN_OPERATOR,
        "An operator of another language is used; the operators are + - * / ^ = < > <= >=.",
    ),
    (codes::NEVER_CLOSED, "A bracket is opened and never closed."),
    (
        codes::CLOSES_NOTHING,
        "A bracket is closed that was never opened.",
    ),
    (
        codes::WRONG_BRACKET,
        "A round bracket is closed by a square one, or a square one by a round one.",
    ),
    (
        codes::MISSING_OPERAND,
        "An operator has nothing to work on at one of its sides.",
    ),
    (
        codes::MISSING_OPERATOR,
        "Two operands stand side by side, and multiplication is always written with *.",
    ),
    (
        codes::MISSING_COMMA,
        "Elements of a vector and arguments of a function are separated by commas.",
    ),
    (
        codes::STRAY_COMMA,
        "A comma stands where there is neither a vector nor a list of arguments.",
    ),
    (
        codes::EMPTY_BRACKETS,
        "Parentheses or a vector have nothing in them.",
    ),
    (
        codes::MISSING_ITEM,
        "An argument or an element of a vector is left out.",
    ),
    (
        codes::POSITIONAL_AFTER_NAMED,
        "Arguments without a name come before those with a name.",
    ),
    (codes::REPEATED_ARGUMENT, "A named argument is given twice."),
    (
        codes::STRAY_PRIME,
        "A prime differentiates a name by time and follows the name directly.",
    ),
    (codes::TOO_MANY_PRIMES, "A name has more than nine primes."),
    (
        codes::MISSING_MEMBER,
        "A dot is followed by the name or the number of a member.",
    ),
    (
        codes::RELATION_IN_BRACKETS,
        "An equation or comparison stands by itself, never inside brackets.",
    ),
    (
        codes::CHAINED_RELATION,
        "An equation or comparison has exactly two sides.",
    ),
    (codes::UNIT_POWER, "The power of a unit is a whole number."),
    (
        codes::METHOD_CALL,
        "Functions are called by their name alone, without a dot before it.",
    ),
    (
        codes::UNKNOWN_NAME,
        "A name is used that is not declared anywhere.",
    ),
    (
        codes::UNKNOWN_FUNCTION,
        "A function is called that does not exist.",
    ),
    (
        codes::ARGUMENT_COUNT,
        "A function is called with too few or too many arguments.",
    ),
    (
        codes::NAMED_ARGUMENT,
        "A function is given a named argument that it does not have.",
    ),
    (
        codes::NOT_A_NUMBER,
        "A vector, a text or a member stands where a number is needed.",
    ),
    (
        codes::SIDE_BY_SIDE,
        "Two names stand side by side: multiplication is always written with *.",
    ),
    (
        codes::UNKNOWN_UNIT,
        "A number is followed by a name that is not a unit.",
    ),
    (
        codes::NO_DERIVATIVE,
        "A prime stands after a name that does not depend on time.",
    ),
    (
        codes::UNWANTED_RELATION,
        "An equation or comparison stands where a value is needed.",
    ),
];

/// The errors found so far.
///
/// There is at most one for each place: what is found second at the same place is nearly always a
/// consequence of the first.
#[derive(Default)]
pub(super) struct Errors {
    list: Vec<ExpressionError>,
}

impl Errors {
    /// Adds an error; an empty `help` is none.
    pub(super) fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.is_full() || self.list.iter().any(|e| e.span.start == span.start) {
            return;
        }
        let help = Some(help.into()).filter(|help| !help.is_empty());
        self.list.push(ExpressionError {
            code,
            span,
            message: message.into(),
            help,
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether reading should stop.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= MAX_ERRORS
    }

    /// Whether something within `span` has been reported.
    pub(super) fn touch(&self, span: Span) -> bool {
        self.list
            .iter()
            .any(|e| span.start <= e.span.start && e.span.end <= span.end)
    }

    pub(super) fn sorted(mut self) -> Vec<ExpressionError> {
        self.list.sort_by_key(|e| e.span);
        self.list
    }
}

/// Source text in back quotes, shortened if long.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
