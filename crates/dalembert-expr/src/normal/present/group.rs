//! Grouping: which terms are written together.

use super::super::divisor::of_all;
use super::super::monomial::Monomial;
use super::super::{GeneratorId, Polynomial, Work};
use super::factor::factors;
use super::form::{Factor, Form, Term};
use super::{MAX_DEPTH, MAX_TERMS, Presenter};
use crate::rational::Rational;

/// Larger numbers are not taken out of a sum.
const MAX_CONTENT: i64 = 99;
/// A form without parentheses may be this many characters longer.
const DISTRIBUTED: u64 = 4;

impl Presenter<'_> {
    /// Collected by the groups from `level` on; what has none of a group comes after what has.
    pub(super) fn collected(&mut self, p: &Polynomial, level: usize) -> Form {
        let Some(group) = self.groups.get(level).cloned() else {
            return self.best(p);
        };
        let (with, without): (Vec<_>, Vec<_>) = p
            .terms
            .iter()
            .cloned()
            .partition(|(m, _)| m.powers().any(|(g, _)| group.contains(&g)));
        let (with, without) = (Polynomial { terms: with }, Polynomial { terms: without });
        if with.is_zero() {
            return self.collected(p, level + 1);
        }
        let mut form = self.by_group(&with, &group, level);
        // Accelerations and multipliers stand outside of parentheses, however long that is; products of rates need not.
        let degree = |m: &Monomial| -> u32 {
            let inside = m.powers().filter(|(g, _)| group.contains(g));
            inside.map(|(_, n)| u32::from(n)).sum()
        };
        if level > 0 || with.terms.iter().any(|(m, _)| degree(m) > 1) {
            let free = self.best(&with);
            form = self.shorter(form, free);
        }
        if !without.is_zero() {
            let rest = self.collected(&without, level + 1);
            let rest = self.distributed(rest);
            form.terms.extend(rest.terms);
        }
        form
    }

    /// g (a sin x + b) beside other terms is g a sin x + g b, if g is short; k (x − l) stays.
    fn distributed(&self, form: Form) -> Form {
        let [term] = &*form.terms else {
            return form;
        };
        let mut sums = term
            .factors
            .iter()
            .filter(|(f, _)| matches!(f, Factor::Sum(_)));
        let (Some((Factor::Sum(sum), 1)), None) = (sums.next(), sums.next()) else {
            return form;
        };
        let mut inside = sum.terms.iter().flat_map(|term| &term.factors);
        if !inside.any(|(f, _)| matches!(f, Factor::Generator(g) if self.is_function(*g))) {
            return form;
        }
        let mut result = Form::zero();
        for part in &sum.terms {
            let mut product = part.clone();
            let Some(c) = product.coefficient.checked_mul(&term.coefficient) else {
                return form;
            };
            product.coefficient = c;
            let plain = term.factors.iter();
            let plain = plain.filter(|(f, _)| matches!(f, Factor::Generator(_)));
            product.factors.extend(plain.cloned());
            result.terms.push(product);
        }
        match self.widths.form(&result) <= self.widths.form(&form) + DISTRIBUTED {
            true => result,
            false => form,
        }
    }

    fn shorter(&self, a: Form, b: Form) -> Form {
        if self.widths.form(&b) < self.widths.form(&a) {
            b
        } else {
            a
        }
    }

    /// Every term of `p` has something of the group.
    fn by_group(&mut self, p: &Polynomial, group: &[GeneratorId], level: usize) -> Form {
        // An author writes m l² x'' + m g l, not m l (l x'' + g): the first group keeps its factors.
        let (content, common) = match level {
            0 => (Rational::ONE, Monomial::one()),
            _ => (content(p), p.common_monomial()),
        };
        let Ok(p) = p.without_factor(&common, &content) else {
            return expanded(p);
        };
        let mut front = Term::monomial(&common, content);
        let mut parts = p.collected(|g| group.contains(&g));
        // What all coefficients have in common stands in front.
        if let Some((common, quotients)) = self.common_factor(&parts) {
            let form = self.collected(&common, level + 1);
            front.multiply(form, 1);
            parts = quotients;
        }
        let mut sum = Form::zero();
        for (m, coefficient) in &parts {
            let form = self.collected(coefficient, level + 1);
            let mut term = Term::monomial(m, Rational::ONE);
            term.multiply(form, 1);
            sum.terms.push(term);
        }
        finish(front, sum)
    }

    /// A sum that divides all coefficients, and the quotients.
    fn common_factor(
        &self,
        parts: &[(Monomial, Polynomial)],
    ) -> Option<(Polynomial, Vec<(Monomial, Polynomial)>)> {
        if parts.len() < 2 || parts.iter().map(|(_, p)| p.len()).sum::<usize>() > MAX_TERMS {
            return None;
        }
        let coefficients: Vec<Polynomial> = parts.iter().map(|(_, p)| p.clone()).collect();
        let common = self.attempt(200_000, |work| of_all(&coefficients, work));
        let common = common.ok()?;
        let common = common
            .without_factor(&common.common_monomial(), &Rational::ONE)
            .ok()
            .filter(|common| common.len() > 1)?;
        let quotient = |(m, p): &(Monomial, Polynomial)| {
            let quotient = p.exact_quotient(&common, &self.work).ok().flatten()?;
            Some((m.clone(), quotient))
        };
        let quotients = parts.iter().map(quotient).collect::<Option<Vec<_>>>()?;
        Some((common, quotients))
    }

    /// The shortest form found, whatever it is collected by.
    pub(super) fn best(&mut self, p: &Polynomial) -> Form {
        if p.len() < 2 || p.len() > MAX_TERMS {
            return expanded(p);
        }
        if let Some(known) = self.known_best.get(p) {
            return known.clone();
        }
        let mut best: Option<(u64, Form)> = None;
        for variant in self.variants(p) {
            let form = self.structured(&variant);
            let width = self.widths.form(&form);
            if best.as_ref().is_none_or(|(least, _)| width < *least) {
                best = Some((width, form));
            }
        }
        let form = best.map_or_else(|| expanded(p), |(_, form)| form);
        self.known_best.insert(p.clone(), form.clone());
        form
    }

    /// Runs an attempt with a bounded part of the work that is left, and charges it.
    fn attempt<T>(&self, steps: u64, attempt: impl FnOnce(&Work) -> T) -> T {
        let part = self.work.part(steps);
        let before = part.left();
        let result = attempt(&part);
        // Where no work is left after it, the next attempt says so.
        let _ = self.work.settle(before, &part);
        result
    }

    /// Factored, and each factor grouped.
    fn structured(&mut self, p: &Polynomial) -> Form {
        if let Some(known) = self.known.get(p) {
            return known.clone();
        }
        let form = self.factored(p);
        self.known.insert(p.clone(), form.clone());
        form
    }

    fn factored(&mut self, p: &Polynomial) -> Form {
        let (content, common) = (content(p), p.common_monomial());
        let Ok(rest) = p.without_factor(&common, &content) else {
            return expanded(p);
        };
        let mut front = Term::monomial(&common, content);
        if rest.len() < 2 {
            front.multiply(expanded(&rest), 1);
            return Form::of(front);
        }
        let free = |g: GeneratorId| !self.is_function(g);
        let found = self.attempt(400_000, |work| factors(&rest, free, work));
        if let [(factor, 1)] = &*found {
            let sum = self.sum(factor);
            return finish(front, sum);
        }
        for (factor, n) in found {
            let form = self.sum(&factor);
            front.multiply(form, i32::from(n));
        }
        Form::of(front)
    }

    /// A sum without common factors, grouped one way or the other.
    fn sum(&mut self, p: &Polynomial) -> Form {
        if self.depth >= MAX_DEPTH || self.work.spend(8 * p.len()).is_err() {
            return expanded(p);
        }
        self.depth += 1;
        let form = self.grouped(p);
        self.depth -= 1;
        form
    }

    fn grouped(&mut self, p: &Polynomial) -> Form {
        let mut best = self.greedy(p);
        let functions = p
            .generators()
            .iter()
            .filter(|&&g| self.is_function(g))
            .count();
        if p.len() < 3 || functions == 0 || functions == p.generators().len() {
            return best;
        }
        for by_functions in [true, false] {
            let form = self.by_kind(p, by_functions);
            best = self.shorter(best, form);
        }
        best
    }

    /// Products of functions with their coefficients, or the other way round; what has the same
    /// coefficient, but for a number, stands together.
    fn by_kind(&mut self, p: &Polynomial, by_functions: bool) -> Form {
        let parts = p.collected(|g| self.is_function(g) == by_functions);
        let mut classes: Vec<(Polynomial, Polynomial)> = Vec::new();
        for (m, coefficient) in parts {
            let content = coefficient.content();
            let Ok(primitive) = coefficient.without_factor(&Monomial::one(), &content) else {
                return expanded(p);
            };
            match classes.iter_mut().find(|(known, _)| *known == primitive) {
                // Parts come in descending order.
                Some((_, sum)) => sum.terms.push((m, content)),
                None => classes.push((primitive, Polynomial::term(m, content))),
            }
        }
        let mut sum = Form::zero();
        for (coefficient, shared) in classes {
            let key = shared.leading().zip(coefficient.leading());
            let key = key.and_then(|((a, _), (b, _))| a.times(b).ok());
            let mut term = Term::number(Rational::ONE);
            term.key = key.unwrap_or_default();
            for part in [&coefficient, &shared] {
                let form = match part.len() {
                    1 => expanded(part),
                    _ if part.generators().iter().all(|&g| self.is_function(g)) => self.best(part),
                    _ => self.structured(part),
                };
                term.multiply(form, 1);
            }
            sum.terms.push(term);
        }
        sum.sort();
        sum
    }

    /// Again and again the monomial that saves most is taken out of the terms that have it.
    fn greedy(&mut self, p: &Polynomial) -> Form {
        let mut rest = p.clone();
        let mut sum = Form::zero();
        while rest.len() > 2 || (rest.len() == 2 && !sum.terms.is_empty()) {
            let Some(g) = self.most_shared(&rest, !sum.terms.is_empty()) else {
                break;
            };
            let (inside, outside): (Vec<_>, Vec<_>) =
                rest.terms.into_iter().partition(|(m, _)| m.exponent(g) > 0);
            rest = Polynomial { terms: outside };
            let inside = Polynomial { terms: inside };
            let key = inside.leading().map(|(m, _)| m.clone());
            let mut term = Term::number(Rational::ONE);
            let form = self.structured(&inside);
            term.multiply(form, 1);
            term.key = key.unwrap_or_default();
            sum.terms.push(term);
        }
        sum.terms.extend(expanded(&rest).terms);
        sum.sort();
        sum
    }

    /// The generator whose terms have most in common, if anything is saved; `all` terms may have it if
    /// they are only a part.
    fn most_shared(&self, p: &Polynomial, all: bool) -> Option<GeneratorId> {
        let mut best: Option<(u64, GeneratorId)> = None;
        let generators = p.generators();
        self.work.spend(generators.len() * p.len() / 16).ok()?;
        for g in generators {
            let mut with = p.terms.iter().map(|(m, _)| m).filter(|m| m.exponent(g) > 0);
            let mut common = with.next()?.clone();
            let mut count = 1;
            for m in with {
                common = common.common(m);
                count += 1;
            }
            if count == 1 || (count == p.len() && !all) {
                continue;
            }
            let saved = (count as u64 - 1) * self.widths.monomial(&common);
            if saved > 2 && best.is_none_or(|(most, _)| saved > most) {
                best = Some((saved, g));
            }
        }
        best.map(|(_, g)| g)
    }
}

/// The number that all coefficients have in common, if it is one that an author would take out: not the
/// 10⁻⁹ of 0.001 and 0.000001.
fn content(p: &Polynomial) -> Rational {
    let content = p.content();
    let short = content.as_small();
    if short.is_some_and(|(n, d)| n.abs() <= MAX_CONTENT && d <= MAX_CONTENT) {
        return content;
    }
    Rational::integer(if content.is_negative() { -1 } else { 1 })
}

/// front · sum, the front being a number or nothing if it can go into the terms.
fn finish(front: Term, sum: Form) -> Form {
    let sign = front.coefficient.clone();
    if front.factors.is_empty() && sign.abs().is_one() {
        let mut sum = sum;
        if sign.is_negative() {
            for term in &mut sum.terms {
                term.coefficient = term.coefficient.negated();
            }
        }
        return sum;
    }
    let mut front = front;
    front.multiply(sum, 1);
    Form::of(front)
}

/// Term by term.
fn expanded(p: &Polynomial) -> Form {
    let terms = p.terms.iter();
    Form {
        terms: terms.map(|(m, c)| Term::monomial(m, c.clone())).collect(),
    }
}
