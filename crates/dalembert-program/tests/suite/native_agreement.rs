//! Native code is the tape to the bit, whatever the lanes; so it is the reference and C, which are too.

use crate::agreement::{assert_same, expected, single_operations, states, transposed, ulps};
use crate::c_library::CLibrary;
use crate::random::{CORNERS, Operations, Sample, argument, sample};
use dalembert_expr::{Graph, SymbolKind};
use dalembert_program::{Program, compile};
use fastrand::Rng;

fn native(sample: &Sample) -> Program {
    let program =
        compile(&sample.graph, &sample.inputs, &sample.outputs).expect("all symbols are inputs");
    assert_eq!(program.make_native(), cfg!(feature = "jit"));
    assert_eq!(program.is_native(), cfg!(feature = "jit"));
    program
}

/// Native code and tape for `L` lanes.
fn check_lanes<const L: usize>(program: &Program, states: &[Vec<f64>]) {
    let tape = program.tape();
    let (mut workspace, mut other) = (program.workspace(), tape.workspace());
    for states in states.chunks_exact(L) {
        let inputs = transposed(states);
        let mut ours = vec![f64::NAN; program.output_count() * L];
        let mut theirs = ours.clone();
        tape.eval::<L>(&mut other, &inputs, &mut theirs);
        // Twice, for a workspace that has been used must do as well.
        for _ in 0..2 {
            program.eval::<L>(&mut workspace, &inputs, &mut ours);
            assert_same(&format!("{L} lanes"), &ours, &theirs);
        }
    }
}

#[test]
fn native_code_is_tape_and_reference_to_the_bit() {
    let mut rng = Rng::with_seed(11);
    for size in (0..300).map(|i| 3 + i / 2) {
        let sample = sample(&mut rng, size, Operations::All);
        let program = native(&sample);
        let states = states(&mut rng, &sample, 19);
        let mut outputs = vec![0.0; program.output_count()];
        for state in &states {
            program.eval::<1>(&mut program.workspace(), state, &mut outputs);
            assert_same("reference", &outputs, &expected(&sample, state));
        }
        check_lanes::<1>(&program, &states);
        check_lanes::<8>(&program, &states);
    }
}

/// Many chunks, with values that cross them, and sines of sines.
#[test]
fn chunks_hand_values_on() {
    let mut rng = Rng::with_seed(12);
    for _ in 0..6 {
        let sample = sample(&mut rng, 4_000, Operations::All);
        let program = native(&sample);
        let states = states(&mut rng, &sample, 9);
        check_lanes::<1>(&program, &states);
        check_lanes::<8>(&program, &states);
    }
}

/// One pass for each level of sines.
#[test]
fn sines_of_sines_go_deep() {
    let mut graph = Graph::new();
    let x = graph.symbol("x", SymbolKind::Coordinate);
    let inputs = vec![graph.as_symbol(x).unwrap()];
    let mut outputs = vec![x];
    for level in 0..2_000 {
        let last = outputs[outputs.len() - 1];
        let next = match level % 3 {
            0 => graph.sin(last),
            1 => graph.cos(last),
            _ => {
                let (sine, cosine) = (graph.sin(last), graph.cos(last));
                graph.sub(sine, cosine)
            }
        };
        outputs.push(next);
    }
    let sample = Sample {
        graph,
        inputs,
        outputs,
    };
    let program = native(&sample);
    let states: Vec<Vec<f64>> = (0..8).map(|i| vec![0.3 * f64::from(i) - 1.0]).collect();
    check_lanes::<1>(&program, &states);
    check_lanes::<8>(&program, &states);
}

/// Angles for which the reduction, the quarter or the way to take is hard to tell.
fn hard_angle(rng: &mut Rng) -> f64 {
    const LARGEST: f64 = 1_647_098.0;
    let sign = if rng.bool() { 1.0 } else { -1.0 };
    sign * match rng.u8(0..6) {
        0 => CORNERS[rng.usize(0..CORNERS.len())],
        // As near to a multiple of a quarter turn as a number can be, and next to it.
        1 => {
            let near = f64::from(rng.u32(0..1 << 20)) * std::f64::consts::FRAC_PI_2;
            f64::from_bits(near.to_bits() + rng.u64(0..3))
        }
        // Halfway between two quarters.
        2 => (f64::from(rng.u32(0..1000)) + 0.5) * std::f64::consts::FRAC_PI_2,
        3 => [LARGEST, LARGEST.next_up(), LARGEST.next_down()][rng.usize(0..3)],
        4 => 10f64.powf(rng.f64() * 600.0 - 300.0),
        _ => rng.f64() * 7.0,
    }
}

/// Few angles are done in the chunks, more in passes: as inputs side by side or not, as results, as sines.
#[test]
fn few_angles_are_the_tape_whatever_their_size() {
    let mut rng = Rng::with_seed(14);
    for count in 1..=6 {
        for kind in 0..4 {
            let mut graph = Graph::new();
            let names = ["a", "b", "c", "d", "e", "f", "g"];
            let symbols = names.map(|name| graph.symbol(name, SymbolKind::Coordinate));
            let inputs = symbols
                .iter()
                .map(|&id| graph.as_symbol(id).unwrap())
                .collect();
            let mut outputs = Vec::new();
            for index in 0..count {
                let angle = match kind {
                    0 => symbols[index],
                    1 => symbols[names.len() - 1 - index],
                    2 => graph.neg(symbols[index]),
                    _ if index % 2 == 0 => symbols[index],
                    _ => *outputs.last().unwrap(),
                };
                if index % 3 != 1 || kind == 3 {
                    outputs.push(graph.sin(angle));
                }
                if index % 3 != 2 {
                    outputs.push(graph.cos(angle));
                }
            }
            let sums: Vec<_> = outputs
                .iter()
                .map(|&output| graph.mul(output, symbols[6]))
                .collect();
            outputs.extend(sums);
            let sample = Sample {
                graph,
                inputs,
                outputs,
            };
            let program = native(&sample);
            let usual = |rng: &mut Rng| rng.f64() * 20.0 - 10.0;
            let states: Vec<Vec<f64>> = (0..400)
                .map(|state| {
                    let hard =
                        |rng: &mut Rng| state % 4 == 0 || state % 4 == 1 && rng.u8(0..4) == 0;
                    let angle = |_| match hard(&mut rng) {
                        true => hard_angle(&mut rng),
                        false => usual(&mut rng),
                    };
                    names.iter().map(angle).collect()
                })
                .collect();
            check_lanes::<1>(&program, &states);
            check_lanes::<8>(&program, &states);
        }
    }
}

/// Every operation at every corner, alone: native code and the C library, a few units apart.
#[test]
fn each_native_operation_is_near_that_of_the_c_library() {
    let mut rng = Rng::with_seed(13);
    let operations = single_operations();
    let programs: Vec<Program> = operations.iter().map(|(_, s)| native(s)).collect();
    let source: String = programs
        .iter()
        .enumerate()
        .map(|(i, program)| program.to_c(&format!("f{i}")))
        .collect();
    let library = CLibrary::new("native", &source);
    let mut points: Vec<Vec<f64>> = (0..2_000)
        .map(|_| vec![argument(&mut rng), argument(&mut rng)])
        .collect();
    points.extend(CORNERS.iter().flat_map(|&a| CORNERS.map(|b| vec![a, b])));
    for (index, ((name, _), program)) in operations.iter().zip(&programs).enumerate() {
        check_lanes::<8>(program, &points);
        for point in &points {
            let (mut ours, mut theirs) = ([0.0], [0.0]);
            program.eval::<1>(&mut program.workspace(), point, &mut ours);
            library.eval(&format!("f{index}"), point, &mut theirs);
            let distance = ulps(ours[0], theirs[0]);
            assert!(
                distance <= 3,
                "{name}{point:?}: {:e} and {:e}",
                ours[0],
                theirs[0]
            );
        }
    }
}
