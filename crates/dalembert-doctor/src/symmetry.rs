//! What stays constant: momenta along symmetries that the constraints allow, and the energy.
//!
//! ```text
//! ξ = Σ c ∂/∂q + Σ c (qᵢ ∂/∂qⱼ − qⱼ ∂/∂qᵢ)   with constants c:
//! A ξ = 0,  ξ·∂L/∂q + ξ'·∂L/∂q' = 0,  (Q + w)·ξ = 0     ⇒     p·ξ is constant, p = ∂T/∂q'
//! ```
//!
//! That is Noether's theorem with constraints (Bloch, Krishnaprasad, Marsden, Murray 1996, for what is horizontal): the reaction has no part along
//! ξ. All of it is linear in c, and solved for every state at once over the field of the parameters. Where rows of velocities leave directions free,
//! these are tried too (`allowed.rs`).

use crate::acting::Acting;
use crate::allowed::{Symmetry, allowed, leave_nothing};
use crate::directions::values;
use crate::forms::{LIMITS, Point, part_of_limits};
use crate::integral::split;
use crate::rows::{fixed, moving};
use crate::smooth::may_jump;
use dalembert_expr::calculus::gradient;
use dalembert_expr::normal::precise::{Bounded, Number};
use dalembert_expr::normal::{Field, Fraction, Outside};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, simplify};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::is_quadratic_form;
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{ForceId, System};

/// Coordinates up to which rotations of pairs are looked at.
const PAIRS: usize = 8;
/// Coordinates up to which more is looked at than what does not occur.
const SUMS: usize = 24;
/// How far states around one lie from it, beside its own numbers.
const NEAR: f64 = 1.0 / 32.0;

/// What is constant along every motion: proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conserved {
    /// Coordinates that do not occur in the Lagrangian.
    pub ignorable: Vec<usize>,
    /// Independent momenta.
    pub momenta: Vec<Symmetry>,
    /// Whether the energy is.
    pub energy: bool,
    /// Whether Jacobi's integral Σ q' ∂T/∂q' − T + V is, and is not the energy.
    pub jacobi: bool,
    /// The potential of given forces, which is a part of both that the model's V does not have.
    pub potential: Option<ExprId>,
}

/// Looks for what is constant. Models with events or contacts are left out: what is constant changes there. Numbers at a state are the first to
/// be asked: what is clearly not zero there needs no symbols.
pub(crate) fn conserved(
    graph: &mut Graph,
    (mechanism, inputs): (&Mechanism, &[SymbolId]),
    (point, acting): (Option<&Point>, &[Acting]),
) -> Conserved {
    let system = &mechanism.system;
    let mut found = Conserved::default();
    // Equations that are given as they are have no Lagrangian.
    if system.forces.iter().any(|it| it.name == "dynamics") {
        return found;
    }
    let energies = simplify(graph, &[system.kinetic, system.potential]);
    let present = Cone::new(graph, &energies).symbols(graph);
    let coordinates = &system.symbols.coordinates;
    let (n, t) = (coordinates.len(), system.symbols.time);
    let absent = |k: usize| !present.contains(&coordinates[k]);
    found.ignorable = (0..n).filter(|&k| absent(k)).collect();
    if n > SUMS {
        return found;
    }
    let lagrangian = graph.sub(energies[0], energies[1]);
    let mut by = coordinates.clone();
    by.extend(&system.symbols.rates);
    by.push(t);
    let slopes = gradient(graph, lagrangian, &by);
    let mut field = Field::with_limits(LIMITS);
    let around = around(system, point, 2 * n + PAIRS);
    let clear = clear(graph, &slopes, &around);
    let mut vanishes = |graph: &Graph, k: usize| {
        field.set_limits(part_of_limits(5));
        let slope = (!clear[k]).then(|| field.take(graph, slopes[k]));
        slope.is_some_and(|it| it.is_ok_and(|it| field.is_zero(&it) == Ok(true)))
    };
    found.ignorable = (0..n)
        .filter(|&k| absent(k) || vanishes(graph, k))
        .collect();
    if !system.events.is_empty() || !system.unilateral.is_empty() {
        return found;
    }
    // What is set from outside changes energies as time does, and rates where rows depend on it.
    let of_rows: Vec<ExprId> = system.rows.iter().filter_map(|row| row.rate).collect();
    let rows = Cone::new(graph, &of_rows).symbols(graph);
    let is_set = |it: &SymbolId| present.contains(it) || rows.contains(it);
    let of_time = inputs.iter().any(is_set) || (present.contains(&t) && !vanishes(graph, 2 * n));
    field.set_limits(LIMITS);
    let of = (slopes.as_slice(), around.as_slice());
    let pairs = pairs(system);
    let turn = |i: usize, j: usize| n <= PAIRS || pairs.contains(&(i, j));
    let all = momenta(graph, &mut field, (system, inputs), of, &turn);
    found.momenta = all.unwrap_or_else(|_| {
        // There may be room for sums alone.
        field.set_limits(LIMITS);
        let none = |_, _| false;
        momenta(graph, &mut field, (system, inputs), of, &none).unwrap_or_default()
    });
    let given = others(graph, system, &[]);
    let of = (slopes.as_slice(), given.as_slice());
    let more = allowed(graph, (system, inputs), of, &around, &found.momenta);
    found.momenta.extend(more);
    field.set_limits(LIMITS);
    // A potential that jumps gives what no force takes.
    if may_jump(graph, lagrangian, &fixed(mechanism)).is_some() {
        return found;
    }
    if let Ok(Some(of_energy)) = energy(graph, &mut field, (system, acting), of_time) {
        (found.energy, found.jacobi) = (of_energy, !of_energy);
        let potentials = acting.iter().filter_map(Acting::of_coordinates);
        let potentials: Vec<ExprId> = potentials.collect();
        found.potential = (!potentials.is_empty()).then(|| graph.sum(potentials));
    }
    found
}

/// States near a point, off the constraints too: what is asked here holds for all of them or does not. Laws may have no value far away.
fn around(system: &System, point: Option<&Point>, count: usize) -> Vec<Point> {
    let Some(point) = point else {
        return Vec::new();
    };
    let symbols = &system.symbols;
    let moving = symbols.coordinates.iter().chain(&symbols.rates);
    let moving: Vec<SymbolId> = moving.chain(&symbols.multipliers).copied().collect();
    let mut random = fastrand::Rng::with_seed(14);
    let state = |_| {
        let mut state = point.clone();
        for &symbol in &moving {
            let before = state.get(&symbol).map_or(0.0, |it| it.value.to_f64());
            let size = if before == 0.0 { 1.0 } else { before.abs() };
            let value = before + NEAR * size * (random.f64() - 0.5);
            state.insert(symbol, Bounded::exact(Number::from(value)));
        }
        state
    };
    (0..count).map(state).collect()
}

/// Which expressions are not zero at one of the states, whatever rounding did.
fn clear(graph: &Graph, expressions: &[ExprId], states: &[Point]) -> Vec<bool> {
    let mut clear = vec![false; expressions.len()];
    for state in states.iter().take(2) {
        for (clear, value) in clear.iter_mut().zip(values(graph, expressions, state)) {
            *clear |= value.is_clear();
        }
    }
    clear
}

/// Forces that are no gradients counted in the potential, and what is not ideal, by coordinate; without those whose potential was found, where what was
/// is given.
fn others(graph: &mut Graph, system: &System, acting: &[Acting]) -> Vec<ExprId> {
    let zero = graph.integer(0);
    let mut sum = vec![zero; system.symbols.coordinates.len()];
    let has_potential = |id: ForceId| {
        let found = acting.get(id.index());
        found.is_some_and(|it| it.of_coordinates().is_some())
    };
    let forces = Id::enumerate(&system.forces);
    let forces =
        forces.filter(|&(id, it)| system.is_given(id) && !it.conservative && !has_potential(id));
    let lists = forces.map(|(_, it)| &it.force).chain(&system.nonideal);
    for &(k, value) in lists.flatten() {
        sum[k] = graph.add(sum[k], value);
    }
    sum
}

/// Pairs of coordinates of one body or particle that may turn together: places of the same inertia beside each other, and components of a quaternion.
fn pairs(system: &System) -> Vec<(usize, usize)> {
    let mut inertia = vec![Vec::new(); system.symbols.coordinates.len()];
    for &(i, j, value) in system.inertia.iter().flat_map(|part| &part.mass) {
        if i == j {
            inertia[i].push(value);
        }
    }
    let mut found = Vec::new();
    for j in 0..inertia.len() {
        let beside = j.saturating_sub(2)..j;
        let alike = beside.filter(|&i| !inertia[i].is_empty() && inertia[i] == inertia[j]);
        found.extend(alike.map(|i| (i, j)));
    }
    for row in system.rows.iter().filter(|row| row.identity) {
        let columns: Vec<usize> = row.jacobian.iter().map(|&(k, _)| k).collect();
        if columns.len() == 4 {
            let each = columns
                .iter()
                .flat_map(|&j| columns.iter().map(move |&i| (i, j)));
            found.extend(each.filter(|(i, j)| i < j));
        }
    }
    found
}

/// Constants for which the equations hold at all states.
fn momenta(
    graph: &mut Graph,
    field: &mut Field,
    (system, inputs): (&System, &[SymbolId]),
    (slopes, around): (&[ExprId], &[Point]),
    turn: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<Symmetry>, Outside> {
    let coordinates = &system.symbols.coordinates;
    let n = coordinates.len();
    let all = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
    let pairs: Vec<(usize, usize)> = all.filter(|&(i, j)| turn(i, j)).collect();
    let unknowns = n + pairs.len();
    let places = coordinates.iter().map(|&it| graph.symbol_node(it));
    let places: Vec<ExprId> = places.collect();
    let rates = system.symbols.rates.iter();
    let rates: Vec<ExprId> = rates.map(|&it| graph.symbol_node(it)).collect();
    // x_i a_j − x_j a_i for each pair
    let turned = |graph: &mut Graph, x: &[ExprId], row: &[ExprId]| -> Vec<ExprId> {
        let turn = |&(i, j): &(usize, usize)| {
            let (a, b) = (graph.mul(x[i], row[j]), graph.mul(x[j], row[i]));
            graph.sub(a, b)
        };
        pairs.iter().map(turn).collect()
    };
    // a·ξ for each unknown, of a row a.
    let along = |graph: &mut Graph, row: &[ExprId]| -> Vec<ExprId> {
        let turns = turned(graph, &places, row);
        row.iter().copied().chain(turns).collect()
    };
    let mut equations = Vec::new();
    let zero = graph.integer(0);
    for (id, _) in Id::enumerate(&system.rows) {
        let mut row = vec![zero; n];
        for &(k, value) in system.direction(id) {
            row[k] = graph.add(row[k], value);
        }
        equations.push(along(graph, &row));
    }
    let given = others(graph, system, &[]);
    equations.push(along(graph, &given));
    // ξ·∂L/∂q + ξ'·∂L/∂q'
    let mut change = along(graph, &slopes[..n]);
    let turns = turned(graph, &rates, &slopes[n..2 * n]);
    for (entry, turn) in change[n..].iter_mut().zip(turns) {
        *entry = graph.add(*entry, turn);
    }
    equations.push(change);
    if leave_nothing(graph, &equations, around) {
        return Ok(Vec::new());
    }
    let mut taken = Vec::with_capacity(equations.len());
    for equation in &equations {
        let entries: Result<Vec<Fraction>, Outside> =
            field.take_all(graph, equation).into_iter().collect();
        taken.push(entries?);
    }
    let all: Vec<ExprId> = equations.iter().flatten().copied().collect();
    let rows = split(field, &taken, &moving(graph, system, inputs, &all))?;
    let rows = match rows.is_empty() {
        true => vec![vec![Fraction::zero(); unknowns]],
        false => rows,
    };
    // Turns are solved for first, so that what is left free are shifts: simple momenta before others.
    let turns: Vec<usize> = (n..unknowns).collect();
    let mut found = Vec::new();
    for mut constants in field.nullspace(&rows, &turns)? {
        // Without quotients: a parameter below the bar may be zero.
        for k in 0..unknowns {
            let below = Fraction::from(constants[k].denominator().clone());
            if below != Fraction::one() {
                for constant in &mut constants {
                    *constant = field.mul(constant, &below)?;
                }
            }
        }
        let mut symmetry = Symmetry::default();
        for (k, constant) in constants.iter().enumerate().filter(|(_, it)| !it.is_zero()) {
            let shown = field.to_graph(graph, constant);
            match k.checked_sub(n) {
                None => symmetry.shifts.push((k, shown)),
                Some(pair) => symmetry.turns.push((pairs[pair], shown)),
            }
        }
        found.push(symmetry);
    }
    Ok(found)
}

/// Whether the energy (true) or Jacobi's integral (false) is constant.
fn energy(
    graph: &mut Graph,
    field: &mut Field,
    (system, acting): (&System, &[Acting]),
    of_time: bool,
) -> Result<Option<bool>, Outside> {
    let holds = system.rows.iter().all(|row| row.powerless || row.identity);
    if !holds || of_time || !system.servo.is_empty() {
        return Ok(None);
    }
    let given = others(graph, system, acting);
    let mut power = graph.integer(0);
    for (&force, &rate) in given.iter().zip(&system.symbols.rates) {
        let rate = graph.symbol_node(rate);
        let part = graph.mul(force, rate);
        power = graph.add(power, part);
    }
    let power = field.take(graph, power)?;
    if !field.is_zero(&power)? {
        return Ok(None);
    }
    if is_quadratic_form(graph, system) {
        return Ok(Some(true));
    }
    // Σ q' ∂T/∂q' = 2 T: T has no terms of another degree in the rates.
    let slopes = gradient(graph, system.kinetic, &system.symbols.rates);
    let mut twice = graph.integer(0);
    for (slope, &rate) in slopes.into_iter().zip(&system.symbols.rates) {
        let rate = graph.symbol_node(rate);
        let part = graph.mul(slope, rate);
        twice = graph.add(twice, part);
    }
    let two = graph.integer(2);
    let kinetic = graph.mul(two, system.kinetic);
    let difference = graph.sub(twice, kinetic);
    let difference = field.take(graph, difference)?;
    Ok(Some(field.is_zero(&difference)?))
}
