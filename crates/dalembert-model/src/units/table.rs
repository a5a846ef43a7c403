//! The units, as data.

use super::{Base, Dimension, Unit};
use dalembert_expr::Rational;

/// A unit as it stands in the table.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// Decimal factor, exact.
    factor: &'static str,
    /// What the factor is divided by.
    divisor: i64,
    pi_power: i8,
    /// Powers of kg, m, s, A, K, mol, cd.
    powers: [i8; Base::COUNT],
    pub(super) takes_prefixes: bool,
}

impl Row {
    /// Powers of the base units.
    pub(super) const fn powers(&self) -> [i8; Base::COUNT] {
        self.powers
    }

    /// The unit times 10^exponent; `None` if the table is wrong, which the tests exclude.
    pub(super) fn unit(&self, exponent: i8) -> Option<Unit> {
        let ten = Rational::integer(10).checked_pow(i64::from(exponent))?;
        let factor = Rational::parse_decimal(self.factor).ok()?;
        let divisor = Rational::new(1, self.divisor)?;
        Some(Unit {
            factor: factor.checked_mul(&divisor)?.checked_mul(&ten)?,
            pi_power: self.pi_power,
            dimension: Dimension::of(self.powers),
        })
    }
}

const fn si(name: &'static str, factor: &'static str, powers: [i8; Base::COUNT]) -> Row {
    Row {
        name,
        factor,
        divisor: 1,
        pi_power: 0,
        powers,
        takes_prefixes: true,
    }
}

const fn other(name: &'static str, factor: &'static str, powers: [i8; Base::COUNT]) -> Row {
    Row {
        takes_prefixes: false,
        ..si(name, factor, powers)
    }
}

/// `factor`·π/`divisor` of an angle, or of an angle per second.
const fn angle(name: &'static str, factor: &'static str, divisor: i64, seconds: i8) -> Row {
    Row {
        divisor,
        pi_power: 1,
        ..other(name, factor, [0, 0, seconds, 0, 0, 0, 0])
    }
}

/// All units without a prefix, the common ones first.
pub(super) const UNITS: &[Row] = &[
    si("m", "1", [0, 1, 0, 0, 0, 0, 0]),
    si("g", "0.001", [1, 0, 0, 0, 0, 0, 0]),
    si("s", "1", [0, 0, 1, 0, 0, 0, 0]),
    si("N", "1", [1, 1, -2, 0, 0, 0, 0]),
    si("J", "1", [1, 2, -2, 0, 0, 0, 0]),
    si("W", "1", [1, 2, -3, 0, 0, 0, 0]),
    si("Pa", "1", [1, -1, -2, 0, 0, 0, 0]),
    si("Hz", "1", [0, 0, -1, 0, 0, 0, 0]),
    si("rad", "1", [0; Base::COUNT]),
    angle("deg", "1", 180, 0),
    angle("rpm", "1", 30, -1),
    angle("rev", "2", 1, 0),
    angle("arcmin", "1", 10_800, 0),
    angle("arcsec", "1", 648_000, 0),
    other("min", "60", [0, 0, 1, 0, 0, 0, 0]),
    other("h", "3600", [0, 0, 1, 0, 0, 0, 0]),
    other("day", "86400", [0, 0, 1, 0, 0, 0, 0]),
    si("A", "1", [0, 0, 0, 1, 0, 0, 0]),
    si("C", "1", [0, 0, 1, 1, 0, 0, 0]),
    si("V", "1", [1, 2, -3, -1, 0, 0, 0]),
    si("ohm", "1", [1, 2, -3, -2, 0, 0, 0]),
    si("F", "1", [-1, -2, 4, 2, 0, 0, 0]),
    si("H", "1", [1, 2, -2, -2, 0, 0, 0]),
    si("Wb", "1", [1, 2, -2, -1, 0, 0, 0]),
    si("T", "1", [1, 0, -2, -1, 0, 0, 0]),
    si("K", "1", [0, 0, 0, 0, 1, 0, 0]),
    si("mol", "1", [0, 0, 0, 0, 0, 1, 0]),
    si("cd", "1", [0, 0, 0, 0, 0, 0, 1]),
    si("L", "0.001", [0, 3, 0, 0, 0, 0, 0]),
    si("bar", "100000", [1, -1, -2, 0, 0, 0, 0]),
    other("atm", "101325", [1, -1, -2, 0, 0, 0, 0]),
    other("in", "0.0254", [0, 1, 0, 0, 0, 0, 0]),
    other("ft", "0.3048", [0, 1, 0, 0, 0, 0, 0]),
    other("yd", "0.9144", [0, 1, 0, 0, 0, 0, 0]),
    other("mi", "1609.344", [0, 1, 0, 0, 0, 0, 0]),
    other("lb", "0.45359237", [1, 0, 0, 0, 0, 0, 0]),
    other("lbf", "4.4482216152605", [1, 1, -2, 0, 0, 0, 0]),
    other("kgf", "9.80665", [1, 1, -2, 0, 0, 0, 0]),
];

/// Prefixes with their powers of ten.
pub(super) const PREFIXES: &[(&str, i8)] = &[
    ("k", 3),
    ("m", -3),
    ("c", -2),
    ("M", 6),
    ("G", 9),
    ("u", -6),
    ("n", -9),
    ("T", 12),
    ("p", -12),
    ("d", -1),
    ("h", 2),
    ("da", 1),
];

/// What people write in full, in the singular, and the unit they mean.
pub(super) const SPELLED_OUT: &[(&[&str], &str)] = &[
    (&["meter", "metre"], "m"),
    (&["kilogram", "kilo", "kgs"], "kg"),
    (&["gram"], "g"),
    (&["second", "sec"], "s"),
    (&["minute"], "min"),
    (&["hour", "hr"], "h"),
    (&["newton"], "N"),
    (&["joule"], "J"),
    (&["watt"], "W"),
    (&["pascal"], "Pa"),
    (&["hertz"], "Hz"),
    (&["radian"], "rad"),
    (&["degree"], "deg"),
    (&["revolution", "turn"], "rev"),
    (&["ampere", "amp"], "A"),
    (&["volt"], "V"),
    (&["kelvin"], "K"),
    (&["millimeter", "millimetre"], "mm"),
    (&["centimeter", "centimetre"], "cm"),
    (&["kilometer", "kilometre"], "km"),
    (&["inch", "inche"], "in"),
    (&["foot", "feet"], "ft"),
    (&["pound"], "lb"),
];
