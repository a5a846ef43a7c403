//! No run ends as done on another motion than its own: it ends in balance and where it should, or it stops with a reason.

use crate::support::{at, at_most, mechanism, names, ran, read, text};
use dalembert::simulate::{RunOptions, SimulateError, Stop};
use dalembert_mechanics::formulation::Formulation;
use dalembert_ode::Method;

/// Two coordinates of mass one under one row.
pub(crate) fn plane(row: &str, [x, y]: [&str; 2], [dx, dy]: [&str; 2], potential: &str) -> String {
    format!(
        "dalembert = 1\n[coordinates]\nx = \"{x}\"\ny = \"{y}\"\n[start]\n\
         \"x'\" = {{ value = \"{dx}\", priority = \"guess\" }}\n\"y'\" = {{ value = \"{dy}\", priority = \"guess\" }}\n\
         [energy]\nkinetic = \"(x'^2+y'^2)/2\"\npotential = \"{potential}\"\n\
         [constraint.c]\nholds = \"{row}\"\n[run]\nspan = 3\n"
    )
}

pub(crate) const PARALLELOGRAM: &str = r#"dalembert = 1
gravity = "[0, -9.81, 0]"
[coordinates]
q1 = "90 deg"
q2 = { value = 0, priority = "guess" }
q3 = { value = "90 deg", priority = "guess" }
[start]
"q1'" = -5
[body.A]
mass = 1
attitude = "Rz(q1)"
center = "1/2*A.ex"
shape = { rod = { length = 1, axis = "x" } }
point = { tip = "[1/2, 0, 0]" }
[body.B]
mass = 1
attitude = "Rz(q2)"
center = "pos(A.tip) + B.ex"
shape = { rod = { length = 2, axis = "x" } }
point = { tip = "[1, 0, 0]" }
[body.C]
mass = 1
attitude = "Rz(q3)"
center = "[2, 0, 0] + 1/2*C.ex"
shape = { rod = { length = 1, axis = "x" } }
point = { tip = "[1/2, 0, 0]" }
[constraint.pin]
holds = "pos(B.tip) = pos(C.tip)"
[run]
span = 5
record = ["energy", "lambda(pin)"]
"#;

/// N + 1 bars of length one side by side, joined by N couplers, in angles.
pub(crate) fn bars(n: usize) -> String {
    let mut text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\n".to_owned();
    for i in 0..=n {
        text += &format!("a{i} = \"90 deg\"\n");
    }
    for i in 0..n {
        text += &format!("b{i} = 0\n");
    }
    text += "[start]\n\"a0'\" = -1\n";
    for i in 0..=n {
        text +=
            &format!("[particle.P{i}]\nmass = 1\nposition = \"[{i}+cos(a{i}), sin(a{i}), 0]\"\n");
    }
    for i in 0..n {
        let j = i + 1;
        text += &format!(
            "[particle.C{i}]\nmass = 1e-3\nposition = \"[{i}+cos(a{i})+cos(b{i})/2, sin(a{i})+sin(b{i})/2, 0]\"\n\
             [constraint.c{i}]\nholds = \"[cos(a{i})+cos(b{i})-1-cos(a{j}), sin(a{i})+sin(b{i})-sin(a{j}), 0] = 0\"\n"
        );
    }
    text + "[run]\nspan = 10\nsamples = 101\n"
}

/// The same in the places of their ends.
pub(crate) fn bars_in_places(n: usize) -> String {
    let mut text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\n".to_owned();
    for i in 0..=n {
        text += &format!("x{i} = {i}\ny{i} = 1\n");
    }
    text += "[start]\n\"x0'\" = 1\n";
    for i in 0..=n {
        text += &format!(
            "[particle.P{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\"\n\
             [constraint.r{i}]\nholds = \"(x{i}-{i})^2 + y{i}^2 = 1\"\n"
        );
    }
    for i in 0..n {
        let j = i + 1;
        text += &format!("[constraint.c{i}]\nholds = \"(x{j}-x{i})^2 + (y{j}-y{i})^2 = 1\"\n");
    }
    text + "[run]\nspan = 10\nsamples = 101\n"
}

pub(crate) const SLIDER_CRANK: &str = "dalembert = 1\n[coordinates]\nth = 0.5\nx = \"2*cos(0.5)\"\n[start]\n\"th'\" = 2\n\
    [energy]\nkinetic = \"th'^2/2 + x'^2/2\"\n[constraint.rod]\nholds = \"(x - cos(th))^2 + sin(th)^2 = 1\"\n\
    [run]\nspan = 3\n";

/// Some entries of the state at the end: place and value.
type End = Vec<(usize, f64)>;

/// The same angle for some coordinates, and none for others.
fn parallel(swung: &[usize], angle: f64, level: &[usize]) -> End {
    let swung = swung.iter().map(|&i| (i, angle));
    swung.chain(level.iter().map(|&i| (i, 0.0))).collect()
}

/// Models that meet points where rows lose their rank, with the end of the motion that arrives there: integrated
/// elsewhere along a parameter in which these are points like any other (the curve's, or the one angle).
fn branching() -> Vec<(&'static str, String, End)> {
    let node = plane(
        "y^2 = x^2*(1+x)",
        ["1", "sqrt(2)"],
        ["-1", "-1.76776695296637"],
        "0",
    );
    let swung = -29.582_311_44_f64;
    let places = (0..3)
        .flat_map(|i| [(2 * i, i as f64 + swung.cos()), (2 * i + 1, swung.sin())])
        .collect();
    let rhombus = text("four-bar-iftomm") + "[start]\n\"q1'\" = 6\n";
    vec![
        (
            "lemniscate",
            plane("(x^2+y^2)^2 = x^2-y^2", ["1", "0"], ["0", "1"], "0"),
            vec![(0, -0.810_799_323), (1, 0.305_811_308)],
        ),
        ("node", node, vec![(0, 0.952_291_086), (1, -1.330_583_105)]),
        (
            "cross",
            plane("x*y=0", ["1", "0"], ["-1", "0"], "3*y"),
            vec![(0, -2.0), (1, 0.0)],
        ),
        (
            "slider-crank",
            SLIDER_CRANK.to_owned(),
            vec![(0, 5.161_527_628), (1, 0.868_379_541)],
        ),
        (
            "parallelogram",
            PARALLELOGRAM.to_owned(),
            parallel(&[0, 2], -31.317_608_45, &[1]),
        ),
        ("one parallelogram", bars(1), parallel(&[0, 1], swung, &[2])),
        (
            "three parallelograms",
            bars(3),
            parallel(&[0, 1, 2, 3], swung, &[4, 5, 6]),
        ),
        ("two in places", bars_in_places(2), places),
        ("rhombus", rhombus, parallel(&[0, 2], 12.478_943_38, &[1])),
    ]
}

/// Passes every change point on the way, at a tolerance and by a formulation.
fn keeps_its_own((name, text, wanted): &(&str, String, End), options: &RunOptions) {
    let mechanism = read(text).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let rtol = options.rtol.unwrap();
    let place = format!("{name} at {rtol:e} by {:?}", options.formulation);
    let end = ran(&mechanism, options).unwrap_or_else(|error| panic!("{place}: {error:?}"));
    for &(i, value) in wanted {
        let found = end.coordinates[i];
        let off = (found - value).abs();
        assert!(off < 1e-8 + 3e3 * rtol, "{place}: {found} for {value}");
        // What the branch holds at zero is there but for rounding.
        assert!(value != 0.0 || off < 1e-10, "{place}: {off:e}");
    }
    assert!(!end.change_points.is_empty(), "{place}");
}

fn by(formulation: Formulation, rtol: f64) -> RunOptions {
    RunOptions {
        formulation: Some(formulation),
        ..at(rtol)
    }
}

#[test]
fn where_motions_branch_off_a_run_keeps_its_own() {
    for (k, model) in branching().iter().enumerate() {
        for (i, rtol) in [1e-3, 1e-5, 1e-7, 1e-9, 1e-10, 1e-12]
            .into_iter()
            .enumerate()
        {
            keeps_its_own(model, &by(Formulation::ALL[(i + k) % 5], rtol));
        }
        let method = Some(Some(Method::Radau5));
        keeps_its_own(model, &RunOptions { method, ..at(1e-7) });
    }
}

/// The same with every tolerance and formulation.
#[test]
#[ignore = "thorough"]
fn where_motions_branch_off_every_run_keeps_its_own() {
    for model in branching() {
        for formulation in Formulation::ALL {
            for digits in 3..=12 {
                keeps_its_own(&model, &by(formulation, 10.0_f64.powi(-digits)));
                keeps_its_own(&model, &by(formulation, 3.0 * 10.0_f64.powi(-digits)));
            }
        }
    }
}

/// All change points of two parallelograms in angles are told, when they are there: each time that they are flat. (At 1e-3 a step
/// may be longer than half a turn: some that are leapt over then, on the right branch, are not told yet.)
#[test]
fn each_change_point_is_told_when_it_is_passed() {
    for rtol in [1e-6, 1e-9, 1e-12] {
        let end = ran(&read(&bars(2)).unwrap(), &at(rtol)).unwrap();
        let times: Vec<f64> = end.change_points.iter().map(|it| it.t).collect();
        assert_eq!(times.len(), 10, "{rtol:e}: {times:?}");
        // A light coupler moves as the bars do, up and down: E = ω²/2 + g sin a for all that has mass.
        let period = times[2] - times[0];
        for (k, pair) in times.windows(3).enumerate() {
            let off = (pair[2] - pair[0] - period).abs();
            assert!(off < 1e-9 + 100.0 * rtol, "{rtol:e}, {k}: {off:e}");
        }
        assert!((times[0] - 0.747_123).abs() < 1e-6 + rtol, "{}", times[0]);
        assert_eq!(
            end.change_points[0].rows.len(),
            2,
            "{:?}",
            end.change_points
        );
    }
}

/// Branches that touch are told apart by how they bend; where the motion's own ends, in a cusp, so does the run.
#[test]
fn branches_that_touch_are_told_apart() {
    // ∫ sqrt(1 + 4 x²) dx is run through at the speed sqrt(5).
    let arc = |x: f64| (2.0 * x * (1.0 + 4.0 * x * x).sqrt() + (2.0 * x).asinh()) / 4.0;
    for rtol in [1e-4, 1e-8, 1e-12] {
        let row = "y*(y - x^2) = 0";
        let level = read(&plane(row, ["1", "0"], ["-1", "0"], "0")).unwrap();
        let end = ran(&level, &at(rtol)).unwrap();
        assert!((end.coordinates[0] + 2.0).abs() < 1e-9 && end.coordinates[1].abs() < 1e-12);
        let bent = read(&plane(row, ["1", "1"], ["-1", "-2"], "0")).unwrap();
        let end = ran(&bent, &at(rtol)).unwrap();
        let (x, y) = (end.coordinates[0], end.coordinates[1]);
        assert!((y - x * x).abs() < 1e-10, "{rtol:e}: {x}, {y}");
        let run = arc(1.0) - arc(x);
        assert!(
            (run - 3.0 * 5.0_f64.sqrt()).abs() < 1e-8 + 100.0 * rtol,
            "{run}"
        );
        let cusp = read(&plane("y^2 = x^3", ["1", "1"], ["-1", "-1.5"], "0")).unwrap();
        let Err(SimulateError::Stopped { so_far, .. }) = ran(&cusp, &at(rtol)) else {
            panic!("there is no way on");
        };
        // The arc of a semicubical parabola: ((1 + 9/4)^(3/2) − 1)·8/27 at the speed sqrt(1 + 9/4).
        let wanted = (3.25_f64.powf(1.5) - 1.0) * 8.0 / 27.0 / 3.25_f64.sqrt();
        assert!((so_far.t_end - wanted).abs() < 1e-3, "{}", so_far.t_end);
    }
}

/// Several freedoms: sheets that cross in a curve. On y = 0 the motion is that without the row.
#[test]
fn sheets_that_cross_are_crossed() {
    let text = |row: &str, y: &str| {
        format!(
            "dalembert = 1\n[coordinates]\nx = 1\nz = 0.3\n{y}\n[start]\n\"x'\" = -1\n\"z'\" = 0.7\n[energy]\n\
             kinetic = \"(x'^2+z'^2)/2{}\"\npotential = \"z^2/2 + x*z/4{}\"\n{row}[run]\nspan = 3\n",
            if y.is_empty() { "" } else { " + y'^2/2" },
            if y.is_empty() { "" } else { " + 3*y" },
        )
    };
    let plain = read(&text("", "")).unwrap();
    let row = "[constraint.c]\nholds = \"y*(x + y*z + z^2/5) = 0\"\n";
    let held = read(&text(row, "y = 0")).unwrap();
    for rtol in [1e-4, 1e-8, 1e-12] {
        let (free, end) = (
            ran(&plain, &at(1e-12)).unwrap(),
            ran(&held, &at(rtol)).unwrap(),
        );
        for i in 0..2 {
            let off = (free.coordinates[i] - end.coordinates[i]).abs();
            assert!(off < 1e-9 + 100.0 * rtol, "{rtol:e}: {off:e}");
        }
        assert!(end.coordinates[2].abs() < 1e-12, "{:?}", end.coordinates);
        assert_eq!(end.change_points.len(), 1);
    }
}

/// No corner however narrow is leapt over: it is turned, or the run stops before it.
#[test]
fn what_only_comes_close_is_not_crossed() {
    for digits in [4, 6, 8, 10, 12, 14] {
        let row = format!("x*y = 1e-{digits}");
        let y = format!("1e-{digits}");
        let mechanism = read(&plane(&row, ["1", &y], ["-1", &y], "0")).unwrap();
        for rtol in [1e-3, 1e-4, 1e-6, 1e-9] {
            match ran(&mechanism, &at(rtol)) {
                Ok(end) => assert!(
                    end.coordinates[1] > 1.9,
                    "{row}, {rtol:e}: {:?}",
                    end.coordinates
                ),
                Err(SimulateError::Stopped { so_far, .. }) => {
                    assert!(digits > 10 && so_far.t_end < 1.1, "{row}, {rtol:e}");
                }
                Err(other) => panic!("{row}: {other:?}"),
            }
        }
    }
}

/// A row with a corner that contradicts the velocity stops the run at the corner.
#[test]
fn a_corner_stops_the_run_where_it_is() {
    let corners = [
        (plane("sqrt(x^2) = y", ["1", "1"], ["-1", "-1"], "0"), 1.0),
        (
            plane("abs(x) + abs(y) = 1", ["1/2", "1/2"], ["-1", "1"], "0"),
            0.5,
        ),
        (plane("y = max(x, 0)", ["-1", "0"], ["1", "0"], "0"), 1.0),
    ];
    for (text, t) in corners {
        let mechanism = read(&text).unwrap();
        for rtol in [1e-6, 1e-9, 1e-12] {
            let Err(SimulateError::Stopped { why, so_far }) = ran(&mechanism, &at(rtol)) else {
                panic!("{text}");
            };
            assert!((so_far.t_end - t).abs() < 1e-4, "{text}: {}", so_far.t_end);
            assert!(!matches!(why, Stop::Stuck(_)));
            assert!(so_far.balance_error().abs() < 1e-5, "{text}");
        }
    }
}

/// Only the curvature of y = x|x| jumps: with unit speed it is the arc length that is run through.
#[test]
fn a_jump_of_the_curvature_is_passed() {
    let mechanism = read(&plane("y = x*abs(x)", ["-1", "-1"], ["1", "2"], "0")).unwrap();
    let end = ran(&mechanism, &at(1e-10)).unwrap();
    let (x, y) = (end.coordinates[0], end.coordinates[1]);
    assert!((y - x * x.abs()).abs() < 1e-12);
    // ∫ sqrt(1 + 4 x²) dx from −1, at the speed sqrt(5).
    let arc = |x: f64| (2.0 * x * (1.0 + 4.0 * x * x).sqrt() + (2.0 * x).asinh()) / 4.0;
    let run = arc(x) + arc(1.0);
    assert!((run - 3.0 * 5.0_f64.sqrt()).abs() < 1e-7, "{run}");
}

/// A narrow corner that is the motion's own is turned.
#[test]
fn a_narrow_corner_that_is_smooth_is_turned() {
    let text = plane("x*y = 1e-6", ["1", "1e-6"], ["-1", "1e-6"], "0");
    let end = ran(&read(&text).unwrap(), &at(1e-9)).unwrap();
    assert!(end.coordinates[1] > 1.9, "{:?}", end.coordinates);
    assert!(end.balance_error().abs() < 1e-7);
}

#[test]
fn every_example_is_in_balance_at_every_tolerance() {
    for name in names() {
        let mechanism = mechanism(&name);
        for rtol in [None, Some(1e-6), Some(1e-9), Some(1e-12)] {
            let options = RunOptions {
                rtol,
                span: Some(at_most(2.0, &mechanism)),
                samples: Some(2),
                ..RunOptions::default()
            };
            match ran(&mechanism, &options) {
                Ok(_) => {}
                // Friction that has no answer is what this shows.
                Err(SimulateError::Stopped {
                    why: Stop::Integrator { cause: Some(_), .. },
                    ..
                }) if name == "painleve-rod" => {}
                Err(SimulateError::Stopped { why, so_far }) => {
                    panic!("{name} at {rtol:?}: {why:?} at {}", so_far.t_end)
                }
                Err(other) => panic!("{name} at {rtol:?}: {other:?}"),
            }
        }
    }
}

/// A body that almost falls into the centre of V = -1/r is, at a millionth of that distance, a million times faster than elsewhere:
/// what it loses there is seen beside what it has elsewhere, in any units of time, and there is a tolerance with which it is not.
#[test]
fn energy_lost_in_a_near_collision_is_seen() {
    for unit in [1e-9, 1.0, 1e9] {
        let text = format!(
            "dalembert = 1\n[parameters]\nk = {:e}\n[coordinates]\nx = 1\ny = 0\n[start]\n\"y'\" = {:e}\n\
             [energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"-k/sqrt(x^2 + y^2)\"\n[run]\nspan = {:e}\n",
            unit * unit,
            1e-3 * unit,
            100.0 / unit
        );
        let mechanism = read(&text).unwrap();
        let Err(SimulateError::Stopped { why, so_far }) = ran(&mechanism, &at(1e-9)) else {
            panic!("it has lost a hundredth of its energy");
        };
        assert!(matches!(why, Stop::OutOfBalance(_)), "{why:?}");
        let lost = (so_far.balance_error() / so_far.energy_start).abs();
        assert!(lost < 3e-3, "{lost:e}");
        let end = ran(&mechanism, &at(1e-12)).unwrap();
        let lost = (end.balance_error() / end.energy_start).abs();
        assert!(lost < 1e-3, "{lost:e}");
    }
}

/// A pendulum of a nanometre, or of 1e-100 m, is one of a metre.
#[test]
fn the_length_of_a_pendulum_does_not_matter() {
    let end = |unit: f64| {
        let text = format!(
            "dalembert = 1\ngravity = \"[0, -g, 0]\"\n[parameters]\nl = {unit:e}\ng = {unit:e}\n\
             [coordinates]\nx = \"l*sin(1)\"\ny = \"-l*cos(1)\"\n[particle.P]\nmass = 1e-24\nposition = \"[x, y, 0]\"\n\
             [constraint.c]\nholds = \"x^2+y^2 = l^2\"\n[run]\nspan = 10\n"
        );
        let end = ran(&read(&text).unwrap(), &RunOptions::default()).unwrap();
        end.coordinates[0] / unit
    };
    let wanted = end(1.0);
    for unit in [1e-9, 1e9] {
        assert!((end(unit) - wanted).abs() < 1e-7, "{unit:e}: {}", end(unit));
    }
}

/// A row that is nothing but rounding of its terms holds nothing, at the start and on the way.
#[test]
fn a_row_that_is_rounding_holds_nothing() {
    for factor in ["(sqrt(x^2 + y^2) - 1)", "(x^2 + y^2 - 1)"] {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = 1\ny = 0\nz = 0\n[start]\n\"y'\" = 1\n\"z'\" = 0.5\n\
             [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[constraint.circle]\nholds = \"x^2 + y^2 = 1\"\n\
             [constraint.zero]\nholds = \"{factor}*z' = 0\"\n[run]\nspan = 3\n"
        );
        let mechanism = read(&text).unwrap();
        for rtol in [1e-6, 1e-9, 1e-12] {
            let end = ran(&mechanism, &at(rtol)).unwrap();
            let wanted = [3.0_f64.cos(), 3.0_f64.sin(), 1.5];
            for (found, wanted) in end.coordinates.iter().zip(wanted) {
                let off = (found - wanted).abs();
                assert!(off < 30.0 * rtol, "{factor} at {rtol:e}: {off:e}");
            }
            assert!(end.steps < 300, "{factor} at {rtol:e}: {}", end.steps);
        }
    }
}

/// Ended where its rows depend on each other, a run has the state it arrives with, and no multipliers.
#[test]
fn a_sample_at_a_change_point_has_no_multipliers_and_the_right_rates() {
    let text = bars(1).replace(
        "samples = 101",
        "samples = 101\nuntil = \"a0 < 0\"\nrecord = [\"energy\", \"a0''\", \"lambda(c0)\"]",
    );
    let end = ran(&read(&text).unwrap(), &RunOptions::default()).unwrap();
    assert!(end.balance_error().abs() < 1e-5, "{}", end.balance_error());
    assert!(end.coordinates[0].abs() < 1e-9);
    // m g h of two particles and a light one, and what they began with.
    let speed = (1.0_f64 + 2.0 * 9.81).sqrt();
    for (rate, wanted) in end.rates.iter().zip([-speed, -speed, 0.0]) {
        assert!((rate - wanted).abs() < 1e-6, "{:?}", end.rates);
    }
    let (count, t, _) = end.undetermined.unwrap();
    assert_eq!(count, 1);
    assert!((t - end.t_end).abs() < 1e-12);
    let last = |name: &str| *end.table.column(name).unwrap().values.last().unwrap();
    assert!(last("a0''").is_nan() && last("lambda(c0.0)").is_nan());
    assert!((last("energy") - end.energy_start).abs() < 1e-5);
}

/// Two oscillators that know nothing of each other: a large one does not hide the errors of a small one.
#[test]
fn parts_of_a_model_are_measured_by_themselves() {
    let text = "dalembert = 1\n[parameters]\nk = \"1 N/m\"\nc = \"9 N/m\"\n[coordinates]\nx = \"1 m\"\ny = \"1e-12 m\"\n[particle.P]\nmass = \"1 kg\"\n\
        position = \"[x, 0, 0]\"\n[particle.Q]\nmass = \"1 kg\"\nposition = \"[0, y, 0]\"\n\
        [force.f]\non = \"P\"\nvector = \"[-k*x, 0, 0]\"\n\
        [force.g]\non = \"Q\"\nvector = \"[0, -c*y, 0]\"\n[run]\nspan = \"10 s\"\n";
    let end = ran(&read(text).unwrap(), &RunOptions::default()).unwrap();
    let wanted = [10.0_f64.cos(), 1e-12 * 30.0_f64.cos()];
    for (found, wanted) in end.coordinates.iter().zip(wanted) {
        assert!(
            (found / wanted - 1.0).abs() < 1e-6,
            "{found:e} for {wanted:e}"
        );
    }
}
