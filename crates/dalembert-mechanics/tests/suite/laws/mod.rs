//! Laws that use reactions: friction and others, against closed forms.

mod closed_forms;
mod held;
mod painleve;
mod plane;
mod refusals;

use crate::models::mechanism;
use crate::numbers::assert_close as close;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, NoMotion, Snapshot};

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
