//! The generators of a field and the rules they obey.

use super::angles::Angles;
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use super::{Limits, Outside, Work};
use crate::graph::SymbolId;
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use crate::table::TableFunction;
use rustc_hash::FxHashMap;

/// A generator of a [`Field`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GeneratorId(pub(super) u16);

/// What a generator stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeneratorKind {
    /// The number π.
    Pi,
    /// A symbol of the graph.
    Symbol(SymbolId),
    /// The sine of an angle.
    Sin(Polynomial),
    /// The cosine of an angle.
    Cos(Polynomial),
    /// d·(n/d)^(1/k) of a fraction n/d: a polynomial when raised to k.
    Root(Fraction, u16),
    /// A function of one argument the field knows little about.
    Function(Unary, Fraction),
    /// A function of two arguments the field knows little about.
    Function2(Binary, Fraction, Fraction),
    /// A function made of a table.
    Table(TableFunction, Fraction),
}

impl GeneratorKind {
    /// The generators that a generator is made of.
    pub(super) fn parts(&self) -> Vec<GeneratorId> {
        match self {
            Self::Pi | Self::Symbol(_) => Vec::new(),
            Self::Sin(angle) | Self::Cos(angle) => angle.generators(),
            Self::Root(f, _) | Self::Function(_, f) | Self::Table(_, f) => f.generators(),
            Self::Function2(_, a, b) => [a.generators(), b.generators()].concat(),
        }
    }
}

/// An element of a [`Field`]: numerator over denominator.
///
/// The denominator has integer coefficients without common factor; fractions are in lowest terms as far
/// as that was found in time. Two different fractions may be equal: ask [`Field::is_equal`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    pub(super) numerator: Polynomial,
    pub(super) denominator: Polynomial,
}

impl Fraction {
    /// 0
    #[must_use]
    pub fn zero() -> Self {
        Self::from(Polynomial::zero())
    }

    /// 1
    #[must_use]
    pub fn one() -> Self {
        Self::from(Polynomial::one())
    }

    /// A number.
    #[must_use]
    pub fn number(value: impl Into<Rational>) -> Self {
        Self::from(Polynomial::constant(value.into()))
    }

    /// What stands above the bar.
    #[must_use]
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// What stands below the bar.
    #[must_use]
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// Whether the numerator is 0. Elements made before a relation was declared may be zero without it:
    /// see [`Field::is_zero`].
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The value, if this is a number.
    #[must_use]
    pub fn as_number(&self) -> Option<Rational> {
        self.as_polynomial()?.as_constant()
    }

    /// The numerator, if the denominator is 1.
    #[must_use]
    pub fn as_polynomial(&self) -> Option<&Polynomial> {
        self.denominator.is_one().then_some(&self.numerator)
    }

    /// Number of terms above and below the bar.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numerator.len() + self.denominator.len()
    }

    /// Whether this is 0: it has no terms above the bar.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_zero()
    }

    /// The generators that occur, in order.
    #[must_use]
    pub fn generators(&self) -> Vec<GeneratorId> {
        let mut generators = self.numerator.generators();
        generators.extend(self.denominator.generators());
        generators.sort_unstable();
        generators.dedup();
        generators
    }

    /// A measure of length: terms and exponents.
    pub(super) fn weight(&self) -> u64 {
        let parts = [&self.numerator, &self.denominator];
        let terms = parts.iter().flat_map(|p| &p.terms);
        terms.map(|(m, _)| 1 + u64::from(m.degree())).sum()
    }
}

impl From<Polynomial> for Fraction {
    fn from(numerator: Polynomial) -> Self {
        Self {
            numerator,
            denominator: Polynomial::one(),
        }
    }
}

/// g^power stands for a polynomial over generators other than g.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) power: u16,
    pub(super) image: Polynomial,
}

/// A field of fractions over the symbols of one graph.
///
/// It belongs to the graph its expressions are taken from: ids of symbols have no meaning in another.
#[derive(Debug)]
pub struct Field {
    pub(super) kinds: Vec<GeneratorKind>,
    pub(super) rules: Vec<Option<Rule>>,
    /// Whether a generator itself, not a power of it, stands for something.
    pub(super) has_images: bool,
    /// Values of the generators at one point in general position: what differs there is different.
    pub(super) values: Vec<f64>,
    pub(super) symbols: FxHashMap<SymbolId, GeneratorId>,
    pub(super) angles: Angles,
    pub(super) work: Work,
    /// Whether sign² is 1.
    pub(super) unit_signs: bool,
}

impl Default for Field {
    fn default() -> Self {
        Self::new()
    }
}

impl Field {
    /// A field without generators, with the usual limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// A field with other limits.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            kinds: Vec::new(),
            rules: Vec::new(),
            has_images: false,
            values: Vec::new(),
            symbols: FxHashMap::default(),
            angles: Angles::default(),
            work: Work::new(limits),
            unit_signs: false,
        }
    }

    /// Begins to count anew.
    pub fn set_limits(&mut self, limits: Limits) {
        self.work = Work::new(limits);
    }

    /// What a generator stands for.
    #[must_use]
    pub fn kind(&self, generator: GeneratorId) -> &GeneratorKind {
        &self.kinds[usize::from(generator.0)]
    }

    pub(super) fn value_of(&self, generator: GeneratorId) -> f64 {
        self.values[usize::from(generator.0)]
    }

    pub(super) fn rule(&self, generator: GeneratorId) -> Option<&Rule> {
        self.rules[usize::from(generator.0)].as_ref()
    }

    /// Lets generator^power stand for a polynomial from now on.
    pub(super) fn set_rule(&mut self, generator: GeneratorId, power: u16, image: Polynomial) {
        self.rules[usize::from(generator.0)] = Some(Rule { power, image });
        self.has_images |= power == 1;
    }

    /// Generators and all that these are made of, in order: what a generator is made of was there before it.
    pub(super) fn with_parts(&self, generators: &[GeneratorId]) -> Vec<GeneratorId> {
        let mut wanted = vec![false; self.kinds.len()];
        for g in generators {
            wanted[usize::from(g.0)] = true;
        }
        for place in (0..self.kinds.len()).rev() {
            if wanted[place] {
                for part in self.kinds[place].parts() {
                    wanted[usize::from(part.0)] = true;
                }
            }
        }
        let places = (0..wanted.len()).filter(|&place| wanted[place]);
        places.map(|place| GeneratorId(place as u16)).collect()
    }

    pub(super) fn insert(
        &mut self,
        kind: GeneratorKind,
        value: f64,
    ) -> Result<GeneratorId, Outside> {
        let id = u16::try_from(self.kinds.len()).map_err(|_| Outside::TooLarge)?;
        self.kinds.push(kind);
        self.rules.push(None);
        self.values.push(value);
        Ok(GeneratorId(id))
    }

    /// The generator of a symbol.
    ///
    /// # Errors
    /// There are 65 535 generators already.
    pub fn symbol(&mut self, symbol: SymbolId) -> Result<GeneratorId, Outside> {
        if let Some(&known) = self.symbols.get(&symbol) {
            return Ok(known);
        }
        // In (½, 3/2): a point in general position, the same on every run.
        let spread = (symbol.index() as f64 + 1.0) * 0.618_033_988_749_894_9;
        let generator = self.insert(GeneratorKind::Symbol(symbol), 0.5 + spread.fract())?;
        self.symbols.insert(symbol, generator);
        Ok(generator)
    }

    /// The generator of a symbol, if the field has met it.
    #[must_use]
    pub fn find(&self, symbol: SymbolId) -> Option<GeneratorId> {
        self.symbols.get(&symbol).copied()
    }

    /// The element that is just a generator.
    #[must_use]
    pub fn element(&self, generator: GeneratorId) -> Fraction {
        Fraction::from(Polynomial::generator(generator))
    }

    /// Declares generator^power = image from now on: x'² = z'² − y'² on a constraint.
    ///
    /// Elements made before obey it as soon as they meet an operation, [`Field::is_zero`] included. Inside
    /// angles, roots and functions it is not applied: what is proved is true all the same.
    ///
    /// # Errors
    /// The image contains the generator, directly or by other relations, the generator has a relation
    /// already, or the power is 0.
    pub fn declare(
        &mut self,
        generator: GeneratorId,
        power: u16,
        image: &Polynomial,
    ) -> Result<(), Outside> {
        let mut seen = vec![false; self.kinds.len()];
        let mut pending = image.generators();
        while let Some(g) = pending.pop() {
            if !std::mem::replace(&mut seen[usize::from(g.0)], true)
                && let Some(rule) = self.rule(g)
            {
                pending.extend(rule.image.generators());
            }
        }
        let place = usize::from(generator.0);
        if seen[place] || power == 0 || self.rules[place].is_some() {
            return Err(Outside::Circular);
        }
        self.set_rule(generator, power, image.clone());
        Ok(())
    }

    /// A polynomial with all rules applied.
    pub(super) fn reduced(&self, polynomial: Polynomial) -> Result<Polynomial, Outside> {
        let due = |m: &Monomial| {
            m.powers()
                .find_map(|(g, n)| Some((g, self.rule(g).filter(|rule| n >= rule.power)?)))
        };
        let mut polynomial = polynomial;
        while let Some((g, rule)) = polynomial.terms.iter().find_map(|(m, _)| due(m)) {
            polynomial = polynomial.rewritten(g, rule.power, &rule.image, &self.work)?;
        }
        Ok(polynomial)
    }

    /// The value of a polynomial at the point of [`Self::values`].
    pub(super) fn estimate(&self, polynomial: &Polynomial) -> f64 {
        let term = |(m, c): &(Monomial, Rational)| {
            m.powers().fold(c.to_f64(), |product, (g, n)| {
                product * self.value_of(g).powi(i32::from(n))
            })
        };
        polynomial.terms.iter().map(term).sum()
    }

    /// The value of a fraction at that point.
    pub(super) fn estimate_fraction(&self, fraction: &Fraction) -> f64 {
        self.estimate(&fraction.numerator) / self.estimate(&fraction.denominator)
    }
}
