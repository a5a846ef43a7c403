//! How to run a model: numbers, the condition that ends the run, and what to record.

use super::{Condition, LoweredGauge, Lowering, Record};
use crate::model::Expression;
use dalembert_expr::ExprId;

/// Names of the integrators; `auto` chooses one.
pub const INTEGRATORS: [&str; 4] = ["auto", "dop853", "dopri5", "radau"];

/// `[run]`, lowered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPlan {
    /// Time at the start.
    pub from: Option<ExprId>,
    /// Duration.
    pub span: Option<ExprId>,
    /// Relative tolerance.
    pub rtol: Option<ExprId>,
    /// Absolute tolerance.
    pub atol: Option<ExprId>,
    /// Number of samples.
    pub samples: Option<ExprId>,
    /// Time between samples.
    pub step: Option<ExprId>,
    /// Longest step of the integrator.
    pub max_step: Option<ExprId>,
    /// Largest number of steps.
    pub max_steps: Option<ExprId>,
    /// The run ends when this becomes true.
    pub until: Option<Condition>,
    /// What to record.
    pub record: Vec<Record>,
    /// What the run is reduced to, each after those that it uses.
    pub gauges: Vec<LoweredGauge>,
    /// Gauges that are parameters of those after them: which, and the place of the parameter.
    pub reduced: Vec<(usize, usize)>,
}

impl Lowering<'_> {
    pub(super) fn run_plan(&mut self) -> RunPlan {
        self.check_integrator();
        let run = &self.model.run;
        let mut number = |expression: &Option<Expression>, what: &str| {
            expression
                .as_ref()
                .and_then(|expression| self.constant(expression, what))
        };
        RunPlan {
            from: number(&run.from, "the start of time"),
            span: number(&run.span, "the span"),
            rtol: number(&run.rtol, "a tolerance"),
            atol: number(&run.atol, "a tolerance"),
            samples: number(&run.samples, "the number of samples"),
            step: number(&run.step, "the time between samples"),
            max_step: number(&run.max_step, "the longest step"),
            max_steps: number(&run.max_steps, "the number of steps"),
            until: run.until.as_ref().and_then(|until| self.condition(until)),
            record: self.records(),
            gauges: self.gauges(),
            reduced: self.reduced(),
        }
    }

    /// Which parameters gauges are.
    fn reduced(&self) -> Vec<(usize, usize)> {
        let place = |name: &String| {
            let mut parameters = self.model.parameters.iter();
            parameters.position(|(known, _)| known.text == *name)
        };
        let reduced = self.model.run.reduced.iter();
        reduced
            .filter_map(|(gauge, name)| Some((*gauge, place(name)?)))
            .collect()
    }

    /// Refuses an integrator that there is not.
    fn check_integrator(&mut self) {
        let Some(name) = &self.model.run.integrator else {
            return;
        };
        if INTEGRATORS.contains(&name.text.as_str()) {
            return;
        }
        let message = format!("there is no integrator `{}`", name.text);
        let help = format!("known here: {}", INTEGRATORS.join(", "));
        let place = name.place.clone();
        self.scope.report("E0436", place, message, help);
    }
}
