//! Expressions as owned values with operators, for building models in Rust.
//!
//! A [`Graph`] needs `&mut` for every operation, which suits algorithms and not formulas. An [`Expr`] is
//! a formula on its own; [`Graph::lower`] brings it into a graph, sharing what is shared.
//!
//! ```
//! use dalembert_expr::{Expr, Graph, SymbolKind};
//! let m = Expr::symbol("m", SymbolKind::Parameter);
//! let x = Expr::symbol("x", SymbolKind::Coordinate);
//! let kinetic = &m / 2 * x.rate().powi(2);
//! let mut g = Graph::new();
//! let kinetic = g.lower(&kinetic);
//! ```

use crate::graph::{ExprId, Graph};
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use crate::symbol::{Symbol, SymbolKind};
use rustc_hash::FxHashMap;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

/// An owned expression; cloning is cheap.
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
    ($($trait:ident $method:ident),*) => { $(
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
operators!(Add add, Sub sub, Mul mul, Div div);

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

impl Graph {
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
