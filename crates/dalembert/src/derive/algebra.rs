//! Arithmetic in the field of the normal form, over the symbols of one graph.

use super::page::Equation;
use super::samples::Samples;
use dalembert_expr::normal::{Field, Fraction, GeneratorId, GeneratorKind, Limits, Outside, Style};
use dalembert_expr::print::is_decimal;
use dalembert_expr::{ExprId, Graph, Rational, SymbolId, SymbolKind, substitute};
use dalembert_symbolic::elimination::Judge;
use dalembert_symbolic::matrix::Matrix;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Integers from here on are written as decimals of less.
const LARGE: f64 = 1e5;
/// Places after the point of decimals that are still read as such.
const MOST_PLACES: u32 = 12;

/// Several of them.
pub(super) type Vector = Vec<Fraction>;

/// A graph and the field over its symbols.
pub(super) struct Algebra<'m> {
    pub(super) graph: Graph,
    pub(super) field: Field,
    /// What forms are collected by, after the unknowns.
    rates: Vec<SymbolId>,
    /// Names of ours that stand for what moves.
    moving: Vec<SymbolId>,
    /// The system in numbers, if it has a start.
    pub(super) samples: Option<Samples<'m>>,
}

impl Judge for Algebra<'_> {
    fn field(&self) -> &Field {
        &self.field
    }

    /// What moves is harder than what does not.
    fn complexity(&self, element: &Fraction) -> u64 {
        const MOVING: u64 = 1 << 32;
        if element.as_number().is_some_and(|n| n.abs().is_one()) {
            return 0;
        }
        let size = (element.len() as u64).min(MOVING - 1);
        let sines = element.generators().into_iter();
        let sines = sines.filter(|&g| matches!(self.field.kind(g), GeneratorKind::Sin(_)));
        match self.moves(element) {
            false => size,
            // Of a sine and a cosine, the cosine: most angles start near zero.
            true => 2 * size + u64::from(sines.count() > 0) + MOVING,
        }
    }

    /// By arithmetic, or as far as thirty digits tell.
    fn vanishes(&self, element: &Fraction) -> bool {
        self.is_zero_by(element, |it| it.vanishes(&self.field, element))
    }

    fn vanishes_at_start(&self, element: &Fraction) -> bool {
        self.is_zero_by(element, |it| it.vanishes_at_start(&self.field, element))
    }
}

/// The greatest common divisor of numbers that are not negative.
fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Algebra<'_> {
    pub(super) fn new(graph: Graph, rates: Vec<SymbolId>) -> Self {
        let mut field = Field::new();
        field.let_signs_be_units();
        Self {
            graph,
            field,
            rates,
            moving: Vec::new(),
            samples: None,
        }
    }

    /// Lets a name count as moving.
    pub(super) fn moves_with(&mut self, name: SymbolId) {
        self.moving.push(name);
    }

    /// Allows so much work from now on, in products of terms.
    pub(super) fn allow(&mut self, steps: u64) {
        self.field.set_limits(Limits {
            steps,
            ..Limits::default()
        });
    }

    /// Normal forms of expressions. Those that go together are best taken together: they then share a basis of angles.
    pub(super) fn take(&mut self, expressions: &[ExprId]) -> Result<Vector, Outside> {
        let taken = self.field.take_all(&self.graph, expressions);
        taken.into_iter().collect()
    }

    /// Elements as expressions, term by term.
    pub(super) fn expressions(&mut self, elements: &[Fraction]) -> Vec<ExprId> {
        let each = elements.iter();
        each.map(|element| self.field.to_graph(&mut self.graph, element))
            .collect()
    }

    /// Elements with others put in for symbols, all at once, inside functions too.
    pub(super) fn put_in(
        &mut self,
        elements: &[Fraction],
        replacements: &[(SymbolId, Fraction)],
    ) -> Result<Vector, Outside> {
        let inside = |element: &Fraction| {
            let outer = element.generators().into_iter();
            let mut functions = outer
                .filter(|&g| !matches!(self.field.kind(g), GeneratorKind::Symbol(_)))
                .map(|g| self.field.element(g));
            functions.any(|function| {
                self.holds(&function, |symbol| {
                    replacements.iter().any(|(from, _)| *from == symbol)
                })
            })
        };
        let inside: Vec<bool> = elements.iter().map(inside).collect();
        let mut images = Vec::new();
        for (symbol, image) in replacements {
            images.push((self.field.symbol(*symbol)?, image.clone()));
        }
        let mut result = elements.to_vec();
        for (element, _) in result
            .iter_mut()
            .zip(&inside)
            .filter(|(_, inside)| !**inside)
        {
            *element = self.field.substitute(element, &images)?;
        }
        if inside.contains(&true) {
            // By way of the graph: the arguments of functions change.
            let (from, to): (Vec<SymbolId>, Vec<Fraction>) = replacements.iter().cloned().unzip();
            let to = self.expressions(&to);
            let from = from.iter().map(|&symbol| self.graph.symbol_node(symbol));
            let pairs: Vec<(ExprId, ExprId)> = from.zip(to).collect();
            let places: Vec<usize> = (0..elements.len()).filter(|&k| inside[k]).collect();
            let old: Vec<Fraction> = places.iter().map(|&k| elements[k].clone()).collect();
            let old = self.expressions(&old);
            let new = substitute(&mut self.graph, &old, &pairs);
            for (place, new) in places.into_iter().zip(self.take(&new)?) {
                result[place] = new;
            }
        }
        Ok(result)
    }

    /// An element once more, relations that were declared since considered.
    pub(super) fn renewed(&self, element: &Fraction) -> Result<Fraction, Outside> {
        let (numerator, denominator) = (element.numerator().clone(), element.denominator().clone());
        self.field.fraction(numerator, denominator)
    }

    /// Declares that a polynomial vanishes, if it is a square of one of `symbols` times a number, plus terms without
    /// that symbol: x² + y² − l² makes y² stand for l² − x² from now on.
    pub(super) fn declare_zero(&mut self, element: &Fraction, symbols: &[SymbolId]) -> bool {
        for &symbol in symbols.iter().rev() {
            let Some(generator) = self.field.find(symbol) else {
                continue;
            };
            let Some(parts) = self.field.coefficients(element, &[generator]) else {
                continue;
            };
            let part = |power: u16| {
                let mut parts = parts.iter();
                parts
                    .find(|(exponents, _)| exponents[..] == [power])
                    .map(|(_, part)| part)
            };
            let (Some(square), Some(rest)) = (part(2), part(0)) else {
                continue;
            };
            if parts.len() != 2 || square.as_number().is_none() {
                continue;
            }
            let image = self.field.div(&self.field.neg(rest), square).ok();
            let image = image.as_ref().and_then(Fraction::as_polynomial);
            let declared = image.map(|image| self.field.declare(generator, 2, &image.clone()));
            if declared.is_some_and(|declared| declared.is_ok()) {
                return true;
            }
        }
        false
    }

    /// The greatest common factor of a and b, which are polynomials.
    pub(super) fn common_factor(&self, a: &Fraction, b: &Fraction) -> Result<Fraction, Outside> {
        match (a.is_zero(), b.is_zero()) {
            (true, _) => Ok(b.clone()),
            (_, true) => Ok(a.clone()),
            _ => {
                let ratio = self.field.div(a, b)?;
                let rest = Fraction::from(ratio.denominator().clone());
                self.field.div(b, &rest)
            }
        }
    }

    /// What makes all elements polynomials without common factor when they are multiplied by it.
    pub(super) fn clearing(&self, elements: &[Fraction]) -> Result<Fraction, Outside> {
        let mut common = Fraction::one();
        for element in elements {
            let denominator = Fraction::from(element.denominator().clone());
            let ratio = self.field.div(&denominator, &common)?;
            common = self
                .field
                .mul(&common, &Fraction::from(ratio.numerator().clone()))?;
        }
        let mut parts = self.each(elements, |field, element| field.mul(element, &common))?;
        parts.retain(|part| !part.is_zero());
        let mut factor = Fraction::zero();
        for part in &parts {
            factor = self.common_factor(&factor, part)?;
        }
        if factor.is_zero() {
            return Ok(common);
        }
        if let Some(content) = self.content(&factor)? {
            // Numbers stay what they are until it is known how they are written best.
            factor = self.field.div(&factor, &Fraction::number(content))?;
        }
        parts = self.each(&parts, |field, part| field.div(part, &factor))?;
        factor = self.field.mul(&factor, &self.common_circle(&mut parts)?)?;
        factor = self.field.mul(&factor, &self.common_number(&parts)?)?;
        self.field.div(&common, &factor)
    }

    /// Sines and cosines that all parts can be divided by: cos² is 1 − sin² in the field, so that common factors do
    /// not show. The parts are divided by them.
    fn common_circle(&self, parts: &mut Vector) -> Result<Fraction, Outside> {
        let mut common = Fraction::one();
        let mut generators: Vec<GeneratorId> =
            parts.iter().flat_map(Fraction::generators).collect();
        generators.sort_unstable();
        generators.dedup();
        generators.retain(|&g| {
            matches!(
                self.field.kind(g),
                GeneratorKind::Sin(_) | GeneratorKind::Cos(_)
            )
        });
        for g in generators {
            let divisor = self.field.element(g);
            while parts.iter().all(|part| self.moves(part)) {
                let divided = self.each(parts, |field, part| field.div(part, &divisor))?;
                if divided.iter().any(|part| part.as_polynomial().is_none()) {
                    break;
                }
                *parts = divided;
                common = self.field.mul(&common, &divisor)?;
            }
        }
        Ok(common)
    }

    /// The number that makes all coefficients of polynomials integers without common factor when they are divided by it; where
    /// these are large, they become decimals of which the largest has one digit before the point. Decimals, which come
    /// from numbers that the user wrote as such, stay decimals.
    fn common_number(&self, parts: &[Fraction]) -> Result<Fraction, Outside> {
        let numbers: Vec<Vec<Rational>> = parts.iter().map(|it| self.numbers(it)).collect();
        if numbers.iter().flatten().any(is_decimal) {
            return Ok(Fraction::number(as_decimals(&numbers)));
        }
        let (mut above, mut below) = (0_i64, 1_i64);
        for part in parts {
            let content = self.content(part)?;
            let Some((n, d)) = content.and_then(|it| it.as_small()) else {
                return Ok(Fraction::one());
            };
            let Some(common) = below.checked_mul(d / gcd(below, d)) else {
                return Ok(Fraction::one());
            };
            (above, below) = (gcd(above, n), common);
        }
        let sizes = numbers.iter().flatten().map(|it| it.abs().to_f64());
        let largest = sizes.fold(0.0, f64::max) * below as f64 / above.max(1) as f64;
        let mut above = above.max(1);
        if largest >= LARGE {
            let power = 10_i64.checked_pow(largest.log10().floor() as u32);
            let scaled = power.and_then(|power| above.checked_mul(power));
            above = scaled.unwrap_or(above);
        }
        let number = Rational::new(above, below);
        Ok(number.map_or_else(Fraction::one, Fraction::number))
    }

    /// The number that leaves a polynomial integers without common factor when it is divided by it.
    fn content(&self, part: &Fraction) -> Result<Option<Rational>, Outside> {
        // 1/p has a denominator whose coefficients are such integers.
        let inverse = self.field.div(&Fraction::one(), part)?;
        let number = inverse.numerator().as_constant();
        Ok(number.and_then(|it| it.abs().reciprocal()))
    }

    /// The coefficients of a polynomial.
    fn numbers(&self, part: &Fraction) -> Vec<Rational> {
        let terms = self.field.coefficients(part, &part.generators());
        let numbers = terms.into_iter().flatten();
        let numbers = numbers.filter_map(|(_, number)| number.as_number());
        numbers.collect()
    }

    /// The columns of a matrix, each freed of common denominators and factors.
    pub(super) fn cleaned(&self, matrix: &Matrix) -> Result<Matrix, Outside> {
        let mut columns = matrix.transposed();
        for column in 0..columns.rows() {
            let mut entries = columns.row(column).clone();
            let factor = self.clearing(&entries.values().cloned().collect::<Vector>())?;
            for entry in entries.values_mut() {
                *entry = self.field.mul(entry, &factor)?;
            }
            columns.set_row(column, entries);
        }
        Ok(columns.transposed())
    }

    /// A symbol as an element.
    pub(super) fn symbol(&mut self, symbol: SymbolId) -> Result<Fraction, Outside> {
        let generator = self.field.symbol(symbol)?;
        Ok(self.field.element(generator))
    }

    /// Symbols as elements.
    pub(super) fn symbols(&mut self, symbols: &[SymbolId]) -> Result<Vector, Outside> {
        symbols.iter().map(|&symbol| self.symbol(symbol)).collect()
    }

    /// a + b, entry by entry.
    pub(super) fn add(&self, a: &[Fraction], b: &[Fraction]) -> Result<Vector, Outside> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| self.field.add(a, b)).collect()
    }

    /// a − b, entry by entry.
    pub(super) fn sub(&self, a: &[Fraction], b: &[Fraction]) -> Result<Vector, Outside> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| self.field.sub(a, b)).collect()
    }

    /// −a, entry by entry.
    pub(super) fn neg(&self, a: &[Fraction]) -> Vector {
        a.iter().map(|a| self.field.neg(a)).collect()
    }

    /// One operation on all entries.
    pub(super) fn each(
        &self,
        entries: &[Fraction],
        operation: impl Fn(&Field, &Fraction) -> Result<Fraction, Outside>,
    ) -> Result<Vector, Outside> {
        let each = entries.iter();
        each.map(|entry| operation(&self.field, entry)).collect()
    }

    /// The expressions that a person would write, collected by accelerations and multipliers, then by rates.
    pub(super) fn readable(&mut self, elements: &[Fraction], unknowns: &[SymbolId]) -> Vec<ExprId> {
        let rates = self.rates.clone();
        let style = Style {
            collect: vec![unknowns.to_vec(), rates],
        };
        self.field.present(&mut self.graph, elements, &style)
    }

    /// Whether an element is zero: a number as it is, another as numbers tell.
    fn is_zero_by(&self, element: &Fraction, told: impl Fn(&Samples<'_>) -> bool) -> bool {
        if element.is_zero() || element.as_number().is_some() {
            return element.is_zero();
        }
        self.samples.as_ref().is_some_and(told)
    }

    /// symbol = value, with values as a person would write them.
    pub(super) fn definitions(
        &mut self,
        pairs: Vec<(SymbolId, Fraction)>,
        unknowns: &[SymbolId],
    ) -> Vec<Equation> {
        let (symbols, values): (Vec<SymbolId>, Vec<Fraction>) = pairs.into_iter().unzip();
        let right = self.readable(&values, unknowns);
        let left = symbols.iter().map(|&it| self.graph.symbol_node(it));
        let pairs = left.zip(right);
        pairs
            .map(|(left, right)| Equation { left, right })
            .collect()
    }

    /// Lets a name stand for an element where numbers are asked.
    pub(super) fn define(&mut self, name: SymbolId, element: &Fraction) {
        if let Some(samples) = &mut self.samples {
            samples.define(&self.field, name, element);
        }
    }

    /// Whether coordinates, speeds or time occur.
    pub(super) fn moves(&self, element: &Fraction) -> bool {
        self.holds(element, |symbol| {
            let kind = self.graph.symbol_data(symbol).kind;
            kind != SymbolKind::Parameter || self.moving.contains(&symbol)
        })
    }

    /// All symbols that occur, inside functions too.
    pub(super) fn symbols_of(&self, element: &Fraction) -> BTreeSet<SymbolId> {
        let found = RefCell::new(BTreeSet::new());
        self.holds(element, |symbol| {
            found.borrow_mut().insert(symbol);
            false
        });
        found.into_inner()
    }

    /// Whether a symbol of some kind occurs, inside functions too.
    pub(super) fn holds(&self, element: &Fraction, wanted: impl Fn(SymbolId) -> bool) -> bool {
        self.field.holds(element, wanted)
    }
}

/// The number that leaves coefficients as short decimals when they are divided by it: one, or that of a term that stands
/// alone, such as the mass in 2 x'' = -19.62 sin x. Fractions that are no decimals, as thirds, are cleared.
fn as_decimals(parts: &[Vec<Rational>]) -> Rational {
    let numbers = || parts.iter().flatten();
    let mut clears = 1_i64;
    for (_, mut below) in numbers().filter_map(Rational::as_small) {
        for prime in [2, 5] {
            while below % prime == 0 {
                below /= prime;
            }
        }
        let both = clears.checked_mul(below / gcd(clears, below));
        clears = both.unwrap_or(clears);
    }
    let plain = Rational::new(1, clears).unwrap_or(Rational::ONE);
    let alone = parts.iter().filter_map(|part| match part.as_slice() {
        [number] => Some(number.abs()),
        _ => None,
    });
    let length = |divisor: &Rational| -> Option<usize> {
        let inverse = divisor.reciprocal()?;
        let mut total = 0;
        for number in numbers() {
            let number = number.checked_mul(&inverse)?.abs();
            let text = number.terminating_decimal(MOST_PLACES)?;
            total += if number.is_one() { 0 } else { text.len() };
        }
        Some(total)
    };
    let choices = [plain.clone()].into_iter().chain(alone);
    let lengths = choices.filter_map(|divisor| Some((length(&divisor)?, divisor)));
    let best = lengths.min_by_key(|(length, _)| *length);
    best.map_or(plain, |(_, divisor)| divisor)
}
