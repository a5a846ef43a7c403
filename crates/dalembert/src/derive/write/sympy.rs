//! A Python program: symbols, functions of time, and the equations as SymPy's.

use super::{Sides, Style, not_zero};
use crate::derive::definitions::in_order;
use crate::derive::page::{Block, Item};
use dalembert_expr::Graph;
use dalembert_expr::print::Printed;

pub(super) fn write(graph: &Graph, printed: &Printed, blocks: &[Block]) -> String {
    let mut lines = vec!["from sympy import *".to_owned(), String::new()];
    lines.extend(declarations(graph, printed));
    // Names are assigned before anything uses them, wherever the page defines them.
    let assignments = assignments(graph, printed, blocks).into_iter();
    lines.extend(assignments.map(|(name, text)| format!("{name} = {text}")));
    let mut texts = printed.expressions.iter();
    let mut next = || texts.next().map_or("", String::as_str);
    let mut name = String::from("equations");
    let mut used: Vec<String> = Vec::new();
    for block in blocks {
        match block {
            // What stands below it is assigned above.
            Block::Heading(words) if words == "with" => {}
            Block::Heading(words) => {
                lines.extend([String::new(), format!("# {words}")]);
                name = match words.as_str() {
                    "kinematics" | "reactions" => words.clone(),
                    _ => String::from("equations"),
                };
            }
            Block::Text(words) => lines.push(format!("# {words}")),
            Block::Line { label, items } => {
                let mut item = |item: &Item| match item {
                    Item::Expression(_) => next().to_owned(),
                    Item::NotZero(_) => not_zero(Style::Sympy, next()),
                    Item::Equation(_) => {
                        let left = next().to_owned();
                        format!("Eq({left}, {})", next())
                    }
                };
                let items: Vec<String> = items.iter().map(&mut item).collect();
                let name = identifier(label, &mut used);
                lines.push(format!("{name} = [{}]", items.join(", ")));
            }
            // Assigned above.
            Block::Definitions(equations) => equations.iter().for_each(|_| {
                next();
                next();
            }),
            Block::Equations(equations) => {
                let name = identifier(&name, &mut used);
                lines.push(format!("{name} = ["));
                for _ in equations {
                    let left = next().to_owned();
                    lines.push(format!("    Eq({left}, {}, evaluate=False),", next()));
                }
                lines.push("]".to_owned());
            }
            Block::Matrix { name, rows } => {
                let mut row = |row: &Vec<_>| {
                    let cells: Vec<&str> = row.iter().map(|_| next()).collect();
                    format!("[{}]", cells.join(", "))
                };
                let rows: Vec<String> = rows.iter().map(&mut row).collect();
                let name = identifier(&format!("matrix {name}"), &mut used);
                lines.push(format!("{name} = Matrix([{}])", rows.join(", ")));
            }
        }
    }
    lines.join("\n")
}

/// All names and what they stand for: put in as they are read.
fn assignments(graph: &Graph, printed: &Printed, blocks: &[Block]) -> Vec<Sides> {
    let mut texts = printed.expressions.iter();
    let (mut given, mut written) = (Vec::new(), Vec::new());
    for block in blocks {
        let own: Vec<&String> = texts.by_ref().take(block.expressions().len()).collect();
        if let Block::Definitions(definitions) = block {
            given.extend_from_slice(definitions);
            let sides = own.chunks_exact(2);
            written.extend(sides.map(|sides| (sides[0].clone(), sides[1].clone())));
        }
    }
    in_order(graph, &given, written, printed)
}

/// Time, symbols and functions that occur.
fn declarations(graph: &Graph, printed: &Printed) -> Vec<String> {
    let mut lines = vec![];
    let mut seen: Vec<&str> = Vec::new();
    let mut time = "t";
    for (symbol, text) in &printed.symbols {
        let data = graph.symbol_data(*symbol);
        if !data.kind.moves() {
            let positive = ", real=True";
            lines.push(format!("{text} = Symbol(\"{}\"{positive})", data.name));
            continue;
        }
        let text = text.strip_prefix("Derivative(").unwrap_or(text);
        let (function, rest) = text.split_once('(').unwrap_or((text, "t)"));
        time = rest.split_once(')').map_or("t", |(time, _)| time);
        if !seen.contains(&function) {
            seen.push(function);
            lines.push(format!(
                "{function} = Function(\"{}\", real=True)",
                data.name
            ));
        }
    }
    if !lines
        .iter()
        .any(|line| line.starts_with(&format!("{time} = ")))
    {
        lines.insert(0, format!("{time} = Symbol(\"{time}\", real=True)"));
    }
    lines
}

/// Words as a Python name that was not used yet.
fn identifier(words: &str, used: &mut Vec<String>) -> String {
    let plain: String = words
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let plain = plain.trim_matches('_').to_lowercase();
    let base = if plain.is_empty() {
        "part".to_owned()
    } else {
        plain
    };
    let mut name = base.clone();
    let mut number = 1;
    while used.contains(&name) {
        number += 1;
        name = format!("{base}_{number}");
    }
    used.push(name.clone());
    name
}
