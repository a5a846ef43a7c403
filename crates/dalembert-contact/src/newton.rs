//! Friction in planes: Newton's method on f = P(f − a), with P the projection on fₙ ≥ 0 and on the disk |f_t| ≤ μ fₙ, all scaled.
//!
//! The disk's radius is that of the force sought, so that a solution has friction against its slip and not a normal force that depends on it
//! (Alart, Curnier 1991). Steps are taken whole where they lower what is left, shorter else; sweeps over the contacts one by one, each solved by itself
//! for the others as they are, begin the search.

use super::{Friction, Problem, Solution, on_disk};
use dalembert_linear::decide::{CANCELLED, SOLVED};
use dalembert_linear::{Lu, dot, norm};

/// Sweeps before Newton's method; more of them where it finds nothing from there, as it may where contacts share a load.
const SWEEPS: [usize; 3] = [50, 500, 5000];
/// Steps of Newton's method.
const STEPS: usize = 80;
/// Halvings of a step that does not lower what is left.
const HALVINGS: usize = 30;
/// Directions from which other solutions are looked for.
const DIRECTIONS: usize = 8;

/// A solution, from no forces.
pub(super) fn solve(problem: &Problem<'_>) -> Option<Solution> {
    let scales = problem.scales();
    let mut forces = vec![0.0; problem.count()];
    let mut found = None;
    for sweeps in SWEEPS {
        for _ in 0..sweeps {
            sweep(problem, &scales, &mut forces);
        }
        found = search(problem, forces.clone());
        let is_met = |it: &Solution| problem.residual(&it.forces) <= CANCELLED;
        if found.as_ref().is_some_and(is_met) {
            break;
        }
    }
    found
}

/// Solutions from several starts.
pub(super) fn solutions(problem: &Problem<'_>) -> Vec<Solution> {
    let mut found: Vec<Solution> = Vec::new();
    let scales = problem.scales();
    for direction in 0..DIRECTIONS {
        for size in [1.0, 10.0] {
            let angle = std::f64::consts::TAU * direction as f64 / DIRECTIONS as f64;
            let mut start = vec![0.0; problem.count()];
            for contact in problem.contacts {
                let n = contact.normal;
                start[n] = size * scales[n][0];
                if let Friction::Plane {
                    at, coefficient, ..
                } = contact.friction
                {
                    start[at] = coefficient * start[n] * angle.cos();
                    start[at + 1] = coefficient * start[n] * angle.sin();
                }
            }
            let solution = search(problem, start);
            let solution = solution.filter(|it| problem.residual(&it.forces) <= CANCELLED);
            if let Some(solution) = solution
                && found.iter().all(|known| problem.differ(known, &solution))
            {
                found.push(solution);
            }
        }
    }
    found
}

fn search(problem: &Problem<'_>, forces: Vec<f64>) -> Option<Solution> {
    let n = problem.count();
    let scales = problem.scales();
    let mut scaled: Vec<f64> = forces.iter().zip(&scales).map(|(f, s)| f / s[0]).collect();
    let mut left = vec![0.0; n];
    let mut slope = vec![0.0; n * n];
    let mut lu = Lu::<f64>::new(n);
    measure(problem, &scales, &scaled, &mut left, Some(&mut slope));
    for _ in 0..STEPS {
        let before = norm(&left);
        if before <= SOLVED || !before.is_finite() {
            break;
        }
        if !lu.factor(|row, target| target.copy_from_slice(&slope[row * n..][..n])) {
            // A contact that nothing depends on: a little to each.
            let soft = lu.factor(|row, target| {
                target.copy_from_slice(&slope[row * n..][..n]);
                target[row] += CANCELLED;
            });
            if !soft {
                break;
            }
        }
        let mut step = left.clone();
        lu.solve(&mut step);
        let mut part = 1.0;
        let mut lower = false;
        for _ in 0..HALVINGS {
            let trial: Vec<f64> = scaled
                .iter()
                .zip(&step)
                .map(|(f, d)| f - part * d)
                .collect();
            measure(problem, &scales, &trial, &mut left, None);
            if norm(&left) < before {
                scaled = trial;
                lower = true;
                break;
            }
            part /= 2.0;
        }
        if !lower {
            break;
        }
        measure(problem, &scales, &scaled, &mut left, Some(&mut slope));
    }
    let forces: Vec<f64> = scaled.iter().zip(&scales).map(|(f, s)| f * s[0]).collect();
    let finite = forces.iter().all(|force| force.is_finite());
    finite.then(|| problem.solution(forces))
}

/// Each contact by itself, the others as they are.
fn sweep(problem: &Problem<'_>, scales: &[[f64; 2]], forces: &mut [f64]) {
    let n = problem.count();
    let rate =
        |forces: &[f64], i: usize| dot(&problem.mobility[i * n..][..n], forces) + problem.free[i];
    for contact in problem.contacts {
        let at = contact.normal;
        let scale = scales[at];
        let pressed = forces[at] - rate(forces, at) / scale[1] * scale[0];
        forces[at] = pressed.max(0.0);
        let normal = forces[at];
        match contact.friction {
            Friction::Smooth => {}
            Friction::Line {
                at,
                coefficient,
                way,
            } => {
                let bound = coefficient * normal;
                let scale = scales[at];
                let trial = forces[at] - rate(forces, at) / scale[1] * scale[0];
                forces[at] = way.map_or(trial.clamp(-bound, bound), |way| -way * bound);
            }
            Friction::Plane {
                at,
                coefficient,
                way,
            } => {
                let bound = coefficient * normal;
                let scale = scales[at];
                let trial =
                    [0, 1].map(|i| forces[at + i] - rate(forces, at + i) / scale[1] * scale[0]);
                let inside = match way {
                    Some(way) => way.map(|part| -part * bound),
                    None => on_disk(trial, bound),
                };
                forces[at..at + 2].copy_from_slice(&inside);
            }
        }
    }
}

/// On which side of its bound friction along a line is: by the way of its slip, or where there is none by the force that is asked for; 0 within.
fn side(way: Option<f64>, trial: f64, bound: f64) -> f64 {
    match way {
        Some(way) => -way,
        None if trial > bound => 1.0,
        None if trial < -bound => -1.0,
        None => 0.0,
    }
}

/// f − P(f − a) of scaled forces, and its derivative.
fn measure(
    problem: &Problem<'_>,
    scales: &[[f64; 2]],
    f: &[f64],
    left: &mut [f64],
    mut slope: Option<&mut Vec<f64>>,
) {
    let n = problem.count();
    let entry = |i: usize, j: usize| problem.mobility[i * n + j] * scales[j][0] / scales[i][1];
    let rate = |i: usize| -> f64 {
        let sum: f64 = (0..n).map(|j| entry(i, j) * f[j]).sum();
        sum + problem.free[i] / scales[i][1]
    };
    // d(f − a) by f.
    let trial_slope = |i: usize, j: usize| f64::from(i == j) - entry(i, j);
    let mut put = |i: usize, row: &dyn Fn(usize) -> f64| {
        let to = slope.iter_mut().flat_map(|it| &mut it[i * n..][..n]);
        to.enumerate().for_each(|(j, to)| *to = row(j));
    };
    for contact in problem.contacts {
        let k = contact.normal;
        let trial = f[k] - rate(k);
        let pressed = trial > 0.0;
        left[k] = f[k] - trial.max(0.0);
        put(k, &|j| {
            f64::from(k == j) - if pressed { trial_slope(k, j) } else { 0.0 }
        });
        let share = |coefficient: f64, at: usize| coefficient * scales[k][0] / scales[at][0];
        match contact.friction {
            Friction::Smooth => {}
            Friction::Line {
                at,
                coefficient,
                way,
            } => {
                let share = share(coefficient, at);
                let bound = share * f[k].max(0.0);
                let trial = f[at] - rate(at);
                let side = side(way, trial, bound);
                let inside = if side == 0.0 { trial } else { side * bound };
                left[at] = f[at] - inside;
                let grows = f64::from(f[k] > 0.0) * share;
                put(at, &|j| {
                    let slope = match side == 0.0 {
                        true => trial_slope(at, j),
                        false => side * grows * f64::from(j == k),
                    };
                    f64::from(at == j) - slope
                });
            }
            Friction::Plane {
                at,
                coefficient,
                way,
            } => {
                let share = share(coefficient, at);
                let bound = share * f[k].max(0.0);
                let trial = [0, 1].map(|i| f[at + i] - rate(at + i));
                let length = trial[0].hypot(trial[1]);
                let grows = f64::from(f[k] > 0.0) * share;
                let (inside, unit) = match way {
                    Some(way) => (way.map(|part| -part * bound), way.map(|part| -part)),
                    None => (
                        on_disk(trial, bound),
                        trial.map(|part| part / length.max(f64::MIN_POSITIVE)),
                    ),
                };
                let sticks = way.is_none() && length <= bound;
                for i in 0..2 {
                    left[at + i] = f[at + i] - inside[i];
                    put(at + i, &|j| {
                        let own = f64::from(at + i == j);
                        if sticks {
                            return own - trial_slope(at + i, j);
                        }
                        let mut slope = unit[i] * grows * f64::from(j == k);
                        if way.is_none() {
                            let along = [0, 1].map(|m| trial_slope(at + m, j));
                            let radial = unit[0] * along[0] + unit[1] * along[1];
                            slope += bound / length * (along[i] - unit[i] * radial);
                        }
                        own - slope
                    });
                }
            }
        }
    }
}
