//! For the terminal: equations aligned at their signs, long ones broken before a term; matrices that are too wide as lists
//! of their entries.

use super::{Part, Sides};

/// How wide lines may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    /// Lines are broken before this column, where they can be.
    pub(super) line: usize,
    /// Wider matrices are written entry by entry.
    pub(super) matrix: usize,
}

impl Widths {
    /// Of a text that is read elsewhere.
    pub(super) const ELSEWHERE: Self = Self {
        line: 118,
        matrix: 80,
    };

    /// Of a terminal with so many columns.
    pub(super) fn of_terminal(columns: usize) -> Self {
        let columns = columns.max(40);
        Self {
            line: columns,
            matrix: columns,
        }
    }

    /// A left side wider than this goes on a line of its own.
    const fn left(self) -> usize {
        self.line / 2
    }
}

pub(super) fn write(parts: &[Part], widths: Widths) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        match part {
            Part::Heading(words) => {
                if place > 0 {
                    lines.push(String::new());
                }
                lines.push(words.clone());
            }
            Part::Text(words) => lines.extend(wrapped(words, widths.line)),
            Part::Line(label, items) => {
                lines.extend(line(label, items, indent(parts, place), widths));
            }
            Part::Equations(equations) => {
                if !matches!(parts[..place].last(), Some(Part::Heading(_)) | None) {
                    lines.push(String::new());
                }
                lines.extend(aligned(equations, widths));
                if parts.len() > place + 1 {
                    lines.push(String::new());
                }
            }
            Part::Matrix(name, rows) => {
                lines.extend(matrix(name, rows, widths));
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
    text.chars().filter(|&c| !is_mark(c)).count()
}

/// Marks above a letter take no room.
fn is_mark(c: char) -> bool {
    ('\u{300}'..'\u{370}').contains(&c) || ('\u{20d0}'..'\u{2100}').contains(&c)
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Words in lines that are not too wide.
fn wrapped(words: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        if let Some(line) = lines.last_mut() {
            if line.is_empty() {
                line.push_str(word);
                continue;
            }
            if width(line) + 1 + width(word) <= limit {
                line.push(' ');
                line.push_str(word);
                continue;
            }
        }
        lines.push(word.to_owned());
    }
    lines
}

/// The widest label of the lines around one.
fn indent(parts: &[Part], place: usize) -> usize {
    let label = |part: &Part| match part {
        Part::Line(label, _) => Some(width(label)),
        _ => None,
    };
    let before = parts[..place].iter().rev().map_while(label);
    let after = parts[place..].iter().map_while(label);
    before.chain(after).max().unwrap_or(0)
}

/// Words and what follows them, over several lines if need be.
fn line(label: &str, items: &[String], indent: usize, widths: Widths) -> Vec<String> {
    let mut lines = vec![padded(label, indent)];
    let mut filled = indent;
    for (place, item) in items.iter().enumerate() {
        let comma = if place + 1 < items.len() { "," } else { "" };
        if place > 0 && filled + 2 + width(item) > widths.line {
            lines.push(" ".repeat(indent));
            filled = indent;
        }
        let room = widths.line.saturating_sub(indent + 2).max(40);
        for (k, piece) in broken(item, room).into_iter().enumerate() {
            if k > 0 {
                lines.push(" ".repeat(indent));
                filled = indent;
            }
            if let Some(last) = lines.last_mut() {
                *last += &format!("  {piece}");
            }
            filled += 2 + width(&piece);
        }
        if let Some(last) = lines.last_mut() {
            *last += comma;
        }
        filled += comma.len();
    }
    lines
}

fn aligned(equations: &[Sides], widths: Widths) -> Vec<String> {
    let fitting = equations.iter().map(|(left, _)| width(left));
    let left_width = fitting.filter(|&width| width <= widths.left());
    let left_width = left_width.max().unwrap_or(0);
    let mut lines = Vec::new();
    for (left, right) in equations {
        let room = widths.line.saturating_sub(left_width + 5);
        let mut pieces = broken(right, room.max(30)).into_iter();
        let first = pieces.next().unwrap_or_default();
        if width(left) > widths.left() {
            lines.extend(broken(left, widths.line));
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
    while let Some(cuts) = cuts(rest, limit) {
        // The least depth first, and of equal ones the last.
        let fitting = cuts.iter().filter(|(_, column, _)| *column >= limit / 3);
        let best = fitting.min_by_key(|&&(depth, column, _)| (depth, limit - column));
        let Some(&(_, _, at)) = best else {
            break;
        };
        pieces.push(rest[..at].trim_end().to_owned());
        rest = &rest[at..];
    }
    pieces.push(rest.trim_end().to_owned());
    pieces
}

/// Where terms begin within so many columns, signs included: the number of parentheses around, the column and the place. `None`
/// if the whole text fits. No more is looked at than one line: a formula may be a hundred thousand characters.
fn cuts(text: &str, limit: usize) -> Option<Vec<(i32, usize, usize)>> {
    let (mut depth, mut column) = (0, 0);
    let mut cuts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '+' | '-' if text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') => {
                cuts.push((depth, column, at));
            }
            _ => {}
        }
        column += usize::from(!is_mark(c));
        if column > limit {
            return Some(cuts);
        }
    }
    None
}

fn matrix(name: &str, rows: &[Vec<String>], widths: Widths) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    if rows.is_empty() || columns == 0 {
        return vec![format!("{name} = ()")];
    }
    let column_widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().map(|row| width(&row[column]));
            cells.max().unwrap_or(0)
        })
        .collect();
    let whole = width(name) + 4 + column_widths.iter().map(|width| width + 3).sum::<usize>();
    match whole > widths.matrix {
        true => entries(name, rows, widths),
        false => brackets(name, rows, &column_widths),
    }
}

/// Entries that are not zero, line by line; those above the diagonal of a symmetric matrix with those below.
fn entries(name: &str, rows: &[Vec<String>], widths: Widths) -> Vec<String> {
    let columns = rows[0].len();
    let square = rows.len() == columns && columns > 1;
    let symmetric = square && (0..columns).all(|i| (0..i).all(|j| rows[i][j] == rows[j][i]));
    let mut list: Vec<Sides> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let shown = if symmetric { i + 1 } else { columns };
        for (j, entry) in row.iter().take(shown).enumerate() {
            if entry == "0" {
                continue;
            }
            let place = |i: usize, j: usize| format!("{name}[{},{}]", i + 1, j + 1);
            let left = match () {
                () if columns == 1 => format!("{name}[{}]", i + 1),
                () if symmetric && i != j => format!("{} = {}", place(i, j), place(j, i)),
                () => place(i, j),
            };
            list.push((left, entry.clone()));
        }
    }
    let size = format!("{}×{columns}", rows.len());
    let words = match (list.is_empty(), columns) {
        (true, _) => return vec![format!("{name}: {size}, all zero")],
        (false, 1) => format!("{name}: {} entries, those not zero:", rows.len()),
        (false, _) => format!("{name}: {size}, entries that are not zero:"),
    };
    let mut lines = vec![words];
    lines.extend(aligned(&list, widths));
    lines
}

fn brackets(name: &str, rows: &[Vec<String>], widths: &[usize]) -> Vec<String> {
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
            .zip(widths)
            .map(|(cell, &width)| padded(cell, width))
            .collect();
        format!("{head}{open} {} {close}", cells.join("   "))
    };
    rows.iter().enumerate().map(line).collect()
}

#[cfg(test)]
#[path = "../../../tests/inside/derive_write_terminal.rs"]
mod tests;
