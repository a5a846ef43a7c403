//! Rows that depend on others wherever these are met: the program keeps the others.

use crate::Mechanism;
use crate::decide::{COARSE, RANK};
use crate::linear::{Elimination, norm};
use crate::start::State;

/// The rows to keep at a start where some depend on others without doubt; `None` where none does.
pub(super) fn independent(mechanism: &Mechanism, state: &State) -> Option<Vec<usize>> {
    let n = state.coordinates.len();
    let mut evaluator = mechanism.evaluator_at(state);
    let now = evaluator.canonical();
    let mass = now.mass.to_full();
    let mut rows = now.jacobian.to_full().into_owned();
    let count = mechanism.system.rows.len();
    for row in rows.chunks_exact_mut(n.max(1)) {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry /= mass[j * (n + 1)].sqrt();
        }
        let length = norm(row);
        row.iter_mut().for_each(|entry| *entry /= length);
    }
    // A row that vanishes here, or a speed without inertia, is another matter.
    if rows.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let mut elimination = Elimination::new(count, n);
    elimination.factor(&rows, RANK);
    let rank = elimination.rank();
    let mut kept = elimination.row_order()[..rank].to_vec();
    elimination.factor(&rows, COARSE);
    kept.sort_unstable();
    (rank < count && elimination.rank() == rank).then_some(kept)
}
