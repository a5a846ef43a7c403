//! Python expressions in floats, with the `math` module.
//!
//! A negative base with a fractional exponent gives Python's complex number, not NaN.

use super::infix::{Choice, Dialect, Position, Power, double};
use crate::binding::Binding;
use crate::op::{Binary, Unary};
use crate::rational::Rational;

/// What emitted expressions use beyond `math`: unlike `min` and `max`, these hand a NaN on.
pub const PYTHON_PRELUDE: &str = "\
import math


def dalembert_sign(x):
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x


def dalembert_min(x, y):
    return x if x < y or x != x else y


def dalembert_max(x, y):
    return x if x > y or x != x else y


def dalembert_above(x, value):
    return value() if x > 0.0 else 0.0 if x <= 0.0 else x


def dalembert_not_above(x, value):
    return value() if x <= 0.0 else 0.0 if x > 0.0 else x
";

pub(super) const DIALECT: Dialect = Dialect {
    number,
    pi: "math.pi",
    unary,
    binary,
    power: Power::Operator("**"),
    choice: Choice::Lazy,
    exact: false,
    words: &[KEYWORDS, "math"],
};

fn number(value: &Rational, position: Position) -> (String, Binding) {
    // `x**2` computes what `x**2.0` does and reads better.
    if let (Position::Exponent, Some(n @ 0..)) = (position, value.as_integer()) {
        return (n.to_string(), Binding::Atom);
    }
    double(value)
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Neg => "-",
        Unary::Sqrt => "math.sqrt",
        Unary::Sin => "math.sin",
        Unary::Cos => "math.cos",
        Unary::Tan => "math.tan",
        Unary::Asin => "math.asin",
        Unary::Acos => "math.acos",
        Unary::Atan => "math.atan",
        Unary::Sinh => "math.sinh",
        Unary::Cosh => "math.cosh",
        Unary::Tanh => "math.tanh",
        Unary::Exp => "math.exp",
        Unary::Log => "math.log",
        Unary::Abs => "abs",
        Unary::Sign => "dalembert_sign",
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Atan2 => "math.atan2",
        Binary::Min => "dalembert_min",
        Binary::Max => "dalembert_max",
        Binary::Above => "dalembert_above",
        Binary::NotAbove => "dalembert_not_above",
        other => other.name(),
    }
}

/// Keywords, which cannot name a variable in Python or SymPy.
pub(super) const KEYWORDS: &str = "
    False None True and as assert async await break class continue def del elif else except finally for
    from global if import in is lambda nonlocal not or pass raise return try while with yield
";
