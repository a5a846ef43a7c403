//! What is wrong with a model, and where.

use dalembert_expr::syntax::ExpressionError;
use std::ops::Range;
use std::sync::Arc;

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
    /// Bytes of a text that was given under a key by the program, or of another file than the model's. In a box, because a model has a place for
    /// everything it says, and nearly all of them are in its file.
    Text(Box<Given>),
    /// Nowhere in particular: the model as a whole.
    Model,
}

/// A piece of a text that does not stand in the model file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The key that it was given under: `constraint.wire.holds`.
    pub key: String,
    /// The text.
    pub text: Arc<str>,
    /// Bytes of the text.
    pub span: Range<usize>,
}

impl Place {
    /// Bytes of a text that was given under a key.
    pub fn given(key: impl Into<String>, text: impl Into<Arc<str>>, span: Range<usize>) -> Self {
        let (key, text) = (key.into(), text.into());
        Self::Text(Box::new(Given { key, text, span }))
    }
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

impl Diagnostic {
    /// A mistake at a place, and how to put it right; an empty help is none.
    pub fn error(
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        let (severity, message) = (Severity::Error, message.into());
        Self {
            code,
            severity,
            message,
            help,
            place,
        }
    }

    /// The same, of something that is taken.
    pub fn warning(
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, place, message, help)
        }
    }

    /// What the parser says of a part of a text, which stands at a place.
    #[must_use]
    pub fn of_text(error: ExpressionError, place: Place) -> Self {
        Self::error(
            error.code,
            place,
            error.message,
            error.help.unwrap_or_default(),
        )
    }

    /// The same of several, each with its place.
    pub fn of_texts(
        errors: Vec<ExpressionError>,
        place: impl Fn(Range<usize>) -> Place,
    ) -> Vec<Self> {
        let told = |error: ExpressionError| {
            let place = place(error.span.range());
            Self::of_text(error, place)
        };
        errors.into_iter().map(told).collect()
    }
}
