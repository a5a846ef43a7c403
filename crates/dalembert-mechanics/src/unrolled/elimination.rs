//! The system with multipliers by L D Lᵀ, written out.
//!
//! ```text
//! ⎡ M  Aᵀ ⎤ ⎡ v' ⎤   ⎡ f ⎤
//! ⎣ A  0  ⎦ ⎣ −λ ⎦ = ⎣ b ⎦        [B92 2.8a, c]
//! ```
//!
//! A row is eliminated after all speeds it holds, otherwise whatever has the fewest neighbours left comes next.
//! Then pivots of speeds are positive and those of rows negative wherever M is positive definite and
//! the rows are independent: each is a Schur complement of one sign, so no pivoting is needed and no root is
//! taken. Rows after their speeds, not after all speeds: chains of joints keep a narrow band.
//!
//! A pivot is a sum of terms of its own sign less what was eliminated before. The ratio of the two, the
//! *relative pivot*, is the part that cancellation left: for a speed what is left of its inertia, for
//! a row of unit length its squared distance from the rows before. It depends on no unit.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use super::Pivot;
use dalembert_expr::{ExprId, Graph};

/// The matrix above and its right side.
pub(super) struct Saddle {
    n: usize,
    size: usize,
    /// size × size, symmetric.
    entries: Vec<ExprId>,
    right: Vec<ExprId>,
    zero: ExprId,
}

/// An order of elimination and what it costs.
pub(super) struct Order {
    sequence: Vec<usize>,
    /// Operations of factorisation and solution.
    pub(super) operations: usize,
}

/// What solves the system.
pub(super) struct Solution {
    /// v'.
    pub(super) accelerations: Vec<ExprId>,
    /// λ.
    pub(super) multipliers: Vec<ExprId>,
    /// Pivots of the speeds, positive where M is.
    pub(super) speeds: Vec<Pivot>,
    /// Pivots of the rows with the sign changed, positive where they are independent.
    pub(super) rows: Vec<Pivot>,
}

impl Saddle {
    /// From M (n × n, its lower triangle is read), f, A (rows × n) and b.
    pub(super) fn new(
        g: &mut Graph,
        mass: &[ExprId],
        force: &[ExprId],
        jacobian: &[ExprId],
        bias: &[ExprId],
    ) -> Self {
        let (n, size) = (force.len(), force.len() + bias.len());
        let zero = g.integer(0);
        let mut entries = vec![zero; size * size];
        for i in 0..n {
            for j in 0..=i {
                entries[i * size + j] = mass[i * n + j];
                entries[j * size + i] = mass[i * n + j];
            }
        }
        for (row, line) in jacobian.chunks_exact(n.max(1)).enumerate() {
            if bias[row] == zero && line.iter().all(|&entry| entry == zero) {
                // Nothing is asked: a multiplier of zero is the answer.
                entries[(n + row) * (size + 1)] = g.integer(-1);
            }
            for (j, &entry) in line.iter().enumerate() {
                entries[(n + row) * size + j] = entry;
                entries[j * size + n + row] = entry;
            }
        }
        Self {
            n,
            size,
            entries,
            right: [force, bias].concat(),
            zero,
        }
    }

    fn is_row(&self, i: usize) -> bool {
        i >= self.n
    }

    /// The order of elimination; `None` if a row holds no speed.
    pub(super) fn order(&self) -> Option<Order> {
        let size = self.size;
        let mut filled: Vec<bool> = self.entries.iter().map(|&e| e != self.zero).collect();
        let mut left: Vec<usize> = (0..size).collect();
        let mut order = Order {
            sequence: Vec::with_capacity(size),
            operations: 0,
        };
        while !left.is_empty() {
            let meets = |i: usize, j: usize| j != i && filled[i * size + j];
            let ready = |i: usize| {
                let speeds_left = left.iter().filter(|&&j| !self.is_row(j));
                !self.is_row(i) || speeds_left.clone().all(|&j| self.entry(i, j) == self.zero)
            };
            let next = left
                .iter()
                .copied()
                .filter(|&i| ready(i))
                .min_by_key(|&i| left.iter().filter(|&&j| meets(i, j)).count())?;
            let touched: Vec<usize> = left.iter().copied().filter(|&j| meets(next, j)).collect();
            left.retain(|&i| i != next);
            for &i in &touched {
                touched.iter().for_each(|&j| filled[i * size + j] = true);
            }
            order.sequence.push(next);
            let count = touched.len();
            order.operations += count * (count + 1) / 2 + 3 * count + 2;
        }
        let empty = |i: usize| {
            let none = (0..self.n).all(|j| self.entry(i, j) == self.zero);
            none && self.entry(i, i) == self.zero
        };
        (!(self.n..size).any(empty)).then_some(order)
    }

    fn entry(&self, i: usize, j: usize) -> ExprId {
        self.entries[i * self.size + j]
    }

    /// The solution; `None` if a pivot is zero whatever the state. `unit` is an expression worth one that is
    /// no literal: see [`super::UNIT`].
    pub(super) fn solve(mut self, g: &mut Graph, unit: ExprId, order: &Order) -> Option<Solution> {
        let size = self.size;
        let mut sizes: Vec<ExprId> = (0..size).map(|i| self.entry(i, i)).collect();
        let mut inverses = vec![self.zero; size];
        let mut solution = Solution {
            accelerations: Vec::new(),
            multipliers: Vec::new(),
            speeds: Vec::new(),
            rows: Vec::new(),
        };
        // L, and of each pivot the entries of L below it.
        let mut factors = vec![self.zero; size * size];
        let mut columns: Vec<Vec<(usize, ExprId)>> = Vec::with_capacity(size);
        for (done, &p) in order.sequence.iter().enumerate() {
            let (before, from_here) = order.sequence.split_at(done);
            let (factor, earlier) = (&factors, before.iter().copied());
            let earlier: Vec<usize> = earlier.filter(|&k| self.entry(p, k) != self.zero).collect();
            // One entry after the other, each less all that was eliminated before: programs keep the order in
            // which things are written, and so the sum in a register.
            for &i in from_here {
                let mut value = self.entry(i, p);
                for &k in earlier
                    .iter()
                    .filter(|&&k| factor[i * size + k] != self.zero)
                {
                    let product = g.mul(factor[i * size + k], self.entry(p, k));
                    value = g.sub(value, product);
                    if i == p && self.is_row(p) != self.is_row(k) {
                        sizes[p] = g.sub(sizes[p], product);
                    }
                }
                self.entries[i * size + p] = value;
                self.entries[p * size + i] = value;
            }
            for &k in &earlier {
                let product = g.mul(factor[p * size + k], self.right[k]);
                self.right[p] = g.sub(self.right[p], product);
            }
            let pivot = self.entry(p, p);
            if pivot == self.zero {
                return None;
            }
            if self.is_row(p) {
                solution.rows.push(Pivot {
                    value: g.neg(pivot),
                    size: g.neg(sizes[p]),
                });
            } else {
                solution.speeds.push(Pivot {
                    value: pivot,
                    size: sizes[p],
                });
            }
            inverses[p] = g.div(unit, pivot);
            let below = from_here[1..].iter().copied();
            let column: Vec<(usize, ExprId)> = below
                .filter(|&i| self.entry(i, p) != self.zero)
                .map(|i| (i, g.mul(self.entry(i, p), inverses[p])))
                .collect();
            for &(i, factor) in &column {
                factors[i * size + p] = factor;
            }
            columns.push(column);
        }
        let mut unknowns = self.right;
        for (&p, column) in order.sequence.iter().zip(&columns).rev() {
            let mut value = g.mul(unknowns[p], inverses[p]);
            // The unknown found last is put in last, so that nothing but it is waited for.
            for &(i, factor) in column.iter().rev() {
                let product = g.mul(factor, unknowns[i]);
                value = g.sub(value, product);
            }
            unknowns[p] = value;
        }
        let reactions = unknowns.split_off(self.n);
        solution.accelerations = unknowns;
        solution.multipliers = reactions.into_iter().map(|value| g.neg(value)).collect();
        Some(solution)
    }
}
