//! Sums and products.

use crate::random;
use dalembert_linear::{add_transposed, dot, multiply};

/// Sums of at most forty terms of size one.
const ROUNDING: f64 = 1e-14;

#[test]
fn products_agree_with_the_definition_for_every_length() {
    let mut rng = fastrand::Rng::with_seed(1);
    for n in 0..40 {
        let m = (n * 7 + 3) % 11;
        let a = random::matrix(&mut rng, m, n);
        let (x, z) = (
            random::matrix(&mut rng, n, 1),
            random::matrix(&mut rng, m, 1),
        );
        let plain: f64 = x.iter().map(|x| x * x).sum();
        assert!((dot(&x, &x) - plain).abs() <= ROUNDING);

        let mut y = vec![0.0; m];
        multiply(&a, &x, &mut y);
        for i in 0..m {
            let plain: f64 = (0..n).map(|j| a[i * n + j] * x[j]).sum();
            assert!((y[i] - plain).abs() <= ROUNDING);
        }
        let mut back = vec![1.0; n];
        add_transposed(&a, &z, &mut back);
        for j in 0..n {
            let plain: f64 = (0..m).map(|i| a[i * n + j] * z[i]).sum();
            assert!((back[j] - 1.0 - plain).abs() <= ROUNDING);
        }
    }
}
