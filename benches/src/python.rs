//! Scripts of ours, run by the Python that has what they need.

use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

/// Runs a script; `input` is its standard input.
pub(crate) fn run(python: &str, script: &str, input: &str) -> Result<Output, String> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => format!("there is no `{python}`"),
        _ => format!("cannot run `{python}`: {error}"),
    };
    let mut child = Command::new(python)
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // A script that stops early says why on standard error.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(input.as_bytes()));
    child.wait_with_output().map_err(failed)
}

/// What a script says, unless it fails.
pub(crate) fn answer(
    what: &str,
    python: &str,
    script: &str,
    input: &str,
) -> Result<String, String> {
    let output = run(python, script, input)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(format!("{what} fails:\n{}", message.trim_end()))
}

pub(crate) fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.trim_end().lines().last().unwrap_or("it says nothing");
    line.to_owned()
}

/// Interpreters for tests: shell scripts.
#[cfg(all(test, unix))]
pub(crate) mod fake {
    use crate::c_function::Folder;
    use std::os::unix::fs::PermissionsExt;

    pub(crate) struct Fake {
        pub(crate) command: String,
        _folder: Folder,
    }

    impl Fake {
        /// One that runs some shell; `$2` is the script it is given.
        pub(crate) fn new(shell: &str) -> Self {
            let folder = Folder::new().expect("a folder");
            let path = folder.0.join("python");
            std::fs::write(&path, format!("#!/bin/sh\n{shell}\n")).expect("a file");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
                .expect("a permission");
            let command = path.to_str().expect("text").to_owned();
            // Another thread's child may hold the file open for an instant after it was written.
            let busy =
                || matches!(super::run(&command, "", ""), Err(message) if message.contains("busy"));
            for _ in 0..100 {
                if !busy() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            Self {
                command,
                _folder: folder,
            }
        }
    }
}
