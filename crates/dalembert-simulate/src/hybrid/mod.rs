//! What happens at an instant: one place decides what holds after it, and how the motion goes on.
//!
//! | place | what |
//! |---|---|
//! | `contacts.rs` | contacts that open and close, and their impacts |
//! | `conditions.rs`, `joined.rs` | when conditions become true within a step; those made of several comparisons |
//! | `opening.rs` | when contacts open that share a load |
//! | `actions.rs` | what an event does to a state: values that are set, constraints that come and go, blows |
//! | `notes.rs` | what is told of contacts after a run |
//! | `sequences.rs` | impacts, and other events, that follow each other ever faster, and when they end |
//!
//! The loop of runs knows that a leg ended because something happens ([`Hybrid::locate`]), and goes on from the state and in the mode
//! that [`Hybrid::happen`] leaves. At one instant events happen in the order of the model, each on the state that those before it left, and each
//! once; what becomes true by what another does happens too. An event happens again after its condition has been false.

mod actions;
mod conditions;
mod contacts;
mod joined;
mod notes;
mod opening;
mod sequences;

use conditions::Undefined;
pub(crate) use conditions::{Conditions, First, divisors};
pub use notes::ContactNotes;

use super::motion::MotionSystem;
use super::{Outcome, Stop};
use actions::Actions;
use contacts::{Instant, Touching};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::ROUNDING;
use dalembert_mechanics::lower::{Condition, Event};
use sequences::Sequence;

/// Events of one run, at most.
const MOST_EVENTS: usize = 1_000_000;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// One of the system's events.
    Event(usize),
    /// An impact of these contacts.
    Impact(Vec<usize>),
    /// A contact closes.
    Close(usize),
    /// A contact opens.
    Open(usize),
}

/// What is watched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The condition of this event.
    Event(usize),
    /// The condition that ends the run.
    Until,
    /// The gap of this contact.
    Gap(usize),
    /// Where forces jump or bend.
    Kink,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    /// What.
    pub of: Happening,
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
    contacts: Option<Touching<'m>>,
    actions: Vec<Actions<'m>>,
    sequences: Vec<Sequence>,
    /// Which conditions have fired at this instant.
    fired: Vec<bool>,
    /// Whether it is known what is true where the next leg begins.
    is_known: bool,
    pub(crate) happened: Vec<Happened>,
    /// See [`ContactNotes`].
    through: Option<(usize, f64)>,
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

impl Next {
    /// The same where something else held already.
    fn with(self, changed: bool) -> Self {
        match self {
            Self::GoOn { new_mode } => Self::GoOn {
                new_mode: new_mode || changed,
            },
            end @ Self::End(_) => end,
        }
    }
}

impl<'m> Hybrid<'m> {
    /// For a motion from a state.
    pub(crate) fn new(
        mechanism: &'m Mechanism,
        motion: &mut MotionSystem<'m>,
        (t, y): (f64, &[[f64; 1]]),
    ) -> Self {
        let size = y.len();
        let system = &mechanism.system;
        let conditions = system.events.iter().map(|event| &event.when);
        let conditions = conditions.chain(&system.run.until).cloned();
        let conditions: Vec<Condition> = conditions.collect();
        Self {
            mechanism,
            contacts: Touching::new(mechanism, motion, (t, y)),
            actions: (system.events.iter())
                .map(|event| Actions::new(mechanism, event))
                .collect(),
            sequences: vec![Sequence::default(); system.events.len()],
            fired: vec![false; conditions.len()],
            is_known: false,
            conditions: Conditions::new(mechanism, &conditions, size),
            happened: Vec::new(),
            through: None,
        }
    }

    /// Begins a leg at a state.
    pub(crate) fn start(&mut self, system: &mut MotionSystem<'m>, state: (f64, &[[f64; 1]])) {
        let is_known = std::mem::take(&mut self.is_known);
        if let Some(contacts) = self.contacts.as_mut().filter(|_| !is_known) {
            contacts.resume(system, state);
        }
        if let Some(conditions) = self.conditions.as_mut().filter(|_| !is_known) {
            conditions.resume(system, state);
        }
    }

    /// What happens first in a step.
    pub(crate) fn locate(
        &mut self,
        step: &mut dalembert_ode::Step<'_, MotionSystem<'m>, 1>,
    ) -> Option<First> {
        let Some(contacts) = &mut self.contacts else {
            return self.conditions.as_mut()?.locate(step);
        };
        let touch = contacts.locate(step);
        let first = self.conditions.as_mut().and_then(|it| it.locate(step));
        let time = |first: &First| match first {
            First::True(t) | First::Undefined(_, [_, t]) => *t,
        };
        let (when, touch) = match (&first, touch) {
            (_, None) => return first,
            (None, touch) => return touch,
            (Some(it), Some(touch @ First::Undefined(..))) if time(&touch) <= time(it) => {
                return Some(touch);
            }
            (_, Some(First::Undefined(..))) => return first,
            (Some(it), Some(First::True(touch))) => (time(it), touch),
        };
        let close = ROUNDING * when.abs();
        if when < touch - close {
            contacts.forget();
            return first;
        }
        if let Some(conditions) = self.conditions.as_mut().filter(|_| touch < when - close) {
            conditions.forget();
        }
        Some(First::True(touch.min(when)))
    }

    /// What should be known of the contacts.
    pub(crate) fn notes(&self) -> ContactNotes {
        let contacts = self.contacts.as_ref();
        let notes = contacts.map(|it| it.notes.clone()).unwrap_or_default();
        ContactNotes {
            through: self.through,
            ..notes
        }
    }

    /// The first condition, or gap, that changed too fast to be followed, and when.
    pub(crate) fn unfollowed(&self) -> Option<(f64, Watched)> {
        let condition = |(t, it): (f64, usize)| match self.is_until(it) {
            true => (t, Watched::Until),
            false => (t, Watched::Event(it)),
        };
        let contacts = self.contacts.as_ref().and_then(Touching::unfollowed);
        let conditions = self.conditions.as_ref().and_then(Conditions::unfollowed);
        let contacts = contacts.map(|(t, it)| (t, Watched::Gap(it)));
        let all = conditions.map(condition).into_iter().chain(contacts);
        all.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// What contacts do at an instant; whether something else holds then.
    fn settle(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        (were, span): (Option<&[bool]>, f64),
    ) -> Result<bool, Stop> {
        let Some(contacts) = &mut self.contacts else {
            return Ok(false);
        };
        let before = system.mode().clone();
        let mut now = Instant { t, y, span };
        contacts.settle(system, &mut now, were, &mut self.happened)?;
        self.is_known = true;
        Ok(before != *system.mode())
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
        let (t, y) = now;
        let changed = self.settle(system, (t, y), (None, span))?;
        let next = self.instant(system, (t, y), (&false_before, span))?;
        Ok(next.with(changed))
    }

    /// What happens where a leg ended because conditions became true.
    pub(crate) fn happen(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        span: f64,
    ) -> Result<Next, Stop> {
        self.fired.fill(false);
        let mut before = vec![false; self.fired.len()];
        let mut found = Vec::new();
        if let Some(conditions) = &mut self.conditions {
            let known = conditions.are_true(system, (t, y));
            // Those that were found are true from here on, whatever rounding says of their values.
            found.extend_from_slice(conditions.found());
            before = known.map_err(|it| self.undefined(Undefined::Condition(it), t))?;
        }
        found
            .iter()
            .for_each(|&condition| before[condition] = false);
        let touches = self.contacts.as_ref().is_some_and(Touching::is_found);
        let mut new_mode = touches && self.settle(system, (t, y), (None, span))?;
        for condition in found {
            if self.fired[condition] || !self.watched(system)[condition] {
                continue;
            }
            match self.fire(system, (t, y), (condition, span))? {
                Next::GoOn { new_mode: changed } => new_mode |= changed,
                end @ Next::End(_) => return Ok(end),
            }
        }
        let next = self.instant(system, (t, y), (&before, span))?;
        if let Some(contacts) = self.contacts.as_mut().filter(|it| !it.is_known(t)) {
            contacts.resume(system, (t, y));
        }
        Ok(next.with(new_mode))
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
            let now = now.map_err(|it| self.undefined(Undefined::Condition(it), t))?;
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
        events.chain(of.run.until.iter().map(|_| true)).collect()
    }

    /// That something is no number.
    pub(crate) fn undefined(&self, what: Undefined, t: f64) -> Stop {
        match what {
            Undefined::Gap(contact) => Stop::UndefinedGap { contact, t },
            Undefined::Condition(condition) => {
                let event = (!self.is_until(condition)).then_some(condition);
                Stop::UndefinedCondition { event, t }
            }
        }
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
        // Contacts press and do not pull in a blow, either: they take part in it afterwards.
        let jumps = event.is_blow() || !event.set.is_empty() || !event.release.is_empty();
        let contacts = self.contacts.as_ref().filter(|_| jumps);
        let were = contacts.map(|it| it.closed(system));
        if let Some(contacts) = contacts
            && were.iter().flatten().any(|it| *it)
        {
            contacts.let_go(system, (t, y));
        }
        let mut done = actions.act(system, (t, y), 1.0)?;
        done.of = Happening::Event(condition);
        self.happened.push(done);
        if let Some(left) = self.sequences[condition].add(t, span) {
            if !event.struck.is_empty() {
                let mut last = self.actions[condition].act(system, (t, y), 0.0)?;
                last.of = Happening::Event(condition);
                last.t = t + left;
                self.happened.push(last);
            }
            return Ok(Next::End(Outcome::Rest {
                event: condition,
                left,
            }));
        }
        if event.stop {
            return Ok(Next::End(Outcome::Event(condition)));
        }
        if let Some(were) = were {
            self.settle(system, (t, y), (Some(&were), span))?;
        }
        if self.through.is_none() && self.actions[condition].goes_through(system, (t, y), span) {
            self.through = Some((condition, t));
        }
        let new_mode = *system.mode() != mode;
        Ok(Next::GoOn { new_mode })
    }
}
