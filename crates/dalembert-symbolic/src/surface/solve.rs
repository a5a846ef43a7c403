//! One row solved for one symbol.

use super::{Given, Relation, Surface, Witnesses};
use dalembert_expr::normal::{Field, Fraction, GeneratorKind, Outside};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind, Unary, substitute};
use dalembert_mechanics::lower::System;

/// Symbols that a row may be solved for.
pub(super) struct Candidates(Vec<SymbolId>);

impl Candidates {
    /// Coordinates and parameters.
    pub(super) fn of_positions(system: &System, surface: &Surface) -> Self {
        Self::free(surface, &system.symbols.coordinates, system)
    }

    /// Rates and parameters.
    pub(super) fn of_rates(system: &System, surface: &Surface) -> Self {
        Self::free(surface, &system.symbols.rates, system)
    }

    fn free(surface: &Surface, moving: &[SymbolId], system: &System) -> Self {
        let all = moving.iter().chain(&system.symbols.parameters);
        let free = all.filter(|&&symbol| !surface.is_given(symbol));
        Self(free.copied().collect())
    }
}

/// What a row says.
pub(super) enum Solution {
    /// Nothing that the others do not say.
    Holds,
    /// What a symbol is, and what else the row vanishes with.
    Given(Given, Vec<ExprId>),
    /// What a power of a symbol is.
    Relation(Relation),
    /// Nothing that can be used.
    None,
}

/// Solves residual = 0 for the candidate that makes it simplest, on the branch of the start if there is one to be met.
pub(super) fn solve(
    graph: &mut Graph,
    field: &mut Field,
    residual: ExprId,
    (candidates, witnesses): (&Candidates, Option<&Witnesses<'_>>),
) -> Result<Solution, Outside> {
    let whole = field.take(graph, residual)?;
    if field.is_zero(&whole)? {
        return Ok(Solution::Holds);
    }
    let present = Cone::new(graph, &[residual]).symbols(graph);
    let present: Vec<SymbolId> = candidates
        .0
        .iter()
        .copied()
        .filter(|symbol| present.contains(symbol))
        .collect();
    let mut choices: Vec<(usize, SymbolId, Fraction)> = Vec::new();
    for (symbol, slope) in slopes(field, &whole, &present)? {
        if !field.holds(&slope, |held| held == symbol) {
            choices.push((cost(graph, field, &slope, symbol), symbol, slope));
        }
    }
    // Of equals the last: authors write what they keep first.
    choices.reverse();
    choices.sort_by_key(|(cost, ..)| *cost);
    let is_parameter =
        |graph: &Graph, symbol| graph.symbol_data(symbol).kind == SymbolKind::Parameter;
    let mut by_parameter = None;
    for (_, symbol, slope) in choices {
        let Some(root) = root(field, &whole, symbol, &slope)? else {
            continue;
        };
        let value = field.to_graph(graph, &root);
        if witnesses.is_none_or(|it| it.begin_with(graph, symbol, value)) {
            let other = factor(graph, field, &slope, &root)?;
            let others = other.into_iter().collect();
            let found = Solution::Given(Given { symbol, value }, others);
            if !is_parameter(graph, symbol) {
                return Ok(found);
            }
            by_parameter = Some(found);
            break;
        }
    }
    if let Some(witnesses) = witnesses {
        let moving = present.iter().copied();
        let moving: Vec<SymbolId> = moving.filter(|&it| !is_parameter(graph, it)).collect();
        if let Some(found) = by_square(graph, field, &whole, (&moving, witnesses))? {
            return Ok(found);
        }
        if let Some(Signed { own, other, size }) =
            without_magnitude(graph, field, &whole, witnesses)?
            && let Solution::Given(given, mut others) =
                solve(graph, field, own, (candidates, Some(witnesses)))?
            && keeps_away(graph, field, size, given)?
        {
            others.push(other);
            return Ok(Solution::Given(given, others));
        }
    }
    if let Some(found) = by_parameter {
        return Ok(found);
    }
    for symbol in present {
        if let Some(relation) = relation(graph, field, &whole, symbol)? {
            return Ok(Solution::Relation(relation));
        }
    }
    Ok(Solution::None)
}

/// The root of a x² + b x + c that the start is on, where b² − 4 a c is a square: x² = y² is x = y or x = −y.
fn by_square(
    graph: &mut Graph,
    field: &mut Field,
    whole: &Fraction,
    (symbols, witnesses): (&[SymbolId], &Witnesses<'_>),
) -> Result<Option<Solution>, Outside> {
    let numerator = Fraction::from(whole.numerator().clone());
    for &symbol in symbols.iter().rev() {
        let generator = field.symbol(symbol)?;
        let Some(powers) = field.coefficients(&numerator, &[generator]) else {
            continue;
        };
        let mut parts = [Fraction::zero(), Fraction::zero(), Fraction::zero()];
        let held = |part: &Fraction| field.holds(part, |held| held == symbol);
        if powers
            .iter()
            .any(|(power, part)| power[0] > 2 || held(part))
        {
            continue;
        }
        for (power, part) in powers {
            parts[usize::from(power[0])] = part;
        }
        let [c, b, a] = parts;
        if a.is_zero() {
            continue;
        }
        let product = field.mul(&a, &c)?;
        let product = field.mul(&Fraction::number(4), &product)?;
        let square = field.sub(&field.mul(&b, &b)?, &product)?;
        let Some(root) = field.square_root(&square)? else {
            continue;
        };
        let below = field.mul(&Fraction::number(2), &a)?;
        let x = field.element(generator);
        let mut residuals = Vec::new();
        let mut values = Vec::new();
        for sum in [field.sub(&root, &b)?, field.neg(&field.add(&root, &b)?)] {
            let value = field.div(&sum, &below)?;
            let residual = field.sub(&x, &value)?;
            residuals.push(field.to_graph(graph, &residual));
            values.push(field.to_graph(graph, &value));
        }
        if let Some(own) = witnesses.vanishing(graph, [residuals[0], residuals[1]]) {
            let value = values[own];
            let other = vec![residuals[1 - own]];
            return Ok(Some(Solution::Given(Given { symbol, value }, other)));
        }
    }
    Ok(None)
}

/// |g| = c, on the side of the start.
struct Signed {
    /// g − c or g + c.
    own: ExprId,
    /// The other of them.
    other: ExprId,
    /// c.
    size: ExprId,
}

/// |g| = c as g = c or g = −c, whichever the start is on, and the other; `None` if no magnitude stands alone.
fn without_magnitude(
    graph: &mut Graph,
    field: &Field,
    whole: &Fraction,
    witnesses: &Witnesses<'_>,
) -> Result<Option<Signed>, Outside> {
    let numerator = Fraction::from(whole.numerator().clone());
    for generator in numerator.generators() {
        let GeneratorKind::Function(Unary::Abs, inside) = field.kind(generator) else {
            continue;
        };
        let Some(powers) = field.coefficients(&numerator, &[generator]) else {
            continue;
        };
        let part = |wanted: u16| {
            let part = powers.iter().find(|(power, _)| power[0] == wanted);
            part.map_or_else(Fraction::zero, |(_, part)| part.clone())
        };
        if powers.iter().any(|(power, _)| power[0] > 1) {
            continue;
        }
        let size = field.neg(&field.div(&part(0), &part(1))?);
        let sides = [field.sub(inside, &size)?, field.add(inside, &size)?];
        let sides = sides.map(|side| field.to_graph(graph, &side));
        if let Some(own) = witnesses.vanishing(graph, sides) {
            return Ok(Some(Signed {
                own: sides[own],
                other: sides[1 - own],
                size: field.to_graph(graph, &size),
            }));
        }
    }
    Ok(None)
}

/// Whether the size of a magnitude keeps away from zero on a branch: it stays what it is at the start, or has one sign. Where
/// it passes through zero, as |y| does, the motion comes to the other sign.
fn keeps_away(
    graph: &mut Graph,
    field: &mut Field,
    size: ExprId,
    Given { symbol, value }: Given,
) -> Result<bool, Outside> {
    let symbol = graph.symbol_node(symbol);
    let size = substitute(graph, &[size], &[(symbol, value)])[0];
    let size = field.take(graph, size)?;
    let changes = |symbol| graph.symbol_data(symbol).kind != SymbolKind::Parameter;
    Ok(!field.holds(&size, changes) || cannot_vanish(field, &size))
}

/// A slope times (x − root) vanishes where the slope does too, if the root is defined there: another branch.
pub(super) fn factor(
    graph: &mut Graph,
    field: &Field,
    slope: &Fraction,
    root: &Fraction,
) -> Result<Option<ExprId>, Outside> {
    let below = Fraction::from(root.denominator().clone());
    let rest = field.div(slope, &below)?;
    let rest = Fraction::from(rest.numerator().clone());
    let moves = field.holds(&rest, |symbol| is_moving(graph, symbol));
    let vanishes = moves && !cannot_vanish(field, &rest);
    Ok(vanishes.then(|| field.to_graph(graph, &rest)))
}

fn is_moving(graph: &Graph, symbol: SymbolId) -> bool {
    graph.symbol_data(symbol).kind == SymbolKind::Coordinate
}

/// Whether the numerator of an element has one sign whatever its symbols are worth.
pub(super) fn cannot_vanish(field: &Field, element: &Fraction) -> bool {
    let sign = field.is_negative_everywhere(element.numerator(), &|_| None);
    sign.is_some()
}

/// The derivatives of a residual by those of some symbols that it depends on.
pub fn slopes(
    field: &mut Field,
    residual: &Fraction,
    symbols: &[SymbolId],
) -> Result<Vec<(SymbolId, Fraction)>, Outside> {
    let mut found = Vec::new();
    for &symbol in symbols {
        let slope = field.derivative(residual, symbol)?;
        if !field.is_zero(&slope)? {
            found.push((symbol, slope));
        }
    }
    Ok(found)
}

/// Where a residual vanishes that is linear in a symbol, with a slope that does not hold it; `None` if it is not linear:
/// a function that jumps has the slope zero and holds the symbol.
pub fn root(
    field: &mut Field,
    residual: &Fraction,
    symbol: SymbolId,
    slope: &Fraction,
) -> Result<Option<Fraction>, Outside> {
    let generator = field.symbol(symbol)?;
    let part = field.mul(slope, &field.element(generator))?;
    let rest = field.sub(residual, &part)?;
    if field.holds(&rest, |held| held == symbol) {
        return Ok(None);
    }
    Ok(Some(field.neg(&field.div(&rest, slope)?)))
}

/// How much harder expressions become: numbers are easy to divide by, what moves is not; and a coordinate is what
/// people solve for.
fn cost(graph: &mut Graph, field: &Field, slope: &Fraction, symbol: SymbolId) -> usize {
    let parameter = graph.symbol_data(symbol).kind == SymbolKind::Parameter;
    let written = field.to_graph(graph, slope);
    let symbols = Cone::new(graph, &[written]).symbols(graph);
    let moving = symbols
        .iter()
        .any(|&symbol| graph.symbol_data(symbol).kind != SymbolKind::Parameter);
    let divisor = match slope.as_number() {
        Some(_) => 0,
        None if moving => 100 + slope.len(),
        None => 1 + slope.len(),
    };
    divisor + if parameter { 20 } else { 0 }
}

/// c x^k + rest = 0 with a number c and a rest without x.
fn relation(
    graph: &mut Graph,
    field: &mut Field,
    whole: &Fraction,
    symbol: SymbolId,
) -> Result<Option<Relation>, Outside> {
    let generator = field.symbol(symbol)?;
    let numerator = Fraction::from(whole.numerator().clone());
    let Some(powers) = field.coefficients(&numerator, &[generator]) else {
        return Ok(None);
    };
    let mut highest: Option<(u16, Fraction)> = None;
    let mut rest = Fraction::zero();
    for (exponents, coefficient) in powers {
        match exponents[0] {
            0 => rest = coefficient,
            power if highest.is_none() => highest = Some((power, coefficient)),
            _ => return Ok(None),
        }
    }
    let Some((power, coefficient)) = highest else {
        return Ok(None);
    };
    if coefficient.as_number().is_none() || field.holds(&rest, |held| held == symbol) {
        return Ok(None);
    }
    let value = field.neg(&field.div(&rest, &coefficient)?);
    if value.as_polynomial().is_none() {
        return Ok(None);
    }
    let value = field.to_graph(graph, &value);
    Ok(Some(Relation {
        symbol,
        power,
        value,
    }))
}
