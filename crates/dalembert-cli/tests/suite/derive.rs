//! `dalembert derive`: pages, the document for programs, refusals.

use crate::run_in;
use insta::assert_snapshot;
use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn page(arguments: &[&str]) -> String {
    let ran = run_in(ROOT, &[&["derive"], arguments].concat(), "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
    ran.out.trim_end().to_owned()
}

fn document(arguments: &[&str]) -> Value {
    let text = page(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("one JSON document")
}

#[test]
fn pages() {
    for (name, form) in [
        ("pendulum", None),
        ("phong-pendulum", Some("complement")),
        ("blajer-disk", Some("independent")),
        ("rolling-disk", None),
        ("double-pendulum", Some("lagrange")),
        ("appell-hamel", Some("udwadia-kalaba")),
        ("chaplygin-sleigh", Some("projection")),
        ("four-bar", None),
        ("governor-iftomm-a05", None),
    ] {
        let path = format!("examples/{name}.toml");
        let mut arguments = vec![path.as_str()];
        arguments.extend(form.into_iter().flat_map(|form| ["--formulation", form]));
        assert_snapshot!(format!("derive_{name}"), page(&arguments));
    }
}

#[test]
fn steps_show_the_matrices() {
    let shown = page(&[
        "examples/phong-pendulum.toml",
        "--formulation=complement",
        "--steps",
    ]);
    assert_snapshot!("derive_steps", shown);
    let shown = page(&["examples/blajer-disk-contact.toml", "--steps"]);
    assert_snapshot!("derive_steps_given", shown);
    let shown = page(&["examples/rolling-disk.toml", "--steps"]);
    assert_snapshot!("derive_steps_body", shown);
}

#[test]
fn formats() {
    for format in ["latex", "typst", "html", "markdown", "sympy"] {
        let arguments = [
            "examples/phong-pendulum.toml",
            "--formulation=independent",
            "--format",
            format,
        ];
        assert_snapshot!(format!("derive_as_{format}"), page(&arguments));
    }
}

#[test]
fn the_document_has_the_keys_of_the_contract() {
    let found = document(&["examples/rolling-disk.toml", "--formulation=multipliers"]);
    for key in [
        "formulation",
        "coordinates",
        "speeds",
        "independent",
        "shorthands",
        "motions",
        "energies",
        "matrices",
        "nonzero",
        "equations",
        "multipliers",
        "forces",
        "proved",
    ] {
        assert!(found.get(key).is_some(), "{key}");
    }
    assert_eq!(found["formulation"], "multipliers");
    let disk = &found["motions"][0];
    assert_eq!(disk["name"], "disk");
    assert_eq!(disk["velocity"][0], "x'");
    assert_eq!(disk["partials"]["x'"]["velocity"][0], "1");
    assert_eq!(disk["partials"]["phi'"]["omega"][1], "1");
    assert!(found["energies"]["kinetic"].is_string());
    for key in ["equations", "reactions"] {
        assert!(found["nonzero"][key].is_array(), "{key}");
    }
    assert!(found["independent"].is_null());
    for key in ["N", "n", "M", "h", "A", "b", "w", "D"] {
        assert!(found["matrices"].get(key).is_some(), "{key}");
    }
    for key in ["left", "right", "latex"] {
        assert!(found["equations"][0][key].is_string(), "{key}");
    }
    assert_eq!(found["equations"][0]["left"], "m*x''");
    assert_eq!(found["equations"][0]["right"], "lambda(contact.0)");
    for row in ["contact.0", "contact.1", "contact.2"] {
        assert!(found["multipliers"][row]["expr"].is_string(), "{row}");
        assert!(found["multipliers"][row]["latex"].is_string(), "{row}");
    }
    for key in ["given", "ideal", "nonideal"] {
        assert!(found["forces"][key]["theta'"].is_string(), "{key}");
    }
    let independent = document(&["examples/rolling-disk.toml", "--independent=theta,psi,phi"]);
    assert_eq!(independent["formulation"], "independent");
    assert!(independent["independent"]["dependent"]["x'"].is_string());
}

#[test]
fn wrong_words_are_wrong_usage() {
    for arguments in [
        ["derive", "examples/pendulum.toml", "--formulation=kane"],
        ["derive", "examples/pendulum.toml", "--format=pdf"],
    ] {
        assert_eq!(run_in(ROOT, &arguments, "").code, 2);
    }
}

#[test]
fn refusals_say_why() {
    let path = "examples/appell-hamel.toml";
    let ran = run_in(ROOT, &["derive", path, "--formulation=independent"], "");
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.err.trim_end(), @r"
    error[E0602]: no speeds are independent under `cone`: not linear in the velocities, or of accelerations
    --> examples/appell-hamel.toml
     = help: ask for another formulation, such as multipliers
    ");
    let ran = run_in(ROOT, &["derive", path, "--independent=x,u", "--json"], "");
    assert_eq!(ran.code, 1);
    let found: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    assert_eq!(found["diagnostics"][0]["code"], "E0600");
    for code in [
        "E0600", "E0601", "E0602", "E0603", "E0604", "E0605", "E0606",
    ] {
        assert_eq!(run_in(ROOT, &["explain", code], "").code, 0, "{code}");
    }
}
