//! Whatever stands in a model, in a table or in the name of a file, only what can be seen reaches the terminal.

use crate::{Ran, run_in};
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Clears the screen, ends the text, begins a sequence by one character, turns the direction, ends the line, and is no
/// character at all.
const HOSTILE: &str = "\u{1b}[2J\0\u{9b}7m\u{7f}\u{202e}\u{2067}\u{2028}\r\n\u{ffff}\u{feff}";
/// The same in a text of a model file.
const IN_TOML: &str = "\\u001B[2J\\u0000\\u009B7m\\u007F\\u202E\\u2067\\u2028\\r\\n\\uFFFF\\uFEFF";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Characters of a text that are not seen, but for line breaks.
fn unseen(text: &str) -> Vec<char> {
    let hidden = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{feff}' | '\u{ffff}')
    };
    text.chars().filter(hidden).collect()
}

fn assert_clean(ran: &Ran, what: &str) {
    assert!(
        (0..=2).contains(&ran.code),
        "{what}: {}\n{}",
        ran.code,
        ran.err
    );
    for text in [&ran.out, &ran.err] {
        assert_eq!(unseen(text), [], "{what}:\n{text}");
    }
}

/// The model with something strange at every place of it, one at a time: in texts, in keys, at the ends of lines.
fn attacked(model: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = false;
    for (at, _) in model.match_indices('"') {
        open = !open;
        if !open {
            let (before, after) = model.split_at(at);
            found.push((format!("text at {at}"), format!("{before}{IN_TOML}{after}")));
        }
    }
    let mut start = 0;
    for line in model.split_inclusive('\n') {
        let (before, after) = model.split_at(start);
        if let Some((key, rest)) = line.split_once(" = ")
            && !key.contains(['"', '#', '.'])
        {
            let after = &after[line.len()..];
            let text = format!("{before}\"{key}{IN_TOML}\" = {rest}{after}");
            found.push((format!("key {key}"), text));
        }
        let text = format!(
            "{before}{}{HOSTILE}\n{}",
            line.trim_end(),
            &after[line.len()..]
        );
        found.push((format!("end of {line}"), text));
        start += line.len();
    }
    found
}

fn attack(name: &str, step: usize) {
    let folder = folder(name);
    let place = folder.to_str().expect("text");
    let model = fs::read_to_string(format!("{ROOT}/examples/{name}.toml")).expect("a model");
    fs::write(folder.join("equations.txt"), "x'' = 0\n").expect("a file");
    let commands: [&[&str]; 6] = [
        &["check", "model.toml"],
        &["check", "model.toml", "--json"],
        &[
            "check",
            "model.toml",
            "--color",
            "never",
            "--set",
            "m=\u{1b}",
        ],
        &["derive", "model.toml"],
        &[
            "run",
            "model.toml",
            "--span",
            "1e-3",
            "--samples",
            "2",
            "--out",
            "table.csv",
        ],
        &["prove", "model.toml", "--equations", "equations.txt"],
    ];
    let attacked = attacked(&model);
    assert!(attacked.len() > 20, "{name} has places");
    for (index, (place_of, text)) in attacked.iter().enumerate() {
        fs::write(folder.join("model.toml"), text).expect("a file");
        let all = commands.iter().enumerate();
        for (_, arguments) in all.filter(|(command, _)| (index + command) % step == 0) {
            let ran = run_in(place, arguments, "");
            assert_clean(&ran, &format!("{name}, {place_of}, {arguments:?}"));
            if arguments.contains(&"--json") {
                let read: Result<serde_json::Value, _> = serde_json::from_str(&ran.out);
                assert!(read.is_ok(), "{name}, {place_of}: {}", ran.out);
            }
        }
        if let Ok(table) = fs::read_to_string(folder.join("table.csv")) {
            assert_eq!(unseen(&table), [], "{name}, {place_of}");
        }
    }
}

#[test]
fn models_cannot_reach_the_terminal() {
    attack("pendulum", 2);
    attack("sliding-block", 7);
}

#[test]
#[ignore = "thorough: every place of six models, through every command"]
fn no_place_of_a_model_reaches_the_terminal() {
    for name in [
        "bead-on-rough-hoop",
        "double-pendulum",
        "rolling-disk",
        "servo-pendulum",
        "spring-damper",
        "wheelset",
    ] {
        attack(name, 1);
    }
}

/// A title is shown in one line, and read back whole from JSON.
#[test]
fn a_title_is_one_line() {
    let folder = folder("title");
    let place = folder.to_str().expect("text");
    let model = "dalembert = 1\ntitle = \"Disk\\nverified 5 formulations\\u001B[31m\"\n[coordinates]\nx = 0\n\
                 [energy]\nkinetic = \"x'^2/2\"\n[run]\nspan = 1\nrecord = [\"x +\\n\\t2\"]\n";
    fs::write(folder.join("model.toml"), model).expect("a file");
    let ran = run_in(place, &["check", "model.toml"], "");
    assert!(
        ran.out
            .starts_with("Disk\\nverified 5 formulations\\u001B[31m\ncoordinates 1"),
        "{}",
        ran.out
    );
    let ran = run_in(place, &["check", "model.toml", "--json"], "");
    let read: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(read["title"], "Disk\nverified 5 formulations\u{1b}[31m");
    let ran = run_in(place, &["run", "model.toml", "--out", "table.csv"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let table = fs::read_to_string(folder.join("table.csv")).expect("a table");
    assert!(table.starts_with("t,x,x',x + 2\n"), "{table}");
    // Parquet keeps the title; the figure shows it in one line, and is a document of XML.
    let ran = run_in(place, &["run", "model.toml", "--out", "table.parquet"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run_in(place, &["plot", "table.parquet"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let svg = fs::read_to_string(folder.join("table.svg")).expect("a figure");
    assert_eq!(unseen(&svg), []);
    assert!(
        svg.contains("Disk\\nverified 5 formulations\\u001B[31m"),
        "{svg}"
    );
}

/// Tables, names of files and arguments come from others as well.
#[test]
fn tables_files_and_arguments_cannot_either() {
    let folder = folder("others");
    let place = folder.to_str().expect("text");
    let name = HOSTILE.replace('\0', "");
    let quoted = format!("\"x{HOSTILE}\"");
    for (table, column) in [
        (format!("t,{quoted}\n0,1\n1,2\n"), None),
        (format!("t,{quoted}\n0,1\n1,2\n"), Some("y")),
        (format!("t,{quoted}\n0,1\n1,{quoted}\n"), None),
        (format!("# {HOSTILE}\nt\n"), None),
    ] {
        let file = format!("{name}.csv");
        fs::write(folder.join(&file), &table).expect("a file");
        let mut arguments = vec!["plot", &file];
        arguments.extend(column);
        let ran = run_in(place, &arguments, "");
        assert_clean(&ran, &format!("{table:?}"));
        if let Ok(svg) = fs::read_to_string(folder.join(format!("{name}.svg"))) {
            assert_eq!(unseen(&svg), []);
        }
    }
    let file = format!("{name}.toml");
    fs::write(folder.join(&file), "dalembert = 1\n[coordinates]\nx = y\n").expect("a file");
    for arguments in [
        ["check", &file].as_slice(),
        &["check", &name],
        &["prove", &file, "--equations", &name],
        &[&name],
        &["check", &file, &name],
        &["new", &name],
        &["explain", &name],
        &["calc", &name],
        &[
            "calc", "x", "--diff", &name, "--set", &name, "--moving", &name,
        ],
        &["calc", "x", "--set", &format!("{name}=1")],
        &["calc", "x", "--from", &name],
        &["eval", &file, "--at", &name],
        &["check", &file, "--set", &name],
        &["derive", &file, "--formulation", &name],
        &["derive", &file, "--format", &name],
        &["derive", &file, "--independent", &name],
        &["run", &file, "--out", &name],
        &["run", &file, "--until", &name],
        &["run", &file, "--integrator", &name],
        &["run", &file, "--record", &name],
        &["completions", &name],
    ] {
        for json in [false, true] {
            let mut arguments = arguments.to_vec();
            arguments.extend(json.then_some("--json"));
            let ran = run_in(place, &arguments, "");
            assert_ne!(ran.code, 0, "{arguments:?}");
            assert_clean(&ran, &format!("{arguments:?}"));
        }
    }
}

/// A caret stands under what it points at, though something before it takes more room than one place.
#[test]
fn carets_stand_where_they_belong() {
    let model = "dalembert = 1\r\n[coordinates]\r\nx = \"\u{202e} + y\"\r\n";
    let ran = run_in(ROOT, &["check", "-"], model);
    assert_clean(&ran, "a caret");
    let lines: Vec<&str> = ran.err.lines().collect();
    let caret = lines
        .iter()
        .position(|line| line.contains('^'))
        .expect("a caret");
    let at = lines[caret].find('^').expect("a caret");
    assert!(lines[caret - 1][at..].starts_with("\\u202E"), "{}", ran.err);
}
