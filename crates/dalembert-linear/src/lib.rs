//! Linear algebra on small and medium matrices; what is zero in them is decided in one place ([`decide`]).
//!
//! Dense matrices are slices in row-major order. Each factorisation owns its buffers, is made once for a
//! size and then factors matrices of that size without allocating. All loops run along rows, so
//! every access is contiguous; where a column is wanted, the transpose is stored.
//!
//! | kind | file | used for |
//! |---|---|---|
//! | [`balance`], [`Groups`] | `balance.rs` | rows and columns of any units brought to one size; what is connected |
//! | [`BlockInverse`] | `block_inverse.rs` | square matrices that fall apart into small blocks: rates of speeds |
//! | [`Cholesky`] | `cholesky.rs` | M and A M⁻¹ Aᵀ where both are clearly definite |
//! | [`CompleteOrthogonal`] | `orthogonal.rs` | any rank: least-norm solutions, null space |
//! | [`factorisation`] | `factorisation/` | M and A of a state together: the solver of all routes |
//! | [`Elimination`] | `elimination.rs` | any rank: columns that follow from others |
//! | [`Lu`] | `lu.rs` | any square matrix, real or complex: the steps of stiff runs |
//! | [`Pattern`], [`Matrix`] | `matrix.rs` | full and compressed matrices behind one face |
//! | [`SparseLu`] | `sparse_lu.rs` | the same where it is large and has few entries |
//! | [`tree`] | `tree/` | M of a tree of bodies, as factors |
//! | [`symmetric_eigen`], [`Svd`] | `jacobi.rs` | M^½, M^-½, B⁺: a route of its own, for Udwadia and Kalaba |

mod balance;
mod block_inverse;
mod cholesky;
mod elimination;
pub mod factorisation;
mod jacobi;
mod lu;
mod matrix;
mod orthogonal;
mod sparse_lu;
pub mod tree;

pub use balance::{Groups, balance};
pub use block_inverse::BlockInverse;
pub use cholesky::{Cholesky, SmallPivot};
pub use dalembert_decide as decide;
pub use elimination::Elimination;
pub use jacobi::{Svd, symmetric_eigen};
pub use lu::{Complex, Lu, Scalar};
pub use matrix::{Matrix, Pattern};
pub use orthogonal::CompleteOrthogonal;
pub use sparse_lu::{SparseLu, SparseScalar};

/// Sum of xᵢ yᵢ; the longer operand's tail is ignored.
///
/// Eight partial sums, because the compiler may not reorder a floating-point sum by itself.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (x, y) = same_length(x, y);
    let (x_blocks, x_tail) = x.as_chunks::<8>();
    let (y_blocks, y_tail) = y.as_chunks::<8>();
    let mut tail = 0.0;
    for (a, b) in x_tail.iter().zip(y_tail) {
        tail += a * b;
    }
    if x_blocks.is_empty() {
        return tail;
    }
    let mut sums = [0.0; 8];
    for (a, b) in x_blocks.iter().zip(y_blocks) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    tail + sums.iter().sum::<f64>()
}

/// Products of x with four rows of its length at once: x is loaded once for all.
#[inline]
fn dot4(x: &[f64], [p, q, r, s]: [&[f64]; 4]) -> [f64; 4] {
    let n = x.len();
    let (blocks, tail) = x.as_chunks::<4>();
    let (p, q, r, s) = (&p[..n], &q[..n], &r[..n], &s[..n]);
    let rows = p.as_chunks::<4>().0.iter().zip(q.as_chunks::<4>().0);
    let rows = rows.zip(r.as_chunks::<4>().0).zip(s.as_chunks::<4>().0);
    let mut sums = [[0.0; 4]; 4];
    for (x, (((p, q), r), s)) in blocks.iter().zip(rows) {
        for lane in 0..4 {
            sums[0][lane] += x[lane] * p[lane];
            sums[1][lane] += x[lane] * q[lane];
            sums[2][lane] += x[lane] * r[lane];
            sums[3][lane] += x[lane] * s[lane];
        }
    }
    let mut totals = [0.0; 4];
    for (total, sum) in totals.iter_mut().zip(&sums) {
        *total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    for (k, x) in (n - tail.len()..n).zip(tail) {
        totals[0] += x * p[k];
        totals[1] += x * q[k];
        totals[2] += x * r[k];
        totals[3] += x * s[k];
    }
    totals
}

/// y ← y + factor x.
pub fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// Euclidean length of x.
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// y ← A x, with A of as many rows as y and columns as x.
pub fn multiply(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    let columns = x.len();
    let whole = y.len() / 4 * 4;
    let (blocks, tail) = y.split_at_mut(whole);
    for (k, block) in blocks.chunks_exact_mut(4).enumerate() {
        let row = |r: usize| &matrix[(4 * k + r) * columns..][..columns];
        block.copy_from_slice(&dot4(x, [row(0), row(1), row(2), row(3)]));
    }
    for (k, y) in tail.iter_mut().enumerate() {
        *y = dot(&matrix[(whole + k) * columns..][..columns], x);
    }
}

/// y ← y + Aᵀ x, with A of as many rows as x and columns as y.
pub fn add_transposed(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    let columns = y.len();
    for (k, &x) in x.iter().enumerate() {
        add_scaled(y, x, &matrix[k * columns..][..columns]);
    }
}

/// Brings rows of as many entries as there are units to these units, and to length one; rows of zeros stay.
pub fn unit_rows(rows: &mut [f64], units: &[f64]) {
    for row in rows.chunks_exact_mut(units.len().max(1)) {
        row.iter_mut().zip(units).for_each(|(a, unit)| *a *= unit);
        let length = norm(row);
        if length > 0.0 {
            row.iter_mut().for_each(|a| *a /= length);
        }
    }
}

/// How many of the sizes (pivots or singular values of a matrix with rows of length one) count as
/// different from zero.
pub fn rank(sizes: &[f64], tolerance: f64) -> usize {
    sizes.iter().filter(|size| **size > tolerance).count()
}

fn same_length<'a>(x: &'a [f64], y: &'a [f64]) -> (&'a [f64], &'a [f64]) {
    let length = x.len().min(y.len());
    (&x[..length], &y[..length])
}
