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
//! chain, and nothing is taken from it.
//!
//! So M = L Lᵀ, where L⁻¹ is the way from the leaves to the root, divided by √D, and L⁻ᵀ the way back. Rows are met as in `dense.rs`: Y = L⁻¹ Aᵀ link by link,
//! S = Yᵀ Y = A M⁻¹ Aᵀ, full, by Cholesky if its pivots leave no doubt that the rank is full. A solution is corrected once; a correction that is not small, a doubtful
//! pivot, or rows that may depend on each other, ask the dense way. Cost: links, and for nc rows nc times as much, nc² nv/2 + nc³/6.

use super::Way;
use super::dense::Dense;
use super::metric::finite;
use super::rows::{RowReport, RowTerms, Rows, Tolerance};
use super::unsolved::{Quantity, Unsolved};
use crate::decide::{CLEAR, COARSE, USED_UP};
use crate::tree::{Block, Rigid, Spatial, Tree};
use crate::{Cholesky, Matrix, Pattern, add_scaled, add_transposed, dot, multiply};
use std::sync::Arc;

/// Coordinates up to which the dense way decides what cannot be decided here.
const DENSE: usize = 1500;

/// M and A of one state, ready for right sides.
pub(crate) struct Articulated {
    tolerance: Tolerance,
    root: Root,
    held: Held,
    /// What is left of the equations, and what is solved for with it.
    left: [Vec<f64>; 2],
    correction: [Vec<f64>; 2],
    /// Where pivots left doubts.
    dense: Option<Box<Dense>>,
}

/// L of M, link by link.
struct Root {
    tree: Arc<Tree>,
    /// As given.
    mass: Vec<f64>,
    links: Vec<Felt>,
    /// The link itself, or the nearest that it hangs on, which a coordinate moves.
    moved: Vec<Option<usize>>,
    /// Wrenches, then motions.
    motions: Vec<Spatial>,
}

/// The rows, and S.
struct Held {
    /// A in full, as given, and the terms of its entries and of b, if they are known.
    jacobian: Vec<f64>,
    terms: RowTerms,
    /// The terms as they were given, stored as A was.
    stored: RowTerms,
    left_out: Vec<bool>,
    /// Yᵀ with rows of length one.
    rows: Rows,
    schur: Vec<f64>,
    factor: Cholesky,
    y: Vec<f64>,
    errors: Vec<f64>,
    /// Of rows of length one.
    multipliers: Vec<f64>,
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
    /// 1 / √D; zero where nothing moves.
    root: f64,
}

impl Root {
    fn new(tree: &Arc<Tree>) -> Self {
        let count = tree.links().len();
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
            root: 0.0,
        };
        let mut moved: Vec<Option<usize>> = Vec::with_capacity(count);
        for (i, link) in tree.links().iter().enumerate() {
            let before = link.parent.and_then(|parent| moved[parent]);
            moved.push(link.coordinate.map(|_| i).or(before));
        }
        Self {
            tree: Arc::clone(tree),
            mass: Vec::new(),
            links: vec![felt; count],
            moved,
            motions: vec![Spatial::ZERO; count],
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
                let mobility = 1.0 / pivot;
                felt.root = mobility.sqrt();
                inertia.take(&felt.along, mobility);
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

    /// x ← L⁻¹ x.
    fn forward(&mut self, x: &mut [f64]) {
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
                let felt = &links[i];
                // What is left of the coordinate when the links beyond have been asked.
                let push = (x[coordinate] - felt.reach.dot(&wrench)) * felt.root;
                wrench.add(&felt.along.scaled(push * felt.root));
                x[coordinate] = push;
            }
            if let Some(parent) = link.parent {
                motions[parent].add(&own.handed_on(&wrench));
            }
        }
    }

    /// x ← L⁻ᵀ x.
    fn backward(&mut self, x: &mut [f64]) {
        let Self {
            tree,
            mass,
            links,
            motions,
            ..
        } = self;
        for (i, link) in tree.links().iter().enumerate() {
            let own = tree.values(mass, i);
            let mut motion = match link.parent {
                Some(parent) => own.carried(&motions[parent]),
                None => Spatial::ZERO,
            };
            if let Some(coordinate) = link.coordinate {
                let felt = &links[i];
                let rate = (x[coordinate] - felt.along.dot(&motion) * felt.root) * felt.root;
                motion.add(&felt.reach.scaled(rate));
                x[coordinate] = rate;
            }
            motions[i] = motion;
        }
    }

    fn multiply(&mut self, x: &[f64], y: &mut [f64]) {
        self.tree.multiply_in(&self.mass, x, &mut self.motions, y);
    }
}

impl Held {
    fn new(nv: usize, nc: usize) -> Self {
        Self {
            jacobian: vec![0.0; nc * nv],
            terms: RowTerms::default(),
            stored: RowTerms::default(),
            left_out: vec![false; nc],
            rows: Rows::new(nv, nc),
            schur: vec![0.0; nc * nc],
            factor: Cholesky::new(nc),
            y: vec![0.0; nv],
            errors: vec![0.0; nc],
            multipliers: vec![0.0; nc],
        }
    }

    fn count(&self) -> usize {
        self.left_out.len()
    }

    /// Takes A in full.
    fn take(&mut self, rows: &Matrix<'_>) {
        self.jacobian.copy_from_slice(&rows.to_full());
        let known = &self.stored.jacobian;
        self.terms.bias.clone_from(&self.stored.bias);
        self.terms.jacobian = match rows.pattern() {
            Some(pattern) if pattern.size() == known.len() => {
                pattern.matrix(known).to_full().into_owned()
            }
            _ => known.clone(),
        };
    }

    /// Y and S; whether the rows are independent without doubt.
    fn factor(&mut self, root: &mut Root) -> bool {
        let (nv, nc) = (self.y.len(), self.count());
        if nc == 0 {
            return true;
        }
        if nc > nv {
            return false;
        }
        self.rows.unit.copy_from_slice(&self.jacobian);
        for row in self.rows.unit.chunks_exact_mut(nv) {
            root.forward(row);
        }
        let mobilities = root.tree.diagonal(&root.mass).into_iter();
        let mobilities: Vec<f64> = mobilities.map(f64::recip).collect();
        let known = &self.terms.jacobian;
        let rows = &mut self.rows;
        if !rows.normalise(&self.jacobian, &mobilities, known, &self.left_out) {
            return false;
        }
        for i in 0..nc {
            let rows = &self.rows.unit[i * nv..];
            let target = &mut self.schur[i * nc..][i..nc];
            multiply(rows, &rows[..nv], target);
            if self.left_out[i] {
                target[0] = 1.0;
            }
        }
        self.factor.factor(&self.schur, COARSE * COARSE).is_ok()
    }

    /// λ̂ from S λ̂ = ê, y ← y + Y λ̂, and once more with what rounding left.
    fn reach(&mut self, bias: &[f64]) {
        self.multipliers.fill(0.0);
        if self.count() == 0 {
            return;
        }
        for _ in 0..2 {
            multiply(&self.rows.unit, &self.y, &mut self.errors);
            let errors = self
                .errors
                .iter_mut()
                .zip(bias.iter().zip(&self.rows.scales));
            errors.for_each(|(error, (b, scale))| *error = b * scale - *error);
            self.factor.solve(&mut self.errors);
            add_transposed(&self.rows.unit, &self.errors, &mut self.y);
            add_scaled(&mut self.multipliers, 1.0, &self.errors);
        }
    }
}

impl Articulated {
    pub(super) fn new(tree: &Arc<Tree>, rows: usize, tolerance: Tolerance) -> Self {
        let n = tree.coordinates();
        let room = || [vec![0.0; n], vec![0.0; rows]];
        Self {
            tolerance,
            root: Root::new(tree),
            held: Held::new(n, rows),
            left: room(),
            correction: room(),
            dense: None,
        }
    }

    fn factor_densely(&mut self, mass: &Matrix<'_>) -> Result<(), Unsolved> {
        let (n, nc) = (self.root.tree.coordinates(), self.held.count());
        if n > DENSE {
            return Err(Unsolved::Imprecise {
                residual: f64::INFINITY,
            });
        }
        let full = mass.to_full();
        let mut dense = Box::new(Dense::new(n, nc, self.tolerance));
        dense.measure_by(&self.held.terms);
        let left_out = self.held.left_out.iter().enumerate();
        let left_out: Vec<usize> = left_out.filter_map(|(i, &out)| out.then_some(i)).collect();
        dense.leave_out(&left_out);
        dense.factor(
            &Matrix::full(n, n, &full),
            &Matrix::full(nc, n, &self.held.jacobian),
        )?;
        self.dense = Some(dense);
        Ok(())
    }

    /// The dense way, for M and A as they were given.
    fn ask_dense(&mut self) -> Result<(), Unsolved> {
        let pattern = Pattern::of_tree(Arc::clone(&self.root.tree));
        let mass = std::mem::take(&mut self.root.mass);
        let factored = self.factor_densely(&pattern.matrix(&mass));
        self.root.mass = mass;
        factored
    }

    /// The motion by the factors as they are; returns v'ᵀ M v', and that of f alone with that of b alone as rows of length one ask for it.
    fn substitute(
        &mut self,
        (force, bias): (&[f64], &[f64]),
        (acceleration, multipliers): (&mut [f64], &mut [f64]),
    ) -> [f64; 2] {
        let Self { root, held, .. } = self;
        held.y.copy_from_slice(force);
        root.forward(&mut held.y);
        let asked = bias.iter().zip(&held.rows.scales);
        let asked: f64 = asked.map(|(b, scale)| (b * scale) * (b * scale)).sum();
        let asked = asked + dot(&held.y, &held.y);
        held.reach(bias);
        let found = dot(&held.y, &held.y);
        acceleration.copy_from_slice(&held.y);
        root.backward(acceleration);
        let scaled = held.multipliers.iter().zip(&held.rows.scales);
        for (lambda, (hat, scale)) in multipliers.iter_mut().zip(scaled) {
            *lambda = hat * scale;
        }
        [found, asked]
    }

    /// What a motion leaves of the equations: f + Aᵀ λ − M v', b − A v'.
    fn leave(
        &mut self,
        (force, bias): (&[f64], &[f64]),
        (acceleration, multipliers): (&[f64], &[f64]),
    ) {
        let [left, missed] = &mut self.left;
        self.root.multiply(acceleration, left);
        for (left, force) in left.iter_mut().zip(force) {
            *left = force - *left;
        }
        add_transposed(&self.held.jacobian, multipliers, left);
        multiply(&self.held.jacobian, acceleration, missed);
        for (missed, b) in missed.iter_mut().zip(bias) {
            *missed = b - *missed;
        }
    }
}

impl Way for Articulated {
    fn measure_by(&mut self, terms: &RowTerms) {
        self.held.stored.clone_from(terms);
    }

    fn leave_out(&mut self, rows: &[usize]) {
        self.held.left_out.fill(false);
        rows.iter().for_each(|&row| self.held.left_out[row] = true);
    }

    fn fits(&self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> bool {
        let own = &self.root.tree;
        let same = |tree: &Arc<Tree>| Arc::ptr_eq(tree, own) || tree == own;
        rows.rows() == self.held.count() && mass.tree().is_some_and(same)
    }

    fn rank(&mut self) -> usize {
        match &mut self.dense {
            Some(dense) => dense.rank(),
            None => self.held.left_out.iter().filter(|&&out| !out).count(),
        }
    }

    fn factor(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.root.mass.clear();
        self.root.mass.extend_from_slice(mass.values());
        self.held.take(rows);
        self.dense = None;
        if self.root.eliminate() && self.held.factor(&mut self.root) {
            return Ok(());
        }
        finite(Quantity::MassMatrix, mass.values())?;
        self.factor_densely(mass)
    }

    fn factor_any_rank(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        // Rows that are independent without doubt are so in any way.
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
        let [_, asked] = self.substitute((force, bias), (acceleration, multipliers));
        // Sums along a chain are added up in another order than M's: what is left of the equations is solved for once more.
        self.leave((force, bias), (acceleration, multipliers));
        let (left, mut correction) = (
            std::mem::take(&mut self.left),
            std::mem::take(&mut self.correction),
        );
        let [motion, more] = &mut correction;
        let [found, _] = self.substitute((&left[0], &left[1]), (motion, more));
        // In the metric of M.
        let is_small = found <= CLEAR * CLEAR * asked;
        add_scaled(acceleration, 1.0, motion);
        add_scaled(multipliers, 1.0, more);
        (self.left, self.correction) = (left, correction);
        if is_small && acceleration.iter().all(|it| it.is_finite()) {
            return Ok(());
        }
        finite(Quantity::Force, force)?;
        finite(Quantity::Bias, bias)?;
        finite(Quantity::Acceleration, acceleration)?;
        self.ask_dense()?;
        self.solve(force, bias, acceleration, multipliers)
    }

    fn project(&mut self, residual: &[f64], correction: &mut [f64]) -> f64 {
        if let Some(dense) = &mut self.dense {
            return dense.project(residual, correction);
        }
        self.held.y.fill(0.0);
        self.held.reach(residual);
        correction.copy_from_slice(&self.held.y);
        self.root.backward(correction);
        0.0
    }

    fn report(&mut self, reports: &mut [RowReport]) {
        match &mut self.dense {
            Some(dense) => dense.report(reports),
            None => reports.fill(RowReport::INDEPENDENT),
        }
    }
}
