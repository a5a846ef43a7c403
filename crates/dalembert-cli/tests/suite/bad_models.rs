//! One file per mistake, in `tests/models`: what `dalembert check` says to the newcomer who made it.

use crate::run;
use insta::assert_snapshot;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("its files can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
        .collect();
    names.sort();
    names
}

#[test]
fn every_mistake_is_explained() {
    let names = names();
    assert!(names.len() >= 40, "{}", names.len());
    for name in names {
        let path = folder().join(format!("{name}.toml"));
        let path = path.to_str().expect("the path is text");
        let ran = run(&["check", path]);
        let json = run(&["check", path, "--json"]);
        let shown = ran.err.replace(path, &format!("{name}.toml"));
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{name}: {}", ran.err);
        assert_snapshot!(format!("bad_{name}"), shown.trim_end());
        well_formed(&name, path, &json.out);
    }
}

/// The document has a diagnostic for each message, in the file and with a code that is explained.
fn well_formed(name: &str, path: &str, document: &str) {
    let json: serde_json::Value = serde_json::from_str(document).expect("one JSON document");
    assert_eq!(json["status"], "error", "{name}");
    let diagnostics = json["diagnostics"].as_array().expect("a list");
    assert!(!diagnostics.is_empty(), "{name}");
    let text = fs::read_to_string(path).expect("the file is text");
    let lines = text.lines().count().max(1) as u64;
    for diagnostic in diagnostics {
        let keys: Vec<&String> = diagnostic.as_object().expect("an object").keys().collect();
        assert_eq!(
            keys,
            [
                "code",
                "severity",
                "message",
                "help",
                "file",
                "line",
                "column",
                "end_line",
                "end_column"
            ],
            "{name}"
        );
        assert_eq!(diagnostic["file"], path, "{name}");
        let number = |key: &str| diagnostic[key].as_u64().expect("a number");
        assert!((1..=lines).contains(&number("line")), "{name}");
        assert!((1..=lines).contains(&number("end_line")), "{name}");
        let length = text
            .lines()
            .nth(number("line") as usize - 1)
            .map_or(0, |l| l.chars().count());
        assert!(
            (1..=length as u64 + 1).contains(&number("column")),
            "{name}"
        );
        let code = diagnostic["code"].as_str().expect("a text");
        assert_eq!(run(&["explain", code]).code, 0, "{name}: {code}");
    }
}

/// The caret stands under the symbol inside the expression, not under the whole string.
#[test]
fn carets_point_into_expressions() {
    for (name, symbol) in [
        ("unknown-name", "lenght"),
        ("unknown-function", "sqr"),
        ("unknown-member", "centre"),
        ("unknown-rate", "m'"),
        ("wrong-arity", "atan2"),
        ("implicit-multiplication", "x"),
        ("unknown-unit", "furlong"),
    ] {
        let path = folder().join(format!("{name}.toml"));
        let ran = run(&["check", path.to_str().expect("text"), "--json"]);
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let first = &json["diagnostics"][0];
        let text = fs::read_to_string(&path).expect("text");
        let at = |key: &str| first[key].as_u64().expect("a number") as usize;
        let line = text.lines().nth(at("line") - 1).expect("a line");
        let marked = &line[at("column") - 1..at("end_column") - 1];
        assert_eq!(marked, symbol, "{name}");
    }
}
