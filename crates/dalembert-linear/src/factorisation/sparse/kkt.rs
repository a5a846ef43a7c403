//! The numbers of a sparse system at one state: scaled, regularised, factored.
//!
//! ```text
//! ⎡ M̂  Âᵀ ⎤ ⎡ v̂  ⎤   ⎡ f̂ ⎤       M̂ = U M U,  Â = S⁻¹ A U,  v' = U v̂,  λ = S⁻¹ λ̂,  f̂ = U f,  b̂ = S⁻¹ b
//! ⎣ Â  −ε ⎦ ⎣ −λ̂ ⎦ = ⎣ b̂ ⎦       U² = (diagonal of M)⁻¹,  S² = diagonal of A U² Aᵀ
//! ```
//!
//! * Units U and lengths S make the diagonal of M̂ and the rows of Â one: what is small is small in every
//!   unit, and scaling a row changes only its own multiplier. Speeds without mass count as the heaviest.
//! * Rows ĝ whose speeds M couples anyway, as that of a unit quaternion, are added to M̂ as ĝᵀ ĝ, with ĝᵀ b̂ on the right: nothing changes where
//!   the row is met, and M̂, which may be singular there, is definite.
//! * Where no pivot is small ε is zero, and one solution is enough. Otherwise ε lets the rows come in any order, dependent ones too. The solution
//!   of the system without ε follows
//!   by refinement: each step takes the part ε / (ε + σ²) of what was left in a direction that the rows
//!   hold with the strength σ², so that one step is enough where σ² > 1e-1, and dependent rows never blow
//!   up. Pivots that M leaves (nearly) zero become ε and are refined away likewise.

use super::eliminate::{Outcome, Pivots};
use super::fronts::Room;
use super::symbolic::{Blocks, Symbolic};
use crate::Matrix;
use crate::decide::{NO_INERTIA, REGULARISATION, SOLVED};
use crate::factorisation::Unsolved;
use crate::factorisation::rows::is_nothing;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::{LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, supernodal};
use faer::{Conj, MatMut, Par};
use std::sync::Arc;

/// What a solution x leaves of the equations, and the sizes of their terms.
pub(super) struct Equations<'a> {
    /// Of K.
    pub(super) values: &'a [f64],
    pub(super) x: &'a [f64],
    pub(super) left: &'a mut [f64],
    pub(super) sizes: &'a mut [f64],
}

/// K at one state, and its factor.
pub(super) struct Kkt {
    pub(super) symbolic: Arc<Symbolic>,
    values: Vec<f64>,
    /// A U, stored as A is.
    entries: Vec<f64>,
    factor: Vec<f64>,
    /// Whether the factor is that of K with ε.
    pub(super) is_regularised: bool,
    /// By how much rows give way that are factored as they are.
    pub(super) softness: f64,
    /// Room for small blocks, and for large ones.
    room: Room,
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
        let (room, memory) = match &symbolic.blocks {
            Blocks::Small(fronts) => (fronts.room(), MemBuffer::new(Default::default())),
            Blocks::Large(cholesky) => {
                let factoring =
                    cholesky.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
                let solving = cholesky.solve_in_place_scratch::<f64>(1, Par::Seq);
                (Room::default(), MemBuffer::new(factoring.or(solving)))
            }
        };
        Self {
            values: vec![0.0; symbolic.kkt.compute_nnz()],
            entries: vec![0.0; symbolic.rows.size()],
            factor: vec![0.0; symbolic.factor_entries()],
            is_regularised: false,
            softness: 0.0,
            room,
            memory,
            units: vec![0.0; symbolic.nv()],
            lengths: vec![0.0; symbolic.nc()],
            scales: vec![0.0; symbolic.nc()],
            terms: Vec::new(),
            symbolic: Arc::clone(symbolic),
        }
    }

    /// Whether there is a way without ε.
    pub(super) fn may_be_plain(&self) -> bool {
        matches!(self.symbolic.blocks, Blocks::Small(_))
    }

    /// Scales, fills in and factors, with ε or as it is.
    pub(super) fn factor(
        &mut self,
        mass: &Matrix<'_>,
        rows: &Matrix<'_>,
        wanted: Pivots,
    ) -> Result<Outcome, Unsolved> {
        self.gather(mass, rows)?;
        Ok(self.factor_filled(wanted))
    }

    /// Scales, and fills in. Compiled three times on x86-64, as the elimination is.
    fn gather(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.gather_avx512(mass, rows) };
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.gather_avx2(mass, rows) };
        }
        self.gather_any(mass, rows)
    }

    /// The same operations in the same order, four at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn gather_avx2(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.gather_any(mass, rows)
    }

    /// The same, eight at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn gather_avx512(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.gather_any(mass, rows)
    }

    #[inline(always)]
    fn gather_any(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.measure(mass, rows)?;
        self.fill(mass.values());
        Ok(())
    }

    /// The same with the numbers that are there.
    pub(super) fn factor_filled(&mut self, wanted: Pivots) -> Outcome {
        let symbolic = &*self.symbolic;
        self.is_regularised = wanted == Pivots::Replaced;
        for (&place, scale) in symbolic.diagonal_places.iter().zip(&self.scales) {
            // A row that is zero has no part in the others.
            self.values[place as usize] = match (self.is_regularised, *scale == 0.0) {
                (true, _) => -REGULARISATION,
                (false, true) => -1.0,
                (false, false) => -self.softness,
            };
        }
        match &symbolic.blocks {
            Blocks::Small(fronts) => fronts.factor(
                &self.values,
                (&symbolic.signs, wanted),
                &mut self.factor,
                &mut self.room,
            ),
            Blocks::Large(_) => self.factor_large(),
        }
    }

    fn factor_large(&mut self) -> Outcome {
        let symbolic = &*self.symbolic;
        let matrix = SparseColMatRef::new(symbolic.kkt.as_ref(), &self.values);
        let regularisation = LdltRegularization {
            dynamic_regularization_signs: Some(&symbolic.signs),
            dynamic_regularization_delta: REGULARISATION,
            dynamic_regularization_epsilon: SOLVED,
        };
        let structure = match &symbolic.blocks {
            Blocks::Large(cholesky) => cholesky.raw(),
            Blocks::Small(_) => return Outcome::NoNumber,
        };
        let SymbolicCholeskyRaw::Supernodal(structure) = structure else {
            return Outcome::NoNumber;
        };
        let factored = supernodal::factorize_supernodal_numeric_ldlt(
            &mut self.factor,
            matrix,
            regularisation,
            structure,
            Par::Seq,
            MemStack::new(&mut self.memory),
            Default::default(),
        );
        match factored {
            Ok(info) if info.dynamic_regularization_count > 0 => Outcome::Mended,
            Ok(_) => Outcome::Sound,
            Err(_) => Outcome::NoNumber,
        }
    }

    /// Units and lengths, and Â.
    #[inline(always)]
    fn measure(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        let Symbolic {
            mass: mass_pattern,
            rows: row_pattern,
            row_places,
            ..
        } = &*self.symbolic;
        let mut heaviest = 0.0_f64;
        for (i, unit) in self.units.iter_mut().enumerate() {
            *unit = mass.values()[mass_pattern.diagonal_place(i)];
            heaviest = heaviest.max(*unit);
        }
        let default = if heaviest > 0.0 { heaviest } else { 1.0 };
        let negative = |own: &f64| *own < -NO_INERTIA * default;
        if let Some(speed) = self.units.iter().position(negative) {
            let value = self.units[speed];
            return Err(Unsolved::NotPositive { speed, value });
        }
        let light = NO_INERTIA * heaviest;
        // Roots and quotients in loops of their own: several at a time.
        for unit in &mut self.units {
            *unit = 1.0 / (if *unit > light { *unit } else { default }).sqrt();
        }
        // Entries by units, all of them in one loop, then each row by itself: no entry waits for a sum.
        let (units, columns) = (&self.units, row_pattern.stored_columns());
        let entries = self.entries.iter_mut().zip(columns).zip(rows.values());
        for ((entry, &column), a) in entries {
            *entry = a * units[column as usize];
        }
        for (row, length) in self.lengths.iter_mut().enumerate() {
            let own = &self.entries[row_pattern.row(row)];
            *length = own.iter().map(|entry| entry * entry).sum();
        }
        let mut longest = 0.0_f64;
        for (length, scale) in self.lengths.iter_mut().zip(&mut self.scales) {
            *length = length.sqrt();
            *scale = 1.0 / *length;
            longest = longest.max(*length);
        }
        for (row, (scale, length)) in self.scales.iter_mut().zip(&self.lengths).enumerate() {
            let entries = row_pattern.row(row);
            let terms = self.terms.get(entries.clone());
            let squares = (length * length, longest * longest);
            let is_zero =
                is_nothing(&rows.values()[entries.clone()], terms, squares) || *length == 0.0;
            if is_zero {
                *scale = 0.0;
            }
            let own = row_places[entries.clone()].iter();
            for (&place, entry) in own.zip(&self.entries[entries]) {
                self.values[place as usize] = entry * *scale;
            }
        }
        Ok(())
    }

    /// M̂, and what rows within it add.
    #[inline(always)]
    fn fill(&mut self, mass: &[f64]) {
        let symbolic = &*self.symbolic;
        let (units, values) = (&self.units[..], &mut self.values[..]);
        let columns = symbolic.mass.stored_columns();
        for (i, factor) in units.iter().enumerate() {
            let range = symbolic.mass.row(i);
            let entries = columns[range.clone()].iter().zip(&mass[range.clone()]);
            for ((&j, number), &place) in entries.zip(&symbolic.mass_places[range]) {
                values[place as usize] = number * factor * units[j as usize];
            }
        }
        let mut places = symbolic.within_places.iter();
        for &row in &symbolic.within {
            let own = &symbolic.row_places[symbolic.rows.row(row as usize)];
            for (k, &i) in own.iter().enumerate() {
                for (&j, &place) in own[k..].iter().zip(&mut places) {
                    values[place as usize] += values[i as usize] * values[j as usize];
                }
            }
        }
    }

    /// The right side of the system whose M̂ has the rows within it: f̂ + ĝᵀ b̂.
    pub(super) fn complete(&self, right: &mut [f64]) {
        let symbolic = &*self.symbolic;
        for &row in &symbolic.within {
            let row = row as usize;
            let b = right[symbolic.order[symbolic.nv() + row] as usize];
            let places = &symbolic.row_places[symbolic.rows.row(row)];
            for (j, &place) in symbolic.rows.columns_of(row).zip(places) {
                right[symbolic.order[j] as usize] += self.values[place as usize] * b;
            }
        }
    }

    /// x ← K⁻¹ x, in the order of elimination.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        match &self.symbolic.blocks {
            Blocks::Small(fronts) => {
                let by = match self.is_regularised {
                    true => Pivots::Replaced,
                    false => Pivots::Plain,
                };
                fronts.solve((&self.factor, by), x, &mut self.room);
            }
            Blocks::Large(cholesky) => solve_large(cholesky, &self.factor, &mut self.memory, x),
        }
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

    /// Both in one pass.
    pub(super) fn left_over_with_sizes(
        &self,
        right: &[f64],
        x: &[f64],
        left: &mut [f64],
        sizes: &mut [f64],
    ) {
        let symbolic = &*self.symbolic;
        let (starts, rows) = (symbolic.kkt.col_ptr(), symbolic.kkt.row_idx());
        for ((left, size), right) in left.iter_mut().zip(&mut *sizes).zip(right) {
            (*left, *size) = (*right, right.abs());
        }
        let mut first = 0;
        if let Blocks::Small(fronts) = &symbolic.blocks {
            first = fronts.leaves.unknowns;
            fronts.left_over(&mut Equations {
                values: &self.values,
                x,
                left,
                sizes,
            });
        }
        for (column, bounds) in starts.windows(2).enumerate().skip(first) {
            let (from, to) = (bounds[0] as usize, bounds[1] as usize);
            let (off, diagonal) = (from + 1..to, from);
            let own = x[column];
            let (mut sum, mut size) = (0.0, 0.0);
            for (&row, value) in rows[off.clone()].iter().zip(&self.values[off]) {
                let row = row as usize;
                let (down, across) = (value * own, value * x[row]);
                left[row] -= down;
                sizes[row] += down.abs();
                sum += across;
                size += across.abs();
            }
            if symbolic.signs[column] > 0 {
                let term = self.values[diagonal] * own;
                sum += term;
                size += term.abs();
            }
            left[column] -= sum;
            sizes[column] += size;
        }
    }

    /// y ← right − Σ of the terms of K₀ x, each as `term` makes it.
    fn accumulate(&self, right: &[f64], x: &[f64], y: &mut [f64], term: impl Fn(f64) -> f64) {
        let symbolic = &*self.symbolic;
        let (starts, rows) = (symbolic.kkt.col_ptr(), symbolic.kkt.row_idx());
        y.copy_from_slice(right);
        let mut first = 0;
        if let Blocks::Small(fronts) = &symbolic.blocks {
            first = fronts.leaves.unknowns;
            fronts.leaves.each_entry(|column, row, place| {
                let value = self.values[place];
                match row == column {
                    true if symbolic.signs[column] < 0 => {}
                    true => y[column] -= term(value * x[column]),
                    false => {
                        y[row] -= term(value * x[column]);
                        y[column] -= term(value * x[row]);
                    }
                }
            });
        }
        for (column, bounds) in starts.windows(2).enumerate().skip(first) {
            let (from, to) = (bounds[0] as usize, bounds[1] as usize);
            let (off, diagonal) = (from + 1..to, from);
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

fn solve_large(
    cholesky: &SymbolicCholesky<u32>,
    factor: &[f64],
    memory: &mut MemBuffer,
    x: &mut [f64],
) {
    let n = x.len();
    LdltRef::new(cholesky, factor).solve_in_place_with_conj(
        Conj::No,
        MatMut::from_column_major_slice_mut(x, n, 1),
        Par::Seq,
        MemStack::new(memory),
    );
}
