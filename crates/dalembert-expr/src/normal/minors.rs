//! Cramer's rule with determinants that never divide.
//!
//! Where sin² + cos² = 1, elimination leaves factors above and below the bar that cancel only with the
//! help of that relation, and a search for common divisors misses them. Minors never divide, so there is
//! nothing to cancel but what the result itself has.

use super::Outside;
use super::divisor::common_divisor;
use super::field::Field;
use super::linear::Matrix;
use super::polynomial::Polynomial;
use rustc_hash::FxHashMap;

impl Field {
    /// Cramer's rule; `None` if the determinant is zero.
    pub(super) fn solve_by_minors(
        &self,
        a: &Matrix,
        b: &Matrix,
    ) -> Result<Option<Matrix>, Outside> {
        let n = a.len();
        let mut solution: Matrix = vec![Vec::new(); n];
        for side in 0..b.first().map_or(0, Vec::len) {
            let augmented: Matrix = a
                .iter()
                .zip(b)
                .map(|(row, right)| [row.as_slice(), &right[side..=side]].concat())
                .collect();
            let rows = self.cleared(&augmented)?;
            let minors = self.minors(&rows)?;
            let all = (1_u32 << (n + 1)) - 1;
            let without = |column: usize| minors.get(&(all & !(1 << column)));
            let Some(determinant) = without(n).filter(|d| !d.is_zero()) else {
                return Ok(None);
            };
            for (column, values) in solution.iter_mut().enumerate() {
                let mut top = without(column).cloned().unwrap_or_default();
                // The right-hand side stands last instead of in the place of its column.
                if (n - 1 - column) % 2 == 1 {
                    top = top.negated();
                }
                values.push(self.fraction(top, determinant.clone())?);
            }
        }
        Ok(Some(solution))
    }

    /// Rows multiplied with their common denominators.
    fn cleared(&self, matrix: &Matrix) -> Result<Vec<Vec<Polynomial>>, Outside> {
        let work = &self.work;
        let mut rows = Vec::with_capacity(matrix.len());
        for row in matrix {
            // In the free ring, so that every denominator divides it there.
            let mut scale = Polynomial::one();
            for entry in row {
                let common = common_divisor(&scale, &entry.denominator, work)?;
                let rest = entry.denominator.exact_quotient(&common, work)?;
                scale = scale.times(&rest.ok_or(Outside::TooLarge)?, work)?;
            }
            let mut cleared = Vec::with_capacity(row.len());
            for entry in row {
                let rest = scale.exact_quotient(&entry.denominator, work)?;
                cleared.push(self.times(&entry.numerator, &rest.ok_or(Outside::TooLarge)?)?);
            }
            rows.push(cleared);
        }
        Ok(rows)
    }

    /// Determinants of the first k rows and any k columns, for k the number of rows: by sets of columns.
    fn minors(&self, rows: &[Vec<Polynomial>]) -> Result<FxHashMap<u32, Polynomial>, Outside> {
        let mut minors: FxHashMap<u32, Polynomial> = FxHashMap::default();
        minors.insert(0, Polynomial::one());
        for row in rows {
            let mut sets: Vec<u32> = minors.keys().copied().collect();
            sets.sort_unstable();
            let mut next: FxHashMap<u32, Polynomial> = FxHashMap::default();
            for set in sets {
                for (column, entry) in row.iter().enumerate() {
                    let bit = 1_u32 << column;
                    if set & bit != 0 || entry.is_zero() {
                        continue;
                    }
                    let product = self.times(&minors[&set], entry)?;
                    // One change of sign for each column of the set behind this one.
                    let behind = (set >> column).count_ones();
                    let sign = if behind % 2 == 0 { 1 } else { -1 };
                    let total = next.entry(set | bit).or_default();
                    *total = self.plus(total, &product, sign)?;
                }
            }
            next.retain(|_, minor| !minor.is_zero());
            minors = next;
        }
        Ok(minors)
    }
}
