//! Decisions about expressions by their values at random places: whether sums vanish, and of what rank
//! vectors are. What vanishes at several random places vanishes.

use crate::random;
use dalembert_expr::{ExprId, Graph, evaluate};
use dalembert_linear::decide::{CANCELLED, SOLVED};
use dalembert_linear::{CompleteOrthogonal, dot, norm, unit_rows};
use std::ops::Range;

/// Places at which expressions are looked at, and how many are tried to find these.
const PLACES: usize = 3;
const TRIES: u64 = 40;

/// Values of some expressions at random places where all of them are finite.
pub(super) struct Sampling {
    /// By place.
    values: Vec<Vec<f64>>,
}

impl Sampling {
    pub(super) fn of(graph: &Graph, expressions: &[ExprId]) -> Self {
        let symbol = |trial: u64| {
            move |symbol: dalembert_expr::SymbolId| random(symbol.index() as u64, trial)
        };
        let values = (0..TRIES)
            .map(|trial| evaluate(graph, expressions, symbol(trial)))
            .filter(|values| values.iter().all(|value| value.is_finite()))
            .take(PLACES)
            .collect();
        Self { values }
    }

    /// Whether something is true of the values at every place; nothing is where there is no value.
    pub(super) fn everywhere(&self, holds: impl Fn(&[f64]) -> bool) -> bool {
        !self.values.is_empty() && self.values.iter().all(|values| holds(values))
    }

    /// Whether the sum of some of the expressions vanishes. What has no value anywhere does not.
    pub(super) fn sum_vanishes(&self, terms: Range<usize>) -> bool {
        let vanishes = |values: &[f64]| {
            let sum = values[terms.clone()].iter().sum::<f64>().abs();
            sum <= CANCELLED * largest(&values[terms.clone()]) && terms.len() > 1
                || sum <= SOLVED * largest(values)
        };
        self.everywhere(vanishes)
    }

    /// Vectors of three components, which the expressions are, that do not vanish beside the others.
    pub(super) fn present(&self) -> Vec<bool> {
        let count = self.values.first().map_or(0, |values| values.len() / 3);
        let present = |i: usize| {
            let of = |values: &Vec<f64>| largest(&values[3 * i..][..3]) > SOLVED * largest(values);
            self.values.iter().any(of)
        };
        (0..count).map(present).collect()
    }

    /// Which of these vectors are not at right angles to one of them.
    pub(super) fn oblique(&self, one: usize) -> Vec<bool> {
        let count = self.values.first().map_or(0, |values| values.len() / 3);
        let oblique = |i: usize| {
            let of = |values: &Vec<f64>| {
                let [a, b] = [one, i].map(|k| &values[3 * k..][..3]);
                dot(a, b).abs() > CANCELLED * norm(a) * norm(b)
            };
            self.values.iter().any(of)
        };
        (0..count).map(oblique).collect()
    }

    /// Rank of so many vectors, one after the other: the largest at any place.
    pub(super) fn rank(&self, vectors: usize) -> usize {
        let rank = |values: &Vec<f64>| rank(values.clone(), vectors);
        self.values.iter().map(rank).max().unwrap_or(0)
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |size, value| value.abs().max(size))
}

/// Rank of so many vectors, one after the other; one that is rounding beside the longest is none.
fn rank(mut vectors: Vec<f64>, count: usize) -> usize {
    let length = vectors.len().checked_div(count).unwrap_or(0);
    let longest = vectors.chunks(length.max(1)).map(norm).fold(0.0, f64::max);
    for vector in vectors.chunks_mut(length.max(1)) {
        if norm(vector) <= SOLVED * longest {
            vector.fill(0.0);
        }
    }
    unit_rows(&mut vectors, &vec![1.0; length]);
    let mut orthogonal = CompleteOrthogonal::new(count, length);
    orthogonal.factor(&vectors, CANCELLED);
    orthogonal.rank()
}
