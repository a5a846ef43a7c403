//! Tape, native code, evaluator and C agree.
//!
//! How closely? Cancellation can blow up a difference in the last bit to anything, so a tolerance on
//! whole expressions would be either too tight or worthless. Hence two questions, asked separately:
//!
//! * *Whole expressions, same elementary functions*: equal to the bit. The reference evaluator uses the
//!   tape's sine, cosine and powers, and the C code calls back into Rust instead of the C library.
//! * *Single operations, different elementary functions*: a few units in the last place.

use crate::c_library::CLibrary;
use crate::random::{CORNERS, Operations, Sample, argument, sample};
use crate::reference::{reference, same};
use dalembert_expr::{Binary, ExprId, Graph, Rational, SymbolId, SymbolKind, Unary, evaluate};
use dalembert_program::{Tape, Vectors, Workspace, compile, sin_cos};
use fastrand::Rng;

fn tape(sample: &Sample) -> Tape {
    compile(&sample.graph, &sample.inputs, &sample.outputs)
        .expect("all symbols are inputs")
        .tape()
        .clone()
}

/// The value of a symbol at a state.
fn value_of(sample: &Sample, state: &[f64], symbol: SymbolId) -> f64 {
    let place = sample.inputs.iter().position(|&input| input == symbol);
    state[place.expect("all symbols are inputs")]
}

/// Values at a state, by the reference.
pub(crate) fn expected(sample: &Sample, state: &[f64]) -> Vec<f64> {
    reference(&sample.graph, &sample.outputs, |symbol| {
        value_of(sample, state, symbol)
    })
}

/// [state][value] to [value][state].
pub(crate) fn transposed(states: &[Vec<f64>]) -> Vec<f64> {
    let values = states.first().map_or(0, Vec::len);
    (0..values)
        .flat_map(|i| states.iter().map(move |state| state[i]))
        .collect()
}

pub(crate) fn states(rng: &mut Rng, sample: &Sample, count: usize) -> Vec<Vec<f64>> {
    let state = |rng: &mut Rng| sample.inputs.iter().map(|_| argument(rng)).collect();
    (0..count).map(|_| state(rng)).collect()
}

pub(crate) fn assert_same(what: &str, ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (index, (&a, &b)) in ours.iter().zip(theirs).enumerate() {
        assert!(same(a, b), "{what}: value {index} is {a:e}, expected {b:e}");
    }
}

fn check_lanes<const L: usize>(sample: &Sample, tape: &Tape, states: &[Vec<f64>]) {
    check_lanes_in::<L>(&mut tape.workspace(), sample, tape, states);
}

fn check_lanes_in<const L: usize>(
    workspace: &mut Workspace,
    sample: &Sample,
    tape: &Tape,
    states: &[Vec<f64>],
) {
    for states in states.chunks_exact(L) {
        let expected: Vec<_> = states.iter().map(|state| expected(sample, state)).collect();
        let mut outputs = vec![0.0; tape.output_count() * L];
        // Twice, for a workspace that has been used must do as well.
        for _ in 0..2 {
            tape.eval::<L>(workspace, &transposed(states), &mut outputs);
            assert_same(&format!("{L} lanes"), &outputs, &transposed(&expected));
        }
    }
}

#[test]
fn tape_is_the_reference_to_the_bit_for_all_lanes_and_levels() {
    let mut rng = Rng::with_seed(1);
    let (mut finite, mut total) = (0, 0);
    for size in (0..400).map(|i| 3 + i / 3) {
        let sample = sample(&mut rng, size, Operations::All);
        let states = states(&mut rng, &sample, 8);
        for level in Vectors::available() {
            let tape = tape(&sample).with_vectors(level);
            check_lanes::<1>(&sample, &tape, &states);
            check_lanes::<8>(&sample, &tape, &states);
        }
        let values: Vec<f64> = states.iter().flat_map(|s| expected(&sample, s)).collect();
        finite += values.iter().filter(|x| x.is_finite()).count();
        total += values.len();
    }
    assert!(
        finite * 3 > total,
        "only {finite} of {total} values say anything"
    );
}

#[test]
fn tape_is_the_evaluator_where_nothing_is_done_differently() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..300 {
        let sample = sample(&mut rng, 60, Operations::Same);
        let tape = tape(&sample);
        let mut outputs = vec![0.0; tape.output_count()];
        for state in states(&mut rng, &sample, 4) {
            let expected = evaluate(&sample.graph, &sample.outputs, |symbol| {
                value_of(&sample, &state, symbol)
            });
            tape.eval::<1>(&mut tape.workspace(), &state, &mut outputs);
            assert_same("evaluator", &outputs, &expected);
        }
    }
}

/// Sharing over long distances, so that slots are taken and freed in every order.
#[test]
fn slots_are_reused_without_harm() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..4 {
        let sample = sample(&mut rng, 4_000, Operations::All);
        let tape = tape(&sample);
        assert!(
            tape.slot_count() < tape.instruction_count().max(30),
            "nothing is reused"
        );
        let states = states(&mut rng, &sample, 8);
        check_lanes::<8>(&sample, &tape, &states);
    }
}

#[test]
fn shared_workspaces_change_nothing() {
    let mut rng = Rng::with_seed(4);
    let samples: Vec<Sample> = (0..6)
        .map(|i| sample(&mut rng, 20 * i + 5, Operations::All))
        .collect();
    let tapes: Vec<Tape> = samples.iter().map(tape).collect();
    // The smallest tape's, so that it must grow; and tapes take turns in it.
    let mut workspace = tapes[0].workspace();
    for _ in 0..3 {
        for (sample, tape) in samples.iter().zip(&tapes) {
            let states = states(&mut rng, sample, 8);
            check_lanes_in::<8>(&mut workspace, sample, tape, &states);
            check_lanes_in::<1>(&mut workspace, sample, tape, &states);
        }
    }
}

/// The functions C calls in `prelude`, in its order.
const UNARY: [Unary; 11] = [
    Unary::Sin,
    Unary::Cos,
    Unary::Tan,
    Unary::Asin,
    Unary::Acos,
    Unary::Atan,
    Unary::Sinh,
    Unary::Cosh,
    Unary::Tanh,
    Unary::Exp,
    Unary::Log,
];

/// C definitions that lead the elementary functions into tables to be filled with ours.
fn prelude() -> String {
    let mut text = "#include <math.h>\n\
        double (*unary[11])(double);\n\
        double (*binary[2])(double, double);\n\
        #define pow(x, y) binary[0](x, y)\n\
        #define atan2(x, y) binary[1](x, y)\n"
        .to_owned();
    for (index, op) in UNARY.iter().enumerate() {
        text += &format!("#define {}(x) unary[{index}](x)\n", op.name());
    }
    text
}

extern "C" fn unary<const INDEX: usize>(x: f64) -> f64 {
    match UNARY[INDEX] {
        Unary::Sin => sin_cos(x).0,
        Unary::Cos => sin_cos(x).1,
        op => op.value(x),
    }
}

extern "C" fn pow(x: f64, y: f64) -> f64 {
    Binary::Pow.value(x, y)
}

extern "C" fn atan2(x: f64, y: f64) -> f64 {
    Binary::Atan2.value(x, y)
}

#[test]
fn c_is_the_tape_to_the_bit_given_the_same_functions() {
    let mut rng = Rng::with_seed(5);
    let samples: Vec<Sample> = (0..200)
        .map(|i| sample(&mut rng, 3 + i / 4, Operations::All))
        .collect();
    let mut source = prelude();
    for (index, sample) in samples.iter().enumerate() {
        source += &tape(sample).to_c(&format!("f{index}"));
    }
    let library = CLibrary::new("same-functions", &source);
    library.set::<extern "C" fn(f64) -> f64>(
        "unary",
        &[
            unary::<0>,
            unary::<1>,
            unary::<2>,
            unary::<3>,
            unary::<4>,
            unary::<5>,
            unary::<6>,
            unary::<7>,
            unary::<8>,
            unary::<9>,
            unary::<10>,
        ],
    );
    library.set::<extern "C" fn(f64, f64) -> f64>("binary", &[pow, atan2]);
    for (index, sample) in samples.iter().enumerate() {
        for state in states(&mut rng, sample, 20) {
            let mut outputs = vec![0.0; sample.outputs.len()];
            library.eval(&format!("f{index}"), &state, &mut outputs);
            assert_same(
                &format!("C function {index}"),
                &outputs,
                &expected(sample, &state),
            );
        }
    }
}

/// Distance in units of the last place: how many doubles lie between; NaN is next to NaN only.
pub(crate) fn ulps(a: f64, b: f64) -> u64 {
    let ordered = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN - bits } else { bits }
    };
    match (a.is_nan(), b.is_nan()) {
        (true, true) => 0,
        (false, false) => ordered(a).abs_diff(ordered(b)),
        _ => u64::MAX,
    }
}

/// One function of a, or of a and b, per operation.
pub(crate) fn single_operations() -> Vec<(String, Sample)> {
    let single = |build: &dyn Fn(&mut Graph, [ExprId; 2]) -> ExprId| {
        let mut graph = Graph::new();
        let arguments = ["a", "b"].map(|name| graph.symbol(name, SymbolKind::Coordinate));
        let inputs = arguments
            .iter()
            .filter_map(|&id| graph.as_symbol(id))
            .collect();
        let outputs = vec![build(&mut graph, arguments)];
        Sample {
            graph,
            inputs,
            outputs,
        }
    };
    let unary = Unary::ALL.map(|op| (op.name().to_owned(), single(&|g, [a, _]| g.unary(op, a))));
    let binary = Binary::ALL.map(|op| {
        (
            op.name().to_owned(),
            single(&|g, [a, b]| g.binary(op, a, b)),
        )
    });
    unary.into_iter().chain(binary).collect()
}

/// The C library and the Rust `libm` are each within 1 or 2 units of the truth in what they document;
/// everything else is exactly rounded on both sides.
#[test]
fn each_operation_of_the_c_library_is_within_a_few_units() {
    const ELEMENTARY: u64 = 3;
    let mut rng = Rng::with_seed(6);
    let operations = single_operations();
    let sources = operations.iter().enumerate();
    let source: String = sources
        .map(|(i, (_, sample))| tape(sample).to_c(&format!("f{i}")))
        .collect();
    let library = CLibrary::new("own-functions", &source);
    let mut points: Vec<[f64; 2]> = (0..5_000)
        .map(|_| [argument(&mut rng), argument(&mut rng)])
        .collect();
    points.extend(CORNERS.iter().flat_map(|&a| CORNERS.map(|b| [a, b])));
    for (index, (name, sample)) in operations.iter().enumerate() {
        let tape = tape(sample);
        let elementary = name.chars().any(char::is_alphabetic) || name == "^";
        let exact = ["sqrt", "abs", "sign", "min", "max"].contains(&name.as_str()) || !elementary;
        let mut worst = 0;
        for point in &points {
            let (mut ours, mut theirs) = ([0.0], [0.0]);
            tape.eval::<1>(&mut tape.workspace(), point, &mut ours);
            library.eval(&format!("f{index}"), point, &mut theirs);
            let distance = ulps(ours[0], theirs[0]);
            worst = worst.max(distance);
            let limit = if exact { 0 } else { ELEMENTARY };
            assert!(
                distance <= limit,
                "{name}{point:?}: {:e} and {:e}",
                ours[0],
                theirs[0]
            );
        }
        println!("{name}: at most {worst} ulp");
    }
}

/// Each multiplication of a chain adds at most one unit, and squaring doubles what is there: n in all.
#[test]
fn power_chains_are_near_pow() {
    let mut rng = Rng::with_seed(7);
    let mut graph = Graph::new();
    let x = graph.symbol("x", SymbolKind::Coordinate);
    let inputs = [graph.as_symbol(x).unwrap()];
    for (k, d) in (2..=64)
        .map(|n| (n, 1))
        .chain((3..=127).step_by(2).map(|k| (k, 2)))
    {
        let exponent = graph.number(Rational::new(k, d).unwrap());
        let power = graph.pow(x, exponent);
        let tape = compile(&graph, &inputs, &[power]).unwrap().tape().clone();
        for _ in 0..200 {
            let x = argument(&mut rng);
            // Of half-integer powers only the real ones; at −0 the sign of the zero is free.
            if d == 2 && (x == f64::NEG_INFINITY || x == 0.0) {
                continue;
            }
            let mut ours = [0.0];
            tape.eval::<1>(&mut tape.workspace(), &[x], &mut ours);
            let theirs = libm::pow(x, k as f64 / d as f64);
            let distance = ulps(ours[0], theirs);
            assert!(
                distance <= k as u64,
                "{x:e}^({k}/{d}): {:e} and {theirs:e}",
                ours[0]
            );
        }
    }
}
