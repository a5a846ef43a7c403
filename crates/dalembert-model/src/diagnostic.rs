//! What is wrong with a model, and where.

use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model is refused.
    Error,
    /// The model is taken, but the reader should know.
    Warning,
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the model file.
    File(Range<usize>),
    /// Bytes of a text that was given under a key by the program, not by a file.
    Text {
        /// The key: `constraint.wire.holds`.
        key: String,
        /// The text.
        text: String,
        /// Bytes of the text.
        span: Range<usize>,
    },
    /// Nowhere in particular: the model as a whole.
    Model,
}

/// A message about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// One of the codes that `explain` knows.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one clause, lower case, without a full stop.
    pub message: String,
    /// How to put it right.
    pub help: Option<String>,
    /// Where it is.
    pub place: Place,
}
