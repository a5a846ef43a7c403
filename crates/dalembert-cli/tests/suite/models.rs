//! The contract with scripts: keys, columns, exit codes, overrides.

use crate::{Ran, run, run_in, run_with_input};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const DISK: &str = r#"dalembert = 1
title = "Disk"
gravity = "[0, 0, -g]"
[parameters]
m = "2 kg"
r = "0.343 m"
g = "9.81 m/s^2"
J = "m*r^2/4"
[coordinates]
x = 0
y = 0
z = "r*cos(theta)"
psi = 0
theta = "10 deg"
phi = 0
[start]
"phi'" = "8 rad/s"
"theta'" = 0
"psi'" = 0
[frame.lean]
attitude = "Rz(psi) Rx(theta)"
[body.disk]
mass = "m"
inertia = ["J", "2*J", "J"]
center = "[x, y, z]"
attitude = "lean Ry(phi)"
[constraint.contact]
holds = "vel(disk, at = disk.center - r*lean.ez) = 0"
[run]
span = 0.5
samples = 11
record = ["vel(disk)", "energy", "reaction(contact)", "lambda(contact.1)", "power(contact)"]
"#;

const SLEDGE: &str = r#"dalembert = 1
[coordinates]
x = 0
y = 0
theta = 0.3
[speeds]
u = "x'*cos(theta) + y'*sin(theta)"
side = "-x'*sin(theta) + y'*cos(theta)"
w = "theta'"
[start]
u = 1
[body.sledge]
mass = 2
inertia = [1, 1, 1.5]
center = "[x, y, 0]"
attitude = "Rz(theta)"
[constraint.blade]
holds = "side = 0"
nonideal = { u = -0.4 }
[force.motor]
generalized = { w = "sin(t)" }
[run]
span = 1
"#;

/// A folder of its own for each test, with the models in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("models-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        fs::write(path.join("disk.toml"), DISK).expect("a file");
        fs::write(path.join("sledge.toml"), SLEDGE).expect("a file");
        Self(path)
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().expect("text").to_owned()
    }
}

fn document(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).expect("one JSON document")
}

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// The keys of the contract, in their order; those in `later` may be missing.
fn assert_keys(found: &Value, contract: &[&str], later: &[&str]) {
    let found = keys(found);
    let expected: Vec<&str> = contract
        .iter()
        .copied()
        .filter(|key| found.contains(key) || !later.contains(key))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn check_keeps_its_contract() {
    let folder = Folder::new("check");
    let found = document(&run(&["check", &folder.path("disk.toml"), "--json"]));
    assert_keys(
        &found,
        &[
            "title",
            "coordinates",
            "speeds",
            "counts",
            "constraints",
            "forces",
            "integrals",
            "ignorable",
            "conserved",
            "start",
            "independent",
            "verified",
            "warnings",
        ],
        &["integrals", "ignorable", "conserved"],
    );
    assert_eq!(found["title"], "Disk");
    assert_eq!(
        found["coordinates"],
        serde_json::json!(["x", "y", "z", "psi", "theta", "phi"])
    );
    assert_eq!(keys(&found["speeds"][0]), ["name", "kind", "integral"]);
    assert_eq!(found["speeds"][3]["name"], "psi'");
    assert_eq!(
        keys(&found["counts"]),
        [
            "coordinates",
            "speeds",
            "rows",
            "rank",
            "redundant",
            "velocity_freedoms",
            "position_freedoms"
        ]
    );
    let counts = &found["counts"];
    assert_eq!((&counts["rows"], &counts["rank"]), (&3.into(), &3.into()));
    assert_eq!(counts["velocity_freedoms"], 3);
    let rows = found["constraints"].as_array().expect("a list");
    assert_eq!(rows.len(), 3);
    assert_eq!(
        keys(&rows[0]),
        [
            "name",
            "level",
            "linear",
            "holonomic",
            "integral",
            "rheonomic",
            "ideal",
            "redundant",
            "reaction_unique"
        ]
    );
    assert_eq!(
        (&rows[2]["name"], &rows[2]["level"]),
        (&"contact.2".into(), &"velocity".into())
    );
    assert_eq!(keys(&found["forces"][0]), ["name", "kind", "potential"]);
    assert_eq!(
        keys(&found["start"]),
        ["consistent", "solved", "moved", "residual"]
    );
    assert_eq!(found["start"]["consistent"], true);
    let solved = found["start"]["solved"]["x'"].as_f64().expect("a number");
    assert!((solved - 8.0 * 0.343).abs() < 1e-12);
    assert_eq!(keys(&found["start"]["residual"]), ["position", "velocity"]);
    assert_eq!(keys(&found["verified"]), ["states", "max_difference"]);
    assert_eq!(found["warnings"], serde_json::json!([]));
    let text = run(&["check", &folder.path("disk.toml")]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert!(
        text.out
            .contains("coordinates 6   rows 3   rank 3   freedoms: 3 velocities")
    );
}

#[test]
fn eval_keeps_its_contract() {
    let folder = Folder::new("eval");
    let found = document(&run(&["eval", &folder.path("sledge.toml"), "--json"]));
    assert_keys(
        &found,
        &[
            "t",
            "coordinates",
            "rates",
            "speeds",
            "accelerations",
            "speed_rates",
            "multipliers",
            "multipliers_ideal",
            "not_unique",
            "forces",
            "reactions",
            "resultants",
            "geometry",
            "momentum",
            "total_momentum",
            "energy",
            "power",
            "independent",
            "formulations",
        ],
        &[],
    );
    for key in ["coordinates", "rates", "accelerations"] {
        assert_eq!(keys(&found[key]), ["x", "y", "theta"], "{key}");
    }
    for key in ["speeds", "speed_rates"] {
        assert_eq!(keys(&found[key]), ["u", "side", "w"], "{key}");
    }
    assert_eq!(keys(&found["multipliers"]), ["blade"]);
    assert_eq!(keys(&found["multipliers_ideal"]), ["blade"]);
    assert_eq!(keys(&found["forces"]), ["given", "ideal", "nonideal"]);
    assert_eq!(keys(&found["forces"]["given"]), ["u", "side", "w"]);
    assert_eq!(found["forces"]["nonideal"]["u"], -0.4);
    assert_keys(
        &found["reactions"]["blade"],
        &["generalized", "speeds", "bodies"],
        &[],
    );
    let sledge = &found["reactions"]["blade"]["bodies"]["sledge"];
    assert_eq!(keys(sledge), ["force", "moment"]);
    assert_eq!(keys(&found["geometry"]), ["error", "tangent", "normal"]);
    assert_eq!(keys(&found["momentum"]), ["x", "y", "theta"]);
    assert_eq!(keys(&found["total_momentum"]), ["linear", "angular"]);
    assert_eq!(
        keys(&found["reactions"]["blade"]["generalized"]),
        ["x", "y", "theta"]
    );
    assert_eq!(keys(&found["energy"]), ["kinetic", "potential"]);
    assert_eq!(keys(&found["power"]), ["motor", "blade", "drive"]);
    assert_eq!(found["power"]["blade"], -0.4);
    assert_keys(
        &found["formulations"],
        &[
            "multipliers",
            "udwadia-kalaba",
            "projection",
            "complement",
            "independent",
        ],
        &[],
    );
    for formulation in keys(&found["formulations"]) {
        let rate = found["formulations"][formulation]["u"].as_f64();
        assert!(
            (rate.expect("a number") + 0.2).abs() < 1e-12,
            "{formulation}"
        );
    }
    assert_eq!(
        keys(&found["formulations"]["multipliers"]),
        ["u", "side", "w"]
    );
    assert!((found["speed_rates"]["u"].as_f64().expect("a number") + 0.2).abs() < 1e-12);
    let later = run(&[
        "eval",
        &folder.path("sledge.toml"),
        "--json",
        "--at",
        "t=0.7",
    ]);
    let later = document(&later);
    assert_eq!(later["t"], 0.7);
    let torque = later["forces"]["given"]["w"].as_f64().expect("a number");
    assert!((torque - 0.7_f64.sin()).abs() < 1e-12);
    let text = run(&["eval", &folder.path("sledge.toml")]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
}

#[test]
fn a_raw_state_is_not_assembled() {
    let folder = Folder::new("raw");
    let path = folder.path("disk.toml");
    let raw = document(&run(&["eval", &path, "--json", "--raw"]));
    assert_eq!(raw["rates"]["x"], 0.0);
    assert_eq!(raw["rates"]["phi"], 8.0);
    let assembled = document(&run(&["eval", &path, "--json"]));
    assert!(assembled["rates"]["x"].as_f64().expect("a number") > 2.7);
}

#[test]
fn run_keeps_its_contract() {
    let folder = Folder::new("run");
    let found = document(&run(&["run", &folder.path("disk.toml"), "--json"]));
    assert_eq!(
        keys(&found),
        [
            "status",
            "t_end",
            "steps",
            "rejected",
            "rhs_evaluations",
            "wall_s",
            "derive_s",
            "compile_s",
            "formulation",
            "integrator",
            "max_residual",
            "energy",
            "events",
            "end"
        ]
    );
    assert_eq!(
        (&found["status"], &found["t_end"]),
        (&"done".into(), &0.5.into())
    );
    assert_eq!(keys(&found["max_residual"]), ["position", "velocity"]);
    assert_eq!(
        keys(&found["energy"]),
        ["start", "end", "work", "balance_error"]
    );
    assert_eq!(
        keys(&found["end"]),
        [
            "x", "y", "z", "psi", "theta", "phi", "x'", "y'", "z'", "psi'", "theta'", "phi'"
        ]
    );
    assert!(
        found["energy"]["balance_error"]
            .as_f64()
            .expect("a number")
            .abs()
            < 1e-6
    );
}

/// The first line of a result file and the number of its rows.
fn columns(path: &str) -> (Vec<String>, usize) {
    let text = fs::read_to_string(path).expect("a result");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header = lines.next().expect("a header");
    (
        header.split(',').map(str::to_owned).collect(),
        lines.count(),
    )
}

const STATE: [&str; 13] = [
    "t", "x", "y", "z", "psi", "theta", "phi", "x'", "y'", "z'", "psi'", "theta'", "phi'",
];

#[test]
fn columns_stand_in_the_order_of_the_contract() {
    let folder = Folder::new("columns");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.csv"));
    let ran = run(&["run", &model, "--out", &out, "--quiet"]);
    assert_eq!((ran.code, ran.out.trim(), ran.err.as_str()), (0, "", ""));
    let (found, rows) = columns(&out);
    assert_eq!(rows, 11);
    assert_eq!(found[..13], STATE);
    assert_eq!(
        found[13..17],
        ["vel(disk).x", "vel(disk).y", "vel(disk).z", "energy"]
    );
    assert!(found[17].starts_with("reaction(contact)"), "{found:?}");
    assert_eq!(
        found[found.len() - 2..],
        ["lambda(contact.1)", "power(contact)"]
    );

    let ran = run(&["run", &model, "--out", &out, "--record", "all", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (found, _) = columns(&out);
    assert_eq!(found[..13], STATE);
    assert_eq!(
        found[13..19],
        ["x''", "y''", "z''", "psi''", "theta''", "phi''"]
    );
    for name in [
        "lambda(contact.0)",
        "lambda(contact.1)",
        "lambda(contact.2)",
        "power(gravity)",
        "power(contact)",
        "energy",
        "residual.position",
        "residual.velocity",
    ] {
        assert_eq!(
            found.iter().filter(|column| *column == name).count(),
            1,
            "{name}"
        );
    }
    assert!(
        found
            .iter()
            .any(|name| name.starts_with("reaction(contact)"))
    );
    let distinct: BTreeSet<&String> = found.iter().collect();
    assert_eq!(distinct.len(), found.len());
}

#[test]
fn parquet_has_the_same_columns() {
    let folder = Folder::new("parquet");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.parquet"));
    let ran = run(&["run", &model, "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let bytes = fs::read(&out).expect("a result");
    assert_eq!(
        (&bytes[..4], &bytes[bytes.len() - 4..]),
        (&b"PAR1"[..], &b"PAR1"[..])
    );
    // Plot reads it, by the names of its columns.
    let figure = folder.path("theta.svg");
    let drawn = run(&["plot", &out, "theta", "vel(disk).x", "--out", &figure]);
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    assert!(
        fs::read_to_string(&figure)
            .expect("a figure")
            .contains("</svg>")
    );
}

#[test]
fn plot_draws_results() {
    let folder = Folder::new("plot");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.csv"));
    assert_eq!(run(&["run", &model, "--out", &out]).code, 0);
    let ran = run(&["plot", &out, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let svg = fs::read_to_string(folder.path("out.svg")).expect("a figure");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"));
    let png = run(&["plot", &out, "--out", &folder.path("figure.png")]);
    assert_eq!(png.code, 1);
    assert!(
        png.err.contains("figures are drawn as SVG only"),
        "{}",
        png.err
    );
    let wrong = run(&["plot", &out, "thetta"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.err.contains("did you mean theta?"), "{}", wrong.err);
    assert_eq!(run(&["plot", &folder.path("none.csv")]).code, 1);
}

#[test]
fn sampling_is_as_asked() {
    let folder = Folder::new("sampling");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.csv"));
    let rows = |options: &[&str]| {
        let ran = run(&[&["run", &model, "--out", &out][..], options].concat());
        assert_eq!(ran.code, 0, "{options:?}: {}", ran.err);
        let text = fs::read_to_string(&out).expect("a result");
        let times: Vec<f64> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .skip(1)
            .map(|line| {
                line.split(',')
                    .next()
                    .unwrap_or_default()
                    .parse()
                    .expect("a time")
            })
            .collect();
        times
    };
    let times = rows(&["--samples", "5"]);
    assert_eq!(times, [0.0, 0.125, 0.25, 0.375, 0.5]);
    let times = rows(&["--span", "0.2", "--step", "0.05"]);
    assert_eq!(times.len(), 5);
    assert!((times[4] - 0.2).abs() < 1e-12);
    let times = rows(&["--span", "2", "--until", "x > 1", "--samples", "101"]);
    let last = times[times.len() - 1];
    assert!((0.36..0.37).contains(&last), "{last}");
    let until = run(&["run", &model, "--span", "2", "--until", "x > 1", "--json"]);
    let until = document(&until);
    assert_eq!(until["status"], "until");
    let x = until["end"]["x"].as_f64().expect("a number");
    assert!((x - 1.0).abs() < 1e-8, "{x}");
    let both = run(&["run", &model, "--samples", "5", "--step", "0.1"]);
    assert_eq!(both.code, 2);
    assert_eq!(run(&["run", &model, "--samples", "1"]).code, 2);
    assert_eq!(run(&["run", &model, "--span", "0"]).code, 1);
    assert_eq!(run(&["run", &model, "--span=-1"]).code, 1);
    assert_eq!(run(&["run", &model, "--until", "x +"]).code, 1);
    assert_eq!(run(&["run", &model, "--integrator", "rk45"]).code, 2);
    assert_eq!(run(&["run", &model, "--record", "some"]).code, 2);
    assert_eq!(run(&["run", &model, "--formulation", "magic"]).code, 2);
}

#[test]
fn accelerations_come_from_the_formulation_asked_for() {
    let folder = Folder::new("formulations");
    let disk = folder.path("disk.toml");
    let by = |name: &str| document(&run(&["run", &disk, "--json", "--formulation", name]));
    let usual = by("multipliers");
    for name in ["udwadia-kalaba", "projection", "complement", "independent"] {
        let found = by(name);
        assert_eq!(found["formulation"], name);
        for (coordinate, value) in usual["end"].as_object().expect("an object") {
            let value = value.as_f64().expect("a number");
            let other = found["end"][coordinate].as_f64().expect("a number");
            assert!((value - other).abs() < 1e-7, "{name}: {coordinate}");
        }
    }
    let magic = run(&["run", &disk, "--formulation", "magic"]);
    assert!(magic.err.contains("'independent'"), "{}", magic.err);
    let text = run(&["run", &disk, "--formulation", "complement"]);
    assert!(text.out.contains("accelerations by complement"));
}

#[test]
fn independent_speeds_are_refused_by_the_name_of_the_row() {
    let folder = Folder::new("nonlinear");
    let text = DISK.replace(
        "[run]",
        "[constraint.pace]\nholds = \"psi'^2 + phi'^2 = 64\"\n[run]",
    );
    fs::write(folder.0.join("pace.toml"), text).expect("a file");
    let pace = folder.path("pace.toml");
    let refused = run(&["run", &pace, "--formulation", "independent"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("E0515") && refused.err.contains("`pace`"));
    assert_eq!(run(&["run", &pace, "--formulation", "projection"]).code, 0);
    let found = document(&run(&["eval", &pace, "--json"]));
    assert!(found["formulations"]["independent"].is_null());
    assert!(found["formulations"]["complement"].is_object());
    let checked = run(&["check", &pace]);
    assert!(
        checked.out.contains("4 formulations agree"),
        "{}",
        checked.out
    );
    assert!(checked.out.contains("no independent speeds under `pace`"));
}

#[test]
fn values_are_overridden() {
    let folder = Folder::new("set");
    let (disk, sledge) = (folder.path("disk.toml"), folder.path("sledge.toml"));
    let eval = |model: &str, settings: &[&str]| {
        let mut arguments = vec!["eval", model, "--json"];
        settings
            .iter()
            .for_each(|setting| arguments.extend(["--set", *setting]));
        document(&run(&arguments))
    };
    let found = eval(&disk, &["g=1.62", "theta=20 deg", "phi'=60 rpm"]);
    let number = |value: &Value| value.as_f64().expect("a number");
    assert!((number(&found["coordinates"]["theta"]) - 20.0_f64.to_radians()).abs() < 1e-14);
    assert!((number(&found["rates"]["phi"]) - 2.0 * std::f64::consts::PI).abs() < 1e-12);
    let height = 0.343 * 20.0_f64.to_radians().cos();
    assert!((number(&found["energy"]["potential"]) - 2.0 * 1.62 * height).abs() < 1e-12);
    let found = eval(&sledge, &["u=3", "w = 2*0.5"]);
    assert!((number(&found["speeds"]["u"]) - 3.0).abs() < 1e-12);
    assert!((number(&found["speeds"]["w"]) - 1.0).abs() < 1e-12);

    let unknown = run(&["eval", &disk, "--set", "thet=1"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (1, ""));
    assert!(
        unknown.err.contains("did you mean theta?"),
        "{}",
        unknown.err
    );
    for setting in [
        "theta",
        "theta=",
        "theta=2*",
        "theta''=1",
        "=3",
        "theta=bar",
    ] {
        let ran = run(&["check", &disk, "--set", setting]);
        assert_eq!(ran.code, 1, "{setting}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("--set"), "{setting}: {}", ran.err);
    }
    // What is set must be met.
    let both = run(&["check", &disk, "--set", "x'=0"]);
    assert_eq!(both.code, 1);
    assert!(both.err.contains("contact.0"), "{}", both.err);
}

#[test]
fn standard_input_is_a_model() {
    let ran = run_with_input(&["check", "-", "--json"], DISK);
    assert_eq!(document(&ran)["counts"]["rank"], 3);
    let ran = run_with_input(&["check", "-", "--json"], "dalembert = 1\n");
    assert_eq!(ran.code, 1);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(found["status"], "error");
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let folder = Folder::new("files");
    let model = folder.path("disk.toml");
    let missing = run(&["check", &folder.path("none.toml"), "--json"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("E0910"), "{}", missing.err);
    assert!(missing.out.contains("E0910"));
    fs::write(folder.path("binary.toml"), [0xff, 0xfe, 0x00]).expect("a file");
    let binary = run(&["check", &folder.path("binary.toml")]);
    assert_eq!(binary.code, 1);
    assert!(binary.err.contains("UTF-8"), "{}", binary.err);
    let extension = run(&["run", &model, "--out", &folder.path("out.xlsx")]);
    assert_eq!(extension.code, 2);
    assert!(extension.err.contains(".parquet"), "{}", extension.err);
    assert!(!Path::new(&folder.path("out.xlsx")).exists());
    let nowhere = run(&["run", &model, "--out", &folder.path("none/out.csv")]);
    assert_eq!(nowhere.code, 1, "{}", nowhere.err);
    let twice = [(); 2].map(|()| run_in(&folder.path(""), &["new", "pendulum"], ""));
    assert_eq!((twice[0].code, twice[1].code), (0, 2));
    assert!(twice[1].err.contains("there already"), "{}", twice[1].err);
    assert_eq!(run(&["check"]).code, 2);
    assert_eq!(run(&["check", &model, "--nonsense"]).code, 2);
    assert_eq!(run(&["eval", &model, "--at", "t=soon"]).code, 2);
}

/// A run that fails on its way keeps what it has, and says so.
#[test]
fn a_failed_run_says_what_it_wrote() {
    let folder = Folder::new("fails");
    let (model, out) = (folder.path("fall.toml"), folder.path("fall.csv"));
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"-1/x^2\"\n[run]\nspan = 10\n";
    fs::write(&model, text).expect("a file");
    let ran = run(&["run", &model, "--out", &out]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let rows = fs::read_to_string(&out).expect("a file").lines().count() - 1;
    assert!(
        ran.err.contains(&format!("fall.csv: {rows} rows")),
        "{}",
        ran.err
    );
}

/// Every code in the sources is known to `explain`.
#[test]
fn explain_knows_every_code() {
    let mut codes = BTreeSet::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![crates];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if path.is_dir() && !matches!(name, "tests" | "target") {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                codes.extend(codes_in(&fs::read_to_string(&path).expect("a source")));
            }
        }
    }
    assert!(codes.len() > 60, "{codes:?}");
    let unknown: Vec<&String> = codes
        .iter()
        .filter(|code| run(&["explain", code]).code != 0)
        .collect();
    assert!(unknown.is_empty(), "not explained: {unknown:?}");
    assert_eq!(run(&["explain", "E9999"]).code, 2);
    assert_eq!(run(&["explain", "e0201"]).code, 0, "capitals do not matter");
    let json = document(&run(&["explain", "E0201", "--json"]));
    assert_eq!(keys(&json), ["code", "explanation"]);
}

/// `"E0123"` and `"W0123"` in quotes.
fn codes_in(text: &str) -> Vec<String> {
    let inside = |piece: &&str| {
        piece.len() == 5
            && (piece.starts_with("E0") || piece.starts_with("W0"))
            && piece[1..].bytes().all(|byte| byte.is_ascii_digit())
    };
    text.split('"').filter(inside).map(str::to_owned).collect()
}

#[test]
fn the_schema_and_completions_are_printed() {
    let schema = document(&run(&["schema"]));
    assert!(schema["$schema"].is_string());
    assert!(schema["properties"]["coordinates"].is_object());
    let bash = run(&["completions", "bash"]);
    assert_eq!(bash.code, 0);
    assert!(bash.out.contains("_dalembert()") && bash.out.contains("--samples"));
    assert_eq!(run(&["completions", "tcsh"]).code, 2);
    let version = run(&["--version"]);
    assert_eq!(version.code, 0);
    assert!(version.out.starts_with("dalembert "));
    assert_eq!(run(&["--help"]).code, 0);
}

/// A spring and its damper are told apart: a power and a column for each.
#[test]
fn a_spring_and_its_damper_have_a_power_each() {
    let folder = Folder::new("spring");
    let (model, out) = (folder.path("spring.toml"), folder.path("out.csv"));
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[start]\n\"x'\" = 2\n[particle.P]\nmass = 2\n\
                position = \"[x, 0, 0]\"\n[spring.S]\non = \"x\"\nstiffness = 3\ndamping = 0.1\n\
                [run]\nspan = 1\n";
    fs::write(&model, text).expect("a file");
    let power = document(&run(&["eval", &model, "--json"]))["power"].clone();
    let sum: f64 = power
        .as_object()
        .expect("an object")
        .iter()
        .filter(|(name, _)| name.starts_with('S'))
        .map(|(_, value)| value.as_f64().expect("a number"))
        .sum();
    assert!((sum + 2.0 * (3.0 + 0.1 * 2.0)).abs() < 1e-12, "{power}");
    let ran = run(&["run", &model, "--record", "all", "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (found, _) = columns(&out);
    let powers = found.iter().filter(|name| name.starts_with("power(S"));
    assert_eq!(powers.count(), 2, "{found:?}");
}

/// Short options are options, and a number may be negative.
#[test]
fn short_options_and_negative_numbers_are_read() {
    let folder = Folder::new("short");
    let model = folder.path("disk.toml");
    assert_eq!(run(&["run", &model, "-q"]).code, 0);
    let negative = run(&["run", &model, "--span", "-1"]);
    assert!(negative.err.contains("E0521"), "{}", negative.err);
}
