//! Forms for the eye: collected, factored, sums of angles recognised, the shortest in print.
//!
//! A polynomial is written in several ways — in sines and cosines, with sin² or cos², in sums of angles
//! — and each is factored and grouped; the one with the fewest characters is kept. What is searched is
//! bounded, and every form is an exact rewriting: the value cannot change.

mod factor;
mod form;
mod fourier;
mod group;
mod shorthand;
mod write;

pub use shorthand::{Shorthand, shorthands};

use super::field::{Field, Fraction, GeneratorKind};
use super::{GeneratorId, Limits, Outside, Polynomial, Work};
use crate::graph::{ExprId, Graph, SymbolId};
use crate::print::{Format, print_one};
use crate::rational::Rational;
use crate::symbol::SymbolKind;
use form::{Form, Term, Widths};
use fourier::Circles;
use rustc_hash::FxHashMap;

/// Longer polynomials are written term by term.
const MAX_TERMS: usize = 3_000;

/// Deeper sums are written term by term.
const MAX_DEPTH: usize = 12;
/// How much is tried for all forms together; what is left then is written term by term.
const LIMITS: Limits = Limits {
    terms: 100_000,
    steps: 5_000_000,
};

/// What a form is to look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Symbols to collect by, one group after the other: accelerations first, then rates. The first
    /// group that occurs is always collected by, the others where that is shorter.
    pub collect: Vec<Vec<SymbolId>>,
}

impl Field {
    /// Fractions as expressions that are short and pleasant to read.
    ///
    /// ```
    /// use dalembert_expr::normal::{Field, Style};
    /// use dalembert_expr::print::{Format, print_one};
    /// use dalembert_expr::{Graph, SymbolKind};
    /// let mut g = Graph::new();
    /// let [m, l] = ["m", "l"].map(|name| g.symbol(name, SymbolKind::Parameter));
    /// let [a, b] = ["a", "b"].map(|name| g.symbol(name, SymbolKind::Coordinate));
    /// let (sa, sb, ca, cb) = (g.sin(a), g.sin(b), g.cos(a), g.cos(b));
    /// let (cc, ss) = (g.mul(ca, cb), g.mul(sa, sb));
    /// let (cc, ss) = (g.mul(m, cc), g.mul(m, ss));
    /// let (cc, ss) = (g.mul(l, cc), g.mul(l, ss));
    /// let sum = g.add(cc, ss);
    /// let mut field = Field::new();
    /// let value = field.take(&g, sum)?;
    /// let short = field.present(&mut g, &[value], &Style::default())[0];
    /// assert_eq!(print_one(&g, short, Format::Text), "m l cos(a - b)");
    /// # Ok::<(), dalembert_expr::normal::Outside>(())
    /// ```
    #[must_use]
    pub fn present(&self, graph: &mut Graph, fractions: &[Fraction], style: &Style) -> Vec<ExprId> {
        let mut presenter = Presenter::new(self, graph, fractions, style);
        let forms: Vec<Form> = fractions
            .iter()
            .map(|fraction| presenter.fraction(fraction))
            .collect();
        presenter.write(graph, &forms)
    }
}

/// Where a generator stands in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Pi,
    Parameter,
    Coordinate,
    Function,
    Rate,
    Acceleration,
    Multiplier,
}

/// Makes forms of the elements of one field.
struct Presenter<'a> {
    field: &'a Field,
    /// Generators beyond those of the field: sines and cosines of sums of angles.
    extra: Vec<GeneratorKind>,
    widths: Widths,
    classes: Vec<Class>,
    circles: Circles,
    /// Sine to cosine of the same angle.
    partners: FxHashMap<GeneratorId, GeneratorId>,
    groups: Vec<Vec<GeneratorId>>,
    /// What has been written before: coefficients come again and again.
    known_best: FxHashMap<Polynomial, Form>,
    known: FxHashMap<Polynomial, Form>,
    /// How many sums are open around the one being written.
    depth: usize,
    work: Work,
}

impl<'a> Presenter<'a> {
    fn new(field: &'a Field, graph: &mut Graph, fractions: &[Fraction], style: &Style) -> Self {
        let mut used = vec![false; field.kinds.len()];
        for g in fractions.iter().flat_map(Fraction::generators) {
            used[usize::from(g.0)] = true;
        }
        let generators: Vec<GeneratorId> = (0..used.len())
            .filter(|&place| used[place])
            .map(|place| GeneratorId(place as u16))
            .collect();
        let names = field.names(graph, &generators);
        let mut widths = vec![0; field.kinds.len()];
        for (place, width) in widths.iter_mut().enumerate() {
            if let Some(&name) = names.get(&GeneratorId(place as u16)) {
                *width = print_one(graph, name, Format::Latex).len() as u64;
            }
        }
        let classes = field.kinds.iter().map(|kind| class(graph, kind)).collect();
        let atoms = field.angles.atoms.iter();
        let groups = style.collect.iter();
        Self {
            field,
            extra: Vec::new(),
            widths: Widths(widths),
            classes,
            circles: Circles::new(field),
            partners: atoms.map(|atom| (atom.sin, atom.cos)).collect(),
            groups: groups
                .map(|group| group.iter().filter_map(|&s| field.find(s)).collect())
                .collect(),
            known_best: FxHashMap::default(),
            known: FxHashMap::default(),
            depth: 0,
            work: Work::new(LIMITS),
        }
    }

    fn kind(&self, g: GeneratorId) -> &GeneratorKind {
        let place = usize::from(g.0);
        match place.checked_sub(self.field.kinds.len()) {
            None => &self.field.kinds[place],
            Some(extra) => &self.extra[extra],
        }
    }

    /// A generator for the sine or cosine of any angle.
    fn extra(&mut self, kind: GeneratorKind) -> Result<GeneratorId, Outside> {
        let (angle, is_sine) = match &kind {
            GeneratorKind::Sin(angle) => (angle, true),
            GeneratorKind::Cos(angle) => (angle, false),
            _ => return Err(Outside::Undefined),
        };
        let atoms = &mut self.field.angles.atoms.iter();
        if let Some(atom) = atoms.find(|atom| atom.angle == *angle) {
            return Ok(if is_sine { atom.sin } else { atom.cos });
        }
        let known = self.field.kinds.len();
        let place = match self.extra.iter().position(|other| *other == kind) {
            Some(place) => place,
            None => {
                // \sin(…), and a multiple of a single angle is worth something to be without.
                let single = angle.len() == 1 && !angle.content().is_one();
                let width = 6 + self.angle_width(angle) + if single { 8 } else { 0 };
                self.widths.0.push(width);
                self.classes.push(Class::Function);
                self.extra.push(kind.clone());
                self.extra.len() - 1
            }
        };
        let id = |place: usize| u16::try_from(known + place).map(GeneratorId);
        let g = id(place).map_err(|_| Outside::TooLarge)?;
        debug_assert!(!angle.is_zero());
        let other = match is_sine {
            true => GeneratorKind::Cos(angle.clone()),
            false => GeneratorKind::Sin(angle.clone()),
        };
        if let Some(other) = self.extra.iter().position(|kind| *kind == other) {
            let other = id(other).map_err(|_| Outside::TooLarge)?;
            let (sin, cos) = if is_sine { (g, other) } else { (other, g) };
            self.partners.insert(sin, cos);
        }
        Ok(g)
    }

    fn angle_width(&self, angle: &Polynomial) -> u64 {
        // Generators that only occur in angles have been measured too: they are parts of those used.
        self.widths.polynomial(angle)
    }

    /// The cosine that belongs to a sine.
    fn partner(&self, sine: GeneratorId) -> Option<GeneratorId> {
        self.partners.get(&sine).copied()
    }

    /// Whether a generator is a sine or cosine, or another function.
    fn is_function(&self, g: GeneratorId) -> bool {
        self.classes[usize::from(g.0)] == Class::Function
    }

    fn fraction(&mut self, fraction: &Fraction) -> Form {
        let top = self.collected(&fraction.numerator, 0);
        if fraction.denominator.is_one() {
            return top;
        }
        let mut term = Term::number(Rational::ONE);
        term.multiply(top, 1);
        let bottom = self.best(&fraction.denominator);
        term.multiply(bottom, -1);
        Form::of(term)
    }
}

fn class(graph: &Graph, kind: &GeneratorKind) -> Class {
    match kind {
        GeneratorKind::Pi => Class::Pi,
        GeneratorKind::Symbol(symbol) => {
            let symbol = graph.symbol_data(*symbol);
            match (symbol.kind, symbol.order) {
                (SymbolKind::Parameter, _) => Class::Parameter,
                (SymbolKind::Multiplier, _) => Class::Multiplier,
                (SymbolKind::Time, _) | (SymbolKind::Coordinate, 0) => Class::Coordinate,
                (SymbolKind::Coordinate, 1) | (SymbolKind::Speed, 0) => Class::Rate,
                _ => Class::Acceleration,
            }
        }
        _ => Class::Function,
    }
}
