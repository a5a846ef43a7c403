//! The directions that rows leave free, as vector fields in expressions, and their brackets.

use crate::forms::{Form, Point};
use crate::span::Value;
use dalembert_expr::calculus::forward;
use dalembert_expr::normal::precise::evaluate_bounded;
use dalembert_expr::{ExprId, Graph, SymbolId};
use std::collections::BTreeMap;

/// Part of the largest entry of a row that a pivot has at least: smaller ones make long numbers of short ones.
const PIVOT: f64 = 0.01;

/// A vector field: components that are not zero, by variable.
pub(crate) type Direction = BTreeMap<usize, ExprId>;

/// What rows leave free.
pub(crate) struct Free {
    /// One for each variable without pivot: 1 there, and 0 at the others without.
    pub(crate) directions: Vec<Direction>,
    /// Variables that the rows give in terms of the others.
    pub(crate) pivots: Vec<usize>,
    /// Rows that give them: the others depend on these.
    pub(crate) rows: Vec<usize>,
}

/// Values of expressions at a point.
pub(crate) fn values(graph: &Graph, expressions: &[ExprId], point: &Point) -> Vec<Value> {
    let nothing = || {
        let no_number = dalembert_expr::normal::precise::Number::from(f64::NAN);
        dalembert_expr::normal::precise::Bounded::exact(no_number)
    };
    let at = |symbol: SymbolId| point.get(&symbol).copied().unwrap_or_else(nothing);
    let found = evaluate_bounded(graph, expressions, at);
    found.into_iter().map(Value::from).collect()
}

/// Whether one of the expressions is not zero at a point, whatever rounding did.
pub(crate) fn any_is_clear(graph: &Graph, expressions: &[ExprId], point: &Point) -> bool {
    let found = values(graph, expressions, point);
    found.iter().any(|it| it.is_clear())
}

/// A vector or covector at a point.
pub(crate) fn at_point(
    graph: &Graph,
    entries: impl Iterator<Item = (usize, ExprId)>,
    size: usize,
    point: &Point,
) -> Vec<Value> {
    let (places, expressions): (Vec<usize>, Vec<ExprId>) = entries.unzip();
    let mut vector = vec![Value::ZERO; size];
    for (place, value) in places.into_iter().zip(values(graph, &expressions, point)) {
        vector[place] = value;
    }
    vector
}

type Entry = (ExprId, Value);

/// Solves the rows for as many variables as they determine, by pivots that are not zero at a point; never for `kept`. `None` if a row
/// is left that cannot be met, or if digits do not tell.
pub(crate) fn free(
    graph: &mut Graph,
    forms: &[&Form],
    size: usize,
    kept: Option<usize>,
    point: &Point,
) -> Option<Free> {
    let mut rows: Vec<BTreeMap<usize, Entry>> = Vec::with_capacity(forms.len());
    for form in forms {
        let expressions: Vec<ExprId> = form.values().copied().collect();
        let found = values(graph, &expressions, point);
        let entries = form.iter().zip(found);
        let row: BTreeMap<usize, Entry> = entries
            .map(|((&k, &entry), value)| (k, (entry, value)))
            .collect();
        if row.values().any(|(_, value)| !value.number.is_finite()) {
            return None;
        }
        rows.push(row);
    }
    let mut solved: Vec<(usize, usize)> = Vec::new();
    while let Some((row, column)) = pivot(graph, &rows, &solved, kept) {
        let (by, by_value) = rows[row][&column];
        let mut chosen = std::mem::take(&mut rows[row]);
        chosen.remove(&column);
        for (entry, value) in chosen.values_mut() {
            *entry = graph.div(*entry, by);
            *value = value.over(by_value);
        }
        for (other, entries) in rows.iter_mut().enumerate() {
            let Some((factor, factor_value)) = entries.remove(&column) else {
                continue;
            };
            debug_assert_ne!(other, row);
            for (&k, &(entry, value)) in &chosen {
                let zero = graph.integer(0);
                let part = graph.mul(factor, entry);
                let place = entries.entry(k).or_insert((zero, Value::ZERO));
                place.0 = graph.sub(place.0, part);
                place.1 = place.1.minus(factor_value.times(value));
                if graph.as_number(place.0).is_some_and(|it| it.is_zero()) {
                    entries.remove(&k);
                }
            }
        }
        rows[row] = chosen;
        solved.push((row, column));
    }
    let is_solved = |row: usize| solved.iter().any(|&(known, _)| known == row);
    let left = rows.iter().enumerate().filter(|(row, _)| !is_solved(*row));
    if left
        .flat_map(|(_, row)| row.values())
        .any(|(_, value)| value.is_clear())
    {
        return None;
    }
    let pivots: Vec<usize> = solved.iter().map(|&(_, column)| column).collect();
    let mut directions = Vec::new();
    for k in (0..size).filter(|k| !pivots.contains(k)) {
        let mut direction = Direction::from([(k, graph.integer(1))]);
        for &(row, column) in &solved {
            if let Some(&(entry, _)) = rows[row].get(&k) {
                direction.insert(column, graph.neg(entry));
            }
        }
        directions.push(direction);
    }
    let rows = solved.iter().map(|&(row, _)| row).collect();
    Some(Free {
        directions,
        pivots,
        rows,
    })
}

/// A pivot that keeps rows short: a number before other expressions, then the one that fills least, then the largest.
fn pivot(
    graph: &Graph,
    rows: &[BTreeMap<usize, Entry>],
    solved: &[(usize, usize)],
    kept: Option<usize>,
) -> Option<(usize, usize)> {
    let open = |row: &usize| solved.iter().all(|&(known, _)| known != *row);
    let mut best = None;
    for row in (0..rows.len()).filter(open) {
        let usable = || rows[row].iter().filter(|(k, _)| Some(**k) != kept);
        let sizes = usable().map(|(_, (_, value))| value.number.size());
        let largest = sizes.fold(0.0, f64::max);
        for (&column, (entry, value)) in usable() {
            let size = value.number.size();
            if !value.is_clear() || size < PIVOT * largest {
                continue;
            }
            let others = rows.iter().filter(|row| row.contains_key(&column)).count() - 1;
            let is_long = graph.as_number(*entry).is_none();
            let cost = (is_long, others * rows[row].len());
            let is_better = best.is_none_or(|(known, beside, _)| {
                cost < known || (cost == known && size / largest > beside)
            });
            if is_better {
                best = Some((cost, size / largest, (row, column)));
            }
        }
    }
    best.map(|(_, _, place)| place)
}

/// [X, Y] = X(Y) − Y(X).
pub(crate) fn bracket(
    graph: &mut Graph,
    variables: &[SymbolId],
    x: &Direction,
    y: &Direction,
) -> Direction {
    let mut result = Direction::new();
    for (along, of, positive) in [(x, y, true), (y, x, false)] {
        let seeds: BTreeMap<SymbolId, ExprId> = along
            .iter()
            .map(|(&k, &part)| (variables[k], part))
            .collect();
        let parts: Vec<ExprId> = of.values().copied().collect();
        let slopes = forward(graph, &parts, |_, symbol| seeds.get(&symbol).copied());
        for (&k, slope) in of.keys().zip(slopes) {
            let zero = graph.integer(0);
            let place = result.entry(k).or_insert(zero);
            *place = match positive {
                true => graph.add(*place, slope),
                false => graph.sub(*place, slope),
            };
        }
    }
    result.retain(|_, part| graph.as_number(*part).is_none_or(|it| !it.is_zero()));
    result
}
