//! Change points: places where position rows vanish for an instant, as those of a parallelogram laid flat, so that several
//! motions branch off. Passing one is told: numbers decide there which branch is taken.
//!
//! Also decided here: what counts as dependent between the steps of a run.

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::{Equations, Stored};
use dalembert_mechanics::formulation::Tolerance;
use dalembert_mechanics::start::State;

/// Rows that depend on each other at the start, clearly, do so everywhere the constraints are met; between steps, where
/// they are met as well as a step errs, they are not to be told apart.
const REDUNDANT: f64 = 1e-3;
/// Part of the accelerations in a row by which such rows may differ between steps. Rows that contradict each other are
/// found out by the projection after the step.
const BETWEEN_STEPS: f64 = 1e-2;
/// A row that turned round and was shorter than this part of its usual length has vanished on the way.
const NEAR: f64 = 0.3;

/// Decisions about ranks in a run that begins at `state`.
pub(super) fn tolerance(mechanism: &Mechanism, state: &State) -> Tolerance {
    let equations = &mechanism.equations;
    let mut evaluator = mechanism.evaluator_at(state);
    let now = evaluator.canonical();
    let usual = Tolerance::default();
    let rank = |rank: f64| {
        let mut factorisation = equations.factorisation(Tolerance { rank, ..usual });
        let factored = factorisation.factor_any_rank(&now.mass, &now.jacobian);
        factored.ok().map(|()| factorisation.rank())
    };
    let full = equations.stored() == Stored::Full;
    // Rows that vanish take no part in anything, and are zero between steps, too.
    let present = |&row: &usize| now.jacobian.stored(row).any(|(_, entry)| entry != 0.0);
    let rows = (0..equations.rows()).filter(present).count();
    let found = rank(usual.rank).filter(|rank| full && *rank < rows);
    if found.is_some() && rank(REDUNDANT) == found {
        Tolerance {
            rank: REDUNDANT,
            contradiction: BETWEEN_STEPS,
        }
    } else {
        usual
    }
}

/// Watches the position rows from step to step.
#[derive(Default)]
pub(super) struct ChangePoints {
    t: Option<f64>,
    /// The greatest length of each row so far.
    greatest: Vec<f64>,
    /// The rows at the last step.
    before: Vec<f64>,
    found: Vec<(f64, usize)>,
}

impl ChangePoints {
    /// Takes notice of the rows at the end of a step; times that are not later than those seen are samples.
    pub(super) fn watch(&mut self, t: f64, rows: &[f64], columns: usize) {
        if self.t.is_some_and(|last| t <= last) || rows.is_empty() {
            return;
        }
        let first = self.t.is_none();
        self.t = Some(t);
        if first {
            self.greatest = vec![0.0; rows.len() / columns];
            self.before = vec![0.0; rows.len()];
        }
        for (row, greatest) in self.greatest.iter_mut().enumerate() {
            let place = row * columns..(row + 1) * columns;
            let (now, before) = (&rows[place.clone()], &mut self.before[place]);
            let product =
                |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
            let (length, last) = (product(now, now).sqrt(), product(before, before).sqrt());
            *greatest = greatest.max(length);
            // A row that points the other way, and was short on the way, has been zero.
            if product(now, before) < 0.0 && length.min(last) < NEAR * *greatest {
                self.found.push((t, row));
            }
            before.copy_from_slice(now);
        }
    }

    /// Change points passed so far, with the rows of the system.
    pub(super) fn passed(&self, equations: &Equations) -> Vec<(f64, usize)> {
        let rows = equations.position_rows();
        self.found.iter().map(|&(t, row)| (t, rows[row])).collect()
    }
}
