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

/// Whether a smooth function of time has a narrow peak is told where it cannot be known; short steps see that there is none.
#[test]
fn peaks_that_may_hide_are_told() {
    let text = "dalembert = 1\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[force.f]\n\
        generalized = { x = \"exp(1e4*sin(t)^2 + 1e4*cos(t + 1e-7)^2 - 1e4)\" }\n[run]\n";
    for (span, step, told) in [("6", "1", true), ("0.05", "1e-4", false)] {
        let ran = run_with_input(&["run", "-", "--span", span, "--max-step", step], text);
        let warned = ran.err.contains("W0546");
        assert_eq!((ran.code, warned), (0, told), "{step}: {}", ran.err);
    }
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
    // A device that takes nothing.
    std::os::unix::fs::symlink("/dev/full", folder.join("full.csv")).expect("a link");
    let both = run_here(&["run", "-", "--out", "full.csv", "--json"]);
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

/// Rows of sines have no corner: what stops a run that starts at rest where they depend on each other is told as that. One that moves there goes
/// on along the branch of its rates.
#[test]
fn a_stop_of_smooth_rows_is_no_corner() {
    let model = r#"dalembert = 1
[coordinates]
a = 0
b = { value = 0, priority = "guess" }
c = { value = 0, priority = "guess" }
[start]
"a'" = 2
"c'" = { value = 2, priority = "guess" }
[energy]
kinetic = "(a'^2 + b'^2 + c'^2)/2 + a'*c'*cos(a - c)/4"
potential = "a"
[constraint.x]
holds = "cos(a) + 2*cos(b) = 2 + cos(c)"
[constraint.y]
holds = "sin(a) + 2*sin(b) = sin(c)"
[run]
span = 5
"#;
    let corner = "dalembert = 1\n[coordinates]\nx = -1\ny = 1\n[start]\n\"x'\" = 2\n\"y'\" = -2\n[energy]\n\
                  kinetic = \"(x'^2 + y'^2)/2\"\n[constraint.c]\nholds = \"y = abs(x)\"\n[run]\nspan = 2\n";
    let (code, found) = document(&[], model);
    let b = found["end"]["b"].as_f64().unwrap_or(f64::NAN);
    assert!(code == 0 && b.abs() < 1e-6, "{found}");
    let at_rest = model.replace("= 2\n\"c'\" = { value = 2", "= 0\n\"c'\" = { value = 0");
    assert_ne!(at_rest, model);
    for (model, expected) in [(at_rest.as_str(), "E0541"), (corner, "E0542")] {
        let (code, found) = document(&[], model);
        let diagnostic = &found["diagnostics"][0];
        assert_eq!((code, &diagnostic["code"]), (1, &Value::from(expected)));
        let help = diagnostic["help"].as_str().unwrap_or_default();
        assert_eq!(help.contains("corner"), expected == "E0542", "{help}");
    }
}

#[test]
fn a_condition_that_never_became_true_is_told() {
    let ran = run_with_input(&["run", "-", "--until", "x > 5"], OSCILLATOR);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let first = ran.out.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "t            20.000000 (the whole span: x > 5 did not become true)"
    );
    let ran = run_with_input(&["run", "-", "--until", "x < 0"], OSCILLATOR);
    assert!(ran.out.contains("(until)"), "{}", ran.out);
}

/// A folder that is not there is told before the run, not after it.
#[test]
fn where_results_go_is_looked_at_first() {
    let long = OSCILLATOR.replace("span = 20", "span = 1e9");
    let ran = run_with_input(&["run", "-", "--out", "no/such/folder/a.csv"], &long);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("E0911"), "{}", ran.err);
    assert!(ran.err.contains("choose another file"), "{}", ran.err);
}

/// A bead that leaves a sphere where the sphere would have to pull: at cos(theta) = 2/3, if it starts at rest on top.
#[test]
fn multipliers_end_runs() {
    let bead = r#"dalembert = 1
gravity = "[0, -g, 0]"
[parameters]
g = 9.81
r = 2
[definitions]
press = "2*r*lambda(sphere)"
[coordinates]
x = 1e-3
y = "?"
[particle.P]
mass = 0.5
position = "[x, y, 0]"
[constraint.sphere]
holds = "x^2 + y^2 = r^2"
[run]
span = 20
rtol = 1e-11
until = "lambda(sphere) < 0"
"#;
    let bead = bead.replace("y = \"?\"", "y = \"sqrt(r^2 - x^2)\"");
    for condition in ["lambda(sphere) < 0", "press < 0", "reaction(sphere) < 0"] {
        let model = bead.replace("lambda(sphere) < 0", condition);
        let (code, found) = document(&[], &model);
        assert_eq!(
            (code, &found["status"]),
            (0, &Value::from("until")),
            "{found}"
        );
        let height = found["end"]["y"].as_f64().expect("a number");
        // Energy: the start is a little below the top.
        let top = (4.0_f64 - 1e-6).sqrt();
        assert!((height - 2.0 / 3.0 * top).abs() < 1e-9, "{height}");
    }
    let vector = bead.replace("x^2 + y^2 = r^2", "[x^2 + y^2 - r^2, 0, 0] = 0");
    let (code, found) = document(&[], &vector);
    assert_eq!(code, 1);
    let message = found["diagnostics"][0]["message"]
        .as_str()
        .unwrap_or_default();
    assert!(message.contains("`sphere` has 3 rows"), "{message}");
    let unknown = bead.replace("lambda(sphere) < 0", "lambda(wall) < 0");
    let (_, found) = document(&[], &unknown);
    assert_eq!(found["diagnostics"][0]["help"], "known here: sphere");
    // A parameter of that name is multiplied with a sign.
    let product = bead
        .replace("r = 2", "r = 2\nlambda = 3")
        .replace("2*r*lambda(sphere)", "lambda(x)");
    let (_, found) = document(&[], &product);
    assert_eq!(
        found["diagnostics"][0]["help"],
        "to multiply, write lambda*(…)"
    );
    // Not determined: told, and not passed over.
    let twice = bead.replace(
        "[run]",
        "[constraint.again]\nholds = \"y^2 = r^2 - x^2\"\n[run]",
    );
    let (code, found) = document(&[], &twice);
    assert_eq!(
        (code, &found["diagnostics"][0]["code"]),
        (1, &Value::from("E0544"))
    );
}

/// Names and units are looked at apart, and told together.
#[test]
fn mistakes_of_names_and_of_units_are_told_at_once() {
    let model = "dalembert = 1\n[parameters]\nm = \"1 kg\"\n[coordinates]\nx = \"0 m\"\n[particle.P]\nmass = \"m\"\n\
                 position = \"[x, zeta, 0]\"\n[run]\nspan = \"3 kg\"\n";
    let (_, found) = document(&[], model);
    let codes: Vec<&str> = found["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["code"].as_str())
        .collect();
    assert_eq!(codes, ["E0201", "E0450"]);
}

const PENDULUM: &str = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 1\ny = 0\n[particle.p]\nmass = 1\n\
    position = \"[x, y, 0]\"\n[constraint.rod]\nholds = \"x^2 + y^2 = 1\"\n[run]\nspan = 1\nsamples = 2\n";

/// What is told of the times adds up to what the clock shows of the process, but for its own start and end.
#[test]
fn times_add_up_to_those_of_the_clock() {
    let began = std::time::Instant::now();
    let (code, found) = document(&["--span", "20000"], PENDULUM);
    let clock = began.elapsed().as_secs_f64();
    assert_eq!(code, 0);
    let parts = ["derive_s", "compile_s", "wall_s"].map(|it| found[it].as_f64().unwrap());
    let sum: f64 = parts.iter().sum();
    assert!(sum <= clock, "{parts:?} beside {clock}");
    assert!(sum >= 0.7 * clock - 0.2, "{parts:?} beside {clock}");
}

/// The most memory that a run has had, in KiB, and the document it ended with.
#[cfg(target_os = "linux")]
fn most_memory(span: &str) -> (u64, Value) {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .args(["run", "-", "--json", "--max-step", "1e-3", "--span", span])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(PENDULUM.as_bytes()).expect("it reads");
    drop(input);
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("it can be waited for").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        most = size.map_or(most, |size: u64| size.max(most));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let mut out = String::new();
    let stdout = child.stdout.as_mut().expect("its output");
    stdout.read_to_string(&mut out).expect("text");
    (most, serde_json::from_str(&out).expect("a document"))
}

/// A run of a million steps takes the memory of one of a hundred thousand, and meets its rows as well.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "thorough: a million steps"]
fn memory_is_flat_over_a_million_steps() {
    let (short, _) = most_memory("100");
    let (long, found) = most_memory("1000");
    assert!(found["steps"].as_u64().is_some_and(|it| it >= 1_000_000));
    assert!(short > 0 && long <= short + 512, "{short} and {long} KiB");
    // Terms are 1 m², and the speed times a metre, of which there are up to 4.4.
    let residual = &found["max_residual"];
    let [position, velocity] = ["position", "velocity"].map(|it| residual[it].as_f64().unwrap());
    assert!(position <= 1e-12 && velocity <= 4.4e-12, "{residual}");
}
