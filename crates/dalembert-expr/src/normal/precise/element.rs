//! Elements of a field at a point: is a divisor zero there?

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

#[cfg(test)]
mod tests {
    use super::{Bounded, Number};
    use crate::normal::Field;
    use crate::{Graph, SymbolKind};

    #[test]
    fn what_the_field_does_not_know_to_vanish_has_the_value_zero() {
        let mut g = Graph::new();
        let z = g.symbol("z", SymbolKind::Coordinate);
        let one = g.integer(1);
        // cos(atan z) √(1 + z²) − 1
        let angle = g.unary(crate::op::Unary::Atan, z);
        let cosine = g.cos(angle);
        let square = g.powi(z, 2);
        let square = g.add(one, square);
        let root = g.sqrt(square);
        let product = g.mul(cosine, root);
        let rest = g.sub(product, one);
        let mut field = Field::new();
        let rest = field.take(&g, rest).unwrap();
        let product = field.take(&g, product).unwrap();
        assert!(!field.is_zero(&rest).unwrap());
        let mut values = Vec::new();
        field.extend_values(&mut values, |_| Bounded::exact(Number::from(0.7)));
        let zero = Bounded::exact(Number::ZERO);
        let [rest, product] = [rest, product].map(|it| field.value(&it, &values));
        assert!(!rest.differs_from(&zero) && rest.error < 1e-27);
        assert!(product.differs_from(&zero));
    }
}
