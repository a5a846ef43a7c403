//! A product under construction: literal factor and powers of bases.

use crate::graph::{ExprId, Graph};
use crate::rational::Rational;
use rustc_hash::FxHashMap;

/// c · Π baseᵉ, each base once.
pub(super) struct Product {
    coefficient: Rational,
    factors: Vec<(ExprId, Rational)>,
    places: FxHashMap<ExprId, usize>,
}

impl Default for Product {
    fn default() -> Self {
        Self {
            coefficient: Rational::ONE,
            factors: Vec::new(),
            places: FxHashMap::default(),
        }
    }
}

impl Product {
    /// Multiplies with (−1)^exponent, the exponent being an integer.
    pub(super) fn negate(&mut self, exponent: &Rational) {
        let half = exponent.checked_mul(&Rational::new(1, 2).unwrap_or(Rational::ONE));
        if half.is_none_or(|half| !half.is_integer()) {
            self.coefficient = self.coefficient.negated();
        }
    }

    /// Multiplies with `factor`^`exponent`.
    pub(super) fn multiply(&mut self, graph: &mut Graph, factor: ExprId, exponent: &Rational) {
        if exponent.is_integer() {
            let (c, core) = match graph.as_number(factor) {
                Some(n) => (n.clone(), None),
                None => {
                    let (c, core) = graph.coefficient(factor);
                    (c, Some(core))
                }
            };
            let power = exponent.as_integer().and_then(|n| c.checked_pow(n));
            if let Some(merged) = power.and_then(|power| self.coefficient.checked_mul(&power)) {
                self.coefficient = merged;
                if let Some(core) = core {
                    let (base, inner) = graph.base_and_exponent(core);
                    match inner.checked_mul(exponent) {
                        Some(power) => self.raise(base, power),
                        None => self.raise(core, exponent.clone()),
                    }
                }
                return;
            }
        }
        self.raise(factor, exponent.clone());
    }

    fn raise(&mut self, base: ExprId, exponent: Rational) {
        let place = *self.places.entry(base).or_insert(self.factors.len());
        match self.factors.get_mut(place) {
            None => self.factors.push((base, exponent)),
            Some((_, total)) => match total.checked_add(&exponent) {
                Some(sum) => *total = sum,
                None => self.factors.push((base, exponent)),
            },
        }
    }

    /// The product as an expression: factors in order of their making, the literal in front, one
    /// quotient at most.
    pub(super) fn build(mut self, graph: &mut Graph) -> ExprId {
        let zero = Rational::ZERO;
        if self.coefficient.is_zero() {
            return graph.integer(0);
        }
        self.factors.sort_by_key(|&(base, _)| base);
        let (mut numerator, mut denominator) = (graph.integer(1), graph.integer(1));
        for (base, exponent) in &self.factors {
            let side = if *exponent < zero {
                &mut denominator
            } else {
                &mut numerator
            };
            let magnitude = exponent.abs();
            // x^(3/2) is x √x
            let (whole, rest) = match magnitude.as_small() {
                Some((n, 2)) => (n / 2, Rational::new(1, 2)),
                Some((n, 1)) => (n, None),
                _ => (0, Some(magnitude)),
            };
            let power = graph.powi(*base, whole);
            *side = graph.mul(*side, power);
            if let Some(rest) = rest {
                let rest = graph.number(rest);
                let root = graph.pow(*base, rest);
                *side = graph.mul(*side, root);
            }
        }
        let quotient = graph.div(numerator, denominator);
        let coefficient = graph.number(self.coefficient);
        graph.mul(coefficient, quotient)
    }
}
