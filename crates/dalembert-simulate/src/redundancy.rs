//! What counts as dependent between the steps of a run.

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{COARSE, RELATED};
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::formulation::{Factorisation, Tolerance};
use dalembert_mechanics::linear::Matrix;
use dalembert_mechanics::start::State;

/// Decisions about ranks in a run, and relations of rows that hold wherever these are met.
///
/// Rows that depend on each other at the start, clearly, do so everywhere the constraints are met; between steps, where they are met as
/// well as a step errs, they are not to be told apart, and ask for slightly different accelerations. Rows that contradict each
/// other are found out by the projection after the step.
#[derive(Default)]
pub(super) struct Redundancy {
    pub(super) tolerance: Tolerance,
    /// Of all rows, of those of positions and of those of velocities.
    pub(super) relations: [usize; 3],
}

impl Redundancy {
    /// For a run that begins at `state`.
    pub(super) fn at(mechanism: &Mechanism, state: &State) -> Self {
        let mut found = Self::default();
        let equations = &mechanism.equations;
        if equations.stored() != Stored::Full {
            return found;
        }
        let mut evaluator = mechanism.evaluator_at(state);
        let now = evaluator.canonical();
        let usual = Tolerance::default();
        // Relations of rows by a tolerance, if there are any.
        let missing = |mut by: Factorisation, rows: &Matrix<'_>| {
            let factored = by.factor_any_rank(&now.mass, rows);
            let missing = factored.ok().map(|()| present(rows) - by.rank());
            missing.filter(|&missing| missing > 0)
        };
        let Some(all) = missing(equations.factorisation(usual), &now.jacobian) else {
            return found;
        };
        let coarse = Tolerance {
            rank: COARSE,
            ..usual
        };
        if missing(equations.factorisation(coarse), &now.jacobian) == Some(all) {
            found.tolerance = Tolerance {
                rank: COARSE,
                contradiction: RELATED,
            };
        }
        let mut of_level = mechanism.evaluator_at(state);
        let position = of_level.position().jacobian;
        let position = missing(equations.position_factorisation(usual), &position);
        let velocity = of_level.velocity().jacobian;
        let velocity = missing(equations.velocity_factorisation(usual), &velocity);
        found.relations = [all, position.unwrap_or(0), velocity.unwrap_or(0)];
        found
    }
}

/// Rows that do not vanish: those that do take no part in anything, and are zero between steps, too.
fn present(rows: &Matrix<'_>) -> usize {
    let present = |&row: &usize| rows.stored(row).any(|(_, entry)| entry != 0.0);
    (0..rows.rows()).filter(present).count()
}
