//! What the theory says of reactions at every state: ideal ones do no virtual work, and the energy
//! changes by the powers that are reported.

use crate::models::{mechanism, thin_disk};
use crate::numbers::{STATES, assert_close, canonical, random_state};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use fastrand::Rng;

pub(crate) const SYSTEMS: &[(&str, &str)] = &[
    (
        "rolling disk",
        concat!(
            r#"
gravity = "[0, 0, -9.81]"
[parameters]
r = 0.343
[coordinates]
x = 0
y = 0
z = "?"
psi = 0
theta = 0.2
phi = 0
[start]
"phi'" = 8
"psi'" = 1"#,
            thin_disk!(),
            r#"[constraint.contact]
holds = "vel(disk, at = disk.center - r*lean.ez) = 0"
[constraint.floor]
holds = "z = r*cos(theta)"
active = true
"#
        ),
    ),
    (
        "wire with friction",
        r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = 0.5
y = "?"
[start]
"x'" = 1
[particle.P]
mass = 2
position = "[x, y, 0]"
[constraint.wire]
holds = "y = 0.3*x^2"
nonideal = { x = "-0.5*x'", y = "1 - y'" }
"#,
    ),
    (
        "wire that moves, with drag along it",
        r#"
gravity = "[0, 0, -9.81]"
[coordinates]
x = 0.5
y = 0.2
z = "?"
[start]
"x'" = 1
[particle.P]
mass = 2
position = "[x + 0.1*sin(t), y, z]"
[constraint.wire]
holds = "z = x*y + sin(2*t)"
nonideal = { on = "P", vector = "-0.3*norm(vel(P))*vel(P)" }
[constraint.program]
holds = "y' = 0.3*cos(t)"
[force.wind]
on = "P"
vector = "[1, t, 0] - 0.1*vel(P)"
"#,
    ),
    (
        "particle at given speed",
        r#"
[coordinates]
x = 0
y = 0
z = 0
[start]
"x'" = 2
[particle.P]
mass = 1.5
position = "[x, y, z]"
[constraint.speed]
holds = "x'^2 + y'^2 + z'^2 = 4 + sin(t)"
[constraint.push]
holds = "z'' = 0.3*x' - y"
nonideal = { z = "x'", y = 0.2 }
[spring.S]
between = ["P", "point(ground, [1, 1, 1])"]
stiffness = 3
length = "0.5 + 0.1*t"
damping = 0.2
"#,
    ),
    (
        "sledge in quasi-velocities",
        r#"
[coordinates]
x = 0
y = 0
theta = 0.3
[speeds]
u = "x'*cos(theta) + y'*sin(theta)"
side = "-x'*sin(theta) + y'*cos(theta) - 0.1*theta'"
w = "theta' + 0.2*t"
[start]
u = 1
[body.sledge]
mass = 2
inertia = [1, 1, 1.5]
center = "[x, y, 0]"
attitude = "Rz(theta)"
[constraint.blade]
holds = "side = 0"
nonideal = { u = -0.4, w = "0.1*w", x = 0.2 }
[force.motor]
generalized = { u = 3, w = "sin(t)" }
"#,
    ),
    (
        "driven pendulum by energies with redundant rows",
        r#"
[coordinates]
x = 0.6
y = -0.8
s = "?"
[energy]
kinetic = "((x' + 0.3*cos(t))^2 + y'^2)/2 + (1 + sin(t)^2)*s'^2/2 + s'*cos(x)*t"
potential = "9.81*y + sin(t)*x + s^2*t"
dissipation = "0.1*s'^2"
[constraint.rod]
holds = "x^2 + y^2 = 1"
[constraint.again]
holds = "3*(x*x' + y*y') = 0"
[constraint.drive]
holds = "s = x + sin(t)"
nonideal = { s = "-x'", x = 0.3 }
"#,
    ),
];

/// Columns that span the null space of A, by elimination with full pivoting.
fn null_space(jacobian: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut a: Vec<Vec<f64>> = jacobian.chunks_exact(n).map(<[f64]>::to_vec).collect();
    let mut pivots: Vec<usize> = Vec::new();
    for row in 0..a.len() {
        let best = (row..a.len())
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .filter(|(_, j)| !pivots.contains(j))
            .max_by(|&(i, j), &(k, l)| a[i][j].abs().total_cmp(&a[k][l].abs()));
        let Some((i, column)) = best.filter(|&(i, j)| a[i][j].abs() > 1e-9) else {
            break;
        };
        a.swap(row, i);
        let pivot = a[row][column];
        a[row].iter_mut().for_each(|x| *x /= pivot);
        let source = a[row].clone();
        for (k, other) in a.iter_mut().enumerate() {
            let factor = other[column];
            if k != row {
                other
                    .iter_mut()
                    .zip(&source)
                    .for_each(|(x, s)| *x -= factor * s);
            }
        }
        pivots.push(column);
    }
    (0..n)
        .filter(|free| !pivots.contains(free))
        .map(|free| {
            let mut direction = vec![0.0; n];
            direction[free] = 1.0;
            for (row, &column) in pivots.iter().enumerate() {
                direction[column] = -a[row][free];
            }
            direction
        })
        .collect()
}

fn product(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix
        .chunks_exact(x.len())
        .map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
        .collect()
}

fn on(directions: &[Vec<f64>], force: &[f64]) -> Vec<f64> {
    directions
        .iter()
        .map(|d| d.iter().zip(force).map(|(a, b)| a * b).sum())
        .collect()
}

/// Bᵀ f: a force by speeds as a force by coordinates.
fn by_coordinates(mechanism: &Mechanism, state: &State, force: &[f64]) -> Vec<f64> {
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let n = force.len();
    match evaluator.speeds() {
        None => force.to_vec(),
        Some(map) => {
            let mut turned = vec![0.0; n];
            map.matrix.add_transposed(force, &mut turned);
            turned
        }
    }
}

/// Consistent states, and others where the rows can still be met.
fn states(mechanism: &Mechanism) -> Vec<State> {
    let start = mechanism
        .start()
        .unwrap_or_else(|errors| panic!("{errors:#?}"));
    let mut states = vec![start.state];
    let mut rng = Rng::with_seed(4);
    let n = mechanism.equations.coordinates();
    let redundant = mechanism
        .model
        .constraints
        .iter()
        .any(|c| c.name.text == "again");
    states.extend((0..STATES).map(|_| {
        let mut state = random_state(&mut rng, n);
        if redundant {
            // Rows that say the same agree only where they hold.
            let size = state.coordinates[0].hypot(state.coordinates[1]);
            state.coordinates[0] /= size;
            state.coordinates[1] /= size;
            state.rates[1] = -state.rates[0] * state.coordinates[0] / state.coordinates[1];
        }
        state
    }));
    states
}

#[test]
fn ideal_reactions_do_no_virtual_work() {
    for (name, text) in SYSTEMS {
        let found = mechanism(text);
        let n = found.equations.coordinates();
        for state in states(&found) {
            let c = canonical(&found, &state);
            let s = found
                .snapshot(&state)
                .unwrap_or_else(|e| panic!("{name}: {e:?} at {state:?}"));
            let directions = null_space(&c.jacobian, n);
            assert_eq!(directions.len(), n - s.rank, "{name}: rank");
            let [ideal, nonideal] = [&s.force_ideal, &s.force_nonideal]
                .map(|force| by_coordinates(&found, &state, force));
            let size = ideal.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
            let none = vec![0.0; directions.len()];
            assert_close(&on(&directions, &ideal), &none, 1e-10 * size, name);
            let work = on(&directions, &c.nonideal);
            assert_close(&on(&directions, &nonideal), &work, 1e-10 * size, name);
            // M q'' = h + F ideal + F non-ideal = h + Aᵀ λ + w, and A q'' = b.
            let inertial = product(&c.mass, &s.accelerations);
            let sum: Vec<f64> = (0..n)
                .map(|i| c.force[i] + ideal[i] + nonideal[i])
                .collect();
            assert_close(&inertial, &sum, 1e-11, name);
            let reaction = |i: usize| -> f64 {
                (0..s.multipliers.len())
                    .map(|row| c.jacobian[row * n + i] * s.multipliers[row])
                    .sum()
            };
            let sum: Vec<f64> = (0..n)
                .map(|i| c.force[i] + reaction(i) + c.nonideal[i])
                .collect();
            assert_close(&inertial, &sum, 1e-10, name);
            let ideal_rows: Vec<f64> = (0..n)
                .map(|i| {
                    (0..s.multipliers.len())
                        .map(|row| c.jacobian[row * n + i] * s.multipliers_ideal[row])
                        .sum()
                })
                .collect();
            assert_close(&ideal, &ideal_rows, 1e-10, name);
            assert_close(
                &product(&c.jacobian, &s.accelerations),
                &c.bias,
                1e-10,
                name,
            );
            // The reactions of the constraints add up to both.
            let total: Vec<f64> = (0..n)
                .map(|i| {
                    s.reactions
                        .constraints()
                        .map(|k| s.reactions.on_all(k)[i])
                        .sum()
                })
                .collect();
            let both: Vec<f64> = ideal.iter().zip(&nonideal).map(|(a, b)| a + b).collect();
            assert_close(&total, &both, 1e-10, name);
            for (formulation, rates) in &s.formulations {
                assert_close(
                    rates,
                    &s.speed_rates,
                    1e-9,
                    &format!("{name}: {formulation:?}"),
                );
            }
        }
    }
}

/// The state after a small time, by the classical method of Runge and Kutta.
fn advance(mechanism: &Mechanism, state: &State, dt: f64) -> State {
    let slope = |state: &State| mechanism.snapshot(state).unwrap().accelerations;
    let moved = |v: &[f64], a: &[f64], dt: f64| {
        let add = |x: &[f64], y: &[f64]| -> Vec<f64> {
            x.iter().zip(y).map(|(x, y)| x + y * dt).collect()
        };
        State {
            t: state.t + dt,
            coordinates: add(&state.coordinates, v),
            rates: add(&state.rates, a),
            ..State::default()
        }
    };
    let (v1, a1) = (state.rates.clone(), slope(state));
    let two = moved(&v1, &a1, dt / 2.0);
    let (v2, a2) = (two.rates.clone(), slope(&two));
    let three = moved(&v2, &a2, dt / 2.0);
    let (v3, a3) = (three.rates.clone(), slope(&three));
    let four = moved(&v3, &a3, dt);
    let (v4, a4) = (four.rates.clone(), slope(&four));
    let mean = |a: &[f64], b: &[f64], c: &[f64], d: &[f64]| -> Vec<f64> {
        (0..a.len())
            .map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0)
            .collect()
    };
    moved(&mean(&v1, &v2, &v3, &v4), &mean(&a1, &a2, &a3, &a4), dt)
}

#[test]
fn energy_changes_by_the_powers() {
    for (name, text) in SYSTEMS {
        let found = mechanism(text);
        for state in states(&found) {
            let s = found.snapshot(&state).unwrap();
            let energy = |dt: f64| {
                let there = advance(&found, &state, dt);
                let there = found.snapshot(&there).unwrap();
                there.kinetic + there.potential
            };
            let step = 1e-3;
            let slope = (energy(-2.0 * step) - 8.0 * energy(-step) + 8.0 * energy(step)
                - energy(2.0 * step))
                / (12.0 * step);
            let given: f64 = found
                .system
                .forces
                .iter()
                .zip(&s.force_power)
                .filter(|(force, _)| !force.conservative)
                .map(|(_, power)| power)
                .sum();
            let constraints: f64 = s.constraint_power.iter().sum();
            let powers = given + constraints + s.drive;
            let size = given.abs() + constraints.abs() + s.drive.abs() + s.kinetic;
            assert!(
                (slope - powers).abs() < 1e-6 * (1.0 + size),
                "{name} at {state:?}: dE/dt = {slope}, powers {given} + {constraints} + {}",
                s.drive
            );
        }
    }
}

/// Power of ideal constraints that do not depend on time is zero where they hold.
#[test]
fn still_ideal_constraints_have_no_power() {
    let (_, text) = SYSTEMS[0];
    let found = mechanism(text);
    let start = found.start().unwrap();
    let s = found.snapshot(&start.state).unwrap();
    assert_close(&s.constraint_power, &[0.0, 0.0], 1e-9, "power");
    assert_close(&[s.drive], &[0.0], 1e-15, "drive");
}
