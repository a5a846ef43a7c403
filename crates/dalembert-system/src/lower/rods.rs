//! Rods and ropes: two points whose distance a constraint keeps, or does not let grow, are connected in a drawing.
//!
//! Which points these are is taken from the words of the constraint, `norm(A − B)`, or from the particles whose coordinates it speaks of;
//! that its left minus its right side is c |A − B| + d, or c |A − B|² + d, is decided by values at random places.

use super::Lowering;
use crate::elaborate::{Statement, Target, Value, Vector, VectorAlgebra};
use crate::model::{Constraint, Expression};
use crate::random;
use dalembert_expr::syntax::{Arithmetic, Kind, NodeId, Relation};
use dalembert_expr::{Cone, ExprId, SymbolId, evaluate};
use dalembert_linear::decide::{CANCELLED, CLEAR};

/// Places at which a row is held against a distance: two tell c and d, the others whether these are always the same.
const PLACES: u64 = 5;

impl Lowering<'_> {
    /// The two points that a constraint connects as a rod or a rope does.
    pub(super) fn rod(&mut self, constraint: &Constraint) -> Option<[Vector; 2]> {
        // What rubs slides along a wire, and an identity of coordinates is no constraint.
        if constraint.friction.is_some() || constraint.identity {
            return None;
        }
        let mut equations = constraint.equations();
        equations.find_map(|holds| self.quietly(|work| work.rod_of(holds)))
    }

    fn rod_of(&mut self, holds: &Expression) -> Option<[Vector; 2]> {
        let Some(Statement::Relation {
            relation,
            left: Value::Scalar(left),
            right: Value::Scalar(right),
        }) = self.scope.statement(holds)
        else {
            return None;
        };
        let row = match relation {
            Relation::GreaterOrEqual => self.graph().sub(right, left),
            _ => self.graph().sub(left, right),
        };
        let mut candidates = self.spoken_of(holds);
        candidates.extend(self.particle_pairs(row));
        let rope = relation != Relation::Equal;
        let mut candidates = candidates.into_iter();
        candidates.find(|ends| {
            let slope = self.slope_by_distance(row, ends);
            slope.is_some_and(|slope| !rope || slope > 0.0)
        })
    }

    /// A and B of each `norm(A - B)` and `dot(A - B, …)`; of `norm(A)` the origin and A.
    fn spoken_of(&mut self, holds: &Expression) -> Vec<[Vector; 2]> {
        let tree = &holds.tree;
        let part = |id: NodeId| Expression {
            tree: tree.part(id),
            ..holds.clone()
        };
        let mut found = Vec::new();
        for id in tree.ids() {
            let Kind::Call {
                function,
                arguments,
            } = &tree[id].kind
            else {
                continue;
            };
            let Some(first) = arguments.first() else {
                continue;
            };
            if !matches!(&*function.text, "norm" | "dot") {
                continue;
            }
            let ends = match tree[first.value].kind {
                Kind::Binary {
                    op: Arithmetic::Subtract,
                    left,
                    right,
                } => self.point(&part(left)).zip(self.point(&part(right))),
                _ => Some(self.graph().zero3()).zip(self.point(&part(first.value))),
            };
            found.extend(ends.map(|(a, b)| [a, b]));
        }
        found
    }

    /// Pairs of the particles that have only coordinates of the row, and of these and the origin.
    fn particle_pairs(&mut self, row: ExprId) -> Vec<[Vector; 2]> {
        let own = self.coordinates_in(&[row]);
        let origin = self.graph().zero3();
        let mut places = vec![origin];
        for target in self.targets() {
            let Target::Particle(i) = target else {
                continue;
            };
            let Some(at) = self.scope.particle(i).map(|it| it.position) else {
                continue;
            };
            let moved = self.coordinates_in(&at);
            if !moved.is_empty() && moved.iter().all(|it| own.contains(it)) {
                places.push(at);
            }
        }
        let pairs = (0..places.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
        pairs.map(|(i, j)| [places[i], places[j]]).collect()
    }

    fn coordinates_in(&self, expressions: &[ExprId]) -> Vec<SymbolId> {
        let graph = &self.scope.graph;
        let mut found = Cone::new(graph, expressions).symbols(graph);
        found.retain(|symbol| self.symbols.coordinates.contains(symbol));
        found
    }

    /// c, if the row is c s + d with constant c and d, where s is the distance of the ends or its square.
    fn slope_by_distance(&mut self, row: ExprId, &[a, b]: &[Vector; 2]) -> Option<f64> {
        let graph = self.graph();
        let way = graph.sub3(b, a);
        let square = graph.dot3(way, way);
        let symbols = &self.symbols;
        let moving = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
        ]
        .concat();
        let at = |place: u64| {
            let value = |symbol: SymbolId| {
                let trial = if moving.contains(&symbol) { place } else { 0 };
                random(symbol.index() as u64, trial)
            };
            evaluate(&self.scope.graph, &[row, square], value)
        };
        let values: Vec<(f64, f64)> = (1..=PLACES).map(at).map(|it| (it[0], it[1])).collect();
        let slope = |measure: fn(f64) -> f64| {
            let values: Vec<(f64, f64)> = values.iter().map(|it| (it.0, measure(it.1))).collect();
            let [(r0, s0), (r1, s1), ..] = values[..] else {
                return None;
            };
            // NaN is no answer.
            let varies = (s1 - s0).abs() > CLEAR * (s0.abs() + s1.abs());
            let slope = (r1 - r0) / (s1 - s0);
            let fits = values.iter().all(|&(r, s)| {
                let terms = r.abs() + r0.abs() + (slope * s).abs() + (slope * s0).abs();
                (r - r0 - slope * (s - s0)).abs() <= CANCELLED * terms
            });
            (varies && fits && slope != 0.0).then_some(slope)
        };
        slope(|square| square).or_else(|| slope(f64::sqrt))
    }
}
