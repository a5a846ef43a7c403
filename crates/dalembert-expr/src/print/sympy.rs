//! SymPy expressions, exact; coordinates and speeds are functions of time.

use super::infix::{Choice, Dialect, Position, Power};
use super::python;
use crate::binding::Binding;
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use crate::symbol::Symbol;

pub(super) const DIALECT: Dialect = Dialect {
    number,
    pi: "pi",
    unary,
    binary,
    power: Power::Operator("**"),
    choice: Choice::Piecewise,
    exact: true,
    words: &[python::KEYWORDS, WORDS],
};

fn number(value: &Rational, position: Position) -> (String, Binding) {
    match value.decimal_parts() {
        // Python itself would divide two integers to a float, or fail.
        (n, d) if d == "1" && position == Position::Divisor => {
            (format!("Integer({n})"), Binding::Atom)
        }
        (n, d) if d == "1" && value.is_negative() => (n, Binding::Sign),
        (n, d) if d == "1" => (n, Binding::Atom),
        (n, d) => (format!("Rational({n}, {d})"), Binding::Atom),
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
        Binary::Above | Binary::NotAbove => "Piecewise",
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

/// Other names that expressions use, and those that mean something else after `from sympy import *`: all of one or
/// two letters, and longer ones that could name a quantity.
const WORDS: &str = "
    Derivative Integer Rational
    CC Ci E E1 EX Ei Eq FF FU GF Ge Gt I Id LC LM LT Le Li Lt N Ne O Or Q QQ RR S Si ZZ ff fu im jn li
    ln oo pi re rf yn
    arg beta cbrt cot csc deg det diag diff digamma div erf euler eye factor false Float floor frac
    Function gamma latex limit loggamma Matrix nan plot prime prod product rad rem root roots sec series
    shape sinc solve Symbol symbols trace trigamma true var zeta zoo
";
