//! States at which equations are tried: some in short numbers, some far from the start and of both signs, and random ones
//! around the start. All of them meet the rows, and lie on the piece of the surface that holds the start.

use super::precise::Precise;
use crate::surface::{Surface, value_at};
use dalembert_expr::{ExprId, Graph, SymbolKind, evaluate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;

/// States with short numbers that are tried first, those far from the start, and random ones near it.
const SHORT: usize = 6;
const FAR: usize = 6;
const NEAR: usize = 6;
/// How many times larger than at the start values are in half of those.
const WIDE: f64 = 6.0;
/// Steps in which the surface is followed to a state far away.
const STEPS: usize = 16;
/// Part of a step along the surface by which it may have to be corrected.
const CORRECTED: f64 = 0.5;
/// A residual of the rows that is rounding.
const HOLDS: f64 = 1e-9;

/// States around a start; with the surface, some of them in short numbers.
pub(super) fn states(
    precise: &Precise<'_>,
    mechanism: &Mechanism,
    start: &State,
    surface: Option<(&Surface, &Graph)>,
) -> Vec<State> {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut states = Vec::new();
    if let Some((surface, graph)) = surface {
        let short = |_| short_state(mechanism, start, surface, graph, &mut random);
        states.extend((0..2 * SHORT).filter_map(short).take(SHORT));
    }
    for size in [1.0, WIDE] {
        let far = |_| far_state(precise, start, size, &mut random);
        states.extend((0..FAR).filter_map(far));
    }
    states.extend(mechanism.states_around(start, NEAR));
    states
}

/// A state in which everything that is free has one decimal and any sign, and the surface gives the rest.
fn short_state(
    mechanism: &Mechanism,
    start: &State,
    surface: &Surface,
    graph: &Graph,
    random: &mut Random,
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
        *value = random.short(*value);
    }
    for (given, list, of_rates) in [
        (&surface.positions, &symbols.coordinates, false),
        (&surface.rates, &symbols.rates, true),
    ] {
        let expressions: Vec<ExprId> = given.iter().map(|given| given.value).collect();
        let values = evaluate(graph, &expressions, value_at(mechanism, &state));
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

/// A state with coordinates and rates of any sign, as far as the surface can be followed to it.
fn far_state(
    precise: &Precise<'_>,
    start: &State,
    size: f64,
    random: &mut Random,
) -> Option<State> {
    let mut target = start.clone();
    for value in target.coordinates.iter_mut().chain(&mut target.rates) {
        *value = size * random.far(*value);
    }
    let mut reached = None;
    let mut state = start.clone();
    for step in 1..=STEPS {
        let part = 1.0 / (STEPS - step + 1) as f64;
        let ahead = target.coordinates.iter().zip(&state.coordinates);
        let ahead: Vec<f64> = ahead.map(|(to, from)| (to - from) * part).collect();
        let Some(along) = precise.along(&state, &ahead) else {
            break;
        };
        let mut predicted = state.clone();
        for (value, step) in predicted.coordinates.iter_mut().zip(&along) {
            *value += step;
        }
        predicted.rates.clone_from(&target.rates);
        let mut next = predicted.clone();
        // What is corrected by more than a part of the step may have landed on another piece of the surface.
        let largest = along.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let apart = |a: &State, b: &State| {
            let pairs = a.coordinates.iter().zip(&b.coordinates);
            pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
        };
        if !precise.correct(&mut next) || apart(&predicted, &next) > CORRECTED * largest {
            break;
        }
        state = next;
        reached = Some(state.clone());
    }
    reached
}

/// Reproducible numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// A number from 0 to 1.
    fn part(&mut self) -> f64 {
        self.next() as f64 / (1_u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.next().is_multiple_of(2) {
            1.0
        } else {
            -1.0
        }
    }

    /// A value with one decimal of about the size of another, never zero.
    fn short(&mut self, value: f64) -> f64 {
        let tenths = (value.abs() * 10.0).round();
        let step = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0][(self.next() % 6) as usize];
        let near = (tenths + step).abs();
        self.sign() * (if near == 0.0 { 4.0 } else { near }) / 10.0
    }

    /// A value of about the size of another.
    fn far(&mut self, value: f64) -> f64 {
        let size = if value == 0.0 { 0.5 } else { value.abs() };
        self.sign() * size * (0.3 + self.part())
    }
}
