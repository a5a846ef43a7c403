//! What is refused, and how.

use super::{at_start, mechanism};
use dalembert_mechanics::formulation::Failure;
use dalembert_mechanics::ids::ConstraintId;
use dalembert_mechanics::lower::Rough;
use dalembert_mechanics::{Mechanism, NoMotion, read_model};

const HEAD: &str = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n\
                    [start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n";

fn codes(text: &str) -> Vec<&'static str> {
    let (model, _) = read_model(text).unwrap();
    match Mechanism::new(model) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|error| error.code).collect(),
    }
}

#[test]
fn redundant_rows_have_no_law() {
    let text = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
                [constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 0.1 }\n\
                [constraint.again]\nholds = \"2*y = 0\"\n";
    let found = at_start(&mechanism(text));
    let expected = Failure::ReactionNotUnique { rows: vec![0] };
    assert_eq!(found.err(), Some(NoMotion::Failure(expected)));
    // Rows that depend on each other do no harm to the reaction of another one.
    let text =
        text.replace("\"2*y = 0\"", "\"x = t\"") + "[constraint.third]\nholds = \"2*x = 2*t\"\n";
    assert!(at_start(&mechanism(&text)).is_ok());
}

#[test]
fn friction_holds_what_it_can() {
    let text = "gravity = \"[0.5, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
                [constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 0.1 }\n";
    let held = at_start(&mechanism(text)).unwrap();
    assert!(held.accelerations.iter().all(|a| a.abs() < 1e-15));
    assert!((held.reactions.on_all(ConstraintId::new(0))[0] + 0.5).abs() < 1e-14);
    // Static friction holds what that of sliding would not.
    let stronger = text.replace("0.1 }", "0.05, static = 0.052 }");
    let held = at_start(&mechanism(&stronger)).unwrap();
    assert!(held.accelerations.iter().all(|a| a.abs() < 1e-15));
    let slides = at_start(&mechanism(&text.replace("0.1 }", "0.05 }"))).unwrap();
    assert!((slides.accelerations[0] - (0.5 - 0.05 * 9.81)).abs() < 1e-14);
    let smooth = text.replace("0.1 }", "0.1, smoothing = 1e-3 }");
    assert!((at_start(&mechanism(&smooth)).unwrap().accelerations[0] - 0.5).abs() < 1e-14);
}

#[test]
fn a_row_that_is_no_contact_at_the_point_is_refused() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\na = 0\n[start]\n\"x'\" = 1\n\
                [body.bar]\nmass = 3\ninertia = [1, 1, 0.5]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
                [constraint.left]\nholds = \"y - 0.6*sin(a) = 0\"\n\
                friction = { coefficient = 0.5, at = \"point(bar, [0.6, 0, 0])\" }\n";
    let found = at_start(&mechanism(text));
    let Err(NoMotion::Failure(Failure::NotAContact { row, part })) = found else {
        panic!("{found:?}");
    };
    assert!(row.index() == 0 && part > 0.5);
}

#[test]
fn a_coefficient_that_becomes_negative_is_refused() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 2\ny = 0\n[start]\n\"x'\" = 1\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
                [constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = \"1 - x\" }\n";
    let found = at_start(&mechanism(text));
    let expected = Failure::NegativeFriction {
        of: Rough::Constraint(ConstraintId::new(0)),
        coefficient: -1.0,
    };
    assert_eq!(found.err(), Some(NoMotion::Failure(expected)));
}

#[test]
fn mistakes_are_named() {
    for (text, expected) in [
        (
            "[force.f]\non = \"P\"\nvector = \"[reaction(flor), 0, 0]\"\n[constraint.floor]\nholds = \"y = 0\"\n",
            "E0472",
        ),
        (
            "[force.f]\non = \"P\"\nvector = \"[reaction(pin), 0, 0]\"\n[constraint.pin]\nholds = \"pos(P) = [0, 0, 0]\"\n",
            "E0472",
        ),
        (
            "[force.f]\non = \"P\"\nvector = \"[reaction(floor, on = \\\"Q\\\"), 0, 0]\"\n[constraint.floor]\nholds = \"y = 0\"\n",
            "E0472",
        ),
        (
            "[force.f]\non = \"P\"\nvector = \"[reaction(floor, of = 1), 0, 0]\"\n[constraint.floor]\nholds = \"y = 0\"\n",
            "E0204",
        ),
        (
            "[constraint.floor]\nholds = \"y = 0*reaction(floor) + reaction(floor)\"\n",
            "E0470",
        ),
        (
            "[definitions]\nN = \"reaction(floor)\"\n[constraint.floor]\nholds = \"y = N\"\n",
            "E0470",
        ),
        (
            "[definitions]\nN = \"reaction(floor)\"\n[force.f]\non = \"P\"\nvector = \"[N', 0, 0]\"\n[constraint.floor]\nholds = \"y = 0\"\n",
            "E0471",
        ),
        (
            "[energy]\npotential = \"x*reaction(floor)\"\n[constraint.floor]\nholds = \"y = 0\"\n",
            "E0470",
        ),
        (
            "[particle.Q]\nmass = 1\nposition = \"[x, y + 1, 0]\"\n[constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 1 }\n",
            "E0473",
        ),
        (
            "[constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 1, at = \"ground\" }\n",
            "E0473",
        ),
        (
            "[constraint.pin]\nholds = \"pos(P) = [0, 0, 0]\"\nfriction = { coefficient = 1 }\n",
            "E0474",
        ),
        (
            "[constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 1, against = \"P\" }\n",
            "E0475",
        ),
        (
            "[constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = -1 }\n",
            "E0478",
        ),
        (
            "[constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 1, smoothing = 0 }\n",
            "E0478",
        ),
        (
            "[constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = \"x''\" }\n",
            "E0410",
        ),
    ] {
        // One mistake, and nothing that follows from it.
        assert_eq!(codes(&format!("{HEAD}{text}")), [expected], "{text}");
    }
}

/// w along the normal changes the reaction and not the motion; along the floor it is a friction.
#[test]
fn virtual_work_without_effect_is_told() {
    for (nonideal, expected) in [
        ("{ y = 3 }", Some("W0470")),
        ("{ on = \"P\", vector = \"[0, x + 1, 0]\" }", Some("W0470")),
        ("{ x = -1 }", None),
        ("{ x = -1, y = 3 }", None),
    ] {
        let text = format!("{HEAD}[constraint.floor]\nholds = \"y = 0\"\nnonideal = {nonideal}\n");
        let (model, _) = read_model(&text).unwrap();
        let found = Mechanism::new(model).unwrap();
        let start = found.start().unwrap().state;
        let told = found.idle_work(&start);
        let codes: Vec<&str> = told.iter().map(|told| told.code).collect();
        assert_eq!(codes, expected.into_iter().collect::<Vec<_>>(), "{text}");
        // The same acceleration with it and without it, exactly where it is told.
        let without = text.replace(&format!("nonideal = {nonideal}\n"), "");
        let (model, _) = read_model(&without).unwrap();
        let without = Mechanism::new(model).unwrap().snapshot(&start).unwrap();
        let with = found.snapshot(&start).unwrap();
        let same = (with.accelerations[0] - without.accelerations[0]).abs() < 1e-13;
        assert_eq!(same, expected.is_some(), "{text}");
    }
}
