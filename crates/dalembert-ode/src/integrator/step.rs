//! An accepted step, as the observer of a run sees it.

use super::Integrator;
use crate::kernels::copy_lanes;
use crate::lane::same_time;
use crate::polynomial::Polynomial;
use crate::radau::QUADRATURE;
use crate::stepper::Stepper;
use crate::system::{Mask, Projection, System};
use dalembert_linear::decide::SINGLE;

/// The steps that were accepted in one round, one per lane at most.
///
/// In each accepted lane it leads from `t_old` to `t_new` and knows the state at every time between.
pub struct Step<'a, S, const L: usize> {
    system: &'a mut S,
    integrator: &'a mut Integrator<L>,
    accepted: Mask<L>,
    dense_built: bool,
    dense_counted: Mask<L>,
}

impl<'a, S: System<L>, const L: usize> Step<'a, S, L> {
    pub(crate) fn new(
        system: &'a mut S,
        integrator: &'a mut Integrator<L>,
        accepted: Mask<L>,
    ) -> Self {
        Step {
            system,
            integrator,
            accepted,
            dense_built: false,
            dense_counted: [false; L],
        }
    }

    /// Lanes in which a step was accepted. The other lanes have nothing to show.
    pub fn accepted(&self) -> Mask<L> {
        self.accepted
    }

    /// Indices of the lanes in which a step was accepted.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<S, L> {
        let accepted = self.accepted;
        (0..L).filter(move |&l| accepted[l])
    }

    /// Number of values in a state.
    pub fn size(&self) -> usize {
        self.integrator.buffers.size()
    }

    /// Where the step begins. Equal to [`Step::t_new`] in the first call of a run.
    pub fn t_old(&self, lane: usize) -> f64 {
        self.integrator.lanes[lane].t
    }

    /// Where the step ends.
    pub fn t_new(&self, lane: usize) -> f64 {
        self.integrator.lanes[lane].t_new
    }

    /// +1 if the lane runs forward in time, −1 if backward.
    pub fn direction(&self, lane: usize) -> f64 {
        self.integrator.lanes[lane].direction()
    }

    /// States at the ends of the steps, projected.
    pub fn end_states(&self) -> &[[f64; L]] {
        &self.integrator.buffers.y_new
    }

    /// The system that is integrated.
    pub fn system(&mut self) -> &mut S {
        self.system
    }

    /// Writes the state at time `t` between `t_old` and `t_new`; at the ends it is exact to the bit.
    ///
    /// The first call in a step may evaluate the derivative a few times, see [`Method`](crate::Method).
    pub fn state(&mut self, lane: usize, t: f64, out: &mut [f64]) {
        self.write_at(lane, t, out.as_chunks_mut::<1>().0, 0);
    }

    /// Writes the derivative of the interpolated state at time `t`. It has one order less than the state and
    /// is continuous from step to step.
    pub fn rate(&mut self, lane: usize, t: f64, out: &mut [f64]) {
        let h = self.integrator.lanes[lane].h;
        if h.abs() > 0.0 {
            let theta = self.theta(lane, t);
            self.integrator
                .evaluate_dense(lane, theta, |i, _, slope| out[i] = slope / h);
        } else {
            let last = self.integrator.stepper.last();
            for (out, k) in out.iter_mut().zip(self.integrator.buffers.k(last)) {
                *out = k[lane];
            }
        }
    }

    /// One value of the state within the step, as numbers of its own. The step has a length.
    pub fn polynomial(&mut self, lane: usize, value: usize) -> Polynomial {
        self.theta(lane, self.t_old(lane));
        self.integrator.polynomial(lane, value)
    }

    /// The derivative of one value at the end of the step.
    pub fn end_rate(&self, lane: usize, value: usize) -> f64 {
        let last = self.integrator.stepper.last();
        self.integrator.buffers.k(last)[value][lane]
    }

    /// The estimated error of one value of the state in this step; zero in the step of zero length at the start. By an implicit method
    /// the errors that other values may have count too, where they move this one fast.
    pub fn error_of(&mut self, lane: usize, value: usize) -> f64 {
        let integrator = &mut *self.integrator;
        let h = integrator.lanes[lane].h;
        let stepper = &integrator.stepper;
        let estimated = stepper.error_of(&integrator.buffers, (lane, h), value);
        match stepper {
            Stepper::Explicit(_) => estimated,
            Stepper::Radau(_) => {
                integrator.buffers.write_tolerances();
                let errors = integrator.buffers.sample.as_flattened();
                let linearised = self.system.linearisation();
                let propagated = linearised.map_or(0.0, |it| it.propagated(value, errors));
                estimated.abs() + h.abs() * propagated
            }
        }
    }

    /// Length of this step times the fastest rate of all motions beside this one, roughly. Explicit methods are stable up to
    /// a few.
    pub fn stiffness(&mut self, lane: usize) -> f64 {
        let integrator = &mut *self.integrator;
        let h = integrator.lanes.each_ref().map(|lane| lane.h);
        match &integrator.stepper {
            Stepper::Explicit(tableau) => integrator.buffers.stiffness(tableau, lane, &h),
            Stepper::Radau(_) => {
                let fastest = self.system.linearisation().map(|it| it.fastest());
                h[lane].abs() * fastest.unwrap_or(f64::NAN)
            }
        }
    }

    /// Ends a lane with this step.
    pub fn stop(&mut self, lane: usize) {
        self.integrator.lanes[lane].stop();
    }

    /// Ends a lane at time `t` within this step: the state there, projected, becomes the end of the step.
    pub fn stop_at(&mut self, lane: usize, t: f64) -> Projection {
        self.stop(lane);
        self.sample(lane, t);
        self.integrate_followers(lane, t);
        self.integrator.lanes[lane].t_new = t;
        let times = self.integrator.lanes.each_ref().map(|lane| lane.t_new);
        let only = std::array::from_fn(|l| l == lane);
        let projection = self.project_sample(&times, &only)[lane];
        let buffers = &mut self.integrator.buffers;
        copy_lanes(&mut buffers.y_new, &buffers.sample, &only);
        projection
    }

    /// Puts into the sample at time `t` what enters nothing, integrated anew from the start of an implicit step: its steps are chosen by
    /// the motion alone, whose polynomial is good between the ends, while that of these values may err by far more. Where they are not
    /// defined on the way, the polynomial is left.
    fn integrate_followers(&mut self, lane: usize, t: f64) {
        let first = self.size() - self.system.followers();
        let is_implicit = matches!(self.integrator.stepper, Stepper::Radau(_));
        if !is_implicit || first == self.size() || self.is_end(lane, t) {
            return;
        }
        let begin = self.t_old(lane);
        let length = t - begin;
        let only = std::array::from_fn(|l| l == lane);
        let theta = self.theta(lane, t);
        let integrator = &mut *self.integrator;
        for (stage, (node, _)) in QUADRATURE.into_iter().enumerate() {
            let mut now = integrator.evaluation([begin + node * length; L], only);
            let mut there = std::mem::take(&mut integrator.buffers.stage);
            integrator.write_between((lane, node * theta), &mut there, lane);
            integrator.buffers.stage = there;
            let buffers = &mut integrator.buffers;
            buffers.evaluate_stage(self.system, stage + 1, &mut now);
            integrator.lanes[lane].statistics.evaluations += 1;
            if now.failed[lane] {
                return;
            }
        }
        let buffers = &mut integrator.buffers;
        for i in first..buffers.size() {
            let weighed = |(stage, (_, weight))| weight * buffers.k(stage + 1)[i][lane];
            let mean: f64 = QUADRATURE.into_iter().enumerate().map(weighed).sum();
            if mean.is_finite() {
                buffers.sample[i][lane] = buffers.y[i][lane] + length * mean;
            }
        }
    }

    /// Projects the sample in some lanes. Where that would move it by more than the step errs, or fails, it stays as it is: on
    /// the interpolant, which errs less.
    pub(crate) fn project_sample(&mut self, t: &[f64; L], lanes: &Mask<L>) -> [Projection; L] {
        let buffers = &mut self.integrator.buffers;
        buffers.stage.copy_from_slice(&buffers.sample);
        let mut made = self.system.project(t, &mut buffers.sample, lanes);
        let moved = buffers.sample_displacement();
        for l in (0..L).filter(|&l| lanes[l]) {
            let (Projection::Moved { residual }
            | Projection::Unchanged { residual }
            | Projection::Failed { residual }) = made[l];
            let failed = matches!(made[l], Projection::Failed { .. });
            if failed || moved[l] > SINGLE || moved[l].is_nan() {
                let only = std::array::from_fn(|other| other == l);
                copy_lanes(&mut buffers.sample, &buffers.stage, &only);
                made[l] = Projection::Failed { residual };
            }
        }
        made
    }

    /// Whether `t` is the start or the end of the step, where the state needs no interpolation.
    pub(crate) fn is_end(&self, lane: usize, t: f64) -> bool {
        same_time(t, self.t_new(lane)) || same_time(t, self.t_old(lane))
    }

    /// Writes the state at time `t` to the lane of the sample.
    pub(crate) fn sample(&mut self, lane: usize, t: f64) {
        let mut sample = std::mem::take(&mut self.integrator.buffers.sample);
        self.write_at(lane, t, &mut sample, lane);
        self.integrator.buffers.sample = sample;
    }

    /// Writes the state at time `t` to one place of each of `out`.
    fn write_at<const M: usize>(
        &mut self,
        lane: usize,
        t: f64,
        out: &mut [[f64; M]],
        place: usize,
    ) {
        if self.is_end(lane, t) {
            let buffers = &self.integrator.buffers;
            let at_new = same_time(t, self.t_new(lane));
            let states = if at_new { &buffers.y_new } else { &buffers.y };
            for (out, y) in out.iter_mut().zip(states) {
                out[place] = y[lane];
            }
        } else {
            let theta = self.theta(lane, t);
            self.integrator.write_between((lane, theta), out, place);
        }
    }

    /// Position of `t` in the step, from 0 to 1; makes sure that the dense output is there.
    fn theta(&mut self, lane: usize, t: f64) -> f64 {
        if !self.dense_built {
            self.integrator.build_dense(self.system, &self.accepted);
            self.dense_built = true;
        }
        let extra = self.integrator.stepper.dense_evaluations();
        let lane_now = &mut self.integrator.lanes[lane];
        if !std::mem::replace(&mut self.dense_counted[lane], true) {
            lane_now.statistics.evaluations += extra;
        }
        (t - lane_now.t) / lane_now.h
    }

    /// System and scratch state, for samples.
    pub(crate) fn system_and_sample(&mut self) -> (&mut S, &mut [[f64; L]]) {
        (self.system, &mut self.integrator.buffers.sample)
    }
}
