//! What cannot happen is refused by name.

use super::run_with;
use dalembert_mechanics::impulse::NoBlow;
use dalembert_mechanics::{Mechanism, read_model};
use dalembert_simulate::{RunOptions, SimulateError, Stop};

const POINT: &str = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n";

fn stop(text: &str) -> Stop {
    let text = format!("{POINT}{text}[run]\nspan = 2\n");
    match run_with(&text, &RunOptions::default()) {
        Err(SimulateError::Stopped { why, so_far }) => {
            assert!(so_far.t_end > 0.0, "what was reached is kept");
            why
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_stop_where_an_event_cannot_happen() {
    let found = stop(
        "[constraint.c]\nholds = \"y = 3\"\nactive = false\n[event.e]\nwhen = \"x > 1\"\nengage = \"c\"\n",
    );
    assert!(
        matches!(found, Stop::NotMet { by, .. } if (by + 3.0).abs() < 1e-12),
        "{found:?}"
    );
    let found = stop(
        "[constraint.c]\nholds = \"y = 0\"\n[event.e]\nwhen = \"x > 1\"\nset = { y = \"1\" }\n",
    );
    assert!(matches!(found, Stop::Unset { .. }), "{found:?}");
    let found = stop(
        "[constraint.c]\nholds = \"y = 0\"\n[event.e]\nwhen = \"x > 1\"\nset = { \"y'\" = \"1\" }\n",
    );
    assert!(matches!(found, Stop::Unset { .. }), "{found:?}");
    let found = stop(
        "[constraint.c]\nholds = \"x'^2 + y'^2 = 1\"\n[event.e]\nwhen = \"x > 1\"\nimpulse = { generalized = { y = 1 } }\n",
    );
    assert!(
        matches!(
            found,
            Stop::NoBlow {
                why: NoBlow::NotLinear(_),
                ..
            }
        ),
        "{found:?}"
    );
    let found = stop("[event.e]\nwhen = \"x > 1\"\nset = { y = \"log(-x)\" }\n");
    assert!(matches!(found, Stop::SenselessEvent { .. }), "{found:?}");
    let found =
        stop("[event.e]\nwhen = \"x > 1\"\nimpact = { on = \"x\", restitution = \"x + 1\" }\n");
    assert!(matches!(found, Stop::Restitution { .. }), "{found:?}");
    let found = stop(
        "[constraint.c]\nholds = \"x = t\"\n[event.e]\nwhen = \"x > 1\"\nimpact = { on = \"x\" }\n",
    );
    assert!(
        matches!(
            found,
            Stop::NoBlow {
                why: NoBlow::Failure(_),
                ..
            }
        ),
        "{found:?}"
    );
}

/// What is wrong with a model of a particle and something more.
fn codes(text: &str) -> Vec<&'static str> {
    let text = format!("dalembert = 1\n{POINT}{text}");
    let errors = match read_model(&text) {
        Err(errors) => errors,
        Ok((model, _)) => Mechanism::new(model).err().expect("something is wrong"),
    };
    assert!(
        errors
            .iter()
            .all(|error| error.help.is_some() || error.code == "E0450"),
        "{errors:#?}"
    );
    errors.iter().map(|error| error.code).collect()
}

#[test]
fn models_are_refused_with_place_and_cure() {
    assert_eq!(codes("[event.e]\nwhen = \"x > 1\"\n"), ["E0316"]);
    assert_eq!(codes("[event.e]\nstop = true\n"), ["E0305"]);
    assert_eq!(codes("[event.e]\nwhen = \"x\"\nstop = true\n"), ["E0312"]);
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1\"\nengage = \"nothing\"\n"),
        ["E0490"]
    );
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1\"\nset = { z = 1 }\n"),
        ["E0491"]
    );
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1\"\nimpact = { on = \"x'\" }\n"),
        ["E0492"]
    );
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1\"\nimpact = { on = \"x\", restitution = 1.2 }\n"),
        ["E0495"]
    );
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1 m\"\nimpulse = { generalized = { x = \"2 N\" } }\n"),
        ["E0450"]
    );
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1 m\"\nset = { \"x'\" = \"2 m\" }\n"),
        ["E0450"]
    );
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1\"\nimpulse = { on = \"Q\", vector = \"[1, 0, 0]\" }\n"),
        ["E0424"]
    );
    assert_eq!(
        codes("[event.e]\nwhen = \"x > 1\"\nwhat = 1\nstop = true\n"),
        ["E0304"]
    );
    assert_eq!(
        codes(
            "[constraint.c]\nholds = \"y = 0\"\nactive = false\nfriction = { coefficient = 0.1 }\nnonideal = { x = 1 }\n[event.e]\nwhen = \"x > 1\"\nengage = \"c\"\n"
        ),
        ["E0493"]
    );
}

/// What cannot be enforced on a contact is refused by name.
#[test]
fn contacts_take_restitution_and_friction_only() {
    for (text, code) in [
        ("holds = \"pos(P) >= 0\"", "E0560"),
        ("holds = \"x' >= 0\"", "E0560"),
        ("holds = \"t >= 1\"", "E0560"),
        ("holds = \"y = 0\"\nrestitution = 0.5", "E0561"),
        ("holds = \"y >= 0\"\nactive = false", "E0562"),
        ("holds = \"y >= 0\"\nnonideal = { x = 1 }", "E0562"),
        (
            "holds = \"y >= 0\"\nfriction = { coefficient = 0.1, smoothing = 0.1 }",
            "E0562",
        ),
        (
            "holds = \"y >= 0\"\nrestitution = { poisson = 0.5 }\n[constraint.d]\nholds = \"x >= 0\"\nrestitution = 0.5",
            "E0562",
        ),
        ("holds = \"y >= 0\"\nrestitution = 1.5", "E0495"),
        (
            "holds = \"y >= 0\"\n[event.e]\nwhen = \"t > 1\"\nrelease = \"c\"",
            "E0562",
        ),
    ] {
        assert_eq!(
            codes(&format!("[constraint.c]\n{text}\n")),
            [code],
            "{text}"
        );
    }
}

/// A force with the sign of a velocity holds nothing at rest, and is told as that from the start, where energies are nothing yet.
#[test]
fn a_sign_that_would_have_to_hold_is_told_from_the_start() {
    let text = "[coordinates]\nx = 0\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
        [force.push]\ngeneralized = { x = \"1 - 3*sign(x')\" }\n[run]\nspan = 5\n";
    match run_with(text, &RunOptions::default()) {
        Err(SimulateError::Stopped { why, .. }) => {
            assert!(
                matches!(why, Stop::ToAndFro(t) if t.abs() < 1e-6),
                "{why:?}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// A hinge that an event engages, or a body that it turns round, with the axes against each other: its rows are met, and it is another hinge.
#[test]
fn no_event_leaves_a_hinge_the_other_way_round() {
    let body = "[body.b]\nmass = 1\ninertia = [1, 1, 1]\nstart = { attitude = \"Rx(180 deg)\" }\n[joint.J]\ntype = \"revolute\"\naxis = \"z\"\nbetween = [\"ground\", \"b\"]\n";
    let found = stop(&format!(
        "{body}active = false\n[event.e]\nwhen = \"x > 1\"\nengage = \"J\"\n"
    ));
    assert!(matches!(found, Stop::Reversed { .. }), "{found:?}");
    let body = body.replace("180", "0");
    let found = stop(&format!(
        "{body}[event.e]\nwhen = \"x > 1\"\nset = {{ \"b.q0\" = 0, \"b.q1\" = 1 }}\n"
    ));
    assert!(matches!(found, Stop::Reversed { .. }), "{found:?}");
}

/// A rough floor that holds from an instant on would take an impulse, and its friction one too: that is refused, not left out.
#[test]
fn a_rough_constraint_that_is_engaged_with_a_blow_is_refused() {
    let found = stop(
        "[force.weight]\non = \"P\"\nvector = \"[0, -10, 0]\"\n[constraint.c]\nholds = \"y = -1\"\nactive = false\n\
         friction = { coefficient = 0.3, at = \"P\" }\n[event.e]\nwhen = \"y < -1\"\nengage = \"c\"\n",
    );
    let lawful = matches!(
        found,
        Stop::NoBlow {
            why: NoBlow::Lawful(_),
            ..
        }
    );
    assert!(lawful, "{found:?}");
}

/// A gap that has no value may be anywhere: nothing passes it unseen.
#[test]
fn runs_stop_where_a_gap_has_no_value() {
    let found = stop("[constraint.c]\nholds = \"sqrt(1 - x) >= -1\"\n");
    assert!(
        matches!(found, Stop::UndefinedGap { contact: 0, t } if (t - 1.0).abs() < 1e-12),
        "{found:?}"
    );
}
