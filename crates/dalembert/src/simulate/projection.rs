//! Moving numbers back to the rows they should meet, the shortest way in the metric of the mass matrix.

use dalembert_mechanics::equations::Residuals;
use dalembert_mechanics::formulation::Factorisation;
use dalembert_mechanics::linear::{Matrix, Pattern};
use std::sync::Arc;

/// Corrections made at most in one projection.
const MAX_CORRECTIONS: usize = 8;
/// A residual below this, measured by its terms, is rounding.
pub(super) const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// A residual that cannot be made smaller than this, measured by its terms, is a failure.
pub(super) const HOLDS: f64 = 1e-9;

/// x ← x − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ r, until r(x) = 0 as well as numbers can.
pub(super) struct Projector {
    factorisation: Factorisation,
    pattern: Arc<Pattern>,
    jacobian: Vec<f64>,
    wanted: Vec<f64>,
    correction: Vec<f64>,
    made: usize,
    last: f64,
    /// Largest residual left by any projection so far.
    pub(super) residual: f64,
}

impl Projector {
    /// For rows stored in a pattern, with room to factor them.
    pub(super) fn new(pattern: &Arc<Pattern>, factorisation: Factorisation) -> Self {
        Self {
            factorisation,
            pattern: Arc::clone(pattern),
            jacobian: vec![0.0; pattern.size()],
            wanted: vec![0.0; pattern.rows()],
            correction: vec![0.0; pattern.columns()],
            made: 0,
            last: f64::INFINITY,
            residual: 0.0,
        }
    }

    /// Starts a projection.
    pub(super) fn begin(&mut self) {
        (self.made, self.last) = (0, f64::INFINITY);
    }

    /// Whether the projection is over, and then whether x moved, or `None` if the rows cannot be met.
    pub(super) fn judge(&mut self, found: &Residuals<'_>, x: &[f64]) -> Option<Option<bool>> {
        let worst = relative(found, x);
        if !worst.is_finite() {
            return Some(None);
        }
        if worst <= ROUNDING || worst >= self.last || self.made == MAX_CORRECTIONS {
            let largest = found.values.iter().fold(0.0, |a: f64, r| a.max(r.abs()));
            self.residual = self.residual.max(largest);
            return Some((worst <= HOLDS).then_some(self.made > 0));
        }
        self.last = worst;
        self.jacobian.copy_from_slice(found.jacobian.values());
        for (wanted, r) in self.wanted.iter_mut().zip(found.values) {
            *wanted = -r;
        }
        None
    }

    /// One correction of x, by the residuals last judged; `None` if there is none.
    pub(super) fn correct(&mut self, mass: &Matrix<'_>, x: &mut [f64]) -> Option<()> {
        let jacobian = self.pattern.matrix(&self.jacobian);
        self.factorisation.factor(mass, &jacobian).ok()?;
        self.factorisation
            .project(&self.wanted, &mut self.correction);
        x.iter_mut()
            .zip(&self.correction)
            .for_each(|(x, dx)| *x += dx);
        self.made += 1;
        Some(())
    }
}

/// Residuals measured by the size of their terms; infinite where one is no number.
pub(super) fn relative(found: &Residuals<'_>, x: &[f64]) -> f64 {
    let jacobian = &found.jacobian;
    let measured = |(row, r): (usize, &f64)| r.abs() / (1.0 + jacobian.size_along(row, x));
    let residuals = found.values.iter().enumerate().map(measured);
    residuals
        .map(|r| if r.is_nan() { f64::INFINITY } else { r })
        .fold(0.0, f64::max)
}
