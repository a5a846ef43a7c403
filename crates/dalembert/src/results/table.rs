//! A table of numbers: columns with names and units, all of one length.

use super::{TITLE_KEY, UNITS_KEY};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::error::Error;
use std::fmt;

/// One quantity over all rows.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name: `theta`, `theta'`, `reaction(contact).force.x`.
    pub name: String,
    /// The unit, if it is known: `rad/s`.
    pub unit: Option<String>,
    /// One value per row.
    pub values: Vec<f64>,
}

impl Column {
    /// A column; an empty unit is no unit.
    pub fn new(name: impl Into<String>, unit: Option<&str>, values: Vec<f64>) -> Column {
        Column {
            name: name.into(),
            unit: unit.filter(|unit| !unit.is_empty()).map(str::to_owned),
            values,
        }
    }
}

/// Columns of equal length with different names, at least one; a title; and metadata.
///
/// ```
/// use dalembert::results::{Column, Table};
///
/// let columns = vec![
///     Column::new("t", Some("s"), vec![]),
///     Column::new("theta", Some("rad"), vec![]),
/// ];
/// let mut table = Table::new("pendulum", columns)?;
/// table.push_row(&[0.0, 0.5]);
/// table.push_row(&[0.1, 0.4]);
/// assert_eq!(table.rows(), 2);
/// # Ok::<(), dalembert::results::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    title: String,
    columns: Vec<Column>,
    metadata: Vec<(String, String)>,
}

impl Table {
    /// A table of these columns.
    ///
    /// # Errors
    /// No column, two of one name, or columns of different lengths.
    pub fn new(title: impl Into<String>, columns: Vec<Column>) -> Result<Table, TableError> {
        let rows = columns.first().ok_or(TableError::NoColumns)?.values.len();
        let mut names = HashSet::new();
        for column in &columns {
            if !names.insert(column.name.as_str()) {
                return Err(TableError::DuplicateName {
                    name: column.name.clone(),
                });
            }
            if column.values.len() != rows {
                return Err(TableError::UnequalLengths {
                    name: column.name.clone(),
                    length: column.values.len(),
                    expected: rows,
                });
            }
        }
        Ok(Table {
            title: title.into(),
            columns,
            metadata: Vec::new(),
        })
    }

    /// The title; may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns[0].values.len()
    }

    /// Makes room for this many more rows.
    pub fn reserve(&mut self, rows: usize) {
        for column in &mut self.columns {
            column.values.reserve(rows);
        }
    }

    /// Adds a row, one value per column.
    ///
    /// # Panics
    /// If there are more or fewer values than columns.
    pub fn push_row(&mut self, row: &[f64]) {
        assert_eq!(
            row.len(),
            self.columns.len(),
            "a row has one value per column"
        );
        for (column, &value) in self.columns.iter_mut().zip(row) {
            column.values.push(value);
        }
    }

    /// Takes away the last rows, while `is_wrong` says so of the first value of the last.
    pub fn drop_last_while(&mut self, is_wrong: impl Fn(f64) -> bool) {
        while self.columns[0].values.last().is_some_and(|&t| is_wrong(t)) {
            self.columns.iter_mut().for_each(|column| {
                column.values.pop();
            });
        }
    }

    /// What else is known about the table, in the order in which it was set.
    pub fn metadata(&self) -> &[(String, String)] {
        &self.metadata
    }

    /// Sets one piece of metadata, in place of an earlier one with the same key.
    ///
    /// # Errors
    /// The key is one under which files keep the title or the units.
    pub fn set_metadata(
        &mut self,
        key: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<(), TableError> {
        let (key, value) = (key.into(), value.into());
        if key == TITLE_KEY || key == UNITS_KEY {
            return Err(TableError::ReservedKey { key });
        }
        match self.metadata.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => self.metadata.push((key, value)),
        }
        Ok(())
    }

    /// The units of the columns that have one.
    pub(super) fn units(&self) -> Map<String, Value> {
        let known = self.columns.iter().filter_map(|column| {
            let unit = column.unit.clone()?;
            Some((column.name.clone(), Value::String(unit)))
        });
        known.collect()
    }

    /// Takes over title, units and metadata as a file keeps them. Units of other columns are dropped.
    pub(super) fn describe(&mut self, pairs: impl IntoIterator<Item = (String, Value)>) {
        for (key, value) in pairs {
            match (key.as_str(), value) {
                (TITLE_KEY, Value::String(title)) => self.title = title,
                (UNITS_KEY, Value::Object(units)) => {
                    for column in &mut self.columns {
                        if let Some(Value::String(unit)) = units.get(&column.name) {
                            column.unit = Some(unit.clone());
                        }
                    }
                }
                (_, value) => {
                    let text = match value {
                        Value::String(text) => text,
                        other => other.to_string(),
                    };
                    // A reserved key in an unexpected form says nothing we could keep.
                    let _ = self.set_metadata(key, text);
                }
            }
        }
    }
}

/// Why columns do not make a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// There is no column.
    NoColumns,
    /// Two columns have one name.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A column has another length than the first.
    UnequalLengths {
        /// The name of the column.
        name: String,
        /// Its length.
        length: usize,
        /// The length of the first column.
        expected: usize,
    },
    /// The key belongs to the title or to the units.
    ReservedKey {
        /// The key.
        key: String,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::NoColumns => write!(f, "the table has no columns"),
            TableError::DuplicateName { name } => {
                write!(f, "two columns are called '{name}'")
            }
            TableError::UnequalLengths {
                name,
                length,
                expected,
            } => write!(
                f,
                "column '{name}' has {length} values, the first column has {expected}"
            ),
            TableError::ReservedKey { key } => {
                write!(f, "metadata key '{key}' is reserved")
            }
        }
    }
}

impl Error for TableError {}
