//! Passages near places where rows lose their rank: is the motion still the one that arrived there?
//!
//! Where rows vanish or become dependent at a point of the motion, several motions branch off, and rounding may turn the
//! corner from one into another: energy and constraints are then kept on a motion that nature does not take. The motion that
//! arrives is smooth, so its direction after the passage is the one extrapolated from before, in the metric of M. Steps
//! become very short where a corner is turned: only such steps are looked at.

use super::motion::MotionSystem;
use dalembert_mechanics::decide::SOLVED;
use dalembert_mechanics::linear::{Elimination, norm};

/// Steps before a passage that tell how long steps usually are.
const BEFORE: usize = 40;
/// A passage begins where a step is this part of the usual.
const COLLAPSED: f64 = 1e-2;
/// Rows whose pivots, beside the usual lengths of the rows, become as small as this have lost their rank: a row that holds
/// but for 1e-13 of its size, as rounding leaves it, turns a corner at a distance of the root of that. The corner of a motion
/// that keeps more distance is its own.
const SINGULAR: f64 = 5e-7;
/// Rows that come as near as this are why a run cannot go on there; or farther off, where the tolerance asks for more than
/// rounding leaves beside them: rates that meet the rows to rounding are wrong by that over the square of the pivot.
const NEARLY: f64 = 1e-3;
/// Part of its length by which a direction may miss the extrapolated one.
const MISSED: f64 = 0.02;

/// A state of the run, with its time.
#[derive(Clone, Default)]
pub(super) struct Moment {
    pub(super) t: f64,
    pub(super) y: Vec<[f64; 1]>,
}

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
    /// Units in which each coordinate's rate has an inertia of one.
    units: Vec<f64>,
    /// How small a pivot is the reason for a stop.
    nearly: f64,
    steps: usize,
    sizes: Vec<f64>,
    /// The last two moments.
    before: [Moment; 2],
    passage: Passage,
    /// Whether the passage is under way.
    under_way: bool,
    lengths: Vec<f64>,
    /// Lengths up to which rows are rounding of their terms, and hold nothing.
    rounding: Vec<f64>,
    rank: usize,
    rows: Vec<f64>,
    elimination: Option<Elimination>,
}

/// A motion that is not the one which arrived at a change point.
pub(super) struct LostBranch {
    /// Where.
    pub(super) t: f64,
    /// The last state that can be relied on.
    pub(super) last: Moment,
}

impl Passages {
    pub(super) fn new(units: Vec<f64>, rtol: f64) -> Self {
        Self {
            units,
            nearly: NEARLY.max((f64::EPSILON / rtol).sqrt()),
            steps: 0,
            sizes: Vec::with_capacity(BEFORE),
            before: Default::default(),
            passage: Passage::default(),
            under_way: false,
            lengths: Vec::new(),
            rounding: Vec::new(),
            rank: 0,
            rows: Vec::new(),
            elimination: None,
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
        if system.can_lose_rank() && self.rounding.is_empty() {
            self.measure_terms(system, t, y);
        }
        self.rank = self.rank.max(self.rank_at(system, t, y, SINGULAR));
    }

    /// Takes notice of a step that ends at a state.
    pub(super) fn step(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
    ) -> Result<(), LostBranch> {
        let h = t - self.before[1].t;
        let usual = self.sizes.iter().fold(0.0_f64, |a, b| a.max(*b));
        if !self.under_way && h < COLLAPSED * usual && system.can_lose_rank() {
            self.begin(system, usual);
        }
        let mut over = Ok(());
        if self.under_way {
            if self.rank_at(system, t, y, SINGULAR) < self.rank {
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
            if self.steps.is_multiple_of(BEFORE) && system.can_lose_rank() {
                // A run may start where its rank is lost.
                self.rank = self.rank.max(self.rank_at(system, t, y, SINGULAR));
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
        system.can_lose_rank() && self.rank_at(system, t, y, SINGULAR) < self.rank
    }

    /// Whether rows have nearly lost their rank at a state.
    pub(super) fn is_near(
        &mut self,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
    ) -> bool {
        system.can_lose_rank() && self.rank_at(system, t, y, self.nearly) < self.rank
    }

    fn begin(&mut self, system: &mut MotionSystem<'_>, usual: f64) {
        let ([first, last], passage) = (&self.before, &mut self.passage);
        direction_into(
            &self.units,
            system,
            (first.t, &first.y),
            &mut passage.turning,
        );
        direction_into(
            &self.units,
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
        direction_into(&self.units, system, (t, y), &mut self.rows);
        let (mut missed, mut turned) = (0.0, 0.0);
        for ((now, then), turning) in self
            .rows
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
        })
    }

    /// Measures what rounding leaves of rows.
    fn measure_terms(&mut self, system: &mut MotionSystem<'_>, t: f64, y: &[[f64; 1]]) {
        let terms = system.velocity_terms(t, y);
        let rows = terms.chunks_exact(self.units.len());
        self.rounding.resize(rows.len(), 0.0);
        for (row, rounding) in rows.zip(&mut self.rounding) {
            let felt = row.iter().zip(&self.units).map(|(term, unit)| term * unit);
            *rounding = SOLVED * norm(&felt.collect::<Vec<f64>>());
        }
    }

    /// Rows are measured by the greatest length they have had.
    fn measure(&mut self, system: &mut MotionSystem<'_>, t: f64, y: &[[f64; 1]]) {
        system.velocity_jacobian(t, y, &mut self.rows);
        let n = self.units.len();
        self.lengths.resize(self.rows.len() / n, 0.0);
        let rows = self.rows.chunks_exact_mut(n).zip(&mut self.lengths);
        for ((row, length), rounding) in rows.zip(&self.rounding) {
            row.iter_mut()
                .zip(&self.units)
                .for_each(|(a, unit)| *a *= unit);
            *length = length.max(norm(row));
            if *length <= *rounding {
                row.fill(0.0);
            }
        }
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
        self.measure(system, t, y);
        let n = self.units.len();
        for (row, length) in self.rows.chunks_exact_mut(n).zip(&self.lengths) {
            row.iter_mut()
                .for_each(|a| *a /= length.max(f64::MIN_POSITIVE));
        }
        let count = self.lengths.len();
        let elimination = self
            .elimination
            .get_or_insert_with(|| Elimination::new(count, n));
        elimination.factor(&self.rows, tolerance);
        elimination.rank()
    }
}

/// Direction of the rates at a state, of length one where the units of inertia are one.
fn direction_into(
    units: &[f64],
    system: &mut MotionSystem<'_>,
    (t, y): (f64, &[[f64; 1]]),
    direction: &mut Vec<f64>,
) {
    system.set(t, y);
    direction.clear();
    direction.extend(
        system
            .rates()
            .iter()
            .zip(units)
            .map(|(rate, unit)| rate / unit),
    );
    let length = norm(direction);
    direction.iter_mut().for_each(|part| *part /= length);
}
