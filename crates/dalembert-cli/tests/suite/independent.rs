//! Independent coordinates and speeds, and constraints held by forces, in the documents for programs.

use crate::run_in;
use serde_json::{Value, json};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

fn document(arguments: &[&str]) -> Value {
    let ran = run_in(EXAMPLES, arguments, "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    serde_json::from_str(&ran.out).expect("one JSON document")
}

/// x² + y² = 1, without forces: neither coordinate governs a whole turn.
const RING: &str = "dalembert = 1\n[coordinates]\nx = 1\ny = 0\n[start]\n\"y'\" = 1\n[particle.P]\nmass = 1\n\
                    position = \"[x, y, 0]\"\n[constraint.ring]\nholds = \"x^2 + y^2 = 1\"\n";

#[test]
fn a_run_says_what_governed_and_how_often_it_was_chosen_anew() {
    let arguments = [
        "run",
        "-",
        "--json",
        "--span",
        "6.2",
        "--formulation",
        "independent",
    ];
    let ran = run_in(EXAMPLES, &arguments, RING);
    let found: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    assert_eq!(
        found["independent"],
        json!({ "coordinates": ["y"], "speeds": ["y'"] })
    );
    assert_eq!(found["rechosen"], 4);
    assert!(found["max_residual"]["position"].as_f64() <= Some(1e-14));
    let ran = run_in(
        EXAMPLES,
        &["run", "-", "--span", "6.2", "--formulation", "independent"],
        RING,
    );
    let line = ran.out.lines().find(|line| line.starts_with("independent"));
    assert_eq!(
        line,
        Some("independent  coordinates y; speeds y'; changed 4 times to stay well conditioned")
    );
    let usual = run_in(EXAMPLES, &["run", "-", "--json", "--span", "6.2"], RING);
    let usual: Value = serde_json::from_str(&usual.out).expect("one JSON document");
    assert!(usual.get("independent").is_none() && usual.get("rechosen").is_none());
}

#[test]
fn check_and_eval_name_them() {
    for command in ["check", "eval"] {
        let found = document(&[command, "rolling-disk.toml", "--json"]);
        assert_eq!(
            found["independent"]["coordinates"].as_array().map(Vec::len),
            Some(6)
        );
        assert_eq!(
            found["independent"]["speeds"].as_array().map(Vec::len),
            Some(3)
        );
        let found = document(&[command, "appell-hamel.toml", "--json"]);
        assert_eq!(found["independent"], Value::Null);
    }
}

#[test]
fn forces_that_hold_constraints_are_named_and_have_a_size() {
    let found = document(&["check", "servo-pendulum.toml", "--json"]);
    let row = &found["constraints"][0];
    assert_eq!(
        (&row["held_by"], &row["ideal"]),
        (&json!("motor"), &json!(false))
    );
    let found = document(&["eval", "servo-pendulum.toml", "--json"]);
    let size = found["multipliers"]["program"].as_f64().expect("a number");
    assert!((size + 2.505_765_529_751_247_6).abs() < 1e-12);
    assert_eq!(
        found["forces"]["servo"],
        json!({ "x'": size, "theta'": 0.0 })
    );
    assert_eq!(
        found["forces"]["ideal"],
        json!({ "x'": 0.0, "theta'": 0.0 })
    );
    let found = document(&["eval", "pendulum.toml", "--json"]);
    assert!(found["forces"].get("servo").is_none());
}

/// A circle that shrinks to a point at t = 1, ever faster, and is none after that.
#[test]
fn a_run_that_loses_its_constraints_says_so() {
    let shrinking = RING.replace("= 1\"\n", "= 1 - t\"\n");
    assert!(shrinking.contains("1 - t"));
    for formulation in ["independent", "multipliers"] {
        let arguments = ["run", "-", "--span", "2", "--formulation", formulation];
        let ran = run_in(EXAMPLES, &arguments, &shrinking);
        assert_eq!(ran.code, 1);
        let told = ran.err.contains("E0531") && ran.err.contains("no positions meet");
        assert!(told, "{formulation}: {}", ran.err);
    }
}

/// Two spellings of one circle share its reaction in any proportion: a file has no place for a mark, so it has no number.
#[test]
fn multipliers_that_are_not_unique_have_no_numbers_in_files() {
    let twice = format!(
        "{RING}[constraint.same]\nholds = \"sqrt(x^2 + y^2) = 1\"\n[run]\nspan = 1\nsamples = 3\n\
         record = [\"lambda(ring)\", \"reaction(same)\", \"power(same)\", \"resultant(P)\"]\n"
    );
    let ran = run_in(EXAMPLES, &["run", "-", "--out", "/dev/stdout"], &twice);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("E0545") && ran.err.contains("only lambda(ring) + 0.5*lambda(same)"));
    let mut lines = ran.out.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let mut open = 0;
    for line in lines {
        for (name, value) in names.iter().zip(line.split(',')) {
            let shared = name.starts_with("lambda") || name.starts_with("reaction(same)");
            // Across the plane there is no force, whatever the multipliers are.
            let is_open = shared && !name.ends_with(".z");
            assert_eq!(value == "NaN", is_open, "{name} = {value}");
            open += usize::from(is_open);
        }
    }
    assert_eq!(open, 3 * 5);
    let ran = run_in(EXAMPLES, &["run", "-", "--json"], &twice);
    let found: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    assert_eq!(found["not_unique"]["rows"], json!(["ring", "same"]));
}
