//! For the terminal: equations aligned at their signs, long ones broken before a term.

use super::{Part, Sides};

/// Lines are broken before this column, where they can be.
const WIDTH: usize = 118;
/// A left side wider than this goes on a line of its own.
const LEFT: usize = 60;

pub(super) fn write(parts: &[Part]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let labels = parts.iter().filter_map(|part| match part {
        Part::Line(label, _) => Some(label.chars().count()),
        _ => None,
    });
    let indent = labels.max().unwrap_or(0);
    for (place, part) in parts.iter().enumerate() {
        match part {
            Part::Heading(words) => {
                if place > 0 {
                    lines.push(String::new());
                }
                lines.push(words.clone());
            }
            Part::Text(words) => lines.push(words.clone()),
            Part::Line(label, items) => lines.extend(line(label, items, indent)),
            Part::Equations(equations) => {
                if !matches!(parts[..place].last(), Some(Part::Heading(_)) | None) {
                    lines.push(String::new());
                }
                lines.extend(aligned(equations));
                if parts.len() > place + 1 {
                    lines.push(String::new());
                }
            }
            Part::Matrix(name, rows) => {
                lines.extend(matrix(name, rows));
                lines.push(String::new());
            }
        }
    }
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

fn width(text: &str) -> usize {
    // Marks above a letter take no room.
    let is_mark =
        |c: &char| ('\u{300}'..'\u{370}').contains(c) || ('\u{20d0}'..'\u{2100}').contains(c);
    text.chars().filter(|c| !is_mark(c)).count()
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Words and what follows them, over several lines if need be.
fn line(label: &str, items: &[String], indent: usize) -> Vec<String> {
    let mut lines = vec![padded(label, indent)];
    let mut filled = indent;
    for (place, item) in items.iter().enumerate() {
        let comma = if place + 1 < items.len() { "," } else { "" };
        if place > 0 && filled + 2 + width(item) > WIDTH {
            lines.push(" ".repeat(indent));
            filled = indent;
        }
        if let Some(last) = lines.last_mut() {
            *last += &format!("  {item}{comma}");
        }
        filled += 2 + width(item) + comma.len();
    }
    lines
}

fn aligned(equations: &[Sides]) -> Vec<String> {
    let fitting = equations.iter().map(|(left, _)| width(left));
    let left_width = fitting.filter(|&width| width <= LEFT).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (left, right) in equations {
        let pieces = broken(right, WIDTH.saturating_sub(left_width + 5).max(40));
        let mut pieces = pieces.into_iter();
        let first = pieces.next().unwrap_or_default();
        if width(left) > LEFT {
            let mut heads = broken(left, WIDTH);
            let last = heads.pop().unwrap_or_default();
            lines.extend(heads);
            lines.push(last);
            lines.push(format!("{}  =  {first}", " ".repeat(left_width)));
        } else {
            lines.push(format!("{}  =  {first}", padded(left, left_width)));
        }
        let margin = " ".repeat(left_width + 5);
        lines.extend(pieces.map(|piece| format!("{margin}{piece}")));
    }
    lines
}

/// A formula in pieces that are not much wider than `limit`, cut before terms, outside of parentheses where possible.
fn broken(text: &str, limit: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while width(rest) > limit {
        // The least depth first, and of equal ones the last.
        let cuts = cuts(rest)
            .into_iter()
            .map(|(depth, at)| (depth, width(&rest[..at]), at));
        let fitting = cuts.filter(|&(_, column, _)| (limit / 3..=limit).contains(&column));
        let Some((_, _, at)) = fitting.min_by_key(|&(depth, column, _)| (depth, limit - column))
        else {
            break;
        };
        pieces.push(rest[..at].trim_end().to_owned());
        rest = &rest[at..];
    }
    pieces.push(rest.trim_end().to_owned());
    pieces
}

/// Where terms begin, signs included, with the number of parentheses around.
fn cuts(text: &str) -> Vec<(i32, usize)> {
    let mut depth = 0;
    let mut cuts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '+' | '-' if text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') => {
                cuts.push((depth, at));
            }
            _ => {}
        }
    }
    cuts
}

fn matrix(name: &str, rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    if rows.is_empty() || columns == 0 {
        return vec![format!("{name} = ()")];
    }
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .map(|row| width(&row[column]))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let middle = (rows.len() - 1) / 2;
    let last = rows.len() - 1;
    let line = |(place, row): (usize, &Vec<String>)| {
        let head = if place == middle {
            format!("{name} = ")
        } else {
            String::new()
        };
        let head = padded(&head, width(name) + 3);
        let (open, close) = match place {
            _ if last == 0 => ('[', ']'),
            0 => ('⎡', '⎤'),
            place if place == last => ('⎣', '⎦'),
            _ => ('⎢', '⎥'),
        };
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| padded(cell, width))
            .collect();
        format!("{head}{open} {} {close}", cells.join("   "))
    };
    rows.iter().enumerate().map(line).collect()
}
