//! Projection: the equations in the tangent space, the reactions in the space orthogonal to it.
//!
//! With C = A, c₀* = −b and h* = f ([B92] has D by rows; here they are columns):
//!
//! ```text
//! A D = 0                                                    [B92 3.1]
//! ⎡ A    ⎤      ⎡ b    ⎤
//! ⎣ Dᵀ M ⎦ v' = ⎣ Dᵀ f ⎦                                     [B92 3.5a], Tᵀ M v' = h_t*
//! λ = (A M⁻¹ Aᵀ)⁺ (b − A M⁻¹ f)                              [B92 3.6]
//! ```
//!
//! D comes from an orthogonal decomposition of any rank, A = P Z T Q₁ᵀ with Q = [Q₁ D] orthogonal (`orthogonal.rs` of `dalembert-linear`).
//! In the coordinates v' = Q₁ z + D u the matrix of (3.5a) is triangular by blocks:
//!
//! ```text
//! T z = Zᵀ Pᵀ b                  Dᵀ M D u = Dᵀ (f − M Q₁ z)
//! ```
//!
//! * M symmetric, positive definite on the null space of A; any rank.
//! * Deviation: (3.6) is (3.4a), the product of M v' = f + Aᵀ λ with A M⁻¹, solved for λ. As M v' − f lies in the space of
//!   the rows, its product with Q₁ᵀ says the same without M⁻¹, which need not exist: Tᵀ (Zᵀ Pᵀ λ) = Q₁ᵀ (M v' − f).
//! * Further deviations, such as rows that do work: `tangent.rs`; rows held by forces, Dᵀ M C with another C: `servo.rs`.
//! * Cost: 2 nc² nv + 2 k nv² for k freedoms, and k³/6.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use super::tangent::Decomposition;
use super::tangent_mass::{Reduced, Solution};
use crate::linear::CompleteOrthogonal;

/// D by Householder's reflections.
pub(super) type Projection = Reduced<CompleteOrthogonal>;

impl Decomposition for CompleteOrthogonal {
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
        let relation = &mut room[..x.len()];
        relation.fill(0.0);
        relation[self.rank() + k] = 1.0;
        self.expand(relation, x);
    }
}

impl Solution for CompleteOrthogonal {
    fn free_motion(&self, k: usize, _room: &mut [f64], d: &mut [f64]) {
        self.null_vector(k, d);
    }

    fn acceleration(&self, b: &[f64], room: &mut [f64], gamma: &mut [f64]) {
        let z = &mut room[..b.len()];
        self.reduce(b, z); // Zᵀ Pᵀ b
        self.solve_triangle(z); // z
        self.turn(z, gamma); // Q₁ z
    }

    /// Tᵀ (Zᵀ Pᵀ λ) = Q₁ᵀ r
    fn multipliers(&self, r: &mut [f64], room: &mut [f64], lambda: &mut [f64]) {
        let z = &mut room[..lambda.len()];
        self.turn_back(r, z);
        self.solve_transposed_triangle(z);
        z[self.rank()..].fill(0.0);
        self.expand(z, lambda);
    }
}
