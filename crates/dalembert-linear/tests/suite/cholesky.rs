//! Factors of definite matrices.

use crate::random;
use dalembert_linear::{Cholesky, multiply, norm};

#[test]
fn solution_satisfies_the_system() {
    let mut rng = fastrand::Rng::with_seed(2);
    for n in 0..30 {
        let matrix = random::definite(&mut rng, n, 0.1);
        let right = random::matrix(&mut rng, n, 1);
        let mut cholesky = Cholesky::new(n);
        cholesky.factor(&matrix, 0.0).unwrap();
        let (mut x, mut back) = (right.clone(), vec![0.0; n]);
        cholesky.solve(&mut x);
        multiply(&matrix, &x, &mut back);
        let error = back.iter().zip(&right).map(|(a, b)| (a - b).abs());
        // Backward stable: a few roundings of |S| |x|, and |S| is at most n².
        let bound = 1e-15 * (n * n) as f64 * (1.0 + norm(&x));
        assert!(error.fold(0.0, f64::max) <= bound);
    }
}

#[test]
fn rows_that_end_early_are_filled_where_they_must() {
    let mut rng = fastrand::Rng::with_seed(3);
    for n in 1..20 {
        for density in [0.0, 0.05, 0.2] {
            let mut matrix = vec![0.0; n * n];
            for i in 0..n {
                matrix[i * n + i] = n as f64;
                for j in 0..i {
                    let entry = if rng.f64() < density { rng.f64() } else { 0.0 };
                    (matrix[i * n + j], matrix[j * n + i]) = (entry, entry);
                }
            }
            let mut cholesky = Cholesky::new(n);
            cholesky.factor(&matrix, 0.0).unwrap();
            // All columns of the inverse at once.
            let mut inverse = vec![0.0; n * n];
            inverse.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
            cholesky.forward(&mut inverse);
            for (k, x) in inverse.chunks_exact_mut(n).enumerate() {
                cholesky.backward(x);
                let mut back = vec![0.0; n];
                multiply(&matrix, x, &mut back);
                for (i, value) in back.iter().enumerate() {
                    let expected = f64::from(u8::from(i == k));
                    assert!((value - expected).abs() < 1e-14);
                }
            }
        }
    }
}

#[test]
fn first_pivot_that_vanishes_is_named() {
    let rank_one = [1.0, 2.0, 2.0, 4.0];
    let failure = Cholesky::new(2).factor(&rank_one, 1e-12).unwrap_err();
    assert_eq!(failure.index, 1);
    let negative = [1.0, 0.0, 0.0, -3.0];
    let failure = Cholesky::new(2).factor(&negative, 1e-12).unwrap_err();
    assert_eq!((failure.index, failure.value), (1, -3.0));
    let nan = [f64::NAN];
    assert_eq!(Cholesky::new(1).factor(&nan, 0.0).unwrap_err().index, 0);
}
