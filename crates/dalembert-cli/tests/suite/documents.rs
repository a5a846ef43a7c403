//! What every command says of every model of the gallery with `--json`: names, order and values, to five digits.
//!
//! One file for each command. What differs from machine to machine, or by the choice of steps, is left out; long formulas are
//! told by their beginning, their length and a checksum.

use crate::run_in;
use serde_json::Value;
use std::fmt::Write;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Characters of a text that are repeated.
const SHOWN: usize = 40;

/// Models whose equations take long to derive; their pages are tested elsewhere.
const SLOW: [&str; 8] = [
    "andrews-squeezer",
    "bricard-iftomm-a04",
    "four-bar",
    "four-bar-iftomm",
    "slider-crank-flexible",
    "tractor-trailer",
    "wheelset-ivp",
    "whipple-bicycle",
];

fn gallery() -> Vec<String> {
    let listed: Value = serde_json::from_str(&run_in(ROOT, &["new", "--list", "--json"], "").out)
        .expect("a JSON document");
    let models = listed["models"].as_array().expect("a list").iter();
    let names = models.map(|model| model["name"].as_str().expect("a name").to_owned());
    // Bodies and joints have tests of their own.
    names.filter(|name| !name.ends_with("-bodies")).collect()
}

/// A value in one line, of what is the same on all machines.
fn told(key: &str, value: &Value, out: &mut String) {
    let done = match (key, value) {
        ("wall_s" | "derive_s" | "compile_s", Value::Number(_)) => write!(out, "seconds"),
        ("steps" | "rejected" | "rhs_evaluations", Value::Number(_)) => write!(out, "count"),
        (
            "position" | "velocity" | "balance_error" | "max_difference" | "within",
            Value::Number(x),
        ) if x.as_f64().is_some_and(|x| x.abs() < 1e-6) => write!(out, "small"),
        (_, Value::Number(number)) => match number.as_f64() {
            Some(x) if number.is_f64() && x.abs() < 1e-9 => write!(out, "0"),
            Some(x) if number.is_f64() => write!(out, "{x:.4e}"),
            _ => write!(out, "{number}"),
        },
        (_, Value::String(text)) if text.chars().count() > SHOWN => {
            let beginning: String = text.chars().take(SHOWN).collect();
            // FNV-1a: enough to see that a formula is another.
            let sum = text.bytes().fold(0x811c_9dc5_u32, |sum, byte| {
                (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
            });
            let count = text.chars().count();
            write!(out, "{beginning:?}…{count} {sum:08x}")
        }
        (_, Value::Array(entries)) => {
            out.push('[');
            for (i, entry) in entries.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                told(key, entry, out);
            }
            write!(out, "]")
        }
        (_, Value::Object(entries)) => {
            out.push('{');
            for (i, (key, entry)) in entries.iter().enumerate() {
                let between = if i == 0 { "" } else { ", " };
                let _ = write!(out, "{between}{key}: ");
                told(key, entry, out);
            }
            write!(out, "}}")
        }
        (_, other) => write!(out, "{other}"),
    };
    done.expect("a string takes all");
}

/// The documents of a command for models and arguments, one line for each key.
fn documents(calls: impl Iterator<Item = (String, Vec<String>)>) -> String {
    let mut out = String::new();
    for (name, arguments) in calls {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = run_in(ROOT, &arguments, "");
        let document: Value = serde_json::from_str(&ran.out).expect("one JSON document");
        let _ = writeln!(out, "{name}: exit {}", ran.code);
        for (key, value) in document.as_object().expect("an object") {
            let _ = write!(out, "  {key}: ");
            told(key, value, &mut out);
            out.push('\n');
        }
    }
    out
}

fn of_gallery(command: &str, more: &[&str], without: &[&str]) -> String {
    let models = gallery().into_iter();
    let models = models.filter(|model| !without.contains(&model.as_str()));
    documents(models.map(|model| {
        let path = format!("examples/{model}.toml");
        let words = [&[command, &path, "--json"], more].concat();
        (model, words.into_iter().map(str::to_owned).collect())
    }))
}

#[test]
fn check() {
    insta::assert_snapshot!(of_gallery("check", &[], &[]));
}

#[test]
fn eval() {
    insta::assert_snapshot!(of_gallery("eval", &[], &[]));
}

#[test]
fn derive() {
    insta::assert_snapshot!(of_gallery("derive", &[], &SLOW));
}

#[test]
fn run() {
    insta::assert_snapshot!(of_gallery("run", &["--span", "0.05"], &[]));
}

#[test]
fn prove() {
    let folder = std::fs::read_dir(format!("{ROOT}/docs/papers")).expect("the folder is there");
    let mut files: Vec<String> = folder
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .collect();
    files.sort();
    insta::assert_snapshot!(documents(files.into_iter().filter_map(|file| {
        let model = file.strip_suffix("-misprints").unwrap_or(&file);
        let known = ["docs/papers", "examples"].map(|folder| format!("{folder}/{model}.toml"));
        let model = known
            .into_iter()
            .find(|path| std::path::Path::new(ROOT).join(path).exists())?;
        let equations = format!("docs/papers/{file}.txt");
        let words = ["prove", &model, "--equations", &equations, "--json"];
        Some((file.clone(), words.map(str::to_owned).to_vec()))
    })));
}

/// What a command says is what its schema promises.
#[test]
fn schemas_know_the_documents() {
    let document = |arguments: &[&str]| -> Value {
        serde_json::from_str(&run_in(ROOT, arguments, "").out).expect("one JSON document")
    };
    let disk = "examples/blajer-disk.toml";
    let equations = [
        "prove",
        disk,
        "--equations",
        "docs/papers/blajer-disk.txt",
        "--json",
    ];
    let calls: [(&str, &[&str]); 6] = [
        ("check", &["check", disk, "--json"]),
        ("eval", &["eval", disk, "--json"]),
        ("derive", &["derive", disk, "--json"]),
        ("prove", &equations),
        ("run", &["run", disk, "--span", "0.01", "--json"]),
        ("error", &["check", "examples/none.toml", "--json"]),
    ];
    for (name, arguments) in calls {
        let schema = document(&["schema", name]);
        let known = schema["properties"].as_object().expect("properties");
        let found = document(arguments);
        for key in found.as_object().expect("an object").keys() {
            assert!(known.contains_key(key), "{name}: {key}");
            let words = known[key]["description"].as_str();
            assert!(
                words.is_some_and(|words| !words.is_empty()),
                "{name}: {key}"
            );
        }
        for key in schema["required"].as_array().expect("a list") {
            let key = key.as_str().expect("a name");
            assert!(found.get(key).is_some(), "{name}: {key}");
        }
    }
    assert_eq!(run_in(ROOT, &["schema", "calc"], "").code, 2);
}
