//! What is said to be constant, along a short run: what symbols prove and what runs integrate have nothing in common but the model.

use crate::simulate::Stepping;
use dalembert_decide::CLEAR;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{ExprId, Graph};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use std::ops::ControlFlow;

/// Tolerance of the run.
const RTOL: f64 = 1e-9;
/// Places on its way at which is looked.
const PLACES: usize = 4;

/// The largest change of the expressions along a run, beside their terms, and which of them changes so; from a random state that meets the
/// constraints. `None` if there is no such run, as in models with events, or nothing to look at.
pub(super) fn change(
    mechanism: &Mechanism,
    start: &State,
    graph: &Graph,
    constants: &[ExprId],
) -> Option<(usize, f64)> {
    if constants.is_empty() {
        return None;
    }
    let from = mechanism.states_around(start, 1).pop()?;
    let span = usual_time(mechanism, &from)?;
    let mut run = Stepping::new(mechanism, &from, (RTOL, None)).ok()??;
    let at = |state: &State| {
        let number = |symbol| Bounded::exact(Number::from(mechanism.value_of(symbol, state)));
        evaluate_bounded(graph, constants, number)
    };
    let before = at(&from);
    let mut found: Option<(usize, f64)> = None;
    let mut state = from;
    let go_on = || ControlFlow::Continue(());
    for _ in 0..PLACES {
        if run.step(span / PLACES as f64, go_on).is_err() {
            break;
        }
        state.t = run.t();
        state.coordinates.copy_from_slice(run.coordinates());
        state.rates.copy_from_slice(run.rates());
        for (k, (now, then)) in at(&state).iter().zip(&before).enumerate() {
            let size = now.size.max(then.size);
            let change = (now.value - then.value).size();
            let part = if size > 0.0 { change / size } else { change };
            if found.is_none_or(|(_, most)| part > most) {
                found = Some((k, part));
            }
        }
    }
    found
}

/// Whether a change is more than a run errs by.
pub(super) fn is_change(part: f64) -> bool {
    part.is_nan() || part > CLEAR
}

/// The time in which half of the coordinates, or their rates, have become others.
fn usual_time(mechanism: &Mechanism, state: &State) -> Option<f64> {
    let motion = mechanism.motion(state).ok()?;
    let moving = state.coordinates.iter().zip(&state.rates);
    let times = moving.zip(&motion.accelerations).map(|((q, v), a)| {
        let by_force = (v / a).abs().max((q / a).abs().sqrt());
        by_force.min((q / v).abs())
    });
    let mut times: Vec<f64> = times.filter(|it| it.is_finite() && *it > 0.0).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
#[path = "../../../tests/inside/report_check_constants.rs"]
mod tests;
