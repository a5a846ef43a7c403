//! Typst: text and displayed formulas.

use super::Part;

pub(super) fn write(parts: &[Part]) -> String {
    let lines: Vec<String> = parts.iter().map(part).collect();
    lines.join("\n\n")
}

fn part(part: &Part) -> String {
    match part {
        Part::Heading(words) => format!("== {}", escaped(words)),
        Part::Text(words) => escaped(words),
        Part::Line(label, items) => {
            let items: Vec<String> = items.iter().map(|item| format!("${item}$")).collect();
            format!("{}: {}", escaped(label), items.join(", "))
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

/// Words without anything that Typst takes for a mark.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for c in words.chars() {
        if "\\`*_$#<>@[]~".contains(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}
