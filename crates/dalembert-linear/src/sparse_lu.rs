//! L U of large square matrices with few entries, real or complex: an order of the columns that keeps the factors sparse is found once
//! for a structure, rows are exchanged as numbers ask for it.
//!
//! Rows and columns are brought to size one, so that what is small is small in every unit. Entries that are *soft* then get a little more, so
//! that rows which depend on each other have factors too.

use crate::decide::REGULARISATION;
use crate::{Complex, Scalar};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, c64};
use std::fmt;

/// Numbers that sparse matrices are made of.
pub trait SparseScalar: Scalar {
    /// The same as the factorisation knows them.
    type Number: faer::traits::ComplexField;
    /// To these.
    fn number(self) -> Self::Number;
    /// From these.
    fn from_number(number: &Self::Number) -> Self;
}

impl SparseScalar for f64 {
    type Number = f64;
    fn number(self) -> f64 {
        self
    }
    fn from_number(number: &f64) -> Self {
        *number
    }
}

impl SparseScalar for Complex {
    type Number = c64;
    fn number(self) -> c64 {
        c64::new(self.re, self.im)
    }
    fn from_number(number: &c64) -> Self {
        Self {
            re: number.re,
            im: number.im,
        }
    }
}

/// Factors of matrices of one structure.
pub struct SparseLu<T: SparseScalar> {
    structure: SymbolicSparseColMat<u32>,
    symbolic: SymbolicLu<u32>,
    numeric: NumericLu<u32, T::Number>,
    is_factored: bool,
    /// The entries, and what they are for the factorisation.
    values: Vec<T>,
    numbers: Vec<T::Number>,
    /// What rows and columns are multiplied by.
    rows: Vec<f64>,
    columns: Vec<f64>,
    soft: Vec<u32>,
    right: Vec<T::Number>,
    memory: MemBuffer,
}

impl<T: SparseScalar> fmt::Debug for SparseLu<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SparseLu")
            .field("n", &self.rows.len())
            .field("entries", &self.values.len())
            .finish_non_exhaustive()
    }
}

impl<T: SparseScalar> SparseLu<T> {
    /// Room for matrices of n rows with entries at these rows and columns, and where each of them is stored; `None` if the structure does
    /// not fit memory.
    #[must_use]
    pub fn new(n: usize, entries: &[(u32, u32)]) -> Option<(Self, Vec<u32>)> {
        let mut sorted: Vec<(u32, u32)> =
            entries.iter().map(|&(row, column)| (column, row)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let place = |&(row, column): &(u32, u32)| sorted.binary_search(&(column, row));
        let places = entries.iter().map(|entry| place(entry).unwrap_or(0) as u32);
        let places: Vec<u32> = places.collect();
        let mut starts = vec![0_u32; n + 1];
        for &(column, _) in &sorted {
            starts[column as usize + 1] += 1;
        }
        for column in 0..n {
            starts[column + 1] += starts[column];
        }
        let rows: Vec<u32> = sorted.iter().map(|&(_, row)| row).collect();
        let structure = SymbolicSparseColMat::new_checked(n, n, starts, None, rows);
        let symbolic = factorize_symbolic_lu(structure.as_ref(), Default::default()).ok()?;
        let factoring =
            symbolic.factorize_numeric_lu_scratch::<T::Number>(Par::Seq, Default::default());
        let solving = symbolic.solve_in_place_scratch::<T::Number>(1, Par::Seq);
        let memory = MemBuffer::try_new(factoring.or(solving)).ok()?;
        let made = Self {
            values: vec![T::ZERO; sorted.len()],
            numbers: vec![T::ZERO.number(); sorted.len()],
            rows: vec![1.0; n],
            columns: vec![1.0; n],
            soft: Vec::new(),
            right: vec![T::ZERO.number(); n],
            numeric: NumericLu::new(),
            is_factored: false,
            structure,
            symbolic,
            memory,
        };
        Some((made, places))
    }

    /// Makes entries soft that are stored at these places.
    pub fn soften(&mut self, places: &[u32]) {
        self.soft = places.to_vec();
    }

    /// Factors the matrix whose entries `write` adds to zeros, where they are stored; false where it is singular.
    pub fn factor(&mut self, write: impl FnOnce(&mut [T])) -> bool {
        self.values.fill(T::ZERO);
        write(&mut self.values);
        self.balance();
        let matrix = SparseColMatRef::new(self.structure.as_ref(), &self.numbers);
        let stack = MemStack::new(&mut self.memory);
        let factored = self.symbolic.factorize_numeric_lu(
            &mut self.numeric,
            matrix,
            Par::Seq,
            stack,
            Default::default(),
        );
        self.is_factored = factored.is_ok();
        self.is_factored
    }

    /// Rows, then columns, get a largest entry of one, and what is soft gives way.
    fn balance(&mut self) {
        let n = self.rows.len();
        let (starts, rows) = (self.structure.col_ptr(), self.structure.row_idx());
        let column = |j: usize| starts[j] as usize..starts[j + 1] as usize;
        let inverse = |size: f64| if size > 0.0 { 1.0 / size } else { 1.0 };
        self.rows.fill(0.0);
        for (&row, value) in rows.iter().zip(&self.values) {
            let largest = &mut self.rows[row as usize];
            *largest = largest.max(value.size());
        }
        self.rows.iter_mut().for_each(|row| *row = inverse(*row));
        for j in 0..n {
            let scaled = |place: usize| self.rows[rows[place] as usize] * self.values[place].size();
            self.columns[j] = inverse(column(j).map(scaled).fold(0.0, f64::max));
            for place in column(j) {
                let scale = self.rows[rows[place] as usize] * self.columns[j];
                self.numbers[place] = (T::real(scale) * self.values[place]).number();
            }
        }
        for &place in &self.soft {
            let number = &mut self.numbers[place as usize];
            *number = (T::from_number(number) + T::real(REGULARISATION)).number();
        }
    }

    /// x ← the solution for the right side x. There must be factors.
    pub fn solve(&mut self, x: &mut [T]) {
        self.solve_either(x, false);
    }

    /// The same by the transposed matrix.
    pub fn solve_transposed(&mut self, x: &mut [T]) {
        self.solve_either(x, true);
    }

    fn solve_either(&mut self, x: &mut [T], transposed: bool) {
        assert!(self.is_factored, "factored before anything is solved");
        let (before, after) = match transposed {
            false => (&self.rows, &self.columns),
            true => (&self.columns, &self.rows),
        };
        for ((target, x), scale) in self.right.iter_mut().zip(&*x).zip(before) {
            *target = (T::real(*scale) * *x).number();
        }
        let lu = LuRef::new_unchecked(&self.symbolic, &self.numeric);
        let n = self.right.len();
        let right = MatMut::from_column_major_slice_mut(&mut self.right, n, 1);
        let stack = MemStack::new(&mut self.memory);
        match transposed {
            false => lu.solve_in_place_with_conj(Conj::No, right, Par::Seq, stack),
            true => lu.solve_transpose_in_place_with_conj(Conj::No, right, Par::Seq, stack),
        }
        for ((target, solved), scale) in x.iter_mut().zip(&self.right).zip(after) {
            *target = T::real(*scale) * T::from_number(solved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain with a border, its entries of very different sizes: by rows, and by columns.
    #[test]
    fn solutions_meet_their_equations() {
        let n = 60;
        let mut generator = fastrand::Rng::with_seed(7);
        let mut entries = Vec::new();
        for i in 0..n as u32 {
            for j in i.saturating_sub(1)..(i + 2).min(n as u32) {
                // The diagonal is missing here and there: rows must be exchanged.
                if i != j || i % 5 != 0 {
                    entries.push((i, j));
                }
            }
            entries.push((i, 3));
            entries.push((3, i));
        }
        let mut number = || generator.f64() - 0.5;
        let values: Vec<Complex> = entries
            .iter()
            .map(|&(i, j)| {
                let size = 10.0_f64.powi(i as i32 % 9 - j as i32 % 7);
                Complex {
                    re: size * number(),
                    im: size * number(),
                }
            })
            .collect();
        let right: Vec<Complex> = (0..n)
            .map(|_| Complex {
                re: number(),
                im: number(),
            })
            .collect();
        let (mut lu, places) = SparseLu::new(n, &entries).expect("room");
        assert!(lu.factor(|target| {
            for (&place, value) in places.iter().zip(&values) {
                target[place as usize] = target[place as usize] + *value;
            }
        }));
        for transposed in [false, true] {
            let mut x = right.clone();
            lu.solve_either(&mut x, transposed);
            let (mut left, mut sizes) = (right.clone(), vec![0.0; n]);
            for (&(i, j), value) in entries.iter().zip(&values) {
                let (i, j) = if transposed { (j, i) } else { (i, j) };
                let term = *value * x[j as usize];
                left[i as usize] = left[i as usize] - term;
                sizes[i as usize] += term.size();
            }
            for (left, size) in left.iter().zip(&sizes) {
                assert!(left.size() <= 1e-12 * (size + 1.0), "{left:?} of {size}");
            }
        }
    }

    /// The least x² + y² with x + y = 1 said twice: what is determined is right to the softness.
    #[test]
    fn soft_entries_let_dependent_rows_in() {
        let entries = [
            (0, 0),
            (0, 3),
            (1, 1),
            (1, 3),
            (0, 4),
            (1, 4),
            (3, 0),
            (3, 1),
            (4, 0),
            (4, 1),
        ];
        let more = [(2, 2), (3, 3), (4, 4)];
        let all: Vec<(u32, u32)> = entries.into_iter().chain(more).collect();
        let (mut lu, places) = SparseLu::<f64>::new(5, &all).expect("room");
        lu.soften(&places[11..]);
        assert!(lu.factor(|values| {
            for &place in &places[..11] {
                values[place as usize] = 1.0;
            }
        }));
        let mut x = [0.0, 0.0, 3.0, 1.0, 1.0];
        lu.solve(&mut x);
        for (x, expected) in x.iter().zip([0.5, 0.5, 3.0]) {
            assert!((x - expected).abs() < 1e-8, "{x} for {expected}");
        }
    }

    #[test]
    fn a_column_without_entries_is_singular() {
        let (mut lu, _) = SparseLu::<f64>::new(2, &[(0, 0), (1, 0)]).expect("room");
        assert!(!lu.factor(|values| values.fill(1.0)));
    }
}
