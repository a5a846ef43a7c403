//! Which coordinates have to do with each other: parts of a model that know nothing of each other may have any sizes.
//!
//! Coordinates are coupled where they stand together in a row, in a force or in an inertia, and where they move one thing.

use dalembert_expr::{Cone, ExprId, Node};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::Sparse;

/// The part of the model that each coordinate belongs to, as the first of its coordinates.
pub(super) fn parts(mechanism: &Mechanism) -> Vec<usize> {
    let system = &mechanism.system;
    let graph = &system.graph;
    let n = system.symbols.coordinates.len();
    let forces = system.forces.iter().map(|given| &given.force);
    let inertial = system.inertia.iter().map(|inertial| &inertial.force);
    let vectors: Vec<&Sparse> = forces.chain(inertial).collect();
    let masses: Vec<(usize, usize, ExprId)> = system
        .inertia
        .iter()
        .flat_map(|inertial| inertial.mass.iter().copied())
        .collect();
    let moving: Vec<Vec<ExprId>> = system
        .moving
        .iter()
        .map(|it| {
            it.velocity
                .iter()
                .chain(it.omega.iter().flatten())
                .copied()
                .collect()
        })
        .collect();
    let rows: Vec<ExprId> = system.rows.iter().map(|row| row.residual).collect();
    let entries = vectors.iter().copied().chain(&system.nonideal).flatten();
    let speeds = system.speeds.iter().flat_map(|speeds| &speeds.values);
    let outputs: Vec<ExprId> = entries
        .map(|&(_, entry)| entry)
        .chain(masses.iter().map(|&(_, _, entry)| entry))
        .chain(moving.iter().flatten().copied())
        .chain(rows.iter().copied())
        .chain(speeds.copied())
        .collect();
    let cone = Cone::new(graph, &outputs);
    let place = |id: ExprId| cone.position(id).expect("operands are in the cone");

    let mut sets = Sets::of(n);
    let symbols = &system.symbols;
    let mut coordinates = vec![None; graph.symbol_count()];
    for list in [&symbols.coordinates, &symbols.rates, &symbols.accelerations] {
        for (i, symbol) in list.iter().enumerate() {
            coordinates[symbol.index()] = Some(i);
        }
    }
    // A coordinate that each expression depends on, joined with all others of it.
    let mut owners: Vec<Option<usize>> = Vec::with_capacity(cone.nodes().len());
    for &id in cone.nodes() {
        let node = graph.node(id);
        owners.push(match node {
            Node::Symbol(symbol) => coordinates[symbol.index()],
            _ => {
                let operands = node.operands().filter_map(|id| owners[place(id)]);
                operands.reduce(|a, b| sets.join(a, b))
            }
        });
    }
    for &(coordinate, entry) in vectors.into_iter().flatten() {
        sets.join_all([Some(coordinate), owners[place(entry)]]);
    }
    for (i, j, entry) in masses {
        sets.join_all([Some(i), Some(j), owners[place(entry)]]);
    }
    for components in moving {
        sets.join_all(components.into_iter().map(|id| owners[place(id)]));
    }
    // Friction of a constraint acts by the reactions of its rows.
    for (constraint, w) in system.nonideal.iter().enumerate() {
        let own = system.rows.iter().zip(&rows);
        let own = own.filter(|(row, _)| row.constraint.index() == constraint);
        let own = own.map(|(_, &residual)| owners[place(residual)]);
        let parts = w
            .iter()
            .flat_map(|&(i, entry)| [Some(i), owners[place(entry)]]);
        sets.join_all(own.chain(parts));
    }
    (0..n).map(|i| sets.first(i)).collect()
}

/// Disjoint sets, each known by its first member.
pub(super) struct Sets(Vec<usize>);

impl Sets {
    /// Each of so many members alone.
    pub(super) fn of(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Each alone again.
    pub(super) fn part(&mut self) {
        let members = self.0.iter_mut().enumerate();
        members.for_each(|(i, first)| *first = i);
    }

    pub(super) fn first(&mut self, i: usize) -> usize {
        let mut root = i;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
        a.min(b)
    }

    pub(super) fn join_all(&mut self, members: impl IntoIterator<Item = Option<usize>>) {
        let known = members.into_iter().flatten();
        known.reduce(|a, b| self.join(a, b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dalembert_mechanics::read_model;

    #[test]
    fn what_stands_together_is_coupled() {
        let text = "dalembert = 1\n[coordinates]\na = 1\nb = 1\nc = 1\nd = 1\ne = 1\n[energy]\n\
            kinetic = \"(a'^2 + b'^2 + c'^2)/2 + d'^2 + e'^2\"\npotential = \"a^2 + (b - c)^2 + d^2 + e^2\"\n\
            [force.f]\ngeneralized = { e = \"d\" }\n";
        let (model, _) = read_model(text).expect("a model");
        let mechanism = Mechanism::new(model).expect("a mechanism");
        assert_eq!(parts(&mechanism), [0, 1, 1, 3, 3]);
    }
}
