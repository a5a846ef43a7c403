//! Inertia that is left in links: whether it is that of the bodies as they were written.

use super::{Equations, Evaluator};
use crate::decide::CANCELLED;
use crate::linear::tree::{InertiaForce, Link, Tree};
use crate::linear::{Pattern, dot};
use crate::lower::{Hung, System};
use crate::random;
use dalembert_expr::{SymbolId, evaluate};
use std::sync::Arc;

/// Random states at which the links are held against the bodies.
const STATES: u64 = 2;

/// M by links.
pub(super) fn pattern(hung: &Hung, coordinates: usize) -> Pattern {
    let links = hung.links.iter().map(|link| Link {
        parent: link.on,
        coordinate: link.coordinate,
    });
    Pattern::of_tree(Arc::new(Tree::new(coordinates, links.collect())))
}

/// The diagonal of M.
pub(crate) fn diagonal(
    hung: &Hung,
    system: &System,
    value_of: impl FnMut(SymbolId) -> f64,
) -> Vec<f64> {
    let numbers: Vec<_> = hung.links.iter().flat_map(|link| link.numbers()).collect();
    let values = evaluate(&system.graph, &numbers, value_of);
    let pattern = pattern(hung, system.symbols.coordinates.len());
    pattern.matrix(&values).whole_diagonal()
}

impl Equations {
    /// Whether links have the kinetic energy and the weight of the bodies as these are written out, which nothing here is made of: at random states.
    #[must_use]
    pub fn links_are_right(&self, system: &System, parameters: &[f64]) -> bool {
        let Some(hung) = &system.hung else {
            return true;
        };
        let n = self.coordinates();
        let mut evaluator = Evaluator::new(self, parameters);
        let mut product = vec![0.0; n];
        (0..STATES).all(|trial| {
            let at = |order: u64| -> Vec<f64> {
                let value = |i: usize| random((2 * i) as u64 + order, trial) - 0.5;
                (0..n).map(value).collect()
            };
            let (q, rates) = (at(0), at(1));
            evaluator.set_position(0.0, &q);
            evaluator.set_rates(&rates);
            let now = evaluator.canonical();
            now.mass.multiply(&rates, &mut product);
            let twice = dot(&product, &rates);
            let mut weight = InertiaForce::default();
            let mut by_links = vec![0.0; n];
            let field = now.field.to_vec();
            if let Some(tree) = now.mass.tree() {
                let links = (&**tree, now.mass.values());
                weight.add(links, (&vec![0.0; n], &field), &mut by_links);
            }
            let found = evaluator.energetics(&vec![0.0; n]);
            let same = |a: f64, b: f64, size: f64| (a - b).abs() <= CANCELLED * size;
            let weights = match hung.gravity {
                None => vec![0.0; n],
                Some((force, _)) => {
                    let mut all = vec![0.0; n];
                    let stored = found.forces.stored(force.index());
                    stored.for_each(|(i, value)| all[i] = value);
                    all
                }
            };
            let size = by_links.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            same(twice, 2.0 * found.kinetic, twice.abs())
                && by_links
                    .iter()
                    .zip(&weights)
                    .all(|(a, b)| same(*a, *b, size))
        })
    }
}
