//! Polynomials that have one sign whatever their generators are worth.

use super::field::{Field, GeneratorId, GeneratorKind};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::graph::SymbolId;
use crate::op::Unary;
use crate::rational::Rational;
use std::collections::BTreeMap;

/// What is known of a product of powers.
struct Factor {
    negative: bool,
    may_vanish: bool,
}

impl Field {
    /// Whether a polynomial is negative, if it has one sign and vanishes nowhere, and this is seen: no term pulls the other
    /// way, and one of them is not zero. Sines and cosines are within ±1, so that what they take away is no more than what
    /// stands beside the same other factors: 1 + a² − a² sin² x is positive. A symbol is negative or positive as
    /// `is_negative` says, or has any value.
    #[must_use]
    pub fn is_negative_everywhere(
        &self,
        p: &Polynomial,
        is_negative: &dyn Fn(SymbolId) -> Option<bool>,
    ) -> Option<bool> {
        let wavy = |g: GeneratorId| {
            let kind = self.kind(g);
            matches!(kind, GeneratorKind::Sin(_) | GeneratorKind::Cos(_))
        };
        [false, true].into_iter().find(|&negative| {
            // The least that all terms with the same other factors come to, and whether these may vanish.
            let mut least: BTreeMap<Monomial, (Rational, bool)> = BTreeMap::new();
            for (monomial, c) in &p.terms {
                let (waves, others) = monomial.split(wavy);
                let Some(factor) = self.sign_of_product(&others, is_negative) else {
                    return false;
                };
                let c = match factor.negative == negative {
                    true => c.clone(),
                    false => c.negated(),
                };
                let even = waves.powers().all(|(_, n)| n.is_multiple_of(2));
                let term = match (waves.is_one(), even && !c.is_negative()) {
                    (true, _) => c,
                    (false, true) => Rational::ZERO,
                    (false, false) => c.abs().negated(),
                };
                let sum = least.entry(others);
                let (sum, _) = sum.or_insert((Rational::ZERO, factor.may_vanish));
                match sum.checked_add(&term) {
                    Some(total) => *sum = total,
                    None => return false,
                }
            }
            let mut sums = least.values();
            sums.all(|(sum, _)| !sum.is_negative())
                && least.values().any(|(sum, may)| !may && !sum.is_zero())
        })
    }

    /// `None` if both signs are possible.
    fn sign_of_product(
        &self,
        product: &Monomial,
        is_negative: &dyn Fn(SymbolId) -> Option<bool>,
    ) -> Option<Factor> {
        let mut all = Factor {
            negative: false,
            may_vanish: false,
        };
        for (generator, power) in product.powers() {
            let even = power.is_multiple_of(2);
            match self.kind(generator) {
                GeneratorKind::Pi | GeneratorKind::Function(Unary::Exp | Unary::Cosh, _) => {}
                GeneratorKind::Symbol(symbol) => match is_negative(*symbol) {
                    Some(negative) => all.negative ^= negative && !even,
                    None if even => all.may_vanish = true,
                    None => return None,
                },
                GeneratorKind::Function(Unary::Abs, _) => all.may_vanish = true,
                GeneratorKind::Root(of, _) if of.denominator.is_one() => all.may_vanish = true,
                _ if even => all.may_vanish = true,
                _ => return None,
            }
        }
        Some(all)
    }
}
