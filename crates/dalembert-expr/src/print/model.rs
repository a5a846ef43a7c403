//! The language of model files, exact and readable again.

use super::infix::{Dialect, Level, Position, Power};
use super::number::Literal;
use crate::op::{Binary, Unary};
use crate::rational::Rational;

/// Digits of one literal; the reader refuses much longer ones and those outside double precision.
const MAX_DIGITS: usize = 300;

pub(super) const DIALECT: Dialect = Dialect {
    number,
    pi: "pi",
    unary: Unary::name,
    binary: Binary::name,
    power: Power::Operator("^"),
    exact: true,
};

fn number(value: &Rational, _: Position) -> (String, Level) {
    let (magnitude, level) = magnitude(value);
    match level {
        _ if !value.is_negative() => (magnitude, level),
        // −p/q is read as (−p)/q
        Level::Product => (format!("-{magnitude}"), Level::Product),
        _ => (format!("-{magnitude}"), Level::Negation),
    }
}

fn magnitude(value: &Rational) -> (String, Level) {
    let rounded = value.to_f64().abs();
    let readable = value.is_zero() || (rounded > 0.0 && rounded.is_finite());
    match Literal::of(value) {
        Literal::Integer(digits) if readable && digits.len() <= MAX_DIGITS => (digits, Level::Atom),
        Literal::Decimal(digits) => (digits, Level::Atom),
        Literal::Scientific(digits, exponent) if readable && digits.len() <= MAX_DIGITS => {
            (format!("{digits}e{exponent}"), Level::Atom)
        }
        Literal::Fraction(n, d) if n.len().max(d.len()) <= MAX_DIGITS => {
            (format!("{n}/{d}"), Level::Product)
        }
        _ => match value.abs().decimal_parts() {
            (n, d) if d == "1" => (long_integer(&n), Level::Atom),
            (n, d) => (
                format!("{}/{}", long_integer(&n), long_integer(&d)),
                Level::Product,
            ),
        },
    }
}

/// An integer of any length by Horner's rule in powers of 10^300; the reader folds it again.
fn long_integer(digits: &str) -> String {
    let head = match digits.len() % MAX_DIGITS {
        0 => MAX_DIGITS.min(digits.len()),
        rest => rest,
    };
    let (first, mut rest) = digits.split_at(head);
    let mut text = first.to_owned();
    while !rest.is_empty() {
        let chunk;
        (chunk, rest) = rest.split_at(MAX_DIGITS);
        text = format!("({text}*1e{MAX_DIGITS} + {chunk})");
    }
    text
}
