//! Branches over many start speeds: each run ends on the branch that it came on, where the motion along that branch ends.

mod corners;
mod every_run;
mod models;
mod starts;

use crate::support::{at, ran, read};
use crate::verdict::bars;
use dalembert::simulate::{RunOptions, SimulateError};
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::{Mechanism, model};
use dalembert_ode::Method;
use models::{Branch, all, four_bars};
use std::f64::consts::PI;

/// How a run ended.
#[derive(Debug, PartialEq)]
enum Ended {
    Right,
    Refused,
    Wrong(String),
}

fn end_of(branch: &Branch, start: (f64, &[f64]), options: &RunOptions) -> Ended {
    let mechanism = read(&(branch.model)(start.0));
    let mechanism = mechanism.unwrap_or_else(|errors| panic!("{}: {errors}", branch.name));
    judged(branch, &mechanism, start, options)
}

fn judged(
    branch: &Branch,
    mechanism: &Mechanism,
    (s, wanted): (f64, &[f64]),
    options: &RunOptions,
) -> Ended {
    let rtol = options.rtol.unwrap();
    let place = format!(
        "{} at {s} times its speed, {rtol:e}, {:?} {:?}",
        branch.name, options.formulation, options.method
    );
    let end = match ran(mechanism, options) {
        Ok(end) => end,
        Err(SimulateError::Stopped { .. }) => return Ended::Refused,
        Err(error) => panic!("{place}: {error:?}"),
    };
    let off = (branch.off)(&end.coordinates);
    if off > 1e-9 {
        return Ended::Wrong(format!("{place}: off its branch by {off:e}"));
    }
    let pairs = end.coordinates.iter().zip(wanted);
    let off = pairs.fold(0.0, |a, (found, wanted)| {
        f64::max(a, (found - wanted).abs())
    });
    // The phase errs in proportion to the tolerance; beyond half a turn it tells nothing.
    let known = 1e-8 + branch.magnified * rtol;
    match off <= known || known > PI {
        true => Ended::Right,
        false => Ended::Wrong(format!("{place}: ends off by {off:e}")),
    }
}

fn ways(rtol: f64) -> Vec<RunOptions> {
    let by = |formulation| RunOptions {
        formulation: Some(formulation),
        ..at(rtol)
    };
    let implicit = RunOptions {
        method: Some(Some(Method::Radau5)),
        ..at(rtol)
    };
    Formulation::ALL
        .into_iter()
        .map(by)
        .chain([implicit])
        .collect()
}

const TOLERANCES: [f64; 12] = [
    1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12,
];

/// Start speeds without a pattern, between 0.4 and 2.5.
fn speeds(count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(|k| 0.4 + 2.1 * (0.618_033_988_749_895 * (k + 1) as f64).fract())
}

/// A run of each model at each tolerance, ways and speeds by turns.
#[test]
fn runs_of_all_speeds_keep_their_branch() {
    for (k, branch) in all().iter().enumerate() {
        for (i, (rtol, s)) in TOLERANCES.into_iter().zip(speeds(12)).enumerate() {
            let options = &ways(rtol)[(i + k) % 6];
            let ended = end_of(branch, (s, &(branch.end)(s)), options);
            let may_refuse = options.method.is_some() && rtol < 1e-11;
            let fine = ended == Ended::Right || (may_refuse && ended == Ended::Refused);
            assert!(fine, "{ended:?}: {} {s} {options:?}", branch.name);
        }
    }
}

/// Where less of a crossing was left than the time resolves, legs of no length followed each other for ever.
#[test]
fn no_run_stands_still_behind_a_change_point() {
    let branch = all().into_iter().find(|it| it.name == "parallelogram");
    let branch = branch.unwrap();
    let known: Vec<f64> = speeds(14).collect();
    for (s, rtol, formulation) in [
        (known[1], 1e-11, Formulation::Independent),
        (known[13], 3e-8, Formulation::Multipliers),
    ] {
        let options = RunOptions {
            formulation: Some(formulation),
            ..at(rtol)
        };
        let ended = end_of(&branch, (s, &(branch.end)(s)), &options);
        assert_eq!(ended, Ended::Right, "{rtol:e}");
    }
}

/// Compressed matrices tell of change points as full ones do: the branch is kept.
#[test]
fn compressed_models_keep_their_branch() {
    for branch in all() {
        for (rtol, s) in [1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-9, 1e-11, 1e-12]
            .into_iter()
            .zip(speeds(8))
        {
            let (model, _) = model::read(&(branch.model)(s)).unwrap();
            let mechanism = Mechanism::stored(model, Some(Stored::Compressed)).unwrap();
            let ended = judged(&branch, &mechanism, (s, &(branch.end)(s)), &at(rtol));
            assert_eq!(ended, Ended::Right, "{}, {rtol:e}", branch.name);
        }
    }
}

/// Models whose matrices are compressed because that is cheaper.
#[test]
fn a_row_of_twenty_four_bars_keeps_its_branch() {
    let branch = four_bars(20);
    let mechanism = read(&(branch.model)(1.0)).unwrap();
    assert_eq!(mechanism.equations.stored(), Stored::Compressed);
    for (rtol, s) in [1e-3, 1e-7, 1e-12].into_iter().zip(speeds(3)) {
        let ended = end_of(&branch, (s, &(branch.end)(s)), &at(rtol));
        assert_eq!(ended, Ended::Right, "{rtol:e}");
    }
}

#[test]
#[ignore = "thorough: long runs"]
fn a_row_of_forty_four_bars_keeps_its_branch_at_every_tolerance() {
    let branch = four_bars(40);
    for s in speeds(3) {
        let wanted = (branch.end)(s);
        for rtol in TOLERANCES {
            assert_eq!(
                end_of(&branch, (s, &wanted), &at(rtol)),
                Ended::Right,
                "{rtol:e}"
            );
        }
    }
}

/// Where rows are too many for full matrices, nothing is led across and nothing is guessed: the run stops before.
#[test]
fn too_many_rows_stop_before_a_change_point() {
    let text = bars(360).replace("span = 10\nsamples = 101", "span = 1\nsamples = 2");
    let mechanism = read(&text).unwrap();
    for rtol in [1e-4, 1e-8] {
        let Err(SimulateError::Stopped { so_far, .. }) = ran(&mechanism, &at(rtol)) else {
            panic!("{rtol:e}");
        };
        // The bars lie flat at t = 0.747123.
        assert!((0.7..0.74713).contains(&so_far.t_end), "{}", so_far.t_end);
    }
}

/// Every change point is told once, at its time, and none is told that was not passed: held against the angle in 5000 samples of the run
/// itself, for at coarse tolerances its phase is its own.
#[test]
fn every_change_point_is_told_once() {
    for (count, s) in [(1, 1.0), (1, 2.3), (3, 0.15), (3, 1.7)] {
        let text = bars(count).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s));
        let mechanism = read(&text).unwrap();
        for options in [1e-3, 1e-4, 1e-6, 1e-10].into_iter().flat_map(ways) {
            let options = RunOptions {
                samples: Some(5001),
                ..options
            };
            let end = ran(&mechanism, &options).unwrap();
            let columns = end.table.columns();
            let angle = columns.iter().find(|it| it.name == "a0").unwrap();
            let samples: Vec<(f64, f64)> = (columns[0]
                .values
                .iter()
                .copied()
                .zip(angle.values.iter().copied()))
            .collect();
            let mut passed = Vec::new();
            for pair in samples.windows(2) {
                let [(t, a), (next, b)] = [pair[0], pair[1]];
                let flat = PI * (a.max(b) / PI).floor();
                if flat > a.min(b) {
                    passed.push(t + (flat - a) / (b - a) * (next - t));
                }
            }
            let told: Vec<f64> = end.change_points.iter().map(|it| it.t).collect();
            let place = format!("{count} at {s}, {options:?}: {told:?} for {passed:?}");
            assert_eq!(told.len(), passed.len(), "{place}");
            let mut pairs = told.iter().zip(&passed);
            assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-5), "{place}");
        }
    }
}

/// A linkage with a row that depends on others everywhere on its surface: nothing is lost in long steps.
#[test]
fn a_redundant_row_loses_no_energy() {
    let trammel = "dalembert = 1\n[coordinates]\nx = { value = 0.57, priority = \"guess\" }\ny = { value = 1.1, priority = \"guess\" }\n\
         p = 1.09\n[start]\n\"p'\" = 6.57\n[energy]\nkinetic = \"0.3*p'^2\"\n[particle.A]\nmass = 1.25\nposition = \"[x, 0, 0]\"\n\
         [particle.B]\nmass = 1.25\nposition = \"[0, y, 0]\"\n[constraint.c0]\nholds = \"x = 1.24*cos(p)\"\n\
         [constraint.c1]\nholds = \"y = 1.24*sin(p)\"\n[constraint.c2]\nholds = \"x^2 + y^2 = 1.24^2\"\n[run]\nspan = 0.57\n";
    let mechanism = read(trammel).unwrap();
    for rtol in [1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12] {
        let end = ran(&mechanism, &at(rtol)).unwrap();
        // The kinetic energy is that of one turning body: p' stays as it is.
        let off = end.coordinates[2] - 1.09 - 6.57 * 0.57;
        assert!(off.abs() < 1e-13 + rtol, "{rtol:e}: {off:e}");
        let lost = end.balance_error() / end.energy_start;
        assert!(lost.abs() < 1e-13 + rtol, "{rtol:e}: {lost:e}");
        assert!(end.change_points.is_empty());
    }
}
