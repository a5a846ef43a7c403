//! Sums of contributions with their common factors taken out.
//!
//! Along a chain every mass adds m_k X to the same entry of M, and J P_k to the same entry of h: (Σ m_k) X and J Σ P_k
//! are shorter, the sum of masses is constant, and the sums of P_k are shared between the entries, because they are
//! built from the last contribution to the first: those of a link are those of the next one and one more.

use dalembert_expr::{Binary, ExprId, Graph, Node, Unary};
use std::collections::BTreeMap;

/// A contribution that is a longer sum than this is added as it is.
const LONGEST: usize = 16;

/// A product with a sign; `of` is the contribution it belongs to.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    factors: [ExprId; 2],
    of: usize,
}

/// Positive and negative terms of the other factor.
#[derive(Default)]
struct Group {
    positive: Vec<ExprId>,
    negative: Vec<ExprId>,
}

/// The sum of contributions.
pub(super) fn collect(g: &mut Graph, contributions: &[ExprId]) -> ExprId {
    if contributions.len() < 2 {
        return g.sum(contributions.iter().copied());
    }
    let mut terms: Vec<Term> = Vec::new();
    // Contributions that are not sums of products stay whole.
    let mut whole: Vec<bool> = Vec::with_capacity(contributions.len());
    for (of, &contribution) in contributions.iter().enumerate() {
        let found = products(g, contribution, of);
        whole.push(found.is_none());
        terms.extend(found.into_iter().flatten());
    }
    let mut uses: BTreeMap<ExprId, usize> = BTreeMap::new();
    for term in &terms {
        term.factors
            .iter()
            .for_each(|&factor| *uses.entry(factor).or_default() += 1);
    }
    let common = |term: &Term| {
        let [a, b] = term.factors.map(|factor| (uses[&factor], factor));
        let (count, factor) = a.max(b);
        (count > 1).then_some(factor)
    };
    // Where nothing is common, nothing is gained.
    for (of, whole) in whole.iter_mut().enumerate() {
        let mut own = terms.iter().filter(|term| term.of == of);
        *whole |= !own.any(|term| common(term).is_some());
    }
    let one = g.integer(1);
    let mut groups: BTreeMap<ExprId, Group> = BTreeMap::new();
    for term in terms.iter().rev().filter(|term| !whole[term.of]) {
        let [a, b] = term.factors;
        let key = common(term).unwrap_or(a);
        let other = if key == a { b } else { a };
        let group = groups.entry(key).or_default();
        match term.negative {
            true => group.negative.push(other),
            false => group.positive.push(other),
        }
    }
    let kept = contributions
        .iter()
        .zip(&whole)
        .filter(|(_, whole)| **whole);
    let mut total = g.sum(kept.map(|(&contribution, _)| contribution));
    for (key, group) in groups {
        let (positive, negative) = (g.sum(group.positive), g.sum(group.negative));
        let inner = g.sub(positive, negative);
        let product = if key == one { inner } else { g.mul(key, inner) };
        total = g.add(total, product);
    }
    total
}

/// The terms of a short sum as products; a term that is no product is one with the factor 1.
fn products(g: &mut Graph, sum: ExprId, of: usize) -> Option<Vec<Term>> {
    let one = g.integer(1);
    let mut terms = Vec::new();
    let mut pending = vec![(false, sum)];
    while let Some((negative, id)) = pending.pop() {
        if terms.len() + pending.len() >= LONGEST {
            return None;
        }
        match g.node(id) {
            Node::Unary(Unary::Neg, a) => pending.push((!negative, a)),
            Node::Binary(Binary::Add, a, b) => pending.extend([(negative, b), (negative, a)]),
            Node::Binary(Binary::Sub, a, b) => pending.extend([(!negative, b), (negative, a)]),
            Node::Binary(Binary::Mul, a, b) => terms.push(Term {
                negative,
                factors: [a, b],
                of,
            }),
            _ => terms.push(Term {
                negative,
                factors: [one, id],
                of,
            }),
        }
    }
    Some(terms)
}
