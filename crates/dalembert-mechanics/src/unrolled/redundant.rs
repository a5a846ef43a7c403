//! Rows that depend on others.
//!
//! Where they do so everywhere, whether these are met or not, as those that were written twice, the program keeps the others. Where they do
//! so only where they are met, as in an overconstrained loop, leaving some out would bring the errors of a step into accelerations,
//! much magnified wherever those that are kept come near to depending on each other: there all of them give way a little.

use crate::Mechanism;
use crate::decide::{COARSE, RANK};
use crate::linear::{Elimination, add_scaled, dot, norm};
use crate::state::State;
use dalembert_expr::{ExprId, Graph, Rational};

/// States beside the start at which rows must depend on the same others, and how far from it, in parts of the usual sizes.
const STATES: u64 = 3;
const ASIDE: f64 = 0.1;

/// What relations of rows, y with yᵀ A = 0, are found from wherever all are met, vectors for each; none if rows do not depend on each other
/// at a state without doubt.
///
/// They are the relations there. A relation that turns becomes orthogonal to what it was; one that is alone is found from
/// a second vector too, to which it is not orthogonal at the same time.
pub(super) fn relations(mechanism: &Mechanism, state: &State) -> Option<Vec<Vec<Vec<f64>>>> {
    let (n, count) = (state.coordinates.len(), mechanism.system.rows.len());
    let (rows, lengths) = unit_rows(mechanism, state)?;
    let lines = rows.chunks_exact(n + 1).flat_map(|row| &row[..n]);
    let lines: Vec<f64> = lines.copied().collect();
    let mut elimination = Elimination::new(count, n);
    elimination.factor(&lines, COARSE);
    let clearly = elimination.rank();
    elimination.factor(&lines, RANK);
    let rank = elimination.rank();
    if rank == count || rank != clearly {
        return None;
    }
    let mut room = vec![0.0; rank];
    let relation = |k: usize| {
        let mut y = vec![0.0; count];
        elimination.relation(k, &mut room, &mut y);
        vec![y]
    };
    let mut found: Vec<Vec<Vec<f64>>> = (0..count - rank).map(relation).collect();
    if let [alone] = &mut found[..] {
        let mut random = fastrand::Rng::with_seed(1);
        let mut other: Vec<f64> = (0..count).map(|_| 2.0 * random.f64() - 1.0).collect();
        let along = dot(&other, &alone[0]) / dot(&alone[0], &alone[0]);
        add_scaled(&mut other, -along, &alone[0]);
        alone.push(other);
    }
    for y in found.iter_mut().flatten() {
        let whole = norm(y);
        let entries = y.iter_mut().zip(&lengths);
        entries.for_each(|(y, length)| *y /= whole * length);
    }
    Some(found)
}

/// The same as they are written into a program; `None` if they are no numbers.
pub(super) fn written(g: &mut Graph, relations: &[Vec<Vec<f64>>]) -> Option<Vec<Vec<Vec<ExprId>>>> {
    let mut number = |y: &f64| Rational::from_f64(*y).map(|y| g.number(y));
    let mut vector = |y: &Vec<f64>| y.iter().map(&mut number).collect();
    let mut each = |relation: &Vec<Vec<f64>>| relation.iter().map(&mut vector).collect();
    relations.iter().map(&mut each).collect()
}

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

/// (A, b) at a state in units in which each speed has an inertia of one, rows of length one, and their lengths; `None` if a row
/// vanishes.
fn unit_rows(mechanism: &Mechanism, state: &State) -> Option<(Vec<f64>, Vec<f64>)> {
    let n = state.coordinates.len();
    let mut evaluator = mechanism.evaluator_at(state);
    let now = evaluator.canonical();
    let (mass, jacobian) = (now.mass.to_full(), now.jacobian.to_full());
    let mut rows = Vec::with_capacity(jacobian.len() + now.bias.len());
    let mut lengths = Vec::with_capacity(now.bias.len());
    for (line, bias) in jacobian.chunks_exact(n.max(1)).zip(now.bias) {
        let start = rows.len();
        let felt = line.iter().enumerate();
        rows.extend(felt.map(|(j, entry)| entry / mass[j * (n + 1)].sqrt()));
        let length = norm(&rows[start..]);
        rows.push(*bias);
        lengths.push(length);
        rows[start..].iter_mut().for_each(|entry| *entry /= length);
    }
    let biases = || (n..rows.len()).step_by(n + 1);
    let largest = biases().fold(f64::MIN_POSITIVE, |a: f64, i| a.max(rows[i].abs()));
    for i in biases() {
        rows[i] /= largest;
    }
    // A row that vanishes here, or a speed without inertia, is another matter.
    let finite = rows.iter().all(|entry| entry.is_finite());
    finite.then_some((rows, lengths))
}

/// Rows that span all of (A, b) at a state, or those that are known to; `None` if they do not.
fn spanning(mechanism: &Mechanism, state: &State, known: Option<&[usize]>) -> Option<Vec<usize>> {
    let width = state.coordinates.len() + 1;
    let (rows, _) = unit_rows(mechanism, state)?;
    let spanning = |chosen: &[usize]| {
        let lines = chosen
            .iter()
            .flat_map(|row| &rows[row * width..(row + 1) * width]);
        let mut elimination = Elimination::new(chosen.len(), width);
        elimination.factor(&lines.copied().collect::<Vec<f64>>(), RANK);
        let mut order = elimination.row_order()[..elimination.rank()].to_vec();
        order.sort_unstable();
        order
    };
    let all: Vec<usize> = (0..mechanism.system.rows.len()).collect();
    let found = spanning(&all);
    match known {
        Some(known) => {
            let same = found.len() == known.len() && spanning(known).len() == known.len();
            same.then(|| known.to_vec())
        }
        None => Some(found),
    }
}
