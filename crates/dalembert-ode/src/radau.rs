//! Radau IIA with three stages, of order 5: for stiff problems.
//!
//! The stages solve Y_i = y + h Σ_j a_ij f(t + c_j h, Y_j), c = ((4 − √6)/10, (4 + √6)/10, 1); the last is the end of the step. Z = Y − y
//! is found by Newton's method (`radau/newton.rs`), with J = ∂f/∂y of some step before or, where even J of the start of the step does not make the
//! corrections shrink, with a J for each stage.
//!
//! J is taken where the step is expected to end, in the midst of this step and the next, and serves, as its factors do, as long as the corrections shrink fast. The error is that of an embedded formula of order 3, passed through
//! (γ/h − J)⁻¹ so that what is stiff does not count more than it errs; the polynomial through the stages errs by as
//! much, and so is good enough between the ends of a step.
//!
//! The order is 5 where the problem is smooth in the steps, and that of the stages, 3, in components that are infinitely stiff.
//!
//! Reference: Hairer, Wanner, "Solving Ordinary Differential Equations II", 2nd edition, Springer 1996, section IV.8.

mod coefficients;
mod newton;

use crate::buffers::Buffers;
use crate::control::Controller;
use crate::kernels::{finite_lanes, square_sum};
use crate::lane::Rejection;
use crate::linearised::Linearisation;
use crate::system::{Evaluation, System};
use coefficients::{A, ESTIMATE, NODES};
use newton::{J_SERVES, MOST_CORRECTIONS};

/// Stage of the derivative at the end of a step: those of the three stages come before it.
pub(crate) const LAST: usize = 4;

/// Nodes and weights that integrate over a step, as the method does.
pub(crate) const QUADRATURE: [(f64, f64); 3] = [
    (NODES[0], A[2][0]),
    (NODES[1], A[2][1]),
    (NODES[2], A[2][2]),
];

/// The error estimate falls as h⁴.
pub(crate) const CONTROLLER: Controller = Controller {
    safety: 0.9,
    shrink: 0.125,
    grow: 8.0,
    order: 4.0,
    beta: 0.0,
};

/// Steps whose stages get a J each before one for all is tried again.
const WHOLE_STEPS: u32 = 3;
/// Growth of a step up to which it is not worth new factors.
const SAME_STEP: f64 = 1.2;
/// Growth of a step in which the controller has confidence, as a safety factor that falls with the number of corrections.
const SAFETY: f64 = 0.9;

/// The numbers of a run by this method. One lane only.
#[derive(Clone, Debug)]
pub(crate) struct Radau {
    /// Z, stage after stage.
    z: Vec<f64>,
    /// What is left of the equations of the stages, then the correction of Z.
    correction: Vec<f64>,
    /// The shortest ways to the rows from each stage, where the stages must meet them.
    missed: Vec<f64>,
    /// The estimated error of each value.
    error: Vec<f64>,
    /// F₀, F₁, F₂ of the polynomial of the step before, see [`crate::dense`], and its length.
    before: Vec<f64>,
    h_before: Option<f64>,
    /// Error of the last step that was accepted, and its length.
    accepted: Option<(f64, f64)>,
    /// Whether the step was tried before.
    is_retry: bool,
    /// Whether J belongs to the start of the step; whether there is one at all.
    is_fresh: bool,
    is_known: bool,
    /// Length of step that the factors are for.
    factored: Option<f64>,
    /// Rate of the last corrections, as it is taken over by the next step.
    contraction: f64,
    rate: f64,
    corrections: u32,
    /// Steps to come whose stages get a J each.
    whole_steps: u32,
    /// Whether the stages of this step need not meet rows.
    leaves_rows: bool,
    /// Made so far: J, factors.
    pub(crate) jacobians: u64,
    pub(crate) factorisations: u64,
    /// Evaluations since they were last asked for.
    pub(crate) evaluations: u64,
}

impl Radau {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            z: vec![0.0; 3 * n],
            correction: vec![0.0; 3 * n],
            missed: Vec::new(),
            error: vec![0.0; n],
            before: vec![0.0; 3 * n],
            h_before: None,
            accepted: None,
            is_retry: false,
            is_fresh: false,
            is_known: false,
            factored: None,
            contraction: 1.0,
            rate: 0.0,
            corrections: 0,
            whole_steps: 0,
            leaves_rows: false,
            jacobians: 0,
            factorisations: 0,
            evaluations: 0,
        }
    }

    /// Forgets all steps: the next start is another.
    pub(crate) fn forget(&mut self) {
        (self.h_before, self.accepted, self.factored) = (None, None, None);
        (self.is_fresh, self.is_known, self.is_retry) = (false, false, false);
        (self.jacobians, self.factorisations) = (0, 0);
        (self.contraction, self.whole_steps, self.leaves_rows) = (1.0, 0, false);
        self.error.fill(0.0);
    }

    /// The estimated error of one value in the last step.
    pub(crate) fn error_of(&self, value: usize) -> f64 {
        self.error[value]
    }

    /// Norm of the estimated error, in units of the error that the step may have.
    pub(crate) fn error<const L: usize>(&self, buffers: &mut Buffers<L>) -> [f64; L] {
        let n = buffers.size() as f64;
        for (target, &error) in buffers.stage.iter_mut().zip(&self.error) {
            target[0] = error;
        }
        let squares = square_sum(&buffers.stage, buffers.scales());
        squares.map(|square| (square / n).sqrt())
    }

    /// Tries a step from `y` at `now.t` to `y_new`: solves for the stages and estimates the error. The tolerances are those at y.
    pub(crate) fn attempt<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        rtol: f64,
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        loop {
            self.guess(h);
            if !self.is_known {
                self.linearise(system, buffers, (t, h), now)?;
            }
            self.factor(system, h)?;
            match self.correct(system, buffers, (t, h), rtol, now) {
                Ok(()) => break,
                // J of another place may be the reason.
                Err(Rejection::Slow { .. } | Rejection::Undefined)
                    if !self.is_fresh && self.whole_steps == 0 =>
                {
                    (self.is_known, self.factored) = (false, None);
                }
                // Rounding may hide the rows, as where they nearly depend on each other: then this step is moved to them at its end.
                Err(Rejection::Slow { .. } | Rejection::Undefined)
                    if system.solves_rows() && !self.leaves_rows =>
                {
                    self.leaves_rows = true;
                }
                // J may change on the way; the first step may just be too long.
                Err(Rejection::Slow { .. }) if self.whole_steps == 0 && self.accepted.is_some() => {
                    self.whole_steps = WHOLE_STEPS;
                }
                Err(why) => return Err(why),
            }
        }
        self.follow(system, buffers, (t, h), now)?;
        let n = buffers.size();
        for (i, (end, y)) in buffers.y_new.iter_mut().zip(&buffers.y).enumerate() {
            end[0] = y[0] + self.z[2 * n + i];
        }
        self.estimate(system, buffers, h);
        Ok(())
    }

    /// Finds J where the step is expected to end, so that it is good for the stages of this step and for the next; at the start where nothing
    /// is expected, or a step is tried again.
    fn linearise<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (f64, f64),
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        self.jacobians += 1;
        self.factored = None;
        let ahead = self.h_before.is_some() && !self.is_retry && {
            now.t[0] = t + h;
            self.look_at_end(system, buffers, now)
        };
        buffers.write_tolerances();
        let n = buffers.size();
        now.t[0] = if ahead { t + h } else { t };
        let (y, f) = match ahead {
            true => (&buffers.stage, buffers.k(LAST - 1)),
            false => (&buffers.y, &buffers.k[..n]),
        };
        if !system.linearise(now, y, f, &buffers.sample) {
            return Err(Rejection::Undefined);
        }
        (self.is_known, self.is_fresh) = (true, true);
        Ok(())
    }

    /// Puts the guess of the end into the buffers, with f there as that of the last stage; whether there is one.
    fn look_at_end<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        now: &mut Evaluation<L>,
    ) -> bool {
        let z = &self.z[2 * buffers.size()..];
        for ((target, y), z) in buffers.stage.iter_mut().zip(&buffers.y).zip(z) {
            target[0] = y[0] + z;
        }
        buffers.evaluate_stage(system, LAST - 1, now);
        self.evaluations += 1;
        !std::mem::take(&mut now.failed[0]) && finite_lanes(buffers.k(LAST - 1))[0]
    }

    /// Where the polynomial of the step before goes; from rest where there was none.
    fn guess(&mut self, h: f64) {
        let n = self.error.len();
        let Some(before) = self.h_before else {
            self.z.fill(0.0);
            return;
        };
        for (stage, node) in NODES.into_iter().enumerate() {
            let theta = 1.0 + node * h / before;
            for i in 0..n {
                let [f0, f1, f2] = [0, 1, 2].map(|row| self.before[row * n + i]);
                let there = theta * (f0 + (1.0 - theta) * (f1 + theta * f2));
                self.z[stage * n + i] = there - f0;
            }
        }
    }

    /// Values that enter nothing are integrals of the others. With one J they are solved for with these, and what the last correction leaves in
    /// them is as far below what the others may err by; where the stages have a J each, or meet rows, they follow now that these are known.
    fn follow<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        times: (f64, f64),
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        let (n, followers) = (buffers.size(), system.followers());
        let is_solved = self.whole_steps == 0 && !system.solves_rows();
        if followers == 0 || is_solved {
            return Ok(());
        }
        self.evaluate_stages(system, buffers, times, now)?;
        for i in n - followers..n {
            let f = [1, 2, 3].map(|stage| buffers.k[stage * n + i][0]);
            for (stage, weights) in A.iter().enumerate() {
                let sum = weights[0] * f[0] + weights[1] * f[1] + weights[2] * f[2];
                self.z[stage * n + i] = times.1 * sum;
            }
        }
        Ok(())
    }

    /// The error. Hairer and Wanner look twice at that of a first step, and of one that is tried again, to pass over what dies out
    /// at once; a fast swing would be passed over too, with its energy.
    fn estimate<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &Buffers<L>,
        h: f64,
    ) {
        let n = buffers.size();
        let weighed = |i: usize| -> f64 {
            let [one, two, three] = [0, 1, 2].map(|stage| ESTIMATE[stage] * self.z[stage * n + i]);
            (one + two + three) / h
        };
        for i in 0..n {
            self.correction[i] = weighed(i);
            self.error[i] = self.correction[i] + buffers.k[i][0];
        }
        linearised(system).solve_real(&mut self.error);
    }

    /// Keeps what the next step begins with; gives the length of it.
    pub(crate) fn accept(&mut self, h: f64, error: f64) -> f64 {
        let most = f64::from(MOST_CORRECTIONS);
        let safety = SAFETY * (1.0 + 2.0 * most).min(f64::from(self.corrections) + 2.0 * most)
            / (f64::from(self.corrections) + 2.0 * most);
        let error = error.max(1e-10);
        let mut factor = safety * error.powf(-0.25);
        if let Some((before, h_before)) = self.accepted {
            // Gustafsson's prediction: errors that grow go on growing.
            let predicted = SAFETY * h / h_before * (before / (error * error)).powf(0.25);
            factor = factor.min(predicted);
        }
        factor = factor.clamp(CONTROLLER.shrink, CONTROLLER.grow);
        self.accepted = Some((error.max(1e-2), h));
        self.keep_polynomial();
        self.h_before = Some(h);
        self.whole_steps = self.whole_steps.saturating_sub(1);
        self.leaves_rows = false;
        self.is_fresh = false;
        let serves = self.rate <= J_SERVES;
        if !serves {
            self.is_known = false;
        }
        // A step that would grow but little keeps its length, and so its factors.
        if serves && (1.0..=SAME_STEP).contains(&factor) {
            factor = 1.0;
        }
        if std::mem::take(&mut self.is_retry) {
            factor = factor.min(1.0);
        }
        h.abs() * factor
    }

    /// Notes that the step was not accepted.
    pub(crate) fn reject(&mut self) {
        self.is_retry = true;
        self.leaves_rows = false;
    }

    fn keep_polynomial(&mut self) {
        let n = self.error.len();
        for i in 0..n {
            let end = self.z[2 * n + i];
            let rows = polynomial([self.z[i], self.z[n + i]], end);
            for (row, value) in rows.into_iter().enumerate() {
                self.before[row * n + i] = value;
            }
        }
    }

    /// Writes F₀, F₁, F₂ of the polynomial through the stages to the end of the step.
    pub(crate) fn write_dense<const L: usize>(&self, buffers: &mut Buffers<L>) {
        let n = buffers.size();
        for i in 0..n {
            let end = buffers.y_new[i][0] - buffers.y[i][0];
            let rows = polynomial([self.z[i], self.z[n + i]], end);
            for (row, value) in rows.into_iter().enumerate() {
                buffers.dense[row * n + i][0] = value;
            }
        }
    }
}

/// J, which is looked for before anything is solved by it.
fn linearised<S: System<L>, const L: usize>(system: &mut S) -> &mut dyn Linearisation {
    system.linearisation().expect("J was found")
}

/// F₀, F₁, F₂ of θ (F₀ + (1 − θ) (F₁ + θ F₂)) through two stages and the end.
fn polynomial(stages: [f64; 2], end: f64) -> [f64; 3] {
    let [c1, c2, _] = NODES;
    let at = |z: f64, c: f64| (z / c - end) / (1.0 - c);
    let (one, two) = (at(stages[0], c1), at(stages[1], c2));
    let second = (one - two) / (c1 - c2);
    [end, one - c1 * second, second]
}

fn parts_mut(values: &mut [f64], n: usize) -> [&mut [f64]; 3] {
    let (one, rest) = values.split_at_mut(n);
    let (two, three) = rest.split_at_mut(n);
    [one, two, three]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_goes_through_the_stages() {
        let [f0, f1, f2] = polynomial([0.3, -0.2], 0.7);
        let at = |c: f64| c * (f0 + (1.0 - c) * (f1 + c * f2));
        assert!((at(NODES[0]) - 0.3).abs() < 1e-14 && (at(NODES[1]) + 0.2).abs() < 1e-14);
    }
}
