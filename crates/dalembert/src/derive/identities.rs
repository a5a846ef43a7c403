//! That all formulations say the same, proved in symbols.
//!
//! What is to be shown of each is that its equations hold exactly where those of the multipliers do,
//!
//! ```text
//! M v' = h + Aᵀ λ + w        A v' = b
//! ```
//!
//! and it is shown by identities between polynomials, which the normal form decides:
//!
//! | formulation | identities |
//! |---|---|
//! | all | what is printed is what was derived, times a factor that is not zero |
//! | projection, complement | A D = 0 |
//! | independent | A D = 0 and A γ = b wherever v = D u + ν |
//! | udwadia-kalaba | A v' = b and M v' = h + Aᵀ λ + w for the v' that is printed and a λ; A D = 0 |
//! | lagrange | d/dt ∂T/∂q' − ∂T/∂q + ∂V/∂q − Q − w − Aᵀ λ = M q'' − h − w − Aᵀ λ |
//!
//! The accelerations are unique, since Dᵀ M D is regular: its determinant is a function that is not zero at one state,
//! and so almost nowhere. What is divided by is not zero for the same reason. A row that was left out because numbers show
//! that it depends on others is among those of A: where arithmetic does not show it too, the identities are not found.

use super::algebra::{Algebra, Vector};
use super::canonical::Canonical;
use super::page::Equation;
use super::reduction::Reduction;
use super::route::{Raw, Route};
use super::work::Work;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_symbolic::matrix::Matrix;

/// What was found about a formulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Proved,
    /// Why not.
    Not(String),
}

impl Verdict {
    pub(super) fn of(found: Result<bool, Outside>) -> Self {
        match found {
            Ok(true) => Self::Proved,
            Ok(false) => Self::Not("an identity was not found to hold".to_owned()),
            Err(outside) => Self::Not(outside.to_string()),
        }
    }
}

/// Whether printed equations are the derived ones times their factors, and the factors are not zero.
pub(super) fn is_printed(
    algebra: &mut Algebra,
    derived: &[Raw],
    factors: &[&Fraction],
    printed: &[Equation],
) -> Result<bool, Outside> {
    let sides = algebra.take(&Equation::sides(printed))?;
    for (place, raw) in derived.iter().enumerate() {
        let factor = factors[place];
        let read = algebra
            .field
            .sub(&sides[2 * place], &sides[2 * place + 1])?;
        let wanted = algebra.field.sub(&raw.left, &raw.right)?;
        let wanted = algebra.field.mul(&wanted, factor)?;
        if factor.is_zero() || !algebra.field.is_equal(&read, &wanted)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether Dᵀ M D is regular at a state, so that the accelerations are unique almost everywhere.
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn is_regular(work: &mut Work) -> Result<bool, Outside> {
    let D = work.tangent()?.clone();
    let algebra = &work.algebra;
    let MD = work.in_speeds.M.times(&algebra.field, &D)?;
    let product = D.transposed().times(&algebra.field, &MD)?;
    let samples = algebra.samples.as_ref();
    Ok(samples.is_some_and(|it| it.is_regular(&algebra.field, &product)))
}

fn vanish(entries: &[Fraction]) -> bool {
    entries.iter().all(Fraction::is_zero)
}

/// A D = 0.
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn tangent(work: &mut Work, D: &Matrix) -> Result<bool, Outside> {
    let product = work.in_speeds.A.times(&work.algebra.field, D)?;
    Ok(product.is_zero())
}

/// A D = 0 and A γ = b on the surface of the constraints.
pub(super) fn independent(algebra: &Algebra, reduction: &Reduction) -> Result<bool, Outside> {
    let surface = &reduction.on_surface;
    let product = surface.A.times(&algebra.field, &reduction.D)?;
    let along = surface.A.along(&algebra.field, &reduction.gamma)?;
    let rest = algebra.sub(&along, &surface.b)?;
    Ok(product.is_zero() && vanish(&rest))
}

/// A v' = b and M v' = h + Aᵀ λ + w for the λ that was found with v'.
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn explicit(work: &mut Work, acceleration: &[Fraction]) -> Result<bool, Outside> {
    let (rows, _) = work.pivots()?;
    let found = work.explicit()?.kept_multipliers.clone();
    let canonical: &Canonical = &work.in_speeds;
    let algebra = &work.algebra;
    let b: Vector = rows.iter().map(|&row| canonical.b[row].clone()).collect();
    let left = canonical
        .A
        .with_rows(&rows)
        .along(&algebra.field, acceleration)?;
    let rest = algebra.sub(&left, &b)?;
    let multipliers: Vector = rows.iter().filter_map(|&row| found[row].clone()).collect();
    let directions = canonical.E.with_rows(&rows).transposed();
    let reactions = directions.along(&algebra.field, &multipliers)?;
    let residual = canonical.residual(algebra, acceleration)?;
    let found = vanish(&rest) && vanish(&algebra.sub(&residual, &reactions)?);
    // The other rows follow from these.
    let D = work.tangent()?.clone();
    Ok(found && tangent(work, &D)?)
}

/// Lagrange's equations against M q'' = h + Aᵀ λ + w.
pub(super) fn lagrange(work: &mut Work, route: &Route) -> Result<bool, Outside> {
    let canonical = work.in_coordinates.clone();
    let algebra = &mut work.algebra;
    let accelerations = algebra.symbols(&canonical.speed_rates)?;
    let multipliers = algebra.symbols(&work.multipliers)?;
    let reactions = canonical
        .E
        .transposed()
        .along(&algebra.field, &multipliers)?;
    let residual = canonical.residual(algebra, &accelerations)?;
    let wanted = algebra.sub(&residual, &reactions)?;
    for (raw, wanted) in route.equations.iter().zip(&wanted) {
        let found = algebra.field.sub(&raw.left, &raw.right)?;
        if !algebra.field.is_equal(&found, wanted)? {
            let rest = algebra.field.sub(&found, wanted)?;
            let rest = work.lengths.written_out(algebra, &[rest])?;
            if !vanish(&rest) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
