//! Depth costs neither stack nor time, and nothing depends on the run.

use super::{TABLE, parameter, printed, read};
use dalembert_expr::print::{Format, Options, print, print_one};
use dalembert_expr::{ExprId, Graph, SymbolKind};
use std::time::{Duration, Instant};

const DEPTH: usize = 100_000;
/// Linear work takes far less in a debug build; anything quadratic takes minutes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Prints in every format.
fn print_all(graph: &Graph, id: ExprId) {
    let start = Instant::now();
    for format in Format::ALL {
        let text = printed(graph, id, format);
        assert!(text.len() >= DEPTH, "{format}: {} bytes", text.len());
    }
    // No node has two users, so the way through names leads to the same tree.
    for format in [Format::Text, Format::C] {
        assert_eq!(print_one(graph, id, format), printed(graph, id, format));
    }
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

/// Neighbours differ, so that nothing is merged.
fn symbols(graph: &mut Graph) -> Vec<ExprId> {
    let few: Vec<ExprId> = (0..100)
        .map(|n| parameter(graph, &format!("x{n}")))
        .collect();
    few.into_iter().cycle().take(DEPTH).collect()
}

#[test]
fn functions_of_functions() {
    let mut graph = Graph::new();
    let mut id = parameter(&mut graph, "x");
    for _ in 0..DEPTH {
        id = graph.sin(id);
    }
    print_all(&graph, id);
}

#[test]
fn sums_nested_to_the_left_and_to_the_right() {
    let mut graph = Graph::new();
    let terms = symbols(&mut graph);
    let left = graph.sum(terms.iter().copied());
    print_all(&graph, left);
    let right = terms
        .iter()
        .rev()
        .fold(terms[0], |sum, &x| graph.sub(x, sum));
    print_all(&graph, right);
}

#[test]
fn products_and_quotients() {
    let mut graph = Graph::new();
    // All of them differ: equal factors would be collected.
    let name = |n| parameter(&mut graph, &format!("x{n}"));
    let factors: Vec<ExprId> = (0..DEPTH).map(name).collect();
    let left = factors
        .iter()
        .fold(factors[0], |product, &x| graph.mul(product, x));
    let negative = graph.neg(left);
    print_all(&graph, negative);
    let right = factors
        .iter()
        .fold(factors[0], |product, &x| graph.div(x, product));
    print_all(&graph, right);
}

#[test]
fn towers_of_powers() {
    let mut graph = Graph::new();
    let bases = symbols(&mut graph);
    let up = bases.iter().fold(bases[0], |power, &x| graph.pow(x, power));
    print_all(&graph, up);
    let down = bases.iter().fold(bases[0], |power, &x| graph.pow(power, x));
    print_all(&graph, down);
}

#[test]
fn nested_roots_fractions_and_bars() {
    let mut graph = Graph::new();
    let one = graph.integer(1);
    let mut id = parameter(&mut graph, "x");
    for _ in 0..DEPTH / 4 {
        id = graph.add(id, one);
        id = graph.sqrt(id);
        id = graph.sub(id, one);
        id = graph.abs(id);
    }
    print_all(&graph, id);
}

#[test]
fn a_tree_of_2_to_the_200_is_printed_at_once() {
    let mut graph = Graph::new();
    let mut id = graph.symbol("x", SymbolKind::Coordinate);
    let mut square = id;
    for _ in 0..200 {
        let sine = graph.sin(id);
        id = graph.mul(sine, id);
        square = graph.mul(square, square);
    }
    let start = Instant::now();
    for format in Format::ALL {
        let all = print(&graph, &[id, square], &Options::new(format));
        assert!(all.is_shared() && all.definitions.len() <= 400);
        assert!(print_one(&graph, id, format).len() < 100_000);
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn two_runs_give_the_same_text() {
    let run = || {
        let mut graph = Graph::new();
        let ids: Vec<ExprId> = TABLE.iter().map(|text| read(&mut graph, text)).collect();
        Format::ALL.map(|format| {
            let options = |tree_limit| Options {
                tree_limit,
                ..Options::new(format)
            };
            [0, u64::MAX].map(|limit| print(&graph, &ids, &options(limit)))
        })
    };
    assert_eq!(run(), run());
}
