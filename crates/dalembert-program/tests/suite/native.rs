//! Native code as a thing: who may have it, that it says the same twice, and how much of it there may be.

use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};
use dalembert_program::{Program, compile};

/// A recurrence that keeps all its values in use: `length` instructions or some more.
fn recurrence(length: usize) -> (Graph, Vec<SymbolId>, Vec<ExprId>) {
    let mut graph = Graph::new();
    let names = ["x", "y", "z"];
    let symbols = names.map(|name| graph.symbol(name, SymbolKind::Coordinate));
    let inputs = symbols
        .iter()
        .filter_map(|&id| graph.as_symbol(id))
        .collect();
    let [mut a, mut b, c] = symbols;
    let mut outputs = Vec::new();
    for step in 0..length {
        let next = match step % 5 {
            0 => graph.mul(a, b),
            1 => graph.sub(a, c),
            2 => graph.add(b, a),
            3 if step % 100 == 3 => graph.sin(a),
            3 => graph.abs(b),
            _ => graph.div(b, a),
        };
        (a, b) = (b, next);
        if step % 97 == 0 {
            outputs.push(next);
        }
    }
    outputs.push(b);
    (graph, inputs, outputs)
}

fn native(length: usize) -> Program {
    let (graph, inputs, outputs) = recurrence(length);
    let program = compile(&graph, &inputs, &outputs).expect("all symbols are inputs");
    assert_eq!(program.make_native(), cfg!(feature = "jit"));
    program
}

fn bits(program: &Program) -> Vec<u64> {
    let mut workspace = program.workspace();
    let count = program.output_count();
    let (mut one, mut eight) = (vec![0.0; count], vec![0.0; 8 * count]);
    program.eval::<1>(&mut workspace, &[0.5, 1.25, -0.75], &mut one);
    let lanes: Vec<f64> = (0..24).map(|i| 0.1 * f64::from(i) - 0.7).collect();
    program.eval::<8>(&mut workspace, &lanes, &mut eight);
    one.iter().chain(&eight).map(|x| x.to_bits()).collect()
}

#[test]
fn programs_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Program>();
}

#[test]
fn the_same_bits_again_and_elsewhere() {
    let (program, again) = (native(3_000), native(3_000));
    let first = bits(&program);
    assert_eq!(bits(&program), first, "run twice");
    assert_eq!(bits(&again), first, "compiled twice");
    assert_eq!(bits(&program.clone()), first, "a clone");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| bits(&program))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), first, "other threads");
        }
    });
}

/// Native code lives as long as one program that uses it.
#[test]
fn clones_outlive_each_other() {
    let program = native(100);
    let first = bits(&program);
    let clone = program.clone();
    drop(program);
    assert_eq!(bits(&clone), first);
}

#[test]
fn workspaces_serve_tape_and_native_code_in_turn() {
    let (small, large) = (native(20), native(900));
    let mut workspace = small.workspace();
    let mut run = |program: &Program, on_tape: bool| {
        let mut outputs = vec![0.0; program.output_count()];
        let inputs = [0.5, 1.25, -0.75];
        if on_tape {
            program
                .tape()
                .eval::<1>(&mut workspace, &inputs, &mut outputs);
        } else {
            program.eval::<1>(&mut workspace, &inputs, &mut outputs);
        }
        outputs.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    for program in [&small, &large] {
        let tape = run(program, true);
        assert_eq!(run(program, false), tape);
        assert_eq!(run(program, true), tape);
    }
}

#[test]
fn programs_without_instructions() {
    let mut graph = Graph::new();
    let x = graph.symbol("x", SymbolKind::Coordinate);
    let two = graph.integer(2);
    let inputs = [graph.as_symbol(x).unwrap()];
    for outputs in [vec![], vec![x, two, x]] {
        let program = compile(&graph, &inputs, &outputs).unwrap();
        program.make_native();
        let mut results = vec![0.0; outputs.len()];
        program.eval::<1>(&mut program.workspace(), &[7.0], &mut results);
        assert_eq!(results, [7.0, 2.0, 7.0][..outputs.len()]);
    }
}

/// A million nodes stay on the tape, and say so.
#[test]
fn the_longest_programs_stay_on_the_tape() {
    let (graph, inputs, outputs) = recurrence(1_000_000);
    let program = compile(&graph, &inputs, &outputs).unwrap();
    assert!(program.instruction_count() > 300_000);
    assert!(!program.make_native());
    assert!(!program.is_native());
    let mut results = vec![0.0; outputs.len()];
    program.eval::<1>(&mut program.workspace(), &[0.5, 1.25, -0.75], &mut results);
}
