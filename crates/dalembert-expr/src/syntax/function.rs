//! The scalar functions of the language.

use crate::graph::{ExprId, Graph};
use crate::op::{Binary, Unary};

/// A function of numbers that gives a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A function of one argument.
    Unary(Unary),
    /// A function of two arguments.
    Binary(Binary),
    /// `smooth_sign(x, width)`
    SmoothSign,
}

impl Function {
    /// The function called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|function| function.name() == name)
    }

    /// All functions, in the order of the operation table.
    pub fn all() -> impl Iterator<Item = Self> {
        let unary = Unary::ALL.into_iter().filter(|&op| op != Unary::Neg);
        let binary = [Binary::Atan2, Binary::Min, Binary::Max];
        unary
            .map(Self::Unary)
            .chain(binary.map(Self::Binary))
            .chain([Self::SmoothSign])
    }

    /// Name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unary(op) => op.name(),
            Self::Binary(op) => op.name(),
            Self::SmoothSign => "smooth_sign",
        }
    }

    /// Names of its arguments, as the help shows them.
    #[must_use]
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Unary(_) => &["x"],
            Self::Binary(Binary::Atan2) => &["y", "x"],
            Self::Binary(_) => &["x", "y"],
            Self::SmoothSign => &["x", "width"],
        }
    }

    /// The function of `arguments`; `None` unless there are as many as it takes.
    pub fn apply(self, graph: &mut Graph, arguments: &[ExprId]) -> Option<ExprId> {
        match (self, arguments) {
            (Self::Unary(op), &[x]) => Some(graph.unary(op, x)),
            (Self::Binary(op), &[x, y]) => Some(graph.binary(op, x, y)),
            (Self::SmoothSign, &[x, width]) => Some(graph.smooth_sign(x, width)),
            _ => None,
        }
    }
}
