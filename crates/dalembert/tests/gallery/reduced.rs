//! Runs by independent coordinates and speeds: nothing is projected, and nothing drifts.

use crate::support::{assert_close, at_most, mechanism, names, read, run, text};
use dalembert::simulate::{RunOptions, Simulation};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::formulation::Formulation;

fn options(formulation: Formulation) -> RunOptions {
    RunOptions {
        rtol: Some(1e-12),
        atol: Some(1e-14),
        samples: Some(11),
        record_all: true,
        formulation: Some(formulation),
        ..RunOptions::default()
    }
}

fn both(mechanism: &Mechanism, span: f64) -> [Simulation; 2] {
    [Formulation::Independent, Formulation::Multipliers]
        .map(|formulation| run(mechanism, span, &options(formulation)))
}

/// The same motion as by multipliers, in every row of the table and at the end, with residuals that are rounding.
#[track_caller]
fn assert_alike(name: &str, mechanism: &Mechanism, span: f64, tolerance: f64) -> u64 {
    let [reduced, usual] = both(mechanism, span);
    assert_close(&reduced.coordinates, &usual.coordinates, tolerance, name);
    assert_close(&reduced.rates, &usual.rates, tolerance, name);
    assert!(
        (reduced.work - usual.work).abs() <= tolerance * (1.0 + usual.work.abs()),
        "{name}"
    );
    let residuals = [reduced.position_residual, reduced.velocity_residual];
    let speed = usual.rates.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    assert!(
        residuals[0] <= 1e-12 && residuals[1] <= 1e-12 * speed,
        "{name}: {residuals:?}"
    );
    for (column, other) in usual.table.columns().iter().zip(reduced.table.columns()) {
        if column.name.starts_with("residual") {
            let largest = other.values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            assert!(
                largest <= 1e-12 * speed,
                "{name}: {} is {largest:e}",
                other.name
            );
        }
    }
    assert_eq!(usual.reduction, None);
    reduced.reduction.expect("independent ones govern").rechosen
}

/// In angles the crank governs all the way round.
#[test]
fn a_four_bar_goes_round() {
    let text = text("four-bar").replace("4 rad/s", "9 rad/s");
    let mechanism = read(&text).unwrap();
    let [reduced, _] = both(&mechanism, 1.0);
    assert!(
        reduced.coordinates[0] > 3.0 * std::f64::consts::PI,
        "full turns"
    );
    let rechosen = assert_alike("four-bar", &mechanism, 1.0, 1e-8);
    assert_eq!(rechosen, 0);
}

/// The same linkage by its two pins, in x and y: no coordinate can govern a full turn.
#[test]
fn a_four_bar_by_its_pins_goes_round() {
    let mechanism = read(
        "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n\
         [coordinates]\nx1 = 0.3\ny1 = { value = 0, priority = \"guess\" }\n\
         x2 = { value = 0.7, priority = \"guess\" }\ny2 = { value = 0.7, priority = \"guess\" }\n\
         [start]\n\"y1'\" = 4\n\
         [particle.P]\nmass = 1\nposition = \"[x1, y1, 0]\"\n\
         [particle.Q]\nmass = 2\nposition = \"[x2, y2, 0]\"\n\
         [constraint.crank]\nholds = \"x1^2 + y1^2 = 0.09\"\n\
         [constraint.coupler]\nholds = \"(x2 - x1)^2 + (y2 - y1)^2 = 0.64\"\n\
         [constraint.rocker]\nholds = \"(x2 - 0.9)^2 + y2^2 = 0.49\"\n",
    )
    .unwrap();
    let rechosen = assert_alike("pins", &mechanism, 2.0, 1e-8);
    // More than three turns, each through four changes of the crank's pin at least.
    assert!(rechosen >= 12, "{rechosen}");
    let end = run(&mechanism, 2.0, &options(Formulation::Independent));
    assert!(end.balance_error().abs() < 1e-9, "{}", end.balance_error());
    let [x1, y1, x2, y2] = end.coordinates[..] else {
        panic!("four coordinates");
    };
    assert!(
        ((x2 - x1).hypot(y2 - y1) - 0.8).abs() < 1e-14 && y2 > 0.0,
        "on its branch"
    );
    assert!((x1.hypot(y1) - 0.3).abs() < 1e-14);
}

/// Crank, rod and slider: at the dead centres the slider does not move, so it cannot govern there.
#[test]
fn a_slider_crank_passes_its_dead_centres() {
    let mechanism = mechanism("slider-crank");
    let [reduced, _] = both(&mechanism, 1.0);
    assert!(
        reduced.coordinates[0] > 2.0 * std::f64::consts::PI,
        "full turns"
    );
    assert_alike("slider-crank", &mechanism, 1.0, 1e-9);
}

/// x² + y² = 1: neither coordinate can govern a whole turn. A closed form: uniform without gravity.
#[test]
fn a_circle_needs_both_coordinates_in_turn() {
    let mechanism = read(
        "dalembert = 1\n[coordinates]\nx = 1\ny = 0\n[start]\n\"y'\" = 2\n\
         [particle.P]\nmass = 3\nposition = \"[x, y, 0]\"\n[constraint.ring]\nholds = \"x^2 + y^2 = 1\"\n",
    )
    .unwrap();
    let end = run(&mechanism, 10.0, &options(Formulation::Independent));
    let (sin, cos) = 20.0_f64.sin_cos();
    assert_close(&end.coordinates, &[cos, sin], 1e-9, "place");
    assert_close(&end.rates, &[-2.0 * sin, 2.0 * cos], 1e-9, "rate");
    let reduction = end.reduction.unwrap();
    assert_eq!(
        (reduction.coordinates, reduction.speeds),
        (vec![1], vec![1])
    );
    // 20 rad are 3.2 turns, of four changes each.
    assert!(
        (11..=13).contains(&reduction.rechosen),
        "{}",
        reduction.rechosen
    );
    assert!(end.position_residual <= 1e-14 && end.velocity_residual <= 1e-13);
}

/// Quasi-velocities, redundant rows, rows of velocities, a row held by a force: what the gallery has.
#[test]
fn every_example_that_admits_it_moves_alike() {
    let mut seen = 0;
    for name in names() {
        let mechanism = mechanism(&name);
        if !mechanism.not_reducible_rows().is_empty() {
            continue;
        }
        seen += 1;
        assert_alike(&name, &mechanism, at_most(0.5, &mechanism), 1e-8);
    }
    assert!(seen >= 30, "{seen}");
}

/// Counts: a coordinate for each that no position row determines, a speed for each that no row does.
#[test]
fn independent_ones_are_as_many_as_freedoms() {
    for (name, coordinates, speeds) in [
        ("four-bar", 1, 1),
        ("rolling-disk", 6, 3),
        ("blajer-disk", 5, 3),
        ("chaplygin-sleigh", 3, 2),
        ("rigid-body-quaternion", 3, 3),
    ] {
        let mechanism = mechanism(name);
        let found = mechanism
            .independents(&mechanism.start().unwrap().state)
            .unwrap();
        let counts = (found.coordinates.len(), found.speeds.len());
        let rows = mechanism.equations.position_rows().len();
        let n = mechanism.equations.coordinates();
        assert_eq!(
            counts,
            (n - rows, n - mechanism.system.rows.len()),
            "{name}"
        );
        assert_eq!(counts, (coordinates, speeds), "{name}");
        if mechanism.system.speeds.is_none() {
            let among = |speed: &usize| found.coordinates.contains(speed);
            assert!(
                found.speeds.iter().all(among),
                "{name}: rates of independent coordinates"
            );
        }
    }
    assert!(
        mechanism("appell-hamel")
            .independents(&mechanism("appell-hamel").start().unwrap().state)
            .is_none()
    );
}
