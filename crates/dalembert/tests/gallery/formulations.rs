//! All formulations, at many states and along whole runs.

use crate::support::{assert_close, at_most, exact, mechanism, names, run};
use dalembert::simulate::{RunOptions, SimulateError, simulate};
use dalembert_mechanics::formulation::{Failure, Formulation};
use dalembert_mechanics::model::Model;
use dalembert_mechanics::{MAX_COMPARED, Mechanism, NoMotion};
use dalembert_ode::Method;
use std::ops::ControlFlow;

#[test]
fn every_example_is_certified() {
    for name in names() {
        let mechanism = mechanism(&name);
        let found = mechanism.certify(&mechanism.start().unwrap().state);
        assert_eq!(found.states, 100, "{name}");
        // Light and massless speeds cost Udwadia and Kalaba's formula the most.
        assert!(found.max_difference < 1e-9, "{name}: {found:?}");
        let nonlinear = name == "appell-hamel";
        assert_eq!(found.formulations.len(), 5 - usize::from(nonlinear));
    }
}

#[test]
fn runs_by_all_formulations_end_alike() {
    for name in [
        "blajer-disk",
        "ukf-line",
        "rigid-body-quaternion",
        "bead-on-driven-wire",
    ] {
        let mechanism = mechanism(name);
        let by = |formulation| {
            let options = RunOptions {
                formulation,
                record_all: true,
                ..exact()
            };
            run(&mechanism, 0.5, &options)
        };
        let usual = by(None);
        assert_eq!(usual.formulation, Formulation::Multipliers);
        for formulation in Formulation::ALL {
            let end = by(Some(formulation));
            assert_eq!(end.formulation, formulation);
            let what = format!("{name} by {formulation}");
            assert_close(&end.coordinates, &usual.coordinates, 1e-9, &what);
            assert_close(&end.rates, &usual.rates, 1e-9, &what);
            assert_close(&[end.work], &[usual.work], 1e-9, &what);
            for (column, other) in usual.table.columns().iter().zip(end.table.columns()) {
                assert_eq!(column.name, other.name);
                if !column.name.starts_with("residual") {
                    let what = format!("{what}: {}", column.name);
                    assert_close(other.values, column.values, 1e-8, &what);
                }
            }
        }
    }
}

#[test]
fn independent_speeds_refuse_a_nonlinear_row() {
    let mechanism = mechanism("appell-hamel");
    let start = mechanism.start().unwrap();
    let options = RunOptions {
        formulation: Some(Formulation::Independent),
        ..RunOptions::default()
    };
    let refused = simulate(&mechanism, &start, &options, |_| ControlFlow::Continue(()));
    let Err(SimulateError::NoMotion(NoMotion::Failure(Failure::NotReducible { rows }))) = refused
    else {
        panic!("it is refused");
    };
    assert_eq!(rows, [0]);
}

#[test]
fn full_matrices_are_refused_where_they_are_too_large() {
    let mut model = Model::builder("Many").parameter("m", "1 kg");
    for i in 0..=MAX_COMPARED {
        let (name, position) = (format!("x{i}"), format!("[x{i}, 0, 0]"));
        model = model.coordinate(&name, "0");
        model = model.particle(&format!("P{i}"), "m", &position);
    }
    let mechanism = Mechanism::new(model.build().unwrap()).unwrap();
    let start = mechanism.start().unwrap();
    let by = |formulation| {
        let options = RunOptions {
            span: Some(1.0),
            samples: Some(2),
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        simulate(&mechanism, &start, &options, |_| ControlFlow::Continue(()))
    };
    for formulation in Formulation::ALL {
        match by(formulation) {
            Ok(_) => assert_eq!(formulation, Formulation::Multipliers),
            Err(SimulateError::TooLargeFor(refused, size)) => {
                assert_eq!((refused, size), (formulation, MAX_COMPARED + 1));
            }
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// Explicit steps by multipliers, implicit ones by independent coordinates, and implicit ones whose stages meet the rows themselves (`complement`)
/// have little in common: they end alike.
fn implicit_runs_end_alike(names: impl Iterator<Item = String>) {
    for name in names {
        let mechanism = mechanism(&name);
        let by = |method, formulation, rtol| {
            let options = RunOptions {
                formulation: Some(formulation),
                method: Some(Some(method)),
                rtol: Some(rtol),
                samples: Some(2),
                ..RunOptions::default()
            };
            run(&mechanism, at_most(0.5, &mechanism), &options)
        };
        let usual = by(Method::DormandPrince8, Formulation::Multipliers, 1e-9);
        for formulation in [Formulation::Complement, Formulation::Independent] {
            // Speeds that follow from others must be linear in them.
            if formulation == Formulation::Independent && name == "appell-hamel" {
                continue;
            }
            let end = by(Method::Radau5, formulation, 1e-8);
            assert_eq!(end.integrator, "radau");
            let what = format!("{name} by {formulation}");
            assert_close(&end.coordinates, &usual.coordinates, 1e-5, &what);
            assert_close(&end.rates, &usual.rates, 1e-5, &what);
            assert!(end.position_residual <= 1e-9, "{what}");
        }
    }
}

#[test]
fn implicit_runs_by_other_formulations_end_alike() {
    let some = [
        "andrews-squeezer",
        "bead-on-rough-hoop",
        "blajer-disk",
        "four-bar",
        "governor-iftomm-a05",
        "knife-edge",
        "servo-pendulum",
    ];
    implicit_runs_end_alike(some.into_iter().map(str::to_owned));
}

#[test]
#[ignore = "thorough"]
fn implicit_runs_of_every_example_end_alike() {
    // Its motion has some 10 000 periods.
    let long = "slider-crank-flexible";
    implicit_runs_end_alike(names().into_iter().filter(|name| name != long));
}
