//! Greatest common divisors in the free polynomial ring.
//!
//! Mechanics makes long polynomials in many generators whose common divisors are short. So what can be
//! decided without Euclid is decided first: generators that only one side has, degrees that images
//! modulo a prime exclude, one side dividing the other. The rest is a sequence of primitive remainders.
//! Every call is bounded; without an answer in time the divisor is 1, which is never wrong, only longer.

use super::modular::degree_bounds;
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use super::{GeneratorId, Outside, Work};
use crate::rational::Rational;

/// Steps that one search for a divisor may take, for each term of its arguments.
const STEPS_PER_TERM: u64 = 2_000;
/// More generators in common are not searched: each may be one level of recursion.
const MAX_GENERATORS: usize = 100;

/// A common divisor of `a` and `b`, the greatest if that is found in time: integer coefficients without
/// common factor, the leading one positive. Neither may be 0.
pub(super) fn common_divisor(
    a: &Polynomial,
    b: &Polynomial,
    work: &Work,
) -> Result<Polynomial, Outside> {
    let part = work.part(STEPS_PER_TERM * (a.len() + b.len()) as u64);
    let before = part.left();
    let found = search(a, b, &part);
    work.settle(before, &part)?;
    match found {
        Ok(divisor) => Ok(divisor),
        Err(_) => {
            let m = a.common_monomial().common(&b.common_monomial());
            Ok(Polynomial::term(m, Rational::ONE))
        }
    }
}

fn search(a: &Polynomial, b: &Polynomial, work: &Work) -> Result<Polynomial, Outside> {
    let (ma, mb) = (a.common_monomial(), b.common_monomial());
    let common = Polynomial::term(ma.common(&mb), Rational::ONE);
    if a.len() <= 1 || b.len() <= 1 {
        return Ok(common);
    }
    let a = a.without_factor(&ma, &a.content())?;
    let b = b.without_factor(&mb, &b.content())?;
    let divisor = of_primitive(a, b, work)?;
    common.times(&divisor, work)
}

/// The same of two polynomials without literal and monomial factors.
fn of_primitive(a: Polynomial, b: Polynomial, work: &Work) -> Result<Polynomial, Outside> {
    work.spend(a.len() + b.len())?;
    if a.len() == 1 || b.len() == 1 {
        return Ok(Polynomial::one());
    }
    if a == b {
        return Ok(a);
    }
    let (ga, gb) = (a.generators(), b.generators());
    let shared: Vec<GeneratorId> = ga.iter().copied().filter(|g| gb.contains(g)).collect();
    let bounds = degree_bounds(&a, &b, &shared);
    work.spend(shared.len() * (a.len() + b.len()) / 4)?;
    let possible: Vec<GeneratorId> = shared
        .iter()
        .zip(&bounds)
        .filter(|&(_, &bound)| bound > 0)
        .map(|(&g, _)| g)
        .collect();
    if possible.is_empty() {
        return Ok(Polynomial::one());
    }
    if possible.len() > MAX_GENERATORS {
        return Err(Outside::TooLarge);
    }
    // A divisor without a generator divides each coefficient of its powers.
    if possible.len() < ga.len() || possible.len() < gb.len() {
        let outside = |g: GeneratorId| !possible.contains(&g);
        let parts: Vec<Polynomial> = a
            .collected(outside)
            .into_iter()
            .chain(b.collected(outside))
            .map(|(_, part)| part)
            .collect();
        return of_all(&parts, work);
    }
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    // One divides the other?
    let is_possible = |p: &Polynomial| {
        let degrees = shared.iter().map(|&g| usize::from(p.degree(g)));
        degrees.eq(bounds.iter().copied())
    };
    for (dividend, divisor) in [(&long, &short), (&short, &long)] {
        if is_possible(divisor) && dividend.exact_quotient(divisor, work)?.is_some() {
            return Ok(divisor.clone());
        }
    }
    // Euclid in the generator of least degree.
    let main = possible
        .iter()
        .copied()
        .min_by_key(|&g| (long.degree(g).max(short.degree(g)), g))
        .ok_or(Outside::TooLarge)?;
    euclid(&long, &short, main, work)
}

/// The common divisor of all, the shortest first: it often decides.
pub(super) fn of_all(parts: &[Polynomial], work: &Work) -> Result<Polynomial, Outside> {
    let mut divisor: Option<Polynomial> = None;
    let mut parts: Vec<&Polynomial> = parts.iter().filter(|part| !part.is_zero()).collect();
    parts.sort_by_key(|part| part.len());
    for part in parts {
        let next = match divisor {
            None => part.without_factor(&Monomial::one(), &part.content())?,
            Some(divisor) => search(&divisor, part, work)?,
        };
        if next.is_one() {
            return Ok(next);
        }
        divisor = Some(next);
    }
    Ok(divisor.unwrap_or_else(Polynomial::one))
}

fn euclid(
    a: &Polynomial,
    b: &Polynomial,
    main: GeneratorId,
    work: &Work,
) -> Result<Polynomial, Outside> {
    let (mut a, mut b) = (a.in_powers(main), b.in_powers(main));
    let (ca, cb) = (of_all(&a, work)?, of_all(&b, work)?);
    let content = search(&ca, &cb, work)?;
    divide_all(&mut a, &ca, work)?;
    divide_all(&mut b, &cb, work)?;
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    while b.len() > 1 {
        let mut rest = pseudo_remainder(a, &b, work)?;
        if rest.is_empty() {
            let divisor = Polynomial::from_powers(&b, main, work)?;
            let divisor = divisor.without_factor(&Monomial::one(), &divisor.content())?;
            return content.times(&divisor, work);
        }
        let common = of_all(&rest, work)?;
        divide_all(&mut rest, &common, work)?;
        (a, b) = (b, rest);
    }
    Ok(content)
}

fn divide_all(parts: &mut [Polynomial], divisor: &Polynomial, work: &Work) -> Result<(), Outside> {
    if divisor.is_one() {
        return Ok(());
    }
    for part in parts {
        *part = part
            .exact_quotient(divisor, work)?
            .ok_or(Outside::TooLarge)?;
    }
    Ok(())
}

/// A multiple of a, less multiples of b, of lower degree than b; without leading zeros.
fn pseudo_remainder(
    a: Vec<Polynomial>,
    b: &[Polynomial],
    work: &Work,
) -> Result<Vec<Polynomial>, Outside> {
    let mut a = a;
    let Some(lead) = b.last() else {
        return Ok(a);
    };
    while a.len() >= b.len() {
        let Some(top) = a.pop() else { break };
        let shift = a.len() + 1 - b.len();
        // lead · a − top · b, without what the two have in common.
        let common = search(&top, lead, work)?;
        let (factor_a, factor_b) = if common.is_one() {
            (lead.clone(), top)
        } else {
            let quotient =
                |p: &Polynomial| p.exact_quotient(&common, work)?.ok_or(Outside::TooLarge);
            (quotient(lead)?, quotient(&top)?)
        };
        for (i, part) in a.iter_mut().enumerate() {
            *part = part.times(&factor_a, work)?;
            if i >= shift {
                let change = b[i - shift].times(&factor_b, work)?;
                *part = part.plus(&change, &Rational::integer(-1), work)?;
            }
        }
        while a.last().is_some_and(Polynomial::is_zero) {
            a.pop();
        }
    }
    Ok(a)
}
