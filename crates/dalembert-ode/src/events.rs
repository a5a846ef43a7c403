//! Events: the times at which functions of the state rise through zero.
//!
//! An event is a function g(t, y). It is false where g < 0 and true where g ≥ 0, and happens where it becomes
//! true. A step is cut into cells, and each cell in which g is negative at all points looked at is cut further until the
//! parabola through three of them, with four times what it misses the others by, stays below zero:
//! so a g that becomes true and false again within a cell is found too, be it smooth or with corners such as that of |x|; and so is
//! one that is true at both ends of a cell and false in between, as where something leaves a wall and comes back. Points say nothing of a g that changes
//! far faster than the state, as sin(50 x) or the height of a corner of what spins: who knows bounds of g over whole cells gives them, and a cell is cut until
//! these leave no room for a change.
//! A change from negative to not negative is then located on the dense output: by the inverse parabola through the last three places
//! looked at where that leads from one end of the bracket to the other, else by halves; and by halves alone after some rounds,
//! so that a g which is not smooth costs little more than bisection. With ξ = (x₁ − x₂)/(x₃ − x₂) and φ = (g₁ − g₂)/(g₃ − g₂),
//!
//! ```text
//! the parabola is followed where    1 − √(1 − ξ) < φ < √ξ
//! ```
//!
//! * An event that is true at the start happens only after it has been false.
//! * Of an event that is true twice in a cell, the first time that is found is told.
//!
//! Reference: Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without using
//! derivatives", Adv. Eng. Softw. 28 (1997) 145–149.

use crate::integrator::Step;
use crate::rises::{Known, Room, Search, probes};
use crate::system::System;

/// Number of cells into which a step is cut to look for changes of sign.
const CHECKS_PER_STEP: usize = 4;
/// Times in a step whose values are kept for other events.
const MOST_SEEN: usize = 64;

/// An event that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which of the events.
    pub event: usize,
    /// When: the event is true at this time, and was false just before.
    pub t: f64,
}

/// Watches a number of events in all lanes of a run.
#[derive(Clone, Debug)]
pub struct Events<const L: usize> {
    /// g at the last check of each lane.
    before: Vec<[f64; L]>,
    now: Vec<f64>,
    trial: Vec<f64>,
    /// g at the probes of a cell.
    probed: [Vec<f64>; 3],
    state: Vec<f64>,
    found: Vec<Crossing>,
    room: Room,
    unfollowed: Option<Crossing>,
    /// Times in a step at which several events were looked at, and what was seen: others ask for the same.
    times: Vec<f64>,
    seen: Vec<f64>,
}

impl<const L: usize> Events<L> {
    /// A watch for `count` events of a state of `size` values.
    pub fn new(count: usize, size: usize) -> Self {
        Events {
            before: vec![[f64::NAN; L]; count],
            now: vec![0.0; count],
            trial: vec![0.0; count],
            probed: std::array::from_fn(|_| vec![0.0; count]),
            state: vec![0.0; size],
            found: Vec::with_capacity(count * CHECKS_PER_STEP),
            room: Room::default(),
            unfollowed: None,
            times: Vec::with_capacity(MOST_SEEN),
            seen: Vec::with_capacity(if count > 1 { MOST_SEEN * count } else { 0 }),
        }
    }

    /// Begins a new run: what was true at the end of the last one is not known any more.
    pub fn restart(&mut self) {
        self.before.fill([f64::NAN; L]);
    }

    /// Says what an event is worth in a lane where a run goes on: not negative where it is true already.
    pub fn know(&mut self, lane: usize, event: usize, value: f64) {
        self.before[event][lane] = value;
    }

    /// The first event that changed too fast to be followed any closer than points tell, and from when on: it may have happened in between.
    pub fn unfollowed(&self) -> Option<Crossing> {
        self.unfollowed
    }

    /// The events that happen in a lane during `step`, the earliest first.
    ///
    /// `g(system, t, y, out)` writes the values of all events at a state of that lane. To be called from the
    /// observer of a run, in each step, the one of zero length at the start included.
    pub fn locate<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        lane: usize,
        g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
    ) -> &[Crossing] {
        self.search(step, (lane, 0), g, |_, _| Known::NOTHING)
    }

    /// As [`Self::locate`], for who ends the step with the first of the events that is among the first `ending`: what comes after
    /// it in the step is not looked for. A watch that has found one begins anew.
    pub fn locate_first<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        (lane, ending): (usize, usize),
        g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
    ) -> &[Crossing] {
        self.search(step, (lane, ending), g, |_, _| Known::NOTHING)
    }

    /// As [`Self::locate_first`], with what is known of each event over a stretch of time in the step, by `known(event, [from, to])`: what that leaves no
    /// room for is not looked for, and what it leaves room for is.
    pub fn locate_first_within<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        (lane, ending): (usize, usize),
        g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
        known: impl FnMut(usize, [f64; 2]) -> Known,
    ) -> &[Crossing] {
        self.search(step, (lane, ending), g, known)
    }

    fn search<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        (lane, ending): (usize, usize),
        mut g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
        mut known: impl FnMut(usize, [f64; 2]) -> Known,
    ) -> &[Crossing] {
        self.found.clear();
        let (start, end) = (step.t_old(lane), step.t_new(lane));
        let (state, times, seen) = (&mut self.state, &mut self.times, &mut self.seen);
        let count = self.now.len();
        times.clear();
        seen.clear();
        let mut values_at = |t: f64, out: &mut [f64]| {
            let known = times.iter().position(|other| other.total_cmp(&t).is_eq());
            if let Some(place) = known {
                out.copy_from_slice(&seen[place * count..][..count]);
                return;
            }
            step.state(lane, t, state);
            g(step.system(), t, state, out);
            if count > 1 && times.len() < MOST_SEEN {
                times.push(t);
                seen.extend_from_slice(out);
            }
        };
        if start.total_cmp(&end).is_eq() {
            if self.before.iter().any(|before| before[lane].is_nan()) {
                values_at(start, &mut self.now);
                let news = self.before.iter_mut().zip(&self.now);
                let news = news.filter(|(before, _)| before[lane].is_nan());
                news.for_each(|(before, now)| before[lane] = *now);
            }
            return &self.found;
        }
        let mut a = start;
        for check in 1..=CHECKS_PER_STEP {
            let b = match check {
                CHECKS_PER_STEP => end,
                _ => start + (end - start) * (check as f64 / CHECKS_PER_STEP as f64),
            };
            values_at(b, &mut self.now);
            let mut is_probed = false;
            for (event, before) in self.before.iter_mut().enumerate() {
                let (g_a, g_b) = (before[lane], self.now[event]);
                let over = known(event, [a, b]);
                // What happens in between does not show at the ends.
                let is_hidden = (g_a < 0.0 && g_b < 0.0) || (g_a >= 0.0 && g_b >= 0.0);
                let may_hide = match (is_hidden, g_a < 0.0) {
                    (true, true) => !over.is_below_zero() && !over.is_one_way(),
                    (true, false) => !over.is_not_below_zero() && !over.is_one_way(),
                    (false, true) => g_b >= 0.0,
                    // It becomes false, and true again only if it turns.
                    (false, false) => {
                        g_a >= 0.0 && g_b < 0.0 && over.is_bounded() && !over.is_one_way()
                    }
                };
                if !may_hide {
                    before[lane] = g_b;
                    continue;
                }
                if is_hidden && !std::mem::replace(&mut is_probed, true) {
                    // Once for all events: they may be as many as the state has values.
                    for (t, values) in probes([a, b]).into_iter().zip(&mut self.probed) {
                        values_at(t, values);
                    }
                }
                let trial = &mut self.trial;
                let probed = self.probed.each_ref().map(|values| values[event]);
                let mut search = Search {
                    g: |t: f64| {
                        values_at(t, trial);
                        trial[event]
                    },
                    known: |cell| known(event, cell),
                    room: &mut self.room,
                };
                let ends = [(a, g_a), (b, g_b)];
                if let Some(t) = search.first_rise(ends, is_hidden.then_some(probed)) {
                    self.found.push(Crossing { event, t });
                }
                if let Some(t) = self.room.unfollowed.take() {
                    self.unfollowed.get_or_insert(Crossing { event, t });
                }
                before[lane] = g_b;
            }
            if self.found.iter().any(|crossing| crossing.event < ending) {
                break;
            }
            a = b;
        }
        let direction = (end - start).signum();
        self.found.sort_unstable_by(|p, q| {
            let by_time = (p.t * direction).total_cmp(&(q.t * direction));
            by_time.then(p.event.cmp(&q.event))
        });
        &self.found
    }
}
