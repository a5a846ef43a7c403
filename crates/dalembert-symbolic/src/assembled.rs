//! The equations of a system as expressions, its parts added up.
//!
//! ```text
//! M q'' = h + w + Eᵀ λ        A q'' = b
//! ```
//!
//! P99 is Dinh Van Phong (1999).

use dalembert_expr::{Cone, ExprId, Graph, simplify};
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::System;
use std::collections::BTreeMap;

/// Entries by row and column.
pub type Sparse = BTreeMap<(usize, usize), ExprId>;

/// The parts of a system, added up. Forces are as they were lowered: `law_symbols::meanings` says what their symbols stand for.
#[expect(non_snake_case, reason = "letters of the papers")]
#[derive(Clone, Debug)]
pub struct Assembled {
    /// Coordinates by coordinates.
    pub M: Sparse,
    /// Given forces, and inertia terms without accelerations, by coordinate.
    pub h: Vec<ExprId>,
    /// What is not ideal about the constraints, by coordinate.
    pub w: Vec<ExprId>,
    /// Rows by coordinates.
    pub A: Sparse,
    /// By row.
    pub b: Vec<ExprId>,
    /// Directions of the forces that hold the rows: A, but for rows held by chosen forces (P99 §2).
    pub E: Sparse,
}

impl Assembled {
    /// Adds up the parts of a system whose expressions are in `graph`.
    pub fn of(graph: &mut Graph, system: &System) -> Self {
        let zero = graph.integer(0);
        let n = system.symbols.coordinates.len();
        let mut all = Self {
            M: Sparse::new(),
            h: vec![zero; n],
            w: vec![zero; n],
            A: Sparse::new(),
            b: system.rows.iter().map(|row| row.bias).collect(),
            E: Sparse::new(),
        };
        let mut add = |to: &mut ExprId, part| *to = graph.add(*to, part);
        for &(row, column, value) in system.inertia.iter().flat_map(|inertia| &inertia.mass) {
            add(all.M.entry((row, column)).or_insert(zero), value);
            if row != column {
                add(all.M.entry((column, row)).or_insert(zero), value);
            }
        }
        let inertial = system.inertia.iter().map(|inertia| &inertia.force);
        let given = system.given_forces().map(|given| &given.force);
        for &(row, value) in inertial.chain(given).flatten() {
            add(&mut all.h[row], value);
        }
        for &(row, value) in system.nonideal.iter().flatten() {
            add(&mut all.w[row], value);
        }
        for (id, row) in Id::enumerate(&system.rows) {
            let index = id.index();
            for &(column, value) in &row.jacobian {
                add(all.A.entry((index, column)).or_insert(zero), value);
            }
            for &(column, value) in system.direction(id) {
                add(all.E.entry((index, column)).or_insert(zero), value);
            }
        }
        all
    }

    /// M, h + w, the rows of [A b], and the rows of E, one after the other, zeros included.
    #[must_use]
    pub fn listed(&self, graph: &mut Graph) -> Vec<ExprId> {
        let (n, m) = (self.h.len(), self.b.len());
        let zero = graph.integer(0);
        let mut list = vec![zero; n * n + n + m * (n + 1) + m * n];
        for (&(row, column), &entry) in &self.M {
            list[row * n + column] = entry;
        }
        for (k, (&h, &w)) in self.h.iter().zip(&self.w).enumerate() {
            list[n * n + k] = graph.add(h, w);
        }
        let rows = n * n + n;
        for (&(row, column), &entry) in &self.A {
            list[rows + row * (n + 1) + column] = entry;
        }
        for (row, &b) in self.b.iter().enumerate() {
            list[rows + row * (n + 1) + n] = b;
        }
        for (&(row, column), &entry) in &self.E {
            list[rows + m * (n + 1) + row * n + column] = entry;
        }
        list
    }
}

/// Coordinates that the equations of motion do not hold themselves, by index.
#[must_use]
pub fn unused_coordinates(graph: &Graph, system: &System) -> Vec<usize> {
    let mut scratch = graph.clone();
    let all = Assembled::of(&mut scratch, system).listed(&mut scratch);
    let all = simplify(&mut scratch, &all);
    let used = Cone::new(&scratch, &all).symbols(&scratch);
    let coordinates = system.symbols.coordinates.iter().enumerate();
    let unused = coordinates.filter(|(_, symbol)| !used.contains(symbol));
    unused.map(|(k, _)| k).collect()
}
