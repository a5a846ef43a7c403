//! One program by every road: the tape, native code, and its C by the system's compiler.

use crate::{BenchError, CFunction, Clock, Room, milliseconds, nanoseconds, timed};
use dalembert_program::{Program, Workspace};
use std::time::Duration;

/// States evaluated in one go; few enough to stay in the cache.
const STATES: usize = 64;

/// Most operations of a program that is given to the C compiler, whose time grows with their square.
pub(crate) const CC_LIMIT: usize = 3000;

/// Largest difference between us and a peer, of the largest number compared.
const TOLERANCE: f64 = 1e-10;

/// The value of an input at a state.
pub(crate) type Value<'a> = &'a dyn Fn(usize, usize) -> f64;

/// Nanoseconds for each state.
pub(crate) struct ProgramTimes {
    pub(crate) operations: usize,
    pub(crate) tape: f64,
    pub(crate) tape_8: f64,
    pub(crate) native: Option<f64>,
    pub(crate) native_8: Option<f64>,
    pub(crate) cc: Option<f64>,
    /// Milliseconds of the C compiler.
    pub(crate) cc_build_ms: Option<f64>,
}

/// Times a program that is not native yet, and makes sure that all roads lead to the same numbers.
pub(crate) fn program_times(
    room: &Room,
    program: Program,
    value: Value<'_>,
) -> Result<ProgramTimes, BenchError> {
    let clock = room.clock;
    let expected = outputs_at_first(&program, value);
    let (tape, tape_8) = (
        lanes::<1>(clock, &program, value),
        lanes::<8>(clock, &program, value),
    );
    let (mut cc, mut cc_build_ms) = (None, None);
    if room.cc.is_some() && program.instruction_count() <= CC_LIMIT {
        let (build, function) = timed(|| CFunction::compile(&program));
        let function = function.map_err(BenchError::Peer)?;
        cc_build_ms = Some(milliseconds(build));
        cc = Some(c_time(clock, &function, &expected, &program, value)?);
    }
    let (mut native, mut native_8) = (None, None);
    if program.make_native() {
        agree("native code", &expected, &outputs_at_first(&program, value))?;
        native = Some(lanes::<1>(clock, &program, value));
        native_8 = Some(lanes::<8>(clock, &program, value));
    }
    Ok(ProgramTimes {
        operations: program.instruction_count(),
        tape,
        tape_8,
        native,
        native_8,
        cc,
        cc_build_ms,
    })
}

fn outputs_at_first(program: &Program, value: Value<'_>) -> Vec<f64> {
    let inputs: Vec<f64> = (0..program.input_count()).map(|i| value(i, 0)).collect();
    let mut outputs = vec![0.0; program.output_count()];
    program.eval::<1>(&mut program.workspace(), &inputs, &mut outputs);
    outputs
}

/// Refuses numbers of a peer that are not ours.
pub(crate) fn agree(peer: &str, ours: &[f64], theirs: &[f64]) -> Result<(), BenchError> {
    let finite = ours.iter().filter(|x| x.is_finite());
    let scale = finite.fold(1.0_f64, |most, x| most.max(x.abs()));
    let differ = |(a, b): (&f64, &f64)| {
        let same = if a.is_finite() && b.is_finite() {
            (a - b).abs() <= TOLERANCE * scale
        } else {
            a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits()
        };
        !same
    };
    match ours.iter().zip(theirs).position(differ) {
        None => Ok(()),
        Some(i) => Err(BenchError::Peer(format!(
            "{peer} disagrees with the tape: result {i} is {} and not {}",
            theirs[i], ours[i]
        ))),
    }
}

fn c_time(
    clock: Clock,
    function: &CFunction,
    expected: &[f64],
    program: &Program,
    value: Value<'_>,
) -> Result<f64, BenchError> {
    let inputs = program.input_count();
    let states: Vec<Vec<f64>> = (0..STATES)
        .map(|state| (0..inputs).map(|i| value(i, state)).collect())
        .collect();
    let mut outputs = vec![0.0; program.output_count()];
    function.call(&states[0], &mut outputs);
    agree("the C we emit", expected, &outputs)?;
    let time = clock.least(|| {
        for state in &states {
            function.call(state, &mut outputs);
        }
    });
    Ok(per_state(time))
}

/// Nanoseconds for each state in blocks of `L` lanes.
pub(crate) fn lanes<const L: usize>(clock: Clock, program: &Program, value: Value<'_>) -> f64 {
    let (inputs, outputs) = (program.input_count(), program.output_count());
    let blocks: Vec<Vec<f64>> = (0..STATES / L)
        .map(|block| {
            let lane = |n: usize| value(n / L, block * L + n % L);
            (0..inputs * L).map(lane).collect()
        })
        .collect();
    let mut workspace: Workspace = program.workspace();
    let mut results = vec![0.0; outputs * L];
    let time = clock.least(|| {
        for block in &blocks {
            program.eval::<L>(&mut workspace, block, &mut results);
        }
    });
    per_state(time)
}

fn per_state(time: Duration) -> f64 {
    nanoseconds(time) / STATES as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_numbers_are_refused() {
        let ours = [1.0, f64::NAN, f64::INFINITY, 1000.0];
        assert!(agree("peer", &ours, &ours).is_ok());
        assert!(
            agree(
                "peer",
                &ours,
                &[1.0 + 1e-7, f64::NAN, f64::INFINITY, 1000.0]
            )
            .is_err()
        );
        assert!(agree("peer", &[1.0, 2.0], &[1.0, 2.0 + 1e-12]).is_ok());
        assert!(agree("peer", &[1.0, 2.0], &[1.0, 2.0 + 1e-6]).is_err());
        assert!(agree("peer", &[1.0, 2.0], &[1.0, f64::NAN]).is_err());
        assert!(agree("peer", &[f64::INFINITY], &[f64::NEG_INFINITY]).is_err());
    }
}
