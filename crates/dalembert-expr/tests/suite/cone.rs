//! Cones: all that outputs depend on, however few or many these nodes are.

use dalembert_expr::{Cone, ExprId, Graph, SymbolKind};
use std::collections::BTreeSet;

/// What can be reached from some outputs, by a search of its own.
fn reached(g: &Graph, outputs: &[ExprId]) -> Vec<ExprId> {
    let mut found = BTreeSet::new();
    let mut pending = outputs.to_vec();
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            pending.extend(g.node(id).operands());
        }
    }
    found.into_iter().collect()
}

/// A sum of many squares. Few members of a large graph and many are kept in different ways.
#[test]
fn few_and_many_members_are_found_alike() {
    let mut g = Graph::new();
    let mut total = g.integer(0);
    let mut squares = Vec::new();
    for i in 0..2_000 {
        let x = g.symbol(&format!("x{i}"), SymbolKind::Parameter);
        squares.push(g.powi(x, 2));
        total = g.add(total, squares[i]);
    }
    let cases = [
        vec![],
        vec![squares[7]],
        vec![squares[1999], squares[3], squares[3]],
        squares[500..600].to_vec(),
        vec![total],
    ];
    let all = reached(&g, &[total]);
    for outputs in cases {
        let cone = Cone::new(&g, &outputs);
        let wanted = reached(&g, &outputs);
        assert_eq!(cone.nodes(), wanted);
        for id in &all {
            assert_eq!(cone.position(*id), wanted.binary_search(id).ok());
        }
    }
}
