//! Errors are measured by the motion itself: no unit of the state is built in; jumps are crossed, poles are not.

mod problems;

use dalembert_ode::{
    Absolute, End, Evaluation, Failure, Mask, Measure, Method, Options, Projection, Report, System,
    function,
};
use problems::{METHODS, integrator};
use std::ops::ControlFlow;

fn measured(method: Method, size: usize) -> Options {
    let group = |group| Measure::Group {
        group,
        unit: 1.0,
        part: 2 + group,
        share: 1.0,
    };
    Options {
        method,
        rtol: 1e-9,
        atol: Absolute::Measured((0..size).map(|i| group(i * 2 / size)).collect()),
        ..Options::default()
    }
}

fn run<S: System<1>>(
    system: &mut S,
    options: &Options,
    end: f64,
    y0: &[f64],
) -> (Report<1>, Vec<f64>) {
    let mut stepper = integrator::<1>(y0.len(), options);
    let y0: Vec<[f64; 1]> = y0.iter().map(|&y| [y]).collect();
    let go_on = |_: &mut dalembert_ode::Step<'_, S, 1>| ControlFlow::Continue(());
    let report = stepper.run(system, [0.0], [end], &y0, go_on);
    (report, stepper.state().as_flattened().to_vec())
}

/// A pendulum in the plane in any units of length and time: the same steps, and the same motion.
#[test]
fn units_do_not_matter() {
    for method in METHODS {
        let of = |length: f64, time: f64| {
            // x'' = −ω² x, y'' = −4 ω² y, from rest in x: speeds are in length over time.
            let w = 1.0 / (time * time);
            let mut system = function(4, move |_t, y: &[[f64; 1]], dy| {
                (dy[0], dy[1]) = (y[2], y[3]);
                (dy[2], dy[3]) = ([-w * y[0][0]], [-4.0 * w * y[1][0]]);
            });
            let start = [length, 0.0, 0.0, 0.3 * length / time];
            let (report, y) = run(&mut system, &measured(method, 4), 5.0 * time, &start);
            assert_eq!(report.lanes[0].end, End::Reached, "{length:e} {time:e}");
            (report.lanes[0].statistics.steps, y[0] / length)
        };
        let (steps, x) = of(1.0, 1.0);
        assert!((x - 5.0_f64.cos()).abs() < 1e-7, "{x}");
        for (length, time) in [(1e-100, 1.0), (1e100, 1.0), (1e-9, 1e-6), (1e6, 1e6)] {
            let (other, there) = of(length, time);
            assert!(other.abs_diff(steps) <= 10, "{other} for {steps}");
            assert!((there - 5.0_f64.cos()).abs() < 1e-7, "{there}");
        }
    }
}

/// What is zero by symmetry, but for rounding, costs nothing.
#[test]
fn rounding_in_a_symmetric_motion_is_not_chased() {
    for method in METHODS {
        let steps = |noise: f64| {
            let mut system = function(4, move |t: &[f64; 1], y: &[[f64; 1]], dy| {
                (dy[0], dy[1]) = (y[2], y[3]);
                let jitter = noise * (t[0] * 1e6).sin();
                (dy[2], dy[3]) = ([-y[0][0]], [-y[1][0] + jitter]);
            });
            let options = measured(method, 4);
            let (report, _) = run(&mut system, &options, 20.0, &[1.0, 0.0, 0.0, 0.0]);
            report.lanes[0].statistics.steps
        };
        assert!(steps(1e-16) <= steps(0.0) + 3);
    }
}

#[test]
fn a_jump_of_the_derivative_is_crossed() {
    for method in METHODS {
        for force in [1e-9, 1.0, 1e9] {
            let mut system = function(2, |t: &[f64; 1], y: &[[f64; 1]], dy| {
                (dy[0], dy[1]) = (y[1], [if t[0] < 1.0 / 3.0 { 0.0 } else { force }]);
            });
            let (report, y) = run(&mut system, &measured(method, 2), 1.0, &[0.0, 0.0]);
            assert_eq!(report.lanes[0].end, End::Reached, "{method:?} {force:e}");
            let wanted = force * (2.0_f64 / 3.0).powi(2) / 2.0;
            assert!((y[0] / wanted - 1.0).abs() < 1e-8, "{method:?}: {y:?}");
        }
    }
}

#[test]
fn a_pole_is_not_crossed() {
    for method in METHODS {
        for power in [1, 2] {
            let mut system = function(1, move |t: &[f64; 1], _: &[[f64; 1]], dy| {
                dy[0] = [(0.7 - t[0]).powi(-power)];
            });
            let (report, _) = run(&mut system, &measured(method, 1), 1.0, &[1.0]);
            let lane = &report.lanes[0];
            assert!(matches!(lane.end, End::Failed(_)), "{:?}", lane.end);
            assert!((lane.t - 0.7).abs() < 1e-3, "{}", lane.t);
        }
    }
}

/// A particle along y = |x|.
struct Corner;

impl System<1> for Corner {
    fn size(&self) -> usize {
        4
    }

    fn derivative(&mut self, _: &mut Evaluation<1>, y: &[[f64; 1]], dy: &mut [[f64; 1]]) {
        (dy[0], dy[1], dy[2], dy[3]) = (y[2], y[3], [0.0], [0.0]);
    }

    fn project(&mut self, _: &[f64; 1], y: &mut [[f64; 1]], _: &Mask<1>) -> [Projection; 1] {
        let slope = y[0][0].signum();
        let (along, speed) = (
            f64::midpoint(y[0][0], slope * y[1][0]),
            f64::midpoint(y[2][0], slope * y[3][0]),
        );
        (y[0], y[1], y[2], y[3]) = ([along], [slope * along], [speed], [slope * speed]);
        [Projection::Moved { residual: 0.0 }]
    }
}

#[test]
fn a_projection_is_no_jump() {
    for method in METHODS {
        let options = measured(method, 4);
        let (report, y) = run(&mut Corner, &options, 2.0, &[1.0, 1.0, -1.0, -1.0]);
        let End::Failed(Failure::Displaced { t, .. }) = report.lanes[0].end else {
            panic!("{:?}", report.lanes[0].end);
        };
        assert!((t - 1.0).abs() < 1e-6 && y[0] >= -1e-6, "{t} {y:?}");
    }
}

/// The estimated error of a value that controls nothing bounds what it errs by.
#[test]
fn the_error_of_a_free_value_is_told() {
    let mut options = measured(Method::DormandPrince8, 2);
    let Absolute::Measured(measures) = &mut options.atol else {
        unreachable!()
    };
    measures[1] = Measure::Free;
    let mut system = function(2, |t: &[f64; 1], _: &[[f64; 1]], dy| {
        (dy[0], dy[1]) = ([1.0], [(10.0 * t[0]).cos()]);
    });
    let mut stepper = integrator::<1>(2, &options);
    let mut bound = 0.0;
    stepper.run(&mut system, [0.0], [3.0], &[[1.0], [0.0]], |step| {
        bound += step.error_of(0, 1).abs();
        ControlFlow::Continue(())
    });
    let error = (stepper.state()[1][0] - 30.0_f64.sin() / 10.0).abs();
    assert!(error <= bound && bound > 0.0, "{error:e} {bound:e}");
}

/// Rounding in place of a zero is no scale.
#[test]
fn a_start_that_is_zero_but_for_rounding_starts() {
    for method in METHODS {
        let mut system = function(2, |_t, y: &[[f64; 1]], dy| (dy[0], dy[1]) = (y[1], [2.0]));
        let (report, y) = run(&mut system, &measured(method, 2), 1.0, &[0.9, -3e-17]);
        assert_eq!(report.lanes[0].end, End::Reached);
        assert!((y[0] - 1.9).abs() < 1e-8, "{y:?}");
    }
}
