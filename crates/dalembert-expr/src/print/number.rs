//! How an exact number is written: as an integer, a fraction, a decimal or with a power of ten.
//!
//! Every form is exact. Fractions that people say (½, 3/16) stay fractions; other numbers whose decimal
//! expansion ends are decimals, because that is how the user wrote them.

use crate::rational::Rational;

/// Largest denominator and numerator of a number that is written as a fraction although its decimal
/// expansion ends.
const SPOKEN_DENOMINATOR: i64 = 64;
const SPOKEN_NUMERATOR: u64 = 99;
/// The same of fifths: 7/5 is a fraction, and 49/5 was written as 9.8.
const SPOKEN_FIFTHS: u64 = 9;
/// An integer with this many zeros at the end, or a number with more zeros than
/// [`MAX_LEADING_ZEROS`] after the point, is written with a power of ten.
const MIN_TRAILING_ZEROS: usize = 6;
const MAX_LEADING_ZEROS: usize = 3;
/// Longest decimal expansion looked for; beyond it lie only numbers outside double precision.
const MAX_PLACES: u32 = 400;
/// Longest decimal expansion that is easier to read than a fraction.
const MAX_PLACES_ALONE: u32 = 6;
/// Digits a decimal may have however short the fraction is: those of a double.
const DOUBLE_DIGITS: usize = 17;

/// A double in the fewest digits that say which it is; with a power of ten where it would have many zeros.
///
/// ```
/// use dalembert_expr::print::shortest;
///
/// assert_eq!([0.1, -3.0, 1e-300].map(shortest), ["0.1", "-3", "1e-300"]);
/// ```
pub fn shortest(value: f64) -> String {
    match value == 0.0 || (1e-5..1e16).contains(&value.abs()) {
        true => format!("{value}"),
        false => format!("{value:e}"),
    }
}

/// Whether a number is written as a decimal.
pub fn is_decimal(value: &Rational) -> bool {
    matches!(
        Literal::of(value),
        Literal::Decimal(_) | Literal::Scientific(..)
    )
}

/// The magnitude of a number as digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    /// 12
    Integer(String),
    /// 9.81
    Decimal(String),
    /// 6.674·10⁻¹¹: mantissa and exponent
    Scientific(String, i64),
    /// 3/16: numerator and denominator
    Fraction(String, String),
}

impl Literal {
    /// The form in which |value| is written.
    pub(super) fn of(value: &Rational) -> Self {
        let value = value.abs();
        let (n, d) = value.decimal_parts();
        if d == "1" {
            return Self::of_integer(n);
        }
        if let Some((p, q)) = value.as_small()
            && q <= SPOKEN_DENOMINATOR
            && q % 10 != 0
            && (q % 5 != 0 || p.unsigned_abs() <= SPOKEN_FIFTHS)
            && p.unsigned_abs() <= SPOKEN_NUMERATOR
        {
            return Self::Fraction(n, d);
        }
        if let Some(decimal) = value.terminating_decimal(MAX_PLACES) {
            let literal = Self::of_decimal(decimal);
            let digits = literal.digits();
            if digits <= DOUBLE_DIGITS || digits <= n.len() + d.len() {
                return literal;
            }
        }
        Self::Fraction(n, d)
    }

    /// The form in which |value| is written in line where it is no factor: 0.6 rather than 3/5.
    pub(super) fn alone(value: &Rational) -> Self {
        let literal = Self::of(value);
        if let Self::Fraction(p, q) = &literal
            && vulgar(p, q).is_none()
            && let Some(decimal) = value.abs().terminating_decimal(MAX_PLACES_ALONE)
        {
            return Self::of_decimal(decimal);
        }
        literal
    }

    fn of_integer(digits: String) -> Self {
        let significant = digits.trim_end_matches('0');
        if significant.is_empty() || digits.len() - significant.len() < MIN_TRAILING_ZEROS {
            return Self::Integer(digits);
        }
        Self::Scientific(with_point(significant), digits.len() as i64 - 1)
    }

    /// `text` is a decimal with a point.
    fn of_decimal(text: String) -> Self {
        let Some(fraction) = text.strip_prefix("0.") else {
            return Self::Decimal(text);
        };
        let significant = fraction.trim_start_matches('0');
        let zeros = fraction.len() - significant.len();
        if zeros <= MAX_LEADING_ZEROS {
            return Self::Decimal(text);
        }
        Self::Scientific(with_point(significant), -(zeros as i64) - 1)
    }

    /// Number of digits written.
    fn digits(&self) -> usize {
        match self {
            Self::Integer(s) | Self::Decimal(s) | Self::Scientific(s, _) => s.len(),
            Self::Fraction(n, d) => n.len() + d.len(),
        }
    }

    /// The literal in a notation, from how it writes `digits`, `power` of ten, `times` between the two, and a `fraction`;
    /// a factor 1 before a power of ten is not written.
    pub(super) fn write(
        &self,
        digits: impl Fn(&str) -> String,
        times: &str,
        power: impl Fn(i64) -> String,
        fraction: impl Fn(&str, &str) -> String,
    ) -> String {
        match self {
            Self::Integer(number) | Self::Decimal(number) => digits(number),
            Self::Scientific(mantissa, exponent) if mantissa == "1" => power(*exponent),
            Self::Scientific(mantissa, exponent) => {
                format!("{}{times}{}", digits(mantissa), power(*exponent))
            }
            Self::Fraction(n, d) => fraction(n, d),
        }
    }

    /// Whether this is one run of digits, which no neighbour can tear apart.
    pub(super) const fn is_atom(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Decimal(_))
    }
}

/// A fraction in line.
pub(super) fn in_line(numerator: &str, denominator: &str) -> String {
    format!("{numerator}/{denominator}")
}

/// 6674 as 6.674
fn with_point(digits: &str) -> String {
    match digits.split_at(1) {
        (_, "") => digits.to_owned(),
        (first, rest) => format!("{first}.{rest}"),
    }
}

/// Powers of ten that are left to a second literal, in steps well inside the range of doubles.
const STEP: i64 = 300;

/// The shortest decimal that reads back as the double nearest to `value`, which is not negative, with a
/// point or an exponent, and whether that is one literal. What doubles cannot hold is a product,
/// `1.0e100*1e300`: it computes to infinity or 0, but says what was meant.
pub(super) fn double(value: &Rational) -> (String, bool) {
    let rounded = value.to_f64();
    let lost = rounded == 0.0 && !value.is_zero();
    if rounded.is_finite() && !lost {
        return (format!("{rounded:?}"), true);
    }
    let sign = if lost { -1 } else { 1 };
    let mut rest = value.clone();
    let mut steps = String::new();
    let step = Rational::integer(10).checked_pow(-sign * STEP);
    while !(rest.to_f64().is_finite() && rest.to_f64() > 0.0) {
        match step.as_ref().and_then(|step| rest.checked_mul(step)) {
            Some(smaller) => rest = smaller,
            None => break,
        }
        steps.push_str(&format!("*1e{}", sign * STEP));
    }
    (format!("{:?}{steps}", rest.to_f64()), false)
}

/// The character of a fraction, where every font has one that can be read.
pub(super) fn vulgar(numerator: &str, denominator: &str) -> Option<char> {
    Some(match (numerator, denominator) {
        ("1", "2") => '½',
        ("1", "3") => '⅓',
        ("2", "3") => '⅔',
        ("1", "4") => '¼',
        ("3", "4") => '¾',
        ("1", "8") => '⅛',
        ("3", "8") => '⅜',
        ("5", "8") => '⅝',
        ("7", "8") => '⅞',
        _ => return None,
    })
}
