//! One value of the state within a step, and its bounds over a stretch of time (interval arithmetic).

/// Rows of the method that has most.
const MOST_ROWS: usize = 7;

/// One value of the state within a step: the interpolant, as numbers of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polynomial {
    pub(crate) from: f64,
    pub(crate) length: f64,
    pub(crate) start: f64,
    pub(crate) rows: [f64; MOST_ROWS],
    pub(crate) count: usize,
}

impl Polynomial {
    /// Least and largest value between two times of the step, and least and largest rate; more than what it has there by as much as the times are apart.
    #[must_use]
    pub fn bounds(&self, times: [f64; 2]) -> [[f64; 2]; 2] {
        let ends = times.map(|t| (t - self.from) / self.length);
        let [a, b] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let [value, slope] = self.between([a, b]);
        let [middle, _] = self.between([f64::midpoint(a, b); 2]);
        let most = slope[1].max(-slope[0]) * (b - a) / 2.0;
        let size = self.rows[..self.count].iter();
        let size = size.fold(self.start.abs(), |sum, row| sum + row.abs());
        let rounding = 4.0 * MOST_ROWS as f64 * f64::EPSILON * size;
        let value = [
            value[0].max(middle[0] - most) - rounding,
            value[1].min(middle[1] + most) + rounding,
        ];
        let rate = slope.map(|slope| slope / self.length);
        [value, [rate[0].min(rate[1]), rate[0].max(rate[1])]]
    }

    /// Bounds of value and slope for θ between two numbers, term by term.
    fn between(&self, [a, b]: [f64; 2]) -> [[f64; 2]; 2] {
        // A factor is not negative.
        let times = |[low, high]: [f64; 2], [least, most]: [f64; 2]| {
            [
                low * if low < 0.0 { most } else { least },
                high * if high < 0.0 { least } else { most },
            ]
        };
        let (mut value, mut slope) = ([0.0; 2], [0.0; 2]);
        for (row, f) in self.rows[..self.count].iter().enumerate().rev() {
            let inner = value.map(|value| f + value);
            // The factor in front of F_row is θ for even rows and 1 − θ for odd ones.
            let (factor, turned) = match row % 2 == 0 {
                true => ([a, b], inner),
                false => ([1.0 - b, 1.0 - a], [-inner[1], -inner[0]]),
            };
            let factor = factor.map(|it| it.max(0.0));
            let outer = times(slope, factor);
            slope = [outer[0] + turned[0], outer[1] + turned[1]];
            value = times(inner, factor);
        }
        [value.map(|value| self.start + value), slope]
    }
}
