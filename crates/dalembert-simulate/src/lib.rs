//! Simulation: from a start to a table of results.

mod change_points;
mod coupling;
mod integrators;
mod kinks;
mod ledger;
mod motion;
mod observed;
mod passages;
mod plan;
mod record;
mod reduced;
mod right_hand_side;
mod rounding;
mod scales;
mod still;
mod switches;
mod units;
mod until;

pub use integrators::ChangedIntegrator;
pub use ledger::Imbalance;
pub use record::Undetermined;
pub use reduced::Reduction;
pub use right_hand_side::RightHandSide;

use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::reactions::Dependences;
use dalembert_mechanics::start::Start;
use dalembert_mechanics::{Mechanism, NoMotion};
use dalembert_ode::{
    Absolute, End, Events, Failure, LaneReport, Method, Options, OptionsError, Samples, Statistics,
    System,
};
use dalembert_results::Table;
use integrators::Integrators;
use kinks::Kinks;
use ledger::Ledger;
use motion::MotionSystem;
use passages::{Moment, Passages};
use plan::Plan;
use record::Recorder;
use std::ops::ControlFlow;
use std::time::Instant;
use switches::Switches;
use until::Until;

/// Most slips that vanish in one run: more are a motion that comes to rest in ever shorter swings.
const MOST_LEGS: usize = 100_000;

/// Part of the span by which a run that fails looks ahead, whether independent coordinates determine the others there; and whether
/// any positions meet the constraints: far enough for a row to miss by more than rounding.
const LATER: f64 = 1e-6;
const AFTER: f64 = 1e-4;

/// Steps after which their lengths tell how many there will be, and about what each evaluates.
const FORESEEN: u64 = 6;
const EVALUATIONS_A_STEP: f64 = 12.0;

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
    /// An error ended it on its way: see [`SimulateError::Stopped`].
    Stopped,
}

/// A run: finished, or as far as it came.
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
    /// Derivatives of the right-hand side by the state, for implicit steps.
    pub jacobians: u64,
    /// Factorisations for implicit steps.
    pub factorisations: u64,
    /// Whether the right-hand side was compiled to native code.
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
    /// How rows depended on each other where multipliers were asked for: these have no numbers, because they are not unique.
    pub not_unique: Option<Dependences>,
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
    /// Friction holds a slip that has vanished, or it is not known how it goes on.
    Stuck(dalembert_mechanics::formulation::Failure),
    /// Energy and work do not balance.
    OutOfBalance(Imbalance),
    /// Rows lost their rank at this time, and the motion after it is not the one that arrived there.
    LostBranch(f64),
    /// The condition `until` is no number at this time.
    UndefinedCondition(f64),
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
    let options = Options {
        method: plan.method.unwrap_or_default(),
        rtol: plan.rtol,
        atol: match plan.atol {
            None => Absolute::Measured(scales::measures(mechanism, state)),
            Some(atol) => {
                let mut each = vec![atol; system.size()];
                // The work only reports: it does not choose the steps.
                each[2 * n] = f64::MAX / 1e10;
                Absolute::Each(each)
            }
        },
        max_step: plan.max_step,
        max_steps: plan.max_steps,
        ..Options::default()
    };
    let mut integrators = Integrators::new(system.size(), options, plan.method.is_none())?;
    let times = plan.times(state.t);
    let t_end = state.t + plan.span;
    let mut samples = Samples::new([&times]).projected();
    let mut outcome = Outcome::Done;
    let mut until = Until::new(mechanism, system.size());
    // A condition that is true from the beginning ends the run at once.
    let at_start = until
        .as_mut()
        .map(|until| until.at(&mut system, (state.t, &y0)));
    let ended =
        at_start.is_some_and(|g| g > 0.0 || (g == 0.0 && mechanism.system.run.until_at_zero));
    let mut stop = at_start
        .filter(|g| g.is_nan())
        .map(|_| Stop::UndefinedCondition(state.t));
    let mut undetermined: Option<(usize, f64, Undetermined)> = None;
    let mut tolerance = Tolerated::new(&plan, n);
    let mut ledger = Ledger::new(system.entry(state.t, &y0, 0.0));
    let mut passages = Passages::new(scales::inertias(mechanism, state)[0].clone(), plan.rtol);
    let began = Instant::now();
    let mut end = y0.clone();
    let mut legs = Legs::new(state.t, y0);
    let watched = system.slip_count();
    let mut slips = Events::new(watched, system.size());
    let mut switches = Switches::new(mechanism, state);
    let mut kinks = Kinks::new(mechanism, system.size());
    let (mut behind, mut early) = (state.t, None);
    let (mut steps, mut longest) = (0, 0.0_f64);
    let lane = loop {
        // Slips are watched afresh on each leg: one that has just vanished is not a new event.
        slips.restart();
        kinks.iter_mut().for_each(Kinks::start);
        passages.start(&mut system, legs.t, &legs.y);
        let (mut vanished, mut kink, mut lost) = (None, None, None);
        let over = ended || stop.is_some();
        let switch = switches.as_mut().and_then(|it| it.next(behind, t_end));
        let leg_end = switch.map_or(t_end, |switch| switch.before.max(legs.t));
        let leg_end = early.take().map_or(leg_end, |early| leg_end.min(early));
        system.see_times([behind, leg_end]);
        let (mut watch, mut wish) = (integrators.watch(), None);
        let report = integrators.now().go_on(
            &mut system,
            [legs.t],
            [if over { state.t } else { leg_end }],
            &legs.y,
            |step| {
                let t = step.t_new(0);
                kink = kinks.as_mut().and_then(|kinks| kinks.locate(step));
                if let Some(found) = kink.filter(|&it| Kinks::is_early(it, [step.t_old(0), t])) {
                    (early, kink) = (Some(found.t), None);
                    step.stop_at(0, step.t_old(0));
                    return ControlFlow::Continue(());
                }
                if t > step.t_old(0) {
                    let (power, error) = (step.end_rate(0, 2 * n), step.error_of(0, 2 * n));
                    let h = t - step.t_old(0);
                    (steps, longest) = (steps + 1, longest.max(h));
                    if steps == FORESEEN {
                        let to_come = EVALUATIONS_A_STEP * (t_end - t) / longest;
                        step.system().expect(to_come);
                    }
                    end.copy_from_slice(step.end_states());
                    let rtol = tolerance.relative(&end);
                    let entered = step.system().entry(t, &end, power);
                    let rounded = || {
                        let system = step.system();
                        system.rounded_energy((t, h), &end, entered.kinetic)
                    };
                    if let Err(imbalance) = ledger.enter(entered, error, rtol, rounded) {
                        stop = Some(Stop::OutOfBalance(imbalance));
                    } else {
                        lost = passages.step(step.system(), t, &end).err();
                    }
                    if stop.is_some() || lost.is_some() {
                        step.stop_at(0, step.t_old(0));
                        return ControlFlow::Break(());
                    }
                }
                if watched > 0 {
                    let first = slips.locate(step, 0, MotionSystem::watch_slips).first();
                    vanished = first.copied();
                }
                let (crossing, undefined) = until
                    .as_mut()
                    .map_or((None, None), |until| until.locate(step));
                let earlier = |other: Option<f64>, t: f64| other.is_none_or(|other| t <= other);
                if let Some(t) = undefined.filter(|&t| earlier(crossing, t)) {
                    stop = Some(Stop::UndefinedCondition(t));
                    step.stop_at(0, step.t_old(0));
                    return ControlFlow::Break(());
                }
                let slip_t = vanished.map(|slip| slip.t);
                kink = kink.filter(|kink| earlier(slip_t, kink.t));
                let turn = kink.map(|kink| kink.t).or(slip_t);
                if let Some(t) = crossing.filter(|&t| earlier(turn, t)) {
                    step.stop_at(0, t);
                    (outcome, vanished, kink) = (Outcome::Until, None, None);
                } else if let Some(t) = turn {
                    step.stop_at(0, t);
                    vanished = vanished.filter(|_| kink.is_none());
                }
                if vanished.is_none() && kink.is_none() && outcome == Outcome::Done {
                    wish = watch.step(step);
                    if wish.is_some() {
                        step.stop(0);
                    }
                }
                let t = step.t_new(0);
                let delivered = samples.deliver(step, |system, sample| {
                    system.set(sample.t[0], sample.y);
                    let (t, y) = (sample.t[0], sample.y);
                    let singular = recorder.needs_motion() && passages.is_singular(system, t, y);
                    if let Err(reason) =
                        recorder.record(mechanism, system, (t, y), singular, &mut table)
                    {
                        undetermined.get_or_insert((0, t, reason)).0 += 1;
                    }
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
        let lane = legs.add(&report.lanes[0], integrators.now().state());
        if let Some(lost) = lost {
            stop = Some(legs.give_up(lost, &mut table));
        }
        if stop.is_some() {
            break lane;
        }
        if outcome != Outcome::Done || lane.t >= t_end {
            break lane;
        }
        let tries = lane.statistics.steps + lane.statistics.rejected;
        let mut too_many = tries >= plan.max_steps;
        if let Some(wish) = wish {
            integrators.change(lane.t, wish, lane.next_step)?;
        } else if let Some(slip) = vanished {
            if let Err(cause) = system.turn(slip.event, lane.t, &legs.y) {
                stop = Some(Stop::Stuck(cause));
                break lane;
            }
            too_many |= legs.count >= MOST_LEGS;
        } else if let Some((kink, kinks)) = kink.zip(kinks.as_mut()) {
            kinks.passed(kink, report.lanes[0].statistics.steps);
        } else if let (End::Reached, Some(switch)) = (lane.end, switch)
            && lane.t >= switch.before
        {
            behind = switch.behind;
        } else if lane.end != End::Reached && early.is_none() {
            break lane;
        }
        if too_many {
            let (t, steps) = (lane.t, lane.statistics.steps);
            let end = End::Failed(Failure::TooManySteps { t, steps });
            break LaneReport { end, ..lane };
        }
    };
    let wall_s = began.elapsed().as_secs_f64() - system.native_s();
    if ended {
        outcome = Outcome::Until;
    }
    // Constraints that cannot be met any more end a run before any branch does.
    let unmet =
        matches!(lane.end, End::Failed(_)) && system.is_lost(lane.t, &legs.y, LATER * plan.span);
    let collapsed = passages.collapsed().cloned();
    if stop.is_none()
        && !unmet
        && let Err(lost) = passages.finish(&mut system)
        && lost.t <= legs.t
    {
        stop = Some(legs.give_up(lost, &mut table));
    }
    if outcome == Outcome::Until && stop.is_none() {
        let rtol = tolerance.relative(&legs.y);
        let entry = system.entry(legs.t, &legs.y, 0.0);
        let judged = ledger.judge(&entry, legs.t, rtol);
        stop = judged.err().map(Stop::OutOfBalance);
    }
    // Where rows lose their rank, that is the reason.
    if let Some(Stop::OutOfBalance(Imbalance { t, .. })) = stop
        && passages.is_near(&mut system, legs.t, &legs.y)
    {
        stop = Some(Stop::LostBranch(t));
    }
    if let (None, End::Failed(failure)) = (&stop, lane.end) {
        let change_point = passages.is_near(&mut system, lane.t, &legs.y);
        if let Some(before) = collapsed.filter(|_| change_point) {
            legs.go_back(before, &mut table);
        }
        stop = Some(Stop::Integrator {
            failure,
            cause: system.failure.take(),
            lost: unmet,
            change_point,
        });
    }
    // Constraints that cannot be met any more are the reason of whatever else was seen there.
    let singular = matches!(
        stop,
        Some(Stop::Integrator { .. } | Stop::OutOfBalance(_) | Stop::LostBranch(_))
    );
    let later = legs.t + AFTER * plan.span;
    if singular && !mechanism.can_be_met(later, legs.coordinates(n)) {
        stop = Some(Stop::Unmet);
    }
    let Legs { t, y, last, .. } = legs;
    let Moment { t, y } = last.unwrap_or(Moment { t, y });
    system.set(t, &y);
    // The state that ended the run is worth a row, though no sample was due.
    let last = table.columns()[0].values.last();
    if outcome == Outcome::Until && stop.is_none() && last.is_none_or(|&last| last < t) {
        let singular = recorder.needs_motion() && passages.is_singular(&mut system, t, &y);
        if let Err(reason) = recorder.record(mechanism, &mut system, (t, &y), singular, &mut table)
        {
            undetermined.get_or_insert((0, t, reason)).0 += 1;
        }
        system.set(t, &y);
    }
    let (kinetic, potential) = system.energies();
    let (position_residual, velocity_residual) = system.largest_residuals();
    let simulation = Simulation {
        outcome: stop.as_ref().map_or(outcome, |_| Outcome::Stopped),
        t_end: t,
        steps: lane.statistics.steps,
        rejected: lane.statistics.rejected,
        rhs_evaluations: lane.statistics.evaluations,
        wall_s,
        compile_s: built_s + system.native_s(),
        native: system.is_native(),
        jacobians: lane.statistics.jacobians,
        factorisations: lane.statistics.factorisations,
        integrator: method_name(integrators.method()),
        switched: integrators.switched,
        formulation,
        reduction: system.reduction(),
        undetermined,
        not_unique: recorder.not_unique(),
        change_points: system.change_points.passed(&mechanism.equations),
        position_residual: position_residual.max(start.position_residual),
        velocity_residual: velocity_residual.max(start.velocity_residual),
        energy_start: ledger.energy_start(),
        energy_end: kinetic + potential,
        work: y[2 * n][0],
        coordinates: y[..n].as_flattened().to_vec(),
        rates: system.rates().to_vec(),
        table,
    };
    match stop {
        Some(why) => Err(SimulateError::Stopped {
            why,
            so_far: Box::new(simulation),
        }),
        None => Ok(simulation),
    }
}

/// The relative tolerance that the options come to.
struct Tolerated {
    rtol: f64,
    atol: Option<f64>,
    n: usize,
    /// Largest coordinate and largest speed so far.
    largest: [f64; 2],
}

impl Tolerated {
    fn new(plan: &Plan, n: usize) -> Self {
        Self {
            rtol: plan.rtol,
            atol: plan.atol,
            n,
            largest: [0.0; 2],
        }
    }

    /// An absolute tolerance is relative to what the motion has reached.
    fn relative(&mut self, y: &[[f64; 1]]) -> f64 {
        let Some(atol) = self.atol else {
            return self.rtol;
        };
        let parts = y[..2 * self.n].as_flattened().chunks(self.n.max(1));
        for (largest, part) in self.largest.iter_mut().zip(parts) {
            *largest = part.iter().fold(*largest, |a, b| a.max(b.abs()));
        }
        let [q, v] = self.largest;
        // Nothing has moved yet: any tolerance is large beside it.
        (self.rtol + atol / q.min(v)).min(1.0)
    }
}

/// A run in legs, from one place or time where forces switch to the next: a slip that vanishes, a kink, a time that is known ahead.
struct Legs {
    t: f64,
    y: Vec<[f64; 1]>,
    count: usize,
    total: Statistics,
    /// The last moment that can be relied on, if that is not the end.
    last: Option<Moment>,
}

impl Legs {
    fn new(t: f64, y: Vec<[f64; 1]>) -> Self {
        Self {
            t,
            y,
            count: 0,
            total: Statistics::default(),
            last: None,
        }
    }

    fn coordinates(&self, n: usize) -> &[f64] {
        self.y[..n].as_flattened()
    }

    /// Goes back to where the motion was still the one that was asked for.
    fn give_up(&mut self, lost: passages::LostBranch, table: &mut Table) -> Stop {
        self.go_back(lost.last, table);
        Stop::LostBranch(lost.t)
    }

    fn go_back(&mut self, last: Moment, table: &mut Table) {
        table.drop_last_while(|t| t > last.t);
        self.last = Some(last);
    }

    /// Adds a leg that ends at a state; gives its report with what all legs have cost.
    fn add(&mut self, lane: &LaneReport, y: &[[f64; 1]]) -> LaneReport {
        self.count += 1;
        self.t = lane.t;
        self.y.copy_from_slice(y);
        self.total.steps += lane.statistics.steps;
        self.total.rejected += lane.statistics.rejected;
        self.total.evaluations += lane.statistics.evaluations;
        self.total.jacobians += lane.statistics.jacobians;
        self.total.factorisations += lane.statistics.factorisations;
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
