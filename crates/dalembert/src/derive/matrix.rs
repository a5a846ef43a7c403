//! Matrices over the field, of which only what is not zero is stored.

use super::algebra::Algebra;
use dalembert_expr::normal::{Fraction, Outside};
use std::collections::BTreeMap;
use std::ops::Index;

/// Entries that are not zero, by column.
pub(super) type Entries = BTreeMap<usize, Fraction>;

/// A matrix by rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    columns: usize,
    rows: Vec<Entries>,
    zero: Fraction,
}

impl Matrix {
    /// All entries zero.
    pub(super) fn zero(rows: usize, columns: usize) -> Self {
        Self::from_rows(columns, vec![Entries::new(); rows])
    }

    /// From entries by column, of which some may be zero.
    pub(super) fn from_rows(columns: usize, mut rows: Vec<Entries>) -> Self {
        for row in &mut rows {
            row.retain(|_, entry| !entry.is_zero());
        }
        Self {
            columns,
            rows,
            zero: Fraction::zero(),
        }
    }

    /// The identity.
    pub(super) fn identity(size: usize) -> Self {
        let unit = |k| Entries::from([(k, Fraction::one())]);
        Self::from_rows(size, (0..size).map(unit).collect())
    }

    /// A single column.
    pub(super) fn from_column(entries: Vec<Fraction>) -> Self {
        let row = |entry| Entries::from([(0, entry)]);
        Self::from_rows(1, entries.into_iter().map(row).collect())
    }

    /// Number of rows.
    #[must_use]
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Number of columns.
    #[must_use]
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// What is not zero in one row, by column.
    #[must_use]
    pub(super) fn row(&self, row: usize) -> &Entries {
        &self.rows[row]
    }

    pub(super) fn set_row(&mut self, row: usize, mut entries: Entries) {
        entries.retain(|_, entry| !entry.is_zero());
        self.rows[row] = entries;
    }

    pub(super) fn set(&mut self, (row, column): (usize, usize), entry: Fraction) {
        match entry.is_zero() {
            true => self.rows[row].remove(&column),
            false => self.rows[row].insert(column, entry),
        };
    }

    /// One column, zeros included.
    pub(super) fn column(&self, column: usize) -> Vec<Fraction> {
        (0..self.rows())
            .map(|row| self[(row, column)].clone())
            .collect()
    }

    /// All entries that are not zero, row by row.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Fraction> {
        self.rows.iter().flat_map(BTreeMap::values)
    }

    /// Whether all entries are zero.
    pub(super) fn is_zero(&self) -> bool {
        self.rows.iter().all(BTreeMap::is_empty)
    }

    /// The same shape with others in place of the entries that are not zero, given row by row.
    pub(super) fn with_entries(&self, entries: Vec<Fraction>) -> Self {
        let mut entries = entries.into_iter();
        let row = |row: &Entries| row.keys().copied().zip(entries.by_ref()).collect();
        Self::from_rows(self.columns, self.rows.iter().map(row).collect())
    }

    pub(super) fn transposed(&self) -> Self {
        let mut rows = vec![Entries::new(); self.columns];
        for (row, entries) in self.rows.iter().enumerate() {
            for (&column, entry) in entries {
                rows[column].insert(row, entry.clone());
            }
        }
        Self::from_rows(self.rows(), rows)
    }

    /// Some of its columns.
    pub(super) fn with_columns(&self, columns: &[usize]) -> Self {
        let mut places = vec![None; self.columns];
        for (place, &column) in columns.iter().enumerate() {
            places[column] = Some(place);
        }
        let row = |row: &Entries| -> Entries {
            let entries = row.iter();
            let kept = entries.filter_map(|(&k, entry)| Some((places[k]?, entry.clone())));
            kept.collect()
        };
        Self::from_rows(columns.len(), self.rows.iter().map(row).collect())
    }

    /// Some of its rows.
    pub(super) fn with_rows(&self, rows: &[usize]) -> Self {
        let rows = rows.iter().map(|&row| self.rows[row].clone());
        Self::from_rows(self.columns, rows.collect())
    }

    /// With further columns on its right.
    pub(super) fn beside(mut self, other: &Self) -> Self {
        for (row, more) in self.rows.iter_mut().zip(&other.rows) {
            let more = more
                .iter()
                .map(|(k, entry)| (self.columns + k, entry.clone()));
            row.extend(more);
        }
        self.columns += other.columns;
        self
    }

    /// self · other.
    pub(super) fn times(&self, algebra: &Algebra, other: &Self) -> Result<Self, Outside> {
        let mut product = Vec::with_capacity(self.rows());
        for row in &self.rows {
            let mut terms: BTreeMap<usize, Vec<Fraction>> = BTreeMap::new();
            for (&middle, a) in row {
                for (&column, b) in &other.rows[middle] {
                    let term = algebra.field.mul(a, b)?;
                    terms.entry(column).or_default().push(term);
                }
            }
            let mut sums = Entries::new();
            for (column, terms) in terms {
                sums.insert(column, algebra.field.sum(&terms)?);
            }
            product.push(sums);
        }
        Ok(Self::from_rows(other.columns, product))
    }

    /// self · vector.
    pub(super) fn along(
        &self,
        algebra: &Algebra,
        vector: &[Fraction],
    ) -> Result<Vec<Fraction>, Outside> {
        let rows = self.rows.iter();
        rows.map(|row| algebra.along(row, vector)).collect()
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = Fraction;

    fn index(&self, (row, column): (usize, usize)) -> &Fraction {
        self.rows[row].get(&column).unwrap_or(&self.zero)
    }
}
