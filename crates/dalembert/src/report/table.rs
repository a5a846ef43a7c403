//! Tables of numbers with their units.

use super::Numbers;
use super::text::significant;
use dalembert_mechanics::decide::ROUNDING;
use std::collections::HashMap;
use std::fmt;

/// Width of a column of numbers.
const WIDTH: usize = 16;

/// Numbers of the same names beside each other, after an empty line.
pub(super) fn columns(f: &mut fmt::Formatter<'_>, label: &str, parts: &[Column]) -> fmt::Result {
    table(f, label, parts, |_, _| String::new())
}

/// The same, with remarks on lines.
pub(super) fn table(
    f: &mut fmt::Formatter<'_>,
    label: &str,
    parts: &[Column],
    remark: impl Fn(usize, &String) -> String,
) -> fmt::Result {
    let Some(first) = parts.first() else {
        return Ok(());
    };
    let mut line = format!("{label:<12}");
    for column in parts {
        line += &format!(" {:>width$}", column.head, width = column.width);
        line += &" ".repeat(column.unit_width);
    }
    writeln!(f, "\n{}", line.trim_end())?;
    for (i, name) in first.names.iter().enumerate() {
        let mut line = format!("{name:<12}");
        for column in parts {
            let (number, unit) = &column.cells[i];
            let (width, unit_width) = (column.width, column.unit_width);
            line += &format!(" {number:>width$}{unit:<unit_width$}");
        }
        let remark = remark(i, name);
        match remark.is_empty() {
            true => writeln!(f, "{}", line.trim_end())?,
            false => writeln!(f, "{}   {remark}", line.trim_end())?,
        }
    }
    Ok(())
}

/// A column of numbers, each with its unit behind it.
pub(super) struct Column {
    head: &'static str,
    names: Vec<String>,
    cells: Vec<(String, String)>,
    width: usize,
    unit_width: usize,
}

impl Column {
    pub(super) fn new(head: &'static str, numbers: &Numbers, units: &[Option<String>]) -> Self {
        let unit = |i: usize| units.get(i).and_then(Option::as_deref);
        // Rounding is told beside numbers of the same unit.
        let mut sizes: HashMap<Option<&str>, f64> = HashMap::new();
        for (i, number) in numbers.values().enumerate() {
            let size = sizes.entry(unit(i)).or_insert(0.0);
            *size = size.max(number.abs());
        }
        let cells = numbers.values().enumerate().map(|(i, &number)| {
            let number = shown_beside(number, sizes[&unit(i)]);
            let unit = unit(i).filter(|unit| *unit != "1");
            (
                number,
                unit.map_or_else(String::new, |unit| format!(" {unit}")),
            )
        });
        let cells: Vec<(String, String)> = cells.collect();
        let widths = cells.iter().map(|(_, unit)| unit.chars().count());
        Self {
            head,
            names: numbers.keys().cloned().collect(),
            width: head.len().max(WIDTH),
            unit_width: widths.max().unwrap_or(0),
            cells,
        }
    }
}

/// A number in ten digits, beside others of a size: what is less than their rounding is zero.
pub(super) fn shown_beside(value: f64, size: f64) -> String {
    shown(if value.abs() <= ROUNDING * size {
        0.0
    } else {
        value
    })
}

/// A number in ten significant digits.
pub(super) fn shown(value: f64) -> String {
    match value.is_nan() {
        true => "not determined".to_owned(),
        false => significant(value, 10),
    }
}
