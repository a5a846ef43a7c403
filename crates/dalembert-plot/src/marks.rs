//! How values are shown: as lines, as dots, as bands between quantiles, as colours of a map.

use crate::axis::Axis;
use crate::curve::Point;

/// How values are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marks {
    /// Lines from value to value.
    #[default]
    Lines,
    /// A dot for each.
    Dots,
    /// Columns from the lowest to the highest, an odd number of them: what lies between two is filled, the one in the middle is a line.
    Bands,
    /// The first column is the height, the last one the colour of a cell.
    Map,
}

/// What the colours of a map mean.
pub(super) struct Shade<'t> {
    pub(super) values: &'t [f64],
    pub(super) axis: Axis,
    pub(super) label: String,
}

/// Width of the bar that explains colours, and how many of them it shows.
pub(super) const BAR: f64 = 16.0;
pub(super) const SHADES: usize = 64;

/// Colours from the least to the largest value, told apart in grey and by all eyes (viridis, Smith and van der Walt 2015, at nine places).
const COLORS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2D, 0x7B],
    [0x3B, 0x52, 0x8B],
    [0x2C, 0x72, 0x8E],
    [0x21, 0x91, 0x8C],
    [0x28, 0xAE, 0x80],
    [0x5E, 0xC9, 0x62],
    [0xAD, 0xDC, 0x30],
    [0xFD, 0xE7, 0x25],
];

/// The colour of a value at a part of the way from the least to the largest.
pub(super) fn shade(part: f64) -> [u8; 3] {
    let place = part.clamp(0.0, 1.0) * (COLORS.len() - 1) as f64;
    let first = (place as usize).min(COLORS.len() - 2);
    let rest = place - first as f64;
    let mixed = |i: usize| {
        let [from, to] = [first, first + 1].map(|it| f64::from(COLORS[it][i]));
        (from + rest * (to - from)).round() as u8
    };
    [mixed(0), mixed(1), mixed(2)]
}

/// The colour of a band, of so many around a line of a colour: the outermost is the lightest.
pub(super) fn of_band(line: [u8; 3], band: usize, bands: usize) -> [u8; 3] {
    let light = 0.8 - 0.35 * band as f64 / bands as f64;
    line.map(|c| (f64::from(c) + light * (255.0 - f64::from(c))).round() as u8)
}

/// The size of a cell, where places are a grid: each column of them has the same heights, evenly apart.
pub(super) fn cell(places: &[Point]) -> Option<Point> {
    let apart = |of: fn(&Point) -> f64| {
        let mut all: Vec<f64> = places.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        // Closer than a hundredth of a pixel is the same.
        all.dedup_by(|a, b| (*a - *b).abs() < 0.01);
        let (first, last) = (*all.first()?, *all.last()?);
        Some((all.len(), (last - first) / (all.len().max(2) - 1) as f64))
    };
    let ((columns, width), (rows, height)) = (apart(|it| it.0)?, apart(|it| it.1)?);
    (columns * rows <= places.len()).then_some((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_end_to_end() {
        assert_eq!(
            (shade(0.0), shade(1.0), shade(2.0)),
            (COLORS[0], COLORS[8], COLORS[8])
        );
        assert_eq!(shade(0.5), COLORS[4]);
    }

    #[test]
    fn grids_have_cells_and_clouds_have_none() {
        let grid: Vec<Point> = (0..12)
            .map(|it| (f64::from(it % 4) * 5.0, f64::from(it / 4) * 7.0))
            .collect();
        assert_eq!(cell(&grid), Some((5.0, 7.0)));
        let cloud: Vec<Point> = (0..12)
            .map(|it| (f64::from(it * it), f64::from(it * 7 % 5)))
            .collect();
        assert_eq!(cell(&cloud), None);
    }
}
