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
    position: Measured,
    velocity: Measured,
    /// Entries of A and b, row by row.
    rows: Measured,
    /// Where in A each of the entries stands; none of b.
    entries: Vec<Option<usize>>,
    size: usize,
}

/// Expressions of the rows, with their terms. All rows of a constraint are one element: what they share is measured once.
struct Measured {
    expressions: Vec<ExprId>,
    terms: Terms,
}

impl Measured {
    fn new<V: IntoIterator<Item = ExprId>>(system: &System, of: impl Fn(&Row) -> V) -> Self {
        let constraints = system.rows.chunk_by(|a, b| a.constraint == b.constraint);
        let element = |rows: &[Row]| rows.iter().flat_map(&of).collect::<Vec<_>>();
        Self {
            expressions: system.rows.iter().flat_map(&of).collect(),
            terms: Terms::of_elements(&system.graph, constraints.map(element)),
        }
    }

    /// Adds those that are rounding beside their terms wherever they are looked at.
    fn vanishing(&self, found: &mut HashSet<ExprId>) {
        // What has no value at a place, as √(x − 5) may, is asked at others.
        let mut seen = vec![0; self.expressions.len()];
        // What is zero on one side of a corner need not be on the other.
        let mut vanishes = self.terms.analytic();
        for trial in 0..TRIES {
            let value_of = |symbol: SymbolId| place(symbol.index() as u64, trial);
            for (k, (value, size)) in self.terms.measured(value_of).enumerate() {
                // What has no terms has underflowed, and tells nothing.
                if value.is_finite() && size.is_finite() && size > 0.0 {
                    seen[k] += 1;
                    vanishes[k] &= is_rounding(value, size);
                }
            }
            let open = |k: usize| vanishes[k] && seen[k] < PLACES;
            if !(0..seen.len()).any(open) {
                break;
            }
        }
        let zero = |&k: &usize| vanishes[k] && seen[k] >= PLACES;
        found.extend((0..seen.len()).filter(zero).map(|k| self.expressions[k]));
    }
}

impl Measures {
    pub(super) fn new(system: &System, storage: &Storage, places: &[Option<usize>]) -> Self {
        let whole = |row: &Row| -> Vec<ExprId> {
            let jacobian = row.jacobian.iter().map(|&(_, value)| value);
            jacobian.chain([row.bias]).collect()
        };
        let entries = system.rows.iter().enumerate().flat_map(|(index, row)| {
            let place = move |&(j, _): &(usize, ExprId)| storage.rows.place(index, j);
            row.jacobian.iter().map(place).chain([None])
        });
        let position = |row: &Row| (row.level == Level::Position).then_some(row.residual);
        Self {
            position: Measured::new(system, position),
            velocity: Measured::new(system, |row| row.rate),
            rows: Measured::new(system, whole),
            entries: entries.collect(),
            size: storage.rows.size(),
            places: places.to_vec(),
        }
    }

    /// Expressions of the rows that are rounding beside their terms wherever they are looked at.
    pub(super) fn vanishing(&self, system: &System) -> HashSet<ExprId> {
        let mut found = HashSet::new();
        let accelerations = |row: &Row| (row.level == Level::Acceleration).then_some(row.residual);
        let others = Measured::new(system, accelerations);
        for measured in [&self.position, &self.velocity, &self.rows, &others] {
            measured.vanishing(&mut found);
        }
        found
    }

    /// The place of a symbol among the inputs.
    pub(super) fn place(&self, symbol: SymbolId) -> Option<usize> {
        self.places.get(symbol.index()).copied().flatten()
    }

    pub(super) fn value_of<'a>(&'a self, inputs: &'a [f64]) -> impl Fn(SymbolId) -> f64 + 'a {
        move |symbol| self.places[symbol.index()].map_or(f64::NAN, |place| inputs[place])
    }

    pub(super) fn position(&self, inputs: &[f64]) -> Vec<f64> {
        self.position.terms.sizes(self.value_of(inputs))
    }

    pub(super) fn velocity(&self, inputs: &[f64]) -> Vec<f64> {
        self.velocity.terms.sizes(self.value_of(inputs))
    }

    pub(super) fn rows(&self, inputs: &[f64]) -> RowTerms {
        let measured = self.rows.terms.measured(self.value_of(inputs));
        let (mut jacobian, mut bias) = (vec![0.0; self.size], Vec::new());
        for (place, (_, size)) in self.entries.iter().zip(measured) {
            match *place {
                Some(place) => jacobian[place] += size,
                None => bias.push(size),
            }
        }
        RowTerms { jacobian, bias }
    }
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
