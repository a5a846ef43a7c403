//! Markdown with LaTeX between dollars.

use super::latex::{aligned, matrix};
use super::{Part, marked};

/// What Markdown takes for a mark.
const MARKS: &str = "\\`*_{}[]<>#|$";

pub(super) fn part(part: &Part) -> String {
    match part {
        Part::Heading(words) => format!("### {}", marked(words, MARKS)),
        Part::Text(words) => marked(words, MARKS),
        Part::Line(label, items) => {
            let items: Vec<String> = items.iter().map(|item| format!("${item}$")).collect();
            format!("{}: {}", marked(label, MARKS), items.join(", "))
        }
        Part::Equations(equations) => format!("$$\n{}\n$$", aligned(equations)),
        Part::Matrix(name, rows) => format!("$$\n{}\n$$", matrix(name, rows)),
    }
}
