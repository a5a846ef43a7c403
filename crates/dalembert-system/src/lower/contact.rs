//! The normal force of a contact: what the reaction of a row is on the point that slides.

use super::Lowering;
use super::inertia::Partials;
use super::small_systems::{moved_axes, solve_symmetric};
use crate::elaborate::{Vector, VectorAlgebra};
use crate::lower::RowId;
use dalembert_expr::{ExprId, Graph, SymbolKind};
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// f of a row: the force on the sliding point that a multiplier one stands for.
    pub(super) fn contact_force(&mut self, row: RowId, partials: &Partials) -> Vector {
        let slopes: BTreeMap<usize, ExprId> = self.rows[row].jacobian.iter().copied().collect();
        let g = &mut self.scope.graph;
        let zero = g.integer(0);
        let slope = |i: &usize| slopes.get(i).copied().unwrap_or(zero);
        let moved = moved_axes(zero, partials);
        let axes: Vec<usize> = (0..3).filter(|&axis| moved[axis]).collect();
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
            let factors = solve_symmetric(g, &matrix, &right);
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
        let components = solve_symmetric(g, &matrix, &right);
        let mut force = g.zero3();
        for (&axis, component) in axes.iter().zip(components) {
            force[axis] = component;
        }
        force
    }

    /// Jᵀ f − Aᵀ where it does not vanish by itself.
    pub(super) fn misfit(
        &mut self,
        row: RowId,
        force: Vector,
        partials: &Partials,
    ) -> Vec<(RowId, ExprId)> {
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
    pub(super) fn normal_force(&mut self, normals: &[(RowId, Vector)]) -> ExprId {
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
