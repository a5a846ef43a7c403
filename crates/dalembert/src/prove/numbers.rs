//! Equations at states in numbers: where one differs, it is refuted.

use super::file::Equation;
use super::multipliers::label;
use crate::surface::Surface;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, SymbolKind, Unary, evaluate};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};
use std::collections::BTreeMap;

/// States with short numbers that are tried first, and random ones after them.
const SHORT: usize = 6;
const RANDOM: usize = 10;
/// A difference above this, measured by the terms of the equation, is one.
const DIFFERENT: f64 = 1e-6;
/// A difference below this, measured by the terms as if all accelerations were as large as the largest, is rounding.
const ROUNDING: f64 = 1e-11;
/// A residual of the rows that is rounding.
const HOLDS: f64 = 1e-9;

/// A state where an equation does not hold.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Everything about the motion there.
    pub snapshot: Snapshot,
    /// Value of the left side.
    pub left: f64,
    /// Value of the right side.
    pub right: f64,
}

/// States and the motion at them.
pub(super) struct Samples<'m> {
    mechanism: &'m Mechanism,
    snapshots: Vec<Snapshot>,
}

/// What numbers say.
pub(super) enum Numbers {
    /// It differs.
    Different {
        /// In this component.
        component: usize,
        /// There.
        counterexample: Box<Counterexample>,
    },
    /// It holds at so many states.
    Equal(usize),
}

impl<'m> Samples<'m> {
    /// States around a start; with the surface, some of them in short numbers.
    pub(super) fn new(
        mechanism: &'m Mechanism,
        start: &State,
        surface: Option<(&Surface, &Graph)>,
    ) -> Self {
        let mut states = Vec::new();
        if let Some((surface, graph)) = surface {
            let mut random = Steps(0x2545_f491_4f6c_dd1d);
            let short = |_| short_state(mechanism, start, surface, graph, &mut random);
            states.extend((0..2 * SHORT).filter_map(short).take(SHORT));
        }
        states.extend(mechanism.states_around(start, RANDOM));
        let snapshots = states
            .iter()
            .filter_map(|state| mechanism.motion(state).ok())
            .collect();
        Self {
            mechanism,
            snapshots,
        }
    }

    /// An equation at the states.
    pub(super) fn ask(&self, graph: &Graph, equation: &Equation) -> Numbers {
        let mut met = 0;
        for snapshot in &self.snapshots {
            let values = Values::of(self.mechanism, snapshot);
            let mut holds = true;
            for (component, &(left, right)) in equation.sides.iter().enumerate() {
                let found = sizes(graph, &[left, right], &values);
                let [left, right] = [found[0], found[1]];
                let difference = (left.value - right.value).abs();
                holds &= difference.is_finite();
                let clear = difference > DIFFERENT * (left.size + right.size)
                    && difference > ROUNDING * (left.largest + right.largest);
                if clear && difference.is_finite() {
                    let counterexample = Counterexample {
                        snapshot: snapshot.clone(),
                        left: left.value,
                        right: right.value,
                    };
                    return Numbers::Different {
                        component,
                        counterexample: Box::new(counterexample),
                    };
                }
            }
            met += usize::from(holds);
        }
        Numbers::Equal(met)
    }
}

/// Values of symbols at a state.
struct Values<'s> {
    mechanism: &'s Mechanism,
    snapshot: &'s Snapshot,
    multipliers: BTreeMap<String, f64>,
    /// Largest of the rates, accelerations and multipliers.
    largest: [f64; 3],
}

/// A value, the size of the terms it is a sum of, and that size if everything that was computed were as large as the
/// largest of its kind, which rounding is measured by.
#[derive(Clone, Copy)]
struct Sized {
    value: f64,
    size: f64,
    largest: f64,
}

impl Sized {
    fn plain(value: f64) -> Self {
        let size = value.abs();
        Self {
            value,
            size,
            largest: size,
        }
    }
}

impl<'s> Values<'s> {
    fn of(mechanism: &'s Mechanism, snapshot: &'s Snapshot) -> Self {
        let rows = mechanism.system.rows.iter().enumerate();
        // One that is not unique has no value.
        let value = |row: usize| match snapshot.unique[row] {
            true => snapshot.multipliers[row],
            false => f64::NAN,
        };
        let multipliers = rows.map(|(i, row)| (label(&row.name), value(i))).collect();
        let most = |values: &[f64]| values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let rate = most(&snapshot.state.rates);
        let forces = most(&snapshot.force_given).max(most(&snapshot.force_ideal));
        Self {
            mechanism,
            snapshot,
            multipliers,
            largest: [
                rate,
                most(&snapshot.accelerations).max(rate).max(rate * rate),
                most(&snapshot.multipliers).max(forces),
            ],
        }
    }

    fn sized(&self, graph: &Graph, symbol: SymbolId) -> Sized {
        let data = graph.symbol_data(symbol);
        let mut sized = Sized::plain(self.value(graph, symbol));
        let floor = match (data.kind, data.order) {
            (SymbolKind::Coordinate, 1) => self.largest[0],
            (SymbolKind::Coordinate, 2) => self.largest[1],
            (SymbolKind::Multiplier, _) => self.largest[2],
            _ => 0.0,
        };
        sized.largest = sized.largest.max(floor);
        sized
    }

    fn value(&self, graph: &Graph, symbol: SymbolId) -> f64 {
        let symbols = &self.mechanism.system.symbols;
        let data = graph.symbol_data(symbol);
        let find = |list: &[SymbolId], values: &[f64]| {
            let place = list.iter().position(|&known| known == symbol);
            place.map_or(f64::NAN, |place| values[place])
        };
        let state = &self.snapshot.state;
        match (data.kind, data.order) {
            (SymbolKind::Time, _) => state.t,
            (SymbolKind::Parameter, _) => find(&symbols.parameters, &self.mechanism.parameters),
            (SymbolKind::Coordinate, 0) => find(&symbols.coordinates, &state.coordinates),
            (SymbolKind::Coordinate, 1) => find(&symbols.rates, &state.rates),
            (SymbolKind::Coordinate, 2) => {
                find(&symbols.accelerations, &self.snapshot.accelerations)
            }
            (SymbolKind::Multiplier, _) => {
                let value = self.multipliers.get(&*data.name);
                value.copied().unwrap_or(f64::NAN)
            }
            _ => f64::NAN,
        }
    }
}

/// Values of expressions, each with the size of its terms.
fn sizes(graph: &Graph, outputs: &[ExprId], values: &Values<'_>) -> Vec<Sized> {
    let cone = Cone::new(graph, outputs);
    let mut found: Vec<Sized> = Vec::with_capacity(cone.len());
    let nothing = Sized::plain(f64::NAN);
    for &id in cone.nodes() {
        let at = |id: ExprId| cone.position(id).map_or(nothing, |place| found[place]);
        let result = match graph.node(id) {
            Node::Number(number) => Sized::plain(graph.number_value(number).to_f64()),
            Node::Pi => Sized::plain(std::f64::consts::PI),
            Node::Symbol(symbol) => values.sized(graph, symbol),
            Node::Unary(Unary::Neg, a) => Sized {
                value: -at(a).value,
                ..at(a)
            },
            Node::Unary(op, a) => Sized::plain(op.value(at(a).value)),
            Node::Binary(op, a, b) => {
                let (a, b) = (at(a), at(b));
                let value = op.value(a.value, b.value);
                let combined = |a: f64, b_size: f64| match op {
                    Binary::Add | Binary::Sub => a + b_size,
                    Binary::Mul => a * b_size,
                    Binary::Div => a / b.value.abs(),
                    _ => value.abs(),
                };
                Sized {
                    value,
                    size: combined(a.size, b.size),
                    largest: combined(a.largest, b.largest),
                }
            }
        };
        found.push(result);
    }
    let at = |&id: &ExprId| cone.position(id).map_or(nothing, |place| found[place]);
    outputs.iter().map(at).collect()
}

/// A state near the start in which everything that is free has one decimal, and the surface gives the rest.
fn short_state(
    mechanism: &Mechanism,
    start: &State,
    surface: &Surface,
    graph: &Graph,
    random: &mut Steps,
) -> Option<State> {
    let symbols = &mechanism.system.symbols;
    let is_parameter = |symbol| graph.symbol_data(symbol).kind == SymbolKind::Parameter;
    let given_parameter = surface
        .positions
        .iter()
        .any(|given| is_parameter(given.symbol));
    if given_parameter || !surface.relations.is_empty() {
        return None;
    }
    let mut state = State {
        t: (start.t * 10.0).round() / 10.0,
        ..start.clone()
    };
    for value in state.coordinates.iter_mut().chain(&mut state.rates) {
        *value = random.near(*value);
    }
    let put = |state: &State, expressions: &[ExprId]| {
        let find = |list: &[SymbolId], values: &[f64], symbol| {
            let place = list.iter().position(|&known| known == symbol);
            place.map(|place| values[place])
        };
        evaluate(graph, expressions, |symbol| {
            let found = find(&symbols.coordinates, &state.coordinates, symbol)
                .or_else(|| find(&symbols.rates, &state.rates, symbol))
                .or_else(|| find(&symbols.parameters, &mechanism.parameters, symbol));
            match symbol == symbols.time {
                true => state.t,
                false => found.unwrap_or(f64::NAN),
            }
        })
    };
    for (given, list, of_rates) in [
        (&surface.positions, &symbols.coordinates, false),
        (&surface.rates, &symbols.rates, true),
    ] {
        let expressions: Vec<ExprId> = given.iter().map(|given| given.value).collect();
        let values = put(&state, &expressions);
        for (given, value) in given.iter().zip(values) {
            let place = list.iter().position(|&symbol| symbol == given.symbol)?;
            match of_rates {
                true => state.rates[place] = value,
                false => state.coordinates[place] = value,
            }
        }
    }
    meets_rows(mechanism, &state).then_some(state)
}

fn meets_rows(mechanism: &Mechanism, state: &State) -> bool {
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let met = |values: &[f64]| values.iter().all(|value| value.abs() <= HOLDS);
    met(evaluator.position().values) && met(evaluator.velocity().values)
}

/// Reproducible steps of a tenth.
struct Steps(u64);

impl Steps {
    /// A value with one decimal near another, never zero.
    fn near(&mut self, value: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let tenths = (value * 10.0).round();
        let step = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0][(self.0 >> 33) as usize % 6];
        let near = tenths + step;
        (if near == 0.0 { near + 4.0 } else { near }) / 10.0
    }
}
