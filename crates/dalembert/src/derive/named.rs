//! Independent speeds, with names for how they move the others: for systems whose equations in independent speeds alone
//! cannot be read.
//!
//! ```text
//! v_d = D_k u + ν,  v_d' = D_k u' + γ_k          D_k = −A_d⁻¹ A_i,  γ_k = A_d⁻¹ b, in all speeds
//! Dᵀ M D u' = Dᵀ (h + w − M γ)                   h and w in all speeds
//! ```
//!
//! A D = 0 and A γ = b hold as they stand, dependent speeds not put in; so this says what `independent.rs` says.

use super::algebra::{Algebra, Vector};
use super::canonical::Canonical;
use super::independent;
use super::reduction::Reduction;
use super::route::Route;
use super::work::Work;
use dalembert_expr::SymbolId;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_symbolic::elimination::solve;
use dalembert_symbolic::matrix::Matrix;

/// Names, and what depends on the independent speeds in terms of them.
#[derive(Clone)]
pub(super) struct Named {
    /// Names and what they stand for.
    pub(super) definitions: Vec<(SymbolId, Fraction)>,
    /// v.
    pub(super) speeds: Vector,
    /// v'.
    pub(super) accelerations: Vector,
}

/// The equations, the names in them, and the problem with solved coordinates put in.
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn route(
    work: &mut Work,
    canonical: &Canonical,
    reduction: &Reduction,
) -> Result<(Route, Named, Canonical), Outside> {
    let known = reduction.solved.iter();
    let known: Vec<_> = known
        .map(|it| (canonical.coordinates[it.coordinate], it.value.clone()))
        .collect();
    let surface = canonical.put_in(&mut work.algebra, &known)?;
    let gamma = gamma(&work.algebra, &surface, reduction)?;
    let mut dependent: Vec<usize> = reduction.dependent.iter().map(|&(k, _)| k).collect();
    dependent.sort_unstable();

    let free = reduction.independent.len();
    let places = dependent
        .iter()
        .flat_map(|&k| (0..free).map(move |j| (k, j)));
    let is_long = |algebra: &Algebra, it: &Fraction| algebra.moves(it) && it.len() > 2;
    let slopes: Vec<(usize, usize)> = places
        .filter(|&place| is_long(&work.algebra, &reduction.D[place]))
        .collect();
    let bent: Vec<usize> = dependent
        .iter()
        .copied()
        .filter(|&k| is_long(&work.algebra, &gamma[k]))
        .collect();
    let endings = |count: usize| -> Vec<String> { (1..=count).map(|n| n.to_string()).collect() };
    let names = work.fresh_symbols(&["D", "B", "K"], &endings(slopes.len()));
    let bends = work.fresh_symbols(&["gamma", "Gamma", "beta"], &endings(bent.len()));

    let algebra = &mut work.algebra;
    let (mut D, mut named_gamma) = (reduction.D.clone(), gamma.clone());
    let mut definitions = Vec::new();
    for (&place, &name) in slopes.iter().zip(&names) {
        definitions.push((name, reduction.D[place].clone()));
        algebra.define(name, &reduction.D[place]);
        D.set(place, algebra.symbol(name)?);
    }
    for (&k, &name) in bent.iter().zip(&bends) {
        definitions.push((name, gamma[k].clone()));
        algebra.define(name, &gamma[k]);
        named_gamma[k] = algebra.symbol(name)?;
    }
    let equations =
        independent::along(algebra, &surface, &reduction.independent, &D, &named_gamma)?;
    let independent = |symbols: &[SymbolId]| -> Vec<SymbolId> {
        let independent = reduction.independent.iter();
        independent.map(|&k| symbols[k]).collect()
    };
    let u = algebra.symbols(&independent(&surface.speeds))?;
    let rates = algebra.symbols(&independent(&surface.speed_rates))?;
    // ν is what is left of v where u is zero.
    let moved = reduction.D.along(&algebra.field, &u)?;
    let rest = algebra.sub(&reduction.speeds, &moved)?;
    let named = Named {
        definitions,
        speeds: algebra.add(&D.along(&algebra.field, &u)?, &rest)?,
        accelerations: algebra.add(&D.along(&algebra.field, &rates)?, &named_gamma)?,
    };
    Ok((Route::new(equations), named, surface))
}

/// v' = D u' + γ without names, in all speeds.
pub(super) fn accelerations(
    algebra: &mut Algebra,
    canonical: &Canonical,
    reduction: &Reduction,
) -> Result<Vector, Outside> {
    let gamma = gamma(algebra, canonical, reduction)?;
    let rates = reduction.independent.iter();
    let rates: Vec<SymbolId> = rates.map(|&k| canonical.speed_rates[k]).collect();
    let rates = algebra.symbols(&rates)?;
    let moved = reduction.D.along(&algebra.field, &rates)?;
    algebra.add(&moved, &gamma)
}

/// γ with A γ = b, zero for independent speeds.
#[expect(non_snake_case, reason = "letters of the papers")]
fn gamma(algebra: &Algebra, surface: &Canonical, reduction: &Reduction) -> Result<Vector, Outside> {
    let (speeds, rows): (Vec<usize>, Vec<usize>) = reduction.dependent.iter().copied().unzip();
    let A_d = surface.A.with_rows(&rows).with_columns(&speeds);
    let b: Vector = rows.iter().map(|&row| surface.b[row].clone()).collect();
    let solution = solve(algebra, &A_d, &Matrix::from_column(b))?.ok_or(Outside::Undefined)?;
    let mut gamma = vec![Fraction::zero(); surface.speeds.len()];
    for (place, &k) in speeds.iter().enumerate() {
        gamma[k] = solution[(place, 0)].clone();
    }
    Ok(gamma)
}
