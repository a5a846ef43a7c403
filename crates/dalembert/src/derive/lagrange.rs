//! Lagrange's equations: the energies, differentiated.
//!
//! ```text
//! d/dt ∂T/∂q' − ∂T/∂q + ∂V/∂q = Q + Aᵀ λ + w        [A83 2.3.15, 2.4.9] with the multipliers of the rows
//! ```
//!
//! Q are the forces that have no potential. This is a derivation of its own: the other formulations get M and h from
//! partial velocities where a model has particles and bodies.
//!
//! [A83]: Angeles, "Lagrangian dynamics" (1983); its (2.6.35)–(2.6.40) hold for holonomic systems only.

use super::canonical::{in_laws, lengths_stay};
use super::route::{Raw, Route};
use super::work::Work;
use dalembert_expr::calculus::{gradient, time_derivative};
use dalembert_expr::normal::Outside;
use dalembert_expr::substitute;
use dalembert_mechanics::lower::System;

pub(super) fn route(work: &mut Work, system: &System) -> Result<Route, Outside> {
    let canonical = work.in_coordinates.clone();
    let g = &mut work.algebra.graph;
    let momenta = gradient(g, system.kinetic, &system.symbols.rates);
    let changes = time_derivative(g, &momenta).map_err(|_| Outside::NoDerivative)?;
    let slopes = gradient(g, system.kinetic, &system.symbols.coordinates);
    let potential = gradient(g, system.potential, &system.symbols.coordinates);
    let mut given = vec![g.integer(0); canonical.speeds.len()];
    for force in system.given_forces().filter(|force| !force.conservative) {
        for &(k, part) in &force.force {
            given[k] = g.add(given[k], part);
        }
    }
    let pairs = in_laws(&mut work.algebra, system);
    let g = &mut work.algebra.graph;
    let given = substitute(g, &given, &pairs);
    let left: Vec<_> = (0..given.len())
        .map(|k| {
            let inertial = g.sub(changes[k], slopes[k]);
            g.add(inertial, potential[k])
        })
        .collect();
    let masses = system.inertia.iter().flat_map(|it| &it.mass);
    let masses: Vec<_> = masses.map(|&(_, _, entry)| entry).collect();
    let rows = system.rows.iter().flat_map(|row| &row.jacobian);
    let rows: Vec<_> = rows.map(|&(_, entry)| entry).collect();
    let outside = lengths_stay(system, masses.iter().chain(&rows));
    let algebra = &mut work.algebra;
    let left = work.lengths.put_in(algebra, &left, &outside);
    let given = work.lengths.put_in(algebra, &given, &outside);
    let left = algebra.take(&left)?;
    let given = algebra.take(&given)?;
    let multipliers = algebra.symbols(&work.multipliers)?;
    let reactions = canonical
        .E
        .transposed()
        .along(&algebra.field, &multipliers)?;
    let right = algebra.add(&algebra.add(&given, &canonical.w)?, &reactions)?;
    let mut equations = Raw::all(left, right);
    equations.extend(work.acceleration_rows(&canonical)?);
    Ok(Route::new(equations))
}
