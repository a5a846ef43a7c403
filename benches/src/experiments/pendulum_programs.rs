//! M and h of the planar N-link pendulum: deriving, compiling and evaluating them.

use crate::program_times::{lanes, program_times};
use crate::{BenchError, Cell, Column, Experiment, Pendulum, Room, Row, milliseconds, timed};
use dalembert_program::{Program, compile};

/// From energies to M and h.
pub const DERIVE: Experiment = Experiment {
    key: "derive",
    title: "planar N-link pendulum: M and h from its Lagrangian",
    goal: "",
    limit: "",
    columns: &[
        Column::count("links", "N"),
        Column::measure("ms", "ms"),
        Column::count("nodes_needed", "nodes needed"),
        Column::count("nodes_made", "nodes made"),
    ],
    sizes: &[2, 5, 10, 20, 50, 100],
    quick_sizes: &[2, 5],
    measure: |room, links| {
        let time = room.clock.least(|| Pendulum::derive(links));
        let pendulum = Pendulum::derive(links);
        Ok(Cell::row([
            Some(links as f64),
            Some(milliseconds(time)),
            Some(pendulum.size() as f64),
            Some(pendulum.graph.len() as f64),
        ]))
    },
};

/// Expressions to code.
pub const COMPILE: Experiment = Experiment {
    key: "compile",
    title: "compile: M and h of the planar N-link pendulum, expressions to tape, tape to native code",
    goal: "native code at no more than 6 ms per 1000 operations, at every size",
    limit: "",
    columns: &[
        Column::count("links", "N"),
        Column::count("operations", "operations"),
        Column::measure("tape_ms", "tape ms"),
        Column::measure("native_ms", "native ms"),
        Column::measure("native_ms_per_1000", "native ms per 1000"),
    ],
    sizes: &[2, 5, 10, 20, 50, 100, 120],
    quick_sizes: &[2, 5],
    measure: measure_compile,
};

fn measure_compile(room: &Room, links: usize) -> Result<Row, BenchError> {
    let pendulum = Pendulum::derive(links);
    let tape = || compile(&pendulum.graph, &pendulum.inputs, &pendulum.outputs);
    let program = tape()?;
    let operations = program.instruction_count() as f64;
    let native = room.native.then(|| {
        milliseconds(room.clock.least_part(|| {
            let program = program.clone();
            timed(|| program.make_native()).0
        }))
    });
    Ok(Cell::row([
        Some(links as f64),
        Some(operations),
        Some(milliseconds(room.clock.least(tape))),
        native,
        native.map(|ms| 1e3 * ms / operations),
    ]))
}

/// Programs against the C compiler.
pub const EVALUATE: Experiment = Experiment {
    key: "evaluate",
    title: "evaluate: M and h of the planar N-link pendulum, nanoseconds per state",
    goal: "native : cc no more than 1 for N = 2 to 20",
    limit: "cc above 3000 operations, where its time grows with their square",
    columns: &[
        Column::count("links", "N"),
        Column::count("operations", "operations"),
        Column::measure("tape_ns", "tape"),
        Column::measure("tape_8_lanes_ns", "tape, 8 lanes"),
        Column::measure("native_ns", "native"),
        Column::measure("native_8_lanes_ns", "native, 8 lanes"),
        Column::measure("cc_ns", "cc -O3"),
        Column::measure("native_to_cc", "native : cc"),
        Column::measure("cc_build_ms", "cc build ms"),
    ],
    sizes: &[2, 3, 5, 7, 10, 15, 20, 50],
    quick_sizes: &[2, 3],
    measure: measure_evaluate,
};

fn measure_evaluate(room: &Room, links: usize) -> Result<Row, BenchError> {
    let times = program_times(room, program(links)?, &input)?;
    let ratio = times.native.zip(times.cc).map(|(native, cc)| native / cc);
    Ok(Cell::row([
        Some(links as f64),
        Some(times.operations as f64),
        Some(times.tape),
        Some(times.tape_8),
        times.native,
        times.native_8,
        times.cc,
        ratio,
        times.cc_build_ms,
    ]))
}

/// One lane against many.
pub const BATCH: Experiment = Experiment {
    key: "batch",
    title: "batches: M and h of the planar N-link pendulum, nanoseconds per state; native code if there is any",
    goal: "8 lanes : 1 lane no more than 0.5",
    limit: "",
    columns: &[
        Column::count("links", "N"),
        Column::measure("lane_ns", "1 lane"),
        Column::measure("lanes_8_ns", "8 lanes"),
        Column::measure("ratio", "8 : 1"),
    ],
    sizes: &[2, 5, 10, 20, 50],
    quick_sizes: &[2],
    measure: measure_batch,
};

fn measure_batch(room: &Room, links: usize) -> Result<Row, BenchError> {
    let program = program(links)?;
    program.make_native();
    let clock = room.clock;
    let [one, eight] = [
        lanes::<1>(clock, &program, &input),
        lanes::<8>(clock, &program, &input),
    ];
    let row = [links as f64, one, eight, eight / one];
    Ok(Cell::row(row.map(Some)))
}

fn program(links: usize) -> Result<Program, BenchError> {
    let pendulum = Pendulum::derive(links);
    Ok(compile(
        &pendulum.graph,
        &pendulum.inputs,
        &pendulum.outputs,
    )?)
}

/// Angles, rates and parameters between −0.2 and 0.8.
fn input(i: usize, state: usize) -> f64 {
    0.3 + (i as f64 * 0.37 + state as f64 * 0.11).sin() / 2.0
}
