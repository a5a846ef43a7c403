//! How large the terms of rows are at a state, and which of their expressions vanish identically.
//!
//! A row that vanishes identically without being written as zero, as the third of `vel(disc, at = touch) = [0, 0, 0]` does for
//! a disc that is built on its contact, has a value that is nothing but rounding. It is found here, once, and left out of
//! the programs: everything after has an exact zero to deal with.

use super::storage::Storage;
use crate::decide::is_rounding;
use crate::linear::factorisation::RowTerms;
use crate::lower::{Level, Row, Sparse, System};
use crate::random;
use crate::terms::Terms;
use dalembert_expr::{ExprId, SymbolId};
use std::collections::HashSet;

/// Random places at which an expression has to vanish, and how many are tried to find these.
const PLACES: usize = 4;
const TRIES: u64 = 40;

/// The expressions of the rows, to be measured.
pub(super) struct Measures {
    /// The place of each symbol among the inputs.
    places: Vec<Option<usize>>,
    position: Terms,
    velocity: Terms,
    /// Entries of A, then b.
    rows: Terms,
    /// Where in A each of the entries stands.
    entries: Vec<usize>,
    size: usize,
}

impl Measures {
    pub(super) fn new(system: &System, storage: &Storage, places: &[Option<usize>]) -> Self {
        let rows = || system.rows.iter();
        let residuals = |of: fn(&Row) -> Option<ExprId>| -> Terms {
            let list: Vec<ExprId> = rows().filter_map(of).collect();
            Terms::new(&system.graph, &list)
        };
        let jacobian = rows().flat_map(|row| row.jacobian.iter().map(|&(_, value)| value));
        let all: Vec<ExprId> = jacobian.chain(rows().map(|row| row.bias)).collect();
        let entries = rows().enumerate().flat_map(|(index, row)| {
            let place = move |&(j, _): &(usize, ExprId)| storage.rows.place(index, j);
            row.jacobian.iter().filter_map(place)
        });
        Self {
            position: residuals(|row| (row.level == Level::Position).then_some(row.residual)),
            velocity: residuals(|row| row.rate),
            rows: Terms::new(&system.graph, &all),
            entries: entries.collect(),
            size: storage.rows.size(),
            places: places.to_vec(),
        }
    }

    pub(super) fn value_of<'a>(&'a self, inputs: &'a [f64]) -> impl Fn(SymbolId) -> f64 + 'a {
        move |symbol| self.places[symbol.index()].map_or(f64::NAN, |place| inputs[place])
    }

    pub(super) fn position(&self, inputs: &[f64]) -> Vec<f64> {
        self.position.sizes(self.value_of(inputs))
    }

    pub(super) fn velocity(&self, inputs: &[f64]) -> Vec<f64> {
        self.velocity.sizes(self.value_of(inputs))
    }

    pub(super) fn rows(&self, inputs: &[f64]) -> RowTerms {
        let mut sizes = self.rows.sizes(self.value_of(inputs));
        let bias = sizes.split_off(self.entries.len());
        let mut jacobian = vec![0.0; self.size];
        for (&place, size) in self.entries.iter().zip(sizes) {
            jacobian[place] += size;
        }
        RowTerms { jacobian, bias }
    }
}

/// Expressions of the rows that are rounding beside their terms wherever they are looked at.
pub(super) fn vanishing(system: &System) -> HashSet<ExprId> {
    let of_row = |row: &Row| {
        let jacobian = row.jacobian.iter().map(|&(_, value)| value);
        let rest = [Some(row.bias), Some(row.residual), row.rate];
        let all: Vec<ExprId> = jacobian.chain(rest.into_iter().flatten()).collect();
        all
    };
    let expressions: Vec<ExprId> = system.rows.iter().flat_map(of_row).collect();
    let terms = Terms::new(&system.graph, &expressions);
    // What has no value at a place, as √(x − 5) may, is asked at others.
    let mut seen = vec![0; expressions.len()];
    // What is zero on one side of a corner need not be on the other.
    let mut vanishes = terms.analytic();
    for trial in 0..TRIES {
        let at = terms.measured(|symbol| place(symbol.index() as u64, trial));
        for (k, (value, size)) in at.enumerate() {
            // What has no terms has underflowed, and tells nothing.
            if value.is_finite() && size.is_finite() && size > 0.0 {
                seen[k] += 1;
                vanishes[k] &= is_rounding(value, size);
            }
        }
        let open = |k: usize| vanishes[k] && seen[k] < PLACES;
        if !(0..expressions.len()).any(open) {
            break;
        }
    }
    let zero = |&k: &usize| vanishes[k] && seen[k] >= PLACES;
    let found = (0..expressions.len()).filter(zero);
    found.map(|k| expressions[k]).collect()
}

/// A row without what vanishes.
pub(super) fn present<'a>(
    sparse: &'a Sparse,
    vanishing: &'a HashSet<ExprId>,
) -> impl Iterator<Item = &'a (usize, ExprId)> {
    sparse
        .iter()
        .filter(|(_, value)| !vanishing.contains(value))
}

/// A number that belongs to a symbol and a trial. Half of the places have positive numbers only: roots and logarithms want
/// them.
fn place(symbol: u64, trial: u64) -> f64 {
    let size = random(symbol, trial);
    let negative = trial % 2 == 1 && random(symbol, TRIES + trial) > 0.7;
    if negative { -size } else { size }
}
