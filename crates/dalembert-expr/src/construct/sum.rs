//! Sums, differences and negation.

use super::is_mergeable;
use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};
use crate::rational::Rational;

impl Graph {
    /// a + b
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        if let Some(b) = self.as_negated(b) {
            return self.sub(a, b);
        }
        if let Some(a) = self.as_negated(a) {
            return self.sub(b, a);
        }
        if let Some(merged) = self.merge_terms(a, b, false) {
            return merged;
        }
        if let Some(merged) = self.merged_conditions(a, b, false) {
            return merged;
        }
        if let Some(positive) = self.positive_of_negative(b) {
            return self.intern(Node::Binary(Binary::Sub, a, positive));
        }
        if let Some(positive) = self.positive_of_negative(a) {
            return self.intern(Node::Binary(Binary::Sub, b, positive));
        }
        self.intern(Node::Binary(Binary::Add, a, b))
    }

    /// a − b
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.integer(0);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_zero(a) {
            return self.neg(b);
        }
        if let Some(b) = self.as_negated(b) {
            return self.add(a, b);
        }
        if let Some(merged) = self.merge_terms(a, b, true) {
            return merged;
        }
        if let Some(merged) = self.merged_conditions(a, b, true) {
            return merged;
        }
        if let Some(positive) = self.positive_of_negative(b) {
            return self.add(a, positive);
        }
        self.intern(Node::Binary(Binary::Sub, a, b))
    }

    /// −a
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Number(n) => {
                let negated = self.number_value(n).negated();
                self.number(negated)
            }
            Node::Unary(Unary::Neg, x) => x,
            Node::Binary(Binary::Sub, x, y) => self.sub(y, x),
            Node::Binary(Binary::Mul, c, x) => match self.as_number(c).map(Rational::negated) {
                Some(c) => self.scaled(&c, x),
                None => self.intern(Node::Unary(Unary::Neg, a)),
            },
            _ => self.intern(Node::Unary(Unary::Neg, a)),
        }
    }

    /// The sum of `terms` in the order given; 0 for none.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = ExprId>) -> ExprId {
        let zero = self.integer(0);
        terms
            .into_iter()
            .fold(zero, |sum, term| self.add(sum, term))
    }

    /// total + c·x, as a difference where c is negative.
    pub(crate) fn add_multiple(&mut self, total: ExprId, c: &Rational, x: ExprId) -> ExprId {
        let magnitude = self.number(c.abs());
        let term = self.mul(magnitude, x);
        match c.is_negative() {
            true => self.sub(total, term),
            false => self.add(total, term),
        }
    }

    /// a ± b where literals fold (2 + 3, (x + 2) + 3) or the terms are multiples of one another.
    fn merge_terms(&mut self, a: ExprId, b: ExprId, subtract: bool) -> Option<ExprId> {
        let signed = |c: &Rational| if subtract { c.negated() } else { c.clone() };
        if let Some(nb) = self.as_number(b) {
            let nb = signed(nb);
            let (core, offset) = self.offset(a);
            let total = offset.checked_add(&nb)?;
            return match core {
                None => Some(self.number(total)),
                Some(core) if !offset.is_zero() => {
                    is_mergeable_offset(&total).then(|| self.shifted(core, &total))
                }
                Some(_) => None,
            };
        }
        if let Some(na) = self.as_number(a).cloned()
            && !subtract
            && let (Some(core), offset) = self.offset(b)
            && !offset.is_zero()
        {
            let total = na.checked_add(&offset)?;
            return is_mergeable_offset(&total).then(|| self.shifted(core, &total));
        }
        let ((ca, xa), (cb, xb)) = (self.coefficient(a), self.coefficient(b));
        if xa != xb {
            return None;
        }
        let total = ca.checked_add(&signed(&cb))?;
        Some(self.scaled(&total, xa))
    }

    /// Literal offset: x + 3 is (x, 3), x − 3 is (x, −3), 3 is (nothing, 3), else (itself, 0).
    fn offset(&self, id: ExprId) -> (Option<ExprId>, Rational) {
        match self.node(id) {
            Node::Number(n) => (None, self.number_value(n).clone()),
            Node::Binary(Binary::Add, x, y) => match (self.as_number(x), self.as_number(y)) {
                (Some(n), _) => (Some(y), n.clone()),
                (_, Some(n)) => (Some(x), n.clone()),
                _ => (Some(id), Rational::ZERO),
            },
            Node::Binary(Binary::Sub, x, y) => match self.as_number(y) {
                Some(n) => (Some(x), n.negated()),
                None => (Some(id), Rational::ZERO),
            },
            _ => (Some(id), Rational::ZERO),
        }
    }

    /// core + offset; offsets of the core that could not be merged before are merged if they now can.
    fn shifted(&mut self, core: ExprId, offset: &Rational) -> ExprId {
        let (mut core, mut offset) = (core, offset.clone());
        while let (Some(inner), more) = self.offset(core)
            && !more.is_zero()
            && let Some(total) = offset.checked_add(&more).filter(is_mergeable_offset)
        {
            (core, offset) = (inner, total);
        }
        if offset.is_zero() {
            return core;
        }
        let magnitude = self.number(offset.abs());
        if offset.is_negative() {
            return self.intern(Node::Binary(Binary::Sub, core, magnitude));
        }
        // −x + 3 is 3 − x
        let positive = self
            .as_negated(core)
            .or_else(|| self.positive_of_negative(core));
        match positive {
            Some(positive) => self.intern(Node::Binary(Binary::Sub, magnitude, positive)),
            None => self.intern(Node::Binary(Binary::Add, core, magnitude)),
        }
    }

    /// |c|·x of a term c·x, or of a literal, with c < 0.
    fn positive_of_negative(&mut self, id: ExprId) -> Option<ExprId> {
        let (c, x) = match self.as_number(id) {
            Some(n) => (n.clone(), None),
            None => {
                let (c, x) = self.coefficient(id);
                (c, Some(x))
            }
        };
        if !c.is_negative() {
            return None;
        }
        let magnitude = c.negated();
        Some(match x {
            Some(x) => self.scaled(&magnitude, x),
            None => self.number(magnitude),
        })
    }
}

fn is_mergeable_offset(total: &Rational) -> bool {
    total.is_zero() || is_mergeable(total)
}
