//! Elements and polynomials that are squares of others.

use super::field::{Field, Fraction};
use super::polynomial::{Polynomial, product, sum};
use super::{Outside, Work};

impl Field {
    /// r with r² = a, if there is one among the fractions: of x² − 2 x y + y² it is x − y.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn square_root(&self, a: &Fraction) -> Result<Option<Fraction>, Outside> {
        // √(n/d) = √(n d)/d
        let whole = self.times(&a.numerator, &a.denominator)?;
        let Some(root) = square_root(&whole, |p| self.reduced(p), &self.work)? else {
            return Ok(None);
        };
        let root = self.fraction(root, a.denominator.clone())?;
        let square = self.mul(&root, &root)?;
        Ok(self.is_equal(&square, a)?.then_some(root))
    }
}

/// The polynomial whose square `p` is, where `reduced` applies the rules that products obey.
///
/// Term by term: the square of what is found takes the leading terms away, one after the other.
pub(super) fn square_root(
    p: &Polynomial,
    reduced: impl Fn(Polynomial) -> Result<Polynomial, Outside>,
    work: &Work,
) -> Result<Option<Polynomial>, Outside> {
    let mut root = Polynomial::zero();
    let Some((lead, c)) = p.leading() else {
        return Ok(Some(root));
    };
    let (Some(lead), Some(c)) = (lead.square_root(), c.exact_sqrt()) else {
        return Ok(None);
    };
    let inverse = sum(&c, &c)?.reciprocal().ok_or(Outside::Undefined)?;
    let mut next = Polynomial::term(lead.clone(), c);
    let mut rest = p.clone();
    for _ in 0..=p.len() {
        // (r + t)² = r² + t (2 r + t)
        let double = root.scaled(&2.into())?.plus(&next, &1.into(), work)?;
        rest = reduced(rest.plus(&double.times(&next, work)?, &(-1).into(), work)?)?;
        root = root.plus(&next, &1.into(), work)?;
        let Some((m, x)) = rest.leading() else {
            return Ok(Some(root));
        };
        let Some(ratio) = m.over(&lead) else {
            return Ok(None);
        };
        next = Polynomial::term(ratio, product(x, &inverse)?);
    }
    Ok(None)
}
