//! Markdown with LaTeX between dollars.

use super::Part;
use super::latex::{aligned, matrix};

pub(super) fn write(parts: &[Part]) -> String {
    let lines: Vec<String> = parts.iter().map(part).collect();
    lines.join("\n\n")
}

fn part(part: &Part) -> String {
    match part {
        Part::Heading(words) => format!("### {}", escaped(words)),
        Part::Text(words) => escaped(words),
        Part::Line(label, items) => {
            let items: Vec<String> = items.iter().map(|item| format!("${item}$")).collect();
            format!("{}: {}", escaped(label), items.join(", "))
        }
        Part::Equations(equations) => format!("$$\n{}\n$$", aligned(equations)),
        Part::Matrix(name, rows) => format!("$$\n{}\n$$", matrix(name, rows)),
    }
}

/// Words without anything that Markdown takes for a mark.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for c in words.chars() {
        if "\\`*_{}[]<>#|$".contains(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}
