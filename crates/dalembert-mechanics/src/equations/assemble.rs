//! From a lowered system to the elements of each stage: values, and the places they are added to.

use super::measure::present;
use super::stage::Entry;
use super::storage::Storage;
use crate::ids::Id;
use crate::linear::tree::NUMBERS;
use crate::linear::{Groups, Pattern};
use crate::lower::{ForceId, Row, Sparse, System};
use dalembert_expr::{Binary, ExprId, Graph, Node};
use std::collections::HashSet;

/// Entries from which the parts of one force in a large model are elements of their own, so that they can
/// share kernels.
const LONG: usize = 64;

/// M, h, w, A, b, E; A and b without what is `vanishing`.
pub(super) fn dynamics(
    system: &System,
    storage: &Storage,
    vanishing: &HashSet<ExprId>,
) -> Vec<Vec<Entry>> {
    let layout = storage.dynamics();
    let mut elements = Vec::new();
    let add_vector = |elements: &mut _, vector| add_vector(elements, vector, storage);
    let by_links = links(system, layout.field, &mut elements);
    for part in &system.inertia {
        let mut element: Vec<Entry> = Vec::new();
        for &(i, j, value) in &part.mass {
            let targets = if storage.mass.is_full() && i != j {
                vec![at(&storage.mass, i, j), at(&storage.mass, j, i)]
            } else {
                vec![at(&storage.mass, i.min(j), i.max(j))]
            };
            element.push(Entry { value, targets });
        }
        element.extend(vector(&part.force, |i| layout.force + i));
        elements.push(element);
    }
    // Laws that use reactions come later, when these are looked for.
    let lawless = |force: &&Sparse| !system.uses_reactions(force);
    let forces = Id::enumerate(&system.forces);
    let forces = forces.filter(|&(id, _)| system.is_given(id) && Some(id) != by_links);
    for force in forces.map(|(_, given)| &given.force).filter(lawless) {
        add_vector(&mut elements, vector(force, |i| layout.force + i));
    }
    let n = storage.mass.rows();
    for (k, servo) in system.servo.iter().enumerate() {
        let direction = &system.forces[servo.force].force;
        elements.push(vector(direction, |i| layout.servo + k * n + i));
    }
    let works = system.nonideal.iter().enumerate();
    for (constraint, nonideal) in works.filter(|(_, work)| lawless(work)) {
        let waiting = storage.waiting.iter().position(|&it| it == constraint);
        let start = waiting.map_or(layout.nonideal, |k| layout.waiting + k * n);
        add_vector(&mut elements, vector(nonideal, |i| start + i));
    }
    let indices: Vec<usize> = (0..system.rows.len()).collect();
    elements.extend(by_constraint(system, &indices).map(|(_, indices)| {
        let of_row = |&index: &usize| {
            let row = &system.rows[index];
            let place = |j| layout.jacobian + at(&storage.rows, index, j);
            let mut element = vector(present(&row.jacobian, vanishing), place);
            if !vanishing.contains(&row.bias) {
                element.push(Entry {
                    value: row.bias,
                    targets: vec![layout.bias + index],
                });
            }
            element
        };
        indices.iter().flat_map(of_row).collect()
    }));
    elements
}

/// Numbers of links, an element each, and gravity; returns the force that follows from these.
fn links(system: &System, field: usize, elements: &mut Vec<Vec<Entry>>) -> Option<ForceId> {
    let hung = system.hung.as_ref()?;
    // The results of a stage begin as zeros.
    let entries = |(place, value): (usize, ExprId)| {
        let is_zero = system.graph.as_number(value).is_some_and(|it| it.is_zero());
        (!is_zero).then(|| Entry {
            value,
            targets: vec![place],
        })
    };
    for (link, own) in hung.links.iter().enumerate() {
        let places = NUMBERS * link..;
        elements.push(places.zip(own.numbers()).filter_map(entries).collect());
    }
    let (force, gravity) = hung.gravity?;
    elements.push((field..).zip(gravity).filter_map(entries).collect());
    Some(force)
}

/// Residuals of some rows, then these rows of A, without what is `vanishing`.
pub(super) fn level(
    system: &System,
    (rows, pattern): (&[usize], &Pattern),
    vanishing: &HashSet<ExprId>,
    residual: impl Fn(&Row) -> Option<ExprId>,
) -> Vec<Vec<Entry>> {
    let element = |(first, indices): (usize, &[usize])| -> Vec<Entry> {
        let of_row = |(place, &index): (usize, &usize)| {
            let row = &system.rows[index];
            let jacobian = present(&row.jacobian, vanishing);
            let mut element = vector(jacobian, |j| rows.len() + at(pattern, place, j));
            let residual = residual(row).filter(|value| !vanishing.contains(value));
            element.extend(residual.map(|value| Entry {
                value,
                targets: vec![place],
            }));
            element
        };
        (first..).zip(indices).flat_map(of_row).collect()
    };
    by_constraint(system, rows).map(element).collect()
}

/// Rows of one constraint that follow one another, which share what they are made of, and the place of the first among the rows given.
fn by_constraint<'a>(
    system: &'a System,
    rows: &'a [usize],
) -> impl Iterator<Item = (usize, &'a [usize])> {
    let same = |a: &usize, b: &usize| system.rows[*a].constraint == system.rows[*b].constraint;
    let mut first = 0;
    rows.chunk_by(same).map(move |rows| {
        first += rows.len();
        (first - rows.len(), rows)
    })
}

/// B, b₀, γ.
pub(super) fn speeds(system: &System, pattern: &Pattern) -> Vec<Vec<Entry>> {
    let Some(speeds) = &system.speeds else {
        return Vec::new();
    };
    let (n, start) = (pattern.rows(), pattern.size());
    let rows = speeds.matrix.iter().enumerate().map(|(i, row)| {
        let mut element = vector(row, |j| at(pattern, i, j));
        element.push(Entry {
            value: speeds.offset[i],
            targets: vec![start + i],
        });
        element.push(Entry {
            value: speeds.gamma[i],
            targets: vec![start + n + i],
        });
        element
    });
    if pattern.is_full() {
        // Together, so that the rows share work.
        return vec![rows.flatten().collect()];
    }
    // So do those that have columns in common.
    let mut groups = Groups::new(n);
    (0..n).for_each(|i| groups.join(pattern.columns_of(i)));
    let mut elements: Vec<Vec<Entry>> = vec![Vec::new(); n];
    for (i, row) in rows.enumerate() {
        let first = pattern.columns_of(i).next();
        elements[first.map_or(i, |j| groups.of(j))].extend(row);
    }
    elements
}

/// T, V, drive; then forces and virtual-work vectors.
pub(super) fn report(system: &System, drive: ExprId, storage: &Storage) -> Vec<Vec<Entry>> {
    let scalars = [system.kinetic, system.potential, drive];
    let mut elements: Vec<Vec<Entry>> = Vec::new();
    let add_vector = |elements: &mut _, vector| add_vector(elements, vector, storage);
    // One after the other along a tree, the terms share what they are made of.
    if storage.mass.is_full() || storage.mass.tree().is_some() {
        let entry = |(place, &value): (usize, &ExprId)| Entry {
            value,
            targets: vec![place],
        };
        elements.push(scalars.iter().enumerate().map(entry).collect());
    } else {
        // Term by term, so that terms of one form share a kernel.
        for (place, &sum) in scalars.iter().enumerate() {
            for value in terms(&system.graph, sum) {
                let targets = vec![place];
                elements.push(vec![Entry { value, targets }]);
            }
        }
    }
    for (index, force) in system.forces.iter().enumerate() {
        let place = |i| 3 + at(&storage.forces, index, i);
        add_vector(&mut elements, vector(&force.force, place));
    }
    let start = 3 + storage.forces.size();
    for (index, nonideal) in system.nonideal.iter().enumerate() {
        let place = |i| start + at(&storage.nonideal, index, i);
        add_vector(&mut elements, vector(nonideal, place));
    }
    elements
}

/// The terms of a sum of sums.
fn terms(graph: &Graph, sum: ExprId) -> Vec<ExprId> {
    let mut terms = Vec::new();
    let mut pending = vec![sum];
    while let Some(id) = pending.pop() {
        match graph.node(id) {
            Node::Binary(Binary::Add, a, b) => pending.extend([b, a]),
            _ => terms.push(id),
        }
    }
    terms
}

fn vector<'a>(
    sparse: impl IntoIterator<Item = &'a (usize, ExprId)>,
    place: impl Fn(usize) -> usize,
) -> Vec<Entry> {
    let entry = |&(i, value): &(usize, ExprId)| Entry {
        value,
        targets: vec![place(i)],
    };
    sparse.into_iter().map(entry).collect()
}

/// One element, or one for each entry where there are many.
fn add_vector(elements: &mut Vec<Vec<Entry>>, vector: Vec<Entry>, storage: &Storage) {
    let shares = storage.mass.is_full() || storage.mass.tree().is_some();
    if shares || vector.len() < LONG {
        elements.push(vector);
    } else {
        elements.extend(vector.into_iter().map(|entry| vec![entry]));
    }
}

fn at(pattern: &Pattern, row: usize, column: usize) -> usize {
    pattern
        .place(row, column)
        .expect("patterns hold what a system has")
}
