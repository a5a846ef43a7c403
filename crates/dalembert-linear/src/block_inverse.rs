//! The inverse of a square matrix that falls apart into small blocks: a unit quaternion and its rates, a turned velocity.

use crate::decide::SOLVED;
use crate::{Groups, Pattern};

/// Rows that a block has at most.
const LARGEST: usize = 8;

/// Which rows and columns belong together, and the inverse of each block at one state after the other.
#[derive(Clone, Debug)]
pub struct BlockInverse {
    /// How many rows each block has, blocks of one size in a row.
    sizes: Vec<u8>,
    /// Rows and columns of all blocks.
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// Where each entry is among the numbers of all blocks.
    places: Vec<u32>,
    /// Blocks row by row, and their inverses.
    numbers: Vec<f64>,
    inverses: Vec<f64>,
}

impl BlockInverse {
    /// For matrices of a pattern; `None` if it does not fall apart into small square blocks.
    #[must_use]
    pub fn of(pattern: &Pattern) -> Option<Self> {
        let n = pattern.rows();
        if pattern.is_full() || pattern.columns() != n {
            return None;
        }
        let mut groups = Groups::new(n);
        for row in 0..n {
            groups.join(pattern.columns_of(row));
        }
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n];
        for index in 0..n {
            columns[groups.of(index)].push(index as u32);
            let first = pattern.columns_of(index).next()?;
            rows[groups.of(first)].push(index as u32);
        }
        let whole = |(rows, columns): (&Vec<u32>, &Vec<u32>)| {
            rows.len() == columns.len() && rows.len() <= LARGEST
        };
        if !rows.iter().zip(&columns).all(whole) {
            return None;
        }
        let mut found = Self {
            sizes: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            places: vec![0; pattern.size()],
            numbers: Vec::new(),
            inverses: Vec::new(),
        };
        let mut start = 0;
        for (rows, columns) in rows
            .iter()
            .zip(&columns)
            .filter(|(rows, _)| !rows.is_empty())
        {
            let size = rows.len();
            for (i, &row) in rows.iter().enumerate() {
                let row = row as usize;
                for (column, place) in pattern.columns_of(row).zip(pattern.row(row)) {
                    let j = columns.binary_search(&(column as u32)).ok()?;
                    found.places[place] = (start + i * size + j) as u32;
                }
            }
            found.sizes.push(size as u8);
            found.rows.extend(rows);
            found.columns.extend(columns);
            start += size * size;
        }
        found.numbers = vec![0.0; start];
        found.inverses = vec![0.0; start];
        Some(found)
    }

    /// Takes the numbers of a matrix as its pattern stores them; `false` if a block is singular, or not finite.
    pub fn factor(&mut self, values: &[f64]) -> bool {
        for (&place, value) in self.places.iter().zip(values) {
            self.numbers[place as usize] = *value;
        }
        let mut start = 0;
        for &size in &self.sizes {
            let end = start + usize::from(size).pow(2);
            let (block, inverse) = (&self.numbers[start..end], &mut self.inverses[start..end]);
            let regular = match size {
                1 => invert::<1>(block, inverse),
                2 => invert::<2>(block, inverse),
                3 => invert::<3>(block, inverse),
                4 => invert::<4>(block, inverse),
                5 => invert::<5>(block, inverse),
                6 => invert::<6>(block, inverse),
                7 => invert::<7>(block, inverse),
                _ => invert::<LARGEST>(block, inverse),
            };
            if !regular {
                return false;
            }
            start = end;
        }
        true
    }

    /// x ← the solution for the right side x.
    pub fn solve(&self, x: &mut [f64], room: &mut [f64]) {
        self.apply(x, room, (&self.rows, &self.columns), false);
    }

    /// x ← that of the transposed matrix.
    pub fn solve_transposed(&self, x: &mut [f64], room: &mut [f64]) {
        self.apply(x, room, (&self.columns, &self.rows), true);
    }

    /// From right sides in the order `from` to solutions in the order `to`; each solution is refined once.
    fn apply(&self, x: &mut [f64], room: &mut [f64], (from, to): (&[u32], &[u32]), turned: bool) {
        room.copy_from_slice(x);
        let (mut start, mut first) = (0, 0);
        for &size in &self.sizes {
            let size = usize::from(size);
            let end = start + size * size;
            let (block, inverse) = (&self.numbers[start..end], &self.inverses[start..end]);
            let times = |matrix: &[f64], by: &[f64; LARGEST]| {
                let mut product = [0.0; LARGEST];
                for (i, row) in matrix.chunks_exact(size).enumerate() {
                    for (j, entry) in row.iter().enumerate() {
                        match turned {
                            false => product[i] += entry * by[j],
                            true => product[j] += entry * by[i],
                        }
                    }
                }
                product
            };
            let mut right = [0.0; LARGEST];
            for (value, &place) in right.iter_mut().zip(&from[first..first + size]) {
                *value = room[place as usize];
            }
            let mut found = times(inverse, &right);
            let met = times(block, &found);
            for (value, met) in right.iter_mut().zip(met) {
                *value -= met;
            }
            let missing = times(inverse, &right);
            for ((value, missing), &place) in
                found.iter_mut().zip(missing).zip(&to[first..first + size])
            {
                x[place as usize] = *value + missing;
            }
            (start, first) = (end, first + size);
        }
    }
}

/// Gauss and Jordan with pivots from each column; `false` where one is rounding beside the largest entry.
fn invert<const N: usize>(block: &[f64], inverse: &mut [f64]) -> bool {
    let mut left = [[0.0; N]; N];
    let mut right = [[0.0; N]; N];
    for (i, (row, entries)) in left.iter_mut().zip(block.as_chunks::<N>().0).enumerate() {
        *row = *entries;
        right[i][i] = 1.0;
    }
    let largest = block.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    for k in 0..N {
        let mut best = k;
        for i in k + 1..N {
            if left[i][k].abs() > left[best][k].abs() {
                best = i;
            }
        }
        let pivot = left[best][k];
        if !(pivot.abs() > SOLVED * largest && pivot.is_finite()) {
            return false;
        }
        left.swap(k, best);
        right.swap(k, best);
        let factor = 1.0 / pivot;
        left[k].iter_mut().for_each(|entry| *entry *= factor);
        right[k].iter_mut().for_each(|entry| *entry *= factor);
        let (own, beside) = (left[k], right[k]);
        for i in 0..N {
            let factor = left[i][k];
            if i != k && factor != 0.0 {
                for j in 0..N {
                    left[i][j] -= factor * own[j];
                    right[i][j] -= factor * beside[j];
                }
            }
        }
    }
    inverse.copy_from_slice(right.as_flattened());
    inverse.iter().all(|entry| entry.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two blocks whose rows and columns lie among each other.
    #[test]
    fn solutions_meet_the_matrix_and_the_transposed_one() {
        let lists = [
            vec![0, 3],
            vec![1, 2, 4],
            vec![0, 3],
            vec![2, 4],
            vec![1, 4],
        ];
        let pattern = Pattern::compressed(5, &lists);
        let mut rng = fastrand::Rng::with_seed(5);
        let values: Vec<f64> = (0..pattern.size()).map(|_| rng.f64() - 0.5).collect();
        let matrix = pattern.matrix(&values);
        let mut inverse = BlockInverse::of(&pattern).expect("small blocks");
        assert!(inverse.factor(&values));
        let right: Vec<f64> = (0..5).map(|_| rng.f64()).collect();
        let mut room = vec![0.0; 5];
        let mut x = right.clone();
        inverse.solve(&mut x, &mut room);
        for (row, r) in right.iter().enumerate() {
            assert!((matrix.along(row, &x) - r).abs() < 1e-13);
        }
        let mut x = right.clone();
        inverse.solve_transposed(&mut x, &mut room);
        let mut product = vec![0.0; 5];
        matrix.add_transposed(&x, &mut product);
        for (found, r) in product.iter().zip(&right) {
            assert!((found - r).abs() < 1e-13);
        }
    }

    #[test]
    fn what_is_singular_or_in_one_piece_is_refused() {
        let pattern = Pattern::compressed(3, &[vec![0, 1], vec![0, 1], vec![2]]);
        let mut inverse = BlockInverse::of(&pattern).expect("small blocks");
        assert!(!inverse.factor(&[1.0, 2.0, 2.0, 4.0, 1.0]));
        assert!(!inverse.factor(&[1.0, f64::NAN, 2.0, 4.0, 1.0]));
        assert!(inverse.factor(&[1.0, 2.0, 2.0, 5.0, 1.0]));
        let tied: Vec<Vec<usize>> = (0..20).map(|i| vec![i, (i + 1) % 20]).collect();
        assert!(BlockInverse::of(&Pattern::compressed(20, &tied)).is_none());
        // Two rows with one column between them.
        let tall = Pattern::compressed(2, &[vec![0], vec![0]]);
        assert!(BlockInverse::of(&tall).is_none());
    }
}
