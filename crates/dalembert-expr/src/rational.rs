//! Exact rational numbers: the literals of every expression.
//!
//! `0.1` is 1/10, not the double nearest to it; rounding happens once, when a program is compiled.
//! Almost every literal in mechanics is small, so a number whose numerator and denominator fit `i64`
//! is stored as such and the rest falls back to big integers.

mod divisor;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// Results with more bits than this are not folded: the operation stays symbolic.
/// Keeps chains such as ((2^9)^9)^9 or a sum of 1/p over many primes from exploding.
const MAX_BITS: u64 = 2048;

/// Most significant digits and largest decimal exponent of a literal; beyond them it is refused.
const MAX_DIGITS: usize = 1000;
const MAX_EXPONENT: i64 = 5000;

/// An exact rational number in lowest terms, denominator positive.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Always used when both parts fit, so equality and hashing are structural.
    Small(i64, i64),
    Big(Box<(BigInt, BigInt)>),
}

/// Why a numeric literal was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralError {
    /// The text is not of the form `12`, `1.5`, `.5` or `1.5e-3`.
    Malformed,
    /// More significant digits than are kept exactly.
    TooManyDigits,
    /// The value overflows double precision, or underflows to zero.
    OutOfRange,
}

impl Rational {
    /// The number 0.
    pub const ZERO: Self = Self(Repr::Small(0, 1));
    /// The number 1.
    pub const ONE: Self = Self(Repr::Small(1, 1));
    /// The number ½.
    pub const HALF: Self = Self(Repr::Small(1, 2));

    /// The integer `n`.
    #[must_use]
    pub const fn integer(n: i64) -> Self {
        Self(Repr::Small(n, 1))
    }

    /// `numerator / denominator`, reduced; `None` for a zero denominator.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::from_wide(i128::from(numerator), i128::from(denominator)))
    }

    /// The exact value of a finite double; `None` for NaN and infinities.
    #[must_use]
    pub fn from_f64(x: f64) -> Option<Self> {
        if !x.is_finite() {
            return None;
        }
        let bits = x.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = if exponent == 0 {
            (fraction, -1074)
        } else {
            (fraction | (1 << 52), exponent - 1075)
        };
        let mantissa = BigInt::from(mantissa) * if x < 0.0 { -1 } else { 1 };
        let power = BigInt::one() << exponent.unsigned_abs();
        Some(if exponent < 0 {
            Self::from_big(mantissa, power)
        } else {
            Self::from_big(mantissa * power, BigInt::one())
        })
    }

    /// Reads a decimal literal (`12`, `0.1`, `.5`, `6.674e-11`) exactly.
    ///
    /// # Errors
    /// The literal is malformed, too long, or outside the range of double precision.
    pub fn parse_decimal(text: &str) -> Result<Self, LiteralError> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], &text[at + 1..]),
            None => (text, "0"),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return Err(LiteralError::Malformed);
        }
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if unsigned.is_empty() || !all_digits(unsigned) {
            return Err(LiteralError::Malformed);
        }
        let mut digits = format!("{whole}{fraction}");
        let significant = digits.trim_start_matches('0').trim_end_matches('0').len();
        if significant > MAX_DIGITS {
            return Err(LiteralError::TooManyDigits);
        }
        if significant == 0 {
            return Ok(Self::ZERO);
        }
        let trailing = digits.len() - digits.trim_end_matches('0').len();
        digits.truncate(digits.len() - trailing);
        let shift = fraction.len() as i64 - trailing as i64;
        let exponent: i64 = exponent.parse().map_err(|_| LiteralError::OutOfRange)?;
        let exponent = exponent.saturating_sub(shift);
        if exponent.abs() > MAX_EXPONENT {
            return Err(LiteralError::OutOfRange);
        }
        let digits: BigInt = digits
            .trim_start_matches('0')
            .parse()
            .map_err(|_| LiteralError::Malformed)?;
        let power = BigInt::from(10).pow(exponent.unsigned_abs() as u32);
        let value = if exponent < 0 {
            Self::from_big(digits, power)
        } else {
            Self::from_big(digits * power, BigInt::one())
        };
        let rounded = value.to_f64();
        if rounded.is_infinite() || rounded == 0.0 {
            return Err(LiteralError::OutOfRange);
        }
        Ok(value)
    }

    fn from_wide(numerator: i128, denominator: i128) -> Self {
        if denominator == 1
            && let Ok(n) = i64::try_from(numerator)
        {
            return Self::integer(n);
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        let sign = denominator.signum();
        let (n, d) = (numerator / divisor * sign, denominator / divisor * sign);
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => Self(Repr::Small(n, d)),
            _ => Self(Repr::Big(Box::new((n.into(), d.into())))),
        }
    }

    fn from_big(numerator: BigInt, denominator: BigInt) -> Self {
        let divisor = numerator.gcd(&denominator);
        let (mut n, mut d) = (numerator / &divisor, denominator / &divisor);
        if d.is_negative() {
            (n, d) = (-n, -d);
        }
        match (n.to_i64(), d.to_i64()) {
            (Some(n), Some(d)) => Self(Repr::Small(n, d)),
            _ => Self(Repr::Big(Box::new((n, d)))),
        }
    }

    fn from_integer(n: BigInt) -> Self {
        match n.to_i64() {
            Some(n) => Self::integer(n),
            None => Self(Repr::Big(Box::new((n, BigInt::one())))),
        }
    }

    /// What is left of x after taking away multiples of n: from 0 up to n.
    #[must_use]
    pub fn modulo(&self, n: i64) -> Self {
        let (p, q) = self.parts();
        let period = BigInt::from(n) * &q;
        Self::from_big(p.mod_floor(&period), q)
    }

    fn parts(&self) -> (BigInt, BigInt) {
        match &self.0 {
            Repr::Small(n, d) => (BigInt::from(*n), BigInt::from(*d)),
            Repr::Big(parts) => (parts.0.clone(), parts.1.clone()),
        }
    }

    /// Numerator and denominator in decimal.
    #[must_use]
    pub fn decimal_parts(&self) -> (String, String) {
        match &self.0 {
            Repr::Small(n, d) => (n.to_string(), d.to_string()),
            Repr::Big(parts) => (parts.0.to_string(), parts.1.to_string()),
        }
    }

    /// Numerator and denominator, if both fit `i64`.
    #[must_use]
    pub fn as_small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Repr::Small(n, d) => Some((n, d)),
            Repr::Big(_) => None,
        }
    }

    /// The value as an integer, if it is one and fits `i64`.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(n, 1) => Some(n),
            _ => None,
        }
    }

    /// Whether this is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Whether this is 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1, 1))
    }

    /// Whether this is below 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n < 0,
            Repr::Big(parts) => parts.0.is_negative(),
        }
    }

    /// Whether this is an integer of any size.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == 1,
            Repr::Big(parts) => parts.1.is_one(),
        }
    }

    /// Whether this is an even integer of any size.
    #[must_use]
    pub fn is_even(&self) -> bool {
        match &self.0 {
            Repr::Small(n, d) => *d == 1 && n % 2 == 0,
            Repr::Big(parts) => parts.1.is_one() && parts.0.is_even(),
        }
    }

    /// −x.
    #[must_use]
    pub fn negated(&self) -> Self {
        match &self.0 {
            Repr::Small(n, d) => Self::from_wide(-i128::from(*n), i128::from(*d)),
            Repr::Big(parts) => Self::from_big(-&parts.0, parts.1.clone()),
        }
    }

    /// |x|.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() {
            self.negated()
        } else {
            self.clone()
        }
    }

    /// 1/x; `None` for 0.
    #[must_use]
    pub fn reciprocal(&self) -> Option<Self> {
        match &self.0 {
            Repr::Small(0, _) => None,
            Repr::Small(n, d) => Some(Self::from_wide(i128::from(*d), i128::from(*n))),
            Repr::Big(parts) => Some(Self::from_big(parts.1.clone(), parts.0.clone())),
        }
    }

    /// x + y; `None` if the result is too large to keep exactly.
    #[must_use]
    pub fn checked_add(&self, other: &Self) -> Option<Self> {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            let (a, b, c, d) = (
                i128::from(*a),
                i128::from(*b),
                i128::from(*c),
                i128::from(*d),
            );
            // |a d| and |c b| are at most 2^126, so the sum cannot overflow.
            return Some(Self::from_wide(a * d + c * b, b * d));
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        if b.is_one() && d.is_one() {
            return Self::from_integer(a + c).bounded();
        }
        Self::from_big(a * &d + c * &b, b * d).bounded()
    }

    /// x·y; `None` if the result is too large to keep exactly.
    #[must_use]
    pub fn checked_mul(&self, other: &Self) -> Option<Self> {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            return Some(Self::from_wide(
                i128::from(*a) * i128::from(*c),
                i128::from(*b) * i128::from(*d),
            ));
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        if b.is_one() && d.is_one() {
            return Self::from_integer(a * c).bounded();
        }
        Self::from_big(a * c, b * d).bounded()
    }

    /// x^n; `None` if the result is too large to keep exactly, or for 0 to a negative power.
    #[must_use]
    pub fn checked_pow(&self, n: i64) -> Option<Self> {
        let base = if n < 0 {
            self.reciprocal()?
        } else {
            self.clone()
        };
        let (p, q) = base.parts();
        let bits = p.bits().max(q.bits()).saturating_sub(1);
        if bits.saturating_mul(n.unsigned_abs()) > MAX_BITS {
            return None;
        }
        // A base of 0 or ±1 has no size limit on n; reduce the exponent to its parity.
        let n = if bits == 0 {
            n.unsigned_abs().min(2 + n.unsigned_abs() % 2)
        } else {
            n.unsigned_abs()
        };
        let n = u32::try_from(n).ok()?;
        // Powers of numbers without a common divisor have none either.
        match (p.pow(n), q.pow(n)) {
            (p, q) if q.is_one() => Self::from_integer(p).bounded(),
            (p, q) => Self::from_big(p, q).bounded(),
        }
    }

    /// √x if that is rational.
    #[must_use]
    pub fn exact_sqrt(&self) -> Option<Self> {
        if self.is_negative() {
            return None;
        }
        let (p, q) = self.parts();
        let (root_p, root_q) = (p.sqrt(), q.sqrt());
        (&root_p * &root_p == p && &root_q * &root_q == q).then(|| Self::from_big(root_p, root_q))
    }

    fn bounded(self) -> Option<Self> {
        match &self.0 {
            Repr::Big(parts) if parts.0.bits().max(parts.1.bits()) > MAX_BITS => None,
            _ => Some(self),
        }
    }

    /// The nearest double, ties to even; ±∞ beyond its range.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            // Both exact as doubles: one IEEE division rounds correctly.
            Repr::Small(n, d) if n.unsigned_abs() <= 1 << 53 && *d <= 1 << 53 => {
                *n as f64 / *d as f64
            }
            _ => {
                let (n, d) = self.parts();
                let magnitude = divide_to_f64(&n.abs(), &d);
                if n.is_negative() {
                    -magnitude
                } else {
                    magnitude
                }
            }
        }
    }

    /// The decimal expansion, if it ends within `max_digits` digits after the point.
    #[must_use]
    pub fn terminating_decimal(&self, max_digits: u32) -> Option<String> {
        let (n, d) = self.parts();
        let (mut rest, mut twos, mut fives) = (d.clone(), 0u32, 0u32);
        while twos <= max_digits && rest.is_even() {
            rest /= 2;
            twos += 1;
        }
        while fives <= max_digits && rest.is_multiple_of(&BigInt::from(5)) {
            rest /= 5;
            fives += 1;
        }
        let places = twos.max(fives);
        if !rest.is_one() || places > max_digits {
            return None;
        }
        let digits = (n.abs() * BigInt::from(10).pow(places) / d).to_string();
        let sign = if n.is_negative() { "-" } else { "" };
        let places = places as usize;
        if places == 0 {
            return Some(format!("{sign}{digits}"));
        }
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        Some(format!("{sign}{whole}.{fraction}"))
    }
}

/// In 64 bits where that is possible: many times faster, and nearly always so.
fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    match (
        u64::try_from(a.unsigned_abs()),
        u64::try_from(b.unsigned_abs()),
    ) {
        (Ok(a), Ok(b)) => i128::from(a.gcd(&b)),
        _ => a.gcd(&b),
    }
}

/// n/d for n ≥ 0, d > 0, correctly rounded.
fn divide_to_f64(n: &BigInt, d: &BigInt) -> f64 {
    if n.is_zero() {
        return 0.0;
    }
    // Scale so that the quotient has 65 or 66 bits; what is cut off is remembered in a sticky bit.
    let shift = 66 - (n.bits() as i64 - d.bits() as i64);
    let (quotient, rest) = if shift >= 0 {
        (n << shift as u64).div_rem(d)
    } else {
        n.div_rem(&(d << shift.unsigned_abs()))
    };
    let mut quotient = quotient.to_u128().unwrap_or(u128::MAX);
    if !rest.is_zero() {
        quotient |= 1;
    }
    // value = quotient · 2^-shift. Keep 53 bits, or fewer in the subnormal range.
    let top = 127 - i64::from(quotient.leading_zeros()) - shift;
    if top > 1023 {
        return f64::INFINITY;
    }
    let lowest = (top - 52).max(-1074);
    let drop = lowest + shift;
    let kept = if drop >= 128 { 0 } else { quotient >> drop };
    let cut = if drop >= 128 {
        quotient
    } else {
        quotient & ((1u128 << drop) - 1)
    };
    let half = if drop > 128 {
        u128::MAX
    } else {
        1u128 << (drop - 1)
    };
    let up = cut > half || (cut == half && kept & 1 == 1);
    let mantissa = (kept + u128::from(up)) as f64;
    // Two exact steps: the intermediate stays normal, the last one lands on a representable value.
    if lowest < -1000 {
        mantissa * 2f64.powi(lowest as i32 + 200) * 2f64.powi(-200)
    } else {
        mantissa * 2f64.powi(lowest as i32)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            return (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)));
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        (a * d).cmp(&(c * b))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, d) = self.decimal_parts();
        if d == "1" {
            f.write_str(&n)
        } else {
            write!(f, "{n}/{d}")
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Self {
        Self::integer(n)
    }
}
