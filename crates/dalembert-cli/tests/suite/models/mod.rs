//! The contract with scripts: keys, columns, exit codes, overrides.

mod contract;
mod files;
mod options;
mod tables;

use crate::Ran;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const DISK: &str = include_str!("disk.toml");
const SLEDGE: &str = include_str!("sledge.toml");

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
