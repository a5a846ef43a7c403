//! Sines and cosines of sums of angles, over a basis of the angles that occur.
//!
//! The angles q₁, q₁ + q₂, q₁ + q₂ + q₃ of a chain are independent: each is an atom with a sine and a
//! cosine of its own, and nothing is expanded. An angle that is an integer combination of atoms is
//! expanded over them; θ/2 beside θ makes θ/2 the atom.

use super::field::{Field, GeneratorId, GeneratorKind};
use super::monomial::Monomial;
use super::polynomial::{Polynomial, product, sum};
use super::{Outside, Work};
use crate::rational::Rational;
use rustc_hash::FxHashMap;

/// The largest multiple of an atom that is expanded.
const MAX_MULTIPLE: i64 = 64;

/// An angle with its sine and cosine.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) angle: Polynomial,
    pub(super) sin: GeneratorId,
    pub(super) cos: GeneratorId,
}

/// A combination of atoms.
type Coordinates = Vec<(usize, Rational)>;

/// The atoms, and what is needed to express an angle over them.
#[derive(Clone, Debug, Default)]
pub(super) struct Angles {
    pub(super) atoms: Vec<Atom>,
    basis: Basis,
}

/// Independent vectors in echelon form: vectors are polynomials, their components the coefficients.
#[derive(Clone, Debug, Default)]
struct Basis {
    size: usize,
    /// By leading monomial: a combination of the vectors, and which one it is.
    rows: FxHashMap<Monomial, (Polynomial, Coordinates)>,
}

impl Basis {
    /// The vector over the basis, or what is left of it.
    fn express(
        &self,
        vector: &Polynomial,
        work: &Work,
    ) -> Result<(Coordinates, Polynomial), Outside> {
        let mut rest = vector.clone();
        let mut coordinates: FxHashMap<usize, Rational> = FxHashMap::default();
        while let Some((lead, c)) = rest.leading()
            && let Some((row, combination)) = self.rows.get(lead)
        {
            let (_, pivot) = row.leading().ok_or(Outside::Undefined)?;
            let inverse = pivot.reciprocal().ok_or(Outside::Undefined)?;
            let factor = product(c, &inverse)?;
            for (i, x) in combination {
                let entry = coordinates.entry(*i).or_insert(Rational::ZERO);
                *entry = sum(entry, &product(x, &factor)?)?;
            }
            rest = rest.plus(row, &factor.negated(), work)?;
        }
        let mut coordinates: Coordinates = coordinates
            .into_iter()
            .filter(|(_, c)| !c.is_zero())
            .collect();
        coordinates.sort_unstable_by_key(|&(i, _)| i);
        Ok((coordinates, rest))
    }

    /// Adds a vector; `None` if it depends on the others.
    fn insert(&mut self, vector: &Polynomial, work: &Work) -> Result<Option<usize>, Outside> {
        let (coordinates, rest) = self.express(vector, work)?;
        let Some((lead, _)) = rest.leading() else {
            return Ok(None);
        };
        let mut combination: Coordinates = coordinates
            .into_iter()
            .map(|(i, c)| (i, c.negated()))
            .collect();
        combination.push((self.size, Rational::ONE));
        let lead = lead.clone();
        self.rows.insert(lead, (rest, combination));
        self.size += 1;
        Ok(Some(self.size - 1))
    }
}

/// The denominator of a rational.
fn denominator(c: &Rational) -> Result<i64, Outside> {
    c.as_small().map(|(_, d)| d).ok_or(Outside::TooLarge)
}

impl Field {
    /// Chooses atoms for angles that are going to occur: those with fewest terms, divided so that all
    /// the others are integer combinations.
    pub(super) fn prepare_angles(&mut self, angles: &[Polynomial]) -> Result<(), Outside> {
        let mut wanted: Vec<Polynomial> = Vec::new();
        for angle in angles {
            let (_, rest) = self.without_turns(angle);
            if !rest.is_zero() && !wanted.contains(&rest) {
                self.work.spend(wanted.len())?;
                wanted.push(rest);
            }
        }
        wanted.sort_by_key(Polynomial::len);
        let mut basis = self.angles.basis.clone();
        let known = basis.size;
        let mut vectors = Vec::new();
        for angle in &wanted {
            if basis.insert(angle, &self.work)?.is_some() {
                vectors.push(angle.clone());
            }
        }
        let mut divisors = vec![1_i64; vectors.len()];
        for angle in &wanted {
            for (i, c) in basis.express(angle, &self.work)?.0 {
                if i >= known {
                    let d = denominator(&c)?;
                    let divisor = &mut divisors[i - known];
                    let common = num_integer::gcd(*divisor, d);
                    *divisor = divisor
                        .checked_mul(d / common)
                        .filter(|&d| d <= MAX_MULTIPLE)
                        .unwrap_or(*divisor);
                }
            }
        }
        for (vector, divisor) in vectors.iter().zip(divisors) {
            let share = Rational::new(1, divisor).ok_or(Outside::TooLarge)?;
            self.atom(vector.scaled(&share)?)?;
        }
        Ok(())
    }

    /// A new atom, known to be independent of the others.
    fn atom(&mut self, angle: Polynomial) -> Result<usize, Outside> {
        // sin(−a) is −sin a: the first coefficient is positive.
        let angle = match angle.leading() {
            Some((_, c)) if c.is_negative() => angle.negated(),
            _ => angle,
        };
        let Some(index) = self.angles.basis.insert(&angle, &self.work)? else {
            return Err(Outside::TooLarge);
        };
        let (sin, cos) = self.circle(&angle)?;
        self.angles.atoms.push(Atom { angle, sin, cos });
        Ok(index)
    }

    /// Generators for the sine and cosine of an angle.
    fn circle(&mut self, angle: &Polynomial) -> Result<(GeneratorId, GeneratorId), Outside> {
        let value = self.estimate(angle);
        let sin = self.insert(GeneratorKind::Sin(angle.clone()), libm::sin(value))?;
        let cos = self.insert(GeneratorKind::Cos(angle.clone()), libm::cos(value))?;
        let square = Polynomial::term(Monomial::power(sin, 2), Rational::integer(-1));
        let image = Polynomial::one().plus(&square, &Rational::ONE, &self.work)?;
        self.set_rule(cos, 2, image);
        Ok((sin, cos))
    }

    /// An angle without whole and quarter turns, and the quarter turns: π/2 + θ is (1, θ).
    fn without_turns(&self, angle: &Polynomial) -> (i64, Polynomial) {
        let mut rest = angle.clone();
        let turns = rest.terms.iter().position(|(m, _)| self.is_pi(m));
        let Some(place) = turns else {
            return (0, rest);
        };
        let half_turns = rest.terms[place].1.clone();
        let Some(quarters) = half_turns.checked_mul(&Rational::integer(2)) else {
            return (0, rest);
        };
        let quarters = quarters.modulo(4);
        let Some(fraction) = quarters
            .as_small()
            .and_then(|(n, d)| Rational::new(n % d, d))
        else {
            return (0, rest);
        };
        let whole = quarters.as_small().map_or(0, |(n, d)| n / d);
        match fraction.checked_mul(&Rational::HALF) {
            Some(c) if c.is_zero() => {
                rest.terms.remove(place);
            }
            Some(c) => rest.terms[place].1 = c,
            None => return (0, rest),
        }
        (whole, rest)
    }

    fn is_pi(&self, m: &Monomial) -> bool {
        let mut powers = m.powers();
        match (powers.next(), powers.next()) {
            (Some((g, 1)), None) => *self.kind(g) == GeneratorKind::Pi,
            _ => false,
        }
    }

    /// Sine and cosine of an angle.
    pub(super) fn sine_and_cosine(
        &mut self,
        angle: &Polynomial,
    ) -> Result<(Polynomial, Polynomial), Outside> {
        let (quarters, mut rest) = self.without_turns(angle);
        let mut value = self.exact_part(&mut rest)?;
        if !rest.is_zero() {
            for (atom, multiple) in self.over_atoms(&rest)? {
                let part = self.multiple(atom, multiple)?;
                value = self.sum_of_angles(&value, &part)?;
            }
        }
        let (sin, cos) = value;
        Ok(match quarters {
            0 => (sin, cos),
            1 => (cos, sin.negated()),
            2 => (sin.negated(), cos.negated()),
            _ => (cos.negated(), sin),
        })
    }

    /// Takes π/6, π/4 and π/3 out of an angle: their sine and cosine.
    fn exact_part(&mut self, rest: &mut Polynomial) -> Result<(Polynomial, Polynomial), Outside> {
        let part = rest.terms.iter().position(|(m, _)| self.is_pi(m));
        let known = part.and_then(|i| Some((i, rest.terms[i].1.as_small()?)));
        let (place, (sin, cos)) = match known {
            Some((place, (1, 6))) => {
                let root = self.root_of_number(3)?;
                (place, (Polynomial::one(), root))
            }
            Some((place, (1, 4))) => {
                let root = self.root_of_number(2)?;
                (place, (root.clone(), root))
            }
            Some((place, (1, 3))) => {
                let root = self.root_of_number(3)?;
                (place, (root, Polynomial::one()))
            }
            _ => return Ok((Polynomial::zero(), Polynomial::one())),
        };
        rest.terms.remove(place);
        Ok((sin.scaled(&Rational::HALF)?, cos.scaled(&Rational::HALF)?))
    }

    /// An angle as an integer combination of atoms, which are made or divided where that is needed.
    fn over_atoms(&mut self, angle: &Polynomial) -> Result<Vec<(usize, i64)>, Outside> {
        let (coordinates, rest) = self.angles.basis.express(angle, &self.work)?;
        if !rest.is_zero() {
            let atom = self.atom(angle.clone())?;
            let kept = &self.angles.atoms[atom].angle;
            return Ok(vec![(atom, if kept == angle { 1 } else { -1 })]);
        }
        let divisors = coordinates
            .iter()
            .map(|(atom, c)| Ok((*atom, denominator(c)?)))
            .collect::<Result<Vec<_>, Outside>>()?;
        if divisors.iter().any(|&(_, d)| d > 1) {
            self.divide_atoms(&divisors)?;
            return self.over_atoms(angle);
        }
        let integer = |(atom, c): &(usize, Rational)| match c.as_integer() {
            Some(n) if n.abs() <= MAX_MULTIPLE => Ok((*atom, n)),
            _ => Err(Outside::TooLarge),
        };
        coordinates.iter().map(integer).collect()
    }

    /// Replaces atoms by parts of themselves; the old sines and cosines stand for expansions.
    fn divide_atoms(&mut self, divisors: &[(usize, i64)]) -> Result<(), Outside> {
        for &(index, divisor) in divisors.iter().filter(|&&(_, d)| d > 1) {
            if divisor > MAX_MULTIPLE {
                return Err(Outside::TooLarge);
            }
            let share = Rational::new(1, divisor).ok_or(Outside::TooLarge)?;
            let old = self.angles.atoms[index].clone();
            let angle = old.angle.scaled(&share)?;
            let (sin, cos) = self.circle(&angle)?;
            self.angles.atoms[index] = Atom { angle, sin, cos };
            let (sine, cosine) = self.multiple(index, divisor)?;
            self.set_rule(old.sin, 1, sine);
            self.set_rule(old.cos, 1, cosine);
        }
        // Coordinates count in the new atoms.
        let mut basis = Basis::default();
        for atom in &self.angles.atoms {
            basis.insert(&atom.angle, &self.work)?;
        }
        self.angles.basis = basis;
        Ok(())
    }

    /// Sine and cosine of n times an atom.
    fn multiple(&self, atom: usize, n: i64) -> Result<(Polynomial, Polynomial), Outside> {
        let Atom { sin, cos, .. } = self.angles.atoms[atom];
        let mut base = (Polynomial::generator(sin), Polynomial::generator(cos));
        let mut value = (Polynomial::zero(), Polynomial::one());
        let mut count = n.unsigned_abs();
        while count > 0 {
            if count & 1 == 1 {
                value = self.sum_of_angles(&value, &base)?;
            }
            count >>= 1;
            if count > 0 {
                base = self.sum_of_angles(&base, &base)?;
            }
        }
        if n < 0 {
            value.0 = value.0.negated();
        }
        Ok(value)
    }

    /// Sine and cosine of a + b from those of a and of b.
    pub(super) fn sum_of_angles(
        &self,
        (sa, ca): &(Polynomial, Polynomial),
        (sb, cb): &(Polynomial, Polynomial),
    ) -> Result<(Polynomial, Polynomial), Outside> {
        let sin = self.plus(&self.times(sa, cb)?, &self.times(ca, sb)?, 1)?;
        let cos = self.plus(&self.times(ca, cb)?, &self.times(sa, sb)?, -1)?;
        Ok((sin, cos))
    }
}
