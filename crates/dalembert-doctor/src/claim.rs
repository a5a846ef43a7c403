//! Claims that a row keeps a function constant on its own.

use crate::directions::any_is_clear;
use crate::forms::{Form, sides};
use crate::mechanism::tangent_directions;
use crate::rows::form_of;
use dalembert_expr::calculus::gradient;
use dalembert_expr::{ExprId, Graph};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::{Level, RowId};

/// Why such a claim is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoClaim {
    /// The row is not linear in the rates, or no row of velocities.
    NotLinear,
    /// The function or the row is another expression on either side of where this is zero.
    TwoSided(ExprId),
    /// The function is constant whatever moves.
    Constant,
    /// The rows of positions are not solved at the start.
    Unfollowed,
    /// The function is constant by the rows of positions, as far as numbers tell.
    ByPositions,
}

/// The equations dF ∧ ω = 0 along the surface of the rows of positions, by pairs of directions: the row keeps F constant on its own.
///
/// # Errors
/// Why that is no question.
pub fn parallel(
    graph: &mut Graph,
    mechanism: &Mechanism,
    row: RowId,
    value: ExprId,
) -> Result<Vec<(ExprId, ExprId)>, NoClaim> {
    let system = &mechanism.system;
    let row = &system.rows[row];
    let is_asked = row.linear && row.level == Level::Velocity;
    let rate = row.rate.filter(|_| is_asked).ok_or(NoClaim::NotLinear)?;
    let zero = graph.integer(0);
    let form = form_of(graph, system, row, rate);
    let mut variables = system.symbols.coordinates.clone();
    variables.push(system.symbols.time);
    let asked: Vec<ExprId> = form.values().copied().chain([value]).collect();
    if let Some(argument) = sides(graph, &asked, &variables) {
        return Err(NoClaim::TwoSided(argument));
    }
    let slopes = gradient(graph, value, &variables);
    if slopes.iter().all(|&it| it == zero) {
        return Err(NoClaim::Constant);
    }
    let found = tangent_directions(graph, mechanism);
    let (directions, point) = found.ok_or(NoClaim::Unfollowed)?;
    let mut along = |of: &dyn Fn(usize) -> Option<ExprId>| -> Vec<ExprId> {
        let sum = |direction: &Form| {
            let mut sum = zero;
            for (&k, &part) in direction {
                if let Some(entry) = of(k) {
                    let term = graph.mul(entry, part);
                    sum = graph.add(sum, term);
                }
            }
            sum
        };
        directions.iter().map(sum).collect()
    };
    let of_row = along(&|k| form.get(&k).copied());
    let of_value = along(&|k| slopes.get(k).copied());
    // Zero is a multiple of every row.
    if !any_is_clear(graph, &of_value, &point) {
        return Err(NoClaim::ByPositions);
    }
    let mut sides = Vec::new();
    for i in 0..of_row.len() {
        for k in 0..i {
            let left = graph.mul(of_row[i], of_value[k]);
            let right = graph.mul(of_row[k], of_value[i]);
            if left != right {
                sides.push((left, right));
            }
        }
    }
    match sides.is_empty() {
        true => Ok(vec![(zero, zero)]),
        false => Ok(sides),
    }
}
