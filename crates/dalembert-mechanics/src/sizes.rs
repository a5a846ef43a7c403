//! How large coordinates, rates and times are in the motion from a start, in any units.

use crate::decide::{CANCELLED, FAINT, PRODUCTS};
use crate::linear::{Groups, Matrix, balance};
use crate::lower::System;
use crate::mechanism::Mechanism;
use crate::state::State;
use crate::terms::{Terms, present};
use dalembert_expr::SymbolId;

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
    /// For each coordinate the change that counts in the argument of a sine or the like at a state; `None` for what stands in none.
    #[must_use]
    pub fn natural_sizes(&self, state: &State) -> Vec<Option<f64>> {
        natural_sizes(&self.system, |symbol| self.value_of(symbol, state))
    }

    /// The sizes of a motion that starts at a state. An angle counts as one, and what else stands in a sine or the like as its
    /// argument wants; a length is as large as it is, or as those that rows couple it to, or as the others are, or as far as
    /// the motion goes where all are zero.
    #[must_use]
    pub fn sizes(&self, start: &State) -> Sizes {
        let n = start.coordinates.len();
        let natural = self.natural_sizes(start);
        let own = |i: usize| natural[i].unwrap_or(start.coordinates[i].abs());
        let own: Vec<f64> = (0..n).map(own).collect();
        let span = self.system.run.span.map(|span| self.run_value(span));
        let span = span.filter(|span| *span > 0.0);
        let acceleration = match self.motion(start) {
            Ok(motion) => motion.accelerations,
            Err(_) => vec![0.0; n],
        };

        let units = self.known_units(start);
        let open = |i: usize| natural[i].is_none();
        let lengths = (0..n).map(|i| (open(i) && own[i] > 0.0).then_some(own[i]));
        let lengths: Vec<Option<f64>> = lengths.collect();
        let reach = |i: usize| {
            let time = span.unwrap_or(1.0);
            let reach = (start.rates[i].abs() + acceleration[i].abs() * time) * time;
            (open(i) && reach > 0.0).then_some(reach)
        };
        let largest = |count: usize| count.saturating_sub(1);
        let usual = match lengths.iter().any(Option::is_some) {
            true => like_sizes(&lengths, &units, |count| count / 2),
            false => like_sizes(&(0..n).map(reach).collect::<Vec<_>>(), &units, largest),
        };
        let most = like_sizes(&lengths, &units, largest);
        let mut evaluator = self.evaluator_at(start);
        let slopes = evaluator.position_terms().jacobian;
        let slopes = present(evaluator.position().jacobian.values(), &slopes);
        let slopes = self.equations.position_pattern().matrix(&slopes);
        let coupled = coupled_sizes(&slopes, &own);
        let size = |i: usize| {
            let usual = usual[i].unwrap_or(1.0);
            // A row that hardly holds a coordinate would let it go far: no farther than the others.
            let size = own[i].max(coupled[i].min(most[i].unwrap_or(f64::INFINITY)));
            match natural[i] {
                Some(natural) => natural,
                None if size > CANCELLED * usual && size.is_finite() => size,
                None => usual,
            }
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

/// For each coordinate a size like those that are known, of which in ascending order one is picked. Unlike coordinates are compared in
/// units in which each has an inertia of one; where nothing tells its unit, by their numbers.
pub(crate) fn like_sizes(
    sizes: &[Option<f64>],
    units: &[Option<f64>],
    pick: impl Fn(usize) -> usize,
) -> Vec<Option<f64>> {
    let picked = |mut known: Vec<f64>| {
        known.sort_by(f64::total_cmp);
        known.get(pick(known.len())).copied()
    };
    let in_units = sizes.iter().zip(units);
    let in_units = picked(
        in_units
            .filter_map(|(size, unit)| Some((*size)? / (*unit)?))
            .collect(),
    );
    let plain = picked(sizes.iter().flatten().copied().collect());
    let like = |unit: &Option<f64>| match (unit, in_units) {
        (Some(unit), Some(size)) => Some(unit * size),
        _ => plain,
    };
    units.iter().map(like).collect()
}

/// For each coordinate the change that counts in the argument of a sine or the like, in a row or an energy.
pub(crate) fn natural_sizes(
    system: &System,
    value_of: impl FnMut(SymbolId) -> f64,
) -> Vec<Option<f64>> {
    let residuals = system.rows.iter().map(|row| row.residual);
    let expressions = residuals.chain([system.kinetic, system.potential]);
    let terms = Terms::of_elements(&system.graph, expressions.map(|value| [value]));
    let natural = terms.natural(value_of);
    let of = |symbol: &SymbolId| natural[symbol.index()];
    system.symbols.coordinates.iter().map(of).collect()
}

/// Adds to the terms of each row what unknowns of their usual size would be in it: a value that is zero but for rounding
/// is small beside these, not beside itself.
pub(crate) fn add_usual(terms: &mut [f64], slopes: &Matrix<'_>, usual: &[f64]) {
    for (row, terms) in terms.iter_mut().enumerate().take(slopes.rows()) {
        let more = slopes.size_along(row, usual);
        if more.is_finite() {
            *terms += more;
        }
    }
}

/// How large each unknown would be if it had as large a part in the rows as the largest of those that rows couple it to;
/// `sizes` are those of the unknowns themselves. Zero where all of these are.
fn coupled_sizes(slopes: &Matrix<'_>, sizes: &[f64]) -> Vec<f64> {
    coupled_or_faint(slopes, sizes, 0.0)
}

/// The same; where a whole group is at rest, what rounding of all others leaves in it.
pub(crate) fn faintly_coupled_sizes(slopes: &Matrix<'_>, sizes: &[f64]) -> Vec<f64> {
    coupled_or_faint(slopes, sizes, FAINT)
}

/// Entries without those that are rounding beside others of their row and beside others of their column, as the components of a
/// quaternion that happen to be zero: they couple nothing.
fn without_rounding(slopes: &Matrix<'_>) -> Vec<f64> {
    let mut columns = vec![0.0_f64; slopes.columns()];
    let mut rows = vec![0.0_f64; slopes.rows()];
    for (row, largest) in rows.iter_mut().enumerate() {
        for (j, slope) in slopes.stored(row) {
            columns[j] = columns[j].max(slope.abs());
            *largest = largest.max(slope.abs());
        }
    }
    let mut kept = slopes.values().to_vec();
    for (row, largest) in rows.into_iter().enumerate() {
        let first = slopes
            .pattern()
            .map_or(row * slopes.columns(), |it| it.row(row).start);
        for (place, (j, slope)) in slopes.stored(row).enumerate() {
            if slope.abs() <= PRODUCTS * largest.min(columns[j]) {
                kept[first + place] = 0.0;
            }
        }
    }
    kept
}

fn coupled_or_faint(slopes: &Matrix<'_>, sizes: &[f64], faint: f64) -> Vec<f64> {
    let values = without_rounding(slopes);
    let slopes = &match slopes.pattern() {
        Some(pattern) => pattern.matrix(&values),
        None => Matrix::full(slopes.rows(), slopes.columns(), &values),
    };
    let (_, columns) = balance(slopes);
    let mut groups = Groups::new(sizes.len());
    for row in 0..slopes.rows() {
        let known = slopes.stored(row).filter(|(_, slope)| *slope != 0.0);
        groups.join(known.map(|(j, _)| j));
    }
    let mut largest = vec![0.0_f64; sizes.len()];
    for (j, (size, column)) in sizes.iter().zip(&columns).enumerate() {
        let group = groups.of(j);
        largest[group] = largest[group].max((size / column).abs());
    }
    let floor = faint * largest.iter().fold(0.0_f64, |a, x| a.max(*x));
    let sizes = columns.iter().enumerate();
    sizes
        .map(|(j, column)| column * largest[groups.of(j)].max(floor))
        .collect()
}
