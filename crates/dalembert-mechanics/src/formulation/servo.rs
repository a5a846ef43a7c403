//! Rows held by chosen forces in place of their own reactions: servo constraints ([P99], end of §2, controlled systems).
//!
//! ```text
//! M v' = h + w + Gᵀ λ        A v' = b        G = A, but with the direction of the force in place of each row it holds
//! ```
//!
//! λ of a row held by a force is the size of that force, and G as a whole has the place that A has among the directions of
//! reactions; so every route is the one without such rows, with bases and relations of G where it speaks of
//! forces and those of A where it speaks of motions. The matrix is not symmetric any more:
//!
//! ```text
//! ⎡ M  −Gᵀ ⎤ ⎡ v' ⎤   ⎡ h + w ⎤                  multipliers                            saddle.rs
//! ⎣ A   0  ⎦ ⎣ λ  ⎦ = ⎣ b     ⎦
//! ⎡ A     ⎤      ⎡ b           ⎤                  projection, complement: G D = 0
//! ⎣ Dᵀ M  ⎦ v' = ⎣ Dᵀ (h + w)  ⎦
//! Dᵀ M C u' = Dᵀ (h + w − M γ),  v' = C u' + γ    independent: A C = 0
//! v' = a + M⁻¹ Gᵀ (A M⁻¹ Gᵀ)⁺ (b − A a)           udwadia-kalaba, a = M⁻¹ (h + w): an oblique projection
//! ```
//!
//! All need A M⁻¹ Gᵀ to have the rank of A and of G: [`Failure::NotHeld`] where it has not ([`Hold`]). Dependent rows among those
//! with reactions of their own are as harmless as ever.
//!
//! [P99]: Dinh Van Phong, "An algorithm for deriving equations of motion…" (1999).

use super::{Failure, Formulation, Motion, Problem, Workspace};
use crate::decide::COARSE;
use crate::linear::factorisation::finite;
use crate::linear::factorisation::rows::{Rows, Tolerance};
use crate::linear::{
    CompleteOrthogonal, Elimination, Svd, add_scaled, add_transposed, dot, multiply, rank,
};

impl<'a> Problem<'a> {
    /// The direction of the force that holds a row.
    pub(crate) fn direction(&self, row: usize) -> Option<&'a [f64]> {
        let (rows, directions) = self.servo;
        let place = rows.iter().position(|&held| held == row)?;
        Some(&directions[place * self.nv()..][..self.nv()])
    }

    /// Gᵢ · v: what the reaction of a row, or the force that holds it, does at speeds v when its multiplier is one.
    pub fn reach(&self, row: usize, speeds: &[f64]) -> f64 {
        match self.direction(row) {
            Some(direction) => dot(direction, speeds),
            None => self.jacobian.along(row, speeds),
        }
    }

    /// G of a problem with full matrices.
    pub(super) fn directions_into(&self, directions: &mut [f64]) {
        directions.copy_from_slice(self.full().1);
        let nv = self.nv();
        for (k, &row) in self.servo.0.iter().enumerate() {
            directions[row * nv..][..nv].copy_from_slice(&self.servo.1[k * nv..][..nv]);
        }
    }

    /// Tells what the forces that hold rows do from what the reactions of the other rows do.
    pub(super) fn split_servo_forces(&self, motion: &mut Motion) {
        motion.force_servo.fill(0.0);
        if !self.is_servo() {
            return;
        }
        motion.force_ideal.fill(0.0);
        motion.force_nonideal.copy_from_slice(self.nonideal);
        for row in 0..self.nc() {
            let (size, ideal) = (motion.multipliers[row], motion.multipliers_ideal[row]);
            if let Some(direction) = self.direction(row) {
                add_scaled(&mut motion.force_servo, size, direction);
                continue;
            }
            for (column, a) in self.jacobian.stored(row) {
                motion.force_ideal[column] += a * ideal;
                motion.force_nonideal[column] += a * (size - ideal);
            }
        }
    }
}

impl Workspace {
    /// v' and λ for runs, where rows are held by forces.
    pub(super) fn solve_held(
        &mut self,
        problem: &Problem<'_>,
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Failure> {
        problem.refuse_not_finite()?;
        self.held.resize(problem.nv(), problem.nc());
        let (motion, tolerance) = (&mut self.held, self.tolerance);
        let problem = &Problem {
            terms: self.terms.as_ref(),
            ..*problem
        };
        self.others
            .solve(Formulation::Multipliers, problem, tolerance, motion)?;
        acceleration.copy_from_slice(&motion.acceleration);
        multipliers.copy_from_slice(&motion.multipliers);
        Ok(finite(super::Quantity::Acceleration, acceleration)?)
    }
}

/// Whether forces can hold their rows: the rows of A L⁻ᵀ and of G L⁻ᵀ span spaces of one dimension, none of which has a vector
/// at right angles to the other.
///
/// Decided here for all routes, by the cosines between the two spaces: unlike the singular values of A M⁻¹ Gᵀ they do not
/// suffer from rows that are nearly dependent.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    rows: CompleteOrthogonal,
    directions: CompleteOrthogonal,
    /// Orthonormal bases of the two spaces, nc × nv each.
    bases: [Vec<f64>; 2],
    /// Their products, nc × nc, zero behind the rank.
    products: Vec<f64>,
    elimination: Elimination,
    room: Vec<f64>,
}

impl Hold {
    pub(super) fn new(nv: usize, nc: usize) -> Self {
        Self {
            rows: CompleteOrthogonal::new(nc, nv),
            directions: CompleteOrthogonal::new(nc, nv),
            bases: [vec![0.0; nc * nv], vec![0.0; nc * nv]],
            products: vec![0.0; nc * nc],
            elimination: Elimination::new(nc, nc),
            room: vec![0.0; nc],
        }
    }

    /// Failure if they cannot. Both are of length one.
    pub(super) fn refuse(
        &mut self,
        problem: &Problem<'_>,
        rows: &Rows,
        directions: &Rows,
        tolerance: Tolerance,
    ) -> Result<(), Failure> {
        let (nv, nc) = (problem.nv(), problem.nc());
        self.rows.factor(&rows.unit, tolerance.rank);
        self.directions.factor(&directions.unit, tolerance.rank);
        let ranks = [self.rows.rank(), self.directions.rank()];
        let both = [&self.rows, &self.directions]
            .into_iter()
            .zip(&mut self.bases);
        for ((orthogonal, basis), rank) in both.zip(ranks) {
            for k in 0..rank {
                self.room.fill(0.0);
                self.room[k] = 1.0;
                orthogonal.turn(&self.room, &mut basis[k * nv..][..nv]);
            }
        }
        self.products.fill(0.0);
        for k in 0..ranks[0] {
            let row = &mut self.products[k * nc..][..ranks[1]];
            multiply(&self.bases[1], &self.bases[0][k * nv..][..nv], row);
        }
        self.elimination.factor(&self.products, tolerance.rank);
        if ranks == [self.elimination.rank(); 2] {
            return Ok(());
        }
        Err(self.failure(problem, rows, ranks, tolerance))
    }

    fn failure(
        &self,
        problem: &Problem<'_>,
        rows: &Rows,
        ranks: [usize; 2],
        tolerance: Tolerance,
    ) -> Failure {
        let (nv, nc) = (problem.nv(), problem.nc());
        let needed = ranks[0].max(ranks[1]);
        let mut svd = Svd::new(nc, nc);
        svd.factor(&self.products, 0.0);
        let mut cosines = svd.values().to_vec();
        cosines.sort_by(|a, b| b.total_cmp(a));
        // Motions that the rows forbid and no force reaches, and the rows that notice them.
        let mut lost: Vec<Vec<f64>> = Vec::new();
        for (value, left) in svd.values().iter().zip(svd.left()) {
            if *value <= tolerance.rank && left[..ranks[0]].iter().any(|x| x.abs() > COARSE) {
                let mut motion = vec![0.0; nv];
                add_transposed(
                    &self.bases[0][..ranks[0] * nv],
                    &left[..ranks[0]],
                    &mut motion,
                );
                lost.push(motion);
            }
        }
        let mut held: Vec<usize> = problem.servo.0.to_vec();
        held.sort_unstable();
        let noticed = |row: usize| {
            let unit = &rows.unit[row * nv..][..nv];
            lost.iter().any(|motion| dot(unit, motion).abs() > COARSE)
        };
        let concerned: Vec<usize> = held.iter().copied().filter(|&row| noticed(row)).collect();
        Failure::NotHeld {
            rows: if concerned.is_empty() {
                held
            } else {
                concerned
            },
            rank: rank(&cosines, tolerance.rank),
            needed,
            least: cosines[needed - 1],
        }
    }
}
