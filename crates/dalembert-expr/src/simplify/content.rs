//! The literal that all terms of a sum have in common.

use crate::graph::{ExprId, Graph, Node};
use crate::op::Binary;
use crate::rational::Rational;
use num_integer::gcd;
use rustc_hash::FxHashMap;

/// Longer sums are left as they are: a sum may be the beginning of many others.
const MAX_TERMS: usize = 32;
/// Larger literals stay where they are, so that nothing overflows that did not before.
const MAX_CONTENT: u64 = 1 << 20;

/// The contents of sums, each looked for once.
#[derive(Default)]
pub(super) struct Contents {
    known: FxHashMap<ExprId, Option<(Rational, ExprId)>>,
}

impl Contents {
    /// c and s where `sum` is c·s with c other than 1: the sign if it is negative throughout, times the
    /// greatest common divisor of integer coefficients, or the magnitude that all of them have.
    pub(super) fn of(&mut self, graph: &mut Graph, sum: ExprId) -> Option<(Rational, ExprId)> {
        if !matches!(graph.node(sum), Node::Binary(Binary::Add | Binary::Sub, ..)) {
            return None;
        }
        if let Some(known) = self.known.get(&sum) {
            return known.clone();
        }
        let found = split(graph, sum);
        self.known.insert(sum, found.clone());
        found
    }
}

fn split(graph: &mut Graph, sum: ExprId) -> Option<(Rational, ExprId)> {
    let mut terms = terms(graph, sum)?;
    let content = content(&terms)?;
    let inverse = content.reciprocal()?;
    for (c, _) in &mut terms {
        *c = c.checked_mul(&inverse)?;
    }
    let mut rest = graph.integer(0);
    for (c, core) in terms {
        rest = graph.add_multiple(rest, &c, core);
    }
    Some((content, rest))
}

/// Coefficients and cores of the terms in order; `None` if there are many.
fn terms(graph: &mut Graph, sum: ExprId) -> Option<Vec<(Rational, ExprId)>> {
    let mut terms = Vec::new();
    let mut rest = Some(sum);
    while let Some(id) = rest {
        if terms.len() == MAX_TERMS {
            return None;
        }
        let (term, negative) = match graph.node(id) {
            Node::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                rest = Some(a);
                (b, op == Binary::Sub)
            }
            _ => {
                rest = None;
                (id, false)
            }
        };
        let (c, core) = match graph.as_number(term) {
            Some(c) => (c.clone(), graph.integer(1)),
            None => graph.coefficient(term),
        };
        terms.push((if negative { c.negated() } else { c }, core));
    }
    terms.reverse();
    Some(terms)
}

fn content(terms: &[(Rational, ExprId)]) -> Option<Rational> {
    let (first, _) = terms.first()?;
    let magnitude = if terms.iter().all(|(c, _)| c.abs() == first.abs()) {
        first.abs()
    } else {
        let common = terms.iter().try_fold(0, |common, (c, _)| {
            Some(gcd(common, c.as_integer()?.unsigned_abs()))
        });
        Rational::integer(i64::try_from(common.unwrap_or(1)).ok()?)
    };
    let (p, q) = magnitude.as_small()?;
    let negative = terms.iter().all(|(c, _)| c.is_negative());
    if p == 0 || p.unsigned_abs().max(q.unsigned_abs()) > MAX_CONTENT {
        return None;
    }
    let content = if negative {
        magnitude.negated()
    } else {
        magnitude
    };
    (!content.is_one()).then_some(content)
}
