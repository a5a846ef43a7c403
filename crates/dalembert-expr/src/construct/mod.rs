//! Simplifying constructors.
//!
//! The contract: the expression returned has the same real value as the one asked for, at every point
//! where the latter has one. (It may have a value at more points: `x/x` is 1.) Only exact numbers are
//! reassociated, and only while they stay far from overflow, so in double precision the two differ by
//! the rounding of literals alone, and none is infinite where the other is far from it.
//!
//! The rules are local and cost O(1): literals are folded, signs and literal factors move to the front
//! of a product, equal terms and equal bases are merged, functions know their symmetry and their exact
//! values. Whatever needs a look at more than an operand's operands belongs to
//! [`simplify`](crate::simplify()).

mod condition;
mod function;
mod power;
mod product;
mod sum;

pub(crate) use condition::Comparison;

use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};
use crate::rational::Rational;

/// A literal may change places with other factors if it is within 2^±20.
const MOVABLE: f64 = 1_048_576.0;
/// Two literals may be merged if the result is within 10^±90.
const MERGEABLE: f64 = 1e90;

fn is_within(c: &Rational, limit: f64) -> bool {
    let magnitude = c.to_f64().abs();
    magnitude <= limit && magnitude * limit >= 1.0
}

pub(crate) fn is_movable(c: &Rational) -> bool {
    is_within(c, MOVABLE)
}

pub(crate) fn is_mergeable(c: &Rational) -> bool {
    is_within(c, MERGEABLE)
}

impl Graph {
    fn is_zero(&self, id: ExprId) -> bool {
        self.as_number(id).is_some_and(Rational::is_zero)
    }

    fn is_one(&self, id: ExprId) -> bool {
        self.as_number(id).is_some_and(Rational::is_one)
    }

    /// x of −x.
    fn as_negated(&self, id: ExprId) -> Option<ExprId> {
        match self.node(id) {
            Node::Unary(Unary::Neg, a) => Some(a),
            _ => None,
        }
    }

    /// Literal factor and the rest: c·x is (c, x), −x is (−1, x), anything else (1, itself).
    pub(crate) fn coefficient(&self, id: ExprId) -> (Rational, ExprId) {
        match self.node(id) {
            Node::Unary(Unary::Neg, x) => (Rational::integer(-1), x),
            Node::Binary(Binary::Mul, c, x) => match self.as_number(c) {
                Some(c) => (c.clone(), x),
                None => (Rational::ONE, id),
            },
            _ => (Rational::ONE, id),
        }
    }

    /// Base and literal exponent: x^n is (x, n), √x is (x, ½), 1/x^n is (x, −n), else (itself, 1).
    pub(crate) fn base_and_exponent(&self, id: ExprId) -> (ExprId, Rational) {
        match self.node(id) {
            Node::Binary(Binary::Div, one, x) if self.is_one(one) => {
                let (base, n) = self.as_power(x).unwrap_or((x, Rational::ONE));
                (base, n.negated())
            }
            _ => self.as_power(id).unwrap_or((id, Rational::ONE)),
        }
    }

    /// Base and literal exponent of a power or a root.
    pub(crate) fn as_power(&self, id: ExprId) -> Option<(ExprId, Rational)> {
        match self.node(id) {
            Node::Unary(Unary::Sqrt, x) => Some((x, Rational::HALF)),
            Node::Binary(Binary::Pow, x, n) => Some((x, self.as_number(n)?.clone())),
            _ => None,
        }
    }

    /// Base and exponent of a power raised to an integer, where the exponent is not too long: (xᵐ)ⁿ is x^(m n).
    pub(crate) fn power_of_power(&self, id: ExprId, n: &Rational) -> Option<(ExprId, Rational)> {
        let (base, m) = self.as_power(id)?;
        Some((base, m.checked_mul(n)?))
    }
}
