//! What every formulation must satisfy.

mod agreement;
mod certificates;
mod closed_forms;
mod dependent_rows;
mod random_models;
mod refusals;
mod routes;
mod servo;
mod singular_mass;
mod structured;
pub(crate) mod system;

use dalembert_mechanics::formulation::{
    Failure, Formulation, Motion, Workspace, solve, solve_accelerations,
};
use system::System;

/// The motion by one formulation.
fn motion(formulation: Formulation, system: &System) -> Result<Motion, Failure> {
    let mut workspace = Workspace::new(system.nv(), system.nc());
    let mut motion = Motion::default();
    solve(formulation, &system.problem(), &mut workspace, &mut motion)?;
    Ok(motion)
}

/// v' and λ as a run gets them.
fn lean(system: &System) -> Result<(Vec<f64>, Vec<f64>), Failure> {
    let (mut acceleration, mut multipliers) = (vec![0.0; system.nv()], vec![0.0; system.nc()]);
    let mut workspace = Workspace::new(system.nv(), system.nc());
    solve_accelerations(
        &system.problem(),
        &mut workspace,
        &mut acceleration,
        &mut multipliers,
    )?;
    Ok((acceleration, multipliers))
}

/// Checks the motion by every formulation, and that a run gets the same.
fn by_all_formulations(system: &System, tolerance: f64, check: impl Fn(&Motion)) {
    for formulation in Formulation::ALL {
        check(&motion(formulation, system).unwrap());
    }
    let (acceleration, multipliers) = lean(system).unwrap();
    let reference = motion(Formulation::Multipliers, system).unwrap();
    assert_close(&reference.acceleration, &acceleration, tolerance);
    assert_close(&reference.multipliers, &multipliers, tolerance);
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |size, value| size.max(value.abs()))
}

/// Largest difference, as a part of the largest value.
fn difference(left: &[f64], right: &[f64]) -> f64 {
    assert_eq!(left.len(), right.len());
    let differences: Vec<f64> = left.iter().zip(right).map(|(l, r)| l - r).collect();
    largest(&differences) / largest(left).max(f64::MIN_POSITIVE)
}

#[track_caller]
fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    let difference = difference(left, right);
    assert!(
        difference <= tolerance,
        "{difference:e} > {tolerance:e}: {left:?} {right:?}"
    );
}

#[test]
fn names_are_read_back() {
    for formulation in Formulation::ALL {
        assert_eq!(formulation.name().parse(), Ok(formulation));
    }
    let unknown = "hamilton".parse::<Formulation>().unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "unknown formulation 'hamilton'; known are multipliers, udwadia-kalaba, projection, complement, independent"
    );
}
