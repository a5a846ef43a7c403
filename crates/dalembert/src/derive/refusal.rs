//! Why a formulation does not exist, as diagnostics.

use super::form::Form;
use super::reduction::Unreduced;
use super::result::Derivation;
use super::samples::Contradiction;
use dalembert_expr::normal::Outside;
use dalembert_expr::print::Format;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::lower::{Row, System};
use dalembert_mechanics::model::Model;
use std::fmt::Display;

fn refusal(code: &'static str, message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, Place::Model, message, help)
}

/// Why there is no formulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// No independent speeds.
    Unreduced(Unreduced),
    /// No normal form.
    Outside(Outside),
    /// The system has no energies.
    NoEnergies,
    /// Forces depend on reactions.
    Reactive,
    /// Forces hold constraints in place of reactions.
    Servo,
    /// Coordinates obey identities, and it takes them for free of each other.
    Identities,
    /// Numbers at states that meet the rows say otherwise.
    Contradicted,
}

impl From<Outside> for Missing {
    fn from(outside: Outside) -> Self {
        Self::Outside(outside)
    }
}

impl From<Unreduced> for Missing {
    fn from(unreduced: Unreduced) -> Self {
        match unreduced {
            Unreduced::Outside(outside) => Self::Outside(outside),
            other => Self::Unreduced(other),
        }
    }
}

fn names(rows: &[Row], which: &[usize]) -> String {
    let names: Vec<String> = which
        .iter()
        .map(|&row| format!("`{}`", rows[row].name))
        .collect();
    names.join(", ")
}

impl Missing {
    /// In one clause.
    pub(super) fn reason(&self, rows: &[Row]) -> String {
        match self {
            Self::Unreduced(Unreduced::NotReducible(which)) => {
                format!("no speeds are independent under {}", names(rows, which))
            }
            Self::Unreduced(Unreduced::Contradictory(row)) => {
                format!("{} contradicts the other rows", names(rows, &[*row]))
            }
            Self::Unreduced(Unreduced::Paradoxical) => {
                "rows depend on each other at some states and not at others".to_owned()
            }
            Self::Unreduced(Unreduced::BadChoice(count)) => {
                format!("the named speeds are not the {count} independent ones")
            }
            Self::Unreduced(Unreduced::Outside(outside)) | Self::Outside(outside) => {
                match outside {
                    Outside::Undefined => {
                        "inertia and constraints do not determine the accelerations".to_owned()
                    }
                    other => other.to_string(),
                }
            }
            Self::NoEnergies => "the model gives no energies".to_owned(),
            Self::Reactive => "forces depend on the reactions".to_owned(),
            Self::Contradicted => "the numbers at a state say otherwise".to_owned(),
            Self::Servo => "forces hold constraints in place of reactions".to_owned(),
            Self::Identities => "the coordinates obey identities".to_owned(),
        }
    }

    pub(super) fn diagnostic(&self, form: Form, rows: &[Row]) -> Diagnostic {
        let reason = self.reason(rows);
        match self {
            Self::Unreduced(Unreduced::NotReducible(_)) => refusal(
                "E0602",
                format!("{reason}: not linear in the velocities, or of accelerations"),
                "ask for another formulation, such as multipliers",
            ),
            Self::Unreduced(Unreduced::Contradictory(_)) => refusal(
                "E0604",
                reason,
                "leave it out, or correct it; `check` says more",
            ),
            Self::Unreduced(Unreduced::BadChoice(count)) => refusal(
                "E0601",
                reason,
                format!("name {count} that the constraints leave free of each other"),
            ),
            Self::Unreduced(Unreduced::Paradoxical) => refusal(
                "E0607",
                format!("{form} solves the constraints, and {reason}"),
                "ask for multipliers or lagrange",
            ),
            Self::Reactive | Self::Servo => refusal(
                "E0606",
                format!("{form} has no multipliers, and {reason}"),
                "ask for multipliers or lagrange",
            ),
            Self::Identities => refusal(
                "E0612",
                format!("{form} in rates takes these for free of each other, and {reason}"),
                "ask for multipliers, or for independent and name speeds of the model",
            ),
            Self::Contradicted => refusal(
                "E0608",
                format!("the equations by {form} are not printed: {reason}"),
                "ask for another formulation, and report this model",
            ),
            Self::NoEnergies => refusal(
                "E0603",
                format!("{form} needs energies, and {reason}"),
                "[dynamics] is given by forces: ask for another formulation",
            ),
            Self::Outside(_) | Self::Unreduced(Unreduced::Outside(_)) => refusal(
                "E0605",
                format!("the equations by {form} were not found in symbols: {reason}"),
                "ask for another formulation: multipliers needs the least",
            ),
        }
    }
}

/// Most coordinates and rows, and most entries of the matrices as they are lowered, that a page is made of.
const MOST_UNKNOWNS: usize = 2_500;
const MOST_ENTRIES: usize = 1_000_000;

/// Equations as they were lowered are in rates, and those of coordinates that obey identities are not free.
pub(super) fn with_identities(
    mechanism: (&Model, &System),
    what: &str,
    why: impl Display,
) -> Option<Diagnostic> {
    let (model, system) = mechanism;
    let first = system.rows.first().filter(|row| row.identity)?;
    let name = &model.constraints[first.constraint].name;
    let message = format!(
        "{what} of coordinates that obey an identity, as `{}`, were not found in symbols: {why}",
        name.text
    );
    let help = "check, eval and run take it as it is; for equations take fewer bodies, or write them in angles, such as Rz(psi) Rx(theta) Rz(phi)";
    let place = name.place.clone();
    Some(Diagnostic::error("E0612", place, message, help))
}

/// Refuses a system whose page would take minutes, and be read by nobody.
pub(super) fn too_large(system: &System) -> Option<Diagnostic> {
    let (coordinates, rows) = (system.symbols.coordinates.len(), system.rows.len());
    let masses = system.inertia.iter().map(|it| it.mass.len());
    let slopes = system.rows.iter().map(|row| row.jacobian.len());
    let entries: usize = masses.chain(slopes).sum();
    if coordinates + rows <= MOST_UNKNOWNS && entries <= MOST_ENTRIES {
        return None;
    }
    Some(refusal(
        "E0609",
        format!(
            "too large for a page of equations: {coordinates} coordinates, {rows} rows of constraints, \
             and matrices of {entries} parts"
        ),
        "`run`, `eval` and `check` take it as it is; to read its equations, derive a model with fewer parts of the same kind",
    ))
}

/// Equations that numbers contradict are not printed.
pub(super) fn contradicted(page: &Derivation, found: &Contradiction) -> Diagnostic {
    let sides = [found.equation.left, found.equation.right];
    let printed = page.print(&sides, Format::Model).expressions;
    let short = |text: &String| -> String {
        match text.chars().count() {
            0..60 => text.clone(),
            _ => format!("{}…", text.chars().take(60).collect::<String>()),
        }
    };
    let equation = format!("{} = {}", short(&printed[0]), short(&printed[1]));
    let why = match found.values {
        Some([left, right]) => format!("a state gives {left} on the left and {right} on the right"),
        None => "it has no value at any state that meets the rows".to_owned(),
    };
    refusal(
        "E0608",
        format!(
            "the equations by {} are not printed: numbers contradict `{equation}`: {why}",
            page.form
        ),
        "ask for another formulation, and report this model",
    )
}

/// A page that cannot be read is not printed.
pub(super) fn undefined(form: Form, name: &str) -> Diagnostic {
    refusal(
        "E0608",
        format!(
            "the equations by {form} are not printed: they use `{name}`, which nothing defines"
        ),
        "ask for another formulation, and report this model",
    )
}

/// A name that is none of a model's coordinates, rates or speeds.
pub(super) fn no_such_speed(name: &str, known: &[String]) -> Diagnostic {
    refusal(
        "E0600",
        format!("`{name}` is no coordinate, rate or speed that could be independent"),
        format!("known here: {}", known.join(", ")),
    )
}

/// Names of coordinates or rates together with names of quasi-velocities.
pub(super) fn mixed_choice(rates: &[String], speeds: &[String]) -> Diagnostic {
    let (rates, speeds) = (rates.join(", "), speeds.join(", "));
    refusal(
        "E0600",
        format!("independent speeds are rates or quasi-velocities, not both: {rates} and {speeds}"),
        "name coordinates only, or speeds only",
    )
}
