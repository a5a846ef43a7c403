//! Writes modules of random programs, with states and what the tape makes of them, a line of JSON each: for `tests/page/programs.mjs`, which
//! runs them where they are meant to run.
#![expect(clippy::print_stdout, reason = "what it writes is for a pipe")]

#[path = "../tests/suite/every_table.rs"]
mod every_table;
#[path = "../tests/suite/random.rs"]
mod random;

use dalembert_expr::{Binary, ExprId, Graph, SymbolKind, Unary};
use dalembert_program::{Program, compile, to_wasm};
use fastrand::Rng;
use random::{CORNERS, Operations, argument, sample};
use std::fmt::Write;

fn main() {
    let mut rng = Rng::with_seed(12);
    // Short ones and long ones, of several functions each.
    for size in [1, 3, 10, 40, 200, 255, 256, 257, 900, 5000] {
        for _ in 0..20 {
            let programs: Vec<Program> = (0..2)
                .map(|_| {
                    let made = sample(&mut rng, size, Operations::Written);
                    compile(&made.graph, &made.inputs, &made.outputs).expect("a program")
                })
                .collect();
            let cases: Vec<Case> = (programs.iter())
                .map(|program| {
                    let states = (0..8).map(|_| {
                        (0..program.input_count())
                            .map(|_| argument(&mut rng))
                            .collect()
                    });
                    (program, states.collect())
                })
                .collect();
            println!("{}", line(&cases, 0));
        }
    }
    println!("{}", line(&[(&every_table::program(), table_states())], 0));
    let (program, states) = functions(&mut rng);
    println!("{}", line(&[(&program, states)], 4));
}

/// A program, and states to run it at.
type Case<'a> = (&'a Program, Vec<Vec<f64>>);

fn line(cases: &[Case<'_>], ulps: u32) -> String {
    let names: Vec<String> = (0..cases.len()).map(|k| format!("f{k}")).collect();
    let parts = names.iter().zip(cases);
    let programs: Vec<_> = parts.map(|(name, it)| (&**name, it.0.tape())).collect();
    let bytes = to_wasm(&programs);
    let mut text = String::from("{\"module\":\"");
    let mut write = |part: String| text.push_str(&part);
    bytes.iter().for_each(|byte| write(format!("{byte:02x}")));
    write(format!("\",\"ulps\":{ulps},\"programs\":["));
    for (k, (program, states)) in cases.iter().enumerate() {
        let comma = if k > 0 { "," } else { "" };
        write(format!("{comma}{{\"name\":\"f{k}\",\"states\":["));
        for (i, state) in states.iter().enumerate() {
            let mut outputs = vec![0.0; program.output_count()];
            program
                .tape()
                .eval::<1>(&mut program.tape().workspace(), state, &mut outputs);
            let comma = if i > 0 { "," } else { "" };
            write(format!("{comma}[{},{}]", bits(state), bits(&outputs)));
        }
        write("]}".to_owned());
    }
    text.push_str("]}");
    text
}

/// Numbers as the digits of their bits.
fn bits(numbers: &[f64]) -> String {
    let mut text = String::from("\"");
    for x in numbers {
        write!(text, "{:016x}", x.to_bits()).expect("a String takes everything");
    }
    text + "\""
}

/// Every function by itself.
fn functions(rng: &mut Rng) -> (Program, Vec<Vec<f64>>) {
    let mut graph = Graph::new();
    let [x, y] = ["x", "y"].map(|name| graph.symbol(name, SymbolKind::Parameter));
    let inputs = [x, y].map(|id| graph.as_symbol(id).expect("a symbol"));
    let mut outputs: Vec<ExprId> = Unary::ALL.iter().map(|&op| graph.unary(op, x)).collect();
    outputs.extend(Binary::ALL.iter().map(|&op| graph.binary(op, x, y)));
    let program = compile(&graph, &inputs, &outputs).expect("a program");
    let corners = CORNERS.iter().flat_map(|&x| CORNERS.map(|y| vec![x, y]));
    let random = (0..3000).map(|_| vec![argument(rng), argument(rng)]);
    (program, corners.chain(random).collect())
}

fn table_states() -> Vec<Vec<f64>> {
    let all = every_table::arguments().into_iter().chain(CORNERS);
    all.map(|x| vec![x]).collect()
}
