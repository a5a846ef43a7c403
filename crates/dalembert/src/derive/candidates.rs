//! All formulations of a system, and the choice among them.

use super::algebra::Algebra;
use super::definitions::unknown_name;
use super::derived::{COMPARED, Derived, chosen, derived};
use super::divisors::{Signs, zero_at_start};
use super::equation::{Tidy, written};
use super::form::Form;
use super::identities::{self, Verdict};
use super::named_parts::{Lowered, Reason};
use super::page::Equation;
use super::reduction::Reduction;
use super::refusal::{Missing, contradicted, too_large, undefined};
use super::result::{Derivation, length};
use super::route::Raw;
use super::samples::{Agreement, Contradicted, Samples};
use super::work::Work;
use super::{DeriveOptions, named_parts};
use dalembert_expr::SymbolId;
use dalembert_expr::normal::{Fraction, GeneratorId, Outside};
use dalembert_expr::print::{Format, Options, print};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::lower::System;
use dalembert_symbolic::matrix::{Entries, Matrix};

/// Work for a formulation that was asked for by name, in products of terms.
const ASKED: u64 = 5_000_000;
/// Derived equations of more than so many times the terms of the shortest, and some more, are not written to be compared.
const LONGER: usize = 4;
const SOME: usize = 60;

/// A formulation with its equations as they are printed.
pub(super) struct Candidate {
    pub(super) derived: Derived,
    pub(super) printed: Vec<Equation>,
    pub(super) tidy: Vec<Tidy>,
    /// Accelerations and multipliers.
    unknowns: Vec<SymbolId>,
    /// How long the equations are.
    length: usize,
    /// Whether they say less at the start than elsewhere: they divide by zero there, or were multiplied by it.
    pub(super) singular: bool,
}

impl Candidate {
    /// Whether its equations are so long that they cannot be written without names for their parts.
    fn needs_names(&self, work: &Work) -> bool {
        let sides = Equation::sides(&self.printed);
        let printed = print(&work.algebra.graph, &sides, &Options::new(Format::Latex));
        !printed.definitions.is_empty()
    }
}

pub(super) fn derive(
    mechanism: &Mechanism,
    options: &DeriveOptions,
) -> Result<Derivation, Vec<Diagnostic>> {
    let (model, system) = (&mechanism.model, &mechanism.system);
    let chosen = chosen(model, &options.independent).map_err(|refused| vec![refused])?;
    if let Some(refused) = too_large(system) {
        return Err(vec![refused]);
    }
    let signs = Signs::of(model, system);
    let mut algebra = Algebra::new(system.graph.clone(), system.symbols.rates.clone());
    algebra.allow(ASKED);
    algebra.samples = Samples::of(mechanism, &mut algebra.graph);
    let mut work = match Work::new(algebra, model, system, signs) {
        Ok(work) => work,
        Err(refused) => {
            let (outside, algebra) = *refused;
            return named_parts::derive(model, system, algebra, outside, options);
        }
    };
    work.paradoxical = is_paradoxical(&mut work);
    let wanted = match (options.form, &chosen) {
        (None, Some(_)) => Some(Form::Independent),
        (form, _) => form,
    };
    let mut found: Vec<Derived> = Vec::new();
    let mut missing: Vec<(Form, Missing)> = Vec::new();
    for form in Form::ALL {
        let steps = if wanted == Some(form) {
            ASKED
        } else {
            COMPARED
        };
        work.algebra.allow(steps);
        match derived(&mut work, form, chosen.as_ref()) {
            Ok(derived) => found.extend(derived),
            Err(reason) => missing.push((form, reason)),
        }
    }
    let mut proofs = proofs(&mut work, &mut found, &mut missing);
    for (form, reason) in &missing {
        proofs.not_proved.push((*form, reason.reason(&system.rows)));
    }
    found.retain(|it| wanted.is_none_or(|wanted| wanted == it.form));
    if let (Some(form), true) = (wanted, found.is_empty())
        && let Some((_, reason)) = missing.iter().find(|it| it.0 == form)
    {
        return Err(vec![reason.diagnostic(form, &system.rows)]);
    }
    for derived in &mut found {
        let says_something = |raw: &Raw| !raw.left.is_zero() || !raw.right.is_zero();
        derived.route.equations.retain(says_something);
    }
    without_repetitions(&mut found);
    let best = shortest(&mut work, found);
    work.algebra.allow(COMPARED);
    let Some(best) = best else {
        let (outside, algebra) = (Outside::TooLarge, work.algebra);
        return named_parts::derive(model, system, algebra, outside, options);
    };
    // Without constraints, several formulations are the equations as they were lowered.
    let free = system.rows.is_empty() && system.speeds.is_none();
    let as_lowered = |form: Form| match form {
        Form::Multipliers => true,
        Form::Projection | Form::Complement | Form::Independent => free,
        Form::UdwadiaKalaba | Form::Lagrange => false,
    };
    // As they were lowered they are in rates, which are not free where coordinates obey identities.
    let in_rates = system.identities() == 0 && wanted.is_none_or(as_lowered);
    if in_rates && best.needs_names(&work) {
        let lowered = Lowered::of(&mut work.algebra, system);
        let length = lowered.length(&work.algebra.graph);
        if length < best.length {
            let why = Reason::Longer(best.length.div_ceil(length.max(1)));
            let form = wanted.unwrap_or(Form::Multipliers);
            return lowered.page(model, system, work.algebra, (form, &why), options);
        }
    }
    if let Verdict::Not(why) = is_printed(&mut work, &best) {
        let agreement = agreement(&work, &best.derived.route.equations);
        let agreement = agreement.ok().flatten();
        proofs.withdraw(best.derived.form, agreement, why);
    }
    work.algebra.allow(COMPARED);
    let (page, samples) = super::finish::finish(work, best, proofs, options);
    checked(page, system, samples.as_ref())
}

/// The formulation with the shortest equations, of those that say as much at the start as elsewhere if there are any.
fn shortest(work: &mut Work, found: Vec<Derived>) -> Option<Candidate> {
    let least = found.iter().map(Derived::terms).min().unwrap_or(0);
    let is_short = |it: &Derived| it.terms() <= LONGER * least + SOME;
    let (short, long): (Vec<Derived>, Vec<Derived>) = found.into_iter().partition(is_short);
    let mut best: Option<Candidate> = None;
    for list in [short, long] {
        // Long equations only where short ones say nothing about the start.
        if best.as_ref().is_some_and(|best| !best.singular) {
            break;
        }
        for derived in list {
            work.algebra.allow(ASKED);
            let merit = |it: &Candidate| (it.singular, it.length);
            if let Ok(candidate) = candidate(work, derived)
                && best
                    .as_ref()
                    .is_none_or(|best| merit(&candidate) < merit(best))
            {
                best = Some(candidate);
            }
        }
    }
    best
}

/// A page that defines every name it uses, and that no numbers contradict.
pub(super) fn checked(
    page: Derivation,
    system: &System,
    samples: Option<&Samples>,
) -> Result<Derivation, Vec<Diagnostic>> {
    if let Some(name) = unknown_name(&page, system) {
        return Err(vec![undefined(page.form, &name)]);
    }
    match samples.and_then(|samples| samples.contradiction(&page)) {
        None => Ok(page),
        Some(found) => Err(vec![contradicted(&page, &found)]),
    }
}

/// Drops formulations that say in the same words, without other kinematics, what one before them says.
fn without_repetitions(found: &mut Vec<Derived>) {
    let simple = |it: &Derived| {
        let reduction = it.reduction.as_ref();
        reduction.is_none_or(Reduction::is_trivial)
    };
    let mut kept: Vec<Derived> = Vec::new();
    for derived in found.drain(..) {
        let same = |other: &Derived| {
            other.route.equations == derived.route.equations
                && other.canonical.speed_rates == derived.canonical.speed_rates
        };
        let repeats = simple(&derived) && kept.iter().any(|other| simple(other) && same(other));
        if !repeats {
            kept.push(derived);
        }
    }
    *found = kept;
}

/// What was proved, what agrees with numbers only, and what neither, and why.
#[derive(Default)]
pub(super) struct Proofs {
    pub(super) proved: Vec<Form>,
    pub(super) agree: Vec<(Form, Agreement)>,
    pub(super) not_proved: Vec<(Form, String)>,
}

impl Proofs {
    /// A formulation that was not proved: numbers may agree with it all the same.
    fn withdraw(&mut self, form: Form, agreement: Option<Agreement>, why: String) {
        self.proved.retain(|&proved| proved != form);
        self.agree.retain(|&(agreed, _)| agreed != form);
        self.not_proved.retain(|(not, _)| *not != form);
        match agreement {
            Some(agreement) => self.agree.push((form, agreement)),
            None => self.not_proved.push((form, why)),
        }
    }
}

fn proofs(work: &mut Work, found: &mut Vec<Derived>, missing: &mut Vec<(Form, Missing)>) -> Proofs {
    let mut proofs = Proofs::default();
    work.algebra.allow(COMPARED);
    let states = work.algebra.samples.as_ref().map_or(0, Samples::count);
    let regular = match work.paradoxical {
        // What all formulations keep is the equations of the multipliers.
        true => Ok(true),
        false => identities::is_regular(work),
    };
    found.retain(|derived| {
        work.algebra.allow(COMPARED);
        let verdict = match regular {
            _ if states == 0 => Verdict::Not("no state is known that meets the rows".to_owned()),
            Ok(true) => Verdict::of(identities(work, derived)),
            Ok(false) => Verdict::Not("the accelerations are not unique".to_owned()),
            Err(outside) => Verdict::of(Err(outside)),
        };
        let form = derived.form;
        match verdict {
            Verdict::Proved if proofs.proved.last() == Some(&form) => {}
            Verdict::Proved => proofs.proved.push(form),
            Verdict::Not(why) => match agreement(work, &derived.route.equations) {
                Ok(agreement) => proofs.withdraw(form, agreement, why),
                Err(Contradicted) => {
                    missing.push((form, Missing::Contradicted));
                    return false;
                }
            },
        }
        true
    });
    proofs
}

/// How well equations agree with the numbers at states that meet the rows; nothing where there are none.
fn agreement(work: &Work, equations: &[Raw]) -> Result<Option<Agreement>, Contradicted> {
    let Some(samples) = &work.algebra.samples else {
        return Ok(None);
    };
    let sides = equations.iter().map(|raw| (&raw.left, &raw.right));
    let sides: Vec<(&Fraction, &Fraction)> = sides.collect();
    samples.agreement(&work.algebra.field, &sides)
}

/// The identities that show what a formulation says: see `prove.rs`.
fn identities(work: &mut Work, derived: &Derived) -> Result<bool, Outside> {
    let route = &derived.route;
    match derived.form {
        Form::Multipliers => Ok(true),
        Form::UdwadiaKalaba => {
            let sides = route.equations.iter();
            let accelerations: Vec<_> = sides.map(|raw| raw.right.clone()).collect();
            identities::explicit(work, &accelerations)
        }
        Form::Projection | Form::Complement => match &route.tangent {
            Some(tangent) => identities::tangent(work, tangent),
            None => Ok(false),
        },
        Form::Independent => match &derived.reduction {
            Some(reduction) => identities::independent(&work.algebra, reduction),
            None => Ok(false),
        },
        Form::Lagrange => identities::lagrange(work, route),
    }
}

/// Whether what is printed is what was derived.
fn is_printed(work: &mut Work, candidate: &Candidate) -> Verdict {
    let factors: Vec<&Fraction> = candidate.tidy.iter().map(|it| &it.factor).collect();
    let is_unknown = |symbol| candidate.unknowns.contains(&symbol);
    if factors
        .iter()
        .any(|factor| work.algebra.holds(factor, is_unknown))
    {
        return Verdict::of(Ok(false));
    }
    let equations = &candidate.derived.route.equations;
    let printed = &candidate.printed;
    Verdict::of(identities::is_printed(
        &mut work.algebra,
        equations,
        &factors,
        printed,
    ))
}

/// Whether rows that are independent at one state depend on each other at another: what solves them is right at one only.
fn is_paradoxical(work: &mut Work) -> bool {
    let Ok((kept, _)) = work.pivots() else {
        return false;
    };
    let samples = work.algebra.samples.as_ref();
    samples.is_some_and(|samples| !samples.has_rank(kept.len()))
}

/// Writes a formulation's equations, none of them twice.
fn candidate(work: &mut Work, mut derived: Derived) -> Result<Candidate, Outside> {
    let accelerations = derived.canonical.speed_rates.iter();
    let unknowns: Vec<SymbolId> = accelerations.chain(&work.multipliers).copied().collect();
    let mut tidy = Vec::new();
    let mut said = vec![Fraction::zero()];
    for raw in std::mem::take(&mut derived.route.equations) {
        let it = Tidy::of(&mut work.algebra, &raw, &unknowns)?;
        let field = &work.algebra.field;
        let residual = field.sub(&it.sides.left, &it.sides.right)?;
        if !said.contains(&residual) && !said.contains(&field.neg(&residual)) {
            said.push(residual);
            tidy.push(it);
            derived.route.equations.push(raw);
        }
    }
    let printed = written(&mut work.algebra, &mut tidy, &unknowns);
    let reduction = derived.reduction.as_ref();
    let named = derived.named.as_ref();
    let mut further = super::finish::kinematics(work, &derived.canonical, reduction, named);
    if let Some(reduction) = reduction {
        further.extend(super::finish::dependent(work, reduction, named));
        further.extend(super::finish::defined(work, named));
    }
    let graph = &work.algebra.graph;
    let length = length(graph, printed.iter()) + length(graph, further.iter());
    let Work { algebra, signs, .. } = work;
    let singular = says_less_at_start(algebra, &tidy, &unknowns);
    let sides = Equation::sides(printed.iter().chain(&further));
    let singular = singular || !zero_at_start(algebra, signs, &sides).is_empty();
    Ok(Candidate {
        // A tenth more is as easy to read.
        length: if derived.pivoted {
            length - length / 10
        } else {
            length
        },
        derived,
        printed,
        tidy,
        unknowns,
        singular,
    })
}

/// Whether equations determine less of their unknowns at the start than elsewhere.
fn says_less_at_start(algebra: &mut Algebra, tidy: &[Tidy], unknowns: &[SymbolId]) -> bool {
    let generators: Result<Vec<GeneratorId>, Outside> = unknowns
        .iter()
        .map(|&unknown| algebra.field.symbol(unknown))
        .collect();
    let Ok(generators) = generators else {
        return false;
    };
    let mut rows = Vec::new();
    for it in tidy {
        let mut row = Entries::new();
        for (side, sign) in [(&it.sides.left, 1), (&it.sides.right, -1)] {
            let parts = algebra.field.coefficients(side, &generators);
            for (exponents, part) in parts.into_iter().flatten() {
                let place = exponents.iter().position(|&power| power > 0);
                let linear = exponents.iter().sum::<u16>() == 1;
                if let Some(place) = place.filter(|_| linear) {
                    let part = algebra.field.mul(&part, &Fraction::number(sign));
                    let entry = row.entry(place).or_insert_with(Fraction::zero);
                    let sum = part.and_then(|part| algebra.field.add(entry, &part));
                    *entry = sum.unwrap_or_else(|_| Fraction::zero());
                }
            }
        }
        rows.push(row);
    }
    let matrix = Matrix::from_rows(unknowns.len(), rows);
    let samples = algebra.samples.as_ref();
    samples.is_some_and(|it| it.loses_rank(&algebra.field, &matrix))
}
