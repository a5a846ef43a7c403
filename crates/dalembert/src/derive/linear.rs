//! Elimination in symbols: pivots are chosen by how simple they are, so that little is divided by what can vanish.

use super::algebra::Algebra;
use super::matrix::Matrix;
use dalembert_expr::normal::Outside;

/// What elimination found.
pub(super) struct Reduced {
    /// The rows after elimination: column `pivots[k].1` of row `pivots[k].0` is 1 and its only entry.
    pub(super) matrix: Matrix,
    /// Row and column of the pivots, in the order in which they were taken.
    pub(super) pivots: Vec<(usize, usize)>,
}

/// Gauss and Jordan's elimination on the first `columns` columns that `allowed` lets be pivots.
///
/// A pivot that is constant along the motion is taken before one that is not, a short one before a long one, and
/// among equals the one whose column `price` says to be cheaper.
pub(super) fn reduce(
    algebra: &Algebra,
    mut matrix: Matrix,
    columns: usize,
    price: &dyn Fn(usize) -> Option<u64>,
) -> Result<Reduced, Outside> {
    let mut open: Vec<usize> = (0..matrix.rows()).collect();
    let mut pivots = Vec::new();
    loop {
        let mut best: Option<(u64, u64, usize, usize)> = None;
        for (place, &row) in open.iter().enumerate() {
            for column in 0..columns {
                let entry = &matrix[(row, column)];
                let Some(price) = price(column).filter(|_| !entry.is_zero()) else {
                    continue;
                };
                let cost = (algebra.complexity(entry), price, place, column);
                if best.is_none_or(|best| cost < best) {
                    best = Some(cost);
                }
            }
        }
        let Some((_, _, place, column)) = best else {
            break;
        };
        let row = open.remove(place);
        let pivot = matrix[(row, column)].clone();
        let scaled = algebra.each(matrix.row(row), |field, entry| field.div(entry, &pivot))?;
        matrix.set_row(row, &scaled);
        for other in (0..matrix.rows()).filter(|&other| other != row) {
            let factor = matrix[(other, column)].clone();
            if factor.is_zero() {
                continue;
            }
            let mut changed = matrix.row(other).to_vec();
            for (entry, of_pivot) in changed.iter_mut().zip(&scaled) {
                if !of_pivot.is_zero() {
                    let part = algebra.field.mul(&factor, of_pivot)?;
                    *entry = algebra.field.sub(entry, &part)?;
                }
            }
            matrix.set_row(other, &changed);
        }
        pivots.push((row, column));
    }
    Ok(Reduced { matrix, pivots })
}

/// X of `matrix` X = `right`, or nothing if the matrix is singular everywhere.
pub(super) fn solve(
    algebra: &Algebra,
    matrix: &Matrix,
    right: &Matrix,
) -> Result<Option<Matrix>, Outside> {
    let (n, m) = (matrix.columns(), right.columns());
    let rows = (0..matrix.rows()).flat_map(|i| matrix.row(i).iter().chain(right.row(i)));
    let whole = Matrix::from_entries(matrix.rows(), n + m, rows.cloned().collect());
    let reduced = reduce(algebra, whole, n, &|_| Some(0))?;
    if reduced.pivots.len() < n {
        return Ok(None);
    }
    let mut solution = Matrix::zero(n, m);
    for &(row, column) in &reduced.pivots {
        for k in 0..m {
            solution[(column, k)] = reduced.matrix[(row, n + k)].clone();
        }
    }
    Ok(Some(solution))
}
