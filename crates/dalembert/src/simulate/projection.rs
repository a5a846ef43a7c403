//! Moving numbers back to the rows they should meet, the shortest way in the metric of the mass matrix.

use dalembert_mechanics::decide::ROUNDING;
use dalembert_mechanics::equations::{Residuals, RowTerms};
use dalembert_mechanics::formulation::Factorisation;
use dalembert_mechanics::linear::{Matrix, Pattern};
use std::sync::Arc;

/// Corrections made at most in one projection.
const MAX_CORRECTIONS: usize = 8;
/// A residual that cannot be made smaller than this, measured by its terms, is a failure.
const HOLDS: f64 = 1e-9;

/// Judges residuals on the way to the rows.
///
/// Each stands beside the terms of its row, the largest that the row has had: one that is near zero for an instant is not
/// measured by what it is there. A row without terms, as x = 0 on a motion along y, is met where the correction it asks for is
/// rounding beside all coordinates, in units in which each has an inertia of one.
pub(super) struct Judge {
    terms: Vec<f64>,
    most: usize,
    made: usize,
    last: f64,
    /// Whether the last correction was rounding beside what it corrected.
    idle: bool,
    /// Largest residual left so far.
    pub(super) residual: f64,
}

impl Judge {
    /// For rows with these terms, with so many corrections at most.
    pub(super) fn new(terms: Vec<f64>, most: usize) -> Self {
        Self {
            terms,
            most,
            made: 0,
            last: f64::INFINITY,
            idle: false,
            residual: 0.0,
        }
    }

    pub(super) fn begin(&mut self) {
        (self.made, self.last, self.idle) = (0, f64::INFINITY, false);
    }

    /// Whether the search is over, and then whether x moved, or `None` if the rows cannot be met.
    pub(super) fn judge(&mut self, found: &Residuals<'_>, x: &[f64]) -> Option<Option<bool>> {
        let worst = self.beside_terms(found, x);
        if !worst.is_finite() && !self.idle {
            return Some(None);
        }
        let ends = worst <= ROUNDING || worst >= self.last || self.idle;
        if ends || self.made == self.most {
            let largest = found.values.iter().fold(0.0, |a: f64, r| a.max(r.abs()));
            self.residual = self.residual.max(largest);
            let met = worst <= HOLDS || self.idle;
            return Some(met.then_some(self.made > 0));
        }
        self.last = worst;
        None
    }

    /// Takes notice of a correction of x; `weight` is the inertia of each entry.
    pub(super) fn corrected(&mut self, parts: impl Iterator<Item = (f64, f64, f64)>) {
        let (mut correction, mut size) = (0.0, 0.0);
        for (weight, dx, x) in parts {
            correction += weight * dx * dx;
            size += weight * x * x;
        }
        self.idle = correction <= ROUNDING * ROUNDING * size;
        self.made += 1;
    }

    /// The largest residual beside the terms of its row; infinite where one is no number.
    fn beside_terms(&mut self, found: &Residuals<'_>, x: &[f64]) -> f64 {
        let mut worst = 0.0_f64;
        for (row, (r, terms)) in found.values.iter().zip(&mut self.terms).enumerate() {
            let now = found.jacobian.size_along(row, x);
            *terms = if now > *terms { now } else { *terms };
            let beside = match *r == 0.0 {
                true => 0.0,
                false => r.abs() / *terms,
            };
            worst = match beside.is_nan() {
                true => f64::INFINITY,
                false => worst.max(beside),
            };
        }
        worst
    }
}

/// x ← x − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ r, until r(x) = 0 as well as numbers can.
pub(super) struct Projector {
    factorisation: Factorisation,
    pattern: Arc<Pattern>,
    jacobian: Vec<f64>,
    wanted: Vec<f64>,
    correction: Vec<f64>,
    judge: Judge,
}

impl Projector {
    /// For rows stored in a pattern, with room to factor them, and what they are measured by.
    pub(super) fn new(
        pattern: &Arc<Pattern>,
        mut factorisation: Factorisation,
        terms: RowTerms,
    ) -> Self {
        factorisation.measure_by(&terms);
        Self {
            factorisation,
            pattern: Arc::clone(pattern),
            jacobian: vec![0.0; pattern.size()],
            wanted: vec![0.0; pattern.rows()],
            correction: vec![0.0; pattern.columns()],
            judge: Judge::new(terms.bias, MAX_CORRECTIONS),
        }
    }

    /// Starts a projection.
    pub(super) fn begin(&mut self) {
        self.judge.begin();
    }

    /// Largest residual left by any projection so far.
    pub(super) fn residual(&self) -> f64 {
        self.judge.residual
    }

    /// Takes notice of a residual that was left elsewhere.
    pub(super) fn add_residual(&mut self, residual: f64) {
        self.judge.residual = self.judge.residual.max(residual);
    }

    /// Whether the projection is over, and then whether x moved, or `None` if the rows cannot be met.
    pub(super) fn judge(&mut self, found: &Residuals<'_>, x: &[f64]) -> Option<Option<bool>> {
        let outcome = self.judge.judge(found, x);
        if outcome.is_none() {
            self.jacobian.copy_from_slice(found.jacobian.values());
            for (wanted, r) in self.wanted.iter_mut().zip(found.values) {
                *wanted = -r;
            }
        }
        outcome
    }

    /// One correction of x, by the residuals last judged; `None` if there is none.
    pub(super) fn correct(&mut self, mass: &Matrix<'_>, x: &mut [f64]) -> Option<()> {
        let jacobian = self.pattern.matrix(&self.jacobian);
        self.factorisation.factor(mass, &jacobian).ok()?;
        self.factorisation
            .project(&self.wanted, &mut self.correction);
        let parts = self.correction.iter().zip(x.iter()).enumerate();
        self.judge
            .corrected(parts.map(|(i, (&dx, &x))| (mass.diagonal(i), dx, x)));
        x.iter_mut()
            .zip(&self.correction)
            .for_each(|(x, dx)| *x += dx);
        Some(())
    }
}
