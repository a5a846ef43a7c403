//! Cholesky: S = L Lᵀ of a symmetric positive definite matrix.
//!
//! Lᵀ is kept, row by row. Four rows at a time are finished and then taken from all rows below,
//! so that each number fetched is used four times and no sum waits for the one before it. A row
//! ends at its last entry that is not zero: for banded and block diagonal matrices the work is that of
//! an envelope method. Cost n³/6 multiplications, less where rows end early.

use super::dot;

/// Rows finished before the others are brought up to date.
const PANEL: usize = 4;
/// Right sides solved together, so that the factor is fetched once for all of them.
const GROUP: usize = 8;

/// The factor of a matrix, ready for right sides.
#[derive(Clone, Debug)]
pub struct Cholesky {
    n: usize,
    /// Lᵀ, n × n, with 1 / Lⱼⱼ on the diagonal; below it, unspecified.
    upper: Vec<f64>,
    /// One past the last entry of each row of Lᵀ that is not zero.
    ends: Vec<usize>,
}

/// A pivot that is not clearly positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallPivot {
    /// Its row.
    pub index: usize,
    /// What is left of the diagonal entry once the rows above are eliminated.
    pub value: f64,
}

impl Cholesky {
    /// Room for a matrix of n rows.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            upper: vec![0.0; n * n],
            ends: vec![0; n],
        }
    }

    /// How many rows there is room for.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Factors the matrix, of which only the upper triangle is read; returns the smallest ratio of
    /// a pivot to its diagonal entry.
    ///
    /// # Errors
    /// The first pivot that is at most `threshold` times its diagonal entry, or not a number.
    pub fn factor(&mut self, matrix: &[f64], threshold: f64) -> Result<f64, SmallPivot> {
        let n = self.n;
        for (i, end) in self.ends.iter_mut().enumerate() {
            let row = &matrix[i * n..][i..n];
            self.upper[i * n..][i..n].copy_from_slice(row);
            let last = row.iter().rposition(|entry| *entry != 0.0);
            *end = i + 1 + last.unwrap_or(0);
        }
        let mut smallest = f64::INFINITY;
        for k in (0..n).step_by(PANEL) {
            for p in k..n.min(k + PANEL) {
                let before = matrix[p * n + p];
                let pivot = self.upper[p * n + p];
                if pivot.is_nan() || pivot <= threshold * before || pivot <= 0.0 {
                    return Err(SmallPivot {
                        index: p,
                        value: pivot,
                    });
                }
                smallest = smallest.min(pivot / before);
                self.finish_row(p, k + PANEL);
            }
            self.update_below(k);
        }
        Ok(smallest)
    }

    /// Divides row p by the root of its pivot and takes it from the rows of its panel below.
    fn finish_row(&mut self, p: usize, panel_end: usize) {
        let (n, end) = (self.n, self.ends[p]);
        let (done, below) = self.upper.split_at_mut((p + 1) * n);
        let row = &mut done[p * n..][..end];
        let scale = 1.0 / row[p].sqrt();
        row[p] = scale;
        row[p + 1..].iter_mut().for_each(|entry| *entry *= scale);
        for q in p + 1..panel_end.min(end) {
            let target = &mut below[(q - p - 1) * n..][q..end];
            let factor = row[q];
            for (t, u) in target.iter_mut().zip(&row[q..]) {
                *t -= factor * u;
            }
            self.ends[q] = self.ends[q].max(end);
        }
    }

    /// Takes the four rows from k from all rows below them.
    fn update_below(&mut self, k: usize) {
        let n = self.n;
        let Some(end) = self.panel_end(k) else { return };
        for i in k + PANEL..end {
            let (above, target) = self.upper.split_at_mut(i * n);
            let rows = panel(above, n, k, i, end);
            let factors = [rows[0][0], rows[1][0], rows[2][0], rows[3][0]];
            subtract(&mut target[i..end], factors, rows);
            self.ends[i] = self.ends[i].max(end);
        }
    }

    /// Where the rows of a full panel end.
    fn panel_end(&self, k: usize) -> Option<usize> {
        self.ends[k..].first_chunk::<PANEL>()?.iter().copied().max()
    }

    /// x ← L⁻¹ x for one right side of n entries, or several one after the other.
    pub fn forward(&self, right_sides: &mut [f64]) {
        let n = self.n;
        if n == 0 {
            return;
        }
        for group in right_sides.chunks_mut(GROUP * n) {
            for k in (0..n).step_by(PANEL) {
                for x in group.chunks_exact_mut(n) {
                    self.forward_panel(k, x);
                }
            }
        }
    }

    /// Finds four unknowns and takes their part from the entries behind.
    fn forward_panel(&self, k: usize, x: &mut [f64]) {
        let n = self.n;
        let (known, behind) = x.split_at_mut(n.min(k + PANEL));
        let unknowns = &mut known[k..];
        for p in 0..unknowns.len() {
            let row = &self.upper[(k + p) * n + k..];
            unknowns[p] *= row[p];
            for q in p + 1..unknowns.len() {
                unknowns[q] -= unknowns[p] * row[q];
            }
        }
        let Some(end) = self.panel_end(k) else { return };
        if let Ok(&factors) = <&[f64; PANEL]>::try_from(&*unknowns)
            && end > k + PANEL
            && factors.iter().any(|value| *value != 0.0)
        {
            let rows = panel(&self.upper, n, k, k + PANEL, end);
            subtract(&mut behind[..end - k - PANEL], factors, rows);
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64]) {
        for (j, &end) in self.ends.iter().enumerate().rev() {
            let row = &self.upper[j * self.n..][..end];
            let behind = dot(&row[j + 1..], &x[j + 1..end]);
            x[j] = (x[j] - behind) * row[j];
        }
    }

    /// x ← S⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.backward(x);
    }
}

/// Columns `from..to` of the four rows from k.
#[inline]
fn panel(upper: &[f64], n: usize, k: usize, from: usize, to: usize) -> [&[f64]; PANEL] {
    [
        &upper[k * n..][from..to],
        &upper[(k + 1) * n..][from..to],
        &upper[(k + 2) * n..][from..to],
        &upper[(k + 3) * n..][from..to],
    ]
}

/// target ← target − Σ factor row.
#[inline]
fn subtract(target: &mut [f64], [f, g, h, i]: [f64; PANEL], [p, q, r, s]: [&[f64]; PANEL]) {
    let rows = p.iter().zip(q).zip(r).zip(s);
    for (t, (((p, q), r), s)) in target.iter_mut().zip(rows) {
        *t -= (f * p + g * q) + (h * r + i * s);
    }
}
