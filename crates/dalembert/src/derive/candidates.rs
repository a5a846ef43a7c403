//! All formulations of a system, and the choice among them.

use super::algebra::Algebra;
use super::canonical::Canonical;
use super::document::Equation;
use super::equation::Tidy;
use super::form::Form;
use super::prove::{self, Verdict};
use super::reduction::{Reduction, reduce_speeds};
use super::refusal::{Missing, unknown_name};
use super::result::{Derivation, length};
use super::route::Route;
use super::work::Work;
use super::{
    DeriveOptions, complement, independent, lagrange, multipliers, projection, shared,
    udwadia_kalaba,
};
use dalembert_expr::SymbolId;
use dalembert_expr::normal::{Fraction, Limits, Outside};
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::lower::System;
use dalembert_mechanics::model::Model;

/// Work for one formulation that was asked for by name, in products of terms.
const ASKED: u64 = 5_000_000;
/// Work for one of several that are compared.
const COMPARED: u64 = 300_000;

/// A formulation with its equations.
pub(super) struct Candidate {
    pub(super) form: Form,
    pub(super) route: Route,
    pub(super) tidy: Vec<Tidy>,
    pub(super) printed: Vec<Equation>,
    /// Accelerations and multipliers.
    unknowns: Vec<SymbolId>,
    /// The dependent speeds, in [`Form::Independent`].
    pub(super) reduction: Option<Reduction>,
    /// How long the equations are.
    pub(super) length: usize,
}

/// Independent speeds that the user chose.
enum Chosen {
    /// Rates of coordinates, by index.
    Rates(Vec<usize>),
    /// Quasi-velocities, by index.
    Speeds(Vec<usize>),
}

pub(super) fn derive(
    model: &Model,
    mut system: System,
    options: &DeriveOptions,
) -> Result<Derivation, Vec<Diagnostic>> {
    let chosen = chosen(model, &options.independent).map_err(|refused| vec![refused])?;
    let mut algebra = Algebra::new(
        std::mem::take(&mut system.graph),
        system.symbols.rates.clone(),
    );
    allow(&mut algebra, ASKED);
    let mut work = match Work::new(algebra, model, &system) {
        Ok(work) => work,
        Err((outside, algebra)) => {
            return shared::derive(model, &system, algebra, outside, options);
        }
    };
    let wanted = match (options.form, &chosen) {
        (None, Some(_)) => Some(Form::Independent),
        (form, _) => form,
    };
    let mut found: Vec<Candidate> = Vec::new();
    let mut missing: Vec<(Form, Missing)> = Vec::new();
    for form in Form::ALL {
        let steps = if wanted == Some(form) { ASKED } else { COMPARED };
        allow(&mut work.algebra, steps);
        match candidate(&mut work, form, chosen.as_ref()) {
            Ok(candidate) => found.push(candidate),
            Err(reason) => missing.push((form, reason)),
        }
    }
    if let Some(wanted) = wanted
        && let Some((form, reason)) = missing.iter().find(|(form, _)| *form == wanted)
    {
        return Err(vec![reason.diagnostic(*form, &system.rows)]);
    }
    let mut proved = Vec::new();
    let mut not_proved = Vec::new();
    allow(&mut work.algebra, COMPARED);
    let regular = prove::is_regular(&mut work);
    for candidate in &found {
        allow(&mut work.algebra, COMPARED);
        let verdict = match regular {
            Ok(true) => verdict(&mut work, candidate),
            Ok(false) => Verdict::Not("the accelerations are not unique".to_owned()),
            Err(outside) => Verdict::of(Err(outside)),
        };
        match verdict {
            Verdict::Proved => proved.push(candidate.form),
            Verdict::Not(why) => not_proved.push((candidate.form, why)),
        }
    }
    for (form, reason) in &missing {
        not_proved.push((*form, reason.reason(&system.rows)));
    }
    let best = found
        .into_iter()
        .filter(|candidate| wanted.is_none_or(|wanted| wanted == candidate.form))
        .min_by_key(|candidate| candidate.length);
    allow(&mut work.algebra, COMPARED);
    match best {
        Some(best) => Ok(super::page::finish(work, best, (proved, not_proved), options)),
        None => {
            let (outside, algebra) = (Outside::TooLarge, work.algebra);
            shared::derive(model, &system, algebra, outside, options)
        }
    }
}

fn allow(algebra: &mut Algebra, steps: u64) {
    algebra.field.set_limits(Limits {
        steps,
        ..Limits::default()
    });
}

/// What the names in `--independent` stand for.
fn chosen(model: &Model, names: &[String]) -> Result<Option<Chosen>, Diagnostic> {
    if names.is_empty() {
        return Ok(None);
    }
    let speed = |name: &String| model.speeds.iter().position(|(it, _)| it.text == *name);
    let rate = |name: &String| {
        let name = name.strip_suffix('\'').unwrap_or(name);
        let mut coordinates = model.coordinates.iter();
        coordinates.position(|(it, _)| it.text == name)
    };
    let rates: Option<Vec<usize>> = names.iter().map(rate).collect();
    if let Some(rates) = rates {
        return Ok(Some(Chosen::Rates(rates)));
    }
    let speeds: Option<Vec<usize>> = names.iter().map(speed).collect();
    if let Some(speeds) = speeds {
        return Ok(Some(Chosen::Speeds(speeds)));
    }
    let known: Vec<String> = model
        .coordinates
        .iter()
        .map(|(name, _)| name.text.clone())
        .chain(model.speeds.iter().map(|(name, _)| name.text.clone()))
        .collect();
    let is_unknown = |name: &&String| rate(name).is_none() && speed(name).is_none();
    let unknown = names.iter().find(is_unknown).unwrap_or(&names[0]);
    Err(unknown_name(unknown, &known))
}

fn candidate(
    work: &mut Work,
    form: Form,
    chosen: Option<&Chosen>,
) -> Result<Candidate, Missing> {
    let system = work.system;
    if !matches!(form, Form::Multipliers | Form::Lagrange) && work.has_reactive_forces() {
        return Err(Missing::Reactive);
    }
    let projected = [Form::Projection, Form::Complement, Form::Independent];
    if projected.contains(&form) && !system.servo.is_empty() {
        return Err(Missing::Servo);
    }
    let route = match form {
        Form::Independent => return independent_candidate(work, chosen),
        Form::Multipliers => multipliers::route(work)?,
        Form::UdwadiaKalaba => udwadia_kalaba::route(work)?,
        Form::Projection => projection::route(work)?,
        Form::Complement => complement::route(work)?,
        Form::Lagrange if work.model.dynamics.is_some() => return Err(Missing::NoEnergies),
        Form::Lagrange => lagrange::route(work, system)?,
    };
    let canonical = match form {
        Form::Lagrange => &work.in_coordinates,
        _ => &work.in_speeds,
    };
    let unknowns = unknowns(work, canonical);
    let canonical = canonical.clone();
    let mut candidate = finish(work, form, route, &unknowns)?;
    let further = super::page::kinematics(work, &canonical, None);
    candidate.length += length(&work.algebra.graph, further.iter());
    Ok(candidate)
}

/// Accelerations and multipliers.
fn unknowns(work: &Work, canonical: &Canonical) -> Vec<SymbolId> {
    let accelerations = canonical.speed_rates.iter();
    accelerations.chain(&work.multipliers).copied().collect()
}

/// In rates and, where the model has quasi-velocities, in these; the shorter of the two.
fn independent_candidate(work: &mut Work, chosen: Option<&Chosen>) -> Result<Candidate, Missing> {
    let rates = match chosen {
        None => Some(None),
        Some(Chosen::Rates(rates)) => Some(Some(rates)),
        Some(Chosen::Speeds(_)) => None,
    };
    let speeds = match chosen {
        None => work.in_speeds.quasi.then_some(None),
        Some(Chosen::Speeds(speeds)) => Some(Some(speeds)),
        Some(Chosen::Rates(_)) => None,
    };
    let mut best: Result<Candidate, Missing> = Err(Missing::Outside(Outside::TooLarge));
    let tries = [
        rates.map(|choice| (work.in_coordinates.clone(), choice)),
        speeds.map(|choice| (work.in_speeds.clone(), choice)),
    ];
    for (canonical, choice) in tries.into_iter().flatten() {
        let choice = choice.map(Vec::as_slice);
        let found = in_independent_speeds(work, &canonical, choice);
        best = match (best, found) {
            (Ok(best), Ok(found)) if found.length < best.length => Ok(found),
            (Ok(best), _) => Ok(best),
            (Err(_), found) => found,
        };
    }
    best
}

fn in_independent_speeds(
    work: &mut Work,
    canonical: &Canonical,
    chosen: Option<&[usize]>,
) -> Result<Candidate, Missing> {
    let rows = &work.system.rows;
    let reduction = reduce_speeds(&mut work.algebra, canonical, rows, chosen)?;
    let route = independent::route(&mut work.algebra, &reduction)?;
    let mut candidate = finish(work, Form::Independent, route, &canonical.speed_rates)?;
    let mut further = super::page::dependent(work, &reduction);
    further.extend(super::page::kinematics(work, &reduction.on_surface, Some(&reduction)));
    candidate.length += length(&work.algebra.graph, further.iter());
    candidate.reduction = Some(reduction);
    Ok(candidate)
}

fn finish(
    work: &mut Work,
    form: Form,
    route: Route,
    unknowns: &[SymbolId],
) -> Result<Candidate, Outside> {
    let algebra = &mut work.algebra;
    let tidy = route
        .equations
        .iter()
        .map(|raw| Tidy::of(algebra, raw, unknowns))
        .collect::<Result<Vec<Tidy>, Outside>>()?;
    let sides: Vec<Fraction> = tidy
        .iter()
        .flat_map(|it| [it.sides.left.clone(), it.sides.right.clone()])
        .collect();
    let sides = algebra.readable(&sides, unknowns);
    let printed = Equation::all(&sides);
    Ok(Candidate {
        form,
        length: length(&algebra.graph, printed.iter()),
        route,
        tidy,
        printed,
        unknowns: unknowns.to_vec(),
        reduction: None,
    })
}

fn verdict(work: &mut Work, candidate: &Candidate) -> Verdict {
    let Candidate {
        route,
        tidy,
        printed,
        ..
    } = candidate;
    let factors: Vec<&Fraction> = tidy.iter().map(|it| &it.factor).collect();
    let mut found = prove::is_printed(&mut work.algebra, &route.equations, &factors, printed);
    let is_unknown = |symbol| candidate.unknowns.contains(&symbol);
    if factors.iter().any(|factor| work.algebra.holds(factor, is_unknown)) {
        found = Ok(false);
    }
    if found == Ok(true) {
        found = match candidate.form {
            Form::Multipliers => Ok(true),
            Form::UdwadiaKalaba => {
                let sides = route.equations.iter();
                let accelerations: Vec<_> = sides.map(|raw| raw.right.clone()).collect();
                prove::explicit(work, &accelerations)
            }
            Form::Projection | Form::Complement => match &route.tangent {
                Some(tangent) => prove::tangent(work, tangent),
                None => Ok(false),
            },
            Form::Independent => match &candidate.reduction {
                Some(reduction) => prove::independent(&work.algebra, reduction),
                None => Ok(false),
            },
            Form::Lagrange => prove::lagrange(work, route),
        };
    }
    Verdict::of(found)
}
