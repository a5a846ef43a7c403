//! The language of model files, exact and readable again.

use super::infix::{Dialect, Level, Position, Power};
use super::number::Literal;
use crate::op::{Binary, Unary};
use crate::rational::Rational;

/// Digits of one literal; the reader refuses much longer ones and those outside double precision.
const MAX_DIGITS: usize = 300;

/// Zeros at the end of a long integer that are written as a power of ten.
const MIN_ZEROS: usize = 6;

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
        Literal::Decimal(digits) if readable && digits.len() <= MAX_DIGITS => (digits, Level::Atom),
        Literal::Scientific(digits, exponent) if readable && digits.len() <= MAX_DIGITS => {
            (format!("{digits}e{exponent}"), Level::Atom)
        }
        Literal::Fraction(n, d) if n.len().max(d.len()) <= MAX_DIGITS => {
            (format!("{n}/{d}"), Level::Product)
        }
        _ => match value.abs().decimal_parts() {
            (n, d) if d == "1" => {
                round_integer(&n).unwrap_or_else(|| (long_integer(&n), Level::Atom))
            }
            (n, d) => {
                let part = |digits: &str| match round_integer(digits) {
                    Some((text, Level::Product)) => format!("({text})"),
                    Some((text, _)) => text,
                    None => long_integer(digits),
                };
                (format!("{}/{}", part(&n), part(&d)), Level::Product)
            }
        },
    }
}

/// 10^400 or 25*10^400, if there are few digits before the zeros.
fn round_integer(digits: &str) -> Option<(String, Level)> {
    let significant = digits.trim_end_matches('0');
    let zeros = digits.len() - significant.len();
    match significant {
        _ if zeros < MIN_ZEROS || significant.len() > MAX_DIGITS => None,
        "1" => Some((format!("10^{zeros}"), Level::Power)),
        _ => Some((format!("{significant}*10^{zeros}"), Level::Product)),
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
