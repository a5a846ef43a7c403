//! Polynomials with rational coefficients: a sorted list of terms.
//!
//! These are operations of the free polynomial ring; what the generators mean (sin² + cos² = 1) is added
//! by [`Field`](super::Field).

use super::monomial::Monomial;
use super::{GeneratorId, Outside, Work};
use crate::rational::Rational;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// Steps that an operation on long numbers counts for.
const BIG: usize = 16;

/// A polynomial: terms in descending order of their monomials, no coefficient zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Polynomial {
    pub(super) terms: Vec<(Monomial, Rational)>,
}

pub(super) fn sum(a: &Rational, b: &Rational) -> Result<Rational, Outside> {
    a.checked_add(b).ok_or(Outside::TooLarge)
}

pub(super) fn product(a: &Rational, b: &Rational) -> Result<Rational, Outside> {
    if a.is_one() {
        return Ok(b.clone());
    }
    if b.is_one() {
        return Ok(a.clone());
    }
    a.checked_mul(b).ok_or(Outside::TooLarge)
}

impl Polynomial {
    /// 0
    #[must_use]
    pub fn zero() -> Self {
        Self::default()
    }

    /// 1
    #[must_use]
    pub fn one() -> Self {
        Self::constant(Rational::ONE)
    }

    /// A number.
    #[must_use]
    pub fn constant(value: Rational) -> Self {
        Self::term(Monomial::one(), value)
    }

    /// A generator.
    #[must_use]
    pub fn generator(generator: GeneratorId) -> Self {
        Self::term(Monomial::power(generator, 1), Rational::ONE)
    }

    pub(super) fn term(monomial: Monomial, coefficient: Rational) -> Self {
        let mut terms = Vec::new();
        if !coefficient.is_zero() {
            terms.push((monomial, coefficient));
        }
        Self { terms }
    }

    /// From terms in any order, without repetitions.
    pub(super) fn from_map(map: FxHashMap<Monomial, Rational>) -> Self {
        let mut terms: Vec<_> = map.into_iter().filter(|(_, c)| !c.is_zero()).collect();
        terms.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        Self { terms }
    }

    /// Whether this is 0 as a polynomial.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether this is 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.as_constant().is_some_and(|c| c.is_one())
    }

    /// The value, if this is a number.
    #[must_use]
    pub fn as_constant(&self) -> Option<Rational> {
        match &*self.terms {
            [] => Some(Rational::ZERO),
            [(monomial, c)] if monomial.is_one() => Some(c.clone()),
            _ => None,
        }
    }

    /// Number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are no terms: the polynomial is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The generators that occur, in order.
    #[must_use]
    pub fn generators(&self) -> Vec<GeneratorId> {
        let mut generators: Vec<_> = self
            .terms
            .iter()
            .flat_map(|(monomial, _)| monomial.powers().map(|(g, _)| g))
            .collect();
        generators.sort_unstable();
        generators.dedup();
        generators
    }

    /// Whether a generator occurs.
    #[must_use]
    pub fn contains(&self, generator: GeneratorId) -> bool {
        self.terms.iter().any(|(m, _)| m.exponent(generator) > 0)
    }

    /// The largest exponent of a generator.
    #[must_use]
    pub fn degree(&self, generator: GeneratorId) -> u16 {
        let exponents = self.terms.iter().map(|(m, _)| m.exponent(generator));
        exponents.max().unwrap_or(0)
    }

    pub(super) fn leading(&self) -> Option<&(Monomial, Rational)> {
        self.terms.first()
    }

    pub(super) fn negated(&self) -> Self {
        let terms = self.terms.iter();
        Self {
            terms: terms.map(|(m, c)| (m.clone(), c.negated())).collect(),
        }
    }

    pub(super) fn scaled(&self, factor: &Rational) -> Result<Self, Outside> {
        if factor.is_one() {
            return Ok(self.clone());
        }
        if factor.is_zero() {
            return Ok(Self::zero());
        }
        let terms = self.terms.iter();
        let scale = |(m, c): &(Monomial, Rational)| Ok((m.clone(), product(c, factor)?));
        Ok(Self {
            terms: terms.map(scale).collect::<Result<_, _>>()?,
        })
    }

    /// self · coefficient · monomial.
    pub(super) fn shifted(&self, monomial: &Monomial, c: &Rational) -> Result<Self, Outside> {
        let terms = self.terms.iter();
        let shift = |(m, x): &(Monomial, Rational)| Ok((m.times(monomial)?, product(x, c)?));
        Ok(Self {
            terms: terms.map(shift).collect::<Result<_, _>>()?,
        })
    }

    /// self + factor · other.
    pub(super) fn plus(
        &self,
        other: &Self,
        factor: &Rational,
        work: &Work,
    ) -> Result<Self, Outside> {
        work.spend(self.len() + other.len())?;
        let mut terms = Vec::with_capacity(self.len() + other.len());
        let mut right = other.terms.iter().peekable();
        for (m, c) in &self.terms {
            while let Some((n, d)) = right.next_if(|(n, _)| n > m) {
                terms.push((n.clone(), product(d, factor)?));
            }
            match right.next_if(|(n, _)| n == m) {
                Some((_, d)) => {
                    let total = sum(c, &product(d, factor)?)?;
                    if !total.is_zero() {
                        terms.push((m.clone(), total));
                    }
                }
                None => terms.push((m.clone(), c.clone())),
            }
        }
        for (n, d) in right {
            terms.push((n.clone(), product(d, factor)?));
        }
        Ok(Self { terms })
    }

    /// Whether a coefficient does not fit a machine word.
    fn is_long_winded(&self) -> bool {
        self.terms.iter().any(|(_, c)| c.as_small().is_none())
    }

    /// self · other in the free ring.
    pub(super) fn times(&self, other: &Self, work: &Work) -> Result<Self, Outside> {
        let (short, long) = if self.len() <= other.len() {
            (self, other)
        } else {
            (other, self)
        };
        let each = if self.is_long_winded() || other.is_long_winded() {
            BIG
        } else {
            1
        };
        work.spend(each * short.len() * long.len())?;
        match &*short.terms {
            [] => return Ok(Self::zero()),
            [(m, c)] if m.is_one() => return long.scaled(c),
            [(m, c)] => return long.shifted(m, c),
            _ => {}
        }
        let mut map: FxHashMap<Monomial, Rational> = FxHashMap::default();
        map.reserve((short.len() * long.len()).min(4096));
        for (m, c) in &short.terms {
            for (n, d) in &long.terms {
                let term = product(c, d)?;
                match map.entry(m.times(n)?) {
                    Entry::Vacant(place) => {
                        place.insert(term);
                    }
                    Entry::Occupied(mut place) => {
                        let total = sum(place.get(), &term)?;
                        place.insert(total);
                    }
                }
            }
            work.hold(map.len())?;
        }
        Ok(Self::from_map(map))
    }

    /// As a polynomial in one generator: coefficients by ascending exponent.
    pub(super) fn in_powers(&self, generator: GeneratorId) -> Vec<Self> {
        let mut coefficients = vec![Self::zero(); usize::from(self.degree(generator)) + 1];
        for (m, c) in &self.terms {
            let (exponent, rest) = m.without(generator);
            coefficients[usize::from(exponent)]
                .terms
                .push((rest, c.clone()));
        }
        // Taking one generator out keeps the order of what has equal powers of it.
        coefficients
    }

    /// The derivative by a generator in the free ring; lowering one exponent everywhere keeps the order.
    pub(super) fn partial(&self, g: GeneratorId) -> Result<Self, Outside> {
        let mut terms = Vec::new();
        for (m, c) in &self.terms {
            let (n, rest) = m.without(g);
            if n > 0 {
                let m = rest.times(&Monomial::power(g, n - 1))?;
                terms.push((m, product(c, &Rational::integer(i64::from(n)))?));
            }
        }
        Ok(Self { terms })
    }

    /// As a polynomial over some generators with coefficients in the others, descending.
    pub(super) fn collected(
        &self,
        mut inside: impl FnMut(GeneratorId) -> bool,
    ) -> Vec<(Monomial, Self)> {
        let mut places: FxHashMap<Monomial, usize> = FxHashMap::default();
        let mut parts: Vec<(Monomial, Self)> = Vec::new();
        for (m, c) in &self.terms {
            let (part, rest) = m.split(&mut inside);
            let place = *places.entry(part.clone()).or_insert(parts.len());
            if place == parts.len() {
                parts.push((part, Self::zero()));
            }
            parts[place].1.terms.push((rest, c.clone()));
        }
        parts.sort_by(|a, b| b.0.cmp(&a.0));
        parts
    }

    /// self with `image` in place of generator^power, all terms at once: they share the powers of the image.
    pub(super) fn rewritten(
        self,
        generator: GeneratorId,
        power: u16,
        image: &Self,
        work: &Work,
    ) -> Result<Self, Outside> {
        let mut groups: Vec<Vec<(Monomial, Rational)>> = Vec::new();
        for (m, c) in self.terms {
            let (n, rest) = m.without(generator);
            let times = usize::from(n / power);
            let kept = rest.times(&Monomial::power(generator, n % power))?;
            if groups.len() <= times {
                groups.resize(times + 1, Vec::new());
            }
            groups[times].push((kept, c));
        }
        // Horner: ((top · image) + next) · image + …
        let mut total = Self::zero();
        for mut terms in groups.into_iter().rev() {
            if !total.is_zero() {
                total = total.times(image, work)?;
            }
            terms.sort_unstable_by(|a, b| b.0.cmp(&a.0));
            total = total.plus(&Self { terms }, &Rational::ONE, work)?;
        }
        Ok(total)
    }

    /// The inverse of [`Self::in_powers`].
    pub(super) fn from_powers(
        coefficients: &[Self],
        generator: GeneratorId,
        work: &Work,
    ) -> Result<Self, Outside> {
        let mut total = Self::zero();
        for (exponent, coefficient) in coefficients.iter().enumerate() {
            let exponent = u16::try_from(exponent).map_err(|_| Outside::TooLarge)?;
            let part =
                coefficient.shifted(&Monomial::power(generator, exponent), &Rational::ONE)?;
            total = total.plus(&part, &Rational::ONE, work)?;
        }
        Ok(total)
    }

    /// The largest monomial that divides every term; 1 for the polynomial 0.
    pub(super) fn common_monomial(&self) -> Monomial {
        let mut terms = self.terms.iter().map(|(m, _)| m);
        let Some(first) = terms.next() else {
            return Monomial::one();
        };
        let mut common = first.clone();
        for m in terms {
            if common.is_one() {
                break;
            }
            common = common.common(m);
        }
        common
    }

    /// The rational c for which self/c has integer coefficients without common divisor and a positive
    /// leading one.
    pub(super) fn content(&self) -> Rational {
        let mut content = Rational::ZERO;
        for (_, c) in &self.terms {
            if content.is_one() {
                break;
            }
            content = content.common_divisor(c);
        }
        match self.leading() {
            Some((_, c)) if c.is_negative() => content.negated(),
            Some(_) => content,
            None => Rational::ONE,
        }
    }

    /// self / (c m), known to divide.
    pub(super) fn without_factor(&self, m: &Monomial, c: &Rational) -> Result<Self, Outside> {
        let inverse = c.reciprocal().ok_or(Outside::Undefined)?;
        let terms = self.terms.iter();
        let divide = |(n, x): &(Monomial, Rational)| {
            Ok((n.over(m).ok_or(Outside::Undefined)?, product(x, &inverse)?))
        };
        Ok(Self {
            terms: terms.map(divide).collect::<Result<_, _>>()?,
        })
    }

    /// The quotient in the free ring, if there is no remainder.
    pub(super) fn exact_quotient(
        &self,
        divisor: &Self,
        work: &Work,
    ) -> Result<Option<Self>, Outside> {
        let Some((lead, c)) = divisor.leading() else {
            return Ok(None);
        };
        if divisor.len() == 1 {
            let divides = self.terms.iter().all(|(m, _)| m.over(lead).is_some());
            return Ok(if divides {
                Some(self.without_factor(lead, c)?)
            } else {
                None
            });
        }
        // The trailing terms must divide too: most trials end here.
        if let (Some((m, _)), Some((n, _))) = (self.terms.last(), divisor.terms.last())
            && m.over(n).is_none()
        {
            return Ok(None);
        }
        let (quotient, remainder) = self.division(divisor, true, work)?;
        Ok(remainder.is_zero().then_some(quotient))
    }

    /// Quotient and remainder; no term of the remainder is divisible by the leading monomial of the
    /// divisor, which is not zero.
    pub(super) fn divided(&self, divisor: &Self, work: &Work) -> Result<(Self, Self), Outside> {
        self.division(divisor, false, work)
    }

    /// The same; if only an `exact` quotient is wanted, the first term of a remainder ends it.
    fn division(&self, divisor: &Self, exact: bool, work: &Work) -> Result<(Self, Self), Outside> {
        let (lead, c) = divisor.leading().ok_or(Outside::Undefined)?;
        let inverse = c.reciprocal().ok_or(Outside::Undefined)?;
        let mut rest: BTreeMap<Monomial, Rational> = self.terms.iter().cloned().collect();
        let (mut quotient, mut remainder) = (Self::zero(), Self::zero());
        while let Some((m, x)) = rest.pop_last() {
            if x.is_zero() {
                continue;
            }
            let Some(ratio) = m.over(lead) else {
                remainder.terms.push((m, x));
                if exact {
                    break;
                }
                continue;
            };
            let factor = product(&x, &inverse)?;
            let each = if factor.as_small().is_none() { BIG } else { 1 };
            work.spend(each * divisor.len())?;
            for (n, d) in &divisor.terms[1..] {
                let change = product(&factor, d)?.negated();
                let entry = rest.entry(ratio.times(n)?).or_insert(Rational::ZERO);
                *entry = sum(entry, &change)?;
            }
            quotient.terms.push((ratio, factor));
        }
        Ok((quotient, remainder))
    }
}
