//! The nodes of a graph, in nine bytes each: what a node is in one, and what it is made of in eight.

use super::{ExprId, Node, NumberId, SymbolId, TableId};
use crate::op::{Binary, Unary};

/// What a node is; what it is made of, by numbers, is beside it.
#[derive(Clone, Copy)]
enum Kind {
    Number,
    Pi,
    Symbol,
    Table,
    Unary(Unary),
    Binary(Binary),
}

/// Where operations of one argument begin among the kinds, and those of two.
const UNARY: usize = 4;
const BINARY: usize = UNARY + Unary::ALL.len();

/// All kinds, by the byte that stands for each.
const KINDS: [Kind; BINARY + Binary::ALL.len()] = {
    let mut kinds = [Kind::Number; BINARY + Binary::ALL.len()];
    (kinds[1], kinds[2], kinds[3]) = (Kind::Pi, Kind::Symbol, Kind::Table);
    let mut i = 0;
    while i < Unary::ALL.len() {
        kinds[UNARY + i] = Kind::Unary(Unary::ALL[i]);
        i += 1;
    }
    let mut i = 0;
    while i < Binary::ALL.len() {
        kinds[BINARY + i] = Kind::Binary(Binary::ALL[i]);
        i += 1;
    }
    kinds
};

/// Nodes by their places.
#[derive(Clone, Default)]
pub(super) struct Nodes {
    kinds: Vec<u8>,
    parts: Vec<[u32; 2]>,
}

impl Nodes {
    pub(super) fn with_capacity(nodes: usize) -> Self {
        Self {
            kinds: Vec::with_capacity(nodes),
            parts: Vec::with_capacity(nodes),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn push(&mut self, node: Node) {
        let (kind, parts) = match node {
            Node::Number(number) => (0, [number.0, 0]),
            Node::Pi => (1, [0, 0]),
            Node::Symbol(symbol) => (2, [symbol.0, 0]),
            Node::Table(table, a) => (3, [a.0, table.0]),
            Node::Unary(op, a) => (UNARY + op as usize, [a.0, 0]),
            Node::Binary(op, a, b) => (BINARY + op as usize, [a.0, b.0]),
        };
        self.kinds.push(kind as u8);
        self.parts.push(parts);
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> Node {
        let [a, b] = self.parts[place];
        match KINDS[usize::from(self.kinds[place])] {
            Kind::Number => Node::Number(NumberId(a)),
            Kind::Pi => Node::Pi,
            Kind::Symbol => Node::Symbol(SymbolId(a)),
            Kind::Table => Node::Table(TableId(b), ExprId(a)),
            Kind::Unary(op) => Node::Unary(op, ExprId(a)),
            Kind::Binary(op) => Node::Binary(op, ExprId(a), ExprId(b)),
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.kinds.shrink_to_fit();
        self.parts.shrink_to_fit();
    }
}
