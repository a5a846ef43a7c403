//! States at which equations are tried: some in short numbers, some far from the start and of both signs, and random ones
//! around the start. All of them meet the rows, and lie on the piece of the surface that holds the start.

use super::motion::Precise;
use crate::surface::Surface;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolKind, Unary, evaluate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{CANCELLED, KNOWN};
use dalembert_mechanics::lower::{Level, Row};
use dalembert_mechanics::start::State;

/// States with short numbers that are tried first, those far from the start, and random ones near it.
const SHORT: usize = 6;
const FAR: usize = 6;
const NEAR: usize = 6;
/// How many times larger than at the start values are in half of those.
const WIDE: f64 = 6.0;
/// Steps in which the surface is followed to a state far away.
const STEPS: usize = 16;
/// By how much later each is looked at.
const LATER: f64 = 0.5;
/// The same where equations jump.
const BEYOND: [f64; 4] = [0.03, 40.0, 1e3, 3e4];
/// Part of a step along the surface by which it may have to be corrected, and by which the surface may turn on it.
const CORRECTED: f64 = 0.1;
const TURNED: f64 = 0.4;
/// Steps that are tried at most.
const TRIES: usize = 64;

/// States around a start; with the surface, some of them in short numbers.
pub fn states(
    precise: &Precise<'_>,
    mechanism: &Mechanism,
    start: &State,
    surface: Option<(&Surface, &Graph)>,
) -> Vec<State> {
    let mut random = Random::new(1);
    let mut states = Vec::new();
    if let Some((surface, graph)) = surface {
        let short = |k| {
            let at = later(mechanism, start, k);
            short_state(mechanism, (start, &at), surface, graph, &mut random)
        };
        states.extend((0..2 * SHORT).filter_map(short).take(SHORT));
    }
    states.extend(far_states(precise, start, &[1.0, WIDE], &mut random));
    states.extend(mechanism.states_around(start, NEAR));
    states
}

/// States much nearer to zero and much farther from it, on the other side of what may jump.
pub fn far_away(precise: &Precise<'_>, start: &State) -> Vec<State> {
    far_states(precise, start, &BEYOND, &mut Random::new(2))
}

fn far_states(
    precise: &Precise<'_>,
    start: &State,
    sizes: &[f64],
    random: &mut Random,
) -> Vec<State> {
    let mut states = Vec::new();
    for &size in sizes {
        let far = |k| {
            let at = later(precise.mechanism(), start, k);
            far_state(precise, &at, size, random)
        };
        states.extend((0..FAR).filter_map(far));
    }
    states
}

/// The start, and every second time the same later: at one time alone t may be any number. Where rows of positions move with time it is left, for
/// they are met then.
fn later(mechanism: &Mechanism, start: &State, count: usize) -> State {
    let mut state = start.clone();
    let moves = |row: &Row| row.level == Level::Position && row.rheonomic;
    if count % 2 == 1 && !mechanism.system.rows.iter().any(moves) {
        state.t += LATER * count as f64;
    }
    state
}

/// A state in which everything that is free has one decimal and any sign, and the surface gives the rest.
fn short_state(
    mechanism: &Mechanism,
    (start, at): (&State, &State),
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
    let mut state = at.clone();
    let sizes = mechanism.sizes(start);
    let sizes = sizes.coordinates.iter().chain(&sizes.rates);
    let values = state.coordinates.iter_mut().chain(&mut state.rates);
    for (value, &size) in values.zip(sizes) {
        *value = random.short(*value, size);
    }
    for (given, list, of_rates) in [
        (&surface.positions, &symbols.coordinates, false),
        (&surface.rates, &symbols.rates, true),
    ] {
        let expressions: Vec<ExprId> = given.iter().map(|given| given.value).collect();
        let values = evaluate(graph, &expressions, |it| mechanism.value_of(it, &state));
        for (given, value) in given.iter().zip(values) {
            let place = list.iter().position(|&symbol| symbol == given.symbol)?;
            match of_rates {
                true => state.rates[place] = value,
                false => state.coordinates[place] = value,
            }
        }
    }
    (meets_rows(mechanism, &state) && same_sides(mechanism, start, &state)).then_some(state)
}

/// Whether what jumps or has corners in rows is on the same side at both states: a row may go on elsewhere behind a corner.
fn same_sides(mechanism: &Mechanism, start: &State, state: &State) -> bool {
    let graph = &mechanism.system.graph;
    let rows: Vec<ExprId> = mechanism
        .system
        .rows
        .iter()
        .map(|row| row.residual)
        .collect();
    let mut sides = Vec::new();
    for &id in Cone::new(graph, &rows).nodes() {
        match graph.node(id) {
            Node::Unary(Unary::Abs | Unary::Sign, inside) => sides.push((inside, None)),
            Node::Binary(Binary::Min | Binary::Max, a, b) => sides.push((a, Some(b))),
            Node::Binary(op, argument, _) if op.is_condition() => sides.push((argument, None)),
            _ => {}
        }
    }
    let at = |state: &State| -> Vec<bool> {
        let value = |id| evaluate(graph, &[id], |it| mechanism.value_of(it, state))[0];
        let side = |&(a, b): &(ExprId, Option<ExprId>)| value(a) > b.map_or(0.0, value);
        sides.iter().map(side).collect()
    };
    at(start) == at(state)
}

fn meets_rows(mechanism: &Mechanism, state: &State) -> bool {
    let system = &mechanism.system;
    let at_position = system
        .rows
        .iter()
        .filter(|row| row.level == Level::Position);
    let mut residuals: Vec<ExprId> = at_position.map(|row| row.residual).collect();
    residuals.extend(system.rows.iter().filter_map(|row| row.rate));
    let at = |it| mechanism.value_of(it, state);
    let exact = |symbol| Bounded::exact(Number::from(at(symbol)));
    let found = evaluate_bounded(&system.graph, &residuals, exact);
    found
        .iter()
        .all(|it| it.value.size() <= CANCELLED * it.size)
}

/// A state with coordinates and rates of any sign, as far as the surface can be followed to it.
pub fn far_state(
    precise: &Precise<'_>,
    start: &State,
    size: f64,
    random: &mut Random,
) -> Option<State> {
    let mut target = start.clone();
    let sizes = precise.mechanism().sizes(start);
    let sizes = sizes.coordinates.iter().chain(&sizes.rates);
    let values = target.coordinates.iter_mut().chain(&mut target.rates);
    for (value, &usual) in values.zip(sizes) {
        *value = size * random.far(*value, usual);
    }
    let apart = |a: &[f64], b: &[f64]| -> Vec<f64> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| a - b).collect()
    };
    // Each coordinate by its own way, so that units do not matter.
    let ways = apart(&target.coordinates, &start.coordinates);
    let length = |step: &[f64]| {
        let parts = step.iter().zip(&ways);
        let parts = parts.filter(|(_, way)| **way != 0.0);
        parts.fold(0.0, |most: f64, (x, way)| most.max((x / way).abs()))
    };
    // A step along the surface to a part of what is left of the way, and how far it had to be corrected.
    let step = |from: &State, part: f64| {
        let ahead = apart(&target.coordinates, &from.coordinates);
        let ahead: Vec<f64> = ahead.iter().map(|way| way * part).collect();
        let along = precise.along(from, &ahead)?;
        let mut next = from.clone();
        for (value, step) in next.coordinates.iter_mut().zip(&along) {
            *value += step;
        }
        next.rates.clone_from(&target.rates);
        let predicted = next.coordinates.clone();
        if !precise.correct(&mut next) {
            return None;
        }
        let corrected = length(&apart(&predicted, &next.coordinates));
        let onward = precise.along(&next, &along)?;
        let turned = length(&apart(&along, &onward));
        let size = length(&along);
        (corrected <= CORRECTED * size && turned <= TURNED * size).then_some((next, corrected))
    };
    let mut reached = None;
    let mut state = start.clone();
    let (mut done, mut share) = (0.0, 1.0 / STEPS as f64);
    for _ in 0..TRIES {
        if done >= 1.0 {
            break;
        }
        let part = (share / (1.0 - done)).min(1.0);
        // Two halves of a step lead where it leads, unless it led to another branch.
        let next = step(&state, part).filter(|(whole, corrected)| {
            let halves = step(&state, part / 2.0);
            let halves = halves.and_then(|(half, _)| step(&half, part / (2.0 - part)));
            halves.is_some_and(|(next, _)| {
                let rounding = KNOWN * length(&apart(&whole.coordinates, &start.coordinates));
                length(&apart(&whole.coordinates, &next.coordinates)) <= corrected / 2.0 + rounding
            })
        });
        match next {
            Some((next, _)) => {
                done += share;
                state = next;
                reached = Some(state.clone());
            }
            None => share /= 2.0,
        }
    }
    reached
}

/// Numbers for states, the same whenever they are asked for.
pub struct Random(fastrand::Rng);

impl Random {
    /// One sequence for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    fn sign(&mut self) -> f64 {
        if self.0.bool() { 1.0 } else { -1.0 }
    }

    /// A value with two digits of about the size of another, never zero; of its usual size where that is zero.
    fn short(&mut self, value: f64, usual: f64) -> f64 {
        let size = if value == 0.0 { usual } else { value.abs() };
        let power = size.log10().floor() as i32 - 1;
        let step = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0][self.0.usize(..6)];
        let digits = (size * 10_f64.powi(-power)).round() + step;
        // As a decimal is read: 13/10, not 13 times 0.1.
        let scale = 10_f64.powi(power.abs());
        self.sign()
            * (if power < 0 {
                digits / scale
            } else {
                digits * scale
            })
    }

    /// A value of about the size of another, or of its usual size where that is zero.
    fn far(&mut self, value: f64, usual: f64) -> f64 {
        let size = if value == 0.0 { usual } else { value.abs() };
        self.sign() * size * (0.3 + self.0.f64())
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn short_numbers_have_two_digits() {
        let mut random = Random::new(1);
        for value in [0.0, 3.2e-7, 0.12, 1.0, 45.0, 6.7e9] {
            for _ in 0..50 {
                let found = random.short(value, 1e-3);
                let size = if value == 0.0 { 1e-3 } else { value };
                assert!(found != 0.0 && found.abs() < 1.5 * size && found.abs() > 0.5 * size);
                assert!(format!("{found:e}").trim_start_matches('-').find('e') <= Some(4));
            }
        }
    }
}
