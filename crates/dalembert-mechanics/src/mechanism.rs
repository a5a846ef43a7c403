//! A model, lowered and compiled: what all questions are put to.

use crate::diagnostic::Diagnostic;
use crate::dimensions::{self, Units};
use crate::equations::{Equations, Evaluator, Stored};
use crate::lower::{System, lower};
use crate::model::Model;
use crate::start::{self, Start, State};
use crate::values::parameter_values;
use dalembert_expr::evaluate;

/// A model with its equations and parameter values.
pub struct Mechanism {
    /// As written.
    pub model: Model,
    /// In expressions.
    pub system: System,
    /// As programs.
    pub equations: Equations,
    /// Values of the parameters.
    pub parameters: Vec<f64>,
    /// Units of what is computed.
    pub units: Units,
    /// Time at the start.
    pub from: f64,
}

impl Mechanism {
    /// Lowers and compiles a model.
    ///
    /// # Errors
    /// Everything that is wrong with its meaning.
    pub fn new(model: Model) -> Result<Self, Vec<Diagnostic>> {
        Self::stored(model, None)
    }

    /// The same with matrices stored as wanted, rather than as is cheaper.
    ///
    /// # Errors
    /// Everything that is wrong with its meaning.
    pub fn stored(model: Model, wanted: Option<Stored>) -> Result<Self, Vec<Diagnostic>> {
        let mut system = lower(&model)?;
        let units = dimensions::checked(&model)?;
        let parameters = parameter_values(&model, &system)?;
        let equations = Equations::compile_stored(&mut system, wanted);
        let from = system
            .run
            .from
            .map_or(0.0, |from| Self::number(&system, &parameters, from));
        Ok(Self {
            model,
            system,
            equations,
            parameters,
            units,
            from,
        })
    }

    /// The value of an expression of parameters.
    fn number(system: &System, parameters: &[f64], expression: dalembert_expr::ExprId) -> f64 {
        crate::values::at(system, parameters, expression)
    }

    /// A consistent start.
    ///
    /// # Errors
    /// What conflicts, and by how much.
    pub fn start(&self) -> Result<Start, Vec<Diagnostic>> {
        self.start_at(self.from)
    }

    /// A consistent state at another time, from the same values.
    ///
    /// # Errors
    /// What conflicts, and by how much.
    pub fn start_at(&self, t: f64) -> Result<Start, Vec<Diagnostic>> {
        let start = start::assemble(
            &self.model,
            &self.system,
            &self.equations,
            &self.parameters,
            t,
        )?;
        self.refuse_near_rows(&start.state)?;
        Ok(start)
    }

    /// The state as given, not assembled.
    ///
    /// # Errors
    /// A value has no meaning.
    pub fn raw_start(&self) -> Result<State, Vec<Diagnostic>> {
        start::as_given(
            &self.model,
            &self.system,
            &self.equations,
            &self.parameters,
            self.from,
        )
    }

    /// Whether the position rows can be met at a time, by coordinates near some or far from them.
    #[must_use]
    pub fn can_be_met(&self, t: f64, near: &[f64]) -> bool {
        let Self {
            model,
            system,
            equations,
            parameters,
            ..
        } = self;
        start::can_be_met(model, system, equations, parameters, (t, near))
    }

    /// An evaluator of the equations.
    #[must_use]
    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.equations, &self.parameters)
    }

    /// The value of a parameter expression of `[run]`, such as the span.
    #[must_use]
    pub fn run_value(&self, expression: dalembert_expr::ExprId) -> f64 {
        Self::number(&self.system, &self.parameters, expression)
    }

    /// Names of the coordinates.
    pub fn coordinate_names(&self) -> impl Iterator<Item = &str> {
        self.model
            .coordinates
            .iter()
            .map(|(name, _)| name.text.as_str())
    }

    /// Names of the speeds: those of the model, or the rates.
    #[must_use]
    pub fn speed_names(&self) -> Vec<String> {
        if self.model.speeds.is_empty() {
            self.coordinate_names()
                .map(|name| format!("{name}'"))
                .collect()
        } else {
            self.model
                .speeds
                .iter()
                .map(|(name, _)| name.text.clone())
                .collect()
        }
    }

    /// Values of expressions at a state.
    #[must_use]
    pub fn values_at(&self, expressions: &[dalembert_expr::ExprId], state: &State) -> Vec<f64> {
        let value = |symbol| self.value_of(symbol, state);
        evaluate(&self.system.graph, expressions, value)
    }

    /// The value of a coordinate, a rate, a parameter or time at a state; no number for other symbols.
    #[must_use]
    pub fn value_of(&self, symbol: dalembert_expr::SymbolId, state: &State) -> f64 {
        let symbols = &self.system.symbols;
        let find = |list: &[dalembert_expr::SymbolId]| list.iter().position(|&s| s == symbol);
        if symbol == symbols.time {
            state.t
        } else if let Some(i) = find(&symbols.coordinates) {
            state.coordinates[i]
        } else if let Some(i) = find(&symbols.rates) {
            state.rates[i]
        } else {
            find(&symbols.parameters).map_or(f64::NAN, |i| self.parameters[i])
        }
    }
}
