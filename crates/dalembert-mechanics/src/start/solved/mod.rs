//! How a start is solved: rows and unknowns, and no word about models.
//!
//! | place | what |
//! |---|---|
//! | `metric.rs`, `least.rs` | how far a move is, and the least one that changes rows as wanted |
//! | `newton.rs` | the one search: damped Gauss–Newton with least steps, and along the solutions to the nearest |
//! | `search.rs` | restarts from elsewhere, and which of several solutions is taken |
//! | `singular.rs` | gradients that vanish, unknowns that nothing determines |
//! | `conflict.rs` | the smallest sets that conflict |
//!
//! When a search is over is the rule of all ways back to rows: `Ending` of `dalembert-decide`.

mod conflict;
mod least;
mod metric;
mod newton;
mod search;
mod singular;

pub(super) use conflict::{Conflict, Refused};
pub(super) use metric::Metric;
pub(super) use search::{Found, Scales, Search};

use crate::linear::Pattern;
use std::sync::Arc;

/// How far "nearby" is, in sizes of the unknowns.
pub(super) const NEARBY: f64 = 0.01;
/// Unknowns and rows up to which full matrices are made, and states nearby are looked at.
pub(super) const SMALL: usize = 100;
/// Unknowns and rows up to which full matrices are tried where sparse ones lead nowhere, and restarts are not few.
pub(super) const MEDIUM: usize = 300;

/// Rows of one level of the start, as functions of what is looked for.
pub(super) trait Rows {
    /// Where their slopes are stored.
    fn pattern(&self) -> &Arc<Pattern>;
    /// The unknowns in a row.
    fn known(&self, row: usize) -> Vec<usize>;
    /// Residuals and slopes at x.
    fn at(&mut self, x: &[f64], residual: &mut Vec<f64>, slopes: &mut Vec<f64>);
    /// The size of the terms of each row at x.
    fn terms(&mut self, x: &[f64]) -> Vec<f64>;
    /// Slopes at x, those without what rounding of their terms leaves where that is known.
    fn present_slopes(&mut self, x: &[f64]) -> Vec<f64> {
        let (mut residual, mut slopes) = (Vec::new(), Vec::new());
        self.at(x, &mut residual, &mut slopes);
        slopes
    }
}
