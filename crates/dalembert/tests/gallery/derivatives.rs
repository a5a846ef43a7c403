//! Exact derivatives of the right-hand side, against differences of it: on every example, around its start.

use crate::support::{mechanism, names, read, text};
use dalembert::simulate::RightHandSide;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use fastrand::Rng;

/// Column by column: the formula of order four through five points.
fn differences(right: &mut RightHandSide<'_>, t: f64, y: &[f64], by: f64) -> Option<Vec<f64>> {
    let size = y.len();
    let mut jacobian = vec![0.0; size * size];
    for column in 0..size - 1 {
        let step = by * y[column].abs().max(0.1);
        for (times, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
            let mut shifted = y.to_vec();
            shifted[column] += times * step;
            let mut f = vec![0.0; size];
            right.derivative(t, &shifted, &mut f).ok()?;
            for (row, f) in f.iter().enumerate() {
                jacobian[row * size + column] += weight * f / (12.0 * step);
            }
        }
    }
    Some(jacobian)
}

fn around(rng: &mut Rng, state: &State, by: f64) -> State {
    let mut state = state.clone();
    for value in state.coordinates.iter_mut().chain(&mut state.rates) {
        *value += (2.0 * rng.f64() - 1.0) * by * value.abs().max(0.1);
    }
    state
}

/// Compares at a state; whether there was something to compare.
#[track_caller]
fn agrees(right: &mut RightHandSide<'_>, state: &State, what: &str) -> bool {
    let y = right.start(state);
    let size = y.len();
    let mut exact = vec![0.0; size * size];
    if !right.jacobian(state.t, &y, &mut exact) {
        return false;
    }
    let coarse = differences(right, state.t, &y, 2e-4);
    let Some((coarse, expected)) = coarse.zip(differences(right, state.t, &y, 4e-5)) else {
        return false;
    };
    // Differences have the rounding of everything that is coupled.
    let rounding = expected.iter().fold(0.0_f64, |a, b| a.max(b.abs())) * 1e-13;
    for row in 0..size {
        let line = |matrix: &[f64]| matrix[row * size..][..size].to_vec();
        let (found, coarse, expected) = (line(&exact), line(&coarse), line(&expected));
        let largest = expected.iter().fold(1e-3_f64, |a, b| a.max(b.abs()));
        let columns = found.iter().zip(&coarse).zip(&expected).enumerate();
        for (column, ((found, coarse), expected)) in columns {
            // Steps five times as long err 625 times as much.
            let error = ((coarse - expected).abs() / 100.0).min(1e-4 * largest);
            assert!(
                (found - expected).abs() <= 1e-6 * largest + rounding + error,
                "{what}: row {row} column {column} of {size}: {found} is not {expected}"
            );
        }
    }
    true
}

fn compare(mechanism: &Mechanism, what: &str) -> usize {
    let mut rng = Rng::with_seed(14);
    let start = mechanism.start().unwrap().state;
    let states: Vec<State> = (0..4).map(|_| around(&mut rng, &start, 0.05)).collect();
    let compared = states.iter().filter(|state| {
        let mut right = RightHandSide::new(mechanism, state);
        agrees(&mut right, state, what)
    });
    compared.count()
}

/// Exact means exact: laws, servo constraints, quasi-velocities and rows of every level among them.
#[test]
fn every_example_has_the_derivatives_of_its_right_hand_side() {
    for name in names() {
        let mechanism = mechanism(&name);
        if name.starts_with("bricard")
            || ["billiard-ball", "rough-wedge", "stick-slip"].contains(&&*name)
        {
            // The rows of the one depend on each other, those of the others hold a rate still, so the equations alone do not tell.
            let start = mechanism.start().unwrap().state;
            let mut right = RightHandSide::new(&mechanism, &start);
            assert!(!agrees(&mut right, &start, &name));
            continue;
        }
        assert_eq!(compare(&mechanism, &name), 4, "{name}");
    }
}

#[test]
fn rows_said_twice_have_no_exact_derivatives() {
    let row = "\n[constraint.again]\nholds = \"2*(x^2 + y^2) = 2*l^2\"\n";
    let twice = read(&(text("pendulum") + row)).unwrap();
    assert_eq!(compare(&twice, "pendulum"), 0);
}
