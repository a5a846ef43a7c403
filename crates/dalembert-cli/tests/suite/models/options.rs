//! Options: formulations, values that are overridden, and what needs no model.

use super::{DISK, Folder, document, keys};
use crate::run;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
    assert!(magic.err.contains("known are multipliers"), "{}", magic.err);
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
        checked.out.contains("4 formulations give the same"),
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

/// What a file may not say, an option may not say either, and by the same diagnostic.
#[test]
fn the_limits_of_the_file_hold_for_what_is_set() {
    let folder = Folder::new("limits");
    let disk = folder.path("disk.toml");
    let codes = |arguments: &[&str]| -> BTreeSet<String> {
        let ran = run(arguments);
        assert_eq!(ran.code, 1, "{arguments:?}: {}", ran.out);
        let found: Value = serde_json::from_str(&ran.out).expect("JSON");
        let list = found["diagnostics"].as_array().expect("a list");
        list.iter().map(|it| it["code"].to_string()).collect()
    };
    for value in [
        "1e999", "1e-999", "nan", "inf", "1/0", "0/0", "sqrt(-1)", "-1", "0", "", "x", "t", "1 s",
        "1 parsec", "exp(1e6)",
    ] {
        let text = DISK.replace("m = \"2 kg\"", &format!("m = \"{value}\""));
        assert_ne!(text, DISK);
        let changed = folder.path("changed.toml");
        fs::write(&changed, text).expect("a file");
        let by_file = codes(&["check", &changed, "--json"]);
        let by_option = codes(&["check", &disk, "--json", "--set", &format!("m={value}")]);
        assert_eq!(by_file, by_option, "{value}");
    }
    for settings in [
        ["m=1", "m=2"],
        ["phi'=1", "phi' = 2"],
        ["phi_dot=1", "phi'=2"],
        ["theta=1", " theta=1"],
    ] {
        let found = codes(&[
            "check",
            &disk,
            "--json",
            "--set",
            settings[0],
            "--set",
            settings[1],
        ]);
        assert!(found.contains("\"E0904\""), "{settings:?}: {found:?}");
    }
    let light = run(&["check", &disk, "--set", "m=-1e-300"]);
    assert!(light.err.contains("is -1e-300\n"), "{}", light.err);
    for at in ["t=inf", "t=nan", "t=1e999", "t=", "soon", "t=1 s"] {
        assert_eq!(run(&["eval", &disk, "--at", at]).code, 2, "{at}");
    }
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
