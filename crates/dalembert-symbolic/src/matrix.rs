//! Matrices over the field, of which only what is not zero is stored.

use dalembert_expr::normal::{Field, Fraction, Outside};
use std::collections::BTreeMap;
use std::ops::Index;

/// Entries that are not zero, by column.
pub type Entries = BTreeMap<usize, Fraction>;

/// A matrix by rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    columns: usize,
    rows: Vec<Entries>,
    zero: Fraction,
}

impl Matrix {
    /// All entries zero.
    #[must_use]
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self::from_rows(columns, vec![Entries::new(); rows])
    }

    /// From entries by column, of which some may be zero.
    #[must_use]
    pub fn from_rows(columns: usize, mut rows: Vec<Entries>) -> Self {
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
    #[must_use]
    pub fn identity(size: usize) -> Self {
        let unit = |k| Entries::from([(k, Fraction::one())]);
        Self::from_rows(size, (0..size).map(unit).collect())
    }

    /// A single column.
    #[must_use]
    pub fn from_column(entries: Vec<Fraction>) -> Self {
        let row = |entry| Entries::from([(0, entry)]);
        Self::from_rows(1, entries.into_iter().map(row).collect())
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What is not zero in one row, by column.
    #[must_use]
    pub fn row(&self, row: usize) -> &Entries {
        &self.rows[row]
    }

    /// Puts entries in place of a row, of which some may be zero.
    pub fn set_row(&mut self, row: usize, mut entries: Entries) {
        entries.retain(|_, entry| !entry.is_zero());
        self.rows[row] = entries;
    }

    /// Puts in one entry.
    pub fn set(&mut self, (row, column): (usize, usize), entry: Fraction) {
        match entry.is_zero() {
            true => self.rows[row].remove(&column),
            false => self.rows[row].insert(column, entry),
        };
    }

    /// One column, zeros included.
    #[must_use]
    pub fn column(&self, column: usize) -> Vec<Fraction> {
        (0..self.rows())
            .map(|row| self[(row, column)].clone())
            .collect()
    }

    /// All entries that are not zero, row by row.
    pub fn entries(&self) -> impl Iterator<Item = &Fraction> {
        self.rows.iter().flat_map(BTreeMap::values)
    }

    /// Whether all entries are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.rows.iter().all(BTreeMap::is_empty)
    }

    /// The same shape with others in place of the entries that are not zero, given row by row.
    #[must_use]
    pub fn with_entries(&self, entries: Vec<Fraction>) -> Self {
        let mut entries = entries.into_iter();
        let row = |row: &Entries| row.keys().copied().zip(entries.by_ref()).collect();
        Self::from_rows(self.columns, self.rows.iter().map(row).collect())
    }

    /// Rows for columns.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut rows = vec![Entries::new(); self.columns];
        for (row, entries) in self.rows.iter().enumerate() {
            for (&column, entry) in entries {
                rows[column].insert(row, entry.clone());
            }
        }
        Self::from_rows(self.rows(), rows)
    }

    /// Some of its columns.
    #[must_use]
    pub fn with_columns(&self, columns: &[usize]) -> Self {
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
    #[must_use]
    pub fn with_rows(&self, rows: &[usize]) -> Self {
        let rows = rows.iter().map(|&row| self.rows[row].clone());
        Self::from_rows(self.columns, rows.collect())
    }

    /// With further columns on its right.
    #[must_use]
    pub fn beside(mut self, other: &Self) -> Self {
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
    pub fn times(&self, field: &Field, other: &Self) -> Result<Self, Outside> {
        let mut product = Vec::with_capacity(self.rows());
        for row in &self.rows {
            let mut terms: BTreeMap<usize, Vec<Fraction>> = BTreeMap::new();
            for (&middle, a) in row {
                for (&column, b) in &other.rows[middle] {
                    let term = field.mul(a, b)?;
                    terms.entry(column).or_default().push(term);
                }
            }
            let mut sums = Entries::new();
            for (column, terms) in terms {
                sums.insert(column, field.sum(&terms)?);
            }
            product.push(sums);
        }
        Ok(Self::from_rows(other.columns, product))
    }

    /// self · vector.
    pub fn along(&self, field: &Field, vector: &[Fraction]) -> Result<Vec<Fraction>, Outside> {
        let rows = self.rows.iter();
        rows.map(|row| along(field, row, vector)).collect()
    }
}

/// The sum of products of the entries of a row with those of a vector.
pub fn along(field: &Field, row: &Entries, vector: &[Fraction]) -> Result<Fraction, Outside> {
    let mut terms = Vec::new();
    for (&column, entry) in row.iter().filter(|(column, _)| !vector[**column].is_zero()) {
        terms.push(field.mul(entry, &vector[column])?);
    }
    field.sum(&terms)
}

impl Index<(usize, usize)> for Matrix {
    type Output = Fraction;

    fn index(&self, (row, column): (usize, usize)) -> &Fraction {
        self.rows[row].get(&column).unwrap_or(&self.zero)
    }
}
