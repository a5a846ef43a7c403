//! Presentation MathML Core, which browsers show without help.

use super::names::PrintedNames;
use super::notation::{Head, Index, IndexPart, Notation};
use super::number::Literal;
use super::text::function_name;
use super::tokens::{Token, is_function, is_single};
use crate::op::Relation;

/// Invisible product sign; the second leaves room, and so does the third between words.
const TIMES: &str = "<mo>&#x2062;</mo>";
const TIMES_APART: &str = "<mo rspace=\"0.167em\">&#x2062;</mo>";
const TIMES_WORDS: &str = "<mo>&#x2062;</mo><mspace width=\"0.167em\"/>";
/// Invisible application of a function to what follows in parentheses; the second leaves room before a bare argument.
const APPLY_TO: &str = "<mo>&#x2061;</mo><mrow><mo>(</mo>";
const APPLY_APART: &str = "<mo rspace=\"0.167em\">&#x2061;</mo>";
const MINUS: &str = "<mo>−</mo>";

/// A printed fragment as a document element, set in a line or as a block of its own.
#[must_use]
pub fn mathml_element(fragment: &str, block: bool) -> String {
    let display = if block { " display=\"block\"" } else { "" };
    format!("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"{display}>{fragment}</math>")
}

pub(super) fn write(tokens: &[Token], names: &PrintedNames) -> String {
    let mut text = String::from("<mrow>");
    // What ends the innermost parts.
    let mut ends: Vec<&str> = Vec::new();
    let mut powers: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // Behind a parenthesis a browser would take it for a difference.
            Token::Minus => text.push_str("<mo form=\"prefix\">−</mo>"),
            Token::Subtract => text.push_str(MINUS),
            Token::Add => text.push_str("<mo>+</mo>"),
            Token::Juxtapose => {
                let next = match tokens.get(at + 1) {
                    Some(Token::Power) => tokens.get(at + 2),
                    next => next,
                };
                let words = is_word(next, names) || is_word(last_name(&tokens[..at]), names);
                text.push_str(match is_function(tokens.get(at + 1)) {
                    true => TIMES_APART,
                    false if words => TIMES_WORDS,
                    false => TIMES,
                });
            }
            Token::Dot => text.push_str("<mo>·</mo>"),
            Token::Slash => text.push_str("<mo>/</mo>"),
            Token::Comma => text.push_str("<mo>,</mo>"),
            Token::Open => text.push_str("<mrow><mo>(</mo>"),
            Token::Close => text.push_str("<mo>)</mo></mrow>"),
            Token::Abs => text.push_str("<mrow><mo>|</mo><mrow>"),
            Token::AbsEnd => text.push_str("</mrow><mo>|</mo></mrow>"),
            // A root takes any number of children.
            Token::Root => text.push_str("<msqrt>"),
            Token::RootEnd => text.push_str("</msqrt>"),
            Token::Fraction => begin(&mut text, &mut ends, "<mfrac>", is_single(tokens, at)),
            // A base is one element already, in parentheses if need be, unless it is a call.
            Token::Power if indexed(&tokens[at + 1], names).is_some() => {
                text.push_str("<msubsup>");
                powers.push("</msubsup>");
                ends.push("");
            }
            Token::Power => {
                let single = !matches!(tokens[at + 1], Token::Function2(_) | Token::Table(..));
                powers.push("</msup>");
                begin(&mut text, &mut ends, "<msup>", single);
            }
            Token::Over | Token::Exponent => {
                text.push_str(ends.pop().unwrap_or(""));
                begin(&mut text, &mut ends, "", is_single(tokens, at));
            }
            Token::FractionEnd => {
                text.push_str(ends.pop().unwrap_or(""));
                text.push_str("</mfrac>");
            }
            Token::PowerEnd => {
                text.push_str(ends.pop().unwrap_or(""));
                text.push_str(powers.pop().unwrap_or(""));
            }
            Token::Number(literal) => text.push_str(&number(literal)),
            Token::SmallFraction(n, d) => text.push_str(&fraction(n, d)),
            Token::Pi => text.push_str("<mi>π</mi>"),
            Token::Name(name) => {
                let base = at > 0 && tokens[at - 1] == Token::Power;
                let parts = indexed(token, names).filter(|_| base);
                text.push_str(parts.unwrap_or_else(|| names.text(*name)));
            }
            Token::Function { op, power, bare } => {
                let name = raised(
                    function_name(*op),
                    (*power != 1).then(|| format!("<mn>{power}</mn>")),
                );
                text.push_str(&name);
                text.push_str(if *bare { APPLY_APART } else { APPLY_TO });
            }
            Token::Function2(op) => {
                text.push_str(&raised(op.name(), None));
                text.push_str(APPLY_TO);
            }
            Token::FunctionEnd { bare: false } => text.push_str("<mo>)</mo></mrow>"),
            Token::Table(name, order) => {
                let primes = "′".repeat(usize::from(*order));
                let primes = (*order != 0).then(|| format!("<mo>{primes}</mo>"));
                text.push_str(&raised(name, primes));
                text.push_str(APPLY_TO);
            }
            Token::Bracket => text.push_str("<mrow><mo>[</mo>"),
            Token::Relation(relation) => text.push_str(sign_of(*relation)),
            Token::BracketEnd => text.push_str("<mo>]</mo></mrow>"),
            Token::FunctionEnd { bare: true } => {}
        }
    }
    text + "</mrow>"
}

/// The name of a function, maybe with something raised.
fn raised(name: &str, above: Option<String>) -> String {
    match above {
        None => format!("<mi>{name}</mi>"),
        Some(above) => format!("<msup><mi>{name}</mi>{above}</msup>"),
    }
}

fn sign_of(relation: Relation) -> &'static str {
    match relation {
        Relation::Greater => "<mo>&gt;</mo>",
        Relation::Less => "<mo>&lt;</mo>",
        Relation::LessOrEqual => "<mo>≤</mo>",
        Relation::GreaterOrEqual => "<mo>≥</mo>",
        Relation::Equal => "<mo>=</mo>",
    }
}

/// Symbol and index, without the element around them.
fn indexed<'a>(token: &Token, names: &'a PrintedNames) -> Option<&'a str> {
    let Token::Name(name) = token else {
        return None;
    };
    let name = names.text(*name);
    name.strip_prefix("<msub>")?.strip_suffix("</msub>")
}

/// The name that ends before a product sign, maybe with an exponent.
fn last_name(tokens: &[Token]) -> Option<&Token> {
    match tokens {
        [.., name, Token::Exponent, _, Token::PowerEnd] => Some(name),
        _ => tokens.last(),
    }
}

/// Whether a mark is a name of more than one letter.
fn is_word(token: Option<&Token>, names: &PrintedNames) -> bool {
    let Some(Token::Name(name)) = token else {
        return false;
    };
    let letters = names
        .text(*name)
        .split_once("<mi>")
        .map_or("", |(_, rest)| rest);
    letters
        .split('<')
        .next()
        .is_some_and(|word| word.chars().count() > 1)
}

/// Opens an element, if any, and a row for its next child unless that is one element.
fn begin(text: &mut String, ends: &mut Vec<&'static str>, element: &str, single: bool) {
    text.push_str(element);
    if !single {
        text.push_str("<mrow>");
    }
    ends.push(if single { "" } else { "</mrow>" });
}

fn number(literal: &Literal) -> String {
    let digits = |digits: &str| format!("<mn>{digits}</mn>");
    let power = |exponent: i64| {
        let digits = exponent.unsigned_abs();
        let exponent = match exponent {
            0.. => format!("<mn>{digits}</mn>"),
            _ => format!("<mrow>{MINUS}<mn>{digits}</mn></mrow>"),
        };
        format!("<msup><mn>10</mn>{exponent}</msup>")
    };
    literal.write(digits, "<mo>·</mo>", power, fraction)
}

fn fraction(numerator: &str, denominator: &str) -> String {
    format!("<mfrac><mn>{numerator}</mn><mn>{denominator}</mn></mfrac>")
}

pub(super) fn symbol(notation: Notation<'_>) -> String {
    let mut text = head(notation.head);
    let accent = match notation.dots() {
        0 => None,
        1 => Some('˙'),
        2 => Some('¨'),
        3 => Some('\u{20db}'),
        _ => Some('\u{20dc}'),
    };
    if let Some(accent) = accent {
        text = format!("<mover accent=\"true\">{text}<mo>{accent}</mo></mover>");
    }
    if let Index::Below(index) | Index::Of(index) = notation.index {
        let parts: Vec<String> = IndexPart::all(index)
            .into_iter()
            .map(|part| match part {
                IndexPart::Number(digits) => format!("<mn>{digits}</mn>"),
                IndexPart::Axes(a, b) => format!("<mrow><mi>{a}</mi><mi>{b}</mi></mrow>"),
                IndexPart::Head(part) => head(part),
            })
            .collect();
        let index = match parts.len() {
            1 => parts.concat(),
            _ => format!("<mrow>{}</mrow>", parts.join("<mo>,</mo>")),
        };
        text = format!("<msub>{text}{index}</msub>");
    }
    let primes = notation.primes().replace('\'', "′");
    if primes.is_empty() {
        return text;
    }
    format!("<msup>{text}<mo>{primes}</mo></msup>")
}

fn head(head: Head<'_>) -> String {
    match head {
        Head::Letter(letter) => format!("<mi>{letter}</mi>"),
        Head::Greek(greek) => format!("<mi>{}</mi>", greek.letter),
        Head::Word(word) => format!("<mi>{}</mi>", escaped(word)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
