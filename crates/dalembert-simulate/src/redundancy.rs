//! What counts as dependent between the steps of a run.

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{COARSE, RELATED};
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::formulation::Tolerance;
use dalembert_mechanics::start::State;

/// Decisions about ranks in a run that begins at `state`.
///
/// Rows that depend on each other at the start, clearly, do so everywhere the constraints are met; between steps, where they are met as
/// well as a step errs, they are not to be told apart, and ask for slightly different accelerations. Rows that contradict each
/// other are found out by the projection after the step.
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
    if found.is_some() && rank(COARSE) == found {
        Tolerance {
            rank: COARSE,
            contradiction: RELATED,
        }
    } else {
        usual
    }
}
