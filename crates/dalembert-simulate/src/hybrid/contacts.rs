//! Contacts along a run: when they open and close, what impacts do, and when those are over.
//!
//! ```text
//! open     closes where g falls through zero
//! closed   opens where λ falls through zero; where forces are not unique, where no forces that press keep all gaps closed
//! ```
//!
//! At an instant all contacts that touch are looked at together (`contacts/` in `dalembert-mechanics`): first the impact, where one
//! approaches, then who presses from there on. Of an impact too weak to lift a gap by more than rounding, and of impacts that follow each
//! other ever faster and are over, nothing comes back: what bounced rests, and the run goes on.

use super::conditions::{First, Undefined, since_when};
use super::notes::ContactNotes;
use super::sequences::Sequence;
use super::{Happened, Happening, opening};
use crate::Stop;
use crate::enclosure::Enclosures;
use crate::motion::MotionSystem;
use crate::observed::Observed;
use dalembert_expr::ExprId;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::contacts::{Contacts, Measured, NoContact, Pressed, Strike};
use dalembert_mechanics::decide::{CANCELLED, KNOWN, ROUNDING, SOLVED};
use dalembert_mechanics::start::State;
use dalembert_ode::{Events, Known, Step};

/// Rounds at one instant, at most: each impact may set off others.
const MOST_ROUNDS: usize = 1000;

/// How fast a gap must begin to open, beside what forces make of it, where those are not unique: where friction can just hold, forces are known no
/// better.
const LIFTED: f64 = 10.0 * CANCELLED;

/// Roundings of a gap from which a flight like the last is no rest.
const HIGH: f64 = 1e6;

/// What a gap may be below zero by and touch: see [`Measured::is_met`].
fn touches(gap: &Measured) -> f64 {
    CANCELLED * gap.size
}

/// The contacts of a run.
pub(super) struct Touching<'m> {
    mechanism: &'m Mechanism,
    contacts: Contacts<'m>,
    gaps: Observed<'m>,
    enclosures: Enclosures,
    events: Events<1>,
    /// What a gap may be below zero by and touch.
    touch: Vec<f64>,
    closed: Vec<bool>,
    /// Whether forces of those that are closed are not unique.
    dependent: bool,
    /// What a multiplier may miss zero by, where it was zero.
    slack: Vec<f64>,
    /// Those that open or close first in the last step.
    found: Vec<usize>,
    /// Those that are closed, by number, and the state at the end of a step: rooms of each step.
    pressing: Vec<usize>,
    end: Vec<[f64; 1]>,
    sequences: Vec<Sequence>,
    /// When each contact was left last, and how fast.
    left: Vec<Option<[f64; 2]>>,
    /// The last instant, and the rounds there.
    rounds: (f64, usize),
    rooms: Rooms,
    pub(super) notes: ContactNotes,
}

/// What is looked at in an instant.
#[derive(Default)]
struct Rooms {
    state: State,
    /// Which contacts are closed; of which nothing comes back; and which are closed from here on.
    closed: Vec<bool>,
    dead: Vec<bool>,
    next: Vec<bool>,
    touching: Vec<usize>,
    resting: Vec<usize>,
    gaps: Vec<Measured>,
    rates: Vec<Measured>,
}

/// An instant: time, state, and the duration of the run.
pub(super) struct Instant<'y> {
    pub(super) t: f64,
    pub(super) y: &'y mut [[f64; 1]],
    pub(super) span: f64,
}

impl<'m> Touching<'m> {
    /// The contacts of a mechanism, along a motion from a state; `None` if there are none.
    pub(super) fn new(
        mechanism: &'m Mechanism,
        motion: &mut MotionSystem<'m>,
        (t, y): (f64, &[[f64; 1]]),
    ) -> Option<Self> {
        let mut contacts = Contacts::new(mechanism)?;
        contacts.set(&motion.state_at(t, y));
        contacts.measure_beside(motion.sizes());
        let size = y.len();
        let system = &mechanism.system;
        let rows = system.unilateral.iter().map(|it| &system.rows[it.row]);
        let gaps: Vec<ExprId> = rows.map(|row| row.residual).collect();
        let count = gaps.len();
        Some(Self {
            enclosures: Enclosures::new(mechanism, &system.graph, &gaps, |it| it),
            gaps: Observed::new(mechanism, &system.graph, &gaps)?,
            events: Events::new(count, size),
            touch: contacts.gaps()[0].iter().map(touches).collect(),
            closed: vec![false; count],
            dependent: false,
            slack: vec![0.0; count],
            found: Vec::with_capacity(count),
            pressing: Vec::with_capacity(count),
            end: Vec::with_capacity(size),
            sequences: vec![Sequence::default(); count],
            left: vec![None; count],
            rooms: Rooms::default(),
            rounds: (f64::NAN, 0),
            notes: ContactNotes::default(),
            mechanism,
            contacts,
        })
    }

    /// Takes notice of a state at which a run goes on though nothing has happened.
    pub(super) fn resume(&mut self, system: &mut MotionSystem<'m>, (t, y): (f64, &[[f64; 1]])) {
        self.contacts.closed_into(system.mode(), &mut self.closed);
        self.watch_from(system, (t, y), |_| false);
        if self.dependent || !self.closed.contains(&true) {
            return;
        }
        if let Some(lambda) = system.multipliers_at(t, y) {
            let rows = self.mechanism.system.unilateral.iter();
            let rows = rows.enumerate().filter(|(it, _)| self.closed[*it]);
            for (contact, it) in rows {
                let pull = -lambda[it.row.index()] - self.slack[contact];
                self.events.know(0, contact, pull.min(-f64::MIN_POSITIVE));
            }
        }
    }

    /// Watches contacts from a state on; those that have just opened are open after they have been so.
    fn watch_from(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &[[f64; 1]]),
        opened: impl Fn(usize) -> bool,
    ) {
        self.events.restart();
        for (contact, gap) in self.gaps.at(system, (t, y)).iter().enumerate() {
            let known = match self.closed[contact] {
                true => -LIFTED,
                false if opened(contact) => 0.0,
                false => -gap,
            };
            self.events.know(0, contact, known);
        }
    }

    /// When contacts open or close first in a step.
    pub(super) fn locate(&mut self, step: &mut Step<'_, MotionSystem<'m>, 1>) -> Option<First> {
        let Self {
            mechanism,
            contacts,
            gaps,
            enclosures,
            events,
            touch,
            closed,
            dependent,
            slack,
            pressing,
            ..
        } = self;
        if step.t_new(0) > step.t_old(0) && closed.contains(&false) {
            enclosures.take(step);
        }
        let known = |contact: usize, times| match closed[contact] {
            true => Known::NOTHING,
            false => {
                let known = enclosures.known(contact, times).negative();
                let bounds = known.bounds.map(|bound| bound - touch[contact]);
                Known { bounds, ..known }
            }
        };
        let rows = &mechanism.system.unilateral;
        let mut undefined = None::<(f64, usize)>;
        pressing.clear();
        pressing.extend((0..closed.len()).filter(|&it| closed[it]));
        let all = closed.len();
        if *dependent {
            contacts.hold(step.system().kept_slips().into_iter());
        }
        let values_at = |system: &mut MotionSystem<'m>, t: f64, y: &[f64], g: &mut [f64]| {
            let y = y.as_chunks().0;
            let values = gaps.at(system, (t, y));
            for (it, (g, gap)) in g.iter_mut().zip(values).enumerate() {
                *g = -gap;
                // What has no gap may be anywhere: nothing says that it does not touch.
                if gap.is_nan() && !closed[it] && undefined.is_none_or(|(first, _)| t < first) {
                    undefined = Some((t, it));
                }
            }
            if pressing.is_empty() {
                return;
            }
            if *dependent {
                contacts.set(&system.state_at(t, y));
                let found = contacts.lifts(pressing).ok();
                for (k, &it) in pressing.iter().enumerate() {
                    // What rounding leaves of it does not count.
                    let lift = found.as_ref().map(|lifts| match lifts[k] > LIFTED {
                        true => lifts[k],
                        false => -LIFTED,
                    });
                    g[it] = lift.unwrap_or(f64::NAN);
                }
                return;
            }
            let lambda = system.multipliers_at(t, y);
            for &it in &*pressing {
                let pull = lambda.map(|lambda| -lambda[rows[it].row.index()] - slack[it]);
                g[it] = pull.unwrap_or(f64::NAN);
            }
        };
        let crossings = events.locate_first_within(step, (0, all), values_at, known);
        let first = crossings.first().map(|it| it.t);
        self.found.clear();
        if let Some((t, contact)) = undefined
            && first.is_none_or(|first| t <= first)
        {
            let mut state = vec![0.0; step.size()];
            let times = since_when(step, t, &mut state, |system, t, y| {
                gaps.at(system, (t, y.as_chunks().0))[contact]
            });
            return Some(First::Undefined(Undefined::Gap(contact), times));
        }
        if let Some(first) = first {
            let last = first + ROUNDING * first.abs();
            let together = crossings.iter().take_while(|it| it.t <= last);
            self.found.extend(together.map(|it| it.event));
            if !self.dependent || self.found.iter().any(|it| !self.closed[*it]) {
                return Some(First::True(first));
            }
            let lifting = (&mut self.contacts, &*self.pressing, &mut self.found);
            return Some(First::True(opening::began(step, lifting, (first, LIFTED))));
        }
        self.penetrated(step).map(First::True)
    }

    /// A contact that touched where the step began, and went through without having been open.
    fn penetrated(&mut self, step: &mut Step<'_, MotionSystem<'m>, 1>) -> Option<f64> {
        let (start, end) = (step.t_old(0), step.t_new(0));
        if end <= start {
            return None;
        }
        self.end.clear();
        self.end.extend_from_slice(step.end_states());
        let y = &self.end;
        let gaps = self.gaps.at(step.system(), (end, y));
        let below = |(gap, closed): (&f64, &bool)| *gap < 0.0 && !closed;
        if !gaps.iter().zip(&self.closed).any(below) {
            return None;
        }
        let state = &mut self.rooms.state;
        step.system().state_into(end, y, state);
        self.contacts.set(state);
        let [gaps, _] = self.contacts.gaps();
        let through =
            |it: &usize| !self.closed[*it] && gaps[*it].value < 0.0 && !gaps[*it].is_met();
        self.found.extend((0..gaps.len()).filter(through));
        (!self.found.is_empty()).then_some(start)
    }

    /// Whether contacts were found to open or close in the last step.
    pub(super) fn is_found(&self) -> bool {
        !self.found.is_empty()
    }

    /// Whether it is known what contacts do from a time on.
    pub(super) fn is_known(&self, t: f64) -> bool {
        self.rounds.0.total_cmp(&t).is_eq()
    }

    /// The first whose gap changed too fast to be followed, and when.
    pub(super) fn unfollowed(&self) -> Option<(f64, usize)> {
        self.events.unfollowed().map(|it| (it.t, it.event))
    }

    /// Nothing that was found happens: something else was first.
    pub(super) fn forget(&mut self) {
        self.found.clear();
    }

    /// Which contacts are closed.
    pub(super) fn closed(&self, system: &MotionSystem<'m>) -> Vec<bool> {
        self.contacts.closed(system.mode())
    }

    /// Opens all contacts for a blow that an event gives, which they take part in afterwards.
    pub(super) fn let_go(&self, system: &mut MotionSystem<'m>, (t, y): (f64, &[[f64; 1]])) {
        let none = vec![false; self.closed.len()];
        let mode = self.contacts.mode(system.mode(), &none);
        system.change_mode(&mode, t, y);
    }

    /// What contacts do at an instant: impacts, then who presses. Those that `were` closed were let go for a blow, and do not come back from it.
    pub(super) fn settle(
        &mut self,
        system: &mut MotionSystem<'m>,
        now: &mut Instant<'_>,
        were: Option<&[bool]>,
        happened: &mut Vec<Happened>,
    ) -> Result<(), Stop> {
        let mut found = std::mem::take(&mut self.found);
        let t = now.t;
        if self.rounds.0.total_cmp(&t).is_eq() {
            self.rounds.1 += 1;
        } else {
            self.rounds = (t, 0);
        }
        if self.rounds.1 > MOST_ROUNDS {
            let contacts = found.clone();
            return Err(Stop::RestlessContacts { t, contacts });
        }
        let mut rooms = std::mem::take(&mut self.rooms);
        let settled = self.settle_in(&mut rooms, system, now, (&found, were), happened);
        self.rooms = rooms;
        found.clear();
        self.found = found;
        settled
    }

    /// The same, for contacts that were found to open or close.
    fn settle_in(
        &mut self,
        rooms: &mut Rooms,
        system: &mut MotionSystem<'m>,
        now: &mut Instant<'_>,
        (found, were): (&[usize], Option<&[bool]>),
        happened: &mut Vec<Happened>,
    ) -> Result<(), Stop> {
        let t = now.t;
        system.state_into(t, now.y, &mut rooms.state);
        self.contacts
            .closed_into(&rooms.state.mode, &mut rooms.closed);
        self.contacts.set(&rooms.state);
        let [gaps, rates] = self.contacts.gaps();
        rooms.gaps.clear();
        rooms.gaps.extend_from_slice(gaps);
        rooms.rates.clear();
        rooms.rates.extend_from_slice(rates);
        let Rooms {
            closed,
            dead,
            next,
            touching,
            resting,
            gaps,
            rates,
            state,
        } = rooms;
        let was = |it: usize| closed[it] || were.is_some_and(|were| were[it]);
        let reached = |it: usize| found.contains(&it) && !closed[it];
        let near = |it: usize| {
            let Measured { value, .. } = gaps[it];
            let within = ROUNDING * t.abs() * rates[it].value.abs();
            gaps[it].vanishes() || value.abs() <= within
        };
        touching.clear();
        for (it, gap) in gaps.iter().enumerate() {
            if was(it) && gap.is_met() || closed[it] || reached(it) || near(it) {
                touching.push(it);
            } else if gap.value < 0.0 && !gap.is_met() {
                let gap = gap.value;
                return Err(Stop::Penetrated {
                    t,
                    contact: it,
                    gap,
                });
            }
        }
        let approaches = |it: &usize| {
            let rate = rates[*it];
            !closed[*it] && rate.value < 0.0 && rate.value.abs() > KNOWN * rate.size
        };
        let strikes = touching.iter().any(approaches);
        dead.clear();
        dead.resize(closed.len(), false);
        if let Some(were) = were {
            dead.copy_from_slice(were);
        }
        let held = if strikes {
            Vec::new()
        } else {
            system.kept_slips()
        };
        self.contacts.hold(held.into_iter());
        if strikes {
            let known = [gaps.as_slice(), rates];
            self.strike(system, now, (touching, dead, known), (state, happened))?;
        }
        let [_, after] = self.contacts.gaps();
        let rests = |it: &usize| {
            let size = rates[*it].size + after[*it].size;
            (closed[*it] && !strikes) || after[*it].value.abs() <= KNOWN * size
        };
        resting.clear();
        resting.extend(touching.iter().copied().filter(rests));
        let pressed = self.contacts.press(resting);
        let pressed = pressed.map_err(|why| Stop::NoContact { t, why })?;
        if !pressed.established {
            self.notes.not_established.get_or_insert(t);
        }
        next.clear();
        next.resize(closed.len(), false);
        for (k, &it) in resting.iter().enumerate() {
            let leaves = found.contains(&it) && closed[it];
            next[it] = pressed.presses[k] || pressed.undecided[k] && !leaves;
        }
        self.change(system, now, (was, next), happened);
        self.know(system, now, (touching, resting, &pressed));
        Ok(())
    }

    /// The impact of contacts that touch; of those that are dead nothing comes back.
    fn strike(
        &mut self,
        system: &mut MotionSystem<'m>,
        now: &mut Instant<'_>,
        (touching, dead, known): (&[usize], &mut [bool], [&[Measured]; 2]),
        (state, happened): (&mut State, &mut Vec<Happened>),
    ) -> Result<(), Stop> {
        let t = now.t;
        let fails = |why: NoContact| Stop::NoContact { t, why };
        let before = system.rates().to_vec();
        let mut strike = self.contacts.strike(touching, dead).map_err(fails)?;
        state.rates.clone_from(&strike.after);
        let over = self.over(state, now, (&strike, touching), known);
        let mut over = over.map_err(fails)?;
        if !over.is_empty() {
            let lifted = self.contacts.gaps()[1].iter();
            let lifted: Vec<bool> = lifted.map(|it| it.value > KNOWN * it.size).collect();
            over.iter().for_each(|&it| dead[it] = true);
            state.rates.clone_from(&before);
            self.contacts.set(state);
            strike = self.contacts.strike(touching, dead).map_err(fails)?;
            // Others that have been bouncing along with these rest, too.
            let along = touching.iter();
            let along = along.filter(|&&it| self.sequences[it].is_near(t, now.span));
            over.extend(along);
            over.sort_unstable();
            over.dedup();
            state.rates.clone_from(&strike.after);
            self.contacts.set(state);
            let arrested = self.contacts.arrest(&over, &mut strike.after);
            strike.work += arrested.map_err(fails)?;
            // One that was closed before and stays so has not bounced.
            let closed = self.contacts.closed(system.mode());
            let bounced = |it: &&usize| !closed[**it] || lifted[**it];
            let bounced = over.iter().filter(bounced);
            self.notes.rested.extend(bounced.map(|&it| (it, t)));
        }
        if !strike.together.is_empty() {
            self.notes.several.get_or_insert((t, strike.together));
        }
        if !strike.established {
            self.notes.not_established.get_or_insert(t);
        }
        system.put_rates(t, now.y, &strike.after);
        state.rates.clone_from(&strike.after);
        self.contacts.set(state);
        let work = 2 * before.len();
        now.y[work][0] += strike.work;
        happened.push(Happened {
            of: Happening::Impact(strike.struck),
            t,
            is_blow: true,
            lost: Some(0.0 - strike.work),
            before,
            after: strike.after,
            impulses: strike.impulses,
        });
        Ok(())
    }

    /// Contacts whose impacts are over in the state that they lead to: they follow each other ever faster, or a gap is lifted by less than rounding.
    fn over(
        &mut self,
        state: &State,
        now: &Instant<'_>,
        (strike, touching): (&Strike, &[usize]),
        [gaps, rates]: [&[Measured]; 2],
    ) -> Result<Vec<usize>, NoContact> {
        let mut over = Vec::new();
        self.contacts.set(state);
        for &it in touching {
            let ends = match strike.struck.contains(&it) {
                true => self.sequences[it].add(now.t, now.span).is_some(),
                false => false,
            };
            let rounding = SOLVED * self.contacts.terms_of_gap(it, gaps[it]);
            let [_, after] = self.contacts.gaps();
            let Measured { value: rate, size } = after[it];
            if !ends && rate <= KNOWN * (size + rates[it].size) {
                continue;
            }
            let before = self.left[it].replace([now.t, rate]);
            // The last flight tells how high this one rises: by hundreds of roundings at least, mostly.
            let rise = before.map(|[t, v]| rate.powi(2) * (now.t - t) / (4.0 * v));
            if !ends && rise.is_some_and(|rise| rise > HIGH * rounding) {
                continue;
            }
            let rest = |other: &usize| {
                let Measured { value: rate, size } = after[*other];
                *other != it && rate.abs() <= KNOWN * (size + rates[*other].size)
            };
            let rest: Vec<usize> = touching.iter().copied().filter(rest).collect();
            let falls = self.contacts.falling(it, &rest)?;
            let is_low = falls > 0.0 && rate.powi(2) / (2.0 * falls) <= rounding;
            if ends || is_low {
                over.push(it);
            }
        }
        Ok(over)
    }

    /// Goes on in the mode in which these are closed.
    fn change(
        &self,
        system: &mut MotionSystem<'m>,
        now: &Instant<'_>,
        (before, next): (impl Fn(usize) -> bool, &[bool]),
        happened: &mut Vec<Happened>,
    ) {
        let is_other = |(it, next): (usize, &bool)| {
            let row = self.mechanism.system.unilateral[it].row;
            let constraint = self.mechanism.system.rows[row].constraint;
            system.mode().is_active(&self.mechanism.system, constraint) != *next
        };
        if next.iter().enumerate().any(is_other) {
            let mode = self.contacts.mode(system.mode(), next);
            system.change_mode(&mode, now.t, now.y);
            system.set(now.t, now.y);
        }
        for (it, is) in next.iter().enumerate() {
            let of = match (before(it), is) {
                (false, true) => Happening::Close(it),
                (true, false) => Happening::Open(it),
                _ => continue,
            };
            happened.push(Happened {
                of,
                t: now.t,
                is_blow: false,
                lost: None,
                before: system.rates().to_vec(),
                after: system.rates().to_vec(),
                impulses: Vec::new(),
            });
        }
    }

    /// Takes notice of what contacts do from an instant on.
    fn know(
        &mut self,
        system: &mut MotionSystem<'m>,
        now: &Instant<'_>,
        (touching, resting, pressed): (&[usize], &[usize], &Pressed),
    ) {
        self.contacts.closed_into(system.mode(), &mut self.closed);
        let gaps = self.contacts.gaps()[0].iter();
        let beside = self.touch.iter_mut().zip(gaps);
        beside.for_each(|(touch, gap)| *touch = touches(gap));
        self.dependent = pressed.dependent;
        self.slack.fill(0.0);
        for (k, &it) in resting.iter().enumerate() {
            if pressed.undecided[k] {
                self.slack[it] = CANCELLED * pressed.scales[k];
            }
        }
        self.watch_from(system, (now.t, now.y), |it| touching.contains(&it));
        // What presses with nothing but rounding has not opened yet.
        let closed = resting.iter().zip(&pressed.forces);
        for (&it, force) in closed.filter(|(it, _)| self.closed[**it] && !self.dependent) {
            let pull = -force - self.slack[it];
            self.events.know(0, it, pull.min(-f64::MIN_POSITIVE));
        }
    }
}
