//! Sparse Jacobians.
//!
//! Only nodes on a path from a symbol to an output are visited. The direction that visits fewer is
//! taken: forward, column by column, or in reverse, row by row; so a diagonal of a million rows costs
//! a million, and a gradient costs one pass.

use super::paths::Paths;
use crate::graph::{ExprId, Graph, SymbolId};

/// A matrix of derivatives stored by rows; entries that are zero everywhere are not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jacobian {
    columns: usize,
    /// Start of each row in `entries`; one more than there are rows.
    starts: Vec<usize>,
    /// Column and value, by ascending column within a row.
    entries: Vec<(usize, ExprId)>,
}

impl Jacobian {
    fn from_triplets(
        graph: &Graph,
        rows: usize,
        columns: usize,
        mut triplets: Vec<(usize, usize, ExprId)>,
    ) -> Self {
        triplets.retain(|&(_, _, value)| graph.as_number(value).is_none_or(|n| !n.is_zero()));
        triplets.sort_unstable_by_key(|&(row, column, _)| (row, column));
        let mut starts = vec![0; rows + 1];
        for &(row, _, _) in &triplets {
            starts[row + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let entries = triplets
            .into_iter()
            .map(|(_, column, value)| (column, value))
            .collect();
        Self {
            columns,
            starts,
            entries,
        }
    }

    /// Number of rows: outputs.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of columns: symbols.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of entries that are not zero everywhere.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no output depends on any symbol.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Column and value of the entries of one row, by ascending column.
    #[must_use]
    pub fn row(&self, row: usize) -> &[(usize, ExprId)] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// The entry at a place; `None` where it is zero everywhere.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<ExprId> {
        let row = self.row(row);
        let at = row
            .binary_search_by_key(&column, |&(column, _)| column)
            .ok()?;
        Some(row[at].1)
    }

    /// Row, column and value of all entries, by rows.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, ExprId)> {
        (0..self.rows()).flat_map(|row| {
            self.row(row)
                .iter()
                .map(move |&(column, value)| (row, column, value))
        })
    }
}

/// Derivatives of each of `outputs` by each of `symbols`.
pub fn jacobian(graph: &mut Graph, outputs: &[ExprId], symbols: &[SymbolId]) -> Jacobian {
    let paths = Paths::new(graph, outputs, symbols);
    let triplets = if paths.is_forward_cheaper(graph) {
        paths.forward_columns(graph, false)
    } else {
        paths.reverse_rows(graph)
    };
    Jacobian::from_triplets(graph, outputs.len(), symbols.len(), triplets)
}

/// Second derivatives of `output`: the lower triangle with the diagonal of a symmetric matrix.
pub fn hessian_lower(graph: &mut Graph, output: ExprId, symbols: &[SymbolId]) -> Jacobian {
    let gradient = super::gradient(graph, output, symbols);
    let paths = Paths::new(graph, &gradient, symbols);
    let triplets = paths.forward_columns(graph, true);
    Jacobian::from_triplets(graph, symbols.len(), symbols.len(), triplets)
}
