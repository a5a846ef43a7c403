//! Elimination in symbols: pivots are chosen by how simple they are, so that little is divided by what can vanish. None is
//! zero at all states that meet the rows, and none at the start where that can be avoided, as far as a [`Judge`] can tell.

use crate::matrix::Matrix;
use dalembert_expr::normal::{Field, Fraction, Outside};

/// Who knows what may be divided by.
pub trait Judge {
    /// The field of the entries.
    fn field(&self) -> &Field;
    /// How hard it is to divide by an entry.
    fn complexity(&self, entry: &Fraction) -> u64;
    /// Whether an entry is zero wherever the system moves.
    fn vanishes(&self, entry: &Fraction) -> bool;
    /// Whether an entry is zero at the start.
    fn vanishes_at_start(&self, entry: &Fraction) -> bool;
}

/// What elimination found.
pub struct Reduced {
    /// The rows after elimination: column `pivots[k].1` of row `pivots[k].0` is 1 and its only entry. Rows without a pivot
    /// vanish in all columns that may have one, though perhaps not by arithmetic.
    pub matrix: Matrix,
    /// Row and column of the pivots, in the order in which they were taken.
    pub pivots: Vec<(usize, usize)>,
}

impl Reduced {
    /// Those of the first `columns` columns that have no pivot.
    #[must_use]
    pub fn free_columns(&self, columns: usize) -> Vec<usize> {
        let is_free = |column: &usize| self.pivots.iter().all(|(_, pivot)| pivot != column);
        (0..columns).filter(is_free).collect()
    }

    /// Vectors that the eliminated rows take to zero, as columns, one for each free column: 1 there and 0 at the others.
    #[must_use]
    pub fn null_space(&self, field: &Field, free: &[usize], columns: usize) -> Matrix {
        let mut space = Matrix::zero(columns, free.len());
        for (place, &k) in free.iter().enumerate() {
            space.set((k, place), Fraction::one());
            for &(row, column) in &self.pivots {
                space.set((column, place), field.neg(&self.matrix[(row, k)]));
            }
        }
        space
    }
}

/// Which pivots are taken.
pub struct Pivots<'a> {
    /// What the pivot of a column costs, after how simple it is; nothing for columns that get none.
    pub price: &'a dyn Fn(usize) -> Option<u64>,
    /// Whether a pivot is taken at all.
    pub accept: &'a dyn Fn(&Fraction) -> bool,
    /// Whether those that are zero at the start are taken last: another choice has other divisors.
    pub not_at_start: bool,
    /// How many are taken at most.
    pub most: usize,
}

/// Gauss and Jordan's elimination on the first `columns` columns that have a `price`.
///
/// A pivot that is constant along the motion is taken before one that is not, a short one before a long one, and
/// among equals the one whose column is cheaper.
pub fn reduce(
    judge: &impl Judge,
    matrix: Matrix,
    columns: usize,
    price: &dyn Fn(usize) -> Option<u64>,
) -> Result<Reduced, Outside> {
    let pivots = Pivots {
        price,
        accept: &|_| true,
        not_at_start: true,
        most: usize::MAX,
    };
    reduce_by(judge, matrix, columns, &pivots)
}

/// The same with some pivots only.
pub fn reduce_by(
    judge: &impl Judge,
    mut matrix: Matrix,
    columns: usize,
    choice: &Pivots<'_>,
) -> Result<Reduced, Outside> {
    let mut open: Vec<usize> = (0..matrix.rows()).collect();
    let mut pivots = Vec::new();
    while pivots.len() < choice.most {
        let mut possible: Vec<(u64, u64, usize, usize)> = Vec::new();
        for (place, &row) in open.iter().enumerate() {
            for (&column, entry) in matrix.row(row).range(..columns) {
                let price = (choice.price)(column);
                if let Some(price) = price.filter(|_| (choice.accept)(entry)) {
                    possible.push((judge.complexity(entry), price, place, column));
                }
            }
        }
        possible.sort_unstable();
        let (mut best, mut switched) = (None, false);
        for (_, _, place, column) in possible {
            let entry = &matrix[(open[place], column)];
            if judge.vanishes(entry) {
                continue;
            }
            // What a condition switches off is zero in whole regions, of which no state that is known need be one.
            if judge.field().may_switch_off(entry) {
                switched = true;
                continue;
            }
            if !choice.not_at_start || !judge.vanishes_at_start(entry) {
                best = Some((place, column));
                break;
            }
            best = best.or(Some((place, column)));
        }
        let Some((place, column)) = best else {
            if switched {
                return Err(Outside::Undefined);
            }
            break;
        };
        let row = open.remove(place);
        let pivot = matrix[(row, column)].clone();
        let mut scaled = matrix.row(row).clone();
        for entry in scaled.values_mut() {
            *entry = judge.field().div(entry, &pivot)?;
        }
        for other in (0..matrix.rows()).filter(|&other| other != row) {
            let Some(factor) = matrix.row(other).get(&column).cloned() else {
                continue;
            };
            let mut changed = matrix.row(other).clone();
            for (&k, of_pivot) in &scaled {
                let part = judge.field().mul(&factor, of_pivot)?;
                let entry = changed.entry(k).or_insert_with(Fraction::zero);
                *entry = judge.field().sub(entry, &part)?;
            }
            matrix.set_row(other, changed);
        }
        matrix.set_row(row, scaled);
        pivots.push((row, column));
    }
    Ok(Reduced { matrix, pivots })
}

/// X of `matrix` X = `right`, or nothing if the matrix is singular everywhere.
pub fn solve(
    judge: &impl Judge,
    matrix: &Matrix,
    right: &Matrix,
) -> Result<Option<Matrix>, Outside> {
    let (n, m) = (matrix.columns(), right.columns());
    let whole = matrix.clone().beside(right);
    // The solution is one and the same by whatever pivots.
    let choice = Pivots {
        price: &|_| Some(0),
        accept: &|_| true,
        not_at_start: false,
        most: n,
    };
    let reduced = reduce_by(judge, whole, n, &choice)?;
    if reduced.pivots.len() < n {
        return Ok(None);
    }
    let mut solution = Matrix::zero(n, m);
    for &(row, column) in &reduced.pivots {
        let found = reduced.matrix.row(row).range(n..);
        let found = found.map(|(k, entry)| (k - n, entry.clone()));
        solution.set_row(column, found.collect());
    }
    Ok(Some(solution))
}
