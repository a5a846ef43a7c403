//! Dense matrices over the field.

use super::algebra::Algebra;
use dalembert_expr::normal::{Fraction, Outside};
use std::ops::{Index, IndexMut};

/// A matrix, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<Fraction>,
}

impl Matrix {
    /// All entries zero.
    pub(super) fn zero(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            entries: vec![Fraction::zero(); rows * columns],
        }
    }

    /// The identity.
    pub(super) fn identity(size: usize) -> Self {
        let mut matrix = Self::zero(size, size);
        (0..size).for_each(|i| matrix[(i, i)] = Fraction::one());
        matrix
    }

    /// From its entries, row by row.
    pub(super) fn from_entries(rows: usize, columns: usize, entries: Vec<Fraction>) -> Self {
        assert_eq!(entries.len(), rows * columns, "a matrix is full");
        Self {
            rows,
            columns,
            entries,
        }
    }

    /// Number of rows.
    #[must_use]
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    #[must_use]
    pub(super) fn row(&self, row: usize) -> &[Fraction] {
        &self.entries[row * self.columns..][..self.columns]
    }

    pub(super) fn set_row(&mut self, row: usize, entries: &[Fraction]) {
        self.entries[row * self.columns..][..self.columns].clone_from_slice(entries);
    }

    /// One column.
    pub(super) fn column(&self, column: usize) -> Vec<Fraction> {
        (0..self.rows)
            .map(|row| self[(row, column)].clone())
            .collect()
    }

    /// All entries, row by row.
    #[must_use]
    pub(super) fn entries(&self) -> &[Fraction] {
        &self.entries
    }

    /// The same shape with other entries.
    pub(super) fn with_entries(&self, entries: Vec<Fraction>) -> Self {
        Self::from_entries(self.rows, self.columns, entries)
    }

    pub(super) fn transposed(&self) -> Self {
        let entry = |k: usize| self[(k % self.rows, k / self.rows)].clone();
        let entries = (0..self.entries.len()).map(entry).collect();
        Self::from_entries(self.columns, self.rows, entries)
    }

    /// Some of its columns.
    pub(super) fn with_columns(&self, columns: &[usize]) -> Self {
        let entries = (0..self.rows)
            .flat_map(|row| {
                columns
                    .iter()
                    .map(move |&column| self[(row, column)].clone())
            })
            .collect();
        Self::from_entries(self.rows, columns.len(), entries)
    }

    /// Some of its rows.
    pub(super) fn with_rows(&self, rows: &[usize]) -> Self {
        let entries = rows.iter().flat_map(|&row| self.row(row).iter().cloned());
        Self::from_entries(rows.len(), self.columns, entries.collect())
    }

    /// self · other.
    pub(super) fn times(&self, algebra: &Algebra, other: &Self) -> Result<Self, Outside> {
        let mut entries = Vec::with_capacity(self.rows * other.columns);
        for row in 0..self.rows {
            for column in 0..other.columns {
                let column = other.column(column);
                entries.push(algebra.dot(self.row(row), &column)?);
            }
        }
        Ok(Self::from_entries(self.rows, other.columns, entries))
    }

    /// self · vector.
    pub(super) fn along(
        &self,
        algebra: &Algebra,
        vector: &[Fraction],
    ) -> Result<Vec<Fraction>, Outside> {
        (0..self.rows)
            .map(|row| algebra.dot(self.row(row), vector))
            .collect()
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = Fraction;

    fn index(&self, (row, column): (usize, usize)) -> &Fraction {
        &self.entries[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut Fraction {
        &mut self.entries[row * self.columns + column]
    }
}
