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

use super::names::PrintedNames;
use super::number;
use crate::binding::Binding;
use crate::construct::{Comparison, is_movable};
use crate::graph::{ExprId, Graph, Node};
use crate::op::Relation;
use crate::op::{Binary, Unary};
use crate::rational::Rational;

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

/// How a dialect writes what counts under a condition only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// `if(x > y, a, b)`
    If,
    /// `f(x, a)`, a function for each of the two conditions; the operand may be computed in vain.
    Call,
    /// The same with an operand that is computed only if it counts: `f(x, lambda: a)`.
    Lazy,
    /// `Piecewise((a, x > y), (b, True))`
    Piecewise,
}

/// What distinguishes one programming language from another.
pub(super) struct Dialect {
    pub(super) number: fn(&Rational, Position) -> (String, Binding),
    pub(super) pi: &'static str,
    /// Names of the functions.
    pub(super) unary: fn(Unary) -> &'static str,
    pub(super) binary: fn(Binary) -> &'static str,
    pub(super) power: Power,
    pub(super) choice: Choice,
    /// Whether arithmetic is exact, so that a literal factor may be read in another order.
    pub(super) exact: bool,
    /// Words that cannot name a variable, besides the functions: lists with blanks between.
    pub(super) words: &'static [&'static str],
}

impl Dialect {
    /// Whether a word means something in this language.
    pub(super) fn is_reserved(&self, word: &str) -> bool {
        let mut words = self.words.iter().flat_map(|list| list.split_whitespace());
        words.any(|known| known == word)
            || Unary::ALL.iter().any(|&op| (self.unary)(op) == word)
            || Binary::ALL.iter().any(|&op| (self.binary)(op) == word)
    }
}

/// The shortest literal that a compiler reads as the nearest double.
pub(super) fn double(value: &Rational) -> (String, Binding) {
    let (text, single) = number::double(&value.abs());
    match (value.is_negative(), single) {
        (true, true) => (format!("-{text}"), Binding::Sign),
        (true, false) => (format!("-{text}"), Binding::Product),
        (false, true) => (text, Binding::Atom),
        (false, false) => (text, Binding::Product),
    }
}

enum Work {
    Text(&'static str),
    Words(String),
    Expr(ExprId, Binding, Position),
}

/// The text of `root`; `defines` says that its shared name must not stand for it.
pub(super) fn write(
    graph: &Graph,
    names: &PrintedNames,
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
        writer.node(root, Binding::Sum, Position::Plain);
    } else {
        writer.expr(root, Binding::Sum, Position::Plain);
    }
    while let Some(work) = writer.stack.pop() {
        match work {
            Work::Text(text) => writer.text.push_str(text),
            Work::Words(text) => writer.text.push_str(&text),
            Work::Expr(id, least, position) => writer.expr(id, least, position),
        }
    }
    writer.text
}

struct Writer<'a> {
    graph: &'a Graph,
    names: &'a PrintedNames,
    dialect: &'a Dialect,
    text: String,
    /// What is left to write, the next on top.
    stack: Vec<Work>,
}

impl Writer<'_> {
    /// Writes the beginning of an expression and leaves the rest on the stack.
    fn expr(&mut self, id: ExprId, least: Binding, position: Position) {
        match self.names.shared(id) {
            Some(name) => self.text.push_str(name),
            None => self.node(id, least, position),
        }
    }

    fn node(&mut self, id: ExprId, least: Binding, position: Position) {
        let own = match self.graph.node(id) {
            Node::Number(n) => {
                let value = self.graph.number_value(n);
                let (text, own) = (self.dialect.number)(value, position);
                return self.push_atom(&text, own < least);
            }
            Node::Pi => return self.text.push_str(self.dialect.pi),
            Node::Symbol(symbol) => return self.text.push_str(self.names.symbol(symbol)),
            Node::Unary(Unary::Neg, x) if self.carries_sign(x) => Binding::Product,
            Node::Unary(Unary::Neg, _) => Binding::Sign,
            Node::Binary(Binary::Add, a, b) if self.is_choice(a, b) => Binding::Atom,
            Node::Binary(Binary::Add | Binary::Sub, _, _) => Binding::Sum,
            Node::Binary(Binary::Mul | Binary::Div, _, _) => Binding::Product,
            Node::Binary(Binary::Pow, base, n) => match self.dialect.power {
                Power::Operator(_) => Binding::Power,
                Power::Call if self.is_square_of_name(base, n) => Binding::Product,
                Power::Call => Binding::Atom,
            },
            Node::Unary(..) | Node::Binary(..) | Node::Table(..) => Binding::Atom,
        };
        if own < least {
            self.text.push('(');
            self.stack.push(Work::Text(")"));
        }
        match self.graph.node(id) {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => {}
            Node::Unary(Unary::Neg, x) => {
                self.text.push('-');
                let least = if self.carries_sign(x) {
                    Binding::Product
                } else {
                    Binding::Power
                };
                self.then_expr(x, least);
            }
            Node::Unary(op, x) => {
                self.text.push_str((self.dialect.unary)(op));
                self.text.push('(');
                self.stack.push(Work::Text(")"));
                self.then_expr(x, Binding::Sum);
            }
            Node::Table(table, x) => {
                let function = self.graph.table_function(table);
                let (start, end) = match self.dialect.choice {
                    Choice::If => {
                        let start = format!("table(\"{}\", ", function.table.label.file);
                        (start, format!("{})", function.options()))
                    }
                    Choice::Call | Choice::Lazy => {
                        (format!("{}(", function.identifier()), ")".to_owned())
                    }
                    Choice::Piecewise => {
                        let start = format!("Function('{}')(", function.identifier());
                        (start, ")".to_owned())
                    }
                };
                self.text.push_str(&start);
                self.stack.push(Work::Words(end));
                self.then_expr(x, Binding::Sum);
            }
            Node::Binary(Binary::Add, a, b) if self.is_choice(a, b) => {
                let otherwise = self.graph.as_condition(b).map(|(_, _, inside)| inside);
                self.condition(a, otherwise);
            }
            Node::Binary(op, ..) if op.is_condition() => self.condition(id, None),
            Node::Binary(op, a, b) => self.binary(op, a, b),
        }
    }

    /// Whether a sum is one or the other of its terms.
    fn is_choice(&self, a: ExprId, b: ExprId) -> bool {
        let unnamed = |id| self.names.shared(id).is_none();
        matches!(self.dialect.choice, Choice::If | Choice::Piecewise)
            && unnamed(a)
            && unnamed(b)
            && match (self.graph.as_condition(a), self.graph.as_condition(b)) {
                (Some((op, x, _)), Some((other, y, _))) => x == y && op != other,
                _ => false,
            }
    }

    /// What an expression is under its condition, and otherwise: 0 if nothing is said.
    fn condition(&mut self, id: ExprId, otherwise: Option<ExprId>) {
        let Some((op, x, a)) = self.graph.as_condition(id) else {
            return;
        };
        match self.dialect.choice {
            Choice::Call => return self.call((self.dialect.binary)(op), x, a),
            Choice::Lazy => {
                self.text.push_str((self.dialect.binary)(op));
                self.text.push('(');
                self.stack.push(Work::Text(")"));
                self.then_expr(a, Binding::Sum);
                self.stack.push(Work::Text(", lambda: "));
                return self.then_expr(x, Binding::Sum);
            }
            Choice::If | Choice::Piecewise => {}
        }
        // The last first.
        let relation = |writer: &mut Self| {
            let comparison = match writer.names.shared(x).is_none() {
                true => writer.graph.comparison(x),
                false => Comparison::with_zero(x),
            };
            match comparison.right {
                Some(right) => writer.then_expr(right, Binding::Sum),
                None => writer.stack.push(Work::Text("0")),
            }
            writer.stack.push(Work::Text(match comparison.relation(op) {
                Relation::Greater => " > ",
                Relation::Less => " < ",
                Relation::LessOrEqual => " <= ",
                _ => " >= ",
            }));
            writer.then_expr(comparison.left, Binding::Sum);
        };
        let no = |writer: &mut Self| match otherwise {
            Some(b) => writer.then_expr(b, Binding::Sum),
            None => writer.stack.push(Work::Text("0")),
        };
        if self.dialect.choice == Choice::If {
            self.stack.push(Work::Text(")"));
            no(self);
            self.stack.push(Work::Text(", "));
            self.then_expr(a, Binding::Sum);
            self.stack.push(Work::Text(", "));
            relation(self);
            self.text.push_str("if(");
        } else {
            self.stack.push(Work::Text(", True))"));
            no(self);
            self.stack.push(Work::Text("), ("));
            relation(self);
            self.stack.push(Work::Text(", "));
            self.then_expr(a, Binding::Sum);
            self.text.push_str("Piecewise((");
        }
    }

    fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) {
        let (left, sign, right) = match op {
            Binary::Add => (Binding::Sum, " + ", Binding::Product),
            Binary::Sub => (Binding::Sum, " - ", Binding::Product),
            Binary::Mul if self.is_absorbed(a, b) => (Binding::Product, "*", Binding::Product),
            Binary::Mul => (Binding::Product, "*", Binding::Power),
            Binary::Div => (Binding::Product, "/", Binding::Power),
            Binary::Pow => match self.dialect.power {
                Power::Operator(sign) => (Binding::Atom, sign, Binding::Power),
                Power::Call if self.is_square_of_name(a, b) => {
                    self.then_expr(a, Binding::Atom);
                    self.stack.push(Work::Text("*"));
                    return self.then_expr(a, Binding::Atom);
                }
                Power::Call => return self.call("pow", a, b),
            },
            Binary::Atan2 | Binary::Min | Binary::Max | Binary::Above | Binary::NotAbove => {
                return self.call((self.dialect.binary)(op), a, b);
            }
        };
        // Signs after an operator are legal and hard to read.
        let right = if self.starts_with_sign(b) {
            Binding::Atom
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
        self.then_expr(b, Binding::Sum);
        self.stack.push(Work::Text(", "));
        self.then_expr(a, Binding::Sum);
    }

    fn then_expr(&mut self, id: ExprId, least: Binding) {
        self.stack.push(Work::Expr(id, least, Position::Plain));
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
        if !self.dialect.exact || !self.graph.as_number(c).is_some_and(is_movable) {
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
