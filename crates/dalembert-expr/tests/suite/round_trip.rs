//! parse(print(e)) is e, by the real parser.

use crate::formula::{Formula, symbols};
use crate::scope::read_as;
use dalembert_expr::calculus::gradient;
use dalembert_expr::print::{Format, print_one, tree_size};
use dalembert_expr::{ExprId, Graph, SymbolKind};
use fastrand::Rng;

fn read(graph: &mut Graph, text: &str) -> ExprId {
    read_as(graph, text, |_| SymbolKind::Coordinate)
}

#[test]
fn model_text_reads_back_to_the_same_node() {
    let mut rng = Rng::with_seed(21);
    let mut read_back = 0;
    for _ in 0..3000 {
        let mut g = Graph::new();
        let names = symbols(&mut g);
        let operations = rng.usize(1..16);
        let id = Formula::random(&mut rng, operations, false).build(&mut g);
        // Derivatives are what is printed in practice.
        let slopes = gradient(&mut g, id, &names);
        for id in [&[id], slopes.as_slice()].concat() {
            if tree_size(&g, id) < 5000 {
                let text = print_one(&g, id, Format::Model);
                assert_eq!(read(&mut g, &text), id, "{text}");
                read_back += 1;
            }
        }
    }
    assert!(
        read_back > 10_000,
        "only {read_back} expressions were short enough"
    );
}

#[test]
fn deep_text_reads_back() {
    let mut g = Graph::new();
    let mut id = g.symbol("x", SymbolKind::Coordinate);
    let y = g.symbol("y", SymbolKind::Coordinate);
    for _ in 0..5000 {
        let sine = g.sin(id);
        id = g.sub(y, sine);
    }
    let text = print_one(&g, id, Format::Model);
    assert_eq!(read(&mut g, &text), id);
}
