//! Signs and magnitudes, and what vanishes where signs are 1 or −1.
//!
//! sign³ = sign holds everywhere, sign² = 1 but where its argument is zero; |p| = p sign p and p sign² p = p everywhere.

use super::Outside;
use super::field::{Field, Fraction, GeneratorId, GeneratorKind};
use super::polynomial::Polynomial;
use crate::op::Unary;
use crate::rational::Rational;
use dalembert_decide::CLEAR;

/// The power of a sign that is 1 where the sign does not jump.
const UNIT_POWER: u16 = 2;

impl Field {
    /// Lets sign² be 1 from now on, which is so but where a sign jumps: there the direction of a force along a length, for
    /// one, has no value.
    pub fn let_signs_be_units(&mut self) {
        self.unit_signs = true;
    }

    /// sign p, factor by factor as far as these are seen; √q has the sign of q.
    pub(super) fn sign(&mut self, p: &Polynomial) -> Result<Fraction, Outside> {
        let mut result = Polynomial::one();
        let mut products = vec![(p.clone(), 1)];
        while let Some((p, power)) = products.pop() {
            if p.is_zero() {
                return Ok(Fraction::zero());
            }
            let (content, common) = (p.content(), p.common_monomial());
            let mut factors = vec![(p.without_factor(&common, &content)?, power)];
            for (g, n) in common.powers() {
                let n = n.saturating_mul(power);
                match self.kind(g) {
                    GeneratorKind::Function(Unary::Exp | Unary::Cosh, _) => {}
                    GeneratorKind::Function(Unary::Abs, a) => {
                        products.push((a.numerator.clone(), 2));
                    }
                    // d (n/d)^(1/k)
                    GeneratorKind::Root(of, _) => {
                        products.push((of.numerator.clone(), n));
                        products.push((of.denominator.clone(), 2));
                    }
                    _ => factors.push((Polynomial::generator(g), n)),
                }
            }
            let number = if content.is_negative() { -1 } else { 1 };
            factors.push((Polynomial::constant(Rational::integer(number)), power));
            for (factor, n) in factors {
                let sign = match self.clear_sign(&factor) {
                    Some(sign) => Polynomial::constant(Rational::integer(sign)),
                    None => self.sign_generator(&factor)?,
                };
                // The third power is the first.
                for _ in 0..2 - n % 2 {
                    result = self.times(&result, &sign)?;
                }
            }
        }
        Ok(Fraction::from(result))
    }

    /// sign p as a generator with sign³ = sign: sign² = 1 holds almost everywhere only, and is used where that was asked for.
    fn sign_generator(&mut self, p: &Polynomial) -> Result<Polynomial, Outside> {
        let (generator, new) = self.plain_function(Unary::Sign, &Fraction::from(p.clone()))?;
        if new && self.unit_signs {
            self.set_rule(generator, UNIT_POWER, Polynomial::one());
        } else if new {
            self.set_rule(generator, 3, Polynomial::generator(generator));
        }
        Ok(Polynomial::generator(generator))
    }

    /// The sign of a polynomial that has the same one everywhere, if that is seen.
    fn clear_sign(&self, p: &Polynomial) -> Option<i64> {
        let negative = || self.is_negative_everywhere(p, &|_| None);
        let everywhere = || Some(if negative()? { -1 } else { 1 });
        self.sign_of_number(p).or_else(everywhere)
    }

    /// The sign of a polynomial in numbers alone, such as √3 − 1, if it is clear.
    fn sign_of_number(&self, p: &Polynomial) -> Option<i64> {
        let is_symbol = |&g: &GeneratorId| matches!(self.kind(g), GeneratorKind::Symbol(_));
        if self.with_parts(&p.generators()).iter().any(is_symbol) {
            return None;
        }
        let value = self.estimate(p);
        let terms = p
            .terms
            .iter()
            .map(|(m, c)| self.estimate(&Polynomial::term(m.clone(), c.clone())));
        let size: f64 = terms.map(f64::abs).sum();
        (value.abs() > CLEAR * size).then_some(if value < 0.0 { -1 } else { 1 })
    }

    /// |p|, factor by factor as far as these are seen.
    pub(super) fn magnitude(&mut self, p: &Polynomial) -> Result<Fraction, Outside> {
        if p.is_zero() {
            return Ok(Fraction::zero());
        }
        let (content, common) = (p.content(), p.common_monomial());
        let rest = p.without_factor(&common, &content)?;
        let mut result = Polynomial::constant(content.abs());
        for (g, n) in common.powers() {
            let never_negative = matches!(
                self.kind(g),
                GeneratorKind::Pi
                    | GeneratorKind::Function(Unary::Abs | Unary::Exp | Unary::Cosh, _)
            ) || matches!(self.kind(g), GeneratorKind::Root(f, 2) if f.denominator.is_one());
            let base = if n % 2 == 0 || never_negative {
                Polynomial::generator(g)
            } else {
                self.magnitude_generator(&Polynomial::generator(g))?
            };
            for _ in 0..n {
                result = self.times(&result, &base)?;
            }
        }
        if !rest.is_one() {
            let factor = self.magnitude_generator(&rest)?;
            result = self.times(&result, &factor)?;
        }
        Ok(Fraction::from(result))
    }

    fn magnitude_generator(&mut self, p: &Polynomial) -> Result<Polynomial, Outside> {
        if let Some(sign) = self.clear_sign(p) {
            return p.scaled(&Rational::integer(sign));
        }
        let (generator, new) = self.plain_function(Unary::Abs, &Fraction::from(p.clone()))?;
        if new {
            let image = self.times(p, p)?;
            self.set_rule(generator, 2, image);
        }
        Ok(Polynomial::generator(generator))
    }

    /// The arguments of signs that must not be zero for an element to vanish; `None` if it does not vanish there either.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn vanishes_beside_signs(&self, a: &Fraction) -> Result<Option<Vec<Fraction>>, Outside> {
        let mut left = self.without_magnitudes(self.reduced(a.numerator.clone())?)?;
        let mut arguments = Vec::new();
        for generator in left.generators() {
            let GeneratorKind::Function(Unary::Sign, argument) = self.kind(generator) else {
                continue;
            };
            // p sign² p is p.
            let divides = |part: &Polynomial| part.exact_quotient(&argument.numerator, &self.work);
            let mut beside = false;
            for part in left.in_powers(generator).iter().skip(UNIT_POWER.into()) {
                beside |= !part.is_zero() && divides(part)?.is_none();
            }
            left = self.reduced(left.rewritten(
                generator,
                UNIT_POWER,
                &Polynomial::one(),
                &self.work,
            )?)?;
            arguments.extend(beside.then(|| argument.clone()));
        }
        Ok(self.reduced(left)?.is_zero().then_some(arguments))
    }

    /// |p| as p sign p, where the field knows that sign.
    fn without_magnitudes(&self, mut left: Polynomial) -> Result<Polynomial, Outside> {
        for generator in left.generators() {
            let GeneratorKind::Function(Unary::Abs, inside) = self.kind(generator) else {
                continue;
            };
            let Some(sign) = self.known_sign(inside) else {
                continue;
            };
            let size = self.times(&inside.numerator, &Polynomial::generator(sign))?;
            left = self.reduced(left.rewritten(generator, 1, &size, &self.work)?)?;
        }
        Ok(left)
    }

    fn known_sign(&self, argument: &Fraction) -> Option<GeneratorId> {
        let is_sign = |kind: &GeneratorKind| matches!(kind, GeneratorKind::Function(Unary::Sign, a) if a == argument);
        let place = self.kinds.iter().position(is_sign)?;
        u16::try_from(place).ok().map(GeneratorId)
    }
}
