//! Expressions as owned values with operators, for building models in Rust.

use crate::graph::{ExprId, Graph, SymbolId};
use crate::op::{Binary, Unary};
use crate::rational::{LiteralError, Rational};
use crate::symbol::{Symbol, SymbolKind};
use rustc_hash::FxHashMap;
use std::fmt;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::sync::Arc;

/// An owned expression, for writing formulas in Rust; cloning is cheap.
///
/// A [`Graph`] needs `&mut` for every operation, which suits algorithms and not formulas. An `Expr`
/// is a formula on its own; [`Graph::lower`] brings it into a graph, sharing what is shared.
///
/// ```
/// use dalembert_expr::{Expr, Graph, SymbolKind};
/// let m = Expr::symbol("m", SymbolKind::Parameter);
/// let x = Expr::symbol("x", SymbolKind::Coordinate);
/// let kinetic = &m / 2 * x.rate().powi(2);
/// assert_eq!(format!("{kinetic:?}"), "m/2*x'^2");
/// let mut g = Graph::new();
/// let kinetic = g.lower(&kinetic);
/// ```
///
/// Numbers are exact, but only inside an `Expr`: in `1 / 2 * m` Rust divides two integers first,
/// which gives 0. Write `m / 2`, or `Expr::from(1) / 2 * m`.
#[derive(Clone)]
pub struct Expr(Arc<Formula>);

struct Formula {
    operation: Operation,
    arguments: Vec<Expr>,
}

#[derive(Clone)]
enum Operation {
    Number(Rational),
    Pi,
    Symbol(Symbol),
    Unary(Unary),
    Binary(Binary),
}

/// Long formulas are deep: the arguments are taken apart one by one, not by recursion.
impl Drop for Formula {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.arguments);
        while let Some(Expr(formula)) = pending.pop() {
            if let Some(mut formula) = Arc::into_inner(formula) {
                pending.append(&mut formula.arguments);
            }
        }
    }
}

impl Expr {
    fn new(operation: Operation, arguments: Vec<Self>) -> Self {
        Self(Arc::new(Formula {
            operation,
            arguments,
        }))
    }

    fn unary(self, op: Unary) -> Self {
        Self::new(Operation::Unary(op), vec![self])
    }

    fn binary(self, op: Binary, other: Self) -> Self {
        Self::new(Operation::Binary(op), vec![self, other])
    }

    /// An exact number.
    pub fn number(value: impl Into<Rational>) -> Self {
        Self::new(Operation::Number(value.into()), Vec::new())
    }

    /// The number π.
    #[must_use]
    pub fn pi() -> Self {
        Self::new(Operation::Pi, Vec::new())
    }

    /// A symbol without primes.
    #[must_use]
    pub fn symbol(name: &str, kind: SymbolKind) -> Self {
        let symbol = Symbol {
            name: name.into(),
            kind,
            order: 0,
        };
        Self::new(Operation::Symbol(symbol), Vec::new())
    }

    /// x' of a coordinate or speed x.
    ///
    /// # Panics
    /// If this is not a coordinate or speed: other expressions are differentiated in a graph.
    #[must_use]
    pub fn rate(&self) -> Self {
        match &self.0.operation {
            Operation::Symbol(symbol) if symbol.kind.moves() && symbol.order < u8::MAX => {
                let symbol = Symbol {
                    order: symbol.order + 1,
                    ..symbol.clone()
                };
                Self::new(Operation::Symbol(symbol), Vec::new())
            }
            _ => panic!("only a coordinate or a speed has a rate of its own"),
        }
    }

    /// This to the power of another.
    #[must_use]
    pub fn pow(&self, exponent: impl Into<Self>) -> Self {
        self.clone().binary(Binary::Pow, exponent.into())
    }

    /// This to an integer power.
    #[must_use]
    pub fn powi(&self, exponent: i64) -> Self {
        self.pow(exponent)
    }

    /// Angle of the point (x, y) where this is y.
    #[must_use]
    pub fn atan2(&self, x: impl Into<Self>) -> Self {
        self.clone().binary(Binary::Atan2, x.into())
    }

    /// The smaller of two.
    #[must_use]
    pub fn min(&self, other: impl Into<Self>) -> Self {
        self.clone().binary(Binary::Min, other.into())
    }

    /// The larger of two.
    #[must_use]
    pub fn max(&self, other: impl Into<Self>) -> Self {
        self.clone().binary(Binary::Max, other.into())
    }
}

macro_rules! functions {
    ($($method:ident $op:ident),*) => { impl Expr { $(
        #[doc = concat!("`", stringify!($method), "` of this.")]
        #[must_use]
        pub fn $method(&self) -> Self {
            self.clone().unary(Unary::$op)
        }
    )* } };
}
functions!(
    sqrt Sqrt, sin Sin, cos Cos, tan Tan, asin Asin, acos Acos, atan Atan, sinh Sinh, cosh Cosh,
    tanh Tanh, exp Exp, log Log, abs Abs, sign Sign
);

impl From<i64> for Expr {
    fn from(n: i64) -> Self {
        Self::number(n)
    }
}

impl From<i32> for Expr {
    fn from(n: i32) -> Self {
        Self::number(n)
    }
}

impl From<i32> for Rational {
    fn from(n: i32) -> Self {
        Self::integer(i64::from(n))
    }
}

/// The shortest decimal that reads back as the double: 0.1 is 1/10.
///
/// ```
/// use dalembert_expr::Expr;
/// assert_eq!(format!("{:?}", Expr::try_from(-0.1)?), "-1/10");
/// assert!(Expr::try_from(f64::NAN).is_err());
/// # Ok::<(), dalembert_expr::LiteralError>(())
/// ```
impl TryFrom<f64> for Expr {
    type Error = LiteralError;

    /// # Errors
    /// The number is infinite or NaN.
    fn try_from(x: f64) -> Result<Self, LiteralError> {
        if !x.is_finite() {
            return Err(LiteralError::OutOfRange);
        }
        let magnitude = Rational::parse_decimal(&format!("{:e}", x.abs()))?;
        Ok(Self::number(if x < 0.0 {
            magnitude.negated()
        } else {
            magnitude
        }))
    }
}

impl From<Rational> for Expr {
    fn from(n: Rational) -> Self {
        Self::number(n)
    }
}

impl From<&Expr> for Expr {
    fn from(expression: &Expr) -> Self {
        expression.clone()
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident),*) => { $(
        impl<T: Into<Expr>> $assign_trait<T> for Expr {
            fn $assign(&mut self, other: T) {
                *self = self.clone().binary(Binary::$trait, other.into());
            }
        }
        impl<T: Into<Expr>> $trait<T> for Expr {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                self.binary(Binary::$trait, other.into())
            }
        }
        impl<T: Into<Expr>> $trait<T> for &Expr {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                self.clone().binary(Binary::$trait, other.into())
            }
        }
        impl $trait<Expr> for i64 {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                Expr::number(self).binary(Binary::$trait, other)
            }
        }
        impl $trait<&Expr> for i64 {
            type Output = Expr;
            fn $method(self, other: &Expr) -> Expr {
                Expr::number(self).binary(Binary::$trait, other.clone())
            }
        }
    )* };
}
operators!(
    Add add AddAssign add_assign, Sub sub SubAssign sub_assign,
    Mul mul MulAssign mul_assign, Div div DivAssign div_assign
);

impl<T: Into<Expr>> Sum<T> for Expr {
    fn sum<I: Iterator<Item = T>>(terms: I) -> Self {
        let sum = terms.map(Into::into).reduce(|sum, term| sum + term);
        sum.unwrap_or_else(|| Self::number(0))
    }
}

impl<T: Into<Expr>> Product<T> for Expr {
    fn product<I: Iterator<Item = T>>(factors: I) -> Self {
        let product = factors.map(Into::into).reduce(|product, x| product * x);
        product.unwrap_or_else(|| Self::number(1))
    }
}

impl Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        self.unary(Unary::Neg)
    }
}

impl Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        self.clone().unary(Unary::Neg)
    }
}

/// As in a model file, cut short if long.
impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = written(self);
        f.write_str(&text)
    }
}

/// How tightly the parts of a formula hold together, loosest first.
const SUM: u8 = 0;
const PRODUCT: u8 = 1;
const FACTOR: u8 = 2;
const POWER: u8 = 3;
const ATOM: u8 = 4;

/// What is still to be written.
enum Piece<'a> {
    /// A formula, in parentheses if it holds together less tightly than this.
    Formula(&'a Expr, u8),
    Text(&'static str),
}

/// The model text of a formula, at most a screenful of it.
fn written(expression: &Expr) -> String {
    const MAX_LENGTH: usize = 1000;
    const MAX_FORMULAS: usize = 2000;
    let mut text = String::new();
    let mut formulas = 0;
    let mut pending = vec![Piece::Formula(expression, SUM)];
    while let Some(piece) = pending.pop() {
        if text.len() > MAX_LENGTH {
            text.push('…');
            break;
        }
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Formula(..) if formulas == MAX_FORMULAS => text.push('…'),
            Piece::Formula(formula, needed) => {
                formulas += 1;
                formula.write_head(needed, &mut text, &mut pending);
            }
        }
    }
    text
}

impl Expr {
    /// Writes what comes first, and puts down the rest in reverse.
    fn write_head<'a>(&'a self, needed: u8, text: &mut String, pending: &mut Vec<Piece<'a>>) {
        use Piece::{Formula, Text};
        let arguments = self.0.arguments.as_slice();
        let (level, pieces) = match (&self.0.operation, arguments) {
            (Operation::Number(n), _) => {
                let level = if n.is_negative() {
                    SUM
                } else if n.is_integer() {
                    ATOM
                } else {
                    PRODUCT
                };
                let number = n.to_string();
                let (open, close) = if level < needed { ("(", ")") } else { ("", "") };
                text.push_str(&format!("{open}{number}{close}"));
                return;
            }
            (Operation::Symbol(symbol), _) => return text.push_str(&symbol.to_string()),
            (Operation::Pi, _) => (ATOM, vec![Text("pi")]),
            (Operation::Unary(Unary::Neg), [x]) => (SUM, vec![Text("-"), Formula(x, FACTOR)]),
            (Operation::Binary(op), [x, y]) => match op {
                Binary::Add => (SUM, vec![Formula(x, SUM), Text(" + "), Formula(y, PRODUCT)]),
                Binary::Sub => (SUM, vec![Formula(x, SUM), Text(" - "), Formula(y, PRODUCT)]),
                Binary::Mul => (
                    PRODUCT,
                    vec![Formula(x, PRODUCT), Text("*"), Formula(y, FACTOR)],
                ),
                Binary::Div => (
                    PRODUCT,
                    vec![Formula(x, PRODUCT), Text("/"), Formula(y, FACTOR)],
                ),
                Binary::Pow => (POWER, vec![Formula(x, ATOM), Text("^"), Formula(y, ATOM)]),
                Binary::Atan2 | Binary::Min | Binary::Max => {
                    let list = vec![
                        Text("("),
                        Formula(x, SUM),
                        Text(", "),
                        Formula(y, SUM),
                        Text(")"),
                    ];
                    text.push_str(op.name());
                    (ATOM, list)
                }
            },
            (Operation::Unary(op), arguments) => {
                text.push_str(op.name());
                let inside = arguments.iter().map(|x| Formula(x, SUM));
                let list = std::iter::once(Text("(")).chain(inside).chain([Text(")")]);
                (ATOM, list.collect())
            }
            (Operation::Binary(_), _) => (ATOM, vec![Text("…")]),
        };
        if level < needed {
            text.push('(');
            pending.push(Text(")"));
        }
        pending.extend(pieces.into_iter().rev());
    }
}

impl Graph {
    /// The symbol that an owned expression is, in this graph; `None` if it is not a symbol.
    pub fn symbol_of(&mut self, expression: &Expr) -> Option<SymbolId> {
        let Operation::Symbol(_) = expression.0.operation else {
            return None;
        };
        let id = self.lower(expression);
        self.as_symbol(id)
    }

    /// Brings an owned expression into this graph through the simplifying constructors.
    pub fn lower(&mut self, expression: &Expr) -> ExprId {
        let mut lowered: FxHashMap<*const Formula, ExprId> = FxHashMap::default();
        let mut pending = vec![expression];
        while let Some(Expr(formula)) = pending.last().copied() {
            let waiting = pending.len();
            let missing = |argument: &&Expr| !lowered.contains_key(&Arc::as_ptr(&argument.0));
            pending.extend(formula.arguments.iter().filter(missing));
            if pending.len() > waiting {
                continue;
            }
            pending.pop();
            let arguments = formula
                .arguments
                .iter()
                .map(|argument| lowered[&Arc::as_ptr(&argument.0)]);
            let id = self.lower_operation(&formula.operation, arguments);
            lowered.insert(Arc::as_ptr(formula), id);
        }
        lowered[&Arc::as_ptr(&expression.0)]
    }

    fn lower_operation(
        &mut self,
        operation: &Operation,
        mut arguments: impl Iterator<Item = ExprId>,
    ) -> ExprId {
        let mut argument = || arguments.next().expect("made with its arguments");
        match operation {
            Operation::Number(n) => self.number(n.clone()),
            Operation::Pi => self.pi(),
            Operation::Symbol(s) => self.derivative_symbol(&s.name, s.kind, s.order),
            Operation::Unary(op) => {
                let a = argument();
                self.unary(*op, a)
            }
            Operation::Binary(op) => {
                let (a, b) = (argument(), argument());
                self.binary(*op, a, b)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expr;
    use crate::graph::Graph;
    use crate::rational::{LiteralError, Rational};
    use crate::symbol::SymbolKind;

    fn names() -> [Expr; 3] {
        ["a", "b", "x"].map(|name| Expr::symbol(name, SymbolKind::Coordinate))
    }

    #[test]
    fn formulas_are_shown_as_in_a_model() {
        let [a, b, x] = names();
        for (formula, text) in [
            (&a - (&b - &x), "a - (b - x)"),
            (&a / (&b * &x), "a/(b*x)"),
            (&a / &b * &x, "a/b*x"),
            (-(&a + 1).powi(2), "-(a + 1)^2"),
            ((-&a).powi(-2), "(-a)^(-2)"),
            (a.pow(b.pow(&x)), "a^(b^x)"),
            (a.pow(&b).pow(&x), "(a^b)^x"),
            (&a - -&b, "a - (-b)"),
            (x.rate().sin() * a.atan2(&b + 1), "sin(x')*atan2(a, b + 1)"),
            (Expr::pi() * Rational::new(1, 2).unwrap(), "pi*(1/2)"),
            (-&a * &b, "(-a)*b"),
        ] {
            assert_eq!(format!("{formula:?}"), text);
        }
    }

    #[test]
    fn long_formulas_are_shown_in_part() {
        let [a, ..] = names();
        let mut sum = a.clone();
        let mut nested = a.clone();
        let mut doubled = a.clone();
        for _ in 0..200_000 {
            sum += &a;
            nested = nested.sin();
        }
        for _ in 0..100 {
            doubled = &doubled * &doubled;
        }
        for formula in [sum, nested, doubled] {
            let text = format!("{formula:?}");
            assert!(text.len() < 1100 && text.contains('…'), "{text}");
        }
    }

    #[test]
    fn assignment_sums_and_products_build_formulas() {
        let [a, b, x] = names();
        let mut formula = a.clone();
        formula += &b;
        formula -= 1;
        formula *= &x;
        formula /= 2_i64;
        assert_eq!(format!("{formula:?}"), "(a + b - 1)*x/2");
        let sum: Expr = [&a, &b, &x].into_iter().sum();
        let product: Expr = [a, b, x].into_iter().product();
        assert_eq!(format!("{sum:?} {product:?}"), "a + b + x a*b*x");
        let empty: [Expr; 0] = [];
        let nothing: [Expr; 2] = [empty.iter().sum(), empty.iter().product()];
        assert_eq!(format!("{nothing:?}"), "[0, 1]");
    }

    #[test]
    fn doubles_become_the_decimals_they_are_written_as() {
        for (x, text) in [
            (0.1, "1/10"),
            (-2.5, "-5/2"),
            (0.0, "0"),
            (-0.0, "0"),
            (1e3, "1000"),
        ] {
            assert_eq!(format!("{:?}", Expr::try_from(x).unwrap()), text);
        }
        for x in [f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            assert!(Expr::try_from(x).is_ok(), "{x}");
        }
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Expr::try_from(x).unwrap_err(), LiteralError::OutOfRange);
        }
    }

    #[test]
    fn symbols_are_found_in_the_graph() {
        let [a, b, x] = names();
        let mut g = Graph::new();
        let rate = g.lower(&x.rate());
        let symbol = g.symbol_of(&x.rate());
        assert!(symbol.is_some() && symbol == g.as_symbol(rate));
        assert_eq!(g.symbol_of(&(a + b)), None);
    }
}
