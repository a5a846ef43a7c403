//! A run in legs.

use super::Stop;
use super::motion::MotionSystem;
use super::passages::{LostBranch, Moment};
use dalembert_ode::{LaneReport, Statistics};
use dalembert_results::Table;

/// Part of the legs before by which a step after them goes on at first.
const BEYOND: f64 = 8.0;

/// A run in legs, from one place or time where forces switch to the next: a slip that vanishes, a kink, a time that is known ahead.
pub(crate) struct Legs {
    pub(crate) t: f64,
    pub(crate) y: Vec<[f64; 1]>,
    pub(crate) count: usize,
    /// How long the last two took.
    lengths: [f64; 2],
    total: Statistics,
    /// The last moment that can be relied on, if that is not the end.
    pub(crate) last: Option<Moment>,
}

impl Legs {
    pub(crate) fn new(t: f64, y: Vec<[f64; 1]>) -> Self {
        Self {
            t,
            y,
            count: 0,
            lengths: [0.0; 2],
            total: Statistics::default(),
            last: None,
        }
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
