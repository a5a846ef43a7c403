//! From speeds to rates: B q' = v − b₀, and Bᵀ F_v = F for forces.
//!
//! Full matrices are eliminated. Compressed ones fall apart into small blocks, as those of free bodies do, or are the rows of a sparse
//! system with a metric of one, which holds both solutions:
//!
//! ```text
//! ⎡ 1  Bᵀ ⎤ ⎡ x  ⎤   ⎡ f ⎤        f = 0:  x = B⁻¹ r
//! ⎣ B  0  ⎦ ⎣ −λ ⎦ = ⎣ r ⎦        r = 0:  λ = −B⁻ᵀ f
//! ```

use super::Equations;
use crate::decide::{CLEAR, SOLVED};
use crate::linear::factorisation::{Factorisation, Tolerance};
use crate::linear::{BlockInverse, Elimination, Matrix, Pattern};
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
    Full(Elimination),
    Blocks(BlockInverse),
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
            Some(pattern) if !pattern.is_full() => match BlockInverse::of(pattern) {
                Some(blocks) => Way::Blocks(blocks),
                None => {
                    let metric = Arc::new(Pattern::diagonal(n));
                    let found = Factorisation::of(&metric, pattern, Tolerance::default())?;
                    Way::Compressed {
                        metric,
                        ones: vec![1.0; n],
                        factorisation: Box::new(found),
                    }
                }
            },
            _ => Way::Full(Elimination::new(n, n)),
        };
        Some(Self {
            way,
            zero: vec![0.0; n],
            other: vec![0.0; n],
            right: vec![0.0; n],
        })
    }

    /// Takes B; `false` if it is singular, for sure where it is compressed.
    pub fn factor(&mut self, matrix: &Matrix<'_>) -> bool {
        match &mut self.way {
            Way::Full(elimination) => {
                let (n, values) = (matrix.rows(), matrix.values());
                elimination.factor(values, SOLVED * largest(values));
                elimination.rank() == n && values.iter().all(|entry| entry.is_finite())
            }
            Way::Blocks(blocks) => blocks.factor(matrix.values()),
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
            Way::Full(elimination) => {
                self.right.copy_from_slice(x);
                elimination.solution(&self.right, &mut self.other, x);
                true
            }
            Way::Blocks(blocks) => {
                blocks.solve(x, &mut self.right);
                true
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
            Way::Full(elimination) => {
                self.right.copy_from_slice(x);
                elimination.transposed_solution(&self.right, &mut self.other, x);
                true
            }
            Way::Blocks(blocks) => {
                blocks.solve_transposed(x, &mut self.right);
                true
            }
            Way::Compressed { factorisation, .. } => {
                self.right.copy_from_slice(x);
                let solved = factorisation.solve(&self.right, &self.zero, &mut self.other, x);
                x.iter_mut().for_each(|x| *x = -*x);
                // What moves though no row lets it: a direction that B does not hold.
                solved.is_ok()
                    && largest(&self.other) <= CLEAR * largest(&self.right).max(f64::MIN_POSITIVE)
            }
        }
    }
}

/// (B Bᵀ)⁻¹ r is not so large beside r that B must be singular.
fn bounded(answer: &[f64], right: &[f64]) -> bool {
    SOLVED * largest(answer) <= largest(right).max(f64::MIN_POSITIVE)
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a, b| a.max(b.abs()))
}
