//! The command as a user runs it: what it prints where, and how it exits.

mod bad_models;
mod bench;
mod calc;
mod derive;
mod documents;
mod held;
mod hostile;
mod house;
mod independent;
mod laws;
mod models;
mod mutants;
mod notation;
mod prove;
mod readme;
mod runs;
mod serve;
#[cfg(unix)]
mod streams;
mod stumbles;
mod tables;

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the command with arguments; its output as text.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_with_input(arguments, "")
}

pub(crate) fn run_with_input(arguments: &[&str], input: &str) -> Ran {
    run_in(env!("CARGO_MANIFEST_DIR"), arguments, input)
}

/// The same, from a folder.
pub(crate) fn run_in(folder: &str, arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments does not read its input.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(input.as_bytes()));
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("the command ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    Ran {
        out: text(stdout),
        err: text(stderr),
        code: status.code().unwrap_or(-1),
    }
}
