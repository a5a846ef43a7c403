//! The form of expressions: what those have in common that differ in their symbols alone.

use crate::graph::{ExprId, Graph, Node, SymbolId};
use crate::numbering::Numbering;
use crate::symbol::SymbolKind;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The form of some expressions, and what stands in it.
pub struct Form {
    key: Vec<u32>,
    nodes: Vec<ExprId>,
    symbols: Vec<SymbolId>,
}

impl Form {
    /// The form of some expressions.
    #[must_use]
    pub fn of(graph: &Graph, expressions: &[ExprId]) -> Self {
        FormReader::default().read(graph, expressions)
    }

    /// The same for expressions that differ in their symbols alone.
    #[must_use]
    pub fn key(&self) -> &[u32] {
        &self.key
    }

    /// All that the expressions are made of, the oldest first: those of two copies correspond.
    #[must_use]
    pub fn nodes(&self) -> &[ExprId] {
        &self.nodes
    }

    /// The symbols among them, in that order.
    #[must_use]
    pub fn symbols(&self) -> &[SymbolId] {
        &self.symbols
    }

    /// The place of a node among all, if it is there.
    #[must_use]
    pub fn position(&self, id: ExprId) -> Option<usize> {
        self.nodes.binary_search(&id).ok()
    }

    /// A number for the form, the same for equal ones.
    pub(crate) fn number(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.key.hash(&mut hasher);
        hasher.finish()
    }
}

/// Forms by number, from zero on in the order in which they came.
#[derive(Default)]
pub struct Forms {
    known: FxHashMap<Vec<u32>, usize>,
}

impl Forms {
    /// The number of a form, and whether it is new.
    pub fn number(&mut self, form: &Form) -> (usize, bool) {
        match self.known.get(form.key()) {
            Some(&number) => (number, false),
            None => {
                let number = self.known.len();
                self.known.insert(form.key().to_vec(), number);
                (number, true)
            }
        }
    }
}

/// Reads forms, one after the other.
#[derive(Default)]
pub struct FormReader {
    nodes: Numbering,
    pending: Vec<ExprId>,
}

impl FormReader {
    /// The form of some expressions.
    pub fn read(&mut self, graph: &Graph, expressions: &[ExprId]) -> Form {
        self.nodes.clear();
        self.pending.extend_from_slice(expressions);
        while let Some(id) = self.pending.pop() {
            if self.nodes.insert(id) {
                self.pending.extend(graph.node(id).operands());
            }
        }
        self.nodes.sort();
        let nodes = self.nodes.nodes();
        let number = |id| self.nodes.get(id);
        let place = |id| number(id).expect("operands of nodes of a form are in it");
        let mut symbols: Vec<SymbolId> = Vec::new();
        let mut families: FxHashMap<(&str, SymbolKind), u32> = FxHashMap::default();
        let mut key = Vec::with_capacity(3 * nodes.len() + 2 * expressions.len());
        for &id in nodes {
            match graph.node(id) {
                Node::Number(number) => key.extend([1, number.index() as u32]),
                Node::Pi => key.push(2),
                Node::Symbol(symbol) => {
                    let data = graph.symbol_data(symbol);
                    // Which of them are derivatives of one another belongs to the form.
                    let own = symbols.len() as u32;
                    let family = match data.kind.moves() {
                        true => *families.entry((&data.name, data.kind)).or_insert(own),
                        false => own,
                    };
                    let kind = (data.kind as u32) << 8 | u32::from(data.order);
                    key.extend([3, kind, family]);
                    symbols.push(symbol);
                }
                Node::Table(table, a) => key.extend([5, table.index() as u32, place(a)]),
                Node::Unary(op, a) => key.extend([16 + op as u32, place(a)]),
                Node::Binary(op, a, b) => key.extend([64 + op as u32, place(a), place(b)]),
            }
        }
        for &id in expressions {
            key.extend([4, place(id)]);
        }
        Form {
            key,
            nodes: nodes.to_vec(),
            symbols,
        }
    }
}
