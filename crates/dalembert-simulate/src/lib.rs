//! Simulation: from a start to a table of results.

mod balance;
mod batch;
mod bounds;
mod carried;
mod change_point;
mod chart;
mod chebyshev;
mod columns;
mod coupling;
mod crossing;
mod enclosure;
mod gauges;
mod hybrid;
mod integrators;
mod kinks;
mod ledger;
mod legs;
mod look;
mod motion;
mod observed;
mod observer;
mod of_time;
mod passages;
mod plan;
mod pulses;
mod rank;
mod record;
mod reduced;
mod redundancy;
mod right_hand_side;
mod rounding;
mod run;
mod scales;
mod stepping;
mod still;
mod switches;
mod trail;
mod valueless;

pub use batch::{Batch, Done, Ended, Variants, Worker, run_many};
pub use carried::{
    CarriedEvent, CarriedEvents, CarriedFriction, CarriedGiven, CarriedLaws, CarriedNeed,
    CarriedNumbers, CarriedOf, CarriedPart, CarriedPrograms, CarriedRun, CarriedStart,
    MOST_CARRIED, MustBe, NotCarried, Written, carried, given_at_start, literal_parameters,
};
pub use change_point::ChangePoint;
pub use gauges::Gauged;
pub use hybrid::{ContactNotes, Happened, Happening, Watched};
pub use integrators::ChangedIntegrator;
pub use ledger::Imbalance;
pub use record::{CarriedRecords, Source, Undetermined};
pub use reduced::Reduction;
pub use right_hand_side::RightHandSide;
pub use stepping::{NotStepped, Stepping, nearest, step_by_run};
pub use trail::Trail;
pub use valueless::Valueless;

use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::ids::ConstraintId;
use dalembert_mechanics::lower::{Rough, RowId};
use dalembert_mechanics::reactions::{Dependences, Unbalanced};
use dalembert_mechanics::start::Start;
use dalembert_mechanics::{Mechanism, Mode, NoMotion};
use dalembert_ode::{Failure, Method, OptionsError};
use dalembert_results::Table;
use motion::Programs;
use plan::Plan;
use run::Run;
use std::ops::ControlFlow;
use std::time::Instant;

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
    /// Absolute tolerance; if nothing is said, errors are relative to what the motion has reached.
    pub atol: Option<f64>,
    /// Longest step of the integrator.
    pub max_step: Option<f64>,
    /// Largest number of steps, rejected ones included.
    pub max_steps: Option<u64>,
    /// Integrator: one, or (inside) whichever pays.
    pub method: Option<Option<Method>>,
    /// Where accelerations and reactions come from; multipliers if nothing is said.
    pub formulation: Option<Formulation>,
    /// Record accelerations, multipliers, reactions, powers, energy and residuals too.
    pub record_all: bool,
    /// Keep the state at every time, not only at those of the samples: see [`Simulation::trail`].
    pub dense: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// At the end of the span.
    Done,
    /// The condition `until` became true.
    Until,
    /// An event ended it.
    Event(usize),
    /// An event has happened ever faster, and infinitely often: what its impacts bounced rests, and of other events nothing says how the motion goes on.
    Rest {
        /// Which event.
        event: usize,
        /// Time from the last that was found to the end of all.
        left: f64,
    },
    /// The caller asked to stop.
    Interrupted,
    /// An error ended it on its way: see [`SimulateError::Stopped`].
    Stopped,
}

/// A run: finished, or as far as it came.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Samples.
    pub table: Table,
    /// The state at every time, if it was asked for.
    pub trail: Option<Trail>,
    /// What it was reduced to, if that was asked for.
    pub gauged: Option<Gauged>,
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
    /// Seconds spent integrating and recording: all of the run but for its programs.
    pub wall_s: f64,
    /// Seconds spent on the programs of the run.
    pub compile_s: f64,
    /// Derivatives of the right-hand side by the state, for implicit steps.
    pub jacobians: u64,
    /// Factorisations for implicit steps.
    pub factorisations: u64,
    /// Whether the right-hand side was compiled to native code, and the way back to the rows where that is a program.
    pub native: bool,
    /// Name of the integrator, the last where there were several.
    pub integrator: &'static str,
    /// Changes of the integrator on the way.
    pub switched: Vec<ChangedIntegrator>,
    /// Where accelerations and reactions came from.
    pub formulation: Formulation,
    /// The independent coordinates and speeds of a run by [`Formulation::Independent`].
    pub reduction: Option<Reduction>,
    /// Samples at which the motion was not determined, so that what needs it is no number: how many, and the first of them
    /// with its reason.
    pub undetermined: Option<(usize, f64, Undetermined)>,
    /// Recorded expressions that have no value at some samples.
    pub valueless: Vec<Valueless>,
    /// The first of conditions, gaps and kinks that changed too fast to be followed through a step, and when: it may have been true in between.
    pub unfollowed: Option<(f64, Watched)>,
    /// The first time about which a function of time may have a peak so narrow that no step saw it: its parts cancel, and its bounds do not tell.
    pub unclear: Option<f64>,
    /// How rows depended on each other where multipliers were asked for: these have no numbers, because they are not unique.
    pub not_unique: Option<Dependences>,
    /// Slips that friction held or let go on the way, and those that turned.
    pub slips: Vec<SlipChange>,
    /// Slips that vanished at once and were decided, where that there is no other motion is not established.
    pub doubtful_slips: Vec<Rough>,
    /// The first time at which friction was, or was pressed by, one of many forces, and whose.
    pub shared_slips: Option<(f64, Vec<Rough>)>,
    /// Change points on the way.
    pub change_points: Vec<ChangePoint>,
    /// Events that happened, in order.
    pub happened: Vec<Happened>,
    /// What should be known of contacts.
    pub contacts: ContactNotes,
    /// Rows of the system that nearly depend on each other at the end, and did not on the way, where that stopped the run.
    pub dependent: Vec<usize>,
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
    /// What holds at the end.
    pub mode: Mode,
}

/// A slip that is held, or slides, from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipChange {
    /// When.
    pub t: f64,
    /// Whose it is.
    pub of: Rough,
    /// Whether friction holds it from there on.
    pub held: bool,
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
    /// A formulation that computes with full matrices, for a model of so many coordinates and rows.
    TooLargeFor(Formulation, usize),
    /// The run stopped on its way; what was reached, and can be relied on, is kept.
    Stopped {
        /// What stopped it.
        why: Stop,
        /// What there is.
        so_far: Box<Simulation>,
    },
    /// The motion at the start is not determined.
    NoMotion(NoMotion),
}

/// What stops a run.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The integrator gave up.
    Integrator {
        /// Why the integrator gave up.
        failure: Failure,
        /// Why the accelerations could not be found, if that was it.
        cause: Option<dalembert_mechanics::formulation::Failure>,
        /// Whether independent coordinates and speeds determine the others no longer.
        lost: bool,
        /// Whether rows nearly depend on each other there that do not elsewhere.
        change_point: bool,
    },
    /// A slip has vanished, or friction holds one no longer, and it is not known how it goes on.
    Stuck(dalembert_mechanics::formulation::Failure),
    /// Energy and work do not balance.
    OutOfBalance(Imbalance),
    /// Rows lost their rank at this time, and the motion after it is not the one that arrived there.
    LostBranch(f64),
    /// Rows lose their rank at this time, and what leads on is not known.
    Unclear(f64),
    /// Rows come so near to losing their rank that rates which follow from them are not known as well as the tolerance asks for.
    Narrow {
        /// When.
        t: f64,
        /// Part to which rates are known.
        known: f64,
    },
    /// A condition is no number at a time.
    UndefinedCondition {
        /// That of an event; of `until` if of none.
        event: Option<usize>,
        /// When.
        t: f64,
    },
    /// The gap of a contact is no number at a time.
    UndefinedGap {
        /// The contact.
        contact: usize,
        /// When.
        t: f64,
    },
    /// An event cannot happen: something in it is no number.
    SenselessEvent {
        /// Its name.
        name: String,
        /// When.
        t: f64,
    },
    /// What an event sets does not meet a row.
    Unset {
        /// Its name.
        name: String,
        /// When.
        t: f64,
        /// The row.
        row: RowId,
        /// By how much it is missed.
        by: f64,
    },
    /// A constraint is engaged where it is not met.
    NotMet {
        /// The event.
        name: String,
        /// When.
        t: f64,
        /// A row of the constraint.
        row: RowId,
        /// By how much it is missed.
        by: f64,
    },
    /// Forces on a free body do not balance: reactions, given forces and inertia.
    Unbalanced {
        /// When.
        t: f64,
        /// What they act on.
        found: Unbalanced,
    },
    /// An event leaves a joint the other way round than it is defined.
    Reversed {
        /// The event.
        name: String,
        /// When.
        t: f64,
        /// The constraint of the joint.
        joint: ConstraintId,
    },
    /// A blow is not determined.
    NoBlow {
        /// The event.
        name: String,
        /// When.
        t: f64,
        /// Why.
        why: dalembert_mechanics::impulse::NoBlow,
    },
    /// A coefficient of restitution is none.
    Restitution {
        /// The event.
        name: String,
        /// When.
        t: f64,
        /// What it is.
        value: f64,
    },
    /// This event has happened too often.
    TooManyEvents(usize),
    /// It is not known what contacts do.
    NoContact {
        /// When.
        t: f64,
        /// Why.
        why: dalembert_mechanics::contacts::NoContact,
    },
    /// A contact is penetrated.
    Penetrated {
        /// When.
        t: f64,
        /// Which.
        contact: usize,
        /// Its gap.
        gap: f64,
    },
    /// Contacts open and close without end at one instant.
    RestlessContacts {
        /// When.
        t: f64,
        /// Which did so last.
        contacts: Vec<usize>,
    },
    /// A force jumps to and fro at this time, and drives the motion back from both sides of the jump.
    ToAndFro(f64),
    /// No positions meet the rows after the end.
    Unmet,
}

/// Runs a mechanism. `progress` hears the fraction done after each step, and may stop the run.
///
/// # Errors
/// See [`SimulateError`].
pub fn simulate(
    mechanism: &Mechanism,
    start: &Start,
    wanted: &RunOptions,
    progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Simulation, SimulateError> {
    simulate_by(mechanism, start, wanted, &mut None, progress)
}

/// The same with programs that were made for other values of the parameters, if there are any; they are given back, unless the run could not begin.
fn simulate_by(
    mechanism: &Mechanism,
    start: &Start,
    wanted: &RunOptions,
    programs: &mut Option<Programs>,
    progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Simulation, SimulateError> {
    let began = Instant::now();
    let plan = Plan::new(mechanism, wanted)?;
    let times = plan.times(start.state.t);
    let by = (wanted, programs.take());
    let keeps = by.1.is_some();
    let mut run = Run::new(mechanism, start, by, (&plan, &times), progress)?;
    let built_s = began.elapsed().as_secs_f64();
    let ended = run.go()?;
    let stop = run.verdict(ended.end);
    let (mut simulation, used) = run.finish(ended.statistics, stop.as_ref());
    *programs = Some(used).filter(|_| keeps);
    simulation.compile_s += built_s;
    simulation.wall_s = began.elapsed().as_secs_f64() - simulation.compile_s;
    match stop {
        Some(why) => Err(SimulateError::Stopped {
            why,
            so_far: Box::new(simulation),
        }),
        None => Ok(simulation),
    }
}

/// The name of an integrator in options and reports.
#[must_use]
pub const fn method_name(method: Method) -> &'static str {
    match method {
        Method::DormandPrince5 => "dopri5",
        Method::DormandPrince8 => "dop853",
        Method::Radau5 => "radau",
    }
}

/// The integrator of a name; `auto` is none in particular, but whichever pays.
#[must_use]
pub fn method_named(name: &str) -> Option<Option<Method>> {
    match name {
        "auto" => Some(None),
        "dop853" => Some(Some(Method::DormandPrince8)),
        "dopri5" => Some(Some(Method::DormandPrince5)),
        "radau" => Some(Some(Method::Radau5)),
        _ => None,
    }
}
