//! Rows of numbers, most of which may be zero.

/// Rows, each with its columns and the numbers there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SparseRows {
    ends: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl SparseRows {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.columns.clear();
        self.values.clear();
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: impl Iterator<Item = (usize, f64)>) {
        for (column, value) in row.filter(|(_, value)| *value != 0.0) {
            self.columns.push(column);
            self.values.push(value);
        }
        self.ends.push(self.columns.len());
    }

    /// Adds a row of which all numbers are given.
    pub(super) fn push_full(&mut self, row: &[f64]) {
        self.push(row.iter().copied().enumerate());
    }

    /// Columns of a row, and the numbers there.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        let entries = start..self.ends[row];
        let columns = self.columns[entries.clone()].iter().copied();
        columns.zip(self.values[entries].iter().copied())
    }

    /// out ← out + factor · row.
    pub(super) fn add_scaled(&self, row: usize, factor: f64, out: &mut [f64]) {
        self.row(row)
            .for_each(|(column, value)| out[column] += factor * value);
    }

    /// row · x.
    pub(super) fn dot(&self, row: usize, x: &[f64]) -> f64 {
        self.row(row).map(|(column, value)| value * x[column]).sum()
    }
}
