//! Sizes and numbers of steps: landing, limits, regression of the statistics.
#![allow(clippy::float_cmp, reason = "equal to the bit is what is claimed")]

mod problems;

use dalembert_ode::{End, Options, Statistics, function};
use problems::{Kepler, METHODS, fixed, integrator, run, tolerance};
use std::ops::ControlFlow;

/// Times of the ends of all steps, the start included.
fn times(options: &Options, span: [f64; 2]) -> Vec<f64> {
    let mut integrator = integrator(4, options);
    let mut times = Vec::new();
    let start = Kepler::start(0.5);
    integrator.run(&mut Kepler, [span[0]], [span[1]], &start, |step| {
        times.push(step.t_new(0));
        ControlFlow::Continue(())
    });
    times
}

#[test]
fn runs_land_exactly_on_their_end() {
    for method in METHODS {
        for end in [0.1, 1.0 / 3.0, 7.3, -5.1, 1e-9, 0.7 + 0.1 + 0.2] {
            for options in [tolerance(method, 1e-7), fixed(method, 0.07)] {
                let (report, _) = run(&mut Kepler, &options, [0.7, end], Kepler::exact(0.2, 0.0));
                assert_eq!(
                    report.lanes[0].t.to_bits(),
                    end.to_bits(),
                    "{method:?} {end}"
                );
                assert_eq!(report.lanes[0].end, End::Reached);
            }
        }
    }
}

#[test]
fn a_span_of_zero_length_is_at_its_end_and_is_seen_once() {
    let seen = times(&Options::default(), [2.0, 2.0]);
    assert_eq!(seen, [2.0]);
}

#[test]
fn fixed_steps_are_equal_and_the_last_one_is_not_a_sliver() {
    for method in METHODS {
        let seen = times(&fixed(method, 0.1), [0.0, 1.0005]);
        assert_eq!(seen.len(), 11, "{seen:?}");
        for (i, t) in seen[..10].iter().enumerate() {
            assert!((t - 0.1 * i as f64).abs() < 1e-15 * 10.0);
        }
    }
}

#[test]
fn steps_respect_their_largest_size_and_growth() {
    for (method, grow) in METHODS.into_iter().zip([10.0, 6.0]) {
        let options = Options {
            max_step: 0.05,
            ..tolerance(method, 1e-4)
        };
        let sizes =
            |times: Vec<f64>| -> Vec<f64> { times.windows(2).map(|w| w[1] - w[0]).collect() };
        let limited = sizes(times(&options, [0.0, 4.0]));
        assert!(
            limited.iter().all(|&h| h <= 0.05 * 1.01 + 1e-14),
            "{limited:?}"
        );

        let options = Options {
            first_step: Some(1e-9),
            ..tolerance(method, 1e-4)
        };
        let free = sizes(times(&options, [0.0, 4.0]));
        assert!((free[0] - 1e-9).abs() < 1e-15);
        assert!(
            free.windows(2).all(|h| h[1] <= grow * h[0] * (1.0 + 1e-6)),
            "{free:?}"
        );
    }
}

#[test]
fn the_first_step_is_neither_timid_nor_rejected() {
    for method in METHODS {
        for tol in [1e-3, 1e-6, 1e-9, 1e-12] {
            let options = tolerance(method, tol);
            let seen = times(&options, [0.0, 4.0]);
            let ratio = (seen[2] - seen[1]) / seen[1];
            assert!(
                ratio < 7.0,
                "{method:?} {tol:e}: second step is {ratio} times the first"
            );
        }
    }
}

#[test]
fn a_constant_state_is_crossed_in_few_steps() {
    for method in METHODS {
        let mut rest = function(1, |_t, _y: &[[f64; 1]], dy| dy[0] = [0.0]);
        let (report, y) = run(&mut rest, &tolerance(method, 1e-9), [0.0, 1000.0], [3.0]);
        assert_eq!(y, [3.0]);
        assert!(
            report.lanes[0].statistics.steps < 20,
            "{:?}",
            report.lanes[0].statistics
        );
    }
}

/// Numbers of steps and evaluations of a fixed problem. A change here is a change of the product: explain it.
#[test]
fn statistics_are_those_of_the_last_release() {
    let expected = [
        Statistics {
            steps: 238,
            rejected: 0,
            evaluations: 1430,
            max_residual: 0.0,
            ..Statistics::default()
        },
        Statistics {
            steps: 77,
            rejected: 21,
            evaluations: 1157,
            max_residual: 0.0,
            ..Statistics::default()
        },
    ];
    for (method, expected) in METHODS.into_iter().zip(expected) {
        let start = Kepler::exact(0.5, 0.0);
        let (report, _) = run(&mut Kepler, &tolerance(method, 1e-8), [0.0, 20.0], start);
        assert_eq!(report.lanes[0].statistics, expected, "{method:?}");
        let tries = expected.steps + expected.rejected;
        let per_try = if method.order() == 5 { 6 } else { 11 };
        let at_ends = if method.order() == 5 {
            0
        } else {
            expected.steps
        };
        assert_eq!(expected.evaluations, 2 + per_try * tries + at_ends);
    }
}

#[test]
fn breaking_keeps_what_there_is() {
    let mut integrator = integrator(4, &Options::default());
    let mut last = (0.0, [0.0; 4]);
    let report = integrator.run(&mut Kepler, [0.0], [1e9], &Kepler::start(0.5), |step| {
        last.0 = step.t_new(0);
        step.state(0, last.0, &mut last.1);
        match step.t_new(0) > 3.0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    assert_eq!(report.lanes[0].end, End::Stopped);
    assert_eq!(report.lanes[0].t, last.0);
    assert_eq!(integrator.state(), last.1.map(|value| [value]));
}
