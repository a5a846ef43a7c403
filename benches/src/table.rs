//! Tables of figures: one row for each size of a workload, said as soon as it is measured.

use crate::{BenchError, Room};
use std::io;

/// The figures of one size, one for each column; `None` where something was not measured.
pub type Row = Vec<Option<f64>>;

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name for programs.
    pub key: &'static str,
    /// Heading for people.
    pub head: &'static str,
    /// Whether its numbers count things.
    pub counts: bool,
}

impl Column {
    /// A column of whole numbers.
    #[must_use]
    pub const fn count(key: &'static str, head: &'static str) -> Self {
        let counts = true;
        Self { key, head, counts }
    }

    /// A column of measured numbers.
    #[must_use]
    pub const fn measure(key: &'static str, head: &'static str) -> Self {
        let counts = false;
        Self { key, head, counts }
    }

    fn width(&self) -> usize {
        self.head.chars().count().max(9)
    }

    fn shown(&self, value: Option<f64>) -> String {
        match value {
            None => "-".to_owned(),
            Some(value) if self.counts => format!("{value:.0}"),
            Some(value) => significant(value),
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
            say(&self.line(|column, i| column.shown(row.get(i).copied().flatten())))?;
            rows.push(row);
        }
        Ok(rows)
    }

    fn line(&self, cell: impl Fn(&Column, usize) -> String) -> String {
        let cells: Vec<String> = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, column)| format!("{:>width$}", cell(column, i), width = column.width()))
            .collect();
        cells.join("  ")
    }
}
