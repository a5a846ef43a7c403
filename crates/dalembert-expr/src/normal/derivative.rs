//! Derivatives of fractions.

use super::Outside;
use super::field::{Field, Fraction, GeneratorId, GeneratorKind};
use super::polynomial::Polynomial;
use crate::graph::SymbolId;
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use rustc_hash::FxHashMap;

/// Derivatives of generators that are not zero.
type Slopes = FxHashMap<GeneratorId, Fraction>;

impl Field {
    /// ∂a/∂symbol, the other symbols held; declared relations are not differentiated.
    ///
    /// # Errors
    /// The limits are reached, or a function has no derivative in closed form.
    pub fn derivative(&mut self, a: &Fraction, symbol: SymbolId) -> Result<Fraction, Outside> {
        let Some(generator) = self.find(symbol) else {
            return Ok(Fraction::zero());
        };
        let mut slopes = Slopes::default();
        slopes.insert(generator, Fraction::one());
        for part in self.with_parts(&a.generators()) {
            let kind = self.kind(part).clone();
            if kind.parts().iter().any(|g| slopes.contains_key(g)) {
                let slope = self.slope(part, &kind, &slopes)?;
                if !slope.is_zero() {
                    slopes.insert(part, slope);
                }
            }
        }
        self.chain(a, &slopes)
    }

    /// The derivative of a generator from those of its parts.
    fn slope(
        &mut self,
        generator: GeneratorId,
        kind: &GeneratorKind,
        slopes: &Slopes,
    ) -> Result<Fraction, Outside> {
        let itself = self.element(generator);
        match kind {
            GeneratorKind::Pi | GeneratorKind::Symbol(_) => Ok(Fraction::zero()),
            GeneratorKind::Sin(angle) => {
                let (_, cos) = self.sine_and_cosine(angle)?;
                let rate = self.angle_rate(angle, slopes)?;
                self.mul(&Fraction::from(cos), &rate)
            }
            GeneratorKind::Cos(angle) => {
                let (sin, _) = self.sine_and_cosine(angle)?;
                let rate = self.angle_rate(angle, slopes)?;
                self.mul(&Fraction::from(sin.negated()), &rate)
            }
            // R^k = P: R' = R P' / (k P)
            GeneratorKind::Root(_, k) => {
                let Some(rule) = self.rule(generator) else {
                    return Err(Outside::NoDerivative);
                };
                let image = rule.image.clone();
                let rate = self.chain_polynomial(&image, slopes)?;
                let top = self.mul(&itself, &rate)?;
                let bottom = image.scaled(&Rational::integer(i64::from(*k)))?;
                self.div(&top, &Fraction::from(bottom))
            }
            GeneratorKind::Function(op, argument) => {
                let rate = self.chain(argument, slopes)?;
                let factor = self.function_slope(*op, argument, itself)?;
                self.mul(&factor, &rate)
            }
            GeneratorKind::Function2(Binary::Div, a, b) => {
                let quotient = self.div(a, b)?;
                self.chain(&quotient, slopes)
            }
            GeneratorKind::Function2(Binary::Atan2, y, x) => {
                let (dy, dx) = (self.chain(y, slopes)?, self.chain(x, slopes)?);
                let top = self.sub(&self.mul(x, &dy)?, &self.mul(y, &dx)?)?;
                let bottom = self.add(&self.mul(x, x)?, &self.mul(y, y)?)?;
                self.div(&top, &bottom)
            }
            GeneratorKind::Table(function, argument) => {
                let rate = self.chain(argument, slopes)?;
                match function.derivative() {
                    Some(slope) => {
                        let slope = self.table(&slope, argument)?;
                        self.mul(&slope, &rate)
                    }
                    None => Ok(Fraction::zero()),
                }
            }
            // Constant on either side.
            GeneratorKind::Function2(Binary::Above | Binary::NotAbove, ..) => Ok(Fraction::zero()),
            GeneratorKind::Function2(..) => Err(Outside::NoDerivative),
        }
    }

    /// The derivative of an angle; generators for quotients are only for angles.
    fn angle_rate(&self, angle: &Polynomial, slopes: &Slopes) -> Result<Fraction, Outside> {
        let rate = self.chain_polynomial(angle, slopes)?;
        let mut quotients = Vec::new();
        for g in rate.generators() {
            if let GeneratorKind::Function2(Binary::Div, a, b) = self.kind(g) {
                quotients.push((g, self.div(a, b)?));
            }
        }
        self.substitute(&rate, &quotients)
    }

    fn function_slope(
        &mut self,
        op: Unary,
        x: &Fraction,
        itself: Fraction,
    ) -> Result<Fraction, Outside> {
        let one = Fraction::one();
        match op {
            Unary::Exp => Ok(itself),
            Unary::Log => self.div(&one, x),
            Unary::Tanh => self.sub(&one, &self.mul(&itself, &itself)?),
            Unary::Sinh => self.function(Unary::Cosh, x),
            Unary::Cosh => self.function(Unary::Sinh, x),
            Unary::Abs => self.div(x, &itself),
            Unary::Atan => self.div(&one, &self.add(&one, &self.mul(x, x)?)?),
            Unary::Asin | Unary::Acos => {
                let root = self.sub(&one, &self.mul(x, x)?)?;
                let root = self.root(&root, 2)?;
                let slope = self.div(&one, &root)?;
                Ok(if op == Unary::Asin {
                    slope
                } else {
                    self.neg(&slope)
                })
            }
            Unary::Neg | Unary::Sqrt | Unary::Sin | Unary::Cos | Unary::Tan | Unary::Sign => {
                Err(Outside::NoDerivative)
            }
        }
    }

    /// (n/d)' = n'/d − n d'/d²
    fn chain(&self, a: &Fraction, slopes: &Slopes) -> Result<Fraction, Outside> {
        let top = self.chain_polynomial(&a.numerator, slopes)?;
        if a.denominator.is_one() {
            return Ok(top);
        }
        let bottom = Fraction::from(a.denominator.clone());
        let first = self.div(&top, &bottom)?;
        let rate = self.chain_polynomial(&a.denominator, slopes)?;
        if rate.is_zero() {
            return Ok(first);
        }
        let second = self.mul(a, &self.div(&rate, &bottom)?)?;
        self.sub(&first, &second)
    }

    fn chain_polynomial(&self, p: &Polynomial, slopes: &Slopes) -> Result<Fraction, Outside> {
        let mut parts = Vec::new();
        for g in p.generators() {
            if let Some(slope) = slopes.get(&g) {
                parts.push(self.mul(&Fraction::from(p.partial(g)?), slope)?);
            }
        }
        self.sum(&parts)
    }
}
