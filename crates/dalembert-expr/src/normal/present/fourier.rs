//! Other ways to write a polynomial in sines and cosines: of sums of angles, of one sum of angles,
//! or with squares of cosines instead of sines.

use super::super::field::{Field, GeneratorKind};
use super::super::monomial::Monomial;
use super::super::polynomial::{product, sum};
use super::super::{GeneratorId, Outside, Polynomial};
use super::Presenter;
use crate::rational::Rational;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An integer combination of atoms.
type Angle = SmallVec<[(u16, i16); 4]>;
/// cos (false) or sin (true) of an angle.
type Wave = (Angle, bool);

/// Products of more sines and cosines are not expanded.
const MAX_DEGREE: u32 = 8;

/// Which sines and cosines the generators are.
pub(super) struct Circles {
    /// For each generator of the field: its atom, and whether it is the sine.
    of: FxHashMap<GeneratorId, (u16, bool)>,
    known: FxHashMap<Monomial, Vec<(Wave, Rational)>>,
}

impl Circles {
    pub(super) fn new(field: &Field) -> Self {
        let mut of = FxHashMap::default();
        for (i, atom) in field.angles.atoms.iter().enumerate() {
            of.insert(atom.sin, (i as u16, true));
            of.insert(atom.cos, (i as u16, false));
        }
        Self {
            of,
            known: FxHashMap::default(),
        }
    }

    pub(super) fn contains(&self, g: GeneratorId) -> bool {
        self.of.contains_key(&g)
    }

    /// A product of sines and cosines as a sum of waves.
    fn waves(&mut self, m: &Monomial) -> Result<&[(Wave, Rational)], Outside> {
        if !self.known.contains_key(m) {
            let mut waves: FxHashMap<Wave, Rational> = FxHashMap::default();
            waves.insert((Angle::new(), false), Rational::ONE);
            for (g, n) in m.powers() {
                let (atom, is_sine) = self.of[&g];
                for _ in 0..n {
                    waves = times(&waves, atom, is_sine)?;
                }
            }
            let mut waves: Vec<_> = waves.into_iter().filter(|(_, c)| !c.is_zero()).collect();
            waves.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            self.known.insert(m.clone(), waves);
        }
        Ok(&self.known[m])
    }
}

/// Σ c wave · sin or cos of an atom.
fn times(
    waves: &FxHashMap<Wave, Rational>,
    atom: u16,
    is_sine: bool,
) -> Result<FxHashMap<Wave, Rational>, Outside> {
    let mut result: FxHashMap<Wave, Rational> = FxHashMap::default();
    let mut waves: Vec<_> = waves.iter().collect();
    waves.sort_unstable();
    for ((angle, wave_is_sine), c) in waves {
        let c = product(c, &Rational::HALF)?;
        // cos a cos b = ½ cos(a−b) + ½ cos(a+b), sin a cos b = ½ sin(a−b) + ½ sin(a+b),
        // cos a sin b = −½ sin(a−b) + ½ sin(a+b), sin a sin b = ½ cos(a−b) − ½ cos(a+b)
        let (difference, total) = match (*wave_is_sine, is_sine) {
            (_, false) => (c.clone(), c),
            (false, true) => (c.negated(), c),
            (true, true) => (c.clone(), c.negated()),
        };
        for (sign, c) in [(-1, difference), (1, total)] {
            let mut angle = shifted(angle, atom, sign);
            let sine = *wave_is_sine != is_sine;
            let mut c = c;
            if angle.first().is_some_and(|&(_, n)| n < 0) {
                angle.iter_mut().for_each(|(_, n)| *n = -*n);
                if sine {
                    c = c.negated();
                }
            }
            if sine && angle.is_empty() {
                continue;
            }
            let entry = result.entry((angle, sine)).or_insert(Rational::ZERO);
            *entry = sum(entry, &c)?;
        }
    }
    Ok(result)
}

fn shifted(angle: &Angle, atom: u16, by: i16) -> Angle {
    let mut angle = angle.clone();
    match angle.binary_search_by_key(&atom, |&(a, _)| a) {
        Ok(place) => {
            angle[place].1 += by;
            if angle[place].1 == 0 {
                angle.remove(place);
            }
        }
        Err(place) => angle.insert(place, (atom, by)),
    }
    angle
}

/// The greatest number that divides all multiples.
fn content(angle: &Angle) -> i16 {
    angle
        .iter()
        .fold(0, |common, &(_, n)| num_integer::gcd(common, n))
}

impl Presenter<'_> {
    /// The same polynomial in other words, itself first.
    pub(super) fn variants(&mut self, p: &Polynomial) -> Vec<Polynomial> {
        let mut variants = vec![p.clone()];
        let squares = self.with_other_squares(p);
        if squares.as_ref().is_ok_and(|q| q != p) {
            variants.extend(squares);
        }
        if let Ok(Some((waves, single))) = self.as_waves(p) {
            variants.push(waves);
            if let Some(single) = single {
                let other = self.with_other_squares(&single);
                variants.push(single);
                variants.extend(other);
            }
        }
        variants
    }

    /// As a sum of waves, and as a polynomial in the sine and cosine of one angle if that is possible.
    fn as_waves(
        &mut self,
        p: &Polynomial,
    ) -> Result<Option<(Polynomial, Option<Polynomial>)>, Outside> {
        let parts = p.collected(|g| self.circles.contains(g));
        let trigonometric = parts.iter().map(|(m, _)| m.degree());
        if trigonometric.clone().all(|degree| degree < 2)
            || trigonometric.clone().any(|degree| degree > MAX_DEGREE)
        {
            return Ok(None);
        }
        let mut totals: FxHashMap<Wave, Polynomial> = FxHashMap::default();
        for (m, rest) in parts {
            for (wave, c) in self.circles.waves(&m)? {
                let total = totals.entry(wave.clone()).or_default();
                *total = total.plus(&rest, c, &self.work)?;
            }
        }
        let mut totals: Vec<(Wave, Polynomial)> =
            totals.into_iter().filter(|(_, p)| !p.is_zero()).collect();
        totals.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut sum = Polynomial::zero();
        for ((angle, is_sine), total) in &totals {
            let part = match angle.is_empty() {
                true => total.clone(),
                false => {
                    let (g, negative) = self.wave_generator(angle, *is_sine)?;
                    let sign = Rational::integer(if negative { -1 } else { 1 });
                    total.shifted(&Monomial::power(g, 1), &sign)?
                }
            };
            sum = sum.plus(&part, &Rational::ONE, &self.work)?;
        }
        let single = self.in_one_angle(&totals)?;
        Ok(Some((sum, single)))
    }

    /// The generator of a wave, and whether its sign is the other one.
    fn wave_generator(
        &mut self,
        angle: &Angle,
        is_sine: bool,
    ) -> Result<(GeneratorId, bool), Outside> {
        let mut total = Polynomial::zero();
        for &(atom, n) in angle {
            let atom = &self.field.angles.atoms[usize::from(atom)].angle;
            total = total.plus(atom, &Rational::integer(i64::from(n)), &self.work)?;
        }
        // sin(b − a) is −sin(a − b): what comes first is positive.
        let negative = total.leading().is_some_and(|(_, c)| c.is_negative());
        if negative {
            total = total.negated();
        }
        let kind = if is_sine {
            GeneratorKind::Sin(total)
        } else {
            GeneratorKind::Cos(total)
        };
        Ok((self.extra(kind)?, negative && is_sine))
    }

    /// If all angles are multiples of one: a polynomial in its sine and cosine.
    fn in_one_angle(
        &mut self,
        totals: &[(Wave, Polynomial)],
    ) -> Result<Option<Polynomial>, Outside> {
        let angles = || {
            totals
                .iter()
                .map(|((angle, _), _)| angle)
                .filter(|a| !a.is_empty())
        };
        let Some(first) = angles().next() else {
            return Ok(None);
        };
        if first.len() < 2 {
            return Ok(None);
        }
        let unit: Angle = first
            .iter()
            .map(|&(a, n)| (a, n / content(first)))
            .collect();
        let multiple = |angle: &Angle| -> Option<i16> {
            let n = angle.first()?.1 / unit.first()?.1;
            let same = angle.len() == unit.len()
                && angle
                    .iter()
                    .zip(&unit)
                    .all(|(&(a, x), &(b, y))| a == b && x == n * y);
            same.then_some(n)
        };
        if angles().any(|angle| multiple(angle).is_none_or(|n| n > 4)) {
            return Ok(None);
        }
        let (sin, minus) = self.wave_generator(&unit, true)?;
        let (cos, _) = self.wave_generator(&unit, false)?;
        let sine = Polynomial::generator(sin);
        let sine = if minus { sine.negated() } else { sine };
        let one = (sine, Polynomial::generator(cos));
        let mut sum = Polynomial::zero();
        for ((angle, is_sine), total) in totals {
            let mut value = (Polynomial::zero(), Polynomial::one());
            for _ in 0..multiple(angle).unwrap_or(0) {
                value = self.turned(&value, &one, sin, cos)?;
            }
            let wave = if *is_sine { value.0 } else { value.1 };
            let part = total.times(&wave, &self.work)?;
            sum = sum.plus(&part, &Rational::ONE, &self.work)?;
        }
        Ok(Some(sum))
    }

    /// Sine and cosine of a sum, cos² being 1 − sin².
    fn turned(
        &self,
        (sa, ca): &(Polynomial, Polynomial),
        (sb, cb): &(Polynomial, Polynomial),
        sin: GeneratorId,
        cos: GeneratorId,
    ) -> Result<(Polynomial, Polynomial), Outside> {
        let work = &self.work;
        let one = Rational::ONE;
        let sine = sa.times(cb, work)?.plus(&ca.times(sb, work)?, &one, work)?;
        let cosine =
            ca.times(cb, work)?
                .plus(&sa.times(sb, work)?, &Rational::integer(-1), work)?;
        Ok((
            self.exchanged(sine, cos, sin)?,
            self.exchanged(cosine, cos, sin)?,
        ))
    }

    /// p with 1 − h² in place of g².
    fn exchanged(
        &self,
        p: Polynomial,
        g: GeneratorId,
        h: GeneratorId,
    ) -> Result<Polynomial, Outside> {
        let square = Polynomial::term(Monomial::power(h, 2), Rational::integer(-1));
        let image = square.plus(&Polynomial::one(), &Rational::ONE, &self.work)?;
        p.rewritten(g, 2, &image, &self.work)
    }

    /// With 1 − cos² for sin² wherever that has fewer terms.
    fn with_other_squares(&self, p: &Polynomial) -> Result<Polynomial, Outside> {
        let mut best = p.clone();
        for g in p.generators() {
            if p.degree(g) >= 2
                && let Some(cos) = self.partner(g)
            {
                let other = self.exchanged(best.clone(), g, cos)?;
                if other.len() < best.len() {
                    best = other;
                }
            }
        }
        Ok(best)
    }
}
