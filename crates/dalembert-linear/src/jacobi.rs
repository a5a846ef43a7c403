//! Jacobi's rotations: eigenvalues of a symmetric matrix, singular values of any.
//!
//! Slow (about ten sweeps of n³), short, and accurate also for small values next to large ones [DV].
//! [`symmetric_eigen`] turns S into diagonal form by rotations on both sides; [`Svd`] makes the
//! rows of B orthogonal by rotations on the left (Hestenes):
//!
//! ```text
//! S = V diag(s) Vᵀ          Uᵀ B = Σ Vᵀ,   B⁺ = V Σ⁺ Uᵀ
//! ```
//!
//! [DV]: Demmel, Veselić, "Jacobi's method is more accurate than QR", SIAM J. Matrix Anal. Appl. 13 (1992).

use super::{dot, norm};

/// Sweeps after which the rotations are taken to have converged; five to ten are usual.
const SWEEPS: usize = 60;

/// Cosine and sine of the rotation that makes [a c; c b] diagonal, |angle| ≤ π/4.
fn rotation(a: f64, b: f64, c: f64) -> (f64, f64) {
    let zeta = (b - a) / (2.0 * c);
    let tangent = 1.0 / (zeta.abs() + zeta.hypot(1.0));
    let tangent = tangent.copysign(zeta);
    let cosine = 1.0 / tangent.hypot(1.0);
    (cosine, cosine * tangent)
}

/// (x, y) ← (cosine x − sine y, sine x + cosine y).
fn rotate(x: &mut [f64], y: &mut [f64], (cosine, sine): (f64, f64)) {
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

fn two_rows(matrix: &mut [f64], n: usize, p: usize, q: usize) -> (&mut [f64], &mut [f64]) {
    let (head, tail) = matrix.split_at_mut(q * n);
    (&mut head[p * n..][..n], &mut tail[..n])
}

/// Diagonalises a symmetric n × n matrix: its diagonal becomes the eigenvalues, unordered, and the
/// *rows* of `vectors` the eigenvectors of length one.
pub fn symmetric_eigen(matrix: &mut [f64], vectors: &mut [f64], n: usize) {
    identity(vectors, n);
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                let (a, b, c) = (matrix[p * n + p], matrix[q * n + q], matrix[p * n + q]);
                if c == 0.0 || c.abs() <= f64::EPSILON * (a.abs() * b.abs()).sqrt() * 0.5 {
                    continue;
                }
                rotated = true;
                let turn = rotation(a, b, c);
                let (x, y) = two_rows(matrix, n, p, q);
                rotate(x, y, turn);
                for row in matrix.chunks_exact_mut(n) {
                    let (head, tail) = row.split_at_mut(q);
                    rotate(&mut head[p..=p], &mut tail[..1], turn);
                }
                (matrix[p * n + q], matrix[q * n + p]) = (0.0, 0.0);
                let (x, y) = two_rows(vectors, n, p, q);
                rotate(x, y, turn);
            }
        }
        if !rotated {
            break;
        }
    }
}

fn identity(matrix: &mut [f64], n: usize) {
    matrix.fill(0.0);
    matrix.iter_mut().step_by(n + 1).for_each(|one| *one = 1.0);
}

/// Singular value decomposition of a matrix of m rows and n columns.
#[derive(Clone, Debug)]
pub struct Svd {
    rows: usize,
    columns: usize,
    /// Rows k: right singular vector k, or zero where the singular value counts as zero; m × n.
    right: Vec<f64>,
    /// Rows k: left singular vector k; m × m.
    left: Vec<f64>,
    /// Singular values, unordered; zero where they are at most the tolerance.
    values: Vec<f64>,
}

impl Svd {
    /// Room for a matrix of so many rows and columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            right: vec![0.0; rows * columns],
            left: vec![0.0; rows * rows],
            values: vec![0.0; rows],
        }
    }

    /// Factors the matrix; singular values of at most `tolerance` become zero.
    pub fn factor(&mut self, matrix: &[f64], tolerance: f64) {
        let (m, n) = (self.rows, self.columns);
        self.right.copy_from_slice(matrix);
        identity(&mut self.left, m);
        // Rows this short are rounding errors of the others, and no angle to them is worth a turn.
        let negligible = f64::EPSILON * norm(matrix);
        for _ in 0..SWEEPS {
            let mut rotated = false;
            for p in 0..m {
                for q in p + 1..m {
                    let (x, y) = two_rows(&mut self.right, n, p, q);
                    let (a, b, c) = (dot(x, x), dot(y, y), dot(x, y));
                    let shorter = a.min(b).sqrt();
                    if shorter <= negligible || c.abs() <= f64::EPSILON * (a * b).sqrt() * 4.0 {
                        continue;
                    }
                    rotated = true;
                    let turn = rotation(a, b, c);
                    rotate(x, y, turn);
                    let (x, y) = two_rows(&mut self.left, m, p, q);
                    rotate(x, y, turn);
                }
            }
            if !rotated {
                break;
            }
        }
        for (row, value) in self.values.iter_mut().enumerate() {
            let row = &mut self.right[row * n..][..n];
            let length = norm(row);
            *value = if length > tolerance { length } else { 0.0 };
            let scale = if length > tolerance {
                1.0 / length
            } else {
                0.0
            };
            row.iter_mut().for_each(|entry| *entry *= scale);
        }
    }

    /// Singular values, unordered, zero where they count as zero; m of them.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Left singular vectors of length m, in the order of the values.
    pub fn left(&self) -> impl Iterator<Item = &[f64]> {
        self.left.chunks_exact(self.rows.max(1))
    }

    /// Singular values that are not zero, with their left and right vectors.
    fn triples(&self) -> impl Iterator<Item = (f64, &[f64], &[f64])> {
        let right = self.right.chunks_exact(self.columns.max(1));
        let triples = self.values.iter().zip(self.left()).zip(right);
        triples
            .map(|((&value, u), v)| (value, u, v))
            .filter(|(value, ..)| *value > 0.0)
    }

    /// y ← B⁺ e.
    pub fn pseudo_inverse(&self, e: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for (value, u, v) in self.triples() {
            super::add_scaled(y, dot(u, e) / value, v);
        }
    }

    /// x ← (Bᵀ)⁺ y.
    pub fn pseudo_inverse_transposed(&self, y: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        for (value, u, v) in self.triples() {
            super::add_scaled(x, dot(v, y) / value, u);
        }
    }

    /// y ← (I − B⁺ B) y.
    pub fn project_on_null_space(&self, y: &mut [f64]) {
        for (_, _, v) in self.triples() {
            let part = dot(v, y);
            super::add_scaled(y, -part, v);
        }
    }
}
