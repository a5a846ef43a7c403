//! A model, lowered and compiled: what all questions are put to.

use crate::diagnostic::Diagnostic;
use crate::dimensions::{self, Units};
use crate::equations::{Equations, Evaluator, Stored};
use crate::ids::ConstraintId;
use crate::lower::{Physical, System, lower, lower_by_links, physical};
use crate::mode::reversed_joint;
use crate::model::Model;
use crate::state::State;
use crate::values::{self, parameter_values};
use dalembert_expr::evaluate;
use std::sync::OnceLock;

/// Bodies in a tree below which nobody asks whether their inertia is left in links: a full M of fewer is made and solved sooner, in one program.
const LONG_TREE: usize = 12;

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
    /// What acts on particles and bodies, found when someone asks; see [`physical`](Self::physical).
    pub acting: OnceLock<Physical>,
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
        let model = model.with_turns();
        match model.open.is_empty() {
            true => Self::compiled(model, wanted),
            false => {
                let model = Self::compiled(model, wanted)?.completed()?;
                Self::compiled(model, wanted)
            }
        }
    }

    /// Lowers and compiles a model as it stands: by links if that is wanted, or cheaper, and the links are those of the bodies.
    fn compiled(model: Model, wanted: Option<Stored>) -> Result<Self, Vec<Diagnostic>> {
        let by_links = match wanted {
            Some(wanted) => wanted == Stored::Links,
            None => model.hanging.len() >= LONG_TREE,
        };
        if !by_links {
            return Self::lowered(model, lower, wanted);
        }
        let found = Self::lowered(model, lower_by_links, None)?;
        // Laws and servos solve with M as it is written out.
        let solved = !found.system.has_laws() && found.system.servo.is_empty();
        let pays = wanted.is_some() || found.system.links_pay();
        let right = || (found.equations).links_are_right(&found.system, &found.parameters);
        match solved && pays && right() {
            true => Ok(found),
            false => Self::lowered(found.model, lower, None),
        }
    }

    fn lowered(
        model: Model,
        lower: fn(&Model) -> Result<System, Vec<Diagnostic>>,
        wanted: Option<Stored>,
    ) -> Result<Self, Vec<Diagnostic>> {
        // Neither needs the other: what is wrong with both is told at once.
        let (mut system, units) = match (lower(&model), dimensions::checked(&model)) {
            (Ok(system), Ok(units)) => (system, units),
            (lowered, checked) => {
                let errors = lowered.err().into_iter().chain(checked.err());
                return Err(errors.flatten().collect());
            }
        };
        let parameters = parameter_values(&model, &system)?;
        let equations = Equations::compile_stored(&mut system, wanted);
        let from = system
            .run
            .from
            .map_or(0.0, |from| values::at(&system, &parameters, from));
        Ok(Self {
            model,
            system,
            equations,
            parameters,
            units,
            from,
            acting: OnceLock::new(),
        })
    }

    /// Forces of constraints on particles and bodies, in expressions, once for all runs and questions.
    #[must_use]
    pub fn physical(&self) -> &Physical {
        self.acting.get_or_init(|| physical(&self.model))
    }

    /// An evaluator of the equations.
    #[must_use]
    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.equations, &self.parameters)
    }

    /// An evaluator that is set to a state.
    #[must_use]
    pub fn evaluator_at(&self, state: &State) -> Evaluator<'_> {
        let mut evaluator = self.evaluator();
        evaluator.set_mode(&state.mode);
        evaluator.set_position(state.t, &state.coordinates);
        evaluator.set_rates(&state.rates);
        evaluator
    }

    /// A joint that holds at a state the other way round than it is defined: its rows are met, and its axes point against each other.
    #[must_use]
    pub fn reversed_joint(&self, state: &State) -> Option<ConstraintId> {
        if self.system.senses.is_empty() {
            return None;
        }
        let evaluator = self.evaluator_at(state);
        reversed_joint(&self.system, &state.mode, evaluator.value_of())
    }

    /// The value of a parameter expression of `[run]`, such as the span.
    #[must_use]
    pub fn run_value(&self, expression: dalembert_expr::ExprId) -> f64 {
        values::at(&self.system, &self.parameters, expression)
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
        self.equations.value_of(symbol, state, &self.parameters)
    }
}
