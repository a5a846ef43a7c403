//! Conditions: an expression that counts where another is above zero, or where it is not.
//!
//! Elsewhere the value is 0, also where the expression has none: √x below zero does no harm. So factors come in from outside,
//! and derivatives by the reverse rule, products with such a factor, have no 0·∞.

use crate::graph::{ExprId, Graph, Node};
use crate::op::Relation;
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use std::cmp::Ordering;

impl Graph {
    /// `yes` where x > 0, `no` elsewhere. What is not chosen does not count, even if it has no value.
    ///
    /// ```
    /// use dalembert_expr::{Graph, SymbolKind, evaluate};
    /// let mut g = Graph::new();
    /// let x = g.symbol("x", SymbolKind::Parameter);
    /// let (root, zero) = (g.sqrt(x), g.integer(0));
    /// let value = g.if_above(x, root, zero);
    /// assert_eq!(evaluate(&g, &[value], |_| -1.0), [0.0]);
    /// ```
    pub fn if_above(&mut self, x: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        let yes = self.condition(Binary::Above, x, yes);
        let no = self.condition(Binary::NotAbove, x, no);
        self.add(yes, no)
    }

    /// a where x > 0, or where not, and 0 elsewhere.
    pub(crate) fn condition(&mut self, op: Binary, x: ExprId, a: ExprId) -> ExprId {
        if self.is_zero(a) {
            return a;
        }
        if let Some(x) = self.as_number(x) {
            let above = x.cmp(&Rational::ZERO) == Ordering::Greater;
            return if above == (op == Binary::Above) {
                a
            } else {
                self.integer(0)
            };
        }
        match self.node(a) {
            Node::Binary(inner, y, _) if y == x && inner == op => a,
            Node::Binary(inner, y, _) if y == x && Some(inner) == op.opposite() => self.integer(0),
            _ => self.intern(Node::Binary(op, x, a)),
        }
    }

    /// The condition of an expression: which, of what, and what it lets through.
    pub(crate) fn as_condition(&self, id: ExprId) -> Option<(Binary, ExprId, ExprId)> {
        match self.node(id) {
            Node::Binary(op, x, a) if op.is_condition() => Some((op, x, a)),
            _ => None,
        }
    }

    /// How a condition is written as a comparison: its sides, and whether the left one is the larger.
    pub(crate) fn comparison(&self, x: ExprId) -> Comparison {
        match self.node(x) {
            // 1 − t > 0 is t < 1.
            Node::Binary(Binary::Sub, a, b) if self.as_number(a).is_some() => Comparison {
                left: b,
                right: Some(a),
                larger_left: false,
            },
            Node::Binary(Binary::Sub, a, b) => Comparison {
                left: a,
                right: Some(b),
                larger_left: true,
            },
            Node::Unary(Unary::Neg, a) => Comparison {
                left: a,
                right: None,
                larger_left: false,
            },
            _ => Comparison::with_zero(x),
        }
    }

    /// a ± b under conditions on the same expression; what is itself under a condition stays apart.
    pub(super) fn merged_conditions(
        &mut self,
        a: ExprId,
        b: ExprId,
        subtract: bool,
    ) -> Option<ExprId> {
        let ((op, x, a), (other, y, b)) = (self.as_condition(a)?, self.as_condition(b)?);
        if x != y {
            return None;
        }
        if op != other {
            return (a == b && !subtract).then_some(a);
        }
        if self.as_condition(a).is_some() && self.as_condition(b).is_some() {
            return None;
        }
        let both = match subtract {
            true => self.sub(a, b),
            false => self.add(a, b),
        };
        Some(self.condition(op, x, both))
    }

    /// The conditions around an expression, if there are some, and few.
    pub(super) fn conditions(&self, id: ExprId) -> Option<Conditions> {
        let mut conditions = Conditions {
            outermost_first: Vec::new(),
            inside: id,
        };
        while let Some((op, x, a)) = self.as_condition(conditions.inside) {
            conditions.outermost_first.push((op, x));
            conditions.inside = a;
        }
        (1..=MOST)
            .contains(&conditions.outermost_first.len())
            .then_some(conditions)
    }

    /// Of two factors, the one that stands under conditions, and the other.
    pub(super) fn under_condition(&self, a: ExprId, b: ExprId) -> Option<(Conditions, ExprId)> {
        let first = self.conditions(a).map(|conditions| (conditions, b));
        first.or_else(|| self.conditions(b).map(|conditions| (conditions, a)))
    }

    /// An expression under conditions.
    pub(super) fn conditioned(&mut self, conditions: &Conditions, inside: ExprId) -> ExprId {
        let around = conditions.outermost_first.iter().rev();
        around.fold(inside, |inside, &(op, x)| self.condition(op, x, inside))
    }
}

/// Two sides, the right one 0 if there is none, of which one is the larger where a condition holds.
pub(crate) struct Comparison {
    pub(crate) left: ExprId,
    pub(crate) right: Option<ExprId>,
    larger_left: bool,
}

impl Comparison {
    /// Of an expression with 0.
    pub(crate) fn with_zero(left: ExprId) -> Self {
        Self {
            left,
            right: None,
            larger_left: true,
        }
    }

    /// The sign between the sides.
    pub(crate) fn relation(&self, op: Binary) -> Relation {
        match (op, self.larger_left) {
            (Binary::Above, true) => Relation::Greater,
            (Binary::Above, false) => Relation::Less,
            (_, true) => Relation::LessOrEqual,
            (_, false) => Relation::GreaterOrEqual,
        }
    }
}

/// Conditions that factors are brought under; more of them, one in the other, stay as they are.
const MOST: usize = 8;

/// An expression with the conditions around it.
pub(super) struct Conditions {
    outermost_first: Vec<(Binary, ExprId)>,
    pub(super) inside: ExprId,
}
