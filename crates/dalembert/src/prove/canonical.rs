//! The equations of a system as lists of expressions, before they are put on the surface.

use dalembert_expr::{Cone, ExprId, Graph, simplify};
use dalembert_mechanics::lower::System;

/// M, f, the rows of [A b], and the rows of G, one after the other.
pub(super) fn canonical(graph: &mut Graph, system: &System) -> Vec<ExprId> {
    let (n, m) = (system.symbols.coordinates.len(), system.rows.len());
    let zero = graph.integer(0);
    let mut mass = vec![zero; n * n];
    let mut force = vec![zero; n];
    for inertia in &system.inertia {
        for &(row, column, value) in &inertia.mass {
            let place = row * n + column;
            mass[place] = graph.add(mass[place], value);
            if row != column {
                let place = column * n + row;
                mass[place] = graph.add(mass[place], value);
            }
        }
    }
    let inertial = system.inertia.iter().map(|inertia| &inertia.force);
    let given = (0..system.forces.len()).filter(|&force| system.is_given(force));
    let given = given.map(|force| &system.forces[force].force);
    for &(row, value) in inertial.chain(given).chain(&system.nonideal).flatten() {
        force[row] = graph.add(force[row], value);
    }
    let mut rows = vec![zero; m * (n + 1)];
    let mut reactions = vec![zero; m * n];
    for (index, row) in system.rows.iter().enumerate() {
        rows[index * (n + 1) + n] = row.bias;
        for &(column, value) in &row.jacobian {
            let place = index * (n + 1) + column;
            rows[place] = graph.add(rows[place], value);
        }
        let reaction = match system.held_by(index) {
            Some(force) => &system.forces[force].force,
            None => &row.jacobian,
        };
        for &(column, value) in reaction {
            let place = index * n + column;
            reactions[place] = graph.add(reactions[place], value);
        }
    }
    [mass, force, rows, reactions].concat()
}

/// Coordinates that the equations of motion do not hold themselves, by index.
pub(super) fn unused_coordinates(graph: &Graph, system: &System) -> Vec<usize> {
    let mut scratch = graph.clone();
    let all = canonical(&mut scratch, system);
    let all = simplify(&mut scratch, &all);
    let used = Cone::new(&scratch, &all).symbols(&scratch);
    let coordinates = system.symbols.coordinates.iter().enumerate();
    let unused = coordinates.filter(|(_, symbol)| !used.contains(symbol));
    unused.map(|(k, _)| k).collect()
}
