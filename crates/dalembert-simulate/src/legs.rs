//! A run in legs.

use super::Stop;
use super::look::{LostBranch, Moment};
use super::motion::MotionSystem;
use dalembert_ode::{LaneReport, Statistics, smallest_step};
use dalembert_results::Table;

/// Part of the legs before by which a step after them goes on at first.
const BEYOND: f64 = 8.0;
/// Legs in a row that do not advance the time: more of them are no way, but a run that stands still.
const MOST_IDLE: usize = 200;

/// A run in legs, from one place or time where forces switch to the next: a slip that vanishes, a kink, a time that is known ahead.
pub(crate) struct Legs {
    pub(crate) t: f64,
    pub(crate) y: Vec<[f64; 1]>,
    pub(crate) count: usize,
    /// How long the last two took.
    lengths: [f64; 2],
    /// How many in a row have not advanced the time.
    idle: usize,
    span: f64,
    total: Statistics,
    /// The last moment that can be relied on, if that is not the end.
    pub(crate) last: Option<Moment>,
}

impl Legs {
    pub(crate) fn new(t: f64, y: Vec<[f64; 1]>, span: f64) -> Self {
        Self {
            t,
            y,
            count: 0,
            lengths: [0.0; 2],
            idle: 0,
            span,
            total: Statistics::default(),
            last: None,
        }
    }

    /// The least time by which a leg goes on.
    pub(crate) fn least(&self) -> f64 {
        smallest_step(self.t, self.span)
    }

    /// Whether the run stands still.
    pub(crate) fn is_stuck(&self) -> bool {
        self.idle > MOST_IDLE
    }

    /// Takes notice of what ended the last leg and has a limit of its own: many things may happen at an instant.
    pub(crate) fn count_anew(&mut self) {
        self.idle = 0;
    }

    pub(crate) fn coordinates(&self, n: usize) -> &[f64] {
        self.y[..n].as_flattened()
    }

    /// Goes back to where the motion was still the one that was asked for.
    pub(crate) fn give_up(&mut self, lost: LostBranch, table: &mut Table) -> Stop {
        self.go_back(lost.last, table);
        match lost.unclear {
            true => Stop::Unclear(lost.t),
            false => Stop::LostBranch(lost.t),
        }
    }

    pub(crate) fn go_back(&mut self, last: Moment, table: &mut Table) {
        table.drop_last_while(|t| t > last.t);
        self.last = Some(last);
    }

    /// Length of the first step after something has happened, where the step before would have gone on by a length. What happens again does
    /// so after about as long, and is found the sooner the less a step goes beyond it.
    pub(crate) fn first_step(&self, next: f64) -> f64 {
        let [last, before] = self.lengths;
        match last.max(before) {
            0.0 => next,
            longest => next.min(BEYOND * longest),
        }
    }

    /// Rests for a while, but for what goes on as it moves.
    pub(crate) fn rest(&mut self, system: &mut MotionSystem<'_>, time: f64) {
        system.set(self.t, &self.y);
        for (q, rate) in self.y.iter_mut().zip(system.rates()) {
            q[0] += time * rate;
        }
        self.t += time;
    }

    /// Adds a leg that ends at a state; gives its report with what all legs have cost.
    pub(crate) fn add(&mut self, lane: &LaneReport, y: &[[f64; 1]]) -> LaneReport {
        self.count += 1;
        self.lengths = [lane.t - self.t, self.lengths[0]];
        // Times are rounded.
        let advances = self.lengths[0] >= 0.5 * self.least();
        self.idle = if advances { 0 } else { self.idle + 1 };
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

#[cfg(test)]
mod tests {
    use super::*;
    use dalembert_ode::End;

    #[test]
    fn legs_that_do_not_advance_the_time_end_a_run() {
        let lane = |t: f64| LaneReport {
            t,
            end: End::Reached,
            statistics: Statistics::default(),
            next_step: 0.0,
        };
        let mut legs = Legs::new(3.0, vec![[0.0]], 10.0);
        // By less than the time resolves, again and again.
        let mut t = 3.0_f64;
        let count = (0..10 * MOST_IDLE).position(|_| {
            t = t.next_up();
            legs.add(&lane(t), &[[0.0]]);
            legs.is_stuck()
        });
        assert_eq!(count, Some(MOST_IDLE));
        legs.add(&lane(t + legs.least()), &[[0.0]]);
        assert!(!legs.is_stuck());
    }
}
