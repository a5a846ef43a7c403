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
