//! Udwadia and Kalaba's explicit equation: accelerations of a constrained system without multipliers.
//!
//! ```text
//! v' = a + M⁻¹ F_ideal + M⁻¹ F_nonideal,  a = M⁻¹ h                             [UK02 39]
//! F_ideal = Aᵀ (A M⁻¹ Aᵀ)⁺ (b − A a)                                            [UK02 24]
//! F_nonideal = w − Aᵀ (A M⁻¹ Aᵀ)⁺ A M⁻¹ w                                       [UK02 37]
//! ```
//!
//! [UK02] writes M^½ (A M^−½)⁺ for Aᵀ (A M⁻¹ Aᵀ)⁺ M …; both are the same matrix and this one needs no root of M. Rows
//! that depend on others are left out, which changes neither force. Both forces are found at once, by elimination
//! in the equations of the multipliers, which asks for no inverse of M: only for one on the tangent space.
//!
//! [UK02]: Udwadia, Kalaba, "On the foundations of analytical dynamics" (2002).

use super::route::{Raw, Route};
use super::work::Work;
use dalembert_expr::normal::Outside;

pub(super) fn route(work: &mut Work) -> Result<Route, Outside> {
    let right = work.explicit()?.acceleration.clone();
    let left = work.algebra.symbols(&work.in_speeds.speed_rates)?;
    Ok(Route::new(Raw::all(left, right)))
}
