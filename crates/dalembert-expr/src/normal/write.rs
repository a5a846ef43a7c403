//! From fractions back to expressions, term by term.

use super::field::{Field, Fraction, GeneratorId, GeneratorKind};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::graph::{ExprId, Graph, SymbolId};
use crate::op::Binary;
use crate::rational::Rational;
use rustc_hash::FxHashMap;

/// Expressions of generators, each made once.
pub(super) type Names = FxHashMap<GeneratorId, ExprId>;

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
        let mut pending = fraction.generators();
        let mut seen: Vec<GeneratorId> = Vec::new();
        while let Some(generator) = pending.pop() {
            if seen.contains(&generator) {
                continue;
            }
            seen.push(generator);
            match self.kind(generator) {
                GeneratorKind::Symbol(symbol) if wanted(*symbol) => return true,
                kind => pending.extend(parts(kind)),
            }
        }
        false
    }

    /// Expressions of generators and of what these are made of.
    pub(super) fn names(&self, graph: &mut Graph, generators: &[GeneratorId]) -> Names {
        // What a generator is made of was there before it.
        let mut wanted = vec![false; self.kinds.len()];
        for g in generators {
            wanted[usize::from(g.0)] = true;
        }
        for place in (0..self.kinds.len()).rev() {
            if wanted[place] {
                for part in parts(&self.kinds[place]) {
                    wanted[usize::from(part.0)] = true;
                }
            }
        }
        let mut names = Names::default();
        for (place, kind) in self.kinds.iter().enumerate() {
            if wanted[place] {
                let name = name_of(graph, kind, &names);
                names.insert(GeneratorId(place as u16), name);
            }
        }
        names
    }
}

/// The generators that a generator is made of.
pub(super) fn parts(kind: &GeneratorKind) -> Vec<GeneratorId> {
    match kind {
        GeneratorKind::Pi | GeneratorKind::Symbol(_) => Vec::new(),
        GeneratorKind::Sin(angle) | GeneratorKind::Cos(angle) => angle.generators(),
        GeneratorKind::Root(f, _) | GeneratorKind::Function(_, f) => f.generators(),
        GeneratorKind::Function2(_, a, b) => [a.generators(), b.generators()].concat(),
    }
}

fn name_of(graph: &mut Graph, kind: &GeneratorKind, names: &Names) -> ExprId {
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
        GeneratorKind::Function2(op, a, b) => {
            let (a, b) = (fraction_in(graph, a, names), fraction_in(graph, b, names));
            graph.binary(*op, a, b)
        }
    }
}

pub(super) fn fraction_in(graph: &mut Graph, fraction: &Fraction, names: &Names) -> ExprId {
    let top = polynomial_in(graph, &fraction.numerator, names);
    let bottom = polynomial_in(graph, &fraction.denominator, names);
    graph.binary(Binary::Div, top, bottom)
}

pub(super) fn polynomial_in(graph: &mut Graph, p: &Polynomial, names: &Names) -> ExprId {
    let mut total = graph.integer(0);
    // Positive terms first, so that a sum need not begin with a minus.
    let (positive, negative): (Vec<_>, Vec<_>) =
        p.terms.iter().partition(|(_, c)| !c.is_negative());
    for (m, c) in positive.into_iter().chain(negative) {
        let product = monomial_in(graph, m, names);
        let size = graph.number(c.abs());
        let term = graph.mul(size, product);
        total = if c.is_negative() {
            graph.sub(total, term)
        } else {
            graph.add(total, term)
        };
    }
    total
}

pub(super) fn monomial_in(graph: &mut Graph, m: &Monomial, names: &Names) -> ExprId {
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
