//! Rows and columns of any units.

use crate::random;
use dalembert_linear::{Matrix, balance};

#[test]
fn factors_of_rows_and_columns_do_not_matter() {
    let (m, n) = (7, 9);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut plain = random::matrix(&mut rng, m, n);
    // Zeros, so that some entries are connected through others only.
    plain
        .iter_mut()
        .for_each(|a| *a = if rng.f64() < 0.6 { 0.0 } else { *a });
    let mut factors =
        |count: usize| -> Vec<f64> { (0..count).map(|_| 10.0_f64.powi(rng.i32(-8..9))).collect() };
    let (by_row, by_column) = (factors(m), factors(n));
    let entries = plain.iter().enumerate();
    let other: Vec<f64> = entries
        .map(|(k, a)| a * by_row[k / n] * by_column[k % n])
        .collect();
    let balanced = |entries: &[f64]| -> Vec<f64> {
        let (rows, columns) = balance(&Matrix::full(m, n, entries));
        let entries = entries.iter().enumerate();
        entries
            .map(|(k, a)| a * rows[k / n] * columns[k % n])
            .collect()
    };
    for (a, b) in balanced(&plain).iter().zip(balanced(&other)) {
        assert!((a - b).abs() <= 1e-9 * a.abs(), "{a} {b}");
    }
}

#[test]
fn one_row_of_any_size_is_balanced() {
    for size in [1e-9, 1e-5, 1e-3, 1.0, 1e7] {
        let row = [6.0 * size, 0.0, 8.0 * size];
        let (rows, columns) = balance(&Matrix::full(1, 3, &row));
        let scaled = row.iter().zip(&columns).map(|(a, by)| a * by * rows[0]);
        let near = |(a, b): (f64, f64)| (a - b).abs() < 1e-12;
        assert!(
            scaled.zip([1.0, 0.0, 1.0]).all(near),
            "{rows:?} {columns:?}"
        );
    }
}

/// A slope that is left of what was solved for is no reason to stretch its column.
#[test]
fn rounding_does_not_count() {
    let entries = [1.0, 1.0, 1e-15, 0.0, 0.0, 0.0, 1.0, 0.9];
    let (rows, columns) = balance(&Matrix::full(2, 4, &entries));
    assert!(
        rows.iter()
            .chain(&columns)
            .all(|by| (0.5..2.0).contains(by)),
        "{rows:?} {columns:?}"
    );
}
