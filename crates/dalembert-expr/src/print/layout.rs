//! An expression as an author sees it: sums of signed terms, products with one number in front.
//!
//! ```text
//! graph      ((½ m) ((−a) b)) / c  −  (d + e)
//! layout     sum [ −½ · (m a b) / (c),  − d,  − e ]
//! ```
//!
//! Binary sums are flattened and a minus before a sum goes to its terms. A product is a coefficient with
//! all numbers and signs, the factors above and the factors below the bar, in the order written. What
//! needs parentheses and what a fraction looks like is decided in [`super::tokens`].
//!
//! The layout is a tree, built from the root with a list of items to fill: linear in the tree, which
//! shared names keep small.

use super::names::{NameId, Names};
use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use std::ops::Range;

/// An index into [`Layout::items`].
pub(super) type ItemId = usize;

pub(super) enum Item {
    Number(Rational),
    Pi,
    Name(NameId),
    /// Terms, as a range of [`Layout::terms`].
    Sum(Range<usize>),
    Product(Product),
    Power(ItemId, ItemId),
    Function(Unary, ItemId),
    /// A function of two arguments.
    Function2(Binary, ItemId, ItemId),
}

/// coefficient · numerator / denominator, the factors as ranges of [`Layout::factors`].
#[derive(Clone)]
pub(super) struct Product {
    pub(super) coefficient: Rational,
    pub(super) numerator: Range<usize>,
    pub(super) denominator: Range<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct Term {
    pub(super) negative: bool,
    pub(super) item: ItemId,
}

pub(super) struct Layout {
    /// The root is the first.
    pub(super) items: Vec<Item>,
    pub(super) terms: Vec<Term>,
    pub(super) factors: Vec<ItemId>,
}

impl Layout {
    /// The layout of `root`; `defines` says that its shared name must not stand for it.
    pub(super) fn new(graph: &Graph, names: &Names, root: ExprId, defines: bool) -> Self {
        let layout = Self {
            items: Vec::new(),
            terms: Vec::new(),
            factors: Vec::new(),
        };
        let mut builder = Builder {
            graph,
            names,
            layout,
            open: Vec::new(),
            defined: defines.then_some(root),
        };
        builder.reserve(root);
        while let Some((id, item)) = builder.open.pop() {
            let filled = builder.item(id);
            builder.layout.items[item] = filled;
            // Only the first visit is the definition.
            builder.defined = None;
        }
        builder.layout
    }
}

struct Builder<'a> {
    graph: &'a Graph,
    names: &'a Names,
    layout: Layout,
    /// Items reserved and still to be filled.
    open: Vec<(ExprId, ItemId)>,
    defined: Option<ExprId>,
}

impl Builder<'_> {
    fn reserve(&mut self, id: ExprId) -> ItemId {
        let item = self.layout.items.len();
        self.layout.items.push(Item::Pi);
        self.open.push((id, item));
        item
    }

    /// The node of an expression, or nothing if its name stands for it.
    fn visible_node(&self, id: ExprId) -> Option<Node> {
        let named = self.names.shared_id(id).is_some() && self.defined != Some(id);
        (!named).then(|| self.graph.node(id))
    }

    fn item(&mut self, id: ExprId) -> Item {
        let Some(node) = self.visible_node(id) else {
            return match self.names.shared_id(id) {
                Some(name) => Item::Name(name),
                None => unreachable!("only named nodes are hidden"),
            };
        };
        match node {
            Node::Number(n) => Item::Number(self.graph.number_value(n).clone()),
            Node::Pi => Item::Pi,
            Node::Symbol(symbol) => Item::Name(self.names.symbol_id(symbol)),
            Node::Unary(Unary::Neg, x) if !self.is_sum(x) => self.product(id),
            Node::Unary(Unary::Neg, _) | Node::Binary(Binary::Add | Binary::Sub, _, _) => {
                self.sum(id)
            }
            Node::Binary(Binary::Mul | Binary::Div, _, _) => self.product(id),
            Node::Binary(Binary::Pow, base, n) => Item::Power(self.reserve(base), self.reserve(n)),
            Node::Unary(op, x) => Item::Function(op, self.reserve(x)),
            Node::Binary(op, a, b) => Item::Function2(op, self.reserve(a), self.reserve(b)),
        }
    }

    fn is_sum(&self, id: ExprId) -> bool {
        matches!(
            self.visible_node(id),
            Some(Node::Binary(Binary::Add | Binary::Sub, _, _))
        )
    }

    fn sum(&mut self, id: ExprId) -> Item {
        let start = self.layout.terms.len();
        let mut stack = vec![(id, false)];
        while let Some((id, negative)) = stack.pop() {
            match self.visible_node(id) {
                Some(Node::Binary(Binary::Add, a, b)) => {
                    stack.extend([(b, negative), (a, negative)]);
                }
                Some(Node::Binary(Binary::Sub, a, b)) => {
                    stack.extend([(b, !negative), (a, negative)]);
                }
                Some(Node::Unary(Unary::Neg, x)) => stack.push((x, !negative)),
                _ => {
                    let item = self.reserve(id);
                    self.layout.terms.push(Term { negative, item });
                }
            }
        }
        Item::Sum(start..self.layout.terms.len())
    }

    fn product(&mut self, id: ExprId) -> Item {
        let start = self.layout.factors.len();
        let mut coefficient = Rational::ONE;
        let mut below = Vec::new();
        let mut stack = vec![(id, false)];
        while let Some((id, inverse)) = stack.pop() {
            match self.visible_node(id) {
                Some(Node::Binary(Binary::Mul, a, b)) => {
                    stack.extend([(b, inverse), (a, inverse)]);
                    continue;
                }
                Some(Node::Binary(Binary::Div, a, b)) => {
                    stack.extend([(b, !inverse), (a, inverse)]);
                    continue;
                }
                Some(Node::Unary(Unary::Neg, x)) => {
                    coefficient = coefficient.negated();
                    stack.push((x, inverse));
                    continue;
                }
                Some(Node::Number(n)) => {
                    let value = self.graph.number_value(n);
                    let factor = if inverse {
                        value.reciprocal()
                    } else {
                        Some(value.clone())
                    };
                    if let Some(merged) = factor.and_then(|f| coefficient.checked_mul(&f)) {
                        coefficient = merged;
                        continue;
                    }
                }
                _ => {}
            }
            let item = self.reserve(id);
            if inverse {
                below.push(item);
            } else {
                self.layout.factors.push(item);
            }
        }
        let middle = self.layout.factors.len();
        self.layout.factors.extend(below);
        Item::Product(Product {
            coefficient,
            numerator: start..middle,
            denominator: middle..self.layout.factors.len(),
        })
    }
}
