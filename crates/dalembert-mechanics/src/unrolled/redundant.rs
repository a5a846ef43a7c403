//! Rows that depend on others everywhere, whether these are met or not, as those that were written twice: the program keeps the
//! others. Rows that depend on each other only where they are met would bring the errors of a step into accelerations, much
//! magnified wherever those that are kept come near to depending on each other: the general route takes them all.

use crate::Mechanism;
use crate::decide::RANK;
use crate::linear::{Elimination, norm};
use crate::start::State;

/// States beside the start at which rows must depend on the same others, and how far from it, in parts of the usual sizes.
const STATES: u64 = 3;
const ASIDE: f64 = 0.1;

/// The rows to keep; `None` where none depends on others.
pub(super) fn independent(mechanism: &Mechanism, state: &State) -> Option<Vec<usize>> {
    let count = mechanism.system.rows.len();
    let kept = spanning(mechanism, state, None)?;
    let sizes = mechanism.sizes(state);
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..STATES {
        let mut aside = state.clone();
        let values = aside.coordinates.iter_mut().chain(&mut aside.rates);
        for (value, size) in values.zip(sizes.coordinates.iter().chain(&sizes.rates)) {
            *value += ASIDE * size * (2.0 * random.f64() - 1.0);
        }
        spanning(mechanism, &aside, Some(&kept))?;
    }
    (kept.len() < count).then_some(kept)
}

/// Rows that span all of (A, b) at a state, beginning with those that are known to; `None` if these do not, or a row vanishes.
fn spanning(mechanism: &Mechanism, state: &State, known: Option<&[usize]>) -> Option<Vec<usize>> {
    let n = state.coordinates.len();
    let count = mechanism.system.rows.len();
    let mut evaluator = mechanism.evaluator_at(state);
    let now = evaluator.canonical();
    let (mass, jacobian) = (now.mass.to_full(), now.jacobian.to_full());
    let mut rows = Vec::with_capacity(count * (n + 1));
    for (line, bias) in jacobian.chunks_exact(n.max(1)).zip(now.bias) {
        let start = rows.len();
        let felt = line.iter().enumerate();
        rows.extend(felt.map(|(j, entry)| entry / mass[j * (n + 1)].sqrt()));
        let length = norm(&rows[start..]);
        rows.push(*bias);
        rows[start..].iter_mut().for_each(|entry| *entry /= length);
    }
    // A row that vanishes here, or a speed without inertia, is another matter.
    if rows.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let largest = rows.iter().skip(n).step_by(n + 1);
    let largest = largest.fold(f64::MIN_POSITIVE, |a: f64, b| a.max(b.abs()));
    let biases = rows.iter_mut().skip(n).step_by(n + 1);
    biases.for_each(|bias| *bias /= largest);
    let rank_of = |chosen: &[usize]| {
        let lines = chosen
            .iter()
            .flat_map(|row| &rows[row * (n + 1)..(row + 1) * (n + 1)]);
        let mut elimination = Elimination::new(chosen.len(), n + 1);
        elimination.factor(&lines.copied().collect::<Vec<f64>>(), RANK);
        let mut order = elimination.row_order()[..elimination.rank()].to_vec();
        order.sort_unstable();
        order
    };
    let all: Vec<usize> = (0..count).collect();
    let spanning = rank_of(&all);
    match known {
        Some(known) => {
            let same = rank_of(known).len() == known.len() && spanning.len() == known.len();
            same.then(|| known.to_vec())
        }
        None => Some(spanning),
    }
}
