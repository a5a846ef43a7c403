//! The rank of the rows at velocity level along a run, beside the lengths they usually have.

use dalembert_mechanics::decide::SOLVED;
use dalembert_mechanics::linear::{Elimination, norm};

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
            row.iter_mut()
                .zip(&self.units)
                .for_each(|(a, unit)| *a *= unit);
            if lasting {
                *length = length.max(norm(row));
            }
            match *length <= *rounding {
                true => row.fill(0.0),
                false => row.iter_mut().for_each(|a| *a /= *length),
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
}
