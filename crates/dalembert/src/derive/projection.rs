//! Blajer's projection on the tangent space: the rows, and as many equations without reactions as there are freedoms.
//!
//! ```text
//! A v' = b        Dᵀ M v' = Dᵀ (h + w)        A D = 0        [B92 3.5]
//! ```
//!
//! D is found by elimination; each column is then freed of common denominators and factors.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use super::route::{Raw, Route};
use super::work::Work;
use dalembert_expr::normal::Outside;
use dalembert_symbolic::matrix::Matrix;

#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn route(work: &mut Work) -> Result<Route, Outside> {
    let canonical = work.in_speeds.clone();
    let D = work.tangent()?.clone();
    let mut equations = tangential(work, &D)?;
    equations.extend(work.acceleration_rows(&canonical)?);
    Ok(Route {
        tangent: Some(D),
        ..Route::new(equations)
    })
}

/// Dᵀ M v' = Dᵀ (h + w).
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn tangential(work: &mut Work, D: &Matrix) -> Result<Vec<Raw>, Outside> {
    let canonical = &work.in_speeds;
    let algebra = &mut work.algebra;
    let accelerations = algebra.symbols(&canonical.speed_rates)?;
    let Dt = D.transposed();
    let left = Dt.times(&algebra.field, &canonical.M)?;
    let left = left.along(&algebra.field, &accelerations)?;
    let right = Dt.along(&algebra.field, &canonical.forces(algebra)?)?;
    Ok(Raw::all(left, right))
}
