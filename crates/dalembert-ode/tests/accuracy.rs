//! Accuracy of whole runs against closed forms and published values.
#![allow(clippy::float_cmp, reason = "equal to the bit is what is claimed")]

mod problems;

use dalembert_ode::{Evaluation, Method, System, function};
use problems::{Kepler, METHODS, distance, run, slope, tolerance};
use std::f64::consts::TAU;

#[test]
fn global_error_follows_the_tolerance() {
    for method in METHODS {
        let points = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11].map(|tol| {
            let start = Kepler::exact(0.5, 0.0);
            let (report, y) = run(
                &mut Kepler,
                &tolerance(method, tol),
                [0.0, 3.0 * TAU],
                start,
            );
            assert_eq!(report.failure(), None);
            (tol, distance(&y, &start))
        });
        let slope = slope(&points);
        println!(
            "{method:?}: error over tolerance {:?}",
            points.map(|(tol, e)| (e / tol) as u32)
        );
        assert!(
            (slope - 1.0).abs() < 0.15,
            "{method:?}: error grows as tolerance^{slope}"
        );
        for (tol, error) in points {
            assert!(
                error < 1e4 * tol,
                "{method:?}: error {error:e} for tolerance {tol:e}"
            );
        }
    }
}

/// The restricted problem of three bodies, with μ = 0.012277471 the mass of the moon.
struct ThreeBodies;

impl System<1> for ThreeBodies {
    fn size(&self) -> usize {
        4
    }

    fn derivative(&mut self, _now: &mut Evaluation<1>, y: &[[f64; 1]], dy: &mut [[f64; 1]]) {
        let (moon, earth) = (0.012277471, 1.0 - 0.012277471);
        let [x, y, u, v] = [y[0][0], y[1][0], y[2][0], y[3][0]];
        let cube = |dx: f64| (dx * dx + y * y).powf(1.5);
        let (d_earth, d_moon) = (cube(x + moon), cube(x - earth));
        dy[0][0] = u;
        dy[1][0] = v;
        dy[2][0] = x + 2.0 * v - earth * (x + moon) / d_earth - moon * (x - earth) / d_moon;
        dy[3][0] = y - 2.0 * u - earth * y / d_earth - moon * y / d_moon;
    }
}

/// Start and period: Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 1993, (0.2).
#[test]
fn arenstorf_orbit_closes() {
    let start = [0.994, 0.0, 0.0, -2.001_585_106_379_082_5];
    let period = 17.065_216_560_157_964;
    for (method, tol, bound) in [
        (Method::DormandPrince8, 1e-13, 1e-10),
        (Method::DormandPrince8, 1e-9, 1e-6),
        (Method::DormandPrince5, 1e-12, 1e-8),
    ] {
        let (report, y) = run(
            &mut ThreeBodies,
            &tolerance(method, tol),
            [0.0, period],
            start,
        );
        let gap = distance(&y[..2], &start[..2]);
        println!(
            "{method:?} {tol:e}: gap {gap:e}, {:?}",
            report.lanes[0].statistics
        );
        assert_eq!(report.failure(), None);
        assert!(gap < bound, "{method:?} {tol:e}: gap {gap:e}");
    }
}

#[test]
fn oscillator_keeps_its_phase_over_a_hundred_periods() {
    for method in METHODS {
        let mut oscillator = function(2, |_t, y: &[[f64; 1]], dy| {
            dy[0] = y[1];
            dy[1] = [-y[0][0]];
        });
        let (_, y) = run(
            &mut oscillator,
            &tolerance(method, 1e-10),
            [0.0, 100.0 * TAU],
            [1.0, 0.0],
        );
        let phase = (-y[1]).atan2(y[0]);
        let amplitude = y[0].hypot(y[1]);
        println!(
            "{method:?}: phase {phase:e}, amplitude − 1 {:e}",
            amplitude - 1.0
        );
        assert!(phase.abs() < 2e-7, "{method:?}: phase {phase:e}");
        assert!(
            (amplitude - 1.0).abs() < 2e-7,
            "{method:?}: amplitude {amplitude}"
        );
    }
}

#[test]
fn a_stiff_relaxation_is_held_by_rejections() {
    for method in METHODS {
        let mut fast = function(1, |t: &[f64; 1], y: &[[f64; 1]], dy: &mut [[f64; 1]]| {
            dy[0][0] = -1000.0 * (y[0][0] - t[0].cos()) - t[0].sin();
        });
        let (report, y) = run(&mut fast, &tolerance(method, 1e-6), [0.0, 5.0], [2.0]);
        let statistics = report.lanes[0].statistics;
        println!("{method:?}: {statistics:?}");
        assert_eq!(report.failure(), None);
        assert!((y[0] - 5f64.cos()).abs() < 1e-5, "{method:?}");
        assert!(
            statistics.rejected < statistics.steps / 3,
            "{method:?}: {statistics:?}"
        );
        // Stability allows steps of about 3.3/1000 (order 5) and 6/1000 (order 8).
        assert!(
            (500..3500).contains(&statistics.steps),
            "{method:?}: {statistics:?}"
        );
    }
}

#[test]
fn backward_undoes_forward() {
    for method in METHODS {
        let options = tolerance(method, 1e-11);
        let start = Kepler::exact(0.4, 0.0);
        let (_, middle) = run(&mut Kepler, &options, [1.0, 6.0], start);
        let (report, back) = run(&mut Kepler, &options, [6.0, 1.0], middle);
        assert_eq!(report.failure(), None);
        assert!(
            distance(&back, &start) < 2e-9,
            "{method:?}: {:e}",
            distance(&back, &start)
        );
        assert!(
            distance(&middle, &Kepler::exact(0.4, 5.0)) < 1e-9,
            "{method:?}"
        );
    }
}

#[test]
fn backward_is_the_mirror_of_forward_to_the_bit() {
    for method in METHODS {
        let rate = |sign: f64| {
            function(
                1,
                move |t: &[f64; 1], y: &[[f64; 1]], dy: &mut [[f64; 1]]| {
                    dy[0][0] = sign * (sign * t[0]).sin() * y[0][0];
                },
            )
        };
        let options = tolerance(method, 1e-8);
        let forward = run(&mut rate(1.0), &options, [0.0, 3.0], [1.0]);
        let backward = run(&mut rate(-1.0), &options, [0.0, -3.0], [1.0]);
        assert_eq!(forward.1, backward.1);
        assert_eq!(
            forward.0.lanes[0].statistics,
            backward.0.lanes[0].statistics
        );
    }
}
