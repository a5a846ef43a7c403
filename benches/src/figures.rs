//! One model's figures: how fast it is, and where the time goes.

use crate::program_times::program_times;
use crate::{BenchError, Room, milliseconds, nanoseconds, timed};
use dalembert::mechanics::equations::Equations;
use dalembert::mechanics::lower::{System, lower};
use dalembert::mechanics::start::State;
use dalembert::mechanics::{Mechanism, dimensions, read_model};
use dalembert::simulate::RightHandSide;
use dalembert_expr::{ExprId, SymbolId};
use dalembert_program::{Program, compile};
use std::collections::BTreeMap;
use std::time::Duration;

/// A figure of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Name for programs.
    pub key: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// The number; `None` if it was not measured.
    pub value: Option<f64>,
}

/// Figures of one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureGroup {
    /// Name for programs.
    pub key: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Whether the figures count things.
    pub counts: bool,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// Measures a model: its text, as it was read (with values put in, perhaps), and a state to evaluate it at.
///
/// # Errors
/// The motion is not determined at the state, or a peer fails.
pub fn figures(
    room: &Room,
    text: &str,
    mechanism: &Mechanism,
    state: &State,
) -> Result<Vec<FigureGroup>, BenchError> {
    let program = flat_program(mechanism)?;
    let counts = vec![
        count(
            "coordinates",
            "coordinates",
            mechanism.equations.coordinates(),
        ),
        count("rows", "rows", mechanism.equations.rows()),
        count("operations", "operations", program.instruction_count()),
        count(
            "kernel_operations",
            "operations, elements of one form counted once",
            mechanism.equations.operations(),
        ),
    ];
    let set_up = set_up(room, text, mechanism, &program)?;
    let state_ns = at_a_state(room, mechanism, state)?;
    let program_ns = alone(room, program, mechanism, state)?;
    let group = |key, title, counts, figures| FigureGroup {
        key,
        title,
        counts,
        figures,
    };
    Ok(vec![
        group("counts", "size", true, counts),
        group("set_up_ms", "set-up, ms", false, set_up),
        group(
            "state_ns",
            "one state as a run evaluates it, ns",
            false,
            state_ns,
        ),
        group(
            "program_ns",
            "M, h, A, b, w as one program, ns per state",
            false,
            program_ns,
        ),
    ])
}

fn count(key: &'static str, label: &'static str, value: usize) -> Figure {
    figure(key, label, Some(value as f64))
}

fn figure(key: &'static str, label: &'static str, value: Option<f64>) -> Figure {
    Figure { key, label, value }
}

fn set_up(
    room: &Room,
    text: &str,
    mechanism: &Mechanism,
    program: &Program,
) -> Result<Vec<Figure>, BenchError> {
    let clock = room.clock;
    let model = &mechanism.model;
    let compiling = |model| match lower(model) {
        Ok(mut system) => timed(|| Equations::compile(&mut system)).0,
        Err(_) => Duration::MAX,
    };
    let whole = || -> Result<usize, BenchError> {
        let mechanism = Mechanism::new(model.clone())?;
        let start = mechanism.start()?;
        Ok(RightHandSide::new(&mechanism, &start.state).size())
    };
    whole()?;
    let native = room.native.then(|| {
        milliseconds(clock.least_part(|| {
            let program = program.clone();
            timed(|| program.make_native()).0
        }))
    });
    let ms = |time| Some(milliseconds(time));
    Ok(vec![
        figure(
            "read",
            "read the text",
            ms(clock.least(|| read_model(text))),
        ),
        figure(
            "lower",
            "lower to equations",
            ms(clock.least(|| lower(model))),
        ),
        figure(
            "dimensions",
            "check dimensions",
            ms(clock.least(|| dimensions::check(model))),
        ),
        figure(
            "compile",
            "compile to programs",
            ms(clock.least_part(|| compiling(model))),
        ),
        figure(
            "right_hand_side",
            "from what was read to a right-hand side",
            ms(clock.least(whole)),
        ),
        figure("native", "native code of M, h, A, b, w", native),
        figure(
            "start",
            "a consistent start",
            ms(clock.least(|| mechanism.start())),
        ),
    ])
}

fn at_a_state(
    room: &Room,
    mechanism: &Mechanism,
    state: &State,
) -> Result<Vec<Figure>, BenchError> {
    let mut right = RightHandSide::new(mechanism, state);
    let y = right.start(state);
    let mut rates = vec![0.0; y.len()];
    right.derivative(state.t, &y, &mut rates)?;
    let whole = room
        .clock
        .least(|| right.derivative(state.t, &y, &mut rates).is_ok());
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let matrices = room.clock.least(|| {
        evaluator.canonical();
    });
    Ok(vec![
        figure(
            "right_hand_side",
            "right-hand side",
            Some(nanoseconds(whole)),
        ),
        figure(
            "equations",
            "M, h, A, b, w by elements, for the general route",
            Some(nanoseconds(matrices)),
        ),
    ])
}

/// M, h, A, b, w as one program, by every road.
fn alone(
    room: &Room,
    program: Program,
    mechanism: &Mechanism,
    state: &State,
) -> Result<Vec<Figure>, BenchError> {
    let motion = [state.coordinates.as_slice(), &state.rates].concat();
    let fixed = [&[state.t], mechanism.parameters.as_slice()].concat();
    // States nearby; a thousandth moves nothing out of where it has a value, as a rule.
    let value = |i: usize, number: usize| match motion.get(i) {
        Some(moving) => moving + number as f64 / 65536.0,
        None => fixed[i - motion.len()],
    };
    let times = program_times(room, program, &value)?;
    Ok(vec![
        figure("tape", "tape", Some(times.tape)),
        figure("tape_8_lanes", "tape, 8 lanes", Some(times.tape_8)),
        figure("native", "native code", times.native),
        figure("native_8_lanes", "native code, 8 lanes", times.native_8),
        figure("cc", "our C by cc -O3, up to 3000 operations", times.cc),
        figure("cc_build_ms", "for which cc takes, ms", times.cc_build_ms),
    ])
}

/// The entries of M, h, w, A and b that are not zero, each the sum of its contributions, in one program
/// of q, q', t and the parameters.
fn flat_program(mechanism: &Mechanism) -> Result<Program, BenchError> {
    let mut system = lower(&mechanism.model)?;
    if system.has_laws() {
        let message = "laws that use reactions, such as friction, are no plain program that could be measured";
        return Err(BenchError::Workload(message.to_owned()));
    }
    let symbols = &system.symbols;
    let inputs: Vec<SymbolId> = [
        symbols.coordinates.as_slice(),
        &symbols.rates,
        &[symbols.time],
        &symbols.parameters,
    ]
    .concat();
    let outputs = entries(&mut system);
    Ok(compile(&system.graph, &inputs, &outputs)?)
}

fn entries(system: &mut System) -> Vec<ExprId> {
    let mut contributions: Vec<([usize; 3], ExprId)> = Vec::new();
    let (mass, force, nonideal, jacobian, bias) = (0, 1, 2, 3, 4);
    for part in &system.inertia {
        contributions.extend(part.mass.iter().map(|&(i, j, value)| ([mass, i, j], value)));
        contributions.extend(part.force.iter().map(|&(i, value)| ([force, i, 0], value)));
    }
    for given in &system.forces {
        contributions.extend(given.force.iter().map(|&(i, value)| ([force, i, 0], value)));
    }
    for vector in &system.nonideal {
        contributions.extend(vector.iter().map(|&(i, value)| ([nonideal, i, 0], value)));
    }
    for (row, found) in system.rows.iter().enumerate() {
        let slopes = found.jacobian.iter();
        contributions.extend(slopes.map(|&(j, value)| ([jacobian, row, j], value)));
        contributions.push(([bias, row, 0], found.bias));
    }
    let mut sums: BTreeMap<[usize; 3], ExprId> = BTreeMap::new();
    for (place, value) in contributions {
        let sum = match sums.get(&place) {
            None => value,
            Some(&before) => system.graph.add(before, value),
        };
        sums.insert(place, sum);
    }
    sums.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::flat_program;
    use crate::CFunction;
    use dalembert::Model;
    use std::path::Path;

    /// Longer programs take the C compiler seconds.
    const LONGEST_C: usize = 1500;

    /// M, h, A, b, w of every model of the gallery, at its start and beside it: native code is the tape to the bit;
    /// C, whose sines are the system's and whose products may be joined with sums, to some roundings of the largest term.
    #[test]
    fn tape_native_code_and_c_agree_on_every_example() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let (mut models, mut compiled) = (0, 0);
        for entry in std::fs::read_dir(folder).expect("there are examples") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let name = path.display();
            let model = Model::load(&path).expect("a model");
            let mechanism = model.mechanism().expect("a mechanism");
            let state = mechanism.start().expect("a start").state;
            if mechanism.system.has_laws() {
                assert!(flat_program(mechanism).is_err(), "{name}");
                continue;
            }
            let program = flat_program(mechanism).expect("a program");
            let native = program.clone();
            assert_eq!(native.make_native(), cfg!(feature = "jit"), "{name}");
            let c = (program.instruction_count() <= LONGEST_C)
                .then(|| CFunction::compile(&program).expect("a C compiler"));
            models += 1;
            compiled += usize::from(c.is_some());
            for beside in 0..5 {
                let near =
                    |x: &f64| x * (1.0 + 1e-3 * f64::from(beside)) + 1e-3 * f64::from(beside);
                let motion = state.coordinates.iter().chain(&state.rates).map(near);
                let fixed = std::iter::once(state.t).chain(mechanism.parameters.iter().copied());
                let inputs: Vec<f64> = motion.chain(fixed).collect();
                let mut wanted = vec![0.0; program.output_count()];
                program
                    .tape()
                    .eval::<1>(&mut program.workspace(), &inputs, &mut wanted);
                let mut found = vec![0.0; wanted.len()];
                native.eval::<1>(&mut native.workspace(), &inputs, &mut found);
                let bits = |x: &[f64]| -> Vec<u64> { x.iter().map(|x| x.to_bits()).collect() };
                assert_eq!(bits(&found), bits(&wanted), "{name}, native");
                let Some(c) = &c else { continue };
                c.call(&inputs, &mut found);
                // The stiff spring of the governor pulls with the small difference of two large lengths.
                let cancelled = if model.source().text.contains("IFToMM A05") {
                    100.0
                } else {
                    1.0
                };
                let largest = cancelled * wanted.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
                for (a, b) in found.iter().zip(&wanted) {
                    assert!(
                        (a - b).abs() <= 1e-14 * largest,
                        "{name}, C: {a:e} for {b:e}"
                    );
                }
            }
        }
        assert!(models >= 35 && compiled >= 30, "{models}, {compiled}");
    }
}
