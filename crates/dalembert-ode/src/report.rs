//! How a run ended, and what it cost.

use std::fmt;

/// How each lane of a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<const L: usize> {
    /// One entry per lane.
    pub lanes: [LaneReport; L],
}

/// How a lane ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneReport {
    /// Time of the last accepted state.
    pub t: f64,
    /// Why it went no further.
    pub end: End,
    /// What it cost.
    pub statistics: Statistics,
    /// Size that the next step would have had; a good first step for going on from here.
    pub next_step: f64,
}

/// Why a lane went no further.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// It reached the end that was asked for, exactly.
    Reached,
    /// The observer stopped it.
    Stopped,
    /// It could not be continued; the states up to the last accepted one are good.
    Failed(Failure),
}

/// Why a lane could not be continued.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The tolerance would need steps that no longer advance the time.
    StepTooSmall {
        /// Time of the last accepted state.
        t: f64,
        /// Size of the step that would be needed.
        h: f64,
    },
    /// The number of steps is used up.
    TooManySteps {
        /// Time of the last accepted state.
        t: f64,
        /// Number of steps, rejected ones included.
        steps: u64,
    },
    /// A derivative or state is infinite or not a number, however small the step.
    NonFinite {
        /// Time of the last accepted state.
        t: f64,
        /// Which value of the state or derivative.
        component: usize,
    },
    /// The system could not evaluate its derivative, however small the step.
    Undefined {
        /// Time of the last accepted state.
        t: f64,
    },
    /// The system could not project the state, however small the step.
    Projection {
        /// Time of the last accepted state.
        t: f64,
        /// Distance from the manifold that remained.
        residual: f64,
    },
    /// The system projects the state much farther than the step erred, however small the step: no motion leads on.
    Displaced {
        /// Time of the last accepted state.
        t: f64,
        /// Which value of the state is moved most.
        component: usize,
    },
    /// The start or the end of the time span is not finite.
    Span {
        /// Start of the span.
        start: f64,
        /// End of the span.
        end: f64,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::StepTooSmall { t, h } => {
                write!(
                    f,
                    "the tolerance needs a step of {h:e} at t = {t}, too small to advance the time"
                )
            }
            Failure::TooManySteps { t, steps } => {
                write!(f, "the limit of {steps} steps is reached at t = {t}")
            }
            Failure::NonFinite { t, component } => {
                write!(
                    f,
                    "value {component} of the state or its derivative is not finite after t = {t}"
                )
            }
            Failure::Undefined { t } => {
                write!(f, "the derivative is not defined after t = {t}")
            }
            Failure::Projection { t, residual } => {
                write!(
                    f,
                    "the constraints cannot be met after t = {t}: residual {residual:e} remains"
                )
            }
            Failure::Displaced { t, component } => {
                write!(
                    f,
                    "value {component} of the state would have to jump to stay on its manifold after t = {t}"
                )
            }
            Failure::Span { start, end } => {
                write!(f, "the time span from {start} to {end} is not finite")
            }
        }
    }
}

impl std::error::Error for Failure {}

/// What a lane cost. The numbers are those it would have alone, whatever its neighbours do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the derivative, those for dense output included.
    pub evaluations: u64,
    /// Derivatives of the derivative by the state, for implicit steps; what they cost is not in [`Self::evaluations`].
    pub jacobians: u64,
    /// Factorisations for implicit steps, each of a real and a complex matrix.
    pub factorisations: u64,
    /// Largest residual that a projection left after an accepted step.
    pub max_residual: f64,
}

impl<const L: usize> Report<L> {
    /// The first lane that failed, and why.
    pub fn failure(&self) -> Option<(usize, Failure)> {
        self.lanes
            .iter()
            .enumerate()
            .find_map(|(lane, report)| match report.end {
                End::Failed(failure) => Some((lane, failure)),
                End::Reached | End::Stopped => None,
            })
    }
}
