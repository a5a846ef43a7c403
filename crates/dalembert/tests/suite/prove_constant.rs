//! `conserved:` and `holonomic:` in files of equations.

use crate::prove::{example, mechanism, verdicts};
use dalembert::prove::{Language, read_equations};

#[test]
fn momenta_and_energies_are_proved_and_refuted() {
    let pendulum = example("spherical-pendulum");
    let claims = "conserved: x*p_y - y*p_x\nconserved: y*p_z - z*p_y\nconserved: p_z\n";
    assert_eq!(
        verdicts(&pendulum, claims),
        ["proved", "refuted", "refuted"]
    );
    let oscillator = mechanism(
        "dalembert = 1\n[parameters]\nm = 2\nk = 3\n[coordinates]\nx = 1\ny = 0.2\n[start]\n\"y'\" = 1\n[energy]\n\
         kinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"k/2*(x^2 + y^2)\"\n",
    );
    let claims = "conserved: m/2*(x'^2 + y'^2) + k/2*(x^2 + y^2)\nconserved: x*p_y - y*p_x\n\
                  p_x = m*x'\nconserved: p_x\nconserved: m*x'*y' + k*x*y\n";
    let found = verdicts(&oscillator, claims);
    assert_eq!(found, ["proved", "proved", "proved", "refuted", "proved"]);
}

#[test]
fn rows_in_disguise_are_proved_with_their_integral() {
    let disk = example("rolling-disk");
    let claims = "holonomic: contact.2 = z - r*cos(theta)\nholonomic: contact.2 = (z - r*cos(theta))^3\n\
                  holonomic: contact.2 = z + r*cos(theta)\nholonomic: contact.0 = z - r*cos(theta)\n\
                  conserved: z - r*cos(theta)\n";
    let found = verdicts(&disk, claims);
    assert_eq!(found, ["proved", "proved", "refuted", "refuted", "proved"]);
}

/// On the surface of rows of positions: y = x makes y x' a differential.
#[test]
fn integrals_on_a_surface() {
    let text = "dalembert = 1\n[coordinates]\nx = 0.3\ny = \"?\"\nz = 0\n[start]\n\"x'\" = 1\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
                [constraint.line]\nholds = \"y = x\"\n[constraint.c]\nholds = \"z' = y*x'\"\n";
    let found = verdicts(
        &mechanism(text),
        "holonomic: c = z - x^2/2\nholonomic: c = z - x*y/2\nholonomic: c = z - x^2\n",
    );
    assert_eq!(found, ["proved", "proved", "refuted"]);
}

/// What is divided by may vanish: x x'/x is x', and does not jump.
#[test]
fn quotients_and_corners_that_do_not_jump_are_proved() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\ny = 0.2\n[start]\n\"x'\" = 0.5\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n";
    let claims = "conserved: x*x'/x\nconserved: y'/x'\nconserved: abs(x')\nconserved: (x*y' - y*x')*sign(x*y' - y*x')\nconserved: y/x\n";
    let found = verdicts(&mechanism(text), claims);
    assert_eq!(found, ["proved", "proved", "proved", "proved", "refuted"]);
}

#[test]
fn a_claim_with_an_input_is_told() {
    let text = "dalembert = 1\n[inputs]\nu = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"u*x\"\n";
    let claim = "conserved: x'^2/2 + u*x";
    let Err(errors) = read_equations(&mechanism(text), claim, Language::Model) else {
        panic!("{claim}");
    };
    assert!(
        errors[0]
            .message
            .contains("the input `u` is set from outside")
    );
}

/// A clutch that engages after a second changes b' at once, and so does a wall; an event that stops the run changes nothing.
#[test]
fn what_events_and_contacts_change_is_not_constant() {
    let refused = |mechanism: &dalembert_mechanics::Mechanism, claim: &str| {
        let Err(errors) = read_equations(mechanism, claim, Language::Model) else {
            panic!("{claim}");
        };
        errors[0].message.clone()
    };
    let found = refused(&example("clutch"), "conserved: p_b");
    assert!(
        found.starts_with("the event `couple` may change it at once"),
        "{found}"
    );
    let found = refused(&example("string"), "conserved: p_x");
    assert!(
        found.starts_with("the contact `string` may change it at once"),
        "{found}"
    );
    // The front door proves for the rows of the start, and knows the whole all the same.
    let clutch = dalembert::Model::gallery("clutch").unwrap();
    let claim = dalembert::Source::new("claim", "conserved: p_b\n");
    assert!(clutch.prove(&claim, Language::Model).is_err());
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[start]\n\"x'\" = 1\n[energy]\nkinetic = \"x'^2/2\"\n[event.end]\nwhen = \"x > 2\"\nstop = true\n";
    assert_eq!(verdicts(&mechanism(text), "conserved: p_x\n"), ["proved"]);
}

#[test]
fn what_cannot_be_such_a_claim_is_told() {
    let disk = example("rolling-disk");
    for (claim, message) in [
        ("holonomic: contact.7 = z", "there is no row `contact.7`"),
        ("conservd: energy", "`conservd` is no claim"),
        (
            "holonomic: contact.2",
            "a row and what it keeps constant are needed here",
        ),
        (
            "holonomic: contact.2 = z'",
            "depends on coordinates and time alone",
        ),
        (
            "holonomic: contact.2 = r",
            "this is constant whatever moves",
        ),
        (
            "conserved: z''",
            "depends on coordinates, rates and time alone",
        ),
        ("conserved: q_z", "unknown name `q_z`"),
        (
            "conserved: sign(x)",
            "it jumps where x changes its sign, and may be constant on either side only",
        ),
        ("conserved: abs(x)/x", "it jumps where x changes its sign"),
        (
            "conserved: atan(x/y) + atan(y/x)",
            "it jumps where x changes its sign",
        ),
        ("conserved: if(x > 1, 2, 3)", "changes its sign"),
        ("conserved: atan2(x, y) - atan(x/y)", "it jumps where"),
    ] {
        let Err(errors) = read_equations(&disk, claim, Language::Model) else {
            panic!("{claim}");
        };
        let told = errors.iter().any(|it| it.message.contains(message));
        assert!(told, "{claim}: {errors:#?}");
    }
}
