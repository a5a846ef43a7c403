//! Functions given by values at points: straight lines or a cubic spline between them.
//!
//! A [`Table`] is a piecewise polynomial with coefficients in doubles; that is what it means, to thirty digits too. It is
//! shared, and looked up in O(log n), so that a hundred thousand rows cost no more than ten.
//!
//! The spline has continuous second derivatives, and is one polynomial over the first two and the last two pieces
//! ("not-a-knot"), so that it follows a smooth function to fourth order up to its ends.

#[cfg(test)]
mod tests;

use dalembert_decide::ROUNDING;
use std::fmt;
use std::sync::Arc;

/// What is between the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// A spline of cubic polynomials.
    Cubic,
}

/// What is before the first and behind the last point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beyond {
    /// No value.
    Refused,
    /// The value of the end.
    Hold,
    /// The straight line with the slope of the end.
    Line,
}

/// Where the values of a table are from, as its call says it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The file.
    pub file: Box<str>,
    /// The column.
    pub column: Box<str>,
    /// What is between the points.
    pub interpolation: Interpolation,
    /// What is beyond them.
    pub beyond: Beyond,
}

/// A function of one argument by its values at points.
pub struct Table {
    /// Where it is from; tables of one model with the same label are the same.
    pub label: Label,
    knots: Box<[f64]>,
    /// Coefficients of the powers of x − knot, for each piece.
    pieces: Box<[[f64; 4]]>,
    /// Value and slope at the ends.
    ends: [[f64; 2]; 2],
    /// Bounds of the function and of its derivatives.
    extents: [[f64; 2]; 4],
}

/// Why points make no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTable {
    /// There are fewer than two.
    TooFew,
    /// The argument of this point is not larger than that before it.
    NotIncreasing(usize),
    /// This point has an argument or a value that is no finite number.
    NotFinite(usize),
    /// Numbers between the points are too large for doubles.
    TooLarge,
}

impl Table {
    /// The function through points, whose arguments ascend.
    ///
    /// # Errors
    /// The points make none.
    pub fn new(label: Label, arguments: &[f64], values: &[f64]) -> Result<Self, NoTable> {
        let points = || arguments.iter().zip(values);
        if let Some(at) = points().position(|(x, y)| !x.is_finite() || !y.is_finite()) {
            return Err(NoTable::NotFinite(at));
        }
        if arguments.len() < 2 || arguments.len() != values.len() {
            return Err(NoTable::TooFew);
        }
        if let Some(at) = arguments.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(NoTable::NotIncreasing(at + 1));
        }
        let slopes = match label.interpolation {
            Interpolation::Linear => None,
            Interpolation::Cubic => Some(spline_slopes(arguments, values)),
        };
        let piece = |i: usize| {
            let (h, y) = (arguments[i + 1] - arguments[i], values[i]);
            let mean = (values[i + 1] - y) / h;
            let Some(s) = &slopes else {
                return [y, mean, 0.0, 0.0];
            };
            // Hermite's form by the slopes at both ends.
            let bend = (s[i] + s[i + 1] - 2.0 * mean) / h;
            [y, s[i], (mean - s[i]) / h - bend, bend / h]
        };
        let pieces: Box<[[f64; 4]]> = (0..arguments.len() - 1).map(piece).collect();
        if pieces.iter().flatten().any(|c| !c.is_finite()) {
            return Err(NoTable::TooLarge);
        }
        let last = pieces.len() - 1;
        let width = arguments[last + 1] - arguments[last];
        let end_slope = polynomial(&pieces[last], 1, width);
        let ends = [[values[0], pieces[0][1]], [values[last + 1], end_slope]];
        let extent = |order: u8| {
            let widths = arguments.windows(2).map(|pair| pair[1] - pair[0]);
            let nothing = [f64::INFINITY, f64::NEG_INFINITY];
            pieces.iter().zip(widths).fold(nothing, |all, (c, width)| {
                let own = piece_bounds(c, order, [0.0, width]);
                [all[0].min(own[0]), all[1].max(own[1])]
            })
        };
        Ok(Self {
            extents: [0, 1, 2, 3].map(extent),
            label,
            knots: arguments.into(),
            ends,
            pieces,
        })
    }

    /// The points at which one polynomial ends and the next begins, ascending.
    #[must_use]
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Coefficients of the powers of x − knot, for each piece.
    #[must_use]
    pub fn pieces(&self) -> &[[f64; 4]] {
        &self.pieces
    }

    /// Value and slope at both ends.
    #[must_use]
    pub fn ends(&self) -> [[f64; 2]; 2] {
        self.ends
    }

    /// Least and largest argument.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        [self.knots[0], self.knots[self.knots.len() - 1]]
    }

    /// Arguments beyond which it ends: rounding of sums, such as that of a start and a span, does not count.
    #[must_use]
    pub fn limits(&self) -> [f64; 2] {
        let [first, last] = self.range();
        let room = ROUNDING * first.abs().max(last.abs());
        [first - room, last + room]
    }

    /// How often the function can be differentiated until it jumps.
    #[must_use]
    pub fn smoothness(&self) -> u8 {
        let inside = match self.label.interpolation {
            Interpolation::Linear => 1,
            Interpolation::Cubic => 3,
        };
        match self.label.beyond {
            Beyond::Refused => inside,
            Beyond::Hold => 1,
            Beyond::Line => inside.min(2),
        }
    }

    /// The piece that an argument is in: 0 to n − 2; beyond the ends the nearest.
    #[must_use]
    pub fn piece_at(&self, x: f64) -> usize {
        let after = self.knots.partition_point(|&knot| knot <= x);
        after.saturating_sub(1).min(self.pieces.len() - 1)
    }

    /// The end that an argument is beyond.
    fn end_before(&self, x: f64) -> Option<usize> {
        let [first, last] = self.limits();
        match x {
            _ if x < first => Some(0),
            _ if x > last => Some(1),
            _ => None,
        }
    }

    /// The value of a derivative.
    #[must_use]
    pub fn derivative(&self, order: u8, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let Some(end) = self.end_before(x) else {
            let piece = self.piece_at(x);
            return polynomial(&self.pieces[piece], order, x - self.knots[piece]);
        };
        let [value, slope] = self.ends[end];
        match (self.label.beyond, order) {
            (Beyond::Refused, _) => f64::NAN,
            (Beyond::Hold | Beyond::Line, 2..) | (Beyond::Hold, 1) => 0.0,
            (Beyond::Hold, 0) => value,
            (Beyond::Line, 0) => value + slope * (x - self.range()[end]),
            (Beyond::Line, 1) => slope,
        }
    }

    /// A continuous function that changes its sign at each knot and nowhere else.
    #[must_use]
    pub fn sides(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let after = self.knots.partition_point(|&knot| knot <= x);
        let before = after
            .checked_sub(1)
            .map_or(f64::INFINITY, |i| x - self.knots[i]);
        let behind = self.knots.get(after).map_or(f64::INFINITY, |knot| knot - x);
        let size = before.min(behind);
        if after % 2 == 0 { size } else { -size }
    }
}

/// Pieces that bounds are looked for in one by one; of more, the bounds of the whole table are told.
const FEW_PIECES: usize = 16;

impl TableFunction {
    /// Bounds of the values over an interval; where there are none, those of the nearest end.
    #[must_use]
    pub fn bounds(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let table = &*self.table;
        let Taken::Derivative(order) = self.taken else {
            let place = |x: f64| table.knots.partition_point(|&knot| knot <= x);
            return match (place(low), place(high)) {
                (a, b) if a != b => [f64::NEG_INFINITY, f64::INFINITY],
                (after, _) => {
                    let least = table.sides(low).abs().min(table.sides(high).abs());
                    match after % 2 {
                        0 => [least, f64::INFINITY],
                        _ => [f64::NEG_INFINITY, -least],
                    }
                }
            };
        };
        let [first, last] = table.range();
        let mut bounds = [f64::INFINITY, f64::NEG_INFINITY];
        let mut hold = |[a, b]: [f64; 2]| bounds = [bounds[0].min(a), bounds[1].max(b)];
        if low < first || high > last {
            for (x, end) in [(low, first), (high, last)] {
                let value = table.derivative(order, x);
                let known = match value.is_nan() {
                    true => table.derivative(order, end),
                    false => value,
                };
                hold([known, known]);
            }
        }
        let (from, to) = (table.piece_at(low), table.piece_at(high));
        if to - from > FEW_PIECES {
            hold(table.extents[usize::from(order.min(3))]);
            return bounds;
        }
        for piece in from..=to {
            let start = table.knots[piece];
            let [a, b] = [low, high].map(|x| x.clamp(start, table.knots[piece + 1]) - start);
            hold(piece_bounds(&table.pieces[piece], order, [a, b]));
        }
        bounds
    }
}

/// Bounds of a derivative of a polynomial between two arguments that are not negative.
fn piece_bounds(c: &[f64; 4], order: u8, [a, b]: [f64; 2]) -> [f64; 2] {
    let (middle, half) = (f64::midpoint(a, b), 0.5 * (b - a));
    let sizes = c.map(f64::abs);
    let way = half * polynomial(&sizes, order.saturating_add(1), b);
    let value = polynomial(c, order, middle);
    [value - way, value + way]
}

/// A derivative of a polynomial.
fn polynomial(c: &[f64; 4], order: u8, u: f64) -> f64 {
    match order {
        0 => ((c[3] * u + c[2]) * u + c[1]) * u + c[0],
        1 => (3.0 * c[3] * u + 2.0 * c[2]) * u + c[1],
        2 => 6.0 * c[3] * u + 2.0 * c[2],
        3 => 6.0 * c[3],
        _ => 0.0,
    }
}

/// Slopes of the cubic spline at its knots: second derivatives are continuous at inner ones, and third ones at the first and the last
/// of these. Of three points a parabola, of two a line.
fn spline_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mean: Vec<f64> = (0..n - 1).map(|i| (y[i + 1] - y[i]) / h[i]).collect();
    if n == 2 {
        return vec![mean[0]; 2];
    }
    if n == 3 {
        let bend = (mean[1] - mean[0]) / (h[0] + h[1]);
        return vec![
            mean[0] - bend * h[0],
            mean[0] + bend * h[0],
            mean[1] + bend * h[1],
        ];
    }
    // Rows below·s[i−1] + own·s[i] + above·s[i+1] = right; the first and the last have two entries by themselves.
    let (mut own, mut above, mut right) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut below = vec![0.0; n];
    let end = |h0: f64, h1: f64, m0: f64, m1: f64| {
        let d = h0 + h1;
        (d, ((h0 + 2.0 * d) * h1 * m0 + h0 * h0 * m1) / d)
    };
    own[0] = h[1];
    (above[0], right[0]) = end(h[0], h[1], mean[0], mean[1]);
    own[n - 1] = h[n - 3];
    (below[n - 1], right[n - 1]) = end(h[n - 2], h[n - 3], mean[n - 2], mean[n - 3]);
    for i in 1..n - 1 {
        below[i] = h[i];
        own[i] = 2.0 * (h[i - 1] + h[i]);
        above[i] = h[i - 1];
        right[i] = 3.0 * (h[i] * mean[i - 1] + h[i - 1] * mean[i]);
    }
    for i in 1..n {
        let factor = below[i] / own[i - 1];
        own[i] -= factor * above[i - 1];
        right[i] -= factor * right[i - 1];
    }
    let mut slopes = right;
    slopes[n - 1] /= own[n - 1];
    for i in (0..n - 1).rev() {
        slopes[i] = (slopes[i] - above[i] * slopes[i + 1]) / own[i];
    }
    slopes
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {} points", self.label, self.knots.len())
    }
}

/// What is taken from a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taken {
    /// The function, or a derivative of it.
    Derivative(u8),
    /// [`Table::sides`]: what changes its sign at the knots.
    Sides,
}

/// A function made of a table.
#[derive(Clone, Debug)]
pub struct TableFunction {
    /// The table.
    pub table: Arc<Table>,
    /// What of it.
    pub taken: Taken,
}

impl PartialEq for TableFunction {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.table, &other.table) || self.table.label == other.table.label;
        same && self.taken == other.taken
    }
}

impl Eq for TableFunction {}

impl TableFunction {
    /// The function of a table.
    #[must_use]
    pub fn new(table: Arc<Table>) -> Self {
        let taken = Taken::Derivative(0);
        Self { table, taken }
    }

    /// Its value.
    #[must_use]
    pub fn value(&self, x: f64) -> f64 {
        match self.taken {
            Taken::Derivative(order) => self.table.derivative(order, x),
            Taken::Sides => self.table.sides(x),
        }
    }

    /// How often it was differentiated.
    #[must_use]
    pub fn order(&self) -> u8 {
        match self.taken {
            Taken::Derivative(order) => order,
            Taken::Sides => 0,
        }
    }

    /// Its derivative; `None` if that is zero almost everywhere.
    #[must_use]
    pub fn derivative(&self) -> Option<Self> {
        let highest = match self.table.label.interpolation {
            Interpolation::Linear => 1,
            Interpolation::Cubic => 3,
        };
        match self.taken {
            Taken::Derivative(order) if order < highest => Some(Self {
                table: Arc::clone(&self.table),
                taken: Taken::Derivative(order + 1),
            }),
            _ => None,
        }
    }

    /// Whether it jumps at knots.
    #[must_use]
    pub fn jumps(&self) -> bool {
        self.order() >= self.table.smoothness()
    }

    /// The name of the function in formulas: `drive.force` of the column force of drive.csv.
    #[must_use]
    pub fn name(&self) -> String {
        let Label { file, column, .. } = &self.table.label;
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || c == '.' {
                c
            } else {
                '_'
            }
        };
        format!("{stem}.{column}").chars().map(plain).collect()
    }

    /// The same for programs: `table_drive_force`, `table_drive_force_d1` for its derivative.
    #[must_use]
    pub fn identifier(&self) -> String {
        let name = self.name().replace('.', "_");
        match self.order() {
            0 => format!("table_{name}"),
            order => format!("table_{name}_d{order}"),
        }
    }

    /// What a call has behind its argument in the language of models.
    #[must_use]
    pub(crate) fn options(&self) -> String {
        let Label {
            column,
            interpolation,
            beyond,
            ..
        } = &self.table.label;
        let mut text = format!(", column = \"{column}\"");
        if *interpolation == Interpolation::Cubic {
            text.push_str(", kind = \"cubic\"");
        }
        match beyond {
            Beyond::Refused => {}
            Beyond::Hold => text.push_str(", outside = \"hold\""),
            Beyond::Line => text.push_str(", outside = \"line\""),
        }
        if self.order() > 0 {
            text.push_str(&format!(", derivative = {}", self.order()));
        }
        text
    }
}
