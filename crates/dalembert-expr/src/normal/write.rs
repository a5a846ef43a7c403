//! From fractions back to expressions, term by term.

use super::field::{Field, Fraction, GeneratorId, GeneratorKind};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::graph::{ExprId, Graph, SymbolId};
use crate::op::Binary;
use crate::rational::Rational;
use rustc_hash::FxHashMap;

/// Expressions of generators, each made once.
pub(super) type WrittenGenerators = FxHashMap<GeneratorId, ExprId>;

impl Field {
    /// The fraction as an expression of the graph the field belongs to.
    #[must_use]
    pub fn to_graph(&self, graph: &mut Graph, fraction: &Fraction) -> ExprId {
        let names = self.names(graph, &fraction.generators());
        fraction_in(graph, fraction, &names)
    }

    /// Whether a symbol of some kind occurs in a fraction, inside functions too.
    #[must_use]
    pub fn holds(&self, fraction: &Fraction, wanted: impl Fn(SymbolId) -> bool) -> bool {
        let mut parts = self.with_parts(&fraction.generators()).into_iter();
        parts.any(|g| matches!(self.kind(g), GeneratorKind::Symbol(symbol) if wanted(*symbol)))
    }

    /// Expressions of generators and of what these are made of.
    pub(super) fn names(&self, graph: &mut Graph, generators: &[GeneratorId]) -> WrittenGenerators {
        let mut names = WrittenGenerators::default();
        for generator in self.with_parts(generators) {
            let name = name_of(graph, self.kind(generator), &names);
            names.insert(generator, name);
        }
        names
    }
}

pub(super) fn name_of(
    graph: &mut Graph,
    kind: &GeneratorKind,
    names: &WrittenGenerators,
) -> ExprId {
    match kind {
        GeneratorKind::Pi => graph.pi(),
        GeneratorKind::Symbol(symbol) => graph.symbol_node(*symbol),
        GeneratorKind::Sin(angle) => {
            let angle = polynomial_in(graph, angle, names);
            graph.sin(angle)
        }
        GeneratorKind::Cos(angle) => {
            let angle = polynomial_in(graph, angle, names);
            graph.cos(angle)
        }
        GeneratorKind::Root(of, k) => {
            let radicand = fraction_in(graph, of, names);
            let exponent = graph.number(Rational::new(1, i64::from(*k)).unwrap_or(Rational::ONE));
            let root = graph.pow(radicand, exponent);
            let below = polynomial_in(graph, &of.denominator, names);
            graph.mul(below, root)
        }
        GeneratorKind::Function(op, argument) => {
            let argument = fraction_in(graph, argument, names);
            graph.unary(*op, argument)
        }
        GeneratorKind::Table(function, argument) => {
            let argument = fraction_in(graph, argument, names);
            graph.table(function, argument)
        }
        GeneratorKind::Function2(op, a, b) => {
            let (a, b) = (fraction_in(graph, a, names), fraction_in(graph, b, names));
            graph.binary(*op, a, b)
        }
    }
}

fn fraction_in(graph: &mut Graph, fraction: &Fraction, names: &WrittenGenerators) -> ExprId {
    let top = polynomial_in(graph, &fraction.numerator, names);
    let bottom = polynomial_in(graph, &fraction.denominator, names);
    graph.binary(Binary::Div, top, bottom)
}

fn polynomial_in(graph: &mut Graph, p: &Polynomial, names: &WrittenGenerators) -> ExprId {
    let mut total = graph.integer(0);
    // Positive terms first, so that a sum need not begin with a minus.
    let (positive, negative): (Vec<_>, Vec<_>) =
        p.terms.iter().partition(|(_, c)| !c.is_negative());
    for (m, c) in positive.into_iter().chain(negative) {
        let product = monomial_in(graph, m, names);
        total = graph.add_multiple(total, c, product);
    }
    total
}

fn monomial_in(graph: &mut Graph, m: &Monomial, names: &WrittenGenerators) -> ExprId {
    let mut product = graph.integer(1);
    for (g, n) in m.powers() {
        let base = match names.get(&g) {
            Some(&name) => name,
            None => unreachable!("all generators of an element were named"),
        };
        let power = graph.powi(base, i64::from(n));
        product = graph.mul(product, power);
    }
    product
}
