//! Linear algebra over a field: small square systems by minors, the rest by elimination with the
//! simplest pivots.

use super::Outside;
use super::field::{Field, Fraction};

/// Square systems up to this size are solved by minors.
const MAX_MINORS: usize = 7;

/// A matrix by rows.
pub type Matrix = Vec<Vec<Fraction>>;

/// A matrix brought to reduced echelon form by operations on its rows.
#[derive(Clone, Debug)]
pub struct Echelon {
    /// The rows; those from [`Self::pivots`]`.len()` on are zero in the columns of the matrix.
    pub rows: Matrix,
    /// The column of each row's pivot, which is 1 there and 0 in the other rows.
    pub pivots: Vec<usize>,
    /// What the rows were divided by, in order: the solution has no meaning where one of them is zero.
    pub divisors: Vec<Fraction>,
}

impl Field {
    /// Eliminates the first `columns` columns, the simplest pivots first; further columns are right-hand
    /// sides. `preferred` names columns to be eliminated before all others are considered, in order.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn echelon(
        &self,
        matrix: &Matrix,
        columns: usize,
        preferred: &[usize],
    ) -> Result<Echelon, Outside> {
        let mut rows = matrix.clone();
        let mut order: Vec<usize> = preferred.to_vec();
        order.extend((0..columns).filter(|column| !preferred.contains(column)));
        let mut pivots: Vec<usize> = Vec::new();
        let mut divisors = Vec::new();
        let mut places: Vec<usize> = (0..rows.len()).collect();
        while let Some((row, column)) = self.pivot(&rows, &pivots, &order, preferred.len())? {
            let at = pivots.len();
            rows.swap(at, row);
            places.swap(at, row);
            let pivot = rows[at][column].clone();
            for entry in &mut rows[at] {
                *entry = self.div(entry, &pivot)?;
            }
            divisors.push(pivot);
            let chosen = rows[at].clone();
            for (i, other) in rows.iter_mut().enumerate() {
                if i == at || other[column].is_zero() {
                    continue;
                }
                let factor = other[column].clone();
                for (entry, base) in other.iter_mut().zip(&chosen) {
                    if !base.is_zero() {
                        *entry = self.sub(entry, &self.mul(&factor, base)?)?;
                    }
                }
            }
            pivots.push(column);
        }
        if (2..=MAX_MINORS).contains(&pivots.len()) {
            let chosen = places
                .iter()
                .map(|&place| &matrix[place])
                .take(pivots.len());
            let other = self.echelon_by_minors(&chosen.collect::<Vec<_>>(), &pivots)?;
            let weight = |rows: &[Vec<Fraction>]| -> u64 {
                rows.iter().flatten().map(Fraction::weight).sum()
            };
            let solved = &mut rows[..pivots.len()];
            if let Some(other) = other.filter(|other| weight(other) < weight(solved)) {
                solved.clone_from_slice(&other);
            }
        }
        Ok(Echelon {
            rows,
            pivots,
            divisors,
        })
    }

    /// The rows of the echelon form from the rows they are made of: B⁻¹ R, B being the pivots' columns.
    fn echelon_by_minors(
        &self,
        rows: &[&Vec<Fraction>],
        pivots: &[usize],
    ) -> Result<Option<Matrix>, Outside> {
        let block = |row: &&Vec<Fraction>| pivots.iter().map(|&c| row[c].clone()).collect();
        let block: Matrix = rows.iter().map(block).collect();
        let all: Matrix = rows.iter().map(|&row| row.clone()).collect();
        self.solve_by_minors(&block, &all)
    }

    /// The simplest entry of the rows that have no pivot yet, preferred columns in order first.
    fn pivot(
        &self,
        rows: &Matrix,
        pivots: &[usize],
        order: &[usize],
        preferred: usize,
    ) -> Result<Option<(usize, usize)>, Outside> {
        let mut best: Option<(u64, usize, usize)> = None;
        for (rank, &column) in order.iter().enumerate() {
            if pivots.contains(&column) {
                continue;
            }
            for (row, entries) in rows.iter().enumerate().skip(pivots.len()) {
                let entry = &entries[column];
                if entry.is_zero() || self.is_zero(entry)? {
                    continue;
                }
                // Few terms, and few other rows to change.
                let others = rows.iter().filter(|row| !row[column].is_zero()).count() as u64;
                let cost = match entry.as_number() {
                    Some(_) => others,
                    None => entry.weight() * 16 + others,
                };
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, row, column));
                }
            }
            if rank < preferred && best.is_some() {
                break;
            }
        }
        Ok(best.map(|(_, row, column)| (row, column)))
    }

    /// Solves A x = b for each column of b; `None` if A has not full column rank or b does not fit.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn solve(&self, a: &Matrix, b: &Matrix) -> Result<Option<Matrix>, Outside> {
        let columns = a.first().map_or(0, Vec::len);
        if a.len() == columns && (1..=MAX_MINORS).contains(&columns) {
            return self.solve_by_minors(a, b);
        }
        let augmented: Matrix = a
            .iter()
            .zip(b)
            .map(|(row, right)| [row.as_slice(), right.as_slice()].concat())
            .collect();
        let echelon = self.echelon(&augmented, columns, &[])?;
        if echelon.pivots.len() < columns {
            return Ok(None);
        }
        for row in &echelon.rows[columns..] {
            for entry in &row[columns..] {
                if !self.is_zero(entry)? {
                    return Ok(None);
                }
            }
        }
        let mut solution: Matrix = vec![Vec::new(); columns];
        for (row, &column) in echelon.rows.into_iter().zip(&echelon.pivots) {
            solution[column] = row.into_iter().skip(columns).collect();
        }
        Ok(Some(solution))
    }

    /// A basis of the vectors x with A x = 0, one for each column that is free; each has 1 at its own
    /// free column and 0 at the others. `dependent` columns are solved for first.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn nullspace(&self, a: &Matrix, dependent: &[usize]) -> Result<Matrix, Outside> {
        let columns = a.first().map_or(0, Vec::len);
        let echelon = self.echelon(a, columns, dependent)?;
        let free = (0..columns).filter(|column| !echelon.pivots.contains(column));
        let vector = |column: usize| {
            let mut vector = vec![Fraction::zero(); columns];
            vector[column] = Fraction::one();
            for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
                vector[pivot] = self.neg(&row[column]);
            }
            vector
        };
        Ok(free.map(vector).collect())
    }
}
