//! From speeds to rates: B q' = v − b₀, and Bᵀ F_v = F for forces.
//!
//! Full matrices are eliminated with pivoting. Compressed ones are the rows of a sparse system with a
//! metric of one, which holds both solutions:
//!
//! ```text
//! ⎡ 1  Bᵀ ⎤ ⎡ x  ⎤   ⎡ f ⎤        f = 0:  x = B⁻¹ r
//! ⎣ B  0  ⎦ ⎣ −λ ⎦ = ⎣ r ⎦        r = 0:  λ = −B⁻ᵀ f
//! ```

use super::Equations;
use crate::decide::{CLEAR, SOLVED};
use crate::factorisation::{Factorisation, Tolerance};
use crate::linear::{Matrix, Pattern};
use std::sync::Arc;

/// The inverse of B at one state after the other.
pub struct SpeedInverse {
    way: Way,
    /// Room for n numbers.
    zero: Vec<f64>,
    other: Vec<f64>,
    right: Vec<f64>,
}

enum Way {
    Full {
        /// B, and room to eliminate it.
        matrix: Vec<f64>,
        work: Vec<f64>,
    },
    Compressed {
        metric: Arc<Pattern>,
        ones: Vec<f64>,
        factorisation: Box<Factorisation>,
    },
}

impl SpeedInverse {
    /// Room for the speeds of a model; `None` if they would not fit memory.
    #[must_use]
    pub fn of(equations: &Equations) -> Option<Self> {
        let n = match equations.speed_pattern() {
            None => 0,
            Some(pattern) => pattern.rows(),
        };
        let way = match equations.speed_pattern() {
            Some(pattern) if !pattern.is_full() => {
                let metric = Arc::new(Pattern::diagonal(n));
                let found = Factorisation::of(&metric, pattern, Tolerance::default())?;
                Way::Compressed {
                    metric,
                    ones: vec![1.0; n],
                    factorisation: Box::new(found),
                }
            }
            _ => Way::Full {
                matrix: vec![0.0; n * n],
                work: vec![0.0; n * n],
            },
        };
        Some(Self {
            way,
            zero: vec![0.0; n],
            other: vec![0.0; n],
            right: vec![0.0; n],
        })
    }

    /// Takes B; `false` if it is singular for sure.
    pub fn factor(&mut self, matrix: &Matrix<'_>) -> bool {
        match &mut self.way {
            Way::Full { matrix: own, .. } => {
                own.copy_from_slice(matrix.values());
                true
            }
            Way::Compressed {
                metric,
                ones,
                factorisation,
            } => factorisation.factor(&metric.matrix(ones), matrix).is_ok(),
        }
    }

    /// x ← B⁻¹ x; `false` if B is singular.
    pub fn solve(&mut self, x: &mut [f64]) -> bool {
        match &mut self.way {
            Way::Full { matrix, work } => {
                work.copy_from_slice(matrix);
                solve_square_in_place(work, x)
            }
            Way::Compressed { factorisation, .. } => {
                self.right.copy_from_slice(x);
                let solved = factorisation.solve(&self.zero, &self.right, x, &mut self.other);
                solved.is_ok() && bounded(&self.other, &self.right)
            }
        }
    }

    /// x ← B⁻ᵀ x; `false` if B is singular.
    pub fn solve_transposed(&mut self, x: &mut [f64]) -> bool {
        match &mut self.way {
            Way::Full { matrix, work } => {
                let n = x.len();
                for i in 0..n {
                    for j in 0..n {
                        work[i * n + j] = matrix[j * n + i];
                    }
                }
                solve_square_in_place(work, x)
            }
            Way::Compressed { factorisation, .. } => {
                self.right.copy_from_slice(x);
                let solved = factorisation.solve(&self.right, &self.zero, &mut self.other, x);
                x.iter_mut().for_each(|x| *x = -*x);
                // What moves though no row lets it: a direction that B does not hold.
                let size = |x: &[f64]| x.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
                solved.is_ok()
                    && size(&self.other) <= CLEAR * size(&self.right).max(f64::MIN_POSITIVE)
            }
        }
    }
}

/// (B Bᵀ)⁻¹ r is not so large beside r that B must be singular.
fn bounded(answer: &[f64], right: &[f64]) -> bool {
    let size = |x: &[f64]| x.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    size(answer) <= 1e14 * size(right).max(f64::MIN_POSITIVE)
}

/// Solves B x = r in place of r, by elimination with partial pivoting; `false` if B is singular.
pub(crate) fn solve_square_in_place(a: &mut [f64], x: &mut [f64]) -> bool {
    let n = x.len();
    let size = a
        .iter()
        .fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    for column in 0..n {
        let size_at = |row: &usize| a[row * n + column].abs();
        let pivot = (column..n).max_by(|i, j| size_at(i).total_cmp(&size_at(j)));
        let pivot = pivot.unwrap_or(column);
        let found = a[pivot * n + column].abs();
        if found.is_nan() || found <= SOLVED * size {
            return false;
        }
        if pivot != column {
            (0..n).for_each(|k| a.swap(pivot * n + k, column * n + k));
            x.swap(pivot, column);
        }
        for row in column + 1..n {
            let factor = a[row * n + column] / a[column * n + column];
            for k in column..n {
                a[row * n + k] -= factor * a[column * n + k];
            }
            x[row] -= factor * x[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| a[row * n + k] * x[k]).sum();
        x[row] = (x[row] - known) / a[row * n + row];
    }
    true
}
