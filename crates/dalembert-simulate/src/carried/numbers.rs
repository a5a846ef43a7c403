//! The numbers of `[run]` of a run that is made elsewhere: those that the model writes follow its parameters.

use dalembert_expr::{Cone, ExprId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::values::run_needs;
use dalembert_program::{Program, compile};

/// Numbers of `[run]` that the model writes, of the parameters.
#[derive(Clone, Debug)]
pub struct CarriedNumbers {
    /// Their values.
    pub program: Program,
    /// Their names, and what each must be, in words.
    pub names: Vec<(&'static str, &'static str)>,
    /// Whether the run begins and ends when parameters say.
    pub is_timed: bool,
}

impl CarriedNumbers {
    /// Of a mechanism; `None` if they ask for more than parameters.
    pub(super) fn new(mechanism: &Mechanism) -> Option<Self> {
        let system = &mechanism.system;
        let run = &system.run;
        let all = [
            ("from", run.from),
            ("span", run.span),
            ("rtol", run.rtol),
            ("atol", run.atol),
            ("samples", run.samples),
            ("step", run.step),
            ("max_step", run.max_step),
            ("max_steps", run.max_steps),
        ];
        let written = all.into_iter().filter_map(|(name, it)| Some((name, it?)));
        let (names, values): (Vec<&'static str>, Vec<ExprId>) = written.unzip();
        let times: Vec<ExprId> = run.from.into_iter().chain(run.span).collect();
        let is_timed = !Cone::new(&system.graph, &times)
            .symbols(&system.graph)
            .is_empty();
        // No number is fine that is none.
        let wanted = |name| (name, run_needs(name, f64::NAN).unwrap_or_default());
        Some(Self {
            program: compile(&system.graph, &system.symbols.parameters, &values).ok()?,
            names: names.into_iter().map(wanted).collect(),
            is_timed,
        })
    }
}
