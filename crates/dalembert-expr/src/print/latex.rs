//! LaTeX mathematics, as one would type it: `\tfrac{1}{2} m (\dot x^2 + \dot y^2)`.

use super::names::PrintedNames;
use super::notation::{Head, Index, IndexPart, Notation};
use super::number::{Literal, in_line};
use super::text::function_name;
use super::tokens::{Token, is_single};
use crate::op::Relation;
use crate::op::{Binary, Unary};

/// A fraction of longer numbers is set in full size.
const TEXT_FRACTION_DIGITS: usize = 3;

pub(super) fn write(tokens: &[Token], names: &PrintedNames) -> String {
    let tall = tall_parts(tokens);
    let mut text = String::new();
    // What ends the innermost parts.
    let mut ends: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Minus => text.push('-'),
            Token::Add => text.push_str(" + "),
            Token::Subtract => text.push_str(" - "),
            Token::Juxtapose if needs_room(tokens, at, names) => text.push_str(r" \, "),
            Token::Juxtapose => text.push(' '),
            Token::Dot => text.push_str(r" \cdot "),
            Token::Slash => text.push('/'),
            Token::Comma => text.push_str(", "),
            Token::Open => open(&mut text, &mut ends, tall[at]),
            Token::Abs => text.push_str(r"\left|"),
            Token::AbsEnd => text.push_str(r"\right|"),
            Token::Root => text.push_str(r"\sqrt{"),
            Token::Fraction => text.push_str(r"\frac{"),
            Token::Over => text.push_str("}{"),
            Token::RootEnd | Token::FractionEnd => text.push('}'),
            // A second exponent behind x^{(5)} would be an error.
            Token::Power if is_raised(&tokens[at + 1], names) => text.push('{'),
            Token::Power => {}
            Token::Exponent => {
                if at > 0 && is_raised(&tokens[at - 1], names) {
                    text.push('}');
                }
                let short = is_single(tokens, at)
                    && match &tokens[at + 1] {
                        Token::Number(literal) => number(literal).len() == 1,
                        Token::Name(name) => names.text(*name).chars().count() == 1,
                        _ => false,
                    };
                text.push_str(if short { "^" } else { "^{" });
                ends.push(if short { "" } else { "}" });
            }
            Token::Close | Token::PowerEnd | Token::FunctionEnd { bare: false } => {
                text.push_str(ends.pop().unwrap_or(""));
            }
            Token::Number(literal) => text.push_str(&number(literal)),
            Token::SmallFraction(n, d) => {
                let small = n.len().max(d.len()) <= TEXT_FRACTION_DIGITS;
                let command = if small { r"\tfrac" } else { r"\frac" };
                text.push_str(&format!("{command}{{{n}}}{{{d}}}"));
            }
            Token::Pi => push_letters(&mut text, r"\pi"),
            Token::Name(name) => push_letters(&mut text, names.text(*name)),
            Token::Function { op, power, bare } => {
                text.push_str(function(*op));
                match power {
                    1 => {}
                    2..10 => text.push_str(&format!("^{power}")),
                    _ => text.push_str(&format!("^{{{power}}}")),
                }
                if !bare {
                    open(&mut text, &mut ends, tall[at]);
                }
            }
            Token::Function2(op) => {
                text.push_str(function2(*op));
                open(&mut text, &mut ends, tall[at]);
            }
            Token::Table(name, order) => {
                text.push_str(&format!(r"\mathrm{{{}}}", escaped(name)));
                text.push_str(&"'".repeat(usize::from(*order)));
                open(&mut text, &mut ends, tall[at]);
            }
            Token::Bracket => text.push_str(r"\left["),
            Token::Relation(relation) => text.push_str(match relation {
                Relation::Greater => " > ",
                Relation::Less => " < ",
                Relation::LessOrEqual => r" \le ",
                Relation::GreaterOrEqual => r" \ge ",
                Relation::Equal => " = ",
            }),
            Token::BracketEnd => text.push_str(r"\right]"),
            Token::FunctionEnd { bare: true } => {}
        }
    }
    text
}

/// Whether two factors would run together: words.
fn needs_room(tokens: &[Token], at: usize, names: &PrintedNames) -> bool {
    let is_word = |token: Option<&Token>| match token {
        Some(Token::Name(name)) => {
            let name = names.text(*name);
            name.starts_with(r"\mathrm") || name.contains(r"dot{\mathrm")
        }
        _ => false,
    };
    let next = match tokens.get(at + 1) {
        Some(Token::Power) => tokens.get(at + 2),
        other => other,
    };
    is_word(next) || (at > 0 && is_word(tokens.get(at - 1)))
}

/// Whether a name ends with an exponent.
fn is_raised(token: &Token, names: &PrintedNames) -> bool {
    matches!(token, Token::Name(name) if names.text(*name).ends_with(")}"))
}

fn open(text: &mut String, ends: &mut Vec<&'static str>, tall: bool) {
    text.push_str(if tall { r"\left(" } else { "(" });
    ends.push(if tall { r"\right)" } else { ")" });
}

/// Which opening marks enclose something taller than a line, so that parentheses must grow.
fn tall_parts(tokens: &[Token]) -> Vec<bool> {
    let mut tall = vec![false; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open
            | Token::Abs
            | Token::Function { .. }
            | Token::Function2(_)
            | Token::Table(..) => {
                open.push(at);
            }
            Token::Close | Token::AbsEnd | Token::FunctionEnd { .. } => {
                let inner = open.pop();
                if let (Some(inner), Some(&outer)) = (inner, open.last()) {
                    tall[outer] |= tall[inner];
                }
            }
            Token::Fraction | Token::Root => {
                if let Some(&inner) = open.last() {
                    tall[inner] = true;
                }
            }
            _ => {}
        }
    }
    tall
}

/// Appends a name; a command before it must not swallow its letters.
fn push_letters(text: &mut String, name: &str) {
    let starts_with_letter = name.starts_with(char::is_alphabetic);
    let word = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let after_command = word.len() < text.len() && word.ends_with('\\');
    let after_power = text.ends_with(|c: char| c.is_ascii_digit());
    if starts_with_letter && (after_command || after_power) {
        text.push(' ');
    }
    text.push_str(name);
}

fn number(literal: &Literal) -> String {
    let power = |exponent| match exponent {
        0..10 => format!("10^{exponent}"),
        _ => format!("10^{{{exponent}}}"),
    };
    literal.write(str::to_owned, r" \cdot ", power, in_line)
}

fn function(op: Unary) -> &'static str {
    match op {
        Unary::Sin => r"\sin",
        Unary::Cos => r"\cos",
        Unary::Tan => r"\tan",
        Unary::Asin => r"\arcsin",
        Unary::Acos => r"\arccos",
        Unary::Atan => r"\arctan",
        Unary::Sinh => r"\sinh",
        Unary::Cosh => r"\cosh",
        Unary::Tanh => r"\tanh",
        Unary::Exp => r"\exp",
        Unary::Log => r"\ln",
        Unary::Sign => r"\operatorname{sgn}",
        Unary::Neg | Unary::Sqrt | Unary::Abs => function_name(op),
    }
}

fn function2(op: Binary) -> &'static str {
    match op {
        Binary::Atan2 => r"\operatorname{atan2}",
        Binary::Min => r"\min",
        Binary::Max => r"\max",
        _ => op.name(),
    }
}

pub(super) fn symbol(notation: Notation<'_>) -> String {
    let head = head(notation.head);
    let accent = match notation.dots() {
        0 => "",
        1 => r"\dot",
        2 => r"\ddot",
        3 => r"\dddot",
        _ => r"\ddddot",
    };
    let mut text = match (accent, notation.head) {
        ("", _) => head,
        (_, Head::Letter(_)) => format!("{accent} {head}"),
        (_, Head::Greek(_)) if head.starts_with('\\') && !head.ends_with('}') => {
            format!("{accent}{head}")
        }
        _ => format!("{accent}{{{head}}}"),
    };
    match notation.index {
        Index::None => {}
        Index::Below(index) | Index::Of(index) => {
            let index = IndexPart::all(index)
                .into_iter()
                .map(|part| match part {
                    IndexPart::Number(digits) => digits.to_owned(),
                    IndexPart::Axes(a, b) => format!("{a}{b}"),
                    IndexPart::Head(head) => self::head(head),
                })
                .collect::<Vec<_>>()
                .join(",");
            let command = index.strip_prefix('\\').unwrap_or("\\");
            let short = index.chars().count() == 1 || command.chars().all(char::is_alphabetic);
            text.push_str(&if short {
                format!("_{index}")
            } else {
                format!("_{{{index}}}")
            });
        }
    }
    match notation.counted() {
        Some(order) => format!("{text}^{{({order})}}"),
        None => text + &notation.primes(),
    }
}

fn head(head: Head<'_>) -> String {
    match head {
        Head::Letter(letter) => letter.to_string(),
        Head::Greek(greek) => greek.latex.to_owned(),
        Head::Word(word) => format!(r"\mathrm{{{}}}", escaped(word)),
    }
}

/// `text` without anything that LaTeX takes for a command.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '_' | '&' | '%' | '$' | '#' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped.push_str(r"\backslash{}"),
            '^' => escaped.push_str(r"\wedge{}"),
            '~' => escaped.push_str(r"\sim{}"),
            ' ' => escaped.push_str(r"\ "),
            c => escaped.push(c),
        }
    }
    escaped
}
