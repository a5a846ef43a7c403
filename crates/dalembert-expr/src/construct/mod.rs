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

mod function;
mod power;
mod product;
mod sum;

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

fn is_movable(c: &Rational) -> bool {
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
            Node::Unary(Unary::Sqrt, x) => (x, half()),
            Node::Binary(Binary::Pow, x, n) => match self.as_number(n) {
                Some(n) => (x, n.clone()),
                None => (id, Rational::ONE),
            },
            Node::Binary(Binary::Div, one, x) if self.is_one(one) => {
                let (base, n) = match self.node(x) {
                    Node::Binary(Binary::Pow, base, n) if self.as_number(n).is_some() => {
                        (base, self.as_number(n).cloned().unwrap_or(Rational::ONE))
                    }
                    Node::Unary(Unary::Sqrt, base) => (base, half()),
                    _ => (x, Rational::ONE),
                };
                (base, n.negated())
            }
            _ => (id, Rational::ONE),
        }
    }
}

fn half() -> Rational {
    Rational::new(1, 2).unwrap_or(Rational::ONE)
}
