//! The part of a graph that some expressions depend on.

use crate::graph::{ExprId, Graph, Node, SymbolId};
use std::collections::BinaryHeap;

/// All nodes that some outputs depend on (themselves included), operands before users.
///
/// Costs time and memory in the size of the cone, whatever the size of the graph: many small cones of
/// one large graph stay cheap. Attach data to nodes with vectors indexed by [`Cone::position`].
pub struct Cone {
    nodes: Vec<ExprId>,
    /// Where members stand, if looking them up in `nodes` would take longer.
    bits: Option<Bits>,
}

/// The members of a cone that is not small beside the graph below it.
struct Bits {
    /// One bit per node of the graph.
    members: Vec<u64>,
    /// Number of members before each word.
    rank: Vec<u32>,
}

impl Cone {
    /// The cone below `outputs`.
    #[must_use]
    pub fn new(graph: &Graph, outputs: &[ExprId]) -> Self {
        let words = outputs
            .iter()
            .map(|id| id.index() / 64 + 1)
            .max()
            .unwrap_or(0);
        match few(graph, outputs, words / 4) {
            Some(nodes) => Self { nodes, bits: None },
            None => Self::by_bits(graph, outputs, words),
        }
    }

    fn by_bits(graph: &Graph, outputs: &[ExprId], words: usize) -> Self {
        let mut members = vec![0u64; words];
        for id in outputs {
            members[id.index() / 64] |= 1 << (id.index() % 64);
        }
        // Operands have smaller ids: one pass from the top marks everything.
        let mut count = 0;
        for word in (0..words).rev() {
            let mut done = 0u64;
            while members[word] & !done != 0 {
                let bit = 63 - (members[word] & !done).leading_zeros();
                done |= 1 << bit;
                count += 1;
                for operand in graph.node_at(word * 64 + bit as usize).operands() {
                    members[operand.index() / 64] |= 1 << (operand.index() % 64);
                }
            }
        }
        let mut nodes = Vec::with_capacity(count);
        let mut rank = Vec::with_capacity(words);
        for (word, &bits) in members.iter().enumerate() {
            rank.push(nodes.len() as u32);
            let mut bits = bits;
            while bits != 0 {
                nodes.push(graph.id_at(word * 64 + bits.trailing_zeros() as usize));
                bits &= bits - 1;
            }
        }
        let bits = Some(Bits { members, rank });
        Self { nodes, bits }
    }

    /// The nodes, operands before users.
    #[must_use]
    pub fn nodes(&self) -> &[ExprId] {
        &self.nodes
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Index of a node in [`Self::nodes`], if it is in the cone.
    #[must_use]
    #[inline]
    pub fn position(&self, id: ExprId) -> Option<usize> {
        let Some(Bits { members, rank }) = &self.bits else {
            return self.nodes.binary_search(&id).ok();
        };
        let (word, bit) = (id.index() / 64, id.index() % 64);
        let bits = *members.get(word)?;
        (bits >> bit & 1 == 1)
            .then(|| rank[word] as usize + (bits & ((1 << bit) - 1)).count_ones() as usize)
    }

    /// Index of a node that is known to be in the cone: an output, or an operand of a member.
    #[inline]
    pub(crate) fn place(&self, id: ExprId) -> usize {
        self.position(id).expect("operands of members are members")
    }

    /// For each member, how often it is an operand of others or one of `outputs`.
    pub(crate) fn users(&self, graph: &Graph, outputs: &[ExprId]) -> Vec<u32> {
        let mut users = vec![0; self.nodes.len()];
        let operands = self.nodes.iter().flat_map(|&id| graph.node(id).operands());
        for id in operands.chain(outputs.iter().copied()) {
            users[self.place(id)] += 1;
        }
        users
    }

    /// The symbols in the cone, in order of their creation as expressions.
    pub fn symbols(&self, graph: &Graph) -> Vec<SymbolId> {
        let symbol = |&id| match graph.node(id) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        };
        self.nodes.iter().filter_map(symbol).collect()
    }
}

/// The members of a cone, ascending, if there are at most `most`.
fn few(graph: &Graph, outputs: &[ExprId], most: usize) -> Option<Vec<ExprId>> {
    let mut nodes: Vec<ExprId> = Vec::new();
    if outputs.len() > most {
        return None;
    }
    // The largest first: a node has been reached by all its users when its turn comes.
    let mut pending: BinaryHeap<ExprId> = outputs.iter().copied().collect();
    while let Some(id) = pending.pop() {
        if nodes.last() == Some(&id) {
            continue;
        }
        if nodes.len() == most {
            return None;
        }
        nodes.push(id);
        pending.extend(graph.node(id).operands());
    }
    nodes.reverse();
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::SymbolKind;

    #[test]
    fn a_small_cone_takes_no_memory_for_the_graph_around_it() {
        let mut g = Graph::new();
        let x = g.symbol("x", SymbolKind::Parameter);
        let mut other = x;
        for _ in 0..100_000 {
            other = g.sin(other);
        }
        let sum = g.add(x, other);
        let double = g.mul(x, x);
        assert!(Cone::new(&g, &[double]).bits.is_none());
        assert!(Cone::new(&g, &[sum]).bits.is_some());
    }
}
