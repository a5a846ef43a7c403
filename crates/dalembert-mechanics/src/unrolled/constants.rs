//! What does not change during a run is computed once.

use dalembert_expr::{Cone, ExprId, Graph, Node, SymbolId, SymbolKind, evaluate, substitute};

/// Expressions in which all that holds parameters only is an input, and what these inputs are worth.
pub(super) struct Hoisted {
    pub(super) outputs: Vec<ExprId>,
    pub(super) inputs: Vec<SymbolId>,
    pub(super) values: Vec<f64>,
    /// What they stand for.
    pub(super) parts: Vec<ExprId>,
}

/// Takes out the largest parts of `outputs` that hold no symbol that `varies`; `value_of` gives the others.
pub(super) fn hoist(
    g: &mut Graph,
    outputs: &[ExprId],
    varies: impl Fn(SymbolId) -> bool,
    value_of: impl Fn(SymbolId) -> f64,
) -> Hoisted {
    let cone = Cone::new(g, outputs);
    let mut varying = vec![false; cone.len()];
    let mut wanted = vec![false; cone.len()];
    let position = |id: ExprId| cone.position(id).expect("operands of members are members");
    for (place, &id) in cone.nodes().iter().enumerate() {
        let node = g.node(id);
        varying[place] = match node {
            Node::Symbol(symbol) => varies(symbol),
            _ => node.operands().any(|operand| varying[position(operand)]),
        };
        if varying[place] {
            node.operands()
                .for_each(|operand| wanted[position(operand)] = true);
        }
    }
    outputs.iter().for_each(|&id| wanted[position(id)] = true);
    let is_literal = |id: ExprId| matches!(g.node(id), Node::Number(_) | Node::Pi);
    let parts: Vec<ExprId> = cone
        .nodes()
        .iter()
        .enumerate()
        .filter(|&(place, &id)| wanted[place] && !varying[place] && !is_literal(id))
        .map(|(_, &id)| id)
        .collect();
    let values = evaluate(g, &parts, value_of);
    let symbols: Vec<ExprId> = parts
        .iter()
        .enumerate()
        .map(|(i, &part)| match g.node(part) {
            Node::Symbol(_) => part,
            // A name that no model can give.
            _ => g.symbol(&format!("constant {i}"), SymbolKind::Parameter),
        })
        .collect();
    let replacements = parts.iter().copied().zip(symbols.iter().copied());
    let replacements: Vec<(ExprId, ExprId)> = replacements.collect();
    let outputs = substitute(g, outputs, &replacements);
    Hoisted {
        outputs,
        inputs: symbols.iter().filter_map(|&id| g.as_symbol(id)).collect(),
        values,
        parts,
    }
}
