//! From derived equations to printed ones: no denominators, no common factors.

use super::algebra::Algebra;
use super::page::Equation;
use super::route::Raw;
use dalembert_expr::SymbolId;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::print::{Format, print_one};

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
        Ok(Self {
            sides: Raw { left, right },
            factor,
        })
    }

    /// The equation with all signs changed.
    fn negated(&self, algebra: &Algebra) -> Self {
        let neg = |it: &Fraction| algebra.field.neg(it);
        Self {
            sides: Raw {
                left: neg(&self.sides.left),
                right: neg(&self.sides.right),
            },
            factor: neg(&self.factor),
        }
    }
}

/// Equations as a person would write them, without a minus in front.
pub(super) fn written(
    algebra: &mut Algebra,
    tidy: &mut [Tidy],
    unknowns: &[SymbolId],
) -> Vec<Equation> {
    let mut printed = as_they_are(algebra, tidy, unknowns);
    let negative = |algebra: &Algebra, it: &Equation| {
        print_one(&algebra.graph, it.left, Format::Text).starts_with('-')
    };
    let places: Vec<usize> = (0..tidy.len())
        .filter(|&place| negative(algebra, &printed[place]))
        .collect();
    let turned: Vec<Tidy> = places
        .iter()
        .map(|&place| tidy[place].negated(algebra))
        .collect();
    let other = as_they_are(algebra, &turned, unknowns);
    for ((place, turned), other) in places.into_iter().zip(turned).zip(other) {
        if !negative(algebra, &other) {
            (tidy[place], printed[place]) = (turned, other);
        }
    }
    printed
}

fn as_they_are(algebra: &mut Algebra, tidy: &[Tidy], unknowns: &[SymbolId]) -> Vec<Equation> {
    let sides: Vec<Fraction> = tidy
        .iter()
        .flat_map(|it| [it.sides.left.clone(), it.sides.right.clone()])
        .collect();
    Equation::all(&algebra.readable(&sides, unknowns))
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
