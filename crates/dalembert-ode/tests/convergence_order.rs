//! The order of the methods, measured on problems with known solutions.

mod problems;

use dalembert_ode::Method;
use problems::{Kepler, METHODS, Trio, distance, fixed, integrator, run, slope};
use std::ops::ControlFlow;

/// Numbers of steps for which the errors lie between rounding and the first digits.
fn step_counts(method: Method) -> [u32; 5] {
    match method {
        Method::DormandPrince5 => [60, 80, 110, 150, 200],
        Method::DormandPrince8 => [11, 13, 15, 18, 22],
        Method::Radau5 => unreachable!("see stiff.rs"),
    }
}

#[test]
fn steps_converge_with_their_order() {
    let (end, order) = (2.0, |method: Method| method.order() as f64);
    for method in METHODS {
        let runs = step_counts(method).map(|steps| {
            let h = end / f64::from(steps);
            let (report, y) = run(&mut Trio, &fixed(method, h), [0.0, end], Trio::exact(0.0));
            assert_eq!(report.lanes[0].statistics.steps, u64::from(steps));
            (h, y)
        });
        let exact = Trio::exact(end);
        for (name, values) in [("oscillator", 0..2), ("logistic", 2..3), ("−2ty", 3..4)] {
            let error = |y: &[f64; 4]| distance(&y[values.clone()], &exact[values.clone()]);
            let points = runs.each_ref().map(|(h, y)| (*h, error(y)));
            let slope = slope(&points);
            println!(
                "{method:?} {name}: {slope:.3}, errors {:.1e} to {:.1e}",
                points[0].1, points[4].1
            );
            assert!(
                (slope - order(method)).abs() < 0.2,
                "{method:?} {name}: {slope}"
            );
        }
    }
}

/// Largest error of interpolated states over one step of size h from the exact solution. It falls as
/// h^(q + 1), q being the order of the dense output.
fn dense_error(method: Method, h: f64) -> f64 {
    let mut integrator = integrator(4, &fixed(method, h));
    let mut largest = 0.0f64;
    for start in [0.0, 0.7, 1.9, 3.0] {
        let exact = Kepler::exact(0.3, start).map(|value| [value]);
        integrator.run(&mut Kepler, [start], [start + h], &exact, |step| {
            for i in 1..20 {
                let t = start + h * f64::from(i) / 20.0;
                let mut y = [0.0; 4];
                if step.t_new(0) > t {
                    step.state(0, t, &mut y);
                    largest = largest.max(distance(&y, &Kepler::exact(0.3, t)));
                }
            }
            ControlFlow::Continue(())
        });
    }
    largest
}

#[test]
fn dense_output_converges_with_its_order() {
    for method in METHODS {
        let sizes = match method {
            Method::DormandPrince5 => [0.01, 0.015, 0.02, 0.03, 0.04],
            Method::DormandPrince8 => [0.08, 0.1, 0.12, 0.15, 0.18],
            Method::Radau5 => unreachable!("see stiff.rs"),
        };
        let points = sizes.map(|h| (h, dense_error(method, h)));
        println!("{method:?} {points:?}");
        let local = slope(&points);
        let order = method.dense_order() as f64;
        println!("{method:?}: dense {local:.3}");
        assert!((local - 1.0 - order).abs() < 0.2, "{method:?}: {local}");
    }
}
