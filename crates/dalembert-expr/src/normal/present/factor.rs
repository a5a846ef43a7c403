//! Factors that can be seen without a general factorisation: contents, squares, quadratics.

use super::super::divisor::{common_divisor, of_all};
use super::super::modular::is_square_free;
use super::super::monomial::Monomial;
use super::super::square::square_root;
use super::super::{Field, Fraction, GeneratorId, GeneratorKind, Outside, Polynomial, Work};
use crate::rational::Rational;

/// Longer polynomials are not factored.
const MAX_TERMS: usize = 300;
/// Nor are discriminants looked at that would come from more terms than these.
const MAX_QUADRATIC: usize = 60;

impl Field {
    /// Factors of the numerator with multiplicities, but for numbers, as far as they are seen without a general factorisation.
    ///
    /// # Errors
    /// It is larger than the limits allow.
    pub fn factors(&self, fraction: &Fraction) -> Result<Vec<(Fraction, u16)>, Outside> {
        let p = fraction.numerator();
        let (content, common) = (p.content(), p.common_monomial());
        let rest = p.without_factor(&common, &content)?;
        let powers = common.powers();
        let mut found: Vec<(Fraction, u16)> = powers.map(|(g, n)| (self.element(g), n)).collect();
        let free = |g: GeneratorId| matches!(self.kind(g), GeneratorKind::Symbol(_));
        let others = factors(&rest, free, &self.work).into_iter();
        let others = others.filter(|(factor, _)| factor.as_constant().is_none());
        found.extend(others.map(|(factor, n)| (Fraction::from(factor), n)));
        Ok(found)
    }
}

/// Factors with multiplicities; their product is `p`, which has no literal or monomial factor.
/// `free` says which generators a quadratic may be solved for.
pub(super) fn factors(
    p: &Polynomial,
    free: impl Fn(GeneratorId) -> bool,
    work: &Work,
) -> Vec<(Polynomial, u16)> {
    let mut found: Vec<(Polynomial, u16)> = Vec::new();
    let mut pending = vec![(p.clone(), 1)];
    while let Some((p, n)) = pending.pop() {
        match split(&p, &free, work) {
            Ok(Some((a, b))) => pending.extend([(a, n), (b, n)]),
            _ => match found.iter_mut().find(|(known, _)| *known == p) {
                Some((_, count)) => *count += n,
                None => found.push((p, n)),
            },
        }
    }
    found
}

/// p = a b, both shorter in some generator.
fn split(
    p: &Polynomial,
    free: &impl Fn(GeneratorId) -> bool,
    work: &Work,
) -> Result<Option<(Polynomial, Polynomial)>, Outside> {
    if p.len() < 2 || p.len() > MAX_TERMS {
        return Ok(None);
    }
    let generators = p.generators();
    let pair = |a: Polynomial| -> Result<Option<(Polynomial, Polynomial)>, Outside> {
        if a.as_constant().is_some() {
            return Ok(None);
        }
        let rest = p.exact_quotient(&a, work)?;
        let rest = rest.filter(|rest| rest.as_constant().is_none());
        Ok(rest.map(|rest| (a, rest)))
    };
    for &g in &generators {
        let parts = p.in_powers(g);
        if parts.len() > 1
            && let Some(split) = pair(of_all(&parts, work)?)?
        {
            return Ok(Some(split));
        }
    }
    for &g in &generators {
        if p.degree(g) >= 2
            && !is_square_free(p, g)
            && let Some(split) = pair(common_divisor(p, &p.partial(g)?, work)?)?
        {
            return Ok(Some(split));
        }
    }
    if p.len() <= MAX_QUADRATIC {
        for &g in generators.iter().filter(|&&g| free(g)) {
            if p.degree(g) == 2
                && let Some(root) = linear_factor(p, g, work)?
                && let Some(split) = pair(root)?
            {
                return Ok(Some(split));
            }
        }
    }
    Ok(None)
}

/// A factor 2 a x + b − √(b² − 4 a c) of a x² + b x + c, without its content.
fn linear_factor(
    p: &Polynomial,
    x: GeneratorId,
    work: &Work,
) -> Result<Option<Polynomial>, Outside> {
    let parts = p.in_powers(x);
    let [c, b, a] = &*parts else {
        return Ok(None);
    };
    let square = b.times(b, work)?;
    let product = a.times(c, work)?;
    let discriminant = square.plus(&product, &Rational::integer(-4), work)?;
    let Some(root) = square_root(&discriminant, Ok, work)? else {
        return Ok(None);
    };
    let slope = a.shifted(&Monomial::power(x, 1), &Rational::integer(2))?;
    let factor = slope
        .plus(b, &Rational::ONE, work)?
        .plus(&root, &Rational::integer(-1), work)?;
    let content = of_all(&factor.in_powers(x), work)?;
    let Some(factor) = factor.exact_quotient(&content, work)? else {
        return Ok(None);
    };
    let content = factor.content();
    factor.without_factor(&Monomial::one(), &content).map(Some)
}
