//! The loop: try a step in all lanes, judge each lane, project, observe, go on.
//!
//! All lanes take their steps together, each with its own time and step size. A lane that is rejected tries
//! again in the next round, while its neighbours go on; a lane that has ended rests. Nothing that a lane
//! does enters another.

mod step;

pub use step::Step;

use crate::buffers::Buffers;
use crate::control::{first_step, trial_step};
use crate::kernels::finite_lanes;
use crate::lane::{Lane, Rejection};
use crate::options::{Control, Options, OptionsError};
use crate::report::{Failure, Report};
use crate::stepper::Stepper;
use crate::system::{Evaluation, Mask, Projection, System};
use dalembert_linear::decide::{CLEAR, COARSE, MOST_OF_STEP, SAME_JUMP, SINGLE};
use std::ops::ControlFlow;

/// Whether a projection moves the end of a step by more than the step errs, given that and what the step moves by.
fn is_jump([moved, by_step]: [f64; 2]) -> bool {
    moved > SINGLE || (moved > COARSE && moved > MOST_OF_STEP * by_step)
}

fn is_moved(projection: &Projection) -> bool {
    matches!(projection, Projection::Moved { .. })
}

/// An integrator for states of a given size in L lanes, with all the memory that it needs.
#[derive(Clone, Debug)]
pub struct Integrator<const L: usize> {
    pub(crate) stepper: Stepper,
    options: Options,
    control: Control,
    /// Length of the next first step, once.
    handed_step: Option<f64>,
    pub(crate) buffers: Buffers<L>,
    pub(crate) lanes: [Lane; L],
}

impl<const L: usize> Integrator<L> {
    /// An integrator for states of `size` values.
    ///
    /// # Errors
    /// If an option makes no sense.
    pub fn new(size: usize, options: &Options) -> Result<Self, OptionsError> {
        let stepper = Stepper::new(options.method, size);
        let control = options.control(size)?;
        if L != 1 && matches!(stepper, Stepper::Radau(_)) {
            return Err(OptionsError::Lanes(options.method));
        }
        let (stages, rows) = (stepper.stages(), stepper.dense_rows());
        Ok(Integrator {
            stepper,
            options: options.clone(),
            handed_step: None,
            buffers: Buffers::new(size, stages, rows, control.groups()),
            control,
            lanes: [Lane::new(0.0, 0.0); L],
        })
    }

    /// Integrates from `y0` at the times `t0` to the times `t_end`, which may lie before `t0`.
    ///
    /// `observe` is called first with a step of zero length at the start, then after each round in which a
    /// lane accepted a step. Breaking ends all lanes after that step; [`Step::stop`] ends one.
    ///
    /// The start is taken as it is, not projected. No memory is allocated.
    ///
    /// # Panics
    /// If `y0` or the system has another size than the integrator.
    pub fn run<S: System<L>>(
        &mut self,
        system: &mut S,
        t0: [f64; L],
        t_end: [f64; L],
        y0: &[[f64; L]],
        observe: impl FnMut(&mut Step<'_, S, L>) -> ControlFlow<()>,
    ) -> Report<L> {
        self.buffers.forget();
        self.go_on(system, t0, t_end, y0, observe)
    }

    /// As [`Self::run`], for a run that goes on where another ended: what the values have been so far still counts where
    /// scales are measured.
    ///
    /// # Panics
    /// If `y0` or the system has another size than the integrator.
    pub fn go_on<S: System<L>>(
        &mut self,
        system: &mut S,
        t0: [f64; L],
        t_end: [f64; L],
        y0: &[[f64; L]],
        mut observe: impl FnMut(&mut Step<'_, S, L>) -> ControlFlow<()>,
    ) -> Report<L> {
        let size = self.buffers.size();
        assert_eq!(
            y0.len(),
            size,
            "size of the start state and of the integrator"
        );
        assert_eq!(
            system.size(),
            size,
            "size of the system and of the integrator"
        );
        self.start(system, t0, t_end, y0);
        let mut accepted = [true; L];
        loop {
            if accepted.contains(&true) {
                let flow = observe(&mut Step::new(system, self, accepted));
                self.commit(&accepted);
                if flow.is_break() {
                    self.lanes.iter_mut().for_each(Lane::stop);
                }
            }
            if !self.lanes.iter().any(Lane::runs) {
                break;
            }
            accepted = self.try_step(system);
        }
        if let Stepper::Radau(radau) = &self.stepper {
            let statistics = &mut self.lanes[0].statistics;
            statistics.jacobians = radau.jacobians;
            statistics.factorisations = radau.factorisations;
        }
        Report {
            lanes: self.lanes.each_ref().map(Lane::report),
        }
    }

    /// Takes over from another integrator of the same system, which ended where this one goes on: what values have been there still
    /// counts where scales are measured. Its first step may be given.
    ///
    /// # Panics
    /// If the other is for states of another size.
    pub fn take_over(&mut self, other: &Self, first_step: Option<f64>) {
        self.buffers.remember_from(&other.buffers);
        self.handed_step = first_step;
    }

    /// Gives the length of the next first step, once: a run that goes on where something happened need not look for it.
    pub fn hand_step(&mut self, first_step: f64) {
        self.handed_step = Some(first_step);
    }

    /// The last accepted state of each lane, n values.
    pub fn state(&self) -> &[[f64; L]] {
        &self.buffers.y
    }

    /// Puts the start where the end of a step would be, and chooses the first step.
    fn start<S: System<L>>(
        &mut self,
        system: &mut S,
        t0: [f64; L],
        t_end: [f64; L],
        y0: &[[f64; L]],
    ) {
        let last = self.stepper.last();
        self.lanes = std::array::from_fn(|l| Lane::new(t0[l], t_end[l]));
        self.stepper.forget();
        self.buffers.y.copy_from_slice(y0);
        self.buffers.y_new.copy_from_slice(y0);
        self.buffers.k.fill([0.0; L]);
        self.buffers.remember();
        let mut now = self.evaluation(t0, self.running());
        self.buffers.evaluate_end(system, last, &mut now);
        self.count(&now.active, 1);
        let finite = finite_lanes(self.buffers.k(last));
        let start_finite = finite_lanes(y0);
        for l in (0..L).filter(|&l| now.active[l]) {
            if now.failed[l] {
                self.lanes[l].fail(Failure::Undefined { t: t0[l] });
            } else if !(finite[l] && start_finite[l]) {
                let component = self.buffers.first_non_finite(l, last).unwrap_or(0);
                self.lanes[l].fail(Failure::NonFinite {
                    t: t0[l],
                    component,
                });
            }
        }
        match self.handed_step.take().or(self.options.first_step) {
            _ if self.options.fixed_step.is_some() => {}
            Some(h) => self.lanes.iter_mut().for_each(|lane| lane.proposal = h),
            None => self.choose_first_step(system),
        }
    }

    /// Hairer's choice: from the sizes of y and f, and from the change of f over a small Euler step.
    fn choose_first_step<S: System<L>>(&mut self, system: &mut S) {
        let last = self.stepper.last();
        let limit = self
            .lanes
            .each_ref()
            .map(|lane| lane.span().min(self.options.max_step));
        let (y, f) = self
            .buffers
            .start_norms(last, &self.control, self.options.rtol);
        let trial: [f64; L] = std::array::from_fn(|l| trial_step(y[l], f[l], limit[l]));
        let h = std::array::from_fn(|l| trial[l] * self.lanes[l].direction());
        let t = std::array::from_fn(|l| self.lanes[l].t + h[l]);
        let mut now = self.evaluation(t, self.running());
        self.buffers.euler_step(last, &h);
        self.buffers.evaluate_stage(system, 0, &mut now);
        self.count(&now.active, 1);
        let change = self.buffers.start_change(last);
        for l in (0..L).filter(|&l| now.active[l]) {
            let change = if now.failed[l] { f64::NAN } else { change[l] };
            let order = self.stepper.controller().order;
            self.lanes[l].proposal = first_step(trial[l], (y[l], f[l], change), order, limit[l]);
        }
    }

    /// Tries one step in each lane that runs; returns the lanes in which it is accepted.
    fn try_step<S: System<L>>(&mut self, system: &mut S) -> Mask<L> {
        let last = self.stepper.last();
        let active: Mask<L> = std::array::from_fn(|l| self.lanes[l].begin_step(&self.options));
        if !active.contains(&true) {
            return active;
        }
        let t = self.lanes.each_ref().map(|lane| lane.t);
        let h = self.lanes.each_ref().map(|lane| lane.h);
        let mut now = self.evaluation(t, active);
        if matches!(self.stepper, Stepper::Radau(_)) {
            // Its equations are solved as well as the tolerance at the start asks for.
            self.buffers.stay();
            self.buffers
                .measure_step(&h, &self.control, self.options.rtol);
            if self.buffers.lacks_scales() {
                self.buffers.look_ahead(system, &h, &mut now);
                self.buffers
                    .measure_step(&h, &self.control, self.options.rtol);
                self.count(&active, 1);
            }
        }
        let (buffers, rtol) = (&mut self.buffers, self.options.rtol);
        let tried = self
            .stepper
            .attempt(system, buffers, (&t, &h), rtol, &mut now);
        let evaluations = self.stepper.take_evaluations();
        self.count(&active, evaluations);
        if let Err(why) = tried {
            let mut passed = active;
            self.reject(0, why, &mut passed);
            return passed;
        }

        let adaptive = self.options.fixed_step.is_none();
        let end_known = adaptive && self.stepper.knows_end();
        now.t = self.lanes.each_ref().map(|lane| lane.t_new);
        if end_known {
            self.buffers.evaluate_end(system, last, &mut now);
            self.count(&active, 1);
        }
        let mut error = [0.0; L];
        if adaptive {
            self.buffers
                .measure_step(&h, &self.control, self.options.rtol);
            error = self.stepper.error(&mut self.buffers, &h);
            let missed = std::array::from_fn(|l| active[l] && error[l] > 1.0);
            if missed.contains(&true) && self.is_measured() {
                self.buffers.allow_rounding(system, (&t, &h), &missed);
                error = self.stepper.error(&mut self.buffers, &h);
            }
        }
        let mut passed = self.judge(&active, &now.failed, &error, last);
        let (stale, projected) = self.project(system, &mut passed, end_known);
        self.evaluate_projected(system, &mut passed, &stale, &projected);
        for l in (0..L).filter(|&l| passed[l]) {
            self.lanes[l].accept(self.stepper.controller(), error[l]);
        }
        if passed[0]
            && let Stepper::Radau(radau) = &mut self.stepper
        {
            self.lanes[0].proposal = radau.accept(self.lanes[0].h, error[0]);
        }
        passed
    }

    /// Whether errors are measured by the motion: those that rounding explains are none then. A tolerance that was given is kept
    /// to the letter.
    fn is_measured(&self) -> bool {
        matches!(self.control, Control::Measured(_))
    }

    /// Rejects the lanes that were not evaluated or miss the tolerance; returns the others.
    fn judge(
        &mut self,
        active: &Mask<L>,
        failed: &Mask<L>,
        error: &[f64; L],
        last: usize,
    ) -> Mask<L> {
        let finite = finite_lanes(&self.buffers.y_new);
        let mut passed = *active;
        for l in (0..L).filter(|&l| active[l]) {
            let why = if failed[l] {
                Rejection::Undefined
            } else if !(finite[l] && error[l].is_finite()) {
                self.non_finite(l, last - 1)
            } else if error[l] > 1.0 {
                Rejection::Error(error[l])
            } else {
                continue;
            };
            if let Rejection::Error(_) = why {
                if self.lanes[l].crosses_jump && self.is_jump(l) {
                    continue;
                }
                self.remember_jump(l);
            }
            self.reject(l, why, &mut passed);
        }
        passed
    }

    /// Keeps how much the derivative differs within steps that are rejected, the longest of a row of them.
    fn remember_jump(&mut self, lane: usize) {
        let seen = self.seen();
        let here = &mut self.lanes[lane];
        match here.rejected_at {
            None => {
                here.rejected_at = Some(here.h.abs());
                self.buffers.remember_scales(lane);
                here.spread = self.buffers.spread(lane, seen);
            }
            Some(h) if here.h.abs() > COARSE * h => {
                here.spread = here.spread.max(self.buffers.spread(lane, seen));
            }
            Some(_) => {}
        }
    }

    /// Whether the derivative jumps within the step, which is as short as the time allows: it differs as much in a
    /// step a million times as long, while near a pole it would differ the more the shorter the step is.
    fn is_jump(&self, lane: usize) -> bool {
        let here = &self.lanes[lane];
        let long = here.rejected_at.is_some_and(|h| here.h.abs() < CLEAR * h);
        long && self.buffers.spread(lane, self.seen()) <= SAME_JUMP * here.spread
    }

    /// Number of stages that are known when a step is judged.
    fn seen(&self) -> usize {
        self.stepper.last() + usize::from(self.stepper.knows_end())
    }

    /// Projects the ends of the steps that passed; returns the lanes whose derivative there is not known, and those of which the
    /// system was asked nothing since.
    fn project<S: System<L>>(
        &mut self,
        system: &mut S,
        passed: &mut Mask<L>,
        end_known: bool,
    ) -> (Mask<L>, Mask<L>) {
        if !passed.contains(&true) {
            return (*passed, *passed);
        }
        let t_new = self.lanes.each_ref().map(|lane| lane.t_new);
        self.buffers.stage.copy_from_slice(&self.buffers.y_new);
        let projections = system.project(&t_new, &mut self.buffers.y_new, passed);
        let adaptive = self.options.fixed_step.is_none();
        let (mut moved, mut projected) = ([[0.0; 2]; L], [true; L]);
        if projections.iter().any(is_moved) && adaptive {
            moved = self.buffers.displacement();
            let far = std::array::from_fn(|l| passed[l] && is_jump(moved[l]));
            if far.contains(&true) && self.is_measured() {
                let t = self.lanes.each_ref().map(|lane| lane.t);
                let h = self.lanes.each_ref().map(|lane| lane.h);
                self.buffers.allow_rounding(system, (&t, &h), &far);
                moved = self.buffers.displacement();
                projected = far.map(|asked: bool| !asked);
            }
        }
        let mut stale = [false; L];
        for l in 0..L {
            if !passed[l] {
                continue;
            }
            let residual = match projections[l] {
                Projection::Unchanged { residual } => {
                    stale[l] = !end_known;
                    residual
                }
                // A projection takes back what the step erred by. What is more than that is no error but another motion.
                Projection::Moved { .. } if is_jump(moved[l]) && !self.lanes[l].crosses_jump => {
                    let component = self.buffers.farthest(l);
                    self.reject(l, Rejection::Displaced { component }, passed);
                    continue;
                }
                Projection::Moved { residual } => {
                    stale[l] = true;
                    residual
                }
                Projection::Failed { residual } => {
                    self.reject(l, Rejection::Projection { residual }, passed);
                    continue;
                }
            };
            let statistics = &mut self.lanes[l].statistics;
            statistics.max_residual = statistics.max_residual.max(residual);
        }
        (stale, projected)
    }

    /// Evaluates the derivative at the ends of the steps where it is not known, and rejects the lanes that
    /// cannot start a step from there.
    fn evaluate_projected<S: System<L>>(
        &mut self,
        system: &mut S,
        passed: &mut Mask<L>,
        stale: &Mask<L>,
        projected: &Mask<L>,
    ) {
        let last = self.stepper.last();
        let mut now = self.evaluation(self.lanes.each_ref().map(|lane| lane.t_new), *stale);
        if stale.contains(&true) {
            now.projected = std::array::from_fn(|l| passed[l] && projected[l]);
            self.buffers.evaluate_end(system, last, &mut now);
            self.count(stale, 1);
        }
        let finite = finite_lanes(self.buffers.k(last));
        for l in 0..L {
            if passed[l] && stale[l] && now.failed[l] {
                self.reject(l, Rejection::Undefined, passed);
            } else if passed[l] && !finite[l] {
                let why = self.non_finite(l, last);
                self.reject(l, why, passed);
            }
        }
    }

    fn non_finite(&self, lane: usize, last: usize) -> Rejection {
        match self.buffers.first_non_finite(lane, last) {
            Some(component) => Rejection::NonFinite { component },
            // Finite numbers whose squares are not: the error is merely large.
            None => Rejection::Error(f64::MAX),
        }
    }

    fn reject(&mut self, lane: usize, why: Rejection, passed: &mut Mask<L>) {
        self.lanes[lane].reject(self.stepper.controller(), &self.options, why);
        if let Stepper::Radau(radau) = &mut self.stepper {
            radau.reject();
        }
        passed[lane] = false;
    }

    fn commit(&mut self, accepted: &Mask<L>) {
        self.buffers.commit(self.stepper.last(), accepted);
        for l in (0..L).filter(|&l| accepted[l]) {
            self.lanes[l].commit();
        }
    }

    fn running(&self) -> Mask<L> {
        self.lanes.each_ref().map(Lane::runs)
    }

    pub(crate) fn evaluation(&self, t: [f64; L], active: Mask<L>) -> Evaluation<L> {
        Evaluation {
            t,
            active,
            projected: [false; L],
            failed: [false; L],
        }
    }

    fn count(&mut self, lanes: &Mask<L>, evaluations: u64) {
        for l in (0..L).filter(|&l| lanes[l]) {
            self.lanes[l].statistics.evaluations += evaluations;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Absolute;
    use crate::{Method, function};

    /// Error of one step of size h of a pendulum, as estimated.
    fn estimated_error(method: Method, h: f64) -> f64 {
        let mut system = function(2, |_t, y: &[[f64; 1]], dy| {
            dy[0] = y[1];
            dy[1] = [-y[0][0].sin()];
        });
        let (rtol, atol) = (0.0, Absolute::All(1.0));
        let options = Options {
            method,
            rtol,
            atol,
            first_step: Some(h),
            ..Options::default()
        };
        let mut integrator = Integrator::new(2, &options).unwrap();
        integrator.start(&mut system, [0.0], [10.0], &[[1.0], [0.5]]);
        integrator.commit(&[true]);
        assert_eq!(integrator.try_step(&mut system), [true]);
        integrator.lanes[0].error_before
    }

    #[test]
    fn the_estimated_error_falls_with_the_order_of_the_controller() {
        for (method, h) in [
            (Method::DormandPrince5, 0.02),
            (Method::DormandPrince8, 0.1),
            (Method::Radau5, 0.05),
        ] {
            let order = (estimated_error(method, h) / estimated_error(method, h / 2.0)).log2();
            let expected = Stepper::new(method, 2).controller().order;
            assert!((order - expected).abs() < 0.2, "{method:?}: {order}");
        }
    }
}
