//! Eigenvalues and singular values.

use crate::random;
use dalembert_linear::{Svd, dot, multiply, symmetric_eigen};

const ROUNDING: f64 = 1e-12;

#[test]
fn eigenvectors_satisfy_their_definition() {
    let mut rng = fastrand::Rng::with_seed(5);
    for n in 1..12 {
        let matrix = random::definite(&mut rng, n, -0.5);
        let (mut diagonal, mut vectors) = (matrix.clone(), vec![0.0; n * n]);
        symmetric_eigen(&mut diagonal, &mut vectors, n);
        for k in 0..n {
            let vector = &vectors[k * n..][..n];
            let mut image = vec![0.0; n];
            multiply(&matrix, vector, &mut image);
            for (x, y) in vector.iter().zip(&image) {
                assert!((y - diagonal[k * n + k] * x).abs() < ROUNDING);
            }
            for l in 0..n {
                let expected = f64::from(u8::from(k == l));
                let cosine = dot(vector, &vectors[l * n..][..n]);
                assert!((cosine - expected).abs() < ROUNDING);
            }
        }
    }
}

#[test]
fn penrose_conditions_hold_for_every_rank() {
    let mut rng = fastrand::Rng::with_seed(6);
    for (m, n, rank) in random::SHAPES {
        let b = random::of_rank(&mut rng, m, n, rank);
        let mut svd = Svd::new(m, n);
        svd.factor(&b, 1e-10);
        assert_eq!(dalembert_linear::rank(svd.values(), 0.0), rank);
        for _ in 0..5 {
            let (e, z) = (
                random::matrix(&mut rng, m, 1),
                random::matrix(&mut rng, n, 1),
            );
            let (mut y, mut be, mut again) = (vec![0.0; n], vec![0.0; m], vec![0.0; n]);
            svd.pseudo_inverse(&e, &mut y);
            multiply(&b, &y, &mut be);
            svd.pseudo_inverse(&be, &mut again);
            assert!(close(&y, &again), "B⁺ B B⁺ = B⁺");

            let (mut bz, mut x) = (vec![0.0; m], vec![0.0; n]);
            multiply(&b, &z, &mut bz);
            svd.pseudo_inverse(&bz, &mut x);
            let mut null = z.clone();
            svd.project_on_null_space(&mut null);
            let parts: Vec<f64> = x.iter().zip(&null).map(|(a, b)| a + b).collect();
            assert!(close(&parts, &z), "z = B⁺ B z + (I − B⁺ B) z");

            let mut dual = vec![0.0; m];
            svd.pseudo_inverse_transposed(&z, &mut dual);
            assert!((dot(&dual, &e) - dot(&z, &y)).abs() < 1e-9, "(Bᵀ)⁺ = (B⁺)ᵀ");
        }
    }
}

fn close(x: &[f64], y: &[f64]) -> bool {
    x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-10)
}
