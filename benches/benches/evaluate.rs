//! Programs against a C compiler: the program over lanes beside `cc -O3 -march=native` on the C we emit.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert_benches::{CFunction, Clock, Pendulum, microseconds};
use dalembert_program::{Program, Workspace, compile};
use std::process::ExitCode;

/// States evaluated in one go; few enough to stay in the cache.
const STATES: usize = 64;

fn main() -> ExitCode {
    let clock = Clock::from_arguments();
    println!("planar N-link pendulum, M and h: nanoseconds per state");
    println!(
        "{:>4} {:>12} {:>10} {:>10} {:>10} {:>10} {:>14}",
        "N", "operations", "1 lane", "4 lanes", "8 lanes", "cc -O3", "8 lanes : cc"
    );
    let sizes: &[usize] = if clock.is_test() {
        &[2, 5]
    } else {
        &[2, 5, 10, 20]
    };
    for &links in sizes {
        let pendulum = Pendulum::derive(links);
        let program = match compile(&pendulum.graph, &pendulum.inputs, &pendulum.outputs) {
            Ok(program) => program,
            Err(error) => {
                println!("{error}");
                return ExitCode::FAILURE;
            }
        };
        let c = match CFunction::compile(&program.to_c("pendulum"), "pendulum") {
            Ok(c) => c,
            Err(error) => {
                println!("{error}");
                return ExitCode::FAILURE;
            }
        };
        report(clock, links, &program, &c);
    }
    ExitCode::SUCCESS
}

fn report(clock: Clock, links: usize, program: &Program, c: &CFunction) {
    let (inputs, outputs) = (program.input_count(), program.output_count());
    let value = |i: usize, state: usize| 0.3 + (i as f64 * 0.37 + state as f64 * 0.11).sin() / 2.0;
    // One state after the other for C; value by value for the lanes.
    let by_state: Vec<f64> = (0..STATES)
        .flat_map(|state| (0..inputs).map(move |i| value(i, state)))
        .collect();
    let mut results = vec![0.0; STATES * outputs];
    let c_time = clock.least(|| {
        for (x, y) in by_state
            .chunks_exact(inputs)
            .zip(results.chunks_exact_mut(outputs))
        {
            c.call(x, y);
        }
    });

    let mut workspace = program.workspace();
    let lanes = [
        lane_time::<1>(clock, program, &mut workspace, value),
        lane_time::<4>(clock, program, &mut workspace, value),
        lane_time::<8>(clock, program, &mut workspace, value),
    ];
    let per_state = |time| 1e3 * microseconds(time) / STATES as f64;
    let [one, four, eight] = lanes.map(per_state);
    println!(
        "{links:>4} {:>12} {one:>10.0} {four:>10.0} {eight:>10.0} {:>10.0} {:>14.2}",
        program.instruction_count(),
        per_state(c_time),
        eight / per_state(c_time),
    );
}

/// Time for all states in blocks of `L` lanes.
fn lane_time<const L: usize>(
    clock: Clock,
    program: &Program,
    workspace: &mut Workspace,
    value: impl Fn(usize, usize) -> f64,
) -> std::time::Duration {
    let (inputs, outputs) = (program.input_count(), program.output_count());
    let blocks: Vec<Vec<f64>> = (0..STATES / L)
        .map(|block| {
            let lane = |n: usize| value(n / L, block * L + n % L);
            (0..inputs * L).map(lane).collect()
        })
        .collect();
    let mut results = vec![0.0; outputs * L];
    clock.least(|| {
        for block in &blocks {
            program.eval::<L>(workspace, block, &mut results);
        }
    })
}
