//! What a text needs to have a value, though simplification may not show it any more: √u of (√u)², 1/x of x/x.

use super::{Elaborator, Value};
use dalembert_expr::syntax::{Arithmetic, Kind, NodeId};
use dalembert_expr::{ExprId, Rational};

/// Something without which a text has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// It is not zero: something is divided by it.
    Nonzero(ExprId),
    /// It is not negative: its root is taken.
    NotNegative(ExprId),
    /// It is positive: its logarithm is taken.
    Positive(ExprId),
    /// It is within ±1: it is the sine or cosine of something.
    WithinOne(ExprId),
}

impl Need {
    /// What it is about.
    #[must_use]
    pub fn about(self) -> ExprId {
        match self {
            Self::Nonzero(id)
            | Self::NotNegative(id)
            | Self::Positive(id)
            | Self::WithinOne(id) => id,
        }
    }

    /// The same of another expression.
    #[must_use]
    pub fn of(self, id: ExprId) -> Self {
        match self {
            Self::Nonzero(_) => Self::Nonzero(id),
            Self::NotNegative(_) => Self::NotNegative(id),
            Self::Positive(_) => Self::Positive(id),
            Self::WithinOne(_) => Self::WithinOne(id),
        }
    }
}

/// What some texts need, themselves and by the definitions that they use.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    own: Vec<Need>,
    pub(super) definitions: Vec<usize>,
}

impl Elaborator<'_> {
    /// What all that was read since the last call needs to have values.
    pub fn take_needs(&mut self) -> Vec<Need> {
        let Needs {
            mut own,
            definitions: mut open,
        } = std::mem::take(&mut self.needs);
        let mut seen = vec![false; self.of_definitions.len()];
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                let Needs {
                    own: more,
                    definitions,
                } = &self.of_definitions[i];
                own.extend(more);
                open.extend(definitions);
            }
        }
        own.sort_unstable();
        own.dedup();
        own
    }

    /// Notes what a node of a text needs, given the values of those before it.
    pub(super) fn note_needs(&mut self, kind: &Kind, value: impl Fn(NodeId) -> Option<Value>) {
        let scalar = |id: NodeId| match value(id) {
            Some(Value::Scalar(id)) => Some(id),
            _ => None,
        };
        match kind {
            Kind::Binary {
                op: Arithmetic::Divide,
                right,
                ..
            } => self.needs.own.extend(scalar(*right).map(Need::Nonzero)),
            Kind::Binary {
                op: Arithmetic::Power,
                left,
                right,
            } => {
                let exponent = scalar(*right).and_then(|id| self.graph.as_number(id));
                let negative = exponent.is_some_and(Rational::is_negative);
                let broken = exponent.is_some_and(|it| !it.is_integer());
                let base = scalar(*left);
                let needs = &mut self.needs.own;
                needs.extend(base.filter(|_| negative).map(Need::Nonzero));
                needs.extend(base.filter(|_| broken).map(Need::NotNegative));
            }
            Kind::Call {
                function,
                arguments,
            } => {
                let need: fn(ExprId) -> Need = match &*function.text {
                    "sqrt" => Need::NotNegative,
                    "log" => Need::Positive,
                    "asin" | "acos" => Need::WithinOne,
                    _ => return,
                };
                let argument = arguments.first().and_then(|it| scalar(it.value));
                self.needs.own.extend(argument.map(need));
            }
            _ => {}
        }
    }
}
