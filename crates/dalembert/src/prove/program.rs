//! What a text of SymPy says, statement by statement: lines as `str` prints them, or a program as `derive --format sympy`
//! writes it.
//!
//! ```text
//! from sympy import *                    nothing
//! I_ = Symbol("I", real=True)            how a name is spelled below
//! s1 = sin(x(t))                         a name for this file
//! equations = [                          each Eq of a list
//!     Eq(I_*s1, 0, evaluate=False),
//! ]
//! x(t) - l*sin(phi(t))                   an expression that vanishes
//! ```
//!
//! Lists of what is not Eq (independent speeds, divisors) and matrices claim nothing.

use std::ops::Range;

/// One statement, by its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stated {
    /// An equation.
    Equation(Range<usize>),
    /// A name, and what it stands for.
    Definition(Range<usize>, Range<usize>),
    /// How a name of the model is spelled: the spelling, the name.
    Spelling(String, String),
}

/// The statements of a program.
pub(super) fn statements(text: &str) -> Vec<Stated> {
    let mut found = Vec::new();
    for whole in pieces(text, 0..text.len(), &['\n', ';']) {
        let said = &text[whole.clone()];
        if said.starts_with("from ") || said.starts_with("import ") {
            continue;
        }
        let Some((name, value)) = assignment(text, &whole) else {
            found.extend(claims(text, whole));
            continue;
        };
        let right = &text[value.clone()];
        let word = right.split('(').next().unwrap_or_default().trim_end();
        match word {
            "Symbol" | "Function" | "symbols" | "dynamicsymbols" => {
                found.extend(spellings(&text[name], right));
            }
            "Matrix" => {}
            _ if right.starts_with('[') => found.extend(claims(text, value)),
            _ => found.push(Stated::Definition(name, value)),
        }
    }
    found
}

/// Equations: those of a list, or the whole.
fn claims(text: &str, whole: Range<usize>) -> Vec<Stated> {
    let said = &text[whole.clone()];
    if !said.starts_with('[') || !said.ends_with(']') {
        return vec![Stated::Equation(whole)];
    }
    let items = pieces(text, whole.start + 1..whole.end - 1, &[',']);
    let items = items.into_iter().filter(|item| {
        let rest = text[item.clone()].strip_prefix("Eq");
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    });
    items.map(Stated::Equation).collect()
}

/// `m, l = symbols("m l")`: spellings and names.
fn spellings(identifiers: &str, value: &str) -> Vec<Stated> {
    let Some(quote) = value.find(['"', '\'']) else {
        return Vec::new();
    };
    let mark = &value[quote..=quote];
    let inside = value[quote + 1..].split(mark).next().unwrap_or_default();
    let identifiers = identifiers.split(',').map(str::trim);
    let named =
        |(identifier, name): (&str, &str)| Stated::Spelling(identifier.to_owned(), name.to_owned());
    match value.starts_with("Symbol") || value.starts_with("Function") {
        true => identifiers.map(|it| named((it, inside))).collect(),
        false => {
            let names = inside.split([' ', ',']).filter(|name| !name.is_empty());
            identifiers.zip(names).map(named).collect()
        }
    }
}

/// `name = value` outside of brackets.
fn assignment(text: &str, whole: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let said = &text[whole.clone()];
    let sign = said.find('=')?;
    let (left, right) = (&said[..sign], &said[sign + 1..]);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ');
    if left.trim().is_empty() || !left.chars().all(is_name) || right.starts_with('=') {
        return None;
    }
    let name = whole.start..whole.start + left.trim_end().len();
    let value = whole.end - right.trim_start().len()..whole.end;
    Some((name, value))
}

/// Pieces between separators outside of brackets, strings and comments, without blanks around them.
fn pieces(text: &str, within: Range<usize>, separators: &[char]) -> Vec<Range<usize>> {
    let (mut pieces, mut depth) = (Vec::new(), 0_usize);
    let (mut start, mut quoted, mut comment) = (within.start, None, false);
    let mut push = |from: usize, to: usize| {
        let inside = &text[from..to];
        let begin = from + (inside.len() - inside.trim_start().len());
        if !inside.trim().is_empty() {
            pieces.push(begin..begin + inside.trim().len());
        }
    };
    for (at, c) in text[within.clone()].char_indices() {
        let at = within.start + at;
        match (quoted, c) {
            _ if comment && c != '\n' => {}
            (Some(mark), _) => quoted = (c != mark && c != '\n').then_some(mark),
            (None, '"' | '\'') => quoted = Some(c),
            (None, '#') => {
                // What stands before a comment ends there.
                comment = true;
                if depth == 0 {
                    push(start, at);
                }
            }
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if quoted.is_none() && depth == 0 && (separators.contains(&c) || (comment && c == '\n')) {
            if !comment {
                push(start, at);
            }
            start = at + c.len_utf8();
        }
        comment &= c != '\n';
    }
    if !comment {
        push(start, within.end);
    }
    pieces
}

#[cfg(test)]
#[path = "../../tests/inside/prove_program.rs"]
mod tests;
