//! What is said of contacts: what should be known of them after a run, and why it is not known what they do.

use super::no_motion::{no_motion, rough_name};
use crate::simulate::{Happening, Simulation};
use dalembert_mechanics::contacts::NoContact;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::lower::{Rough, Row};
use dalembert_mechanics::start::Start;
use dalembert_mechanics::{Mechanism, NoMotion};

/// Numbers of solutions that are told, at most.
const TOLD: usize = 4;

pub(super) fn row(mechanism: &Mechanism, contact: usize) -> &Row {
    &mechanism.system.rows[mechanism.system.unilateral[contact].row]
}

/// Contacts by their names, and the place of the first.
fn those(mechanism: &Mechanism, contacts: &[usize]) -> (String, Place) {
    let names = contacts.iter().map(|&it| row(mechanism, it));
    let names: Vec<String> = names.map(|it| format!("`{}`", it.name)).collect();
    let place = contacts.first().map_or(Place::Model, |&it| {
        let constraint = row(mechanism, it).constraint;
        mechanism.model.constraints[constraint].holds.whole()
    });
    (names.join(", "), place)
}

/// Warnings about the contacts of a run.
pub(super) fn notes(mechanism: &Mechanism, run: &Simulation) -> Vec<Diagnostic> {
    let notes = &run.contacts;
    let mut found = Vec::new();
    if let Some(&(first, t)) = notes.rested.first() {
        let (name, place) = those(mechanism, &[first]);
        let struck = |it: &Happening| matches!(it, Happening::Impact(all) if all.contains(&first));
        let happened = run.happened.iter();
        let count = happened.filter(|it| it.t <= t && struck(&it.of)).count();
        let message = format!(
            "the impacts of {name} follow each other ever faster, and infinitely many are over at t = {t:.6}: it rests from there on, after \
             {count} of them"
        );
        let help = "the time is that of the limit; what the other impacts lose is rounding";
        found.push(Diagnostic::warning("W0565", place, message, help));
    }
    if let Some((t, contacts)) = &notes.several {
        let (names, place) = those(mechanism, contacts);
        let message = format!(
            "{names} are struck in one impact at t = {t:.6}, and laws of impact differ on what comes back"
        );
        let poisson = mechanism.system.unilateral.iter().any(|it| it.poisson);
        let law = match poisson {
            true => "Poisson's restitution",
            false => "Moreau's law with Newton's restitution",
        };
        let help = format!(
            "{law} was taken, all contacts at once; impacts one after the other, as along a row of balls, are another law: leave small gaps between them"
        );
        found.push(Diagnostic::warning("W0566", place, message, help));
    }
    if let Some(t) = notes.not_established {
        let message = format!(
            "that contacts can do nothing else is not established from t = {t:.6} on: a motion was found, and others were not excluded"
        );
        let help = "with friction in planes, or of more than 8 contacts at once, not all combinations are tried";
        found.push(Diagnostic::warning("W0567", Place::Model, message, help));
    }
    if let Some((event, t)) = notes.through {
        let written = &mechanism.model.events[event];
        let message = format!(
            "the blow of `{}` at t = {t:.6} stops what it strikes, which goes on through from there: nothing holds it",
            written.name.text
        );
        let help = "let the event engage a constraint, as in engage = \"floor\"; or write a contact, such as holds = \"y >= 0\", in place of the event";
        found.push(Diagnostic::warning(
            "W0553",
            written.when.whole(),
            message,
            help,
        ));
    }
    found
}

/// A warning about impacts at the start.
pub(crate) fn at_start(mechanism: &Mechanism, start: &Start) -> Option<Diagnostic> {
    let first = start.closing.first()?;
    let contacts: Vec<usize> = start.closing.iter().map(|it| it.contact).collect();
    let (names, place) = those(mechanism, &contacts);
    let message = format!(
        "{names} close at the start with a speed, {:.6}: an impact comes first, and what is said here is before it",
        -first.rate
    );
    let help = "a run begins with the impact";
    Some(Diagnostic::warning("W0568", place, message, help))
}

/// A warning that friction is, or is pressed by, forces of which there are many, since a time if it was not so at the start.
pub(crate) fn held_in_many_ways(
    mechanism: &Mechanism,
    of: &[Rough],
    since: Option<f64>,
) -> Option<Diagnostic> {
    let names = of.iter();
    let names: Vec<String> = names
        .map(|&it| format!("`{}`", rough_name(mechanism, it)))
        .collect();
    let since = since.map_or_else(String::new, |t| format!(" from t = {t:.6} on"));
    let message = format!(
        "the forces of {} share what they carry in many ways{since}: those that are taken are one choice of many",
        names.join(" and ")
    );
    let help = "rigid bodies do not say how they share a load: where all of it holds, or slides one way, the motion is the same for each choice, and where it slides and turns \
                the motion is that of the least forces; springs in place of rigid contacts would say more";
    (!names.is_empty()).then(|| Diagnostic::warning("W0571", Place::Model, message, help))
}

/// What equations in symbols, or formulas of a blow, are said to hold for, where there are contacts.
pub(crate) fn while_closed(
    mechanism: &Mechanism,
    start: &Start,
    in_blow: bool,
) -> Option<Diagnostic> {
    let system = &mechanism.system;
    let all: Vec<usize> = (0..system.unilateral.len()).collect();
    let mode = &start.state.mode;
    let is_closed = |it: &usize| mode.is_active(system, row(mechanism, *it).constraint);
    let (closed, open): (Vec<usize>, Vec<usize>) = all.iter().partition(|&it| is_closed(it));
    let part = |contacts: &[usize], one: &str, condition: &str| {
        let names = contacts.iter().map(|&it| &row(mechanism, it).name);
        let conditions: Vec<String> = names.map(|name| condition.replace("NAME", name)).collect();
        let (names, _) = those(mechanism, contacts);
        match contacts.len() {
            0 => None,
            1 => Some(format!("{names} is {one}: {}", conditions.join(", "))),
            _ => Some(format!("{names} are {one}: {}", conditions.join(", "))),
        }
    };
    let [presses, open_then] = match in_blow {
        true => ["Lambda(NAME) >= 0", "gap(NAME) > 0"],
        false => [
            "lambda(NAME) >= 0",
            "its gap is positive and lambda(NAME) = 0",
        ],
    };
    let closed = part(&closed, "closed", presses);
    let open = part(&open, "open", open_then);
    let parts: Vec<String> = closed.into_iter().chain(open).collect();
    let (_, place) = all.first().map(|&it| those(mechanism, &[it]))?;
    let parts = parts.join("; and ");
    let (message, help) = match in_blow {
        true => (
            format!("these formulas hold where {parts}"),
            "contacts are taken as they are at the start; one that would have to pull opens in the blow, which `run` sees",
        ),
        false => (
            format!("these equations hold as long as {parts}"),
            "they are those of the start; lambda >= 0, gap'' >= 0 and lambda gap'' = 0 decide when a contact opens",
        ),
    };
    Some(Diagnostic::warning("W0570", place, message, help))
}

/// Why it is not known what contacts do at a time.
pub(crate) fn no_contact(mechanism: &Mechanism, why: &NoContact, when: &str) -> Diagnostic {
    let (contacts, what, help) = match why {
        NoContact::Failure(failure) => {
            return no_motion(mechanism, &NoMotion::Failure(failure.clone()), when);
        }
        NoContact::Answers {
            contacts,
            forces,
            tried,
        } if forces.is_empty() => {
            let searched = match tried {
                true => "all combinations were tried",
                false => "not all combinations were tried",
            };
            let help = "rigid bodies with friction need not have a motion (Painlevé): lower the friction, or let a spring give way";
            let what = format!("no forces of theirs agree with the motion they make ({searched})");
            (contacts.clone(), what, help)
        }
        NoContact::Answers {
            contacts, forces, ..
        } => {
            let solution = |forces: &Vec<f64>| {
                let all: Vec<String> = forces.iter().map(|it| format!("{it:.6}")).collect();
                format!("({})", all.join(", "))
            };
            let all: Vec<String> = forces.iter().take(TOLD).map(solution).collect();
            let what = format!(
                "several motions are possible; the normal forces in {} of them: {}",
                all.len(),
                all.join(", ")
            );
            let help = "rigid bodies with friction may have several motions (Painlevé): lower the friction, or let a spring give way";
            (contacts.clone(), what, help)
        }
        NoContact::NotLinear(other) => {
            let name = &mechanism.system.rows[*other].name;
            let what = format!(
                "`{name}` is not linear in the velocities, and an impact leaves open what becomes of it"
            );
            (Vec::new(), what, "write it linear in the velocities")
        }
        NoContact::Grows { contacts, by } => {
            let what = format!(
                "the kinetic energy relative to the walls would grow by {by:.6} in the impact"
            );
            let help = "restitutions that differ can do that where contacts are coupled (Kane's paradox): take equal ones, or Poisson's";
            (contacts.clone(), what, help)
        }
        NoContact::Restitution { contact, value } => {
            let what = format!("its restitution is {value}");
            let help = "it is the part of the rate that comes back, from 0 to 1";
            (vec![*contact], what, help)
        }
        NoContact::NotAContact(other) => {
            let name = &mechanism.system.rows[*other].name;
            let what = format!("`{name}` does not press at the point that slides");
            let help = "name the material point that touches by `at`, and the body it slides on by `against`";
            (Vec::new(), what, help)
        }
        NoContact::Lawful(other) => {
            let name = &mechanism.system.rows[*other].name;
            let what = format!(
                "`{name}` would have to take an impulse, and a force or friction depends on its reaction"
            );
            let help = "friction of equations, and forces that follow reactions or hold constraints, have no impulses: friction of given size (`dry`) takes none, and may stay";
            (Vec::new(), what, help)
        }
        NoContact::RoughCompression(contacts) => {
            let what = "they act on each other in an impact with friction, and Poisson's restitution says of one contact alone what friction does when compression is over".to_owned();
            let help = "take Newton's restitution, restitution = 0.5; or let them touch one after the other";
            (contacts.clone(), what, help)
        }
        NoContact::TurningSlip(contact) => {
            let what = "its slip turns on the way of the impact, which Poisson's restitution is not followed on in space".to_owned();
            let help = "take Newton's restitution, restitution = 0.5";
            (vec![*contact], what, help)
        }
    };
    let (names, place) = those(mechanism, &contacts);
    let whose = match names.is_empty() {
        true => "contacts".to_owned(),
        false => format!("contacts, {names}"),
    };
    let message = format!("it is not known what {whose} do {when}: {what}");
    Diagnostic::error("E0569", place, message, help)
}

/// A contact is penetrated, or contacts find no rest.
pub(super) fn lost(mechanism: &Mechanism, contacts: &[usize], what: &str) -> Diagnostic {
    let (names, place) = those(mechanism, contacts);
    let message = format!("{names}: {what}");
    let help = "look at the motion up to there; a smaller rtol or max_step may show what happens";
    Diagnostic::error("E0569", place, message, help)
}
