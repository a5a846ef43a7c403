//! Expressions as programs write them: one operator or call for each node, in the order of the graph.
//!
//! Parentheses are written where the text would otherwise be read as another tree, and nowhere else:
//!
//! ```text
//! +, −  (left)  <  *, /  (left)  <  unary −  <  power (right)  <  names, calls, (…)
//! ```
//!
//! Two trees may share a text where they are the same anyway. −(a b) is written `-a*b` and read as
//! (−a) b: in doubles the two are equal bit for bit, and the graph's constructors bring the sign to the
//! front again. ½ (a b) is written `1/2*a*b` in exact dialects, where the constructors bring the
//! literal to the front; a dialect of doubles keeps the parentheses, for there it matters.

use super::names::Names;
use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};
use crate::rational::Rational;

/// How tightly a piece of text holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Sum,
    Product,
    Negation,
    Power,
    Atom,
}

/// Where a literal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    Plain,
    Divisor,
    Exponent,
}

/// How a dialect writes powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Power {
    /// An operator that binds to the right and tighter than a sign.
    Operator(&'static str),
    /// A call; the square of a name is written as a product.
    Call,
}

/// What distinguishes one programming language from another.
pub(super) struct Dialect {
    pub(super) number: fn(&Rational, Position) -> (String, Level),
    pub(super) pi: &'static str,
    /// Names of the functions.
    pub(super) unary: fn(Unary) -> &'static str,
    pub(super) binary: fn(Binary) -> &'static str,
    pub(super) power: Power,
    /// Whether arithmetic is exact, so that a literal factor may be read in another order.
    pub(super) exact: bool,
}

/// Literals below this size and above its reciprocal change places with other factors when the text is
/// read back: somewhat tighter than what the constructors allow.
const MOVABLE: f64 = 1e6;

enum Work {
    Text(&'static str),
    Expr(ExprId, Level, Position),
}

/// The text of `root`; `defines` says that its shared name must not stand for it.
pub(super) fn write(
    graph: &Graph,
    names: &Names,
    dialect: &Dialect,
    root: ExprId,
    defines: bool,
) -> String {
    let mut writer = Writer {
        graph,
        names,
        dialect,
        text: String::new(),
        stack: Vec::new(),
    };
    if defines {
        writer.node(root, Level::Sum, Position::Plain);
    } else {
        writer.expr(root, Level::Sum, Position::Plain);
    }
    while let Some(work) = writer.stack.pop() {
        match work {
            Work::Text(text) => writer.text.push_str(text),
            Work::Expr(id, level, position) => writer.expr(id, level, position),
        }
    }
    writer.text
}

struct Writer<'a> {
    graph: &'a Graph,
    names: &'a Names,
    dialect: &'a Dialect,
    text: String,
    /// What is left to write, the next on top.
    stack: Vec<Work>,
}

impl Writer<'_> {
    /// Writes the beginning of an expression and leaves the rest on the stack.
    fn expr(&mut self, id: ExprId, level: Level, position: Position) {
        match self.names.shared(id) {
            Some(name) => self.text.push_str(name),
            None => self.node(id, level, position),
        }
    }

    fn node(&mut self, id: ExprId, level: Level, position: Position) {
        let own = match self.graph.node(id) {
            Node::Number(n) => {
                let value = self.graph.number_value(n);
                let (text, own) = (self.dialect.number)(value, position);
                return self.push_atom(&text, own < level);
            }
            Node::Pi => return self.text.push_str(self.dialect.pi),
            Node::Symbol(symbol) => return self.text.push_str(self.names.symbol(symbol)),
            Node::Unary(Unary::Neg, x) if self.carries_sign(x) => Level::Product,
            Node::Unary(Unary::Neg, _) => Level::Negation,
            Node::Binary(Binary::Add | Binary::Sub, _, _) => Level::Sum,
            Node::Binary(Binary::Mul | Binary::Div, _, _) => Level::Product,
            Node::Binary(Binary::Pow, base, n) => match self.dialect.power {
                Power::Operator(_) => Level::Power,
                Power::Call if self.is_square_of_name(base, n) => Level::Product,
                Power::Call => Level::Atom,
            },
            Node::Unary(..) | Node::Binary(..) => Level::Atom,
        };
        if own < level {
            self.text.push('(');
            self.stack.push(Work::Text(")"));
        }
        match self.graph.node(id) {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => {}
            Node::Unary(Unary::Neg, x) => {
                self.text.push('-');
                let level = if self.carries_sign(x) {
                    Level::Product
                } else {
                    Level::Power
                };
                self.then_expr(x, level);
            }
            Node::Unary(op, x) => {
                self.text.push_str((self.dialect.unary)(op));
                self.text.push('(');
                self.stack.push(Work::Text(")"));
                self.then_expr(x, Level::Sum);
            }
            Node::Binary(op, a, b) => self.binary(op, a, b),
        }
    }

    fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) {
        let (left, sign, right) = match op {
            Binary::Add => (Level::Sum, " + ", Level::Product),
            Binary::Sub => (Level::Sum, " - ", Level::Product),
            Binary::Mul if self.is_absorbed(a, b) => (Level::Product, "*", Level::Product),
            Binary::Mul => (Level::Product, "*", Level::Power),
            Binary::Div => (Level::Product, "/", Level::Power),
            Binary::Pow => match self.dialect.power {
                Power::Operator(sign) => (Level::Atom, sign, Level::Power),
                Power::Call if self.is_square_of_name(a, b) => {
                    self.then_expr(a, Level::Atom);
                    self.stack.push(Work::Text("*"));
                    return self.then_expr(a, Level::Atom);
                }
                Power::Call => return self.call("pow", a, b),
            },
            Binary::Atan2 | Binary::Min | Binary::Max => {
                return self.call((self.dialect.binary)(op), a, b);
            }
        };
        // Signs after an operator are legal and hard to read.
        let right = if self.starts_with_sign(b) {
            Level::Atom
        } else {
            right
        };
        let position = match op {
            Binary::Div => Position::Divisor,
            Binary::Pow => Position::Exponent,
            _ => Position::Plain,
        };
        self.stack.push(Work::Expr(b, right, position));
        self.stack.push(Work::Text(sign));
        self.then_expr(a, left);
    }

    fn call(&mut self, name: &'static str, a: ExprId, b: ExprId) {
        self.text.push_str(name);
        self.text.push('(');
        self.stack.push(Work::Text(")"));
        self.then_expr(b, Level::Sum);
        self.stack.push(Work::Text(", "));
        self.then_expr(a, Level::Sum);
    }

    fn then_expr(&mut self, id: ExprId, level: Level) {
        self.stack.push(Work::Expr(id, level, Position::Plain));
    }

    fn push_atom(&mut self, text: &str, in_parentheses: bool) {
        if in_parentheses {
            self.text.push('(');
        }
        self.text.push_str(text);
        if in_parentheses {
            self.text.push(')');
        }
    }

    /// Whether −x is written `-x` although x is a product: the sign then falls to its first factor.
    fn carries_sign(&self, x: ExprId) -> bool {
        self.first_factor(x).is_some_and(|first| {
            !matches!(
                self.graph.node(first),
                Node::Number(_) | Node::Unary(Unary::Neg, _) | Node::Binary(Binary::Sub, _, _)
            )
        })
    }

    /// Whether c·x is written without parentheses although x is a product: the literal then falls to
    /// its first factor.
    fn is_absorbed(&self, c: ExprId, x: ExprId) -> bool {
        let movable = |c: &Rational| {
            let magnitude = c.to_f64().abs();
            (1.0 / MOVABLE..=MOVABLE).contains(&magnitude)
        };
        if !self.dialect.exact || !self.graph.as_number(c).is_some_and(movable) {
            return false;
        }
        self.first_factor(x).is_some_and(|first| {
            !matches!(
                self.graph.node(first),
                Node::Number(_) | Node::Unary(Unary::Neg, _)
            )
        })
    }

    /// The factor that the text of a product begins with; `None` for other expressions, and for
    /// products with a literal that could not be folded, such as x/0: nothing moves past that.
    fn first_factor(&self, id: ExprId) -> Option<ExprId> {
        let mut first = id;
        while let Node::Binary(Binary::Mul | Binary::Div, a, b) = self.graph.node(first)
            && self.names.shared(first).is_none()
        {
            if self.graph.as_number(b).is_some() {
                return None;
            }
            first = a;
        }
        (first != id).then_some(first)
    }

    fn starts_with_sign(&self, id: ExprId) -> bool {
        let negative = |id| self.graph.as_number(id).is_some_and(Rational::is_negative);
        match self.graph.node(id) {
            _ if self.names.shared(id).is_some() => false,
            Node::Unary(Unary::Neg, _) => true,
            Node::Binary(Binary::Mul, c, _) => negative(c),
            _ => negative(id),
        }
    }

    fn is_square_of_name(&self, base: ExprId, n: ExprId) -> bool {
        let name = self.graph.as_symbol(base).is_some() || self.names.shared(base).is_some();
        name && self.graph.as_number(n).and_then(Rational::as_integer) == Some(2)
    }
}
