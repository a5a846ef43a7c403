//! Where everything in a figure stands, in pixels from its upper left corner.

use crate::axis::{self, Axis};
use crate::marks::{BAR, Marks, Shade};
use crate::{FigureOptions, PlotError};
use dalembert_expr::print::{Format, print_one, visible};
use dalembert_expr::{Graph, SymbolKind};
use dalembert_results::ColumnView;

/// Heights of letters.
pub(super) const TITLE_SIZE: f64 = 14.0;
pub(super) const LABEL_SIZE: f64 = 12.0;
pub(super) const TICK_SIZE: f64 = 11.0;

/// Length of a tick mark, and from it to its label.
pub(super) const TICK_LENGTH: f64 = 4.0;
pub(super) const TICK_GAP: f64 = 4.0;

/// From the axes to the sample of a line in the legend, its length, and from it to the name.
pub(super) const LEGEND_GAP: f64 = 14.0;
pub(super) const LEGEND_LINE: f64 = 20.0;
pub(super) const LEGEND_SPACE: f64 = 7.0;
/// From one line of the legend to the next.
pub(super) const LEGEND_PITCH: f64 = 18.0;

/// Height of axes that show a curve in space, at least, unless they are lower anyway.
const LEAST_IN_SPACE: f64 = 120.0;
/// Free room at the edges of the figure.
const EDGE: f64 = 10.0;
/// Between panels, without and with a note above the lower one.
const PANEL_GAP: f64 = 14.0;
const NOTE_ROOM: f64 = 18.0;

/// Colours that are told apart with any colour vision, on white, the most different first:
/// those of Okabe and Ito without yellow, and wine by Tol.
const PALETTE: [[u8; 3]; 8] = [
    [0x00, 0x72, 0xB2],
    [0xD5, 0x5E, 0x00],
    [0x00, 0x9E, 0x73],
    [0xCC, 0x79, 0xA7],
    [0xE6, 0x9F, 0x00],
    [0x56, 0xB4, 0xE9],
    [0x33, 0x33, 0x33],
    [0x88, 0x22, 0x55],
];

/// A figure, ready to be drawn.
pub(super) struct Layout<'t> {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Left and right edge of the axes.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) title: String,
    pub(super) title_center: f64,
    /// Values of the horizontal axis.
    pub(super) x: &'t [f64],
    pub(super) x_axis: Axis,
    pub(super) x_label: String,
    pub(super) panels: Vec<Panel<'t>>,
    pub(super) marks: Marks,
    /// What colours mean, of a map.
    pub(super) shade: Option<Shade<'t>>,
}

/// The axes for one unit.
pub(super) struct Panel<'t> {
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) axis: Axis,
    pub(super) label: String,
    pub(super) series: Vec<Series<'t>>,
    /// Whether it shows curves in space, for which both axes have one scale.
    in_space: bool,
}

/// One line.
pub(super) struct Series<'t> {
    pub(super) values: &'t [f64],
    pub(super) color: [u8; 3],
    /// Its name in the legend; not there if the label of the axis says it.
    pub(super) name: Option<String>,
}

impl<'t> Layout<'t> {
    pub(super) fn new(
        title: &str,
        x: ColumnView<'t>,
        (groups, shade): (&[Vec<ColumnView<'t>>], Option<ColumnView<'t>>),
        options: &FigureOptions,
    ) -> Result<Layout<'t>, PlotError> {
        let shade = shade.map(|column| Shade {
            values: column.values,
            axis: Axis::linear(
                axis::range(column.values.iter().copied()),
                0.0,
                y_ticks(300.0),
            ),
            label: with_unit(&column.name, shown_unit(&column)),
        });
        let width = f64::from(options.width.max(300));
        let title = shortened(title, TITLE_SIZE, width - 2.0 * EDGE);
        let chosen_height = if groups.len() == 1 { 300 } else { 170 };
        let height = f64::from(options.panel_height.unwrap_or(chosen_height).max(80));

        let new_panel = |group: &Vec<_>| Panel::new(&x, group, height, width, options.log_y);
        let mut panels: Vec<Panel<'_>> = groups.iter().map(new_panel).collect::<Result<_, _>>()?;

        let widest = |texts: &mut dyn Iterator<Item = &str>, size| {
            texts.map(|text| text_width(text, size)).fold(0.0, f64::max)
        };
        let labelled = panels.iter().any(|panel| !panel.label.is_empty());
        let label_room = if labelled { LABEL_SIZE + 8.0 } else { 0.0 };
        let left_of = |panels: &[Panel<'_>]| {
            let ticks = panels.iter().flat_map(|panel| &panel.axis.ticks);
            let tick_width = widest(&mut ticks.map(|tick| tick.1.as_str()), TICK_SIZE);
            EDGE + label_room + tick_width + TICK_GAP + TICK_LENGTH
        };
        let names = panels.iter().flat_map(|panel| &panel.series);
        let name_width = widest(&mut names.filter_map(|s| s.name.as_deref()), LABEL_SIZE);
        let legend = LEGEND_GAP + LEGEND_LINE + LEGEND_SPACE + name_width;
        // Without a legend, half of the last label is to the right of the axes.
        let shaded = shade.as_ref().map(|shade| {
            let ticks = shade.axis.ticks.iter().map(|tick| tick.1.as_str());
            let ticks = ticks
                .map(|text| text_width(text, TICK_SIZE))
                .fold(0.0, f64::max);
            LEGEND_GAP + BAR + TICK_LENGTH + TICK_GAP + ticks + LABEL_SIZE + 8.0
        });
        let legend = if name_width > 0.0 { legend } else { 12.0 };
        let right = width - shaded.unwrap_or(legend) - EDGE;

        let monotonic = x.values.is_sorted() || x.values.iter().rev().is_sorted();
        let x_range = axis::range(x.values.iter().copied());
        let x_padding = if monotonic { 0.0 } else { 0.03 };
        let x_ticks = |left: f64| (((right - left) / 60.0) as usize).min(10);
        let mut left = left_of(&panels);
        let mut x_axis = Axis::linear(x_range, x_padding, x_ticks(left));
        // Twice: other ticks may have wider labels.
        for _ in 0..2 {
            let fixed = options.panel_height.is_some();
            let length = equal_scales(&mut panels, &x_axis, right - left, fixed);
            x_axis = x_axis.stretched(length, x_ticks(left));
            left = left_of(&panels);
        }

        let title_room = if title.is_empty() {
            2.0
        } else {
            TITLE_SIZE + 12.0
        };
        let mut bottom = EDGE + title_room - PANEL_GAP;
        for panel in &mut panels {
            let note = panel.axis.note.is_some();
            panel.top = bottom + if note { NOTE_ROOM } else { 0.0 } + PANEL_GAP;
            panel.bottom += panel.top;
            bottom = panel.bottom;
        }
        // Over the axes, unless it would not fit there.
        let half_title = 0.5 * text_width(&title, TITLE_SIZE);
        let title_center = (0.5 * (left + right))
            .min(width - EDGE - half_title)
            .max(EDGE + half_title);
        Ok(Layout {
            width,
            height: bottom + TICK_LENGTH + TICK_GAP + TICK_SIZE + 8.0 + LABEL_SIZE + EDGE,
            left,
            right,
            title,
            title_center,
            x: x.values,
            x_axis,
            x_label: with_unit(&x.name, shown_unit(&x)),
            panels,
            marks: options.marks,
            shade,
        })
    }
}

/// Gives panels that show a curve in space the scale of the horizontal axis, which is so many pixels wide; returns the length that
/// this axis then has.
fn equal_scales(panels: &mut [Panel<'_>], x_axis: &Axis, width: f64, fixed: bool) -> f64 {
    // Units in a pixel.
    let mut scale = x_axis.length() / width;
    for panel in panels.iter_mut().filter(|panel| panel.in_space) {
        if !fixed {
            let wanted = panel.axis.length() / scale;
            panel.bottom = wanted.clamp(panel.bottom.min(LEAST_IN_SPACE), width);
        }
        scale = scale.max(panel.axis.length() / panel.bottom);
    }
    for panel in panels.iter_mut().filter(|panel| panel.in_space) {
        let stretched = panel.axis.clone();
        panel.axis = stretched.stretched(scale * panel.bottom, y_ticks(panel.bottom));
    }
    scale * width
}

fn y_ticks(height: f64) -> usize {
    ((height / 32.0) as usize).min(8)
}

/// Whether two columns are components of places or of their rates, so that one over the other is a curve.
fn in_space(x: &ColumnView<'_>, y: &ColumnView<'_>) -> bool {
    let is_component = |column: &ColumnView<'_>| {
        let last = column.name.rsplit('.').next().unwrap_or_default();
        let letter = last.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_' || c == '\'');
        ["x", "y", "z"].contains(&letter)
    };
    x.name != "t"
        && shown_unit(x) == shown_unit(y)
        && (shown_unit(x).is_some() || is_component(x) && is_component(y))
}

impl<'t> Panel<'t> {
    /// A panel at the top of the figure.
    fn new(
        x: &ColumnView<'_>,
        columns: &[ColumnView<'t>],
        height: f64,
        figure_width: f64,
        logarithmic: bool,
    ) -> Result<Panel<'t>, PlotError> {
        let unit = shown_unit(&columns[0]);
        let label = with_unit(&columns[0].name, unit);
        let named_by_label = columns.len() == 1 && text_width(&label, LABEL_SIZE) <= height;
        let height = height.max(columns.len() as f64 * LEGEND_PITCH);

        let values = || {
            columns
                .iter()
                .flat_map(|column| column.values.iter().copied())
        };
        let wanted = y_ticks(height);
        let axis = if logarithmic {
            let range = axis::range(values().filter(|x| *x > 0.0)).ok_or_else(|| {
                let columns = columns.iter().map(|column| column.name.clone()).collect();
                PlotError::NoPositive { columns }
            })?;
            Axis::logarithmic(range, wanted)
        } else {
            Axis::linear(axis::range(values()), 0.05, wanted)
        };
        let series = columns.iter().enumerate().map(|(index, column)| Series {
            values: column.values,
            color: color(index),
            name: (!named_by_label)
                .then(|| shortened(&shown_name(&column.name), LABEL_SIZE, 0.4 * figure_width)),
        });
        Ok(Panel {
            top: 0.0,
            bottom: height,
            in_space: !logarithmic && columns.iter().all(|column| in_space(x, column)),
            axis,
            series: series.collect(),
            label: if named_by_label {
                label
            } else {
                unit.map(pretty_unit).unwrap_or_default()
            },
        })
    }
}

/// The colour of a line: the palette, then darker, then lighter forms of it, then over again.
fn color(index: usize) -> [u8; 3] {
    let base = PALETTE[index % PALETTE.len()];
    match index / PALETTE.len() % 3 {
        0 => base,
        1 => base.map(|c| c / 2),
        _ => base.map(|c| 128 + c / 2),
    }
}

/// The unit that a label speaks of: none for a plain number.
pub(super) fn shown_unit<'t>(column: &ColumnView<'t>) -> Option<&'t str> {
    column.head.unit.as_deref().filter(|unit| *unit != "1")
}

/// A name as it is read: θ' for `theta'`, λ(rod) for `lambda(rod)`.
fn shown_name(name: &str) -> String {
    let symbol = name.trim_end_matches('\'');
    let is_name = symbol
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name && !symbol.starts_with("lambda(") {
        return name.to_owned();
    }
    let mut graph = Graph::new();
    let id = graph.symbol(symbol, SymbolKind::Coordinate);
    print_one(&graph, id, Format::Text) + &name[symbol.len()..]
}

/// `theta' (rad/s)` as θ' (rad/s).
fn with_unit(name: &str, unit: Option<&str>) -> String {
    let name = shown_name(name);
    match unit {
        Some(unit) => format!("{name} ({})", pretty_unit(unit)),
        None => name,
    }
}

/// `kg*m^2` as kg·m².
fn pretty_unit(unit: &str) -> String {
    let mut pretty = String::with_capacity(unit.len());
    let mut in_power = false;
    for c in unit.chars() {
        match c {
            '*' => pretty.push('·'),
            '^' => {}
            _ if in_power => pretty.push(axis::raised(c)),
            _ => pretty.push(c),
        }
        in_power = c == '^' || in_power && c.is_ascii_digit();
    }
    pretty
}

/// The text, without its middle if it would be wider than that.
fn shortened(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    // No letter is narrower than this, so that of a very long text nothing else needs to be tried.
    let most = (width.max(0.0) / (NARROWEST * size)) as usize + 2;
    let mut kept = letters.len().min(most);
    loop {
        kept = kept.saturating_sub(1);
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let head: String = letters[..head].iter().collect();
        let tail: String = letters[letters.len() - tail..].iter().collect();
        let short = format!("{head}…{tail}");
        if kept == 0 || text_width(&short, size) <= width {
            return short;
        }
    }
}

/// Width of the narrowest letters, in parts of the size of the font.
const NARROWEST: f64 = 0.32;

/// About how wide a text is in any usual sans-serif font, rather too much than too little.
fn text_width(text: &str, size: f64) -> f64 {
    let text = visible(text);
    let ems = text.chars().map(|c| match c {
        'i' | 'j' | 'l' | '\'' | '.' | ',' | ':' | '|' | ' ' => NARROWEST,
        '(' | ')' | '[' | ']' | '/' | 'f' | 't' | 'r' | '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => {
            0.42
        }
        'm' | 'w' | 'M' | 'W' | '…' | '−' | '×' | '+' => 0.9,
        'A'..='Z' => 0.7,
        c if c.is_ascii() => 0.62,
        _ => 1.0,
    });
    ems.sum::<f64>() * size
}
