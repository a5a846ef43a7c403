//! Lagrange multipliers: accelerations and reactions from one linear system.
//!
//! The reaction of each row acts along the row; its size, the multiplier, is what makes the
//! acceleration meet the row:
//!
//! ```text
//! ⎡ M  Aᵀ ⎤ ⎡ v' ⎤   ⎡ h + w ⎤
//! ⎣ A  0  ⎦ ⎣ −λ ⎦ = ⎣ b     ⎦          [B92 2.8a, c], with C = A, c₀* = −b, h* = h + w
//! λ = (A M⁻¹ Aᵀ)⁺ (b − A M⁻¹ (h + w))   [B92 3.6], ⁺ for any rank
//! ```
//!
//! The same matrix with [h; b] on the right gives the multipliers that the rows would have if all were ideal,
//! and with [w; 0] what the non-ideal part adds; a sum of the two is the motion, and the parts of the
//! constraints' force come without cancellation however small w is:
//!
//! ```text
//! F_ideal = Aᵀ λ_ideal,   F_nonideal = w + Aᵀ (λ − λ_ideal),   M v' = h + F_ideal + F_nonideal
//! ```
//!
//! * M symmetric, positive definite on the null space of A; otherwise [`Unsolved::NotPositive`](super::Unsolved::NotPositive) or
//!   [`Unsolved::Undetermined`](super::Unsolved::Undetermined).
//! * Dependent rows: v', both forces and unique multipliers are as without them; the others are
//!   least in the norm |s λ|, sᵢ the length of row i of A M^-½ — not in |λ| as (A M⁻¹ Aᵀ)⁺ would be — so that
//!   a row in other units changes no reaction. Contradictory rows: [`Unsolved::Contradictory`](super::Unsolved::Contradictory).
//! * Deviation from the paper: non-ideal rows ([B92] treats ideal ones), dependent rows, singular M.
//! * How the system is solved, and what it costs: [`Factorisation`].
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use super::{Failure, Motion, Problem};
use crate::linear::add_scaled;
use crate::linear::factorisation::Factorisation;

/// Motion, multipliers and forces; `zero` is room for nc numbers.
pub(super) fn solve(
    problem: &Problem<'_>,
    factorisation: &mut Factorisation,
    zero: &mut [f64],
    motion: &mut Motion,
) -> Result<(), Failure> {
    factorisation.factor_any_rank(&problem.mass_matrix, &problem.jacobian)?;
    motion.rank = factorisation.rank();
    factorisation.report(&mut motion.rows);

    let (h, b, w) = (problem.force, problem.bias, problem.nonideal);
    let Motion {
        acceleration,
        multipliers,
        multipliers_ideal,
        force_ideal,
        force_nonideal,
        ..
    } = motion;
    factorisation.solve(h, b, acceleration, multipliers_ideal)?; // as if all rows were ideal
    zero.fill(0.0);
    factorisation.solve(w, zero, force_nonideal, multipliers)?; // what w adds to v' and λ
    add_scaled(acceleration, 1.0, force_nonideal);

    force_ideal.fill(0.0);
    problem
        .jacobian
        .add_transposed(multipliers_ideal, force_ideal);
    force_nonideal.copy_from_slice(w);
    problem.jacobian.add_transposed(multipliers, force_nonideal);
    add_scaled(multipliers, 1.0, multipliers_ideal);
    Ok(())
}

/// v' and λ only, in the faster way where it is safe.
pub(super) fn solve_accelerations(
    problem: &Problem<'_>,
    factorisation: &mut Factorisation,
    force: &mut [f64],
    acceleration: &mut [f64],
    multipliers: &mut [f64],
) -> Result<(), Failure> {
    factorisation.factor(&problem.mass_matrix, &problem.jacobian)?;
    problem.total_force_into(force);
    Ok(factorisation.solve(force, problem.bias, acceleration, multipliers)?)
}
