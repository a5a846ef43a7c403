//! What runs tell of impacts and events, by the names and places that it is about.

use dalembert::report::Error;
use dalembert::simulate::RunOptions;
use dalembert::{Model, Source};

/// All that a run of a model tells.
fn told(text: &str) -> String {
    let text = format!("dalembert = 1\n{text}");
    let model = Model::read(Source::new("told.toml", &text));
    let model = model.unwrap_or_else(|error| panic!("{error}"));
    match model.run(&RunOptions::default()) {
        Ok(report) => Error::new(report.diagnostics).to_string(),
        Err(error) => error.to_string(),
    }
}

const FLAT: &str = "planar = true\ngravity = \"[0, -10, 0]\"\n[body.rod]\nmass = 1\nshape = { rod = { length = 1, axis = \"x\" } }\n\
    start = { center = \"[0, 0.45, 0]\" }\n\
    [contact.f]\nbetween = [\"rod\", \"ground\"]\nplane = { normal = \"[0, 1, 0]\" }\nrestitution = 0.5\n[run]\nspan = 0.5\nsamples = 2\n";

#[test]
fn impacts_of_several_name_the_law_that_was_taken() {
    let newton = told(FLAT);
    assert!(
        newton.contains("W0566") && newton.contains("Newton's restitution was taken"),
        "{newton}"
    );
    let poisson = told(&FLAT.replace("= 0.5\n[run]", "= { poisson = 0.5 }\n[run]"));
    assert!(
        poisson.contains("W0566") && poisson.contains("Poisson's restitution was taken"),
        "{poisson}"
    );
    assert!(!poisson.contains("Newton"), "{poisson}");
}

#[test]
fn events_without_end_are_told_with_their_line() {
    let told = told(
        "[coordinates]\ny = 1\n[particle.P]\nmass = 1\nposition = \"[0, y, 0]\"\n[force.g]\ngeneralized = { y = \"-10\" }\n\
         [event.bounce]\nwhen = \"y < 0\"\nset = { \"y'\" = \"-0.5*y'\" }\n[run]\nspan = 3\n",
    );
    assert!(
        told.contains("W0551")
            && told.contains("`bounce` happens ever faster")
            && told.contains("when = \"y < 0\""),
        "{told}"
    );
}

#[test]
fn at_a_corner_a_rate_would_jump() {
    let told = told(
        "[coordinates]\nx = -1\ny = \"?\"\n[start]\n\"x'\" = 2\n[particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
         [constraint.c]\nholds = \"y = abs(x)\"\n[run]\nspan = 2\n",
    );
    assert!(told.contains("E0542") && told.contains("y'"), "{told}");
}
