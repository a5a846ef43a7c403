//! What happens at an instant: one place decides what holds after it, and how the motion goes on.
//!
//! | place | what |
//! |---|---|
//! | `conditions.rs` | when conditions become true within a step |
//! | `actions.rs` | what an event does to a state: values that are set, constraints that come and go, blows |
//! | `sequences.rs` | impacts that follow each other ever faster, and when they end |
//!
//! The loop of runs knows that a leg ended because something happens ([`Hybrid::locate`]), and goes on from the state and in the mode
//! that [`Hybrid::happen`] leaves. At one instant events happen in the order of the model, each on the state that those before it left, and each
//! once; what becomes true by what another does happens too. An event happens again after its condition has been false.

mod actions;
mod conditions;
mod sequences;

pub(crate) use conditions::First;

use super::motion::MotionSystem;
use super::{Outcome, Stop};
use actions::Actions;
use conditions::Conditions;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::{Condition, Event};
use sequences::Sequence;

/// Events of one run, at most.
const MOST_EVENTS: usize = 1_000_000;

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    /// Which of the system's events.
    pub event: usize,
    /// When.
    pub t: f64,
    /// Whether velocities jumped by a blow.
    pub is_blow: bool,
    /// Energy that constraints and walls took, where there was a blow; or by how much `set` lowered it.
    pub lost: Option<f64>,
    /// Rates before.
    pub before: Vec<f64>,
    /// Rates after.
    pub after: Vec<f64>,
    /// The impulses of the rows, then of what was struck; none without a blow.
    pub impulses: Vec<f64>,
}

/// Watches the conditions of a run, and does what they set off.
pub(crate) struct Hybrid<'m> {
    mechanism: &'m Mechanism,
    /// Those of the events, then that which ends the run.
    conditions: Option<Conditions<'m>>,
    actions: Vec<Actions<'m>>,
    sequences: Vec<Sequence>,
    /// Which conditions have fired at this instant.
    fired: Vec<bool>,
    /// Whether it is known what is true where the next leg begins.
    is_known: bool,
    pub(crate) happened: Vec<Happened>,
}

/// How a run goes on after an instant.
pub(crate) enum Next {
    /// From a state that is as it was, or has jumped.
    GoOn {
        /// Whether something else holds.
        new_mode: bool,
    },
    /// It ends there.
    End(Outcome),
}

impl<'m> Hybrid<'m> {
    /// For states of a size.
    pub(crate) fn new(mechanism: &'m Mechanism, size: usize) -> Self {
        let system = &mechanism.system;
        let conditions = system.events.iter().map(|event| event.when);
        let conditions: Vec<Condition> = conditions.chain(system.run.until).collect();
        Self {
            mechanism,
            actions: (system.events.iter())
                .map(|event| Actions::new(mechanism, event))
                .collect(),
            sequences: vec![Sequence::default(); system.events.len()],
            fired: vec![false; conditions.len()],
            is_known: false,
            conditions: Conditions::new(mechanism, &conditions, size),
            happened: Vec::new(),
        }
    }

    /// Begins a leg at a state.
    pub(crate) fn start(&mut self, system: &mut MotionSystem<'m>, state: (f64, &[[f64; 1]])) {
        let is_known = std::mem::take(&mut self.is_known);
        if let Some(conditions) = self.conditions.as_mut().filter(|_| !is_known) {
            conditions.resume(system, state);
        }
    }

    /// What happens first in a step.
    pub(crate) fn locate(
        &mut self,
        step: &mut dalembert_ode::Step<'_, MotionSystem<'m>, 1>,
    ) -> Option<First> {
        self.conditions.as_mut()?.locate(step)
    }

    /// Whether a condition is that which ends the run.
    pub(crate) fn is_until(&self, condition: usize) -> bool {
        condition >= self.mechanism.system.events.len()
    }

    /// What happens at the start: all that is true there.
    pub(crate) fn begin(
        &mut self,
        system: &mut MotionSystem<'m>,
        now: (f64, &mut [[f64; 1]]),
        span: f64,
    ) -> Result<Next, Stop> {
        self.fired.fill(false);
        let false_before = vec![false; self.fired.len()];
        self.instant(system, now, (&false_before, span))
    }

    /// What happens where a leg ended because conditions became true.
    pub(crate) fn happen(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        span: f64,
    ) -> Result<Next, Stop> {
        self.fired.fill(false);
        let Some(conditions) = &mut self.conditions else {
            return Ok(Next::GoOn { new_mode: false });
        };
        let before = conditions.are_true(system, (t, y));
        let mut before = before.map_err(|condition| self.undefined(condition, t))?;
        let Some(conditions) = &self.conditions else {
            return Ok(Next::GoOn { new_mode: false });
        };
        // Those that were found are true from here on, whatever rounding says of their values.
        let found = conditions.found().to_vec();
        found
            .iter()
            .for_each(|&condition| before[condition] = false);
        let mut new_mode = false;
        for condition in found {
            if self.fired[condition] || !self.watched(system)[condition] {
                continue;
            }
            match self.fire(system, (t, y), (condition, span))? {
                Next::GoOn { new_mode: changed } => new_mode |= changed,
                end @ Next::End(_) => return Ok(end),
            }
        }
        match self.instant(system, (t, y), (&before, span))? {
            Next::GoOn { new_mode: changed } => Ok(Next::GoOn {
                new_mode: new_mode || changed,
            }),
            end @ Next::End(_) => Ok(end),
        }
    }

    /// Lets everything happen that is true and was not before, until nothing is.
    fn instant(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        (before, span): (&[bool], f64),
    ) -> Result<Next, Stop> {
        let mut new_mode = false;
        loop {
            let Some(conditions) = &mut self.conditions else {
                return Ok(Next::GoOn { new_mode });
            };
            let now = conditions.are_true(system, (t, y));
            let now = now.map_err(|condition| self.undefined(condition, t))?;
            let watched = self.watched(system);
            let next = (0..now.len()).find(|&condition| {
                let news = now[condition] && !before[condition];
                news && watched[condition] && !self.fired[condition]
            });
            let Some(condition) = next else {
                if let Some(conditions) = &mut self.conditions {
                    conditions.know(system, (t, y), (&self.fired, watched));
                    self.is_known = true;
                }
                return Ok(Next::GoOn { new_mode });
            };
            match self.fire(system, (t, y), (condition, span))? {
                Next::GoOn { new_mode: changed } => new_mode |= changed,
                end @ Next::End(_) => return Ok(end),
            }
        }
    }

    /// Conditions of events that would do something in the mode of a system, and that which ends the run.
    fn watched(&self, system: &MotionSystem<'m>) -> Vec<bool> {
        let of = &self.mechanism.system;
        let mode = system.mode();
        let acts = |event: &Event| {
            let engages = || event.engage.iter().any(|&it| !mode.is_active(of, it));
            let releases = || event.release.iter().any(|&it| mode.is_active(of, it));
            event.stop
                || !event.set.is_empty()
                || !event.impulse.is_empty()
                || !event.struck.is_empty()
                || engages()
                || releases()
        };
        let events = of.events.iter().map(acts);
        events.chain(of.run.until.map(|_| true)).collect()
    }

    /// That a condition is no number.
    pub(crate) fn undefined(&self, condition: usize, t: f64) -> Stop {
        let event = (!self.is_until(condition)).then_some(condition);
        Stop::UndefinedCondition { event, t }
    }

    /// Does what a condition sets off.
    fn fire(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        (condition, span): (usize, f64),
    ) -> Result<Next, Stop> {
        self.fired[condition] = true;
        if self.is_until(condition) {
            return Ok(Next::End(Outcome::Until));
        }
        if self.happened.len() >= MOST_EVENTS {
            return Err(Stop::TooManyEvents(condition));
        }
        let event = &self.mechanism.system.events[condition];
        let actions = &mut self.actions[condition];
        let mode = system.mode().clone();
        let mut done = actions.act(system, (t, y), 1.0)?;
        done.event = condition;
        let sequence = &mut self.sequences[condition];
        let rest = match event.struck.is_empty() {
            true => None,
            false => sequence.add(t, span),
        };
        self.happened.push(done);
        if let Some(left) = rest {
            let mut last = self.actions[condition].act(system, (t, y), 0.0)?;
            last.event = condition;
            last.t = t + left;
            self.happened.push(last);
            return Ok(Next::End(Outcome::Rest {
                event: condition,
                left,
            }));
        }
        if event.stop {
            return Ok(Next::End(Outcome::Event(condition)));
        }
        let new_mode = *system.mode() != mode;
        Ok(Next::GoOn { new_mode })
    }
}
