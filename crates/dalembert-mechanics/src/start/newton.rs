//! Gauss–Newton with the least step in a metric, damped.

use crate::formulation::{Factorisation, Tolerance};

/// Steps tried before giving up.
const MAX_STEPS: usize = 60;
/// Halvings of a step tried before giving up.
const MAX_HALVINGS: usize = 12;

/// Residuals and Jacobian (rows × n) of equations at x.
pub(super) struct Equation {
    pub(super) residual: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
}

impl Equation {
    /// Residuals measured by the size of their terms: |r| / (1 + Σ |J x|); infinite where one is no number.
    pub(super) fn relative(&self, x: &[f64]) -> f64 {
        let n = x.len();
        let size = |row: usize| -> f64 {
            let row = &self.jacobian[row * n..(row + 1) * n];
            1.0 + row.iter().zip(x).map(|(a, b)| (a * b).abs()).sum::<f64>()
        };
        self.residual
            .iter()
            .enumerate()
            .map(|(i, r)| r.abs() / size(i))
            .map(|r| if r.is_nan() { f64::INFINITY } else { r })
            .fold(0.0, f64::max)
    }

    /// Whether a row has no finite value or no finite slope: there is nothing to solve.
    pub(super) fn is_undefined(&self, row: usize) -> bool {
        let n = self.jacobian.len() / self.residual.len().max(1);
        let slopes = &self.jacobian[row * n..(row + 1) * n];
        !self.residual[row].is_finite() || slopes.iter().any(|slope| !slope.is_finite())
    }

    fn norm(&self) -> f64 {
        self.residual.iter().map(|r| r * r).sum::<f64>().sqrt()
    }
}

/// Moves x, as little as possible in the metric (n × n), until the equations hold as well as numbers
/// can. Returns the equations at the x found; the caller judges what is left of them.
pub(super) fn solve(
    x: &mut [f64],
    metric: &[f64],
    mut equations: impl FnMut(&[f64]) -> Equation,
) -> Equation {
    let n = x.len();
    let mut now = equations(x);
    let mut factorisation = Factorisation::new(n, now.residual.len(), Tolerance::default());
    let (mut step, mut next) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..MAX_STEPS {
        let norm = now.norm();
        if norm == 0.0
            || n == 0
            || factorisation
                .factor_any_rank(metric, &now.jacobian)
                .is_err()
        {
            break;
        }
        let wanted: Vec<f64> = now.residual.iter().map(|r| -r).collect();
        factorisation.project(&wanted, &mut step);
        let mut length = 1.0;
        let mut better = None;
        for _ in 0..MAX_HALVINGS {
            for ((next, x), step) in next.iter_mut().zip(&*x).zip(&step) {
                *next = x + length * step;
            }
            let trial = equations(&next);
            if trial.norm() < norm {
                better = Some(trial);
                break;
            }
            length /= 2.0;
        }
        match better {
            Some(trial) => {
                x.copy_from_slice(&next);
                now = trial;
            }
            None => break,
        }
    }
    now
}

/// A metric that is positive definite for sure: M with a little on its diagonal.
pub(super) fn definite(mass: &[f64], n: usize) -> Vec<f64> {
    let largest = (0..n).map(|i| mass[i * n + i].abs()).fold(0.0, f64::max);
    let ridge = if largest > 0.0 { 1e-6 * largest } else { 1.0 };
    let mut metric = mass.to_vec();
    (0..n).for_each(|i| metric[i * n + i] += ridge);
    metric
}
