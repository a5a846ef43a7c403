//! An expression as an author sees it: sums of signed terms, products with one number in front.
//!
//! ```text
//! graph      ((½ m) ((−a) b)) / c  −  (d + e)
//! layout     sum [ −½ · (m a b) / (c),  − d,  − e ]
//! ```
//!
//! Binary sums are flattened and a minus before a sum goes to its terms. A product is a coefficient with
//! all numbers and signs, the factors above and the factors below the bar. Products inside products are
//! taken apart, also below integer exponents, and equal bases are collected: l l θ' is l² θ', (l θ')²
//! is l² θ'², √r √r √r is r^(3/2). What is written has the same value wherever the expression has one.
//!
//! Factors stay in the order written, but for what would be hard to read: numbers such as √2 and π come
//! first, then names and sums, then roots, and functions last, so that nothing follows the θ of sin θ but
//! the name of another function. What needs parentheses and what a fraction looks like is decided in
//! [`super::tokens`].
//!
//! The layout is a tree, built from the root with a list of items to fill: linear in the tree, which
//! shared names keep small.

use super::names::{NameId, PrintedNames};
use crate::construct::Comparison;
use crate::graph::{ExprId, Graph, Node};
use crate::multiples::Multiples;
use crate::op::Relation;
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use std::ops::Range;

/// Powers of a product up to this exponent are written as products of powers.
const MAX_DISTRIBUTED: i64 = 9;
/// A literal is raised to a power if the result has no more than this many digits.
const MAX_RAISED_DIGITS: usize = 4;

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
    /// A function made of a table: its name, and how often it is differentiated.
    Table(String, u8, ItemId),
    /// What counts where a comparison of two sides is true, and is 0 elsewhere.
    Condition(Relation, [ItemId; 2], ItemId),
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
    pub(super) fn new(graph: &Graph, names: &PrintedNames, root: ExprId, defines: bool) -> Self {
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
    names: &'a PrintedNames,
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
            Node::Binary(Binary::Pow, base, n)
                if self.is_product(base) && self.graph.as_number(n).is_some() =>
            {
                self.product(id)
            }
            Node::Binary(Binary::Pow, base, n) => Item::Power(self.reserve(base), self.reserve(n)),
            Node::Unary(op, x) => Item::Function(op, self.reserve(x)),
            Node::Table(table, x) => {
                let function = self.graph.table_function(table);
                Item::Table(function.name(), function.order(), self.reserve(x))
            }
            Node::Binary(op, x, a) if op.is_condition() => self.condition(op, x, a),
            Node::Binary(op, a, b) => Item::Function2(op, self.reserve(a), self.reserve(b)),
        }
    }

    fn condition(&mut self, op: Binary, x: ExprId, a: ExprId) -> Item {
        let comparison = match self.visible_node(x) {
            Some(_) => self.graph.comparison(x),
            None => Comparison::with_zero(x),
        };
        let left = self.reserve(comparison.left);
        let right = match comparison.right {
            Some(right) => self.reserve(right),
            None => {
                self.layout.items.push(Item::Number(Rational::ZERO));
                self.layout.items.len() - 1
            }
        };
        Item::Condition(comparison.relation(op), [left, right], self.reserve(a))
    }

    fn is_sum(&self, id: ExprId) -> bool {
        matches!(
            self.visible_node(id),
            Some(Node::Binary(Binary::Add | Binary::Sub, _, _))
        )
    }

    fn sum(&mut self, id: ExprId) -> Item {
        let start = self.layout.terms.len();
        let is_open = |id| self.visible_node(id).is_some();
        for (id, negative) in self.graph.signed_terms(id, is_open) {
            let item = self.reserve(id);
            self.layout.terms.push(Term { negative, item });
        }
        Item::Sum(start..self.layout.terms.len())
    }

    fn product(&mut self, id: ExprId) -> Item {
        let mut id = id;
        let (coefficient, above, below) = loop {
            let (coefficient, above, below) = self.sides(id);
            let ([(_, base, exponent)], true, true) =
                (&*above, below.is_empty(), coefficient.is_one())
            else {
                break (coefficient, above, below);
            };
            // One power is left.
            match exponent.is_one() {
                // √(a b) c √(a b)/c
                true if self.is_product(*base) => id = *base,
                true => return self.item(*base),
                false => return self.power(*base, exponent),
            }
        };
        if below.is_empty() && above.is_empty() {
            return Item::Number(coefficient);
        }
        let mut range = |side: Side| {
            let items: Vec<ItemId> = side
                .into_iter()
                .map(|(_, base, exponent)| self.raised(base, &exponent))
                .collect();
            let start = self.layout.factors.len();
            self.layout.factors.extend(items);
            start..self.layout.factors.len()
        };
        Item::Product(Product {
            coefficient,
            numerator: range(above),
            denominator: range(below),
        })
    }

    /// Coefficient and the powers above and below the bar, each in the order in which it is written.
    fn sides(&self, id: ExprId) -> (Rational, Side, Side) {
        let factors = self.collect(id);
        let (mut above, mut below) = (Side::new(), Side::new());
        for (base, exponent) in factors.powers.entries {
            let side = if exponent.is_negative() {
                &mut below
            } else {
                &mut above
            };
            side.push((self.class(base, &exponent), base, exponent.abs()));
        }
        above.sort_by_key(|&(class, ..)| class);
        below.sort_by_key(|&(class, ..)| class);
        (factors.coefficient, above, below)
    }

    /// base^exponent as an item of its own.
    fn raised(&mut self, base: ExprId, exponent: &Rational) -> ItemId {
        if exponent.is_one() {
            return self.reserve(base);
        }
        let power = self.power(base, exponent);
        self.layout.items.push(power);
        self.layout.items.len() - 1
    }

    /// base^exponent, the exponent being positive.
    fn power(&mut self, base: ExprId, exponent: &Rational) -> Item {
        let base = self.reserve(base);
        if *exponent == Rational::HALF {
            return Item::Function(Unary::Sqrt, base);
        }
        self.layout.items.push(Item::Number(exponent.clone()));
        Item::Power(base, self.layout.items.len() - 1)
    }

    /// The product taken apart: every base once, in the order of first appearance.
    fn collect(&self, id: ExprId) -> Factors {
        let mut factors = Factors {
            coefficient: Rational::ONE,
            powers: Multiples::default(),
        };
        let mut stack = vec![(id, Rational::ONE)];
        while let Some((id, exponent)) = stack.pop() {
            match self.visible_node(id) {
                Some(Node::Binary(Binary::Mul, a, b)) => {
                    stack.extend([(b, exponent.clone()), (a, exponent)]);
                }
                Some(Node::Binary(Binary::Div, a, b)) => {
                    stack.extend([(b, exponent.negated()), (a, exponent)]);
                }
                Some(Node::Unary(Unary::Neg, x)) => {
                    if !exponent.is_even() {
                        factors.coefficient = factors.coefficient.negated();
                    }
                    stack.push((x, exponent));
                }
                Some(Node::Number(n)) => {
                    factors.number(self.graph.number_value(n), id, exponent);
                }
                node => match node.and_then(|_| self.graph.power_of_power(id, &exponent)) {
                    Some((base, power)) if self.is_distributed(base, &power) => {
                        stack.push((base, power));
                    }
                    Some((base, power)) => factors.powers.add(base, power),
                    None => factors.powers.add(id, exponent),
                },
            }
        }
        factors.finish(self.graph)
    }

    /// Whether the factors of `base` take the exponent.
    fn is_distributed(&self, base: ExprId, exponent: &Rational) -> bool {
        let small = exponent
            .as_integer()
            .is_some_and(|n| n.abs() <= MAX_DISTRIBUTED);
        small && self.is_product(base)
    }

    /// Whether a node consists of factors that [`Self::collect`] takes apart.
    fn is_product(&self, id: ExprId) -> bool {
        match self.visible_node(id) {
            Some(Node::Binary(Binary::Mul | Binary::Div, ..) | Node::Unary(Unary::Sqrt, _)) => true,
            Some(Node::Unary(Unary::Neg, x)) => !self.is_sum(x),
            Some(Node::Binary(Binary::Pow, _, n)) => self.graph.as_number(n).is_some(),
            _ => false,
        }
    }

    fn class(&self, base: ExprId, exponent: &Rational) -> Class {
        let whole = exponent.is_integer();
        match self.visible_node(base) {
            Some(Node::Number(_) | Node::Pi) => Class::Number,
            Some(Node::Unary(Unary::Neg | Unary::Abs, _)) => Class::Plain,
            Some(Node::Unary(Unary::Sqrt, _)) => Class::Root,
            _ if exponent.abs() == Rational::HALF => Class::Root,
            Some(Node::Unary(op, _)) if exponent.abs().is_one() || (whole && takes_power(op)) => {
                Class::Function
            }
            // (ln x)² stands in parentheses.
            Some(Node::Unary(..)) => Class::Root,
            Some(Node::Binary(Binary::Atan2 | Binary::Min | Binary::Max, ..) | Node::Table(..)) => {
                Class::Function
            }
            _ => Class::Plain,
        }
    }
}

/// Whether a power of a function is written at its name: sin²θ.
pub(super) const fn takes_power(op: Unary) -> bool {
    use Unary::{Cos, Cosh, Sin, Sinh, Tan, Tanh};
    matches!(op, Sin | Cos | Tan | Sinh | Cosh | Tanh)
}

/// Where a factor stands among the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// √2, π
    Number,
    /// Names, sums and their powers.
    Plain,
    /// Roots, and what else is long and has its end marked.
    Root,
    /// Functions: what follows one could be taken for its argument.
    Function,
}

/// Bases with positive exponents.
type Side = Vec<(Class, ExprId, Rational)>;

/// A product taken apart.
struct Factors {
    coefficient: Rational,
    powers: Multiples,
}

impl Factors {
    /// Multiplies with a literal to an integer exponent.
    fn number(&mut self, value: &Rational, id: ExprId, exponent: Rational) {
        let raised = exponent.as_integer().and_then(|n| value.checked_pow(n));
        let is_short = |c: &Rational| {
            let (n, d) = c.decimal_parts();
            exponent.abs().is_one() || n.len().max(d.len()) <= MAX_RAISED_DIGITS
        };
        let merged = raised
            .filter(is_short)
            .and_then(|c| self.coefficient.checked_mul(&c));
        match merged {
            Some(merged) => self.coefficient = merged,
            // Not to be collected: 0/0 is not 1.
            None => self.powers.entries.push((id, exponent)),
        }
    }

    /// Without what cancels, and with √2·√2 among the numbers.
    fn finish(mut self, graph: &Graph) -> Self {
        let mut coefficient = self.coefficient.clone();
        self.powers.entries.retain(|(base, exponent)| {
            if exponent.is_zero() {
                return false;
            }
            let number = graph.as_number(*base).filter(|_| exponent.abs().is_one());
            let factor = exponent.as_integer().zip(number);
            let merged = factor
                .and_then(|(n, value)| value.checked_pow(n))
                .and_then(|factor| coefficient.checked_mul(&factor));
            let stays = merged.is_none();
            if let Some(merged) = merged {
                coefficient = merged;
            }
            stays
        });
        self.coefficient = coefficient;
        self
    }
}
