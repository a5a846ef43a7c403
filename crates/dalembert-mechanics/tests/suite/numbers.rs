//! Numbers of a system at a state, random states, vectors and differences.

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use fastrand::Rng;

/// Random states per system.
pub(crate) const STATES: usize = 20;

/// M, h, w, A, b at a state, owned.
pub(crate) struct Canonical {
    pub(crate) mass: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) nonideal: Vec<f64>,
    pub(crate) jacobian: Vec<f64>,
    pub(crate) bias: Vec<f64>,
}

pub(crate) fn canonical(mechanism: &Mechanism, state: &State) -> Canonical {
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let found = evaluator.canonical();
    Canonical {
        mass: found.mass.to_vec(),
        force: found.force.to_vec(),
        nonideal: found.nonideal.to_vec(),
        jacobian: found.jacobian.to_vec(),
        bias: found.bias.to_vec(),
    }
}

/// A state without symmetry, away from the poles of the usual angles and lengths.
pub(crate) fn random_state(rng: &mut Rng, n: usize) -> State {
    let mut number = |from: f64, to: f64| from + (to - from) * rng.f64();
    State {
        t: number(-1.0, 2.0),
        coordinates: (0..n).map(|_| number(0.3, 1.3)).collect(),
        rates: (0..n).map(|_| number(-2.0, 2.0)).collect(),
        ..State::default()
    }
}

pub(crate) fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() <= tolerance * size,
            "{what}: found {found:?}, expected {expected:?}"
        );
    }
}

pub(crate) type Vector = [f64; 3];

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Derivative of a function of one number at 0, to fourth order.
pub(crate) fn slope(step: f64, f: impl Fn(f64) -> f64) -> f64 {
    (f(-2.0 * step) - 8.0 * f(-step) + 8.0 * f(step) - f(2.0 * step)) / (12.0 * step)
}
