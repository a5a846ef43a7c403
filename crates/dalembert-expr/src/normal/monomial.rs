//! Products of powers of generators.

use super::{GeneratorId, Outside};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A product of powers; each generator once, in order.
///
/// A power is packed as (complement of the generator, exponent), so that comparing the lists as they
/// are is the lexicographic order in which earlier generators count more. That order agrees with
/// products: a < b implies a m < b m.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Monomial(SmallVec<[u32; 8]>);

fn pack(generator: GeneratorId, exponent: u16) -> u32 {
    (u32::from(u16::MAX - generator.0) << 16) | u32::from(exponent)
}

fn unpack(power: u32) -> (GeneratorId, u16) {
    (
        GeneratorId(u16::MAX - (power >> 16) as u16),
        (power & 0xffff) as u16,
    )
}

impl Monomial {
    /// The empty product.
    pub(crate) fn one() -> Self {
        Self::default()
    }

    /// generator^exponent.
    pub(crate) fn power(generator: GeneratorId, exponent: u16) -> Self {
        let mut powers = SmallVec::new();
        if exponent > 0 {
            powers.push(pack(generator, exponent));
        }
        Self(powers)
    }

    pub(crate) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// Generators and exponents, in the order of generators.
    pub(crate) fn powers(&self) -> impl DoubleEndedIterator<Item = (GeneratorId, u16)> + '_ {
        self.0.iter().map(|&power| unpack(power))
    }

    /// Sum of the exponents.
    pub(crate) fn degree(&self) -> u32 {
        self.powers().map(|(_, exponent)| u32::from(exponent)).sum()
    }

    /// The exponent of a generator, 0 if it does not occur.
    pub(crate) fn exponent(&self, generator: GeneratorId) -> u16 {
        self.powers()
            .find(|&(g, _)| g == generator)
            .map_or(0, |(_, exponent)| exponent)
    }

    /// The product; exponents beyond 16 bits are refused.
    pub(crate) fn times(&self, other: &Self) -> Result<Self, Outside> {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut powers = SmallVec::new();
        while let (Some(&&x), Some(&&y)) = (a.peek(), b.peek()) {
            match (x >> 16).cmp(&(y >> 16)) {
                Ordering::Greater => {
                    powers.push(x);
                    a.next();
                }
                Ordering::Less => {
                    powers.push(y);
                    b.next();
                }
                Ordering::Equal => {
                    let exponent = (x & 0xffff) + (y & 0xffff);
                    if exponent > 0xffff {
                        return Err(Outside::TooLarge);
                    }
                    powers.push((x & 0xffff_0000) | exponent);
                    a.next();
                    b.next();
                }
            }
        }
        powers.extend(a.copied());
        powers.extend(b.copied());
        Ok(Self(powers))
    }

    /// self / divisor, if all exponents stay non-negative.
    pub(crate) fn over(&self, divisor: &Self) -> Option<Self> {
        let mut rest = divisor.0.iter().peekable();
        let mut powers = SmallVec::new();
        for &x in &self.0 {
            match rest.peek() {
                Some(&&y) if y >> 16 == x >> 16 => {
                    let exponent = (x & 0xffff).checked_sub(y & 0xffff)?;
                    if exponent > 0 {
                        powers.push((x & 0xffff_0000) | exponent);
                    }
                    rest.next();
                }
                Some(&&y) if y >> 16 > x >> 16 => return None,
                _ => powers.push(x),
            }
        }
        rest.peek().is_none().then_some(Self(powers))
    }

    /// The product whose square this is.
    pub(crate) fn square_root(&self) -> Option<Self> {
        let half = |(g, n): (GeneratorId, u16)| (n % 2 == 0).then(|| pack(g, n / 2));
        self.powers().map(half).collect::<Option<_>>().map(Self)
    }

    /// The greatest common divisor.
    pub(crate) fn common(&self, other: &Self) -> Self {
        let mut powers = SmallVec::new();
        let mut rest = other.0.iter().peekable();
        for &x in &self.0 {
            while rest.peek().is_some_and(|&&y| y >> 16 > x >> 16) {
                rest.next();
            }
            if let Some(&&y) = rest.peek()
                && y >> 16 == x >> 16
            {
                powers.push(x.min(y));
            }
        }
        Self(powers)
    }

    /// Without the powers of one generator, and its exponent.
    pub(crate) fn without(&self, generator: GeneratorId) -> (u16, Self) {
        let mut exponent = 0;
        let mut powers = SmallVec::with_capacity(self.0.len());
        for &power in &self.0 {
            let (g, n) = unpack(power);
            if g == generator {
                exponent = n;
            } else {
                powers.push(power);
            }
        }
        (exponent, Self(powers))
    }

    /// The part over some generators, and the rest.
    pub(crate) fn split(&self, mut inside: impl FnMut(GeneratorId) -> bool) -> (Self, Self) {
        let (mut part, mut rest) = (SmallVec::new(), SmallVec::new());
        for &power in &self.0 {
            if inside(unpack(power).0) {
                part.push(power);
            } else {
                rest.push(power);
            }
        }
        (Self(part), Self(rest))
    }
}
