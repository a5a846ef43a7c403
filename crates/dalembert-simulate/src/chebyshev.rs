//! Polynomials through values at Chebyshev's points of −1 … 1: near to the best of their degree, and none of the points is 0.

use std::f64::consts::PI;

/// Points, an even number.
pub(super) const POINTS: usize = 16;
/// Coefficients that tell how much the polynomial leaves out.
const LAST: usize = 3;

pub(super) struct Chebyshev {
    /// Ascending.
    pub(super) points: [f64; POINTS],
    /// T_m at the points, a row for each m.
    table: [[f64; POINTS]; POINTS],
}

impl Chebyshev {
    pub(super) fn new() -> Self {
        let angle = |k: usize| PI * (2 * (POINTS - 1 - k) + 1) as f64 / (2 * POINTS) as f64;
        Self {
            points: std::array::from_fn(|k| angle(k).cos()),
            table: std::array::from_fn(|m| std::array::from_fn(|k| (m as f64 * angle(k)).cos())),
        }
    }

    /// What each value counts for in that of the polynomial at x, and in its derivative.
    pub(super) fn weights(&self, x: f64) -> [[f64; POINTS]; 2] {
        let mut weights = [[1.0 / POINTS as f64; POINTS], [0.0; POINTS]];
        // T_m and U_{m−1}: T_m' = m U_{m−1}.
        let (mut t, mut t_before) = (x, 1.0);
        let (mut u, mut u_before) = (1.0, 0.0);
        for (m, row) in self.table.iter().enumerate().skip(1) {
            let by = 2.0 / POINTS as f64;
            for (k, at) in row.iter().enumerate() {
                weights[0][k] += by * t * at;
                weights[1][k] += by * m as f64 * u * at;
            }
            (t, t_before) = (2.0 * x * t - t_before, t);
            (u, u_before) = (2.0 * x * u - u_before, u);
        }
        weights
    }

    /// The largest of the last coefficients of the polynomial through some values.
    pub(super) fn rest(&self, value: impl Fn(usize) -> f64) -> f64 {
        let coefficient = |row: &[f64; POINTS]| -> f64 {
            let sum: f64 = row.iter().enumerate().map(|(k, at)| at * value(k)).sum();
            2.0 / POINTS as f64 * sum
        };
        let last = self.table[POINTS - LAST..].iter();
        // Not a number is no polynomial.
        last.map(|row| coefficient(row).abs())
            .fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_and_its_derivative_are_those_of_the_function() {
        let chebyshev = Chebyshev::new();
        let f = |x: f64| (0.7 * x).sin() + x * x;
        for x in [-1.0, -0.3, 0.0, 0.123, 1.0, chebyshev.points[5]] {
            let sum = |weights: [f64; POINTS]| -> f64 {
                let pairs = weights.iter().zip(&chebyshev.points);
                pairs.map(|(weight, &at)| weight * f(at)).sum()
            };
            let [value, slope] = chebyshev.weights(x);
            assert!((sum(value) - f(x)).abs() < 1e-14);
            assert!((sum(slope) - 0.7 * (0.7 * x).cos() - 2.0 * x).abs() < 1e-12);
        }
        assert!(chebyshev.rest(|k| f(chebyshev.points[k])) < 1e-15);
        assert!(chebyshev.rest(|k| chebyshev.points[k].abs()) > 1e-3);
    }
}
