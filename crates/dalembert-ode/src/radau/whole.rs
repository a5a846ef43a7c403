//! Stages with a J each, solved for together: Newton's method itself.
//!
//! ```text
//! Σ_j (A⁻¹)_ij/h ΔZ_j − J_i ΔZ_i = f_i − Σ_j (A⁻¹)_ij/h Z_j
//! ```

use super::coefficients::{A_INVERSE, NODES};
use super::{Radau, least, linearised};
use crate::buffers::Buffers;
use crate::lane::Rejection;
use crate::system::{Evaluation, System};

/// Corrections at most: they shrink ever faster, or not at all.
const MOST_CORRECTIONS: u32 = 10;
/// Rate of corrections at which the J of the stages are looked for again.
const J_SERVES: f64 = 0.05;

impl Radau {
    /// Newton's corrections with J at each stage, until what is left is far below the tolerance. J is that of the start before and after.
    pub(super) fn correct_whole<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        times: (f64, f64),
        rtol: f64,
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        linearised(system).keep_start();
        let found = self.find_whole(system, buffers, times, least(rtol), now);
        linearised(system).recall_start();
        found
    }

    fn find_whole<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        least: f64,
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        let (mut last, mut rate) = (1.0, 1.0);
        for made in 1..=MOST_CORRECTIONS {
            self.evaluate_stages(system, buffers, (t, h), now)?;
            if rate > J_SERVES {
                self.linearise_stages(system, buffers, (t, h), now)?;
            }
            let n = buffers.size();
            for (stage, weights) in A_INVERSE.iter().enumerate() {
                for i in 0..n {
                    let terms = (0..3).map(|k| weights[k] * self.z[k * n + i]);
                    let f = buffers.k[(stage + 1) * n + i][0];
                    self.correction[stage * n + i] = f - terms.sum::<f64>() / h;
                }
            }
            linearised(system).solve_stages(&mut self.correction);
            let size = self.correction_size(buffers);
            rate = if made == 1 { 1.0 } else { size / last };
            last = size.max(f64::MIN_POSITIVE);
            if !size.is_finite() || (made > 3 && rate >= 1.0) {
                return Err(Rejection::Slow { factor: 0.5 });
            }
            for (z, change) in self.z.iter_mut().zip(&self.correction) {
                *z += change;
            }
            self.corrections = made;
            if rate.min(1.0) * size <= least {
                return Ok(());
            }
        }
        Err(Rejection::Slow { factor: 0.5 })
    }

    fn linearise_stages<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        buffers.write_tolerances();
        let n = buffers.size();
        for (stage, node) in NODES.into_iter().enumerate() {
            now.t[0] = t + node * h;
            let z = &self.z[stage * n..][..n];
            for ((target, y), z) in buffers.stage.iter_mut().zip(&buffers.y).zip(z) {
                target[0] = y[0] + z;
            }
            let f = buffers.k(stage + 1);
            if !system.linearise(now, &buffers.stage, f, &buffers.sample) {
                return Err(Rejection::Undefined);
            }
            linearised(system).keep_stage(stage);
        }
        (self.jacobians, self.factorisations) = (self.jacobians + 3, self.factorisations + 1);
        let weights = A_INVERSE.map(|row| row.map(|weight| weight / h));
        if linearised(system).factor_stages(weights) {
            Ok(())
        } else {
            Err(Rejection::Slow { factor: 0.5 })
        }
    }
}
