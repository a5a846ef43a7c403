//! The way back to the rows: numbers that should meet them are moved there the shortest way in a metric, after a step of a run,
//! after a shake, and where dependent coordinates follow from independent ones. A start is farther away, and its steps are damped
//! (`start/solved/newton.rs`); when a search is over is one rule for all:
//! [`Ending`].

use crate::decide::{CANCELLED, Ending, ROUNDING, beside};
use crate::equations::{Residuals, RowTerms};
use crate::linear::factorisation::Factorisation;
use crate::linear::{Matrix, Pattern, add_scaled};
use crate::unrolled::Missed;
use std::sync::Arc;

/// Judges residuals on the way to the rows: each beside what its row has of the unknowns, and of unknowns of their usual sizes,
/// so that a row that is near zero for an instant, or all along, is not measured by what it is there. A row that cannot be met as
/// well as that, as where its gradient vanishes, may be left as it is beside the terms that it has at the start, too.
pub struct Judge {
    terms: Vec<f64>,
    sizes: Vec<f64>,
    ending: Ending,
    /// Largest residual where the last search ended.
    pub residual: f64,
}

impl Judge {
    /// For rows with these terms and unknowns of these sizes, with so many corrections at most.
    #[must_use]
    pub fn new(terms: &[f64], sizes: &[f64], most: usize) -> Self {
        Self {
            terms: terms.to_vec(),
            sizes: sizes.to_vec(),
            ending: Ending::new(ROUNDING, most),
            residual: 0.0,
        }
    }

    /// Starts a search.
    pub fn begin(&mut self) {
        self.ending.begin();
    }

    /// Whether the search is over, and then whether x moved, or `None` if the rows cannot be met.
    pub fn judge(&mut self, found: &Residuals<'_>, x: &[f64]) -> Option<Option<bool>> {
        let rows = found.values.iter().enumerate().map(|(row, &r)| match r {
            // What vanishes stands beside nothing.
            0.0 => (0.0, 0.0),
            r => {
                let along = |x: &[f64]| found.jacobian.size_along(row, x);
                (r, along(&self.sizes) + along(x))
            }
        });
        let largest = self.beside_terms(rows);
        self.judge_largest(largest)
    }

    /// The same by the residual of each row and the size of what the row has.
    pub fn judge_rows(&mut self, rows: impl Iterator<Item = (f64, f64)>) -> Option<Option<bool>> {
        let largest = self.beside_terms(rows);
        self.judge_largest(largest)
    }

    fn judge_largest(&mut self, (worst, left, residual): (f64, f64, f64)) -> Option<Option<bool>> {
        if !left.is_finite() {
            return Some(None);
        }
        if !self.ending.is_over(worst, true) {
            return None;
        }
        self.residual = residual;
        let met = left <= CANCELLED;
        Some(met.then_some(self.ending.corrections() > 0))
    }

    /// The largest residual beside what its row has here, and beside the terms at the start as well, infinite where one is no
    /// number; and as it is.
    fn beside_terms(&self, rows: impl Iterator<Item = (f64, f64)>) -> (f64, f64, f64) {
        let (mut worst, mut left, mut largest) = (0.0_f64, 0.0_f64, 0.0_f64);
        for ((r, here), terms) in rows.zip(&self.terms).filter(|((r, _), _)| *r != 0.0) {
            worst = worst.max(beside(r, here));
            left = left.max(beside(r, here + terms));
            largest = largest.max(r.abs());
        }
        (worst, left, largest)
    }
}

/// x ← x − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ r, until r(x) = 0 as well as numbers can.
pub struct Projector {
    factorisation: Factorisation,
    pattern: Arc<Pattern>,
    jacobian: Vec<f64>,
    wanted: Vec<f64>,
    correction: Vec<f64>,
    judge: Judge,
    /// Largest residual left by any projection so far.
    residual: f64,
}

impl Projector {
    /// For rows stored in a pattern, with room to factor them, what they are measured by, the sizes of the unknowns, and so
    /// many corrections at most.
    pub fn new(
        pattern: &Arc<Pattern>,
        mut factorisation: Factorisation,
        (terms, sizes): (&RowTerms, &[f64]),
        most: usize,
    ) -> Self {
        factorisation.measure_by(terms);
        Self {
            factorisation,
            pattern: Arc::clone(pattern),
            jacobian: vec![0.0; pattern.size()],
            wanted: vec![0.0; pattern.rows()],
            correction: vec![0.0; pattern.columns()],
            judge: Judge::new(&terms.bias, sizes, most),
            residual: 0.0,
        }
    }

    /// Rows of a system that do not count; those that are projected to are `rows` of it.
    pub fn leave_out(&mut self, rows: &[usize], inactive: &[usize]) {
        let places = inactive
            .iter()
            .filter_map(|row| rows.binary_search(row).ok());
        let places: Vec<usize> = places.collect();
        self.factorisation.leave_out(&places);
    }

    /// So many relations hold between the rows wherever these are met.
    pub fn relate(&mut self, relations: usize) {
        self.factorisation.relate(relations);
    }

    /// Sizes of the unknowns.
    #[must_use]
    pub fn sizes(&self) -> &[f64] {
        &self.judge.sizes
    }

    /// Starts a projection.
    pub fn begin(&mut self) {
        self.judge.begin();
    }

    /// Largest residual left by any projection so far.
    #[must_use]
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Takes notice of a residual that was left elsewhere.
    pub fn add_residual(&mut self, residual: f64) {
        self.residual = self.residual.max(residual);
    }

    /// Whether the projection is over, and then whether x moved, or `None` if the rows cannot be met.
    pub fn judge(&mut self, found: &Residuals<'_>, x: &[f64]) -> Option<Option<bool>> {
        let outcome = self.judge.judge(found, x);
        if outcome.is_some() {
            self.add_residual(self.judge.residual);
        } else {
            self.keep(found);
        }
        outcome
    }

    /// Keeps rows as they are at a state.
    pub fn keep(&mut self, found: &Residuals<'_>) {
        self.jacobian.copy_from_slice(found.jacobian.values());
        for (wanted, r) in self.wanted.iter_mut().zip(found.values) {
            *wanted = -r;
        }
    }

    /// Factors the rows last kept in a metric; `None` if they have no factors.
    pub fn factor(&mut self, mass: &Matrix<'_>) -> Option<()> {
        let jacobian = self.pattern.matrix(&self.jacobian);
        self.factorisation.factor(mass, &jacobian).ok()
    }

    /// How far the rows last kept are from depending on each other, or from vanishing: what rows of their greatest lengths so far
    /// ask for without a pattern, beside the way to it, where each coordinate has its unit. It costs one solution.
    pub fn strength(
        &mut self,
        mass: &Matrix<'_>,
        units: &[f64],
        lengths: &mut Vec<f64>,
    ) -> Option<f64> {
        self.factor(mass)?;
        let jacobian = self.pattern.matrix(&self.jacobian);
        lengths.resize(self.wanted.len(), 0.0);
        let mut noise = fastrand::Rng::with_seed(1);
        let mut asked = 0.0;
        for (row, (wanted, length)) in self.wanted.iter_mut().zip(lengths).enumerate() {
            let felt = jacobian.stored(row).map(|(j, a)| (a * units[j]).powi(2));
            let part = 2.0 * noise.f64() - 1.0;
            *length = length.max(felt.sum::<f64>().sqrt());
            *wanted = *length * part;
            asked += if *length > 0.0 { part * part } else { 0.0 };
        }
        let way = self.way().iter().zip(units);
        let way = way.map(|(by, unit)| (by / unit).powi(2)).sum::<f64>();
        Some((asked / way).sqrt())
    }

    /// The shortest way to the rows last factored, from where they were kept.
    pub fn way(&mut self) -> &[f64] {
        self.factorisation
            .project(&self.wanted, &mut self.correction);
        &self.correction
    }

    /// Takes from x what leads across the rows last factored: what is left lies along them.
    pub fn keep_along(&mut self, x: &mut [f64]) {
        let jacobian = self.pattern.matrix(&self.jacobian);
        for (row, wanted) in self.wanted.iter_mut().enumerate() {
            *wanted = -jacobian.along(row, x);
        }
        self.way();
        add_scaled(x, 1.0, &self.correction);
    }

    /// The same by what a program says of the rows; if it is not over, its correction follows.
    pub fn judge_missed(&mut self, missed: &Missed<'_>) -> Option<Option<bool>> {
        let outcome = self.judge.judge_rows(missed.rows());
        if outcome.is_some() {
            self.add_residual(self.judge.residual);
        }
        outcome
    }

    /// One correction of x, by the residuals last judged; `None` if there is none.
    pub fn correct(&mut self, mass: &Matrix<'_>, x: &mut [f64]) -> Option<()> {
        self.factor(mass)?;
        add_scaled(x, 1.0, self.way());
        Some(())
    }
}
