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
            "it may jump where x = 0, and be constant on either side only",
        ),
        ("conserved: abs(x)/x", "it may jump where x = 0"),
        ("conserved: atan(x/y) + atan(y/x)", "it may jump where"),
        ("conserved: if(x > 1, 2, 3)", "it may jump where"),
        ("conserved: atan2(x, y) - atan(x/y)", "it may jump where"),
        // What touches zero only, and what is far away.
        (
            "conserved: 2*atan(sin(t)/(1 + cos(t))) - t",
            "it may jump where 1 + cos(t) = 0",
        ),
        ("conserved: sign(sin(x) - 0.999999)", "it may jump where"),
        (
            "conserved: if((x - 50)^2 + (y - 50)^2 < 0.01, 1, 2)",
            "it may jump where",
        ),
    ] {
        let Err(errors) = read_equations(&disk, claim, Language::Model) else {
            panic!("{claim}");
        };
        let told = errors.iter().any(|it| it.message.contains(message));
        assert!(told, "{claim}: {errors:#?}");
    }
}

#[test]
fn what_rows_of_positions_keep_is_no_claim_about_another_row() {
    let model = |row: &str| {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = 0.7\ny = 0.4\nz = 0.3\nw = 0\n[energy]\n\
             kinetic = \"(x'^2 + y'^2 + z'^2 + w'^2)/2\"\n[constraint.p]\nholds = \"w = 0\"\n[constraint.r]\nholds = \"{row}\"\n"
        );
        mechanism(&text)
    };
    let contact = model("z' = y*x'");
    for claim in ["r = w", "r = w*z", "r = w^2 + 3*w", "r = sqrt(x^2)/x"] {
        let claim = format!("holonomic: {claim}");
        let read = read_equations(&contact, &claim, Language::Model);
        assert!(read.is_err(), "{claim}");
    }
    // On either side of a condition a row is another one.
    let switched = model("z' = if(y > 5, y - 5, 0)*x'");
    let Err(errors) = read_equations(
        &switched,
        "holonomic: r = z*(if(y > 5, 1, 0) - 1)",
        Language::Model,
    ) else {
        panic!("a row with two sides");
    };
    assert!(
        errors[0].message.contains("on either side of"),
        "{errors:#?}"
    );
}

/// At the time of the start alone y' = t is zero.
#[test]
fn what_holds_at_the_time_of_the_start_alone_is_refuted() {
    let text = "dalembert = 1\n[coordinates]\nx = 0.3\ny = 0.2\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[constraint.a]\nholds = \"x' = y\"\n\
                [constraint.b]\nholds = \"y' = t\"\n";
    let claims = "y' = 0\nconserved: y\ny' = t\n";
    let found = verdicts(&mechanism(text), claims);
    assert_eq!(found, ["refuted", "refuted", "proved"]);
}
