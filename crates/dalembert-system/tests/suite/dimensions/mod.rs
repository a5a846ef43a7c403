//! Models whose dimensions agree, and models whose dimensions do not.

mod agree;
mod clash;
mod size;
mod units;

use dalembert_model::diagnostic::{Diagnostic, Place};
use dalembert_model::model::Model;
use dalembert_model::model::builder::ModelBuilder;
use dalembert_system::dimensions::check;

/// The parts of a model file after its version.
fn read(lines: &str) -> Model {
    let file = format!("dalembert = 1\n{lines}");
    match dalembert_model::model::read(&file) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{errors:#?}"),
    }
}

fn built(builder: ModelBuilder) -> Model {
    builder
        .build()
        .unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// Code, key and text at the place, message and help of a diagnostic.
fn shown(diagnostic: &Diagnostic) -> String {
    let Place::Text(given) = &diagnostic.place else {
        panic!("{diagnostic:?}");
    };
    let (key, text) = (&given.key, &given.text[given.span.clone()]);
    let (code, message) = (diagnostic.code, &diagnostic.message);
    let help = diagnostic.help.as_deref().unwrap_or("-");
    format!("{code} {key}: {text}\n{message}\n{help}")
}

/// All that is wrong with a model, which is built without mistakes of other kinds.
fn found(builder: ModelBuilder) -> Vec<String> {
    check(&built(builder)).iter().map(shown).collect()
}

fn pendulum() -> ModelBuilder {
    Model::builder("Pendulum")
        .gravity("[0, -g, 0]")
        .parameter("m", "2 kg")
        .parameter("l", "0.5 m")
        .parameter("g", "9.81 m/s^2")
        .coordinate("theta", "10 deg")
        .particle("P", "m", "[l*sin(theta), -l*cos(theta), 0]")
}

/// A particle in the plane.
fn plane() -> ModelBuilder {
    Model::builder("Plane")
        .parameter("m", "2 kg")
        .parameter("g", "9.81 m/s^2")
        .coordinate("x", "0")
        .coordinate("y", "0")
        .particle("P", "m", "[x, y, 0]")
}
