//! Integrals of one form: functions whose differential is a multiple of it.
//!
//! ```text
//! dF = μ ω        needs  d(μ ω) = 0,  so  dω + θ ∧ ω = 0  with  θ = dμ/μ
//! ```
//!
//! θ is looked for among Σ uᵢ dgᵢ/gᵢ + Σ uⱼ dxⱼ with constant u: then μ is a product of powers of what occurs in the form, and of
//! exponentials. That is linear in u, and solved over the field of the parameters.

use crate::antiderivative::{antiderivative, holds};
use dalembert_expr::normal::{Field, Fraction, GeneratorId, GeneratorKind, Outside};
use dalembert_expr::{Cone, ExprId, Graph, Node, SymbolId, Unary, evaluate, substitute};
use std::collections::HashSet;

/// Largest power of a factor.
const POWER: i64 = 12;
/// Factors that are tried at most.
const FACTORS: usize = 24;

/// F with ∂F/∂x = ω for all variables, proved by differentiation.
pub(crate) fn potential(
    field: &mut Field,
    form: &[Fraction],
    variables: &[SymbolId],
) -> Result<Option<Fraction>, Outside> {
    // A long entry gives most of the function, and others then add little.
    let mut order: Vec<usize> = (0..form.len()).filter(|&k| !form[k].is_zero()).collect();
    order.sort_by_key(|&k| std::cmp::Reverse(form[k].len()));
    for reversed in [false, true] {
        if reversed {
            order.reverse();
        }
        if let Some(found) = potential_by(field, form, variables, &order)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn potential_by(
    field: &mut Field,
    form: &[Fraction],
    variables: &[SymbolId],
    order: &[usize],
) -> Result<Option<Fraction>, Outside> {
    let mut sum = Fraction::zero();
    // Variables by which the sum has the slope that it should have; that of those that do not occur is zero.
    let mut right: Vec<bool> = form.iter().map(Fraction::is_zero).collect();
    let mut done: Vec<SymbolId> = Vec::new();
    for &k in order {
        let known = field.derivative(&sum, variables[k])?;
        let left = field.sub(&form[k], &known)?;
        right[k] = left.is_zero() || field.is_zero(&left)?;
        if !right[k] {
            if done.iter().any(|&it| holds(field, &left, it)) {
                return Ok(None);
            }
            let Some(part) = antiderivative(field, &left, variables[k])? else {
                return Ok(None);
            };
            for (place, &variable) in variables.iter().enumerate() {
                right[place] &= !holds(field, &part, variable);
            }
            let slope = field.derivative(&part, variables[k])?;
            right[k] = field.is_equal(&slope, &left)?;
            if !right[k] {
                return Ok(None);
            }
            sum = field.add(&sum, &part)?;
        }
        done.push(variables[k]);
    }
    for (place, &variable) in variables.iter().enumerate() {
        if !right[place] {
            let slope = field.derivative(&sum, variable)?;
            if !field.is_equal(&slope, &form[place])? {
                return Ok(None);
            }
        }
    }
    Ok(Some(sum))
}

/// An integral that has a value where some numbers are: log(−u) has the differential of log(u), and is the one of both that counts where u is
/// negative.
pub(crate) fn with_value(
    graph: &mut Graph,
    integral: ExprId,
    at: impl Fn(SymbolId) -> f64,
) -> ExprId {
    let nodes = Cone::new(graph, &[integral]).nodes().to_vec();
    let mut turned = Vec::new();
    for id in nodes {
        let Node::Unary(Unary::Log, u) = graph.node(id) else {
            continue;
        };
        if evaluate(graph, &[u], &at)[0] < 0.0 {
            let opposite = graph.neg(u);
            turned.push((id, graph.unary(Unary::Log, opposite)));
        }
    }
    match turned.is_empty() {
        true => integral,
        false => substitute(graph, &[integral], &turned)[0],
    }
}

/// F with dF = μ ω for some μ.
pub(crate) fn integral(
    field: &mut Field,
    form: &[Fraction],
    variables: &[SymbolId],
) -> Result<Option<Fraction>, Outside> {
    match integral_of(field, form, variables)? {
        Some(found) => product_of_logarithms(field, &found).map(Some),
        None => Ok(None),
    }
}

/// exp(F), scaled, where F is a sum of logarithms times numbers: x/y has values of both signs, log(x) − log(y) has not.
fn product_of_logarithms(field: &mut Field, sum: &Fraction) -> Result<Fraction, Outside> {
    let logarithm = |field: &Field, it: GeneratorId| match field.kind(it) {
        GeneratorKind::Function(Unary::Log, of) => Some(of.clone()),
        _ => None,
    };
    let generators = Fraction::from(sum.numerator().clone()).generators();
    let logarithms: Vec<GeneratorId> = generators
        .into_iter()
        .filter(|&it| logarithm(field, it).is_some())
        .collect();
    let Some(terms) = field.coefficients(sum, &logarithms) else {
        return Ok(sum.clone());
    };
    let mut product = Fraction::one();
    // By the first, then by what makes all of them integers.
    for scale in 1..=POWER {
        let mut powers = Vec::with_capacity(terms.len());
        for (exponents, coefficient) in &terms {
            let single = exponents.iter().sum::<u16>() == 1;
            let ratio = field.div(coefficient, &terms[0].1)?;
            let power = field.mul(&ratio, &Fraction::number(scale))?;
            let power = power.as_number().and_then(|it| it.as_integer());
            let place = exponents.iter().position(|&n| n == 1);
            powers.extend(place.zip(power.filter(|n| single && n.abs() <= POWER)));
        }
        if powers.len() == terms.len() {
            for (place, power) in powers {
                let Some(of) = logarithm(field, logarithms[place]) else {
                    return Ok(sum.clone());
                };
                let part = field.powi(&of, power)?;
                product = field.mul(&product, &part)?;
            }
            return Ok(product);
        }
    }
    Ok(sum.clone())
}

fn integral_of(
    field: &mut Field,
    form: &[Fraction],
    variables: &[SymbolId],
) -> Result<Option<Fraction>, Outside> {
    if form.iter().all(Fraction::is_zero) {
        return Ok(None);
    }
    if let Some(found) = potential(field, form, variables)? {
        return Ok(Some(found));
    }
    // As one of its entries is 1: whatever it was multiplied by is gone.
    let mut pivots: Vec<usize> = (0..form.len()).filter(|&k| !form[k].is_zero()).collect();
    pivots.sort_by_key(|&k| form[k].len());
    pivots.truncate(3);
    for pivot in pivots {
        let scaled: Result<Vec<Fraction>, Outside> =
            form.iter().map(|it| field.div(it, &form[pivot])).collect();
        let scaled = scaled?;
        if let Some(found) = potential(field, &scaled, variables)? {
            return Ok(Some(found));
        }
        let Some(factor) = integrating_factor(field, &scaled, variables, pivot)? else {
            continue;
        };
        let whole: Result<Vec<Fraction>, Outside> =
            scaled.iter().map(|it| field.mul(it, &factor)).collect();
        if let Some(found) = potential(field, &whole?, variables)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// μ with d(μ ω) = 0, where the entry of the pivot is 1: then the pairs with it are enough, if ω is integrable at all.
fn integrating_factor(
    field: &mut Field,
    form: &[Fraction],
    variables: &[SymbolId],
    pivot: usize,
) -> Result<Option<Fraction>, Outside> {
    let occurs = |field: &Field, symbol: SymbolId| form.iter().any(|it| holds(field, it, symbol));
    let mut factors: Vec<Fraction> = Vec::new();
    let mut add = |it: Fraction| {
        if it.as_number().is_none() && !factors.contains(&it) && factors.len() < FACTORS {
            factors.push(it);
        }
    };
    for (k, part) in form.iter().enumerate() {
        if k != pivot && part.is_zero() {
            continue;
        }
        for generator in part.generators() {
            add(field.element(generator));
        }
        let variable = field.symbol(variables[k])?;
        if occurs(field, variables[k]) {
            add(field.element(variable));
        }
    }
    for part in form {
        for polynomial in [part.numerator(), part.denominator()] {
            let whole = Fraction::from(polynomial.clone());
            if polynomial.len() > 1 {
                add(whole);
            }
        }
    }
    // θ by factor, and dx for exponentials.
    let mut logarithms: Vec<Option<Fraction>> = Vec::new();
    let mut slopes: Vec<Vec<Fraction>> = Vec::new();
    for factor in factors {
        let mut row = Vec::with_capacity(form.len());
        for &variable in variables {
            let slope = field.derivative(&factor, variable)?;
            row.push(field.div(&slope, &factor)?);
        }
        if row.iter().any(|it| !it.is_zero()) {
            logarithms.push(Some(factor));
            slopes.push(row);
        }
    }
    let mut of_variables = Vec::new();
    for (k, part) in form.iter().enumerate() {
        if k == pivot || !part.is_zero() {
            let mut row = vec![Fraction::zero(); form.len()];
            row[k] = Fraction::one();
            logarithms.push(None);
            slopes.push(row);
            of_variables.push(k);
        }
    }
    // For each other k:  Σ u (θ_p A_k − θ_k) = −(∂_p A_k − ∂_k A_p),  with A_p = 1.
    let mut equations: Vec<Vec<Fraction>> = Vec::new();
    for k in (0..form.len()).filter(|&k| k != pivot) {
        let mut equation = Vec::with_capacity(slopes.len() + 1);
        for row in &slopes {
            let part = field.mul(&row[pivot], &form[k])?;
            equation.push(field.sub(&part, &row[k])?);
        }
        let slope = field.derivative(&form[k], variables[pivot])?;
        equation.push(field.neg(&slope));
        equations.push(equation);
    }
    let Some(found) = constants(field, &equations, variables)? else {
        return Ok(None);
    };
    let mut product = Fraction::one();
    let mut exponent = Fraction::zero();
    let mut of_variables = of_variables.into_iter();
    for (factor, u) in logarithms.into_iter().zip(found) {
        match factor {
            Some(factor) => {
                let Some(part) = power(field, &factor, &u)? else {
                    return Ok(None);
                };
                product = field.mul(&product, &part)?;
            }
            None => {
                let k = of_variables.next().unwrap_or_default();
                let x = field.symbol(variables[k])?;
                let part = field.mul(&u, &field.element(x))?;
                exponent = field.add(&exponent, &part)?;
            }
        }
    }
    if !exponent.is_zero() {
        let exponential = field.unary(Unary::Exp, &exponent)?;
        product = field.mul(&product, &exponential)?;
    }
    Ok(Some(product))
}

/// A power that is an integer, or half of one.
fn power(
    field: &mut Field,
    base: &Fraction,
    exponent: &Fraction,
) -> Result<Option<Fraction>, Outside> {
    let twice = field.mul(exponent, &Fraction::number(2))?;
    let Some(twice) = twice.as_number().and_then(|it| it.as_integer()) else {
        return Ok(None);
    };
    if twice.abs() > 2 * POWER {
        return Ok(None);
    }
    match twice % 2 == 0 {
        true => field.powi(base, twice / 2).map(Some),
        false => {
            let root = field.unary(Unary::Sqrt, base)?;
            field.powi(&root, twice).map(Some)
        }
    }
}

/// Numbers u, in terms of the parameters alone, that meet equations [a | b] of the field wherever the variables are: those that may be
/// chosen are zero. `None` if there are none.
fn constants(
    field: &Field,
    equations: &[Vec<Fraction>],
    variables: &[SymbolId],
) -> Result<Option<Vec<Fraction>>, Outside> {
    let Some(columns) = equations.first().map(|it| it.len() - 1) else {
        return Ok(None);
    };
    let rows = split(field, equations, variables)?;
    let echelon = field.echelon(&rows, columns, &[])?;
    for row in &echelon.rows[echelon.pivots.len()..] {
        if !field.is_zero(&row[columns])? {
            return Ok(None);
        }
    }
    let mut found = vec![Fraction::zero(); columns];
    for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
        found[pivot] = row[columns].clone();
    }
    Ok(Some(found))
}

/// Equations that hold for all values of the variables, as equations for each product of powers of what depends on these.
pub(crate) fn split(
    field: &Field,
    equations: &[Vec<Fraction>],
    variables: &[SymbolId],
) -> Result<Vec<Vec<Fraction>>, Outside> {
    let mut rows: Vec<Vec<Fraction>> = Vec::new();
    let mut known: HashSet<Vec<Fraction>> = HashSet::new();
    for equation in equations {
        let mut scale = Fraction::one();
        for entry in equation {
            let below = field.mul(entry, &scale)?.denominator().clone();
            scale = field.mul(&scale, &Fraction::from(below))?;
        }
        let cleared: Result<Vec<Fraction>, Outside> =
            equation.iter().map(|it| field.mul(it, &scale)).collect();
        let cleared = cleared?;
        let mut moving: Vec<GeneratorId> = cleared.iter().flat_map(Fraction::generators).collect();
        moving.sort_unstable();
        moving.dedup();
        moving.retain(|&it| field.holds(&field.element(it), |s| variables.contains(&s)));
        let mut by_powers: std::collections::BTreeMap<Vec<u16>, Vec<Fraction>> =
            std::collections::BTreeMap::new();
        for (place, entry) in cleared.iter().enumerate() {
            let Some(terms) = field.coefficients(entry, &moving) else {
                return Err(Outside::TooLarge);
            };
            for (powers, coefficient) in terms {
                let row = by_powers
                    .entry(powers)
                    .or_insert_with(|| vec![Fraction::zero(); cleared.len()]);
                row[place] = coefficient;
            }
        }
        for mut row in by_powers.into_values() {
            // Multiples by numbers say the same.
            let first = row.iter().find(|it| !it.is_zero());
            if let Some(first) = first.filter(|it| it.as_number().is_some()).cloned() {
                for entry in row.iter_mut().filter(|it| !it.is_zero()) {
                    *entry = field.div(entry, &first)?;
                }
            }
            if known.insert(row.clone()) {
                rows.push(row);
            }
        }
    }
    Ok(rows)
}
