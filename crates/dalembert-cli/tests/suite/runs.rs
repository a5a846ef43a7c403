//! Runs from the command line: options, limits, and runs that stop on their way.

use crate::{run, run_in, run_with_input};
use serde_json::Value;

const OSCILLATOR: &str = "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n\
    potential = \"x^2/2\"\n[run]\nspan = 20\n";

fn document(arguments: &[&str], text: &str) -> (i32, Value) {
    let arguments = [&["run", "-", "--json"], arguments].concat();
    let ran = run_with_input(&arguments, text);
    let found = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    (ran.code, found)
}

#[test]
fn options_take_units() {
    let (code, found) = document(&["--span", "0.5 min", "--step", "10 ms"], OSCILLATOR);
    assert_eq!((code, &found["t_end"]), (0, &Value::from(30.0)));
    let (code, found) = document(&["--span", "1000 ms", "--max-step", "1 ms"], OSCILLATOR);
    assert_eq!(code, 0);
    assert!(found["steps"].as_u64().is_some_and(|steps| steps >= 1000));
}

#[test]
fn limits_of_the_file_hold_on_the_command_line() {
    for (option, value, code) in [
        ("--samples", "1000000000", "E0521"),
        ("--samples", "1", "E0521"),
        ("--samples", "2.5", "E0521"),
        ("--rtol", "1", "E0521"),
        ("--rtol", "-1e-9", "E0521"),
        ("--atol", "0", "E0521"),
        ("--step", "0", "E0521"),
        ("--step", "1e-9", "E0521"),
        ("--max-step", "-1", "E0521"),
        ("--max-steps", "0", "E0521"),
        ("--span", "-1", "E0521"),
        ("--span", "3 kg", "E0450"),
        ("--span", "3 parsecs", "E0207"),
    ] {
        let (exit, found) = document(&[option, value], OSCILLATOR);
        assert_eq!(exit, 1, "{option} {value}");
        assert_eq!(found["diagnostics"][0]["code"], code, "{option} {value}");
    }
    let written = OSCILLATOR.replace("span = 20", "span = 20\nrtol = 1");
    let (exit, found) = document(&[], &written);
    assert_eq!(
        (exit, &found["diagnostics"][0]["code"]),
        (1, &Value::from("E0521"))
    );
}

#[test]
fn the_number_of_steps_is_limited() {
    let (exit, found) = document(&["--max-steps", "5"], OSCILLATOR);
    assert_eq!((exit, &found["status"]), (1, &Value::from("error")));
    let message = found["diagnostics"][0]["message"]
        .as_str()
        .unwrap_or_default();
    assert!(message.contains("limit of 5 steps"), "{message}");
}

/// A bead that comes to a corner at t = 1.
const CORNER: &str = "dalembert = 1\n[coordinates]\nx = 1\ny = 1\n[start]\n\"x'\" = -1\n\
    [energy]\nkinetic = \"(x'^2+y'^2)/2\"\n[constraint.c]\nholds = \"sqrt(x^2) = y\"\n[run]\nspan = 3\nstep = 0.125\n";

/// A corner stops the run with an error; what was reached is written, and said as that of a finished run is.
#[test]
fn a_run_that_stops_keeps_what_was_reached() {
    let folder = std::env::temp_dir().join(format!("dalembert-corner-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let run_here = |arguments: &[&str]| run_in(folder.to_str().expect("a path"), arguments, CORNER);
    let ran = run_here(&["run", "-", "--out", "reached.csv", "--json"]);
    let written = std::fs::read_to_string(folder.join("reached.csv")).expect("it is written");
    let readable = run_here(&["run", "-"]);
    let both = run_here(&["run", "-", "--out", "none/reached.csv", "--json"]);
    std::fs::remove_dir_all(&folder).expect("it is there");
    let found: Value = serde_json::from_str(&ran.out).expect("one document");
    assert_eq!((ran.code, &found["status"]), (1, &Value::from("error")));
    assert_eq!(found["diagnostics"][0]["code"], "E0542");
    assert!(
        ran.err.contains("t = 1.0000") && ran.err.contains("reached.csv"),
        "{}",
        ran.err
    );
    let rows = written.lines().count();
    assert!((8..=10).contains(&rows), "{written}");
    let near = |value: &Value, right: f64| {
        assert!(
            (value.as_f64().expect("a number") - right).abs() < 1e-3,
            "{found}"
        );
    };
    near(&found["t_end"], 1.0);
    near(&found["end"]["x'"], -1.0);
    near(&found["energy"]["balance_error"], 0.0);
    assert_eq!(found["files"][0]["path"], "reached.csv");
    assert_eq!(found["files"][0]["rows"], rows - 1);
    assert!(
        readable.out.contains("(stopped)") && readable.code == 1,
        "{}",
        readable.out
    );
    // Both failures are told: that of the run, and that of its file.
    let found: Value = serde_json::from_str(&both.out).expect("one document");
    assert_eq!(
        (both.code, found["diagnostics"][0]["code"].as_str()),
        (1, Some("E0542"))
    );
    assert_eq!(found["diagnostics"][1]["code"], "E0911");
    assert!(
        both.err.contains("E0542") && both.err.contains("E0911"),
        "{}",
        both.err
    );
    near(&found["t_end"], 1.0);
    assert!(found["files"].is_null());
}

/// Everything includes the quasi-velocities.
#[test]
fn all_has_the_speeds() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[speeds]\nu = \"2*x'\"\n[start]\nu = 3\n\
        [energy]\nkinetic = \"x'^2/2\"\n[run]\nspan = 1\nsamples = 2\n";
    let folder = std::env::temp_dir().join(format!("dalembert-speeds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let arguments = ["run", "-", "--out", "all.csv", "--record", "all"];
    let ran = run_in(folder.to_str().expect("a path"), &arguments, text);
    let written = std::fs::read_to_string(folder.join("all.csv")).expect("it is written");
    std::fs::remove_dir_all(&folder).expect("it is there");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(written.starts_with("t,x,x',u,x''"), "{written}");
    assert!(written.contains("\n0.0,1.0,1.5,3.0,0.0"), "{written}");
}

/// Without a file a run says where it ended; `-` is standard output, and nothing else is written there.
#[test]
fn the_end_is_told_where_no_file_is_written() {
    let pendulum = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pendulum.toml");
    let ran = run(&["run", pendulum, "--span", "0.1 s"]);
    let end = ran.out.lines().find(|line| line.starts_with("end "));
    assert!(
        end.is_some_and(|line| line.contains("x = ") && line.contains("y' = ")),
        "{}",
        ran.out
    );
    let ran = run(&[
        "run",
        pendulum,
        "--span",
        "100 ms",
        "--samples",
        "3",
        "--out",
        "-",
    ]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 4), "{}", ran.err);
    assert!(ran.out.starts_with("t,x,y,"), "{}", ran.out);
}

/// The values of the start at another time are not the motion there, and that is said.
#[test]
fn a_state_at_another_time_is_called_what_it_is() {
    let pendulum = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pendulum.toml");
    let told = |arguments: &[&str]| {
        run(arguments)
            .out
            .contains("not the motion that arrives there")
    };
    assert!(told(&["eval", pendulum, "--at", "t=3"]));
    assert!(!told(&["eval", pendulum, "--at", "t=0"]) && !told(&["eval", pendulum]));
}
