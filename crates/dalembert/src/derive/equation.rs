//! From derived equations to printed ones: no denominators, no common factors.

use super::algebra::Algebra;
use super::route::Raw;
use dalembert_expr::SymbolId;
use dalembert_expr::normal::{Fraction, Outside};

/// An equation ready to be printed.
#[derive(Clone, Debug)]
pub(super) struct Tidy {
    /// The derived one times `factor`.
    pub(super) sides: Raw,
    pub(super) factor: Fraction,
}

impl Tidy {
    /// Clears denominators and common factors of an equation in which `unknowns` are solved for; one that gives an
    /// unknown explicitly stays as it is.
    pub(super) fn of(
        algebra: &mut Algebra,
        raw: &Raw,
        unknowns: &[SymbolId],
    ) -> Result<Self, Outside> {
        let unknowns = algebra.symbols(unknowns)?;
        if unknowns.contains(&raw.left) {
            return Ok(Self {
                sides: raw.clone(),
                factor: Fraction::one(),
            });
        }
        let factor = algebra.clearing(&parts(algebra, raw, &unknowns))?;
        let left = algebra.field.mul(&raw.left, &factor)?;
        let right = algebra.field.mul(&raw.right, &factor)?;
        let mut tidy = Self {
            sides: Raw { left, right },
            factor,
        };
        if tidy.begins_with_minus(algebra, &unknowns) {
            for part in [&mut tidy.sides.left, &mut tidy.sides.right, &mut tidy.factor] {
                *part = algebra.field.neg(part);
            }
        }
        Ok(tidy)
    }

    /// Whether all terms of the first unknown on the left are negative.
    fn begins_with_minus(&self, algebra: &mut Algebra, unknowns: &[Fraction]) -> bool {
        let left = &self.sides.left;
        let generators: Vec<_> = unknowns.iter().flat_map(Fraction::generators).collect();
        let Some(parts) = algebra.field.coefficients(left, &generators) else {
            return false;
        };
        let first = parts.iter().max_by_key(|(exponents, _)| exponents.clone());
        first.is_some_and(|(_, coefficient)| algebra.is_negative(coefficient))
    }
}

/// What an equation has in front of its unknowns, and the rest of it.
fn parts(algebra: &Algebra, raw: &Raw, unknowns: &[Fraction]) -> Vec<Fraction> {
    let generators: Vec<_> = unknowns.iter().flat_map(Fraction::generators).collect();
    let by_unknowns = |side: &Fraction| match algebra.field.coefficients(side, &generators) {
        Some(parts) => parts.into_iter().map(|(_, part)| part).collect(),
        None => vec![side.clone()],
    };
    let mut parts: Vec<Fraction> = [&raw.left, &raw.right]
        .into_iter()
        .filter(|side| !side.is_zero())
        .flat_map(by_unknowns)
        .collect();
    if parts.len() == 1 {
        // Nothing to have a factor in common with: a row x = 0 stays.
        parts.push(Fraction::one());
    }
    parts
}
