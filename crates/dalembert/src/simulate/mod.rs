//! Simulation: from a start to a table of results.

mod change_points;
mod motion;
mod projection;
mod record;
mod reduced;
mod right_hand_side;
mod units;

pub use reduced::Reduction;
pub use right_hand_side::RightHandSide;

use crate::results::Table;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::start::Start;
use dalembert_mechanics::{Mechanism, NoMotion};
use dalembert_ode::{
    Absolute, End, Events, Failure, Integrator, LaneReport, Method, Options, OptionsError, Samples,
    Statistics, System,
};
use motion::MotionSystem;
use record::Recorder;
use std::ops::ControlFlow;
use std::time::Instant;

/// Most samples of a run: more would not fit memory.
const MAX_SAMPLES: f64 = 1e7;
/// Most slips that vanish in one run: more are a motion that comes to rest in ever shorter swings.
const MOST_LEGS: usize = 100_000;

/// Part of the span by which a run that fails looks ahead, whether its constraints can be met there.
const LATER: f64 = 1e-6;

/// What a run is asked for; `None` takes what the model says, and that failing a default.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Duration.
    pub span: Option<f64>,
    /// Number of samples, both ends included.
    pub samples: Option<usize>,
    /// Time between samples.
    pub step: Option<f64>,
    /// Relative tolerance.
    pub rtol: Option<f64>,
    /// Absolute tolerance.
    pub atol: Option<f64>,
    /// Integrator.
    pub method: Option<Method>,
    /// Where accelerations and reactions come from; multipliers if nothing is said.
    pub formulation: Option<Formulation>,
    /// Record accelerations, multipliers, reactions, powers, energy and residuals too.
    pub record_all: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At the end of the span.
    Done,
    /// The condition `until` became true.
    Until,
    /// The caller asked to stop.
    Interrupted,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Samples.
    pub table: Table,
    /// How it ended.
    pub outcome: Outcome,
    /// Time reached.
    pub t_end: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub rhs_evaluations: u64,
    /// Seconds spent integrating.
    pub wall_s: f64,
    /// Seconds spent on the program of the right-hand side.
    pub compile_s: f64,
    /// Name of the integrator.
    pub integrator: &'static str,
    /// Where accelerations and reactions came from.
    pub formulation: Formulation,
    /// The independent coordinates and speeds of a run by [`Formulation::Independent`].
    pub reduction: Option<Reduction>,
    /// Change points on the way: the time, and the row of the system that vanished for an instant.
    pub change_points: Vec<(f64, usize)>,
    /// Largest residual of position rows after projection.
    pub position_residual: f64,
    /// Largest residual at velocity level after projection.
    pub velocity_residual: f64,
    /// Energy at the start.
    pub energy_start: f64,
    /// Energy at the end.
    pub energy_end: f64,
    /// Work of all that is not the potential.
    pub work: f64,
    /// Coordinates at the end.
    pub coordinates: Vec<f64>,
    /// Rates at the end.
    pub rates: Vec<f64>,
}

impl Simulation {
    /// How far energy and work are from balance: E − E₀ − W.
    #[must_use]
    pub fn balance_error(&self) -> f64 {
        self.energy_end - self.energy_start - self.work
    }
}

/// Why there is no run.
#[derive(Clone, Debug)]
pub enum SimulateError {
    /// Nothing says how long to run.
    NoSpan,
    /// A number that makes no sense: its name, its value, what it should be.
    BadNumber(&'static str, f64, &'static str),
    /// The options contradict each other.
    Options(OptionsError),
    /// The integrator gave up; what was reached is kept.
    Failed {
        /// Why the integrator gave up.
        failure: Failure,
        /// Why the accelerations could not be found, if that was it.
        cause: Option<dalembert_mechanics::formulation::Failure>,
        /// Whether independent coordinates and speeds determine the others no longer.
        lost: bool,
        /// What there is.
        so_far: Box<Simulation>,
    },
    /// Friction holds a slip that has vanished, or it is not known how it goes on; what was reached is kept.
    Stuck {
        /// What stops it.
        cause: dalembert_mechanics::formulation::Failure,
        /// What there is.
        so_far: Box<Simulation>,
    },
    /// The motion at the start is not determined.
    NoMotion(NoMotion),
}

/// Runs a mechanism. `progress` hears the fraction done after each step, and may stop the run.
///
/// # Errors
/// See [`SimulateError`].
pub fn simulate(
    mechanism: &Mechanism,
    start: &Start,
    wanted: &RunOptions,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Simulation, SimulateError> {
    let plan = Plan::new(mechanism, wanted)?;
    let formulation = wanted.formulation.unwrap_or(Formulation::Multipliers);
    let recorder = Recorder::new(mechanism, wanted.record_all);
    let mut table = recorder.table(mechanism);
    let state = &start.state;
    let began = Instant::now();
    let mut system = MotionSystem::new(mechanism, state, formulation);
    let built_s = began.elapsed().as_secs_f64();
    mechanism
        .motion_by(formulation, state)
        .map_err(SimulateError::NoMotion)?;
    if formulation == Formulation::Independent && system.reduction().is_none() {
        let failure = dalembert_mechanics::formulation::Failure::TooLarge;
        return Err(SimulateError::NoMotion(NoMotion::Failure(failure)));
    }
    let y0 = system.start(state.t, &state.coordinates, &state.rates);
    system
        .set_out(state.t, &y0)
        .map_err(|failure| SimulateError::NoMotion(NoMotion::Failure(failure)))?;

    let n = state.coordinates.len();
    let mut atol = vec![plan.atol; system.size()];
    // The work only reports: it does not choose the steps.
    atol[2 * n] = f64::MAX / 1e10;
    let options = Options {
        method: plan.method,
        rtol: plan.rtol,
        atol: Absolute::Each(atol),
        ..Options::default()
    };
    let mut integrator =
        Integrator::<1>::new(system.size(), &options).map_err(SimulateError::Options)?;
    let times = plan.times(state.t);
    let t_end = state.t + plan.span;
    let mut samples = Samples::new([&times]).projected();
    let mut events = Events::new(1, system.size());
    let mut outcome = Outcome::Done;
    let until = mechanism.system.run.until;
    // A condition that is true from the beginning ends the run at once.
    let ended = until.is_some_and(|until| {
        let value = mechanism.values_at(&[until], state)[0];
        value > 0.0 || (value == 0.0 && mechanism.system.run.until_at_zero)
    });
    let energy_start = {
        system.set(state.t, &y0);
        system.energy()
    };
    let began = Instant::now();
    let mut legs = Legs::new(state.t, y0);
    let watched = system.slip_count();
    let mut slips = Events::new(watched, system.size());
    let (lane, stuck) = loop {
        // Slips are watched afresh on each leg: one that has just vanished is not a new event.
        slips.restart();
        let mut vanished = None;
        let report = integrator.run(
            &mut system,
            [legs.t],
            [if ended { state.t } else { t_end }],
            &legs.y,
            |step| {
                if watched > 0 {
                    let first = slips.locate(step, 0, MotionSystem::watch_slips).first();
                    vanished = first.copied();
                }
                let crossing = until.and_then(|until| {
                    let crossings = events.locate(step, 0, |system, t, y, g| {
                        g[0] = system.condition(mechanism, until, t, y)
                    });
                    crossings.first().map(|crossing| crossing.t)
                });
                if let Some(t) = crossing
                    && vanished.is_none_or(|slip| t <= slip.t)
                {
                    step.stop_at(0, t);
                    (outcome, vanished) = (Outcome::Until, None);
                } else if let Some(slip) = vanished {
                    step.stop_at(0, slip.t);
                }
                let t = step.t_new(0);
                let delivered = samples.deliver(step, |system, sample| {
                    system.set(sample.t[0], sample.y);
                    recorder.record(mechanism, system, sample.t[0], sample.y, &mut table);
                    ControlFlow::Continue(())
                });
                if delivered.is_break() {
                    return delivered;
                }
                let go_on = progress((t - state.t) / plan.span);
                if go_on.is_break() {
                    outcome = Outcome::Interrupted;
                }
                go_on
            },
        );
        let lane = legs.add(&report.lanes[0], integrator.state());
        let Some(slip) = vanished.filter(|_| outcome == Outcome::Done && lane.t < t_end) else {
            break (lane, None);
        };
        if let Err(cause) = system.turn(slip.event, lane.t, &legs.y) {
            break (lane, Some(cause));
        }
        if legs.count == MOST_LEGS {
            let (t, steps) = (lane.t, lane.statistics.steps);
            let end = End::Failed(Failure::TooManySteps { t, steps });
            break (LaneReport { end, ..lane }, None);
        }
    };
    let wall_s = began.elapsed().as_secs_f64() - system.native_s();
    if ended {
        outcome = Outcome::Until;
    }
    let y = legs.y;
    system.set(lane.t, &y);
    // The state that ended the run is worth a row, though no sample was due.
    let last = table.columns()[0].values.last();
    if outcome == Outcome::Until && last.is_none_or(|&last| last < lane.t) {
        recorder.record(mechanism, &mut system, lane.t, &y, &mut table);
        system.set(lane.t, &y);
    }
    let energy_end = system.energy();
    let (position_residual, velocity_residual) = system.largest_residuals();
    let simulation = Simulation {
        outcome,
        t_end: lane.t,
        steps: lane.statistics.steps,
        rejected: lane.statistics.rejected,
        rhs_evaluations: lane.statistics.evaluations,
        wall_s,
        compile_s: built_s + system.native_s(),
        integrator: method_name(plan.method),
        formulation,
        reduction: system.reduction(),
        change_points: system.change_points.passed(&mechanism.equations),
        position_residual: position_residual.max(start.position_residual),
        velocity_residual: velocity_residual.max(start.velocity_residual),
        energy_start,
        energy_end,
        work: y[2 * n][0],
        coordinates: y[..n].as_flattened().to_vec(),
        rates: system.rates().to_vec(),
        table,
    };
    if let Some(cause) = stuck {
        let so_far = Box::new(simulation);
        return Err(SimulateError::Stuck { cause, so_far });
    }
    match lane.end {
        End::Failed(failure) => Err(SimulateError::Failed {
            failure,
            cause: system.failure.take(),
            lost: system.is_lost(lane.t, &y, LATER * plan.span),
            so_far: Box::new(simulation),
        }),
        _ => Ok(simulation),
    }
}

/// A run in legs, from one slip that vanishes to the next.
struct Legs {
    t: f64,
    y: Vec<[f64; 1]>,
    count: usize,
    total: Statistics,
}

impl Legs {
    fn new(t: f64, y: Vec<[f64; 1]>) -> Self {
        Self {
            t,
            y,
            count: 0,
            total: Statistics::default(),
        }
    }

    /// Adds a leg that ends at a state; gives its report with what all legs have cost.
    fn add(&mut self, lane: &LaneReport, y: &[[f64; 1]]) -> LaneReport {
        self.count += 1;
        self.t = lane.t;
        self.y.copy_from_slice(y);
        self.total.steps += lane.statistics.steps;
        self.total.rejected += lane.statistics.rejected;
        self.total.evaluations += lane.statistics.evaluations;
        let statistics = self.total;
        LaneReport {
            statistics,
            ..*lane
        }
    }
}

/// The name of an integrator in options and reports.
#[must_use]
pub const fn method_name(method: Method) -> &'static str {
    match method {
        Method::DormandPrince5 => "dopri5",
        Method::DormandPrince8 => "dop853",
    }
}

/// The integrator of a name; `auto` is the one of higher order.
#[must_use]
pub fn method_named(name: &str) -> Option<Method> {
    match name {
        "auto" | "dop853" => Some(Method::DormandPrince8),
        "dopri5" => Some(Method::DormandPrince5),
        _ => None,
    }
}

/// Numbers of a run.
struct Plan {
    span: f64,
    sampling: Sampling,
    rtol: f64,
    atol: f64,
    method: Method,
}

enum Sampling {
    Count(usize),
    Step(f64),
}

impl Plan {
    fn new(mechanism: &Mechanism, wanted: &RunOptions) -> Result<Self, SimulateError> {
        let run = &mechanism.system.run;
        let value = |option: Option<f64>, expression: Option<dalembert_expr::ExprId>| {
            option.or_else(|| expression.map(|expression| mechanism.run_value(expression)))
        };
        let span = value(wanted.span, run.span).ok_or(SimulateError::NoSpan)?;
        let positive = |name, number: f64| match number.is_finite() && number > 0.0 {
            true => Ok(number),
            false => Err(SimulateError::BadNumber(name, number, "positive")),
        };
        let span = positive("span", span)?;
        let rtol = positive("rtol", value(wanted.rtol, run.rtol).unwrap_or(1e-9))?;
        let atol = value(wanted.atol, run.atol).unwrap_or(rtol * 1e-3);
        let atol = positive("atol", atol)?;
        let sampling = if let Some(step) = wanted.step {
            Sampling::Step(positive("step", step)?)
        } else if let Some(samples) = wanted.samples {
            Sampling::Count(samples)
        } else if let Some(step) = run.step {
            Sampling::Step(positive("step", mechanism.run_value(step))?)
        } else {
            let count = run
                .samples
                .map_or(1001.0, |samples| mechanism.run_value(samples));
            if count < 2.0 || count.fract() != 0.0 || count > MAX_SAMPLES {
                return Err(SimulateError::BadNumber(
                    "samples",
                    count,
                    "a whole number from 2",
                ));
            }
            Sampling::Count(count as usize)
        };
        if let Sampling::Step(step) = sampling
            && span / step > MAX_SAMPLES
        {
            return Err(SimulateError::BadNumber(
                "step",
                step,
                "larger: this asks for over ten million samples",
            ));
        }
        let named = mechanism
            .model
            .run
            .integrator
            .as_ref()
            .and_then(|name| method_named(&name.text));
        let method = wanted.method.or(named).unwrap_or(Method::DormandPrince8);
        Ok(Self {
            span,
            sampling,
            rtol,
            atol,
            method,
        })
    }

    /// Sample times; the last is the end of the span exactly.
    fn times(&self, from: f64) -> Vec<f64> {
        let count = match self.sampling {
            Sampling::Count(count) => count.max(2),
            Sampling::Step(step) => (self.span / step * (1.0 + 1e-12)).floor() as usize + 1,
        };
        let time = |i: usize| match self.sampling {
            Sampling::Count(count) => from + self.span * i as f64 / (count.max(2) - 1) as f64,
            Sampling::Step(step) => (from + step * i as f64).min(from + self.span),
        };
        (0..count).map(time).collect()
    }
}
