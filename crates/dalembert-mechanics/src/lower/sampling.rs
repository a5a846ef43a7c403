//! Decisions about expressions by their values at random places: whether sums vanish, and of what rank
//! vectors are. What vanishes at several random places vanishes.

use dalembert_expr::{ExprId, Graph, evaluate};

/// Places at which expressions are looked at, and how many are tried to find these.
const PLACES: usize = 3;
const TRIES: u64 = 40;

/// What is smaller than this part of what it was made of is rounding.
const ROUNDING: f64 = 1e-9;

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

    /// The same, where some entries are zero.
    pub(super) fn of_some(graph: &Graph, expressions: &[Option<ExprId>]) -> Self {
        let known: Vec<ExprId> = expressions.iter().copied().flatten().collect();
        let mut sampling = Self::of(graph, &known);
        for values in &mut sampling.values {
            let mut known = std::mem::take(values).into_iter();
            let value = |entry: &Option<ExprId>| entry.and_then(|_| known.next()).unwrap_or(0.0);
            *values = expressions.iter().map(value).collect();
        }
        sampling
    }

    /// Whether the sum of all expressions vanishes. What has no value anywhere does not.
    pub(super) fn sums_vanish(&self) -> bool {
        let vanishes = |values: &Vec<f64>| {
            let size = values
                .iter()
                .fold(0.0_f64, |size, value| size.max(value.abs()));
            values.iter().sum::<f64>().abs() <= ROUNDING * size
        };
        !self.values.is_empty() && self.values.iter().all(vanishes)
    }

    /// Rank of vectors with three components each.
    pub(super) fn rank(&self) -> usize {
        let vectors = self.values.first().map_or(0, |values| values.len() / 3);
        self.rank_of(vectors)
    }

    /// Rank of so many vectors, one after the other: the largest at any place.
    pub(super) fn rank_of(&self, vectors: usize) -> usize {
        let rank = |values: &Vec<f64>| match vectors {
            0 => 0,
            _ => rank(
                values
                    .chunks(values.len() / vectors)
                    .map(<[f64]>::to_vec)
                    .collect(),
            ),
        };
        self.values.iter().map(rank).max().unwrap_or(0)
    }
}

/// Rank by Gram–Schmidt, the longest vector first.
fn rank(mut vectors: Vec<Vec<f64>>) -> usize {
    let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
    let lengths: Vec<f64> = vectors.iter().map(|v| square(v)).collect();
    let mut open: Vec<usize> = (0..vectors.len()).collect();
    let mut rank = 0;
    loop {
        open.retain(|&i| square(&vectors[i]) > ROUNDING * lengths[i]);
        let longest = |&a: &usize, &b: &usize| square(&vectors[a]).total_cmp(&square(&vectors[b]));
        let Some(pivot) = open.iter().copied().max_by(longest) else {
            return rank;
        };
        rank += 1;
        open.retain(|&i| i != pivot);
        let axis = vectors[pivot].clone();
        let length = square(&axis);
        for &i in &open {
            let along = vectors[i]
                .iter()
                .zip(&axis)
                .map(|(a, b)| a * b)
                .sum::<f64>()
                / length;
            vectors[i]
                .iter_mut()
                .zip(&axis)
                .for_each(|(a, b)| *a -= along * b);
        }
    }
}

/// A number between 0.2 and 1.2 that belongs to a symbol and a trial (splitmix64).
fn random(symbol: u64, trial: u64) -> f64 {
    let mut x = (symbol + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((trial + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    0.2 + (x >> 11) as f64 / (1_u64 << 53) as f64
}
