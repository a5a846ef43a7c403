//! Why a run did not begin, or stopped on its way, in words.

use super::contacts;
use super::no_motion::{beyond_table, no_motion};
use crate::simulate::{SimulateError, Simulation, Stop};
use dalembert_expr::{Cone, ExprId, Node, Unary};
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::formulation::{Failure as Numeric, Unsolved};
use dalembert_mechanics::impulse::NoBlow;
use dalembert_mechanics::lower::RowId;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{MAX_COMPARED, Mechanism, NoMotion};
use dalembert_ode::Failure;
use dalembert_symbolic::surface::may_have_corners;

fn refusal(code: &'static str, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(code, Place::Model, message, help)
}

/// Why there is no run; and what there is of one that stopped on its way.
pub fn stopped(mechanism: &Mechanism, error: SimulateError) -> (Diagnostic, Option<Simulation>) {
    let found = match error {
        SimulateError::NoSpan => {
            let help = "write `span = 10` in [run], or use --span 10";
            refusal("E0520", "nothing says how long to run".to_owned(), help)
        }
        SimulateError::BadNumber(name, value, wanted) => {
            let message = format!("{name} is {value}");
            refusal("E0521", message, &format!("it must be {wanted}"))
        }
        SimulateError::Options(error) => {
            refusal("E0521", error.to_string(), "change the tolerances")
        }
        SimulateError::TooLargeFor(formulation, size) => {
            let message = format!(
                "`{formulation}` computes with full matrices, for up to {MAX_COMPARED} coordinates and rows: here are {size}"
            );
            refusal(
                "E0521",
                message,
                "leave it to multipliers, which takes sparse ones",
            )
        }
        SimulateError::NoMotion(reason) => no_motion(mechanism, &reason, "at the start"),
        SimulateError::Stopped { why, so_far } => {
            let state = State {
                t: so_far.t_end,
                coordinates: so_far.coordinates.clone(),
                rates: so_far.rates.clone(),
                ..State::default()
            };
            // Where a run ends at the end of a table, that is the reason, whatever failed behind it.
            let table = beyond_table(mechanism, &state, "where the run stopped");
            let found = table.unwrap_or_else(|| explain_stop(mechanism, why, &so_far));
            return (found, Some(*so_far));
        }
    };
    (found, None)
}

/// What to do where the sign of a velocity should have been friction.
const HOLDS_NOTHING: &str = "a force jumps where a velocity changes its sign, and cannot hold what comes to rest there: write dry friction as `dry` of a spring or `friction` of a constraint, which can";

/// Whether a force is written with the sign of a velocity, or a condition on one.
fn jumps_with_velocity(mechanism: &Mechanism) -> bool {
    let system = &mechanism.system;
    let given = system.forces.iter().map(|given| &given.force);
    let forces = given.chain(&system.nonideal).flatten();
    let forces: Vec<ExprId> = forces.map(|&(_, force)| force).collect();
    let graph = &system.graph;
    let moves = |argument: ExprId| {
        let symbols = Cone::new(graph, &[argument]).symbols(graph);
        symbols.iter().any(|it| system.symbols.rates.contains(it))
    };
    let cone = Cone::new(graph, &forces);
    cone.nodes().iter().any(|&id| match graph.node(id) {
        Node::Unary(Unary::Sign, argument) => moves(argument),
        Node::Binary(op, argument, _) if op.is_condition() => moves(argument),
        _ => false,
    })
}

/// The coordinate or speed that is a component of the state.
fn component_name(mechanism: &Mechanism, component: usize) -> String {
    let mut names = mechanism
        .coordinate_names()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    names.extend(mechanism.speed_names());
    let name = names.into_iter().nth(component);
    name.unwrap_or_else(|| "the motion".to_owned())
}

/// Rows by their names, and the place of the first.
fn those(mechanism: &Mechanism, rows: &[usize]) -> (Place, Option<String>) {
    let Some(&first) = rows.first() else {
        return (Place::Model, None);
    };
    let names: Vec<String> = (rows.iter().take(MOST_NAMED))
        .map(|&row| format!("`{}`", mechanism.system.rows[row].name))
        .collect();
    let more = match rows.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let constraint = mechanism.system.rows[first].constraint;
    let place = mechanism.model.constraints[constraint].holds.whole();
    (place, Some(names.join(", ") + &more))
}

/// Rows that are named where a run stops, at most.
const MOST_NAMED: usize = 6;

/// The run stopped at a time because rows become dependent then, or at a later one.
fn unclear(mechanism: &Mechanism, rows: &[usize], [t, at]: [f64; 2]) -> Diagnostic {
    let (place, names) = those(mechanism, rows);
    let names = names.map_or_else(
        || "constraints".to_owned(),
        |names| format!("constraints, {names},"),
    );
    let there = match at > t {
        true => format!("at t = {at:.6}"),
        false => "there".to_owned(),
    };
    let message = format!(
        "the run stopped at t = {t:.6}: {names} that are independent elsewhere become dependent {there}, and it is not known which \
         motion leads on"
    );
    let help = "look at the motion up to there; write constraints that stay independent, or end the run before";
    Diagnostic::error("E0541", place, message, help)
}

/// The run stopped beside a place that is not on the surface, in a corner that is too narrow for numbers.
fn narrow(mechanism: &Mechanism, rows: &[usize], [t, at, known]: [f64; 3]) -> Diagnostic {
    let (place, names) = those(mechanism, rows);
    let names = names.map_or_else(String::new, |names| format!(", {names},"));
    let message = format!(
        "the run stopped at t = {t:.6}: constraints{names} come so near to depending on each other at t = {at:.6} that velocities, which \
         follow from them, are known to a part of {known:.0e} only"
    );
    let help = "the motion turns a narrow corner there: a larger rtol may lead around it; lengths that are equal make it a change \
                point, which is passed, and lengths that differ by more make the corner wider";
    Diagnostic::error("E0541", place, message, help)
}

/// The run stopped on its way: says when and why.
fn explain_stop(mechanism: &Mechanism, why: Stop, so_far: &Simulation) -> Diagnostic {
    let t = so_far.t_end;
    let motionless = |cause: Numeric| {
        let when = format!("at t = {t:.6}, where the run stopped");
        no_motion(mechanism, &NoMotion::Failure(cause), &when)
    };
    match why {
        // A slip has vanished and does not grow again.
        Stop::Stuck(cause) => motionless(cause),
        Stop::Unmet => {
            let message = format!(
                "the run stopped at t = {t:.6}: no positions meet the constraints after that"
            );
            let help =
                "look at the motion up to there: where do lengths that change with time lead";
            refusal("E0531", message, help)
        }
        Stop::Integrator {
            change_point: true,
            lost: false,
            ..
        } => unclear(mechanism, &so_far.dependent, [t, t]),
        Stop::Integrator {
            failure: Failure::Displaced { component, .. },
            ..
        } => displaced(mechanism, component, t),
        Stop::Integrator {
            cause: Some(cause), ..
        } => motionless(cause),
        Stop::Integrator { lost: true, .. } => {
            let message = format!(
                "the run stopped at t = {t:.6}: no choice of independent coordinates and speeds determines the others there"
            );
            let help = "look at the motion up to there: its constraints are singular, or cannot be met any more";
            refusal("E0531", message, help)
        }
        Stop::Integrator { failure, .. } => {
            let message = format!("the run stopped at t = {t:.6}: {failure}");
            let help = match failure {
                _ if jumps_with_velocity(mechanism) => HOLDS_NOTHING,
                Failure::TooManySteps { .. } => {
                    "look at the motion up to there; allow more with --max-steps, or `max_steps` in [run]"
                }
                _ => "look at the motion up to there: is it singular, or does it leave its domain",
            };
            refusal("E0522", message, help)
        }
        Stop::ToAndFro(t) => {
            let message = format!(
                "the run stopped at t = {t:.6}: a force jumps there, and drives the motion back to the jump from both sides"
            );
            let help = match jumps_with_velocity(mechanism) {
                true => HOLDS_NOTHING,
                false => {
                    "write the force without a jump, or what holds the motion there as a constraint"
                }
            };
            refusal("E0522", message, help)
        }
        Stop::OutOfBalance(found) => {
            let message = format!(
                "the run stopped at t = {:.6}: energy and work are out of balance by {:.3e} at t = {:.6}, of which tolerances \
                 explain {:.1e}",
                found.t, found.by, found.t_after, found.explained
            );
            let help = match jumps_with_velocity(mechanism) {
                true => HOLDS_NOTHING,
                false => {
                    "the motion after this time would be wrong: look for a singular place, a corner or a jump there, and \
                     try a smaller rtol or max_step"
                }
            };
            refusal("E0540", message, help)
        }
        Stop::Unbalanced { t: at, found } => {
            let (what, unit) = match found.moments {
                true => ("moments", "N m"),
                false => ("forces", "N"),
            };
            let on = found.on.name(&mechanism.model);
            let message = format!(
                "the {what} on `{on}` do not balance at t = {at:.6}: reactions, given {what} and inertia differ by {:.3e} {unit} of {:.3e} {unit}",
                found.by, found.of
            );
            let help = "the reactions of this run are wrong, or the motion is: compare the formulations by `check`, and look for constraints that nearly depend on \
                 each other";
            refusal("E0547", message, help)
        }
        Stop::Unclear(at) => unclear(mechanism, &so_far.dependent, [t, at]),
        Stop::Narrow { t: at, known } => narrow(mechanism, &so_far.dependent, [t, at, known]),
        Stop::LostBranch(at) => lost_branch(mechanism, &so_far.dependent, [t, at]),
        Stop::UndefinedCondition { event, t: at } => {
            let whose = match event {
                None => "`until`".to_owned(),
                Some(event) => format!("of `{}`", mechanism.system.events[event].name),
            };
            let message = format!("the condition {whose} is no number at t = {at:.6}");
            let help = "write a condition that has a value wherever the motion goes; multipliers of constraints that depend on \
                        each other have none";
            refusal("E0544", message, help)
        }
        Stop::UndefinedGap { contact, t: at } => {
            let name = &mechanism.system.rows[mechanism.system.unilateral[contact].row].name;
            let message = format!("the gap of `{name}` is no number at t = {at:.6}");
            refusal("E0544", message, "write a gap that has a value there")
        }
        Stop::NoContact { t, why } => {
            let when = format!("at t = {t:.6}, where the run stopped");
            contacts::no_contact(mechanism, &why, &when)
        }
        Stop::Penetrated { t, contact, gap } => {
            let what = format!("the run stopped at t = {t:.6}, where the gap is {gap:.3e}");
            contacts::lost(mechanism, &[contact], &what)
        }
        Stop::RestlessContacts { t, contacts: all } => {
            let what =
                format!("the run stopped at t = {t:.6}, where contacts open and close without end");
            contacts::lost(mechanism, &all, &what)
        }
        other => no_event(mechanism, other),
    }
}

/// A change point was passed onto another branch; the run is good up to the first time.
fn lost_branch(mechanism: &Mechanism, dependent: &[usize], [t, at]: [f64; 2]) -> Diagnostic {
    let message = format!(
        "the run passed a change point at t = {at:.6} and did not stay on the motion that arrived there"
    );
    let (place, names) = those(mechanism, dependent);
    let help = format!(
        "constraints that are independent elsewhere become dependent there, and several motions branch off; the run \
         is good up to t = {t:.6}{}",
        names.map_or_else(String::new, |names| format!("; look at {names}"))
    );
    Diagnostic::error("E0541", place, message, &help)
}

/// To meet the constraints a component of the state would have to jump.
fn displaced(mechanism: &Mechanism, component: usize, t: f64) -> Diagnostic {
    let mut what = component_name(mechanism, component);
    let n = mechanism.equations.coordinates();
    let system = &mechanism.system;
    if component < n && system.speeds.is_none() && may_have_corners(system) {
        // Where a row has a corner, the coordinate need not jump: its rate does.
        what = format!("{what} or {}", component_name(mechanism, component + n));
    }
    let message = format!(
        "the run stopped at t = {t:.6}: to meet the constraints from there on, {what} would have to jump"
    );
    let (code, help) = match may_have_corners(&mechanism.system) {
        true => (
            "E0542",
            "a constraint has a corner there, as |x| has, and the motion runs into it: take a smooth one",
        ),
        false => (
            "E0541",
            "constraints may become dependent there, where several motions meet: end the run before, or \
             write constraints that stay independent",
        ),
    };
    refusal(code, message, help)
}

/// Why an event could not happen.
fn no_event(mechanism: &Mechanism, why: Stop) -> Diagnostic {
    let row = |row: RowId| mechanism.system.rows[row].name.as_str();
    let (name, t, what, help) = match why {
        Stop::SenselessEvent { name, t } => (
            name,
            t,
            "something in it is no number".to_owned(),
            "look for a division by zero, or a function outside its domain".to_owned(),
        ),
        Stop::Unset {
            name,
            t,
            row: unmet,
            by,
        } => (
            name,
            t,
            format!("what it sets misses `{}` by {by:.3e}", row(unmet)),
            "set all coordinates and rates that the constraint couples, so that it is met".to_owned(),
        ),
        Stop::NotMet {
            name,
            t,
            row: unmet,
            by,
        } => (
            name,
            t,
            format!("`{}` is engaged where it is missed by {by:.3e}", row(unmet)),
            "let the event happen where the constraint is met: its condition is that the gap closes".to_owned(),
        ),
        Stop::Reversed { name, t, joint } => {
            let joint = &mechanism.model.constraints[joint].name.text;
            let what =
                format!("the joint `{joint}` would hold the other way round: its axes point against each other");
            let help = "let it happen where the bodies stand as the joint is defined, or turn the joint by its `attitude`";
            (name, t, what, help.to_owned())
        }
        Stop::Restitution { name, t, value } => (
            name,
            t,
            format!("its restitution is {value}"),
            "it is the part of the rate that comes back, from 0 to 1".to_owned(),
        ),
        Stop::NoBlow { name, t, why } => {
            let (what, help) = no_blow(mechanism, &why);
            (name, t, what, help)
        }
        Stop::TooManyEvents(event) => {
            let name = &mechanism.system.events[event].name;
            let message = format!("`{name}` happens again and again: a million events are too many");
            let help = "look at the motion: does the condition become true again right after it";
            return refusal("E0552", message, help);
        }
        other => unreachable!("{other:?} is explained elsewhere"),
    };
    let written = mechanism.model.events.iter();
    let place = written.into_iter().find(|event| event.name.text == name);
    let place = place.map_or(Place::Model, |event| event.when.whole());
    let message = format!("the run stopped at t = {t:.6}: `{name}` cannot happen there, {what}");
    Diagnostic::error("E0550", place, message, help)
}

/// Why a blow is not determined, and what to do.
fn no_blow(mechanism: &Mechanism, why: &NoBlow) -> (String, String) {
    let rows = &mechanism.system.rows;
    let name = |row: RowId| match rows.get(row.index()) {
        Some(row) => format!("`{}`", row.name),
        None => "what is struck".to_owned(),
    };
    match why {
        NoBlow::NotLinear(row) => (
            format!(
                "because {} is not linear in the velocities, and a blow leaves open what becomes of it",
                name(*row)
            ),
            "release it before, or write it linear in the velocities".to_owned(),
        ),
        NoBlow::Lawful(row) => (
            format!(
                "because {} takes an impulse, and a force or friction depends on its reaction",
                name(*row)
            ),
            "friction and forces that follow reactions have no impulses yet: leave them out"
                .to_owned(),
        ),
        NoBlow::Failure(Numeric::Unsolved(Unsolved::Contradictory { rows, .. })) => {
            let names: Vec<String> = rows.iter().map(|&row| name(RowId::new(row))).collect();
            (
                format!(
                    "because {} ask for velocities that exclude each other",
                    names.join(", ")
                ),
                "release one of them, or strike along a direction that can move".to_owned(),
            )
        }
        NoBlow::Failure(failure) => {
            let found = no_motion(mechanism, &NoMotion::Failure(failure.clone()), "there");
            (
                format!("because {}", found.message),
                found.help.unwrap_or_default(),
            )
        }
    }
}
