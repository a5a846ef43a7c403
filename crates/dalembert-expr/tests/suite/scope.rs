//! Texts as expressions, for tests of what comes after reading them.

use dalembert_expr::syntax::{Scope, Unresolved, elaborate_value, parse_expression};
use dalembert_expr::{ExprId, Graph, SymbolKind};

/// Every name is a symbol of the kind that is asked for; there are no units.
struct Names(fn(&str) -> SymbolKind);

impl Scope for Names {
    fn name(&mut self, graph: &mut Graph, name: &str, primes: u8) -> Result<ExprId, Unresolved> {
        Ok(match name {
            "pi" => graph.pi(),
            _ => graph.derivative_symbol(name, (self.0)(name), primes),
        })
    }

    fn unit(&mut self, _: &mut Graph, _: &str) -> Option<ExprId> {
        None
    }

    fn known(&self) -> (Vec<String>, Vec<String>) {
        Default::default()
    }
}

/// Reads a text, with symbols of the kinds that `kind` gives their names.
pub(crate) fn read_as(graph: &mut Graph, text: &str, kind: fn(&str) -> SymbolKind) -> ExprId {
    let tree = parse_expression(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    elaborate_value(graph, text, &tree, &mut Names(kind))
        .unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// Reads a text in which names from p, q, t, x, y, z on are coordinates, and others parameters.
pub(crate) fn read(graph: &mut Graph, text: &str) -> ExprId {
    read_as(graph, text, |name| match name.chars().next() {
        Some('p' | 'q' | 't' | 'x' | 'y' | 'z') => SymbolKind::Coordinate,
        _ => SymbolKind::Parameter,
    })
}
