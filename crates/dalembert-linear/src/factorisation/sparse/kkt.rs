//! The numbers of a sparse system at one state: scaled, regularised, factored.
//!
//! ```text
//! ⎡ M̂  Âᵀ ⎤ ⎡ v̂  ⎤   ⎡ f̂ ⎤       M̂ = U M U,  Â = S⁻¹ A U,  v' = U v̂,  λ = S⁻¹ λ̂,  f̂ = U f,  b̂ = S⁻¹ b
//! ⎣ Â  −ε ⎦ ⎣ −λ̂ ⎦ = ⎣ b̂ ⎦       U² = (diagonal of M)⁻¹,  S² = diagonal of A U² Aᵀ
//! ```
//!
//! * Units U and lengths S make the diagonal of M̂ and the rows of Â one: what is small is small in every
//!   unit, and scaling a row changes only its own multiplier. Speeds without mass count as the heaviest.
//! * ε lets the rows come in any order, dependent ones too. The solution of the system without ε follows
//!   by refinement: each step takes the part ε / (ε + σ²) of what was left in a direction that the rows
//!   hold with the strength σ², so that one step is enough where σ² > 1e-1, and dependent rows never blow
//!   up. Pivots that M leaves (nearly) zero become ε and are refined away likewise.

use super::symbolic::{Symbolic, Triangle};
use crate::Matrix;
use crate::decide::{NO_INERTIA, REGULARISATION, SOLVED};
use crate::factorisation::Unsolved;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::{LdltRef, SymbolicCholeskyRaw, simplicial, supernodal};
use faer::{Conj, MatMut, Par};
use std::sync::Arc;

/// K at one state, and its factor.
pub(super) struct Kkt {
    pub(super) symbolic: Arc<Symbolic>,
    values: Vec<f64>,
    factor: Vec<f64>,
    memory: MemBuffer,
    /// U, nv.
    pub(super) units: Vec<f64>,
    /// S, nc.
    pub(super) lengths: Vec<f64>,
    /// S⁻¹, nc; zero for zero rows.
    pub(super) scales: Vec<f64>,
    /// Of the entries of A, if they are known.
    pub(super) terms: Vec<f64>,
}

impl Kkt {
    pub(super) fn new(symbolic: &Arc<Symbolic>) -> Self {
        let cholesky = &symbolic.cholesky;
        let factoring =
            cholesky.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
        let solving = cholesky.solve_in_place_scratch::<f64>(1, Par::Seq);
        Self {
            values: vec![0.0; symbolic.kkt.compute_nnz()],
            factor: vec![0.0; cholesky.len_val()],
            memory: MemBuffer::new(factoring.or(solving)),
            units: vec![0.0; symbolic.nv()],
            lengths: vec![0.0; symbolic.nc()],
            scales: vec![0.0; symbolic.nc()],
            terms: Vec::new(),
            symbolic: Arc::clone(symbolic),
        }
    }

    /// Scales, fills in and factors; tells whether a pivot had to be replaced, `None` if one is not
    /// a number.
    pub(super) fn factor(
        &mut self,
        mass: &Matrix<'_>,
        rows: &Matrix<'_>,
    ) -> Result<Option<bool>, Unsolved> {
        self.measure(mass, rows)?;
        self.fill(mass.values(), rows.values());
        let symbolic = &*self.symbolic;
        let matrix = SparseColMatRef::new(symbolic.kkt.as_ref(), &self.values);
        let regularisation = LdltRegularization {
            dynamic_regularization_signs: Some(&symbolic.signs),
            dynamic_regularization_delta: REGULARISATION,
            dynamic_regularization_epsilon: SOLVED,
        };
        let stack = MemStack::new(&mut self.memory);
        let factored = match symbolic.cholesky.raw() {
            SymbolicCholeskyRaw::Simplicial(structure) => {
                simplicial::factorize_simplicial_numeric_ldlt(
                    &mut self.factor,
                    matrix,
                    regularisation,
                    structure,
                    stack,
                )
            }
            SymbolicCholeskyRaw::Supernodal(structure) => {
                supernodal::factorize_supernodal_numeric_ldlt(
                    &mut self.factor,
                    matrix,
                    regularisation,
                    structure,
                    Par::Seq,
                    stack,
                    Default::default(),
                )
            }
        };
        Ok(factored
            .ok()
            .map(|info| info.dynamic_regularization_count > 0))
    }

    /// Units and lengths.
    fn measure(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        let Symbolic {
            mass: mass_pattern,
            rows: row_pattern,
            ..
        } = &*self.symbolic;
        let mut heaviest = 0.0_f64;
        for (i, unit) in self.units.iter_mut().enumerate() {
            *unit = mass.values()[mass_pattern.diagonal_place(i)];
            heaviest = heaviest.max(*unit);
        }
        let default = if heaviest > 0.0 { heaviest } else { 1.0 };
        for (speed, unit) in self.units.iter_mut().enumerate() {
            let own = *unit;
            if own < -NO_INERTIA * default {
                return Err(Unsolved::NotPositive { speed, value: own });
            }
            let massive = own > NO_INERTIA * heaviest;
            *unit = 1.0 / (if massive { own } else { default }).sqrt();
        }
        let units = &self.units;
        let felt = |values: &[f64], row: usize| -> f64 {
            let entries = row_pattern
                .columns_of(row)
                .zip(&values[row_pattern.row(row)]);
            let square = |(column, a): (usize, &f64)| (a * units[column]) * (a * units[column]);
            entries.map(square).sum::<f64>().sqrt()
        };
        let mut longest = 0.0_f64;
        for (row, length) in self.lengths.iter_mut().enumerate() {
            *length = felt(rows.values(), row);
            longest = longest.max(*length);
        }
        for (row, (scale, length)) in self.scales.iter_mut().zip(&self.lengths).enumerate() {
            let size = match self.terms.is_empty() {
                true => longest,
                false => felt(&self.terms, row),
            };
            let is_zero = *length <= SOLVED * size;
            *scale = if is_zero { 0.0 } else { 1.0 / length };
        }
        Ok(())
    }

    fn fill(&mut self, mass: &[f64], rows: &[f64]) {
        let symbolic = &*self.symbolic;
        let mut next = mass.iter().zip(&symbolic.mass_places);
        for (i, unit) in self.units.iter().enumerate() {
            for (j, (entry, &place)) in symbolic.mass.columns_of(i).zip(&mut next) {
                self.values[place as usize] = entry * unit * self.units[j];
            }
        }
        let mut next = rows.iter().zip(&symbolic.row_places);
        for (i, scale) in self.scales.iter().enumerate() {
            for (j, (entry, &place)) in symbolic.rows.columns_of(i).zip(&mut next) {
                self.values[place as usize] = entry * scale * self.units[j];
            }
        }
        for &place in &symbolic.diagonal_places {
            self.values[place as usize] = -REGULARISATION;
        }
    }

    /// x ← K⁻¹ x, in the order of elimination.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        LdltRef::new(&self.symbolic.cholesky, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }

    /// left ← right − K₀ x, K₀ being K without ε, in the order of elimination.
    pub(super) fn left_over(&self, right: &[f64], x: &[f64], left: &mut [f64]) {
        self.accumulate(right, x, left, |value| value);
    }

    /// sizes ← |right| + |K₀| |x|.
    pub(super) fn sizes(&self, right: &[f64], x: &[f64], sizes: &mut [f64]) {
        self.accumulate(right, x, sizes, |value| -value.abs());
        for (size, right) in sizes.iter_mut().zip(right) {
            *size += right.abs() - right;
        }
    }

    /// y ← right − Σ of the terms of K₀ x, each as `term` makes it.
    fn accumulate(&self, right: &[f64], x: &[f64], y: &mut [f64], term: impl Fn(f64) -> f64) {
        let symbolic = &*self.symbolic;
        let (starts, rows) = (symbolic.kkt.col_ptr(), symbolic.kkt.row_idx());
        y.copy_from_slice(right);
        for (column, bounds) in starts.windows(2).enumerate() {
            let (from, to) = (bounds[0] as usize, bounds[1] as usize);
            let (off, diagonal) = match symbolic.triangle {
                Triangle::Upper => (from..to - 1, to - 1),
                Triangle::Lower => (from + 1..to, from),
            };
            let own = x[column];
            let mut sum = 0.0;
            for (&row, value) in rows[off.clone()].iter().zip(&self.values[off]) {
                y[row as usize] -= term(value * own);
                sum += term(value * x[row as usize]);
            }
            if symbolic.signs[column] > 0 {
                sum += term(self.values[diagonal] * own);
            }
            y[column] -= sum;
        }
    }
}
