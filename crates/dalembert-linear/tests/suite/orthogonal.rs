//! Complete orthogonal decompositions.

use crate::random;
use dalembert_linear::{CompleteOrthogonal, add_transposed, dot, multiply};

/// Products of a few factors of size one to ten, condition up to about 1e3.
const ROUNDING: f64 = 1e-11;

/// Columns of the pseudo-inverse, one after the other: m rows of length n.
fn pseudo_inverse(cod: &CompleteOrthogonal, m: usize, n: usize) -> Vec<f64> {
    let mut columns = vec![0.0; m * n];
    for i in 0..m {
        let mut e = vec![0.0; m];
        e[i] = 1.0;
        let mut t = vec![0.0; m];
        cod.reduce(&e, &mut t);
        cod.solve_triangle(&mut t);
        cod.turn(&t, &mut columns[i * n..][..n]);
    }
    columns
}

fn check_penrose(w: &[f64], plus: &[f64], m: usize, n: usize) {
    for i in 0..m {
        // W W⁺ symmetric, W W⁺ W = W, W⁺ W W⁺ = W⁺; W⁺ W is then checked through the rows.
        let mut column = vec![0.0; m];
        multiply(w, &plus[i * n..][..n], &mut column);
        for (k, value) in column.iter().enumerate() {
            let mut mirrored = vec![0.0; m];
            multiply(w, &plus[k * n..][..n], &mut mirrored);
            assert!((value - mirrored[i]).abs() < ROUNDING);
        }
        let mut back = vec![0.0; n];
        add_transposed(plus, &column, &mut back);
        for (a, b) in back.iter().zip(&plus[i * n..][..n]) {
            assert!((a - b).abs() < ROUNDING, "W⁺ W W⁺ = W⁺");
        }
        let mut through = vec![0.0; m];
        multiply(plus, &w[i * n..][..n], &mut through);
        let mut row = vec![0.0; n];
        add_transposed(w, &through, &mut row);
        for (a, b) in row.iter().zip(&w[i * n..][..n]) {
            assert!((a - b).abs() < ROUNDING, "rows of W are kept by (W⁺ W)ᵀ");
        }
    }
}

#[test]
fn penrose_conditions_hold_for_every_rank() {
    let mut rng = fastrand::Rng::with_seed(4);
    for (m, n, rank) in random::SHAPES {
        let w = random::of_rank(&mut rng, m, n, rank);
        let mut cod = CompleteOrthogonal::new(m, n);
        cod.factor(&w, 1e-10);
        assert_eq!(cod.rank(), rank);
        check_penrose(&w, &pseudo_inverse(&cod, m, n), m, n);

        let mut coordinates = vec![0.0; m * rank];
        cod.coordinates(&mut coordinates);
        for i in 0..m {
            for k in 0..m {
                let short = dot(
                    &coordinates[i * rank..][..rank],
                    &coordinates[k * rank..][..rank],
                );
                let long = dot(&w[i * n..][..n], &w[k * n..][..n]);
                assert!((short - long).abs() < ROUNDING, "angles are kept");
            }
        }
    }
}

#[test]
fn rows_that_add_nothing_do_not_hide_those_behind() {
    let mut cod = CompleteOrthogonal::new(4, 2);
    cod.factor(&[0.0, 0.0, 1.0, 0.0, 1.0, 1e-12, 0.0, 1.0], 1e-10);
    assert_eq!(cod.rank(), 2);
}

#[test]
fn equal_rows_share_the_least_solution_equally() {
    let w = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0];
    let mut cod = CompleteOrthogonal::new(3, 2);
    cod.factor(&w, 1e-10);
    let (mut t, mut x) = ([0.0; 3], [0.0; 3]);
    // (W Wᵀ)⁺ (1, 1, 1): W Wᵀ x = (x₀ + x₂, x₁, x₀ + x₂).
    cod.reduce(&[1.0; 3], &mut t);
    assert!(t[2].abs() < 1e-15, "(1, 1, 1) is within reach");
    cod.solve_triangle(&mut t);
    cod.solve_transposed_triangle(&mut t);
    t[2] = 0.0;
    cod.expand(&mut t, &mut x);
    for (x, expected) in x.iter().zip([0.5, 1.0, 0.5]) {
        assert!((x - expected).abs() < 1e-15);
    }
}
