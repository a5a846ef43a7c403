//! Inertia that is left in links: what a tree of bodies adds to h, and whether it is that of the bodies as they were written.
//!
//! ```text
//! V_i = X_i V_p + S_i q'          c_i = V_i × S_i q'
//! a_i = X_i a_p + c_i             a of the ground = −g
//! F_i = I_i a_i + V_i ×* I_i V_i          h ← h − Sᵀ F, handed on from link to link
//! ```

use super::{Equations, Evaluator};
use crate::decide::CANCELLED;
use crate::linear::tree::{Link, Spatial, Tree, Vector};
use crate::linear::{Matrix, Pattern, dot};
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

/// Room for the inertia terms of h.
#[derive(Default)]
pub(super) struct InertiaForce {
    motions: Vec<Spatial>,
    drifts: Vec<Spatial>,
    wrenches: Vec<Spatial>,
    force: Vec<f64>,
}

impl InertiaForce {
    /// Adds inertia terms and weight to h.
    pub(super) fn add(
        &mut self,
        mass: &Matrix<'_>,
        (rates, gravity): (&[f64], &[f64]),
        force: &mut [f64],
    ) {
        let Some(tree) = mass.tree() else {
            return;
        };
        let (values, count) = (mass.values(), tree.links().len());
        for room in [&mut self.motions, &mut self.drifts, &mut self.wrenches] {
            room.resize(count, Spatial::ZERO);
        }
        self.force.resize(force.len(), 0.0);
        let drifts = &mut self.drifts;
        tree.spread(
            (values, rates),
            &Spatial::ZERO,
            &mut self.motions,
            |link, relative, motion| drifts[link] = across(motion, relative),
        );
        let ground = Spatial {
            turning: [0.0; 3],
            moving: [0, 1, 2].map(|i| -gravity[i]),
        };
        // No rates here, so that drifts are all there is.
        self.force.fill(0.0);
        tree.spread(
            (values, &self.force),
            &ground,
            &mut self.wrenches,
            |link, _, motion| motion.add(&self.drifts[link]),
        );
        for (link, wrench) in self.wrenches.iter_mut().enumerate() {
            let motion = &self.motions[link];
            let momentum = tree.momentum(values, link, motion);
            *wrench = tree.momentum(values, link, wrench);
            wrench.add(&changed(motion, &momentum));
        }
        tree.gather(values, &mut self.wrenches, &mut self.force);
        for (h, inertia) in force.iter_mut().zip(&self.force) {
            *h -= inertia;
        }
    }
}

/// V × S: how a motion that is carried along changes.
fn across(motion: &Spatial, relative: &Spatial) -> Spatial {
    let moving = cross(motion.turning, relative.moving);
    let carried = cross(motion.moving, relative.turning);
    Spatial {
        turning: cross(motion.turning, relative.turning),
        moving: [0, 1, 2].map(|i| moving[i] + carried[i]),
    }
}

/// V ×* P: how a momentum that is carried along changes.
fn changed(motion: &Spatial, momentum: &Spatial) -> Spatial {
    let spin = cross(motion.turning, momentum.turning);
    let shift = cross(motion.moving, momentum.moving);
    Spatial {
        turning: [0, 1, 2].map(|i| spin[i] + shift[i]),
        moving: cross(motion.turning, momentum.moving),
    }
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
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
            weight.add(&now.mass, (&vec![0.0; n], &field), &mut by_links);
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
