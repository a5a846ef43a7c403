//! The language of model files, exact and readable again.

use super::infix::{Choice, Dialect, Position, Power};
use super::number::Literal;
use crate::binding::Binding;
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
    choice: Choice::If,
    exact: true,
    words: &[],
};

fn number(value: &Rational, _: Position) -> (String, Binding) {
    let (magnitude, binding) = magnitude(value);
    match binding {
        _ if !value.is_negative() => (magnitude, binding),
        // −p/q is read as (−p)/q
        Binding::Product => (format!("-{magnitude}"), Binding::Product),
        _ => (format!("-{magnitude}"), Binding::Sign),
    }
}

fn magnitude(value: &Rational) -> (String, Binding) {
    let rounded = value.to_f64().abs();
    let readable = value.is_zero() || (rounded > 0.0 && rounded.is_finite());
    match Literal::of(value) {
        Literal::Integer(digits) if readable && digits.len() <= MAX_DIGITS => {
            (digits, Binding::Atom)
        }
        Literal::Decimal(digits) if readable && digits.len() <= MAX_DIGITS => {
            (digits, Binding::Atom)
        }
        Literal::Scientific(digits, exponent) if readable && digits.len() <= MAX_DIGITS => {
            (format!("{digits}e{exponent}"), Binding::Atom)
        }
        Literal::Fraction(n, d) if n.len().max(d.len()) <= MAX_DIGITS => {
            (format!("{n}/{d}"), Binding::Product)
        }
        _ => match value.abs().decimal_parts() {
            (n, d) if d == "1" => {
                round_integer(&n).unwrap_or_else(|| (long_integer(&n), Binding::Atom))
            }
            (n, d) => {
                let part = |digits: &str| match round_integer(digits) {
                    Some((text, Binding::Product)) => format!("({text})"),
                    Some((text, _)) => text,
                    None => long_integer(digits),
                };
                (format!("{}/{}", part(&n), part(&d)), Binding::Product)
            }
        },
    }
}

/// 10^400 or 25*10^400, if there are few digits before the zeros.
fn round_integer(digits: &str) -> Option<(String, Binding)> {
    let significant = digits.trim_end_matches('0');
    let zeros = digits.len() - significant.len();
    match significant {
        _ if zeros < MIN_ZEROS || significant.len() > MAX_DIGITS => None,
        "1" => Some((format!("10^{zeros}"), Binding::Power)),
        _ => Some((format!("{significant}*10^{zeros}"), Binding::Product)),
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
