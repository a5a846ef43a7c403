//! Reverse sweep: the derivative of one output by many symbols.

use super::rules::{plus, pullback};
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, SymbolId};

/// Derivatives of `output` by each of `symbols`, in one pass.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, calculus::gradient};
/// let mut g = Graph::new();
/// let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
/// let product = g.mul(x, y);
/// let symbols = [x, y].map(|id| g.as_symbol(id).unwrap());
/// assert_eq!(gradient(&mut g, product, &symbols), [y, x]);
/// ```
pub fn gradient(graph: &mut Graph, output: ExprId, symbols: &[SymbolId]) -> Vec<ExprId> {
    let cone = Cone::new(graph, &[output]);
    let active = active_nodes(graph, &cone, symbols);
    let mut adjoints: Vec<Option<ExprId>> = vec![None; cone.len()];
    adjoints[cone.len() - 1] = Some(graph.integer(1));
    for (place, &id) in cone.nodes().iter().enumerate().rev() {
        if let Some(adjoint) = adjoints[place].filter(|_| active[place]) {
            spread(graph, &cone, &active, id, adjoint, &mut adjoints);
        }
    }
    let zero = graph.integer(0);
    let adjoint_of = |&symbol| {
        let place = cone.position(graph.symbol_node(symbol))?;
        adjoints[place]
    };
    symbols
        .iter()
        .map(|symbol| adjoint_of(symbol).unwrap_or(zero))
        .collect()
}

/// Adds what node `id` hands down to its operands' adjoints.
pub(super) fn spread(
    graph: &mut Graph,
    cone: &Cone,
    active: &[bool],
    id: ExprId,
    adjoint: ExprId,
    adjoints: &mut [Option<ExprId>],
) {
    let node = graph.node(id);
    let mut places = [None; 2];
    for (slot, operand) in places.iter_mut().zip(node.operands()) {
        *slot = Some(cone.place(operand)).filter(|&place| active[place]);
    }
    let shares = pullback(
        graph,
        id,
        node,
        adjoint,
        places.map(|place| place.is_some()),
    );
    for (place, share) in places.into_iter().zip(shares) {
        if let Some(place) = place {
            adjoints[place] = plus(graph, adjoints[place], share);
        }
    }
}

/// For each member of the cone, whether it depends on one of `symbols`.
pub(super) fn active_nodes(graph: &Graph, cone: &Cone, symbols: &[SymbolId]) -> Vec<bool> {
    let mut active = vec![false; cone.len()];
    for &symbol in symbols {
        if let Some(place) = cone.position(graph.symbol_node(symbol)) {
            active[place] = true;
        }
    }
    for (place, &id) in cone.nodes().iter().enumerate() {
        if graph
            .node(id)
            .operands()
            .any(|operand| active[cone.place(operand)])
        {
            active[place] = true;
        }
    }
    active
}
