//! The rank of the rows at velocity level along a run, beside the lengths they usually have.

use dalembert_mechanics::decide::{CLEAR, SOLVED};
use dalembert_mechanics::linear::{Elimination, norm};
use dalembert_ode::change_of_sign;

/// Rounds of the search for the least pivot on a way.
const ROUNDS: usize = 50;

/// Rows in units in which each coordinate's rate has an inertia of one, each beside the greatest length it has had: one that
/// is short for an instant counts for little there.
pub(super) struct Rank {
    units: Vec<f64>,
    lengths: Vec<f64>,
    /// Lengths up to which rows are rounding of their terms, and hold nothing.
    rounding: Vec<f64>,
    /// The rank they usually have.
    pub(super) usual: usize,
    /// The rows last taken.
    pub(super) rows: Vec<f64>,
    elimination: Option<Elimination>,
}

impl Rank {
    pub(super) fn new(units: Vec<f64>) -> Self {
        Self {
            units,
            lengths: Vec::new(),
            rounding: Vec::new(),
            usual: 0,
            rows: Vec::new(),
            elimination: None,
        }
    }

    pub(super) fn units(&self) -> &[f64] {
        &self.units
    }

    /// The units, and the lengths that the rows have had at most, for who measures rows elsewhere.
    pub(super) fn measures(&mut self) -> (&[f64], &mut Vec<f64>) {
        (&self.units, &mut self.lengths)
    }

    /// Lengths that the rows have had at most.
    pub(super) fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// Whether it is known what rounding leaves of rows.
    pub(super) fn is_measured(&self) -> bool {
        !self.rounding.is_empty()
    }

    /// Measures what rounding leaves of rows with terms of these sizes.
    pub(super) fn measure(&mut self, terms: &[f64]) {
        let rows = terms.chunks_exact(self.units.len());
        self.rounding.resize(rows.len(), 0.0);
        for (row, rounding) in rows.zip(&mut self.rounding) {
            let felt = row.iter().zip(&self.units).map(|(term, unit)| term * unit);
            *rounding = SOLVED * norm(&felt.collect::<Vec<f64>>());
        }
    }

    /// Takes the rows that `write` puts there. Between steps, on the way to a place, they are not measured by.
    pub(super) fn take(&mut self, lasting: bool, write: impl FnOnce(&mut Vec<f64>)) {
        write(&mut self.rows);
        let n = self.units.len();
        self.lengths.resize(self.rows.len() / n, 0.0);
        let rows = self.rows.chunks_exact_mut(n).zip(&mut self.lengths);
        for ((row, length), rounding) in rows.zip(&self.rounding) {
            if lasting {
                let felt = row.iter().zip(&self.units).map(|(a, unit)| a * unit);
                *length = length.max(felt.map(|a| a * a).sum::<f64>().sqrt());
            }
            match *length <= *rounding {
                true => row.fill(0.0),
                false => {
                    (row.iter_mut().zip(&self.units)).for_each(|(a, unit)| *a = *a * unit / *length)
                }
            }
        }
    }

    /// The rows last taken, eliminated: what is left up to a tolerance is zero.
    pub(super) fn eliminated(&mut self, tolerance: f64) -> &Elimination {
        let (count, n) = (self.lengths.len(), self.units.len());
        let elimination = self
            .elimination
            .get_or_insert_with(|| Elimination::new(count, n));
        elimination.factor(&self.rows, tolerance);
        elimination
    }

    /// The least pivot of the rows last taken, of as many as the usual rank has.
    pub(super) fn least_pivot(&mut self) -> f64 {
        match self.usual.checked_sub(1) {
            None => 1.0,
            Some(last) => self.eliminated(0.0).pivot(last),
        }
    }

    /// Where on a way from a to b rows lose their rank, or come nearest to it. A place where the last pivot
    /// changes its sign is taken if it is one where nothing else is left either; else the least pivot is looked for.
    pub(super) fn weakest(
        &mut self,
        [a, b]: [f64; 2],
        mut rows_at: impl FnMut(f64, &mut Vec<f64>),
    ) -> Weakest {
        let mut pivot = |x: f64| {
            self.take(false, |rows| rows_at(x, rows));
            self.least_pivot()
        };
        let beside = pivot(a).max(pivot(b));
        // Rows and columns are taken in the order that is best half-way.
        pivot(f64::midpoint(a, b));
        let signed = change_of_sign([a, b], |x| {
            self.take(false, |rows| rows_at(x, rows));
            self.pivot_in_order()
        });
        let mut pivot = |x: f64| {
            self.take(false, |rows| rows_at(x, rows));
            self.least_pivot()
        };
        let vanishes = signed.map(|place| (place, pivot(place)));
        let (place, pivot) = match vanishes.filter(|it| it.1 <= CLEAR * beside) {
            Some(found) => found,
            None => {
                let place = least(&mut pivot, [a, b], ROUNDS);
                (place, pivot(place))
            }
        };
        Weakest {
            place,
            pivot,
            beside,
        }
    }

    /// What the last of the usual pivots is, with its sign, if rows and columns are taken in the order of the rows eliminated last.
    fn pivot_in_order(&mut self) -> f64 {
        let last = self.usual.checked_sub(1);
        let found = last.zip(self.elimination.as_mut());
        found.map_or(1.0, |(last, it)| it.pivot_in_order(&self.rows, last))
    }
}

/// Where rows are weakest on a way: the place, the least pivot there, and the greater of those at both ends.
pub(super) struct Weakest {
    pub(super) place: f64,
    pub(super) pivot: f64,
    pub(super) beside: f64,
}

/// Where a function with one minimum is least.
pub(super) fn least(mut f: impl FnMut(f64) -> f64, [mut a, mut b]: [f64; 2], rounds: usize) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut x, mut y) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
    let (mut fx, mut fy) = (f(x), f(y));
    for _ in 0..rounds {
        if fx < fy {
            (b, y, fy) = (y, x, fx);
            x = b - GOLDEN * (b - a);
            fx = f(x);
        } else {
            (a, x, fx) = (x, y, fy);
            y = a + GOLDEN * (b - a);
            fy = f(y);
        }
    }
    (a + b) / 2.0
}
