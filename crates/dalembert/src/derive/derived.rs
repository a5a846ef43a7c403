//! A system's equations in one form, as they are derived.

use super::canonical::Canonical;
use super::form::Form;
use super::named::Named;
use super::reduction::{Reduction, Unreduced, reduce_speeds};
use super::refusal::{Missing, mixed_choice, no_such_speed};
use super::route::Route;
use super::work::Work;
use super::{complement, independent, lagrange, multipliers, named, projection, udwadia_kalaba};
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::model::Model;

/// Work for one of several.
pub(super) const COMPARED: u64 = 300_000;
/// Equations in independent speeds of more terms are also derived with names.
const NAMED: usize = 150;

/// A formulation with its equations as they were derived.
pub(super) struct Derived {
    pub(super) form: Form,
    pub(super) route: Route,
    /// The problem it was derived from.
    pub(super) canonical: Canonical,
    /// Dependent speeds, in [`Form::Independent`].
    pub(super) reduction: Option<Reduction>,
    /// Names in the equations, where it has any.
    pub(super) named: Option<Named>,
    /// Whether the independent speeds are those that pivoting takes at the start.
    pub(super) pivoted: bool,
}

impl Derived {
    /// Terms of all sides.
    pub(super) fn terms(&self) -> usize {
        let equations = self.route.equations.iter();
        equations.map(|raw| raw.left.len() + raw.right.len()).sum()
    }
}

/// Independent speeds that the user chose.
pub(super) enum Chosen {
    /// Rates of coordinates, by index.
    Rates(Vec<usize>),
    /// Quasi-velocities, by index.
    Speeds(Vec<usize>),
}

/// What the names in `--independent` stand for.
pub(super) fn chosen(model: &Model, names: &[String]) -> Result<Option<Chosen>, Diagnostic> {
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
    let is_unknown = |name: &&String| rate(name).is_none() && speed(name).is_none();
    Err(match names.iter().find(is_unknown) {
        Some(unknown) => {
            let coordinates = model.coordinates.iter().map(|(name, _)| name);
            let known = coordinates.chain(model.speeds.iter().map(|(name, _)| name));
            let known: Vec<String> = known.map(|name| name.text.clone()).collect();
            no_such_speed(unknown, &known)
        }
        None => {
            let (rates, speeds): (Vec<String>, Vec<String>) =
                names.iter().cloned().partition(|name| rate(name).is_some());
            mixed_choice(&rates, &speeds)
        }
    })
}

/// The equations of motion in one form; in independent speeds there may be several.
pub(super) fn derived(
    work: &mut Work,
    form: Form,
    chosen: Option<&Chosen>,
) -> Result<Vec<Derived>, Missing> {
    let system = work.system;
    if !matches!(form, Form::Multipliers | Form::Lagrange) && work.has_reactive_forces() {
        return Err(Missing::Reactive);
    }
    if !matches!(form, Form::Multipliers | Form::Lagrange) && work.paradoxical {
        return Err(Missing::Unreduced(Unreduced::Paradoxical));
    }
    let projected = [Form::Projection, Form::Complement, Form::Independent];
    if projected.contains(&form) && !system.servo.is_empty() {
        return Err(Missing::Servo);
    }
    let route = match form {
        Form::Independent => return in_independent_speeds(work, chosen),
        Form::Multipliers => multipliers::route(work)?,
        Form::UdwadiaKalaba => udwadia_kalaba::route(work)?,
        Form::Projection => projection::route(work)?,
        Form::Complement => complement::route(work)?,
        Form::Lagrange if system.identities() > 0 => return Err(Missing::Identities),
        Form::Lagrange if work.model.dynamics.is_some() => return Err(Missing::NoEnergies),
        Form::Lagrange => lagrange::route(work, system)?,
    };
    let canonical = match form {
        Form::Lagrange => work.in_coordinates.clone(),
        _ => work.in_speeds.clone(),
    };
    Ok(vec![Derived {
        form,
        route,
        canonical,
        reduction: None,
        named: None,
        pivoted: false,
    }])
}

/// In rates and, where the model has quasi-velocities, in these.
fn in_independent_speeds(
    work: &mut Work,
    chosen: Option<&Chosen>,
) -> Result<Vec<Derived>, Missing> {
    let free = work.system.identities() == 0;
    let rates = match chosen {
        None => free.then_some(None),
        Some(Chosen::Rates(_)) if !free => return Err(Missing::Identities),
        Some(Chosen::Rates(rates)) => Some(Some(rates)),
        Some(Chosen::Speeds(_)) => None,
    };
    let speeds = match chosen {
        None => work.in_speeds.quasi.then_some(None),
        Some(Chosen::Speeds(speeds)) => Some(Some(speeds)),
        Some(Chosen::Rates(_)) => None,
    };
    let tries = [
        rates.map(|choice| (work.in_coordinates.clone(), choice)),
        speeds.map(|choice| (work.in_speeds.clone(), choice)),
    ];
    let mut all: Vec<Derived> = Vec::new();
    let mut reason = Missing::Outside(Outside::TooLarge);
    for (canonical, choice) in tries.into_iter().flatten() {
        let choice = choice.map(Vec::as_slice);
        let found = match reduced(work, &canonical, choice) {
            Ok(found) => found,
            Err(missing) => {
                reason = missing;
                continue;
            }
        };
        let first = found.first().and_then(|it| it.reduction.as_ref());
        let taken = first.map(|it| it.independent.clone()).unwrap_or_default();
        let divides = |it: &Fraction| {
            work.algebra
                .moves(&Fraction::from(it.denominator().clone()))
        };
        let simple = first.is_none_or(|it| !it.D.entries().any(divides));
        all.extend(found);
        if choice.is_some() || simple || canonical.quasi != work.in_speeds.quasi {
            continue;
        }
        // As `check` and runs by independent speeds choose, where that can be read as well: where nothing is divided by
        // already, it cannot.
        work.algebra.allow(COMPARED);
        let pivoted = pivoted(work).filter(|pivoted| *pivoted != taken);
        if let Some(pivoted) = pivoted
            && let Ok(other) = reduced(work, &canonical, Some(&pivoted))
        {
            let marked = other.into_iter().map(|it| Derived {
                pivoted: true,
                ..it
            });
            all.extend(marked);
        }
    }
    if all.is_empty() {
        return Err(reason);
    }
    Ok(all)
}

/// The independent speeds that pivoting takes at the start, in the model's speeds.
pub(super) fn pivoted(work: &Work) -> Option<Vec<usize>> {
    let samples = work.algebra.samples.as_ref()?;
    let found = samples.mechanism.independents(&samples.start)?;
    Some(found.speeds)
}

fn reduced(
    work: &mut Work,
    canonical: &Canonical,
    chosen: Option<&[usize]>,
) -> Result<Vec<Derived>, Missing> {
    let rows = &work.system.rows;
    let reduction = reduce_speeds(&mut work.algebra, canonical, rows, chosen)?;
    let derived = |route: Route, canonical: Canonical, named: Option<Named>| Derived {
        form: Form::Independent,
        route,
        canonical,
        reduction: Some(reduction.clone()),
        named,
        pivoted: false,
    };
    let direct = independent::route(&mut work.algebra, &reduction);
    let direct = direct.map(|route| derived(route, reduction.on_surface.clone(), None));
    let is_short = |it: &Derived| it.terms() <= NAMED;
    let named = match direct.as_ref().is_ok_and(is_short) {
        true => None,
        false => named::route(work, canonical, &reduction).ok(),
    };
    let named = named.map(|(route, named, surface)| derived(route, surface, Some(named)));
    match (direct, named) {
        (Ok(direct), named) => Ok([Some(direct), named].into_iter().flatten().collect()),
        (Err(_), Some(named)) => Ok(vec![named]),
        (Err(outside), None) => Err(outside.into()),
    }
}
