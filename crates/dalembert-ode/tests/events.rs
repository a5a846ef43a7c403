//! Events are found at the right times, in order, and only where they happen.

mod problems;

use dalembert_ode::{Crossing, End, Events, Method, Options, Samples, function};
use problems::{METHODS, integrator, tolerance};
use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::ControlFlow;

/// Runs y = (cos t, −sin t) over the span and returns all crossings.
fn crossings(
    options: &Options,
    [start, end]: [f64; 2],
    count: usize,
    g: impl Fn(f64, &[f64], &mut [f64]),
) -> Vec<Crossing> {
    let mut circle = function(2, |_t, y: &[[f64; 1]], dy| {
        dy[0] = y[1];
        dy[1] = [-y[0][0]];
    });
    let mut integrator = integrator(2, options);
    let mut events = Events::new(count, 2);
    let mut all = Vec::new();
    let y0 = [[start.cos()], [-start.sin()]];
    integrator.run(&mut circle, [start], [end], &y0, |step| {
        all.extend_from_slice(events.locate(step, 0, |_, t, y, out| g(t, y, out)));
        ControlFlow::Continue(())
    });
    all
}

fn check_times(found: &[Crossing], expected: &[(usize, f64)], precision: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (crossing, &(event, t)) in found.iter().zip(expected) {
        assert_eq!(crossing.event, event);
        assert!(
            (crossing.t - t).abs() < precision,
            "{found:?}: expected {t}"
        );
    }
}

#[test]
fn rising_zeros_are_located_to_the_precision_of_the_states() {
    for method in METHODS {
        let found = crossings(&tolerance(method, 1e-13), [0.0, 12.0], 1, |_, y, g| {
            g[0] = y[0]
        });
        check_times(&found, &[(0, 1.5 * PI), (0, 3.5 * PI)], 1e-12);
    }
}

#[test]
fn events_of_time_are_located_to_the_last_digits() {
    for method in METHODS {
        let found = crossings(&tolerance(method, 1e-6), [0.0, 5.0], 1, |t, _, g| {
            g[0] = t - 1.2345
        });
        check_times(&found, &[(0, 1.2345)], 1e-15);
        let found = crossings(&tolerance(method, 1e-6), [5.0, 0.0], 1, |t, _, g| {
            g[0] = 1.2345 - t
        });
        check_times(&found, &[(0, 1.2345)], 2e-15);
    }
}

#[test]
fn several_events_in_one_step_come_in_order() {
    let options = Options {
        method: Method::DormandPrince8,
        ..tolerance(Method::DormandPrince8, 1e-5)
    };
    let times = [0.9, 0.3, 0.5, 0.500_000_1, 0.3];
    let g = |t: f64, _: &[f64], g: &mut [f64]| {
        for (g, time) in g.iter_mut().zip(times) {
            *g = t - time;
        }
    };
    let found = crossings(&options, [0.0, 2.0], 5, g);
    let expected = [(1, 0.3), (4, 0.3), (2, 0.5), (3, 0.500_000_1), (0, 0.9)];
    check_times(&found, &expected, 1e-14);
    let falling = |t: f64, y: &[f64], out: &mut [f64]| {
        g(t, y, out);
        out.iter_mut().for_each(|g| *g = -*g);
    };
    let found = crossings(&options, [2.0, 0.0], 5, falling);
    let backward = [(0, 0.9), (3, 0.500_000_1), (2, 0.5), (1, 0.3), (4, 0.3)];
    check_times(&found, &backward, 1e-14);
}

#[test]
fn an_event_true_at_the_start_happens_only_after_it_was_false() {
    let options = tolerance(Method::DormandPrince8, 1e-12);
    // −sin t is zero at the start, falls, and rises through zero at π.
    let found = crossings(&options, [0.0, 6.0], 1, |_, y, g| g[0] = y[1]);
    check_times(&found, &[(0, PI)], 1e-10);
    // sin t is zero at the start and rises: true from the start on, again only at 2π.
    let found = crossings(&options, [0.0, 6.0], 1, |_, y, g| g[0] = -y[1]);
    check_times(&found, &[], 0.0);
    // Falling through zero is no event.
    let found = crossings(&options, [0.0, 3.0], 1, |_, y, g| g[0] = y[0]);
    check_times(&found, &[], 0.0);
    // Truth without measure, as of a comparison.
    let found = crossings(&options, [0.0, 3.0], 1, |_, y, g| {
        g[0] = if y[0] < 0.0 { 1.0 } else { -1.0 }
    });
    check_times(&found, &[(0, FRAC_PI_2)], 1e-11);
}

#[test]
fn a_short_truth_inside_a_long_step_is_seen() {
    // A step over nearly a whole period, in which the event is true for a quarter.
    let options = Options {
        fixed_step: Some(6.0),
        ..Options::default()
    };
    let found = crossings(&options, [0.0, 6.0], 1, |t, _, g| {
        g[0] = 0.75 - (t - 3.0).abs()
    });
    check_times(&found, &[(0, 2.25)], 1e-14);
}

#[test]
fn stopping_at_an_event_cuts_the_step_and_its_samples() {
    for method in METHODS {
        let mut circle = function(2, |_t, y: &[[f64; 1]], dy| {
            dy[0] = y[1];
            dy[1] = [-y[0][0]];
        });
        let times: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.1).collect();
        let mut integrator = integrator(2, &tolerance(method, 1e-12));
        let mut samples = Samples::new([&times]);
        let mut events = Events::new(1, 2);
        let mut seen = 0;
        let report = integrator.run(&mut circle, [0.0], [9.9], &[[1.0], [0.0]], |step| {
            let first = events
                .locate(step, 0, |_, _, y, g| g[0] = -y[0])
                .first()
                .copied();
            if let Some(crossing) = first {
                step.stop_at(0, crossing.t);
            }
            samples.deliver(step, |_, sample| {
                assert!((sample.y[0][0] - sample.t[0].cos()).abs() < 1e-10);
                seen += 1;
                ControlFlow::Continue(())
            })
        });
        assert_eq!(seen, 16);
        assert_eq!(report.lanes[0].end, End::Stopped);
        assert!((report.lanes[0].t - FRAC_PI_2).abs() < 1e-11);
        assert!(integrator.state()[0][0].abs() < 1e-15);
    }
}

/// A condition of x, and when it is true first.
type Narrow = (fn(f64) -> f64, f64);

/// Conditions that are true for an instant between the ends of steps, smooth and with corners.
#[test]
fn an_event_that_is_over_within_a_step_is_found() {
    for method in METHODS {
        let narrow: [Narrow; 5] = [
            (|x| 0.01 - x.abs(), 0.01_f64.acos()),
            (|x| 1e-6 - x * x, 1e-3_f64.acos()),
            (|x| 1e-10 - x.abs(), FRAC_PI_2),
            (|x| -0.9999 - x, PI - 0.9999_f64.acos()),
            (
                |x| (40.0 * x).cos() - 0.9999,
                (0.9999_f64.acos() / 40.0 + 6.0 * PI / 20.0).acos(),
            ),
        ];
        for (which, (g, first)) in narrow.into_iter().enumerate() {
            let found = crossings(&tolerance(method, 1e-10), [0.1, 6.0], 1, |_, y, out| {
                out[0] = g(y[0]);
            });
            let t = found.first().map(|crossing| crossing.t);
            let off = t.map_or(f64::INFINITY, |t| (t - first).abs());
            assert!(off < 1e-7, "{method:?} {which}: {t:?} for {first}");
        }
    }
}

/// What comes near and stays below is no event, and costs no end of evaluations.
#[test]
fn a_near_miss_is_no_event() {
    for method in METHODS {
        for g in [
            |x: f64| -1e-9 - x.abs(),
            |x: f64| x - 1.0 - 1e-9,
            |x: f64| -1e-12 - x * x,
        ] {
            let calls = std::cell::Cell::new(0);
            let found = crossings(&tolerance(method, 1e-12), [0.1, 6.0], 1, |_, y, out| {
                calls.set(calls.get() + 1);
                out[0] = g(y[0]);
            });
            assert!(found.is_empty(), "{found:?}");
            assert!(calls.get() < 200_000, "{}", calls.get());
        }
    }
}
