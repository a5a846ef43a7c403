//! Trees that are too large to print, and the names that keep them small.

use super::Format;
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node};

/// A piece of this many nodes is repeated rather than named where people read: x², sin θ, m r.
const REPEATED: u64 = 3;

/// Number of nodes of the tree below `expression`, every use of a shared node counted;
/// `u64::MAX` if there are more.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, print::tree_size};
/// let mut g = Graph::new();
/// let mut e = g.symbol("x", SymbolKind::Parameter);
/// for _ in 0..200 {
///     let sine = g.sin(e);
///     e = g.add(e, sine);
/// }
/// assert_eq!(tree_size(&g, e), u64::MAX);
/// ```
#[must_use]
pub fn tree_size(graph: &Graph, expression: ExprId) -> u64 {
    let expressions = [expression];
    total_tree_size(graph, &Cone::new(graph, &expressions), &expressions)
}

pub(super) fn total_tree_size(graph: &Graph, cone: &Cone, expressions: &[ExprId]) -> u64 {
    let mut sizes: Vec<u64> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let operands = graph.node(id).operands().map(|x| sizes[cone.place(x)]);
        sizes.push(operands.fold(1, u64::saturating_add));
    }
    let sizes = expressions.iter().map(|&id| sizes[cone.place(id)]);
    sizes.fold(0, u64::saturating_add)
}

/// The nodes to be named, operands before users: those with more than one user, except single names and
/// numbers and, where people read, very short pieces. What is repeated is bounded, so the text
/// is linear in the graph.
pub(super) fn worth_naming(
    graph: &Graph,
    cone: &Cone,
    expressions: &[ExprId],
    format: Format,
) -> Vec<ExprId> {
    let users = cone.users(graph, expressions);
    let repeated = if format.is_computed() { 1 } else { REPEATED };
    let mut named = Vec::new();
    // Size of the text of each node, with names for what is named.
    let mut sizes: Vec<u64> = Vec::with_capacity(cone.len());
    for (position, &id) in cone.nodes().iter().enumerate() {
        let node = graph.node(id);
        let operands = node.operands().map(|x| sizes[cone.place(x)]);
        let size = operands.fold(1, u64::saturating_add);
        let is_atom = matches!(node, Node::Number(_) | Node::Pi | Node::Symbol(_));
        if users[position] > 1 && size > repeated && !is_atom {
            named.push(id);
            sizes.push(1);
        } else {
            sizes.push(size);
        }
    }
    named
}
