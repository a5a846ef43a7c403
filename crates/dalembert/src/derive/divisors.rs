//! What a page divides by: where that vanishes, its formulas say nothing.
//!
//! Found in the expressions as they are printed, so nothing is missed however they came about. What cannot vanish is not
//! listed: sums of squares and positive constants, where parameters have the signs of their values.

use super::algebra::Algebra;
use dalembert_expr::normal::{Fraction, GeneratorId, GeneratorKind};
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

    /// The sign of a power of a generator: −1, 1, or 0 if it may be zero but has no other sign than the second.
    fn of_power(&self, algebra: &Algebra, generator: GeneratorId, power: u16) -> Option<Sign> {
        let even = power.is_multiple_of(2);
        match algebra.field.kind(generator) {
            GeneratorKind::Pi | GeneratorKind::Function(Unary::Exp, _) => Some(Sign::Positive),
            GeneratorKind::Symbol(symbol) => {
                let known = self.0.iter().find(|(known, _)| known == symbol);
                match known.map(|&(_, value)| value) {
                    Some(value) if value > 0.0 => Some(Sign::Positive),
                    Some(value) if value < 0.0 && even => Some(Sign::Positive),
                    Some(value) if value < 0.0 => Some(Sign::Negative),
                    _ => even.then_some(Sign::NotNegative),
                }
            }
            GeneratorKind::Function(Unary::Abs, _) => Some(Sign::NotNegative),
            _ => even.then_some(Sign::NotNegative),
        }
    }

    /// Whether a polynomial cannot vanish: all its terms have one sign, and one of them is not zero.
    pub(super) fn cannot_vanish(&self, algebra: &Algebra, element: &Fraction) -> bool {
        let numerator = Fraction::from(element.numerator().clone());
        let generators = numerator.generators();
        let Some(terms) = algebra.field.coefficients(&numerator, &generators) else {
            return false;
        };
        let mut signs = Vec::new();
        for (exponents, number) in terms {
            let Some(number) = number.as_number() else {
                return false;
            };
            let mut sign = match number.is_negative() {
                true => Sign::Negative,
                false => Sign::Positive,
            };
            for (&generator, &power) in generators.iter().zip(&exponents) {
                if power == 0 {
                    continue;
                }
                let Some(of_power) = self.of_power(algebra, generator, power) else {
                    return false;
                };
                sign = sign.times(of_power);
            }
            signs.push(sign);
        }
        let upper = [Sign::Positive, Sign::NotNegative];
        let one_way = signs.iter().all(|sign| upper.contains(sign))
            || signs.iter().all(|sign| !upper.contains(sign));
        one_way && signs.iter().any(|&sign| sign.is_strict())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Positive,
    NotNegative,
    Negative,
    NotPositive,
}

impl Sign {
    fn is_strict(self) -> bool {
        matches!(self, Self::Positive | Self::Negative)
    }

    fn is_upper(self) -> bool {
        matches!(self, Self::Positive | Self::NotNegative)
    }

    fn times(self, other: Self) -> Self {
        let strict = self.is_strict() && other.is_strict();
        match (self.is_upper() == other.is_upper(), strict) {
            (true, true) => Self::Positive,
            (true, false) => Self::NotNegative,
            (false, true) => Self::Negative,
            (false, false) => Self::NotPositive,
        }
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
