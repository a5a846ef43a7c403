//! The coefficients of the method.

pub(super) const SQRT_6: f64 = 2.449_489_742_783_178;
pub(super) const NODES: [f64; 3] = [(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0];
pub(super) const A: [[f64; 3]; 3] = [
    [
        (88.0 - 7.0 * SQRT_6) / 360.0,
        (296.0 - 169.0 * SQRT_6) / 1800.0,
        (-2.0 + 3.0 * SQRT_6) / 225.0,
    ],
    [
        (296.0 + 169.0 * SQRT_6) / 1800.0,
        (88.0 + 7.0 * SQRT_6) / 360.0,
        (-2.0 - 3.0 * SQRT_6) / 225.0,
    ],
    [(16.0 - SQRT_6) / 36.0, (16.0 + SQRT_6) / 36.0, 1.0 / 9.0],
];
/// γ, α and β: one over the eigenvalues of A.
pub(super) const REAL: f64 = 3.637_834_252_744_496;
pub(super) const COMPLEX: [f64; 2] = [2.681_082_873_627_752, 3.050_430_199_247_411];
pub(super) const T: [[f64; 3]; 3] = [
    [
        9.123_239_487_089_295e-2,
        -0.141_255_295_020_954_2,
        -3.002_919_410_514_742_4e-2,
    ],
    [
        0.241_717_932_707_107,
        0.204_129_352_293_799_93,
        0.382_942_112_757_261_9,
    ],
    [0.966_048_182_615_093, 1.0, 0.0],
];
pub(super) const T_INVERSE: [[f64; 3]; 3] = [
    [
        4.325_579_890_063_155,
        0.339_199_251_815_809_85,
        0.541_770_539_935_874_9,
    ],
    [
        -4.178_718_591_551_905,
        -0.327_682_820_761_062_37,
        0.476_623_554_500_550_45,
    ],
    [
        -0.502_872_634_945_786_9,
        2.571_926_949_855_605,
        -0.596_039_204_828_224_9,
    ],
];
/// Weights of Z over h in the error estimate, beside f at the start.
pub(super) const ESTIMATE: [f64; 3] = [
    -(13.0 + 7.0 * SQRT_6) / 3.0,
    (-13.0 + 7.0 * SQRT_6) / 3.0,
    -1.0 / 3.0,
];

/// A⁻¹.
pub(super) const A_INVERSE: [[f64; 3]; 3] = [
    [3.224744871391589, 1.1678400846904056, -0.25319726474218085],
    [-3.5678400846904057, 0.775255128608411, 1.0531972647421808],
    [5.531972647421808, -7.531972647421808, 5.0],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        let entry = |i: usize, j: usize| (0..3).map(|k| a[i][k] * b[k][j]).sum();
        std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
    }

    /// Σ_j a_ij c_j^k = c_i^(k+1)/(k+1), k = 0, 1, 2: that makes a method of collocation.
    #[test]
    fn the_stages_integrate_parabolas() {
        for (row, node) in A.iter().zip(NODES) {
            for power in 0..3 {
                let terms = row.iter().zip(NODES).map(|(a, c)| a * c.powi(power));
                let expected = node.powi(power + 1) / f64::from(power + 1);
                assert!((terms.sum::<f64>() - expected).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn the_transformation_takes_the_matrix_apart() {
        let one = product(&T, &T_INVERSE);
        for (i, row) in one.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        let [alpha, beta] = COMPLEX;
        let parts = [[REAL, 0.0, 0.0], [0.0, alpha, -beta], [0.0, beta, alpha]];
        let inverse = product(&product(&T, &parts), &T_INVERSE);
        let identity = product(&inverse, &A);
        for (i, row) in identity.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                assert!(
                    (entry - f64::from(u8::from(i == j))).abs() < 1e-13,
                    "{i} {j}"
                );
            }
        }
    }

    #[test]
    fn the_inverse_is_one() {
        for (i, row) in product(&A, &A_INVERSE).iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
    }

    /// e/h + γ₀ f₀ integrates a polynomial of degree 3 without error, γ₀ being the real eigenvalue.
    #[test]
    fn the_estimate_vanishes_for_cubics() {
        for power in 1..=3 {
            let z = NODES.map(|c: f64| c.powi(power));
            let sum: f64 = ESTIMATE.iter().zip(&z).map(|(e, z)| e * z).sum();
            let slope = if power == 1 { 1.0 } else { 0.0 };
            assert!((sum + slope).abs() < 1e-13, "power {power}: {sum}");
        }
    }
}
