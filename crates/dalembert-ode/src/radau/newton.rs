//! Newton's method for the stages.
//!
//! ```text
//! Σ_j (A⁻¹)_ij/h ΔZ_j − J_i ΔZ_i = r_i,        r_i = f_i − Σ_j (A⁻¹)_ij/h Z_j
//! ```
//!
//! With one J for all stages, W = T⁻¹ Z takes the equations apart, T⁻¹ A⁻¹ T having a real eigenvalue γ and a pair α ± iβ:
//!
//! ```text
//! (γ/h − J) ΔW₁ = (T⁻¹ r)₁,        ((α + iβ)/h − J) (ΔW₂ + iΔW₃) = (T⁻¹ r)₂ + i (T⁻¹ r)₃
//! ```
//!
//! Where J turns within the step (a stiff spring that swings), the stages get a J each, and are solved for as they stand.
//!
//! A system may have rows that the stages themselves must meet ([`System::solves_rows`]). With P along the rows and g_i the shortest way to
//! them,
//!
//! ```text
//! r_i = P_i (f_i − Σ_j (A⁻¹)_ij/h Z_j) + Σ_j (A⁻¹)_ij/h g_j
//! ```
//!
//! vanishes where y' = f holds along the rows, and they do: then ΔZ_j has g_j across the rows, whatever J says along them.

use super::coefficients::{A_INVERSE, COMPLEX, NODES, REAL, T, T_INVERSE};
use super::{Radau, linearised, parts_mut};
use crate::buffers::Buffers;
use crate::kernels::finite_lanes;
use crate::lane::Rejection;
use crate::system::{Evaluation, System};

/// Corrections at most with one J: they shrink by the same rate.
pub(super) const MOST_CORRECTIONS: u32 = 7;
/// With a J each: they shrink ever faster, or not at all.
const MOST_WITH_EACH: u32 = 10;
/// Rate of the corrections up to which J serves for the next step too: another correction costs three evaluations, J by differences one for
/// each value. (IFToMM's governor at 10⁻⁷: 12 800 evaluations and 210 J.)
pub(super) const J_SERVES: f64 = 0.05;

impl Radau {
    /// Newton's corrections, until what is left is far below the tolerance. J is that of the start before and after.
    pub(super) fn correct<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        times: (f64, f64),
        rtol: f64,
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        let each = self.whole_steps > 0;
        if each {
            linearised(system).keep_start();
        }
        let found = self.find_stages(system, buffers, times, least(rtol), now);
        if each {
            linearised(system).recall_start();
        }
        found
    }

    fn find_stages<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        times: (f64, f64),
        least: f64,
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        let each = self.whole_steps > 0;
        let mut progress = Progress::new(each, self.contraction);
        loop {
            self.evaluate_stages(system, buffers, times, now)?;
            if each && progress.rate > J_SERVES {
                self.linearise_stages(system, buffers, times, now)?;
            }
            self.residuals(system, buffers, times, now)?;
            let size = self.solve_stages(system, buffers);
            progress.look(size, least)?;
            for (z, change) in self.z.iter_mut().zip(&self.correction) {
                *z += change;
            }
            self.corrections = progress.made;
            if progress.is_over(size, least)? {
                // Of J at the start nothing is known if the stages had their own.
                self.rate = if each { 1.0 } else { progress.rate };
                if !each {
                    self.contraction = progress.contraction;
                }
                return Ok(());
            }
        }
    }

    /// f at the stages, kept as stages 1 to 3.
    pub(super) fn evaluate_stages<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        for stage in 0..3 {
            self.set_stage(buffers, (t, h), stage, now);
            now.failed[0] = false;
            buffers.evaluate_stage(system, stage + 1, now);
            self.evaluations += 1;
            if std::mem::take(&mut now.failed[0]) {
                return Err(Rejection::Undefined);
            }
            if !finite_lanes(buffers.k(stage + 1))[0] {
                let component = buffers.first_non_finite(0, stage + 1).unwrap_or(0);
                return Err(Rejection::NonFinite { component });
            }
        }
        Ok(())
    }

    /// Writes a stage as it is now to its place in the buffers, and its time.
    fn set_stage<const L: usize>(
        &self,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        stage: usize,
        now: &mut Evaluation<L>,
    ) {
        let n = buffers.size();
        now.t[0] = t + NODES[stage] * h;
        let z = &self.z[stage * n..][..n];
        for ((target, y), z) in buffers.stage.iter_mut().zip(&buffers.y).zip(z) {
            target[0] = y[0] + z;
        }
    }

    /// What is left of the equations of the stages, whose f are known.
    fn residuals<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        let n = buffers.size();
        for i in 0..n {
            let z = [0, 1, 2].map(|stage| self.z[stage * n + i] / h);
            for (stage, weights) in A_INVERSE.iter().enumerate() {
                let f = buffers.k[(stage + 1) * n + i][0];
                self.correction[stage * n + i] = f - along(weights, z);
            }
        }
        if self.leaves_rows || !system.solves_rows() {
            return Ok(());
        }
        self.missed.resize(3 * n, 0.0);
        for stage in 0..3 {
            self.set_stage(buffers, (t, h), stage, now);
            let [left, missed] = [&mut self.correction, &mut self.missed];
            let [left, missed] = [left, missed].map(|all| &mut all[stage * n..][..n]);
            if !system.along_rows(now, &buffers.stage, left, missed) {
                return Err(Rejection::Undefined);
            }
        }
        for i in 0..n {
            let missed = [0, 1, 2].map(|stage| self.missed[stage * n + i] / h);
            for (stage, weights) in A_INVERSE.iter().enumerate() {
                self.correction[stage * n + i] += along(weights, missed);
            }
        }
        Ok(())
    }

    /// From what is left to the correction of Z; its size.
    fn solve_stages<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &Buffers<L>,
    ) -> f64 {
        let linearised = linearised(system);
        if self.whole_steps > 0 {
            linearised.solve_stages(&mut self.correction);
            return self.correction_size(buffers);
        }
        transform(&T_INVERSE, &mut self.correction);
        let [one, two, three] = parts_mut(&mut self.correction, buffers.size());
        linearised.solve_real(one);
        linearised.solve_complex(two, three);
        let size = self.correction_size(buffers);
        transform(&T, &mut self.correction);
        size
    }

    /// Norm of the last correction, in units of the error that the step may have.
    fn correction_size<const L: usize>(&self, buffers: &Buffers<L>) -> f64 {
        let n = buffers.size();
        let mut squares = 0.0;
        for part in self.correction.chunks_exact(n.max(1)) {
            for (change, scale) in part.iter().zip(buffers.scales()) {
                // What has no size yet is judged by the error of the step.
                if scale[0] < f64::MAX {
                    squares += (change * scale[0]).powi(2);
                }
            }
        }
        (squares / (3 * n) as f64).sqrt()
    }

    /// J at the stages, and the factors of all three.
    fn linearise_stages<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        buffers.write_tolerances();
        for stage in 0..3 {
            self.set_stage(buffers, (t, h), stage, now);
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
            Err(SLOW)
        }
    }

    /// Factors for one J.
    pub(super) fn factor<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        h: f64,
    ) -> Result<(), Rejection> {
        if self.factored == Some(h) {
            return Ok(());
        }
        self.factorisations += 1;
        let factored = linearised(system).factor(REAL / h, COMPLEX.map(|part| part / h));
        self.factored = factored.then_some(h);
        if factored { Ok(()) } else { Err(SLOW) }
    }
}

const SLOW: Rejection = Rejection::Slow { factor: 0.5 };

/// How the corrections of one step shrink.
struct Progress {
    each: bool,
    made: u32,
    last: f64,
    last_ratio: f64,
    rate: f64,
    /// What is left after a correction, as part of it.
    contraction: f64,
}

impl Progress {
    /// Before the first correction; with one J as much is left as the steps before let expect.
    fn new(each: bool, contraction: f64) -> Self {
        Self {
            each,
            made: 0,
            last: 0.0,
            last_ratio: 0.0,
            rate: if each { 1.0 } else { 0.0 },
            contraction: if each {
                1.0
            } else {
                contraction.max(f64::EPSILON).powf(0.8)
            },
        }
    }

    /// Takes notice of the size of a correction; why it is not worth going on, if it is not.
    fn look(&mut self, size: f64, least: f64) -> Result<(), Rejection> {
        self.made += 1;
        if !size.is_finite() {
            return Err(SLOW);
        }
        if self.made > 1 {
            let ratio = size / self.last;
            if self.each {
                (self.rate, self.contraction) = (ratio, ratio.min(1.0));
                if self.made > 3 && ratio >= 1.0 {
                    return Err(SLOW);
                }
            } else {
                self.rate = match self.made {
                    2 => ratio,
                    _ => (ratio * self.last_ratio).sqrt(),
                };
                if self.rate >= 0.99 {
                    return Err(SLOW);
                }
                self.contraction = self.rate / (1.0 - self.rate);
                let to_come = (MOST_CORRECTIONS - self.made) as i32;
                let at_end = self.contraction * size * self.rate.powi(to_come) / least;
                if at_end >= 1.0 {
                    let factor = 0.8 * at_end.clamp(1e-4, 20.0).powf(-1.0 / f64::from(4 + to_come));
                    return Err(Rejection::Slow { factor });
                }
            }
            self.last_ratio = ratio;
        }
        self.last = size.max(f64::MIN_POSITIVE);
        Ok(())
    }

    /// Whether what is left is far below the tolerance.
    fn is_over(&self, size: f64, least: f64) -> Result<bool, Rejection> {
        let most = if self.each {
            MOST_WITH_EACH
        } else {
            MOST_CORRECTIONS
        };
        match self.contraction * size <= least {
            true => Ok(true),
            false if self.made == most => Err(SLOW),
            false => Ok(false),
        }
    }
}

/// Corrections at which the stages are solved for: far below the tolerance, and above rounding.
fn least(rtol: f64) -> f64 {
    (10.0 * f64::EPSILON / rtol.max(f64::EPSILON)).max(rtol.sqrt().min(0.03))
}

fn along(weights: &[f64; 3], x: [f64; 3]) -> f64 {
    weights[0] * x[0] + weights[1] * x[1] + weights[2] * x[2]
}

/// x ← matrix · x over three parts.
fn transform(matrix: &[[f64; 3]; 3], x: &mut [f64]) {
    let n = x.len() / 3;
    for i in 0..n {
        let parts = [0, 1, 2].map(|row| x[row * n + i]);
        for (row, weights) in matrix.iter().enumerate() {
            x[row * n + i] = along(weights, parts);
        }
    }
}
