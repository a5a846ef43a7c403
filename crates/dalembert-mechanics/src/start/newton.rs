//! Gauss–Newton with the least step in a metric, damped.

use crate::equations::Stored;
use crate::formulation::{Factorisation, Tolerance};
use crate::linear::{Matrix, Pattern};
use std::sync::Arc;

/// Steps tried before giving up.
const MAX_STEPS: usize = 60;
/// Halvings of a step tried before giving up.
const MAX_HALVINGS: usize = 12;

/// Residuals and Jacobian (rows × n) of equations at x.
pub(super) struct Equation {
    pub(super) residual: Vec<f64>,
    pub(super) pattern: Arc<Pattern>,
    pub(super) jacobian: Vec<f64>,
    /// Size of the terms of each row in what is given; none if nothing is.
    pub(super) given: Vec<f64>,
}

impl Equation {
    fn matrix(&self) -> Matrix<'_> {
        self.pattern.matrix(&self.jacobian)
    }

    /// Residuals measured by the size of their terms: |r| / (1 + Σ |J x|); infinite where one is no number.
    pub(super) fn relative(&self, x: &[f64]) -> f64 {
        let matrix = self.matrix();
        let given = |i: usize| self.given.get(i).copied().unwrap_or(0.0);
        self.residual
            .iter()
            .enumerate()
            .map(|(i, r)| r.abs() / (1.0 + given(i) + matrix.size_along(i, x)))
            .map(|r| if r.is_nan() { f64::INFINITY } else { r })
            .fold(0.0, f64::max)
    }

    /// Whether a row has no finite value or no finite slope: there is nothing to solve.
    pub(super) fn is_undefined(&self, row: usize) -> bool {
        let mut slopes = self.matrix().stored(row);
        !self.residual[row].is_finite() || slopes.any(|(_, slope)| !slope.is_finite())
    }

    fn norm(&self) -> f64 {
        self.residual.iter().map(|r| r * r).sum::<f64>().sqrt()
    }
}

/// A metric of steps: a positive definite matrix.
pub(super) struct Metric {
    pub(super) pattern: Arc<Pattern>,
    pub(super) values: Vec<f64>,
}

impl Metric {
    /// Positive definite for sure: M with a little on its diagonal.
    pub(super) fn definite(pattern: Arc<Pattern>, mut values: Vec<f64>) -> Self {
        let places = 0..pattern.rows();
        let mut largest = 0.0_f64;
        for i in places.clone() {
            largest = largest.max(values[pattern.diagonal_place(i)].abs());
        }
        let ridge = if largest > 0.0 { 1e-6 * largest } else { 1.0 };
        places.for_each(|i| values[pattern.diagonal_place(i)] += ridge);
        Self { pattern, values }
    }

    /// One on the diagonal of n coordinates, stored as `like` is.
    pub(super) fn identity(n: usize, like: Stored) -> Self {
        let pattern = match like {
            Stored::Full => Pattern::full_symmetric(n),
            Stored::Compressed => Pattern::diagonal(n),
        };
        let mut values = vec![0.0; pattern.size()];
        (0..n).for_each(|i| values[pattern.diagonal_place(i)] = 1.0);
        Self {
            pattern: Arc::new(pattern),
            values,
        }
    }
}

/// Moves x, as little as possible in the metric, until the equations hold as well as numbers
/// can. Returns the equations at the x found; the caller judges what is left of them.
pub(super) fn solve(
    x: &mut [f64],
    metric: &Metric,
    mut equations: impl FnMut(&[f64]) -> Equation,
) -> Equation {
    let n = x.len();
    let mut now = equations(x);
    if n == 0 || now.norm() == 0.0 {
        return now;
    }
    let tolerance = Tolerance::default();
    let Some(mut factorisation) = Factorisation::of(&metric.pattern, &now.pattern, tolerance)
    else {
        return now;
    };
    let metric = metric.pattern.matrix(&metric.values);
    let (mut step, mut next) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..MAX_STEPS {
        let norm = now.norm();
        if norm == 0.0
            || factorisation
                .factor_any_rank(&metric, &now.matrix())
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
