//! Which components of a row's force mechanics determines, however the row is written.
//!
//! The words of a row say *between whom* it acts: the particles and bodies it speaks of, or that its coordinates
//! move, and the ground. How large their forces g are is a matter of mechanics alone:
//!
//! ```text
//! Jᵀ g = Aᵀ                          virtual work, for all displacements that the coordinates allow
//! Σ f = 0,  Σ (r × f + m) = 0        action and reaction, if the ground takes no part
//! ```
//!
//! The ground takes no part in a row that does not change when all that it speaks of is displaced as one rigid body.
//! A component that these equations leave open is not determined: where the coordinates hold a body already, a
//! force of the row and one of what holds it cannot be told apart, and `dot(pos(P), B.ey)` and
//! `dot(pos(P) - pos(B), B.ey)` are one row if the centre of B cannot move.

use super::Lowering;
use super::distribute::{Block, Shares};
use super::states::Values;
use crate::elaborate::{Target, VectorAlgebra};
use dalembert_expr::ExprId;
use dalembert_linear::decide::{CANCELLED, CLEAR, RANK};
use dalembert_linear::{CompleteOrthogonal, Matrix, balance, unit_rows};
use std::collections::BTreeSet;

/// A component of the force (or moment) on a target.
#[derive(Clone, Copy)]
struct Component {
    block: Block,
    axis: usize,
}

impl Lowering<'_> {
    /// Opens the components of forces that are not determined; an error where none is. `raw`: something is said in
    /// coordinates, so that the ground may take part.
    pub(super) fn open_undetermined(
        &mut self,
        raw: bool,
        shares: &mut Shares,
    ) -> Result<(), String> {
        let targets: BTreeSet<Target> = shares.keys().map(|block| block.target).collect();
        let (components, _) = self.components_of(&targets);
        let (unknown, zero) = (self.open_force(), self.graph().zero3());
        self.open_across_the_plane(shares);
        let coordinates = self.coordinates_of(&targets);
        let places = self.states_anywhere();
        let mut open = self.open_at(&places, &components, &coordinates, None);
        if open.contains(&true) && !raw {
            let places = self.states_on_rows(&coordinates);
            if self.is_balanced(&places, &targets, shares) {
                open = self.open_at(&places, &components, &coordinates, Some(&targets));
            }
        }
        if !open.is_empty() && !open.contains(&false) {
            let names = targets
                .iter()
                .map(|it| format!("`{}`", it.name(self.model)));
            let names: Vec<String> = names.collect();
            return Err(format!(
                "its coordinates hold {} already, and other forces and moments there would do the same virtual work: \
                 give what is held coordinates of its own",
                names.join(", ")
            ));
        }
        for (component, _) in components.iter().zip(&open).filter(|(_, open)| **open) {
            shares.entry(component.block).or_insert(zero)[component.axis] = unknown;
        }
        Ok(())
    }

    /// Across the plane of a plane model there are no forces: what words say of them is not determined.
    pub(super) fn open_across_the_plane(&mut self, shares: &mut Shares) {
        let targets = shares.keys().map(|block| block.target).collect();
        let (_, across) = self.components_of(&targets);
        let (zero, unknown) = (self.graph().integer(0), self.open_force());
        replace(&across, [zero, unknown], shares);
    }

    /// Opens all components that words speak of.
    pub(super) fn open_all(&mut self, shares: &mut Shares) {
        let (zero, unknown) = (self.graph().integer(0), self.open_force());
        let parts = shares.values_mut().flatten();
        parts.filter(|it| **it != zero).for_each(|it| *it = unknown);
    }

    /// Components of forces on some targets: those there may be, and those across the plane (or line) of the model.
    fn components_of(&mut self, targets: &BTreeSet<Target>) -> (Vec<Component>, Vec<Component>) {
        let movers = self.take_movers();
        let [moves, turns] = movers.axes;
        self.movers = Some(movers);
        let any = |turning: bool, axis: usize| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            match turning {
                false => moves[axis] || turns[next] || turns[last],
                true => turns[axis] || moves[next] && moves[last],
            }
        };
        let blocks = targets.iter().flat_map(|&target| {
            let turning = matches!(target, Target::Body(_)).then_some(true);
            let kinds = std::iter::once(false).chain(turning);
            kinds.map(move |turning| Block { target, turning })
        });
        blocks
            .flat_map(|block| (0..3).map(move |axis| Component { block, axis }))
            .partition(|it| any(it.block.turning, it.axis))
    }

    /// Leaves out what is across the plane of a plane model.
    pub(super) fn drop_across_the_plane(&mut self, shares: &mut Shares) {
        let targets = shares.keys().map(|block| block.target).collect();
        let (_, across) = self.components_of(&targets);
        let zero = self.graph().integer(0);
        replace(&across, [zero, zero], shares);
    }

    /// Coordinates that move some targets.
    fn coordinates_of(&mut self, targets: &BTreeSet<Target>) -> BTreeSet<usize> {
        let movers = self.take_movers();
        let mut found = BTreeSet::new();
        for &target in targets {
            for turning in [false, true] {
                let partials = movers.partials.get(&Block { target, turning });
                found.extend(partials.into_iter().flatten().map(|&(i, _)| i));
            }
        }
        self.movers = Some(movers);
        found
    }

    /// Which components some state leaves open: those in the null space of Jᵀ, and of action and reaction.
    fn open_at(
        &mut self,
        places: &[Values],
        components: &[Component],
        coordinates: &BTreeSet<usize>,
        balanced: Option<&BTreeSet<Target>>,
    ) -> Vec<bool> {
        let n = components.len();
        let mut rows: Vec<ExprId> = Vec::new();
        let movers = self.take_movers();
        let zero = self.graph().integer(0);
        for i in coordinates {
            rows.extend(components.iter().map(|it| {
                let partials = movers.partials.get(&it.block);
                let own = partials.and_then(|all| all.iter().find(|(j, _)| j == i));
                own.map_or(zero, |(_, partial)| partial[it.axis])
            }));
        }
        self.movers = Some(movers);
        if let Some(targets) = balanced {
            for axis in 0..3 {
                rows.extend(self.sum_along(axis, components));
                rows.extend(self.moment_about(axis, components, targets));
            }
        }
        let mut open = vec![places.is_empty(); n];
        for state in places {
            let values = self.values_at(state, &rows);
            for (open, found) in open.iter_mut().zip(null_components(values, n)) {
                *open |= found;
            }
        }
        open
    }

    /// Coefficients of Σ f along an axis.
    fn sum_along(&mut self, axis: usize, components: &[Component]) -> Vec<ExprId> {
        let [zero, one] = [0, 1].map(|n| self.graph().integer(n));
        let along = |it: &Component| !it.block.turning && it.axis == axis;
        let one = |it: &Component| if along(it) { one } else { zero };
        components.iter().map(one).collect()
    }

    /// Coefficients of Σ (r × f + m) about an axis.
    fn moment_about(
        &mut self,
        axis: usize,
        components: &[Component],
        targets: &BTreeSet<Target>,
    ) -> Vec<ExprId> {
        let [zero, one] = [0, 1].map(|n| self.graph().integer(n));
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut found = Vec::new();
        for it in components {
            let position = targets.get(&it.block.target);
            let position = position.and_then(|&target| self.center(target));
            let position = position.map(|motion| motion.position);
            let coefficient = match (it.block.turning, position) {
                (true, _) if it.axis == axis => one,
                (false, Some(r)) if it.axis == last => r[next],
                (false, Some(r)) if it.axis == next => self.graph().neg(r[last]),
                _ => zero,
            };
            found.push(coefficient);
        }
        found
    }

    /// Whether forces and moments are in balance among themselves: then the ground takes no part.
    fn is_balanced(
        &mut self,
        places: &[Values],
        targets: &BTreeSet<Target>,
        shares: &Shares,
    ) -> bool {
        let zero = self.graph().zero3();
        // Six sums of three terms for each target.
        let mut terms: Vec<ExprId> = Vec::new();
        for &target in targets {
            let Some(r) = self.center(target).map(|motion| motion.position) else {
                return false;
            };
            let share = |turning| shares.get(&Block { target, turning }).copied();
            let (force, moment) = (share(false).unwrap_or(zero), share(true).unwrap_or(zero));
            let g = self.graph();
            for axis in 0..3 {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                let (plus, minus) = (g.mul(r[next], force[last]), g.mul(r[last], force[next]));
                terms.extend([force[axis], moment[axis], plus, g.neg(minus)]);
            }
        }
        let balanced = |state: &Values| {
            let values = self.values_at(state, &terms);
            let mut sums = [[0.0_f64; 2]; 6];
            for (place, term) in values.chunks_exact(4).enumerate() {
                let axis = place % 3;
                let parts = [(axis, &term[..1]), (axis + 3, &term[1..])];
                for (sum, terms) in parts {
                    sums[sum][0] += terms.iter().sum::<f64>();
                    sums[sum][1] += terms.iter().map(|term| term.abs()).sum::<f64>();
                }
            }
            // Beside the largest of its kind, for a component may be made of rounding alone.
            [0, 3].into_iter().all(|kind| {
                let own = &sums[kind..kind + 3];
                let size = own.iter().fold(0.0, |size, sum| sum[1].max(size));
                own.iter().all(|sum| sum[0].abs() <= CANCELLED * size)
            })
        };
        !places.is_empty() && places.iter().all(balanced)
    }
}

/// Puts a value in the place of components that are not zero.
fn replace(components: &[Component], [zero, value]: [ExprId; 2], shares: &mut Shares) {
    for component in components {
        let share = shares.get_mut(&component.block);
        let share = share.map(|share| &mut share[component.axis]);
        if let Some(share) = share.filter(|share| **share != zero) {
            *share = value;
        }
    }
}

/// Which of n unknowns are open in homogeneous equations: those with a part in the null space. Rows and columns
/// are scaled first, so that units do not matter.
fn null_components(mut matrix: Vec<f64>, n: usize) -> Vec<bool> {
    if n == 0 {
        return Vec::new();
    }
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return vec![true; n];
    }
    let (_, columns) = balance(&Matrix::full(matrix.len() / n, n, &matrix));
    unit_rows(&mut matrix, &columns);
    let mut solver = CompleteOrthogonal::new(matrix.len() / n, n);
    solver.factor(&matrix, RANK);
    let mut open = vec![false; n];
    let mut vector = vec![0.0; n];
    for k in 0..n - solver.rank() {
        solver.null_vector(k, &mut vector);
        for (open, part) in open.iter_mut().zip(&vector) {
            *open |= part.abs() > CLEAR;
        }
    }
    open
}
