//! Draws a laid-out figure with plotters' SVG backend.
//!
//! The backend knows only whole units, so a pixel is ten of them, and the head of the document says so.

use crate::curve::{self, Point};
use crate::layout::{
    LABEL_SIZE, LEGEND_GAP, LEGEND_LINE, LEGEND_PITCH, LEGEND_SPACE, Layout, Panel, TICK_GAP,
    TICK_LENGTH, TICK_SIZE, TITLE_SIZE,
};
use crate::marks::{self, BAR, Marks, SHADES, Shade};
use dalembert_expr::print::visible;
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, FontTransform, IntoFont, RGBColor, TextStyle, WHITE};
use std::error::Error;
use std::io;

/// Units of the drawing in a pixel.
const UNITS: f64 = 10.0;

const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
const FRAME: RGBColor = RGBColor(0x55, 0x55, 0x55);
const GRID: RGBColor = RGBColor(0xE4, 0xE4, 0xE4);

const LINE_WIDTH: f64 = 1.5;
const FRAME_WIDTH: f64 = 0.8;
const GRID_WIDTH: f64 = 0.8;
const DOT_RADIUS: f64 = 2.0;

type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// The figure as a document.
pub(super) fn svg(layout: &Layout<'_>) -> Result<String, Box<dyn Error + Send + Sync>> {
    let size = (units(layout.width) as u32, units(layout.height) as u32);
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
        let canvas = Canvas { area };
        canvas.figure(layout).map_err(|error| error.to_string())?;
    }
    let body = drawn
        .split_once(">\n")
        .map(|(_head, body)| body)
        .ok_or("the drawing has no head")?;
    let (width, height) = (layout.width, f64::from(size.1) / UNITS);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{body}",
        size.0, size.1
    ))
}

fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy)]
enum Align {
    Left,
    Center,
    Right,
    /// Reading upwards, its middle at the place.
    Upwards,
}

struct Canvas<'b> {
    area: DrawingArea<SVGBackend<'b>, Shift>,
}

impl Canvas<'_> {
    fn figure(&self, layout: &Layout<'_>) -> Drawn {
        self.area.fill(&WHITE)?;
        let middle = 0.5 * (layout.left + layout.right);
        if !layout.title.is_empty() {
            let place = (layout.title_center, 12.0 + 0.75 * TITLE_SIZE);
            self.text(&layout.title, place, TITLE_SIZE, Align::Center)?;
        }
        for panel in &layout.panels {
            self.panel(layout, panel)?;
        }
        let Some(last) = layout.panels.last() else {
            return Ok(());
        };
        let baseline = last.bottom + TICK_LENGTH + TICK_GAP + 0.8 * TICK_SIZE;
        for (at, label) in &layout.x_axis.ticks {
            let x = layout.left + at * (layout.right - layout.left);
            self.text(label, (x, baseline), TICK_SIZE, Align::Center)?;
        }
        let baseline = baseline + 8.0 + LABEL_SIZE;
        self.text(
            &layout.x_label,
            (middle, baseline),
            LABEL_SIZE,
            Align::Center,
        )?;
        if let Some(note) = &layout.x_axis.note {
            self.text(note, (layout.right, baseline), TICK_SIZE, Align::Right)?;
        }
        self.area.present()
    }

    fn panel(&self, layout: &Layout<'_>, panel: &Panel<'_>) -> Drawn {
        let (left, right, top, bottom) = (layout.left, layout.right, panel.top, panel.bottom);
        let x_at = |fraction: f64| left + fraction * (right - left);
        let y_at = |fraction: f64| bottom + fraction * (top - bottom);

        for (at, _) in &layout.x_axis.ticks {
            let x = x_at(*at);
            self.path(&[(x, top), (x, bottom)], GRID, GRID_WIDTH)?;
        }
        for (at, _) in &panel.axis.ticks {
            let y = y_at(*at);
            self.path(&[(left, y), (right, y)], GRID, GRID_WIDTH)?;
        }

        let places = |values: &[f64]| -> Vec<Option<Point>> {
            let both = layout.x.iter().zip(values);
            let place = |(&x, &y): (&f64, &f64)| {
                let (x, y) = (layout.x_axis.fraction(x)?, panel.axis.fraction(y)?);
                Some((x_at(x), y_at(y)))
            };
            both.map(place).collect()
        };
        if layout.marks == Marks::Bands {
            self.bands(panel, &places)?;
        }
        for (index, series) in panel.series.iter().enumerate() {
            let [red, green, blue] = series.color;
            let color = RGBColor(red, green, blue);
            let samples = places(series.values);
            if let Some(shade) = &layout.shade {
                self.cells(layout, panel, (&samples, shade))?;
                continue;
            }
            match layout.marks {
                Marks::Dots => {
                    for point in samples.into_iter().flatten() {
                        self.dot(point, color)?;
                    }
                    continue;
                }
                // What lies around is filled.
                Marks::Bands if index != panel.series.len() / 2 => continue,
                _ => {}
            }
            for line in curve::lines(&samples, (left, right - left), 0.5) {
                match line[..] {
                    [point] => self.dot(point, color)?,
                    _ => self.path(&line, color, LINE_WIDTH)?,
                }
            }
        }

        let frame = [
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
            (left, top),
        ];
        self.path(&frame, FRAME, FRAME_WIDTH)?;
        for (at, _) in &layout.x_axis.ticks {
            let x = x_at(*at);
            self.path(
                &[(x, bottom), (x, bottom + TICK_LENGTH)],
                FRAME,
                FRAME_WIDTH,
            )?;
        }
        for (at, label) in &panel.axis.ticks {
            let y = y_at(*at);
            self.path(&[(left - TICK_LENGTH, y), (left, y)], FRAME, FRAME_WIDTH)?;
            let place = (left - TICK_LENGTH - TICK_GAP, y + 0.36 * TICK_SIZE);
            self.text(label, place, TICK_SIZE, Align::Right)?;
        }
        for at in &panel.axis.minor_ticks {
            let y = y_at(*at);
            self.path(
                &[(left - 0.5 * TICK_LENGTH, y), (left, y)],
                FRAME,
                FRAME_WIDTH,
            )?;
        }
        if let Some(note) = &panel.axis.note {
            self.text(note, (left, top - 6.0), TICK_SIZE, Align::Left)?;
        }
        if !panel.label.is_empty() {
            let place = (10.0 + 0.8 * LABEL_SIZE, 0.5 * (top + bottom));
            self.text(&panel.label, place, LABEL_SIZE, Align::Upwards)?;
        }
        self.legend(layout, panel)
    }

    /// Fills what lies between the outermost columns, then between those within.
    fn bands(&self, panel: &Panel<'_>, places: &dyn Fn(&[f64]) -> Vec<Option<Point>>) -> Drawn {
        let count = panel.series.len();
        for band in 0..count / 2 {
            let [low, high] = [band, count - 1 - band].map(|it| places(panel.series[it].values));
            let both = low
                .into_iter()
                .zip(high)
                .filter_map(|(low, high)| low.zip(high));
            let (low, high): (Vec<Point>, Vec<Point>) = both.unzip();
            let around = low.into_iter().chain(high.into_iter().rev());
            let around: Vec<(i32, i32)> = around.map(|(x, y)| (units(x), units(y))).collect();
            let [red, green, blue] = marks::of_band(panel.series[count / 2].color, band, count / 2);
            let color = RGBColor(red, green, blue);
            self.area.draw(&Polygon::new(around, color.filled()))?;
        }
        Ok(())
    }

    /// Cells of a map, as large as their places lie apart where these are a grid, and dots otherwise; and what colours mean.
    fn cells(
        &self,
        layout: &Layout<'_>,
        panel: &Panel<'_>,
        (places, shade): (&[Option<Point>], &Shade<'_>),
    ) -> Drawn {
        let known = || places.iter().zip(shade.values);
        let points: Vec<Point> = places.iter().flatten().copied().collect();
        let cell = marks::cell(&points);
        for (point, value) in known() {
            let (Some((x, y)), Some(part)) = (point, shade.axis.fraction(*value)) else {
                continue;
            };
            let [red, green, blue] = marks::shade(part);
            let color = RGBColor(red, green, blue);
            let Some((width, height)) = cell else {
                self.dot((*x, *y), color)?;
                continue;
            };
            let clipped = |x: f64, y: f64| {
                let x = x.clamp(layout.left, layout.right);
                (units(x), units(y.clamp(panel.top, panel.bottom)))
            };
            let corners = [
                clipped(x - width / 2.0, y - height / 2.0),
                clipped(x + width / 2.0, y + height / 2.0),
            ];
            self.area.draw(&Rectangle::new(corners, color.filled()))?;
        }
        let (left, height) = (layout.right + LEGEND_GAP, panel.bottom - panel.top);
        for index in 0..SHADES {
            let part = |index: usize| panel.bottom - height * index as f64 / SHADES as f64;
            let [red, green, blue] = marks::shade((index as f64 + 0.5) / SHADES as f64);
            let corners = [
                (units(left), units(part(index + 1))),
                (units(left + BAR), units(part(index))),
            ];
            let color = RGBColor(red, green, blue);
            self.area.draw(&Rectangle::new(corners, color.filled()))?;
        }
        let right = left + BAR;
        for (at, label) in &shade.axis.ticks {
            let y = panel.bottom - at * height;
            self.path(&[(right, y), (right + TICK_LENGTH, y)], FRAME, FRAME_WIDTH)?;
            let place = (right + TICK_LENGTH + TICK_GAP, y + 0.36 * TICK_SIZE);
            self.text(label, place, TICK_SIZE, Align::Left)?;
        }
        if let Some(note) = &shade.axis.note {
            self.text(note, (left, panel.top - 6.0), TICK_SIZE, Align::Left)?;
        }
        let place = (layout.width - 6.0, 0.5 * (panel.top + panel.bottom));
        self.text(&shade.label, place, LABEL_SIZE, Align::Upwards)
    }

    fn legend(&self, layout: &Layout<'_>, panel: &Panel<'_>) -> Drawn {
        let x = layout.right + LEGEND_GAP;
        if layout.shade.is_some() {
            return Ok(());
        }
        for (i, series) in panel.series.iter().enumerate() {
            let Some(name) = &series.name else { continue };
            let [red, green, blue] = series.color;
            let y = panel.top + (i as f64 + 0.5) * LEGEND_PITCH;
            let color = match (layout.marks, panel.series.len()) {
                (Marks::Bands, count) if i != count / 2 => marks::of_band(
                    panel.series[count / 2].color,
                    i.min(count - 1 - i),
                    count / 2,
                ),
                _ => [red, green, blue],
            };
            let [red, green, blue] = color;
            let color = RGBColor(red, green, blue);
            let sample = [(x, y), (x + LEGEND_LINE, y)];
            match layout.marks {
                Marks::Dots => self.dot((x + LEGEND_LINE / 2.0, y), color)?,
                Marks::Bands if i != panel.series.len() / 2 => self.path(&sample, color, 8.0)?,
                _ => self.path(&sample, color, LINE_WIDTH + 0.5)?,
            }
            let place = (x + LEGEND_LINE + LEGEND_SPACE, y + 0.36 * LABEL_SIZE);
            self.text(name, place, LABEL_SIZE, Align::Left)?;
        }
        Ok(())
    }

    fn path(&self, points: &[Point], color: RGBColor, width: f64) -> Drawn {
        let mut whole: Vec<(i32, i32)> =
            points.iter().map(|&(x, y)| (units(x), units(y))).collect();
        if whole.len() > 2 {
            whole.dedup();
        }
        let style = color.stroke_width(units(width) as u32);
        self.area.draw(&PathElement::new(whole, style))
    }

    fn dot(&self, (x, y): Point, color: RGBColor) -> Drawn {
        let place = (units(x), units(y));
        self.area
            .draw(&Circle::new(place, units(DOT_RADIUS), color.filled()))
    }

    /// Writes a text, its baseline at the place.
    fn text(&self, text: &str, (x, y): Point, size: f64, align: Align) -> Drawn {
        let h_pos = match align {
            Align::Left => HPos::Left,
            Align::Right => HPos::Right,
            Align::Center | Align::Upwards => HPos::Center,
        };
        // The backend moves centred text down by half an x-height, and divides the size by 1.24.
        let drop = 0.26 * size;
        let (x, y, turn) = match align {
            Align::Upwards => (x - drop, y, FontTransform::Rotate270),
            _ => (x, y - drop, FontTransform::None),
        };
        let font = (FontFamily::SansSerif, size * UNITS * 1.24).into_font();
        let style = TextStyle::from(font.transform(turn))
            .color(&INK)
            .pos(Pos::new(h_pos, VPos::Center));
        self.area.draw(&Text::new(
            visible(text).into_owned(),
            (units(x), units(y)),
            style,
        ))
    }
}
