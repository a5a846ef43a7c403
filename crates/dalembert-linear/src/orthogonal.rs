//! Complete orthogonal decomposition: least-norm solutions for any rank.
//!
//! The rows wᵢ of W (m × n) are taken in the order of what they add: Householder QR of Wᵀ with
//! column pivoting, then a second QR squeezes the trapezoid R into a triangle ([GV]):
//!
//! ```text
//! Wᵀ P = Q R,   Rᵀ = Z T        so   W = P Z T Qᵀ,   T of size rank × rank, upper triangular
//! W⁺ e = Q T⁻¹ Zᵀ Pᵀ e          least y with W y nearest to e
//! (Wᵀ)⁺ y = P Z T⁻ᵀ Qᵀ y        least x with Wᵀ x nearest to y
//! ```
//!
//! * The rank is the number of pivots above a tolerance; meant for rows of length one.
//! * Norms of what remains are computed afresh in each step instead of being downdated: half as
//!   much work again, no cancellation.
//! * Cost 2 m² n for W of full row rank, and 4/3 m³.
//!
//! [GV]: Golub, Van Loan, *Matrix Computations*, 4th ed. (2013).

use super::{add_scaled, dot, norm};

/// W = P Z T Qᵀ, see the file's head.
#[derive(Clone, Debug)]
pub struct CompleteOrthogonal {
    rows: usize,
    columns: usize,
    rank: usize,
    /// Row k, taken from row `order[k]` of W: R's column k up to the diagonal, then for k < rank
    /// reflector k of Q; m × n.
    first: Vec<f64>,
    first_factors: Vec<f64>,
    order: Vec<usize>,
    /// Row k < rank: T's column k up to the diagonal, then reflector k of Z; m × m.
    second: Vec<f64>,
    second_factors: Vec<f64>,
    /// Lengths of what remains of the rows.
    remaining: Vec<f64>,
}

impl CompleteOrthogonal {
    /// Room for a matrix of so many rows and columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            rank: 0,
            first: vec![0.0; rows * columns],
            first_factors: vec![0.0; rows],
            order: (0..rows).collect(),
            second: vec![0.0; rows * rows],
            second_factors: vec![0.0; rows],
            remaining: vec![0.0; rows],
        }
    }

    /// Factors W and decides its rank: rows whose remainder is at most `tolerance` add nothing.
    pub fn factor(&mut self, matrix: &[f64], tolerance: f64) {
        let (m, n) = (self.rows, self.columns);
        self.first.copy_from_slice(matrix);
        for (k, place) in self.order.iter_mut().enumerate() {
            *place = k;
        }
        for (row, length) in self.remaining.iter_mut().enumerate() {
            *length = norm(&matrix[row * n..][..n]);
        }
        self.rank = 0;
        while self.rank < m.min(n) {
            let k = self.rank;
            let longest = (k..m).fold(k, |best, row| {
                let longer = self.remaining[row] > self.remaining[best];
                if longer { row } else { best }
            });
            if self.remaining[longest] <= tolerance {
                break;
            }
            self.bring_forward(longest, k);
            let (done, rest) = self.first.split_at_mut((k + 1) * n);
            let pivot = &mut done[k * n..][k..];
            let factor = make_reflector(pivot);
            self.first_factors[k] = factor;
            for (row, length) in rest.chunks_exact_mut(n).zip(&mut self.remaining[k + 1..]) {
                reflect(pivot, factor, &mut row[k..]);
                *length = norm(&row[k + 1..]);
            }
            self.rank += 1;
        }
        self.squeeze();
    }

    /// Rᵀ = Z T.
    fn squeeze(&mut self) {
        let (m, n, r) = (self.rows, self.columns, self.rank);
        for k in 0..r {
            let row = &mut self.second[k * m..][..m];
            row[..k].fill(0.0);
            for (column, value) in row.iter_mut().enumerate().skip(k) {
                *value = self.first[column * n + k];
            }
        }
        for k in 0..r {
            let (done, rest) = self.second[..r * m].split_at_mut((k + 1) * m);
            let pivot = &mut done[k * m..][k..];
            let factor = make_reflector(pivot);
            self.second_factors[k] = factor;
            for row in rest.chunks_exact_mut(m) {
                reflect(pivot, factor, &mut row[k..]);
            }
        }
    }

    fn bring_forward(&mut self, from: usize, to: usize) {
        if from != to {
            let (head, tail) = self.first.split_at_mut(from * self.columns);
            let to_row = &mut head[to * self.columns..][..self.columns];
            to_row.swap_with_slice(&mut tail[..self.columns]);
            self.order.swap(from, to);
            self.remaining.swap(from, to);
        }
    }

    /// The rank decided.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The row that was taken in the k-th place, and its distance from those before it.
    pub fn pivot(&self, k: usize) -> Option<(usize, f64)> {
        (k < self.rank).then(|| (self.order[k], self.first[k * (self.columns + 1)].abs()))
    }

    /// Zᵀ Pᵀ e: the first `rank` entries are what W can reach, the
    /// others what it cannot (coordinates in the null space of Wᵀ).
    pub fn reduce(&self, e: &[f64], reduced: &mut [f64]) {
        for (value, &row) in reduced.iter_mut().zip(&self.order) {
            *value = e[row];
        }
        for k in 0..self.rank {
            let reflector = &self.second[k * self.rows..][k..self.rows];
            reflect(reflector, self.second_factors[k], &mut reduced[k..]);
        }
    }

    /// x ← P Z z, the inverse of [`reduce`](Self::reduce); z is used up.
    pub fn expand(&self, z: &mut [f64], x: &mut [f64]) {
        for k in (0..self.rank).rev() {
            let reflector = &self.second[k * self.rows..][k..self.rows];
            reflect(reflector, self.second_factors[k], &mut z[k..]);
        }
        for (&value, &row) in z.iter().zip(&self.order) {
            x[row] = value;
        }
    }

    /// x ← W⁺ e: of all x for which W x is nearest to e the least.
    pub fn least(&self, e: &[f64], x: &mut [f64]) {
        let mut reduced = vec![0.0; e.len()];
        self.reduce(e, &mut reduced);
        self.solve_triangle(&mut reduced);
        self.turn(&reduced, x);
    }

    /// t ← T⁻¹ t, for the first `rank` entries.
    pub fn solve_triangle(&self, t: &mut [f64]) {
        for k in (0..self.rank).rev() {
            let column = &self.second[k * self.rows..][..=k];
            let (before, from) = t.split_at_mut(k);
            from[0] /= column[k];
            add_scaled(before, -from[0], &column[..k]);
        }
    }

    /// t ← T⁻ᵀ t, for the first `rank` entries.
    pub fn solve_transposed_triangle(&self, t: &mut [f64]) {
        for k in 0..self.rank {
            let column = &self.second[k * self.rows..][..=k];
            t[k] = (t[k] - dot(&t[..k], column)) / column[k];
        }
    }

    /// y ← Q (t, 0); of t the first `rank` entries are read.
    pub fn turn(&self, t: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        y[..self.rank].copy_from_slice(&t[..self.rank]);
        self.rotate(y);
    }

    /// y ← column rank + k of Q: of length one, and W y = 0.
    pub fn null_vector(&self, k: usize, y: &mut [f64]) {
        y.fill(0.0);
        y[self.rank + k] = 1.0;
        self.rotate(y);
    }

    /// y ← Q y.
    fn rotate(&self, y: &mut [f64]) {
        for k in (0..self.rank).rev() {
            let reflector = &self.first[k * self.columns..][k..self.columns];
            reflect(reflector, self.first_factors[k], &mut y[k..]);
        }
    }

    /// t ← the first `rank` entries of Qᵀ y; y is used up.
    pub fn turn_back(&self, y: &mut [f64], t: &mut [f64]) {
        for k in 0..self.rank {
            let reflector = &self.first[k * self.columns..][k..self.columns];
            reflect(reflector, self.first_factors[k], &mut y[k..]);
        }
        t[..self.rank].copy_from_slice(&y[..self.rank]);
    }

    /// The rows of W in the coordinates of Q, m × rank: the same lengths and angles, short vectors.
    pub fn coordinates(&self, coordinates: &mut [f64]) {
        let r = self.rank;
        for (k, &row) in self.order.iter().enumerate() {
            let known = r.min(k + 1);
            let target = &mut coordinates[row * r..][..r];
            target[..known].copy_from_slice(&self.first[k * self.columns..][..known]);
            target[known..].fill(0.0);
        }
    }
}

/// Turns x into (β, 0, …); keeps β in its place and the reflector's tail (its head is 1) behind it.
fn make_reflector(x: &mut [f64]) -> f64 {
    let Some((head, tail)) = x.split_first_mut() else {
        return 0.0;
    };
    let square = dot(tail, tail);
    if square == 0.0 {
        return 0.0;
    }
    let beta = -(*head * *head + square).sqrt().copysign(*head);
    let factor = (beta - *head) / beta;
    let scale = 1.0 / (*head - beta);
    for value in tail.iter_mut() {
        *value *= scale;
    }
    *head = beta;
    factor
}

/// y ← (I − factor v vᵀ) y with v = (1, reflector's tail).
fn reflect(reflector: &[f64], factor: f64, y: &mut [f64]) {
    if let (Some((_, v)), Some((head, tail))) = (reflector.split_first(), y.split_first_mut()) {
        let amount = factor * (*head + dot(v, tail));
        *head -= amount;
        add_scaled(tail, -amount, v);
    }
}
