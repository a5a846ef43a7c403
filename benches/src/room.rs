//! The measuring room: the clock, and the peers that are there.

use crate::{BenchError, CasADi, Clock, Simulators};
use dalembert_expr::{Graph, SymbolKind};
use std::io::ErrorKind;
use std::process::Command;

/// What there is to measure with.
pub struct Room {
    /// How long to measure.
    pub clock: Clock,
    /// Version of the system's C compiler, if there is one.
    pub cc: Option<String>,
    /// CasADi, if it is there.
    pub casadi: Option<CasADi>,
    /// Simulators, if any is there.
    pub simulators: Option<Simulators>,
    /// Whether programs become native code here.
    pub native: bool,
    /// What is not there, and hence not measured.
    pub skipped: Vec<String>,
}

impl Room {
    /// Looks around: is there a C compiler, and native code?
    ///
    /// # Errors
    /// There is a compiler, and it does not work.
    pub fn new(clock: Clock) -> Result<Self, BenchError> {
        let mut skipped = Vec::new();
        let cc = c_compiler().map_err(BenchError::Peer)?;
        if cc.is_none() {
            skipped.push("the C compiler: there is no `cc`".to_owned());
        }
        let native = has_native_code();
        if !native {
            skipped
                .push("native code: there is none in this build, or for this machine".to_owned());
        }
        Ok(Self {
            clock,
            cc,
            casadi: None,
            simulators: None,
            native,
            skipped,
        })
    }

    /// Looks for CasADi as well. An interpreter that is named must have it.
    ///
    /// # Errors
    /// The interpreter named does not run, or has no CasADi.
    pub fn with_casadi(mut self, python: Option<&str>) -> Result<Self, BenchError> {
        if self.cc.is_none() {
            // Its C would have to be compiled; that there is no compiler has been said.
            self.skipped.push("CasADi: it needs `cc`".to_owned());
            return Ok(self);
        }
        match (CasADi::find(python.unwrap_or("python3")), python) {
            (Ok(casadi), _) => self.casadi = Some(casadi),
            (Err(reason), None) => {
                let help = "name an interpreter that has it with --python";
                self.skipped.push(format!("CasADi: {reason}; {help}"));
            }
            (Err(reason), Some(_)) => return Err(BenchError::Peer(reason)),
        }
        Ok(self)
    }

    /// Looks for simulators as well. An interpreter that is named must have one at least.
    ///
    /// # Errors
    /// The interpreter named does not run, or has none.
    pub fn with_simulators(mut self, python: Option<&str>) -> Result<Self, BenchError> {
        let command = python.unwrap_or("python3");
        match (Simulators::find(command), python) {
            (Ok(found), _) => {
                let missing = found
                    .missing()
                    .map(|name| format!("{name}: `{command}` has none"));
                self.skipped.extend(missing);
                self.simulators = Some(found);
            }
            (Err(reason), None) => {
                let help = "name an interpreter that has some with --python";
                self.skipped.push(format!("simulators: {reason}; {help}"));
            }
            (Err(reason), Some(_)) => return Err(BenchError::Peer(reason)),
        }
        Ok(self)
    }

    /// The machine's processor, as it calls itself.
    #[must_use]
    pub fn processor() -> String {
        let name = std::fs::read_to_string("/proc/cpuinfo")
            .ok()
            .and_then(|text| {
                let line = text.lines().find(|line| line.starts_with("model name"))?;
                Some(line.split_once(':')?.1.trim().to_owned())
            });
        name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
    }

    /// Number of processors.
    #[must_use]
    pub fn processors() -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// First line of what `cc` says about itself; `None` if there is no such command.
fn c_compiler() -> Result<Option<String>, String> {
    match Command::new("cc").arg("--version").output() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot run cc: {error}")),
        Ok(output) if !output.status.success() => Err("cc --version fails".to_owned()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            Ok(Some(text.lines().next().unwrap_or("cc").to_owned()))
        }
    }
}

fn has_native_code() -> bool {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Coordinate);
    let square = g.powi(x, 2);
    let inputs: Vec<_> = g.as_symbol(x).into_iter().collect();
    dalembert_program::compile(&g, &inputs, &[square]).is_ok_and(|program| program.make_native())
}
