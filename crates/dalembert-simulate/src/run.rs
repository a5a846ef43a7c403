//! A run: leg after leg, then the verdict, then the report.

use super::balance;
use super::change_point::{ChangePoint, Crossing};
use super::integrators::{Integrators, MOST_COORDINATES};
use super::ledger::Imbalance;
use super::legs::Legs;
use super::look::Moment;
use super::motion::{MotionSystem, Programs, linearised};
use super::observer::{Observer, Record, Turn};
use super::passages::Passages;
use super::plan::Plan;
use super::pulses::Pulses;
use super::switches::Switches;
use super::{
    Outcome, RunOptions, SimulateError, Simulation, SlipChange, Stop, method_name, scales,
};
use dalembert_mechanics::decide::{CLEAR, NOTHING};
use dalembert_mechanics::formulation::{self, Formulation};
use dalembert_mechanics::lower::Rough;
use dalembert_mechanics::start::{Start, State};
use dalembert_mechanics::{Mechanism, NoMotion};
use dalembert_ode::{Absolute, End, Failure, LaneReport, Options, Statistics, System};
use std::ops::ControlFlow;

/// Most slips that vanish in one run: more are a motion that comes to rest in ever shorter swings.
const MOST_LEGS: usize = 100_000;

/// How many times [`CLEAR`] of the span a run that fails looks ahead, whether any positions meet the constraints there: far enough for a row to
/// miss by more than rounding.
const AFTER: f64 = 100.0;

/// A run under way.
pub(crate) struct Run<'m, 'p, P> {
    mechanism: &'m Mechanism,
    start: &'m Start,
    plan: &'p Plan,
    formulation: Formulation,
    system: MotionSystem<'m>,
    integrators: Integrators,
    observer: Observer<'m, 'p, P>,
    legs: Legs,
    change_points: Vec<ChangePoint>,
    slips: Vec<SlipChange>,
    /// See [`Simulation::shared_slips`].
    shared: Option<(f64, Vec<Rough>)>,
}

impl<'m, 'p, P: FnMut(f64) -> ControlFlow<()>> Run<'m, 'p, P> {
    pub(crate) fn new(
        mechanism: &'m Mechanism,
        start: &'m Start,
        (wanted, programs): (&RunOptions, Option<Programs>),
        (plan, times): (&'p Plan, &'p [f64]),
        progress: P,
    ) -> Result<Self, SimulateError> {
        let formulation = wanted.formulation.unwrap_or(Formulation::Multipliers);
        let record = Record::new(mechanism, wanted, times);
        let state = &start.state;
        let programs = programs.filter(|_| formulation == Formulation::Multipliers);
        let mut system = match programs {
            Some(programs) => MotionSystem::by(mechanism, state, programs),
            None => MotionSystem::new(mechanism, state, formulation),
        };
        mechanism
            .motion_by(formulation, state)
            .map_err(SimulateError::NoMotion)?;
        let refused = |failure| SimulateError::NoMotion(NoMotion::Failure(failure));
        if formulation == Formulation::Independent && system.reduction().is_none() {
            return Err(refused(formulation::Unsolved::TooLarge.into()));
        }
        let mut y0 = system.start(state.t, &state.coordinates, &state.rates);
        system.set_out(state.t, &mut y0).map_err(refused)?;
        let slips = system.slips().into_iter();
        let slips = slips.filter(|(_, held)| *held);
        let slips = slips.map(|(of, held)| SlipChange {
            t: state.t,
            of,
            held,
        });
        let slips = slips.collect();
        let measures = || Absolute::Measured(scales::measures(mechanism, system.units()));
        let options = Options {
            method: plan.method.unwrap_or_default(),
            rtol: plan.rtol,
            atol: plan.atol.map_or_else(measures, |atol| {
                let mut each = vec![atol; system.size()];
                // The work only reports: it does not choose the steps.
                each[system.size() - 1] = f64::MAX / 1e10;
                Absolute::Each(each)
            }),
            max_step: plan.max_step,
            max_steps: plan.max_steps,
            ..Options::default()
        };
        let passages = Passages::new(system.units()[0].clone(), plan.rtol, plan.span);
        let seen = (record, passages, Pulses::new(mechanism, state));
        let is_light = mechanism.equations.coordinates() <= MOST_COORDINATES
            || linearised::is_sparse(mechanism, formulation);
        let is_free = plan.method.is_none() && is_light;
        let shared = Some((state.t, system.shared_slips())).filter(|it| !it.1.is_empty());
        Ok(Self {
            mechanism,
            start,
            shared,
            plan,
            formulation,
            integrators: Integrators::new(system.size(), options, is_free)?,
            observer: Observer::new(&mut system, plan, (state.t, &y0), seen, progress),
            system,
            legs: Legs::new(state.t, y0, plan.span),
            change_points: Vec::new(),
            slips,
        })
    }

    /// Goes leg by leg to the end of the span, or as far as it comes; how the last leg ended, and what all have cost.
    pub(crate) fn go(&mut self) -> Result<LaneReport, SimulateError> {
        let (t0, t_end) = (self.legs.t, self.legs.t + self.plan.span);
        let mut switches = Switches::new(self.mechanism, &self.start.state);
        let (mut behind, mut early) = (t0, None::<f64>);
        self.happen(true);
        self.leave_change_point();
        let lane = loop {
            let over = self.observer.is_over();
            let switch = switches.as_mut().and_then(|it| it.next(behind, t_end));
            let leg_end = switch.map_or(t_end, |switch| switch.before.max(self.legs.t));
            let leg_end = early.take().map_or(leg_end, |early| leg_end.min(early));
            let crossed = self.system.crossing().map(Crossing::end);
            let at_least = self.legs.t + self.legs.least();
            let leg_end = crossed.map_or(leg_end, |end| leg_end.min(end.max(at_least)));
            self.system.see_times([behind, leg_end]);
            let (lane, steps) = self.leg(if over { t0 } else { leg_end });
            let turn = self.observer.take_turn();
            if let Some(t) = self.system.crossing().and_then(|it| it.at_rest) {
                self.observer.stop = Some(Stop::LostBranch(t));
            }
            let passed = self.system.leave(lane.t, &self.legs.y, false);
            self.change_points.extend(passed);
            if let Some(Turn::Lost(lost)) = turn {
                let table = &mut self.observer.record.table;
                self.observer.stop = Some(self.legs.give_up(lost, table));
                break lane;
            }
            if let Some(Turn::Happens) = turn {
                self.happen(false);
                if lane.next_step > 0.0 {
                    let next = self.legs.first_step(lane.next_step);
                    self.integrators.now().hand_step(next);
                }
            }
            if over || self.observer.is_over() || lane.t >= t_end {
                break lane;
            }
            let tries = lane.statistics.steps + lane.statistics.rejected;
            let mut too_many = tries >= self.plan.max_steps;
            match turn {
                Some(Turn::Integrator(wish)) => {
                    self.integrators.change(lane.t, wish, lane.next_step)?;
                }
                Some(Turn::Happens) => self.legs.count_anew(),
                Some(Turn::Slip(slip)) => {
                    self.legs.count_anew();
                    match self.turn(slip) {
                        Ok(true) => self.integrators.depart(lane.t)?,
                        Ok(false) => {}
                        Err(cause) => {
                            self.observer.stop = Some(Stop::Stuck(cause));
                            break lane;
                        }
                    }
                    too_many |= self.legs.count >= MOST_LEGS;
                }
                Some(Turn::Kink(kink)) => {
                    self.observer.pass(kink, steps);
                    if self.observer.is_over() {
                        break lane;
                    }
                }
                Some(Turn::Early(t)) => early = Some(t),
                Some(Turn::Across) => {}
                Some(Turn::Approach(ahead)) => {
                    let now = (self.legs.t, &*self.legs.y);
                    let Observer {
                        passages, record, ..
                    } = &mut self.observer;
                    match passages.seek(self.mechanism, &mut self.system, now, ahead) {
                        Ok(until) => early = until,
                        Err(lost) => {
                            self.observer.stop = Some(self.legs.give_up(lost, &mut record.table));
                            break lane;
                        }
                    }
                }
                _ if lane.end != End::Reached => break lane,
                _ => {
                    let passed = switch.filter(|switch| lane.t >= switch.before);
                    behind = passed.map_or(behind, |switch| switch.behind);
                }
            }
            let (t, steps) = (lane.t, lane.statistics.steps);
            let failure = match (too_many, self.legs.is_stuck()) {
                (true, _) => Failure::TooManySteps { t, steps },
                (false, true) => Failure::StepTooSmall { t, h: 0.0 },
                (false, false) => continue,
            };
            let end = End::Failed(failure);
            break LaneReport { end, ..lane };
        };
        let passed = self.system.leave(self.legs.t, &self.legs.y, true);
        self.change_points.extend(passed);
        Ok(lane)
    }

    /// Sets out on the branch that the rates say, where the start is a change point.
    fn leave_change_point(&mut self) {
        let observer = &mut self.observer;
        if !self.start.change_point || observer.is_over() {
            return;
        }
        let now = (self.legs.t, &*self.legs.y);
        let passages = &mut observer.passages;
        if let Err(lost) = passages.set_out(self.mechanism, &mut self.system, now) {
            let table = &mut observer.record.table;
            observer.stop = Some(self.legs.give_up(lost, table));
        }
    }

    /// Lets happen what does where the run has come to, and goes on in the mode that is left.
    fn happen(&mut self, at_start: bool) {
        let Self {
            system,
            observer,
            legs,
            ..
        } = self;
        let before = system.slips();
        let new_mode = observer.happen(system, (legs.t, &mut legs.y), at_start);
        if let Outcome::Rest { left, .. } = observer.outcome {
            legs.rest(system, left);
        }
        if new_mode {
            let units = system.units()[0].clone();
            observer.passages = Passages::new(units, self.plan.rtol, self.plan.span);
        }
        // Slips set out anew from velocities that may have jumped.
        let jumps = !at_start || !observer.hybrid.happened.is_empty();
        let sets_out = jumps && !observer.is_over() && system.slip_count() > 0;
        if !new_mode && !sets_out {
            return;
        }
        if let Err(cause) = system.set_out(legs.t, &mut legs.y) {
            observer.stop = Some(Stop::Stuck(cause));
            return;
        }
        note_shared(&mut self.shared, system, legs.t);
        // What closes and sticks at once has not slipped before.
        let (t, mode) = (legs.t, system.mode().clone());
        let now = system.slips();
        for (old, (of, held)) in before.iter().zip(now) {
            let counts = match of {
                Rough::Constraint(id) => mode.is_active(&self.mechanism.system, id),
                Rough::Spring(_) => true,
            };
            if old.1 != held && counts {
                self.note(SlipChange { t, of, held });
            }
        }
    }

    /// Goes to a time, or to where something ends the leg; its report with what all legs have cost, and its own steps.
    fn leg(&mut self, end: f64) -> (LaneReport, u64) {
        let Self {
            system,
            observer,
            legs,
            ..
        } = self;
        observer.start(system, (legs.t, &legs.y));
        let mut watch = self.integrators.watch();
        let now = self.integrators.now();
        let report = now.go_on(system, [legs.t], [end], &legs.y, |step| {
            observer.step(step, &mut watch)
        });
        let lane = &report.lanes[0];
        (legs.add(lane, now.state()), lane.statistics.steps)
    }

    /// Goes on where a slip has vanished or begins, and notes what sticks from there on and what slips; whether several in planes begin together.
    fn turn(&mut self, slip: usize) -> Result<bool, formulation::Failure> {
        let t = self.legs.t;
        let (before, way) = (self.system.slips(), self.system.way_of(slip));
        let together = self.system.turn(slip, t, &mut self.legs.y)?;
        if together {
            let most = self.observer.record.until_next(t) / 2.0;
            let now = (t, &mut self.legs.y[..]);
            let took = self.system.set_off(now, (self.plan.span, most));
            self.legs.t += took.unwrap_or(0.0);
        }
        note_shared(&mut self.shared, &self.system, t);
        // A slip that sets out from zero may be zero once more, but for rounding: it has not turned.
        let turns = way.is_none() || self.system.way_of(slip) != way;
        for (index, (old, new)) in before.iter().zip(self.system.slips()).enumerate() {
            let (of, held) = new;
            if old.1 != held || (index == slip && turns) {
                self.note(SlipChange { t, of, held });
            }
        }
        Ok(together)
    }

    /// Notes what sticks or slips. What lets go and sticks at the same instant, or is zero there and sticks, has not slipped.
    fn note(&mut self, change: SlipChange) {
        let of = |it: &SlipChange| it.of == change.of;
        let last = self.slips.iter().rposition(of);
        let at_once = |place: &usize| {
            let it = &self.slips[*place];
            change.held && !it.held && it.t.total_cmp(&change.t).is_eq()
        };
        if let Some(place) = last.filter(at_once) {
            self.slips.remove(place);
            let before = self.slips.iter().rposition(of);
            // It stuck all the time.
            if before.is_some_and(|it| self.slips[it].held) {
                return;
            }
        }
        self.slips.push(change);
    }

    /// What stopped the run, if anything did.
    pub(crate) fn verdict(&mut self, end: End) -> Option<Stop> {
        let Self {
            system,
            observer,
            legs,
            ..
        } = self;
        let has_kinks = observer.has_kinks();
        let (passages, table) = (&mut observer.passages, &mut observer.record.table);
        let mut stop = observer.stop.take();
        // Constraints that cannot be met any more end a run before any branch does.
        let unmet = matches!(end, End::Failed(_))
            && system.is_lost(legs.t, &legs.y, CLEAR * self.plan.span);
        let collapsed = passages.collapsed().cloned();
        if stop.is_none()
            && !unmet
            && let Err(lost) = passages.finish(system)
            && lost.t <= legs.t
        {
            stop = Some(legs.give_up(lost, table));
        }
        let ended = !matches!(observer.outcome, Outcome::Done | Outcome::Interrupted);
        if ended && stop.is_none() {
            let rtol = observer.tolerance.relative(&legs.y);
            let entry = system.entry(legs.t, &legs.y, 0.0);
            let judged = observer.ledger.judge(&entry, legs.t, rtol);
            stop = judged.err().map(Stop::OutOfBalance);
        }
        // Energies of nothing do not tell: a force that jumps holds it where it is.
        if let Some(Stop::OutOfBalance(Imbalance { t, by, .. })) = stop
            && by.abs() <= NOTHING
            && has_kinks
        {
            stop = Some(Stop::ToAndFro(t));
        }
        // Where rows lose their rank, that is the reason.
        if let Some(Stop::OutOfBalance(Imbalance { t, .. })) = stop
            && passages.is_near(system, legs.t, &legs.y)
        {
            stop = Some(Stop::LostBranch(t));
        }
        if let (None, End::Failed(failure)) = (&stop, end) {
            let change_point = passages.is_near(system, legs.t, &legs.y);
            if let Some(before) = collapsed.filter(|_| change_point) {
                legs.go_back(before, table);
            }
            stop = Some(Stop::Integrator {
                failure,
                cause: system.failure.take(),
                lost: unmet,
                change_point,
            });
        }
        // No place where rows lose their rank is on the surface: the corner beside it is too narrow.
        let at = match stop {
            Some(Stop::LostBranch(at) | Stop::Unclear(at)) => Some(at),
            Some(Stop::Integrator {
                change_point: true,
                lost: false,
                ..
            }) => Some(legs.t),
            _ => None,
        };
        if let (Some(t), Some(known)) = (at, passages.known_in_corner()) {
            stop = Some(Stop::Narrow { t, known });
        }
        // Constraints that cannot be met any more are the reason of whatever else was seen there.
        let singular = matches!(
            stop,
            Some(
                Stop::Integrator { .. }
                    | Stop::OutOfBalance(_)
                    | Stop::LostBranch(_)
                    | Stop::Unclear(_)
                    | Stop::Narrow { .. }
            )
        );
        if stop.is_none() {
            let n = self.mechanism.equations.coordinates();
            system.set(legs.t, &legs.y);
            let end = State {
                t: legs.t,
                coordinates: legs.coordinates(n).to_vec(),
                rates: system.rates().to_vec(),
                mode: system.mode().clone(),
            };
            stop = balance::judge(self.mechanism, system, [&self.start.state, &end]);
        }
        let later = legs.t + AFTER * CLEAR * self.plan.span;
        let q = legs.coordinates(self.mechanism.equations.coordinates());
        match singular && !self.mechanism.can_be_met(system.mode(), later, q) {
            true => Some(Stop::Unmet),
            false => stop,
        }
    }

    /// The run as far as it can be relied on, and the programs that it was made with.
    pub(crate) fn finish(self, cost: Statistics, stop: Option<&Stop>) -> (Simulation, Programs) {
        let is_stopped = stop.is_some();
        let Self {
            mut system,
            mut observer,
            legs,
            integrators,
            ..
        } = self;
        let n = self.mechanism.equations.coordinates();
        let Legs { t, y, last, .. } = legs;
        let Moment { t, y } = last.unwrap_or(Moment { t, y });
        let singular = matches!(
            stop,
            Some(
                Stop::LostBranch(_)
                    | Stop::Unclear(_)
                    | Stop::Narrow { .. }
                    | Stop::Integrator {
                        change_point: true,
                        ..
                    }
            )
        );
        let dependent = match singular {
            true => observer.passages.nearly_dependent(&mut system, t, &y),
            false => Vec::new(),
        };
        system.set(t, &y);
        let trail = &mut observer.record.trail;
        trail.iter_mut().for_each(|trail| trail.cut(t));
        // The state that ended the run is worth a row, though no sample was due.
        let recorded = observer.record.table.columns()[0].values.last().copied();
        let is_new = recorded.is_none_or(|last| last < t);
        let ended = !matches!(observer.outcome, Outcome::Done | Outcome::Interrupted);
        if ended && !is_stopped && is_new {
            let passages = &mut observer.passages;
            observer.record.add(&mut system, passages, (t, &y));
            system.set(t, &y);
        }
        let happened = &observer.hybrid.happened;
        let gauges = observer.record.gauges.take();
        let gauged = gauges.map(|it| it.finish(&mut system, (t, &y), happened));
        system.set(t, &y);
        let (kinetic, potential) = system.energies();
        let (position_residual, velocity_residual) = system.largest_residuals();
        let unfollowed = observer.unfollowed();
        let simulation = Simulation {
            outcome: match is_stopped {
                true => Outcome::Stopped,
                false => observer.outcome,
            },
            t_end: t,
            steps: cost.steps,
            rejected: cost.rejected,
            rhs_evaluations: cost.evaluations,
            // Who runs it looks at the clock.
            wall_s: 0.0,
            compile_s: system.native_s(),
            native: system.is_native(),
            jacobians: cost.jacobians,
            factorisations: cost.factorisations,
            integrator: method_name(integrators.method()),
            switched: integrators.switched,
            formulation: self.formulation,
            reduction: system.reduction(),
            undetermined: observer.record.undetermined,
            valueless: observer.record.values.found,
            unfollowed,
            unclear: observer.pulses.and_then(|it| it.unclear()),
            not_unique: observer.record.recorder.not_unique(),
            change_points: self.change_points,
            slips: self.slips,
            contacts: observer.hybrid.notes(),
            doubtful_slips: system.doubtful_slips(),
            shared_slips: self.shared,
            happened: observer.hybrid.happened,
            dependent,
            position_residual: position_residual.max(self.start.position_residual),
            velocity_residual: velocity_residual.max(self.start.velocity_residual),
            energy_start: observer.ledger.energy_start(),
            energy_end: kinetic + potential,
            work: y[2 * n][0],
            coordinates: y[..n].as_flattened().to_vec(),
            rates: system.rates().to_vec(),
            mode: system.mode().clone(),
            table: observer.record.table,
            trail: observer.record.trail,
            gauged,
        };
        (simulation, system.into_programs())
    }
}

/// Notes friction that is one of many forces, the first time there is some.
fn note_shared(known: &mut Option<(f64, Vec<Rough>)>, system: &MotionSystem<'_>, t: f64) {
    if known.is_none() {
        *known = Some((t, system.shared_slips())).filter(|it| !it.1.is_empty());
    }
}
