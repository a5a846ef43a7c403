//! Elements that are squares of others.

use super::Outside;
use super::field::{Field, Fraction};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::rational::Rational;

impl Field {
    /// r with r² = a, if there is one among the fractions: of x² − 2 x y + y² it is x − y.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn square_root(&self, a: &Fraction) -> Result<Option<Fraction>, Outside> {
        // √(n/d) = √(n d)/d
        let whole = self.times(&a.numerator, &a.denominator)?;
        let Some(root) = self.polynomial_root(&whole)? else {
            return Ok(None);
        };
        let root = self.fraction(root, a.denominator.clone())?;
        let square = self.mul(&root, &root)?;
        Ok(self.is_equal(&square, a)?.then_some(root))
    }

    /// Term by term: the square of what is found takes the leading terms away, one after the other.
    fn polynomial_root(&self, p: &Polynomial) -> Result<Option<Polynomial>, Outside> {
        let Some((monomial, number)) = p.leading() else {
            return Ok(Some(Polynomial::zero()));
        };
        let (Some(half), Some(number)) = (half(monomial)?, number.exact_sqrt()) else {
            return Ok(None);
        };
        let double = Rational::integer(2).checked_mul(&number);
        let inverse = double.and_then(|double| double.reciprocal());
        let inverse = inverse.ok_or(Outside::TooLarge)?;
        let mut root = Polynomial::term(half.clone(), number);
        for _ in 0..p.len() {
            let square = self.times(&root, &root)?;
            let rest = self.plus(p, &square, -1)?;
            let Some((monomial, number)) = rest.leading() else {
                return Ok(Some(root));
            };
            let Some(next) = monomial.over(&half) else {
                return Ok(None);
            };
            let number = number.checked_mul(&inverse).ok_or(Outside::TooLarge)?;
            root = self.plus(&root, &Polynomial::term(next, number), 1)?;
        }
        Ok(None)
    }
}

/// The monomial whose square one is.
fn half(monomial: &Monomial) -> Result<Option<Monomial>, Outside> {
    let mut half = Monomial::one();
    for (generator, power) in monomial.powers() {
        if power % 2 != 0 {
            return Ok(None);
        }
        half = half.times(&Monomial::power(generator, power / 2))?;
    }
    Ok(Some(half))
}

#[cfg(test)]
mod tests {
    use crate::normal::Field;
    use crate::{Graph, SymbolKind};

    #[test]
    fn squares_are_seen_and_others_are_not() {
        let mut g = Graph::new();
        let [x, y, l] = ["x", "y", "l"].map(|name| g.symbol(name, SymbolKind::Coordinate));
        let (two, half) = (g.integer(2), g.sin(x));
        let sum = g.sum([x, y, half]);
        let scaled = g.mul(two, sum);
        let root = g.div(scaled, l);
        let square = g.mul(root, root);
        let mut field = Field::new();
        let [root, square] = [root, square].map(|id| field.take(&g, id).unwrap());
        let found = field.square_root(&square).unwrap().unwrap();
        assert!(found == root || found == field.neg(&root));
        let more = g.mul(x, x);
        let more = field.take(&g, more).unwrap();
        let other = field.add(&square, &more).unwrap();
        assert_eq!(field.square_root(&other).unwrap(), None);
    }
}
