//! LaTeX with amsmath: text and displayed formulas.

use super::{Part, Sides, packed};

/// Letters of a line, about.
const LINE: usize = 110;
/// Where a left side is wider, all equations under each other begin at the margin.
const LEFT: usize = 70;

pub(super) fn part(part: &Part) -> String {
    match part {
        Part::Heading(words) => format!("\\paragraph{{{}}}", escaped(words)),
        Part::Text(words) => escaped(words),
        Part::Line(label, items) => {
            let items: Vec<String> = items.iter().map(|item| format!("${item}$")).collect();
            format!("{}: {}", escaped(label), items.join(",\\quad "))
        }
        Part::Equations(equations) => format!("\\[\n{}\n\\]", aligned(equations)),
        Part::Matrix(name, rows) => format!("\\[\n{}\n\\]", matrix(name, rows)),
    }
}

/// Equations under each other, aligned at their signs; flush left where left sides are long.
pub(super) fn aligned(equations: &[Sides]) -> String {
    let flush = equations.iter().any(|(left, _)| width(left) > LEFT);
    let line = |(left, right): &Sides| match flush {
        false => {
            let room = LINE.saturating_sub(width(left)).max(LINE / 2);
            format!("{left} &= {}", broken(right, room))
        }
        true if width(left) + width(right) <= LINE => format!("& {left} = {right}"),
        true => {
            let (left, right) = (broken(left, LINE), broken(right, LINE));
            format!("& {left} \\\\\n&\\qquad = {right}")
        }
    };
    let lines: Vec<String> = equations.iter().map(line).collect();
    format!(
        "\\begin{{aligned}}\n{}\n\\end{{aligned}}",
        lines.join(" \\\\\n")
    )
}

pub(super) fn matrix(name: &str, rows: &[Vec<String>]) -> String {
    let lines: Vec<String> = rows.iter().map(|row| row.join(" & ")).collect();
    let lines = lines.join(" \\\\\n");
    format!("{name} = \\begin{{bmatrix}}\n{lines}\n\\end{{bmatrix}}")
}

/// A side that would run over the page, broken before its terms.
fn broken(text: &str, room: usize) -> String {
    let lines = packed(&terms(text), room, width);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join(" \\\\\n&\\quad {}")
}

/// About as many letters as are seen.
fn width(text: &str) -> usize {
    let mut letters = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic());
                let (command, after) = rest.split_at(end.unwrap_or(rest.len()));
                letters += match command {
                    "sin" | "cos" | "tan" => 4,
                    "left" | "right" | "dot" | "ddot" | "mathrm" | "frac" | "tfrac" => 0,
                    _ => 1,
                };
                rest = after;
            }
            '{' | '}' | '^' | '_' | ' ' => {}
            '+' | '-' | '=' => letters += 3,
            _ => letters += 1,
        }
    }
    letters
}

/// The terms of a sum, each with the sign before it.
fn terms(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let mut cuts = vec![0];
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            '+' | '-'
                if depth == 0 && text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') =>
            {
                cuts.push(at);
            }
            _ => {}
        }
    }
    cuts.push(text.len());
    cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect()
}

/// Words without anything that LaTeX takes for a command.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for c in words.chars() {
        match c {
            '_' | '&' | '%' | '$' | '#' | '{' | '}' => text.extend(['\\', c]),
            '\\' => text.push_str("\\textbackslash{}"),
            '^' => text.push_str("\\textasciicircum{}"),
            '~' => text.push_str("\\textasciitilde{}"),
            '—' => text.push_str("---"),
            'ᵀ' => text.push_str("$^{T}$"),
            '…' => text.push_str("\\dots{}"),
            'λ' => text.push_str("$\\lambda$"),
            'ω' => text.push_str("$\\omega$"),
            'γ' => text.push_str("$\\gamma$"),
            c => text.push(c),
        }
    }
    text
}
