//! A tree's M against the same matrix in full: products, diagonal, solutions.

use super::{Link, NUMBERS, Tree};
use crate::factorisation::{Factorisation, Tolerance, Unsolved};
use crate::{Matrix, Pattern};
use std::sync::Arc;

/// Links with one in five fixed, that hang on any of those before.
fn random(count: usize, rng: &mut fastrand::Rng) -> (Arc<Tree>, Vec<f64>) {
    let (mut links, mut values, mut n) = (Vec::new(), Vec::new(), 0);
    for i in 0..count {
        let moves = i == 0 || rng.u32(..5) > 0;
        links.push(Link {
            parent: (i > 0).then(|| rng.usize(i.saturating_sub(4)..i)),
            coordinate: moves.then_some(n),
        });
        n += usize::from(moves);
        let mut own = || 2.0 * rng.f64() - 1.0;
        let [a, b, c]: [f64; 3] = std::array::from_fn(|_| own());
        let length = a.hypot(b).hypot(c);
        let axis = [a / length, b / length, c / length];
        let (s, c) = (3.0 * own()).sin_cos();
        for i in 0..3 {
            for j in 0..3 {
                let across = match (3 + j - i) % 3 {
                    0 => c,
                    1 => -s * axis[3 - i - j],
                    _ => s * axis[3 - i - j],
                };
                values.push((1.0 - c) * axis[i] * axis[j] + across);
            }
        }
        values.extend(std::iter::repeat_with(&mut own).take(9));
        let (x, y, z) = (1.0 + own().abs(), 1.0 + own().abs(), 1.0 + own().abs());
        values.extend([2.0 + own(), x, 0.1 * own(), 0.1 * own(), y, 0.1 * own(), z]);
    }
    assert_eq!(values.len(), NUMBERS * count);
    (Arc::new(Tree::new(n, links)), values)
}

#[test]
fn what_a_tree_solves_is_what_its_matrix_in_full_does() {
    let mut rng = fastrand::Rng::with_seed(5);
    for count in [1, 2, 7, 40] {
        let (tree, values) = random(count, &mut rng);
        let n = tree.coordinates();
        let pattern = Arc::new(Pattern::of_tree(Arc::clone(&tree)));
        let mass = pattern.matrix(&values);
        let full = mass.to_full().into_owned();
        let dense = Matrix::full(n, n, &full);
        for i in 0..n {
            for j in 0..i {
                let (a, b) = (full[i * n + j], full[j * n + i]);
                assert!((a - b).abs() <= 1e-13 * (full[i * n + i] * full[j * n + j]).sqrt());
            }
            assert!((mass.whole_diagonal()[i] - full[i * n + i]).abs() <= 1e-13 * full[i * n + i]);
        }
        let x: Vec<f64> = (0..n).map(|_| rng.f64() - 0.5).collect();
        let [mut product, mut expected] = [vec![0.0; n], vec![0.0; n]];
        mass.multiply(&x, &mut product);
        dense.multiply(&x, &mut expected);
        let size = expected.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        for (a, b) in product.iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-13 * size);
        }
        let no_rows = Arc::new(Pattern::full(0, n));
        let solved = |mass: &Matrix<'_>, mut by: Factorisation| {
            let mut a = vec![0.0; n];
            by.factor(mass, &no_rows.matrix(&[])).unwrap();
            by.solve(&product, &[], &mut a, &mut []).unwrap();
            a
        };
        let by_tree = Factorisation::of(&pattern, &no_rows, Tolerance::default()).unwrap();
        let by_full = Factorisation::new(n, 0, Tolerance::default());
        let found = solved(&mass, by_tree);
        for ((a, b), x) in found.iter().zip(solved(&dense, by_full)).zip(&x) {
            assert!(
                (a - x).abs() <= 1e-11 && (b - x).abs() <= 1e-11,
                "{count}: {a} {b} {x}"
            );
        }
    }
}

/// A massless link at the end has no acceleration: told as of full matrices, whatever the unit.
#[test]
fn a_link_without_inertia_is_told_as_by_the_dense_way() {
    let mut rng = fastrand::Rng::with_seed(8);
    let moves = |tree: &Tree| tree.links()[5].coordinate.is_some();
    let mut trees = std::iter::repeat_with(|| random(6, &mut rng));
    let (tree, mut values) = trees.find(|(tree, _)| moves(tree)).expect("most do");
    let last = 5;
    values[last * NUMBERS + 18..].fill(0.0);
    let n = tree.coordinates();
    let pattern = Arc::new(Pattern::of_tree(tree));
    let no_rows = Arc::new(Pattern::full(0, n));
    let mass = pattern.matrix(&values);
    let full = mass.to_full().into_owned();
    let no = no_rows.matrix(&[]);
    let mut by_tree = Factorisation::of(&pattern, &no_rows, Tolerance::default()).unwrap();
    let mut by_full = Factorisation::new(n, 0, Tolerance::default());
    let found = by_tree.factor(&mass, &no).unwrap_err();
    assert!(matches!(found, Unsolved::Undetermined { .. }), "{found:?}");
    let expected = by_full.factor(&Matrix::full(n, n, &full), &no).unwrap_err();
    assert_eq!(found.undetermined_speeds(), expected.undetermined_speeds());
}

/// Rows beside a tree: motion, multipliers and projections as by full matrices, also with rows that do not count, compressed ones, and such that depend on
/// each other, where the least multipliers are taken.
#[test]
fn rows_are_met_as_by_full_matrices() {
    let mut rng = fastrand::Rng::with_seed(11);
    for (count, nc, repeated) in [(9, 1, false), (20, 4, false), (30, 7, false), (12, 5, true)] {
        let (tree, values) = random(count, &mut rng);
        let n = tree.coordinates();
        let pattern = Arc::new(Pattern::of_tree(tree));
        let mass = pattern.matrix(&values);
        let full = mass.to_full().into_owned();
        let mut jacobian: Vec<f64> = (0..nc * n).map(|_| rng.f64() - 0.5).collect();
        // Every other entry of the first row, as a loop that not all of the tree is in.
        (0..n).step_by(2).for_each(|j| jacobian[j] = 0.0);
        let mut bias: Vec<f64> = (0..nc).map(|_| rng.f64() - 0.5).collect();
        if repeated {
            for j in 0..n {
                jacobian[4 * n + j] = jacobian[2 * n + j] - 3.0 * jacobian[j];
            }
            bias[4] = bias[2] - 3.0 * bias[0];
        }
        let left_out: Vec<usize> = (nc == 7).then_some(3).into_iter().collect();
        for &row in &left_out {
            jacobian[row * n..][..n].fill(0.0);
            bias[row] = 0.0;
        }
        let force: Vec<f64> = (0..n).map(|_| rng.f64() - 0.5).collect();
        let listed = |i: usize| (0..n).filter(|&j| jacobian[i * n + j] != 0.0).collect();
        let lists: Vec<Vec<usize>> = (0..nc).map(listed).collect();
        let compressed = Arc::new(Pattern::compressed(n, &lists));
        let stored: Vec<f64> = jacobian.iter().copied().filter(|a| *a != 0.0).collect();
        let whole = Arc::new(Pattern::full(nc, n));
        let dense = Matrix::full(n, n, &full);
        let solved = |mass: &Matrix<'_>, rows: &Matrix<'_>, mut by: Factorisation| {
            let (mut a, mut lambda, mut back) = (vec![0.0; n], vec![0.0; nc], vec![0.0; n]);
            by.leave_out(&left_out);
            assert!(by.fits(mass, rows));
            by.factor_any_rank(mass, rows).unwrap();
            by.solve(&force, &bias, &mut a, &mut lambda).unwrap();
            assert!(by.project(&bias, &mut back) < 1e-10);
            let mut reports = vec![crate::factorisation::RowReport::default(); nc];
            by.report(&mut reports);
            ([a, lambda, back], by.rank(), reports)
        };
        let of = |rows| Factorisation::of(&pattern, rows, Tolerance::default()).unwrap();
        let by_full = Factorisation::new(n, nc, Tolerance::default());
        let expected = solved(&dense, &Matrix::full(nc, n, &jacobian), by_full);
        assert_eq!(expected.1, nc - left_out.len() - usize::from(repeated));
        let ways = [
            (whole.matrix(&jacobian), of(&whole)),
            (compressed.matrix(&stored), of(&compressed)),
        ];
        for (rows, by) in ways {
            let found = solved(&mass, &rows, by);
            assert_eq!(found.1, expected.1);
            if left_out.is_empty() {
                assert_eq!(found.2, expected.2);
            }
            for (found, expected) in found.0.iter().zip(&expected.0) {
                let size = expected.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
                for (a, b) in found.iter().zip(expected) {
                    assert!((a - b).abs() <= 1e-10 * size, "{count}: {a} and not {b}");
                }
            }
        }
    }
}

/// The nearest coordinate before each; sizes are no less than the products.
#[test]
fn what_is_coupled_and_how_large_products_are() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (tree, values) = random(25, &mut rng);
    let n = tree.coordinates();
    let pairs: Vec<(usize, usize)> = tree.coupled().collect();
    let roots = n - pairs.len();
    assert!(roots >= 1 && pairs.iter().all(|(before, own)| before < own));
    let pattern = Pattern::of_tree(Arc::clone(&tree));
    let mass = pattern.matrix(&values);
    let x: Vec<f64> = (0..n).map(|_| rng.f64() - 0.5).collect();
    let (mut product, mut sizes) = (vec![0.0; n], vec![0.0; n]);
    mass.multiply(&x, &mut product);
    tree.add_product_sizes(&values, &x, &mut sizes);
    for (size, product) in sizes.iter().zip(&product) {
        assert!(*size >= product.abs() && *size < 1e3 * x.len() as f64);
    }
}
