//! What a symbol's name means to the eye: `theta_1` is a Greek letter with an index.
//!
//! ```text
//! theta, x, speed              letter, letter, word
//! theta1, theta_1, m_A         head and index
//! lambda(contact.0)            head and what it belongs to
//! ```

use super::greek::{Greek, greek};
use super::{Derivatives, Format, latex, mathml, text, typst};
use crate::symbol::Symbol;

/// What carries the index and the dots.
#[derive(Clone, Copy)]
pub(super) enum Head<'a> {
    /// One letter.
    Letter(char),
    /// One Greek letter.
    Greek(&'static Greek),
    /// A word, set upright.
    Word(&'a str),
}

/// What stands below the line.
#[derive(Clone, Copy)]
pub(super) enum Index<'a> {
    /// Nothing.
    None,
    /// `1` of `theta_1`.
    Below(&'a str),
    /// `contact.0` of `lambda(contact.0)`; plain text keeps the parentheses.
    Of(&'a str),
}

/// A symbol, taken apart.
#[derive(Clone, Copy)]
pub(super) struct Notation<'a> {
    pub(super) head: Head<'a>,
    pub(super) index: Index<'a>,
    /// Number of time derivatives.
    pub(super) order: usize,
    /// How these are written.
    pub(super) derivatives: Derivatives,
}

/// More dots than this are written as primes: nobody counts them.
const MAX_DOTS: usize = 4;
/// The same in MathML, where the marks of more dots are drawn badly.
const MAX_DOTS_MATHML: usize = 2;
/// LaTeX counts the derivatives from here on: x^{(5)}.
const MIN_COUNTED: usize = 5;

impl<'a> Notation<'a> {
    pub(super) fn of(symbol: &'a Symbol, derivatives: Derivatives) -> Self {
        let (head, index) = split(&symbol.name);
        Self {
            head: Head::of(head),
            index,
            ..Self::verbatim(symbol, derivatives)
        }
    }

    /// The name as it is, where its parts would look like those of another symbol.
    pub(super) fn verbatim(symbol: &'a Symbol, derivatives: Derivatives) -> Self {
        let order = symbol.order.into();
        Self {
            head: Head::Word(&symbol.name),
            index: Index::None,
            order,
            derivatives: match order > MAX_DOTS {
                true => Derivatives::Primes,
                false => derivatives,
            },
        }
    }

    pub(super) fn write(mut self, format: Format) -> String {
        if format == Format::MathMl && self.order > MAX_DOTS_MATHML {
            self.derivatives = Derivatives::Primes;
        }
        match format {
            Format::Latex => latex::symbol(self),
            Format::Typst => typst::symbol(self),
            Format::MathMl => mathml::symbol(self),
            _ => text::symbol(self),
        }
    }

    /// The order of a derivative that is written as a number.
    pub(super) fn counted(self) -> Option<usize> {
        (self.order >= MIN_COUNTED).then_some(self.order)
    }

    /// The primes, if derivatives are written so.
    pub(super) fn primes(self) -> String {
        match self.derivatives {
            Derivatives::Primes => "'".repeat(self.order),
            Derivatives::Dots => String::new(),
        }
    }

    /// Number of dots, 0 to 4, if derivatives are written so.
    pub(super) fn dots(self) -> usize {
        match self.derivatives {
            Derivatives::Primes => 0,
            Derivatives::Dots => self.order,
        }
    }
}

/// One of the things an index consists of.
#[derive(Clone, Copy)]
pub(super) enum IndexPart<'a> {
    /// 12
    Number(&'a str),
    /// The axes of I_xx.
    Axes(char, char),
    /// Anything else.
    Head(Head<'a>),
}

impl<'a> IndexPart<'a> {
    /// The parts of an index: `ext` and `1` of `ext_1`.
    pub(super) fn all(index: &'a str) -> Vec<Self> {
        if index.split('_').any(str::is_empty) {
            return vec![Self::Head(Head::Word(index))];
        }
        index.split('_').map(Self::of).collect()
    }

    fn of(part: &'a str) -> Self {
        let axis = |c: char| ('x'..='z').contains(&c);
        let mut chars = part.chars();
        match (chars.next(), chars.next(), chars.next()) {
            (Some(a), Some(b), None) if axis(a) && axis(b) => Self::Axes(a, b),
            _ if part.bytes().all(|b| b.is_ascii_digit()) => Self::Number(part),
            _ => Self::Head(Head::of(part)),
        }
    }
}

impl<'a> Head<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        if let Some(letter) = greek(name) {
            return Self::Greek(letter);
        }
        let mut chars = name.chars();
        match (chars.next(), chars.next()) {
            (Some(letter), None) if letter.is_alphabetic() => Self::Letter(letter),
            _ => Self::Word(name),
        }
    }
}

fn split(name: &str) -> (&str, Index<'_>) {
    if let Some((head, rest)) = name.split_once('(')
        && let Some(inside) = rest.strip_suffix(')')
        && is_word(head)
        && !inside.is_empty()
    {
        return (head, Index::Of(inside));
    }
    if let Some((head, index)) = name.split_once('_') {
        return if is_word(head) && !index.is_empty() && !index.starts_with('_') {
            (head, Index::Below(index))
        } else {
            (name, Index::None)
        };
    }
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if is_word(head) && head.len() < name.len() {
        (head, Index::Below(&name[head.len()..]))
    } else {
        (name, Index::None)
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && text.chars().all(char::is_alphanumeric)
}
