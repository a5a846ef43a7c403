//! Udwadia and Kalaba: the motion without multipliers.
//!
//! Of all accelerations that meet the rows, the ideal ones take the nearest to the free acceleration
//! a = M⁻¹ h in the metric M (Gauss); what the constraints' non-ideal forces add lies along the rows' null space:
//!
//! ```text
//! B = A M^-½                                                           [UK02 13]
//! F_ideal    = M^½ B⁺ (b − A a)                                        [UK02 24], there Qᵢᶜ
//! F_nonideal = M^½ (I − B⁺ B) M^-½ w                                   [UK02 37], there Qₙᵢᶜ; w is C
//! v' = a + M^-½ B⁺ (b − A a) + M^-½ (I − B⁺ B) M^-½ w                  [UK02 39]
//! λ  = (Bᵀ)⁺ M^-½ (F_ideal + F_nonideal − w)                           from Aᵀ λ + w = F
//! ```
//!
//! M^½ comes from Jacobi's eigenvalues and B⁺ from a singular value decomposition of its own, so that
//! agreement with [`multipliers`](super::multipliers) is a test of both.
//!
//! * M symmetric positive definite; where it is only so on the null space of A, M + Aᵀ G A and
//!   h + Aᵀ G b take the places of M and h (`factorisation/metric.rs`), at the price of the rows' condition on massless speeds, squared.
//!   Any rank; contradictory rows are refused.
//! * Deviations: speeds are measured in units that make the diagonal of M one, and rows of B and b are
//!   divided by the rows' lengths. Neither changes a result in exact arithmetic, except that λ of dependent
//!   rows is least in the norm of rows of length one.
//! * Rows held by forces: `udwadia_kalaba/oblique.rs`.
//! * (39) is printed with Q + Qₙᵢ + Qₙᵢ; the first is Qᵢ.
//! * Cost: about ten sweeps of nv³ and nc² nv: for checks, not for runs.
//!
//! [UK02]: Udwadia, Kalaba, "On the foundations of analytical dynamics" (2002).

mod oblique;
mod refine;

use super::{Failure, Motion, Problem};
use crate::linear::factorisation::metric::{Metric, units_into};
use crate::linear::factorisation::rows::{Rows, Tolerance, mark_redundant, mark_unique};
use crate::linear::{Svd, add_transposed, multiply, rank, symmetric_eigen};

/// What a solution needs room for.
#[derive(Clone, Debug)]
pub(super) struct UdwadiaKalaba {
    metric: Metric,
    rows: Rows,
    svd: Svd,
    /// The unit of each speed, nv.
    units: Vec<f64>,
    /// M in these units; diagonal once it is analysed.
    M: Vec<f64>,
    eigenvectors: Vec<f64>,
    M_half: Vec<f64>,
    M_minus_half: Vec<f64>,
}

impl UdwadiaKalaba {
    pub(super) fn new(nv: usize, nc: usize) -> Self {
        let square = || vec![0.0; nv * nv];
        Self {
            metric: Metric::new(nv, nc),
            rows: Rows::new(nv, nc),
            svd: Svd::new(nc, nv),
            units: vec![0.0; nv],
            M: square(),
            eigenvectors: square(),
            M_half: square(),
            M_minus_half: square(),
        }
    }

    /// Motion, multipliers and forces, of full matrices.
    pub(super) fn solve(
        &mut self,
        problem: &Problem<'_>,
        tolerance: Tolerance,
        motion: &mut Motion,
    ) -> Result<(), Failure> {
        let (nv, nc) = (problem.nv(), problem.nc());
        let (mass_matrix, jacobian) = problem.full();
        self.metric.choose(mass_matrix, jacobian)?;
        self.take_roots(nv);
        let mut rows = std::mem::replace(&mut self.rows, Rows::new(0, 0));
        self.rows_into((jacobian, problem.terms().0), &mut rows);
        self.rows = rows;
        self.svd.factor(&self.rows.unit, tolerance.rank);
        self.report(tolerance, motion);

        let Self {
            units,
            M_half,
            M_minus_half,
            svd,
            ..
        } = &*self;
        let in_units = |force: &[f64]| -> Vec<f64> {
            force.iter().zip(units).map(|(f, unit)| f * unit).collect()
        };
        let times = |matrix: &[f64], x: &[f64]| -> Vec<f64> {
            let mut product = vec![0.0; nv];
            multiply(matrix, x, &mut product);
            product
        };

        let b: Vec<f64> = problem
            .bias
            .iter()
            .zip(&self.rows.scales)
            .map(|(b, s)| b * s)
            .collect();
        let Q = in_units(&self.penalised_force(problem));
        let C = in_units(problem.nonideal);

        let a_s = times(M_minus_half, &Q); // a_s = M^-½ Q = M^½ a      (9)
        let mut e = vec![0.0; nc];
        multiply(&self.rows.unit, &a_s, &mut e); // B a_s = A a
        e.iter_mut().zip(&b).for_each(|(e, b)| *e = b - *e); // e = b − A a      (20)
        self.refuse_contradiction(problem, &a_s, &e, tolerance)?;

        if problem.is_servo() {
            return self.oblique(
                problem,
                [&a_s, &times(M_minus_half, &C)],
                &e,
                tolerance,
                motion,
            );
        }
        let mut B_plus_e = vec![0.0; nv];
        svd.pseudo_inverse(&e, &mut B_plus_e);
        let z = times(M_minus_half, &C); // z = M^-½ C      (36)
        let mut N_z = z.clone();
        svd.project_on_null_space(&mut N_z); // (I − B⁺ B) z

        let Q_i = times(M_half, &B_plus_e); // (24)
        let Q_ni = times(M_half, &N_z); // (37)
        let q_s: Vec<f64> = (0..nv).map(|j| a_s[j] + B_plus_e[j] + N_z[j]).collect();
        let v_dot = times(M_minus_half, &q_s); // (39)

        let ideal = times(M_minus_half, &Q_i);
        let actual = times(
            M_minus_half,
            &(0..nv).map(|j| Q_i[j] + Q_ni[j] - C[j]).collect::<Vec<_>>(),
        );
        svd.pseudo_inverse_transposed(&ideal, &mut motion.multipliers_ideal);
        svd.pseudo_inverse_transposed(&actual, &mut motion.multipliers);

        for (i, scale) in self.rows.scales.iter().enumerate() {
            motion.multipliers_ideal[i] *= scale;
            motion.multipliers[i] *= scale;
        }
        for (j, unit) in units.iter().enumerate() {
            motion.acceleration[j] = v_dot[j] * unit;
            motion.force_ideal[j] = Q_i[j] / unit;
            motion.force_nonideal[j] = Q_ni[j] / unit;
        }
        if self.metric.weights.iter().any(|weight| *weight > 0.0) {
            self.refine(problem, motion);
        }
        Ok(())
    }

    /// M^½ and M^-½ of the metric in units that make its diagonal one.
    fn take_roots(&mut self, nv: usize) {
        let matrix = &self.metric.matrix;
        units_into(matrix, &mut self.units);
        for i in 0..nv {
            for j in i..nv {
                let entry = matrix[i * nv + j] * self.units[i] * self.units[j];
                (self.M[i * nv + j], self.M[j * nv + i]) = (entry, entry);
            }
        }
        symmetric_eigen(&mut self.M, &mut self.eigenvectors, nv);
        self.M_half.fill(0.0);
        self.M_minus_half.fill(0.0);
        for k in 0..nv {
            let vector = &self.eigenvectors[k * nv..][..nv];
            // The metric is definite, so that rounding alone can bring an eigenvalue below this.
            let root = self.M[k * nv + k].max(f64::EPSILON * f64::EPSILON).sqrt();
            for (i, &entry) in vector.iter().enumerate() {
                let row = i * nv..(i + 1) * nv;
                add_transposed(vector, &[root * entry], &mut self.M_half[row.clone()]);
                add_transposed(vector, &[entry / root], &mut self.M_minus_half[row]);
            }
        }
    }

    /// B = A M^-½ with rows of length one.
    fn rows_into(&self, (A, terms): (&[f64], &[f64]), rows: &mut Rows) {
        let nv = self.units.len();
        let mut row_in_units = vec![0.0; nv];
        for i in 0..rows.lengths.len() {
            for (j, entry) in row_in_units.iter_mut().enumerate() {
                *entry = A[i * nv + j] * self.units[j];
            }
            let target = &mut rows.unit[i * nv..][..nv];
            multiply(&self.M_minus_half, &row_in_units, target);
        }
        rows.normalise(A, &self.metric.mobilities, terms, &[]);
    }

    /// h + Aᵀ G b.
    fn penalised_force(&self, problem: &Problem<'_>) -> Vec<f64> {
        let push = self.metric.weights.iter().zip(problem.bias);
        let push: Vec<f64> = push.map(|(g, b)| g * b).collect();
        let mut force = problem.force.to_vec();
        problem.jacobian.add_transposed(&push, &mut force);
        force
    }

    fn report(&self, tolerance: Tolerance, motion: &mut Motion) {
        motion.rank = rank(self.svd.values(), 0.0);
        let (coordinates, rank) = self.coordinates();
        mark_redundant(&coordinates, rank, tolerance.rank, &mut motion.rows);
        mark_unique(self.null_vectors(), &mut motion.rows);
    }

    /// Left singular vectors of the singular values that are zero.
    fn null_vectors(&self) -> impl Iterator<Item = &[f64]> {
        let pairs = self.svd.values().iter().zip(self.svd.left());
        pairs.filter(|(value, _)| **value == 0.0).map(|(_, u)| u)
    }

    /// Rows of U Σ without the columns that vanish.
    fn coordinates(&self) -> (Vec<f64>, usize) {
        let values = self.svd.values();
        let rank = rank(values, 0.0);
        let mut coordinates = vec![0.0; values.len() * rank];
        let kept = values
            .iter()
            .zip(self.svd.left())
            .filter(|(value, _)| **value > 0.0);
        for (k, (value, u)) in kept.enumerate() {
            for (i, entry) in u.iter().enumerate() {
                coordinates[i * rank + k] = value * entry;
            }
        }
        (coordinates, rank)
    }

    fn refuse_contradiction(
        &self,
        problem: &Problem<'_>,
        a_s: &[f64],
        e: &[f64],
        tolerance: Tolerance,
    ) -> Result<(), Failure> {
        let mut unmet = vec![0.0; e.len()];
        for u in self.null_vectors() {
            let part = crate::linear::dot(u, e);
            add_transposed(u, &[part], &mut unmet);
        }
        Ok(self.rows.refuse_contradiction(
            (problem.bias, problem.terms().1),
            (a_s, &[]),
            &unmet,
            || self.coordinates(),
            tolerance.contradiction,
        )?)
    }
}
