//! What a page divides by: where that vanishes, its formulas say nothing.
//!
//! Found in the expressions as they are printed, so nothing is missed however they came about. What cannot vanish is not
//! listed: sums of squares and positive constants, where parameters have the signs of their values.

use super::algebra::Algebra;
use dalembert_expr::normal::Fraction;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Rational, SymbolId, Unary};
use dalembert_mechanics::lower::System;
use dalembert_mechanics::model::Model;
use dalembert_mechanics::values::parameter_values;

/// Signs of the parameters, where they are known.
pub(super) struct Signs(Vec<(SymbolId, f64)>);

impl Signs {
    /// The signs of the values that a model gives; `system` with its graph.
    pub(super) fn of(model: &Model, system: &System) -> Self {
        let values = parameter_values(model, system).unwrap_or_default();
        let symbols = system.symbols.parameters.iter().copied();
        Self(symbols.zip(values).collect())
    }

    /// Takes a name in that stands for the root of something, and is positive if that cannot vanish.
    pub(super) fn add_root(&mut self, algebra: &Algebra, root: SymbolId, square: &Fraction) {
        if self.cannot_vanish(algebra, square) {
            self.0.push((root, 1.0));
        }
    }

    /// Whether a polynomial cannot vanish.
    pub(super) fn cannot_vanish(&self, algebra: &Algebra, element: &Fraction) -> bool {
        let is_negative = |symbol| {
            let (_, value) = self.0.iter().find(|(known, _)| *known == symbol)?;
            (*value != 0.0 && !value.is_nan()).then_some(*value < 0.0)
        };
        let field = &algebra.field;
        let sign = field.is_negative_everywhere(element.numerator(), &is_negative);
        sign.is_some()
    }
}

/// What expressions divide by and what may vanish, without those in `known`.
pub(super) fn divisors(
    algebra: &mut Algebra,
    signs: &Signs,
    expressions: &[ExprId],
    known: &[ExprId],
) -> Vec<ExprId> {
    let graph = &algebra.graph;
    let mut found = Vec::new();
    for &id in Cone::new(graph, expressions).nodes() {
        match graph.node(id) {
            Node::Binary(Binary::Div, _, below) => factors(graph, below, &mut found),
            Node::Binary(Binary::Pow, base, power) if is_negative(graph, power) => {
                factors(graph, base, &mut found);
            }
            _ => {}
        }
    }
    may_vanish(algebra, signs, &found, known)
}

/// Those of what expressions divide by that are zero at the start.
pub(super) fn zero_at_start(
    algebra: &mut Algebra,
    signs: &Signs,
    expressions: &[ExprId],
) -> Vec<ExprId> {
    let found = divisors(algebra, signs, expressions, &[]);
    let samples = algebra.samples.as_ref();
    samples.map_or_else(Vec::new, |it| it.zero_at_start(&algebra.graph, &found))
}

/// Those of some expressions that may vanish, each once but for constant factors, and without those in `known`.
pub(super) fn may_vanish(
    algebra: &mut Algebra,
    signs: &Signs,
    expressions: &[ExprId],
    known: &[ExprId],
) -> Vec<ExprId> {
    let mut kept: Vec<(ExprId, Option<Fraction>)> = Vec::new();
    for &id in known.iter().chain(expressions) {
        let taken = algebra.field.take(&algebra.graph, id).ok();
        if let Some(taken) = &taken {
            if !algebra.moves(taken) || signs.cannot_vanish(algebra, taken) {
                continue;
            }
            let same = |other: &Fraction| {
                let ratio = algebra.field.div(taken, other);
                ratio.is_ok_and(|ratio| !algebra.moves(&ratio))
            };
            let mut others = kept.iter().filter_map(|(_, other)| other.as_ref());
            if others.any(same) {
                continue;
            }
        } else if kept.iter().any(|&(other, _)| other == id) {
            continue;
        }
        kept.push((id, taken));
    }
    let ids = kept.into_iter().map(|(id, _)| id);
    ids.filter(|id| !known.contains(id)).collect()
}

/// What a product vanishes with.
pub(super) fn factors(graph: &Graph, id: ExprId, found: &mut Vec<ExprId>) {
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        match graph.node(id) {
            Node::Binary(Binary::Mul, a, b) => pending.extend([b, a]),
            Node::Unary(Unary::Neg | Unary::Sqrt | Unary::Abs, a) => pending.push(a),
            Node::Binary(Binary::Div, above, _) => pending.push(above),
            Node::Binary(Binary::Pow, base, power) if graph.as_number(power).is_some() => {
                pending.push(base);
            }
            Node::Number(_) | Node::Pi => {}
            _ if !found.contains(&id) => found.push(id),
            _ => {}
        }
    }
}

fn is_negative(graph: &Graph, power: ExprId) -> bool {
    graph.as_number(power).is_some_and(Rational::is_negative)
}
