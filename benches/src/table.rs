//! Tables of figures: one row for each size of a workload, said as soon as it is measured.

use crate::{BenchError, Room};
use std::io;

/// What one size gave, one cell for each column.
pub type Row = Vec<Cell>;

/// What stands in a row of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// It was not measured.
    Absent,
    /// A figure.
    Number(f64),
    /// A name.
    Word(String),
}

impl Cell {
    /// A row of figures.
    pub fn row(figures: impl IntoIterator<Item = Option<f64>>) -> Row {
        figures.into_iter().map(Self::from).collect()
    }
}

impl From<Option<f64>> for Cell {
    fn from(figure: Option<f64>) -> Self {
        figure.map_or(Self::Absent, Self::Number)
    }
}

impl From<&str> for Cell {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Count,
    /// Measured numbers.
    Measure,
    /// Errors and tolerances, of which the power of ten matters.
    Small,
    /// Names of up to so many characters.
    Word(usize),
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name for programs.
    pub key: &'static str,
    /// Heading for people.
    pub head: &'static str,
    /// What its cells are.
    pub kind: Kind,
}

impl Column {
    /// A column.
    #[must_use]
    pub const fn new(key: &'static str, head: &'static str, kind: Kind) -> Self {
        Self { key, head, kind }
    }

    /// A column of whole numbers.
    #[must_use]
    pub const fn count(key: &'static str, head: &'static str) -> Self {
        Self::new(key, head, Kind::Count)
    }

    /// A column of measured numbers.
    #[must_use]
    pub const fn measure(key: &'static str, head: &'static str) -> Self {
        Self::new(key, head, Kind::Measure)
    }

    fn shown(&self, cell: Option<&Cell>) -> String {
        match (cell, self.kind) {
            (None | Some(Cell::Absent), _) => "-".to_owned(),
            (Some(Cell::Word(word)), _) => word.clone(),
            (Some(Cell::Number(value)), Kind::Count) => format!("{value:.0}"),
            (Some(Cell::Number(value)), Kind::Small) => format!("{value:.0e}"),
            (Some(Cell::Number(value)), _) => significant(*value),
        }
    }

    /// In its column: names to the left, numbers to the right.
    fn aligned(&self, text: &str) -> String {
        let least = self.head.chars().count();
        match self.kind {
            Kind::Word(width) => format!("{text:<width$}", width = least.max(width)),
            _ => format!("{text:>width$}", width = least.max(9)),
        }
    }
}

/// A measured number in three significant digits.
#[must_use]
pub fn significant(value: f64) -> String {
    let before_point = value.abs().max(1e-4).log10().floor() as i32;
    let decimals = (2 - before_point).max(0) as usize;
    format!("{value:.decimals$}")
}

/// A workload of growing size, and what is measured of it.
pub struct Experiment {
    /// Name for programs.
    pub key: &'static str,
    /// What is measured.
    pub title: &'static str,
    /// What the figures should reach; empty if nothing is asked of them.
    pub goal: &'static str,
    /// What is left out of the larger rows; empty if nothing is.
    pub limit: &'static str,
    /// The columns; the first is the size.
    pub columns: &'static [Column],
    /// Sizes of a full run.
    pub sizes: &'static [usize],
    /// Sizes of a quick one.
    pub quick_sizes: &'static [usize],
    /// Measures one size.
    pub measure: fn(&Room, usize) -> Result<Row, BenchError>,
}

impl Experiment {
    /// Measures all sizes; `say` hears the title, the headings and each row when it is there.
    ///
    /// # Errors
    /// A peer or a workload fails, or `say` does.
    pub fn run(
        &self,
        room: &Room,
        say: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Vec<Row>, BenchError> {
        say(self.title)?;
        if !self.goal.is_empty() {
            say(&format!("goal: {}", self.goal))?;
        }
        if !self.limit.is_empty() {
            say(&format!("left out: {}", self.limit))?;
        }
        say(&self.line(|column, _| column.head.to_owned()))?;
        let sizes = if room.clock.is_once() {
            self.quick_sizes
        } else {
            self.sizes
        };
        let mut rows = Vec::new();
        for &size in sizes {
            let row = (self.measure)(room, size)?;
            say(&self.line(|column, i| column.shown(row.get(i))))?;
            rows.push(row);
        }
        Ok(rows)
    }

    fn line(&self, cell: impl Fn(&Column, usize) -> String) -> String {
        let cells: Vec<String> = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, column)| column.aligned(&cell(column, i)))
            .collect();
        cells.join("  ")
    }
}
