//! Random states that meet the constraints.

use crate::decide::ROUNDING;
use crate::equations::{Evaluator, Residuals, RowTerms};
use crate::formulation::{Factorisation, Tolerance};
use crate::linear::Pattern;
use crate::mechanism::Mechanism;
use crate::sizes::Sizes;
use crate::start::State;
use std::sync::Arc;

/// How far values are shaken, as a part of their sizes.
const AMPLITUDE: f64 = 0.1;
/// Later times, and parts of the amplitude, that are tried until the rows can be met.
const TRIALS: [(f64, f64); 4] = [(1.0, 1.0), (0.0, 1.0), (0.0, 0.1), (0.0, 0.01)];
/// Corrections made at most.
const MAX_CORRECTIONS: usize = 12;
/// A residual above this, measured by its terms, is not met.
const HOLDS: f64 = 1e-11;
/// Corrections this much larger than the shake lead elsewhere.
const FAR: f64 = 30.0;

/// Random states around a start, always the same ones.
pub(super) struct Shaker<'m> {
    evaluator: Evaluator<'m>,
    start: State,
    sizes: Sizes,
    state: State,
    random: Random,
    positions: Corrector,
    velocities: Corrector,
}

impl<'m> Shaker<'m> {
    pub(super) fn new(mechanism: &'m Mechanism, start: &State) -> Self {
        let (mut evaluator, sizes) = (mechanism.evaluator(), mechanism.sizes(start));
        evaluator.set_position(start.t, &start.coordinates);
        evaluator.set_rates(&start.rates);
        let equations = evaluator.equations();
        let (positions, velocities) = (
            Corrector::new(
                equations.position_pattern(),
                &sizes.coordinates,
                &evaluator.position_terms(),
            ),
            Corrector::new(
                equations.velocity_pattern(),
                &sizes.rates,
                &evaluator.velocity_terms(),
            ),
        );
        Self {
            evaluator,
            start: start.clone(),
            sizes,
            state: start.clone(),
            random: Random(0x9e37_79b9_7f4a_7c15),
            positions,
            velocities,
        }
    }

    /// The next state, unless the rows cannot be met near it.
    pub(super) fn next(&mut self) -> Option<&State> {
        TRIALS
            .into_iter()
            .any(|(later, part)| self.shake(later, part))
            .then_some(&self.state)
    }

    fn shake(&mut self, later: f64, part: f64) -> bool {
        let Self {
            evaluator,
            start,
            sizes,
            state,
            random,
            ..
        } = self;
        state.t = start.t + later * sizes.time * (0.5 + 0.5 * random.next());
        let from = start.coordinates.iter().chain(&start.rates);
        let to = state.coordinates.iter_mut().chain(&mut state.rates);
        let sizes = sizes.coordinates.iter().chain(&sizes.rates);
        for ((value, from), size) in to.zip(from).zip(sizes) {
            *value = from + part * AMPLITUDE * (size + from.abs()) * random.next();
        }
        evaluator.set_rates(&state.rates);
        let q = &mut state.coordinates;
        let met = self.positions.correct(q, part, |q, take| {
            evaluator.set_position(state.t, q);
            take(&evaluator.position());
        });
        evaluator.set_position(state.t, &state.coordinates);
        met && self
            .velocities
            .correct(&mut state.rates, part, |rates, take| {
                evaluator.set_rates(rates);
                take(&evaluator.velocity());
            })
    }
}

/// Newton's method: each correction the shortest that meets the rows as they are linearised.
struct Corrector {
    /// `None` if it would not fit memory.
    factorisation: Option<Factorisation>,
    rows: Arc<Pattern>,
    metric: Arc<Pattern>,
    /// Each unknown measured by its size.
    weights: Vec<f64>,
    sizes: Vec<f64>,
    residual: Vec<f64>,
    jacobian: Vec<f64>,
    correction: Vec<f64>,
}

impl Corrector {
    fn new(rows: &Arc<Pattern>, sizes: &[f64], terms: &RowTerms) -> Self {
        let n = rows.columns();
        let metric = Arc::new(if rows.is_full() {
            Pattern::full_symmetric(n)
        } else {
            Pattern::diagonal(n)
        });
        let mut weights = vec![0.0; metric.size()];
        for (i, size) in sizes.iter().enumerate() {
            weights[metric.diagonal_place(i)] = size.powi(-2);
        }
        let mut factorisation = Factorisation::of(&metric, rows, Tolerance::default());
        if let Some(factorisation) = &mut factorisation {
            factorisation.measure_by(terms);
        }
        Self {
            factorisation,
            weights,
            sizes: sizes.to_vec(),
            metric,
            residual: vec![0.0; rows.rows()],
            jacobian: vec![0.0; rows.size()],
            rows: Arc::clone(rows),
            correction: vec![0.0; n],
        }
    }

    /// Moves x until the rows hold; whether they do.
    fn correct(
        &mut self,
        x: &mut [f64],
        part: f64,
        mut at: impl FnMut(&[f64], &mut dyn FnMut(&Residuals<'_>)),
    ) -> bool {
        let mut last = f64::INFINITY;
        for made in 0..=MAX_CORRECTIONS {
            let (residual, jacobian) = (&mut self.residual, &mut self.jacobian);
            at(x, &mut |found| {
                residual.copy_from_slice(found.values);
                jacobian.copy_from_slice(found.jacobian.values());
            });
            let worst = self.relative(x);
            if worst <= ROUNDING || (worst <= HOLDS && worst >= last) {
                return true;
            }
            if !worst.is_finite() || made == MAX_CORRECTIONS {
                return worst <= HOLDS;
            }
            last = worst;
            let Some(factorisation) = &mut self.factorisation else {
                return false;
            };
            let metric = self.metric.matrix(&self.weights);
            let rows = self.rows.matrix(&self.jacobian);
            if factorisation.factor(&metric, &rows).is_err() {
                return false;
            }
            factorisation.project(&self.residual, &mut self.correction);
            let beside = x.iter().zip(&self.sizes).map(|(x, size)| (x / size).abs());
            let far = FAR * part * AMPLITUDE * beside.fold(1.0, f64::max);
            let corrections = self.correction.iter().zip(&self.sizes);
            for (x, (correction, size)) in x.iter_mut().zip(corrections) {
                if correction.abs() > far * size {
                    return false;
                }
                *x -= correction;
            }
        }
        false
    }

    /// Residuals measured by the size of their terms; infinite where one is no number.
    fn relative(&self, x: &[f64]) -> f64 {
        let rows = self.rows.matrix(&self.jacobian);
        let residuals = self.residual.iter().enumerate();
        residuals
            .filter(|(_, r)| **r != 0.0)
            .map(|(row, r)| r.abs() / (rows.size_along(row, &self.sizes) + rows.size_along(row, x)))
            .map(|r| if r.is_nan() { f64::INFINITY } else { r })
            .fold(0.0, f64::max)
    }
}

/// Reproducible numbers between −1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::Shaker;
    use crate::mechanism::Mechanism;
    use crate::model::read;

    #[test]
    fn states_differ_and_meet_rows_of_all_levels() {
        let text = r#"dalembert = 1
[coordinates]
x = 1
y = 0
z = "?"
[start]
"y'" = { value = 1.2, priority = "guess" }
[particle.P]
mass = 1
position = "[x, y, z]"
[constraint.ring]
holds = "x^2 + y^2 = 1 + 0.1*sin(t)"
[constraint.twice]
holds = "2*x*x' + 2*y*y' = 0.1*cos(t)"
[constraint.height]
holds = "z = x*y"
[constraint.speed]
holds = "x'^2 + y'^2 + z'^2 = 3"
"#;
        let (model, _) = read(text).unwrap();
        let mechanism = Mechanism::new(model).unwrap();
        let start = mechanism.start().unwrap().state;
        let mut shaker = Shaker::new(&mechanism, &start);
        let mut evaluator = mechanism.evaluator();
        let mut before = start.clone();
        for _ in 0..50 {
            let state = shaker.next().unwrap().clone();
            evaluator.set_position(state.t, &state.coordinates);
            evaluator.set_rates(&state.rates);
            let met = |values: &[f64]| values.iter().all(|value| value.abs() < 1e-10);
            assert!(met(evaluator.position().values));
            assert!(met(evaluator.velocity().values));
            assert!((state.coordinates[1] - before.coordinates[1]).abs() > 1e-6);
            assert!((state.rates[0] - before.rates[0]).abs() > 1e-6);
            before = state;
        }
    }
}
