//! Laws that use reactions: friction and others, against closed forms.

mod closed_forms;
mod held;
mod painleve;
mod plane;
mod refusals;

use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, NoMotion, Snapshot, read_model};

/// A mechanism from the text of a model without its first line.
fn mechanism(text: &str) -> Mechanism {
    let (model, _) = read_model(&format!("dalembert = 1\n{text}")).unwrap();
    Mechanism::new(model).unwrap()
}

/// Everything at the start, by all formulations, which agree.
fn at_start(mechanism: &Mechanism) -> Result<Snapshot, NoMotion> {
    let start = mechanism.start().unwrap().state;
    at(mechanism, &start)
}

fn at(mechanism: &Mechanism, state: &State) -> Result<Snapshot, NoMotion> {
    let found = mechanism.snapshot(state)?;
    assert_eq!(
        found.formulations.len(),
        5,
        "all formulations find a motion"
    );
    for (formulation, accelerations) in &found.formulations {
        close(accelerations, &found.speed_rates, 1e-9, formulation.name());
    }
    Ok(found)
}

fn close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    for (found_one, expected_one) in found.iter().zip(expected) {
        assert!(
            (found_one - expected_one).abs() <= tolerance * size,
            "{what}: {found:?} is not {expected:?}"
        );
    }
}
