//! Forward sweep: the derivative of all outputs in one direction.

use super::rules::tangent;
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node, SymbolId};

/// Derivatives of `outputs` when each symbol changes at the rate `seed` gives it; `None` is zero.
///
/// With `seed` = q' this is (∂p/∂q) q' for the price of one pass, without the Jacobian.
pub fn forward(
    graph: &mut Graph,
    outputs: &[ExprId],
    mut seed: impl FnMut(&mut Graph, SymbolId) -> Option<ExprId>,
) -> Vec<ExprId> {
    let cone = Cone::new(graph, outputs);
    let mut tangents: Vec<Option<ExprId>> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let node = graph.node(id);
        let derivative = match node {
            Node::Number(_) | Node::Pi => None,
            Node::Symbol(symbol) => seed(graph, symbol),
            Node::Unary(_, a) | Node::Table(_, a) => {
                let da = tangents[cone.place(a)];
                tangent(graph, id, node, da, None)
            }
            Node::Binary(_, a, b) => {
                let (da, db) = (tangents[cone.place(a)], tangents[cone.place(b)]);
                tangent(graph, id, node, da, db)
            }
        };
        tangents.push(derivative);
    }
    let zero = graph.integer(0);
    outputs
        .iter()
        .map(|&id| tangents[cone.place(id)].unwrap_or(zero))
        .collect()
}

/// The same where some derivatives are `known`, by node: only others are found, and noted.
pub(super) fn forward_from(
    graph: &mut Graph,
    outputs: &[ExprId],
    known: &mut Vec<Option<Option<ExprId>>>,
    mut seed: impl FnMut(&mut Graph, SymbolId) -> Option<ExprId>,
) -> Vec<ExprId> {
    known.resize(graph.len().max(known.len()), None);
    let mut missing: Vec<ExprId> = Vec::new();
    let mut pending = outputs.to_vec();
    while let Some(id) = pending.pop() {
        if known[id.index()].is_none() {
            // So that it is noted once; its derivative is found below, after those of its operands.
            known[id.index()] = Some(None);
            missing.push(id);
            pending.extend(graph.node(id).operands());
        }
    }
    missing.sort_unstable();
    for id in missing {
        let node = graph.node(id);
        let of = |operand: ExprId| known[operand.index()].flatten();
        let derivative = match node {
            Node::Number(_) | Node::Pi => None,
            Node::Symbol(symbol) => seed(graph, symbol),
            Node::Unary(_, a) | Node::Table(_, a) => tangent(graph, id, node, of(a), None),
            Node::Binary(_, a, b) => tangent(graph, id, node, of(a), of(b)),
        };
        known[id.index()] = Some(derivative);
    }
    let zero = graph.integer(0);
    let of = |id: &ExprId| known[id.index()].flatten().unwrap_or(zero);
    outputs.iter().map(of).collect()
}
