//! Eliminations.

use crate::random;
use dalembert_linear::{Elimination, add_transposed, multiply, norm};

/// Products of a few factors of size one to ten, condition up to about 1e3.
const ROUNDING: f64 = 1e-11;

#[test]
fn null_vectors_and_solutions_satisfy_the_matrix_for_every_rank() {
    let mut rng = fastrand::Rng::with_seed(5);
    let sizes = [(1, 1, 1), (3, 5, 3), (5, 3, 3), (6, 6, 4), (7, 9, 5)];
    for (m, n, rank) in sizes.into_iter().chain([(4, 8, 0), (9, 9, 9)]) {
        let w = random::of_rank(&mut rng, m, n, rank);
        let mut elimination = Elimination::new(m, n);
        elimination.factor(&w, 1e-10);
        assert_eq!(elimination.rank(), rank);
        let (rows, columns) = (elimination.row_order(), elimination.column_order());

        for k in 0..n - rank {
            let (mut room, mut x, mut image) = (vec![0.0; rank], vec![0.0; n], vec![0.0; m]);
            elimination.free_vector(k, &mut room, &mut x);
            assert!((x[columns[rank + k]] - 1.0).abs() < ROUNDING);
            multiply(&w, &x, &mut image);
            assert!(norm(&image) < ROUNDING * norm(&x));
        }
        for k in 0..m - rank {
            let (mut room, mut y, mut image) = (vec![0.0; rank], vec![0.0; m], vec![0.0; n]);
            elimination.relation(k, &mut room, &mut y);
            assert!((y[rows[rank + k]] - 1.0).abs() < ROUNDING);
            add_transposed(&w, &y, &mut image);
            assert!(norm(&image) < ROUNDING * norm(&y));
        }

        // Right sides that can be met: W and Wᵀ of something.
        let (given, back) = (
            random::matrix(&mut rng, n, 1),
            random::matrix(&mut rng, m, 1),
        );
        let (mut met, mut met_back) = (vec![0.0; m], vec![0.0; n]);
        multiply(&w, &given, &mut met);
        add_transposed(&w, &back, &mut met_back);
        let (mut room, mut x, mut y) = (vec![0.0; rank], vec![1.0; n], vec![1.0; m]);
        elimination.solution(&met, &mut room, &mut x);
        elimination.transposed_solution(&met_back, &mut room, &mut y);
        let (mut image, mut image_back) = (vec![0.0; m], vec![0.0; n]);
        multiply(&w, &x, &mut image);
        add_transposed(&w, &y, &mut image_back);
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>();
        assert!(apart(&image, &met) < ROUNDING * (1.0 + norm(&x)) * 10.0);
        assert!(apart(&image_back, &met_back) < ROUNDING * (1.0 + norm(&y)) * 10.0);

        let right = random::matrix(&mut rng, rank, 1);
        let (mut x, mut y) = (right.clone(), right.clone());
        elimination.solve(&mut x);
        elimination.solve_transposed(&mut y);
        for (i, right) in right.iter().enumerate() {
            let block = |i: usize, j: usize| w[rows[i] * n + columns[j]];
            let by_row: f64 = (0..rank).map(|j| block(i, j) * x[j]).sum();
            let by_column: f64 = (0..rank).map(|j| block(j, i) * y[j]).sum();
            assert!((by_row - right).abs() < ROUNDING * (1.0 + norm(&x)));
            assert!((by_column - right).abs() < ROUNDING * (1.0 + norm(&y)));
        }
    }
}

#[test]
fn entries_that_vanish_are_no_pivots() {
    let mut elimination = Elimination::new(3, 2);
    elimination.factor(&[0.0, 1.0, 1e-12, 2.0, 0.0, 4.0], 1e-10);
    assert_eq!(elimination.rank(), 1);
    assert_eq!(
        (elimination.row_order()[0], elimination.column_order()[0]),
        (2, 1)
    );
}

/// Complete pivoting as the book has it: every entry left is looked at for each pivot.
fn pivots_by_looking_everywhere(
    w: &[f64],
    m: usize,
    n: usize,
) -> (Vec<f64>, Vec<usize>, Vec<usize>) {
    let mut table: Vec<Vec<f64>> = w.chunks_exact(n).map(<[f64]>::to_vec).collect();
    let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..m).collect(), (0..n).collect());
    let mut pivots = Vec::new();
    for k in 0..m.min(n) {
        let (mut most, mut at) = (0.0, None);
        for (i, row) in table.iter().enumerate().skip(k) {
            for (j, entry) in row.iter().enumerate().skip(k) {
                if entry.abs() > most {
                    (most, at) = (entry.abs(), Some((i, j)));
                }
            }
        }
        let Some((i, j)) = at else { break };
        table.swap(i, k);
        rows.swap(i, k);
        table.iter_mut().for_each(|row| row.swap(j, k));
        columns.swap(j, k);
        let pivot = table[k].clone();
        for row in &mut table[k + 1..] {
            let factor = row[k] / pivot[k];
            for (entry, above) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) {
                *entry -= factor * above;
            }
        }
        pivots.push(most);
    }
    (pivots, rows, columns)
}

/// Rows that a pivot does not touch are left alone: the pivots are the same to the last bit, with many equal entries and many zeros.
#[test]
fn matrices_of_mostly_zeros_have_the_same_pivots() {
    let mut rng = fastrand::Rng::with_seed(8);
    for case in 0..200 {
        let (m, n) = (rng.usize(1..12), rng.usize(1..12));
        let mut entry = || match rng.usize(0..3) {
            0 => f64::from(rng.i32(-2..=2)),
            1 if case % 2 == 0 => rng.f64() - 0.5,
            _ => 0.0,
        };
        let w: Vec<f64> = (0..m * n).map(|_| entry()).collect();
        let mut elimination = Elimination::new(m, n);
        elimination.factor(&w, 0.0);
        let (pivots, rows, columns) = pivots_by_looking_everywhere(&w, m, n);
        assert_eq!(elimination.rank(), pivots.len(), "{w:?}");
        for (k, wanted) in pivots.iter().enumerate() {
            assert!(elimination.pivot(k).total_cmp(wanted).is_eq(), "{w:?}");
        }
        assert_eq!(elimination.row_order(), rows, "{w:?}");
        assert_eq!(elimination.column_order(), columns, "{w:?}");
    }
}

/// The last pivot of a square matrix in a given order is its determinant by that of the rest: it changes its sign where the determinant does.
#[test]
fn a_pivot_in_order_is_a_quotient_of_determinants() {
    let mut rng = fastrand::Rng::with_seed(11);
    for n in 1..7 {
        let w = random::of_rank(&mut rng, n, n, n);
        let mut elimination = Elimination::new(n, n);
        elimination.factor(&w, 0.0);
        let size = elimination.pivot(n - 1);
        let last = elimination.pivot_in_order(&w, n - 1);
        assert!((last.abs() - size).abs() < ROUNDING * size);
        let other = random::of_rank(&mut rng, n, n, n);
        let (rows, columns) = (elimination.row_order(), elimination.column_order());
        let part = |size: usize| -> Vec<Vec<f64>> {
            let row = |&i: &usize| columns[..size].iter().map(|j| other[i * n + j]).collect();
            rows[..size].iter().map(row).collect()
        };
        let wanted = determinant(&part(n)) / determinant(&part(n - 1));
        let found = elimination.pivot_in_order(&other, n - 1);
        assert!(
            (found - wanted).abs() < 1e-8 * wanted.abs(),
            "{found} {wanted}"
        );
    }
}

/// By Laplace's expansion.
fn determinant(matrix: &[Vec<f64>]) -> f64 {
    let Some((first, rest)) = matrix.split_first() else {
        return 1.0;
    };
    let without = |j: usize| -> Vec<Vec<f64>> {
        let row = |row: &Vec<f64>| [&row[..j], &row[j + 1..]].concat();
        rest.iter().map(row).collect()
    };
    let sign = |j: usize| if j.is_multiple_of(2) { 1.0 } else { -1.0 };
    let parts = first.iter().enumerate();
    parts
        .map(|(j, entry)| sign(j) * entry * determinant(&without(j)))
        .sum()
}
