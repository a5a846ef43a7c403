//! What can be wrong with a text, and the list in which it is collected.
//!
//! Codes E01xx are mistakes of form, E02xx of meaning.

use super::tree::Span;
use std::fmt;

/// After so many errors reading stops: the reader has enough to do.
const MAX_ERRORS: usize = 20;

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

/// The codes: a name for use in the code, the code, and one sentence that explains it.
macro_rules! codes {
    ($($name:ident $code:literal $explanation:literal)*) => {
        pub(super) mod codes {
            $(pub(in crate::syntax) const $name: &str = $code;)*
        }

        /// Every code with one sentence that explains it.
        pub const CODES: &[(&str, &str)] = &[$((codes::$name, $explanation)),*];
    };
}

codes! {
    EMPTY "E0101" "An expression is expected, but the text is empty."
    TOO_LONG "E0102" "The text of one expression is longer than 16 MiB."
    STRAY_CHARACTER "E0103" "A character has no meaning in expressions."
    NOT_ASCII "E0104" "Expressions are written in ASCII: Greek letters are spelled out, powers use ^."
    MALFORMED_NUMBER "E0105" "A number is written like 12, 0.1, .5 or 6.674e-11."
    NUMBER_OUT_OF_RANGE "E0106" "A number has too many digits, or lies beyond the range of double precision."
    OPEN_TEXT "E0107" "A text starts with a double quote that is never closed."
    FOREIGN_OPERATOR "E0108" "An operator of another language is used; the operators are + - * / ^ = < > <= >=."
    NEVER_CLOSED "E0109" "A bracket is opened and never closed."
    CLOSES_NOTHING "E0110" "A bracket is closed that was never opened."
    WRONG_BRACKET "E0111" "A round bracket is closed by a square one, or a square one by a round one."
    MISSING_OPERAND "E0112" "An operator has nothing to work on at one of its sides."
    MISSING_OPERATOR "E0113" "Two operands stand side by side, and multiplication is always written with *."
    MISSING_COMMA "E0114" "Elements of a vector and arguments of a function are separated by commas."
    STRAY_COMMA "E0115" "A comma stands where there is neither a vector nor a list of arguments."
    EMPTY_BRACKETS "E0116" "Parentheses or a vector have nothing in them."
    MISSING_ITEM "E0117" "An argument or an element of a vector is left out."
    POSITIONAL_AFTER_NAMED "E0118" "Arguments without a name come before those with a name."
    REPEATED_ARGUMENT "E0119" "A named argument is given twice."
    STRAY_PRIME "E0120" "A prime differentiates a name by time and follows the name directly."
    TOO_MANY_PRIMES "E0121" "A name has more than nine primes."
    MISSING_MEMBER "E0122" "A dot is followed by the name or the number of a member."
    RELATION_IN_BRACKETS "E0123" "An equation or comparison stands by itself, and has no value; only parts of a condition stand in parentheses."
    CHAINED_RELATION "E0124" "An equation or comparison has exactly two sides."
    UNIT_POWER "E0125" "The power of a unit is a whole number."
    METHOD_CALL "E0126" "Functions are called by their name alone, without a dot before it."
    NO_CONDITION "E0127" "`and`, `or` and `not` make one condition of several, and each is a comparison."

    UNKNOWN_NAME "E0201" "A name is used that is not declared anywhere."
    UNKNOWN_FUNCTION "E0202" "A function is called that does not exist."
    ARGUMENT_COUNT "E0203" "A function is called with too few or too many arguments."
    NAMED_ARGUMENT "E0204" "A function is given a named argument that it does not have."
    SIDE_BY_SIDE "E0206" "Two names stand side by side: multiplication is always written with *."
    UNKNOWN_UNIT "E0207" "A number is followed by a name that is not a unit."
    NO_DERIVATIVE "E0208" "A prime stands after a name that does not depend on time."
    UNWANTED_RELATION "E0209" "An equation or comparison stands where a value is needed."
}

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
#[must_use]
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
