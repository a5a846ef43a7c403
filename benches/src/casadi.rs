//! CasADi as a peer: a script of ours, run by a Python that has it.

use crate::PendulumValues;
use crate::c_function::CC;
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("../peers/casadi_pendulum.py");

/// A Python interpreter that has CasADi.
#[derive(Clone, Debug)]
pub struct CasADi {
    python: String,
    /// Version of CasADi.
    pub version: String,
}

/// What CasADi needs for the accelerations of the N-link pendulum.
#[derive(Clone, Debug)]
pub struct CasADiTimes {
    /// Seconds from the Lagrangian to a function that can be called.
    pub build_s: f64,
    /// Nanoseconds for one state.
    pub ns: f64,
    /// Accelerations at the first state.
    pub accelerations: Vec<f64>,
}

impl CasADi {
    /// Asks an interpreter for CasADi.
    ///
    /// # Errors
    /// It does not run, or has none.
    pub fn find(python: &str) -> Result<Self, String> {
        let question = "import casadi; print(casadi.__version__)";
        let output = match Command::new(python).args(["-c", question]).output() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(format!("there is no `{python}`"));
            }
            Err(error) => return Err(format!("cannot run `{python}`: {error}")),
            Ok(output) => output,
        };
        if !output.status.success() {
            let message = last_line(&output.stderr);
            return Err(format!("`{python}` has none ({message})"));
        }
        Ok(Self {
            python: python.to_owned(),
            version: last_line(&output.stdout),
        })
    }

    /// Derives, compiles and times the pendulum.
    ///
    /// # Errors
    /// The script fails, or says something else than it should.
    pub fn pendulum(
        &self,
        values: &PendulumValues,
        states: &[Vec<f64>],
    ) -> Result<CasADiTimes, String> {
        let case = json!({
            "masses": values.masses,
            "lengths": values.lengths,
            "gravity": values.gravity,
            "states": states,
            "cc": CC,
            "seconds": 0.5,
        });
        let answer = self.run(&case.to_string())?;
        let unexpected = || format!("CasADi's script says something unexpected: {answer}");
        let document: Value = serde_json::from_str(&answer).map_err(|_| unexpected())?;
        let number = |key: &str| document[key].as_f64();
        let list = document["accelerations"]
            .as_array()
            .ok_or_else(unexpected)?;
        let accelerations: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
        match (number("build_s"), number("ns")) {
            (Some(build_s), Some(ns)) if accelerations.len() == values.masses.len() => {
                Ok(CasADiTimes {
                    build_s,
                    ns,
                    accelerations,
                })
            }
            _ => Err(unexpected()),
        }
    }

    fn run(&self, input: &str) -> Result<String, String> {
        let failed = |error: std::io::Error| format!("cannot run `{}`: {error}", self.python);
        let mut child = Command::new(&self.python)
            .args(["-c", SCRIPT])
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
        let output = child.wait_with_output().map_err(failed)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(format!("CasADi's script fails:\n{}", message.trim_end()))
    }
}

fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.trim_end().lines().last().unwrap_or("it says nothing");
    line.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::c_function::Folder;
    use std::os::unix::fs::PermissionsExt;

    /// An interpreter that says a version when asked, and does something else with the script.
    struct Interpreter {
        peer: CasADi,
        _folder: Folder,
    }

    impl Interpreter {
        fn new(otherwise: &str) -> Self {
            let folder = Folder::new().expect("a folder");
            let path = folder.0.join("python");
            let text = format!(
                "#!/bin/sh\ncase \"$2\" in import*) echo 3.9.9;; *) cat > /dev/null; {otherwise};; esac\n"
            );
            std::fs::write(&path, text).expect("a file");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
                .expect("a permission");
            // Another thread's child may hold the file open for an instant after it was written.
            let find = || CasADi::find(path.to_str().expect("text"));
            let busy = |found: &Result<CasADi, String>| matches!(found, Err(message) if message.contains("busy"));
            let mut found = find();
            for _ in 0..100 {
                if !busy(&found) {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
                found = find();
            }
            let peer = found.expect("CasADi");
            assert_eq!(peer.version, "3.9.9");
            Self {
                peer,
                _folder: folder,
            }
        }

        fn times(&self) -> Result<CasADiTimes, String> {
            let values = PendulumValues::new(2);
            self.peer.pendulum(&values, &[values.state(0)])
        }
    }

    #[test]
    fn a_script_that_crashes_is_reported() {
        let crashes = Interpreter::new("echo 'no memory' >&2; exit 3");
        let message = crashes.times().expect_err("no times");
        assert!(message.contains("no memory"), "{message}");
    }

    #[test]
    fn what_the_script_says_is_checked() {
        for says in [
            "true",
            "echo hello",
            r#"echo '{"build_s": 1, "ns": 1, "accelerations": [1]}'"#,
            r#"echo '{"build_s": 1, "accelerations": [1, 2]}'"#,
        ] {
            let message = Interpreter::new(says).times().expect_err("no times");
            assert!(message.contains("unexpected"), "{says}: {message}");
        }
        let says = r#"echo '{"build_s": 2, "ns": 3, "accelerations": [4, 5]}'"#;
        let times = Interpreter::new(says).times().expect("times");
        assert_eq!((times.build_s, times.ns), (2.0, 3.0));
        assert_eq!(times.accelerations, [4.0, 5.0]);
    }

    #[test]
    fn an_interpreter_without_it_is_no_peer() {
        assert!(CasADi::find("no-such-python").is_err());
        assert!(CasADi::find("false").is_err());
    }
}
