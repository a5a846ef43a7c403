//! Lagrange's multipliers: one equation for each speed, and the rows at acceleration level.
//!
//! ```text
//! M v' = h + Aᵀ λ + w        A v' = b        [B92 2.8]
//! ```
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use super::route::{Raw, Route};
use super::work::Work;
use dalembert_expr::normal::Outside;

pub(super) fn route(work: &mut Work) -> Result<Route, Outside> {
    let canonical = work.in_speeds.clone();
    let algebra = &mut work.algebra;
    let accelerations = algebra.symbols(&canonical.speed_rates)?;
    let multipliers = algebra.symbols(&work.multipliers)?;
    let left = canonical.M.along(&algebra.field, &accelerations)?;
    let reactions = canonical
        .E
        .transposed()
        .along(&algebra.field, &multipliers)?;
    let right = algebra.add(&canonical.forces(algebra)?, &reactions)?;
    let mut equations = Raw::all(left, right);
    equations.extend(work.acceleration_rows(&canonical)?);
    Ok(Route::new(equations))
}
