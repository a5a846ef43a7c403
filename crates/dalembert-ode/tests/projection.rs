//! Constrained motion stays on its manifold, at the steps and between them.

mod problems;

use dalembert_ode::{Evaluation, Projection, Samples, System};
use problems::{METHODS, integrator, tolerance};
use std::ops::ControlFlow;

const GRAVITY: f64 = 9.81;
/// What two Newton steps reach in f64 for lengths and speeds of this size.
const RESIDUAL: f64 = 1e-12;

/// The pendulum of length 1 in Cartesian coordinates x, y, x', y': the constraint x² + y² = 1 is in the
/// equations only as its second derivative, so it drifts unless it is projected.
struct Pendulum {
    projects: bool,
}

fn residuals(s: [f64; 4]) -> [f64; 2] {
    [s[0] * s[0] + s[1] * s[1] - 1.0, s[0] * s[2] + s[1] * s[3]]
}

impl System<1> for Pendulum {
    fn size(&self) -> usize {
        4
    }

    fn derivative(&mut self, _now: &mut Evaluation<1>, s: &[[f64; 1]], ds: &mut [[f64; 1]]) {
        let [x, y, u, v] = [s[0][0], s[1][0], s[2][0], s[3][0]];
        let lambda = (u * u + v * v - GRAVITY * y) / (x * x + y * y);
        ds[0] = [u];
        ds[1] = [v];
        ds[2] = [-lambda * x];
        ds[3] = [-lambda * y - GRAVITY];
    }

    fn project(
        &mut self,
        _t: &[f64; 1],
        s: &mut [[f64; 1]],
        active: &[bool; 1],
    ) -> [Projection; 1] {
        assert_eq!(*active, [true]);
        if !self.projects {
            return [Projection::Unchanged { residual: 0.0 }];
        }
        let length = s[0][0].hypot(s[1][0]);
        let [x, y] = [s[0][0] / length, s[1][0] / length];
        let along = s[2][0] * x + s[3][0] * y;
        let state = [x, y, s[2][0] - along * x, s[3][0] - along * y];
        for (s, value) in s.iter_mut().zip(state) {
            s[0] = value;
        }
        [Projection::Moved {
            residual: residuals(state).iter().fold(0.0, |m, r| r.abs().max(m)),
        }]
    }
}

fn energy(s: [f64; 4]) -> f64 {
    (s[2] * s[2] + s[3] * s[3]) / 2.0 + GRAVITY * s[1]
}

/// Largest residual at samples, at steps as reported, and change of energy.
fn swing(method: dalembert_ode::Method, projects: bool) -> [f64; 3] {
    let mut pendulum = Pendulum { projects };
    let mut integrator = integrator(4, &tolerance(method, 1e-6));
    let times: Vec<f64> = (0..=1000).map(|i| f64::from(i) / 100.0).collect();
    let mut samples = Samples::new([&times]);
    if projects {
        samples = samples.projected();
    }
    let start = [1.0, 0.0, 0.0, 0.0];
    let (mut largest, mut drift, mut count) = (0.0f64, 0.0f64, 0);
    let report = integrator.run(&mut pendulum, [0.0], [10.0], &start.map(|v| [v]), |step| {
        samples.deliver(step, |_, sample| {
            let state = std::array::from_fn(|i| sample.y[i][0]);
            largest = residuals(state).iter().fold(largest, |m, r| r.abs().max(m));
            drift = drift.max((energy(state) - energy(start)).abs());
            count += 1;
            ControlFlow::Continue(())
        })
    });
    assert_eq!(report.failure(), None);
    assert_eq!(count, 1001);
    [largest, report.lanes[0].statistics.max_residual, drift]
}

#[test]
fn projection_keeps_the_pendulum_on_its_circle() {
    for method in METHODS {
        let [samples, steps, drift] = swing(method, true);
        let [free_samples, _, free_drift] = swing(method, false);
        println!(
            "{method:?}: residual {samples:e} {steps:e} (free {free_samples:e}), energy {drift:e} (free {free_drift:e})"
        );
        assert!(samples <= RESIDUAL, "{method:?}: {samples:e} at samples");
        assert!(steps <= RESIDUAL, "{method:?}: {steps:e} at steps");
        assert!(
            free_samples > 1e3 * RESIDUAL,
            "{method:?}: no drift without projection"
        );
        assert!(drift < 1e-3, "{method:?}: energy changes by {drift:e}");
    }
}
