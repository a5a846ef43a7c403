//! Starts at change points.

use super::models::along;
use super::ways;
use crate::support::{at, ran, read};
use crate::verdict::plane;
use dalembert::simulate::{RunOptions, SimulateError, Stop};

/// Two bars, of which one is heavy, and what joins them: given flat, with a torque across the motion that keeps them parallel.
fn flat(rates: [&str; 3]) -> String {
    let [a, b, c] = rates;
    format!(
        "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\na = 0\nb = 0\nc = 0\n\
         [start]\n\"a'\" = {a}\n\"b'\" = {b}\n\"c'\" = {c}\n\
         [particle.A]\nmass = 3\nposition = \"[cos(a), sin(a), 0]\"\n[particle.C]\nmass = 1\nposition = \"[2 + cos(c), sin(c), 0]\"\n\
         [energy]\nkinetic = \"b'^2/100\"\n[force.m]\ngeneralized = {{ b = 30 }}\n\
         [constraint.x]\nholds = \"cos(a) + 2*cos(b) - cos(c) = 2\"\n[constraint.y]\nholds = \"sin(a) + 2*sin(b) - sin(c) = 0\"\n\
         [run]\nspan = 0.5\nsamples = 2\n"
    )
}

/// A start at a change point takes its branch from the given rates, at every tolerance and by every formulation; at rest it has none.
#[test]
fn starts_at_a_change_point_take_the_branch_of_their_rates() {
    let parallel = read(&flat(["5", "0", "5"])).unwrap();
    // All masses go in equal circles: a'' = −g cos a, from a = 0.
    let wanted = along(|[a, w]: [f64; 2]| [w, -9.81 * a.cos()], [0.0, 5.0], 0.5);
    // b' = −2 a', c' = −3 a': the bars go opposite ways.
    let crossed = read(&flat(["1", "-2", "-3"])).unwrap();
    let mut ends: Vec<Vec<f64>> = Vec::new();
    for rtol in [1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12] {
        for options in ways(rtol) {
            let short = RunOptions {
                span: Some(0.1),
                ..options.clone()
            };
            let end = ran(&parallel, &options).unwrap();
            let what = format!("{options:?}: {:?}", end.coordinates);
            assert!(
                (end.coordinates[0] - wanted).abs() < 1e-9 + 100.0 * rtol,
                "{what}"
            );
            assert!(end.coordinates[1].abs() < 1e-9, "{what}");
            let end = ran(&crossed, &short).unwrap();
            assert!(
                end.coordinates[0] * end.coordinates[2] < -1e-2,
                "{:?}",
                end.coordinates
            );
            let lost = end.balance_error().abs();
            assert!(lost < 1e-8 + 1e4 * rtol, "{options:?}: {lost:e}");
            ends.push(end.coordinates);
        }
    }
    let best = ends[ends.len() - 6].clone();
    for (k, end) in ends.iter().enumerate() {
        let off = end
            .iter()
            .zip(&best)
            .fold(0.0, |a, (b, c)| f64::max(a, (b - c).abs()));
        let rtol = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12][k / 6];
        assert!(off < 1e-8 + 100.0 * rtol, "{k}: {off:e}");
    }
    let rest = read(&flat(["0", "0", "0"])).unwrap();
    let Err(SimulateError::Stopped { why, so_far }) = ran(&rest, &at(1e-6)) else {
        panic!("at rest nothing tells which motion is meant");
    };
    assert!(matches!(why, Stop::Unclear(_)), "{why:?}");
    assert!(so_far.t_end.abs() < 1e-12);
}

/// The row itself vanishes where the start is: the rates say which line, and a force across it does nothing.
#[test]
fn starts_where_a_row_vanishes_take_the_branch_of_their_rates() {
    let along = read(&plane("x*y = 0", ["0", "0"], ["0.7", "0"], "3*y")).unwrap();
    for options in [1e-3, 1e-6, 1e-9, 1e-12].into_iter().flat_map(ways) {
        let end = ran(&along, &options).unwrap();
        let what = format!("{options:?}: {:?}", end.coordinates);
        assert!((end.coordinates[0] - 2.1).abs() < 1e-9, "{what}");
        assert!(end.coordinates[1].abs() < 1e-12, "{what}");
    }
    let rest = read(&plane("x*y = 0", ["0", "0"], ["0", "0"], "0")).unwrap();
    let Err(SimulateError::Stopped { why, .. }) = ran(&rest, &at(1e-6)) else {
        panic!("at rest nothing tells which motion is meant");
    };
    assert!(matches!(why, Stop::Unclear(_)), "{why:?}");
    // Along neither line: E0524. A square has no lines: E0508.
    for (row, rates, code) in [
        ("x*y = 0", ["1", "1"], "E0524"),
        ("x^2 + y^2 = 0", ["0", "0"], "E0508"),
    ] {
        let text = plane(row, ["0", "0"], rates, "0").replace("\"guess\"", "\"must\"");
        let errors = read(&text).unwrap().start().unwrap_err();
        assert_eq!(errors[0].code, code, "{row}: {errors:?}");
    }
}
