//! Numbers of some 31 digits: an unevaluated sum of two doubles (T. J. Dekker, *A floating-point technique for extending
//! the available precision*, 1971).

use crate::rational::Rational;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of some 31 digits. What is beyond the range of a double, or no number, is infinite or NaN as a double is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number {
    high: f64,
    /// At most half a unit in the last place of the other.
    low: f64,
}

/// a + b and what rounding took away.
fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// a b and what rounding took away.
fn exact_product(a: f64, b: f64) -> (f64, f64) {
    let (product, (ah, al), (bh, bl)) = (a * b, halves(a), halves(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

/// A double as a sum of two with 26 bits each.
fn halves(a: f64) -> (f64, f64) {
    let shifted = 134_217_729.0 * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}

impl Number {
    /// 0
    pub const ZERO: Self = Self::pair(0.0, 0.0);
    /// 1
    pub const ONE: Self = Self::pair(1.0, 0.0);
    /// π
    pub const PI: Self = Self::pair(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);

    pub(super) const fn pair(high: f64, low: f64) -> Self {
        Self { high, low }
    }

    fn from_sum(high: f64, low: f64) -> Self {
        let sum = high + low;
        match sum.is_finite() {
            true => Self::pair(sum, low - (sum - high)),
            false => Self::pair(sum, 0.0),
        }
    }

    /// The nearest double.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// Its size, as a double.
    #[must_use]
    pub fn size(self) -> f64 {
        self.high.abs()
    }

    /// Whether it is a number.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.high.is_finite()
    }

    /// |x|
    #[must_use]
    pub fn abs(self) -> Self {
        match self.high < 0.0 {
            true => -self,
            false => self,
        }
    }

    /// √x
    #[must_use]
    pub fn sqrt(self) -> Self {
        let root = libm::sqrt(self.high);
        if !root.is_finite() || root <= 0.0 {
            return Self::from(root);
        }
        // Heron.
        let root = Self::from(root);
        (root + self / root).scaled(0.5)
    }

    /// Times a power of two.
    #[must_use]
    pub(super) fn scaled(self, power_of_two: f64) -> Self {
        Self::pair(self.high * power_of_two, self.low * power_of_two)
    }

    /// xⁿ
    #[must_use]
    pub(super) fn power(self, n: i32) -> Self {
        let (mut result, mut base, mut left) = (Self::ONE, self, n.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                result = result * base;
            }
            base = base * base;
            left >>= 1;
        }
        if n < 0 { Self::ONE / result } else { result }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::pair(value, 0.0)
    }
}

impl From<&Rational> for Number {
    fn from(value: &Rational) -> Self {
        let high = value.to_f64();
        let rest = Rational::from_f64(high).and_then(|high| value.checked_add(&high.negated()));
        Self::from_sum(high, rest.map_or(0.0, |rest| rest.to_f64()))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let high = self.high.partial_cmp(&other.high)?;
        Some(high.then(self.low.partial_cmp(&other.low)?))
    }
}

impl Neg for Number {
    type Output = Self;
    fn neg(self) -> Self {
        Self::pair(-self.high, -self.low)
    }
}

impl Add for Number {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, lost) = exact_sum(self.high, other.high);
        if !high.is_finite() {
            return Self::from(high);
        }
        let (low, lost_low) = exact_sum(self.low, other.low);
        let sum = Self::from_sum(high, lost + low);
        Self::from_sum(sum.high, sum.low + lost_low)
    }
}

impl Sub for Number {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Number {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (high, lost) = exact_product(self.high, other.high);
        // Near the ends of the range, halves overflow or products underflow: then a double it is.
        if !high.is_finite() || !lost.is_finite() {
            return Self::from(high);
        }
        Self::from_sum(high, lost + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Number {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        if !first.is_finite() || !other.high.is_finite() {
            return Self::from(first);
        }
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        let third = rest.high / other.high;
        Self::from_sum(first, second) + Self::from(third)
    }
}
