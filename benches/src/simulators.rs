//! Programs that simulate, as peers: a script of ours, run by a Python that has them.

use crate::motions::{Motion, Reference};
use crate::python;
use serde_json::{Value, json};

const SCRIPT: &str = include_str!("../peers/simulate.py");
const NAMES: [&str; 4] = ["CasADi", "MuJoCo", "Pinocchio", "SciPy"];

/// A Python interpreter and the simulators it has.
#[derive(Clone, Debug)]
pub struct Simulators {
    python: String,
    /// Names and versions.
    pub versions: Vec<(&'static str, String)>,
}

/// What a simulator needs for a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct PeerTime {
    /// Milliseconds of CPU time, integration alone.
    pub ms: f64,
    /// Method and tolerance or step.
    pub setting: String,
}

impl Simulators {
    /// Asks an interpreter what it has.
    ///
    /// # Errors
    /// It does not run, or has none of them.
    pub fn find(python: &str) -> Result<Self, String> {
        let answer = asked(python, &json!({ "problem": null }))?;
        let version = |&name: &&'static str| Some((name, answer[name].as_str()?.to_owned()));
        let versions: Vec<_> = NAMES.iter().filter_map(version).collect();
        if versions.is_empty() {
            return Err(format!("`{python}` has none of {}", NAMES.join(", ")));
        }
        let python = python.to_owned();
        Ok(Self { python, versions })
    }

    /// Those that it does not have.
    pub fn missing(&self) -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().filter(|name| !self.has(name))
    }

    fn has(&self, name: &str) -> bool {
        self.versions.iter().any(|(known, _)| *known == name)
    }

    /// Measures the motion's peer, if it is there: `None` also if no setting of it comes within `target`.
    ///
    /// # Errors
    /// The script fails, or says something else than it should.
    pub fn measure(
        &self,
        motion: &Motion,
        reference: &Reference,
        target: f64,
    ) -> Result<Option<PeerTime>, String> {
        if !self.has(motion.peer) {
            return Ok(None);
        }
        let case = json!({
            "problem": motion.key,
            "times": reference.times,
            "values": reference.values,
            "target": target,
            "seconds": 0.5,
        });
        let answer = asked(&self.python, &case)?;
        if answer["failed"].is_string() {
            return Ok(None);
        }
        let number = |key: &str| answer[key].as_f64();
        match (number("ms"), number("error"), answer["setting"].as_str()) {
            (Some(ms), Some(error), Some(setting)) if error <= target => {
                let setting = setting.to_owned();
                Ok(Some(PeerTime { ms, setting }))
            }
            _ => Err(unexpected(&answer.to_string())),
        }
    }
}

fn asked(python: &str, case: &Value) -> Result<Value, String> {
    let answer = python::answer("the script of peers", python, SCRIPT, &case.to_string())?;
    let document: Result<Value, _> = serde_json::from_str(&answer);
    match document {
        Ok(document) if document.is_object() => Ok(document),
        _ => Err(unexpected(&answer)),
    }
}

fn unexpected(answer: &str) -> String {
    format!("the script of peers says something unexpected: {answer}")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::motions::MOTIONS;
    use crate::python::fake::Fake;

    /// An interpreter that has these, and says something when it is asked to measure.
    fn interpreter(has: &str, says: &str) -> Fake {
        Fake::new(&format!(
            "case \"$(cat)\" in *null*) echo '{has}';; *) {says};; esac"
        ))
    }

    fn measured(says: &str) -> Result<Option<PeerTime>, String> {
        let python = interpreter(r#"{"MuJoCo": "4.0"}"#, says);
        let found = Simulators::find(&python.command).expect("one peer");
        assert_eq!(found.versions, [("MuJoCo", "4.0".to_owned())]);
        assert_eq!(
            found.missing().collect::<Vec<_>>(),
            ["CasADi", "Pinocchio", "SciPy"]
        );
        let reference = MOTIONS[0].reference().expect("a table");
        assert_eq!(found.measure(&MOTIONS[3], &reference, 1e-6), Ok(None));
        found.measure(&MOTIONS[0], &reference, 1e-6)
    }

    #[test]
    fn what_the_script_says_is_checked() {
        let right = measured(r#"echo '{"ms": 2, "error": 1e-7, "setting": "RK4"}'"#);
        let setting = "RK4".to_owned();
        assert_eq!(right, Ok(Some(PeerTime { ms: 2.0, setting })));
        let far = r#"echo '{"failed": "no setting comes nearer than 1e-3"}'"#;
        assert_eq!(measured(far), Ok(None));
        for says in [
            "true",
            "echo hello",
            r#"echo '{"ms": 2, "error": 1e-7}'"#,
            r#"echo '{"ms": 2, "error": 1e-5, "setting": "RK4"}'"#,
        ] {
            let message = measured(says).expect_err("no time");
            assert!(message.contains("unexpected"), "{says}: {message}");
        }
        let message = measured("echo 'no memory' >&2; exit 3").expect_err("no time");
        assert!(message.contains("no memory"), "{message}");
    }

    #[test]
    fn an_interpreter_without_any_is_no_peer() {
        assert!(Simulators::find("no-such-python").is_err());
        let python = interpreter("{}", "true");
        let message = Simulators::find(&python.command).expect_err("none");
        assert!(message.contains("has none of"), "{message}");
    }
}
