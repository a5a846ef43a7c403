//! Powers and square roots.

use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};
use crate::rational::Rational;

impl Graph {
    /// a^b, real: a negative base needs an integer exponent.
    pub fn pow(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(n) = self.as_number(b) {
            let n = n.clone();
            return self.pow_number(a, &n);
        }
        if self.is_one(a) {
            return a;
        }
        self.intern(Node::Binary(Binary::Pow, a, b))
    }

    /// a^n for an integer n.
    pub fn powi(&mut self, a: ExprId, n: i64) -> ExprId {
        self.pow_number(a, &Rational::integer(n))
    }

    /// √a
    pub fn sqrt(&mut self, a: ExprId) -> ExprId {
        if let Some(root) = self.as_number(a).and_then(Rational::exact_sqrt) {
            return self.number(root);
        }
        // √(x²) = |x|, √(x⁴) = x², √(x⁶) = |x|³
        if let Node::Binary(Binary::Pow, x, n) = self.node(a)
            && let Some(n) = self.as_number(n).and_then(Rational::as_integer)
            && n % 2 == 0
        {
            let base = if n % 4 == 0 { x } else { self.abs(x) };
            return self.powi(base, n / 2);
        }
        self.intern(Node::Unary(Unary::Sqrt, a))
    }

    /// base^n, in the canonical forms 1/x^n for negative and √x for the power ½.
    pub(super) fn pow_number(&mut self, base: ExprId, n: &Rational) -> ExprId {
        let (mut base, mut n) = (base, n.clone());
        let (mut reciprocal, mut negative) = (false, false);
        // (x^m)^n = x^(m n) may go down a long chain of powers: a loop, not a recursion.
        let power = loop {
            if n.is_zero() {
                break self.integer(1);
            }
            if n.is_negative() {
                n = n.negated();
                reciprocal = !reciprocal;
            }
            if n.is_one() || self.is_one(base) {
                break base;
            }
            if n == Rational::HALF {
                break self.sqrt(base);
            }
            if let Some(power) = self.number_power(base, &n) {
                break self.number(power);
            }
            if n.is_integer() {
                // (−x)^n = ±x^n
                if let Some(x) = self.as_negated(base) {
                    negative ^= !n.is_even();
                    base = x;
                    continue;
                }
                // √x^2 = x among them; |x|^2 = x^2
                let (inner, m) = self.base_and_exponent(base);
                if inner != base
                    && let Some(product) = m
                        .checked_mul(&n)
                        .filter(|p| m.is_integer() || p.is_integer())
                {
                    (base, n) = (inner, product);
                    continue;
                }
                if let Node::Unary(Unary::Abs, x) = self.node(base)
                    && n.is_even()
                {
                    base = x;
                    continue;
                }
            }
            let n = self.number(n);
            break self.intern(Node::Binary(Binary::Pow, base, n));
        };
        let power = if reciprocal {
            let one = self.integer(1);
            self.div(one, power)
        } else {
            power
        };
        if negative { self.neg(power) } else { power }
    }

    /// The power of a literal, where it is rational and not too long.
    fn number_power(&self, base: ExprId, n: &Rational) -> Option<Rational> {
        let base = self.as_number(base)?;
        match n.as_small()? {
            (n, 1) => base.checked_pow(n),
            (n, 2) => base.exact_sqrt()?.checked_pow(n),
            _ => None,
        }
    }
}
