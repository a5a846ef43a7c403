//! What rounding left of the equations as given, solved for once more: a penalty on the rows squares their condition.

use super::UdwadiaKalaba;
use crate::formulation::{Motion, Problem};
use crate::linear::{add_scaled, add_transposed, multiply};

impl UdwadiaKalaba {
    /// Adds to the motion, and to the ideal force and multipliers, what takes the residuals away.
    pub(super) fn refine(&self, problem: &Problem<'_>, motion: &mut Motion) {
        let (nv, nc) = (problem.nv(), problem.nc());
        let (mass, jacobian) = problem.full();
        // f + Aᵀ λ − M v', of M the upper triangle.
        let mut force: Vec<f64> = problem.force.to_vec();
        add_scaled(&mut force, 1.0, problem.nonideal);
        add_transposed(jacobian, &motion.multipliers, &mut force);
        for i in 0..nv {
            for j in 0..nv {
                let entry = mass[i.min(j) * nv + i.max(j)];
                force[i] -= entry * motion.acceleration[j];
            }
        }
        // b − A v'.
        let mut left = vec![0.0; nc];
        multiply(jacobian, &motion.acceleration, &mut left);
        for (left, b) in left.iter_mut().zip(problem.bias) {
            *left = b - *left;
        }
        let push: Vec<f64> = left
            .iter()
            .zip(&self.metric.weights)
            .map(|(b, g)| g * b)
            .collect();
        add_transposed(jacobian, &push, &mut force);
        force
            .iter_mut()
            .zip(&self.units)
            .for_each(|(f, unit)| *f *= unit);

        let mut a_s = vec![0.0; nv];
        multiply(&self.M_minus_half, &force, &mut a_s); // (9)
        let mut e = vec![0.0; nc];
        multiply(&self.rows.unit, &a_s, &mut e);
        for ((e, left), scale) in e.iter_mut().zip(&left).zip(&self.rows.scales) {
            *e = left * scale - *e; // (20)
        }
        let mut B_plus_e = vec![0.0; nv];
        self.svd.pseudo_inverse(&e, &mut B_plus_e);
        let mut multipliers = vec![0.0; nc];
        self.svd
            .pseudo_inverse_transposed(&B_plus_e, &mut multipliers);
        for (i, scale) in self.rows.scales.iter().enumerate() {
            motion.multipliers[i] += multipliers[i] * scale;
            motion.multipliers_ideal[i] += multipliers[i] * scale;
        }
        add_scaled(&mut a_s, 1.0, &B_plus_e);
        let (mut more, mut ideal) = (vec![0.0; nv], vec![0.0; nv]);
        multiply(&self.M_minus_half, &a_s, &mut more); // (39)
        multiply(&self.M_half, &B_plus_e, &mut ideal); // (24)
        for (j, unit) in self.units.iter().enumerate() {
            motion.acceleration[j] += more[j] * unit;
            motion.force_ideal[j] += ideal[j] / unit;
        }
    }
}
