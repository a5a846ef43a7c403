//! Piecewise laws and tables: runs against closed forms, tables against sampled functions, and what is refused.

use dalembert::report::Error;
use dalembert::simulate::RunOptions;
use dalembert::{EvalOptions, Model, Source};

/// A particle of 2 kg on a line, with a force.
fn particle(force: &str, rest: &str) -> String {
    format!(
        "dalembert = 1\n[parameters]\nm = \"2 kg\"\n[coordinates]\nx = \"0 m\"\n[particle.P]\nmass = \"m\"\n\
         position = \"[x, 0, 0]\"\n[force.f]\ngeneralized = {{ x = '{force}' }}\n{rest}\n"
    )
}

fn read(text: &str, files: &[(&str, &str)]) -> Result<Model, Error> {
    let source = Source::new("model.toml", text);
    let source = files
        .iter()
        .fold(source, |source, (name, text)| source.with_file(name, text));
    Model::read(source)
}

fn model(text: &str, files: &[(&str, &str)]) -> Model {
    read(text, files).unwrap_or_else(|error| panic!("{error}"))
}

/// Position and velocity at the end of a run.
fn end(model: &Model) -> [f64; 2] {
    let report = model.run(&RunOptions::default());
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let columns = report.table.columns();
    let last = |name: &str| {
        let column = columns.iter().find(|it| it.name == name).unwrap();
        column.values[column.values.len() - 1]
    };
    [last("x"), last("x'")]
}

fn close(found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(
        error <= tolerance * wanted.abs().max(1e-300),
        "{found} for {wanted}"
    );
}

fn refused(text: &str, files: &[(&str, &str)]) -> String {
    let model = match read(text, files) {
        Ok(model) => model,
        Err(error) => return error.to_string(),
    };
    match model.mechanism() {
        Ok(_) => panic!("taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_step_and_a_pulse_do_what_they_must() {
    // x = F (T - t0)²/(2 m)
    let text = particle("3 N*step(t - 1 s)", "[run]\nspan = \"5 s\"");
    let [x, v] = end(&model(&text, &[]));
    close(x, 3.0 * 16.0 / 4.0, 1e-12);
    close(v, 6.0, 1e-12);
    // A pulse of a microsecond after most of an hour.
    let text = particle("3 N*pulse(t - 3000 s, 1e-6 s)", "[run]\nspan = \"4000 s\"");
    let [_, v] = end(&model(&text, &[]));
    // Times near 3000 s are a part of 5e-7 of it apart.
    close(v, 1.5e-6, 1e-5);
    // ∫ (t - 1) dt = 8
    let text = particle("1 N/s*ramp(t - 1 s)", "[run]\nspan = \"5 s\"");
    let [_, v] = end(&model(&text.replace("1 N/s", "(1 N)/(1 s)"), &[]));
    close(v, 4.0, 1e-12);
}

/// Between two springs that touch it at ±a: 4 a/v + 2 π √(m/k) until it is where it was.
#[test]
fn one_sided_springs_throw_a_particle_to_and_fro() {
    let (a, k, v) = (0.3_f64, 50.0_f64, 2.0_f64);
    let force = "if(x > 0.3 m, -50*(x - 0.3 m), if(x < -0.3 m, -50*(x + 0.3 m), 0))";
    let period = 4.0 * a / v + std::f64::consts::TAU * (2.0 / k).sqrt();
    let rest = format!("[start]\n\"x'\" = \"2 m/s\"\n[run]\nspan = {period:?}\nrtol = 1e-10");
    let text = particle(force, &rest);
    let [x, speed] = end(&model(&text, &[]));
    assert!(x.abs() < 1e-8, "{x}");
    close(speed, v, 1e-8);
}

/// Straight lines: the work of the trapezoidal rule is exact, however narrow the peak.
#[test]
fn a_force_from_a_table_is_stepped_through_row_by_row() {
    let drive = "t [s], force [kN]\n0, 0\n700, 0\n700.001, 4\n700.002, 0\n1000, 0\n";
    let text = particle("table(\"drive.csv\", t)", "[run]\nspan = \"1000 s\"");
    let [_, v] = end(&model(&text, &[("drive.csv", drive)]));
    close(v, 4e3 * 0.001 / 2.0, 1e-7);
}

fn sine(rows: usize, step: f64) -> String {
    let row = |i: usize| {
        let t = step * i as f64;
        format!("{t:?},{:?},0\n", 0.2 * (5.0 * t).sin())
    };
    "t [s],x [m],other\n".to_owned() + &(0..rows).map(row).collect::<String>()
}

/// m x'' of the sine that was sampled: a spline has it to second order in the distance of its points.
#[test]
fn a_motion_by_a_table_has_the_reaction_of_its_second_derivative() {
    let row = "[constraint.motion]\nholds = 'x = table(\"drive.csv\", t, column = \"x\", kind = \"cubic\")'";
    let text = particle("0 N", row).replace("x = \"0 m\"", "x = \"?\"");
    let mut errors = Vec::new();
    for rows in [101, 201] {
        let file = sine(rows, 2.0 / (rows - 1) as f64);
        let model = model(&text, &[("drive.csv", &file)]);
        let at = EvalOptions {
            at: Some(0.613),
            raw: false,
        };
        let report = model.eval_at(&at).unwrap_or_else(|error| panic!("{error}"));
        let document = serde_json::to_value(&report).unwrap();
        let reaction = document["multipliers"]["motion"]
            .as_f64()
            .or_else(|| document["multipliers"][0]["value"].as_f64())
            .unwrap_or_else(|| panic!("{document:#}"));
        let wanted = -2.0 * 0.2 * 25.0 * (5.0 * 0.613_f64).sin();
        errors.push((reaction - wanted).abs() / wanted.abs());
    }
    assert!(
        errors[0] < 2e-3 && errors[1] < errors[0] / 3.0,
        "{errors:?}"
    );
}

#[test]
fn a_run_ends_where_its_table_does() {
    let drive = "t [s],force [N]\n0,1\n2,1\n";
    let text = particle("table(\"drive.csv\", t)", "[run]\nspan = \"5 s\"");
    let model_of = |text: &str| model(text, &[("drive.csv", drive)]);
    let error = model_of(&text).run(&RunOptions::default()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("E0487"), "{message}");
    assert!(
        message.contains("drive.csv has values from 0 to 2"),
        "{message}"
    );
    let so_far = error.so_far.unwrap();
    close(so_far.t_end, 2.0, 1e-12);
    let hold = text.replace(", t)", ", t, outside = \"hold\")");
    let [_, v] = end(&model_of(&hold));
    close(v, 2.5, 1e-12);
}

#[test]
fn what_is_differentiated_must_not_have_corners() {
    let drive = [("drive.csv", "t,x\n0,0\n1,1\n2,0\n")];
    let row = |table: &str| {
        let row = format!("[constraint.motion]\nholds = 'x = {table}'");
        particle("0 N", &row).replace("x = \"0 m\"", "x = \"?\"")
    };
    let message = refused(&row("table(\"drive.csv\", t)"), &drive);
    assert!(
        message.contains("E0417") && message.contains("cubic"),
        "{message}"
    );
    let message = refused(
        &row("table(\"drive.csv\", t, kind = \"cubic\", outside = \"hold\")"),
        &drive,
    );
    assert!(message.contains("E0417"), "{message}");
    let message = refused(&row("if(t > 1 s, 1 m, 0 m)"), &drive);
    assert!(message.contains("E0417"), "{message}");
    // Both branches meet with one slope.
    let smooth = row("if(t > 1 s, (1 m)*((t - 1 s)/(1 s))^2, 0 m)");
    assert!(model(&smooth, &drive).mechanism().is_ok());
}

#[test]
fn tables_that_cannot_be_read_are_told_by_file_and_line() {
    let text = particle("table(\"drive.csv\", t)", "");
    let with = |file: &str| refused(&text, &[("drive.csv", file)]);
    let missing = refused(&text, &[]);
    assert!(
        missing.contains("E0485") && missing.contains("model.toml:"),
        "{missing}"
    );
    for (file, line, words) in [
        ("t,f\n0,1\n1,x\n", "drive.csv:3", "is not a number"),
        ("t,f\n0,1\n1\n", "drive.csv:3", "1 fields, but 2 columns"),
        (
            "0,1\n1,2\n",
            "drive.csv:1",
            "numbers where the column names should be",
        ),
        ("t,f\n0,1\n\n2,1\n1,2\n", "drive.csv:5", "not larger here"),
        ("t,f\n0,1\n1,NaN\n", "drive.csv:3", "no finite number"),
        (
            "t,f [furlong]\n0,1\n1,2\n",
            "drive.csv:1",
            "`furlong` is not a unit",
        ),
    ] {
        let message = with(file);
        assert!(
            message.contains(line) && message.contains(words),
            "{message}"
        );
    }
    let message = with("t,f,g\n0,1,1\n1,2,1\n");
    assert!(
        message.contains("E0486") && message.contains("one of f, g"),
        "{message}"
    );
    let message = with("t,f\n0,1\n");
    assert!(message.contains("fewer than two rows"), "{message}");
}

#[test]
fn units_of_a_table_are_held_against_the_model() {
    let drive = [("drive.csv", "s [m],force [m]\n0,0\n1,1\n")];
    let message = refused(&particle("table(\"drive.csv\", t)", ""), &drive);
    assert!(message.contains("E045"), "{message}");
    let message = refused(&particle("table(\"drive.csv\", x)", ""), &drive);
    assert!(message.contains("E045"), "{message}");
    let right = [("drive.csv", "s [mm],force [N]\n0,0\n1000,1\n")];
    let right = model(&particle("table(\"drive.csv\", x + 0.5 m)", ""), &right);
    let force = right.eval().unwrap();
    let document = serde_json::to_value(&force).unwrap().to_string();
    assert!(document.contains("0.25"), "{document}");
    let message = refused(&particle("if(t > 1 s, 1 N, 2 m)", ""), &[]);
    assert!(
        message.contains("they cannot stand for one another") || message.contains("E045"),
        "{message}"
    );
}

/// A table of the motion: energy and work balance over its kinks, and the run says so.
#[test]
fn a_spring_by_a_table_swings() {
    let spring = "x [m],force [N]\n-1,4\n-0.1,0.2\n0.1,-0.2\n1,-4\n";
    let rest = "[start]\n\"x'\" = \"1 m/s\"\n[run]\nspan = \"20 s\"";
    let text = particle("table(\"spring.csv\", x)", rest);
    let report = model(&text, &[("spring.csv", spring)]);
    let report = report.run(&RunOptions::default()).unwrap();
    assert!(report.steps < 2000, "{} steps", report.steps);
}

#[test]
fn proofs_know_conditions_and_tables_and_are_not_deceived_by_them() {
    use dalembert::prove::Language;
    let text = particle("if(t > 1 s, 3 N, 1 N) + table(\"drive.csv\", t)", "");
    let drive = [("drive.csv", "t,force\n-100,1\n100,3\n")];
    let model = model(&text, &drive);
    let proved = |equation: &str| {
        let equations = Source::new("equations.txt", equation);
        let report = model.prove(&equations, Language::Model).unwrap();
        serde_json::to_value(&report).unwrap().to_string()
    };
    let right = proved("m*x'' = if(t > 1, 3, 1) + table(\"drive.csv\", t)");
    assert!(right.contains("\"proved\""), "{right}");
    let wrong = proved("m*x'' = 3 + table(\"drive.csv\", t)");
    assert!(!wrong.contains("\"proved\""), "{wrong}");
    let wrong = proved("m*x'' = if(t > 1, 3, 1) + table(\"drive.csv\", t + 1)");
    assert!(!wrong.contains("\"proved\""), "{wrong}");
}

/// The lift was sampled from h (1 − cos θ), so the speed of the cam is known by energy: (J + m y_θ²) θ'²/2 + m g y + k y²/2.
#[test]
fn a_cam_with_a_measured_lift_keeps_its_energy() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/tables/cam-follower.toml"
    );
    let model = Model::load(path).unwrap_or_else(|error| panic!("{error}"));
    let report = model.run(&RunOptions::default());
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let columns = report.table.columns();
    let of = |name: &str| columns.iter().find(|it| it.name == name).unwrap().values;
    let (theta, speed) = (of("theta"), of("theta'"));
    let (j, m, k, g, h) = (2e-3, 0.5, 2000.0, 9.81, 5e-3);
    assert!(theta[theta.len() - 1] > 10.0, "one turn and a half");
    for (theta, speed) in theta.iter().zip(speed) {
        let (y, slope) = (h * (1.0 - theta.cos()), h * theta.sin());
        let left = 0.5 * j * 3600.0 - m * g * y - 0.5 * k * y * y;
        close(*speed, (2.0 * left / (j + m * slope * slope)).sqrt(), 1e-6);
    }
}

/// A gap and a condition by a table end where it does, and not in what was said about it: nothing falls through a table that is over.
#[test]
fn gaps_and_conditions_end_where_their_table_does() {
    let lift = "t [s],h [m]\n0,0\n1,0.1\n2,0\n3,-0.1\n";
    for told in [
        "[constraint.c]\nholds = 'x >= table(\"lift.csv\", t, kind = \"cubic\") - 1 m'\n[run]\nspan = \"5 s\"",
        "[event.e]\nwhen = 'x < table(\"lift.csv\", t) - 1 m'\nstop = true\n[run]\nspan = \"5 s\"",
        "[run]\nspan = \"5 s\"\nuntil = 'x < table(\"lift.csv\", t) - 1 m'",
    ] {
        let text = particle("0 N", told);
        let error = model(&text, &[("lift.csv", lift)]).run(&RunOptions::default());
        let error = error.expect_err(told);
        let message = error.to_string();
        assert!(message.contains("E0487"), "{told}: {message}");
        close(error.so_far.expect("what was reached").t_end, 3.0, 1e-9);
    }
}

/// What is only recorded and has no value is no number in the file, and told: of a table with its range, of a function with its time.
#[test]
fn recorded_expressions_without_a_value_are_told() {
    let rest = "[definitions]\nforce = 'table(\"drive.csv\", t)'\n[run]\nspan = 2\nsamples = 5\n\
        record = [\"force\", \"sqrt(1 - t)\", \"1/(2 - t)\", 'table(\"drive.csv\", x)']";
    let text = particle("0", rest);
    let model = model(&text, &[("drive.csv", "t,f\n0,1\n1,3\n")]);
    let report = model.run(&RunOptions::default()).unwrap();
    let told = (report.diagnostics.iter()).filter(|it| it.code == "W0548");
    let told: Vec<&String> = told.map(|it| &it.message).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    let has = |which: usize, words: &[&str]| {
        let all = words.iter().all(|it| told[which].contains(it));
        assert!(all, "{}", told[which]);
    };
    has(
        0,
        &[
            "`force` has no value from t = 1.500000 on (samples: 2)",
            "f of drive.csv has values from 0 to 1",
        ],
    );
    has(
        1,
        &["`sqrt(1 - t)` has no value from t = 1.500000 on (samples: 2)"],
    );
    has(2, &["from t = 2.000000 on (samples: 1)"]);
}
