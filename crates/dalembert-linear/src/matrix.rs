//! Matrices by rows, full or compressed, behind one face.
//!
//! A [`Pattern`] says which entries of a matrix are stored, once for all states of a model; a
//! [`Matrix`] adds the numbers of one state. Full patterns store every entry, row by row; compressed
//! ones those that can differ from zero. A symmetric compressed pattern stores the upper triangle and
//! all of the diagonal, a full one both triangles. That of a tree of bodies stores no entries but the numbers of links
//! that M is made of (`tree/`): it multiplies in linear time, and entries are computed where someone asks.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::tree::{NUMBERS, Tree};

/// Which entries of a matrix are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    rows: usize,
    columns: usize,
    symmetric: bool,
    entries: Option<Entries>,
    /// Stored by links: then nothing is by entries.
    tree: Option<Arc<Tree>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entries {
    /// Where each row starts, and where the last one ends.
    starts: Vec<u32>,
    /// Columns, ascending in each row.
    columns: Vec<u32>,
}

impl Pattern {
    /// Every entry.
    #[must_use]
    pub fn full(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            symmetric: false,
            entries: None,
            tree: None,
        }
    }

    /// The columns of each row, in any order.
    #[must_use]
    pub fn compressed(columns: usize, rows: &[Vec<usize>]) -> Self {
        let mut starts = vec![0];
        let mut list: Vec<u32> = Vec::new();
        for row in rows {
            let from = list.len();
            list.extend(row.iter().map(|&column| column as u32));
            list[from..].sort_unstable();
            let mut kept = from;
            for next in from..list.len() {
                if kept == from || list[kept - 1] != list[next] {
                    list[kept] = list[next];
                    kept += 1;
                }
            }
            list.truncate(kept);
            starts.push(kept as u32);
        }
        Self {
            rows: rows.len(),
            columns,
            symmetric: false,
            entries: Some(Entries {
                starts,
                columns: list,
            }),
            tree: None,
        }
    }

    /// A symmetric matrix: pairs in either order, and the diagonal.
    #[must_use]
    pub fn symmetric(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut rows: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
        for (i, j) in pairs {
            rows[i.min(j)].push(i.max(j));
        }
        Self {
            symmetric: true,
            ..Self::compressed(n, &rows)
        }
    }

    /// The diagonal.
    #[must_use]
    pub fn diagonal(n: usize) -> Self {
        Self::symmetric(n, [])
    }

    /// M of a tree of bodies.
    #[must_use]
    pub fn of_tree(tree: Arc<Tree>) -> Self {
        let n = tree.coordinates();
        Self {
            tree: Some(tree),
            ..Self::full_symmetric(n)
        }
    }

    /// The tree, if it is M of one that is stored by links.
    #[must_use]
    pub fn tree(&self) -> Option<&Arc<Tree>> {
        self.tree.as_ref()
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Whether every entry is stored.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.entries.is_none() && self.tree.is_none()
    }

    /// Number of entries stored, or of the numbers of links.
    #[must_use]
    pub fn size(&self) -> usize {
        match (&self.entries, &self.tree) {
            (_, Some(tree)) => NUMBERS * tree.links().len(),
            (Some(entries), None) => entries.columns.len(),
            (None, None) => self.rows * self.columns,
        }
    }

    /// Where the entries of a row are stored; by links they are not, and this is where they would be in full.
    #[must_use]
    pub fn row(&self, row: usize) -> Range<usize> {
        match &self.entries {
            None => row * self.columns..(row + 1) * self.columns,
            Some(entries) => entries.starts[row] as usize..entries.starts[row + 1] as usize,
        }
    }

    /// Columns of all entries stored, row after row; none are written down where every entry is stored.
    pub(crate) fn stored_columns(&self) -> &[u32] {
        self.entries
            .as_ref()
            .map_or(&[], |entries| &entries.columns)
    }

    /// The column of an entry stored in a given row.
    fn column(&self, row: usize, place: usize) -> usize {
        match &self.entries {
            None => place - row * self.columns,
            Some(entries) => entries.columns[place] as usize,
        }
    }

    /// Columns of a row, ascending.
    pub fn columns_of(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.row(row).map(move |place| self.column(row, place))
    }

    /// Columns of some rows, ascending, each once.
    #[must_use]
    pub fn columns_of_all(&self, rows: &[usize]) -> Vec<usize> {
        let columns = rows.iter().flat_map(|&row| self.columns_of(row));
        let columns: BTreeSet<usize> = columns.collect();
        columns.into_iter().collect()
    }

    /// Where an entry is stored, if it is; of a compressed symmetric matrix i ≤ j.
    #[must_use]
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let range = self.row(row);
        match &self.entries {
            None => Some(range.start + column),
            Some(entries) => entries.columns[range.clone()]
                .binary_search(&(column as u32))
                .ok()
                .map(|k| range.start + k),
        }
    }

    /// The matrix of this pattern with these numbers.
    ///
    /// # Panics
    /// If there are not as many as the pattern stores.
    #[must_use]
    pub fn matrix<'a>(&'a self, values: &'a [f64]) -> Matrix<'a> {
        assert_eq!(values.len(), self.size(), "one number for each entry");
        Matrix {
            rows: self.rows,
            columns: self.columns,
            pattern: (!self.is_full()).then_some(self),
            values,
        }
    }

    /// Some rows and columns, and where their entries are in this pattern; of a symmetric matrix the same, ascending.
    #[must_use]
    pub fn select(&self, rows: &[usize], columns: &[usize]) -> (Self, Vec<usize>) {
        let mut number = vec![None; self.columns];
        for (k, &column) in columns.iter().enumerate() {
            number[column] = Some(k);
        }
        let mut places = Vec::new();
        let mut list = Vec::with_capacity(rows.len());
        for &row in rows {
            let mut kept = Vec::new();
            for place in self.row(row) {
                if let Some(column) = number[self.column(row, place)] {
                    places.push(place);
                    kept.push(column);
                }
            }
            list.push(kept);
        }
        let chosen = match self.is_full() {
            true => Self::full(rows.len(), columns.len()),
            false => Self::compressed(columns.len(), &list),
        };
        let symmetric = self.symmetric;
        (
            Self {
                symmetric,
                ..chosen
            },
            places,
        )
    }

    /// These rows, and below them others of as many columns.
    #[must_use]
    pub fn stack(&self, below: &Self) -> Self {
        if self.is_full() {
            return Self::full(self.rows + below.rows, self.columns);
        }
        let rows: Vec<Vec<usize>> = (0..self.rows)
            .map(|row| self.columns_of(row).collect())
            .chain((0..below.rows).map(|row| below.columns_of(row).collect()))
            .collect();
        Self::compressed(self.columns, &rows)
    }

    /// Symmetric and full: both triangles are stored.
    #[must_use]
    pub fn full_symmetric(n: usize) -> Self {
        Self {
            symmetric: true,
            ..Self::full(n, n)
        }
    }

    /// Where the diagonal of a symmetric matrix is stored.
    #[must_use]
    pub fn diagonal_place(&self, i: usize) -> usize {
        match self.entries {
            None => i * (self.columns + 1),
            Some(_) => self.row(i).start,
        }
    }
}

/// A matrix at one state.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    rows: usize,
    columns: usize,
    /// `None` if every entry is stored.
    pattern: Option<&'a Pattern>,
    values: &'a [f64],
}

impl<'a> Matrix<'a> {
    /// A full matrix.
    ///
    /// # Panics
    /// If the number of values is not that of whole rows.
    #[must_use]
    pub fn full(rows: usize, columns: usize, values: &'a [f64]) -> Self {
        assert_eq!(values.len(), rows * columns, "one number for each entry");
        Self {
            rows,
            columns,
            pattern: None,
            values,
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The numbers that are stored.
    #[must_use]
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// All numbers row by row, if all are stored.
    #[must_use]
    pub fn as_full(&self) -> Option<&'a [f64]> {
        self.pattern.is_none().then_some(self.values)
    }

    /// Some rows, in full, over columns that are ascending and hold all they store.
    #[must_use]
    pub fn block(&self, rows: &[usize], columns: &[usize]) -> Vec<f64> {
        let mut block = vec![0.0; rows.len() * columns.len()];
        for (&row, entries) in rows
            .iter()
            .zip(block.chunks_exact_mut(columns.len().max(1)))
        {
            for (column, value) in self.stored(row) {
                if let Ok(j) = columns.binary_search(&column) {
                    entries[j] = value;
                }
            }
        }
        block
    }

    /// An entry of the diagonal of a symmetric matrix.
    #[must_use]
    pub fn diagonal(&self, i: usize) -> f64 {
        match self.pattern {
            None => self.values[i * (self.columns + 1)],
            Some(Pattern {
                tree: Some(tree), ..
            }) => tree.row(self.values, i)[i],
            Some(pattern) => self.values[pattern.diagonal_place(i)],
        }
    }

    /// The diagonal of a symmetric matrix.
    #[must_use]
    pub fn whole_diagonal(&self) -> Vec<f64> {
        match self.tree() {
            Some(tree) => tree.diagonal(self.values),
            None => (0..self.rows).map(|i| self.diagonal(i)).collect(),
        }
    }

    /// The tree, if it is M of one that is stored by links.
    #[must_use]
    pub fn tree(&self) -> Option<&'a Arc<Tree>> {
        self.pattern.and_then(|pattern| pattern.tree.as_ref())
    }

    /// Which entries are stored, if not all are.
    #[must_use]
    pub fn pattern(&self) -> Option<&'a Pattern> {
        self.pattern
    }

    /// All numbers row by row.
    #[must_use]
    pub fn to_vec(&self) -> Vec<f64> {
        let Some(pattern) = self.pattern else {
            return self.values.to_vec();
        };
        let mut full = vec![0.0; self.rows * self.columns];
        for row in 0..self.rows {
            for (column, value) in self.stored(row) {
                full[row * self.columns + column] = value;
                if pattern.symmetric {
                    full[column * self.columns + row] = value;
                }
            }
        }
        full
    }

    /// All numbers row by row, copied if not all are stored.
    #[must_use]
    pub fn to_full(&self) -> Cow<'a, [f64]> {
        self.as_full()
            .map_or_else(|| Cow::Owned(self.to_vec()), Cow::Borrowed)
    }

    /// Writes every entry, row by row, of a matrix that is not symmetric or is full.
    pub fn full_into(&self, full: &mut Vec<f64>) {
        full.clear();
        if let Some(values) = self.as_full() {
            full.extend_from_slice(values);
            return;
        }
        full.resize(self.rows * self.columns, 0.0);
        for row in 0..self.rows {
            for (column, value) in self.stored(row) {
                full[row * self.columns + column] = value;
            }
        }
    }

    /// Columns and numbers stored in a row; of a compressed symmetric matrix, from the diagonal on.
    pub fn stored(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let (columns, values) = (self.columns, self.values);
        let entries = self.pattern.and_then(|pattern| pattern.entries.as_ref());
        // Of a tree the row is computed here.
        let computed = self.tree().map(|tree| tree.row(values, row));
        let range = match entries {
            None if computed.is_some() => 0..columns,
            None => row * columns..(row + 1) * columns,
            Some(entries) => entries.starts[row] as usize..entries.starts[row + 1] as usize,
        };
        let start = range.start;
        range.map(move |place| {
            let column = match entries {
                None => place - start,
                Some(entries) => entries.columns[place] as usize,
            };
            (
                column,
                computed
                    .as_ref()
                    .map_or_else(|| values[place], |row| row[place]),
            )
        })
    }

    /// Row · x, of a matrix that is not symmetric or is full.
    #[must_use]
    pub fn along(&self, row: usize, x: &[f64]) -> f64 {
        let halved = |pattern: &Pattern| pattern.symmetric && pattern.entries.is_some();
        debug_assert!(!self.pattern.is_some_and(halved), "one triangle is stored");
        match self.pattern {
            None => {
                let row = &self.values[row * self.columns..][..self.columns];
                row.iter().zip(x).map(|(a, b)| a * b).sum()
            }
            Some(pattern) if !pattern.is_full() && self.tree().is_none() => {
                let range = pattern.row(row);
                let columns = pattern.stored_columns()[range.clone()].iter();
                let entries = columns.zip(&self.values[range]);
                entries.map(|(&column, a)| a * x[column as usize]).sum()
            }
            Some(_) => self.stored(row).map(|(column, a)| a * x[column]).sum(),
        }
    }

    /// Σ |Row x|, of a matrix that is not symmetric or is full.
    #[must_use]
    pub fn size_along(&self, row: usize, x: &[f64]) -> f64 {
        self.stored(row)
            .map(|(column, a)| (a * x[column]).abs())
            .sum()
    }

    /// y ← y + Aᵀ x.
    pub fn add_transposed(&self, x: &[f64], y: &mut [f64]) {
        match self.pattern {
            None => super::add_transposed(self.values, x, y),
            Some(_) => {
                if let Some(tree) = self.tree() {
                    let mut product = vec![0.0; y.len()];
                    tree.multiply(self.values, x, &mut product);
                    return super::add_scaled(y, 1.0, &product);
                }
                for (row, x) in x.iter().enumerate() {
                    for (column, a) in self.stored(row) {
                        y[column] += a * x;
                    }
                }
            }
        }
    }

    /// y ← A x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        let Some(pattern) = self.pattern else {
            return super::multiply(self.values, x, y);
        };
        if let Some(tree) = &pattern.tree {
            return tree.multiply(self.values, x, y);
        }
        y.fill(0.0);
        for row in 0..self.rows {
            for (column, a) in self.stored(row) {
                y[row] += a * x[column];
                if pattern.symmetric && column != row {
                    y[column] += a * x[row];
                }
            }
        }
    }
}
