//! Texts as expressions, for tests of what comes after reading them.

use dalembert_expr::syntax::{Function, Kind, Sign, parse_expression};
use dalembert_expr::{ExprId, Graph, SymbolKind};

/// Reads a text of numbers, names and functions, with symbols of the kinds that `kind` gives their names.
pub(crate) fn read_as(graph: &mut Graph, text: &str, kind: fn(&str) -> SymbolKind) -> ExprId {
    let tree = parse_expression(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let mut values: Vec<ExprId> = Vec::new();
    for node in tree.nodes() {
        let of = |id: &dalembert_expr::syntax::NodeId| values[id.index()];
        let value = match &node.kind {
            Kind::Number(n) => graph.number(n.clone()),
            Kind::Name { name, .. } if &**name == "pi" => graph.pi(),
            Kind::Name { name, primes } => graph.derivative_symbol(name, kind(name), *primes),
            Kind::Signed { sign, operand } => match sign {
                Sign::Plus => of(operand),
                Sign::Minus => graph.neg(of(operand)),
            },
            Kind::Binary { op, left, right } => graph.binary((*op).into(), of(left), of(right)),
            Kind::Call {
                function,
                arguments,
            } => {
                let arguments: Vec<ExprId> = arguments.iter().map(|it| of(&it.value)).collect();
                let function = Function::named(&function.text).unwrap();
                function.apply(graph, &arguments).unwrap()
            }
            other => panic!("{text}: {other:?}"),
        };
        values.push(value);
    }
    values[tree.root().index()]
}

/// Reads a text in which names from p, q, t, x, y, z on are coordinates, and others parameters.
pub(crate) fn read(graph: &mut Graph, text: &str) -> ExprId {
    read_as(graph, text, |name| match name.chars().next() {
        Some('p' | 'q' | 't' | 'x' | 'y' | 'z') => SymbolKind::Coordinate,
        _ => SymbolKind::Parameter,
    })
}
