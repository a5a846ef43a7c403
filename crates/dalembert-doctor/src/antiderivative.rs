//! Antiderivatives in the field of the normal form: of polynomials in a variable and its sine and cosine or an exponential, of
//! what is a multiple of the derivative of a root, a logarithm, an arc or a quotient, and of quotients of polynomials and roots of quadratic ones.

use crate::rational::{of_quotient, over_root, plus, powers, quotient, times};
use dalembert_expr::normal::{Field, Fraction, GeneratorId, GeneratorKind, Outside};
use dalembert_expr::{SymbolId, Unary};
use std::collections::BTreeMap;

/// Highest power of a sine or a variable that is integrated.
const DEGREE: u16 = 24;

/// Powers of longer elements are not tried.
const SHORT: usize = 6;

/// Whether a symbol occurs.
pub(crate) fn holds(field: &Field, a: &Fraction, symbol: SymbolId) -> bool {
    field.holds(a, |it| it == symbol)
}

/// F with ∂F/∂symbol = a, if there is one within reach; checked by who asks.
pub(crate) fn antiderivative(
    field: &mut Field,
    a: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Fraction>, Outside> {
    if a.is_zero() {
        return Ok(Some(Fraction::zero()));
    }
    let x = field.symbol(symbol)?;
    let x = field.element(x);
    if !holds(field, a, symbol) {
        return Ok(Some(field.mul(a, &x)?));
    }
    if let Some(found) = of_polynomial(field, a, symbol)? {
        return Ok(Some(found));
    }
    for generator in a.generators() {
        let root = field.element(generator);
        if matches!(field.kind(generator), GeneratorKind::Root(_, 2)) && holds(field, &root, symbol)
        {
            // The parts with and without the root.
            let other = field.substitute(a, &[(generator, field.neg(&root))])?;
            let even = field.div(&field.add(a, &other)?, &Fraction::number(2))?;
            let odd = field.div(&field.sub(a, &other)?, &Fraction::number(2))?;
            let of_root = match of_root(field, &odd, &root, symbol)? {
                Some(part) => Some(part),
                None => of_quadratic_root(field, &odd, &root, symbol)?,
            };
            if let (Some(part), true) = (&of_root, even.is_zero()) {
                return Ok(Some(part.clone()));
            }
            if even.is_zero() || odd.is_zero() {
                continue;
            }
            let odd = match of_root {
                Some(part) => Some(part),
                None => antiderivative(field, &odd, symbol)?,
            };
            let Some(odd) = odd else {
                return Ok(None);
            };
            let even = antiderivative(field, &even, symbol)?;
            return even.map(|even| field.add(&even, &odd)).transpose();
        }
    }
    if let Some(found) = as_multiple(field, a, symbol)? {
        return Ok(Some(found));
    }
    if let Some(found) = of_rational(field, a, symbol)? {
        return Ok(Some(found));
    }
    // Term by term above the bar.
    term_by_term(field, a, symbol)
}

/// Generators of an element that hold a symbol, by what they are.
struct Parts {
    variable: Option<GeneratorId>,
    /// Sine and cosine of one angle, and how fast it turns.
    circle: Option<(GeneratorId, GeneratorId, Fraction)>,
    exponential: Option<(GeneratorId, Fraction)>,
    others: bool,
}

fn parts(field: &mut Field, a: &Fraction, symbol: SymbolId) -> Result<Parts, Outside> {
    let mut found = Parts {
        variable: None,
        circle: None,
        exponential: None,
        others: false,
    };
    for generator in a.generators() {
        let element = field.element(generator);
        if !holds(field, &element, symbol) {
            continue;
        }
        let kind = field.kind(generator).clone();
        match kind {
            GeneratorKind::Symbol(_) => found.variable = Some(generator),
            GeneratorKind::Sin(ref angle) | GeneratorKind::Cos(ref angle) => {
                let known = found
                    .circle
                    .as_ref()
                    .is_some_and(|(sine, cosine, _)| *sine == generator || *cosine == generator);
                if known {
                    continue;
                }
                let angle = Fraction::from(angle.clone());
                let (sine, cosine) = (
                    field.unary(Unary::Sin, &angle)?,
                    field.unary(Unary::Cos, &angle)?,
                );
                let slope = field.derivative(&sine, symbol)?;
                let rate = field.div(&slope, &cosine)?;
                let of = |it: &Fraction| match it.generators().as_slice() {
                    [one] => Some(*one),
                    _ => None,
                };
                match (of(&sine), of(&cosine), found.circle.is_none()) {
                    (Some(s), Some(c), true) if !holds(field, &rate, symbol) => {
                        found.circle = Some((s, c, rate));
                    }
                    _ => found.others = true,
                }
            }
            GeneratorKind::Function(Unary::Exp, _) => {
                let slope = field.derivative(&element, symbol)?;
                let rate = field.div(&slope, &element)?;
                match found.exponential.is_none() && !holds(field, &rate, symbol) {
                    true => found.exponential = Some((generator, rate)),
                    false => found.others = true,
                }
            }
            _ => found.others = true,
        }
    }
    Ok(found)
}

/// Of Σ c xⁿ sᵃ cᵇ or Σ c xⁿ eᵐ with coefficients without x.
fn of_polynomial(
    field: &mut Field,
    a: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Fraction>, Outside> {
    let found = parts(field, a, symbol)?;
    if found.others || (found.circle.is_some() && found.exponential.is_some()) {
        return Ok(None);
    }
    let x = field.symbol(symbol)?;
    let mut generators = vec![x];
    if let Some((sine, cosine, _)) = &found.circle {
        generators.extend([*sine, *cosine]);
    }
    generators.extend(found.exponential.iter().map(|(generator, _)| *generator));
    let Some(terms) = field.coefficients(a, &generators) else {
        return Ok(None);
    };
    // By powers: the largest first, so that integration by parts only adds to what is still to come.
    let mut open: BTreeMap<(u16, u16, u16), Fraction> = BTreeMap::new();
    for (powers, coefficient) in terms {
        let power = |k: usize| powers.get(k).copied().unwrap_or(0);
        if powers.iter().any(|&n| n > DEGREE) {
            return Ok(None);
        }
        open.insert((power(0), power(1), power(2)), coefficient);
    }
    let mut sum = Vec::new();
    let of = |field: &Field, n: u16, parts: &[(GeneratorId, u16)]| -> Result<Fraction, Outside> {
        let mut product = field.powi(&field.element(x), i64::from(n))?;
        for &(generator, power) in parts {
            let part = field.powi(&field.element(generator), i64::from(power))?;
            product = field.mul(&product, &part)?;
        }
        Ok(product)
    };
    let number = |n: u16| Fraction::number(i64::from(n));
    while let Some(((n, p, q), c)) = open.pop_last() {
        let mut add = |field: &Field, key, part: Fraction| -> Result<(), Outside> {
            let place = open.entry(key).or_insert_with(Fraction::zero);
            *place = field.add(place, &part)?;
            Ok(())
        };
        if c.is_zero() {
            continue;
        }
        match (&found.circle, &found.exponential) {
            (Some((sine, cosine, rate)), _) if (p, q) != (0, 0) => {
                let over = field.div(&c, rate)?;
                // ∫ xⁿ f dx = xⁿ F − n ∫ xⁿ⁻¹ F dx
                let mut below = None;
                let (s, k, part) = match (p, q) {
                    // ∫ sᵖ c = sᵖ⁺¹/(p + 1)
                    (p, 1) => (p + 1, 0, field.div(&over, &number(p + 1))?),
                    (1, 0) => (0, 1, field.neg(&over)),
                    // ∫ sᵖ = −sᵖ⁻¹ c/p + (p − 1)/p ∫ sᵖ⁻²
                    (p, 0) => {
                        let part = field.div(&over, &number(p))?;
                        let rest = field.div(&field.mul(&c, &number(p - 1))?, &number(p))?;
                        below = Some((p - 2, rest));
                        (p - 1, 1, field.neg(&part))
                    }
                    _ => return Ok(None),
                };
                let product = of(field, n, &[(*sine, s), (*cosine, k)])?;
                sum.push(field.mul(&part, &product)?);
                if n > 0 {
                    let less = field.neg(&field.mul(&part, &number(n))?);
                    add(field, (n - 1, s, k), less)?;
                }
                if let Some((s, rest)) = below {
                    add(field, (n, s, 0), rest)?;
                }
            }
            (_, Some((exponential, rate))) if p != 0 => {
                let part = field.div(&c, &field.mul(rate, &number(p))?)?;
                let product = of(field, n, &[(*exponential, p)])?;
                sum.push(field.mul(&part, &product)?);
                if n > 0 {
                    let less = field.neg(&field.mul(&part, &number(n))?);
                    add(field, (n - 1, p, 0), less)?;
                }
            }
            _ => {
                let part = field.div(&c, &number(n + 1))?;
                sum.push(field.mul(&part, &of(field, n + 1, &[])?)?);
            }
        }
    }
    field.sum(&sum).map(Some)
}

/// Of a multiple of the derivative of a root: (√P)' = P'/(2 √P).
fn of_root(
    field: &mut Field,
    a: &Fraction,
    root: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Fraction>, Outside> {
    let square = field.mul(root, root)?;
    let slope = field.derivative(&square, symbol)?;
    if slope.is_zero() {
        return Ok(None);
    }
    let twice = field.mul(&field.mul(a, root)?, &Fraction::number(2))?;
    let factor = field.div(&twice, &slope)?;
    match holds(field, &factor, symbol) {
        true => Ok(None),
        false => field.mul(&factor, root).map(Some),
    }
}

/// Of P/√Q with polynomials in x.
fn of_quadratic_root(
    field: &mut Field,
    a: &Fraction,
    root: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Fraction>, Outside> {
    let by = field.symbol(symbol)?;
    let (above, inside) = (field.mul(a, root)?, field.mul(root, root)?);
    let (above, inside) = (powers(field, &above, by), powers(field, &inside, by));
    let Some((above, inside)) = above.zip(inside) else {
        return Ok(None);
    };
    if above
        .iter()
        .chain(&inside)
        .any(|it| holds(field, it, symbol))
    {
        return Ok(None);
    }
    let x = field.element(by);
    over_root(field, &above, (&inside, root), (&x, symbol))
}

/// Of a quotient of polynomials in x, in an exponential u (dx = du/(rate u)), in a sine beside the cosine (c dx = du/rate), or in a cosine
/// beside the sine.
fn of_rational(
    field: &mut Field,
    a: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Fraction>, Outside> {
    let found = parts(field, a, symbol)?;
    let free = |field: &Field, list: [&[Fraction]; 2]| {
        let mut all = list.into_iter().flatten();
        !all.any(|it| holds(field, it, symbol))
    };
    match (found.variable, &found.circle, &found.exponential) {
        _ if found.others => Ok(None),
        (Some(x), None, None) => {
            let at = field.element(x);
            match quotient(field, a, x) {
                Some((above, below)) if free(field, [&above, &below]) => {
                    of_quotient(field, (&above, &below), &at)
                }
                _ => Ok(None),
            }
        }
        (None, None, Some((u, rate))) => {
            let at = field.element(*u);
            let scaled = field.div(a, &field.mul(rate, &at)?)?;
            match quotient(field, &scaled, *u) {
                Some((above, below)) if free(field, [&above, &below]) => {
                    of_quotient(field, (&above, &below), &at)
                }
                _ => Ok(None),
            }
        }
        (None, Some((sine, cosine, rate)), None) => {
            let (s, c) = (field.element(*sine), field.element(*cosine));
            let by_sine = field.div(a, &field.mul(rate, &c)?)?;
            if let Some((above, below)) = quotient(field, &by_sine, *sine)
                && free(field, [&above, &below])
            {
                return of_quotient(field, (&above, &below), &s);
            }
            let by_cosine = field.neg(&field.div(a, &field.mul(rate, &s)?)?);
            let parts = [by_cosine.numerator(), by_cosine.denominator()];
            let mut sides = Vec::new();
            for part in parts {
                let whole = Fraction::from(part.clone());
                let Some(side) = in_cosine(field, &whole, (*sine, *cosine))? else {
                    return Ok(None);
                };
                sides.push(side);
            }
            match free(field, [&sides[0], &sides[1]]) {
                true => of_quotient(field, (&sides[0], &sides[1]), &c),
                false => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// A polynomial in a sine and its cosine by powers of the cosine, if the sine occurs squared only.
fn in_cosine(
    field: &Field,
    a: &Fraction,
    (sine, cosine): (GeneratorId, GeneratorId),
) -> Result<Option<Vec<Fraction>>, Outside> {
    let Some(terms) = field.coefficients(a, &[sine, cosine]) else {
        return Ok(None);
    };
    let (zero, one) = (Fraction::zero(), Fraction::one());
    let square = [one.clone(), zero.clone(), field.neg(&one)];
    let mut sum = Vec::new();
    for (powers, coefficient) in terms {
        let (p, q) = (powers[0], usize::from(powers[1]));
        if p % 2 != 0 || p > DEGREE {
            return Ok(None);
        }
        let mut term = vec![zero.clone(); q];
        term.push(coefficient);
        for _ in 0..p / 2 {
            term = times(field, &term, &square)?;
        }
        sum = plus(field, &sum, &term)?;
    }
    Ok(Some(sum))
}

/// Of a multiple, without x, of the derivative of a root, a logarithm, an arc or a quotient of what occurs.
fn as_multiple(
    field: &mut Field,
    a: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Fraction>, Outside> {
    for candidate in candidates(field, a, symbol)? {
        let slope = field.derivative(&candidate, symbol)?;
        if slope.is_zero() || field.is_zero(&slope)? {
            continue;
        }
        let factor = field.div(a, &slope)?;
        if !holds(field, &factor, symbol) {
            return Ok(Some(field.mul(&factor, &candidate)?));
        }
    }
    Ok(None)
}

fn candidates(field: &mut Field, a: &Fraction, symbol: SymbolId) -> Result<Vec<Fraction>, Outside> {
    let one = Fraction::one();
    let x = field.symbol(symbol)?;
    let x = field.element(x);
    let mut found = Vec::new();
    let mut bases = vec![x.clone()];
    for generator in a.generators() {
        let element = field.element(generator);
        if holds(field, &element, symbol) {
            bases.push(element);
        }
    }
    let below = Fraction::from(a.denominator().clone());
    if holds(field, &below, symbol) {
        bases.push(below.clone());
        // The arc of a square below the bar: α x² + β x + γ.
        let slope = field.derivative(&below, symbol)?;
        let second = field.derivative(&slope, symbol)?;
        if !second.is_zero() && !holds(field, &second, symbol) {
            let four = field.mul(&Fraction::number(2), &field.mul(&second, &below)?)?;
            let discriminant = field.sub(&four, &field.mul(&slope, &slope)?)?;
            let root = match discriminant.is_zero() {
                // A square: its root has no arc.
                true => None,
                false => field.square_root(&discriminant)?,
            };
            if let Some(root) = root {
                let ratio = field.div(&slope, &root)?;
                found.push(field.unary(Unary::Atan, &ratio)?);
            }
        }
    }
    bases.dedup();
    for base in &bases {
        found.push(base.clone());
        found.push(field.div(&one, base)?);
        found.push(field.unary(Unary::Log, base)?);
        if base.len() > SHORT {
            continue;
        }
        let cube = field.powi(base, 3)?;
        let square = field.mul(base, base)?;
        found.extend([
            square.clone(),
            field.div(&one, &square)?,
            cube.clone(),
            field.div(&one, &cube)?,
            field.mul(&x, base)?,
            field.div(&x, base)?,
        ]);
    }
    if let Some((sine, cosine, _)) = parts(field, a, symbol)?.circle {
        let (sine, cosine) = (field.element(sine), field.element(cosine));
        let tangent = field.div(&sine, &cosine)?;
        let cotangent = field.div(&cosine, &sine)?;
        let secant = field.div(&field.add(&one, &sine)?, &cosine)?;
        let half = field.div(&sine, &field.add(&one, &cosine)?)?;
        let more = [
            field.unary(Unary::Log, &secant)?,
            field.unary(Unary::Log, &half)?,
        ];
        found.extend([tangent, cotangent]);
        found.extend(more);
    }
    Ok(found)
}

/// Each term above the bar on its own, over the whole denominator.
fn term_by_term(
    field: &mut Field,
    a: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Fraction>, Outside> {
    let below = Fraction::from(a.denominator().clone());
    let above = Fraction::from(a.numerator().clone());
    let generators = above.generators();
    let moving: Vec<GeneratorId> = generators
        .into_iter()
        .filter(|&it| holds(field, &field.element(it), symbol))
        .collect();
    let Some(terms) = field.coefficients(&above, &moving) else {
        return Ok(None);
    };
    if terms.len() < 2 {
        return Ok(None);
    }
    let mut sum = Vec::new();
    for (powers, coefficient) in terms {
        let mut term = field.div(&coefficient, &below)?;
        for (&generator, &power) in moving.iter().zip(&powers) {
            let part = field.powi(&field.element(generator), i64::from(power))?;
            term = field.mul(&term, &part)?;
        }
        let mut part = of_polynomial(field, &term, symbol)?;
        if part.is_none() {
            part = as_multiple(field, &term, symbol)?;
        }
        match part {
            Some(part) => sum.push(part),
            None => return Ok(None),
        }
    }
    field.sum(&sum).map(Some)
}
