//! With the program of a small system and without it: the same motion.

use super::MotionSystem;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::{Mechanism, model};
use dalembert_ode::{Absolute, Evaluation, Integrator, Options, System};
use std::ops::ControlFlow;
use std::path::Path;

/// Part of a derivative by which the program and the general route may differ.
const SAME: f64 = 1e-12;

fn mechanism(text: &str) -> Mechanism {
    let (model, _) = model::read(text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    Mechanism::new(model).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn examples() -> Vec<(String, Mechanism)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("there are examples") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            // Files beside a model are read by the front door.
            if !text.contains("table(") {
                found.push((path.display().to_string(), mechanism(&text)));
            }
        }
    }
    assert!(found.len() >= 13);
    found
}

fn derivative(system: &mut MotionSystem<'_>, t: f64, y: &[[f64; 1]]) -> (bool, Vec<f64>) {
    let mut now = Evaluation {
        t: [t],
        active: [true],
        projected: [false],
        failed: [false],
    };
    let mut dy = vec![[f64::NAN]; y.len()];
    system.derivative(&mut now, y, &mut dy);
    (now.failed[0], dy.into_flattened())
}

/// State after some time.
fn end(mechanism: &Mechanism, unrolled: bool, same: f64) -> Vec<f64> {
    let state = mechanism.start().expect("a start").state;
    let mut system = MotionSystem::new(mechanism, &state, Formulation::Multipliers);
    let mut general = MotionSystem::new(mechanism, &state, Formulation::Multipliers);
    (general.unrolled, general.way_back) = (None, None);
    if !unrolled {
        (system.unrolled, system.way_back) = (None, None);
    }
    let y = system.start(state.t, &state.coordinates, &state.rates);
    // Rounding chooses other steps: they are to err less than what is compared.
    let options = Options {
        rtol: 1e-12,
        atol: Absolute::All(1e-14),
        ..Options::default()
    };
    let mut integrator = Integrator::<1>::new(y.len(), &options).expect("sensible options");
    // Not beyond the model's own end: some are chaotic from there on.
    let own = mechanism.system.run.span;
    let until = state.t + own.map_or(0.7, |span| mechanism.run_value(span).min(0.7));
    let span = ([state.t], [until]);
    let n = state.coordinates.len();
    let report = integrator.run(&mut system, span.0, span.1, &y, |step| {
        // At every step the two say the same, to rounding.
        let (t, y) = (step.t_new(0), step.end_states().to_vec());
        let (by_program, wanted) = (
            derivative(step.system(), t, &y),
            derivative(&mut general, t, &y),
        );
        assert!(!by_program.0 && !wanted.0, "{t}");
        for part in [0..n, n..2 * n] {
            let size = wanted.1[part.clone()]
                .iter()
                .fold(1.0_f64, |a, b| a.max(b.abs()));
            for (a, b) in by_program.1[part.clone()].iter().zip(&wanted.1[part]) {
                assert!((a - b).abs() <= same * size, "{t}: {a} for {b} of {size}");
            }
        }
        ControlFlow::Continue(())
    });
    assert!((report.lanes[0].t - until).abs() < 1e-12);
    integrator.state().as_flattened().to_vec()
}

#[test]
fn every_example_moves_alike_with_and_without_its_program() {
    for (name, mechanism) in examples() {
        if !mechanism.system.servo.is_empty() || mechanism.system.has_laws() {
            continue; // Has no such program.
        }
        let start = mechanism.start().expect("a start").state;
        let system = MotionSystem::new(&mechanism, &start, Formulation::Multipliers);
        assert!(system.unrolled.is_some(), "{name}");
        // Rows of an overconstrained loop give way a little, and are refined twice.
        let same = if name.contains("bricard") { 1e-8 } else { SAME };
        let (with, without) = (end(&mechanism, true, same), end(&mechanism, false, same));
        for (a, b) in with.iter().zip(&without) {
            let apart = (a - b).abs() / (1.0 + b.abs());
            assert!(
                apart <= 1e-10_f64.max(same),
                "{name}: {apart:e}, {with:?} for {without:?}"
            );
        }
    }
}

/// Two rods from a fixed point to a ring about it; in line the three rows are dependent.
const RODS: &str = r#"dalembert = 1
title = "Two rods"
gravity = "[0, -9.81, 0]"
[coordinates]
px = "cos(0.9)"
py = "sin(0.9)"
qx = "2*cos(0.9)"
qy = 0
[particle.P]
mass = 1
position = "[px, py, 0]"
[particle.Q]
mass = 2
position = "[qx, qy, 0]"
[constraint.first]
holds = "px^2 + py^2 = 1"
[constraint.second]
holds = "(qx - px)^2 + (qy - py)^2 = 1"
[constraint.reach]
holds = "qx^2 + qy^2 = 4*cos(0.9)^2"
[run]
span = 1
"#;

#[test]
fn where_the_program_is_not_trusted_the_general_route_answers() {
    let mechanism = mechanism(RODS);
    let state = mechanism.start().expect("a start").state;
    let mut system = MotionSystem::new(&mechanism, &state, Formulation::Multipliers);
    let mut general = MotionSystem::new(&mechanism, &state, Formulation::Multipliers);
    general.unrolled = None;
    let mut lost = 0;
    for angle in [0.9, 0.3, 1e-2, 1e-3, 1e-4, 1e-6] {
        let (sin, cos) = f64::sin_cos(angle);
        let y = [cos, sin, 2.0 * cos, 0.0, 0.3, -0.2, 0.1, 0.4, 0.0].map(|value| [value]);
        let ((failed, found), wanted) = (
            derivative(&mut system, 0.5, &y),
            derivative(&mut general, 0.5, &y),
        );
        assert_eq!(failed, wanted.0, "{angle}");
        let program = system
            .unrolled
            .as_mut()
            .expect("it was trusted at the start");
        let (q, v) = y[..8].as_flattened().split_at(4);
        if program.evaluate(0.5, q, v) {
            let size = wanted.1.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
            for (a, b) in found.iter().zip(&wanted.1) {
                assert!((a - b).abs() <= 1e-11 * size, "{angle}");
            }
        } else {
            lost += 1;
            let bits = |dy: &[f64]| dy.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&found), bits(&wanted.1), "{angle}");
        }
    }
    assert!((2..6).contains(&lost), "{lost}");
}

/// What hindered a step that was taken shorter is no reason for what comes later.
#[test]
fn a_failure_is_forgotten_with_the_next_step() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[speeds]\nu = \"(x - 3)*x'\"\n[energy]\nkinetic = \"(x - 2)^2*x'^2/2\"\n";
    let mechanism = mechanism(text);
    let state = mechanism.start().expect("a start").state;
    let mut system = MotionSystem::new(&mechanism, &state, Formulation::UdwadiaKalaba);
    let fails = |x: f64, system: &mut MotionSystem<'_>| {
        let (failed, _) = derivative(system, 0.0, &[[x], [1.0], [0.0]]);
        (failed, system.failure.is_some())
    };
    assert_eq!(fails(1.0, &mut system), (false, false));
    assert_eq!(fails(2.0, &mut system), (true, true));
    // The speeds are singular: another reason, which is told by itself.
    assert_eq!(fails(3.0, &mut system), (true, false));
    assert_eq!(fails(2.0, &mut system), (true, true));
    let mut y = [[1.0], [1.0], [0.0]];
    let projected = system.project(&[0.1], &mut y, &[true]);
    assert!(!matches!(
        projected[0],
        dalembert_ode::Projection::Failed { .. }
    ));
    assert!(system.failure.is_none());
}
