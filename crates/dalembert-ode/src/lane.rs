//! Time, step size and fate of one lane.

use crate::control::{Controller, FACTOR_AFTER_FAILURE, SMALLEST_REMEMBERED_ERROR, smallest_step};
use crate::options::Options;
use crate::report::{End, Failure, LaneReport, Statistics};

/// If the end is nearer than this multiple of the step, the step is stretched to land on it.
const STRETCH_TO_END: f64 = 1.01;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    pub(crate) t: f64,
    /// Time at the end of the step under way.
    pub(crate) t_new: f64,
    /// The step under way, with its sign; zero in a lane that rests.
    pub(crate) h: f64,
    /// Size proposed for the next step, positive.
    pub(crate) proposal: f64,
    pub(crate) end: f64,
    start: f64,
    /// Error of the last accepted step.
    pub(crate) error_before: f64,
    /// Why the last step was rejected, if it was.
    rejected_for: Option<Rejection>,
    /// Where it ended; none while it runs.
    pub(crate) outcome: Option<End>,
    pub(crate) statistics: Statistics,
}

/// Why a step is not accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rejection {
    Error(f64),
    NonFinite { component: usize },
    Undefined,
    Projection { residual: f64 },
}

impl Lane {
    pub(crate) fn new(start: f64, end: f64) -> Lane {
        let outcome = if !(start.is_finite() && end.is_finite()) {
            Some(End::Failed(Failure::Span { start, end }))
        } else if same_time(start, end) {
            Some(End::Reached)
        } else {
            None
        };
        Lane {
            t: start,
            t_new: start,
            h: 0.0,
            proposal: 0.0,
            end,
            start,
            error_before: SMALLEST_REMEMBERED_ERROR,
            rejected_for: None,
            outcome,
            statistics: Statistics::default(),
        }
    }

    pub(crate) fn runs(&self) -> bool {
        self.outcome.is_none()
    }

    /// +1 or −1: the sign of the steps.
    pub(crate) fn direction(&self) -> f64 {
        if self.end >= self.start { 1.0 } else { -1.0 }
    }

    /// Length of the whole span.
    pub(crate) fn span(&self) -> f64 {
        (self.end - self.start).abs()
    }

    /// Prepares the next step; false if there is none.
    pub(crate) fn begin_step(&mut self, options: &Options) -> bool {
        self.h = 0.0;
        if !self.runs() {
            return false;
        }
        let tries = self.statistics.steps + self.statistics.rejected;
        if tries >= options.max_steps {
            self.fail(Failure::TooManySteps {
                t: self.t,
                steps: tries,
            });
            return false;
        }
        let size = options
            .fixed_step
            .unwrap_or(self.proposal)
            .min(options.max_step);
        let left = self.end - self.t;
        if size * STRETCH_TO_END >= left.abs() {
            self.h = left;
            self.t_new = self.end;
            return true;
        }
        if size.is_nan() || size < smallest_step(self.t, self.span()) {
            self.fail_as_rejected(size);
            return false;
        }
        self.h = size * self.direction();
        self.t_new = self.t + self.h;
        true
    }

    pub(crate) fn accept(&mut self, controller: &Controller, error: f64) {
        self.statistics.steps += 1;
        let just_rejected = self.rejected_for.is_some();
        let factor = controller.after_accepted(error, self.error_before, just_rejected);
        self.proposal = self.h.abs() * factor;
        self.error_before = error;
        self.rejected_for = None;
    }

    pub(crate) fn reject(&mut self, controller: &Controller, options: &Options, why: Rejection) {
        self.statistics.rejected += 1;
        let factor = match why {
            Rejection::Error(error) => controller.after_rejected(error),
            _ => FACTOR_AFTER_FAILURE,
        };
        self.proposal = self.h.abs() * factor;
        self.rejected_for = Some(why);
        if options.fixed_step.is_some() {
            self.fail_as_rejected(self.h.abs());
        }
    }

    /// Makes the end of the step the present.
    pub(crate) fn commit(&mut self) {
        self.t = self.t_new;
        // The last step does not compute its end: it takes it from the span.
        if self.runs() && same_time(self.t, self.end) {
            self.outcome = Some(End::Reached);
        }
    }

    pub(crate) fn stop(&mut self) {
        if self.runs() {
            self.outcome = Some(End::Stopped);
        }
    }

    pub(crate) fn fail(&mut self, failure: Failure) {
        self.outcome = Some(End::Failed(failure));
    }

    /// Gives up because steps of this size or larger were rejected.
    fn fail_as_rejected(&mut self, h: f64) {
        let t = self.t;
        self.fail(match self.rejected_for {
            Some(Rejection::NonFinite { component }) => Failure::NonFinite { t, component },
            Some(Rejection::Undefined) => Failure::Undefined { t },
            Some(Rejection::Projection { residual }) => Failure::Projection { t, residual },
            Some(Rejection::Error(_)) | None => Failure::StepTooSmall { t, h },
        });
    }

    pub(crate) fn report(&self) -> LaneReport {
        LaneReport {
            t: self.t,
            end: self.outcome.unwrap_or(End::Stopped),
            statistics: self.statistics,
            next_step: self.proposal,
        }
    }
}

/// Whether two finite times are equal to the bit, zeros of either sign being the same.
pub(crate) fn same_time(a: f64, b: f64) -> bool {
    a - b == 0.0
}
