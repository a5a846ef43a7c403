//! Full matrices whose structure is known: taken apart by blocks where no pivot is small, else the dense way.
//!
//! Free bodies have an M that is singular in the rates of their quaternions, for which the dense way takes its longest road, and
//! matrices of a few bodies are mostly zeros. The sparse elimination without ε needs neither a definite M nor much work, and says whether it
//! can be trusted: its pivots, and what it leaves of the equations. Where rows depend on each other, or nearly so, all is as it were not
//! there.

use super::dense::Dense;
use super::rows::{RowReport, RowTerms, Tolerance};
use super::sparse::{Sparse, Symbolic};
use super::{Unsolved, Way, full};
use crate::{Matrix, Pattern};
use std::sync::Arc;

/// Full M and A of one state, ready for right sides.
pub(crate) struct Known {
    dense: Dense,
    sparse: Sparse,
    /// Whether the sparse way has them.
    by_blocks: bool,
    /// Where each stored entry of M and of A is among all entries.
    mass_places: Vec<u32>,
    row_places: Vec<u32>,
    /// Numbers of these.
    mass: Vec<f64>,
    rows: Vec<f64>,
    /// All entries, for when the dense way must be asked later.
    full_mass: Vec<f64>,
    full_rows: Vec<f64>,
    left_out: Vec<bool>,
}

impl Known {
    pub(crate) fn new(symbolic: &Arc<Symbolic>, tolerance: Tolerance) -> Self {
        let (nv, nc) = (symbolic.nv(), symbolic.nc());
        let (mass, rows) = symbolic.patterns();
        let places = |pattern: &Pattern| -> Vec<u32> {
            let of_row = |i: usize| pattern.columns_of(i).map(move |j| (i * nv + j) as u32);
            (0..pattern.rows()).flat_map(of_row).collect()
        };
        Self {
            dense: Dense::new(nv, nc, tolerance),
            by_blocks: false,
            mass_places: places(mass),
            row_places: places(rows),
            mass: vec![0.0; mass.size()],
            rows: vec![0.0; rows.size()],
            full_mass: vec![0.0; nv * nv],
            full_rows: vec![0.0; nc * nv],
            left_out: vec![false; nc],
            sparse: Sparse::new(symbolic, tolerance),
        }
    }

    /// The dense way, for M and A as they were given.
    fn ask_dense(&mut self) -> Result<(), Unsolved> {
        self.by_blocks = false;
        let (nv, nc) = (self.sparse.nv(), self.left_out.len());
        spread(&self.mass_places, &self.mass, &mut self.full_mass);
        spread(&self.row_places, &self.rows, &mut self.full_rows);
        self.dense.factor(
            &Matrix::full(nv, nv, &self.full_mass),
            &Matrix::full(nc, nv, &self.full_rows),
        )
    }
}

impl Way for Known {
    fn measure_by(&mut self, terms: &RowTerms) {
        self.dense.measure_by(terms);
        let mut stored = RowTerms::default();
        if !terms.jacobian.is_empty() {
            let places = self.row_places.iter();
            stored.jacobian = places
                .map(|&place| terms.jacobian[place as usize])
                .collect();
            stored.bias.clone_from(&terms.bias);
        }
        self.sparse.measure_by(&stored);
    }

    fn leave_out(&mut self, rows: &[usize]) {
        self.dense.leave_out(rows);
        self.left_out.fill(false);
        rows.iter().for_each(|&row| self.left_out[row] = true);
    }

    fn fits(&self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> bool {
        self.dense.fits(mass, rows)
    }

    fn relate(&mut self, count: usize) {
        self.sparse.relate(count);
    }

    fn rank(&mut self) -> usize {
        match self.by_blocks {
            true => {
                let counting = self.left_out.iter().filter(|&&out| !out).count();
                counting - self.sparse.related()
            }
            false => self.dense.rank(),
        }
    }

    fn factor(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        gather(&self.mass_places, full(mass), &mut self.mass);
        gather(&self.row_places, full(rows), &mut self.rows);
        self.by_blocks = self
            .sparse
            .factor_plain(&self.mass, &self.rows, &self.left_out);
        match self.by_blocks {
            true => Ok(()),
            false => self.dense.factor(mass, rows),
        }
    }

    fn factor_any_rank(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.by_blocks = false;
        self.dense.factor_any_rank(mass, rows)
    }

    fn solve(
        &mut self,
        force: &[f64],
        bias: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Unsolved> {
        if self.by_blocks {
            let solved = self
                .sparse
                .solve_plain(force, bias, acceleration, multipliers);
            if solved {
                return Ok(());
            }
            self.ask_dense()?;
        }
        self.dense.solve(force, bias, acceleration, multipliers)
    }

    fn project(&mut self, residual: &[f64], correction: &mut [f64]) -> f64 {
        if self.by_blocks {
            if let Some(missed) = self.sparse.project_plain(residual, correction) {
                return missed;
            }
            if self.ask_dense().is_err() {
                // Nothing is moved.
                correction.fill(0.0);
                return residual.iter().fold(0.0, |largest, r| r.abs().max(largest));
            }
        }
        self.dense.project(residual, correction)
    }

    fn report(&mut self, reports: &mut [RowReport]) {
        if self.by_blocks && self.sparse.related() > 0 && self.ask_dense().is_err() {
            // What nobody knows is nothing to rely on.
            return reports.fill(RowReport::default());
        }
        match self.by_blocks {
            true => reports.fill(RowReport::INDEPENDENT),
            false => self.dense.report(reports),
        }
    }
}

fn gather(places: &[u32], from: &[f64], to: &mut [f64]) {
    for (value, &place) in to.iter_mut().zip(places) {
        *value = from[place as usize];
    }
}

fn spread(places: &[u32], from: &[f64], to: &mut [f64]) {
    for (value, &place) in from.iter().zip(places) {
        to[place as usize] = *value;
    }
}
