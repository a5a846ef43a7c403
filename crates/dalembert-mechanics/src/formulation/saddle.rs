//! Lagrange multipliers where rows are held by forces: the system with multipliers is not symmetric any more.
//!
//! ```text
//! ⎡ M  −Gᵀ ⎤ ⎡ v' ⎤   ⎡ f ⎤
//! ⎣ A   0  ⎦ ⎣ λ  ⎦ = ⎣ b ⎦          [B92 2.8a, c] with G in place of A among the forces [P99 §2, end]
//! ```
//!
//! * Eliminated as it stands, with complete pivoting, after rows of A and of G that depend on others.
//! * A M⁻¹ Gᵀ has the rank of A and of G: otherwise [`Failure::NotHeld`](super::Failure), see `servo.rs`.
//! * Everything else as for the routes by a basis: `tangent.rs`.
//! * Cost: (nv + nc)³/3.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).
//! [P99]: Dinh Van Phong, "An algorithm for deriving equations of motion…" (1999).

use super::tangent::{Basis, Scaled};
use crate::linear::Elimination;

/// The whole system, eliminated.
#[derive(Clone, Debug)]
pub(super) struct Saddle {
    nv: usize,
    matrix: Vec<f64>,
    elimination: Elimination,
    /// Unknowns or equations in the order of the pivots.
    ordered: Vec<f64>,
}

impl Basis for Saddle {
    type Rows = Elimination;

    fn new(nv: usize, nc: usize) -> Self {
        Self {
            nv,
            matrix: Vec::new(),
            elimination: Elimination::new(0, 0),
            ordered: vec![0.0; nv + nc],
        }
    }

    fn choose(&mut self, now: &Scaled, [rows, directions]: [&Elimination; 2]) -> bool {
        let nv = self.nv;
        let rank = rows.rank();
        let size = nv + rank;
        if self.elimination.column_order().len() != size {
            self.elimination = Elimination::new(size, size);
        }
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for i in 0..nv {
            self.matrix[i * size..][..nv].copy_from_slice(&now.M[i * nv..][..nv]);
        }
        let pairs = rows.row_order().iter().zip(directions.row_order());
        for (k, (&row, &direction)) in pairs.take(rank).enumerate() {
            self.matrix[(nv + k) * size..][..nv].copy_from_slice(&now.A[row * nv..][..nv]);
            for i in 0..nv {
                self.matrix[i * size + nv + k] = -now.G()[direction * nv + i];
            }
        }
        self.elimination.factor(&self.matrix, 0.0);
        self.elimination.rank() == size
    }

    fn solve(
        &mut self,
        _now: &Scaled,
        [rows, directions]: [&Elimination; 2],
        (f, b): (&[f64], &[f64]),
        (v_dot, lambda): (&mut [f64], &mut [f64]),
    ) {
        let nv = self.nv;
        let ordered = &mut self.ordered[..self.elimination.rank()];
        for (target, &place) in ordered.iter_mut().zip(self.elimination.row_order()) {
            *target = match place.checked_sub(nv) {
                None => f[place],
                Some(k) => b[rows.row_order()[k]],
            };
        }
        self.elimination.solve(ordered);
        lambda.fill(0.0);
        for (value, &place) in ordered.iter().zip(self.elimination.column_order()) {
            match place.checked_sub(nv) {
                None => v_dot[place] = *value,
                Some(k) => lambda[directions.row_order()[k]] = *value,
            }
        }
    }
}
