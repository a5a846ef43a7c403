//! Functions of the motion that a run watches, compiled.

use super::motion::MotionSystem;
use super::record::Recorded;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;

/// Functions of coordinates, rates, time and multipliers.
pub(super) struct Observed<'m> {
    mechanism: &'m Mechanism,
    functions: Recorded,
    arguments: Vec<SymbolId>,
    inputs: Vec<f64>,
    values: Vec<f64>,
    /// Whether they speak of rates, and of multipliers.
    is_moving: bool,
    is_reactive: bool,
}

impl<'m> Observed<'m> {
    /// Expressions of a mechanism, in its graph or one that has grown from it.
    pub(super) fn new(
        mechanism: &'m Mechanism,
        graph: &Graph,
        expressions: &[ExprId],
    ) -> Option<Self> {
        let symbols = &mechanism.system.symbols;
        let arguments = [known(mechanism), symbols.multipliers.clone()].concat();
        let functions = Recorded::new(graph, &arguments, expressions)?;
        let used = Cone::new(graph, expressions).symbols(graph);
        let mut inputs = vec![0.0; 2 * symbols.coordinates.len() + 1];
        inputs.extend(&mechanism.parameters);
        inputs.resize(inputs.len() + symbols.multipliers.len(), f64::NAN);
        Some(Self {
            mechanism,
            functions,
            arguments,
            inputs,
            values: vec![0.0; expressions.len()],
            is_moving: symbols.rates.iter().any(|it| used.contains(it)),
            is_reactive: symbols.multipliers.iter().any(|it| used.contains(it)),
        })
    }

    /// Takes another value for a parameter, by its place.
    pub(super) fn set_parameter(&mut self, place: usize, value: f64) {
        let first = 2 * self.mechanism.equations.coordinates() + 1;
        self.inputs[first + place] = value;
    }

    /// The value of a symbol at the state last looked at.
    pub(super) fn value_of(&self, symbol: SymbolId) -> f64 {
        let place = self.arguments.iter().position(|&it| it == symbol);
        place.map_or(f64::NAN, |place| self.inputs[place])
    }

    /// The values at a state; no numbers where there are none, or where a multiplier that they speak of is not determined.
    pub(super) fn at(
        &mut self,
        system: &mut MotionSystem<'_>,
        (t, y): (f64, &[[f64; 1]]),
    ) -> &[f64] {
        let n = self.mechanism.equations.coordinates();
        if self.is_moving {
            let Some(rates) = system.rates_at(t, y) else {
                self.values.fill(f64::NAN);
                return &self.values;
            };
            self.inputs[n..2 * n].copy_from_slice(rates);
        }
        self.inputs[..n].copy_from_slice(y[..n].as_flattened());
        self.inputs[2 * n] = t;
        if self.is_reactive {
            system.set(t, y);
            let state = State {
                t,
                coordinates: y[..n].as_flattened().to_vec(),
                rates: system.rates().to_vec(),
                mode: system.mode().clone(),
            };
            let found = system.snapshot(self.mechanism, &state);
            let start = 2 * n + 1 + self.mechanism.parameters.len();
            for (row, input) in self.inputs[start..].iter_mut().enumerate() {
                *input = match &found {
                    Ok(snapshot) if snapshot.unique[row] => snapshot.multipliers[row],
                    _ => f64::NAN,
                };
            }
        }
        self.functions.write(&self.inputs, &mut self.values);
        &self.values
    }
}

/// Coordinates, rates, time and parameters.
fn known(mechanism: &Mechanism) -> Vec<SymbolId> {
    let symbols = &mechanism.system.symbols;
    let all = [
        symbols.coordinates.as_slice(),
        &symbols.rates,
        &[symbols.time],
        &symbols.parameters,
    ];
    all.concat()
}

/// Whether an expression is a function of coordinates, rates, time and parameters, not of reactions or accelerations, that changes with
/// the motion.
pub(super) fn follows_motion(mechanism: &Mechanism, expression: ExprId) -> bool {
    let system = &mechanism.system;
    let used = Cone::new(&system.graph, &[expression]).symbols(&system.graph);
    let known = known(mechanism);
    let moves = |symbol: &SymbolId| {
        system.symbols.coordinates.contains(symbol) || system.symbols.rates.contains(symbol)
    };
    used.iter().all(|symbol| known.contains(symbol)) && used.iter().any(moves)
}
