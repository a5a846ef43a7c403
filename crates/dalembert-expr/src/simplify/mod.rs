//! Collecting: the simplification that costs one pass.
//!
//! Sums are flattened and equal terms collected, products are flattened and equal bases collected, and
//! what their sums have in common as a literal goes to the front: ½ (2 a + 2 b) is a + b. Integer powers
//! of products become products of powers; sin² + cos² and cosh² − sinh² become 1. Products of sums are
//! *not* expanded, (a + b)² stays, and but for literals nothing is factored, so the result is never much
//! longer than what was put in.
//!
//! Factors come in one order: literal, π, parameters, coordinates, rates, others, sums, functions, and
//! within these in order of creation. (Where the graph has two of the factors multiplied already, it
//! keeps the order in which they were written first.)
//!
//! Subexpressions that are used more than once are simplified once. Where they are factors they are
//! taken apart if they are short products, and otherwise treated as atoms: the work stays linear in the
//! graph, not in the formula it stands for.

mod content;
mod product;
mod sum;

use crate::cone::Cone;
use crate::construct::is_mergeable;
use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use content::Contents;
use product::{Product, is_distributed};
use sum::Sum;

/// Whether a node continues the sum or the product above it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    Sum,
    Product,
    None,
}

/// `expressions` with their sums and products collected. Products of sums are not expanded.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, simplify};
/// let mut g = Graph::new();
/// let a = g.symbol("a", SymbolKind::Parameter);
/// let (s, c) = (g.sin(a), g.cos(a));
/// let (s2, c2) = (g.powi(s, 2), g.powi(c, 2));
/// let sum = { let x = g.add(s2, a); g.add(x, c2) };
/// let one = g.integer(1);
/// assert_eq!(simplify(&mut g, &[sum]), [g.add(a, one)]);
/// ```
pub fn simplify(graph: &mut Graph, expressions: &[ExprId]) -> Vec<ExprId> {
    let cone = Cone::new(graph, expressions);
    let chained = chains(graph, &cone, expressions);
    let mut images: Vec<ExprId> = cone.nodes().to_vec();
    let mut contents = Contents::default();
    for (place, &id) in cone.nodes().iter().enumerate() {
        let walk = Walk {
            cone: &cone,
            chained: &chained,
            images: &images,
        };
        let image = match (graph.node(id), chained[place]) {
            // Absorbed by the sum or product above.
            (_, Chain::Sum | Chain::Product) => continue,
            (node, Chain::None) if is_sum(node) => {
                let mut sum = Sum::default();
                walk.collect_sum(graph, id, &mut sum);
                sum.build(graph)
            }
            (node, Chain::None) if is_product(graph, node) => {
                let mut product = Product::default();
                walk.collect_product(graph, id, &mut product);
                product.extract_contents(graph, &mut contents);
                product.build(graph)
            }
            (node, Chain::None) => {
                let mut operands = [id; 2];
                for (slot, operand) in operands.iter_mut().zip(node.operands()) {
                    *slot = images[cone.place(operand)];
                }
                graph.rebuild(node, operands)
            }
        };
        images[place] = image;
    }
    expressions
        .iter()
        .map(|&id| images[cone.place(id)])
        .collect()
}

fn is_sum(node: Node) -> bool {
    matches!(node, Node::Binary(Binary::Add | Binary::Sub, ..))
}

/// Whether a node hands an integer exponent on to its operands: only such are taken apart,
/// for √(a b) is not √a √b where a and b are negative.
fn is_open(graph: &Graph, node: Node) -> bool {
    match node {
        Node::Unary(Unary::Neg, _) | Node::Binary(Binary::Mul | Binary::Div, ..) => true,
        Node::Binary(Binary::Pow, _, n) => graph.as_number(n).is_some_and(is_distributed),
        _ => false,
    }
}

fn is_product(graph: &Graph, node: Node) -> bool {
    match node {
        Node::Unary(Unary::Neg | Unary::Sqrt, _) | Node::Binary(Binary::Mul | Binary::Div, ..) => {
            true
        }
        Node::Binary(Binary::Pow, _, n) => graph.as_number(n).is_some(),
        _ => false,
    }
}

/// Whether a factor is no literal, or one whose power is far from overflow.
fn literal_stays_moderate(graph: &Graph, factor: ExprId, exponent: &Rational) -> bool {
    let (Some(c), Some(n)) = (graph.as_number(factor), exponent.as_integer()) else {
        return true;
    };
    n.abs() == 1 || c.checked_pow(n).is_some_and(|power| is_mergeable(&power))
}

/// For each member, whether its only user takes it apart.
fn chains(graph: &Graph, cone: &Cone, outputs: &[ExprId]) -> Vec<Chain> {
    let mut uses = vec![0u32; cone.len()];
    let mut chained = vec![Chain::None; cone.len()];
    for &id in outputs {
        uses[cone.place(id)] += 2;
    }
    for &id in cone.nodes() {
        let node = graph.node(id);
        for operand in node.operands() {
            let place = cone.place(operand);
            uses[place] += 1;
            let inner = graph.node(operand);
            chained[place] = if is_sum(node) && is_sum(inner) {
                Chain::Sum
            } else if is_open(graph, node) && is_product(graph, inner) {
                Chain::Product
            } else {
                Chain::None
            };
        }
    }
    for (chain, uses) in chained.iter_mut().zip(uses) {
        if uses != 1 {
            *chain = Chain::None;
        }
    }
    chained
}

/// Takes chains apart, with a stack of its own instead of recursion.
struct Walk<'a> {
    cone: &'a Cone,
    chained: &'a [Chain],
    images: &'a [ExprId],
}

impl Walk<'_> {
    fn collect_sum(&self, graph: &mut Graph, top: ExprId, sum: &mut Sum) {
        let is_open = |id| {
            let chained = self.chained[self.cone.place(id)] == Chain::Sum;
            is_sum(graph.node(id)) && (id == top || chained)
        };
        for (id, negative) in graph.signed_terms(top, is_open) {
            sum.add(graph, self.images[self.cone.place(id)], negative);
        }
    }

    fn collect_product(&self, graph: &mut Graph, top: ExprId, product: &mut Product) {
        let mut pending = vec![(top, Rational::ONE)];
        while let Some((id, exponent)) = pending.pop() {
            let place = self.cone.place(id);
            if id != top && self.chained[place] != Chain::Product {
                product.multiply(graph, self.images[place], &exponent);
                continue;
            }
            match graph.node(id) {
                Node::Unary(Unary::Neg, a) => {
                    product.negate(&exponent);
                    pending.push((a, exponent));
                }
                Node::Binary(op @ (Binary::Mul | Binary::Div), a, b)
                    if is_distributed(&exponent)
                        && [a, b]
                            .iter()
                            .all(|&f| literal_stays_moderate(graph, f, &exponent)) =>
                {
                    let below = if op == Binary::Div {
                        exponent.negated()
                    } else {
                        exponent.clone()
                    };
                    pending.push((b, below));
                    pending.push((a, exponent));
                }
                _ => match graph.power_of_power(id, &exponent) {
                    Some(power) => pending.push(power),
                    None => product.multiply(graph, self.images[place], &exponent),
                },
            }
        }
    }
}
