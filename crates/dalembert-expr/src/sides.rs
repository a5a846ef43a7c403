//! Both sides of a place where expressions jump: where the argument of a sign or of a condition is zero.

use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};

/// The arguments of signs and conditions in expressions: at their zeros these may jump.
#[must_use]
pub fn jump_arguments(graph: &Graph, expressions: &[ExprId]) -> Vec<ExprId> {
    let cone = Cone::new(graph, expressions);
    let argument = |&id: &ExprId| jump_argument(graph.node(id));
    let mut found: Vec<ExprId> = cone.nodes().iter().filter_map(argument).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What changes its sign where an operation jumps, if it does.
#[must_use]
pub fn jump_argument(node: Node) -> Option<ExprId> {
    match node {
        Node::Unary(Unary::Sign, argument) => Some(argument),
        Node::Binary(op, argument, _) if op.is_condition() => Some(argument),
        _ => None,
    }
}

/// Expressions as they are beside a zero of an argument: where it is positive, or where it is negative.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, one_side};
/// let mut g = Graph::new();
/// let x = g.symbol("x", SymbolKind::Parameter);
/// let sign = g.sign(x);
/// let product = g.mul(x, sign);
/// assert_eq!(one_side(&mut g, &[product], x, false), [g.neg(x)]);
/// ```
pub fn one_side(
    graph: &mut Graph,
    expressions: &[ExprId],
    argument: ExprId,
    positive: bool,
) -> Vec<ExprId> {
    let opposite = graph.neg(argument);
    // Whether an expression is positive there, if it is the argument.
    let side = |id: ExprId| match id {
        _ if id == argument => Some(positive),
        _ if id == opposite => Some(!positive),
        _ => None,
    };
    let cone = Cone::new(graph, expressions);
    let mut images: Vec<ExprId> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let node = graph.node(id);
        let image = |operand: ExprId| images[cone.place(operand)];
        let known = match node {
            Node::Unary(Unary::Sign, a) => side(a),
            Node::Binary(op, x, _) if op.is_condition() => side(x),
            _ => None,
        };
        let new = match (node, known) {
            (Node::Binary(op, _, a), Some(positive)) => match positive == (op == Binary::Above) {
                true => image(a),
                false => graph.integer(0),
            },
            (_, Some(positive)) => graph.integer(if positive { 1 } else { -1 }),
            (_, None) => {
                let mut operands = [id; 2];
                let mut changed = false;
                for (slot, operand) in operands.iter_mut().zip(node.operands()) {
                    *slot = image(operand);
                    changed |= *slot != operand;
                }
                match changed {
                    true => graph.rebuild(node, operands),
                    false => id,
                }
            }
        };
        images.push(new);
    }
    expressions
        .iter()
        .map(|&id| images[cone.place(id)])
        .collect()
}
