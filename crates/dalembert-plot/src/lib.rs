//! Static figures of a [`Table`]: lines over time as SVG.
//!
//! One panel per unit, stacked over a common horizontal axis; the legend stands to the right of the panels,
//! never on the data. A curve in space, y over x, has one scale on both axes. Colours are told apart by colour-blind readers too. A gap in the data (NaN, infinity,
//! or on a logarithmic axis a value that is not positive) is a gap in the line, and a value between
//! two gaps is a dot. Series of more samples than the eye can tell apart are thinned without losing an
//! extreme, so that a figure of a million samples stays small. The same table gives the same bytes.

mod axis;
mod curve;
mod draw;
mod layout;
mod marks;

pub use marks::Marks;

use dalembert_results::{ColumnView, Table};
use std::error::Error;
use std::fmt;

/// At most this many columns are drawn if none is named.
const DEFAULT_COLUMNS: usize = 8;

/// How a figure is to look.
#[derive(Clone, Debug)]
pub struct FigureOptions {
    /// The column of the horizontal axis; `t` if not given, and the first column if there is no `t`.
    pub x: Option<String>,
    /// The title; that of the table if not given; an empty one takes no room.
    pub title: Option<String>,
    /// Whether the vertical axes are logarithmic.
    pub log_y: bool,
    /// Width of the whole figure in pixels, at least 300.
    pub width: u32,
    /// Height of the axes of a panel in pixels, at least 80; chosen by the number of panels if not given.
    pub panel_height: Option<u32>,
    /// How values are shown.
    pub marks: Marks,
}

impl Default for FigureOptions {
    fn default() -> FigureOptions {
        FigureOptions {
            x: None,
            title: None,
            log_y: false,
            width: 800,
            panel_height: None,
            marks: Marks::Lines,
        }
    }
}

/// Draws columns of a table; without names, its coordinates (at most eight).
///
/// A coordinate is a column `q` beside which there is a rate `q'`. If there is none, columns count
/// whose names have no prime, parenthesis or dot, and if there is none of these either, all.
///
/// ```
/// use dalembert_plot::{FigureOptions, figure};
/// use dalembert_results::{Column, Table};
///
/// let t: Vec<f64> = (0..100).map(|i| 0.1 * f64::from(i)).collect();
/// let theta = t.iter().map(|t| t.cos()).collect();
/// let columns = vec![Column::new("t", Some("s"), t), Column::new("theta", Some("rad"), theta)];
/// let svg = figure(&Table::new("pendulum", columns)?, &["theta"], &FigureOptions::default())?;
/// assert!(svg.contains("θ (rad)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A name is unknown, there is nothing to draw, or nothing positive on a logarithmic axis.
pub fn figure(
    table: &Table,
    columns: &[&str],
    options: &FigureOptions,
) -> Result<String, PlotError> {
    let x = match &options.x {
        Some(name) => named(table, name)?,
        None => table.column("t").unwrap_or_else(|| table.columns()[0]),
    };
    let mut chosen = if columns.is_empty() {
        default_columns(table, &x)
    } else {
        let mut chosen: Vec<ColumnView<'_>> = Vec::new();
        for name in columns {
            let column = named(table, name)?;
            if !chosen.iter().any(|known| known.name == column.name) {
                chosen.push(column);
            }
        }
        chosen
    };
    if chosen.is_empty() || table.rows() == 0 {
        return Err(PlotError::Nothing);
    }
    // Of a map the last column is the colour.
    let shade = match options.marks {
        Marks::Map if chosen.len() > 1 => chosen.pop(),
        _ => None,
    };
    let panels = match options.marks {
        Marks::Bands => vec![chosen],
        _ => by_unit(&chosen),
    };
    let title = options.title.as_deref().unwrap_or(table.title());
    let layout = layout::Layout::new(title, x, (&panels, shade), options)?;
    draw::svg(&layout).map_err(PlotError::Drawing)
}

fn named<'t>(table: &'t Table, name: &str) -> Result<ColumnView<'t>, PlotError> {
    table.column(name).ok_or_else(|| PlotError::UnknownColumn {
        name: name.to_owned(),
        known: table.columns().iter().map(|c| c.name.clone()).collect(),
    })
}

fn default_columns<'t>(table: &'t Table, x: &ColumnView<'_>) -> Vec<ColumnView<'t>> {
    let has_rate = |column: &ColumnView<'_>| table.column(&format!("{}'", column.name)).is_some();
    let is_simple = |column: &ColumnView<'_>| !column.name.contains(['\'', '(', '.']);
    let candidates = || {
        let columns = table.columns().into_iter();
        columns.filter(|column| column.name != x.name && column.name != "t")
    };
    // A rate has a rate too if accelerations are recorded, but its name has a prime.
    let coordinates = candidates().filter(|c| has_rate(c) && !c.name.contains('\''));
    let mut chosen: Vec<ColumnView<'_>> = coordinates.collect();
    if chosen.is_empty() {
        chosen = candidates().filter(|c| is_simple(c)).collect();
    }
    if chosen.is_empty() {
        chosen = candidates().collect();
    }
    chosen.truncate(DEFAULT_COLUMNS);
    chosen
}

/// Columns of one unit together, in the order in which the units first occur.
fn by_unit<'t>(columns: &[ColumnView<'t>]) -> Vec<Vec<ColumnView<'t>>> {
    let mut panels: Vec<Vec<ColumnView<'_>>> = Vec::new();
    for column in columns {
        let unit = layout::shown_unit(column);
        let same = |panel: &&mut Vec<ColumnView<'_>>| layout::shown_unit(&panel[0]) == unit;
        match panels.iter_mut().find(same) {
            Some(panel) => panel.push(*column),
            None => panels.push(vec![*column]),
        }
    }
    panels
}

/// Why there is no figure.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlotError {
    /// The table has no column of this name.
    UnknownColumn {
        /// The name.
        name: String,
        /// The names that there are, to find the nearest in.
        known: Vec<String>,
    },
    /// The table has no rows, or nothing but the horizontal axis.
    Nothing,
    /// A logarithmic axis is asked for, and these columns of one unit have no positive value.
    NoPositive {
        /// Their names.
        columns: Vec<String>,
    },
    /// The drawing library failed.
    Drawing(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlotError::UnknownColumn { name, known } => {
                const SHOWN: usize = 20;
                write!(f, "no column '{name}'; there are ")?;
                write!(f, "{}", known[..known.len().min(SHOWN)].join(", "))?;
                match known.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            PlotError::Nothing => write!(f, "the table has nothing to draw"),
            PlotError::NoPositive { columns } => write!(
                f,
                "nothing positive to draw on a logarithmic axis in {}",
                columns.join(", ")
            ),
            PlotError::Drawing(source) => write!(f, "cannot draw: {source}"),
        }
    }
}

impl Error for PlotError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PlotError::Drawing(source) => Some(source.as_ref()),
            _ => None,
        }
    }
}
