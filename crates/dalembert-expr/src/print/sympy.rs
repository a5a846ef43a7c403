//! SymPy expressions, exact; coordinates and speeds are functions of time.

use super::infix::{Dialect, Level, Position, Power};
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use crate::symbol::Symbol;

pub(super) const DIALECT: Dialect = Dialect {
    number,
    pi: "pi",
    unary,
    binary,
    power: Power::Operator("**"),
    exact: true,
};

fn number(value: &Rational, position: Position) -> (String, Level) {
    match value.decimal_parts() {
        // Python itself would divide two integers to a float, or fail.
        (n, d) if d == "1" && position == Position::Divisor => {
            (format!("Integer({n})"), Level::Atom)
        }
        (n, d) if d == "1" && value.is_negative() => (n, Level::Negation),
        (n, d) if d == "1" => (n, Level::Atom),
        (n, d) => (format!("Rational({n}, {d})"), Level::Atom),
    }
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Abs => "Abs",
        other => other.name(),
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Min => "Min",
        Binary::Max => "Max",
        other => other.name(),
    }
}

/// A symbol whose name as a Python identifier is `identifier`.
pub(super) fn symbol(symbol: &Symbol, identifier: &str, time: &str) -> String {
    match symbol.order {
        _ if !symbol.kind.moves() => identifier.to_owned(),
        0 => format!("{identifier}({time})"),
        1 => format!("Derivative({identifier}({time}), {time})"),
        n => format!("Derivative({identifier}({time}), ({time}, {n}))"),
    }
}

/// Names that expressions use, or that mean something else after `from sympy import *`: all of one or
/// two letters, and longer ones that could name a quantity.
pub(super) const RESERVED: &[&str] = &[
    // used here
    "Abs",
    "Derivative",
    "Integer",
    "Max",
    "Min",
    "Rational",
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "exp",
    "log",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    // of one or two letters
    "CC",
    "Ci",
    "E",
    "E1",
    "EX",
    "Ei",
    "Eq",
    "FF",
    "FU",
    "GF",
    "Ge",
    "Gt",
    "I",
    "Id",
    "LC",
    "LM",
    "LT",
    "Le",
    "Li",
    "Lt",
    "N",
    "Ne",
    "O",
    "Or",
    "Q",
    "QQ",
    "RR",
    "S",
    "Si",
    "ZZ",
    "ff",
    "fu",
    "im",
    "jn",
    "li",
    "ln",
    "oo",
    "pi",
    "re",
    "rf",
    "yn",
    // longer
    "arg",
    "beta",
    "cbrt",
    "cot",
    "csc",
    "deg",
    "det",
    "diag",
    "diff",
    "digamma",
    "div",
    "erf",
    "euler",
    "eye",
    "factor",
    "false",
    "Float",
    "floor",
    "frac",
    "Function",
    "gamma",
    "latex",
    "limit",
    "loggamma",
    "Matrix",
    "nan",
    "plot",
    "prime",
    "prod",
    "product",
    "rad",
    "rem",
    "root",
    "roots",
    "sec",
    "series",
    "shape",
    "sinc",
    "solve",
    "Symbol",
    "symbols",
    "trace",
    "trigamma",
    "true",
    "var",
    "zeta",
    "zoo",
];
