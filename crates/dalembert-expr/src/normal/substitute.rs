//! Putting fractions in for generators, and coefficients of their powers.

use super::Outside;
use super::field::{Field, Fraction, GeneratorId};
use super::polynomial::Polynomial;
use rustc_hash::FxHashMap;

impl Field {
    /// `a` with generators replaced by fractions, all at once. What is inside functions stays: replace
    /// symbols that occur in angles before taking the expression.
    ///
    /// # Errors
    /// The limits are reached, or a denominator becomes zero.
    pub fn substitute(
        &self,
        a: &Fraction,
        replacements: &[(GeneratorId, Fraction)],
    ) -> Result<Fraction, Outside> {
        let images: FxHashMap<GeneratorId, &Fraction> =
            replacements.iter().map(|(g, f)| (*g, f)).collect();
        let top = self.substituted(&a.numerator, &images)?;
        if a.denominator.is_one() {
            return Ok(top);
        }
        let bottom = self.substituted(&a.denominator, &images)?;
        self.div(&top, &bottom)
    }

    fn substituted(
        &self,
        p: &Polynomial,
        images: &FxHashMap<GeneratorId, &Fraction>,
    ) -> Result<Fraction, Outside> {
        let mut parts = Vec::new();
        let mut powers: FxHashMap<(GeneratorId, u16), Fraction> = FxHashMap::default();
        for (m, coefficient) in p.collected(|g| images.contains_key(&g)) {
            let mut product = Fraction::from(coefficient);
            for (g, n) in m.powers() {
                let power = match powers.get(&(g, n)) {
                    Some(power) => power.clone(),
                    None => {
                        let power = self.powi(images[&g], i64::from(n))?;
                        powers.insert((g, n), power.clone());
                        power
                    }
                };
                product = self.mul(&product, &power)?;
            }
            parts.push(product);
        }
        self.sum(&parts)
    }

    /// The coefficients of `a` as a polynomial in some generators: (exponents, coefficient) for each
    /// product of powers that occurs, the exponents in the order of `generators`.
    ///
    /// `None` if one of them stands below the bar.
    #[must_use]
    pub fn coefficients(
        &self,
        a: &Fraction,
        generators: &[GeneratorId],
    ) -> Option<Vec<(Vec<u16>, Fraction)>> {
        if generators.iter().any(|&g| a.denominator.contains(g)) {
            return None;
        }
        let parts = a.numerator.collected(|g| generators.contains(&g));
        let part = |(m, p): (super::monomial::Monomial, Polynomial)| {
            let exponents = generators.iter().map(|&g| m.exponent(g)).collect();
            let fraction = Fraction {
                numerator: p,
                denominator: a.denominator.clone(),
            };
            let lowest = self.fraction(fraction.numerator.clone(), fraction.denominator.clone());
            (exponents, lowest.unwrap_or(fraction))
        };
        Some(parts.into_iter().map(part).collect())
    }
}
