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

use super::tangent::{Basis, Scaled, reaction_into};
use super::tangent_mass::TangentMass;
use crate::linear::{CompleteOrthogonal, add_transposed};

/// D by Householder's reflections.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    orthogonal: CompleteOrthogonal,
    /// The same of G, where it is not A.
    directions: Option<CompleteOrthogonal>,
    tangent: TangentMass,
    /// z, nc.
    z: Vec<f64>,
    relation: Vec<f64>,
    reaction: Vec<f64>,
    u: Vec<f64>,
}

impl Basis for Projection {
    fn new(nv: usize, nc: usize) -> Self {
        Self {
            orthogonal: CompleteOrthogonal::new(nc, nv),
            directions: None,
            tangent: TangentMass::new(nv),
            z: vec![0.0; nc],
            relation: vec![0.0; nc],
            reaction: vec![0.0; nv],
            u: vec![0.0; nv],
        }
    }

    fn choose(&mut self, now: &Scaled, tolerance: f64) -> bool {
        self.orthogonal.factor(&now.A, tolerance);
        let freedoms = self.u.len() - self.rank();
        let orthogonal = &self.orthogonal;
        let Some(G) = now.own_directions() else {
            self.directions = None;
            return self
                .tangent
                .take(freedoms, &now.M, |k, d| orthogonal.null_vector(k, d));
        };
        let size = (self.z.len(), self.u.len());
        let directions = self
            .directions
            .get_or_insert_with(|| CompleteOrthogonal::new(size.0, size.1));
        directions.factor(G, tolerance);
        directions.rank() == orthogonal.rank()
            && self.tangent.take_both(
                freedoms,
                &now.M,
                |k, c| orthogonal.null_vector(k, c),
                |k, d| directions.null_vector(k, d),
            )
    }

    fn rank(&self) -> usize {
        self.orthogonal.rank()
    }

    fn relation(&mut self, k: usize, x: &mut [f64]) {
        self.relation.fill(0.0);
        self.relation[self.orthogonal.rank() + k] = 1.0;
        self.orthogonal.expand(&mut self.relation, x);
    }

    fn direction_relation(&mut self, k: usize, x: &mut [f64]) {
        let directions = self.directions.as_ref().unwrap_or(&self.orthogonal);
        self.relation.fill(0.0);
        self.relation[directions.rank() + k] = 1.0;
        directions.expand(&mut self.relation, x);
    }

    fn solve(
        &mut self,
        now: &Scaled,
        (f, b): (&[f64], &[f64]),
        v_dot: &mut [f64],
        lambda: &mut [f64],
    ) {
        let (rank, freedoms) = (self.rank(), self.tangent.freedoms);
        // A v' = b
        self.orthogonal.reduce(b, &mut self.z); // Zᵀ Pᵀ b
        self.orthogonal.solve_triangle(&mut self.z); // z
        self.orthogonal.turn(&self.z, v_dot); // Q₁ z
        // Dᵀ M v' = Dᵀ f
        let u = &mut self.u[..freedoms];
        self.tangent.solve(f, v_dot, u);
        add_transposed(&self.tangent.C, u, v_dot); // Q₁ z + D u
        // Tᵀ (Zᵀ Pᵀ λ) = Q₁ᵀ (M v' − f)
        let directions = self.directions.as_ref().unwrap_or(&self.orthogonal);
        reaction_into(&now.M, v_dot, f, &mut self.reaction);
        directions.turn_back(&mut self.reaction, &mut self.z);
        directions.solve_transposed_triangle(&mut self.z);
        self.z[rank..].fill(0.0);
        directions.expand(&mut self.z, lambda);
    }
}
