//! Roots, and functions the field knows little about: each becomes a generator, the same one whenever
//! the arguments are equal.

use super::Outside;
use super::field::{Field, Fraction, GeneratorId, GeneratorKind};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::op::{Binary, Exact, Parity, Unary};
use crate::rational::Rational;
use crate::table::TableFunction;
use dalembert_decide::CLEAR;

/// Roots of a higher degree are left alone.
const MAX_ROOT: i64 = 12;
/// The largest literal exponent of an exponential that becomes a power.
const MAX_EXPONENTIAL: i64 = 64;

impl Field {
    /// A generator of a kind, found again if `same` says so for one whose value is near.
    fn function_generator(
        &mut self,
        value: f64,
        kind: GeneratorKind,
    ) -> Result<(GeneratorId, bool), Outside> {
        let near = |x: f64| match x.is_finite() && value.is_finite() {
            true => (x - value).abs() <= CLEAR * value.abs(),
            false => x.is_finite() == value.is_finite(),
        };
        for (place, known) in self.kinds.iter().enumerate() {
            if near(self.values[place]) && self.is_same(known, &kind)? {
                return Ok((GeneratorId(place as u16), false));
            }
        }
        self.work.spend(self.kinds.len() / 8)?;
        Ok((self.insert(kind, value)?, true))
    }

    fn is_same(&self, a: &GeneratorKind, b: &GeneratorKind) -> Result<bool, Outside> {
        use GeneratorKind::{Function, Function2, Root, Table};
        match (a, b) {
            (Root(x, k), Root(y, n)) if k == n => self.is_equal(x, y),
            (Function(f, x), Function(g, y)) if f == g => self.is_equal(x, y),
            (Table(f, x), Table(g, y)) if f == g => self.is_equal(x, y),
            (Function2(f, a, b), Function2(g, x, y)) if f == g => {
                let straight = self.is_equal(a, x)? && self.is_equal(b, y)?;
                let exchanged =
                    f.is_commutative() && self.is_equal(a, y)? && self.is_equal(b, x)?;
                Ok(straight || exchanged)
            }
            (a, b) => Ok(a == b),
        }
    }

    pub(super) fn pi(&mut self) -> Result<Fraction, Outside> {
        let (generator, _) = self.function_generator(std::f64::consts::PI, GeneratorKind::Pi)?;
        Ok(self.element(generator))
    }

    /// √n of a small prime.
    pub(super) fn root_of_number(&mut self, n: i64) -> Result<Polynomial, Outside> {
        self.plain_root(&Fraction::number(n), 2)
    }

    /// d·(n/d)^(1/k) as a generator with its rule.
    fn plain_root(&mut self, of: &Fraction, k: u16) -> Result<Polynomial, Outside> {
        let bottom = self.estimate(&of.denominator);
        let value = bottom * libm::pow(self.estimate_fraction(of), 1.0 / f64::from(k));
        let (generator, new) =
            self.function_generator(value, GeneratorKind::Root(of.clone(), k))?;
        if new {
            let mut image = of.numerator.clone();
            for _ in 1..k {
                image = self.times(&image, &of.denominator)?;
            }
            self.set_rule(generator, k, image);
        }
        Ok(Polynomial::generator(generator))
    }

    /// a^(1/k), real: of a base that is not negative.
    pub(super) fn root(&mut self, a: &Fraction, k: u16) -> Result<Fraction, Outside> {
        if a.is_zero() {
            return Ok(Fraction::zero());
        }
        let content = a.numerator.content().abs();
        let one = Monomial::one();
        let mut top = a.numerator.without_factor(&one, &content)?;
        let mut result = Fraction::one();
        // Literals come out as far as they do.
        let parts = if k == 2 { content.square_parts() } else { None };
        match parts {
            Some((outside, primes, rest)) => {
                result = Fraction::number(outside);
                for n in primes.into_iter().map(Rational::integer).chain([rest]) {
                    if !n.is_one() {
                        let root = self.plain_root(&Fraction::number(n), 2)?;
                        result = self.mul(&result, &Fraction::from(root))?;
                    }
                }
            }
            None => top = top.scaled(&content)?,
        }
        // √(m² p) = |m| √p, above and below the bar
        let mut bottom = a.denominator.clone();
        if k == 2 {
            let above = self.pairs_taken_out(&mut top)?;
            let below = self.pairs_taken_out(&mut bottom)?;
            result = self.mul(&result, &self.div(&above, &below)?)?;
        }
        let rest = Fraction {
            numerator: top,
            denominator: bottom,
        };
        if rest == Fraction::one() {
            return Ok(result);
        }
        let root = self.plain_root(&rest, k)?;
        let root = Fraction {
            numerator: root,
            denominator: rest.denominator,
        };
        self.mul(&result, &root)
    }

    /// Takes squares of generators out of a polynomial: the product of their magnitudes.
    fn pairs_taken_out(&mut self, p: &mut Polynomial) -> Result<Fraction, Outside> {
        let mut result = Fraction::one();
        for (g, n) in p.common_monomial().powers().filter(|&(_, n)| n >= 2) {
            let pairs = Monomial::power(g, n / 2 * 2);
            *p = p.without_factor(&pairs, &Rational::ONE)?;
            let half = Polynomial::term(Monomial::power(g, n / 2), Rational::ONE);
            let size = self.magnitude(&half)?;
            result = self.mul(&result, &size)?;
        }
        Ok(result)
    }

    /// base^exponent.
    pub(super) fn power(
        &mut self,
        base: &Fraction,
        exponent: &Fraction,
    ) -> Result<Fraction, Outside> {
        if let Some((n, d)) = exponent.as_number().and_then(|c| c.as_small()) {
            if d == 1 {
                return self.powi(base, n);
            }
            if d <= MAX_ROOT {
                let root = self.root(base, d as u16)?;
                return self.powi(&root, n);
            }
        }
        self.function2(Binary::Pow, base, exponent)
    }

    /// A function of two arguments.
    pub(super) fn function2(
        &mut self,
        op: Binary,
        a: &Fraction,
        b: &Fraction,
    ) -> Result<Fraction, Outside> {
        if matches!(op, Binary::Min | Binary::Max) {
            if self.is_equal(a, b)? {
                return Ok(a.clone());
            }
            if let (Some(x), Some(y)) = (a.as_number(), b.as_number()) {
                let first = (x < y) == (op == Binary::Min);
                return Ok(if first { a.clone() } else { b.clone() });
            }
        }
        let value = op.value(self.estimate_fraction(a), self.estimate_fraction(b));
        let kind = GeneratorKind::Function2(op, a.clone(), b.clone());
        let (generator, _) = self.function_generator(value, kind)?;
        Ok(self.element(generator))
    }

    /// a where a condition on x holds, and 0 elsewhere: a times a generator H that is 1 or 0, hence H² = H.
    pub(super) fn condition(
        &mut self,
        op: Binary,
        x: &Fraction,
        a: &Fraction,
    ) -> Result<Fraction, Outside> {
        if let Some(x) = x.as_number() {
            let above = x > Rational::ZERO;
            let holds = above == (op == Binary::Above);
            return Ok(if holds { a.clone() } else { Fraction::zero() });
        }
        let value = op.value(self.estimate_fraction(x), 1.0);
        let kind = GeneratorKind::Function2(op, x.clone(), Fraction::one());
        let (generator, new) = self.function_generator(value, kind)?;
        if new {
            self.set_rule(generator, 2, Polynomial::generator(generator));
        }
        self.mul(&self.element(generator), a)
    }

    /// A function made of a table.
    pub(super) fn table(&mut self, f: &TableFunction, a: &Fraction) -> Result<Fraction, Outside> {
        let value = f.value(self.estimate_fraction(a));
        let kind = GeneratorKind::Table(f.clone(), a.clone());
        let (generator, _) = self.function_generator(value, kind)?;
        Ok(self.element(generator))
    }

    /// Whether an element may be zero over whole regions: it holds a condition, or values of a table.
    #[must_use]
    pub fn may_switch_off(&self, a: &Fraction) -> bool {
        let mut held = a.numerator.generators().into_iter();
        held.any(|g| match self.kind(g) {
            GeneratorKind::Function2(op, ..) => op.is_condition(),
            GeneratorKind::Table(..) => true,
            _ => false,
        })
    }

    /// A function of one argument, other than those of angles and roots.
    pub(super) fn function(&mut self, op: Unary, a: &Fraction) -> Result<Fraction, Outside> {
        match op {
            Unary::Abs => {
                let (top, bottom) = (
                    self.magnitude(&a.numerator)?,
                    self.magnitude(&a.denominator)?,
                );
                return self.div(&top, &bottom);
            }
            Unary::Sign => {
                let product = self.times(&a.numerator, &a.denominator)?;
                return self.sign(&product);
            }
            Unary::Exp => return self.exponential(a),
            _ => {}
        }
        let negative = a.numerator.leading().is_some_and(|(_, c)| c.is_negative());
        if negative && op.parity() != Parity::None {
            let value = self.function(op, &self.neg(a))?;
            return Ok(match op.parity() {
                Parity::Odd => self.neg(&value),
                _ => value,
            });
        }
        if let Some(value) = self.exact_value(op, a)? {
            return Ok(value);
        }
        let (generator, new) = self.plain_function(op, a)?;
        // cosh² = 1 + sinh²
        if new && op == Unary::Cosh {
            let (sinh, _) = self.plain_function(Unary::Sinh, a)?;
            let square = Polynomial::term(Monomial::power(sinh, 2), Rational::ONE);
            let image = square.plus(&Polynomial::one(), &Rational::ONE, &self.work)?;
            self.set_rule(generator, 2, image);
        }
        Ok(self.element(generator))
    }

    pub(super) fn plain_function(
        &mut self,
        op: Unary,
        argument: &Fraction,
    ) -> Result<(GeneratorId, bool), Outside> {
        let value = op.value(self.estimate_fraction(argument));
        self.function_generator(value, GeneratorKind::Function(op, argument.clone()))
    }

    /// e^(a + b) = e^a e^b, e^(n a) = (e^a)^n.
    fn exponential(&mut self, a: &Fraction) -> Result<Fraction, Outside> {
        let mut result = Fraction::one();
        for (m, c) in &a.numerator.terms {
            let (n, d) = match c.as_small() {
                Some((n, d)) if n.abs() <= MAX_EXPONENTIAL => (Some(n), Rational::new(1, d)),
                _ => (None, None),
            };
            let unit = d.unwrap_or_else(|| c.clone());
            let argument = Fraction {
                numerator: Polynomial::term(m.clone(), unit),
                denominator: a.denominator.clone(),
            };
            let (generator, _) = self.plain_function(Unary::Exp, &argument)?;
            let factor = self.powi(&self.element(generator), n.unwrap_or(1))?;
            result = self.mul(&result, &factor)?;
        }
        Ok(result)
    }

    /// 1/d as a generator, for angles that are fractions.
    pub(super) fn reciprocal(&mut self, d: &Polynomial) -> Result<GeneratorId, Outside> {
        let value = 1.0 / self.estimate(d);
        let (one, d) = (Fraction::one(), Fraction::from(d.clone()));
        let kind = GeneratorKind::Function2(Binary::Div, one, d);
        Ok(self.function_generator(value, kind)?.0)
    }

    /// Values at whole numbers.
    fn exact_value(&mut self, op: Unary, a: &Fraction) -> Result<Option<Fraction>, Outside> {
        let n = a.as_number().and_then(|n| n.as_integer());
        match n.and_then(|n| op.exact_value(n)) {
            None => Ok(None),
            Some(Exact::Number(n)) => Ok(Some(Fraction::number(n))),
            Some(Exact::OfPi(share)) => {
                let pi = self.pi()?;
                self.mul(&Fraction::number(share), &pi).map(Some)
            }
        }
    }
}
