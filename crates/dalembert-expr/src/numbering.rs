//! Numbers for some of the nodes of a graph, in room for these alone.

use crate::graph::ExprId;

/// Nodes with numbers, from zero on in the order in which they came.
///
/// ```
/// use dalembert_expr::{Graph, Numbering, SymbolKind};
/// let mut g = Graph::new();
/// let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
/// let mut numbering = Numbering::default();
/// numbering.clear();
/// assert!(numbering.insert(y) && numbering.insert(x) && !numbering.insert(y));
/// assert_eq!((numbering.get(x), numbering.nodes()), (Some(1), &[y, x][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Numbering {
    nodes: Vec<ExprId>,
    /// A table of the nodes, by numbers counted from one; zeros are free.
    slots: Vec<u32>,
}

/// Slots at first, a power of two.
const FEW: usize = 256;

impl Default for Numbering {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            slots: vec![0; FEW],
        }
    }
}

impl Numbering {
    /// Forgets all nodes. It takes time for a few of them, however many there were.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.slots.clear();
        self.slots.resize(FEW, 0);
    }

    /// The nodes, in the order of their numbers.
    #[must_use]
    pub fn nodes(&self) -> &[ExprId] {
        &self.nodes
    }

    /// The number of a node, if it has one.
    #[inline]
    #[must_use]
    pub fn get(&self, id: ExprId) -> Option<u32> {
        self.slots[self.slot(id)].checked_sub(1)
    }

    /// Gives a node the next number; false if it has one.
    #[inline]
    pub fn insert(&mut self, id: ExprId) -> bool {
        let slot = self.slot(id);
        if self.slots[slot] != 0 {
            return false;
        }
        self.nodes.push(id);
        self.slots[slot] = self.nodes.len() as u32;
        if 2 * self.nodes.len() > self.slots.len() {
            self.number_again(4 * self.slots.len());
        }
        true
    }

    /// Gives older nodes smaller numbers.
    pub fn sort(&mut self) {
        self.nodes.sort_unstable();
        self.number_again(self.slots.len());
    }

    fn number_again(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, 0);
        for place in 0..self.nodes.len() {
            let slot = self.slot(self.nodes[place]);
            self.slots[slot] = place as u32 + 1;
        }
    }

    /// The slot of a node, or the one where it would be.
    #[inline]
    fn slot(&self, id: ExprId) -> usize {
        let mask = self.slots.len() - 1;
        // The golden ratio spreads nodes that were made one after the other, and the upper bits of a product are its best.
        let spread = (id.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = self.slots.len().trailing_zeros();
        let mut slot = (spread >> (u64::BITS - bits)) as usize;
        while let Some(place) = self.slots[slot].checked_sub(1) {
            if self.nodes[place as usize] == id {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}
