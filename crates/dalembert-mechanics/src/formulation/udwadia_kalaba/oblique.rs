//! Rows held by forces: the correction of the free motion is not the nearest any more, but along given directions.
//!
//! ```text
//! B = A M^-½,  E = G M^-½                    rows of length one
//! Π_B = B⁺ B,  Π_E = E⁺ E                    orthogonal projections on what the rows forbid, and on what forces reach
//! M^½ v' = M^½ a + K B⁺ (b − A a) + (I − K) M^-½ w,     K = (Π_B Π_E)⁺
//! ```
//!
//! K is the oblique projection on what the forces reach, along what the rows leave free: the pseudoinverse of a product of two
//! orthogonal projections is one [G]. With G = A it is B⁺ B, and the equation is [UK02 39]. It equals
//! M^-½ Gᵀ (A M⁻¹ Gᵀ)⁺ A M^-½, but its singular values are cosines, not products of two small numbers where rows are nearly
//! dependent. The conditions are those of `../servo.rs`.
//!
//! [UK02]: Udwadia, Kalaba, "On the foundations of analytical dynamics" (2002).
//! [G]: Greville, "Solutions of the matrix equation XAX = X, and relations between oblique and orthogonal projectors",
//! SIAM J. Appl. Math. 26 (1974) 828–832.

use super::UdwadiaKalaba;
use crate::formulation::servo::Hold;
use crate::formulation::{Failure, Motion, Problem};
use crate::linear::factorisation::rows::{Rows, Tolerance, mark_unique};
use crate::linear::{Svd, multiply};

impl UdwadiaKalaba {
    /// The motion, for M^½ a and z = M^-½ w in units, and e = b − A a of rows of length one.
    pub(super) fn oblique(
        &self,
        problem: &Problem<'_>,
        [a_s, z]: [&[f64]; 2],
        e: &[f64],
        tolerance: Tolerance,
        motion: &mut Motion,
    ) -> Result<(), Failure> {
        let (nv, nc) = (problem.nv(), problem.nc());
        let mut G = vec![0.0; nc * nv];
        problem.directions_into(&mut G);
        let mut directions = Rows::new(nv, nc);
        self.rows_into((&G, &[]), &mut directions);
        Hold::new(nv, nc).refuse(problem, &self.rows, &directions, tolerance)?;
        let mut reached = Svd::new(nc, nv);
        reached.factor(&directions.unit, tolerance.rank);
        let pairs = reached.values().iter().zip(reached.left());
        let relations = pairs.filter(|(value, _)| **value == 0.0).map(|(_, u)| u);
        mark_unique(relations, &mut motion.rows);

        let K = self.oblique_projection(&reached, nv, tolerance);
        let along = |x: &[f64]| -> Vec<f64> {
            let mut product = vec![0.0; nv];
            K.pseudo_inverse(x, &mut product);
            product
        };
        let mut B_plus_e = vec![0.0; nv];
        self.svd.pseudo_inverse(e, &mut B_plus_e);
        let push = along(&B_plus_e); // K B⁺ e
        let held: Vec<f64> = along(z).iter().map(|entry| -entry).collect(); // −K z
        let rest: Vec<f64> = z.iter().zip(&held).map(|(z, held)| z + held).collect();

        let times = |matrix: &[f64], x: &[f64]| -> Vec<f64> {
            let mut product = vec![0.0; nv];
            multiply(matrix, x, &mut product);
            product
        };
        let total: Vec<f64> = (0..nv).map(|j| a_s[j] + push[j] + rest[j]).collect();
        let v_dot = times(&self.M_minus_half, &total);
        let (Q_i, Q_ni) = (times(&self.M_half, &push), times(&self.M_half, &rest));
        for (j, unit) in self.units.iter().enumerate() {
            motion.acceleration[j] = v_dot[j] * unit;
            motion.force_ideal[j] = Q_i[j] / unit;
            motion.force_nonideal[j] = Q_ni[j] / unit;
        }
        // Eᵀ λ is what the forces do.
        let mut added = vec![0.0; nc];
        reached.pseudo_inverse_transposed(&push, &mut motion.multipliers_ideal);
        reached.pseudo_inverse_transposed(&held, &mut added);
        for (i, scale) in directions.scales.iter().enumerate() {
            motion.multipliers_ideal[i] *= scale;
            motion.multipliers[i] = motion.multipliers_ideal[i] + added[i] * scale;
        }
        Ok(())
    }

    /// Π_B Π_E, whose pseudoinverse is K.
    fn oblique_projection(&self, reached: &Svd, nv: usize, tolerance: Tolerance) -> Svd {
        let project = |svd: &Svd, x: &mut [f64]| {
            let mut free = x.to_vec();
            svd.project_on_null_space(&mut free);
            x.iter_mut().zip(&free).for_each(|(x, free)| *x -= free);
        };
        let mut product = vec![0.0; nv * nv];
        for j in 0..nv {
            let mut column = vec![0.0; nv];
            column[j] = 1.0;
            project(reached, &mut column);
            project(&self.svd, &mut column);
            for (i, entry) in column.into_iter().enumerate() {
                product[i * nv + j] = entry;
            }
        }
        let mut svd = Svd::new(nv, nv);
        svd.factor(&product, tolerance.rank);
        svd
    }
}
