//! Products and quotients.

use super::{is_mergeable, is_movable};
use crate::graph::{ExprId, Graph, Node};
use crate::op::Binary;
use crate::rational::Rational;

impl Graph {
    /// a·b
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_number(a), self.as_number(b)) {
            (Some(na), Some(nb)) => {
                if let Some(product) = na.checked_mul(nb) {
                    return self.number(product);
                }
            }
            (Some(na), None) => {
                let na = na.clone();
                return self.scaled(&na, b);
            }
            (None, Some(nb)) => {
                let nb = nb.clone();
                return self.scaled(&nb, a);
            }
            (None, None) => {}
        }
        // Literal factors and signs come to the front: (c x)(d y) = (c d)(x y).
        let ((ca, xa), (cb, xb)) = (self.movable_coefficient(a), self.movable_coefficient(b));
        if (xa != a || xb != b)
            && let Some(c) = ca.checked_mul(&cb).filter(is_mergeable)
        {
            let product = self.mul(xa, xb);
            return self.scaled(&c, product);
        }
        if let Some((condition, factor)) = self.under_condition(a, b) {
            let inside = self.mul(condition.inside, factor);
            return self.conditioned(&condition, inside);
        }
        let ((base_a, na), (base_b, nb)) = (self.base_and_exponent(a), self.base_and_exponent(b));
        if base_a == base_b
            && let Some(n) = na.checked_add(&nb).filter(Rational::is_integer)
        {
            return self.pow_number(base_a, &n);
        }
        // a·(1/x) = a/x
        if let Some(x) = self.as_reciprocal(b) {
            return self.div(a, x);
        }
        if let Some(x) = self.as_reciprocal(a) {
            return self.div(b, x);
        }
        self.intern(Node::Binary(Binary::Mul, a, b))
    }

    /// a/b. Division by the literal 0 stays as written and evaluates to an infinity or NaN.
    pub fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(nb) = self.as_number(b) {
            return match nb.reciprocal().filter(|r| r.to_f64().is_finite()) {
                Some(reciprocal) => {
                    let reciprocal = self.number(reciprocal);
                    self.mul(reciprocal, a)
                }
                None => self.intern(Node::Binary(Binary::Div, a, b)),
            };
        }
        if self.is_zero(a) {
            return a;
        }
        if a == b {
            return self.integer(1);
        }
        if self.as_number(a).is_some_and(Rational::is_negative) {
            let positive = self.neg(a);
            let quotient = self.div(positive, b);
            return self.neg(quotient);
        }
        let ((ca, xa), (cb, xb)) = (self.movable_coefficient(a), self.movable_coefficient(b));
        if (xa != a || xb != b)
            && let Some(c) = cb
                .reciprocal()
                .and_then(|r| ca.checked_mul(&r))
                .filter(is_mergeable)
        {
            let quotient = self.div(xa, xb);
            return self.scaled(&c, quotient);
        }
        if let Some(condition) = self.conditions(a) {
            let inside = self.div(condition.inside, b);
            return self.conditioned(&condition, inside);
        }
        let ((base_a, na), (base_b, nb)) = (self.base_and_exponent(a), self.base_and_exponent(b));
        if base_a == base_b
            && let Some(n) = na.checked_add(&nb.negated()).filter(Rational::is_integer)
        {
            return self.pow_number(base_a, &n);
        }
        // a/(1/x) = a x
        if let Some(x) = self.as_reciprocal(b) {
            return self.mul(a, x);
        }
        self.intern(Node::Binary(Binary::Div, a, b))
    }

    /// The product of `factors` in the order given; 1 for none.
    pub fn product(&mut self, factors: impl IntoIterator<Item = ExprId>) -> ExprId {
        let one = self.integer(1);
        factors
            .into_iter()
            .fold(one, |product, factor| self.mul(product, factor))
    }

    /// c·x with the literal in front, merged with the literal factor of x.
    pub(super) fn scaled(&mut self, c: &Rational, x: ExprId) -> ExprId {
        if c.is_zero() {
            return self.integer(0);
        }
        let (mut c, mut x) = (c.clone(), x);
        loop {
            let (inner, core) = self.coefficient(x);
            if core == x {
                break;
            }
            match c.checked_mul(&inner).filter(is_mergeable) {
                Some(merged) => (c, x) = (merged, core),
                None => break,
            }
        }
        if c.is_one() {
            return x;
        }
        if let Some(product) = self.as_number(x).and_then(|n| c.checked_mul(n)) {
            return self.number(product);
        }
        // c·(n/y) = (c n)/y
        if let Node::Binary(Binary::Div, n, y) = self.node(x)
            && let Some(product) = self.as_number(n).and_then(|n| c.checked_mul(n))
            && is_mergeable(&product)
        {
            let product = self.number(product);
            return self.div(product, y);
        }
        if c == Rational::integer(-1) {
            return self.neg(x);
        }
        let c = self.number(c);
        self.intern(Node::Binary(Binary::Mul, c, x))
    }

    /// [`Self::coefficient`] where the literal may change places with other factors; n/y is n·(1/y).
    fn movable_coefficient(&mut self, id: ExprId) -> (Rational, ExprId) {
        let (mut c, mut x) = self.coefficient(id);
        if let Node::Binary(Binary::Div, n, y) = self.node(x)
            && let Some(n) = self.as_number(n).filter(|n| !n.is_one())
            && let Some(product) = c.checked_mul(n)
            && self.as_number(y).is_none()
        {
            let one = self.integer(1);
            (c, x) = (product, self.intern(Node::Binary(Binary::Div, one, y)));
        }
        if x == id || is_movable(&c) {
            (c, x)
        } else {
            (Rational::ONE, id)
        }
    }

    /// x of 1/x.
    fn as_reciprocal(&self, id: ExprId) -> Option<ExprId> {
        match self.node(id) {
            Node::Binary(Binary::Div, one, x) if self.is_one(one) => Some(x),
            _ => None,
        }
    }
}
