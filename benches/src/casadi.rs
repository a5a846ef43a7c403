//! CasADi as a peer: a script of ours, run by a Python that has it.

use crate::PendulumValues;
use crate::c_function::CC;
use crate::python::{self, last_line};
use serde_json::{Value, json};

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
        let output = python::run(python, question, "")?;
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
        let answer = python::answer("CasADi's script", &self.python, SCRIPT, &case.to_string())?;
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
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::python::fake::Fake;

    /// An interpreter that says a version when asked, and does something else with the script.
    struct Interpreter {
        peer: CasADi,
        _python: Fake,
    }

    impl Interpreter {
        fn new(otherwise: &str) -> Self {
            let python = Fake::new(&format!(
                "case \"$2\" in import*) echo 3.9.9;; *) cat > /dev/null; {otherwise};; esac"
            ));
            let peer = CasADi::find(&python.command).expect("CasADi");
            assert_eq!(peer.version, "3.9.9");
            Self {
                peer,
                _python: python,
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
