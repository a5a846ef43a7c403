//! Systems of up to three equations in symbols: forces along the directions that a few coordinates leave.

use super::inertia::Partials;
use crate::elaborate::VectorAlgebra;
use dalembert_expr::{ExprId, Graph};

/// World axes along which some partial velocity has a component.
pub(super) fn moved_axes(zero: ExprId, partials: &Partials) -> [bool; 3] {
    std::array::from_fn(|axis| partials.iter().any(|(_, partial)| partial[axis] != zero))
}

/// x of a symmetric system of up to three equations, by cofactors.
pub(super) fn solve_symmetric(
    g: &mut Graph,
    matrix: &[Vec<ExprId>],
    right: &[ExprId],
) -> Vec<ExprId> {
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
