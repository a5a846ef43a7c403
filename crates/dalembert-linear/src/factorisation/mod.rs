//! The solver seam: M and A of one state, factored once for several right sides, dense or sparse.
//!
//! | way | file | for |
//! |---|---|---|
//! | dense | `dense.rs` | small or full systems; knows ranks exactly |
//! | sparse | `sparse/` | large systems with few entries; refuses what it cannot solve precisely |
//! | known | `known.rs` | small systems of free bodies: by blocks as sparse ones where that is sound, else dense |
//! | articulated | `articulated.rs` | trees of bodies, whose M is kept as factors; few rows |
//!
//! All report of rows in the words of `rows.rs` and fail in those of `unsolved.rs`; `metric.rs` and `inertia.rs` say whether M,
//! or M on the motions that rows leave free, is definite.
//!
//! Which one is decided by how the matrices are stored, and that once for a model by what the two would
//! cost (`equations/storage.rs` in `dalembert-mechanics`).
#![expect(non_snake_case, reason = "letters of the papers")]

mod articulated;
mod dense;
mod inertia;
mod known;
pub mod metric;
pub mod rows;
mod sparse;
mod unsolved;

pub use rows::{RowReport, RowTerms, Tolerance};
pub use sparse::Symbolic;
pub use unsolved::{Quantity, Unsolved};

use crate::{Matrix, Pattern};
use articulated::Articulated;
pub(crate) use dense::Dense;
use known::Known;
pub use metric::finite;
use sparse::Sparse;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// M and A of one state, ready for right sides, in one of the ways.
pub struct Factorisation(Box<dyn Way + Send + Sync>);

impl Deref for Factorisation {
    type Target = dyn Way + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for Factorisation {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

/// What all ways do.
pub trait Way {
    /// What the rows and their right sides are measured by from now on: the terms of A, stored as A is, and of b, at the
    /// state that is factored or one like it. Without them rows are measured by the longest.
    fn measure_by(&mut self, terms: &RowTerms);

    /// Rows that do not count from now on: they are zero, and ask for nothing.
    fn leave_out(&mut self, rows: &[usize]);

    /// So many relations hold between the rows wherever these are met, and elsewhere but for the error of a state, until it is said
    /// otherwise. Ways that find ranks by a tolerance alone take no notice.
    fn relate(&mut self, _count: usize) {}

    /// Whether matrices stored in this way can be factored here.
    fn fits(&self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> bool;

    /// The rank of A.
    fn rank(&mut self) -> usize;

    /// Factors M (of a full one the upper triangle is read) and A, in the fastest way that is safe.
    ///
    /// # Errors
    /// M is not positive, or not definite where A leaves freedom, or an entry is not finite.
    ///
    /// # Panics
    /// If the matrices are not stored as those this was made for.
    fn factor(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved>;

    /// Factors M and A in the way that knows the rank.
    ///
    /// # Errors
    /// As [`factor`](Self::factor).
    ///
    /// # Panics
    /// As [`factor`](Self::factor).
    fn factor_any_rank(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved>;

    /// The motion: M v' = f + Aᵀ λ, A v' = b, for M and A as factored.
    ///
    /// # Errors
    /// The rows contradict each other, or a number is not finite.
    fn solve(
        &mut self,
        force: &[f64],
        bias: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Unsolved>;

    /// Δv = M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ r: of all corrections with A Δv = r the nearest in the metric M.
    ///
    /// Where r contradicts itself the rows (of length one) are met as nearly as possible. Returns the largest
    /// |r − A Δv| of a row.
    fn project(&mut self, residual: &[f64], correction: &mut [f64]) -> f64;

    /// What depends on what. After [`factor_any_rank`](Self::factor_any_rank) only the rank decides;
    /// full rows factored in the faster way are independent.
    fn report(&mut self, reports: &mut [RowReport]);
}

impl Factorisation {
    /// Room for full matrices of nv speeds and nc rows; nothing is factored yet.
    pub fn new(nv: usize, nc: usize, tolerance: Tolerance) -> Self {
        Self(Box::new(Dense::new(nv, nc, tolerance)))
    }

    /// Room for compressed matrices of a known structure.
    pub fn sparse(symbolic: &Arc<Symbolic>, tolerance: Tolerance) -> Self {
        Self(Box::new(Sparse::new(symbolic, tolerance)))
    }

    /// Room for full matrices whose entries are zero but for those of a known structure.
    pub fn known(symbolic: &Arc<Symbolic>, tolerance: Tolerance) -> Self {
        Self(Box::new(Known::new(symbolic, tolerance)))
    }

    /// Room for matrices of these patterns, both full or both compressed, or M of a tree and any rows.
    ///
    /// `None` if a compressed system is too large for memory.
    pub fn of(mass: &Arc<Pattern>, rows: &Arc<Pattern>, tolerance: Tolerance) -> Option<Self> {
        if let Some(tree) = mass.tree() {
            let way = Articulated::new(tree, rows.rows(), tolerance);
            return Some(Self(Box::new(way)));
        }
        if mass.is_full() {
            return Some(Self::new(mass.rows(), rows.rows(), tolerance));
        }
        let symbolic = Arc::new(Symbolic::new(mass, rows)?);
        Some(Self::sparse(&symbolic, tolerance))
    }
}

fn full<'a>(matrix: &Matrix<'a>) -> &'a [f64] {
    matrix.as_full().expect("full matrices for a dense solver")
}
