//! Sums, products, quotients and powers of fractions.

use super::Outside;
use super::divisor::common_divisor;
use super::field::{Field, Fraction};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::rational::Rational;

/// Denominators longer than this are not rationalised.
const MAX_CONJUGATED: usize = 24;

impl Field {
    pub(super) fn plus(
        &self,
        a: &Polynomial,
        b: &Polynomial,
        factor: i64,
    ) -> Result<Polynomial, Outside> {
        let sum = a.plus(b, &Rational::integer(factor), &self.work)?;
        if self.has_images {
            self.reduced(sum)
        } else {
            Ok(sum)
        }
    }

    pub(super) fn times(&self, a: &Polynomial, b: &Polynomial) -> Result<Polynomial, Outside> {
        if a.is_one() {
            return Ok(b.clone());
        }
        if b.is_one() {
            return Ok(a.clone());
        }
        self.reduced(a.times(b, &self.work)?)
    }

    /// numerator / denominator in lowest terms.
    ///
    /// # Errors
    /// The denominator is zero, or the limits are reached.
    pub fn fraction(
        &self,
        numerator: Polynomial,
        denominator: Polynomial,
    ) -> Result<Fraction, Outside> {
        let (numerator, denominator) = (self.reduced(numerator)?, self.reduced(denominator)?);
        let fraction = self.lowest(numerator, denominator)?;
        self.rationalised(fraction)
    }

    /// n/d without common factors of the free ring.
    fn lowest(&self, n: Polynomial, d: Polynomial) -> Result<Fraction, Outside> {
        if d.is_zero() {
            return Err(Outside::Undefined);
        }
        if n.is_zero() {
            return Ok(Fraction::zero());
        }
        let (mut n, mut d) = (n, d);
        if d.as_constant().is_none() {
            let divisor = common_divisor(&n, &d, &self.work)?;
            if !divisor.is_one() {
                for side in [&mut n, &mut d] {
                    *side = side
                        .exact_quotient(&divisor, &self.work)?
                        .ok_or(Outside::TooLarge)?;
                }
            }
        }
        let content = d.content();
        if !content.is_one() {
            let one = Monomial::one();
            d = d.without_factor(&one, &content)?;
            n = n.without_factor(&one, &content)?;
        }
        Ok(Fraction {
            numerator: n,
            denominator: d,
        })
    }

    /// (1 − sin²)/cos is cos, x/√x is √x: the conjugate of the denominator is tried for each generator
    /// whose square stands for something, and kept if that is shorter.
    fn rationalised(&self, fraction: Fraction) -> Result<Fraction, Outside> {
        let mut best = fraction;
        if best.denominator.len() > MAX_CONJUGATED {
            return Ok(best);
        }
        for g in best.denominator.generators() {
            let Some(rule) = self.rule(g).filter(|rule| rule.power == 2) else {
                continue;
            };
            let parts = best.denominator.in_powers(g);
            let [even, odd] = &*parts else { continue };
            let conjugate = even.plus(
                &odd.shifted(&Monomial::power(g, 1), &Rational::ONE)?,
                &Rational::integer(-1),
                &self.work,
            )?;
            let even_square = self.times(even, even)?;
            let odd_square = self.times(&self.times(odd, odd)?, &rule.image)?;
            let norm = self.plus(&even_square, &odd_square, -1)?;
            if norm.is_zero() {
                continue;
            }
            let numerator = self.times(&best.numerator, &conjugate)?;
            let other = self.lowest(numerator, norm)?;
            if other.weight() < best.weight() {
                best = other;
            }
        }
        Ok(best)
    }

    /// a + b
    ///
    /// # Errors
    /// The limits are reached.
    pub fn add(&self, a: &Fraction, b: &Fraction) -> Result<Fraction, Outside> {
        self.combine(a, b, 1)
    }

    /// a − b
    ///
    /// # Errors
    /// The limits are reached.
    pub fn sub(&self, a: &Fraction, b: &Fraction) -> Result<Fraction, Outside> {
        self.combine(a, b, -1)
    }

    fn combine(&self, a: &Fraction, b: &Fraction, sign: i64) -> Result<Fraction, Outside> {
        if a.denominator == b.denominator {
            let numerator = self.plus(&a.numerator, &b.numerator, sign)?;
            if a.denominator.is_one() {
                return Ok(Fraction::from(numerator));
            }
            return self.fraction(numerator, a.denominator.clone());
        }
        // Over the least common denominator.
        let common = common_divisor(&a.denominator, &b.denominator, &self.work)?;
        let quotient = |p: &Polynomial| {
            p.exact_quotient(&common, &self.work)?
                .ok_or(Outside::TooLarge)
        };
        let (rest_a, rest_b) = (quotient(&a.denominator)?, quotient(&b.denominator)?);
        let numerator = self.plus(
            &self.times(&a.numerator, &rest_b)?,
            &self.times(&b.numerator, &rest_a)?,
            sign,
        )?;
        self.fraction(numerator, self.times(&a.denominator, &rest_b)?)
    }

    /// The sum of many: cheaper than one after the other.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn sum(&self, terms: &[Fraction]) -> Result<Fraction, Outside> {
        // Equal denominators first, in pairs, so that no term is copied more than log n times.
        let mut groups: Vec<(Polynomial, Vec<Polynomial>)> = Vec::new();
        for term in terms {
            match groups.iter_mut().find(|(d, _)| *d == term.denominator) {
                Some((_, group)) => group.push(term.numerator.clone()),
                None => groups.push((term.denominator.clone(), vec![term.numerator.clone()])),
            }
        }
        let mut total = Fraction::zero();
        for (denominator, mut group) in groups {
            while group.len() > 1 {
                group = group
                    .chunks(2)
                    .map(|pair| match pair {
                        [a, b] => self.plus(a, b, 1),
                        other => Ok(other.first().cloned().unwrap_or_default()),
                    })
                    .collect::<Result<_, _>>()?;
            }
            let numerator = group.pop().unwrap_or_default();
            let part = if denominator.is_one() {
                Fraction::from(numerator)
            } else {
                self.fraction(numerator, denominator)?
            };
            total = self.add(&total, &part)?;
        }
        Ok(total)
    }

    /// a·b
    ///
    /// # Errors
    /// The limits are reached.
    pub fn mul(&self, a: &Fraction, b: &Fraction) -> Result<Fraction, Outside> {
        if a.is_zero() || b.is_zero() {
            return Ok(Fraction::zero());
        }
        if a.denominator.is_one() && b.denominator.is_one() {
            return Ok(Fraction::from(self.times(&a.numerator, &b.numerator)?));
        }
        // What cancels crosswise never has to be multiplied.
        let left = self.lowest(a.numerator.clone(), b.denominator.clone())?;
        let right = self.lowest(b.numerator.clone(), a.denominator.clone())?;
        self.fraction(
            self.times(&left.numerator, &right.numerator)?,
            self.times(&left.denominator, &right.denominator)?,
        )
    }

    /// a/b
    ///
    /// # Errors
    /// b is zero, or the limits are reached.
    pub fn div(&self, a: &Fraction, b: &Fraction) -> Result<Fraction, Outside> {
        if self.is_zero(b)? {
            return Err(Outside::Undefined);
        }
        self.mul(
            a,
            &Fraction {
                numerator: b.denominator.clone(),
                denominator: b.numerator.clone(),
            },
        )
    }

    /// −a
    #[must_use]
    pub fn neg(&self, a: &Fraction) -> Fraction {
        Fraction {
            numerator: a.numerator.negated(),
            denominator: a.denominator.clone(),
        }
    }

    /// a^n
    ///
    /// # Errors
    /// The limits are reached, or 0 is raised to a negative power.
    pub fn powi(&self, a: &Fraction, n: i64) -> Result<Fraction, Outside> {
        let mut exponent = n.unsigned_abs();
        let one = Fraction::one();
        let mut base = if n < 0 { self.div(&one, a)? } else { a.clone() };
        let mut power = one;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.mul(&power, &base)?;
            }
            exponent >>= 1;
            if exponent > 0 {
                base = self.mul(&base, &base)?;
            }
        }
        Ok(power)
    }

    /// Whether a is zero, all rules considered: proved if so.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn is_zero(&self, a: &Fraction) -> Result<bool, Outside> {
        Ok(a.is_zero() || self.reduced(a.numerator.clone())?.is_zero())
    }

    /// Whether a = b: proved if so.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn is_equal(&self, a: &Fraction, b: &Fraction) -> Result<bool, Outside> {
        if a == b {
            return Ok(true);
        }
        // a d − c b: zero or not, without looking for common factors.
        let left = self.times(&a.numerator, &b.denominator)?;
        let right = self.times(&b.numerator, &a.denominator)?;
        Ok(self.reduced(self.plus(&left, &right, -1)?)?.is_zero())
    }
}
