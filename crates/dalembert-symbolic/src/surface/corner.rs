//! Corners: where a row has one slope on one side and another on the other, as y = |x| has at x = 0.
//!
//! No rates meet such a row on both sides, so nothing that is said of the motion there is right.

use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{ExprId, SymbolId, jump_arguments, one_side};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::KNOWN;
use dalembert_mechanics::lower::RowId;
use dalembert_mechanics::lower::System;
use dalembert_mechanics::start::State;

/// Slopes of all rows, and the arguments of what jumps in them.
fn slopes_and_arguments(system: &System) -> (Vec<ExprId>, Vec<ExprId>) {
    let slopes = system.rows.iter().map(|row| &row.jacobian);
    let slopes: Vec<ExprId> = slopes.flatten().map(|&(_, slope)| slope).collect();
    let arguments = jump_arguments(&system.graph, &slopes);
    (slopes, arguments)
}

/// Whether rows may have corners at all.
#[must_use]
pub fn may_have_corners(system: &System) -> bool {
    !slopes_and_arguments(system).1.is_empty()
}

/// The first row that has a corner at a state, as far as the state is known.
#[must_use]
pub fn corner(mechanism: &Mechanism, state: &State) -> Option<RowId> {
    let system = &mechanism.system;
    let mut graph = system.graph.clone();
    let (slopes, arguments) = slopes_and_arguments(system);
    if arguments.is_empty() {
        return None;
    }
    // A coordinate that was moved to the corner is rounding beside the value that it was given.
    let given = mechanism.raw_start(state.t);
    let given = given.unwrap_or_else(|_| state.clone());
    let sizes = mechanism.sizes(state);
    let symbols = &system.symbols;
    let known = [
        (&symbols.coordinates, &sizes.coordinates, &given.coordinates),
        (&symbols.rates, &sizes.rates, &given.rates),
    ];
    let value_of = |symbol: SymbolId| {
        let value = mechanism.value_of(symbol, state);
        let size = known.iter().find_map(|(list, sizes, given)| {
            let place = list.iter().position(|&it| it == symbol)?;
            Some(sizes[place].max(value.abs()).max(given[place].abs()))
        });
        Bounded::within(Number::from(value), KNOWN * size.unwrap_or(0.0))
    };
    let zero = Bounded::exact(Number::ZERO);
    let values = evaluate_bounded(&graph, &arguments, value_of);
    let vanish = values.iter().map(|it| !it.differs_from(&zero));
    let jumping: Vec<ExprId> = arguments
        .into_iter()
        .zip(vanish)
        .filter_map(|(id, vanishes)| vanishes.then_some(id))
        .collect();
    // A slope in which the sign is multiplied by what vanishes with it has no jump: that of x |x|.
    let mut jumps = vec![false; slopes.len()];
    for argument in jumping {
        let [below, above] = [false, true].map(|above| {
            let slopes = one_side(&mut graph, &slopes, argument, above);
            evaluate_bounded(&graph, &slopes, value_of)
        });
        for (jumps, (a, b)) in jumps.iter_mut().zip(below.iter().zip(&above)) {
            *jumps |= a.differs_from(b);
        }
    }
    let mut jumps = jumps.into_iter();
    let has_corner = |row: &dalembert_mechanics::lower::Row| {
        let own = jumps.by_ref().take(row.jacobian.len());
        own.fold(false, |any, jumps| any | jumps)
    };
    system.rows.iter().position(has_corner).map(RowId::new)
}
