//! The expression graph: an arena of nodes, each stored once.
//!
//! Nodes are numbered in order of creation, so operands come before the nodes that use them and every
//! algorithm is a loop over ids, never a recursion. Equal nodes get equal ids; a sum is the same node
//! whichever way round it was written, and remembers the order in which it was written first, so that
//! printing keeps the author's order and is deterministic.
//!
//! A node is looked for among the users of its younger operand, which are few and were made with it: so the search stays where
//! work is going on. One table over all nodes of a large model would leave the cache with every question.

mod nodes;

use crate::op::{Binary, Unary};
use crate::rational::Rational;
use crate::symbol::{Symbol, SymbolKind};
use crate::table::TableFunction;
use hashbrown::HashTable;
use nodes::Nodes;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// An expression: the index of its node in a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);

/// A symbol of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(u32);

/// A literal of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumberId(u32);

impl ExprId {
    /// Position in the arena; operands have a smaller one.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl SymbolId {
    /// Position in the order of creation.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl NumberId {
    /// Position in the order of creation; equal literals have equal positions.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function made of a table, of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(u32);

impl TableId {
    /// Position in the order of creation.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One operation of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// An exact literal.
    Number(NumberId),
    /// The number π.
    Pi,
    /// A symbol.
    Symbol(SymbolId),
    /// An operation of one argument.
    Unary(Unary, ExprId),
    /// An operation of two arguments.
    Binary(Binary, ExprId, ExprId),
    /// A function made of a table.
    Table(TableId, ExprId),
}

impl Node {
    /// The operands, in the order written.
    pub fn operands(self) -> impl Iterator<Item = ExprId> {
        let (a, b) = match self {
            Self::Number(_) | Self::Pi | Self::Symbol(_) => (None, None),
            Self::Unary(_, a) | Self::Table(_, a) => (Some(a), None),
            Self::Binary(_, a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }

    /// A node equal to this one for every order of exchangeable operands.
    fn ordered(self) -> Self {
        match self {
            Self::Binary(op, a, b) if op.is_commutative() && b < a => Self::Binary(op, b, a),
            other => other,
        }
    }

    fn hash(self) -> u64 {
        let (tag, a, b) = match self.ordered() {
            Self::Number(n) => (0, n.0, 0),
            Self::Pi => (1, 0, 0),
            Self::Symbol(s) => (2, s.0, 0),
            Self::Unary(op, a) => (3 + op as u64, a.0, 0),
            Self::Binary(op, a, b) => (64 + op as u64, a.0, b.0),
            Self::Table(table, a) => (128, a.0, table.0),
        };
        let mut hasher = FxHasher::default();
        hasher.write_u64(u64::from(a) << 32 | u64::from(b));
        hasher.write_u64(tag);
        hasher.finish()
    }
}

/// An arena of expressions over exact numbers and symbols.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind};
/// let mut g = Graph::new();
/// let x = g.symbol("x", SymbolKind::Coordinate);
/// let two = g.integer(2);
/// let a = g.mul(x, two);
/// let b = g.add(x, x);
/// assert_eq!(a, b); // stored once
/// ```
#[derive(Clone, Default)]
pub struct Graph {
    nodes: Nodes,
    /// For each node how much younger the last of its users is that is listed, with [`CROWDED`] where the table has others, and for each node how
    /// much older the one is that was listed before it; zero ends a list. A node is listed with the younger of its operands.
    last_user: Vec<u16>,
    listed_before: Vec<u16>,
    /// Users that are not listed: those of what has many, and those that were made long after it.
    crowded: HashTable<ExprId>,
    numbers: Vec<Rational>,
    number_table: HashTable<NumberId>,
    /// The expression of each literal.
    number_nodes: Vec<ExprId>,
    symbols: Vec<Symbol>,
    symbol_table: HashTable<SymbolId>,
    /// The expression of each symbol.
    symbol_nodes: Vec<ExprId>,
    tables: Vec<TableFunction>,
    /// The integers 0, 1, 2, which derivatives ask for all the time.
    small_integers: [Option<ExprId>; 3],
    /// The number π, once it was asked for.
    pi: Option<ExprId>,
}

/// An index that no node has.
const NONE: u32 = u32::MAX;

/// Users that are listed, at most: with longer lists a table is faster.
const LISTED: usize = 8;

/// How much younger users are that are listed, at most. Nearly all are made soon after what they use, and so two bytes tell where they are.
const NEAR: usize = (1 << 15) - 1;

/// That a node has users in the table.
const CROWDED: u16 = 1 << 15;

fn fx_hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The next index of an arena.
fn next_index(length: usize) -> u32 {
    let index = u32::try_from(length).ok().filter(|&index| index != NONE);
    index.expect("an arena of 2^32 entries is beyond memory")
}

impl Graph {
    /// An empty graph, with room for a small model.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: Nodes::with_capacity(1024),
            last_user: Vec::with_capacity(1024),
            listed_before: Vec::with_capacity(1024),
            ..Self::default()
        }
    }

    /// Number of nodes made so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was made yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node of an expression.
    ///
    /// # Panics
    /// If `id` belongs to a larger graph: ids have no meaning outside the graph that made them.
    #[must_use]
    #[inline]
    pub fn node(&self, id: ExprId) -> Node {
        self.nodes.get(id.index())
    }

    /// The node at a position of the arena: operands stand before what is made of them.
    #[must_use]
    pub fn node_at(&self, index: usize) -> Node {
        self.nodes.get(index)
    }

    /// The expression at a position of the arena.
    pub(crate) fn id_at(&self, index: usize) -> ExprId {
        debug_assert!(index < self.nodes.len());
        ExprId(index as u32)
    }

    /// The literal of an expression, if it is one.
    #[must_use]
    #[inline]
    pub fn as_number(&self, id: ExprId) -> Option<&Rational> {
        match self.node(id) {
            Node::Number(n) => Some(self.number_value(n)),
            _ => None,
        }
    }

    /// The value of a literal.
    #[must_use]
    pub fn number_value(&self, id: NumberId) -> &Rational {
        &self.numbers[id.0 as usize]
    }

    /// The symbol of an expression, if it is one.
    #[must_use]
    pub fn as_symbol(&self, id: ExprId) -> Option<SymbolId> {
        match self.node(id) {
            Node::Symbol(s) => Some(s),
            _ => None,
        }
    }

    /// Name, kind and order of a symbol.
    #[must_use]
    pub fn symbol_data(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// Number of symbols made so far; [`SymbolId::index`] is below it.
    #[must_use]
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Stores a node as it is, or finds it.
    pub(crate) fn intern(&mut self, node: Node) -> ExprId {
        let younger = match node {
            Node::Number(number) => return self.number_nodes[number.index()],
            Node::Symbol(symbol) => return self.symbol_nodes[symbol.index()],
            Node::Pi => return self.pi(),
            Node::Unary(_, a) | Node::Table(_, a) => a,
            Node::Binary(_, a, b) => a.max(b),
        };
        if self.last_user.len() < self.nodes.len() {
            self.list_users();
        }
        let key = node.ordered();
        let last = self.last_user[younger.index()];
        let mut listed = 0;
        let mut before = last & !CROWDED;
        let mut user = younger.index() + usize::from(before);
        while before != 0 {
            if self.nodes.get(user).ordered() == key {
                return ExprId(user as u32);
            }
            before = self.listed_before[user];
            user -= usize::from(before);
            listed += 1;
        }
        if last & CROWDED != 0 {
            let nodes = &self.nodes;
            let is_it = |id: &ExprId| nodes.get(id.index()).ordered() == key;
            if let Some(&id) = self.crowded.find(node.hash(), is_it) {
                return id;
            }
        }
        let id = self.push(node);
        self.list_user(id, younger, listed);
        id
    }

    /// Notes a new user of a node that has so many listed.
    fn list_user(&mut self, user: ExprId, younger: ExprId, listed: usize) {
        let last = &mut self.last_user[younger.index()];
        let apart = user.index() - younger.index();
        if listed == LISTED || apart > NEAR {
            *last |= CROWDED;
            return self.crowd(user, self.nodes.get(user.index()).hash());
        }
        self.listed_before[user.index()] = match *last & !CROWDED {
            0 => 0,
            last => apart as u16 - last,
        };
        *last = *last & CROWDED | apart as u16;
    }

    fn crowd(&mut self, id: ExprId, hash: u64) {
        let nodes = &self.nodes;
        let hash_of = |id: &ExprId| nodes.get(id.index()).hash();
        self.crowded.insert_unique(hash, id, hash_of);
    }

    /// Gives back what nodes are looked for in, a third of the memory. The next operation that is asked for makes it anew, so this is for a graph to
    /// which hardly anything will be added.
    pub fn settle(&mut self) {
        self.last_user = Vec::new();
        self.listed_before = Vec::new();
        self.crowded = HashTable::new();
        self.nodes.shrink_to_fit();
    }

    /// Lists all nodes with the younger of their operands, as they were when they were made.
    fn list_users(&mut self) {
        let count = self.nodes.len();
        self.last_user = vec![0; count];
        self.listed_before = vec![0; count];
        self.crowded.clear();
        let mut listed = vec![0_u8; count];
        for index in 0..count {
            let Some(younger) = self.nodes.get(index).operands().max() else {
                continue;
            };
            let others = usize::from(listed[younger.index()]);
            self.list_user(ExprId(index as u32), younger, others);
            listed[younger.index()] += u8::from(others < LISTED);
        }
    }

    /// Stores a node that is not there yet.
    fn push(&mut self, node: Node) -> ExprId {
        let id = ExprId(next_index(self.nodes.len()));
        if self.last_user.len() == self.nodes.len() {
            self.last_user.push(0);
            self.listed_before.push(0);
        }
        self.nodes.push(node);
        id
    }

    /// An exact number.
    pub fn number(&mut self, value: impl Into<Rational>) -> ExprId {
        let value = value.into();
        let hash = fx_hash(&value);
        let Self {
            numbers,
            number_table,
            ..
        } = self;
        let id = *number_table
            .entry(
                hash,
                |id| numbers[id.0 as usize] == value,
                |id| fx_hash(&numbers[id.0 as usize]),
            )
            .or_insert_with(|| {
                let id = NumberId(next_index(numbers.len()));
                numbers.push(value.clone());
                id
            })
            .get();
        if id.index() == self.number_nodes.len() {
            let node = self.push(Node::Number(id));
            self.number_nodes.push(node);
        }
        self.number_nodes[id.index()]
    }

    /// The integer `n`.
    pub fn integer(&mut self, n: i64) -> ExprId {
        let small = usize::try_from(n)
            .ok()
            .filter(|&n| n < self.small_integers.len());
        if let Some(id) = small.and_then(|n| self.small_integers[n]) {
            return id;
        }
        let id = self.number(Rational::integer(n));
        if let Some(n) = small {
            self.small_integers[n] = Some(id);
        }
        id
    }

    /// The number π.
    pub fn pi(&mut self) -> ExprId {
        if let Some(pi) = self.pi {
            return pi;
        }
        let pi = self.push(Node::Pi);
        self.pi = Some(pi);
        pi
    }

    /// The symbol `name` of a kind, without primes.
    pub fn symbol(&mut self, name: &str, kind: SymbolKind) -> ExprId {
        self.derivative_symbol(name, kind, 0)
    }

    /// The symbol `name` with `order` primes: `("x", Coordinate, 1)` is x'.
    pub fn derivative_symbol(&mut self, name: &str, kind: SymbolKind, order: u8) -> ExprId {
        if let Some(known) = self.known_symbol(name, kind, order) {
            return self.symbol_node(known);
        }
        let id = SymbolId(next_index(self.symbols.len()));
        let name = name.into();
        self.symbols.push(Symbol { name, kind, order });
        let symbols = &self.symbols;
        let hash_of = |id: &SymbolId| fx_hash(&symbols[id.index()]);
        self.symbol_table.insert_unique(hash_of(&id), id, hash_of);
        let node = self.push(Node::Symbol(id));
        self.symbol_nodes.push(node);
        node
    }

    fn known_symbol(&self, name: &str, kind: SymbolKind, order: u8) -> Option<SymbolId> {
        // A symbol has the hash of its parts.
        let hash = fx_hash(&(name, kind, order));
        let is_it = |id: &SymbolId| {
            let symbol = &self.symbols[id.index()];
            (&*symbol.name, symbol.kind, symbol.order) == (name, kind, order)
        };
        self.symbol_table.find(hash, is_it).copied()
    }

    /// The symbol that has `order` primes, of what a symbol is a derivative of: x'' of x, of x', of x''.
    pub fn derivative_of(&mut self, symbol: SymbolId, order: u8) -> ExprId {
        let Symbol { name, kind, .. } = self.symbol_data(symbol);
        match self.known_symbol(name, *kind, order) {
            Some(known) => self.symbol_node(known),
            None => {
                let (name, kind) = (name.clone(), *kind);
                self.derivative_symbol(&name, kind, order)
            }
        }
    }

    /// The expression that is just this symbol.
    #[must_use]
    pub fn symbol_node(&self, symbol: SymbolId) -> ExprId {
        self.symbol_nodes[symbol.index()]
    }

    /// A function made of a table, at an argument.
    pub fn table(&mut self, function: &TableFunction, argument: ExprId) -> ExprId {
        let known = self.tables.iter().position(|it| it == function);
        let place = known.unwrap_or_else(|| {
            self.tables.push(function.clone());
            self.tables.len() - 1
        });
        self.intern(Node::Table(TableId(place as u32), argument))
    }

    /// The function of a [`Node::Table`].
    #[must_use]
    pub fn table_function(&self, id: TableId) -> &TableFunction {
        &self.tables[id.index()]
    }

    /// Builds an operation of one argument through its simplifying constructor.
    pub fn unary(&mut self, op: Unary, a: ExprId) -> ExprId {
        match op {
            Unary::Neg => self.neg(a),
            Unary::Sqrt => self.sqrt(a),
            op => self.function(op, a),
        }
    }

    /// Builds an operation of two arguments through its simplifying constructor.
    pub fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        match op {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.sub(a, b),
            Binary::Mul => self.mul(a, b),
            Binary::Div => self.div(a, b),
            Binary::Pow => self.pow(a, b),
            Binary::Atan2 => self.atan2(a, b),
            Binary::Min => self.min(a, b),
            Binary::Max => self.max(a, b),
            Binary::Above | Binary::NotAbove => self.condition(op, a, b),
        }
    }

    /// The terms of a sum with their signs, true for a minus, in the order written. Sums, differences and negations are
    /// taken apart where `is_open` says so.
    pub(crate) fn signed_terms(
        &self,
        sum: ExprId,
        is_open: impl Fn(ExprId) -> bool,
    ) -> Vec<(ExprId, bool)> {
        let mut terms = Vec::new();
        let mut pending = vec![(sum, false)];
        while let Some((id, negative)) = pending.pop() {
            match self.node(id) {
                Node::Binary(Binary::Add, a, b) if is_open(id) => {
                    pending.extend([(b, negative), (a, negative)]);
                }
                Node::Binary(Binary::Sub, a, b) if is_open(id) => {
                    pending.extend([(b, !negative), (a, negative)]);
                }
                Node::Unary(Unary::Neg, a) if is_open(id) => pending.push((a, !negative)),
                _ => terms.push((id, negative)),
            }
        }
        terms
    }

    /// Rebuilds a node over other operands.
    pub fn rebuild(&mut self, node: Node, operands: [ExprId; 2]) -> ExprId {
        match node {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => self.intern(node),
            Node::Unary(op, _) => self.unary(op, operands[0]),
            Node::Binary(op, _, _) => self.binary(op, operands[0], operands[1]),
            Node::Table(table, _) => self.intern(Node::Table(table, operands[0])),
        }
    }
}
