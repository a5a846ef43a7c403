//! Runs that cannot be finished say where and why, and keep what there is.
#![allow(clippy::float_cmp, reason = "equal to the bit is what is claimed")]

mod problems;

use dalembert_ode::{End, Evaluation, Failure, Method, Options, Projection, System, function};
use problems::{Kepler, METHODS, fixed, run, tolerance};

#[test]
fn a_blow_up_ends_with_a_step_too_small_where_it_happens() {
    for method in METHODS {
        for tol in [1e-4, 1e-8, 1e-12] {
            let mut square = function(1, |_t, y: &[[f64; 1]], dy| dy[0] = [y[0][0] * y[0][0]]);
            let (report, y) = run(&mut square, &tolerance(method, tol), [0.0, 2.0], [1.0]);
            match report.lanes[0].end {
                End::Failed(Failure::StepTooSmall { t, h }) => {
                    println!(
                        "{method:?} {tol:e}: 1 − t = {:e}, h = {h:e}, y = {:e}",
                        1.0 - t,
                        y[0]
                    );
                    // The pole of the numerical solution is off by the relative error.
                    assert!((t - 1.0).abs() < 100.0 * tol, "{method:?}: stops at {t}");
                    assert!(h < 3e-15);
                    assert!(y[0] > 1e10);
                }
                end => panic!("{method:?}: {end:?}"),
            }
        }
    }
}

#[test]
fn a_square_root_of_a_negative_number_is_reported_with_its_component() {
    for method in METHODS {
        let mut root = function(2, |t: &[f64; 1], _y: &[[f64; 1]], dy| {
            dy[0] = [1.0];
            dy[1] = [(1.0 - t[0]).sqrt()];
        });
        let (report, y) = run(&mut root, &tolerance(method, 1e-6), [0.0, 2.0], [0.0, 0.0]);
        match report.lanes[0].end {
            End::Failed(Failure::NonFinite { t, component: 1 }) => {
                assert!((t - 1.0).abs() < 1e-9, "{method:?}: {t}");
                assert!((y[1] - 2.0 / 3.0).abs() < 1e-5);
            }
            end => panic!("{method:?}: {end:?}"),
        }
        let failure = report
            .failure()
            .map(|(lane, failure)| (lane, failure.to_string()));
        let (lane, message) = failure.unwrap();
        assert_eq!(lane, 0);
        assert!(
            message.starts_with("value 1 of the state or its derivative is not finite after t =")
        );
    }
}

#[test]
fn a_start_that_is_not_finite_fails_at_once() {
    let mut zero = function(2, |_t, _y: &[[f64; 1]], dy| dy.fill([0.0]));
    let (report, _) = run(&mut zero, &Options::default(), [0.5, 1.0], [0.0, f64::NAN]);
    let expected = End::Failed(Failure::NonFinite {
        t: 0.5,
        component: 1,
    });
    assert_eq!(report.lanes[0].end, expected);
    let (report, _) = run(
        &mut zero,
        &Options::default(),
        [0.5, f64::INFINITY],
        [0.0, 0.0],
    );
    let expected = End::Failed(Failure::Span {
        start: 0.5,
        end: f64::INFINITY,
    });
    assert_eq!(report.lanes[0].end, expected);
}

#[test]
fn the_number_of_steps_is_limited() {
    let options = Options {
        max_steps: 25,
        ..Options::default()
    };
    let (report, _) = run(&mut Kepler, &options, [0.0, 1e6], Kepler::exact(0.5, 0.0));
    let lane = report.lanes[0];
    assert_eq!(lane.statistics.steps + lane.statistics.rejected, 25);
    assert_eq!(
        lane.end,
        End::Failed(Failure::TooManySteps {
            t: lane.t,
            steps: 25
        })
    );
    assert!(lane.t > 0.0);
}

/// y' = 1, defined only below a wall; a projection that fails above another.
struct Walls {
    derivative: f64,
    projection: f64,
}

impl System<1> for Walls {
    fn size(&self) -> usize {
        1
    }

    fn derivative(&mut self, now: &mut Evaluation<1>, y: &[[f64; 1]], dy: &mut [[f64; 1]]) {
        dy[0] = [1.0];
        now.failed[0] = y[0][0] > self.derivative;
    }

    fn project(
        &mut self,
        _t: &[f64; 1],
        y: &mut [[f64; 1]],
        _active: &[bool; 1],
    ) -> [Projection; 1] {
        match y[0][0] > self.projection {
            true => [Projection::Failed { residual: 7.0 }],
            false => [Projection::Unchanged { residual: 1e-13 }],
        }
    }
}

#[test]
fn failures_of_the_system_are_approached_and_reported() {
    for method in METHODS {
        let options = tolerance(method, 1e-6);
        let mut walls = Walls {
            derivative: 3.0,
            projection: f64::INFINITY,
        };
        let (report, _) = run(&mut walls, &options, [0.0, 5.0], [0.0]);
        assert_eq!(
            report.lanes[0].end,
            End::Failed(Failure::Undefined {
                t: report.lanes[0].t
            })
        );
        assert!((report.lanes[0].t - 3.0).abs() < 1e-12);
        assert_eq!(report.lanes[0].statistics.max_residual, 1e-13);

        let mut walls = Walls {
            derivative: f64::INFINITY,
            projection: 2.0,
        };
        let (report, _) = run(&mut walls, &options, [0.0, 5.0], [0.0]);
        let t = report.lanes[0].t;
        assert_eq!(
            report.lanes[0].end,
            End::Failed(Failure::Projection { t, residual: 7.0 })
        );
        assert!((t - 2.0).abs() < 1e-12);
    }
}

#[test]
fn fixed_steps_do_not_shrink() {
    let mut walls = Walls {
        derivative: 3.05,
        projection: f64::INFINITY,
    };
    let options = fixed(Method::DormandPrince8, 0.25);
    let (report, _) = run(&mut walls, &options, [0.0, 5.0], [0.0]);
    assert_eq!(
        report.lanes[0].end,
        End::Failed(Failure::Undefined { t: 3.0 })
    );
    assert_eq!(report.lanes[0].statistics.rejected, 1);
}
