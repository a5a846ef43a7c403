//! Independent speeds: the dependent ones are solved for and put in.
//!
//! The rows are solved for as many speeds as they determine, A = [A_d A_i]; the others are the independent speeds u:
//!
//! ```text
//! v' = D u' + γ                                [B92 4.5, 5.5] [A83 2.6.29]
//! D = ⎡ −A_d⁻¹ A_i ⎤     γ = ⎡ A_d⁻¹ b ⎤        so that A D = 0 [B92 3.1] and A γ = b
//!     ⎣  I         ⎦         ⎣ 0       ⎦
//! Dᵀ M D u' = Dᵀ (f − M γ)                     [B92 4.10, 5.6] [A83 2.6.29]: Kane's and Maggi's equations
//! A_dᵀ λ = (M v' − f)_d                        the dependent ones of the equations [B92 2.8a]
//! ```
//!
//! [B92] §6 takes position rows out first and then velocity rows: D is then the product of two such matrices, which is the
//! one matrix that belongs to the independent speeds left, and is found here in one elimination of all rows.
//!
//! * For rows of positions, and of velocities in which these are linear. For nonlinear ones no v = D u + ν exists
//!   [B92 5.8–5.9], and acceleration rows leave all velocities independent: [`Failure::NotReducible`](super::Failure).
//! * Which speeds are independent is chosen anew at each state, by complete pivoting: never by hand, never ill-conditioned
//!   before the rows are.
//! * Runs by this route integrate independent coordinates and speeds alone (`reduced.rs` of `dalembert-simulate`); those are
//!   kept from step to step (`../independents.rs`).
//! * M symmetric, positive definite on the null space of A; any rank.
//! * Deviation: γ has no part along u, where [B92] has D' u + ν', the same up to a vector along D. His (4.10) prints
//!   D (h − a_u) for D (h − M a_u), and (5.5) stacks what is a sum.
//! * Further deviations, such as rows that do work: `tangent.rs`; rows held by forces: `servo.rs`.
//! * Cost: nc² nv, 2 k nv² for k freedoms, and k³/6.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).
//! [A83]: Angeles, "Lagrangian dynamics" (1983).

use super::tangent::Decomposition;
use super::tangent_mass::{Reduced, Solution};
use crate::linear::Elimination;

/// D by elimination of dependent speeds.
pub(super) type Independent = Reduced<Elimination>;

impl Decomposition for Elimination {
    fn of_size(nc: usize, nv: usize) -> Self {
        Self::new(nc, nv)
    }

    fn take(&mut self, rows: &[f64], tolerance: f64) {
        self.factor(rows, tolerance);
    }

    fn rank(&self) -> usize {
        self.rank()
    }

    fn relation(&self, k: usize, room: &mut [f64], x: &mut [f64]) {
        self.relation(k, room, x);
    }

    fn independent_speeds(&self, speeds: &mut Vec<usize>) {
        speeds.extend(&self.column_order()[self.rank()..]);
        speeds.sort_unstable();
    }
}

impl Solution for Elimination {
    /// [−A_d⁻¹ A_i; I] for the k-th independent speed.
    fn free_motion(&self, k: usize, room: &mut [f64], d: &mut [f64]) {
        self.free_vector(k, room, d);
    }

    /// A_d⁻¹ b
    fn acceleration(&self, b: &[f64], room: &mut [f64], gamma: &mut [f64]) {
        self.solution(b, room, gamma);
    }

    /// A_dᵀ λ = r_d
    fn multipliers(&self, r: &mut [f64], room: &mut [f64], lambda: &mut [f64]) {
        self.transposed_solution(r, room, lambda);
    }
}
