//! Accelerations of the planar N-link pendulum, the solve included, against CasADi.

use crate::program_times::agree;
use crate::{
    BenchError, Cell, Column, Experiment, PendulumValues, Room, Row, milliseconds, nanoseconds,
    pendulum_text,
};
use dalembert::mechanics::{Mechanism, read_model};
use dalembert::simulate::RightHandSide;

/// States the accelerations are found at in turn.
const STATES: usize = 16;

/// From a state to its accelerations, and from a model to a function that does so.
pub const ACCELERATION: Experiment = Experiment {
    key: "acceleration",
    title: "acceleration: planar N-link pendulum, state to v' with the solve; build: model text to right-hand side, on the tape \
            and in native code (CasADi: the same energies to C by cc -O3)",
    goal: "ours : CasADi no more than 1; CasADi builds 100 times longer",
    limit: "",
    columns: &[
        Column::count("links", "N"),
        Column::measure("ns", "ours ns"),
        Column::measure("casadi_ns", "CasADi ns"),
        Column::measure("to_casadi", "ours : CasADi"),
        Column::measure("build_ms", "build ms"),
        Column::measure("native_build_ms", "with native ms"),
        Column::measure("casadi_build_ms", "CasADi build ms"),
        Column::measure("build_ratio", "CasADi : ours"),
    ],
    sizes: &[2, 5, 10, 20],
    quick_sizes: &[2],
    measure,
};

fn measure(room: &Room, links: usize) -> Result<Row, BenchError> {
    let values = PendulumValues::new(links);
    let text = pendulum_text(&values);
    let build = || -> Result<Mechanism, BenchError> {
        let (model, _) = read_model(&text)?;
        Ok(Mechanism::new(model)?)
    };
    let build_ms = milliseconds(room.clock.least(|| -> Result<usize, BenchError> {
        // Dropped within: what it takes to take it down counts as well.
        let mechanism = build()?;
        let start = mechanism.start()?;
        Ok(RightHandSide::new(&mechanism, &start.state).size())
    }));
    let native_ms = milliseconds(room.clock.least(|| -> Result<bool, BenchError> {
        let mechanism = build()?;
        let start = mechanism.start()?;
        Ok(RightHandSide::new(&mechanism, &start.state).make_native())
    }));
    let mechanism = build()?;
    let start = mechanism.start()?;
    let mut right = RightHandSide::new(&mechanism, &start.state);
    let states: Vec<Vec<f64>> = (0..STATES).map(|number| values.state(number)).collect();
    // The last entry of y is the work.
    let with_work: Vec<Vec<f64>> = states
        .iter()
        .map(|state| [state.as_slice(), &[0.0]].concat())
        .collect();
    let mut rates = vec![0.0; right.size()];
    for y in &with_work {
        right.derivative(0.0, y, &mut rates)?;
    }
    let time = room.clock.least(|| {
        for y in &with_work {
            let _ = right.derivative(0.0, y, &mut rates);
        }
    });
    let ns = nanoseconds(time) / STATES as f64;
    let casadi = match &room.casadi {
        None => None,
        Some(casadi) => {
            let found = casadi
                .pendulum(&values, &states)
                .map_err(BenchError::Peer)?;
            right.derivative(0.0, &with_work[0], &mut rates)?;
            agree("CasADi", &rates[links..2 * links], &found.accelerations)?;
            Some(found)
        }
    };
    let casadi_ns = casadi.as_ref().map(|found| found.ns);
    let casadi_ms = casadi.as_ref().map(|found| 1e3 * found.build_s);
    Ok(Cell::row([
        Some(links as f64),
        Some(ns),
        casadi_ns,
        casadi_ns.map(|casadi| ns / casadi),
        Some(build_ms),
        Some(native_ms),
        casadi_ms,
        casadi_ms.map(|casadi| casadi / native_ms),
    ]))
}
