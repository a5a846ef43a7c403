//! The normal force of a contact: what the reaction of a row is on the point that slides.

use super::Lowering;
use super::inertia::Partials;
use crate::elaborate::{Vector, VectorAlgebra};
use dalembert_expr::{ExprId, Graph, SymbolKind};
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// f of a row: the force on the sliding point that a multiplier one stands for.
    pub(super) fn contact_force(&mut self, row: usize, partials: &Partials) -> Vector {
        let slopes: BTreeMap<usize, ExprId> = self.rows[row].jacobian.iter().copied().collect();
        let g = &mut self.scope.graph;
        let zero = g.integer(0);
        let slope = |i: &usize| slopes.get(i).copied().unwrap_or(zero);
        let axes = moved_axes(g, partials);
        if partials.len() < axes.len() {
            // J (Jᵀ J)⁻¹ Aᵀ
            let n = partials.len();
            let mut matrix = vec![vec![zero; n]; n];
            for (i, &(_, a)) in partials.iter().enumerate() {
                for (j, &(_, b)) in partials.iter().enumerate() {
                    matrix[i][j] = g.dot3(a, b);
                }
            }
            let right: Vec<ExprId> = partials.iter().map(|(i, _)| slope(i)).collect();
            let factors = solve_small(g, &matrix, &right);
            let mut force = g.zero3();
            for (&(_, partial), factor) in partials.iter().zip(factors) {
                let part = g.scale3(factor, partial);
                force = g.add3(force, part);
            }
            return force;
        }
        // (J Jᵀ)⁻¹ J Aᵀ, along the axes that the point can move along
        let mut matrix = vec![vec![zero; axes.len()]; axes.len()];
        let mut right = vec![zero; axes.len()];
        for (i, partial) in partials {
            for (r, &a) in axes.iter().enumerate() {
                for (c, &b) in axes.iter().enumerate() {
                    let term = g.mul(partial[a], partial[b]);
                    matrix[r][c] = g.add(matrix[r][c], term);
                }
                let term = g.mul(partial[a], slope(i));
                right[r] = g.add(right[r], term);
            }
        }
        let components = solve_small(g, &matrix, &right);
        let mut force = g.zero3();
        for (&axis, component) in axes.iter().zip(components) {
            force[axis] = component;
        }
        force
    }

    /// Jᵀ f − Aᵀ where it does not vanish by itself.
    pub(super) fn misfit(
        &mut self,
        row: usize,
        force: Vector,
        partials: &Partials,
    ) -> Vec<(usize, ExprId)> {
        let g = &mut self.scope.graph;
        let mut left: BTreeMap<usize, ExprId> = BTreeMap::new();
        for &(i, partial) in partials {
            left.insert(i, g.dot3(partial, force));
        }
        for &(i, slope) in &self.rows[row].jacobian {
            let before = left.get(&i).copied().unwrap_or_else(|| g.integer(0));
            left.insert(i, g.sub(before, slope));
        }
        let zero = g.integer(0);
        let left = left.into_values().filter(|&it| it != zero);
        left.map(|it| (row, it)).collect()
    }

    /// |Σ f λ|.
    pub(super) fn normal_force(&mut self, normals: &[(usize, Vector)]) -> ExprId {
        let names: Vec<String> = normals
            .iter()
            .map(|&(row, _)| self.rows[row].name.clone())
            .collect();
        let g = self.graph();
        let mut total = g.zero3();
        let mut lambdas = Vec::new();
        for (name, &(_, force)) in names.iter().zip(normals) {
            let lambda = g.symbol(name, SymbolKind::Multiplier);
            let part = g.scale3(lambda, force);
            total = g.add3(total, part);
            lambdas.push(lambda);
        }
        if let (&[lambda], &[(_, force)]) = (lambdas.as_slice(), normals) {
            // |λ| |f|, which has a derivative on either side of zero.
            let (size, length) = (g.abs(lambda), norm(g, force));
            return g.mul(size, length);
        }
        norm(g, total)
    }
}

/// |v|.
pub(super) fn norm(g: &mut Graph, vector: Vector) -> ExprId {
    let square = g.dot3(vector, vector);
    g.sqrt(square)
}

/// World axes along which some partial velocity has a component.
fn moved_axes(g: &mut Graph, partials: &Partials) -> Vec<usize> {
    let zero = g.integer(0);
    let moved = |&axis: &usize| partials.iter().any(|(_, partial)| partial[axis] != zero);
    (0..3).filter(moved).collect()
}

/// x of a symmetric system of up to three equations, by cofactors.
fn solve_small(g: &mut Graph, matrix: &[Vec<ExprId>], right: &[ExprId]) -> Vec<ExprId> {
    let minor = |g: &mut Graph, [a, b]: [usize; 2], [c, d]: [usize; 2]| {
        let (down, up) = (
            g.mul(matrix[a][c], matrix[b][d]),
            g.mul(matrix[a][d], matrix[b][c]),
        );
        g.sub(down, up)
    };
    match right.len() {
        0 => Vec::new(),
        1 => vec![g.div(right[0], matrix[0][0])],
        2 => {
            let determinant = minor(g, [0, 1], [0, 1]);
            let row = |g: &mut Graph, own: usize| {
                let other = 1 - own;
                let plus = g.mul(right[own], matrix[other][other]);
                let minus = g.mul(right[other], matrix[own][other]);
                let over = g.sub(plus, minus);
                g.div(over, determinant)
            };
            vec![row(g, 0), row(g, 1)]
        }
        _ => {
            let others = |i: usize| [(i + 1) % 3, (i + 2) % 3];
            let mut cofactors = [[right[0]; 3]; 3];
            for (i, row) in cofactors.iter_mut().enumerate() {
                for (j, cofactor) in row.iter_mut().enumerate() {
                    *cofactor = minor(g, others(i), others(j));
                }
            }
            let first: [ExprId; 3] = std::array::from_fn(|j| matrix[0][j]);
            let determinant = g.dot3(first, cofactors[0]);
            let right: [ExprId; 3] = std::array::from_fn(|i| right[i]);
            // The matrix is symmetric, and so are its cofactors.
            let over = cofactors.map(|row| g.dot3(row, right));
            over.map(|over| g.div(over, determinant)).to_vec()
        }
    }
}
