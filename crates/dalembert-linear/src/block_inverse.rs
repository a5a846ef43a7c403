//! The inverse of a square matrix that falls apart into small blocks: a unit quaternion and its rates, a turned velocity.
//!
//! Blocks of one size are inverted eight at a time, a lane each; the loops are compiled twice on x86-64, and do the same operations in the same
//! order.

use crate::decide::SOLVED;
use crate::{Groups, Pattern};

/// Rows that a block has at most.
const LARGEST: usize = 8;
/// Blocks at a time.
const LANES: usize = 8;

/// The same number of each block.
type Lanes = [f64; LANES];

/// Which rows and columns belong together, and the inverse of each block at one state after the other.
#[derive(Clone, Debug)]
pub struct BlockInverse {
    /// Groups of blocks of one size: how many rows each has, and how many of the lanes are blocks.
    groups: Vec<(u8, u8)>,
    /// Rows and columns of all groups, lanes side by side; those that are no blocks repeat the first.
    rows: Vec<[u32; LANES]>,
    columns: Vec<[u32; LANES]>,
    /// Where each entry is among the numbers of all groups.
    places: Vec<u32>,
    /// Blocks row by row, and their inverses; lanes that are no blocks are one.
    numbers: Vec<Lanes>,
    inverses: Vec<Lanes>,
}

impl BlockInverse {
    /// For matrices of a pattern; `None` if it does not fall apart into small square blocks.
    #[must_use]
    pub fn of(pattern: &Pattern) -> Option<Self> {
        let n = pattern.rows();
        if pattern.is_full() || pattern.columns() != n {
            return None;
        }
        let mut together = Groups::new(n);
        for row in 0..n {
            together.join(pattern.columns_of(row));
        }
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n];
        for index in 0..n {
            columns[together.of(index)].push(index as u32);
            let first = pattern.columns_of(index).next()?;
            rows[together.of(first)].push(index as u32);
        }
        let whole = |(rows, columns): (&Vec<u32>, &Vec<u32>)| {
            rows.len() == columns.len() && rows.len() <= LARGEST
        };
        if !rows.iter().zip(&columns).all(whole) {
            return None;
        }
        let mut blocks: Vec<(Vec<u32>, Vec<u32>)> = rows.into_iter().zip(columns).collect();
        blocks.retain(|(rows, _)| !rows.is_empty());
        blocks.sort_by_key(|(rows, _)| rows.len());
        let mut found = Self {
            groups: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            places: vec![0; pattern.size()],
            numbers: Vec::new(),
            inverses: Vec::new(),
        };
        for alike in blocks.chunk_by(|(a, _), (b, _)| a.len() == b.len()) {
            for group in alike.chunks(LANES) {
                found.add(pattern, group)?;
            }
        }
        found.inverses.clone_from(&found.numbers);
        Some(found)
    }

    /// Blocks of one size, as many as there are lanes or fewer.
    fn add(&mut self, pattern: &Pattern, blocks: &[(Vec<u32>, Vec<u32>)]) -> Option<()> {
        let start = self.numbers.len();
        let (rows, columns) = blocks.first()?;
        let size = rows.len();
        let spread = |list: &[u32]| list.iter().map(|&index| [index; LANES]).collect::<Vec<_>>();
        let (mut of_rows, mut of_columns) = (spread(rows), spread(columns));
        let diagonal = |k: usize| f64::from(u8::from(k.is_multiple_of(size + 1)));
        self.numbers
            .extend((0..size * size).map(|k| [diagonal(k); LANES]));
        for (lane, (rows, columns)) in blocks.iter().enumerate() {
            for k in 0..size * size {
                self.numbers[start + k][lane] = 0.0;
            }
            for (i, &row) in rows.iter().enumerate() {
                (of_rows[i][lane], of_columns[i][lane]) = (row, columns[i]);
                let row = row as usize;
                for (column, place) in pattern.columns_of(row).zip(pattern.row(row)) {
                    let j = columns.binary_search(&(column as u32)).ok()?;
                    self.places[place] = ((start + i * size + j) * LANES + lane) as u32;
                }
            }
        }
        self.rows.extend(of_rows);
        self.columns.extend(of_columns);
        self.groups.push((size as u8, blocks.len() as u8));
        Some(())
    }

    /// Takes the numbers of a matrix as its pattern stores them; `false` if a block is singular, or not finite.
    pub fn factor(&mut self, values: &[f64]) -> bool {
        let numbers = self.numbers.as_flattened_mut();
        for (&place, value) in self.places.iter().zip(values) {
            numbers[place as usize] = *value;
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.invert_avx2() };
        }
        self.invert_any()
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn invert_avx2(&mut self) -> bool {
        self.invert_any()
    }

    #[inline(always)]
    fn invert_any(&mut self) -> bool {
        let mut start = 0;
        for &(size, _) in &self.groups {
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
        self.apply(x, room, false);
    }

    /// x ← that of the transposed matrix.
    pub fn solve_transposed(&self, x: &mut [f64], room: &mut [f64]) {
        self.apply(x, room, true);
    }

    fn apply(&self, x: &mut [f64], room: &mut [f64], turned: bool) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.apply_avx2(x, room, turned) };
        }
        self.apply_any(x, room, turned);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn apply_avx2(&self, x: &mut [f64], room: &mut [f64], turned: bool) {
        self.apply_any(x, room, turned);
    }

    /// From right sides of rows to solutions of columns, or the other way; each solution is refined once.
    #[inline(always)]
    fn apply_any(&self, x: &mut [f64], room: &mut [f64], turned: bool) {
        room.copy_from_slice(x);
        let (from, to) = match turned {
            false => (&self.rows, &self.columns),
            true => (&self.columns, &self.rows),
        };
        let (mut start, mut first) = (0, 0);
        for &(size, filled) in &self.groups {
            let size = usize::from(size);
            let (end, last) = (start + size * size, first + size);
            let blocks = (&self.numbers[start..end], &self.inverses[start..end]);
            let mut right = [[0.0; LANES]; LARGEST];
            for (right, places) in right.iter_mut().zip(&from[first..last]) {
                for (value, &place) in right.iter_mut().zip(places) {
                    *value = room[place as usize];
                }
            }
            let found = match size {
                1 => solution::<1>(blocks, &right, turned),
                2 => solution::<2>(blocks, &right, turned),
                3 => solution::<3>(blocks, &right, turned),
                4 => solution::<4>(blocks, &right, turned),
                5 => solution::<5>(blocks, &right, turned),
                6 => solution::<6>(blocks, &right, turned),
                7 => solution::<7>(blocks, &right, turned),
                _ => solution::<LARGEST>(blocks, &right, turned),
            };
            for (found, places) in found.iter().zip(&to[first..last]) {
                for (value, &place) in found.iter().zip(places).take(usize::from(filled)) {
                    x[place as usize] = *value;
                }
            }
            (start, first) = (end, last);
        }
    }
}

/// The solution by the inverse, and once more for what that leaves.
#[inline(always)]
fn solution<const N: usize>(
    (blocks, inverses): (&[Lanes], &[Lanes]),
    right: &[Lanes; LARGEST],
    turned: bool,
) -> [Lanes; LARGEST] {
    let mut found = times::<N>(inverses, right, turned);
    let met = times::<N>(blocks, &found, turned);
    let mut left = [[0.0; LANES]; LARGEST];
    for i in 0..N {
        for lane in 0..LANES {
            left[i][lane] = right[i][lane] - met[i][lane];
        }
    }
    let missing = times::<N>(inverses, &left, turned);
    for i in 0..N {
        for lane in 0..LANES {
            found[i][lane] += missing[i][lane];
        }
    }
    found
}

#[inline(always)]
fn times<const N: usize>(
    matrix: &[Lanes],
    by: &[Lanes; LARGEST],
    turned: bool,
) -> [Lanes; LARGEST] {
    let mut product = [[0.0; LANES]; LARGEST];
    for (i, row) in matrix.as_chunks::<N>().0.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let (to, from) = if turned { (j, i) } else { (i, j) };
            for lane in 0..LANES {
                product[to][lane] += entry[lane] * by[from][lane];
            }
        }
    }
    product
}

/// Gauss and Jordan with pivots from each column; `false` where one is rounding beside the largest entry of a block.
#[inline(always)]
fn invert<const N: usize>(blocks: &[Lanes], inverse: &mut [Lanes]) -> bool {
    let mut left = [[[0.0; LANES]; N]; N];
    let mut right = [[[0.0; LANES]; N]; N];
    let mut largest = [0.0_f64; LANES];
    for (i, (row, entries)) in left.iter_mut().zip(blocks.as_chunks::<N>().0).enumerate() {
        *row = *entries;
        right[i][i] = [1.0; LANES];
        for entry in entries {
            for (largest, entry) in largest.iter_mut().zip(entry) {
                *largest = largest.max(entry.abs());
            }
        }
    }
    let mut regular = true;
    for k in 0..N {
        for i in k + 1..N {
            // Lane by lane the larger comes first.
            let mut swaps = [false; LANES];
            for lane in 0..LANES {
                swaps[lane] = left[i][k][lane].abs() > left[k][k][lane].abs();
            }
            swap(&mut left, (k, i), &swaps);
            swap(&mut right, (k, i), &swaps);
        }
        let mut factor = [0.0; LANES];
        for lane in 0..LANES {
            let pivot = left[k][k][lane];
            regular &= pivot.abs() > SOLVED * largest[lane] && pivot.is_finite();
            factor[lane] = 1.0 / pivot;
        }
        scale(&mut left[k], &factor);
        scale(&mut right[k], &factor);
        let (own, beside) = (left[k], right[k]);
        for i in (0..N).filter(|&i| i != k) {
            let factor = left[i][k];
            take(&mut left[i], &own, &factor);
            take(&mut right[i], &beside, &factor);
        }
    }
    inverse.copy_from_slice(right.as_flattened());
    regular && inverse.as_flattened().iter().all(|entry| entry.is_finite())
}

#[inline(always)]
fn swap<const N: usize>(rows: &mut [[Lanes; N]; N], (a, b): (usize, usize), swaps: &[bool; LANES]) {
    let (mut first, mut second) = (rows[a], rows[b]);
    for (one, other) in first.iter_mut().zip(&mut second) {
        for ((x, y), swapped) in one.iter_mut().zip(other).zip(swaps) {
            (*x, *y) = if *swapped { (*y, *x) } else { (*x, *y) };
        }
    }
    (rows[a], rows[b]) = (first, second);
}

#[inline(always)]
fn scale<const N: usize>(row: &mut [Lanes; N], factor: &Lanes) {
    for entry in row {
        for (entry, factor) in entry.iter_mut().zip(factor) {
            *entry *= factor;
        }
    }
}

#[inline(always)]
fn take<const N: usize>(row: &mut [Lanes; N], other: &[Lanes; N], factor: &Lanes) {
    for (entry, other) in row.iter_mut().zip(other) {
        for ((entry, other), factor) in entry.iter_mut().zip(other).zip(factor) {
            *entry -= factor * other;
        }
    }
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
