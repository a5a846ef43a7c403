//! Why there is no motion at a state, in words: which rows, speeds or laws are to blame, and the cure.

use dalembert_expr::print::{Format, print_one};
use dalembert_expr::table::Beyond;
use dalembert_expr::{Cone, ExprId, Node, evaluate};
use dalembert_mechanics::decide::CANCELLED;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::formulation::{Failure as Numeric, Quantity, Unsolved};
use dalembert_mechanics::lower::{Rough, Row, RowId};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, NoMotion};

/// Rows that are listed in a help.
const LISTED: usize = 3;

/// A row has a corner at a state; `when` says where.
pub(crate) fn at_corner(mechanism: &Mechanism, row: RowId, when: &str) -> Diagnostic {
    let row = &mechanism.system.rows[row];
    let message = format!(
        "`{}` has a corner {when}, as y = |x| has at x = 0: rates and accelerations are not determined there",
        row.name
    );
    let help = "start beside the corner, or take a smooth constraint";
    let place = mechanism.model.constraints[row.constraint].holds.whole();
    Diagnostic::error("E0542", place, message, help)
}

/// A table that has no value at a state, or ends there; `when` says where.
pub(crate) fn beyond_table(mechanism: &Mechanism, state: &State, when: &str) -> Option<Diagnostic> {
    let system = &mechanism.system;
    let mut all = system.expressions();
    all.extend(system.events.iter().flat_map(|it| it.when.values()));
    all.extend(system.run.until.iter().flat_map(|it| it.values()));
    table_of(mechanism, &all, state, when)
}

/// The same of a table in some expressions.
pub(super) fn table_of(
    mechanism: &Mechanism,
    all: &[ExprId],
    state: &State,
    when: &str,
) -> Option<Diagnostic> {
    let graph = &mechanism.system.graph;
    let cone = Cone::new(graph, all);
    let mut found = cone.nodes().iter().filter_map(|&id| {
        let Node::Table(table, argument) = graph.node(id) else {
            return None;
        };
        let table = graph.table_function(table);
        let [first, last] = table.table.range();
        let x = evaluate(graph, &[argument], |it| mechanism.value_of(it, state))[0];
        let room = CANCELLED * (last - first);
        // Where a motion starts, the beginning of a table is no reason to stop.
        let begins = x < first || (x < first + room && state.t > mechanism.from);
        let ends = begins || x > last - room;
        let refused = table.table.label.beyond == Beyond::Refused;
        (refused && ends).then(|| (table.clone(), argument, x))
    });
    let (table, argument, x) = found.next()?;
    let ([first, last], label) = (table.table.range(), &table.table.label);
    let shown = print_one(graph, argument, Format::Text);
    let message = format!(
        "the table {} of {} has values from {first} to {last}, and {shown} is {x:.6} {when}",
        label.column, label.file
    );
    let help = "run a shorter time, extend the file, or say in table(...) what is outside: outside = \"hold\" or \"line\"";
    Some(Diagnostic::error("E0487", Place::Model, message, help))
}

/// The motion is not determined; `when` says where: "at the start".
pub(crate) fn no_motion(mechanism: &Mechanism, reason: &NoMotion, when: &str) -> Diagnostic {
    let rows = |rows: &[usize]| names_of(mechanism, rows);
    let place_of = |&row: &usize| {
        let constraint = mechanism.system.rows[row].constraint;
        mechanism.model.constraints[constraint].holds.whole()
    };
    let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
    let mut place = Place::Model;
    let (code, message, help) = match reason {
        NoMotion::SingularSpeeds => (
            "E0510",
            format!("the speeds do not determine the rates {when}"),
            "choose speeds that are independent there, or another start".to_owned(),
        ),
        NoMotion::Failure(Numeric::Unsolved(Unsolved::Contradictory {
            rows: found,
            residual,
        })) => {
            place = found.last().map_or(Place::Model, place_of);
            let rows = rows(found);
            let message = format!("{rows} contradict each other {when}: by {residual:.3e}");
            ("E0511", message, "take one of them away".to_owned())
        }
        NoMotion::Failure(Numeric::Unsolved(failure @ Unsolved::Undetermined { directions })) => {
            let found = failure.undetermined_speeds();
            if let Some(&first) = found.first() {
                place = mechanism.model.coordinates[first].0.place.clone();
            }
            undetermined(mechanism, &found, directions, when)
        }
        NoMotion::Failure(Numeric::Unsolved(Unsolved::NotPositive { speed, value })) => {
            let along = coordinates[*speed];
            let message =
                format!("a motion along {along} has negative kinetic energy {when} ({value:.3e})");
            let help = "check the signs of masses and of the kinetic energy";
            ("E0513", message, help.to_owned())
        }
        NoMotion::Failure(Numeric::Unsolved(Unsolved::NotFinite { what, index })) => {
            let row = match what {
                Quantity::Jacobian => Some(index / coordinates.len()),
                Quantity::Bias => Some(*index),
                _ => None,
            };
            place = row.as_ref().map_or(Place::Model, place_of);
            let what = entry_of(mechanism, what, *index);
            let message = format!("{what} has no finite value {when}");
            let help = "look for a division by zero, or a function outside its domain";
            ("E0514", message, help.to_owned())
        }
        NoMotion::Failure(Numeric::NotReducible { rows: found }) => {
            place = found.first().map_or(Place::Model, place_of);
            let message = format!(
                "no speeds are independent under {}: not linear in the velocities, or of accelerations",
                rows(found)
            );
            let help = "choose another formulation: multipliers, udwadia-kalaba, projection or complement";
            ("E0515", message, help.to_owned())
        }
        NoMotion::Failure(law @ (Numeric::Painleve { .. }
            | Numeric::NotSettled { .. }
            | Numeric::WeakHold { .. }
            | Numeric::ReactionNotUnique { .. }
            | Numeric::NegativeFriction { .. }
            | Numeric::NotAContact { .. })) => {
            let (of, found) = no_law(mechanism, law, when);
            if let Some(of) = of {
                place = law_place(mechanism, of);
            }
            found
        }
        NoMotion::Failure(Numeric::NotHeld {
            rows: found,
            rank,
            needed,
            least,
        }) => {
            place = found.first().map_or(Place::Model, place_of);
            let message = format!(
                "{} cannot hold {} {when}, of whatever size: A M^-1 G^T has rank {rank} where {needed} is needed (least cosine {least:.1e})",
                holding(mechanism, found),
                rows(found)
            );
            let help = "choose a force that moves what the constraint speaks of, or let its own reaction hold it";
            ("E0530", message, help.to_owned())
        }
        NoMotion::Failure(Numeric::Unsolved(Unsolved::Imprecise { residual })) => (
            "E0516",
            format!("the equations are nearly singular {when}: numbers meet them only to {residual:.1e}"),
            "look for rows that nearly follow from others, or masses and lengths that differ by many powers of ten"
                .to_owned(),
        ),
        NoMotion::Failure(_) => (
            "E0514",
            format!("the equations cannot be solved {when}: their factors would not fit memory"),
            "write a smaller model, or one whose parts are less coupled".to_owned(),
        ),
    };
    Diagnostic::error(code, place, message, help)
}

/// Rows by their names.
fn names_of(mechanism: &Mechanism, rows: &[usize]) -> String {
    let names = rows.iter().map(|&row| &mechanism.system.rows[row].name);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The forces that are to hold rows.
fn holding(mechanism: &Mechanism, rows: &[usize]) -> String {
    let system = &mechanism.system;
    let forces = rows
        .iter()
        .filter_map(|&row| system.held_by(RowId::new(row)));
    let names = forces.map(|force| format!("`{}`", system.forces[force].name));
    names.collect::<Vec<_>>().join(", ")
}

/// Nothing determines the accelerations of these coordinates.
fn undetermined(
    mechanism: &Mechanism,
    found: &[usize],
    directions: &[Vec<f64>],
    when: &str,
) -> (&'static str, String, String) {
    let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
    let names: Vec<&str> = found.iter().map(|&i| coordinates[i]).collect();
    let names = names.join(", ");
    let message = format!("nothing determines the acceleration of {names} {when}");
    // How they move together, where there is one such motion.
    let together = directions.first().filter(|_| directions.len() == 1);
    let parts = together.map_or_else(Vec::new, |direction| {
        let moving = direction.iter().zip(&coordinates);
        let moving = moving.filter(|(part, _)| **part != 0.0);
        let part = |part: f64| (part * 1e6).round() / 1e6;
        moving
            .map(|(&x, name)| format!("{name}' = {}", part(x)))
            .collect()
    });
    // A row may speak of it, and have no slope along it there.
    let rows = mechanism.system.rows.iter();
    let knows = |row: &&Row| row.jacobian.iter().any(|(j, _)| found.contains(j));
    let idle: Vec<String> = (rows.filter(knows).take(LISTED))
        .map(|row| format!("`{}`", row.name))
        .collect();
    let help = match parts.len() {
        1 if !idle.is_empty() => format!(
            "{} does not hold it there, where it has no slope along {names}: start elsewhere, give {names} inertia, or write another constraint",
            idle.join(", ")
        ),
        0 | 1 => "give it inertia, or a constraint".to_owned(),
        _ => format!(
            "the motion {} has no inertia, and no constraint speaks of it: give it one of them",
            parts.join(", ")
        ),
    };
    ("E0512", message, help)
}

/// An entry of the equations, in words.
fn entry_of(mechanism: &Mechanism, what: &Quantity, index: usize) -> String {
    let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
    let n = coordinates.len();
    let row = |row: usize| &mechanism.system.rows[row].name;
    match what {
        Quantity::MassMatrix => match (coordinates[index / n], coordinates[index % n]) {
            (a, b) if a == b => format!("the inertia along {a}"),
            (a, b) => format!("the inertia between {a} and {b}"),
        },
        Quantity::Force => format!("the force along {}", coordinates[index]),
        Quantity::NonIdeal => format!("the non-ideal force along {}", coordinates[index]),
        Quantity::Jacobian => {
            let (row, along) = (row(index / n), coordinates[index % n]);
            format!("the slope of `{row}` along {along}")
        }
        Quantity::Direction => {
            let servo = mechanism.system.servo[index / n];
            let force = &mechanism.system.forces[servo.force].name;
            let along = coordinates[index % n];
            format!("the direction of `{force}` along {along}")
        }
        Quantity::Bias => format!("the second derivative of `{}`", row(index)),
        Quantity::Acceleration => format!("the acceleration of {}", coordinates[index]),
    }
}

/// Where the law of a constraint or a spring stands.
fn law_place(mechanism: &Mechanism, of: Rough) -> Place {
    let model = &mechanism.model;
    match of {
        Rough::Constraint(constraint) => {
            let constraint = &model.constraints[constraint];
            let friction = constraint.friction.as_ref();
            friction.map_or(&constraint.holds, |it| &it.coefficient)
        }
        .whole(),
        Rough::Spring(spring) => {
            let dry = model.springs[spring].dry.as_ref();
            dry.map_or(Place::Model, |it| it.whole())
        }
    }
}

/// The name of what has friction.
pub(super) fn rough_name(mechanism: &Mechanism, of: Rough) -> &str {
    match of {
        Rough::Constraint(it) => &mechanism.model.constraints[it].name.text,
        Rough::Spring(it) => &mechanism.model.springs[it].name.text,
    }
}

const SMOOTHING: &str = "give friction a smoothing, such as smoothing = 1e-3: a slip speed below which the law is smooth";

/// What is wrong with laws that use reactions: what is to blame, code, message and help.
fn no_law(
    mechanism: &Mechanism,
    failure: &Numeric,
    when: &str,
) -> (Option<Rough>, (&'static str, String, String)) {
    let name = |of: Rough| rough_name(mechanism, of);
    let of = |rows: &[usize]| {
        let row = rows.first();
        row.map(|&row| Rough::Constraint(mechanism.system.rows[row].constraint))
    };
    match failure {
        Numeric::Painleve { rows, .. } => (
            of(rows),
            painleve(mechanism, failure, &names_of(mechanism, rows), when),
        ),
        Numeric::NotSettled { of } => {
            let names: Vec<String> = of.iter().map(|&it| format!("`{}`", name(it))).collect();
            let message = format!(
                "{} do not slip {when}, and no motion was found in which each of them is held or begins to slip",
                names.join(", ")
            );
            (
                of.first().copied(),
                ("E0517", message, SMOOTHING.to_owned()),
            )
        }
        Numeric::WeakHold {
            of,
            coefficient,
            holding,
        } => {
            let message = format!(
                "the static coefficient of the friction of `{}` is {holding} {when}, less than its coefficient {coefficient}",
                name(*of)
            );
            let help = "friction holds what rests at least as well as it slows what slides";
            (Some(*of), ("E0478", message, help.to_owned()))
        }
        Numeric::ReactionNotUnique { rows } => {
            let message = format!(
                "a law uses the reaction of {}, which has no unique value {when}",
                names_of(mechanism, rows)
            );
            let help = "take redundant constraints away: `dalembert check` lists them";
            (of(rows), ("E0519", message, help.to_owned()))
        }
        Numeric::NegativeFriction { of, coefficient } => {
            let what = name(*of);
            let message =
                format!("the coefficient of the friction of `{what}` is {coefficient} {when}");
            let help = "a coefficient of friction is not negative";
            (Some(*of), ("E0478", message, help.to_owned()))
        }
        Numeric::NotAContact { row: index, part } => {
            let message = format!(
                "the reaction of {} is no force at the point that slides {when}: {:.2e} of it is something else",
                names_of(mechanism, &[index.index()]),
                part
            );
            let help = "friction belongs to a contact at the point named by `at`: check the point, and `against`";
            (of(&[index.index()]), ("E0476", message, help.to_owned()))
        }
        _ => (None, no_other(when)),
    }
}

/// No reaction of `what`, or several, satisfy the laws that use them.
fn painleve(
    mechanism: &Mechanism,
    failure: &Numeric,
    what: &str,
    when: &str,
) -> (&'static str, String, String) {
    let Numeric::Painleve {
        free,
        solutions,
        coefficients,
        gain,
        ..
    } = failure
    else {
        return no_other(when);
    };
    let list = |values: &[f64]| {
        let values: Vec<String> = values.iter().map(|x| format!("{x:.6}")).collect();
        values.join(", ")
    };
    let rough = !coefficients.is_empty();
    let found: Vec<String> = solutions.iter().map(|it| list(it)).collect();
    let answers = match found.len() {
        0 => format!("no reaction of {what} satisfies"),
        count => format!("{count} reactions of {what} satisfy"),
    };
    let mut message = match rough {
        true => format!("Painlevé {when}: {answers} the law"),
        false => {
            format!("{answers} the law that uses it {when} (as in Painlevé's paradox)")
        }
    };
    if !found.is_empty() {
        message += &format!(", lambda = {}", found.join(" and "));
    }
    message += &format!("; without it lambda = {}", list(free));
    let given: Vec<String> = coefficients
        .iter()
        .map(|&(of, mu)| format!("{mu} in `{}`", rough_name(mechanism, of)))
        .collect();
    if !given.is_empty() {
        message += &format!("; the coefficient is {}", given.join(", "));
    }
    if let Some(gain) = gain {
        message += &format!(", and friction adds {gain:.6} times a reaction to it");
        if let [(_, mu)] = coefficients.as_slice() {
            message += &format!(" (critical coefficient {:.6})", mu / gain);
        }
    }
    let help = match (rough, gain) {
        (true, Some(_)) => {
            "rigid bodies with Coulomb friction have no unique motion there: lower the friction, or start elsewhere"
        }
        (true, None) => {
            "friction and other laws together leave no unique motion there: weaken what follows the reactions, or start elsewhere"
        }
        (false, _) => {
            "a law that uses a reaction is an equation for it: let the law follow the reaction less, or start elsewhere"
        }
    };
    ("E0518", message, help.to_owned())
}

/// No other failure is one of a law.
fn no_other(when: &str) -> (&'static str, String, String) {
    ("E0514", format!("there is no motion {when}"), String::new())
}

/// A warning that numbers at a change point are not those of a motion.
pub(crate) fn at_change_point() -> Diagnostic {
    let message = "the state is a change point: its rows alone do not give accelerations, multipliers and reactions of the motion along a branch".to_owned();
    let help = "`run` sets out along the branch of the velocities; look at a state beside this one";
    Diagnostic::warning("E0543", Place::Model, message, help)
}
