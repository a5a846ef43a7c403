//! Typst mathematics: `1/2 m (dot(x)^2 + dot(y)^2)`.

use super::names::PrintedNames;
use super::notation::{Head, Index, IndexPart, Notation};
use super::number::{Literal, in_line};
use super::text::function_name;
use super::tokens::{Token, is_single};
use crate::op::Relation;
use crate::op::{Binary, Unary};

pub(super) fn write(tokens: &[Token], names: &PrintedNames) -> String {
    let mut text = String::new();
    // What ends the innermost powers.
    let mut ends: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Minus => text.push('-'),
            Token::Add => text.push_str(" + "),
            Token::Subtract => text.push_str(" - "),
            Token::Juxtapose => text.push(' '),
            Token::Dot => text.push_str(" dot.op "),
            // Unescaped, a slash would stack.
            Token::Slash => text.push_str(r"\/"),
            Token::Comma | Token::Over => text.push_str(", "),
            Token::Open => text.push('('),
            Token::Abs => text.push_str("abs("),
            Token::Root => text.push_str("sqrt("),
            Token::Fraction => text.push_str("frac("),
            Token::Close
            | Token::AbsEnd
            | Token::RootEnd
            | Token::FractionEnd
            | Token::FunctionEnd { bare: false } => text.push(')'),
            Token::Power => {}
            Token::Exponent => {
                let short = is_single(tokens, at)
                    && match &tokens[at + 1] {
                        Token::Name(name) => names.text(*name).chars().all(char::is_alphanumeric),
                        _ => true,
                    };
                text.push_str(if short { "^" } else { "^(" });
                ends.push(if short { "" } else { ")" });
            }
            Token::PowerEnd => text.push_str(ends.pop().unwrap_or("")),
            Token::Number(literal) => text.push_str(&number(literal)),
            Token::SmallFraction(n, d) => text.push_str(&in_line(n, d)),
            Token::Pi => text.push_str("pi"),
            Token::Name(name) => text.push_str(names.text(*name)),
            Token::Function { op, power, bare } => {
                text.push_str(function(*op));
                if *power > 1 {
                    text.push_str(&format!("^{power}"));
                }
                match bare {
                    true => text.push(' '),
                    // Directly behind an exponent the parenthesis would belong to it.
                    false if *power > 1 => text.push_str(" ("),
                    false => text.push('('),
                }
            }
            Token::Function2(op) => {
                text.push_str(function2(*op));
                text.push('(');
            }
            Token::Table(name, order) => {
                text.push_str(&format!("\"{name}\""));
                text.push_str(&"'".repeat(usize::from(*order)));
                text.push('(');
            }
            Token::Bracket => text.push('['),
            Token::Relation(relation) => text.push_str(match relation {
                Relation::Greater => " > ",
                Relation::Less => " < ",
                Relation::LessOrEqual => " <= ",
                Relation::GreaterOrEqual => " >= ",
                Relation::Equal => " = ",
            }),
            Token::BracketEnd => text.push(']'),
            Token::FunctionEnd { bare: true } => {}
        }
    }
    text
}

fn number(literal: &Literal) -> String {
    let power = |exponent| match exponent {
        0.. => format!("10^{exponent}"),
        _ => format!("10^({exponent})"),
    };
    literal.write(str::to_owned, " dot.op ", power, in_line)
}

fn function(op: Unary) -> &'static str {
    match op {
        Unary::Sign => r#"op("sgn")"#,
        _ => function_name(op),
    }
}

fn function2(op: Binary) -> &'static str {
    match op {
        Binary::Atan2 => r#"op("atan2")"#,
        _ => op.name(),
    }
}

pub(super) fn symbol(notation: Notation<'_>) -> String {
    let head = head(notation.head);
    let mut text = match notation.dots() {
        0 => head,
        1 => format!("dot({head})"),
        2 => format!("dot.double({head})"),
        3 => format!("dot.triple({head})"),
        _ => format!("dot.quad({head})"),
    };
    // A prime behind the index would belong to it.
    text.push_str(&notation.primes());
    match notation.index {
        Index::None => {}
        Index::Below(index) | Index::Of(index) => {
            let parts: Vec<String> = IndexPart::all(index)
                .into_iter()
                .map(|part| match part {
                    IndexPart::Number(digits) => digits.to_owned(),
                    IndexPart::Axes(a, b) => format!("{a} {b}"),
                    IndexPart::Head(head) => self::head(head),
                })
                .collect();
            match &*parts {
                [single] if !single.contains(' ') || single.starts_with('"') => {
                    text.push_str(&format!("_{single}"));
                }
                _ => text.push_str(&format!("_({})", parts.join(","))),
            }
        }
    }
    text
}

fn head(head: Head<'_>) -> String {
    match head {
        Head::Letter(letter) => letter.to_string(),
        Head::Greek(greek) => greek.typst.to_owned(),
        Head::Word(word) => format!("\"{}\"", word.replace('\\', r"\\").replace('"', "\\\"")),
    }
}
