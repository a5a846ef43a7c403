//! Every contact open, pressing, sticking or sliding: linear equations, whose solution may or may not agree with that.

use super::{Contact, Friction, Problem, Solution};
use dalembert_linear::CompleteOrthogonal;
use dalembert_linear::decide::CANCELLED;

/// What a contact is taken to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// f = 0.
    Open,
    /// aₙ = 0; friction as it slides already, if it does.
    Pressed,
    /// aₙ = 0, a_t = 0.
    Sticks,
    /// aₙ = 0, f_t = ∓ μ fₙ.
    Slides(f64),
}

/// What a contact may do.
fn choices(contact: &Contact) -> &'static [Mode] {
    match contact.friction {
        Friction::Line { way: None, .. } => &[
            Mode::Sticks,
            Mode::Slides(1.0),
            Mode::Slides(-1.0),
            Mode::Open,
        ],
        _ => &[Mode::Pressed, Mode::Open],
    }
}

/// All solutions whose motions differ, of contacts without friction in planes.
pub(super) fn solutions(problem: &Problem<'_>) -> Vec<Solution> {
    let counts: Vec<usize> = problem
        .contacts
        .iter()
        .map(|it| choices(it).len())
        .collect();
    let mut found: Vec<Solution> = Vec::new();
    for pattern in 0..counts.iter().product::<usize>() {
        let mut rest = pattern;
        let modes: Vec<Mode> = (problem.contacts.iter().zip(&counts))
            .map(|(contact, count)| {
                let mode = choices(contact)[rest % count];
                rest /= count;
                mode
            })
            .collect();
        let Some(solution) = polish(problem, &modes) else {
            continue;
        };
        let agrees = problem.residual(&solution.forces) <= CANCELLED;
        if agrees && found.iter().all(|known| problem.differ(known, &solution)) {
            found.push(solution);
        }
    }
    found
}

/// The solution in a mode, the least where forces are not unique; `None` where there is none.
pub(super) fn polish(problem: &Problem<'_>, modes: &[Mode]) -> Option<Solution> {
    let n = problem.count();
    let scales = problem.scales();
    // Columns of forces by unknown, and the rows that are to vanish.
    let (mut unknowns, mut rows): (Vec<Vec<(usize, f64)>>, Vec<usize>) = (Vec::new(), Vec::new());
    for (contact, mode) in problem.contacts.iter().zip(modes) {
        let normal = contact.normal;
        let mut along = vec![(normal, 1.0)];
        match (*mode, contact.friction) {
            (Mode::Open, _) => continue,
            (
                Mode::Pressed,
                Friction::Line {
                    at,
                    coefficient,
                    way: Some(way),
                },
            )
            | (
                Mode::Slides(way),
                Friction::Line {
                    at, coefficient, ..
                },
            ) => along.push((at, -way * coefficient)),
            (
                Mode::Pressed,
                Friction::Plane {
                    at,
                    coefficient,
                    way: Some(way),
                },
            ) => {
                along.push((at, -way[0] * coefficient));
                along.push((at + 1, -way[1] * coefficient));
            }
            _ => {}
        }
        unknowns.push(along);
        rows.push(normal);
        if *mode == Mode::Sticks
            && let Friction::Line { at, .. } = contact.friction
        {
            unknowns.push(vec![(at, 1.0)]);
            rows.push(at);
        }
    }
    let m = rows.len();
    let (mut matrix, mut right) = (vec![0.0; m * m], vec![0.0; m]);
    for (i, &row) in rows.iter().enumerate() {
        right[i] = -problem.free[row] / scales[row][1];
        for (j, unknown) in unknowns.iter().enumerate() {
            let parts = unknown.iter();
            let parts = parts.map(|&(k, part)| problem.mobility[row * n + k] * part);
            let scale = scales[unknown[0].0][0] / scales[row][1];
            matrix[i * m + j] = parts.sum::<f64>() * scale;
        }
    }
    let mut orthogonal = CompleteOrthogonal::new(m, m);
    orthogonal.factor(&matrix, CANCELLED);
    let mut x = vec![0.0; m];
    orthogonal.least(&right, &mut x);
    let mut forces = vec![0.0; n];
    for (unknown, x) in unknowns.iter().zip(&x) {
        let scale = scales[unknown[0].0][0];
        for &(k, part) in unknown {
            forces[k] += part * x * scale;
        }
    }
    let solution = problem.solution(forces);
    let met = |&row: &usize| solution.accelerations[row].abs() <= CANCELLED * scales[row][1];
    let finite = solution.forces.iter().all(|force| force.is_finite());
    (finite && rows.iter().all(met)).then_some(solution)
}
