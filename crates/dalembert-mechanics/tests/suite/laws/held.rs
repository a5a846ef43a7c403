//! Laws beside constraints that forces hold, and rows that say nothing, by hand.

use super::{at_start, close, mechanism};
use dalembert_mechanics::formulation::Failure;
use dalembert_mechanics::{Mechanism, NoMotion, read_model};

const G: f64 = 9.81;

/// A block of 2 kg is dragged over a rough floor by a rope at an angle, so that it moves as wanted: x'' = a.
fn dragged(slope: f64, mu: f64, law: &str) -> String {
    format!(
        "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 3\n\
         [particle.block]\nmass = 2\nposition = \"[x, y, 0]\"\n\
         [force.rope]\non = \"block\"\nvector = \"[0.8, {slope}, 0]\"\n\
         [constraint.program]\nholds = \"x = 3*t + 1.5*t^2/2\"\nenforced_by = [\"rope\"]\n\
         [constraint.floor]\nholds = \"2*y = 0\"\n{law}\n[parameters]\nmu = {mu}\n"
    )
}

const FRICTION: &str = "friction = { coefficient = \"mu\" }";

/// m a = F c − μ N and N = m g − F s, so F = m (a + μ g)/(c + μ s): the rope lifts the block and lowers its friction.
#[test]
fn rope_that_drags_a_block() {
    for (s, mu) in [(0.6, 0.25), (0.6, 0.0), (-0.6, 0.25), (0.0, 0.7)] {
        let (c, a) = (0.8, 1.5);
        let force = 2.0 * (a + mu * G) / (c + mu * s);
        let normal = 2.0 * G - force * s;
        assert!(normal > 0.0);
        let by_hand =
            "nonideal = { on = \"block\", vector = \"[-2*mu*abs(reaction(floor)), 0, 0]\" }";
        let on = "nonideal = { on = \"block\", vector = '[-mu*reaction(floor, on = \"block\").y, 0, 0]' }";
        for law in [FRICTION, by_hand, on] {
            let found = at_start(&mechanism(&dragged(s, mu, law))).unwrap();
            close(&found.accelerations, &[a, 0.0], 1e-12, law);
            close(&found.multipliers, &[force, normal / 2.0], 1e-12, law);
            close(&found.force_servo, &[force * c, force * s], 1e-12, law);
            let power = [0.0, -mu * normal * 3.0];
            close(&found.constraint_power, &power, 1e-12, law);
        }
    }
}

/// Pushed down too steeply it cannot be moved at all: μ |s| > c jams.
#[test]
fn rod_that_pushes_a_block_jams() {
    let found = at_start(&mechanism(&dragged(-0.6, 1.3, FRICTION)));
    assert!(found.is_ok());
    let found = at_start(&mechanism(&dragged(-0.6, 1.4, FRICTION)));
    let Err(NoMotion::Failure(Failure::Painleve {
        solutions, gain, ..
    })) = found
    else {
        panic!("{found:?}");
    };
    assert!(solutions.is_empty());
    close(&[gain.unwrap()], &[1.4 * 0.6 / 0.8], 1e-12, "gain");
}

/// The size of a force that holds a constraint is the reaction that a law finds there: F − 0.2 F = m a.
#[test]
fn a_law_of_the_force_that_holds() {
    let text = "[coordinates]\nx = 0\nz = 0\n\
                [particle.P]\nmass = 2\nposition = \"[x, 0, 0]\"\n\
                [particle.Q]\nmass = 3\nposition = \"[0, 0, z]\"\n\
                [force.motor]\non = \"P\"\nvector = \"[4, 0, 0]\"\n\
                [force.loss]\non = \"P\"\nvector = \"[-0.2*abs(4*reaction(program)), 0, 0]\"\n\
                [force.gear]\non = \"Q\"\nvector = \"[0, 0, 0.5*reaction(program)]\"\n\
                [constraint.program]\nholds = \"x = 5*t^2/2\"\nenforced_by = [\"motor\"]\n";
    let found = at_start(&mechanism(text)).unwrap();
    let size = 2.0 * 5.0 / 0.8 / 4.0;
    close(&found.multipliers, &[size], 1e-13, "motor");
    close(
        &found.accelerations,
        &[5.0, 0.5 * size / 3.0],
        1e-13,
        "gear",
    );
}

/// Rows that depend on each other have no reaction for a law, held by a force or not; a servo elsewhere is harmless.
#[test]
fn dependent_rows_beside_a_servo() {
    let text = dragged(0.6, 0.25, FRICTION) + "[constraint.again]\nholds = \"y = 0\"\n";
    let found = at_start(&mechanism(&text));
    let expected = Failure::ReactionNotUnique { rows: vec![1] };
    assert_eq!(found.err(), Some(NoMotion::Failure(expected)));
}

#[test]
fn what_a_force_that_holds_cannot_be() {
    let codes = |text: &str| -> Vec<&'static str> {
        let (model, _) = read_model(&format!("dalembert = 1\n{text}")).unwrap();
        let errors = Mechanism::new(model).err().unwrap_or_default();
        errors.iter().map(|error| error.code).collect()
    };
    let text = dragged(0.6, 0.25, FRICTION);
    assert_eq!(codes(&text), [""; 0]);
    let lawful = text.replace("[0.8, 0.6, 0]", "[0.8 + reaction(floor), 0.6, 0]");
    assert_eq!(codes(&lawful), ["E0479"]);
    let rough = text.replace("[\"rope\"]", "[\"rope\"]\nfriction = { coefficient = 1 }");
    assert_eq!(codes(&rough), ["E0483"]);
    let on = text.clone()
        + "[force.other]\non = \"block\"\nvector = 'reaction(program, on = \"block\")'\n";
    assert_eq!(codes(&on), ["E0472"]);
}

/// A wheel on a pin with friction in its bearing, of radius 0.1: the pin has three rows, of which one says 0 = 0.
#[test]
fn rows_that_say_nothing_do_no_harm() {
    let text = |moment: &str| {
        format!(
            "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\na = 0\n[start]\n\"a'\" = 2\n\
             [body.wheel]\nmass = 3\ninertia = [1, 1, 0.5]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
             [force.bearing]\ngeneralized = {{ a = '{moment}' }}\n\
             [constraint.pin]\nholds = \"pos(wheel) = [2*t^2, 0, 0]\"\n"
        )
    };
    let size = 3.0 * 4.0_f64.hypot(G);
    let on = "norm(reaction(pin, on = \"wheel\"))";
    for (moment, expected) in [
        (format!("-0.1*sign(a_dot)*{on}"), -0.1 * size),
        ("-0.1*reaction(pin.0)".to_owned(), -0.1 * 12.0),
        ("-0.1*reaction(pin.1)".to_owned(), -0.3 * G),
        (
            "-0.1*(reaction(pin.1) + reaction(pin.2))".to_owned(),
            -0.3 * G,
        ),
    ] {
        let found = at_start(&mechanism(&text(&moment))).unwrap();
        close(
            &found.accelerations,
            &[4.0, 0.0, expected / 0.5],
            1e-12,
            &moment,
        );
    }
}

/// A coefficient of friction may use the force of a constraint on a body, its own too: N = m g, mu = 0.1 + 0.01 N.
#[test]
fn a_coefficient_of_a_force() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 3\n\
                [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
                [constraint.floor]\nholds = \"y = 0\"\n\
                friction = { coefficient = '0.1 + 0.01*reaction(floor, on = \"P\").y' }\n";
    let found = at_start(&mechanism(text)).unwrap();
    let normal = 2.0 * G;
    let expected = -(0.1 + 0.01 * normal) * normal / 2.0;
    close(&found.accelerations, &[expected, 0.0], 1e-12, "floor");
}
