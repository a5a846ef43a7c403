//! Unknown dimensions, and the equations between them.
//!
//! A dimension is a vector of exponents, so a product of powers of unknown dimensions is a linear
//! [`Form`], and "these two have the same dimension" is a linear equation. The equations are solved
//! one by one by Gaussian elimination over the rationals: an equation is reduced by what is known, and
//! then either holds, or cannot hold, or settles one more unknown in terms of others.
//!
//! These forms are sparse and point to unknowns that were settled later. They are shortened on the way, as in
//! union-find, so chains of equal dimensions cost nearly linear time. Nothing bounds the fill-in of
//! contrived systems: beyond [`MOST_WORK`] it stops, and says nothing more.

use crate::units::{Dimension, Exponent};
use std::collections::BTreeMap;

/// Most terms that are touched before the unifier gives up: about two seconds, measured on products
/// of 4000 parameters taken at random.
///
/// A chain of 10 000 particles with 20 000 coordinates takes a sixth of it.
pub(super) const MOST_WORK: usize = 3_000_000;

/// 1
pub(super) fn one() -> Exponent {
    whole(1)
}

/// A small whole number.
pub(super) fn whole(n: i16) -> Exponent {
    Exponent::new(i64::from(n), 1).unwrap_or(Exponent::ZERO)
}

fn parts(a: Exponent) -> (i64, i64) {
    (i64::from(a.numerator()), i64::from(a.denominator()))
}

/// a + b; `None` if out of range.
pub(super) fn plus(a: Exponent, b: Exponent) -> Option<Exponent> {
    let ((p, q), (r, s)) = (parts(a), parts(b));
    Exponent::new(p * s + r * q, q * s)
}

/// a b; `None` if out of range.
pub(super) fn times(a: Exponent, b: Exponent) -> Option<Exponent> {
    let ((p, q), (r, s)) = (parts(a), parts(b));
    Exponent::new(p * r, q * s)
}

/// a/b; `None` if out of range, or b is 0.
pub(super) fn over(a: Exponent, b: Exponent) -> Option<Exponent> {
    let ((p, q), (r, s)) = (parts(a), parts(b));
    if r == 0 {
        return None;
    }
    Exponent::new(p * s, q * r)
}

/// An unknown dimension, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unknown(pub(super) usize);

/// A known dimension times powers of unknown ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    known: Dimension,
    /// Exponents, none of them 0.
    terms: BTreeMap<Unknown, Exponent>,
}

impl Form {
    /// A known dimension.
    pub(super) fn known(known: Dimension) -> Self {
        let terms = BTreeMap::new();
        Self { known, terms }
    }

    /// An unknown dimension.
    pub(super) fn of(unknown: Unknown) -> Self {
        let terms = BTreeMap::from([(unknown, one())]);
        let known = Dimension::NONE;
        Self { known, terms }
    }

    /// The dimension, if nothing in it is unknown.
    pub(super) fn dimension(&self) -> Option<Dimension> {
        self.terms.is_empty().then_some(self.known)
    }

    /// How many unknowns it has.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Its power; `None` if an exponent is out of range.
    pub(super) fn pow(mut self, power: Exponent) -> Option<Self> {
        if power == one() {
            return Some(self);
        }
        let (p, q) = parts(power);
        if p == 0 {
            return Some(Self::known(Dimension::NONE));
        }
        self.known = self.known.checked_pow(p, q)?;
        for exponent in self.terms.values_mut() {
            *exponent = times(*exponent, power)?;
        }
        Some(self)
    }

    /// Its product with a power of another; `None` if an exponent is out of range.
    pub(super) fn mul_pow(self, other: Self, power: Exponent) -> Option<Self> {
        let other = other.pow(power)?;
        // The short one goes into the long one, so that long products take linear time.
        let (mut long, short) = if self.len() < other.len() {
            (other, self)
        } else {
            (self, other)
        };
        long.known = long.known.checked_mul(&short.known)?;
        for (unknown, exponent) in short.terms {
            long.add(unknown, exponent)?;
        }
        Some(long)
    }

    fn add(&mut self, unknown: Unknown, exponent: Exponent) -> Option<()> {
        let old = self.terms.get(&unknown).copied().unwrap_or(Exponent::ZERO);
        let new = plus(old, exponent)?;
        if new == Exponent::ZERO {
            self.terms.remove(&unknown);
        } else {
            self.terms.insert(unknown, new);
        }
        Some(())
    }
}

/// What became of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It holds already.
    Holds,
    /// It holds from now on, and says what this unknown is.
    Settles(Unknown),
    /// It contradicts the others.
    Clash,
    /// Numbers became too large, or the work too much: nothing is said.
    GaveUp,
}

/// What is known of an unknown: its dimension in terms of others.
#[derive(Clone, Debug)]
struct Settled {
    form: Form,
    /// How many unknowns were settled when the form was last free of settled ones.
    reduced_at: usize,
}

/// Equations between dimensions, solved as they come.
#[derive(Debug)]
pub(super) struct Unifier {
    settled: Vec<Option<Settled>>,
    count: usize,
    work: usize,
}

impl Unifier {
    /// No equations yet between so many unknowns.
    pub(super) fn new(unknowns: usize) -> Self {
        Self {
            settled: vec![None; unknowns],
            count: 0,
            work: 0,
        }
    }

    /// Counts work; whether there may be more.
    pub(super) fn spend(&mut self, terms: usize) -> bool {
        self.work = self.work.saturating_add(1 + terms);
        self.work <= MOST_WORK
    }

    /// Terms touched so far.
    #[cfg(test)]
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// From now on `form` is the dimension of a pure number.
    pub(super) fn require_none(&mut self, form: Form) -> Outcome {
        let Some(form) = self.reduce(form) else {
            return Outcome::GaveUp;
        };
        // The first unknown is settled: parameters come first, and the dimensions of definitions
        // that are products of them stay short.
        let Some((&pivot, &exponent)) = form.terms.first_key_value() else {
            return match form.known.is_none() {
                true => Outcome::Holds,
                false => Outcome::Clash,
            };
        };
        let mut rest = form;
        rest.terms.remove(&pivot);
        let Some(rest) = over(whole(-1), exponent).and_then(|power| rest.pow(power)) else {
            return Outcome::GaveUp;
        };
        self.count += 1;
        self.settled[pivot.0] = Some(Settled {
            form: rest,
            reduced_at: self.count,
        });
        Outcome::Settles(pivot)
    }

    /// In terms of unknowns of which nothing is known; `None` if that is too much work.
    pub(super) fn reduce(&mut self, form: Form) -> Option<Form> {
        if !form.terms.keys().any(|&unknown| self.is_settled(unknown)) {
            return self.spend(form.len()).then_some(form);
        }
        for &unknown in form.terms.keys() {
            self.shorten(unknown)?;
        }
        self.substituted(form)
    }

    /// What an unknown is, as far as that is known and short.
    pub(super) fn value(&mut self, unknown: Unknown) -> Form {
        let reduced = self.reduce(Form::of(unknown));
        reduced
            .filter(|form| form.len() <= 1)
            .unwrap_or_else(|| Form::of(unknown))
    }

    fn is_settled(&self, unknown: Unknown) -> bool {
        self.settled[unknown.0].is_some()
    }

    /// Each settled unknown, replaced once by what it is.
    fn substituted(&mut self, form: Form) -> Option<Form> {
        let mut result = Form::known(form.known);
        for (unknown, exponent) in form.terms {
            let known = self.settled[unknown.0].as_ref();
            let part = known.map_or_else(|| Form::of(unknown), |known| known.form.clone());
            if !self.spend(part.len()) {
                return None;
            }
            result = result.mul_pow(part, exponent)?;
        }
        Some(result)
    }

    /// Frees what an unknown is, if it is settled, of settled unknowns.
    fn shorten(&mut self, unknown: Unknown) -> Option<()> {
        // Depth first with a stack of our own; `true` marks the way back. This never leads back to the
        // unknown itself, since it was settled in terms of unknowns that were not.
        let mut pending = vec![(unknown, false)];
        while let Some((unknown, back)) = pending.pop() {
            let Some(known) = &self.settled[unknown.0] else {
                continue;
            };
            if known.reduced_at == self.count {
                continue;
            }
            if back {
                let form = self.substituted(known.form.clone())?;
                let reduced_at = self.count;
                self.settled[unknown.0] = Some(Settled { form, reduced_at });
                continue;
            }
            pending.push((unknown, true));
            let next = known
                .form
                .terms
                .keys()
                .filter(|&&next| self.is_settled(next));
            pending.extend(next.map(|&next| (next, false)));
        }
        Some(())
    }
}
