//! How large coordinates, rates and times are in the motion from a start, in any units.

use crate::lower::System;
use crate::mechanism::Mechanism;
use crate::start::{State, coupled_sizes};
use crate::terms::Terms;
use dalembert_expr::SymbolId;

/// Part of the usual size that is none.
const TRACE: f64 = 1e-9;

/// Sizes beside which a value that is zero but for rounding is small.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Of the coordinates.
    pub coordinates: Vec<f64>,
    /// Of their rates.
    pub rates: Vec<f64>,
    /// Of times.
    pub time: f64,
}

impl Mechanism {
    /// The sizes of a motion that starts at a state. An angle counts as one, and what else stands in a sine or the like as its
    /// argument wants; a length is as large as it is, or as those that rows couple it to, or as the others are, or as far as
    /// the motion goes where all are zero.
    #[must_use]
    pub fn sizes(&self, start: &State) -> Sizes {
        let n = start.coordinates.len();
        let natural = natural_sizes(&self.system, |symbol| self.value_of(symbol, start));
        let own = |i: usize| natural[i].unwrap_or(start.coordinates[i].abs());
        let own: Vec<f64> = (0..n).map(own).collect();
        let span = self.system.run.span.map(|span| self.run_value(span));
        let span = span.filter(|span| *span > 0.0);
        let acceleration = match self.motion(start) {
            Ok(motion) => motion.accelerations,
            Err(_) => vec![0.0; n],
        };

        let open = |i: &usize| natural[*i].is_none();
        let mut known: Vec<f64> = (0..n).filter(open).map(|i| own[i]).collect();
        known.retain(|size| *size > 0.0);
        known.sort_by(f64::total_cmp);
        let reach = |i: usize| {
            let time = span.unwrap_or(1.0);
            (start.rates[i].abs() + acceleration[i].abs() * time) * time
        };
        let usual = known.get(known.len() / 2).copied();
        let usual = usual.unwrap_or_else(|| (0..n).filter(open).map(reach).fold(0.0, f64::max));
        let usual = if usual > 0.0 { usual } else { 1.0 };
        let mut evaluator = self.evaluator();
        evaluator.set_position(start.t, &start.coordinates);
        let coupled = coupled_sizes(&evaluator.position().jacobian, &own);
        // A row that hardly holds a coordinate would let it go far: no farther than the others.
        let most = known.last().copied().unwrap_or(f64::INFINITY);
        let size = |i: usize| match (natural[i], own[i].max(coupled[i].min(most))) {
            (Some(natural), _) => natural,
            // Where nothing couples it, it is a trace of all others.
            (None, size) if size > TRACE * usual && size.is_finite() => size,
            _ => usual,
        };
        let coordinates: Vec<f64> = (0..n).map(size).collect();

        // What rests beside something fast goes as far as it may in the span.
        let fastest = (0..n).fold(0.0_f64, |fastest, i| {
            let by_acceleration = (acceleration[i].abs() / coordinates[i]).sqrt();
            let own = (start.rates[i].abs() / coordinates[i]).max(by_acceleration);
            if own.is_finite() {
                fastest.max(own)
            } else {
                fastest
            }
        });
        let natural = if fastest > 0.0 { 1.0 / fastest } else { 1.0 };
        let time = span.unwrap_or(natural);
        Sizes {
            rates: coordinates.iter().map(|size| size / time).collect(),
            coordinates,
            time,
        }
    }
}

/// For each coordinate the change that counts in the argument of a sine or the like, in a row or an energy.
pub(crate) fn natural_sizes(
    system: &System,
    value_of: impl FnMut(SymbolId) -> f64,
) -> Vec<Option<f64>> {
    let residuals = system.rows.iter().map(|row| row.residual);
    let expressions: Vec<_> = residuals
        .chain([system.kinetic, system.potential])
        .collect();
    let natural = Terms::new(&system.graph, &expressions).natural(value_of);
    let of = |symbol: &SymbolId| natural[symbol.index()];
    system.symbols.coordinates.iter().map(of).collect()
}
