//! Branches over many start speeds: each run ends on the branch that it came on, where the motion along that branch ends, which is
//! integrated here along a parameter in which the change points are points like any other.

use crate::support::{at, ran, read, text};
use crate::verdict::{PARALLELOGRAM, SLIDER_CRANK, bars, bars_in_places, plane};
use dalembert::simulate::{RunOptions, SimulateError, Stop};
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::{Mechanism, model};
use dalembert_ode::Method;
use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

const STEPS: usize = 20_000;

/// u after a time, from u'' or u' by the fourth-order rule of Runge and Kutta in many short steps.
fn along<const N: usize>(rate: impl Fn([f64; N]) -> [f64; N], mut u: [f64; N], span: f64) -> f64 {
    let h = span / STEPS as f64;
    let ahead = |u: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|i| u[i] + h * k[i]);
    for _ in 0..STEPS {
        let a = rate(u);
        let b = rate(ahead(u, a, h / 2.0));
        let c = rate(ahead(u, b, h / 2.0));
        let d = rate(ahead(u, c, h));
        u = std::array::from_fn(|i| u[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    u[0]
}

/// An angle a with a'' = −g cos a.
fn falling(g: f64, rate: f64, span: f64) -> f64 {
    along(|[a, w]| [w, -g * a.cos()], [FRAC_PI_2, rate], span)
}

struct Branch {
    name: &'static str,
    /// The model that starts with a multiple of its usual speed.
    model: fn(f64) -> String,
    /// The coordinates at its end.
    end: fn(f64) -> Vec<f64>,
    /// How far coordinates are from the branch, whatever the time.
    off: fn(&[f64]) -> f64,
    /// How much of the tolerance the end may be off by: motions that pass their upper rest slowly magnify errors.
    magnified: f64,
}

fn spread(angles: &[f64]) -> f64 {
    let first = angles[0];
    angles
        .iter()
        .fold(0.0, |a, b| f64::max(a, (b - first).abs()))
}

fn all() -> Vec<Branch> {
    vec![
        Branch {
            name: "lemniscate",
            model: |s| {
                plane(
                    "(x^2+y^2)^2 = x^2-y^2",
                    ["1", "0"],
                    ["0", &s.to_string()],
                    "0",
                )
            },
            end: |s| {
                let u: f64 = along(
                    |[u]: [f64; 1]| [s * (1.0 + u.sin().powi(2)).sqrt()],
                    [0.0],
                    3.0,
                );
                let r = u.cos() / (1.0 + u.sin().powi(2));
                vec![r, r * u.sin()]
            },
            off: |_| 0.0,
            magnified: 100.0,
        },
        Branch {
            name: "node",
            model: |s| {
                let rates = [-s, -1.25 * SQRT_2 * s].map(|rate| rate.to_string());
                plane(
                    "y^2 = x^2*(1+x)",
                    ["1", "sqrt(2)"],
                    [&rates[0], &rates[1]],
                    "0",
                )
            },
            end: |s| {
                // x = u² − 1, y = u x.
                let speed = s * f64::hypot(1.0, 1.25 * SQRT_2);
                let u = along(
                    |[u]: [f64; 1]| [-speed / f64::hypot(2.0 * u, 3.0 * u * u - 1.0)],
                    [SQRT_2],
                    3.0,
                );
                vec![u * u - 1.0, u * (u * u - 1.0)]
            },
            off: |_| 0.0,
            magnified: 100.0,
        },
        Branch {
            name: "cross",
            model: |s| plane("x*y=0", ["1", "0"], [&(-s).to_string(), "0"], "3*y"),
            end: |s| vec![1.0 - 3.0 * s, 0.0],
            off: |q| q[1].abs(),
            magnified: 100.0,
        },
        Branch {
            name: "slider-crank",
            model: |s| SLIDER_CRANK.replace("\"th'\" = 2", &format!("\"th'\" = {}", 2.0 * s)),
            end: |s| {
                let mass = |th: f64| 1.0 + 4.0 * th.sin().powi(2);
                let u = along(
                    |[u]: [f64; 1]| [2.0 * s * (mass(0.5) / mass(u)).sqrt()],
                    [0.5],
                    3.0,
                );
                vec![u, 2.0 * u.cos()]
            },
            off: |q| (q[1] - 2.0 * q[0].cos()).abs(),
            magnified: 100.0,
        },
        Branch {
            name: "parallelogram",
            model: |s| PARALLELOGRAM.replace("\"q1'\" = -5", &format!("\"q1'\" = {}", -5.0 * s)),
            end: |s| {
                let a = falling(2.0 * 9.81 * 3.0 / 5.0, -5.0 * s, 5.0);
                vec![a, 0.0, a]
            },
            off: |q| q[1].abs().max((q[0] - q[2]).abs()),
            magnified: 2e4,
        },
        Branch {
            name: "one parallelogram",
            model: |s| bars(1).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
            end: |s| {
                let a = falling(9.81, -s, 10.0);
                vec![a, a, 0.0]
            },
            off: |q| q[2].abs().max(spread(&q[..2])),
            magnified: 2e4,
        },
        Branch {
            name: "three parallelograms",
            model: |s| bars(3).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
            end: |s| {
                let a = falling(9.81, -s, 10.0);
                vec![a, a, a, a, 0.0, 0.0, 0.0]
            },
            off: |q| spread(&q[..4]).max(spread(&[0.0, q[4], q[5], q[6]])),
            magnified: 2e4,
        },
        Branch {
            name: "two in places",
            model: |s| bars_in_places(2).replace("\"x0'\" = 1", &format!("\"x0'\" = {s}")),
            end: |s| {
                let a = falling(9.81, -s, 10.0);
                (0..3)
                    .flat_map(|i| [f64::from(i) + a.cos(), a.sin()])
                    .collect()
            },
            off: |q| spread(&[q[0], q[2] - 1.0, q[4] - 2.0]).max(spread(&[q[1], q[3], q[5]])),
            magnified: 3e4,
        },
        Branch {
            name: "IFToMM A02",
            model: |s| {
                let rate = format!("\"a0'\" = \"{} rad/s\"", -s);
                text("n-four-bar-iftomm-a02").replace("\"a0'\" = \"-1 rad/s\"", &rate)
            },
            end: |s| {
                let a = falling(9.81 * 21.0 / 18.0, -s, 10.0);
                vec![a, a, a, 0.0, 0.0]
            },
            off: |q| spread(&q[..3]).max(spread(&[0.0, q[3], q[4]])),
            magnified: 2e4,
        },
    ]
}

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

/// Every tolerance, formulation, integrator and speed.
#[test]
#[ignore = "thorough: 13 000 runs"]
fn every_run_keeps_its_branch() {
    let mut wrong = Vec::new();
    for branch in all() {
        let (mut right, mut refused) = (0, 0);
        for s in speeds(20) {
            let wanted = (branch.end)(s);
            for options in TOLERANCES.into_iter().flat_map(ways) {
                match end_of(&branch, (s, &wanted), &options) {
                    Ended::Right => right += 1,
                    Ended::Refused => refused += 1,
                    Ended::Wrong(how) => wrong.push(how),
                }
            }
        }
        // One in fifty: implicit steps at tolerances next to rounding.
        assert!(
            refused * 50 <= right,
            "{}: {refused} of {}",
            branch.name,
            right + refused
        );
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
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

/// N four-bars in a row, IFToMM A02: 2 N rows in 2 N + 1 angles, N of which become dependent at once.
fn four_bars(count: usize) -> Branch {
    Branch {
        name: "four-bars in a row",
        model: match count {
            20 => |s| bars(20).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
            _ => |s| bars(40).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
        },
        end: match count {
            20 => |s| row_of_bars(20, s),
            _ => |s| row_of_bars(40, s),
        },
        off: |q| {
            let bars = q.len().div_ceil(2);
            let level = q[bars..].iter().fold(0.0, |a, b| f64::max(a, b.abs()));
            spread(&q[..bars]).max(level)
        },
        magnified: 2e4,
    }
}

fn row_of_bars(count: usize, s: f64) -> Vec<f64> {
    let a = falling(9.81, -s, 10.0);
    let angles = std::iter::repeat_n(a, count + 1);
    angles.chain(std::iter::repeat_n(0.0, count)).collect()
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

#[test]
fn unequal_four_bars_turn_the_corner() {
    for (digits, sign) in [
        (3, '+'),
        (3, '-'),
        (6, '+'),
        (6, '-'),
        (9, '+'),
        (9, '-'),
        (12, '+'),
        (12, '-'),
    ] {
        let text = PARALLELOGRAM
            .replace(
                "\"[2, 0, 0] + 1/2*C.ex\"",
                &format!("\"[2 {sign} 1e-{digits}, 0, 0] + 1/2*C.ex\""),
            )
            .replace("span = 5", "span = 0.5");
        assert_turned(
            &text,
            digits,
            &[1e-3, 1e-4, 1e-6, 1e-9, 1e-10, 1e-11, 1e-12],
        );
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
