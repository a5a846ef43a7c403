//! The right-hand side as one program, against the general route: on every example, around its start.

use crate::support::{assert_close, mechanism, names, read, text};
use dalembert::simulate::{RunOptions, simulate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use dalembert_mechanics::unrolled::{MOST_OPERATIONS, Unrolled};
use fastrand::Rng;
use std::ops::ControlFlow;

/// q', v', power and λ by the general route.
fn general(mechanism: &Mechanism, state: &State) -> Option<(Vec<f64>, Vec<f64>)> {
    let found = mechanism.motion(state).ok()?;
    let along = |force: &[f64]| -> f64 { force.iter().zip(&state.rates).map(|(f, v)| f * v).sum() };
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let now = evaluator.canonical();
    let system = &mechanism.system;
    let rows = system.rows.iter().zip(&found.multipliers).enumerate();
    let mut power: f64 = rows
        .filter(|(_, (row, _))| !row.powerless)
        .map(|(index, (_, lambda))| lambda * now.jacobian.along(index, &state.rates))
        .sum();
    power += along(now.nonideal) + found.drive;
    let given = system.forces.iter().zip(&found.force_power);
    power += given
        .filter(|(force, _)| !force.conservative)
        .map(|(_, power)| power)
        .sum::<f64>();
    let result = [state.rates.clone(), found.speed_rates, vec![power]].concat();
    Some((result, found.multipliers))
}

fn speeds(mechanism: &Mechanism, state: &State) -> Vec<f64> {
    match &mechanism.system.speeds {
        Some(speeds) => mechanism.values_at(&speeds.values, state),
        None => state.rates.clone(),
    }
}

/// Compares at a state if the program is trusted there, and tells whether it is.
#[track_caller]
fn agrees(mechanism: &Mechanism, unrolled: &mut Unrolled, state: &State, what: &str) -> bool {
    let v = speeds(mechanism, state);
    if !unrolled.evaluate(state.t, &state.coordinates, &v) {
        return false;
    }
    let tolerance = match what {
        // Inertias of 10⁻⁷ kg m² beside springs of kilonewtons, and no refinement.
        "andrews-squeezer" => 1e-10,
        // Upright, nothing accelerates: what is left of 9.81 m/s² is rounding.
        "n-four-bar-iftomm-a02" => 1e-11,
        _ => 1e-12,
    };
    let n = v.len();
    let (wanted, multipliers) = general(mechanism, state).unwrap();
    let found = unrolled.result();
    assert_close(&found[..n], &wanted[..n], tolerance, &format!("{what}: q'"));
    assert_close(
        &found[n..2 * n],
        &wanted[n..2 * n],
        tolerance,
        &format!("{what}: v'"),
    );
    let size = wanted[n..].iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    let power = (found[2 * n], wanted[2 * n]);
    assert!(
        (power.0 - power.1).abs() <= tolerance * size,
        "{what}: power {power:?}"
    );
    assert_close(
        unrolled.multipliers(),
        &multipliers,
        tolerance,
        &format!("{what}: multipliers"),
    );
    true
}

fn around(rng: &mut Rng, state: &State, by: f64) -> State {
    let mut state = state.clone();
    state.t += rng.f64();
    for value in state.coordinates.iter_mut().chain(&mut state.rates) {
        *value += (2.0 * rng.f64() - 1.0) * by * (1.0 + value.abs());
    }
    state
}

#[test]
fn every_example_has_the_same_right_hand_side() {
    let mut rng = Rng::with_seed(41);
    for name in names() {
        let mechanism = mechanism(&name);
        let start = mechanism.start().unwrap().state;
        let overconstrained = name.starts_with("bricard");
        if !mechanism.system.servo.is_empty() || mechanism.system.has_laws() || overconstrained {
            // Not symmetric, not linear; what is not regular has its own test.
            let made = Unrolled::new(&mechanism, &start, MOST_OPERATIONS).is_some();
            assert_eq!(made, overconstrained, "{name}");
            continue;
        }
        let mut unrolled = Unrolled::new(&mechanism, &start, MOST_OPERATIONS)
            .unwrap_or_else(|| panic!("{name} is small and regular"));
        assert!(agrees(&mechanism, &mut unrolled, &start, &name));
        let mut trusted = 0;
        for _ in 0..50 {
            let state = around(&mut rng, &start, 0.3);
            trusted += usize::from(agrees(&mechanism, &mut unrolled, &state, &name));
        }
        assert!(trusted >= 40, "{name}: {trusted}");
    }
}

#[test]
fn rows_said_twice_count_once() {
    let mut rng = Rng::with_seed(43);
    for (name, row) in [
        (
            "pendulum",
            "\n[constraint.again]\nholds = \"2*(x^2 + y^2) = 2*l^2\"\n",
        ),
        (
            "rolling-disk",
            "\n[constraint.again]\nholds = \"vel(disk, at = disk.center - r*lean.ez) = 0\"\n",
        ),
    ] {
        let (once, twice) = (mechanism(name), read(&(text(name) + row)).unwrap());
        let start = twice.start().unwrap().state;
        let mut unrolled = Unrolled::new(&twice, &start, MOST_OPERATIONS).unwrap();
        for _ in 0..20 {
            let state = around(&mut rng, &start, 0.1);
            let n = state.coordinates.len();
            let (wanted, _) = general(&once, &state).unwrap();
            assert!(unrolled.evaluate(state.t, &state.coordinates, &state.rates));
            assert_close(&unrolled.result()[..2 * n], &wanted[..2 * n], 1e-12, name);
        }
    }
}

/// Rows of an overconstrained loop depend on each other only where they are met: along its motion.
#[test]
fn rows_of_an_overconstrained_loop_give_way_a_little() {
    let mechanism = mechanism("bricard-iftomm-a04");
    let start = mechanism.start().unwrap();
    let mut unrolled = Unrolled::new(&mechanism, &start.state, MOST_OPERATIONS).unwrap();
    let options = RunOptions {
        span: Some(3.0),
        samples: Some(31),
        ..RunOptions::default()
    };
    let run = simulate(&mechanism, &start, &options, |_| ControlFlow::Continue(())).unwrap();
    let n = start.state.coordinates.len();
    for sample in 0..31 {
        let at = |column: usize| run.table.columns()[column].values[sample];
        let state = State {
            t: at(0),
            coordinates: (1..=n).map(at).collect(),
            rates: (n + 1..=2 * n).map(at).collect(),
            ..State::default()
        };
        let (wanted, _) = general(&mechanism, &state).unwrap();
        assert!(unrolled.evaluate(state.t, &state.coordinates, &state.rates));
        // Samples are met to rounding; what softness is left with is the cube of 10⁻⁶ over squared distances of rows.
        assert_close(
            &unrolled.result()[..2 * n],
            &wanted[..2 * n],
            1e-9,
            "bricard",
        );
    }
}

#[test]
fn too_long_a_program_is_not_made() {
    let mechanism = mechanism("rolling-disk");
    let start = mechanism.start().unwrap().state;
    let unrolled = Unrolled::new(&mechanism, &start, MOST_OPERATIONS).unwrap();
    let length = unrolled.operations();
    assert!(length > 100 && length < 1000, "{length}");
    assert!(Unrolled::new(&mechanism, &start, length - 1).is_none());
    assert!(Unrolled::new(&mechanism, &start, length).is_some());
}

/// A top in Euler angles with its angular velocity in body axes as speeds: B is singular where theta is 0.
const TOP: &str = r#"dalembert = 1
title = "Top"
[parameters]
J = 1
[coordinates]
psi = 0.2
theta = 0.8
phi = 0.4
[speeds]
u1 = "psi'*sin(theta)*sin(phi) + theta'*cos(phi)"
u2 = "psi'*sin(theta)*cos(phi) - theta'*sin(phi)"
u3 = "psi'*cos(theta) + phi'"
[start]
u1 = 0.3
u2 = 0.5
u3 = 4
[energy]
kinetic = "J/2*(u1^2 + 2*u2^2 + 3*u3^2)"
[run]
span = 1
"#;

#[test]
fn near_the_pole_of_euler_angles_there_is_no_trust() {
    let top = read(TOP).unwrap();
    let start = top.start().unwrap().state;
    let mut unrolled = Unrolled::new(&top, &start, MOST_OPERATIONS).unwrap();
    let mut trusted = |theta: f64, phi: f64| {
        let mut state = start.clone();
        (state.coordinates[1], state.coordinates[2]) = (theta, phi);
        agrees(&top, &mut unrolled, &state, "top")
    };
    for theta in [0.1, 0.5, 1.0, 1.5, 2.0, 3.0] {
        assert!(trusted(theta, 0.4));
    }
    // The pole, and the angle at which a pivot chosen at the start vanishes.
    for theta in [1e-5, -1e-7, 0.0, std::f64::consts::PI] {
        assert!(!trusted(theta, 0.4), "{theta}");
    }
    let lost = (0..100)
        .filter(|i| !trusted(0.8, f64::from(*i) * 0.0157))
        .count();
    assert!(lost < 3, "{lost}");
    let right = std::f64::consts::FRAC_PI_2;
    assert!(
        !trusted(0.8, right - 1e-6) || !trusted(0.8, 1e-6),
        "one of the two is the pivot"
    );
}

/// Two rods from a fixed point to a ring about it; in line the three rows are dependent.
const RODS: &str = r#"dalembert = 1
title = "Two rods"
gravity = "[0, -9.81, 0]"
[coordinates]
px = "cos(0.9)"
py = "sin(0.9)"
qx = "2*cos(0.9)"
qy = 0
[particle.P]
mass = 1
position = "[px, py, 0]"
[particle.Q]
mass = 2
position = "[qx, qy, 0]"
[constraint.first]
holds = "px^2 + py^2 = 1"
[constraint.second]
holds = "(qx - px)^2 + (qy - py)^2 = 1"
[constraint.reach]
holds = "qx^2 + qy^2 = 4*cos(0.9)^2"
[run]
span = 1
"#;

#[test]
fn near_collinear_rods_there_is_no_trust() {
    let rods = read(RODS).unwrap();
    let start = rods.start().unwrap().state;
    let mut unrolled = Unrolled::new(&rods, &start, MOST_OPERATIONS).unwrap();
    let mut at = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let state = State {
            coordinates: vec![cos, sin, 2.0 * cos, 0.0],
            ..start.clone()
        };
        let trusted = agrees(&rods, &mut unrolled, &state, "two rods");
        (trusted, unrolled.least().rows)
    };
    assert!(at(0.9).0 && at(0.5).0 && at(0.2).0);
    for angle in [1e-2, 1e-3, 1e-5] {
        // What is left of the last row is the square of the angle.
        let (trusted, least) = at(angle);
        assert!(!trusted, "{angle}");
        assert!(
            least < 10.0 * angle * angle && least > -1e-12,
            "{angle}: {least}"
        );
    }
    assert!(!at(0.0).0);
}

#[test]
fn numbers_that_are_not_finite_are_not_trusted() {
    let mechanism = mechanism("double-pendulum");
    let start = mechanism.start().unwrap().state;
    let mut unrolled = Unrolled::new(&mechanism, &start, MOST_OPERATIONS).unwrap();
    let mut q = start.coordinates.clone();
    for bad in [f64::NAN, f64::INFINITY] {
        q[0] = bad;
        assert!(!unrolled.evaluate(start.t, &q, &start.rates));
    }
    assert!(!unrolled.evaluate(start.t, &start.coordinates, &[1e300, 1e300]));
    assert!(unrolled.evaluate(start.t, &start.coordinates, &start.rates));
}
