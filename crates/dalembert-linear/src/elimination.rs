//! Gauss's elimination with complete pivoting: which columns follow from the others, for any rank.
//!
//! ```text
//! P W Q = ⎡ L₁ ⎤ [ U₁ U₂ ]        L₁, U₁ triangular of size rank, L₁ with ones on its diagonal
//!         ⎣ L₂ ⎦
//! W₁₁ = L₁ U₁                     the pivot rows in the pivot columns
//! W x = 0    ⟺  x₁ = −U₁⁻¹ U₂ x₂
//! yᵀ W = 0   ⟺  y₁ = −L₁⁻ᵀ L₂ᵀ y₂
//! ```
//!
//! * Each pivot is the largest entry left, the first such in the order of rows and columns; entries up to a tolerance
//!   are zero. Meant for rows and columns of comparable sizes.
//! * Cost m n rank multiplications at most: rows without an entry in the column of a pivot are left alone, and what is largest in
//!   them is known, so that a matrix of mostly zeros costs little more than its rows times its columns.

use super::dot;

/// P W Q = L U, see the file's head.
#[derive(Clone, Debug)]
pub struct Elimination {
    rows: usize,
    columns: usize,
    rank: usize,
    /// L below the diagonal, U on and above it, in the order of the pivots; m × n.
    table: Vec<f64>,
    row_order: Vec<usize>,
    column_order: Vec<usize>,
    /// The size of the largest entry left in each row.
    largest: Vec<f64>,
}

impl Elimination {
    /// Room for a matrix of so many rows and columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            rank: 0,
            table: vec![0.0; rows * columns],
            row_order: (0..rows).collect(),
            column_order: (0..columns).collect(),
            largest: vec![0.0; rows],
        }
    }

    /// Factors W and decides its rank: entries of at most `tolerance` are zero.
    pub fn factor(&mut self, matrix: &[f64], tolerance: f64) {
        let (m, n) = (self.rows, self.columns);
        self.table.copy_from_slice(matrix);
        count_up(&mut self.row_order);
        count_up(&mut self.column_order);
        self.rank = 0;
        for i in 0..m {
            self.largest[i] = largest_of(&self.table[i * n..][..n]);
        }
        while self.rank < m.min(n) {
            let k = self.rank;
            let (mut most, mut at) = (tolerance, None);
            for (i, &own) in self.largest.iter().enumerate().skip(k) {
                if own > most {
                    (most, at) = (own, Some(i));
                }
            }
            let Some(i) = at else { break };
            let mut entries = self.table[i * n..][k..n].iter();
            let Some(place) = entries.position(|entry| entry.abs() >= most) else {
                break;
            };
            let j = k + place;
            self.bring_forward(i, j, k);
            let (done, rest) = self.table.split_at_mut((k + 1) * n);
            let pivot = &done[k * n..][k..];
            for (row, largest) in rest.chunks_exact_mut(n).zip(&mut self.largest[k + 1..]) {
                if row[k] != 0.0 {
                    let factor = row[k] / pivot[0];
                    row[k] = factor;
                    for (entry, above) in row[k + 1..].iter_mut().zip(&pivot[1..]) {
                        *entry -= factor * above;
                    }
                    *largest = largest_of(&row[k + 1..]);
                }
            }
            self.rank += 1;
        }
    }

    fn bring_forward(&mut self, row: usize, column: usize, k: usize) {
        let n = self.columns;
        if row != k {
            let (head, tail) = self.table.split_at_mut(row * n);
            head[k * n..][..n].swap_with_slice(&mut tail[..n]);
            self.row_order.swap(row, k);
            self.largest.swap(row, k);
        }
        if column != k {
            for row in self.table.chunks_exact_mut(n) {
                row.swap(column, k);
            }
            self.column_order.swap(column, k);
        }
    }

    /// The pivot behind `last` others, with its sign, if rows and columns of another matrix are taken in the order that the last one had: a smooth
    /// function of its entries, unlike the size of a pivot that is looked for. Nothing else is known of that matrix.
    pub fn pivot_in_order(&mut self, matrix: &[f64], last: usize) -> f64 {
        let (n, size) = (self.columns, last + 1);
        if size > self.rows.min(n) {
            return 0.0;
        }
        self.rank = 0;
        let rows = self.table.chunks_exact_mut(n).zip(&self.row_order);
        for (row, &from) in rows.take(size) {
            pick(
                &self.column_order,
                &matrix[from * n..][..n],
                &mut row[..size],
            );
        }
        for k in 0..last {
            let (done, rest) = self.table.split_at_mut((k + 1) * n);
            let pivot = &done[k * n..][k..size];
            for row in rest.chunks_exact_mut(n).take(last - k) {
                if row[k] != 0.0 {
                    let factor = row[k] / pivot[0];
                    for (entry, above) in row[k + 1..size].iter_mut().zip(&pivot[1..]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        self.table[last * n + last]
    }

    /// The rank decided.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Size of the k-th pivot; zero behind the last.
    pub fn pivot(&self, k: usize) -> f64 {
        match k < self.rank {
            true => self.table[k * self.columns + k].abs(),
            false => 0.0,
        }
    }

    /// Rows of W in the order of the pivots; the first `rank` are independent.
    pub fn row_order(&self) -> &[usize] {
        &self.row_order
    }

    /// Columns of W in the order of the pivots; the first `rank` are independent.
    pub fn column_order(&self) -> &[usize] {
        &self.column_order
    }

    /// x ← W₁₁⁻¹ x, of `rank` entries in the order of the pivots.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.columns;
        for k in 0..self.rank {
            x[k] -= dot(&self.table[k * n..][..k], x);
        }
        self.solve_upper(x);
    }

    /// x ← W₁₁⁻ᵀ x, of `rank` entries in the order of the pivots.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        let n = self.columns;
        for k in 0..self.rank {
            let row = &self.table[k * n..][..self.rank];
            x[k] /= row[k];
            let known = x[k];
            for (x, u) in x[k + 1..self.rank].iter_mut().zip(&row[k + 1..]) {
                *x -= u * known;
            }
        }
        self.solve_lower_transposed(x);
    }

    /// x ← a solution of W x = r, if there is one: zero but for columns of pivots. `room` is for as many numbers as the rank.
    pub fn solution(&self, r: &[f64], room: &mut [f64], x: &mut [f64]) {
        let short = &mut room[..self.rank];
        pick(&self.row_order, r, short);
        self.solve(short);
        x.fill(0.0);
        put(&self.column_order, short, x);
    }

    /// y ← a solution of Wᵀ y = r, if there is one: zero but for rows of pivots.
    pub fn transposed_solution(&self, r: &[f64], room: &mut [f64], y: &mut [f64]) {
        let short = &mut room[..self.rank];
        pick(&self.column_order, r, short);
        self.solve_transposed(short);
        y.fill(0.0);
        put(&self.row_order, short, y);
    }

    /// x ← the k-th vector with W x = 0: one at the k-th column behind the pivots.
    pub fn free_vector(&self, k: usize, room: &mut [f64], x: &mut [f64]) {
        self.null_vector(k, room);
        x.fill(0.0);
        put(&self.column_order[..self.rank], room, x);
        x[self.column_order[self.rank + k]] = 1.0;
    }

    /// y ← the k-th vector with yᵀ W = 0: one at the k-th row behind the pivots.
    pub fn relation(&self, k: usize, room: &mut [f64], y: &mut [f64]) {
        self.left_null_vector(k, room);
        y.fill(0.0);
        put(&self.row_order[..self.rank], room, y);
        y[self.row_order[self.rank + k]] = 1.0;
    }

    /// x₁ = −U₁⁻¹ U₂ of the k-th column behind the pivots, whose own entry of x is one: W x = 0.
    pub fn null_vector(&self, k: usize, x: &mut [f64]) {
        let (n, r) = (self.columns, self.rank);
        for (i, x) in x[..r].iter_mut().enumerate() {
            *x = -self.table[i * n + r + k];
        }
        self.solve_upper(x);
    }

    /// y₁ = −L₁⁻ᵀ L₂ᵀ of the k-th row behind the pivots, whose own entry of y is one: yᵀ W = 0.
    fn left_null_vector(&self, k: usize, y: &mut [f64]) {
        let r = self.rank;
        let row = &self.table[(r + k) * self.columns..][..r];
        for (y, l) in y.iter_mut().zip(row) {
            *y = -l;
        }
        self.solve_lower_transposed(y);
    }

    fn solve_upper(&self, x: &mut [f64]) {
        for k in (0..self.rank).rev() {
            let row = &self.table[k * self.columns..][..self.rank];
            x[k] = (x[k] - dot(&row[k + 1..], &x[k + 1..])) / row[k];
        }
    }

    fn solve_lower_transposed(&self, x: &mut [f64]) {
        for k in (0..self.rank).rev() {
            let (before, known) = x.split_at_mut(k);
            for (x, l) in before.iter_mut().zip(&self.table[k * self.columns..]) {
                *x -= l * known[0];
            }
        }
    }
}

/// The size of the largest entry.
fn largest_of(row: &[f64]) -> f64 {
    let larger = |most: f64, entry: &f64| {
        let size = entry.abs();
        if size > most { size } else { most }
    };
    // Eight at a time.
    let (eights, rest) = row.as_chunks::<8>();
    let most = rest.iter().fold(0.0, larger);
    if eights.is_empty() {
        return most;
    }
    let mut lanes = [0.0; 8];
    for eight in eights {
        for (most, entry) in lanes.iter_mut().zip(eight) {
            *most = larger(*most, entry);
        }
    }
    lanes.iter().fold(most, larger)
}

/// full[place] ← short, for each place.
fn put(places: &[usize], short: &[f64], full: &mut [f64]) {
    for (&place, value) in places.iter().zip(short) {
        full[place] = *value;
    }
}

/// short ← full[place], for each place.
fn pick(places: &[usize], full: &[f64], short: &mut [f64]) {
    for (&place, value) in places.iter().zip(short) {
        *value = full[place];
    }
}

fn count_up(order: &mut [usize]) {
    for (k, place) in order.iter_mut().enumerate() {
        *place = k;
    }
}
