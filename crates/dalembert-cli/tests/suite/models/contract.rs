//! The keys of what `check`, `eval` and `run` say with `--json`.

use super::{Folder, document, keys};
use crate::run;
use serde_json::Value;

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
            "growth",
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
    assert_eq!(
        keys(&found["verified"]),
        ["states", "max_difference", "change"]
    );
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
            "parameters",
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
    let of_blade = found["power"]["blade"].as_f64().expect("a number");
    assert!((of_blade + 0.4).abs() < 1e-15, "{of_blade}");
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
            "jacobians",
            "factorisations",
            "switched",
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
