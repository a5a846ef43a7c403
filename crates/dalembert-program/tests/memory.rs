//! Native code is freed with its program: ten thousand compilations later the process is no larger.
//!
//! One test in a process of its own, so that nothing else allocates meanwhile.
#![cfg(all(feature = "jit", target_os = "linux"))]

use dalembert_expr::{Graph, SymbolKind};
use dalembert_program::compile;

/// Pages of address space and pages in memory.
fn pages() -> [i64; 2] {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let mut words = text.split_whitespace();
    [(); 2].map(|()| {
        let word = words.next().expect("seven numbers");
        word.parse().expect("a number")
    })
}

#[test]
fn compiling_and_dropping_leaves_nothing_behind() {
    let mut graph = Graph::new();
    let x = graph.symbol("x", SymbolKind::Coordinate);
    let (sine, square) = (graph.sin(x), graph.powi(x, 2));
    let sum = graph.add(sine, square);
    let inputs = [graph.as_symbol(x).unwrap()];
    let cycle = || {
        let program = compile(&graph, &inputs, &[sum]).unwrap();
        assert!(program.make_native());
        let mut outputs = [0.0; 8];
        let inputs = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
        program.eval::<8>(&mut program.workspace(), &inputs, &mut outputs);
    };
    for _ in 0..500 {
        cycle();
    }
    let before = pages();
    for _ in 0..10_000 {
        cycle();
    }
    let after = pages();
    assert_eq!(after[0], before[0], "address space in pages");
    // The heap may take up pages it had mapped; a page for each cycle would be 10 000.
    assert!(after[1] <= before[1] + 64, "{before:?} to {after:?} pages");
}
