//! States between the steps, and samples at given times.
#![allow(clippy::float_cmp, reason = "equal to the bit is what is claimed")]

mod problems;

use dalembert_ode::{Method, Options, Samples};
use problems::{Kepler, METHODS, distance, fixed, integrator, tolerance};
use std::ops::ControlFlow;

#[test]
fn steps_join_in_value_and_rate() {
    for method in METHODS {
        for options in [tolerance(method, 1e-8), fixed(method, 0.02)] {
            let mut integrator = integrator(4, &options);
            let mut before: Option<([f64; 4], [f64; 4], f64)> = None;
            let mut joints = 0;
            integrator.run(&mut Kepler, [0.0], [6.0], &Kepler::start(0.5), |step| {
                let (a, b) = (step.t_old(0), step.t_new(0));
                // Just inside, so that the polynomial is evaluated and not the stored ends.
                let inside = (b - a) * 1e-9;
                let [mut y, mut rate] = [[0.0; 4]; 2];
                if b > a {
                    step.state(0, a + inside, &mut y);
                    step.rate(0, a, &mut rate);
                    if let Some((y_before, rate_before, inside_before)) = before {
                        let scale = rate.iter().fold(1.0, |s: f64, r| s.max(r.abs()));
                        let jump = distance(&y, &y_before);
                        assert!(
                            jump < 2.0 * scale * (inside + inside_before) + 1e-14,
                            "{method:?} at {a}: {jump:e}"
                        );
                        let kink = distance(&rate, &rate_before);
                        assert!(kink < 1e-12 * scale, "{method:?} at {a}: {kink:e}");
                        joints += 1;
                    }
                }
                step.state(0, b - inside, &mut y);
                step.rate(0, b, &mut rate);
                before = Some((y, rate, inside));
                ControlFlow::Continue(())
            });
            assert!(joints > 10);
        }
    }
}

#[test]
fn interpolated_states_are_as_good_as_the_steps() {
    for method in METHODS {
        let mut integrator = integrator(4, &tolerance(method, 1e-9));
        let (mut at_ends, mut between) = (0.0f64, 0.0f64);
        integrator.run(&mut Kepler, [0.0], [6.0], &Kepler::start(0.5), |step| {
            let (a, b) = (step.t_old(0), step.t_new(0));
            let mut y = [0.0; 4];
            step.state(0, b, &mut y);
            at_ends = at_ends.max(distance(&y, &Kepler::exact(0.5, b)));
            for i in (1..10).filter(|_| b > a) {
                let t = a + (b - a) * f64::from(i) / 10.0;
                step.state(0, t, &mut y);
                between = between.max(distance(&y, &Kepler::exact(0.5, t)));
            }
            ControlFlow::Continue(())
        });
        println!("{method:?}: at ends {at_ends:e}, between {between:e}");
        assert!(
            between < 4.0 * at_ends,
            "{method:?}: {between:e} against {at_ends:e}"
        );
    }
}

/// Runs with samples; returns index, time and first value of each.
fn sampled(method: Method, span: [f64; 2], times: &[f64]) -> Vec<(usize, f64, [f64; 4])> {
    let mut integrator = integrator(4, &tolerance(method, 1e-10));
    let start = Kepler::exact(0.3, span[0]).map(|value| [value]);
    let mut samples = Samples::new([times]);
    let mut seen = Vec::new();
    integrator.run(&mut Kepler, [span[0]], [span[1]], &start, |step| {
        samples.deliver(step, |_, sample| {
            let y = std::array::from_fn(|i| sample.y[i][0]);
            seen.push((sample.index[0], sample.t[0], y));
            ControlFlow::Continue(())
        })
    });
    seen
}

#[test]
fn samples_come_in_order_with_start_and_end() {
    for method in METHODS {
        let times: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.05).collect();
        let seen = sampled(method, [0.0, times[100]], &times);
        assert_eq!(seen.len(), times.len());
        for (i, (index, t, y)) in seen.iter().enumerate() {
            assert_eq!((*index, *t), (i, times[i]));
            let error = distance(y, &Kepler::exact(0.3, *t));
            assert!(error < 2e-8, "{method:?} at {t}: {error:e}");
        }
        assert_eq!(seen[0].2, Kepler::exact(0.3, 0.0));
    }
}

#[test]
fn samples_run_backward_too() {
    let times = [4.0, 3.5, 3.0, 0.25, 0.0];
    let seen = sampled(Method::DormandPrince8, [4.0, 0.0], &times);
    assert_eq!(seen.len(), 5);
    for (_, t, y) in seen {
        assert!(distance(&y, &Kepler::exact(0.3, t)) < 1e-8);
    }
}

#[test]
fn samples_outside_the_span_are_passed_over_and_repeated_ones_are_not() {
    let seen = sampled(
        Method::DormandPrince5,
        [1.0, 2.0],
        &[-1.0, 0.5, 1.0, 1.5, 1.5, 2.0, 2.5],
    );
    let indices: Vec<usize> = seen.iter().map(|sample| sample.0).collect();
    assert_eq!(indices, [2, 3, 4, 5]);
    assert_eq!(seen[1], (3, 1.5, seen[2].2));
    let nothing = sampled(Method::DormandPrince5, [1.0, 1.0], &[0.0, 1.0, 2.0]);
    assert_eq!(nothing.len(), 1);
}

#[test]
fn dense_output_is_paid_only_where_it_is_wanted() {
    let evaluations = |times: &[f64]| {
        let mut integrator = integrator(4, &Options::default());
        let mut samples = Samples::new([times]);
        let report = integrator.run(&mut Kepler, [0.0], [5.0], &Kepler::start(0.3), |step| {
            samples.deliver(step, |_, _| ControlFlow::Continue(()))
        });
        report.lanes[0].statistics.evaluations
    };
    let none = evaluations(&[0.0, 5.0]);
    assert_eq!(evaluations(&[1.0, 1.0 + 1e-9]), none + 3);
    assert_eq!(evaluations(&[1.0, 4.0]), none + 6);
}
