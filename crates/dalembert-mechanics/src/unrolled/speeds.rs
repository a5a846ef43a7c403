//! B q' = v − b₀ by elimination, written out.
//!
//! The pivots are chosen once, by their numbers at the start: among entries of a tenth of the largest of their
//! row, or more, the one with the fewest others in its row and column. Elsewhere the same pivots serve as
//! long as each keeps a fair part of its row's *size*: the sum of the absolute values of the row as given and of all
//! that was subtracted from it, an upper bound of |L| |U| and hence of the error of its elimination.

use super::Pivot;
use dalembert_expr::{ExprId, Graph, Unary};

/// Least part of the largest entry of its row that a pivot has at the start.
const LARGE: f64 = 0.1;

/// A square system in expressions, and its matrix in numbers at the start.
pub(super) struct Square {
    /// n × n.
    pub(super) matrix: Vec<ExprId>,
    /// n × n.
    pub(super) values: Vec<f64>,
    pub(super) right: Vec<ExprId>,
}

impl Square {
    /// The unknowns and the pivots; `None` if B is singular at the start.
    pub(super) fn solve(
        mut self,
        g: &mut Graph,
        unit: ExprId,
    ) -> Option<(Vec<ExprId>, Vec<Pivot>)> {
        let n = self.right.len();
        let zero = g.integer(0);
        let mut sizes: Vec<ExprId> = Vec::with_capacity(n);
        for row in self.matrix.chunks_exact(n.max(1)) {
            let entries: Vec<ExprId> = row.iter().map(|&x| g.unary(Unary::Abs, x)).collect();
            sizes.push(g.sum(entries));
        }
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) =
            ((0..n).collect(), (0..n).collect());
        let mut order = Vec::with_capacity(n);
        let mut pivots = Vec::with_capacity(n);
        while !rows.is_empty() {
            let (r, c) = self.choose(&rows, &columns, zero)?;
            rows.retain(|&row| row != r);
            columns.retain(|&column| column != c);
            let pivot = self.matrix[r * n + c];
            pivots.push(Pivot {
                value: g.unary(Unary::Abs, pivot),
                size: sizes[r],
            });
            let inverse = match g.as_number(pivot) {
                Some(_) => {
                    let one = g.integer(1);
                    g.div(one, pivot)
                }
                None => g.div(unit, pivot),
            };
            for &row in &rows {
                if self.matrix[row * n + c] == zero {
                    continue;
                }
                let factor = g.mul(self.matrix[row * n + c], inverse);
                let number = self.values[row * n + c] / self.values[r * n + c];
                for &column in &columns {
                    let product = g.mul(factor, self.matrix[r * n + column]);
                    let entry = &mut self.matrix[row * n + column];
                    *entry = g.sub(*entry, product);
                    self.values[row * n + column] -= number * self.values[r * n + column];
                }
                let product = g.mul(factor, self.right[r]);
                self.right[row] = g.sub(self.right[row], product);
                let length = g.unary(Unary::Abs, factor);
                let added = g.mul(length, sizes[r]);
                sizes[row] = g.add(sizes[row], added);
            }
            order.push((r, c, inverse, columns.clone()));
        }
        let mut unknowns = vec![zero; n];
        for (r, c, inverse, later) in order.into_iter().rev() {
            let mut value = self.right[r];
            for column in later {
                let product = g.mul(self.matrix[r * n + column], unknowns[column]);
                value = g.sub(value, product);
            }
            unknowns[c] = g.mul(value, inverse);
        }
        Some((unknowns, pivots))
    }

    fn choose(&self, rows: &[usize], columns: &[usize], zero: ExprId) -> Option<(usize, usize)> {
        let n = self.right.len();
        let mut best: Option<(usize, f64, (usize, usize))> = None;
        for &r in rows {
            let size_of = |c: usize| self.values[r * n + c].abs();
            let largest = columns.iter().fold(0.0_f64, |a, &c| a.max(size_of(c)));
            let in_row = columns.iter().filter(|&&c| self.matrix[r * n + c] != zero);
            let others_in_row = in_row.count().saturating_sub(1);
            for &c in columns {
                let part = size_of(c) / largest;
                if part.is_nan() || part < LARGE {
                    continue;
                }
                let in_column = rows.iter().filter(|&&i| self.matrix[i * n + c] != zero);
                let cost = others_in_row * in_column.count().saturating_sub(1);
                if best
                    .is_none_or(|(least, most, _)| cost < least || (cost == least && part > most))
                {
                    best = Some((cost, part, (r, c)));
                }
            }
        }
        best.map(|(_, _, place)| place)
    }
}
