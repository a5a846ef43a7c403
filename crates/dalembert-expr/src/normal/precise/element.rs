//! Elements of a field at a point: is a divisor zero there?

use super::tables;
use super::{Bounded, Number, of_binary, of_number, of_unary};
use crate::graph::SymbolId;
use crate::normal::field::{Field, Fraction, GeneratorKind};
use crate::normal::polynomial::Polynomial;
use crate::op::{Binary, Unary};
use crate::rational::Rational;

impl Field {
    /// Values of the generators where `value_of` gives the symbols; those that `known` has already stay as they are.
    pub fn extend_values(&self, known: &mut Vec<Bounded>, value_of: impl Fn(SymbolId) -> Bounded) {
        for kind in &self.kinds[known.len().min(self.kinds.len())..] {
            let value = match kind {
                GeneratorKind::Pi => Bounded::rounded(Number::PI, 0.0),
                GeneratorKind::Symbol(symbol) => value_of(*symbol),
                GeneratorKind::Sin(angle) => of_unary(Unary::Sin, value(angle, known)),
                GeneratorKind::Cos(angle) => of_unary(Unary::Cos, value(angle, known)),
                GeneratorKind::Root(of, degree) => {
                    let whole = self.value(of, known);
                    let root = match degree {
                        2 => of_unary(Unary::Sqrt, whole),
                        _ => {
                            let degree = Rational::new(1, i64::from(*degree));
                            let power = degree.map_or_else(Bounded::unknown, |it| of_number(&it));
                            of_binary(Binary::Pow, whole, power)
                        }
                    };
                    of_binary(Binary::Mul, value(of.denominator(), known), root)
                }
                GeneratorKind::Function(op, of) => of_unary(*op, self.value(of, known)),
                GeneratorKind::Table(function, of) => {
                    tables::of_table(function, self.value(of, known))
                }
                GeneratorKind::Function2(op, a, b) => {
                    of_binary(*op, self.value(a, known), self.value(b, known))
                }
            };
            known.push(value);
        }
    }

    /// The value of an element where the generators have those of [`Self::extend_values`].
    #[must_use]
    pub fn value(&self, element: &Fraction, generators: &[Bounded]) -> Bounded {
        let above = value(element.numerator(), generators);
        match element.as_polynomial() {
            Some(_) => above,
            None => of_binary(Binary::Div, above, value(element.denominator(), generators)),
        }
    }
}

fn value(polynomial: &Polynomial, generators: &[Bounded]) -> Bounded {
    let mut sum = Bounded::exact(Number::ZERO);
    for (monomial, coefficient) in &polynomial.terms {
        let mut term = of_number(coefficient);
        for (generator, power) in monomial.powers() {
            let base = generators.get(usize::from(generator.0)).copied();
            for _ in 0..power {
                term = of_binary(Binary::Mul, term, base.unwrap_or_else(Bounded::unknown));
            }
        }
        sum = of_binary(Binary::Add, sum, term);
    }
    sum
}
