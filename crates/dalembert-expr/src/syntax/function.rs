//! The scalar functions of the language.

use crate::graph::{ExprId, Graph};
use crate::op::{Binary, Unary};
use crate::syntax::tree::Relation;

/// A function of numbers that gives a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A function of one argument.
    Unary(Unary),
    /// A function of two arguments.
    Binary(Binary),
    /// `smooth_sign(x, width)`
    SmoothSign,
    /// `step(x)`
    Step,
    /// `ramp(x)`
    Ramp,
    /// `pulse(x, width)`
    Pulse,
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
            .chain([Self::SmoothSign, Self::Step, Self::Ramp, Self::Pulse])
    }

    /// Whether a name is that of a function and of nothing else. Models may have called something `step` before there was
    /// such a function; it is told from a call by its parentheses.
    #[must_use]
    pub fn reserves(name: &str) -> bool {
        let free = [Self::Step, Self::Ramp, Self::Pulse];
        name == CHOICE || Self::named(name).is_some_and(|function| !free.contains(&function))
    }

    /// Name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unary(op) => op.name(),
            Self::Binary(op) => op.name(),
            Self::SmoothSign => "smooth_sign",
            Self::Step => "step",
            Self::Ramp => "ramp",
            Self::Pulse => "pulse",
        }
    }

    /// Names of its arguments, as the help shows them.
    #[must_use]
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Unary(_) | Self::Step | Self::Ramp => &["x"],
            Self::Binary(Binary::Atan2) => &["y", "x"],
            Self::Binary(_) => &["x", "y"],
            Self::SmoothSign | Self::Pulse => &["x", "width"],
        }
    }

    /// The function of `arguments`; `None` unless there are as many as it takes.
    pub fn apply(self, graph: &mut Graph, arguments: &[ExprId]) -> Option<ExprId> {
        match (self, arguments) {
            (Self::Unary(op), &[x]) => Some(graph.unary(op, x)),
            (Self::Binary(op), &[x, y]) => Some(graph.binary(op, x, y)),
            (Self::SmoothSign, &[x, width]) => Some(graph.smooth_sign(x, width)),
            (Self::Step, &[x]) => {
                let (zero, one) = (graph.integer(0), graph.integer(1));
                Some(choice(
                    graph,
                    Relation::GreaterOrEqual,
                    [x, zero],
                    [one, zero],
                ))
            }
            (Self::Ramp, &[x]) => {
                let zero = graph.integer(0);
                Some(graph.max(x, zero))
            }
            (Self::Pulse, &[x, width]) => {
                let (zero, one) = (graph.integer(0), graph.integer(1));
                let before_end = choice(graph, Relation::Less, [x, width], [one, zero]);
                Some(choice(
                    graph,
                    Relation::GreaterOrEqual,
                    [x, zero],
                    [before_end, zero],
                ))
            }
            _ => None,
        }
    }
}

/// The function `if(condition, a, b)`.
pub const CHOICE: &str = "if";

/// The first of two expressions where a comparison of two others is true, the second where it is not. Nothing is compared by `=`.
pub fn choice(
    graph: &mut Graph,
    relation: Relation,
    [left, right]: [ExprId; 2],
    [yes, no]: [ExprId; 2],
) -> ExprId {
    match relation {
        Relation::Greater => {
            let above = graph.sub(left, right);
            graph.if_above(above, yes, no)
        }
        Relation::Less => {
            let above = graph.sub(right, left);
            graph.if_above(above, yes, no)
        }
        Relation::LessOrEqual => {
            let above = graph.sub(left, right);
            graph.if_above(above, no, yes)
        }
        Relation::GreaterOrEqual | Relation::Equal => {
            let above = graph.sub(right, left);
            graph.if_above(above, no, yes)
        }
    }
}
