//! What waits on the parser's stacks: operators, operands and open brackets.

use super::function::CHOICE;
use super::tree::{Argument, Arithmetic, Join, NodeId, Relation, Sign, Span, Word};
use crate::binding::Binding;

/// How tightly an operation between two operands binds.
pub(super) fn binding(op: Arithmetic) -> Binding {
    match op {
        Arithmetic::Add | Arithmetic::Subtract => Binding::Sum,
        Arithmetic::Multiply | Arithmetic::Divide => Binding::Product,
        Arithmetic::Power => Binding::Power,
    }
}

/// How tightly conditions are joined.
pub(super) fn joining(join: Join) -> Binding {
    match join {
        Join::And => Binding::And,
        Join::Or => Binding::Or,
    }
}

/// An operator that waits for its right operand to be complete.
pub(super) enum Operator {
    /// `binding` is that of a power for the sign of an exponent: `2^-x y` is `(2^(-x)) y`.
    Sign {
        sign: Sign,
        binding: Binding,
        span: Span,
    },
    Arithmetic {
        op: Arithmetic,
        span: Span,
    },
    /// Two operands side by side that should have an operator between them.
    Missing {
        reported: bool,
    },
    /// A sequence of rotations so far.
    Sequence {
        items: usize,
    },
    Relation {
        relation: Relation,
        span: Span,
    },
    Joined {
        join: Join,
        span: Span,
    },
    Not {
        span: Span,
    },
}

impl Operator {
    pub(super) fn binding(&self) -> Binding {
        match self {
            Self::Sign { binding, .. } => *binding,
            Self::Arithmetic { op, .. } => binding(*op),
            Self::Missing { .. } => Binding::Product,
            Self::Sequence { .. } => Binding::Sequence,
            Self::Relation { .. } => Binding::Relation,
            Self::Joined { join, .. } => joining(*join),
            Self::Not { .. } => Binding::Not,
        }
    }

    /// Where it is written, if it is.
    pub(super) fn span(&self) -> Option<Span> {
        match self {
            Self::Sign { span, .. }
            | Self::Arithmetic { span, .. }
            | Self::Relation { span, .. }
            | Self::Joined { span, .. }
            | Self::Not { span } => Some(*span),
            Self::Missing { .. } | Self::Sequence { .. } => None,
        }
    }
}

/// A node with its extent in the text, parentheses around it included.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) node: NodeId,
    pub(super) span: Span,
}

/// What an expression being read stands in.
pub(super) enum Place {
    /// The whole text.
    Whole,
    Parentheses,
    Vector,
    Call(Word),
}

/// An expression or a list of them that is being read.
pub(super) struct Bracket {
    pub(super) place: Place,
    /// The opening bracket; of a call also the name before it.
    pub(super) opening: Span,
    /// Operators below this height belong to the expressions outside.
    pub(super) floor: usize,
    /// Elements or arguments read so far.
    pub(super) items: Vec<Argument>,
    /// Name of the argument being read.
    pub(super) name: Option<Word>,
    /// Whether parentheses stand in a condition, or by themselves.
    pub(super) of_condition: bool,
    /// A comma that does not belong here is reported once.
    pub(super) comma_reported: bool,
}

impl Bracket {
    pub(super) fn new(place: Place, opening: Span, floor: usize) -> Self {
        Self {
            place,
            opening,
            floor,
            items: Vec::new(),
            name: None,
            of_condition: false,
            comma_reported: false,
        }
    }

    /// Whether what is being read is the condition of `if(condition, a, b)`.
    pub(super) fn is_condition_of_choice(&self) -> bool {
        let choice = matches!(&self.place, Place::Call(function) if *function.text == *CHOICE);
        choice && self.items.is_empty() && self.name.is_none()
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.place, Place::Vector | Place::Call(_))
    }

    pub(super) fn is_call(&self) -> bool {
        matches!(self.place, Place::Call(_))
    }
}
