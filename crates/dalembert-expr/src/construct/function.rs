//! Functions: symmetry and exact values.

use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Exact, Parity, Unary};
use crate::rational::Rational;
use std::cmp::Ordering;

impl Graph {
    /// sin(a)
    pub fn sin(&mut self, a: ExprId) -> ExprId {
        self.function(Unary::Sin, a)
    }

    /// cos(a)
    pub fn cos(&mut self, a: ExprId) -> ExprId {
        self.function(Unary::Cos, a)
    }

    /// |a|
    pub fn abs(&mut self, a: ExprId) -> ExprId {
        self.function(Unary::Abs, a)
    }

    /// −1, 0 or 1
    pub fn sign(&mut self, a: ExprId) -> ExprId {
        self.function(Unary::Sign, a)
    }

    /// A smooth stand-in for sign(x): tanh(x/width), within 0.1 % of ±1 beyond 3.8 widths.
    pub fn smooth_sign(&mut self, x: ExprId, width: ExprId) -> ExprId {
        let ratio = self.div(x, width);
        self.function(Unary::Tanh, ratio)
    }

    /// Angle of the point (x, y), in (−π, π].
    pub fn atan2(&mut self, y: ExprId, x: ExprId) -> ExprId {
        if let (Some(ny), Some(nx)) = (self.as_number(y), self.as_number(x)) {
            let quarter_turns = match (ny.cmp(&Rational::ZERO), nx.cmp(&Rational::ZERO)) {
                (Ordering::Equal, Ordering::Greater) => Some(0),
                (Ordering::Greater, Ordering::Equal) => Some(1),
                (Ordering::Equal, Ordering::Less) => Some(2),
                (Ordering::Less, Ordering::Equal) => Some(-1),
                _ => None,
            };
            if let Some(share) = quarter_turns.and_then(|n| Rational::new(n, 2)) {
                return self.pi_times(&share);
            }
        }
        self.intern(Node::Binary(Binary::Atan2, y, x))
    }

    /// The smaller of two.
    pub fn min(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.extremum(Binary::Min, a, b, Ordering::Less)
    }

    /// The larger of two.
    pub fn max(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.extremum(Binary::Max, a, b, Ordering::Greater)
    }

    fn extremum(&mut self, op: Binary, a: ExprId, b: ExprId, wanted: Ordering) -> ExprId {
        if a == b {
            return a;
        }
        if let (Some(na), Some(nb)) = (self.as_number(a), self.as_number(b)) {
            return if na.cmp(nb) == wanted { a } else { b };
        }
        self.intern(Node::Binary(op, a, b))
    }

    /// A function other than negation and square root.
    pub(crate) fn function(&mut self, op: Unary, a: ExprId) -> ExprId {
        if let Some(value) = self.exact_value(op, a) {
            return value;
        }
        // Odd and even functions: the sign comes out, or is dropped.
        let (c, x) = self.coefficient(a);
        let negative = c.is_negative() || self.as_number(a).is_some_and(Rational::is_negative);
        if negative && op.parity() != Parity::None {
            let argument = self.neg(a);
            let value = self.function(op, argument);
            return match op.parity() {
                Parity::Odd => self.neg(value),
                _ => value,
            };
        }
        // |c x| = |c| |x|, sign(c x) = sign(x) for c > 0; literals that could not be merged form chains.
        if matches!(op, Unary::Abs | Unary::Sign) && x != a {
            let (mut factors, mut core) = (vec![c], x);
            let mut odd = false;
            loop {
                let (c, x) = self.coefficient(core);
                if x == core {
                    break;
                }
                odd ^= c.is_negative();
                factors.push(c.abs());
                core = x;
            }
            let value = self.function(op, core);
            if op == Unary::Sign {
                return if odd { self.neg(value) } else { value };
            }
            let scale = |value, c: &Rational| self.scaled(c, value);
            return factors.iter().rev().fold(value, scale);
        }
        match (op, self.node(a)) {
            (Unary::Abs, _) if self.is_never_negative(a) => a,
            (Unary::Sign, Node::Unary(Unary::Sign, _)) => a,
            _ => self.intern(Node::Unary(op, a)),
        }
    }

    fn is_never_negative(&self, id: ExprId) -> bool {
        match self.node(id) {
            Node::Pi | Node::Unary(Unary::Abs | Unary::Sqrt | Unary::Exp | Unary::Cosh, _) => true,
            Node::Binary(Binary::Pow, _, n) => self
                .as_number(n)
                .and_then(Rational::as_integer)
                .is_some_and(|n| n % 2 == 0),
            _ => false,
        }
    }

    /// Value at an exact argument, where the value is exact too.
    fn exact_value(&mut self, op: Unary, a: ExprId) -> Option<ExprId> {
        if let Some(turns) = self.half_turns(a) {
            match op {
                Unary::Sin => return self.sine_of_half_turns(&turns),
                // cos(π r) = sin(π (r + ½))
                Unary::Cos => {
                    let shifted = turns.checked_add(&Rational::HALF)?;
                    return self.sine_of_half_turns(&shifted);
                }
                Unary::Tan if turns.is_integer() => return Some(self.integer(0)),
                _ => {}
            }
        }
        let n = self.as_number(a)?.clone();
        if let Unary::Abs = op {
            return Some(self.number(n.abs()));
        }
        if let Unary::Sign = op {
            let sign = n.cmp(&Rational::ZERO) as i64;
            return Some(self.integer(sign));
        }
        Some(match op.exact_value(n.as_integer()?)? {
            Exact::Number(value) => self.integer(value),
            Exact::OfPi(share) => self.pi_times(&share),
        })
    }

    /// r of an argument π r.
    fn half_turns(&self, a: ExprId) -> Option<Rational> {
        match self.node(a) {
            Node::Pi => Some(Rational::ONE),
            Node::Number(n) if self.number_value(n).is_zero() => Some(Rational::ZERO),
            _ => {
                let (c, x) = self.coefficient(a);
                (x != a && self.node(x) == Node::Pi).then_some(c)
            }
        }
    }

    /// sin(π r) where that is 0, ±½ or ±1.
    fn sine_of_half_turns(&mut self, r: &Rational) -> Option<ExprId> {
        // Whole turns do not count, however many there are.
        let turn = r.checked_mul(&Rational::integer(6))?.modulo(12);
        let value = match turn.as_integer()? {
            0 | 6 => Rational::ZERO,
            1 | 5 => Rational::HALF,
            3 => Rational::ONE,
            7 | 11 => Rational::HALF.negated(),
            9 => Rational::integer(-1),
            _ => return None,
        };
        Some(self.number(value))
    }

    fn pi_times(&mut self, share: &Rational) -> ExprId {
        let pi = self.pi();
        self.scaled(share, pi)
    }
}
