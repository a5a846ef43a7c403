//! Direct evaluation of expressions, node by node: for single values and as an oracle for compiled
//! programs.

use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node, SymbolId};
use std::f64::consts::PI;

/// Values of `outputs` where `value_of` gives the symbols.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, evaluate};
/// let mut g = Graph::new();
/// let x = g.symbol("x", SymbolKind::Parameter);
/// let y = g.powi(x, 2);
/// assert_eq!(evaluate(&g, &[y], |_| 3.0), [9.0]);
/// ```
pub fn evaluate(
    graph: &Graph,
    outputs: &[ExprId],
    mut value_of: impl FnMut(SymbolId) -> f64,
) -> Vec<f64> {
    let cone = Cone::new(graph, outputs);
    let mut values = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let value = match graph.node(id) {
            Node::Number(n) => graph.number_value(n).to_f64(),
            Node::Pi => PI,
            Node::Symbol(symbol) => value_of(symbol),
            Node::Table(table, a) => graph.table_function(table).value(values[cone.place(a)]),
            Node::Unary(op, a) => op.value(values[cone.place(a)]),
            Node::Binary(op, a, b) => op.value(values[cone.place(a)], values[cone.place(b)]),
        };
        values.push(value);
    }
    outputs.iter().map(|&id| values[cone.place(id)]).collect()
}
