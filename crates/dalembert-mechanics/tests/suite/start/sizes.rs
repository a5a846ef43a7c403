//! Sizes: neither places, nor masses, nor what else is in a model decide whether a row holds or what is nearest.

use super::{assembled, close, guess, particle};
use std::fmt::Write;

/// As [`close`], where zeros are met as well as ones.
fn near(found: &[f64], wanted: &[f64], tolerance: f64) {
    let more = |values: &[f64]| values.iter().map(|x| x + 10.0).collect::<Vec<f64>>();
    close(&more(found), &more(wanted), tolerance);
}

/// Rates that are not in any row, and not coupled to those that are, do not move; where they are coupled the closed form
/// holds: with p' = 0 and d' = 1 the least (x'² + x'² + (x' + 1)²)/2 is at x' = −1/3.
#[test]
fn what_no_row_knows_stays() {
    let model = |kinetic: &str, names: &[&str], rows: &[&str]| {
        let mut text = String::from("[coordinates]\n");
        names
            .iter()
            .for_each(|name| text += &format!("{name} = 0\n"));
        text += &format!("[energy]\nkinetic = \"{kinetic}\"\n");
        for (i, row) in rows.iter().enumerate() {
            text += &format!("[constraint.c{i}]\nholds = \"{row}\"\n");
        }
        assembled(&text).unwrap().state.rates
    };
    let rows = ["p' = 0", "d' = 1"];
    let kinetic = "(x'^2 + p'^2)/2 + (p' + d')^2/2";
    near(
        &model(kinetic, &["x", "p", "d"], &rows),
        &[0.0, 0.0, 1.0],
        1e-14,
    );
    let kinetic = "x'^2/2 + (x' + p')^2/2 + (x' + p' + d')^2/2 + y'^2/2";
    let found = model(kinetic, &["x", "p", "d", "y"], &rows);
    near(&found, &[-1.0 / 3.0, 0.0, 1.0, 0.0], 1e-14);
    let kinetic = "(x'^2 + y'^2 + p'^2)/2 + (p' + d')^2/2";
    let rows = ["y' = 0", "p' + y' = 0", "d' = 1"];
    for names in [["x", "p", "y", "d"], ["x", "y", "p", "d"]] {
        near(&model(kinetic, &names, &rows), &[0.0, 0.0, 0.0, 1.0], 1e-14);
    }
}

/// A disk that rolls far from the origin rolls as fast as one at the origin; what conflicts there conflicts here.
#[test]
fn places_do_not_change_velocities() {
    let rolling = |x: f64, given: &str| {
        let text = format!(
            "[coordinates]\nx = {x:e}\nphi = 0\n[start]\n\"phi'\" = 8\n{given}\n\
             [energy]\nkinetic = \"x'^2 + phi'^2/4\"\n[constraint.roll]\nholds = \"x' = phi'/2\"\n"
        );
        assembled(&text)
    };
    for x in [0.0, 1e6, 1e9, 1e12, 1e17] {
        let found = rolling(x, "").unwrap();
        near(&found.state.rates, &[4.0, 8.0], 1e-14);
        assert_eq!(found.solved, [("x'".to_owned(), 4.0)], "{x}");
        let conflict = rolling(x, "\"x'\" = 0").unwrap_err();
        assert_eq!(conflict[0].0, "E0506", "{x}: {conflict:?}");
    }
}

/// What a row is multiplied by is no change point.
#[test]
fn scaled_rows_lose_no_rank() {
    for k in [1e-9, 1e-6, 1.0, 1e6, 1e9] {
        let text = format!(
            "[parameters]\nk = {k:e}\n[coordinates]\nx = \"?\"\ny = \"?\"\nz = 0.2\n[start]\n\"z'\" = 3\n\
             [particle.P]\nmass = 1\nposition = \"[x, y, z]\"\n[constraint.a]\nholds = \"x = cos(z)\"\n\
             [constraint.b]\nholds = \"k*y = k*sin(z)\"\n"
        );
        let found = assembled(&text).unwrap();
        assert!(found.warnings.is_empty(), "{k}: {:?}", found.warnings);
        let (sin, cos) = 0.2_f64.sin_cos();
        near(&found.state.coordinates, &[cos, sin, 0.2], 1e-14);
        near(&found.state.rates, &[-3.0 * sin, 3.0 * cos, 3.0], 1e-13);
    }
}

/// The metric is that of the mass matrix, wherever the system stands and however far apart the sizes of its coordinates are.
#[test]
fn sizes_of_coordinates_are_no_weights() {
    let rates = |coordinates: &str, kinetic: &str, rows: &[&str]| {
        let mut text = format!("[coordinates]\n{coordinates}\n[energy]\nkinetic = \"{kinetic}\"\n");
        for (i, row) in rows.iter().enumerate() {
            let _ = writeln!(text, "[constraint.c{i}]\nholds = \"{row}\"");
        }
        assembled(&text).map(|start| start.state.rates)
    };
    let both = "x'^2/2 + y'^2/2";
    for (x, y) in [("1e-7", "1"), ("1e-6", "1"), ("2", "1e7"), ("0", "1e12")] {
        let found = rates(&format!("x = {x}\ny = {y}"), both, &["x' + y' = 1"]).unwrap();
        near(&found, &[0.5, 0.5], 1e-12);
    }
    let found = rates(
        "x = 2\ny = 1e9\nz = 0",
        "(x'^2 + y'^2 + z'^2)/2",
        &["x' + z' = 1"],
    );
    near(&found.unwrap(), &[0.5, 0.0, 0.5], 1e-12);
    // Without inertia: what is left to choose costs nothing, and rows are not lost for it.
    let rows = ["z = 0", "x' = 0", "x' + y' = 3"];
    let found = rates("x = 0\ny = 0\nz = 0", "y'^2", &rows).unwrap();
    assert_eq!(found, [0.0, 3.0, 0.0]);
    let rows = ["a + 1e-4*c + 2*d = 0", "c' = 0", "2*a' + d'/2 = 2"];
    let coordinates = format!("a = {}\nb = 0.5\nc = {}\nd = 0", guess(0.0), guess(1.0));
    let found = rates(&coordinates, "b'^2", &rows).unwrap();
    near(&found, &[8.0 / 7.0, 0.0, 0.0, -4.0 / 7.0], 1e-14);
    // What contradicts contradicts, however large something else is.
    for y in [0.0, 1.0, 1e9, 1e15] {
        let rows = ["x' = 0.5", "x' = 0.3"];
        let told = rates(&format!("x = 0\ny = {}", guess(y)), both, &rows).unwrap_err();
        assert_eq!(told[0].0, "E0509", "{y}: {told:?}");
    }
}

/// Linear position rows have one nearest solution, and it is found: by hand, or by Cramer's rule.
#[test]
fn linear_positions_are_found_by_one_step() {
    let found = |x: &str, y: &str, rows: &[&str]| assembled(&particle(x, y, "", rows)).unwrap();
    let far = [
        "0.023*(x - 0.385) = 0.347*(y - 1e8)",
        "0.622*(x - 0.385) = 0.882*(y - 1e8)",
    ];
    let start = found(&guess(0.43), "\"?\"", &far);
    close(&start.state.coordinates, &[0.385, 1e8], 1e-6);
    assert_eq!(start.moved.len(), 1);
    let start = found(&guess(1e6), &guess(1.0), &["x - 1e6 + y = 2"]);
    close(&start.state.coordinates, &[1_000_000.5, 1.5], 1e-14);
    assert_eq!(start.moved.len(), 2);
    // Without inertia what moves least beside its size moves.
    let text = format!(
        "[coordinates]\na = {}\nb = 0.5\nc = {}\n[energy]\nkinetic = \"b'^2\"\n[constraint.r]\nholds = \"a + 1e-4*c = 0\"\n",
        guess(0.0),
        guess(1.0)
    );
    let start = assembled(&text).unwrap();
    let part = 1e-4 / (1.0 + 1e-8);
    close(
        &start.state.coordinates,
        &[-part, 0.5, 1.0 - 1e-4 * part],
        1e-12,
    );
    // Moved by one part in a thousand millions is moved.
    let start = found(&guess(1e8), "0.1", &["x - y = 1e8"]);
    assert_eq!(start.moved.len(), 1);
}

/// Models that a second hand found wrong: each with its answer by hand.
#[test]
fn what_has_nothing_to_do_with_a_row_does_not_judge_it() {
    let model = |coordinates: &[(&str, String)], kinetic: &str, rows: &[&str]| {
        let mut text = String::from("[coordinates]\n");
        for (name, value) in coordinates {
            let _ = writeln!(text, "{name} = {value}");
        }
        let _ = writeln!(text, "[energy]\nkinetic = \"{kinetic}\"");
        for (name, row) in ('p'..='w').zip(rows) {
            let _ = writeln!(text, "[constraint.{name}]\nholds = \"{row}\"");
        }
        assembled(&text)
    };
    let unknown = || "\"?\"".to_owned();
    // A large "?" in another row.
    let found = model(
        &[("x", unknown()), ("y", guess(0.0))],
        "y'^2",
        &["x = 10", "1e12*y = 1"],
    );
    let found = found.unwrap();
    close(&found.state.coordinates, &[10.0, 1e-12], 1e-12);
    assert_eq!(found.moved.len(), 1);
    // What is in no row stays, to the last bit.
    let light = "1e-8*x'^2 + z'^2";
    let start = [("x", guess(1.0)), ("y", guess(0.0)), ("z", guess(0.0))];
    let found = model(&start, light, &["y + 0.01*z = 0", "y = 1000"]).unwrap();
    assert_eq!(found.state.coordinates[..1], [1.0]);
    close(&found.state.coordinates[1..], &[1e3, -1e5], 1e-12);
    let start = [("x", guess(1e-9)), ("y", guess(0.0))];
    let found = model(&start, "x'^2 + y'^2", &["0.1*y = 1e9"]).unwrap();
    assert_eq!(found.state.coordinates[..1], [1e-9]);
    // A contradiction of small numbers beside large ones, and which rows it is.
    let small = [
        ("a", "1e-5".to_owned()),
        ("b", guess(0.0)),
        ("c", guess(0.0)),
    ];
    let told = model(
        &small,
        "a'^2 + b'^2 + c'^2",
        &["a + b = 0", "b = 0", "c = 1e5"],
    );
    let told = told.unwrap_err();
    assert!(
        told[0].1.starts_with("`p` and `q` cannot be met with a ="),
        "{told:?}"
    );
    let told = model(
        &[("a", "1".to_owned()), ("c", guess(0.0))],
        "a'^2 + c'^2",
        &["a = 0", "c = 3"],
    );
    let told = told.unwrap_err();
    assert_eq!(told.len(), 1);
    assert!(
        told[0].1.starts_with("`p` cannot be met with a = 1"),
        "{told:?}"
    );
    // One row for two that are not known, however steep.
    for slope in [1, 10, 100, 10_000] {
        let rows = [format!("x + {slope}*y = 7")];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let told = model(&[("x", unknown()), ("y", unknown())], "x'^2 + y'^2", &rows);
        assert_eq!(told.unwrap_err()[0].0, "E0505", "{slope}");
    }
    let told = model(
        &[("x", "0".to_owned()), ("y", "0".to_owned())],
        "x'^2 + y'^2",
        &["y = t", "x = 0", "1e9*x' + 1e-4*y' = 0"],
    );
    assert_eq!(told.unwrap_err()[0].0, "E0509");
}

/// Rows that depend on each other everywhere are no change point, whatever they ask of accelerations.
#[test]
fn what_does_not_depend_on_velocities_is_no_change_point() {
    let sphere = ["x^2 + y^2 + z^2 = 1", "z = 1/2", "z = 1/2"];
    for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0]] {
        let mut text = "[coordinates]\nx = 0.6\ny = \"?\"\nz = 0.5\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, y, z]\"\n"
            .to_owned();
        for (name, row) in ('a'..).zip(order) {
            let _ = writeln!(text, "[constraint.{name}]\nholds = \"{}\"", sphere[row]);
        }
        // That y may be negative as well is told; that there is a change point is not.
        let found = assembled(&text).unwrap();
        let codes: Vec<&str> = found.warnings.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["W0505"], "{order:?}");
    }
    for rows in [
        &["y = 0", "y = 0", "x + y = t^2"][..],
        &["2*y = 0", "4*y = 0", "x + y = t^2"],
        &["y = 0", "x' + 1e6*y' = t"],
        &["x + y = t^2", "x + (1 + 1e-6)*y = t^2"],
    ] {
        let found = assembled(&particle("0", "0", "", rows)).unwrap();
        assert!(found.warnings.is_empty(), "{rows:?}");
    }
}
