//! h holds the forces that were asked for: each against virtual work or a potential, by differences.
//!
//! The rotations and positions below are written by hand; nothing here uses the product's own
//! derivatives.

use crate::models::mechanism;
use crate::numbers::{STATES, Vector, assert_close, canonical, dot, random_state, slope};
use dalembert_mechanics::start::State;
use fastrand::Rng;

type Matrix = [[f64; 3]; 3];

fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

fn turn(matrix: &Matrix, v: Vector) -> Vector {
    matrix.map(|row| dot(row, v))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1, 2].map(|j| (0..3).map(|k| row[k] * b[k][j]).sum()))
}

fn rx(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
}

fn rz(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
}

/// Derivative by each coordinate.
fn gradient(q: &[f64], f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let along = |i: usize| {
        slope(1e-3, |shift| {
            let mut moved = q.to_vec();
            moved[i] += shift;
            f(&moved)
        })
    };
    (0..q.len()).map(along).collect()
}

/// A body that turns by Euler's angles while its centre moves with one of them and with t.
const BODY: &str = r#"
[coordinates]
psi = 0.3
theta = 0.4
phi = 0.5
s = 0.6
[body.B]
mass = 2
inertia = [1, 2, 2.5]
center = "[s*cos(psi) + 0.1*t, s*sin(psi), s^2]"
attitude = "Rz(psi) Rx(theta + 0.2*t) Rz(phi)"
"#;

fn attitude(t: f64, q: &[f64]) -> Matrix {
    product(&product(&rz(q[0]), &rx(q[1] + 0.2 * t)), &rz(q[2]))
}

fn center(t: f64, q: &[f64]) -> Vector {
    [q[3] * q[0].cos() + 0.1 * t, q[3] * q[0].sin(), q[3] * q[3]]
}

fn point(t: f64, q: &[f64], body: Vector) -> Vector {
    let (c, r) = (center(t, q), turn(&attitude(t, q), body));
    [c[0] + r[0], c[1] + r[1], c[2] + r[2]]
}

/// ∂ω/∂q' from the antisymmetric ∂R/∂q Rᵀ.
fn partial_omega(t: f64, q: &[f64]) -> Vec<Vector> {
    let r = attitude(t, q);
    let entry = |i: usize, a: usize, b: usize| {
        (0..3)
            .map(|k| gradient(q, |q| attitude(t, q)[a][k])[i] * r[b][k])
            .sum::<f64>()
    };
    (0..q.len())
        .map(|i| [entry(i, 2, 1), entry(i, 0, 2), entry(i, 1, 0)])
        .collect()
}

/// What a piece of a model file adds to h.
fn added(base: &str, piece: &str, check: impl Fn(&State) -> Vec<f64>) {
    let without = mechanism(base);
    let with = mechanism(&format!("{base}{piece}"));
    let mut rng = Rng::with_seed(7);
    for _ in 0..STATES {
        let state = random_state(&mut rng, without.equations.coordinates());
        let (before, after) = (canonical(&without, &state), canonical(&with, &state));
        assert_close(&after.mass, &before.mass, 1e-14, piece);
        let difference: Vec<f64> = after
            .force
            .iter()
            .zip(&before.force)
            .map(|(a, b)| a - b)
            .collect();
        assert_close(&difference, &check(&state), 1e-9, piece);
    }
}

#[test]
fn generalized_forces_act_on_coordinates() {
    let piece = "[force.motor]\ngeneralized = { theta = \"3*psi'*s\", s = \"sin(t)\" }\n";
    added(BODY, piece, |state| {
        let (q, v) = (&state.coordinates, &state.rates);
        vec![0.0, 3.0 * v[0] * q[3], 0.0, state.t.sin()]
    });
}

#[test]
fn generalized_forces_act_on_speeds() {
    let speeds = "[speeds]\nu1 = \"psi' + theta'*sin(phi) + t\"\nu2 = \"theta'*s\"\nu3 = \"phi' - 2*s'\"\nu4 = \"s' + psi'\"\n";
    let piece = "[force.motor]\ngeneralized = { u1 = 5, u4 = \"theta\", phi = 2 }\n";
    added(&format!("{BODY}{speeds}"), piece, |state| {
        let q = &state.coordinates;
        // Power 5 u1 + θ u4 + 2 φ' by the rates.
        vec![5.0 + q[1], 5.0 * q[2].sin(), 2.0, q[1]]
    });
}

#[test]
fn a_force_does_virtual_work_at_its_point() {
    let (force, arm) = ([1.5, -0.7, 2.2], [0.3, -0.4, 0.9]);
    let at = "[force.F]\non = \"B\"\nat = \"point(B, [0.3, -0.4, 0.9])\"\nvector = \"[1.5, -0.7, 2.2]\"\n";
    added(BODY, at, |state| {
        gradient(&state.coordinates, |q| dot(force, point(state.t, q, arm)))
    });
    let centre = "[force.F]\non = \"B\"\nvector = \"[1.5, -0.7, 2.2]\"\n";
    added(BODY, centre, |state| {
        gradient(&state.coordinates, |q| dot(force, center(state.t, q)))
    });
    let turned = format!("{at}in = \"B\"\n");
    added(BODY, &turned, |state| {
        let world = turn(&attitude(state.t, &state.coordinates), force);
        gradient(&state.coordinates, |q| dot(world, point(state.t, q, arm)))
    });
}

#[test]
fn a_torque_does_work_on_the_angular_velocity() {
    let torque = [0.4, 1.1, -2.0];
    let expected = |state: &State, torque: Vector| {
        let partials = partial_omega(state.t, &state.coordinates);
        partials.into_iter().map(|w| dot(torque, w)).collect()
    };
    let world = "[force.T]\non = \"B\"\ntorque = \"[0.4, 1.1, -2]\"\n";
    added(BODY, world, |state| expected(state, torque));
    let turned = format!("{world}in = \"B\"\n");
    added(BODY, &turned, |state| {
        expected(state, turn(&attitude(state.t, &state.coordinates), torque))
    });
    // A force and a torque on the same line add up.
    let both = format!("{world}vector = \"[1, 0, 0]\"\n");
    added(BODY, &both, |state| {
        let push = gradient(&state.coordinates, |q| center(state.t, q)[0]);
        let twist: Vec<f64> = expected(state, torque);
        push.iter().zip(twist).map(|(a, b)| a + b).collect()
    });
}

/// Length of a line from a fixed point to a point of the body.
fn stretch(t: f64, q: &[f64]) -> f64 {
    norm(sub(point(t, q, [0.0, 0.5, 0.2]), [1.0, 2.0, 3.0]))
}

#[test]
fn springs_pull_down_their_potential() {
    let line = "between = [\"point(ground, [1, 2, 3])\", \"point(B, [0, 0.5, 0.2])\"]\n";
    let spring = format!("[spring.S]\n{line}stiffness = 30\nlength = \"0.5 + 0.1*t\"\n");
    added(BODY, &spring, |state| {
        let rest = 0.5 + 0.1 * state.t;
        gradient(&state.coordinates, |q| {
            -15.0 * (stretch(state.t, q) - rest).powi(2)
        })
    });
    let free = format!("[spring.S]\n{line}stiffness = 30\n");
    added(BODY, &free, |state| {
        gradient(&state.coordinates, |q| -15.0 * stretch(state.t, q).powi(2))
    });
    let centre =
        "[spring.S]\nbetween = [\"B\", \"point(ground, [1, 2, 3])\"]\nstiffness = 4\nlength = 1\n";
    added(BODY, centre, |state| {
        gradient(&state.coordinates, |q| {
            -2.0 * (norm(sub(center(state.t, q), [1.0, 2.0, 3.0])) - 1.0).powi(2)
        })
    });
    let torsion = "[spring.S]\non = \"phi - 2*theta\"\nstiffness = 3\nlength = 0.2\n";
    added(BODY, torsion, |state| {
        gradient(&state.coordinates, |q| {
            -1.5 * (q[2] - 2.0 * q[1] - 0.2).powi(2)
        })
    });
}

#[test]
fn dampers_take_twice_their_dissipation() {
    let line = "between = [\"point(ground, [1, 2, 3])\", \"point(B, [0, 0.5, 0.2])\"]\n";
    let damper = format!("[spring.S]\n{line}damping = 0.7\n");
    // Rate of the length along the motion.
    let rate = |state: &State| {
        slope(1e-3, |dt| {
            let q: Vec<f64> = state
                .coordinates
                .iter()
                .zip(&state.rates)
                .map(|(q, v)| q + v * dt)
                .collect();
            stretch(state.t + dt, &q)
        })
    };
    added(BODY, &damper, |state| {
        let slopes = gradient(&state.coordinates, |q| stretch(state.t, q));
        slopes.iter().map(|s| -0.7 * rate(state) * s).collect()
    });
    // The ends of a line move the same way in all models without t: then the power is −2 D.
    let still = BODY.replace(" + 0.1*t", "").replace(" + 0.2*t", "");
    let with = mechanism(&format!("{still}{damper}"));
    let mut rng = Rng::with_seed(8);
    for _ in 0..STATES {
        let mut state = random_state(&mut rng, 4);
        state.t = 0.0;
        let rate = slope(1e-3, |dt| {
            let moved = state.coordinates.iter().zip(&state.rates);
            let q: Vec<f64> = moved.map(|(q, v)| q + v * dt).collect();
            stretch(0.0, &q)
        });
        let power = with.snapshot(&state).unwrap().force_power;
        assert_close(&power, &[-0.7 * rate * rate], 1e-8, "power of a damper");
    }
}

#[test]
fn dissipation_takes_its_slope_by_the_rates() {
    let piece = "[energy]\ndissipation = \"0.3*s*theta'^2 + 0.1*(phi' - psi')^4\"\n";
    added(BODY, piece, |state| {
        let (q, v) = (&state.coordinates, &state.rates);
        let cubic = 0.4 * (v[2] - v[0]).powi(3);
        vec![cubic, -0.6 * q[3] * v[1], -cubic, 0.0]
    });
}

#[test]
fn gravity_acts_on_every_particle_and_body() {
    let more = r#"
[particle.P]
mass = 0.5
position = "[theta, phi*s, sin(psi)]"
[body.C]
mass = 3
inertia = [1, 1, 1]
center = "[psi, theta, phi^2]"
attitude = "Rz(s)"
"#;
    let base = format!("{BODY}{more}");
    let without = mechanism(&base);
    let with = mechanism(&format!("gravity = \"[1, 2, -9.81 + t]\"\n{base}"));
    let mut rng = Rng::with_seed(9);
    for _ in 0..STATES {
        let state = random_state(&mut rng, 4);
        let weight = [1.0, 2.0, -9.81 + state.t];
        let work = |q: &[f64]| {
            2.0 * dot(weight, center(state.t, q))
                + 0.5 * dot(weight, [q[1], q[2] * q[3], q[0].sin()])
                + 3.0 * dot(weight, [q[0], q[1], q[2] * q[2]])
        };
        let expected = gradient(&state.coordinates, work);
        let (before, after) = (canonical(&without, &state), canonical(&with, &state));
        let added: Vec<f64> = after
            .force
            .iter()
            .zip(&before.force)
            .map(|(a, b)| a - b)
            .collect();
        assert_close(&added, &expected, 1e-9, "gravity");
        let raised = with.snapshot(&state).unwrap().potential;
        assert_close(
            &[raised],
            &[-work(&state.coordinates)],
            1e-12,
            "its potential",
        );
    }
}

/// Euler's equations in body rates, and the same body by its partial velocities.
#[test]
fn dynamics_in_speeds_equal_the_body() {
    let angles = "[coordinates]\npsi = 0.3\ntheta = 0.4\nphi = 0.5\n";
    let speeds = r#"
[speeds]
w1 = "psi'*sin(theta)*sin(phi) + theta'*cos(phi)"
w2 = "psi'*sin(theta)*cos(phi) - theta'*sin(phi)"
w3 = "psi'*cos(theta) + phi'"
"#;
    let dynamics = r#"
[dynamics]
mass_matrix = [[1, 0, 0], [0, 2, 0], [0, 0, 2.5]]
force = ["(2 - 2.5)*w2*w3 + 0.7", "(2.5 - 1)*w3*w1", "(1 - 2)*w1*w2"]
"#;
    let body = r#"
[body.B]
mass = 1
inertia = [1, 2, 2.5]
center = "[0, 0, 0]"
attitude = "Rz(psi) Rx(theta) Rz(phi)"
[force.T]
on = "B"
torque = "[0.7, 0, 0]"
in = "B"
"#;
    let by_equations = mechanism(&format!("{angles}{speeds}{dynamics}"));
    let in_speeds = mechanism(&format!("{angles}{speeds}{body}"));
    let in_rates = mechanism(&format!("{angles}{body}"));
    let mut rng = Rng::with_seed(10);
    for _ in 0..STATES {
        let state = random_state(&mut rng, 3);
        let euler = by_equations.snapshot(&state).unwrap();
        let body = in_speeds.snapshot(&state).unwrap();
        let rates = in_rates.snapshot(&state).unwrap();
        assert_close(&euler.accelerations, &rates.accelerations, 1e-12, "q''");
        assert_close(&body.accelerations, &rates.accelerations, 1e-12, "q''");
        assert_close(&euler.speed_rates, &body.speed_rates, 1e-12, "v'");
        assert_close(&euler.force_given, &body.force_given, 1e-12, "h in speeds");
        assert_close(&[euler.kinetic], &[rates.kinetic], 1e-13, "kinetic energy");
        let w = &euler.speeds;
        let expected = [-0.5 * w[1] * w[2] + 0.7, 1.5 * w[2] * w[0], -w[0] * w[1]];
        assert_close(&euler.force_given, &expected, 1e-12, "h as written");
        let moments = [1.0, 2.0, 2.5];
        let rates: Vec<f64> = expected.iter().zip(moments).map(|(h, m)| h / m).collect();
        assert_close(&euler.speed_rates, &rates, 1e-12, "M v' = h as written");
    }
}
