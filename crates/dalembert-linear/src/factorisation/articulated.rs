//! M of a tree of bodies, factored from the leaves to the root: time and memory in the number of links.
//!
//! Each link is felt by the one it hangs on as an inertia that its own coordinate has been eliminated from, the articulated body's
//! (Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 7):
//!
//! ```text
//! U = I S        D = Sᵀ U        I_p ← I_p + Xᵀ (I − U D⁻¹ Uᵀ) X
//! ```
//!
//! D are the pivots of M, eliminated leaves first. Each is held against what its coordinate would move if those that are nearest beyond it did not
//! give way: what D was taken from, so that a pivot which is much less is rounding. The diagonal of M says nothing here: it grows with the third power of a
//! chain, and nothing is taken from it. A solution is corrected once; a correction that is not small, or a doubtful pivot, asks the dense way. There
//! are no rows here.

use super::Way;
use super::dense::Dense;
use super::metric::finite;
use super::rows::{RowReport, RowTerms, Tolerance};
use super::unsolved::{Quantity, Unsolved};
use crate::decide::{CLEAR, USED_UP};
use crate::tree::{Block, Rigid, Spatial, Tree};
use crate::{Matrix, Pattern, add_scaled, dot};
use std::sync::Arc;

/// Coordinates up to which the dense way decides what cannot be decided here.
const DENSE: usize = 1500;

/// M of one state, ready for right sides.
pub(crate) struct Articulated {
    tree: Arc<Tree>,
    tolerance: Tolerance,
    /// As given.
    mass: Vec<f64>,
    links: Vec<Felt>,
    /// The link itself, or the nearest that it hangs on, which a coordinate moves.
    moved: Vec<Option<usize>>,
    /// Wrenches, then motions.
    motions: Vec<Spatial>,
    left: Vec<f64>,
    correction: Vec<f64>,
    /// Where pivots left doubts.
    dense: Option<Box<Dense>>,
}

/// A link as it is felt.
#[derive(Clone, Copy)]
struct Felt {
    inertia: Block,
    /// How the link moves with the nearest coordinate, its own or before it.
    reach: Spatial,
    /// What D is taken from.
    size: f64,
    /// U.
    along: Spatial,
    /// 1 / D; zero where nothing moves.
    mobility: f64,
    /// What is left of the coordinate when the links beyond have been asked.
    push: f64,
}

impl Articulated {
    pub(super) fn new(tree: &Arc<Tree>, tolerance: Tolerance) -> Self {
        let (n, count) = (tree.coordinates(), tree.links().len());
        let nothing = Rigid {
            mass: 0.0,
            moment: [0.0; 3],
            inertia: [0.0; 6],
        };
        let felt = Felt {
            inertia: Block::of(&nothing),
            reach: Spatial::ZERO,
            size: 0.0,
            along: Spatial::ZERO,
            mobility: 0.0,
            push: 0.0,
        };
        let mut moved: Vec<Option<usize>> = Vec::with_capacity(count);
        for (i, link) in tree.links().iter().enumerate() {
            let before = link.parent.and_then(|parent| moved[parent]);
            moved.push(link.coordinate.map(|_| i).or(before));
        }
        Self {
            tree: Arc::clone(tree),
            tolerance,
            mass: Vec::new(),
            links: vec![felt; count],
            moved,
            motions: vec![Spatial::ZERO; count],
            left: vec![0.0; n],
            correction: vec![0.0; n],
            dense: None,
        }
    }

    /// Whether M is definite without doubt.
    fn eliminate(&mut self) -> bool {
        let Self {
            tree,
            mass,
            links,
            moved,
            ..
        } = self;
        for (i, link) in tree.links().iter().enumerate() {
            let own = tree.values(mass, i);
            links[i].inertia = Block::of(&own.inertia());
            links[i].size = 0.0;
            links[i].reach = match (link.coordinate, link.parent) {
                (Some(_), _) => own.along(),
                (None, Some(parent)) => own.carried(&links[parent].reach),
                (None, None) => Spatial::ZERO,
            };
            if let Some(moved) = moved[i] {
                links[moved].size += own.inertia().twice_energy(&links[i].reach);
            }
        }
        let mut sound = true;
        for (i, link) in tree.links().iter().enumerate().rev() {
            let own = tree.values(mass, i);
            let felt = &mut links[i];
            let mut inertia = felt.inertia;
            if link.coordinate.is_some() {
                felt.along = inertia.times(&felt.reach);
                let pivot = felt.reach.dot(&felt.along);
                // Not the other way round: a pivot that is no number is none.
                sound &= pivot > USED_UP * felt.size;
                felt.mobility = 1.0 / pivot;
                inertia.take(&felt.along, felt.mobility);
            }
            let Some(parent) = link.parent else {
                continue;
            };
            if let (Some(_), Some(before)) = (link.coordinate, moved[parent]) {
                let carried = own.carried(&links[parent].reach);
                let rigid = links[i].inertia.times(&carried);
                links[before].size += carried.dot(&rigid);
            }
            let seen = inertia.seen_from(&own.turn(), own.offset());
            links[parent].inertia.add(&seen);
        }
        sound
    }

    fn factor_densely(&mut self, mass: &Matrix<'_>) -> Result<(), Unsolved> {
        let n = self.tree.coordinates();
        if n > DENSE {
            return Err(Unsolved::Imprecise {
                residual: f64::INFINITY,
            });
        }
        let full = mass.to_full();
        let mut dense = Box::new(Dense::new(n, 0, self.tolerance));
        dense.factor(&Matrix::full(n, n, &full), &Matrix::full(0, n, &[]))?;
        self.dense = Some(dense);
        Ok(())
    }

    /// x ← M⁻¹ f.
    fn substitute(&mut self, force: &[f64], x: &mut [f64]) {
        let Self {
            tree,
            mass,
            links,
            motions,
            ..
        } = self;
        motions.fill(Spatial::ZERO);
        for (i, link) in tree.links().iter().enumerate().rev() {
            let own = tree.values(mass, i);
            let mut wrench = motions[i];
            if let Some(coordinate) = link.coordinate {
                let felt = &mut links[i];
                felt.push = force[coordinate] - felt.reach.dot(&wrench);
                wrench.add(&felt.along.scaled(felt.push * felt.mobility));
            }
            if let Some(parent) = link.parent {
                motions[parent].add(&own.handed_on(&wrench));
            }
        }
        for (i, link) in tree.links().iter().enumerate() {
            let own = tree.values(mass, i);
            let mut motion = match link.parent {
                Some(parent) => own.carried(&motions[parent]),
                None => Spatial::ZERO,
            };
            if let Some(coordinate) = link.coordinate {
                let felt = &links[i];
                let rate = (felt.push - felt.along.dot(&motion)) * felt.mobility;
                motion.add(&felt.reach.scaled(rate));
                x[coordinate] = rate;
            }
            motions[i] = motion;
        }
    }
}

impl Way for Articulated {
    fn measure_by(&mut self, _: &RowTerms) {}

    fn leave_out(&mut self, _: &[usize]) {}

    fn fits(&self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> bool {
        let same = |tree: &Arc<Tree>| Arc::ptr_eq(tree, &self.tree) || *tree == self.tree;
        rows.rows() == 0 && mass.tree().is_some_and(same)
    }

    fn rank(&mut self) -> usize {
        0
    }

    fn factor(&mut self, mass: &Matrix<'_>, _: &Matrix<'_>) -> Result<(), Unsolved> {
        self.mass.clear();
        self.mass.extend_from_slice(mass.values());
        self.dense = None;
        if self.eliminate() {
            return Ok(());
        }
        finite(Quantity::MassMatrix, mass.values())?;
        self.factor_densely(mass)
    }

    fn factor_any_rank(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.factor(mass, rows)
    }

    fn solve(
        &mut self,
        force: &[f64],
        bias: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Unsolved> {
        if let Some(dense) = &mut self.dense {
            return dense.solve(force, bias, acceleration, multipliers);
        }
        self.substitute(force, acceleration);
        // Sums along a chain are added up in another order than M's: what is left of the equations is solved for once more.
        let (mut left, mut correction) = (
            std::mem::take(&mut self.left),
            std::mem::take(&mut self.correction),
        );
        let (tree, mass) = (&*self.tree, &self.mass);
        tree.multiply_in(mass, acceleration, &mut self.motions, &mut left);
        for (left, force) in left.iter_mut().zip(force) {
            *left = force - *left;
        }
        self.substitute(&left, &mut correction);
        // In the metric of M, where M c is what was left, and M a what was asked.
        let is_small = dot(&correction, &left) <= CLEAR * CLEAR * dot(acceleration, force);
        add_scaled(acceleration, 1.0, &correction);
        (self.left, self.correction) = (left, correction);
        if is_small && acceleration.iter().all(|it| it.is_finite()) {
            return Ok(());
        }
        finite(Quantity::Force, force)?;
        finite(Quantity::Acceleration, acceleration)?;
        let pattern = Pattern::of_tree(Arc::clone(&self.tree));
        let mass = std::mem::take(&mut self.mass);
        let factored = self.factor_densely(&pattern.matrix(&mass));
        self.mass = mass;
        factored?;
        self.solve(force, bias, acceleration, multipliers)
    }

    fn project(&mut self, _: &[f64], correction: &mut [f64]) -> f64 {
        correction.fill(0.0);
        0.0
    }

    fn report(&mut self, _: &mut [RowReport]) {}
}
