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

/// The derivatives of nodes, as far as they are known: four bytes for each node of the graph.
#[derive(Default)]
pub(super) struct Known {
    /// By node: [`NOT_ASKED`], [`UNCHANGING`], or the number of the derivative.
    tangents: Vec<u32>,
}

const NOT_ASKED: u32 = u32::MAX;
const UNCHANGING: u32 = u32::MAX - 1;

impl Known {
    /// The derivative of a node; none of what does not change, or is not known.
    fn of(&self, graph: &Graph, id: ExprId) -> Option<ExprId> {
        let tangent = self.tangents[id.index()];
        (tangent < UNCHANGING).then(|| graph.id_at(tangent as usize))
    }

    fn note(&mut self, id: ExprId, tangent: Option<ExprId>) {
        self.tangents[id.index()] = tangent.map_or(UNCHANGING, |it| it.index() as u32);
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.tangents.clear();
    }
}

/// The same where some derivatives are `known`: only others are found, and noted.
pub(super) fn forward_from(
    graph: &mut Graph,
    outputs: &[ExprId],
    known: &mut Known,
    mut seed: impl FnMut(&mut Graph, SymbolId) -> Option<ExprId>,
) -> Vec<ExprId> {
    let nodes = graph.len().max(known.tangents.len());
    known.tangents.resize(nodes, NOT_ASKED);
    let mut missing: Vec<ExprId> = Vec::new();
    let mut pending = outputs.to_vec();
    while let Some(id) = pending.pop() {
        if known.tangents[id.index()] == NOT_ASKED {
            // So that it is noted once; its derivative is found below, after those of its operands.
            known.note(id, None);
            missing.push(id);
            pending.extend(graph.node(id).operands());
        }
    }
    missing.sort_unstable();
    for id in missing {
        let node = graph.node(id);
        let of = |operand: ExprId| known.of(graph, operand);
        let (da, db) = match node {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => (None, None),
            Node::Unary(_, a) | Node::Table(_, a) => (of(a), None),
            Node::Binary(_, a, b) => (of(a), of(b)),
        };
        let derivative = match node {
            Node::Number(_) | Node::Pi => None,
            Node::Symbol(symbol) => seed(graph, symbol),
            _ => tangent(graph, id, node, da, db),
        };
        known.note(id, derivative);
    }
    let zero = graph.integer(0);
    let of = |id: &ExprId| known.of(graph, *id).unwrap_or(zero);
    outputs.iter().map(of).collect()
}
