//! What stays constant: momenta along symmetries that the constraints allow, and the energy.
//!
//! ```text
//! ξ = Σ c ∂/∂q + Σ c (qᵢ ∂/∂qⱼ − qⱼ ∂/∂qᵢ)   with constants c:
//! A ξ = 0,  ξ·∂L/∂q + ξ'·∂L/∂q' = 0,  (Q + w)·ξ = 0     ⇒     p·ξ is constant, p = ∂T/∂q'
//! ```
//!
//! That is Noether's theorem with constraints (Bloch, Krishnaprasad, Marsden, Murray 1996, for what is horizontal): the reaction has no part along
//! ξ. All of it is linear in c, and solved for every state at once over the field of the parameters.

use crate::forms::LIMITS;
use crate::integral::split;
use dalembert_expr::calculus::gradient;
use dalembert_expr::normal::{Field, Fraction, Outside};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, simplify};
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::System;

/// Coordinates up to which rotations of pairs are looked at.
const PAIRS: usize = 8;
/// Coordinates up to which more is looked at than what does not occur.
const SUMS: usize = 24;

/// A direction in which nothing changes: its momentum is Σ c p + Σ c (qᵢ pⱼ − qⱼ pᵢ).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// By coordinate; constants.
    pub shifts: Vec<(usize, ExprId)>,
    /// By pair of coordinates; constants.
    pub turns: Vec<((usize, usize), ExprId)>,
}

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
}

/// Looks for what is constant. Models with events or contacts are left out: what is constant changes there.
pub(crate) fn conserved(graph: &mut Graph, system: &System) -> Conserved {
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
    let taken = field.take_all(graph, &slopes);
    let vanishes = |field: &Field, k: usize| {
        taken[k]
            .as_ref()
            .is_ok_and(|it| field.is_zero(it) == Ok(true))
    };
    found.ignorable = (0..n)
        .filter(|&k| absent(k) || vanishes(&field, k))
        .collect();
    if !system.events.is_empty() || !system.unilateral.is_empty() {
        return found;
    }
    let of_time = present.contains(&t) && !vanishes(&field, 2 * n);
    let taken: Result<Vec<Fraction>, Outside> = taken.into_iter().collect();
    if let Ok(taken) = taken {
        field.set_limits(LIMITS);
        found.momenta = momenta(graph, &mut field, system, &taken).unwrap_or_default();
    }
    field.set_limits(LIMITS);
    if let Ok(Some(of_energy)) = energy(graph, &mut field, system, of_time) {
        (found.energy, found.jacobi) = (of_energy, !of_energy);
    }
    found
}

/// Forces that are no gradients counted in the potential, and what is not ideal, by coordinate.
fn others(graph: &mut Graph, system: &System) -> Vec<ExprId> {
    let zero = graph.integer(0);
    let mut sum = vec![zero; system.symbols.coordinates.len()];
    let forces = system.given_forces().filter(|it| !it.conservative);
    let lists = forces.map(|it| &it.force).chain(&system.nonideal);
    for &(k, value) in lists.flatten() {
        sum[k] = graph.add(sum[k], value);
    }
    sum
}

fn momenta(
    graph: &mut Graph,
    field: &mut Field,
    system: &System,
    slopes: &[Fraction],
) -> Result<Vec<Symmetry>, Outside> {
    let coordinates = &system.symbols.coordinates;
    let n = coordinates.len();
    if n > SUMS {
        return Ok(Vec::new());
    }
    let pairs: Vec<(usize, usize)> = match n <= PAIRS {
        true => (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).collect(),
        false => Vec::new(),
    };
    let mut elements = Vec::with_capacity(2 * n);
    for &symbol in coordinates.iter().chain(&system.symbols.rates) {
        let generator = field.symbol(symbol)?;
        elements.push(field.element(generator));
    }
    // a·ξ for each unknown, of a row a.
    let along = |field: &Field, row: &[Fraction]| -> Result<Vec<Fraction>, Outside> {
        let mut entries = row.to_vec();
        for &(i, j) in &pairs {
            let (a, b) = (
                field.mul(&elements[i], &row[j])?,
                field.mul(&elements[j], &row[i])?,
            );
            entries.push(field.sub(&a, &b)?);
        }
        Ok(entries)
    };
    let mut equations = Vec::new();
    let zero = graph.integer(0);
    for (id, _) in Id::enumerate(&system.rows) {
        let mut row = vec![zero; n];
        for &(k, value) in system.direction(id) {
            row[k] = graph.add(row[k], value);
        }
        let row: Result<Vec<Fraction>, Outside> = field.take_all(graph, &row).into_iter().collect();
        equations.push(along(field, &row?)?);
    }
    let given = others(graph, system);
    let given: Result<Vec<Fraction>, Outside> = field.take_all(graph, &given).into_iter().collect();
    equations.push(along(field, &given?)?);
    // ξ·∂L/∂q + ξ'·∂L/∂q'
    let mut change = along(field, &slopes[..n])?;
    for (place, &(i, j)) in pairs.iter().enumerate() {
        let momentum = |k: usize| &slopes[n + k];
        let a = field.mul(&elements[n + i], momentum(j))?;
        let b = field.mul(&elements[n + j], momentum(i))?;
        let entry = field.add(&change[n + place], &field.sub(&a, &b)?)?;
        change[n + place] = entry;
    }
    equations.push(change);
    let mut moving: Vec<SymbolId> = coordinates.clone();
    moving.extend(&system.symbols.rates);
    moving.extend(&system.symbols.multipliers);
    moving.push(system.symbols.time);
    let rows = split(field, &equations, &moving)?;
    let unknowns = n + pairs.len();
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
    system: &System,
    of_time: bool,
) -> Result<Option<bool>, Outside> {
    let holds = system.rows.iter().all(|row| row.powerless || row.identity);
    if !holds || of_time || !system.servo.is_empty() {
        return Ok(None);
    }
    let given = others(graph, system);
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
