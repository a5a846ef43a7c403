//! Functions made of tables: the same polynomials, to thirty digits.

use super::{Bounded, Number};
use crate::table::{TableFunction, Taken};
use dalembert_decide::thirty::{CLEAR, ROUNDING};

/// The value at an argument that is known to within its error.
pub(super) fn of_table(function: &TableFunction, a: Bounded) -> Bounded {
    let (x, e) = (a.value.to_f64(), a.error);
    let table = &*function.table;
    let Taken::Derivative(order) = function.taken else {
        return Bounded::exact(Number::from(function.value(x)));
    };
    let [first, last] = table.range();
    let beyond = x < first || x > last;
    let near = |knot: f64| (a.value - Number::from(knot)).size() <= CLEAR * e;
    let piece = table.piece_at(x);
    let knots = table.knots();
    // Either side is possible; where the function does not jump they are the same.
    if e > 0.0 && function.jumps() && (near(knots[piece]) || near(knots[piece + 1])) {
        return Bounded::unknown();
    }
    if x.is_nan() || beyond {
        // Numbers of the table itself, and a line at most.
        let value = function.value(x);
        let slope = table.derivative(order.saturating_add(1), x).abs();
        let error = slope * (e + ROUNDING * x.abs()) + f64::EPSILON * value.abs();
        return match value.is_nan() {
            true => Bounded::unknown(),
            false => Bounded::rounded(Number::from(value), error),
        };
    }
    let u = a.value - Number::from(knots[piece]);
    let c = table.pieces()[piece];
    let mut value = Number::ZERO;
    for power in (usize::from(order)..c.len()).rev() {
        let factor: usize = (power + 1 - usize::from(order)..=power).product();
        value = value * u + Number::from(c[power]).scaled(factor as f64);
    }
    let slope = table.derivative(order.saturating_add(1), x).abs();
    let size: f64 = (usize::from(order)..c.len())
        .map(|power| c[power].abs() * libm::pow(u.size(), (power - usize::from(order)) as f64))
        .sum();
    Bounded::rounded(value, 2.0 * slope * e + 24.0 * ROUNDING * size)
}
