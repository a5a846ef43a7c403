//! A form under construction: sums of products, with the width they will have in print.

use super::super::monomial::Monomial;
use super::super::{GeneratorId, Polynomial};
use crate::rational::Rational;
use std::rc::Rc;

/// Width of " + " between terms.
const PLUS: u64 = 3;
/// Width of a pair of parentheses; they are worth avoiding beyond the room they take.
const PARENTHESES: u64 = 6;

/// A sum of terms; a single term is a product.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) terms: Vec<Term>,
}

/// coefficient · Π factors.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) coefficient: Rational,
    pub(super) factors: Vec<(Factor, i32)>,
    /// Where the term stands among others: the first product of what it stands for.
    pub(super) key: Monomial,
}

/// One factor of a product.
#[derive(Clone, Debug)]
pub(super) enum Factor {
    Generator(GeneratorId),
    Sum(Rc<Form>),
}

/// Widths of generators, as they are printed.
pub(super) struct Widths(pub(super) Vec<u64>);

impl Widths {
    pub(super) fn generator(&self, g: GeneratorId) -> u64 {
        self.0[usize::from(g.0)]
    }

    pub(super) fn monomial(&self, m: &Monomial) -> u64 {
        let powers = m
            .powers()
            .map(|(g, n)| self.generator(g) + exponent_width(i32::from(n)) + 1);
        powers.sum()
    }

    /// Width of a polynomial written term by term.
    pub(super) fn polynomial(&self, p: &Polynomial) -> u64 {
        let terms = p.terms.iter().map(|(m, c)| {
            let number = if m.is_one() || !c.abs().is_one() {
                number_width(c)
            } else {
                0
            };
            self.monomial(m) + number + PLUS
        });
        terms.sum::<u64>().saturating_sub(PLUS)
    }

    pub(super) fn form(&self, form: &Form) -> u64 {
        let terms = form.terms.iter().map(|term| self.term(term) + PLUS);
        terms.sum::<u64>().saturating_sub(PLUS)
    }

    fn term(&self, term: &Term) -> u64 {
        let mut width = match term.coefficient.abs().is_one() && !term.factors.is_empty() {
            true => 0,
            false => number_width(&term.coefficient) + 1,
        };
        for (factor, n) in &term.factors {
            width += exponent_width(n.abs()) + 1;
            width += match factor {
                Factor::Generator(g) => self.generator(*g),
                Factor::Sum(form) => PARENTHESES + self.form(form),
            };
        }
        // \frac{…}{…}
        if term.factors.iter().any(|&(_, n)| n < 0) {
            width += 9;
        }
        width
    }
}

fn exponent_width(n: i32) -> u64 {
    match n {
        1 => 0,
        2..10 => 2,
        _ => 5,
    }
}

/// Width of a number without its sign.
fn number_width(c: &Rational) -> u64 {
    let (n, d) = c.abs().decimal_parts();
    match d.as_str() {
        "1" => n.len() as u64,
        _ => 10 + n.len() as u64 + d.len() as u64,
    }
}

impl Term {
    pub(super) fn number(coefficient: Rational) -> Self {
        Self {
            coefficient,
            factors: Vec::new(),
            key: Monomial::one(),
        }
    }

    pub(super) fn monomial(m: &Monomial, coefficient: Rational) -> Self {
        Self {
            coefficient,
            factors: m
                .powers()
                .map(|(g, n)| (Factor::Generator(g), i32::from(n)))
                .collect(),
            key: m.clone(),
        }
    }

    /// Multiplies with form^n.
    pub(super) fn multiply(&mut self, form: Form, n: i32) {
        match <[Term; 1]>::try_from(form.terms) {
            Ok([term]) => {
                if let Some(c) = term
                    .coefficient
                    .checked_pow(i64::from(n))
                    .and_then(|c| c.checked_mul(&self.coefficient))
                {
                    self.coefficient = c;
                } else {
                    let number = Form {
                        terms: vec![Term::number(term.coefficient)],
                    };
                    self.factors.push((Factor::Sum(Rc::new(number)), n));
                }
                self.factors
                    .extend(term.factors.into_iter().map(|(factor, k)| (factor, k * n)));
            }
            Err(terms) => {
                let mut form = Form { terms };
                // Mostly negative sums change their sign.
                if n % 2 != 0 && form.is_mostly_negative() {
                    form.negate();
                    self.coefficient = self.coefficient.negated();
                }
                self.factors.push((Factor::Sum(Rc::new(form)), n));
            }
        }
    }
}

impl Form {
    pub(super) fn zero() -> Self {
        Self { terms: Vec::new() }
    }

    pub(super) fn of(term: Term) -> Self {
        Self { terms: vec![term] }
    }

    fn is_mostly_negative(&self) -> bool {
        let negative = self.terms.iter().filter(|t| t.coefficient.is_negative());
        let count = negative.count();
        let first = self
            .terms
            .first()
            .is_some_and(|t| t.coefficient.is_negative());
        2 * count > self.terms.len() || (2 * count == self.terms.len() && first)
    }

    fn negate(&mut self) {
        for term in &mut self.terms {
            term.coefficient = term.coefficient.negated();
        }
    }

    /// Terms in the order in which they are written.
    pub(super) fn sort(&mut self) {
        self.terms.sort_by(|a, b| b.key.cmp(&a.key));
    }
}
