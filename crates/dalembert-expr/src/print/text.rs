//! Unicode text, for terminals and for copying: `((m r² + J) sin²θ + J) φ''`.

use super::names::PrintedNames;
use super::notation::{Head, Index, Notation};
use super::number::{Literal, in_line, vulgar};
use super::tokens::{Token, is_single};
use crate::op::Relation;
use crate::op::Unary;

pub(super) fn write(tokens: &[Token], names: &PrintedNames) -> String {
    let mut text = String::new();
    // What ends the innermost parts: a parenthesis, or nothing.
    let mut ends = Vec::new();
    let mut skip_to = 0;
    let mut absolute_depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        if at < skip_to {
            continue;
        }
        match token {
            Token::Minus => text.push('-'),
            Token::Add => text.push_str(" + "),
            Token::Subtract => text.push_str(" - "),
            Token::Juxtapose => text.push(' '),
            Token::Dot => text.push('·'),
            Token::Slash | Token::Over => text.push('/'),
            Token::Comma => text.push_str(", "),
            Token::Open => text.push('('),
            Token::Close => text.push(')'),
            // Bars inside bars do not pair up by eye.
            Token::Abs => {
                absolute_depth += 1;
                text.push_str(if absolute_depth > 1 { "abs(" } else { "|" });
            }
            Token::AbsEnd => {
                text.push(if absolute_depth > 1 { ')' } else { '|' });
                absolute_depth -= 1;
            }
            Token::Root => {
                text.push('√');
                begin(&mut text, &mut ends, is_single(tokens, at));
            }
            Token::Fraction | Token::FractionEnd | Token::Power => {}
            Token::Exponent => match raised_integer(&tokens[at + 1..]) {
                Some((raised, length)) => {
                    text.push_str(&raised);
                    skip_to = at + 1 + length;
                    ends.push("");
                }
                None => {
                    // Whose prime would it be in x^y'?
                    let primed = match &tokens[at + 1] {
                        Token::Name(name) => names.text(*name).ends_with('\''),
                        _ => false,
                    };
                    text.push('^');
                    begin(&mut text, &mut ends, is_single(tokens, at) && !primed);
                }
            },
            Token::RootEnd | Token::PowerEnd => text.push_str(ends.pop().unwrap_or("")),
            Token::Number(literal) => text.push_str(&number(literal)),
            Token::SmallFraction(n, d) => match vulgar(n, d) {
                Some(c) => text.push(c),
                None => text.push_str(&in_line(n, d)),
            },
            Token::Pi => text.push('π'),
            Token::Name(name) => text.push_str(names.text(*name)),
            Token::Function { op, power, bare } => {
                text.push_str(function_name(*op));
                if *power > 1 {
                    text.push_str(&raised(&power.to_string()));
                }
                match bare {
                    false => text.push('('),
                    true if *power > 1 => {}
                    true => text.push(' '),
                }
            }
            Token::Function2(op) => {
                text.push_str(op.name());
                text.push('(');
            }
            Token::Table(name, order) => {
                text.push_str(name);
                text.push_str(&"'".repeat(usize::from(*order)));
                text.push('(');
            }
            Token::Bracket => text.push('['),
            Token::Relation(relation) => text.push_str(match relation {
                Relation::Greater => " > ",
                Relation::Less => " < ",
                Relation::LessOrEqual => " ≤ ",
                Relation::GreaterOrEqual => " ≥ ",
                Relation::Equal => " = ",
            }),
            Token::BracketEnd => text.push(']'),
            Token::FunctionEnd { bare: false } => text.push(')'),
            Token::FunctionEnd { bare: true } => {}
        }
    }
    text
}

fn begin(text: &mut String, ends: &mut Vec<&'static str>, single: bool) {
    if !single {
        text.push('(');
    }
    ends.push(if single { "" } else { ")" });
}

/// A whole exponent that is an integer, as superscripts, and its number of tokens.
fn raised_integer(tokens: &[Token]) -> Option<(String, usize)> {
    match tokens {
        [Token::Number(Literal::Integer(n)), Token::PowerEnd, ..] => Some((raised(n), 1)),
        [
            Token::Minus,
            Token::Number(Literal::Integer(n)),
            Token::PowerEnd,
            ..,
        ] => Some((format!("⁻{}", raised(n)), 2)),
        _ => None,
    }
}

/// `digits`, maybe with a minus, as superscripts.
fn raised(digits: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]);
    digits.chars().map(digit).collect()
}

fn number(literal: &Literal) -> String {
    let power = |exponent: i64| format!("10{}", raised(&exponent.to_string()));
    literal.write(str::to_owned, "·", power, in_line)
}

/// Names of functions as mathematicians write them.
pub(super) fn function_name(op: Unary) -> &'static str {
    match op {
        Unary::Asin => "arcsin",
        Unary::Acos => "arccos",
        Unary::Atan => "arctan",
        Unary::Log => "ln",
        Unary::Sign => "sgn",
        Unary::Neg
        | Unary::Sqrt
        | Unary::Sin
        | Unary::Cos
        | Unary::Tan
        | Unary::Sinh
        | Unary::Cosh
        | Unary::Tanh
        | Unary::Exp
        | Unary::Abs => op.name(),
    }
}

pub(super) fn symbol(notation: Notation<'_>) -> String {
    let mut text = String::new();
    let mut primes = notation.primes();
    match notation.head {
        Head::Letter(letter) => text.push(letter),
        Head::Greek(greek) => text.push(greek.letter),
        Head::Word(word) => text.push_str(word),
    }
    match (notation.head, notation.dots()) {
        (_, 0) => {}
        // No dot spans a word.
        (Head::Word(_), dots) => primes = "'".repeat(dots),
        (_, 1) => text.push('\u{307}'),
        (_, 2) => text.push('\u{308}'),
        (_, 3) => text.push('\u{20db}'),
        (_, _) => text.push('\u{20dc}'),
    }
    match notation.index {
        Index::None => {}
        Index::Below(index) if index.bytes().all(|b| b.is_ascii_digit()) => {
            let lowered = |b: u8| char::from_u32(0x2080 + u32::from(b - b'0')).unwrap_or('_');
            text.extend(index.bytes().map(lowered));
        }
        Index::Below(index) => {
            text.push('_');
            match Head::of(index) {
                Head::Greek(greek) => text.push(greek.letter),
                Head::Letter(_) | Head::Word(_) => text.push_str(index),
            }
        }
        Index::Of(owner) => text.push_str(&format!("({owner})")),
    }
    text + &primes
}
