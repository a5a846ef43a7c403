//! Substitution.

use crate::cone::Cone;
use crate::graph::{ExprId, Graph};

/// `outputs` with each `from` replaced by its `to`, all at once: what is put in is not searched again.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, substitute};
/// let mut g = Graph::new();
/// let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
/// let difference = g.sub(x, y);
/// let exchanged = substitute(&mut g, &[difference], &[(x, y), (y, x)]);
/// assert_eq!(exchanged, [g.sub(y, x)]);
/// ```
pub fn substitute(
    graph: &mut Graph,
    outputs: &[ExprId],
    replacements: &[(ExprId, ExprId)],
) -> Vec<ExprId> {
    let cone = Cone::new(graph, outputs);
    let mut images: Vec<Option<ExprId>> = vec![None; cone.len()];
    for &(from, to) in replacements {
        if let Some(place) = cone.position(from) {
            images[place] = Some(to);
        }
    }
    for (place, &id) in cone.nodes().iter().enumerate() {
        if images[place].is_some() {
            continue;
        }
        let node = graph.node(id);
        let mut operands = [id; 2];
        let mut changed = false;
        for (slot, operand) in operands.iter_mut().zip(node.operands()) {
            *slot = images[cone.place(operand)].unwrap_or(operand);
            changed |= *slot != operand;
        }
        images[place] = Some(if changed {
            graph.rebuild(node, operands)
        } else {
            id
        });
    }
    outputs
        .iter()
        .map(|&id| images[cone.place(id)].unwrap_or(id))
        .collect()
}
