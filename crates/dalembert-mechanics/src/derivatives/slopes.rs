//! Derivatives of the right-hand side: from those of the equations, with all matrices full.
//!
//! ```text
//! K δ(q'', λ) = −∂(R, S)/∂x δx        K = ∂(R, S)/∂(q'', λ) = [M  −Gᵀ − …; A  0]
//! δq' = N (δv − ∂V/∂q δq)             N = (∂V/∂q')⁻¹
//! δv' = ∂C/∂q δq + ∂C/∂q' δq' + ∂C/∂q'' δq''
//! ```

use super::{By, Derivatives, Places};
use crate::Mechanism;
use crate::decide::RANK;
use crate::equations::Evaluator;
use crate::linear::{Lu, Matrix};

/// ∂(q', v', power)/∂(q, v) and what else the motion changes by, at one state after the other.
pub struct Slopes {
    derivatives: Derivatives,
    unknowns: Square,
    /// B, where the model has speeds of its own.
    speeds: Option<Square>,
    /// δ(q'', λ) of each input, one after the other; of q and q' only unless more is asked.
    moved: Vec<f64>,
    /// δq' of each entry of the state, one after the other, where the model has speeds.
    rates: Vec<f64>,
    inputs: usize,
}

impl Slopes {
    /// Differentiates and compiles; nothing is known before [`Self::find`].
    #[must_use]
    pub fn new(mechanism: &Mechanism, by: By) -> Self {
        let derivatives = Derivatives::new(mechanism, by);
        let places = derivatives.places();
        let n = places.coordinates.len();
        let size = n + places.multipliers.len();
        let has_speeds = !places.speeds.is_empty();
        let inputs = match by {
            By::State => 2 * n,
            By::Everything => places.accelerations.start,
        };
        Self {
            unknowns: Square::new(size),
            speeds: has_speeds.then(|| Square::new(n)),
            moved: vec![0.0; inputs * size],
            rates: vec![0.0; if has_speeds { 2 * n * n } else { 0 }],
            inputs,
            derivatives,
        }
    }

    /// The derivatives that all others are made of.
    #[must_use]
    pub fn derivatives(&self) -> &Derivatives {
        &self.derivatives
    }

    /// Finds what the motion changes by at the state that an evaluator is set to, where the motion is known; false where rows
    /// depend on each other, or something is singular: then the equations alone do not tell.
    pub fn find(
        &mut self,
        evaluator: &Evaluator<'_>,
        accelerations: &[f64],
        multipliers: &[f64],
    ) -> bool {
        self.derivatives
            .evaluate(evaluator, accelerations, multipliers);
        let (found, places) = (self.derivatives.latest(), self.derivatives.places());
        let unknowns = places.accelerations.start;
        let known = self.unknowns.factor(|row, line| {
            for (column, value) in found.stored(row) {
                if column >= unknowns {
                    line[column - unknowns] = value;
                }
            }
        });
        if !known {
            return false;
        }
        let size = self.unknowns.size();
        self.moved.fill(0.0);
        for row in 0..size {
            for (column, value) in found.stored(row) {
                if column < self.inputs {
                    self.moved[column * size + row] = -value;
                }
            }
        }
        for moved in self.moved.chunks_exact_mut(size.max(1)) {
            self.unknowns.solve(moved);
        }
        self.find_rates()
    }

    /// δq' of each entry of the state.
    fn find_rates(&mut self) -> bool {
        let Some(speeds) = &mut self.speeds else {
            return true;
        };
        let (found, places) = (self.derivatives.latest(), self.derivatives.places());
        let n = places.coordinates.len();
        let known = speeds.factor(|i, line| {
            for (column, value) in found.stored(places.speeds.start + i) {
                if places.rates.contains(&column) {
                    line[column - places.rates.start] = value;
                }
            }
        });
        if !known {
            return false;
        }
        self.rates.fill(0.0);
        for i in 0..n {
            for (column, value) in found.stored(places.speeds.start + i) {
                if column < n {
                    self.rates[column * n + i] = -value;
                }
            }
            self.rates[(n + i) * n + i] = 1.0;
        }
        for moved in self.rates.chunks_exact_mut(n.max(1)) {
            speeds.solve(moved);
        }
        true
    }

    /// δ(q'', λ) for one of the inputs as last found: a column of [`Places`].
    #[must_use]
    pub fn moved_by(&self, input: usize) -> &[f64] {
        let size = self.unknowns.size();
        &self.moved[input * size..][..size]
    }

    /// Writes ∂(q', v', power)/∂(q, v, work) as last found, row after row, 2 n + 1 each; nothing depends on the work.
    pub fn write(&self, jacobian: &mut [f64]) {
        let places = self.derivatives.places();
        let found = self.derivatives.latest();
        let n = places.coordinates.len();
        let size = 2 * n + 1;
        jacobian.fill(0.0);
        for column in 0..2 * n {
            let change = Change {
                slopes: self,
                column,
                n,
            };
            let write = |jacobian: &mut [f64], row: usize, value| {
                jacobian[row * size + column] = value;
            };
            for i in 0..n {
                write(jacobian, i, change.rate(i));
                let value = if places.speeds.is_empty() {
                    change.unknown(i)
                } else {
                    change.of(&found, places, places.speed_rates.start + i)
                };
                write(jacobian, n + i, value);
            }
            write(jacobian, 2 * n, change.of(&found, places, places.power));
        }
    }
}

/// What one entry of the state moves.
struct Change<'a> {
    slopes: &'a Slopes,
    column: usize,
    n: usize,
}

impl Change<'_> {
    fn rate(&self, i: usize) -> f64 {
        if self.slopes.speeds.is_some() {
            return self.slopes.rates[self.column * self.n + i];
        }
        f64::from(u8::from(self.column == self.n + i))
    }

    /// δ of an acceleration, or of a multiplier.
    fn unknown(&self, i: usize) -> f64 {
        if self.slopes.speeds.is_none() {
            return self.slopes.moved_by(self.column)[i];
        }
        let direct = if self.column < self.n {
            self.slopes.moved_by(self.column)[i]
        } else {
            0.0
        };
        let by_rates = (0..self.n).map(|k| self.slopes.moved_by(self.n + k)[i] * self.rate(k));
        direct + by_rates.sum::<f64>()
    }

    /// δ of one of the rows.
    fn of(&self, found: &Matrix<'_>, places: &Places, row: usize) -> f64 {
        let unknowns = places.accelerations.start;
        let part = |(by, slope): (usize, f64)| -> f64 {
            let moved = if by < self.n {
                f64::from(u8::from(by == self.column))
            } else if by < 2 * self.n {
                self.rate(by - self.n)
            } else if by >= unknowns {
                self.unknown(by - unknowns)
            } else {
                0.0
            };
            if moved == 0.0 { 0.0 } else { slope * moved }
        };
        found.stored(row).map(part).sum()
    }
}

/// A square matrix in factors, its rows and columns brought to size one.
struct Square {
    entries: Vec<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    lu: Lu<f64>,
}

impl Square {
    fn new(size: usize) -> Self {
        Self {
            entries: vec![0.0; size * size],
            rows: vec![1.0; size],
            columns: vec![1.0; size],
            lu: Lu::new(size),
        }
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    /// Factors the matrix whose rows `write` gives; false where they depend on each other. A row and a column without entries at the
    /// same place ask for nothing, and the answer is zero.
    fn factor(&mut self, write: impl Fn(usize, &mut [f64])) -> bool {
        let size = self.size();
        self.entries.fill(0.0);
        self.columns.fill(0.0);
        let lines = self.entries.chunks_exact_mut(size.max(1));
        for ((row, line), scale) in lines.enumerate().zip(&mut self.rows) {
            write(row, line);
            let largest = line.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            *scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
            for (entry, column) in line.iter_mut().zip(&mut self.columns) {
                *entry *= *scale;
                *column = column.max(entry.abs());
            }
        }
        for (i, column) in self.columns.iter_mut().enumerate() {
            let empty = *column == 0.0;
            *column = if empty { 1.0 } else { 1.0 / *column };
            if empty && self.entries[i * size..][..size].iter().all(|&e| e == 0.0) {
                self.entries[i * size + i] = 1.0;
            }
        }
        let (entries, columns) = (&self.entries, &self.columns);
        let factored = self.lu.factor(|row, line| {
            let row = &entries[row * size..][..size];
            for ((target, entry), column) in line.iter_mut().zip(row).zip(columns) {
                *target = entry * column;
            }
        });
        factored && self.lu.least_pivot() > RANK
    }

    fn solve(&mut self, x: &mut [f64]) {
        x.iter_mut().zip(&self.rows).for_each(|(x, row)| *x *= row);
        self.lu.solve(x);
        let columns = self.columns.iter();
        x.iter_mut()
            .zip(columns)
            .for_each(|(x, column)| *x *= column);
    }
}

#[cfg(test)]
#[path = "../../tests/inside/slopes.rs"]
mod tests;
