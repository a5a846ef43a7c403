//! When contacts open whose forces are not unique. They are known to do so where their gaps begin to open by more than what such forces are known to, which is a
//! little later than they do: from how that grows there follows when it began.

use crate::motion::MotionSystem;
use dalembert_mechanics::contacts::Contacts;
use dalembert_mechanics::decide::{CLEAR, COARSE, ROUNDING};
use dalembert_ode::Step;

/// Roundings of a time after which it is looked at first how the opening grows, and how often that time is doubled at most.
const AFTER: f64 = 4.0;
const DOUBLINGS: usize = 50;
/// How much what is seen first may exceed what counts as an opening: what jumps did not grow.
const GROWN: f64 = 2.0;

/// When contacts began to open that were found to do so at a time, faster than `least`; others of those that press and begin with them are found, too.
pub(super) fn began<'m>(
    step: &mut Step<'_, MotionSystem<'m>, 1>,
    (contacts, pressing, found): (&mut Contacts<'m>, &[usize], &mut Vec<usize>),
    (seen, least): (f64, f64),
) -> f64 {
    let [start, end] = [step.t_old(0), step.t_new(0)];
    let mut state = vec![0.0; step.size()];
    let mut lifts_at = |t: f64| {
        step.state(0, t, &mut state);
        let state = step.system().state_at(t, state.as_chunks().0);
        contacts.set(&state);
        contacts.lifts(pressing).ok()
    };
    let Some(lifts) = lifts_at(seen) else {
        return seen;
    };
    let along = pressing.iter().zip(lifts);
    let along = along.filter(|(it, lift)| *lift > COARSE * least && !found.contains(it));
    let along: Vec<usize> = along.map(|it| *it.0).collect();
    let fastest = |lifts: Vec<f64>| {
        let own = pressing.iter().zip(lifts);
        let own = own.filter(|(it, _)| found.contains(it));
        own.fold(0.0_f64, |most, it| most.max(it.1))
    };
    let began = grown_from([seen, end], least, |t| lifts_at(t).map(fastest));
    found.extend(along);
    found.sort_unstable();
    began.max(start)
}

/// When openings began that were seen at a time to be more than `least`; that time where they jump. `lift_at` tells what opens fastest of those that were found.
fn grown_from(
    [seen, end]: [f64; 2],
    least: f64,
    mut lift_at: impl FnMut(f64) -> Option<f64>,
) -> f64 {
    let Some(first) = lift_at(seen).filter(|lift| *lift > 0.0 && *lift <= GROWN * least) else {
        return seen;
    };
    let mut after = AFTER * ROUNDING * seen.abs().max((end - seen).abs());
    for _ in 0..DOUBLINGS {
        let t = (seen + after).min(end);
        let Some(lift) = lift_at(t) else { return seen };
        if lift >= 2.0 * first {
            let began = seen - first * (t - seen) / (lift - first);
            // What grows from nothing does so evenly over so short a time.
            let passed = seen - began;
            return if passed <= CLEAR * (end - seen).max(seen.abs()) {
                began
            } else {
                seen
            };
        }
        if t >= end {
            return seen;
        }
        after *= 2.0;
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::grown_from;

    #[test]
    fn openings_begin_where_they_grow_from() {
        let grows = |t: f64| Some((t - 2.0) * (1.0 + 0.3 * (t - 2.0)));
        let found = grown_from([2.0 + 1e-8, 2.5], 1e-8, grows);
        assert!((found - 2.0).abs() < 1e-15, "{found}");
        // One that jumps, and one that no one knows, began where they were seen.
        for lift in [Some(1.0), None, Some(1e-8)] {
            let found = grown_from([2.0, 2.5], 1e-8, |_| lift);
            assert!((found - 2.0).abs() < f64::EPSILON);
        }
    }
}
