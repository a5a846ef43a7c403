//! All that is taken of tables, as one program; and arguments between, on and beyond their knots, with the corners.

use dalembert_expr::table::{Beyond, Interpolation, Label, Table, TableFunction, Taken};
use dalembert_expr::{Graph, SymbolKind};
use dalembert_program::{Program, compile};
use std::sync::Arc;

fn knots() -> impl Iterator<Item = f64> {
    (0..50).map(|k| 0.3 * f64::from(k) + 0.01 * f64::from(k % 7))
}

/// Arguments to run it at.
pub(crate) fn arguments() -> Vec<f64> {
    (0..200)
        .map(|k| -0.7 + 0.09 * f64::from(k))
        .chain(knots())
        .chain([f64::NAN, f64::INFINITY, -1e300, 0.0, -0.0, 1e-310])
        .collect()
}

/// The program, of one argument.
pub(crate) fn program() -> Program {
    let mut graph = Graph::new();
    let x = graph.symbol("x", SymbolKind::Parameter);
    let by = graph.as_symbol(x).expect("a symbol");
    let knots: Vec<f64> = knots().collect();
    let values: Vec<f64> = knots.iter().map(|x| (1.3 * x).sin() - 0.2 * x).collect();
    let mut outputs = Vec::new();
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        for beyond in [Beyond::Refused, Beyond::Hold, Beyond::Line] {
            let label = Label {
                file: "f.csv".into(),
                column: "y".into(),
                interpolation,
                beyond,
            };
            let table = Arc::new(Table::new(label, &knots, &values).expect("a table"));
            let orders = (0..4).map(Taken::Derivative);
            for taken in orders.chain([Taken::Sides]) {
                let table = Arc::clone(&table);
                outputs.push(graph.table(&TableFunction { table, taken }, x));
            }
        }
    }
    compile(&graph, &[by], &outputs).expect("all symbols are inputs")
}
