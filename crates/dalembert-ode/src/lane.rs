//! Time, step size and fate of one lane.

use crate::control::{
    Controller, FACTOR_AFTER_FAILURE, SMALLEST_REMEMBERED_ERROR, STRETCH_TO_END, smallest_step,
};
use crate::options::Options;
use crate::report::{End, Failure, LaneReport, Statistics};
use dalembert_linear::decide::COARSE;

/// Steps whose ends are moved too far, in a row: more of them only creep along a corner.
pub(crate) const MOST_DISPLACED: u32 = 60;

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
    /// Size of the first of the steps that were rejected for their error, until a step as long is accepted again.
    pub(crate) rejected_at: Option<f64>,
    /// How much the derivative differed within it.
    pub(crate) spread: f64,
    /// Whether the step under way is as short as the time allows, to cross a jump of the derivative.
    pub(crate) crosses_jump: bool,
    /// Where the last jump was crossed.
    jumped_at: Option<f64>,
    /// Size of the first of the steps whose ends were moved too far, and how many there were since, until a step as long is
    /// accepted again.
    displaced: Option<(f64, u32)>,
    /// Where it ended; none while it runs.
    pub(crate) outcome: Option<End>,
    pub(crate) statistics: Statistics,
}

/// Why a step is not accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rejection {
    Error(f64),
    NonFinite {
        component: usize,
    },
    Undefined,
    Projection {
        residual: f64,
    },
    Displaced {
        component: usize,
    },
    /// The equations of an implicit step are not solved; a step shorter by a factor may be.
    Slow {
        factor: f64,
    },
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
            rejected_at: None,
            spread: 0.0,
            crosses_jump: false,
            jumped_at: None,
            displaced: None,
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
        let smallest = smallest_step(self.t, self.span());
        let too_small = size.is_nan() || size < smallest;
        if too_small && (self.crosses_jump || !self.may_jump(smallest)) {
            self.fail_as_rejected(size);
            return false;
        }
        self.crosses_jump = too_small;
        self.h = if too_small { smallest } else { size } * self.direction();
        self.t_new = self.t + self.h;
        true
    }

    /// Whether a step as short as the time allows is tried, though its error is too large: not for ever.
    fn may_jump(&self, smallest: f64) -> bool {
        let by_error = matches!(self.rejected_for, Some(Rejection::Error(_)) | None);
        // Jumps that follow each other faster are no motion any more.
        let far = |t: f64| COARSE * (self.t - t).abs() > smallest;
        by_error && self.jumped_at.is_none_or(far)
    }

    pub(crate) fn accept(&mut self, controller: &Controller, error: f64) {
        self.statistics.steps += 1;
        let just_rejected = self.rejected_for.is_some();
        let factor = controller.after_accepted(error, self.error_before, just_rejected);
        self.proposal = self.h.abs() * factor;
        self.error_before = error;
        self.rejected_for = None;
        if self.displaced.is_some_and(|(h, _)| self.h.abs() >= h) {
            self.displaced = None;
        }
        if self.rejected_at.is_some_and(|h| self.h.abs() >= h) {
            self.rejected_at = None;
        }
        // A step so short may end before the jump.
        if std::mem::take(&mut self.crosses_jump) && (error > 1.0 || error.is_nan()) {
            (self.rejected_at, self.jumped_at) = (None, Some(self.t_new));
            self.error_before = SMALLEST_REMEMBERED_ERROR;
            self.proposal = self.h.abs() * controller.grow;
        }
    }

    pub(crate) fn reject(&mut self, controller: &Controller, options: &Options, why: Rejection) {
        self.statistics.rejected += 1;
        let factor = match why {
            Rejection::Error(error) => controller.after_rejected(error),
            Rejection::Slow { factor } => factor,
            _ => FACTOR_AFTER_FAILURE,
        };
        self.proposal = self.h.abs() * factor;
        self.rejected_for = Some(why);
        if let Rejection::Displaced { .. } = why {
            self.displaced.get_or_insert((self.h.abs(), 0)).1 += 1;
        }
        let pinned = self
            .displaced
            .is_some_and(|(_, count)| count > MOST_DISPLACED);
        if options.fixed_step.is_some() || pinned {
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
            Some(Rejection::Displaced { component }) => Failure::Displaced { t, component },
            Some(Rejection::Error(_) | Rejection::Slow { .. }) | None => {
                Failure::StepTooSmall { t, h }
            }
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
