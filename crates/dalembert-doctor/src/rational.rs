//! Antiderivatives of quotients of polynomials in one element, and of polynomials over the root of a quadratic one.
//!
//! ```text
//! N/D = Q + R/D,   ∫ R/D = A/G + ∫ B/S       G = gcd(D, D'), S = D/G: A and B by linear equations (Ostrogradsky 1845)
//! B/S = Σ Bᵢ/Sᵢ                              Sᵢ linear or quadratic: logarithms and arcs
//! ∫ P/√Q = U √Q + λ ∫ 1/√Q                   U and λ by linear equations
//! ```
//!
//! Coefficients are elements without the variable. What is found is proved by who asks.

use dalembert_expr::normal::{Field, Fraction, GeneratorId, Outside};
use dalembert_expr::{SymbolId, Unary};

/// Coefficients by power, the last of which is not zero.
type Polynomial = Vec<Fraction>;

/// Largest degree of what is taken apart.
const DEGREE: usize = 12;
/// Largest number whose divisors are tried as roots.
const LARGE: i64 = 10_000;

/// Numerator and denominator as polynomials in a generator, if nothing else of a list occurs; `None` if it does.
pub(crate) fn quotient(
    field: &Field,
    a: &Fraction,
    by: GeneratorId,
) -> Option<(Polynomial, Polynomial)> {
    let above = Fraction::from(a.numerator().clone());
    let below = Fraction::from(a.denominator().clone());
    Some((powers(field, &above, by)?, powers(field, &below, by)?))
}

pub(crate) fn powers(field: &Field, a: &Fraction, by: GeneratorId) -> Option<Polynomial> {
    let mut found = Polynomial::new();
    for (powers, coefficient) in field.coefficients(a, &[by])? {
        let n = powers.first().copied().map_or(0, usize::from);
        if n > DEGREE {
            return None;
        }
        if found.len() <= n {
            found.resize(n + 1, Fraction::zero());
        }
        found[n] = coefficient;
    }
    Some(trimmed(found))
}

fn trimmed(mut a: Polynomial) -> Polynomial {
    while a.last().is_some_and(Fraction::is_zero) {
        a.pop();
    }
    a
}

pub(crate) fn times(field: &Field, a: &[Fraction], b: &[Fraction]) -> Result<Polynomial, Outside> {
    let mut product = vec![Fraction::zero(); (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] = field.add(&product[i + j], &field.mul(x, y)?)?;
        }
    }
    Ok(trimmed(product))
}

pub(crate) fn plus(field: &Field, a: &[Fraction], b: &[Fraction]) -> Result<Polynomial, Outside> {
    let zero = Fraction::zero();
    let sums = (0..a.len().max(b.len())).map(|k| {
        let [x, y] = [a, b].map(|it| it.get(k).unwrap_or(&zero));
        field.add(x, y)
    });
    Ok(trimmed(sums.collect::<Result<_, _>>()?))
}

fn slope(field: &Field, a: &[Fraction]) -> Result<Polynomial, Outside> {
    let each = a.iter().enumerate().skip(1);
    each.map(|(n, x)| field.mul(x, &Fraction::number(n as i64)))
        .collect()
}

/// Quotient and remainder; the divisor is not zero.
fn divided(
    field: &Field,
    a: &[Fraction],
    by: &[Fraction],
) -> Result<(Polynomial, Polynomial), Outside> {
    let mut rest = a.to_vec();
    let mut quotient = vec![Fraction::zero(); (a.len() + 1).saturating_sub(by.len())];
    let lead = by.last().ok_or(Outside::Undefined)?;
    for k in (0..quotient.len()).rev() {
        let factor = field.div(&rest[k + by.len() - 1], lead)?;
        for (i, x) in by.iter().enumerate() {
            rest[k + i] = field.sub(&rest[k + i], &field.mul(&factor, x)?)?;
        }
        quotient[k] = factor;
    }
    rest.truncate(by.len() - 1);
    Ok((trimmed(quotient), trimmed(rest)))
}

/// The greatest common divisor, with leading coefficient 1.
fn common(field: &Field, a: &[Fraction], b: &[Fraction]) -> Result<Polynomial, Outside> {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    while !b.is_empty() {
        let (_, rest) = divided(field, &a, &b)?;
        (a, b) = (b, rest);
    }
    monic(field, &a)
}

fn monic(field: &Field, a: &[Fraction]) -> Result<Polynomial, Outside> {
    let lead = a.last().ok_or(Outside::Undefined)?;
    a.iter().map(|x| field.div(x, lead)).collect()
}

fn value(field: &Field, a: &[Fraction], at: &Fraction) -> Result<Fraction, Outside> {
    let mut sum = Fraction::zero();
    for x in a.iter().rev() {
        sum = field.add(&field.mul(&sum, at)?, x)?;
    }
    Ok(sum)
}

/// Polynomials X_i of fewer than `sizes` coefficients with Σ operator(i, xᵏ) = right; `None` if there are none, or more than one.
fn solved(
    field: &Field,
    sizes: &[usize],
    right: &[Fraction],
    operator: impl Fn(usize, &[Fraction]) -> Result<Polynomial, Outside>,
) -> Result<Option<Vec<Polynomial>>, Outside> {
    let mut columns = Vec::new();
    for (i, &size) in sizes.iter().enumerate() {
        for k in 0..size {
            let mut power = vec![Fraction::zero(); k + 1];
            power[k] = Fraction::one();
            columns.push(operator(i, &power)?);
        }
    }
    let lengths = columns.iter().map(Vec::len);
    let rows = lengths.max().unwrap_or(0).max(right.len());
    let zero = Fraction::zero();
    let entry = |list: &[Fraction], row: usize| list.get(row).unwrap_or(&zero).clone();
    let matrix: Vec<Vec<Fraction>> = (0..rows)
        .map(|row| columns.iter().map(|it| entry(it, row)).collect())
        .collect();
    let wanted: Vec<Vec<Fraction>> = (0..rows).map(|row| vec![entry(right, row)]).collect();
    let Some(found) = field.solve(&matrix, &wanted)? else {
        return Ok(None);
    };
    let mut found = found.into_iter().flatten();
    let parts = sizes
        .iter()
        .map(|&size| trimmed(found.by_ref().take(size).collect()));
    Ok(Some(parts.collect()))
}

/// F with dF/du = N/D at an element u.
pub(crate) fn of_quotient(
    field: &mut Field,
    (above, below): (&[Fraction], &[Fraction]),
    at: &Fraction,
) -> Result<Option<Fraction>, Outside> {
    if below.is_empty() || below.len() > DEGREE + 1 {
        return Ok(None);
    }
    let (whole, rest) = divided(field, above, below)?;
    let mut integrated = vec![Fraction::zero()];
    for (n, x) in whole.iter().enumerate() {
        integrated.push(field.div(x, &Fraction::number(n as i64 + 1))?);
    }
    let mut sum = vec![value(field, &integrated, at)?];
    if rest.is_empty() {
        return field.sum(&sum).map(Some);
    }
    let double = common(field, below, &slope(field, below)?)?;
    let (single, _) = divided(field, below, &double)?;
    let mut left = rest;
    if double.len() > 1 {
        // A' S − A G' S/G + B G = R
        let product = times(field, &slope(field, &double)?, &single)?;
        let (turned, _) = divided(field, &product, &double)?;
        let sizes = [double.len() - 1, single.len() - 1];
        let found = solved(field, &sizes, &left, |i, power| match i {
            0 => {
                let first = times(field, &slope(field, power)?, &single)?;
                let second = times(field, power, &turned)?;
                let second: Vec<Fraction> = second.iter().map(|x| field.neg(x)).collect();
                plus(field, &first, &second)
            }
            _ => times(field, power, &double),
        })?;
        let Some([a, b]) = found.and_then(|it| <[Polynomial; 2]>::try_from(it).ok()) else {
            return Ok(None);
        };
        let part = field.div(&value(field, &a, at)?, &value(field, &double, at)?)?;
        sum.push(part);
        left = b;
    }
    if !left.is_empty() {
        let factors = factors(field, &single)?;
        if factors.iter().any(|it| it.len() > 3) {
            return Ok(None);
        }
        let sizes: Vec<usize> = factors.iter().map(|it| it.len() - 1).collect();
        let found = solved(field, &sizes, &left, |i, power| {
            let others = factors.iter().enumerate().filter(|(k, _)| *k != i);
            others
                .map(|(_, it)| it)
                .try_fold(power.to_vec(), |product, it| times(field, &product, it))
        })?;
        let Some(parts) = found else {
            return Ok(None);
        };
        for (part, factor) in parts.iter().zip(&factors) {
            sum.push(over_quadratic(field, part, factor, at)?);
        }
    }
    field.sum(&sum).map(Some)
}

/// Factors of a polynomial without double ones: linear ones whose roots are seen, and what is left.
fn factors(field: &Field, of: &[Fraction]) -> Result<Vec<Polynomial>, Outside> {
    let mut left = of.to_vec();
    let mut found = Vec::new();
    if left.len() > 3 {
        for root in roots(field, &left) {
            if left.len() > 2 && field.is_zero(&value(field, &left, &root)?)? {
                let factor = vec![field.neg(&root), Fraction::one()];
                left = divided(field, &left, &factor)?.0;
                found.push(factor);
            }
        }
    }
    // x⁴ + p x² + q = (x² + p/2)² − (p²/4 − q)
    if left.len() == 5 && left[1].is_zero() && left[3].is_zero() {
        let whole = monic(field, &left)?;
        let half = field.div(&whole[2], &Fraction::number(2))?;
        let inside = field.sub(&field.mul(&half, &half)?, &whole[0])?;
        if let Some(root) = field.square_root(&inside)? {
            let quadratic = |c: Fraction| vec![c, Fraction::zero(), Fraction::one()];
            found.push(quadratic(field.add(&half, &root)?));
            left = quadratic(field.sub(&half, &root)?);
            let lead = of.last().ok_or(Outside::Undefined)?;
            left = left
                .iter()
                .map(|x| field.mul(x, lead))
                .collect::<Result<_, _>>()?;
        }
    }
    found.push(left);
    Ok(found)
}

/// Elements that may be roots: quotients of divisors of the first and the last coefficient, and what occurs in these.
fn roots(field: &Field, of: &[Fraction]) -> Vec<Fraction> {
    let mut found = vec![Fraction::zero()];
    let mut push = |it: Fraction| {
        if !found.contains(&it) {
            found.push(field.neg(&it));
            found.push(it);
        }
    };
    let mut generators: Vec<GeneratorId> = of.iter().flat_map(Fraction::generators).collect();
    generators.sort_unstable();
    generators.dedup();
    for &generator in &generators {
        push(field.element(generator));
    }
    if generators.is_empty() {
        let integers = |a: &Fraction| a.as_number().and_then(|it| it.as_integer());
        let ends = [of.first(), of.last()].map(|it| it.and_then(integers));
        if let [Some(first), Some(last)] = ends {
            let divisors = |n: i64| {
                let n = n.abs();
                (1..=n.min(LARGE)).filter(move |k| n % k == 0)
            };
            for above in divisors(first) {
                for below in divisors(last) {
                    let ratio = field.div(&Fraction::number(above), &Fraction::number(below));
                    ratio.into_iter().for_each(&mut push);
                }
            }
        }
    }
    found
}

/// ∫ B/S of a linear or quadratic S.
fn over_quadratic(
    field: &mut Field,
    above: &[Fraction],
    below: &[Fraction],
    at: &Fraction,
) -> Result<Fraction, Outside> {
    let zero = Fraction::zero();
    let [b0, b1] = [0, 1].map(|k| above.get(k).unwrap_or(&zero).clone());
    let here = value(field, below, at)?;
    let logarithm = field.unary(Unary::Log, &here)?;
    let [c, b, a] = [0, 1, 2].map(|k| below.get(k).unwrap_or(&zero).clone());
    if below.len() == 2 {
        return field.mul(&field.div(&b0, &b)?, &logarithm);
    }
    let two = Fraction::number(2);
    let part = field.div(&b1, &field.mul(&two, &a)?)?;
    let left = field.sub(&b0, &field.mul(&part, &b)?)?;
    let mut sum = vec![field.mul(&part, &logarithm)?];
    if !left.is_zero() {
        let turned = field.add(&field.mul(&two, &field.mul(&a, at)?)?, &b)?;
        let four = field.mul(&Fraction::number(4), &field.mul(&a, &c)?)?;
        let inside = field.sub(&four, &field.mul(&b, &b)?)?;
        let opposite = field.neg(&inside);
        let negative = is_negative(field, &inside)?;
        let real = field.square_root(&opposite)?;
        sum.push(match (field.square_root(&inside)?, real) {
            (None, Some(root)) => arc(field, true, (&left, &turned, &root))?,
            (Some(root), _) => arc(field, false, (&left, &turned, &root))?,
            (None, None) => {
                let root = field.unary(Unary::Sqrt, if negative { &opposite } else { &inside })?;
                arc(field, negative, (&left, &turned, &root))?
            }
        });
    }
    field.sum(&sum)
}

/// Whether an element is seen to be negative.
fn is_negative(field: &Field, a: &Fraction) -> Result<bool, Outside> {
    Ok(match a.as_number() {
        Some(number) => number.is_negative(),
        None => field.square_root(&field.neg(a))?.is_some(),
    })
}

/// e log((u − s)/(u + s))/s, or 2 e atan(u/s)/s.
fn arc(
    field: &mut Field,
    is_logarithm: bool,
    (e, u, s): (&Fraction, &Fraction, &Fraction),
) -> Result<Fraction, Outside> {
    let over = field.div(e, s)?;
    if is_logarithm {
        let [above, below] = [field.sub(u, s)?, field.add(u, s)?];
        let above = field.unary(Unary::Log, &above)?;
        let below = field.unary(Unary::Log, &below)?;
        return field.mul(&over, &field.sub(&above, &below)?);
    }
    let arc = field.unary(Unary::Atan, &field.div(u, s)?)?;
    field.mul(&field.mul(&over, &Fraction::number(2))?, &arc)
}

/// ∫ P/√Q of a linear or quadratic Q, whose root is given.
pub(crate) fn over_root(
    field: &mut Field,
    above: &[Fraction],
    (inside, root): (&[Fraction], &Fraction),
    (at, symbol): (&Fraction, SymbolId),
) -> Result<Option<Fraction>, Outside> {
    if !(2..=3).contains(&inside.len()) || above.len() > DEGREE {
        return Ok(None);
    }
    let is_linear = inside.len() == 2;
    // P = U' Q + U Q'/2 + λ
    let half: Vec<Fraction> = slope(field, inside)?
        .iter()
        .map(|x| field.div(x, &Fraction::number(2)))
        .collect::<Result<_, _>>()?;
    let sizes = match is_linear {
        true => [above.len(), 0],
        false => [above.len().saturating_sub(1), 1],
    };
    let found = solved(field, &sizes, above, |i, power| match i {
        0 => {
            let first = times(field, &slope(field, power)?, inside)?;
            plus(field, &first, &times(field, power, &half)?)
        }
        _ => Ok(power.to_vec()),
    })?;
    let Some([u, rest]) = found.and_then(|it| <[Polynomial; 2]>::try_from(it).ok()) else {
        return Ok(None);
    };
    let mut sum = vec![field.mul(&value(field, &u, at)?, root)?];
    if let Some(rest) = rest.first() {
        let (a, b) = (&inside[2], &inside[1]);
        let two = Fraction::number(2);
        let turned = field.add(&field.mul(&two, &field.mul(a, at)?)?, b)?;
        let opposite = field.neg(a);
        let negative = is_negative(field, a)?;
        let inner = if negative { &opposite } else { a };
        let scale = match field.square_root(inner)? {
            Some(scale) => scale,
            None => field.unary(Unary::Sqrt, inner)?,
        };
        let twice = field.mul(&two, &field.mul(&scale, root)?)?;
        let function = match negative {
            true => arc_of_sine(field, inside, (&turned, &twice, &scale), (root, symbol))?,
            false => field.unary(Unary::Log, &field.add(&twice, &turned)?)?,
        };
        sum.push(field.mul(&field.div(rest, &scale)?, &function)?);
    }
    field.sum(&sum).map(Some)
}

/// −asin((2 a x + b)/√(b² − 4 a c)), or where its slope is not seen to be √−a/√Q, the same by −atan((2 a x + b)/(2 √−a √Q)).
fn arc_of_sine(
    field: &mut Field,
    inside: &[Fraction],
    (turned, twice, scale): (&Fraction, &Fraction, &Fraction),
    (root, symbol): (&Fraction, SymbolId),
) -> Result<Fraction, Outside> {
    let four = field.mul(&Fraction::number(4), &field.mul(&inside[2], &inside[0])?)?;
    let size = field.sub(&field.mul(&inside[1], &inside[1])?, &four)?;
    if let Some(size) = field.square_root(&size)? {
        let sine = field.neg(&field.div(turned, &size)?);
        let arc = field.unary(Unary::Asin, &sine)?;
        let slope = field.derivative(&arc, symbol)?;
        let wanted = field.div(scale, root)?;
        if field.is_equal(&slope, &wanted)? {
            return Ok(arc);
        }
    }
    let ratio = field.neg(&field.div(turned, twice)?);
    field.unary(Unary::Atan, &ratio)
}
