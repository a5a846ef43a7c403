//! Random matrices.

use dalembert_linear::add_transposed;

/// Entries uniform in −1 … 1.
pub(crate) fn matrix(rng: &mut fastrand::Rng, rows: usize, columns: usize) -> Vec<f64> {
    (0..rows * columns).map(|_| 2.0 * rng.f64() - 1.0).collect()
}

/// Rows, columns and ranks: square, wide, tall, of full rank, less and none.
pub(crate) const SHAPES: [(usize, usize, usize); 6] = [
    (1, 1, 1),
    (3, 5, 3),
    (5, 3, 3),
    (6, 6, 4),
    (7, 9, 5),
    (4, 8, 0),
];

/// A product of a tall and a wide matrix, which has this rank.
pub(crate) fn of_rank(
    rng: &mut fastrand::Rng,
    rows: usize,
    columns: usize,
    rank: usize,
) -> Vec<f64> {
    let (left, right) = (matrix(rng, rows, rank), matrix(rng, rank, columns));
    let mut product = vec![0.0; rows * columns];
    for (row, entries) in product.chunks_exact_mut(columns).enumerate() {
        add_transposed(&right, &left[row * rank..][..rank], entries);
    }
    product
}

/// G Gᵀ + shift I.
pub(crate) fn definite(rng: &mut fastrand::Rng, n: usize, shift: f64) -> Vec<f64> {
    let g = matrix(rng, n, n);
    let mut product = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            product[i * n + j] = (0..n).map(|k| g[i * n + k] * g[j * n + k]).sum();
        }
        product[i * n + i] += shift;
    }
    product
}
