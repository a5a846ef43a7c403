//! What looks at a run after each step: the ledger, the branch, what forces switch on, the condition that ends the run, the samples.

use super::change_point::Crossing;
use super::gauges::Gauges;
use super::hybrid::{First, Hybrid, Next, Watched};
use super::integrators::{Watch, Wish};
use super::kinks::{Kink, Kinks};
use super::ledger::Ledger;
use super::look::LostBranch;
use super::motion::{MotionSystem, Step};
use super::passages::Passages;
use super::plan::{Plan, Tolerated};
use super::pulses::Pulses;
use super::rank::least;
use super::record::{Recorder, Undetermined};
use super::trail::Trail;
use super::valueless::Values;
use super::{Outcome, RunOptions, Stop};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::MUCH_LESS;
use dalembert_ode::{Events, Samples, change_of_sign};
use dalembert_results::Table;
use std::ops::ControlFlow;

/// How many times as many evaluations as native code pays for the first steps must promise: they are short, and tell little of those
/// to come.
const DOUBT: [f64; 3] = [16.0, 4.0, 1.0];
/// About what a step evaluates, with those that are tried again and what samples ask for.
const EVALUATIONS_A_STEP: f64 = 15.0;

/// Times that a step which is out of balance is made again, half as long.
const MADE_AGAIN: usize = 4;

/// Rounds in which the time of a change point is found in a step.
const LOCATED: usize = 60;

/// Times the end of a crossing that a step may lead beyond it: behind that, the next may lie. Halvings that find when it is over.
const BEYOND: f64 = 1.05;
const HALVED: usize = 30;

/// Parts of a step in which rows turn much, at whose ends they are looked at; and part of the pivots at its ends that is left where they
/// may have lost their rank on its way.
const PARTS: usize = 6;
const LESS: f64 = 0.6;

/// What ends a leg before its time.
pub(crate) enum Turn {
    /// Conditions have become true.
    Happens,
    /// This slip has vanished.
    Slip(usize),
    /// A force has a kink or jumps.
    Kink(Kink),
    /// It does so early in a step, at this time, which is to be stepped onto.
    Early(f64),
    /// Rows may lose their rank so many seconds ahead.
    Approach(f64),
    /// The place where they did is behind.
    Across,
    /// Another integrator should go on.
    Integrator(Wish),
    /// The motion is not the one that arrived.
    Lost(LostBranch),
}

/// Where the samples go.
pub(crate) struct Record<'m, 't> {
    mechanism: &'m Mechanism,
    pub(crate) recorder: Recorder,
    pub(crate) table: Table,
    pub(crate) trail: Option<Trail>,
    pub(crate) gauges: Option<Gauges<'m>>,
    samples: Samples<'t, 1>,
    /// Samples whose motion is not determined: how many, and the first.
    pub(crate) undetermined: Option<(usize, f64, Undetermined)>,
    /// Recorded expressions, and which had no value.
    pub(crate) values: Values,
}

impl<'m, 't> Record<'m, 't> {
    pub(crate) fn new(mechanism: &'m Mechanism, wanted: &RunOptions, times: &'t [f64]) -> Self {
        let recorder = Recorder::new(mechanism, wanted.record_all);
        let n = mechanism.equations.coordinates();
        Self {
            trail: wanted.dense.then(|| Trail::new(n)),
            gauges: None,
            mechanism,
            table: recorder.table(mechanism),
            values: Values::new(mechanism, &recorder.names),
            recorder,
            samples: Samples::new([times]).projected(),
            undetermined: None,
        }
    }

    /// How long it is until the next sample.
    pub(crate) fn until_next(&self, t: f64) -> f64 {
        self.samples.next(0).map_or(f64::INFINITY, |next| next - t)
    }

    /// Adds the samples that fall into a step.
    fn deliver(&mut self, step: &mut Step<'_, 'm>, passages: &mut Passages) -> ControlFlow<()> {
        self.trail.iter_mut().for_each(|trail| trail.add(step));
        self.gauges.iter_mut().for_each(|gauges| gauges.add(step));
        let mut samples = std::mem::replace(&mut self.samples, Samples::new([&[]]));
        let delivered = samples.deliver(step, |system, sample| {
            self.add(system, passages, (sample.t[0], sample.y));
            ControlFlow::Continue(())
        });
        self.samples = samples;
        delivered
    }

    /// Adds a state.
    pub(crate) fn add(
        &mut self,
        system: &mut MotionSystem<'_>,
        passages: &mut Passages,
        (t, y): (f64, &[[f64; 1]]),
    ) {
        system.set(t, y);
        let singular = self.recorder.needs_motion() && passages.is_singular(system, t, y);
        let (recorder, table) = (&self.recorder, &mut self.table);
        if let Err(reason) = recorder.record(self.mechanism, system, (t, y), singular, table) {
            self.undetermined.get_or_insert((0, t, reason)).0 += 1;
            return;
        }
        self.values.look(table, || system.state_at(t, y));
    }
}

/// Looks at a run after each step.
pub(crate) struct Observer<'m, 't, P> {
    /// First time, and last.
    span: [f64; 2],
    /// Place of the work in a state.
    work: usize,
    pub(crate) tolerance: Tolerated,
    pub(crate) ledger: Ledger,
    pub(crate) passages: Passages,
    slips: Events<1>,
    slip_count: usize,
    kinks: Option<Kinks<'m>>,
    pub(crate) pulses: Option<Pulses>,
    pub(crate) hybrid: Hybrid<'m>,
    pub(crate) record: Record<'m, 't>,
    progress: P,
    steps: usize,
    /// Lengths of the last steps.
    lengths: [f64; DOUBT.len()],
    /// Times that the step was made again that was last out of balance.
    made_again: usize,
    end: Vec<[f64; 1]>,
    /// Room for a state on the way of a step.
    state: Vec<f64>,
    pub(crate) outcome: Outcome,
    pub(crate) stop: Option<Stop>,
    turn: Option<Turn>,
}

impl<'m, 't, P: FnMut(f64) -> ControlFlow<()>> Observer<'m, 't, P> {
    /// Looks at a run that sets out from a state, which may end it at once.
    pub(crate) fn new(
        system: &mut MotionSystem<'m>,
        plan: &Plan,
        (t, y): (f64, &[[f64; 1]]),
        (mut record, passages, pulses): (Record<'m, 't>, Passages, Option<Pulses>),
        progress: P,
    ) -> Self {
        record.gauges = Gauges::new(record.mechanism, system, (t, y));
        let (mechanism, size) = (record.mechanism, y.len());
        let slip_count = system.slip_count();
        Self {
            span: [t, t + plan.span],
            work: size - 1,
            tolerance: Tolerated::new(plan, mechanism.equations.coordinates()),
            ledger: Ledger::new(system.entry(t, y, 0.0)),
            passages,
            slips: Events::new(slip_count, size),
            slip_count,
            kinks: Kinks::new(mechanism, size),
            pulses,
            hybrid: Hybrid::new(mechanism, system, (t, y)),
            record,
            progress,
            steps: 0,
            lengths: [0.0; DOUBT.len()],
            made_again: 0,
            end: y.to_vec(),
            state: vec![0.0; size],
            outcome: Outcome::Done,
            stop: None,
            turn: None,
        }
    }

    /// Whether the run is over.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_some() || self.outcome != Outcome::Done
    }

    /// The first of what is watched for that changed too fast to be followed, and when.
    pub(crate) fn unfollowed(&self) -> Option<(f64, Watched)> {
        let kinks = self.kinks.as_ref().and_then(Kinks::unfollowed);
        let kinks = kinks.map(|t| (t, Watched::Kink));
        let all = kinks.into_iter().chain(self.hybrid.unfollowed());
        all.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Whether forces jump or bend along the motion.
    pub(crate) fn has_kinks(&self) -> bool {
        self.kinks.is_some()
    }

    /// Begins a leg at a state.
    pub(crate) fn start(&mut self, system: &mut MotionSystem<'m>, (t, y): (f64, &[[f64; 1]])) {
        self.hybrid.start(system, (t, y));
        // Slips are watched afresh on each leg: one that has just vanished is not a new event.
        self.slips.restart();
        self.kinks.iter_mut().for_each(Kinks::start);
        self.passages.start(system, t, y);
        self.turn = None;
    }

    /// What ended the leg before its time.
    pub(crate) fn take_turn(&mut self) -> Option<Turn> {
        self.turn.take()
    }

    /// Lets happen what is true at the start, or has become true where a leg ended; whether something else holds then.
    pub(crate) fn happen(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        at_start: bool,
    ) -> bool {
        let span = self.span[1] - self.span[0];
        let rtol = self.tolerance.relative(y);
        // The end of the step that was cut off is not where this one ends.
        let entry = system.entry(t, y, 0.0);
        let h = t - self.ledger.last_time();
        let next = self.ledger.enter_jump(entry, rtol, || {
            system.rounded_energy((t, h), y, entry.kinetic)
        });
        let next = next.map_err(Stop::OutOfBalance);
        let next = next.and_then(|()| match at_start {
            true => self.hybrid.begin(system, (t, y), span),
            false => self.hybrid.happen(system, (t, y), span),
        });
        let entered = next.and_then(|next| {
            let entry = system.entry(t, y, 0.0);
            let entered = self.ledger.enter_jump(entry, rtol, || 0.0);
            entered.map_err(Stop::OutOfBalance).map(|()| next)
        });
        match entered {
            Ok(Next::GoOn { new_mode }) => return new_mode,
            Ok(Next::End(outcome)) => self.outcome = outcome,
            Err(stop) => self.stop = Some(stop),
        }
        false
    }

    /// Takes notice of a leg that ended at a kink after so many steps.
    pub(crate) fn pass(&mut self, kink: Kink, steps: u64) {
        let span = self.span[1] - self.span[0];
        let mut kinks = self.kinks.iter_mut();
        if kinks.any(|kinks| kinks.passed(kink, steps, span)) {
            self.stop = Some(Stop::ToAndFro(kink.t));
        }
    }

    /// Looks at a step; whether the run goes on.
    pub(crate) fn step(&mut self, step: &mut Step<'_, 'm>, watch: &mut Watch) -> ControlFlow<()> {
        let whole = [step.t_old(0), step.t_new(0)];
        self.end.copy_from_slice(step.end_states());
        let reached = self.passages.reaches(step.system(), whole, &self.end);
        if let Some(ahead) = reached.or_else(|| self.leapt(step, whole)) {
            self.turn = Some(Turn::Approach(ahead));
            step.stop_at(0, whole[0]);
            return ControlFlow::Continue(());
        }
        if let Some(t) = overshot(step, whole) {
            self.turn = Some(Turn::Early(t));
            step.stop_at(0, whole[0]);
            return ControlFlow::Continue(());
        }
        let missed = (self.pulses.as_mut()).and_then(|pulses| pulses.missed(whole));
        if let Some(t) = missed {
            self.turn = Some(Turn::Early(t));
            step.stop_at(0, whole[0]);
            return ControlFlow::Continue(());
        }
        let kink = self.kinks.as_mut().and_then(|kinks| kinks.locate(step));
        let span = self.span[1] - self.span[0];
        if let Some(found) = kink.filter(|&it| Kinks::is_early(it, whole, span)) {
            self.turn = Some(Turn::Early(found.t));
            step.stop_at(0, whole[0]);
            return ControlFlow::Continue(());
        }
        if whole[1] > whole[0] {
            self.enter(step)?;
            if self.turn.is_some() {
                return ControlFlow::Continue(());
            }
            self.step_across(step, whole);
        }
        self.look_for_turns(step, kink)?;
        if self.turn.is_none() && !self.is_over() {
            let wish = watch.step(step);
            wish.iter().for_each(|_| step.stop(0));
            self.turn = wish.map(Turn::Integrator);
        }
        self.record.deliver(step, &mut self.passages)?;
        let go_on = (self.progress)((step.t_new(0) - self.span[0]) / (self.span[1] - self.span[0]));
        if go_on.is_break() {
            self.outcome = Outcome::Interrupted;
        }
        go_on
    }

    /// Lets the system know about how many evaluations are to come, by the longest of the last steps.
    fn foresee(&mut self, system: &mut MotionSystem<'_>, t: f64, h: f64) {
        self.lengths[self.steps % DOUBT.len()] = h;
        let doubt = DOUBT[self.steps.min(DOUBT.len() - 1)];
        self.steps += 1;
        let longest = self.lengths.iter().fold(0.0_f64, |a, b| a.max(*b));
        let steps = (self.span[1] - t) / longest;
        system.expect(EVALUATIONS_A_STEP * steps / doubt);
    }

    /// Enters the step in the ledger, and asks whether the motion is still on its branch; goes back to its beginning if not.
    fn enter(&mut self, step: &mut Step<'_, 'm>) -> ControlFlow<()> {
        let (t, h) = (step.t_new(0), step.t_new(0) - step.t_old(0));
        let (power, error) = (step.end_rate(0, self.work), step.error_of(0, self.work));
        self.foresee(step.system(), t, h);
        let end = &mut self.end;
        let rtol = self.tolerance.relative(end);
        let entered = step.system().entry(t, end, power);
        let rounded = || {
            let system = step.system();
            system.rounded_energy((t, h), end, entered.kinetic)
        };
        let before = self.ledger.clone();
        let balanced = self.ledger.enter(entered, error, rtol, rounded);
        let in_step = balanced.is_err_and(|it| it.in_step);
        if in_step && self.made_again < MADE_AGAIN {
            // What a long step loses, shorter ones may not.
            self.made_again += 1;
            self.ledger = before;
            self.turn = Some(Turn::Early(step.t_old(0) + h / 2.0));
            step.stop_at(0, step.t_old(0));
            return ControlFlow::Continue(());
        }
        self.made_again = 0;
        self.stop = balanced.err().map(Stop::OutOfBalance);
        if self.stop.is_none() {
            let lost = self.passages.step(step.system(), t, end).err();
            self.turn = lost.map(Turn::Lost);
        }
        if self.stop.is_none() && self.turn.is_none() {
            return ControlFlow::Continue(());
        }
        step.stop_at(0, step.t_old(0));
        ControlFlow::Break(())
    }

    /// Seconds from the beginning of a step to where rows lose their rank on its way, if they seem to.
    fn leapt(&mut self, step: &mut Step<'_, 'm>, [from, to]: [f64; 2]) -> Option<f64> {
        if step.system().crossing().is_some() || !self.passages.may_leap() {
            return None;
        }
        let (mut pivots, mut times) = ([0.0; PARTS + 1], [0.0; PARTS + 1]);
        for k in 0..=PARTS {
            times[k] = from + (to - from) * k as f64 / PARTS as f64;
            step.state(0, times[k], &mut self.state);
            pivots[k] = (self.passages).least_pivot(step.system(), times[k], &self.state);
        }
        let inside = (1..PARTS).min_by(|&a, &b| pivots[a].total_cmp(&pivots[b]))?;
        let less = pivots[inside] < LESS * pivots[0].min(pivots[PARTS]);
        less.then(|| times[inside] - from)
    }

    /// Takes notice of a step across a place where rows lose their rank, and of when it is passed.
    fn step_across(&mut self, step: &mut Step<'_, 'm>, [from, to]: [f64; 2]) {
        let Some(crossing) = step.system().crossing() else {
            return;
        };
        let mut state = vec![0.0; self.end.len()];
        let passed = if crossing.chart.is_curve() {
            let mut behind = |t: f64| {
                step.state(0, t, &mut state);
                let behind = step.system().behind(t, state.as_chunks().0);
                behind.unwrap_or(f64::NAN)
            };
            change_of_sign([from, to], &mut behind)
        } else {
            let passages = &mut self.passages;
            let mut pivot = |t: f64| {
                step.state(0, t, &mut state);
                passages.least_pivot(step.system(), t, &state)
            };
            // Where many lines lead across, each passes at a place of its own.
            let at = least(&mut pivot, [from, to], LOCATED);
            let here = pivot(at);
            let inside = |end: f64| here < MUCH_LESS * pivot(end);
            ([from, to].map(inside) == [true; 2]).then_some(at)
        };
        step.system().step_across(to, &self.end, passed);
        if step.system().crossing().is_some_and(Crossing::is_over) {
            self.turn = Some(Turn::Across);
            step.stop(0);
        }
    }

    /// Stops the step at the first place where forces switch or the run is to end.
    fn look_for_turns(&mut self, step: &mut Step<'_, 'm>, kink: Option<Kink>) -> ControlFlow<()> {
        let mut first = kink.map(|kink| (kink.t, Turn::Kink(kink)));
        let is_first = |first: &Option<(f64, Turn)>, t: f64| {
            first.as_ref().is_none_or(|&(earlier, _)| t < earlier)
        };
        if self.slip_count > 0 {
            let slips = &mut self.slips;
            let slips = slips.locate_first(step, (0, self.slip_count), |system, t, y, g| {
                system.watch_slips(t, y, g);
            });
            let vanished = slips.first().filter(|slip| is_first(&first, slip.t));
            if let Some(slip) = vanished {
                first = Some((slip.t, Turn::Slip(slip.event)));
            }
        }
        let happens_first = |t: f64| first.as_ref().is_none_or(|&(turn, _)| t <= turn);
        match self.hybrid.locate(step) {
            Some(First::Undefined(what, [before, t])) if happens_first(t) => {
                self.stop = Some(self.hybrid.undefined(what, t));
                step.stop_at(0, before);
                return ControlFlow::Break(());
            }
            Some(First::True(t)) if happens_first(t) => {
                step.stop_at(0, t);
                self.turn = Some(Turn::Happens);
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        if let Some((t, turn)) = first {
            step.stop_at(0, t);
            self.turn = Some(turn);
        }
        ControlFlow::Continue(())
    }
}

/// When a crossing is over that a step leads far beyond.
fn overshot(step: &mut Step<'_, '_>, [from, to]: [f64; 2]) -> Option<f64> {
    let end = step.system().crossing()?.end;
    let mut state = vec![0.0; step.end_states().len()];
    let mut way = |t: f64| {
        step.state(0, t, &mut state);
        step.system().way_across(t, state.as_chunks().0)
    };
    if to <= from || way(to)? <= BEYOND * end {
        return None;
    }
    let [mut a, mut b] = [from, to];
    for _ in 0..HALVED {
        let middle = f64::midpoint(a, b);
        *(if way(middle)? < end { &mut a } else { &mut b }) = middle;
    }
    (b < to).then_some(b)
}
