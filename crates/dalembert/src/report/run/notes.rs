//! What the reader of a run should know besides its numbers.

use crate::report::contacts::row;
use crate::report::no_motion::{no_motion, rough_name, table_of};
use crate::simulate::{Happening, Outcome, Simulation, Undetermined, Valueless, Watched};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};

/// A warning where events followed each other ever faster.
pub(super) fn at_rest(mechanism: &Mechanism, run: &Simulation) -> Option<Diagnostic> {
    let Outcome::Rest { event, .. } = run.outcome else {
        return None;
    };
    let written = &mechanism.model.events[event];
    let count = run
        .happened
        .iter()
        .filter(|it| it.of == Happening::Event(event))
        .count();
    let (name, t) = (&written.name.text, run.t_end);
    let (message, help) = match mechanism.system.events[event].struck.is_empty() {
        false => (
            format!(
                "the impacts of `{name}` follow each other ever faster, and infinitely many are over at t = {t:.6}: the run ends there, at rest, after {count} of them"
            ),
            "to go on, engage a constraint before, such as with an event of its own when the rate is small",
        ),
        true => (
            format!(
                "`{name}` happens ever faster, and infinitely often until t = {t:.6}: the run ends there, after {count} times, for nothing says how the motion goes on"
            ),
            "write what bounces as a contact, such as holds = \"y >= 0\" with restitution = 0.5: it rests afterwards",
        ),
    };
    Some(Diagnostic::warning(
        "W0551",
        written.when.whole(),
        message,
        help,
    ))
}

/// A warning where rows vanished on the way.
pub(super) fn passed_change_points(mechanism: &Mechanism, run: &Simulation) -> Option<Diagnostic> {
    let first = run.change_points.first()?;
    let row = &mechanism.system.rows[*first.rows.first()?];
    let more = match run.change_points.len() - 1 {
        0 => String::new(),
        n => format!(", and {n} more times"),
    };
    let message = format!(
        "a change point of `{}` is passed at t = {:.6}{more}",
        row.name, first.t
    );
    let help = "several motions branch off there; the direction of the motion and its ledger are those it came with, else the \
                run would have stopped";
    let place = mechanism.model.constraints[row.constraint].holds.whole();
    Some(Diagnostic::warning("E0525", place, message, help))
}

/// A warning where samples have columns that are not determined.
pub(super) fn undetermined(mechanism: &Mechanism, run: &Simulation) -> Option<Diagnostic> {
    let (count, t, reason) = run.undetermined.as_ref()?;
    let samples = match count {
        1 => format!("one sample, at t = {t:.6},"),
        n => format!("{n} samples, the first at t = {t:.6},"),
    };
    let why = match reason {
        Undetermined::ChangePoint => {
            "constraints that are independent elsewhere depend on each other there".to_owned()
        }
        Undetermined::NoMotion(reason) => no_motion(mechanism, reason, "there").message,
    };
    let message = format!(
        "in {samples} accelerations, multipliers and what needs them are not determined and left out: {why}"
    );
    let help = "coordinates, rates and energy are those of the run; choose other sample times";
    Some(Diagnostic::warning("E0543", Place::Model, message, help))
}

/// Warnings where recorded expressions have no value.
pub(super) fn valueless(mechanism: &Mechanism, run: &Simulation) -> Vec<Diagnostic> {
    let told = |it: &Valueless| {
        let values = run.table.column(&it.name)?.values.iter();
        let count = values.filter(|value| !value.is_finite()).count();
        let other = "look for a division by zero, or a function outside its domain".to_owned();
        let (why, help) = table_of(mechanism, &[it.expression], &it.first, "there").map_or_else(
            || (String::new(), other),
            |it| (format!(": {}", it.message), it.help.unwrap_or_default()),
        );
        let (name, t) = (&it.name, it.first.t);
        let message = format!("`{name}` has no value from t = {t:.6} on (samples: {count}){why}");
        (count > 0).then(|| Diagnostic::warning("W0548", Place::Model, message, help))
    };
    run.valueless.iter().filter_map(told).collect()
}

/// A warning where narrow peaks of functions of time may have been stepped over.
pub(super) fn unclear(run: &Simulation) -> Option<Diagnostic> {
    let t = run.unclear?;
    let message = format!(
        "a function of time may have a peak about t = {t:.6}, or later, that is narrower than the steps: parts of it cancel, and its bounds do not tell"
    );
    let help = "write it so that its parts do not cancel, or give the longest step that sees all of it, such as --max-step \"1 ms\"";
    Some(Diagnostic::warning("W0546", Place::Model, message, help))
}

/// A warning where something changed too fast to be followed.
pub(super) fn unfollowed(mechanism: &Mechanism, run: &Simulation) -> Option<Diagnostic> {
    let (t, watched) = run.unfollowed?;
    let model = &mechanism.model;
    let (what, place) = match watched {
        Watched::Event(it) => {
            let event = &model.events[it];
            (event.name.text.as_str(), event.when.whole())
        }
        Watched::Gap(it) => {
            let row = row(mechanism, it);
            let place = model.constraints[row.constraint].holds.whole();
            (row.name.as_str(), place)
        }
        Watched::Until => {
            let place = model.run.until.as_ref().map(|it| it.whole());
            ("until", place.unwrap_or(Place::Model))
        }
        Watched::Kink => ("forces", Place::Model),
    };
    let message = format!(
        "what decides about `{what}` changes too fast to be followed from t = {t:.6} on: what happens there may be missed"
    );
    let help = "give the longest step that sees all of it, such as --max-step \"1 ms\"";
    Some(Diagnostic::warning("W0549", place, message, help))
}

/// A warning where several slips that vanish at once were decided, and nothing says that there is no other motion.
pub(super) fn doubtful(mechanism: &Mechanism, run: &Simulation) -> Option<Diagnostic> {
    let names: Vec<String> = (run.doubtful_slips.iter())
        .map(|&of| format!("`{}`", rough_name(mechanism, of)))
        .collect();
    let message = format!(
        "{} come to rest at once, and their friction changes each other's normal forces: a motion was found, and that it is the only one is not established",
        names.join(", ")
    );
    let help = "up to 8 slips along lines are decided by trying all ways; of more, and of slips in planes, one way is shown";
    (!names.is_empty()).then(|| Diagnostic::warning("W0552", Place::Model, message, help))
}

/// A warning where columns have no numbers because rows depend on each other.
pub(super) fn not_unique(mechanism: &Mechanism, run: &Simulation) -> Option<Diagnostic> {
    let open = run.not_unique.as_ref()?;
    let rows = &mechanism.system.rows;
    let names = open.rows.iter().map(|&row| format!("`{}`", rows[row].name));
    let message = format!(
        "multipliers of {} are not unique: what needs them is recorded without numbers",
        names.collect::<Vec<_>>().join(", ")
    );
    let &first = open.rows.first()?;
    let place = mechanism.model.constraints[rows[first].constraint]
        .holds
        .whole();
    let help = open.words(mechanism).join("; ");
    Some(Diagnostic::warning("E0545", place, message, help))
}
