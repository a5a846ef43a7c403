//! Problems with known solutions, and ways to run them, shared by the tests.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses some of them"
)]

use dalembert_ode::{
    Absolute, Evaluation, Integrator, Method, Options, Projection, Report, System,
};
use std::ops::ControlFlow;

pub const METHODS: [Method; 2] = [Method::DormandPrince5, Method::DormandPrince8];

/// Kepler's problem in the plane, G m = 1, state x, y, x', y'.
pub struct Kepler;

impl<const L: usize> System<L> for Kepler {
    fn size(&self) -> usize {
        4
    }

    fn derivative(&mut self, _now: &mut Evaluation<L>, y: &[[f64; L]], dy: &mut [[f64; L]]) {
        for l in 0..L {
            let square = y[0][l] * y[0][l] + y[1][l] * y[1][l];
            let cube = square * square.sqrt();
            dy[0][l] = y[2][l];
            dy[1][l] = y[3][l];
            dy[2][l] = -y[0][l] / cube;
            dy[3][l] = -y[1][l] / cube;
        }
    }
}

impl Kepler {
    /// State at time t after the pericentre of an orbit with semi-axis 1.
    pub fn exact(eccentricity: f64, t: f64) -> [f64; 4] {
        let e = eccentricity;
        let mut anomaly = t;
        for _ in 0..50 {
            anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
        }
        let (sin, cos) = anomaly.sin_cos();
        let root = (1.0 - e * e).sqrt();
        let rate = 1.0 / (1.0 - e * cos);
        [cos - e, root * sin, -sin * rate, root * cos * rate]
    }

    pub fn start(eccentricity: f64) -> [[f64; 1]; 4] {
        Kepler::exact(eccentricity, 0.0).map(|value| [value])
    }
}

/// Three small problems in one state: the linear oscillator cos 3t, −sin 3t; the logistic growth
/// y' = 3 y (1 − y) from 1/10; and y' = −2 t y, exp(−t²), which depends on time.
pub struct Trio;

impl<const L: usize> System<L> for Trio {
    fn size(&self) -> usize {
        4
    }

    fn derivative(&mut self, now: &mut Evaluation<L>, y: &[[f64; L]], dy: &mut [[f64; L]]) {
        for l in 0..L {
            dy[0][l] = 3.0 * y[1][l];
            dy[1][l] = -3.0 * y[0][l];
            dy[2][l] = 3.0 * y[2][l] * (1.0 - y[2][l]);
            dy[3][l] = -2.0 * now.t[l] * y[3][l];
        }
    }
}

impl Trio {
    pub fn exact(t: f64) -> [f64; 4] {
        let growth = 1.0 / (1.0 + 9.0 * (-3.0 * t).exp());
        [(3.0 * t).cos(), -(3.0 * t).sin(), growth, (-t * t).exp()]
    }
}

/// Pendulums of given frequency in each lane; a lane can be made to fail after a time. Writes rubbish wherever
/// it may, and moves some states a little when it projects.
#[derive(Clone)]
pub struct Pendulums<const L: usize> {
    pub frequency: [f64; L],
    pub fails_after: [f64; L],
}

impl<const L: usize> System<L> for Pendulums<L> {
    fn size(&self) -> usize {
        2
    }

    fn derivative(&mut self, now: &mut Evaluation<L>, y: &[[f64; L]], dy: &mut [[f64; L]]) {
        for l in 0..L {
            let w = self.frequency[l];
            dy[0][l] = y[1][l];
            dy[1][l] = -w * w * y[0][l].sin();
            if now.t[l] > self.fails_after[l] || !now.active[l] {
                dy[1][l] = f64::NAN;
            }
        }
    }

    fn project(
        &mut self,
        _t: &[f64; L],
        y: &mut [[f64; L]],
        active: &[bool; L],
    ) -> [Projection; L] {
        for l in (0..L).filter(|&l| !active[l]) {
            y[0][l] = f64::NAN;
        }
        std::array::from_fn(|l| match y[0][l] > 0.5 {
            true => {
                y[0][l] += 1e-12;
                Projection::Moved { residual: 0.0 }
            }
            false => Projection::Unchanged { residual: 0.0 },
        })
    }
}

pub fn tolerance(method: Method, tolerance: f64) -> Options {
    Options {
        method,
        rtol: tolerance,
        atol: Absolute::All(tolerance),
        ..Options::default()
    }
}

pub fn fixed(method: Method, h: f64) -> Options {
    Options {
        method,
        fixed_step: Some(h),
        ..Options::default()
    }
}

pub fn integrator<const L: usize>(size: usize, options: &Options) -> Integrator<L> {
    Integrator::new(size, options).expect("the options of the tests make sense")
}

/// Runs one lane to the end without looking, and returns the end state too.
pub fn run<S: System<1>, const N: usize>(
    system: &mut S,
    options: &Options,
    span: [f64; 2],
    start: [f64; N],
) -> (Report<1>, [f64; N]) {
    let mut integrator = integrator(N, options);
    let start = start.map(|value| [value]);
    let report = integrator.run(system, [span[0]], [span[1]], &start, |_| {
        ControlFlow::Continue(())
    });
    let mut end = [0.0; N];
    for (end, y) in end.iter_mut().zip(integrator.state()) {
        *end = y[0];
    }
    (report, end)
}

/// Largest difference of two states.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

/// Slope of the line of least squares through (log h, log error).
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, e)| (h.ln(), e.ln())).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let variance: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    covariance / variance
}
