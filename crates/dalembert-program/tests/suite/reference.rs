//! What a program must compute, node by node: the evaluator of `dalembert-expr`, with the two things
//! that programs do in their own way, sine and cosine, and powers of literal exponent.

use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, Unary};
use dalembert_program::sin_cos;

/// Equal to the bit, or both NaN, whose bits Rust leaves open.
pub(crate) fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// Values of `outputs`.
pub(crate) fn reference(
    graph: &Graph,
    outputs: &[ExprId],
    value_of: impl Fn(SymbolId) -> f64,
) -> Vec<f64> {
    let cone = Cone::new(graph, outputs);
    let place = |id| cone.position(id).expect("operands of members are members");
    let mut values: Vec<f64> = Vec::new();
    for &id in cone.nodes() {
        let value = match graph.node(id) {
            Node::Number(n) => graph.number_value(n).to_f64(),
            Node::Pi => std::f64::consts::PI,
            Node::Symbol(symbol) => value_of(symbol),
            Node::Unary(Unary::Sin, a) => sin_cos(values[place(a)]).0,
            Node::Unary(Unary::Cos, a) => sin_cos(values[place(a)]).1,
            Node::Table(table, a) => graph.table_function(table).value(values[place(a)]),
            Node::Unary(op, a) => op.value(values[place(a)]),
            Node::Binary(Binary::Pow, a, n) => {
                let x = values[place(a)];
                match graph.as_number(n).and_then(|n| n.as_small()) {
                    Some((n, 1)) if n.abs() <= 64 => power(x, n),
                    Some((k, 2)) if k.abs() <= 128 => x.sqrt() * power(x, k / 2),
                    _ => Binary::Pow.value(x, values[place(n)]),
                }
            }
            Node::Binary(op, a, b) => op.value(values[place(a)], values[place(b)]),
        };
        values.push(value);
    }
    outputs.iter().map(|&id| values[place(id)]).collect()
}

/// xⁿ by halving the exponent, n ≥ 1: negative exponents are quotients in the graph.
fn power(x: f64, n: i64) -> f64 {
    match n {
        ..1 => panic!("the graph should not hold a power of {n}"),
        1 => x,
        n if n % 2 == 0 => power(x, n / 2) * power(x, n / 2),
        n => power(x, n - 1) * x,
    }
}
