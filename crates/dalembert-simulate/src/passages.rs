//! Passages near places where rows lose their rank: is the motion still the one that arrived there?
//!
//! Where rows vanish or become dependent at a point of the motion, several motions branch off, and rounding may turn the
//! corner from one into another: energy and constraints are then kept on a motion that nature does not take. The motion that
//! arrives is smooth, so its direction after the passage is the one extrapolated from before, in the metric of M. Steps
//! become very short where a corner is turned: only such steps are looked at.
//!
//! Most such places are seen ahead, by the least pivot of the rows, and crossed (`crossing.rs`).

use super::crossing::{self, Found, measures_at};
use super::look::{Look, LostBranch, Moment, direction_into};
use super::motion::MotionSystem;
use super::rank::Rank;
use super::reduced::Measures;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{
    COARSE, COLLAPSED, MISSED, NARROWING, RELATED, SINGULAR, STRAIGHT,
};
use dalembert_mechanics::linear::norm;

/// Steps before a passage that tell how long steps usually are.
const BEFORE: usize = 40;
/// Part of a step over which the slope of a pivot is measured; and of the span where there is none yet.
const PROBED: f64 = 1e-3;
/// The same of the way to where it vanishes; part of a pivot that may change over it; and how often it is shortened.
const PROBED_AHEAD: f64 = 1e-2;
const PROBED_CHANGE: f64 = 0.1;
const SHORTENED: usize = 12;
const SHORTER: f64 = 1.0 / 16.0;
/// Part of the greatest pivot from which the place where it vanishes is far.
const FAR: f64 = 0.9;
/// Steps within which a place ahead is looked for; how often, each time half as far away: steps must not leap over a narrow corner.
const LEAPS: f64 = 1.5;
const NARROW: usize = 50;
const HALF_WAY: f64 = 0.5;
/// Steps are forgotten by so much at each.
const FORGOTTEN: f64 = 0.95;

#[derive(Default)]
struct Passage {
    /// The end of the step before it.
    begin: Moment,
    /// How long steps were before it.
    usual: f64,
    /// Direction at the beginning, and its rate of change.
    direction: Vec<f64>,
    turning: Vec<f64>,
    /// Where rows lost their rank on the way.
    singular: Option<f64>,
}

/// Watches a run for passages.
pub(super) struct Passages {
    /// How small a pivot is the reason for a stop.
    nearly: f64,
    steps: usize,
    sizes: Vec<f64>,
    /// The last two moments.
    before: [Moment; 2],
    passage: Passage,
    /// Whether the passage is under way.
    under_way: bool,
    rank: Rank,
    now: Vec<f64>,
    rtol: f64,
    span: f64,
    look: Option<Look>,
    /// The look at the end of the step that is looked at.
    next: Option<Look>,
    /// The rows at the beginning of that step, and at its end.
    rows: [Vec<f64>; 2],
    /// The last time at which a pivot was seen, and that pivot.
    seen: [f64; 2],
    /// The greatest pivot so far.
    greatest: f64,
    /// How long steps are that rows do not shorten.
    recent: f64,
    /// Until when nothing is looked for ahead, and how often that was in vain.
    not_before: f64,
    tries: usize,
    /// Whether a corner was found that is not on the surface.
    beside: bool,
    /// The slope with which the pivot began to vanish, and whether it does so in proportion to the way.
    falling: Option<f64>,
    straight: bool,
    measures: Option<Measures>,
}

impl Passages {
    pub(super) fn new(units: Vec<f64>, rtol: f64, span: f64) -> Self {
        Self {
            // Rows that come as near as this are why a run cannot go on there; or farther off, where the tolerance asks for more than
            // rounding leaves beside them: rates that meet the rows to rounding are wrong by that over the square of the pivot.
            nearly: COARSE.max((f64::EPSILON / rtol).sqrt()),
            steps: 0,
            sizes: Vec::with_capacity(BEFORE),
            before: Default::default(),
            passage: Passage::default(),
            under_way: false,
            rank: Rank::new(units),
            now: Vec::new(),
            rtol,
            span,
            look: None,
            next: None,
            rows: Default::default(),
            seen: [f64::NEG_INFINITY, 0.0],
            greatest: 0.0,
            recent: 0.0,
            not_before: f64::NEG_INFINITY,
            tries: 0,
            beside: false,
            falling: None,
            straight: false,
            measures: None,
        }
    }

    /// Begins at a state, or again at one after it.
    pub(super) fn start(&mut self, system: &mut MotionSystem<'_>, t: f64, y: &[[f64; 1]]) {
        for moment in &mut self.before {
            moment.t = t;
            moment.y.clear();
            moment.y.extend_from_slice(y);
        }
        self.sizes.clear();
        self.under_way = false;
        if system.can_lose_rank() {
            if !self.rank.is_measured() {
                self.rank.measure(&system.velocity_terms(t, y));
            }
            self.learn_rank(system, t, y);
        }
        self.look = self.look_at(system, t, y);
        self.rows.swap(0, 1);
        self.see();
    }

    /// Learns the usual rank: a run may start where it is lost.
    fn learn_rank(&mut self, system: &mut MotionSystem<'_>, t: f64, y: &[[f64; 1]]) {
        let rank = self.rank_at(system, t, y, SINGULAR);
        if rank > self.rank.usual {
            self.rank.usual = rank;
            (self.seen, self.greatest, self.look) = ([t, 0.0], 0.0, None);
        }
    }

    /// Looks at the rows at a state, and at where they are going.
    fn look_at(&mut self, system: &mut MotionSystem<'_>, t: f64, y: &[[f64; 1]]) -> Option<Look> {
        let pivot = match system.can_weaken() {
            true => self.strength_at(system, t, y),
            false if !system.can_cross() || system.crossing().is_some() => return None,
            false => {
                self.rank
                    .take(true, |rows| system.velocity_jacobian(t, y, rows));
                self.rows[1].clone_from(&self.rank.rows);
                self.rank.least_pivot()
            }
        };
        self.greatest = self.greatest.max(pivot);
        let slope = match pivot < FAR * self.greatest {
            true => self.slope_at(system, (t, y), pivot),
            false => 0.0,
        };
        Some(Look { t, pivot, slope })
    }

    /// Remembers the pivot at a state of the run. A corner that is behind is forgotten.
    fn see(&mut self) {
        let is_far = |look: Look| look.pivot > COARSE * self.greatest && look.slope > 0.0;
        if self.look.is_some_and(is_far) {
            (self.beside, self.straight, self.falling) = (false, false, None);
        }
        if let Some(look) = self.look.filter(|look| look.slope < 0.0) {
            self.see_fall(look);
        }
        if let Some(look) = self.look.filter(|look| look.t > self.seen[0]) {
            self.seen = [look.t, look.pivot];
        }
    }

    /// Takes notice of a pivot that falls.
    fn see_fall(&mut self, look: Look) {
        let [least, most] = NARROWING.map(|part| part * self.greatest);
        if look.pivot >= most {
            (self.falling, self.straight) = (None, false);
        } else if look.pivot >= least {
            let slope = *self.falling.get_or_insert(look.slope);
            let near = look.pivot < RELATED * self.greatest;
            self.straight = near && look.slope < STRAIGHT * slope;
        }
    }

    /// The rate at which the least pivot of the rows changes at a state. Behind the place where it vanishes it grows: what is
    /// looked at lies well before that.
    fn slope_at(
        &mut self,
        system: &mut MotionSystem<'_>,
        (t, y): (f64, &[[f64; 1]]),
        pivot: f64,
    ) -> f64 {
        let mut dt = PROBED * self.recent.max(PROBED * self.span);
        let [t_seen, seen] = self.seen;
        if t > t_seen && seen > pivot {
            dt = dt.min(PROBED_AHEAD * pivot * (t - t_seen) / (seen - pivot));
        }
        for _ in 0..SHORTENED {
            self.now.clear();
            let rates = system.rates();
            (self.now).extend((0..rates.len()).map(|i| y[i][0] + dt * rates[i]));
            let now = std::mem::take(&mut self.now);
            let change = self.least_pivot(system, t + dt, &now) - pivot;
            self.now = now;
            if change.abs() <= PROBED_CHANGE * pivot {
                return change / dt;
            }
            dt *= SHORTER;
        }
        0.0
    }

    /// What stands for the least pivot where rows are too many for one, at a state.
    fn strength_at(&mut self, system: &mut MotionSystem<'_>, t: f64, y: &[[f64; 1]]) -> f64 {
        system.set(t, y);
        let strength = self.least_pivot(system, t, y.as_flattened());
        // The rates are those of the state again.
        system.set(t, y);
        strength
    }

    /// The least pivot of the rows at a state.
    pub(super) fn least_pivot(&mut self, system: &mut MotionSystem<'_>, t: f64, y: &[f64]) -> f64 {
        let q = &y[..self.rank.units().len()];
        if system.can_weaken() {
            return system.strength(t, q, &mut self.rank);
        }
        self.rank.take(false, |rows| system.rows_at(t, q, rows));
        self.rank.least_pivot()
    }

    /// Seconds from the beginning of a step to where rows may lose their rank, if the step, which ends at a state, leads there or
    /// beyond.
    pub(super) fn reaches(
        &mut self,
        system: &mut MotionSystem<'_>,
        [from, to]: [f64; 2],
        end: &[[f64; 1]],
    ) -> Option<f64> {
        let mut narrowing = NARROWING.map(|part| part * self.greatest);
        if self.straight {
            narrowing[0] = SINGULAR * self.greatest;
        }
        let is_narrow = |look: Look| (narrowing[0]..narrowing[1]).contains(&look.pivot);
        system.turn_corner(self.beside || self.look.is_some_and(is_narrow));
        self.next = match to > from {
            true => self.look_at(system, to, end),
            false => self.look,
        };
        if let Some(look) = self
            .look
            .filter(|look| look.slope < 0.0 && self.is_unclear(look.pivot))
        {
            return Some(look.ahead());
        }
        let look = self.look.filter(|look| look.t >= self.not_before)?;
        let (h, ahead) = (to - from, look.ahead());
        if ahead <= (LEAPS * h).max(self.recent) {
            return Some(ahead);
        }
        // The step has leapt over it.
        let next = self.next?;
        let behind = next.behind();
        let leapt = (look.slope <= 0.0 || next.pivot < look.pivot) && behind < LEAPS * h;
        leapt.then_some((h - behind).max(HALF_WAY * h))
    }

    /// Whether rows turn so much in the step that they may lose their rank on its way, though they are far from that at both ends, where
    /// slopes of pivots are not looked at: no matrix that is nearer than its least pivot has a lower rank.
    pub(super) fn may_leap(&self) -> bool {
        let (Some(look), Some(next)) = (self.look, self.next) else {
            return false;
        };
        let least = look.pivot.min(next.pivot);
        if least < FAR * self.greatest || look.t < self.not_before {
            return false;
        }
        let [from, to] = &self.rows;
        let turned: f64 = from.iter().zip(to).map(|(a, b)| (a - b).powi(2)).sum();
        turned.sqrt() > HALF_WAY * least
    }

    /// Where the motion turns a corner beside a place that is not on the surface: part to which rates are known there, which follow from
    /// rows that are met to rounding.
    pub(super) fn known_in_corner(&self) -> Option<f64> {
        let known = f64::EPSILON * (self.greatest / self.seen[1]).powi(2);
        (self.beside || self.straight).then_some(known)
    }

    /// Whether rows that are met to rounding do not tell branches apart any more that touch ahead.
    fn is_unclear(&self, pivot: f64) -> bool {
        pivot < SINGULAR * self.greatest && !self.beside
    }

    /// Looks for a place to be crossed ahead of a state; else until when the run goes on as before, if not to its end.
    pub(super) fn seek(
        &mut self,
        mechanism: &Mechanism,
        system: &mut MotionSystem<'_>,
        (t, y): (f64, &[[f64; 1]]),
        ahead: f64,
    ) -> Result<Option<f64>, LostBranch> {
        let pivot = self.look.take().map_or(f64::INFINITY, |look| look.pivot);
        let unclear = self.is_unclear(pivot);
        // Where rows are near to losing their rank, nothing is put off.
        let is_near = pivot < NARROWING[1] * self.greatest;
        let pivot = if is_near { f64::INFINITY } else { pivot };
        let measures = measures_at(&mut self.measures, mechanism, system, (t, y));
        let (by, asked) = ((mechanism, measures), [ahead, pivot, self.rtol]);
        let (found, ahead) = crossing::seek(by, system, &mut self.rank, (t, y), asked);
        self.tries += 1;
        Ok(match found {
            Found::TooFar | Found::Nothing if unclear => {
                return Err(LostBranch {
                    t: t + ahead,
                    last: Moment { t, y: y.to_vec() },
                    unclear: true,
                });
            }
            Found::Crossing(crossing) => {
                system.cross(crossing);
                (self.tries, self.beside) = (0, false);
                None
            }
            Found::Beside => {
                // Steps must not leap over a narrow corner.
                self.tries = 0;
                self.beside = true;
                system.turn_corner(true);
                self.not_before = t + HALF_WAY * ahead;
                Some(self.not_before)
            }
            Found::TooFar if self.tries < NARROW => {
                self.not_before = t + HALF_WAY * ahead;
                Some(self.not_before)
            }
            Found::TooFar | Found::Nothing => {
                self.tries = 0;
                self.not_before = t + 2.0 * ahead;
                None
            }
        })
    }

    /// Sets out from a change point at which a run starts.
    pub(super) fn set_out(
        &mut self,
        mechanism: &Mechanism,
        system: &mut MotionSystem<'_>,
        (t, y): (f64, &[[f64; 1]]),
    ) -> Result<(), LostBranch> {
        self.start(system, t, y);
        let measures = measures_at(&mut self.measures, mechanism, system, (t, y));
        let by = (mechanism, measures);
        match crossing::set_out(by, system, &mut self.rank, (t, y), self.rtol) {
            Some(crossing) => {
                system.cross(crossing);
                Ok(())
            }
            None => Err(LostBranch {
                t,
                last: Moment { t, y: y.to_vec() },
                unclear: true,
            }),
        }
    }

    /// Takes notice of a step that ends at a state.
    pub(super) fn step(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
    ) -> Result<(), LostBranch> {
        if system.crossing().is_some() {
            return Ok(());
        }
        let h = t - self.before[1].t;
        self.recent = h.max(FORGOTTEN * self.recent);
        self.look = self.next.take();
        self.rows.swap(0, 1);
        self.see();
        let usual = self.sizes.iter().fold(0.0_f64, |a, b| a.max(*b));
        if !self.under_way && h < COLLAPSED * usual && system.can_lose_rank() {
            self.begin(system, usual);
        }
        let mut over = Ok(());
        if self.under_way {
            if self.rank_at(system, t, y, SINGULAR) < self.rank.usual {
                self.passage.singular.get_or_insert(t);
            }
            let Passage {
                begin,
                usual,
                singular,
                ..
            } = &self.passage;
            let passed = singular.is_some_and(|at| t - at > 2.0 * (at - begin.t));
            // So long a while of short steps is no passage.
            let lasts = t - begin.t > *usual;
            if lasts {
                self.sizes.clear();
            }
            if passed || lasts || h >= COLLAPSED * *usual {
                over = self.end(system, t, y);
            }
        }
        self.before.swap(0, 1);
        self.before[1].t = t;
        self.before[1].y.copy_from_slice(y);
        if !self.under_way {
            if self.sizes.len() == BEFORE {
                self.sizes.remove(0);
            }
            self.sizes.push(h);
            self.steps += 1;
            let soon = self.steps == 1 || self.steps.is_multiple_of(BEFORE);
            if soon && system.can_lose_rank() {
                self.learn_rank(system, t, y);
            }
        }
        over
    }

    /// Looks at a passage that is under way when the run ends.
    pub(super) fn finish(&mut self, system: &mut MotionSystem<'_>) -> Result<(), LostBranch> {
        let now = self.before[1].clone();
        match self.under_way {
            true => self.end(system, now.t, &now.y),
            false => Ok(()),
        }
    }

    /// The end of the last step before those that are short, if they are still: where rows nearly lose their rank, rates
    /// after it can no longer be relied on.
    pub(super) fn collapsed(&self) -> Option<&Moment> {
        self.under_way.then_some(&self.passage.begin)
    }

    /// Whether rows have lost their rank at a state.
    pub(super) fn is_singular(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
    ) -> bool {
        // Next to a place that is crossed, states are too well known for that to be seen, and multipliers not well enough.
        let tolerance = match system.crossing() {
            Some(_) => COARSE,
            None => SINGULAR,
        };
        system.can_lose_rank() && self.rank_at(system, t, y, tolerance) < self.rank.usual
    }

    /// Whether rows have nearly lost their rank at a state.
    pub(super) fn is_near(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
    ) -> bool {
        match system.can_weaken() {
            true => self.strength_at(system, t, y) < self.nearly * self.greatest,
            false => {
                system.can_lose_rank() && self.rank_at(system, t, y, self.nearly) < self.rank.usual
            }
        }
    }

    /// The rows of the system that come nearest to depending on each other at a state.
    pub(super) fn nearly_dependent(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
    ) -> Vec<usize> {
        let Some(last) = self.rank.usual.checked_sub(1) else {
            return Vec::new();
        };
        self.rank
            .take(true, |rows| system.velocity_jacobian(t, y, rows));
        let lost = self.rank.least_pivot() * (1.0 + COARSE);
        let elimination = self.rank.eliminated(lost);
        let rank = elimination.rank();
        let (mut room, mut relation) = (vec![0.0; rank], vec![0.0; elimination.row_order().len()]);
        if rank > last {
            return Vec::new();
        }
        elimination.relation(last - rank, &mut room, &mut relation);
        let whole = norm(&relation);
        let rows = system.velocity_rows();
        let named = (0..rows.len()).filter(|&i| relation[i].abs() > COARSE * whole);
        named.map(|i| rows[i]).collect()
    }

    fn begin(&mut self, system: &mut MotionSystem<'_>, usual: f64) {
        let ([first, last], passage) = (&self.before, &mut self.passage);
        direction_into(
            self.rank.units(),
            system,
            (first.t, &first.y),
            &mut passage.turning,
        );
        direction_into(
            self.rank.units(),
            system,
            (last.t, &last.y),
            &mut passage.direction,
        );
        let dt = last.t - first.t;
        for (turning, now) in passage.turning.iter_mut().zip(&passage.direction) {
            *turning = if dt > 0.0 { (now - *turning) / dt } else { 0.0 };
        }
        passage.begin.t = last.t;
        passage.begin.y.clear();
        passage.begin.y.extend_from_slice(&last.y);
        (passage.usual, passage.singular) = (usual, None);
        self.under_way = true;
    }

    fn end(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
    ) -> Result<(), LostBranch> {
        self.under_way = false;
        let Some(at) = self.passage.singular else {
            return Ok(());
        };
        let passage = &self.passage;
        let dt = t - passage.begin.t;
        direction_into(self.rank.units(), system, (t, y), &mut self.now);
        let (mut missed, mut turned) = (0.0, 0.0);
        for ((now, then), turning) in self
            .now
            .iter()
            .zip(&passage.direction)
            .zip(&passage.turning)
        {
            missed += (now - then - dt * turning).powi(2);
            turned += (dt * turning).powi(2);
        }
        // Not a number is a motion lost.
        if f64::sqrt(missed) <= MISSED + f64::sqrt(turned) {
            return Ok(());
        }
        Err(LostBranch {
            t: at,
            last: passage.begin.clone(),
            unclear: false,
        })
    }

    /// Rank of the rows beside their usual lengths.
    fn rank_at(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
        tolerance: f64,
    ) -> usize {
        if !system.can_lose_rank() {
            return 0;
        }
        self.rank
            .take(true, |rows| system.velocity_jacobian(t, y, rows));
        self.rank.eliminated(tolerance).rank()
    }
}
