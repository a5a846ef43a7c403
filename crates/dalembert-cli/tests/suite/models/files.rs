//! Where a model comes from, and where results go.

use super::{DISK, Folder, document};
use crate::{run, run_in, run_with_input};
use serde_json::Value;
use std::fs;
use std::path::Path;

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
