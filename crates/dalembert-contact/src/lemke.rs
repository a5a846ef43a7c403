//! Lemke's method for 0 ≤ z ⟂ N z + q ≥ 0, and contacts with friction along lines as such a problem:
//!
//! ```text
//! aₙ = …                    ⟂ fₙ
//! ± a_t + γ                 ⟂ β₊, β₋          f_t = β₊ − β₋
//! μ fₙ − β₊ − β₋            ⟂ γ               the size of the slip
//! ```

use super::modes::{Mode, polish};
use super::{Contact, Friction, Problem, Solution};
use dalembert_linear::decide::{KNOWN, SOLVED};

/// Pivots for each unknown.
const PIVOTS: usize = 50;

/// Unknowns of a contact's place: the first of its own.
struct Layout {
    start: Vec<usize>,
    size: usize,
}

impl Layout {
    fn of(contacts: &[Contact]) -> Self {
        let (mut start, mut size) = (Vec::new(), 0);
        for contact in contacts {
            start.push(size);
            size += match contact.friction {
                Friction::Line { way: None, .. } => 4,
                _ => 1,
            };
        }
        Self { start, size }
    }
}

/// A solution by pivots, improved by solving its mode.
pub(super) fn solve(problem: &Problem<'_>) -> Option<Solution> {
    let layout = Layout::of(problem.contacts);
    let (matrix, right) = complementarity(problem, &layout);
    let z = lemke(&matrix, &right)?;
    let mut modes = Vec::new();
    for (contact, &start) in problem.contacts.iter().zip(&layout.start) {
        let pressed = z[start] > KNOWN;
        modes.push(match contact.friction {
            _ if !pressed => Mode::Open,
            Friction::Line { way: None, .. } if z[start + 3] > KNOWN => {
                // Friction is against the slip.
                match z[start + 1] > z[start + 2] {
                    true => Mode::Slides(-1.0),
                    false => Mode::Slides(1.0),
                }
            }
            Friction::Line { way: None, .. } => Mode::Sticks,
            _ => Mode::Pressed,
        });
    }
    if let Some(found) = polish(problem, &modes) {
        return Some(found);
    }
    // Dependent contacts share their forces as the pivots had it.
    let scales = problem.scales();
    let mut forces = vec![0.0; problem.count()];
    for (contact, &start) in problem.contacts.iter().zip(&layout.start) {
        let n = contact.normal;
        forces[n] = z[start] * scales[n][0];
        match contact.friction {
            Friction::Line { at, way: None, .. } => {
                forces[at] = (z[start + 1] - z[start + 2]) * scales[at][0];
            }
            Friction::Line {
                at,
                coefficient,
                way: Some(way),
            } => forces[at] = -way * coefficient * forces[n],
            Friction::Plane {
                at,
                coefficient,
                way: Some(way),
            } => {
                forces[at] = -way[0] * coefficient * forces[n];
                forces[at + 1] = -way[1] * coefficient * forces[n];
            }
            _ => {}
        }
    }
    Some(problem.solution(forces))
}

/// N and q, of scaled forces and accelerations.
fn complementarity(problem: &Problem<'_>, layout: &Layout) -> (Vec<f64>, Vec<f64>) {
    let (n, size) = (problem.count(), layout.size);
    let scales = problem.scales();
    // What forces each unknown is.
    let mut columns: Vec<Vec<(usize, f64)>> = Vec::new();
    for contact in problem.contacts {
        let mut normal = vec![(contact.normal, 1.0)];
        let share =
            |at: usize, coefficient: f64| coefficient * scales[contact.normal][0] / scales[at][0];
        match contact.friction {
            Friction::Line {
                at,
                coefficient,
                way: Some(way),
            } => normal.push((at, -way * share(at, coefficient))),
            Friction::Plane {
                at,
                coefficient,
                way: Some(way),
            } => {
                normal.push((at, -way[0] * share(at, coefficient)));
                normal.push((at + 1, -way[1] * share(at, coefficient)));
            }
            _ => {}
        }
        columns.push(normal);
        if let Friction::Line { at, way: None, .. } = contact.friction {
            columns.push(vec![(at, 1.0)]);
            columns.push(vec![(at, -1.0)]);
            columns.push(Vec::new());
        }
    }
    let entry = |row: usize, column: &[(usize, f64)]| -> f64 {
        let parts = column.iter();
        let parts = parts.map(|&(i, part)| problem.mobility[row * n + i] * part * scales[i][0]);
        parts.sum::<f64>() / scales[row][1]
    };
    let (mut matrix, mut right) = (vec![0.0; size * size], vec![0.0; size]);
    for (contact, &start) in problem.contacts.iter().zip(&layout.start) {
        let row = contact.normal;
        right[start] = problem.free[row] / scales[row][1];
        for (j, column) in columns.iter().enumerate() {
            matrix[start * size + j] = entry(row, column);
        }
        let Friction::Line {
            at,
            coefficient,
            way: None,
        } = contact.friction
        else {
            continue;
        };
        for (offset, sign) in [(1, 1.0), (2, -1.0)] {
            let row = start + offset;
            right[row] = sign * problem.free[at] / scales[at][1];
            for (j, column) in columns.iter().enumerate() {
                matrix[row * size + j] = sign * entry(at, column);
            }
            matrix[row * size + start + 3] = 1.0;
        }
        let last = (start + 3) * size;
        matrix[last + start] = coefficient * scales[contact.normal][0] / scales[at][0];
        matrix[last + start + 1] = -1.0;
        matrix[last + start + 2] = -1.0;
    }
    (matrix, right)
}

/// z with 0 ≤ z ⟂ N z + q ≥ 0; `None` where the method ends on a ray, or does not end.
pub(super) fn lemke(matrix: &[f64], right: &[f64]) -> Option<Vec<f64>> {
    let n = right.len();
    if right.iter().all(|&q| q >= 0.0) {
        return Some(vec![0.0; n]);
    }
    // w − N z − e z₀ = q: columns are w, z, z₀ and q.
    let width = 2 * n + 2;
    let mut table = vec![0.0; n * width];
    for i in 0..n {
        table[i * width + i] = 1.0;
        for j in 0..n {
            table[i * width + n + j] = -matrix[i * n + j];
        }
        table[i * width + 2 * n] = -1.0;
        table[i * width + 2 * n + 1] = right[i];
    }
    let mut basis: Vec<usize> = (0..n).collect();
    let mut leaving = (0..n).min_by(|&a, &b| right[a].total_cmp(&right[b]))?;
    let mut entering = 2 * n;
    for _ in 0..PIVOTS * (n + 1) {
        pivot(&mut table, width, leaving, entering);
        let left = std::mem::replace(&mut basis[leaving], entering);
        if left == 2 * n {
            let mut z = vec![0.0; n];
            for (row, &variable) in basis.iter().enumerate() {
                if (n..2 * n).contains(&variable) {
                    z[variable - n] = table[row * width + 2 * n + 1].max(0.0);
                }
            }
            return Some(z);
        }
        entering = if left < n { left + n } else { left - n };
        leaving = ratio(&table, width, &basis, entering)?;
    }
    None
}

/// The row whose variable first reaches zero: z₀ if it is among them, else that of the largest pivot.
fn ratio(table: &[f64], width: usize, basis: &[usize], entering: usize) -> Option<usize> {
    let n = basis.len();
    let (mut best, mut at) = (f64::INFINITY, None::<usize>);
    for row in 0..n {
        let entry = table[row * width + entering];
        if entry <= SOLVED {
            continue;
        }
        let step = table[row * width + width - 1].max(0.0) / entry;
        let close = (step - best).abs() <= KNOWN * (1.0 + step);
        let better = match at {
            Some(other) if close => {
                let larger = entry > table[other * width + entering];
                basis[row] == 2 * n || (basis[other] != 2 * n && larger)
            }
            _ => step < best,
        };
        if better {
            (best, at) = (step, Some(row));
        }
    }
    at
}

fn pivot(table: &mut [f64], width: usize, row: usize, column: usize) {
    let pivot = table[row * width + column];
    table[row * width..][..width]
        .iter_mut()
        .for_each(|it| *it /= pivot);
    let own = table[row * width..][..width].to_vec();
    for (other, entries) in table.chunks_exact_mut(width).enumerate() {
        let factor = entries[column];
        if other != row && factor != 0.0 {
            for (entry, above) in entries.iter_mut().zip(&own) {
                *entry -= factor * above;
            }
        }
    }
}
