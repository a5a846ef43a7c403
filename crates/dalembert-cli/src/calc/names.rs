//! What names mean to `calc`.

use super::input::Input;
use dalembert_expr::syntax::{Function, Scope, Unresolved, undotted};
use dalembert_expr::{ExprId, Graph, Rational, SymbolKind};
use std::collections::BTreeSet;

/// Every name is a symbol; those that have a prime somewhere are functions of time.
#[derive(Default)]
pub(super) struct Names {
    pub(super) moving: BTreeSet<String>,
    pub(super) known: BTreeSet<String>,
}

impl Names {
    pub(super) fn collect(&mut self, input: &Input) {
        for (name, primes, _) in input.names() {
            if primes > 0 {
                self.moving.insert(name.to_owned());
            }
            self.known.insert(name.to_owned());
        }
    }
}

/// Numbers that are none.
fn is_no_number(name: &str) -> bool {
    ["inf", "infinity", "nan"].contains(&&*name.to_ascii_lowercase())
}

impl Scope for Names {
    fn name(&mut self, graph: &mut Graph, name: &str, primes: u8) -> Result<ExprId, Unresolved> {
        match name {
            "pi" | "t" if primes > 0 => Err(Unresolved::NoDerivative),
            "pi" => Ok(graph.pi()),
            "t" => Ok(graph.symbol("t", SymbolKind::Time)),
            _ if Function::named(name).is_some() || name.contains('.') || is_no_number(name) => {
                Err(Unresolved::Unknown)
            }
            _ if primes > 0 || self.moving.contains(name) => {
                Ok(graph.derivative_symbol(name, SymbolKind::Coordinate, primes))
            }
            _ => Ok(graph.symbol(name, SymbolKind::Parameter)),
        }
    }

    fn unit(&mut self, graph: &mut Graph, name: &str) -> Option<ExprId> {
        match name {
            "rad" => Some(graph.integer(1)),
            "deg" => {
                let (degree, pi) = (Rational::new(1, 180)?, graph.pi());
                let degree = graph.number(degree);
                Some(graph.mul(degree, pi))
            }
            _ => None,
        }
    }

    fn cure(&self, name: &str) -> Option<String> {
        if is_no_number(name) {
            Some("every number here is finite".to_owned())
        } else if name.contains('.') {
            Some(format!(
                "there is no dot in names here: write {}",
                undotted(name)
            ))
        } else {
            None
        }
    }

    fn known(&self) -> (Vec<String>, Vec<String>) {
        (
            self.known.iter().cloned().collect(),
            vec!["rad".to_owned(), "deg".to_owned()],
        )
    }
}
