//! What vanishes where signs are 1 or −1.
//!
//! sign³ = sign holds everywhere, sign² = 1 but where its argument is zero; |p| = p sign p and p sign² p = p everywhere.

use super::Outside;
use super::field::{Field, Fraction, GeneratorId, GeneratorKind};
use super::polynomial::Polynomial;
use crate::op::Unary;

impl Field {
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
            let powers = left.in_powers(generator);
            if powers.len() <= 2 {
                continue;
            }
            // p sign² p is p.
            let divides = |part: &Polynomial| part.exact_quotient(&argument.numerator, &self.work);
            let mut beside = false;
            let mut parts = [Polynomial::zero(), Polynomial::zero()];
            for (power, part) in powers.into_iter().enumerate() {
                beside |= power >= 2 && !part.is_zero() && divides(&part)?.is_none();
                parts[power % 2] = self.plus(&parts[power % 2], &part, 1)?;
            }
            let odd = self.times(&parts[1], &Polynomial::generator(generator))?;
            left = self.plus(&parts[0], &odd, 1)?;
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
            let mut sum = Polynomial::zero();
            for part in left.in_powers(generator).iter().rev() {
                sum = self.plus(&self.times(&sum, &size)?, part, 1)?;
            }
            left = sum;
        }
        Ok(left)
    }

    fn known_sign(&self, argument: &Fraction) -> Option<GeneratorId> {
        let is_sign = |kind: &GeneratorKind| matches!(kind, GeneratorKind::Function(Unary::Sign, a) if a == argument);
        let place = self.kinds.iter().position(is_sign)?;
        u16::try_from(place).ok().map(GeneratorId)
    }
}

#[cfg(test)]
mod tests {
    use crate::normal::Field;
    use crate::{Graph, SymbolKind};

    #[test]
    fn squares_of_signs_are_one_but_at_zero() {
        let mut g = Graph::new();
        let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Coordinate));
        let (size, sign) = (g.abs(x), g.sign(x));
        let (square, one) = (g.mul(sign, sign), g.integer(1));
        let product = g.mul(size, sign);
        let direction = g.div(x, size);
        let everywhere = g.sub(product, x);
        let units = g.sub(square, one);
        let along = g.sub(direction, sign);
        let wrong = g.sub(square, y);
        let mut field = Field::new();
        let mut beside = |id| {
            let taken = field.take(&g, id).unwrap();
            let found = field.vanishes_beside_signs(&taken).unwrap();
            found.map(|arguments| arguments.len())
        };
        let found = [everywhere, units, along, wrong].map(&mut beside);
        // Where x is zero, x/|x| has no value anyway.
        assert_eq!(found, [Some(0), Some(1), Some(0), None]);
    }
}
