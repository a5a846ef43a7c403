//! Axes: from data to a range, round ticks and short labels.
//!
//! Labels never have more digits than they need. A common power of ten and a common offset go into a note
//! at the end of the axis, `×10⁻⁶ + 12.25`: an energy that is constant to nine digits is readable.

use dalembert_decide::{CANCELLED, SOLVED};

/// The values that an axis shows, and how.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Where a grid line and a label are, as fractions of the axis.
    pub(super) ticks: Vec<(f64, String)>,
    /// Where there is only a small mark.
    pub(super) minor_ticks: Vec<f64>,
    /// What the labels leave out.
    pub(super) note: Option<String>,
}

/// Values beyond are drawn at this limit, so that differences stay finite.
const LARGEST: f64 = 8e307;

/// If no value is farther from zero, all count as zero: there are no digits left to divide by.
const SMALLEST: f64 = f64::MIN_POSITIVE / (SOLVED * SOLVED);

/// Below this ratio of range to magnitude, differences are rounding errors and the values count as one.
const NEGLIGIBLE: f64 = SOLVED;

/// Part of a step by which rounding may have moved a tick.
const SLACK: f64 = CANCELLED;

/// The least and the greatest of the finite values.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .into_iter()
        .filter(|x| x.is_finite())
        .fold(None, |range, x| {
            let (low, high) = range.unwrap_or((x, x));
            Some((x.min(low), x.max(high)))
        })
}

impl Axis {
    /// An axis in proportion to the values. It is `padding` of the range longer at either end, and has at
    /// most about `wanted` ticks. Without a range it shows 0 to 1.
    pub(super) fn linear(range: Option<(f64, f64)>, padding: f64, wanted: usize) -> Axis {
        let (low, high) = range.unwrap_or((0.0, 1.0));
        let (low, high) = (low.max(-LARGEST), high.min(LARGEST));
        let magnitude = low.abs().max(high.abs());
        let (low, high) = if magnitude < SMALLEST {
            (-1.0, 1.0)
        } else if high - low <= NEGLIGIBLE * magnitude {
            (low - 0.1 * magnitude, high + 0.1 * magnitude)
        } else {
            let margin = padding * (high - low);
            (low - margin, high + margin)
        };
        let step = Step::at_least((high - low) / wanted.max(1) as f64);
        let mut axis = Axis {
            low,
            high,
            logarithmic: false,
            ticks: Vec::new(),
            minor_ticks: Vec::new(),
            note: None,
        };
        axis.label(step);
        axis
    }

    /// How much it shows.
    pub(super) fn length(&self) -> f64 {
        self.high - self.low
    }

    /// The same about the same middle, but as long as this if that is longer.
    pub(super) fn stretched(self, length: f64, wanted: usize) -> Axis {
        if !(length > self.length() * (1.0 + SLACK) && length.is_finite()) {
            return self;
        }
        let (middle, half) = (f64::midpoint(self.low, self.high), length / 2.0);
        Axis::linear(Some((middle - half, middle + half)), 0.0, wanted)
    }

    /// An axis in proportion to the logarithms of positive values, from one round number to another.
    pub(super) fn logarithmic(range: (f64, f64), wanted: usize) -> Axis {
        let low = round_logarithm(range.0, Towards::Zero);
        let mut high = round_logarithm(range.1, Towards::Infinity);
        if high - low < 0.1 {
            high = round_logarithm(range.1 * 2.0, Towards::Infinity);
        }
        let mut axis = Axis {
            low,
            high,
            logarithmic: true,
            ticks: Vec::new(),
            minor_ticks: Vec::new(),
            note: None,
        };
        let decades = (low.floor() as i32)..=(high.ceil() as i32);
        let stride = ((high - low) as usize).div_ceil(wanted.max(1)).max(1);
        for decade in decades {
            for digit in 1..10 {
                let value = f64::from(decade) + f64::from(digit).log10();
                let at = (value - low) / (high - low);
                if !(-SLACK..=1.0 + SLACK).contains(&at) {
                    continue;
                }
                let power = superscript(decade);
                match digit {
                    1 if decade.rem_euclid(stride as i32) == 0 => {
                        axis.ticks.push((at, format!("10{power}")));
                    }
                    // With hardly a power of ten on the axis, these say more.
                    2 | 5 if high - low < 1.5 => {
                        axis.ticks.push((at, format!("{digit}×10{power}")));
                    }
                    1 => axis.minor_ticks.push(at),
                    _ if stride == 1 && high - low <= 6.0 => axis.minor_ticks.push(at),
                    _ => {}
                }
            }
        }
        axis
    }

    /// Where a value is, as a fraction of the axis, if it can be shown.
    pub(super) fn fraction(&self, value: f64) -> Option<f64> {
        // The logarithm of what is not positive is not finite.
        let value = if self.logarithmic {
            value.log10()
        } else {
            value
        };
        let fraction = (value - self.low) / (self.high - self.low);
        value.is_finite().then_some(fraction.clamp(0.0, 1.0))
    }

    fn label(&mut self, step: Step) {
        let width = step.value();
        let first = (self.low / width - SLACK).ceil();
        let last = (self.high / width + SLACK).floor();
        // Ticks are counted in steps, and so is the offset: all labels are exact decimals.
        let offset = self.offset(step, first.abs().max(last.abs()));
        let farthest = (first - offset).abs().max((last - offset).abs());
        let exponent = common_exponent(farthest * width, step);
        let decimals = (exponent - step.exponent).max(0);
        let unit = f64::from(step.digit) * 10f64.powi(step.exponent - exponent);
        let mut tick = first;
        while tick <= last {
            let at = (tick * width - self.low) / (self.high - self.low);
            let label = signed(&format!(
                "{:.*}",
                decimals as usize,
                // Adding zero makes a negative zero positive.
                (tick - offset) * unit + 0.0
            ));
            self.ticks.push((at.clamp(0.0, 1.0), label));
            tick += 1.0;
        }
        let mut note = String::new();
        if exponent != 0 {
            note.push_str(&format!("×10{}", superscript(exponent)));
        }
        if offset.abs() > 0.5 {
            if !note.is_empty() {
                note.push(' ');
            }
            note.push_str(if offset < 0.0 { "− " } else { "+ " });
            note.push_str(&decimal(offset.abs() * width, step.exponent));
        }
        self.note = (!note.is_empty()).then_some(note);
    }

    /// What all labels have in common, in steps, if they would have more than five digits otherwise.
    fn offset(&self, step: Step, farthest: f64) -> f64 {
        if farthest < 1e5 {
            return 0.0;
        }
        // A power of ten at least as wide as the axis is a multiple of any step of its ticks.
        let power = (self.high - self.low).log10().ceil() as i32;
        let steps = 10f64.powi(power - step.exponent) / f64::from(step.digit);
        let middle = 0.5 * self.low + 0.5 * self.high;
        (middle / step.value() / steps).round() * steps
    }
}

/// The distance of two ticks: 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug)]
struct Step {
    digit: u8,
    exponent: i32,
}

impl Step {
    fn at_least(width: f64) -> Step {
        let exponent = width.log10().floor() as i32;
        let leading = width / 10f64.powi(exponent);
        let (digit, exponent) = match leading {
            x if x <= 1.0 + SLACK => (1, exponent),
            x if x <= 2.0 + SLACK => (2, exponent),
            x if x <= 5.0 + SLACK => (5, exponent),
            _ => (1, exponent + 1),
        };
        Step { digit, exponent }
    }

    fn value(self) -> f64 {
        let digit = f64::from(self.digit);
        if self.exponent < 0 {
            digit / 10f64.powi(-self.exponent)
        } else {
            digit * 10f64.powi(self.exponent)
        }
    }
}

#[derive(Clone, Copy)]
enum Towards {
    Zero,
    Infinity,
}

/// The logarithm of the nearest 1, 2 or 5 times a power of ten in a direction.
fn round_logarithm(value: f64, towards: Towards) -> f64 {
    let exact = value.log10();
    let candidates = (-1..=1).flat_map(|shift| {
        let decade = exact.floor() + f64::from(shift);
        [1.0, 2.0, 5.0].map(|digit: f64| decade + digit.log10())
    });
    candidates
        .filter(|candidate| match towards {
            Towards::Zero => *candidate <= exact + SLACK,
            Towards::Infinity => *candidate >= exact - SLACK,
        })
        .min_by(|a, b| (a - exact).abs().total_cmp(&(b - exact).abs()))
        .unwrap_or(exact)
}

/// The multiple of three to take out of labels up to this size; 0 if they are readable as they are.
fn common_exponent(largest: f64, step: Step) -> i32 {
    // A thousandth must not become less by rounding.
    let largest = largest * (1.0 + SLACK);
    let readable = (1e-3..1e5).contains(&largest) && step.exponent >= -5;
    if readable || largest <= 0.0 {
        0
    } else {
        largest.log10().div_euclid(3.0) as i32 * 3
    }
}

/// A positive number to a power of ten, without zeros at its end.
fn decimal(value: f64, exponent: i32) -> String {
    let shown = if (1e-3..1e6).contains(&value) {
        format!(
            "{value:.*}",
            exponent.saturating_neg().clamp(0, 20) as usize
        )
    } else {
        let leading = value.log10().floor() as i32;
        let digits = (leading - exponent).clamp(0, 17) as usize;
        format!("{value:.digits$e}")
    };
    let (mantissa, power) = shown.split_once('e').unwrap_or((&shown, ""));
    let mantissa = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    match power.parse() {
        Ok(power) => format!("{mantissa}×10{}", superscript(power)),
        Err(_) => mantissa.to_owned(),
    }
}

/// With a minus sign in place of a hyphen.
fn signed(number: &str) -> String {
    number.replace('-', "−")
}

/// An exponent in raised figures.
pub(super) fn superscript(exponent: i32) -> String {
    exponent.to_string().chars().map(raised).collect()
}

/// The raised form of a figure or a minus sign.
pub(super) fn raised(c: char) -> char {
    const FIGURES: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match c.to_digit(10) {
        Some(figure) => FIGURES[figure as usize],
        None if c == '-' => '⁻',
        None => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.1.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_have_equal_decimals() {
        let axis = Axis::linear(Some((-0.87, 1.02)), 0.05, 5);
        assert_eq!(labels(&axis), ["−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(axis.note, None);
        let axis = Axis::linear(Some((0.0, 20.0)), 0.0, 10);
        assert_eq!(labels(&axis).first(), Some(&"0"));
        assert_eq!(labels(&axis).last(), Some(&"20"));
    }

    #[test]
    fn a_common_power_of_ten_is_taken_out() {
        let axis = Axis::linear(Some((-2.1e-7, 4.2e-7)), 0.0, 4);
        assert_eq!(labels(&axis), ["−200", "0", "200", "400"]);
        assert_eq!(axis.note.as_deref(), Some("×10⁻⁹"));
        let axis = Axis::linear(Some((0.0, 2.5e6)), 0.0, 5);
        assert_eq!(labels(&axis), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]);
        assert_eq!(axis.note.as_deref(), Some("×10⁶"));
        let axis = Axis::linear(Some((0.0, 1e-3)), 0.0, 2);
        assert_eq!(labels(&axis), ["0.0000", "0.0005", "0.0010"]);
    }

    #[test]
    fn a_common_offset_is_taken_out() {
        let axis = Axis::linear(Some((12.25, 12.25 + 4e-9)), 0.0, 5);
        assert_eq!(labels(&axis), ["0", "1", "2", "3", "4"]);
        assert_eq!(axis.note.as_deref(), Some("×10⁻⁹ + 12.25"));
        let axis = Axis::linear(Some((-3.0e8, -3.0e8 + 10.0)), 0.0, 5);
        assert_eq!(labels(&axis), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(axis.note.as_deref(), Some("− 3×10⁸"));
    }

    #[test]
    fn one_value_stands_in_the_middle() {
        for value in [0.0, -0.0, 2.5, -1e-200, 1e300, 5e-324] {
            let axis = Axis::linear(Some((value, value)), 0.05, 5);
            let at = axis.fraction(value).unwrap();
            assert!((at - 0.5).abs() < 1e-9, "{value}: {at}");
            assert!(axis.ticks.len() >= 3, "{value}: {:?}", axis.ticks);
        }
        // Rounding errors are not blown up to a full axis.
        let axis = Axis::linear(Some((1.0, 1.0 + 2.0 * f64::EPSILON)), 0.05, 5);
        assert_eq!(labels(&axis), ["0.90", "0.95", "1.00", "1.05", "1.10"]);
    }

    #[test]
    fn ticks_stay_on_the_axis_and_few_whatever_the_range() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let mut number = || {
                let exponent = random.i32(-270..300);
                (random.f64() - 0.5) * 10f64.powi(exponent)
            };
            let (a, b) = (number(), number());
            let near = a * (1.0 + 1e-12 * b.abs().min(1e3));
            for other in [b, near, f64::MAX, -f64::MAX] {
                let axis = Axis::linear(Some((a.min(other), a.max(other))), 0.05, 6);
                assert!((2..=8).contains(&axis.ticks.len()), "{a} {other} {axis:?}");
                assert!(axis.ticks.iter().all(|(at, _)| (0.0..=1.0).contains(at)));
                assert!(axis.ticks.is_sorted_by(|a, b| a.0 < b.0), "{axis:?}");
                let longest = labels(&axis).iter().map(|l| l.chars().count()).max();
                assert!(longest <= Some(8), "{a} {other} {axis:?}");
                let different = labels(&axis).windows(2).all(|pair| pair[0] != pair[1]);
                assert!(different, "{a} {other} {axis:?}");
            }
        }
    }

    #[test]
    fn logarithmic_axes_show_powers_of_ten() {
        let axis = Axis::logarithmic((3e-15, 0.9e-12), 6);
        assert_eq!(labels(&axis), ["10⁻¹⁴", "10⁻¹³", "10⁻¹²"]);
        assert_eq!(axis.fraction(0.0), None);
        assert_eq!(axis.fraction(-1.0), None);
        assert_eq!(axis.fraction(f64::NAN), None);
        let axis = Axis::logarithmic((1e-300, 1e300), 6);
        assert!(axis.ticks.len() <= 8, "{axis:?}");
        let axis = Axis::logarithmic((12.0, 12.0), 6);
        assert_eq!(labels(&axis), ["10¹", "2×10¹"]);
        let axis = Axis::logarithmic((5e-324, f64::MAX), 6);
        assert!((2..=9).contains(&axis.ticks.len()), "{axis:?}");
    }
}
