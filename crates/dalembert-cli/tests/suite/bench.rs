//! `bench` measures, says what it leaves out, and refuses what it cannot measure.

use crate::{run, run_with_input};
use serde_json::Value;

const DISK: &str = "../../examples/rolling-disk.toml";

/// Every number is positive and finite; every null is something that was left out.
fn assert_measured(document: &Value, nullable: &[&str]) -> usize {
    let mut numbers = 0;
    let mut open = vec![("", document)];
    while let Some((key, value)) = open.pop() {
        match value {
            Value::Number(number) => {
                let number = number.as_f64().expect("a number");
                assert!(number > 0.0 && number.is_finite(), "{key} is {number}");
                numbers += 1;
            }
            Value::Null => assert!(nullable.contains(&key), "{key} is missing"),
            Value::Array(items) => open.extend(items.iter().map(|item| (key, item))),
            Value::Object(items) => {
                open.extend(items.iter().map(|(key, item)| (key.as_str(), item)));
            }
            Value::Bool(_) | Value::String(_) => {}
        }
    }
    numbers
}

/// What may be null: what needs CasADi, and what needs things this machine may not have.
fn nullable(document: &Value) -> Vec<&'static str> {
    let mut keys = vec![
        "casadi",
        "casadi_ns",
        "to_casadi",
        "casadi_build_ms",
        "build_ratio",
    ];
    if document["machine"]["native"] == false {
        keys.extend([
            "native",
            "native_8_lanes",
            "native_ns",
            "native_8_lanes_ns",
            "native_ms",
            "native_ms_per_1000",
            "native_to_cc",
        ]);
    }
    if document["machine"]["cc"].is_null() {
        keys.extend(["cc", "cc_ns", "native_to_cc", "cc_build_ms"]);
    }
    keys
}

#[test]
fn a_quick_bench_fills_every_table() {
    let ran = run(&["bench", "--quick", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    let keys: Vec<&str> = document
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    let tables = ["compile", "evaluate", "acceleration", "batch", "chain"];
    let contract = [&["machine"], tables.as_slice(), &["skipped"]].concat();
    assert_eq!(keys, contract);
    for table in tables {
        assert!(
            !document[table].as_array().expect("rows").is_empty(),
            "{table} is empty"
        );
    }
    let numbers = assert_measured(&document, &nullable(&document));
    assert!(numbers > 30, "only {numbers} numbers");
    let skipped = document["skipped"].as_array().expect("a list");
    assert!(
        skipped.contains(&Value::from("CasADi: not with --quick")),
        "{skipped:?}"
    );
    assert_eq!(
        document["machine"]["native"] == false,
        ran.out.contains("native code: there is none")
    );
}

/// Runs that meet their references, which are not ours; without peers there is nothing to compare with.
#[test]
fn a_quick_simulation_meets_its_references() {
    let ran = run(&["bench", "simulate", "--quick", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    let rows = document["simulate"].as_array().expect("rows");
    let problems: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["problem"].as_str())
        .collect();
    let wanted = [
        "A01 pendulum",
        "A03 Andrews' mechanism",
        "five-bar, redundant row",
    ];
    assert_eq!(problems, wanted);
    for row in rows {
        let number = |key: &str| row[key].as_f64().expect("a number");
        assert!(number("error") <= 1e-6 && number("error") > 0.0, "{row}");
        let alone = number("integrate_ms");
        assert!(
            0.0 < alone && alone < number("compile_integrate_ms"),
            "{row}"
        );
        assert!(
            number("evaluations") > number("steps") && number("steps") > 10.0,
            "{row}"
        );
        assert_eq!(row["formulation"], "multipliers");
        assert!(row["peer"].is_string() && row["peer_ms"].is_null() && row["ratio"].is_null());
    }
    let skipped = document["skipped"].to_string();
    assert!(
        skipped.contains("simulators: not with --quick"),
        "{skipped}"
    );
}

/// The same mechanisms as bodies and joints meet the same references, in both kinds of coordinates.
#[test]
fn a_quick_simulation_of_bodies_meets_its_references() {
    let ran = run(&["bench", "simulate-bodies", "--quick", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    let rows = document["simulate-bodies"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    for row in rows {
        let number = |key: &str| row[key].as_f64().expect("a number");
        for way in ["coordinates", "bodies", "relative"] {
            assert!(number(&format!("{way}_ms")) > 0.0, "{row}");
            assert!(number(&format!("{way}_rtol")) <= 1e-3, "{row}");
            assert!(number(&format!("{way}_evaluations")) > 10.0, "{row}");
        }
        let ratio = number("bodies_ms") / number("coordinates_ms");
        assert!(
            (number("bodies_ratio") - ratio).abs() < 1e-9 * ratio,
            "{row}"
        );
    }
}

#[test]
fn the_tables_are_printed_with_goals() {
    let ran = run(&["bench", "--quick"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let chain = run(&["bench", "chain", "--quick"]);
    assert_eq!(chain.code, 0, "{}", chain.err);
    assert!(chain.out.contains("µs per mass") && !chain.out.contains("tape"));
    for expected in [
        "goal: native : cc",
        "µs per mass",
        "skipped CasADi",
        "operations",
    ] {
        assert!(ran.out.contains(expected), "no {expected} in\n{}", ran.out);
    }
}

#[test]
fn a_model_is_measured() {
    let ran = run(&["bench", DISK, "--quick", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    assert_eq!(document["title"], "Thin disk rolling on a horizontal plane");
    assert_eq!(document["counts"]["coordinates"], 6);
    assert_eq!(document["counts"]["rows"], 3);
    assert_measured(&document, &nullable(&document));
    assert!(document["state_ns"]["right_hand_side"].is_number());
    let text = run(&["bench", DISK, "--quick", "--set", "r=0.5 m"]);
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.out.contains("right-hand side"), "{}", text.out);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let missing = run(&["bench", "none.toml", "--quick", "--json"]);
    assert_eq!(missing.code, 1);
    assert!(missing.out.contains("E0910"), "{}", missing.out);
    let singular = "dalembert = 1\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x^2*x'^2/2\"\n";
    let singular = run_with_input(&["bench", "-", "--quick"], singular);
    assert_eq!(singular.code, 1);
    assert!(singular.err.contains("E0512"), "{}", singular.err);
}

/// A Python that is named must be there, and is asked before anything is measured.
#[test]
fn a_missing_python_is_no_success() {
    for table in [["bench"].as_slice(), &["bench", "simulate"]] {
        let ran = run(&[table, &["--python", "no-such-python", "--json"]].concat());
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(ran.err.contains("no-such-python"), "{}", ran.err);
        assert!(ran.out.contains("E0913"), "{}", ran.out);
    }
}

#[test]
fn contradictory_arguments_are_wrong_usage() {
    for words in [
        ["bench", DISK, "--python", "python3"].as_slice(),
        &["bench", "--quick", "--python", "python3"],
        &["bench", "simulate", "--quick", "--python", "python3"],
        &["bench", "--set", "r=1"],
        &["bench", "simulate", "--set", "r=1"],
        &["bench", "--nonsense"],
    ] {
        assert_eq!(run(words).code, 2, "{words:?}");
    }
}
