//! How particles and bodies move: velocities, and partial velocities by the speeds of the equations.
//!
//! ```text
//! v = Σ ∂v/∂u_k u_k + …        ω = Σ ∂ω/∂u_k u_k + …        [A83 1.5], Kane
//! ```
//!
//! v is the velocity of a particle or of a body's centre in fixed axes, ω a body's angular velocity in its own axes. Where
//! the constraints were solved, both are in independent speeds, and the partial velocities are those of the free motions.
//!
//! [A83]: Angeles, "Lagrangian dynamics" (1983).

use super::algebra::Vector;
use super::canonical::{Canonical, Replacement};
use super::reduction::Reduction;
use super::result::{Energies, Partial, Velocities};
use super::work::Work;
use dalembert_expr::calculus::gradient;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::{ExprId, Graph, SymbolId, simplify};
use dalembert_mechanics::lower::{Moving, System};

/// A vector for each thing that moves, then its angular velocity if it has one.
fn vectors(moving: &Moving) -> impl Iterator<Item = [ExprId; 3]> {
    [Some(moving.velocity), moving.omega].into_iter().flatten()
}

/// The motion of all particles and bodies in the speeds of a formulation.
pub(super) fn motions(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
) -> Vec<Velocities> {
    let found = in_speeds(work, canonical, reduction);
    found.unwrap_or_else(|_| as_lowered(&mut work.algebra.graph, work.system))
}

fn in_speeds(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
) -> Result<Vec<Velocities>, Outside> {
    let system = work.system;
    let all = system.moving.iter().flat_map(vectors).flatten();
    let all: Vec<ExprId> = all.collect();
    let taken = work.algebra.take(&all)?;
    let taken = put_in(work, canonical, reduction, &taken)?;
    let speeds: Vec<SymbolId> = match reduction {
        Some(it) => it
            .independent
            .iter()
            .map(|&k| canonical.speeds[k])
            .collect(),
        None => canonical.speeds.clone(),
    };
    let algebra = &mut work.algebra;
    let mut slopes: Vec<Vector> = Vec::new();
    for &speed in &speeds {
        let by_speed = taken.iter();
        let by_speed = by_speed.map(|entry| algebra.field.derivative(entry, speed));
        slopes.push(by_speed.collect::<Result<_, _>>()?);
    }
    let values = algebra.readable(&taken, &[]);
    let slopes: Vec<Vec<ExprId>> = slopes
        .iter()
        .map(|slopes| algebra.readable(slopes, &[]))
        .collect();
    let speeds: Vec<ExprId> = speeds
        .iter()
        .map(|&speed| algebra.graph.symbol_node(speed))
        .collect();
    let zero = algebra.graph.integer(0);
    Ok(assembled(system, &values, &speeds, &slopes, zero))
}

/// As they were lowered, in rates: for what is too large for the normal form.
pub(super) fn as_lowered(graph: &mut Graph, system: &System) -> Vec<Velocities> {
    let all = system.moving.iter().flat_map(vectors).flatten();
    let all: Vec<ExprId> = all.collect();
    let rates = &system.symbols.rates;
    let slopes: Vec<Vec<ExprId>> = all
        .iter()
        .map(|&entry| gradient(graph, entry, rates))
        .collect();
    let by_speed = |k: usize| slopes.iter().map(move |of_entry| of_entry[k]);
    let by_speed: Vec<Vec<ExprId>> = (0..rates.len()).map(|k| by_speed(k).collect()).collect();
    let by_speed: Vec<Vec<ExprId>> = by_speed.iter().map(|it| simplify(graph, it)).collect();
    let values = simplify(graph, &all);
    let speeds: Vec<ExprId> = rates.iter().map(|&rate| graph.symbol_node(rate)).collect();
    let zero = graph.integer(0);
    assembled(system, &values, &speeds, &by_speed, zero)
}

/// Values and slopes, which are lists of all components of all vectors, as motions; speeds that move nothing left out.
fn assembled(
    system: &System,
    values: &[ExprId],
    speeds: &[ExprId],
    slopes: &[Vec<ExprId>],
    zero: ExprId,
) -> Vec<Velocities> {
    let mut at = 0;
    let mut motions = Vec::new();
    for moving in &system.moving {
        let (first, second) = (at, at + 3);
        let turns = moving.omega.is_some();
        at += if turns { 6 } else { 3 };
        let vector = |list: &[ExprId], from: usize| [list[from], list[from + 1], list[from + 2]];
        let partial = |(&speed, slopes): (&ExprId, &Vec<ExprId>)| {
            let moved = slopes[first..at].iter().any(|&slope| slope != zero);
            moved.then(|| Partial {
                speed,
                velocity: vector(slopes, first),
                omega: turns.then(|| vector(slopes, second)),
            })
        };
        motions.push(Velocities {
            name: moving.name.clone(),
            velocity: vector(values, first),
            omega: turns.then(|| vector(values, second)),
            partials: speeds.iter().zip(slopes).filter_map(partial).collect(),
        });
    }
    motions
}

/// Functions of coordinates and rates in the speeds of a formulation, dependent ones put in.
fn put_in(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
    elements: &[Fraction],
) -> Result<Vector, Outside> {
    let mut known: Vec<Replacement> = Vec::new();
    if let Some(reduction) = reduction {
        let solved = reduction.solved.iter();
        known.extend(solved.map(|it| (canonical.coordinates[it.coordinate], it.value.clone())));
    }
    let algebra = &mut work.algebra;
    let rates = work.in_coordinates.speeds.iter().copied();
    match (canonical.quasi, reduction) {
        (true, _) => {
            let speeds = match reduction {
                Some(reduction) => reduction.speeds.clone(),
                None => algebra.symbols(&canonical.speeds)?,
            };
            let moved = canonical.N.along(&algebra.field, &speeds)?;
            known.extend(rates.zip(algebra.add(&moved, &canonical.n)?));
        }
        (false, Some(reduction)) => known.extend(rates.zip(reduction.speeds.iter().cloned())),
        (false, None) => {}
    }
    algebra.put_in(elements, &known)
}

/// T and V in the speeds of a formulation; nothing where the model gives no energies.
pub(super) fn energies(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
) -> Option<Energies> {
    if work.model.dynamics.is_some() {
        return None;
    }
    let both = [work.system.kinetic, work.system.potential];
    let taken = work.algebra.take(&both);
    let taken = taken.and_then(|taken| put_in(work, canonical, reduction, &taken));
    let written = match taken {
        Ok(taken) => work.algebra.readable(&taken, &[]),
        Err(_) => simplify(&mut work.algebra.graph, &both),
    };
    Some(Energies {
        kinetic: written[0],
        potential: written[1],
    })
}
