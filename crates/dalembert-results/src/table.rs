//! A table of numbers: columns with names and units, all of one length.

use super::{TITLE_KEY, UNITS_KEY};
use serde_json::{Map, Value};
use std::borrow::Borrow;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::ops::Deref;

/// What a column is called, and its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The name: `theta`, `theta'`, `reaction(contact).force.x`.
    pub name: String,
    /// The unit, if it is known: `rad/s`.
    pub unit: Option<String>,
}

/// One quantity over all rows: values of its own, or, as a [`ColumnView`], those of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column<H = Head, V = Vec<f64>> {
    /// What it is.
    pub head: H,
    /// One value per row.
    pub values: V,
}

/// A column of a table.
pub type ColumnView<'t> = Column<&'t Head, &'t [f64]>;

impl<H: Borrow<Head>, V> Deref for Column<H, V> {
    type Target = Head;

    fn deref(&self) -> &Head {
        self.head.borrow()
    }
}

impl Column {
    /// A column; an empty unit is no unit.
    pub fn new(name: impl Into<String>, unit: Option<&str>, values: Vec<f64>) -> Column {
        let unit = unit.filter(|unit| !unit.is_empty()).map(str::to_owned);
        let name = name.into();
        let head = Head { name, unit };
        Column { head, values }
    }
}

/// Columns of equal length with different names, at least one; a title; and metadata.
///
/// All numbers are in one block, column after column, so that others can look at them without copying: see [`Table::block`].
///
/// ```
/// use dalembert_results::{Column, Table};
///
/// let columns = vec![
///     Column::new("t", Some("s"), vec![]),
///     Column::new("theta", Some("rad"), vec![]),
/// ];
/// let mut table = Table::new("pendulum", columns)?;
/// table.push_row(&[0.0, 0.5]);
/// table.push_row(&[0.1, 0.4]);
/// assert_eq!(table.rows(), 2);
/// # Ok::<(), dalembert_results::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    title: String,
    heads: Vec<Head>,
    /// Column after column, each with `room` for as many rows, of which the first `rows` count.
    block: Vec<f64>,
    room: usize,
    rows: usize,
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
            block: columns.iter().flat_map(|it| &it.values).copied().collect(),
            heads: columns.into_iter().map(|column| column.head).collect(),
            room: rows,
            rows,
            metadata: Vec::new(),
        })
    }

    /// The title; may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The columns, in order.
    pub fn columns(&self) -> Vec<ColumnView<'_>> {
        (0..self.heads.len()).map(|i| self.view(i)).collect()
    }

    fn view(&self, i: usize) -> ColumnView<'_> {
        let first = i * self.room;
        Column {
            head: &self.heads[i],
            values: &self.block[first..first + self.rows],
        }
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<ColumnView<'_>> {
        let place = self.heads.iter().position(|head| head.name == name);
        place.map(|i| self.view(i))
    }

    /// All numbers, and how far apart the columns begin; of each column the first [`Table::rows`] numbers count.
    pub fn block(&self) -> (&[f64], usize) {
        (&self.block, self.room)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Makes room for this many more rows.
    pub fn reserve(&mut self, rows: usize) {
        let room = self.rows + rows;
        if room <= self.room {
            return;
        }
        let mut block = vec![0.0; room * self.heads.len()];
        for (i, values) in block.chunks_exact_mut(room).enumerate() {
            values[..self.rows].copy_from_slice(self.view(i).values);
        }
        (self.block, self.room) = (block, room);
    }

    /// Adds a row, one value per column.
    ///
    /// # Panics
    /// If there are more or fewer values than columns.
    pub fn push_row(&mut self, row: &[f64]) {
        let columns = self.heads.len();
        assert_eq!(row.len(), columns, "a row has one value per column");
        if self.rows == self.room {
            self.reserve(self.rows.max(64));
        }
        for (i, &value) in row.iter().enumerate() {
            self.block[i * self.room + self.rows] = value;
        }
        self.rows += 1;
    }

    /// Takes away the last rows, while `is_wrong` says so of the first value of the last.
    pub fn drop_last_while(&mut self, is_wrong: impl Fn(f64) -> bool) {
        while self.rows > 0 && is_wrong(self.block[self.rows - 1]) {
            self.rows -= 1;
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
        let known = self.heads.iter().filter_map(|head| {
            let unit = head.unit.clone()?;
            Some((head.name.clone(), Value::String(unit)))
        });
        known.collect()
    }

    /// Takes over title, units and metadata as a file keeps them. Units of other columns are dropped.
    pub(super) fn describe(&mut self, pairs: impl IntoIterator<Item = (String, Value)>) {
        for (key, value) in pairs {
            match (key.as_str(), value) {
                (TITLE_KEY, Value::String(title)) => self.title = title,
                (UNITS_KEY, Value::Object(units)) => {
                    for head in &mut self.heads {
                        if let Some(Value::String(unit)) = units.get(&head.name) {
                            head.unit = Some(unit.clone());
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
