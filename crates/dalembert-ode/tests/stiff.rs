//! Radau IIA on stiff problems with published or closed solutions.

use dalembert_ode::{
    Absolute, Integrator, Method, Options, OptionsError, Samples, Statistics, function,
};
use std::ops::ControlFlow;

fn options(rtol: f64) -> Options {
    Options {
        method: Method::Radau5,
        rtol,
        atol: Absolute::All(rtol),
        ..Options::default()
    }
}

fn run(
    y0: &[f64],
    t_end: f64,
    options: &Options,
    mut f: impl FnMut(f64, &[f64], &mut [f64]),
) -> (Vec<f64>, Statistics) {
    let n = y0.len();
    let mut system = function(n, |t: &[f64; 1], y: &[[f64; 1]], dy: &mut [[f64; 1]]| {
        f(t[0], y.as_flattened(), dy.as_flattened_mut());
    });
    let mut integrator = Integrator::new(n, options).expect("options");
    let start = y0.as_chunks().0;
    let report = integrator.run(&mut system, [0.0], [t_end], start, |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(report.failure(), None);
    (
        integrator.state().as_flattened().to_vec(),
        report.lanes[0].statistics,
    )
}

/// Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.10, and the test set for initial value problem
/// solvers: VDPOL, ε = 10⁻⁶, at t = 2.
#[test]
fn van_der_pol_ends_where_it_is_published() {
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (y, cost) = run(&[2.0, 0.0], 2.0, &options(rtol), |_, y, dy| {
            dy[0] = y[1];
            dy[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
        });
        let expected = [1.706_167_732_170_483, -0.892_809_701_024_797_5];
        for (found, expected) in y.iter().zip(expected) {
            let error = (found - expected).abs();
            assert!(error < 50.0 * rtol, "rtol {rtol}: {error:e}, {cost:?}");
        }
        println!("rtol {rtol:e}: {cost:?}");
        assert!((cost.steps as f64) < 35.0 * rtol.powf(-0.25), "{cost:?}");
        assert!(cost.jacobians < cost.steps, "{cost:?}");
    }
}

/// The same, ROBER: a reaction over eleven decades of time. Its sum is kept, and at 10¹¹ it is at its published end.
#[test]
fn robertson_is_at_rest_after_eleven_decades() {
    let mut options = options(1e-8);
    options.atol = Absolute::Each(vec![1e-10, 1e-14, 1e-10]);
    let (y, cost) = run(&[1.0, 0.0, 0.0], 1e11, &options, |_, y, dy| {
        let (a, b, c) = (0.04 * y[0], 3e7 * y[1] * y[1], 1e4 * y[1] * y[2]);
        (dy[0], dy[1], dy[2]) = (c - a, a - b - c, b);
    });
    assert!(
        (y[0] / 2.083_340_149_701_255e-8 - 1.0).abs() < 1e-5,
        "{y:?}"
    );
    assert!(
        (y[1] / 8.333_360_770_334_713e-14 - 1.0).abs() < 1e-5,
        "{y:?}"
    );
    assert!(cost.steps < 1000, "{cost:?}");
}

/// y' = −k (y − cos t) − sin t: y = cos t, however stiff. Errors of steps of equal length fall with the fifth power where the
/// steps see what is stiff, and with the third or better where they do not.
#[test]
fn the_order_is_five_and_three_in_the_stiff_limit() {
    let error = |stiffness: f64, h: f64| {
        let fixed = Options {
            fixed_step: Some(h),
            ..options(1e-13)
        };
        let (y, _) = run(&[1.0], 1.0, &fixed, |t, y, dy| {
            dy[0] = -stiffness * (y[0] - t.cos()) - t.sin();
        });
        (y[0] - 1.0_f64.cos()).abs()
    };
    let order = |stiffness: f64, h: f64| (error(stiffness, h) / error(stiffness, h / 2.0)).log2();
    assert!(
        (order(1.0, 0.125) - 5.0).abs() < 0.4,
        "{}",
        order(1.0, 0.125)
    );
    assert!(order(1e5, 0.125) > 2.7, "{}", order(1e5, 0.125));
    assert!(error(1e8, 0.1) < 1e-9);
}

/// The polynomial through the stages errs about as much as the tolerance allows.
#[test]
fn states_between_the_ends_are_as_good() {
    let times: Vec<f64> = (0..=1000).map(|i| f64::from(i) / 100.0).collect();
    let mut system = function(2, |_: &[f64; 1], y: &[[f64; 1]], dy: &mut [[f64; 1]]| {
        (dy[0], dy[1]) = (y[1], [-y[0][0]]);
    });
    for rtol in [1e-4, 1e-6, 1e-8] {
        let mut integrator = Integrator::new(2, &options(rtol)).expect("options");
        let (mut samples, mut worst) = (Samples::new([&times]), 0.0_f64);
        let start = [[1.0], [0.0]];
        integrator.run(&mut system, [0.0], [10.0], &start, |step| {
            samples.deliver(step, |_, sample| {
                worst = worst.max((sample.y[0][0] - sample.t[0].cos()).abs());
                ControlFlow::Continue(())
            })
        });
        assert!(worst < 10.0 * rtol, "rtol {rtol}: {worst:e}");
    }
}

#[test]
fn several_lanes_are_refused() {
    let refused = Integrator::<8>::new(2, &options(1e-6)).unwrap_err();
    assert_eq!(refused, OptionsError::Lanes(Method::Radau5));
    assert_eq!(refused.to_string(), "Radau5 takes one lane");
}

/// A mass on a spring of 10⁹ N/m that swings: J turns with it. Started at the loaded length it is a rigid pendulum, whose period
/// is given by the complete elliptic integral; steps are as long as the swing allows, however stiff the spring.
#[test]
fn a_stiff_spring_that_swings_takes_the_steps_of_a_pendulum() {
    let mut steps = Vec::new();
    for stiffness in [1e5, 1e7, 1e9, 1e11] {
        let g = 9.81;
        let (y, cost) = run(&[1.0, 0.0, 0.0, 0.0], 2.0, &options(1e-6), |_, y, dy| {
            let length = y[0].hypot(y[1]);
            let pull = stiffness * (length - 1.0) / length;
            let damping = 1e-3 * stiffness * (y[0] * y[2] + y[1] * y[3]) / (length * length);
            (dy[0], dy[1]) = (y[2], y[3]);
            dy[2] = -(pull + damping) * y[0];
            dy[3] = -(pull + damping) * y[1] - g;
        });
        let energy = (y[2] * y[2] + y[3] * y[3]) / 2.0 + g * y[1];
        assert!(energy.abs() < 1e3 / stiffness + 2e-4, "{energy:e}");
        steps.push(cost.steps + cost.rejected);
    }
    assert!(steps[2] < 300 && steps[3] < 600, "{steps:?}");
}
