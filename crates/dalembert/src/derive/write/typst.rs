//! Typst: text and displayed formulas.

use super::{Part, marked};

/// What Typst takes for a mark.
const MARKS: &str = "\\`*_$#<>@[]~";

pub(super) fn part(part: &Part) -> String {
    match part {
        Part::Heading(words) => format!("== {}", marked(words, MARKS)),
        Part::Text(words) => marked(words, MARKS),
        Part::Line(label, items) => {
            let items: Vec<String> = items.iter().map(|item| format!("${item}$")).collect();
            format!("{}: {}", marked(label, MARKS), items.join(", "))
        }
        Part::Equations(equations) => {
            let lines: Vec<String> = equations
                .iter()
                .map(|(left, right)| format!("{left} &= {right}"))
                .collect();
            format!("$ {} $", lines.join(" \\\n"))
        }
        Part::Matrix(name, rows) => {
            let lines: Vec<String> = rows.iter().map(|row| row.join(", ")).collect();
            let lines = lines.join(";\n");
            format!("$ {name} = mat(delim: \"[\", {lines}) $")
        }
    }
}
