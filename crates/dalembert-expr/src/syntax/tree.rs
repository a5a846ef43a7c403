//! The syntax tree: nodes in one vector, children before parents.

use crate::op::Binary;
pub use crate::op::Relation;
use crate::rational::Rational;
use std::ops::{Index, Range};
use std::sync::Arc;

/// Most primes a name can carry.
pub const MAX_PRIMES: u8 = 9;

/// A piece of the source text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Offsets as used inside this module; the length limit on sources makes them fit.
    pub(super) fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// From the start of `self` to the end of `last`.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        Self {
            start: self.start,
            end: last.end,
        }
    }

    /// The bytes covered.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text covered; empty if the span does not belong to `source`.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or_default()
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    pub(super) fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Position in [`Tree::nodes`], for tables that run parallel to it.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name as written, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The name.
    pub text: Box<str>,
    /// Where it stands.
    pub span: Span,
}

impl Word {
    pub(super) fn new(source: &str, span: Span) -> Self {
        Self {
            text: span.text(source).into(),
            span,
        }
    }
}

/// One name of a unit with its power: `s^-2`, or the `s^2` of `m/s^2`, have the power −2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFactor {
    /// The name of the unit, not yet known to be one.
    pub name: Word,
    /// Its power, never 0 unless written so.
    pub power: i32,
}

/// One argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of a named argument, `at` of `at = r`.
    pub name: Option<Word>,
    /// The value.
    pub value: NodeId,
}

/// A sign before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+x`
    Plus,
    /// `-x`
    Minus,
}

/// An operation between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a*b`
    Multiply,
    /// `a/b`
    Divide,
    /// `a^b`
    Power,
}

impl From<Arithmetic> for Binary {
    fn from(op: Arithmetic) -> Self {
        match op {
            Arithmetic::Add => Self::Add,
            Arithmetic::Subtract => Self::Sub,
            Arithmetic::Multiply => Self::Mul,
            Arithmetic::Divide => Self::Div,
            Arithmetic::Power => Self::Pow,
        }
    }
}

/// How two conditions make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    /// Both hold.
    And,
    /// One of them holds, or both.
    Or,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, exact as written.
    Number(Rational),
    /// A number with a unit: `30 deg`, `9.81 m/s^2`.
    Quantity {
        /// The number; negative only as a whole value, see [`parse_value`](super::parse_value).
        number: Rational,
        /// The unit as a product, in the order written.
        unit: Box<[UnitFactor]>,
    },
    /// A name: `x`, `x'`, and `x_dot` as another spelling of `x'`.
    Name {
        /// The name without primes and without `_dot` or `_ddot`; trees of a model share those that are in many of them.
        name: Arc<str>,
        /// How often it is differentiated by time.
        primes: u8,
    },
    /// Text in double quotes, without them.
    Text(Box<str>),
    /// A signed operand.
    Signed {
        /// The sign.
        sign: Sign,
        /// What it stands before.
        operand: NodeId,
    },
    /// An operation between two operands.
    Binary {
        /// The operation.
        op: Arithmetic,
        /// What stands left of it.
        left: NodeId,
        /// What stands right of it.
        right: NodeId,
    },
    /// `[a, b, c]`, at least one element.
    Vector(Box<[NodeId]>),
    /// `f(a, at = b)`, possibly without arguments; positional arguments come first, names differ.
    Call {
        /// The function, always as written: `_dot` is part of its name.
        function: Word,
        /// The arguments in the order written.
        arguments: Box<[Argument]>,
    },
    /// `disk.center`, `contact.0`, `link.x'`.
    Member {
        /// What stands before the dot.
        of: NodeId,
        /// The name or the index after it, without primes and without `_dot` or `_ddot`; the span
        /// covers them.
        name: Word,
        /// How often the member is differentiated by time.
        primes: u8,
    },
    /// Operands side by side, `Rz(psi) Rx(theta)`: rotations one after the other, at least two.
    Sequence(Box<[NodeId]>),
    /// An equation or a comparison: an equation only as the root, a comparison as the root, as the first argument of `if`, or in a
    /// condition that is made of several.
    Relation {
        /// What is said of the two sides.
        relation: Relation,
        /// The left side.
        left: NodeId,
        /// The right side.
        right: NodeId,
    },
    /// Two conditions; only where a comparison may stand.
    Joined {
        /// Whether one or both must hold.
        join: Join,
        /// The first.
        left: NodeId,
        /// The second.
        right: NodeId,
    },
    /// That a condition does not hold; only where a comparison may stand.
    Not(NodeId),
}

impl Kind {
    /// Whether it holds or does not, and has no value.
    #[must_use]
    pub fn is_condition(&self) -> bool {
        match self {
            Self::Relation { relation, .. } => *relation != Relation::Equal,
            Self::Joined { .. } | Self::Not(_) => true,
            _ => false,
        }
    }
}

/// A node and the text it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its text, without parentheses around the whole of it.
    pub span: Span,
}

/// An expression as written.
///
/// Children always come before their parent, every node has exactly one parent and the root is
/// last: a single forward loop over [`nodes`](Self::nodes) elaborates a tree of any depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of `nodes` that obey the order above; at least one.
    pub(super) fn new(mut nodes: Vec<Node>) -> Self {
        debug_assert!(!nodes.is_empty(), "a tree has a root");
        // A model keeps its trees.
        nodes.shrink_to_fit();
        Self { nodes }
    }

    /// The tree of a number.
    #[must_use]
    pub fn number(number: Rational) -> Self {
        let (kind, span) = (Kind::Number(number), Span::default());
        Self::new(vec![Node { kind, span }])
    }

    /// The node that is the whole expression.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId::new(self.nodes.len() - 1)
    }

    /// The node at a place in [`nodes`](Self::nodes).
    #[must_use]
    pub fn id(&self, index: usize) -> NodeId {
        NodeId::new(index)
    }

    /// All nodes, children first.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All nodes by their places.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Whether a dot stands behind something in it.
    #[must_use]
    pub fn has_members(&self) -> bool {
        let mut nodes = self.nodes.iter();
        nodes.any(|node| matches!(node.kind, Kind::Member { .. }))
    }

    /// A name, or names with dots between them, `link.x'`, with the primes of the last.
    #[must_use]
    pub fn dotted(&self, id: NodeId) -> Option<(String, u8)> {
        let (mut parts, mut at) = (Vec::new(), id);
        let mut last = None;
        loop {
            let (part, primes, next) = match &self[at].kind {
                Kind::Name { name, primes } => (&**name, *primes, None),
                Kind::Member { of, name, primes } => (&*name.text, *primes, Some(*of)),
                _ => return None,
            };
            if last.is_some() && primes != 0 {
                return None; // x'.y is no name.
            }
            last = last.or(Some(primes));
            parts.push(part);
            match next {
                Some(of) => at = of,
                None => break,
            }
        }
        parts.reverse();
        Some((parts.join("."), last.unwrap_or(0)))
    }

    /// The part of it below a node; its spans are those of the whole text.
    #[must_use]
    pub fn part(&self, root: NodeId) -> Self {
        let mut wanted = vec![false; root.index() + 1];
        wanted[root.index()] = true;
        let mut parts: Vec<Node> = self.nodes[..=root.index()].to_vec();
        for (index, node) in parts.iter_mut().enumerate().rev() {
            if wanted[index] {
                node.kind.each_child(|id| wanted[id.index()] = true);
            }
        }
        let mut moved = vec![NodeId::new(0); parts.len()];
        let mut nodes = Vec::new();
        for (index, mut node) in parts.into_iter().enumerate() {
            if wanted[index] {
                node.kind.each_child(|id| *id = moved[id.index()]);
                moved[index] = NodeId::new(nodes.len());
                nodes.push(node);
            }
        }
        Self::new(nodes)
    }

    /// The same with other names.
    #[must_use]
    pub fn renamed(self, other: impl Fn(&str) -> Option<String>) -> Self {
        self.with_kinds(|_, kind| {
            if let Kind::Name { name, .. } = kind
                && let Some(other) = other(name)
            {
                *name = other.into();
            }
        })
    }

    /// The same with other names and texts; what stands below a node must stay.
    #[must_use]
    pub fn with_kinds(mut self, mut change: impl FnMut(NodeId, &mut Kind)) -> Self {
        for (index, node) in self.nodes.iter_mut().enumerate() {
            change(NodeId::new(index), &mut node.kind);
        }
        self
    }

    /// The same with one name in place of names with dots between them that are `known` as one: that name, to be shared.
    #[must_use]
    pub fn with_dotted_names(&self, known: impl Fn(&str) -> Option<Arc<str>>) -> Self {
        let mut joined = vec![None; self.nodes.len()];
        let mut absorbed = vec![false; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            let Kind::Member { of, .. } = &node.kind else {
                continue;
            };
            let name = self.dotted(self.id(index));
            let name = name.and_then(|(name, primes)| Some((known(&name)?, primes)));
            if name.is_none() {
                continue;
            }
            joined[index] = name;
            let mut below = Some(*of);
            while let Some(id) = below {
                absorbed[id.index()] = true;
                below = match &self[id].kind {
                    Kind::Member { of, .. } => Some(*of),
                    _ => None,
                };
            }
        }
        let mut moved = vec![NodeId::new(0); self.nodes.len()];
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            if absorbed[index] {
                continue;
            }
            let mut node = node.clone();
            match joined[index].take() {
                Some((name, primes)) => node.kind = Kind::Name { name, primes },
                None => node.kind.each_child(|id| *id = moved[id.index()]),
            }
            moved[index] = NodeId::new(nodes.len());
            nodes.push(node);
        }
        Self::new(nodes)
    }
}

impl Kind {
    /// What stands below a node.
    fn each_child(&mut self, mut f: impl FnMut(&mut NodeId)) {
        match self {
            Self::Number(_) | Self::Quantity { .. } | Self::Name { .. } | Self::Text(_) => {}
            Self::Signed { operand, .. } | Self::Not(operand) => f(operand),
            Self::Binary { left, right, .. }
            | Self::Joined { left, right, .. }
            | Self::Relation { left, right, .. } => {
                f(left);
                f(right);
            }
            Self::Vector(items) | Self::Sequence(items) => items.iter_mut().for_each(f),
            Self::Call { arguments, .. } => {
                arguments.iter_mut().for_each(|it| f(&mut it.value));
            }
            Self::Member { of, .. } => f(of),
        }
    }
}

impl Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}
