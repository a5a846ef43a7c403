//! Dimensions: products of powers of the SI base units.

use std::fmt;
use std::sync::LazyLock;

/// A base unit of the SI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// Mass.
    Kilogram,
    /// Length.
    Metre,
    /// Time.
    Second,
    /// Electric current.
    Ampere,
    /// Temperature.
    Kelvin,
    /// Amount of substance.
    Mole,
    /// Luminous intensity.
    Candela,
}

impl Base {
    /// How many there are.
    pub const COUNT: usize = 7;

    /// All of them, in the order in which dimensions are written.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Kilogram,
        Self::Metre,
        Self::Second,
        Self::Ampere,
        Self::Kelvin,
        Self::Mole,
        Self::Candela,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kilogram => "kg",
            Self::Metre => "m",
            Self::Second => "s",
            Self::Ampere => "A",
            Self::Kelvin => "K",
            Self::Mole => "mol",
            Self::Candela => "cd",
        }
    }
}

/// A rational exponent, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exponent {
    numerator: i16,
    denominator: i16,
}

impl Exponent {
    /// 0
    pub const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };

    /// numerator/denominator; `None` if that is out of range or no number.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i64::try_from(divisor).ok()? * denominator.signum();
        let reduced = |n: i64| i16::try_from(n.checked_div(divisor)?).ok();
        Some(Self {
            numerator: reduced(numerator)?,
            denominator: reduced(denominator)?,
        })
    }

    /// The numerator, with the sign.
    #[must_use]
    pub fn numerator(self) -> i16 {
        self.numerator
    }

    /// The denominator, positive.
    #[must_use]
    pub fn denominator(self) -> i16 {
        self.denominator
    }

    fn plus(self, other: Self, sign: i64) -> Option<Self> {
        let (a, b) = (i64::from(self.numerator), i64::from(self.denominator));
        let (c, d) = (i64::from(other.numerator), i64::from(other.denominator));
        Self::new(a * d + sign * c * b, b * d)
    }

    fn times(self, other: Self) -> Option<Self> {
        let (a, b) = (i64::from(self.numerator), i64::from(self.denominator));
        let (c, d) = (i64::from(other.numerator), i64::from(other.denominator));
        Self::new(a * c, b * d)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What a quantity measures: a product of rational powers of base units.
///
/// ```
/// use dalembert_model::units::Dimension;
///
/// let area = Dimension::LENGTH.checked_pow(2, 1).unwrap();
/// assert_eq!(area.to_string(), "m^2");
/// assert_eq!(area.checked_pow(1, 2), Some(Dimension::LENGTH));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    exponents: [Exponent; Base::COUNT],
}

impl Dimension {
    /// Of pure numbers and angles.
    pub const NONE: Self = Self::of([0; Base::COUNT]);
    /// Of masses.
    pub const MASS: Self = Self::of([1, 0, 0, 0, 0, 0, 0]);
    /// Of lengths.
    pub const LENGTH: Self = Self::of([0, 1, 0, 0, 0, 0, 0]);
    /// Of times.
    pub const TIME: Self = Self::of([0, 0, 1, 0, 0, 0, 0]);
    /// Of forces.
    pub const FORCE: Self = Self::of([1, 1, -2, 0, 0, 0, 0]);
    /// Of energies, and of torques.
    pub const ENERGY: Self = Self::of([1, 2, -2, 0, 0, 0, 0]);

    /// From whole powers, in the order of [`Base::ALL`].
    pub(super) const fn of(powers: [i8; Base::COUNT]) -> Self {
        let mut exponents = [Exponent::ZERO; Base::COUNT];
        let mut at = 0;
        while at < Base::COUNT {
            exponents[at].numerator = powers[at] as i16;
            at += 1;
        }
        Self { exponents }
    }

    /// The exponent of one base unit.
    #[must_use]
    pub fn exponent(&self, base: Base) -> Exponent {
        self.exponents[base as usize]
    }

    /// Whether it is that of a pure number.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// The dimension of a product; `None` if an exponent is out of range.
    #[must_use]
    pub fn checked_mul(&self, other: &Self) -> Option<Self> {
        self.each(|at, exponent| exponent.plus(other.exponents[at], 1))
    }

    /// The dimension of a quotient; `None` if an exponent is out of range.
    #[must_use]
    pub fn checked_div(&self, other: &Self) -> Option<Self> {
        self.each(|at, exponent| exponent.plus(other.exponents[at], -1))
    }

    /// The dimension of the power numerator/denominator; `None` if an exponent is out of range.
    #[must_use]
    pub fn checked_pow(&self, numerator: i64, denominator: i64) -> Option<Self> {
        if self.is_none() {
            return (denominator != 0).then_some(Self::NONE);
        }
        let power = Exponent::new(numerator, denominator)?;
        self.each(|_, exponent| exponent.times(power))
    }

    fn each(&self, f: impl Fn(usize, Exponent) -> Option<Exponent>) -> Option<Self> {
        let mut exponents = self.exponents;
        for (at, exponent) in exponents.iter_mut().enumerate() {
            *exponent = f(at, *exponent)?;
        }
        Some(Self { exponents })
    }

    /// The unit that bears a name of its own: `N` for kg*m/s^2, `J` also for torques.
    #[must_use]
    pub fn unit_name(&self) -> Option<&'static str> {
        // Every quantity of a model asks for its name.
        static NAMED: LazyLock<Vec<(&str, Dimension)>> = LazyLock::new(|| {
            let names = ["N", "J", "W", "Pa", "V", "ohm", "C", "F", "H", "Wb", "T"];
            let unit = |name| Some((name, super::lookup(name)?.dimension));
            names.into_iter().filter_map(unit).collect()
        });
        let mut named = NAMED.iter();
        named
            .find(|(_, dimension)| dimension == self)
            .map(|(name, _)| *name)
    }

    /// In base units, with the unit that bears a name: `J = kg*m^2/s^2`.
    #[must_use]
    pub fn described(&self) -> String {
        match self.unit_name() {
            Some(name) => format!("{name} = {self}"),
            None => self.to_string(),
        }
    }
}

/// As a product in base units that can be read again: `kg*m^2/s^2`, `m^(1/2)`; `1` for numbers.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = Base::ALL.map(|base| (base, self.exponent(base)));
        let mut first = true;
        for (base, exponent) in given.iter().filter(|(_, e)| e.numerator > 0) {
            f.write_str(if first { "" } else { "*" })?;
            write_power(f, *base, *exponent)?;
            first = false;
        }
        if first {
            f.write_str("1")?;
        }
        for (base, exponent) in given.iter().filter(|(_, e)| e.numerator < 0) {
            f.write_str("/")?;
            write_power(f, *base, *exponent)?;
        }
        Ok(())
    }
}

/// A base unit with the size of its exponent.
fn write_power(f: &mut fmt::Formatter<'_>, base: Base, exponent: Exponent) -> fmt::Result {
    let size = exponent.numerator.unsigned_abs();
    match (size, exponent.denominator) {
        (1, 1) => f.write_str(base.name()),
        (_, 1) => write!(f, "{}^{size}", base.name()),
        (_, denominator) => write!(f, "{}^({size}/{denominator})", base.name()),
    }
}
