//! Independent speeds: dependent ones are solved for and put in.
//!
//! ```text
//! v = D u + ν,  v' = D u' + γ                   [B92 4.5, 5.5] [A83 2.6.29]
//! Dᵀ M D u' = Dᵀ (h + w − M γ)                  [B92 4.10, 5.6]: Kane's and Maggi's equations
//! ```
//!
//! Misprints of [B92]: (4.10) has D (h − a_u) for D (h − M a_u), and in (5.4) + M_d' u must be − M_d' u.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).
//! [A83]: Angeles, "Lagrangian dynamics" (1983).

use super::algebra::Algebra;
use super::canonical::Canonical;
use super::reduction::Reduction;
use super::route::{Raw, Route};
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_symbolic::matrix::Matrix;

pub(super) fn route(algebra: &mut Algebra, reduction: &Reduction) -> Result<Route, Outside> {
    let surface = &reduction.on_surface;
    let Reduction {
        independent,
        D,
        gamma,
        ..
    } = reduction;
    Ok(Route::new(along(algebra, surface, independent, D, gamma)?))
}

/// Dᵀ M D u' = Dᵀ (h + w − M γ).
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn along(
    algebra: &mut Algebra,
    surface: &Canonical,
    independent: &[usize],
    D: &Matrix,
    gamma: &[Fraction],
) -> Result<Vec<Raw>, Outside> {
    let Dt = D.transposed();
    let mass = Dt.times(&algebra.field, &surface.M.times(&algebra.field, D)?)?;
    let forces = surface.residual(algebra, gamma)?; // M γ − h − w
    let right = Dt.along(&algebra.field, &algebra.neg(&forces))?;
    let rates: Vec<_> = independent
        .iter()
        .map(|&k| surface.speed_rates[k])
        .collect();
    let rates = algebra.symbols(&rates)?;
    let left = mass.along(&algebra.field, &rates)?;
    Ok(Raw::all(left, right))
}
