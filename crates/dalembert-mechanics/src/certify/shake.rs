//! Random states that meet the constraints.

use crate::equations::{Evaluator, Residuals, RowTerms};
use crate::formulation::{Factorisation, Tolerance};
use crate::linear::Pattern;
use crate::mechanism::Mechanism;
use crate::projection::Projector;
use crate::signed;
use crate::sizes::Sizes;
use crate::state::State;
use fastrand::Rng;
use std::sync::Arc;

/// How far values are shaken, as a part of their sizes.
const AMPLITUDE: f64 = 0.1;
/// Later times, and parts of the amplitude, that are tried until the rows can be met.
const TRIALS: [(f64, f64); 4] = [(1.0, 1.0), (0.0, 1.0), (0.0, 0.1), (0.0, 0.01)];
/// Corrections made at most.
const MAX_CORRECTIONS: usize = 12;
/// Corrections this much larger than the shake lead elsewhere.
const FAR: f64 = 30.0;

/// Random states around a start, always the same ones.
pub(super) struct Shaker<'m> {
    evaluator: Evaluator<'m>,
    start: State,
    sizes: Sizes,
    state: State,
    random: Rng,
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
            random: Rng::with_seed(1),
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
        state.t = start.t + later * sizes.time * (0.5 + 0.5 * signed(random));
        let from = start.coordinates.iter().chain(&start.rates);
        let to = state.coordinates.iter_mut().chain(&mut state.rates);
        let sizes = sizes.coordinates.iter().chain(&sizes.rates);
        for ((value, from), size) in to.zip(from).zip(sizes) {
            *value = from + part * AMPLITUDE * (size + from.abs()) * signed(random);
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

/// The way back to rows, each unknown measured by its size.
struct Corrector {
    /// `None` if it would not fit memory.
    projector: Option<Projector>,
    metric: Arc<Pattern>,
    weights: Vec<f64>,
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
        let factorisation = Factorisation::of(&metric, rows, Tolerance::default());
        let projector =
            |factorisation| Projector::new(rows, factorisation, (terms, sizes), MAX_CORRECTIONS);
        Self {
            projector: factorisation.map(projector),
            metric,
            weights,
        }
    }

    /// Moves x until the rows hold; whether they do, and not far away.
    fn correct(
        &mut self,
        x: &mut [f64],
        part: f64,
        mut at: impl FnMut(&[f64], &mut dyn FnMut(&Residuals<'_>)),
    ) -> bool {
        let Some(projector) = &mut self.projector else {
            return false;
        };
        let beside = x.iter().zip(projector.sizes());
        let beside = beside.map(|(x, size)| (x / size).abs());
        let far = FAR * part * AMPLITUDE * beside.fold(1.0, f64::max);
        let from = x.to_vec();
        projector.begin();
        loop {
            let mut outcome = None;
            at(x, &mut |found| outcome = projector.judge(found, x));
            if let Some(outcome) = outcome {
                return outcome.is_some();
            }
            let corrected = projector.correct(&self.metric.matrix(&self.weights), x);
            let mut ways = x.iter().zip(&from).zip(projector.sizes());
            let leads_elsewhere = ways.any(|((x, from), size)| (x - from).abs() > far * size);
            if corrected.is_none() || leads_elsewhere {
                return false;
            }
        }
    }
}
