//! Change points: places where position rows vanish or come to depend on each other for an instant, as those of a
//! parallelogram laid flat, so that several motions branch off.
//!
//! The motion goes on along the branch that its velocity points along. Numbers must not be asked there: a residual of
//! rounding size, divided by the slope of a row that vanishes, is a jump to another branch. So in the small neighbourhood
//! where a row has less than a part τ of its usual length, or of its distance from the others, it is left out: of
//! accelerations, positions and velocities alike. What it lacks there pushes across the branch only, by O(τ) in velocity
//! and O(τ²) in position, and is taken away by the first projection behind; along the branch the error is O(τ²).

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::{Equations, Stored};
use dalembert_mechanics::formulation::Tolerance;
use dalembert_mechanics::linear::Matrix;
use dalembert_mechanics::start::State;

/// τ.
const NEIGHBOURHOOD: f64 = 1e-5;
/// The same for rows that depend on each other at the start, clearly, and so probably everywhere.
const REDUNDANT: f64 = 1e-3;
/// Part of the accelerations in a row by which rows may differ between steps, where constraints are met as well as a step
/// errs. Rows that contradict each other are found out by the projection after the step.
const BETWEEN_STEPS: f64 = 1e-2;
/// A row shorter than this part of its usual length may vanish in the next step.
const NEAR: f64 = 0.3;

/// Decisions about ranks in a run: rows that depend on each other where the constraints are met differ between steps by as
/// much as a step errs, and are not to be told apart there.
pub(super) fn tolerance(mechanism: &Mechanism, state: &State) -> Tolerance {
    let equations = &mechanism.equations;
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let now = evaluator.canonical();
    let rank = |rank: f64| {
        let mut factorisation = equations.factorisation(Tolerance {
            rank,
            ..Tolerance::default()
        });
        let factored = factorisation.factor_any_rank(&now.mass, &now.jacobian);
        factored.ok().map(|()| factorisation.rank())
    };
    let full = equations.stored() == Stored::Full;
    let found = rank(NEIGHBOURHOOD).filter(|rank| full && *rank < equations.rows());
    let redundant = found.is_some() && rank(REDUNDANT) == found;
    Tolerance {
        rank: if redundant { REDUNDANT } else { NEIGHBOURHOOD },
        contradiction: BETWEEN_STEPS,
        vanishing: NEIGHBOURHOOD,
    }
}

/// Watches the position rows from step to step.
#[derive(Default)]
pub(super) struct ChangePoints {
    /// Whether a row may vanish in the next step.
    pub(super) near: bool,
    t: Option<f64>,
    /// The greatest length of each row so far.
    greatest: Vec<f64>,
    /// The rows at the last step.
    before: Vec<f64>,
    found: Vec<(f64, usize)>,
}

impl ChangePoints {
    /// Takes notice of the rows at the end of a step; times that are not later than those seen are samples.
    pub(super) fn watch(&mut self, t: f64, rows: &Matrix<'_>) {
        if self.t.is_some_and(|last| t <= last) || rows.as_full().is_none() {
            return;
        }
        let first = self.t.is_none();
        self.t = Some(t);
        self.near = false;
        if first {
            self.greatest = vec![0.0; rows.rows()];
            self.before = vec![0.0; rows.values().len()];
        }
        let columns = rows.columns();
        for (row, greatest) in self.greatest.iter_mut().enumerate() {
            let place = row * columns..(row + 1) * columns;
            let (now, before) = (&rows.values()[place.clone()], &mut self.before[place]);
            let product =
                |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
            let (length, last) = (product(now, now).sqrt(), product(before, before).sqrt());
            *greatest = greatest.max(length);
            self.near |= length < NEAR * *greatest;
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
