//! A product under construction: literal factor and powers of bases.

use super::content::Contents;
use crate::construct::is_mergeable;
use crate::graph::{ExprId, Graph, Node};
use crate::multiples::Multiples;
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use crate::symbol::SymbolKind;

/// A factor that is used elsewhere too is taken apart if it has no more nodes than this: the work for
/// each use stays bounded.
const MAX_PARTS: usize = 16;

/// c · Π baseᵉ, each base once.
pub(super) struct Product {
    coefficient: Rational,
    factors: Multiples,
}

impl Default for Product {
    fn default() -> Self {
        Self {
            coefficient: Rational::ONE,
            factors: Multiples::default(),
        }
    }
}

impl Product {
    /// Multiplies with (−1)^exponent, the exponent being an integer.
    pub(super) fn negate(&mut self, exponent: &Rational) {
        if !exponent.is_even() {
            self.coefficient = self.coefficient.negated();
        }
    }

    /// Multiplies with `factor`^`exponent`; a short product is taken apart.
    pub(super) fn multiply(&mut self, graph: &Graph, factor: ExprId, exponent: &Rational) {
        if !exponent.is_integer() {
            return self.factors.add(factor, exponent.clone());
        }
        let parts = parts(graph, factor, exponent).unwrap_or_else(|| {
            let (c, core) = graph.coefficient(factor);
            let (base, inner) = graph.base_and_exponent(core);
            let literal = Part::Literal(c, exponent.clone());
            vec![
                literal,
                match inner.checked_mul(exponent) {
                    Some(power) => Part::Power(base, power),
                    None => Part::Power(core, exponent.clone()),
                },
            ]
        });
        let literals = parts
            .iter()
            .try_fold(Rational::ONE, |product, part| match part {
                Part::Literal(c, n) => product.checked_mul(&c.checked_pow(n.as_integer()?)?),
                Part::Power(..) => Some(product),
            });
        let merged = literals.and_then(|c| self.coefficient.checked_mul(&c));
        match merged.filter(|c| c.is_zero() || is_mergeable(c)) {
            Some(merged) => self.coefficient = merged,
            // Too long, too large for doubles, or a division by 0: it stays as it is.
            None => return self.factors.add(factor, exponent.clone()),
        }
        for part in parts {
            if let Part::Power(base, power) = part {
                self.factors.add(base, power);
            }
        }
    }

    /// Takes the common literal factor out of each sum: ½ (2 a + 2 b) is a + b.
    pub(super) fn extract_contents(&mut self, graph: &mut Graph, contents: &mut Contents) {
        let mut result = Self {
            coefficient: self.coefficient.clone(),
            ..Self::default()
        };
        for (base, exponent) in std::mem::take(&mut self.factors.entries) {
            let extracted = exponent.as_integer().and_then(|n| {
                let (content, rest) = contents.of(graph, base)?;
                let literal = content.checked_pow(n)?;
                let merged = result.coefficient.checked_mul(&literal);
                Some((merged.filter(is_mergeable)?, rest))
            });
            match extracted {
                Some((coefficient, rest)) => {
                    result.coefficient = coefficient;
                    result.factors.add(rest, exponent);
                }
                None => result.factors.add(base, exponent),
            }
        }
        *self = result;
    }

    /// The product as an expression: the literal in front, then the factors by [`Class`] and in order
    /// of their making, one quotient at most.
    pub(super) fn build(mut self, graph: &mut Graph) -> ExprId {
        let zero = Rational::ZERO;
        if self.coefficient.is_zero() {
            return graph.integer(0);
        }
        self.factors
            .entries
            .sort_by_key(|&(base, _)| (Class::of(graph, base), base));
        let (mut numerator, mut denominator) = (graph.integer(1), graph.integer(1));
        for (base, exponent) in &self.factors.entries {
            let side = if *exponent < zero {
                &mut denominator
            } else {
                &mut numerator
            };
            let magnitude = exponent.abs();
            // x^(3/2) is x √x
            let (whole, rest) = match magnitude.as_small() {
                Some((n, 2)) => (n / 2, Some(Rational::HALF)),
                Some((n, 1)) => (n, None),
                _ => (0, Some(magnitude)),
            };
            let power = graph.powi(*base, whole);
            *side = graph.mul(*side, power);
            if let Some(rest) = rest {
                let rest = graph.number(rest);
                let root = graph.pow(*base, rest);
                *side = graph.mul(*side, root);
            }
        }
        let quotient = graph.div(numerator, denominator);
        let coefficient = graph.number(self.coefficient);
        graph.mul(coefficient, quotient)
    }
}

/// One factor of a product.
enum Part {
    /// A literal to an integer exponent.
    Literal(Rational, Rational),
    Power(ExprId, Rational),
}

/// The factors of `factor`^`exponent`, the exponent being an integer; `None` if there are many.
fn parts(graph: &Graph, factor: ExprId, exponent: &Rational) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut pending = vec![(factor, exponent.clone())];
    let mut seen = 0;
    while let Some((id, exponent)) = pending.pop() {
        seen += 1;
        if seen > MAX_PARTS {
            return None;
        }
        match graph.node(id) {
            // (a b)^100 is not a^100 b^100 in doubles, where these may overflow.
            _ if !is_distributed(&exponent) => parts.push(Part::Power(id, exponent)),
            Node::Number(n) => {
                parts.push(Part::Literal(graph.number_value(n).clone(), exponent));
            }
            Node::Unary(Unary::Neg, a) => {
                parts.push(Part::Literal(Rational::integer(-1), exponent.clone()));
                pending.push((a, exponent));
            }
            Node::Binary(Binary::Mul, a, b) => {
                pending.extend([(b, exponent.clone()), (a, exponent)]);
            }
            Node::Binary(Binary::Div, a, b) => {
                pending.extend([(b, exponent.negated()), (a, exponent)]);
            }
            _ => match graph.power_of_power(id, &exponent) {
                // (√(a b))² is a b, but √(a b) is not √a √b where a and b are negative.
                Some((base, power)) if power.is_integer() => pending.push((base, power)),
                Some((base, power)) => parts.push(Part::Power(base, power)),
                None => parts.push(Part::Power(id, exponent)),
            },
        }
    }
    Some(parts)
}

/// Whether an exponent is small enough to be given to each factor of a product.
pub(super) fn is_distributed(exponent: &Rational) -> bool {
    exponent.as_integer().is_some_and(|n| n.abs() <= 9)
}

/// The order of factors that a reader expects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Number,
    Pi,
    Parameter,
    Coordinate,
    Rate,
    Other,
    Sum,
    Function,
}

impl Class {
    fn of(graph: &Graph, base: ExprId) -> Self {
        match graph.node(base) {
            Node::Number(_) => Self::Number,
            Node::Pi => Self::Pi,
            Node::Symbol(symbol) => {
                let symbol = graph.symbol_data(symbol);
                match symbol.kind {
                    SymbolKind::Parameter | SymbolKind::Time => Self::Parameter,
                    SymbolKind::Coordinate if symbol.order == 0 => Self::Coordinate,
                    SymbolKind::Coordinate | SymbolKind::Speed => Self::Rate,
                    SymbolKind::Multiplier => Self::Other,
                }
            }
            Node::Binary(Binary::Add | Binary::Sub, ..) => Self::Sum,
            Node::Binary(Binary::Atan2 | Binary::Min | Binary::Max, ..) => Self::Function,
            Node::Unary(Unary::Neg | Unary::Sqrt, _) | Node::Binary(..) => Self::Other,
            Node::Unary(..) | Node::Table(..) => Self::Function,
        }
    }
}
