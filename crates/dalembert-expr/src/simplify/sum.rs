//! A sum under construction: multiples of different terms.

use super::product::Product;
use crate::graph::{ExprId, Graph, Node};
use crate::multiples::Multiples;
use crate::op::{Binary, Unary};
use crate::rational::Rational;

/// Products with more factors than this are not searched for sin² and cos².
const MAX_FACTORS: usize = 32;
/// How often a sum is searched anew after sin² + cos² was found in it.
const MAX_PASSES: usize = 8;

/// Σ c·term, each term once; a literal is a multiple of the term 1.
#[derive(Default)]
pub(super) struct Sum {
    terms: Multiples,
}

/// A square that can be exchanged: f² = a + b g².
struct Identity {
    f: Unary,
    g: Unary,
    a: i64,
    b: i64,
}

/// sin² = 1 − cos², cos² = 1 − sin², cosh² = 1 + sinh², sinh² = −1 + cosh².
const IDENTITIES: [Identity; 4] = [
    Identity {
        f: Unary::Sin,
        g: Unary::Cos,
        a: 1,
        b: -1,
    },
    Identity {
        f: Unary::Cos,
        g: Unary::Sin,
        a: 1,
        b: -1,
    },
    Identity {
        f: Unary::Cosh,
        g: Unary::Sinh,
        a: 1,
        b: 1,
    },
    Identity {
        f: Unary::Sinh,
        g: Unary::Cosh,
        a: -1,
        b: 1,
    },
];

impl Sum {
    /// Adds or subtracts a term.
    pub(super) fn add(&mut self, graph: &mut Graph, term: ExprId, negative: bool) {
        let (c, core) = match graph.as_number(term) {
            Some(n) => (n.clone(), graph.integer(1)),
            None => graph.coefficient(term),
        };
        self.terms.add(core, if negative { c.negated() } else { c });
    }

    /// The multiple of a term that occurs.
    fn multiple(&mut self, core: ExprId) -> Option<&Rational> {
        self.terms
            .get_mut(core)
            .map(|c| &*c)
            .filter(|c| !c.is_zero())
    }

    /// The sum as an expression, terms in the order in which they were added first.
    pub(super) fn build(mut self, graph: &mut Graph) -> ExprId {
        for _ in 0..MAX_PASSES {
            if !self.merge_squares(graph) {
                break;
            }
        }
        let mut sum = graph.integer(0);
        let terms = self.terms.entries.into_iter();
        for (core, c) in terms.filter(|(_, c)| !c.is_zero()) {
            sum = graph.add_multiple(sum, &c, core);
        }
        sum
    }

    /// One search for pairs of terms that an identity makes one; whether any was found.
    fn merge_squares(&mut self, graph: &mut Graph) -> bool {
        let mut found = false;
        for place in 0..self.terms.entries.len() {
            let (core, _) = self.terms.entries[place];
            for (square, identity, argument) in squares(graph, core) {
                found |= self.merge_square(graph, core, square, identity, argument);
            }
        }
        found
    }

    /// c R f² + d R g² = a c R if d = −b c, and c R f² + d R = b c R g² if d = −a c.
    fn merge_square(
        &mut self,
        graph: &mut Graph,
        core: ExprId,
        square: ExprId,
        identity: &Identity,
        argument: ExprId,
    ) -> bool {
        let Some(c) = self.multiple(core).cloned() else {
            return false;
        };
        let rest = quotient(graph, core, square);
        let other = graph.unary(identity.g, argument);
        let other_square = graph.powi(other, 2);
        let partner = product(graph, rest, other_square);
        let signed = |sign: i64| if sign < 0 { c.negated() } else { c.clone() };
        let (gone, stays, factor) = if self.multiple(partner) == Some(&signed(-identity.b)) {
            (partner, rest, identity.a)
        } else if self.multiple(rest) == Some(&signed(-identity.a)) {
            (rest, partner, identity.b)
        } else {
            return false;
        };
        for core in [core, gone] {
            if let Some(multiple) = self.terms.get_mut(core) {
                *multiple = Rational::ZERO;
            }
        }
        self.terms.add(stays, signed(factor));
        true
    }
}

/// Squares of functions in a product for which there is an identity, with the function's argument.
fn squares(graph: &Graph, core: ExprId) -> Vec<(ExprId, &'static Identity, ExprId)> {
    let mut squares = Vec::new();
    let mut pending = vec![core];
    let mut seen = 0;
    while let Some(id) = pending.pop() {
        seen += 1;
        if seen > MAX_FACTORS {
            return Vec::new();
        }
        match graph.node(id) {
            Node::Binary(Binary::Mul, a, b) => pending.extend([a, b]),
            Node::Binary(Binary::Div, a, _) => pending.push(a),
            Node::Binary(Binary::Pow, base, n) => {
                let two = graph.as_number(n).and_then(Rational::as_integer) == Some(2);
                if let (true, Node::Unary(op, argument)) = (two, graph.node(base))
                    && let Some(identity) = IDENTITIES.iter().find(|identity| identity.f == op)
                {
                    squares.push((id, identity, argument));
                }
            }
            _ => {}
        }
    }
    squares
}

fn product(graph: &mut Graph, a: ExprId, b: ExprId) -> ExprId {
    combine(graph, a, b, 1)
}

fn quotient(graph: &mut Graph, a: ExprId, b: ExprId) -> ExprId {
    combine(graph, a, b, -1)
}

/// a·b^exponent with the factors of a and b collected as everywhere else.
fn combine(graph: &mut Graph, a: ExprId, b: ExprId, exponent: i64) -> ExprId {
    let mut result = Product::default();
    let mut pending = vec![(a, 1), (b, exponent)];
    let mut seen = 0;
    while let Some((id, exponent)) = pending.pop() {
        // A product that is shared may stand for many more factors than it has nodes.
        seen += 1;
        match graph.node(id) {
            Node::Binary(Binary::Mul, a, b) if seen <= 2 * MAX_FACTORS => {
                pending.extend([(a, exponent), (b, exponent)]);
            }
            Node::Binary(Binary::Div, a, b) if seen <= 2 * MAX_FACTORS => {
                pending.extend([(a, exponent), (b, -exponent)]);
            }
            _ => result.multiply(graph, id, &Rational::integer(exponent)),
        }
    }
    result.build(graph)
}
