//! Files of numbers that models take tables from.

use super::Source;
use dalembert_mechanics::data::DataColumn;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_results::{CsvError, Table};

/// How such a file is written.
const FORM: &str = "the first line has names, with units if there are any: t [s], force [kN]; numbers follow, separated by commas";

/// The columns of a file of comma-separated values, the first ascending.
pub(crate) fn columns(file: &Source) -> Result<Vec<DataColumn>, Diagnostic> {
    let table = Table::from_csv(file.text.as_bytes()).map_err(|error| bad_csv(file, &error))?;
    let views = table.columns();
    let mut columns: Vec<DataColumn> = Vec::with_capacity(views.len());
    for view in &views {
        if let Some(row) = view.values.iter().position(|value| !value.is_finite()) {
            let message = format!("`{}` has a field that is no finite number", view.name);
            return Err(refused(file, line_of_row(file, row), message, FORM));
        }
        let column = DataColumn::new(&view.name, view.unit.as_deref(), view.values.to_vec());
        columns.push(column.map_err(|unit| {
            let message = format!("`{unit}` is not a unit, in the head `{}`", view.name);
            refused(file, line_of_names(file), message, FORM)
        })?);
    }
    for (i, column) in columns.iter().enumerate() {
        // One name with two units is two columns of one name.
        if columns[..i].iter().any(|other| other.name == column.name) {
            let message = format!("two columns are called `{}`", column.name);
            return Err(refused(file, line_of_names(file), message, FORM));
        }
    }
    if let Some(first) = columns.first() {
        let found = first.values.windows(2).position(|pair| pair[1] <= pair[0]);
        if let Some(row) = found.map(|row| row + 1) {
            let name = &first.name;
            let message = format!("`{name}` is not larger here than in the row before");
            let help = "the first column is the argument of the table: its numbers ascend";
            return Err(refused(file, line_of_row(file, row), message, help));
        }
    }
    Ok(columns)
}

fn bad_csv(file: &Source, error: &CsvError) -> Diagnostic {
    let text = error.to_string();
    let message = text
        .splitn(3, ':')
        .nth(2)
        .unwrap_or(&text)
        .trim()
        .to_owned();
    refused(file, error.line, message, FORM)
}

/// A mistake in a line of a file, which counts from 1.
fn refused(file: &Source, line: usize, message: String, help: &str) -> Diagnostic {
    let before = file.text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let length = file.text[start..].lines().next().map_or(0, str::len);
    let span = start..start + length;
    let place = Place::given(file.name.as_str(), file.text.as_str(), span);
    Diagnostic::error("E0485", place, message, help)
}

/// The line of the names: the first that is neither blank nor a comment.
fn line_of_names(file: &Source) -> usize {
    let lines = lines_with_fields(file);
    lines.into_iter().next().unwrap_or(1)
}

fn line_of_row(file: &Source, row: usize) -> usize {
    lines_with_fields(file).get(row + 1).copied().unwrap_or(1)
}

fn lines_with_fields(file: &Source) -> Vec<usize> {
    let lines = file.text.lines().zip(1..);
    let skipped = |line: &str| line.trim().is_empty() || line.starts_with('#');
    lines
        .filter(|(line, _)| !skipped(line))
        .map(|(_, n)| n)
        .collect()
}
