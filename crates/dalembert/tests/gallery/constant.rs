//! What `check` says is constant stays so along runs: momenta along symmetries, and what rows of velocities keep.

use crate::support::{assert_close, at, mechanism, names, ran};
use dalembert_doctor::{Doctor, examine, held};
use dalembert_expr::calculus::gradient;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{ExprId, Graph};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;

/// Everything that is constant, as expressions.
fn constants(mechanism: &Mechanism, doctor: &Doctor) -> (Graph, Vec<ExprId>) {
    let system = &mechanism.system;
    let mut graph = doctor.graph.clone();
    let momenta = gradient(&mut graph, system.kinetic, &system.symbols.rates);
    let mut all = doctor.diagnosis.integrals.clone();
    for symmetry in &doctor.conserved.momenta {
        let mut sum = graph.integer(0);
        for &(k, constant) in &symmetry.shifts {
            let part = graph.mul(constant, momenta[k]);
            sum = graph.add(sum, part);
        }
        for &((i, j), constant) in &symmetry.turns {
            let [a, b] = [i, j].map(|k| graph.symbol_node(system.symbols.coordinates[k]));
            let (left, right) = (graph.mul(a, momenta[j]), graph.mul(b, momenta[i]));
            let turn = graph.sub(left, right);
            let part = graph.mul(constant, turn);
            sum = graph.add(sum, part);
        }
        all.push(sum);
    }
    (graph, all)
}

#[test]
fn what_is_said_to_be_constant_is() {
    let (mut found, mut wrong) = (0, Vec::new());
    for name in names() {
        let mechanism = mechanism(&name);
        let Ok(start) = mechanism.start() else {
            continue;
        };
        let doctor = examine(&mechanism, &start.state);
        let (graph, constants) = constants(&mechanism, &doctor);
        if constants.is_empty() {
            continue;
        }
        let run = ran(&mechanism, &at(1e-12)).unwrap();
        let end = State {
            t: run.t_end,
            coordinates: run.coordinates.clone(),
            rates: run.rates.clone(),
            ..start.state.clone()
        };
        let values = |state: &State| {
            let at = |symbol| Bounded::exact(Number::from(mechanism.value_of(symbol, state)));
            evaluate_bounded(&graph, &constants, at)
        };
        for (before, after) in values(&start.state).iter().zip(values(&end)) {
            found += 1;
            let change = (after.value - before.value).size();
            let size = before.size + after.size;
            // A step errs by 1e-12 of the motion, and there are thousands.
            if !change.is_finite() || change > 1e-9 * size {
                wrong.push(format!("{name}: {change:e} beside {size:e}"));
            }
        }
    }
    assert!(found >= 10, "{found}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A row that is held at position level has the multiplier of the row as written, and what it keeps constant does not drift.
#[test]
fn rows_in_disguise_do_not_drift() {
    for name in ["rolling-disk", "whipple-bicycle"] {
        let mechanism = mechanism(name);
        let start = mechanism.start().unwrap();
        let held = held(&mechanism, &start.state).unwrap();
        let doctor = examine(&mechanism, &start.state);
        let run = ran(&held, &at(1e-6)).unwrap();
        let end = State {
            t: run.t_end,
            coordinates: run.coordinates.clone(),
            rates: run.rates.clone(),
            ..start.state.clone()
        };
        let integrals = &doctor.diagnosis.integrals;
        let values = |state: &State| {
            let at = |symbol| Bounded::exact(Number::from(mechanism.value_of(symbol, state)));
            evaluate_bounded(&doctor.graph, integrals, at)
        };
        for (before, after) in values(&start.state).iter().zip(values(&end)) {
            let change = (after.value - before.value).size();
            assert!(
                change <= 1e-14 * (before.size + after.size),
                "{name}: {change:e}"
            );
        }
        let [ours, theirs] = [&mechanism, &held].map(|it| it.snapshot(&end).unwrap());
        assert_close(&theirs.multipliers, &ours.multipliers, 1e-10, name);
        assert_close(&theirs.accelerations, &ours.accelerations, 1e-10, name);
    }
}
