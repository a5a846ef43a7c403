//! What happens at an instant, against closed forms.

mod beside;
mod blows;
mod conditions;
mod contacts;
mod free_bodies;
mod modes;
mod poisson;
mod random;
mod refusals;
mod resting;
mod rough_contacts;
mod second;
mod shapes;
mod times;

use dalembert_mechanics::{Mechanism, read_model};
use dalembert_simulate::{RunOptions, SimulateError, Simulation, simulate};
use std::ops::ControlFlow;

/// A run of a model.
fn run(text: &str) -> Simulation {
    match run_with(text, &RunOptions::default()) {
        Ok(simulation) => simulation,
        Err(error) => panic!("{error:?}"),
    }
}

fn run_with(text: &str, options: &RunOptions) -> Result<Simulation, SimulateError> {
    let mechanism = mechanism(text);
    let start = mechanism
        .start()
        .unwrap_or_else(|errors| panic!("{errors:#?}"));
    simulate(&mechanism, &start, options, |_| ControlFlow::Continue(()))
}

fn mechanism(text: &str) -> Mechanism {
    let text = format!("dalembert = 1\n{text}");
    let (model, _) = read_model(&text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    Mechanism::new(model).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64) {
    assert!(
        (found - expected).abs() <= within * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}
