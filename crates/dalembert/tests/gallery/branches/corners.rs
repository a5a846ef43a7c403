//! Corners that motions turn beside places where rows would lose their rank, and branches that touch.

use super::{TOLERANCES, ways};
use crate::support::{at, ran, read};
use crate::verdict::{PARALLELOGRAM, plane};
use dalembert::simulate::{RunOptions, SimulateError, Stop};
use dalembert_mechanics::formulation::Formulation;

/// Four-bars that are unequal by little never lie flat: they turn, the bars going opposite ways. Rates are known to rounding over the
/// square of the least pivot, which is the root of what they are unequal by: at 1e-12 that is too little to go on, and the run says so.
fn assert_turned(text: &str, digits: i32, tolerances: &[f64]) {
    let mechanism = read(text).unwrap();
    let mut ends = Vec::new();
    for options in tolerances.iter().flat_map(|&rtol| ways(rtol)) {
        let place = format!("1e-{digits}: {options:?}");
        match ran(&mechanism, &options) {
            Ok(end) => {
                let (first, last) = (end.coordinates[0], end.coordinates[2]);
                assert!(first * last < -0.1, "{place}: {first}, {last}");
                assert!(end.change_points.is_empty(), "{place}");
                ends.push((options, first));
            }
            Err(SimulateError::Stopped { why, so_far }) => {
                let reduced = options.formulation == Some(Formulation::Independent);
                // Two speeds that follow from one are known less well than three that are projected.
                let may = digits > 9 || (digits > 3 && reduced);
                assert!(may, "{place}: {why:?}");
                let Stop::Narrow { t, known } = why else {
                    panic!("{place}: {why:?}");
                };
                assert!(so_far.t_end <= t && t < 0.276, "{place}: {t}");
                assert!((1e-12..1e-2).contains(&known), "{place}: {known:e}");
                assert!(!so_far.dependent.is_empty(), "{place}");
            }
            Err(other) => panic!("{place}: {other:?}"),
        }
    }
    // Runs that are right agree: the speed is not lost in the corner.
    let by_multipliers = |it: &&(RunOptions, f64)| {
        it.0.formulation == Some(Formulation::Multipliers) && it.0.method.is_none()
    };
    let Some((_, best)) = ends.iter().rfind(by_multipliers) else {
        assert!(digits > 9);
        return;
    };
    for (options, first) in &ends {
        let reduced = options.formulation == Some(Formulation::Independent);
        let known = if digits > 9 || reduced { 1e-5 } else { 1e-8 };
        let off = (first - best).abs();
        let may = 1000.0 * options.rtol.unwrap() + known;
        assert!(off < may, "1e-{digits}, {options:?}: {off:e}");
    }
}

/// Four-bars that are unequal by 1e-3 to 1e-12 either way, started at a multiple of the usual speed, up to where they have turned.
fn assert_all_turned(s: f64, tolerances: &[f64]) {
    for digits in [3, 6, 9, 12] {
        for sign in ['+', '-'] {
            let text = PARALLELOGRAM
                .replace(
                    "\"[2, 0, 0] + 1/2*C.ex\"",
                    &format!("\"[2 {sign} 1e-{digits}, 0, 0] + 1/2*C.ex\""),
                )
                .replace("\"q1'\" = -5", &format!("\"q1'\" = {}", -5.0 * s))
                .replace("span = 5", &format!("span = {}", 0.5 / s));
            assert_turned(&text, digits, tolerances);
        }
    }
}

#[test]
fn unequal_four_bars_turn_the_corner() {
    assert_all_turned(1.0, &[1e-3, 1e-4, 1e-6, 1e-9, 1e-10, 1e-11, 1e-12]);
}

#[test]
#[ignore = "thorough: 2300 runs"]
fn unequal_four_bars_are_never_wrong() {
    for s in [1.3, 1.6, 1.9, 2.3] {
        assert_all_turned(s, &TOLERANCES);
    }
}

/// x y = c turns the corner at every tolerance, however narrow it is, by every formulation and implicitly.
#[test]
fn hyperbolas_turn_their_corner_at_every_tolerance() {
    for (k, c) in ["1e-4", "1e-6", "1e-8", "1e-10", "1e-12", "1e-14"]
        .into_iter()
        .enumerate()
    {
        let text = plane(&format!("x*y = {c}"), ["1", c], ["-1", c], "0");
        let mechanism = read(&text).unwrap();
        for (i, rtol) in TOLERANCES.into_iter().enumerate() {
            let options = &ways(rtol)[(i + k) % 6];
            let end =
                ran(&mechanism, options).unwrap_or_else(|why| panic!("{c} {options:?}: {why:?}"));
            // Without a corner it would be at x = −2.
            let [x, y] = [end.coordinates[0], end.coordinates[1]];
            assert!(
                x > 0.0 && (1.99..2.02).contains(&y),
                "{c} {options:?}: {x}, {y}"
            );
            assert!(end.change_points.is_empty());
        }
    }
}

/// Branches that touch so closely that rows met to rounding do not tell them apart are not guessed.
#[test]
fn branches_that_cannot_be_told_apart_stop_the_run() {
    let row = "(y - x^2)*(y - x^2 - x^6) = 0";
    let mechanism = read(&plane(row, ["-1", "1"], ["1", "-2"], "0")).unwrap();
    for rtol in [1e-3, 1e-4, 1e-6, 1e-9, 1e-12] {
        let Err(SimulateError::Stopped { why, so_far }) = ran(&mechanism, &at(rtol)) else {
            panic!("{rtol:e}");
        };
        // It arrives at x = 0 at t = 0.66; the speed is sqrt(5).
        assert!(matches!(why, Stop::Unclear(_)), "{rtol:e}: {why:?}");
        assert!((0.55..0.6615).contains(&so_far.t_end), "{}", so_far.t_end);
        assert_eq!(so_far.dependent, [0]);
        let (x, y) = (so_far.coordinates[0], so_far.coordinates[1]);
        assert!((y - x * x).abs() < 1e-9, "{x}, {y}");
    }
    // y = x⁴ touches y = 0: along its own, or not at all.
    let mechanism = read(&plane("y*(y - x^4) = 0", ["-1", "1"], ["1", "-4"], "0")).unwrap();
    for rtol in [1e-3, 1e-4, 1e-6, 1e-9, 1e-12] {
        match ran(&mechanism, &at(rtol)) {
            Ok(end) => assert!((end.coordinates[0] - 1.783_865).abs() < 1e-5 + rtol),
            Err(SimulateError::Stopped { so_far, .. }) => assert!(so_far.t_end < 0.39),
            Err(other) => panic!("{other:?}"),
        }
    }
}
