//! Random states that meet the constraints.

use crate::equations::{Evaluator, Residuals};
use crate::formulation::{Factorisation, Tolerance};
use crate::linear::Pattern;
use crate::start::State;
use std::sync::Arc;

/// How far values are shaken: this much, and as much of themselves.
const AMPLITUDE: f64 = 0.1;
/// Later times, and parts of the amplitude, that are tried until the rows can be met.
const TRIALS: [(f64, f64); 4] = [(1.0, 1.0), (0.0, 1.0), (0.0, 0.1), (0.0, 0.01)];
/// Corrections made at most.
const MAX_CORRECTIONS: usize = 12;
/// A residual below this, measured by its terms, is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// A residual above this, measured by its terms, is not met.
const HOLDS: f64 = 1e-11;
/// Corrections this much larger than the shake lead elsewhere.
const FAR: f64 = 30.0;

/// Random states around a start, always the same ones.
pub(super) struct Shaker<'m> {
    evaluator: Evaluator<'m>,
    start: State,
    state: State,
    random: Random,
    positions: Corrector,
    velocities: Corrector,
}

impl<'m> Shaker<'m> {
    pub(super) fn new(evaluator: Evaluator<'m>, start: &State) -> Self {
        let equations = evaluator.equations();
        let (positions, velocities) = (
            Corrector::new(equations.position_pattern()),
            Corrector::new(equations.velocity_pattern()),
        );
        Self {
            evaluator,
            start: start.clone(),
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
            state,
            random,
            ..
        } = self;
        state.t = start.t + later * (0.5 + 0.5 * random.next());
        let from = start.coordinates.iter().chain(&start.rates);
        let to = state.coordinates.iter_mut().chain(&mut state.rates);
        for (value, from) in to.zip(from) {
            *value = from + part * AMPLITUDE * (1.0 + from.abs()) * random.next();
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
    identity: Vec<f64>,
    residual: Vec<f64>,
    jacobian: Vec<f64>,
    correction: Vec<f64>,
}

impl Corrector {
    fn new(rows: &Arc<Pattern>) -> Self {
        let n = rows.columns();
        let metric = Arc::new(if rows.is_full() {
            Pattern::full_symmetric(n)
        } else {
            Pattern::diagonal(n)
        });
        let mut identity = vec![0.0; metric.size()];
        (0..n).for_each(|i| identity[metric.diagonal_place(i)] = 1.0);
        Self {
            factorisation: Factorisation::of(&metric, rows, Tolerance::default()),
            identity,
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
            let metric = self.metric.matrix(&self.identity);
            let rows = self.rows.matrix(&self.jacobian);
            if factorisation.factor(&metric, &rows).is_err() {
                return false;
            }
            factorisation.project(&self.residual, &mut self.correction);
            let size = x.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
            let far = FAR * part * AMPLITUDE * size;
            for (x, correction) in x.iter_mut().zip(&self.correction) {
                if correction.abs() > far {
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
            .map(|(row, r)| r.abs() / (1.0 + rows.size_along(row, x)))
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
        let mut shaker = Shaker::new(mechanism.evaluator(), &start);
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
