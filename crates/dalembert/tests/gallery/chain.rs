//! Chains of masses in x and y, built by a program.

use crate::support::{assert_close, exact, run};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::model::Model;

const LINKS: usize = 200;

fn chain(links: usize) -> Model {
    let mut model = Model::builder("Chain")
        .gravity("[0, -g, 0]")
        .parameter("m", "0.1 kg")
        .parameter("l", "0.05 m")
        .parameter("g", "9.81 m/s^2");
    for i in 1..=links {
        let before = i - 1;
        let link = if i == 1 {
            "x1^2 + y1^2 = l^2".to_owned()
        } else {
            format!("(x{i} - x{before})^2 + (y{i} - y{before})^2 = l^2")
        };
        // Straight, 30° from the vertical.
        model = model
            .coordinate(&format!("x{i}"), &format!("{i}*l/2"))
            .coordinate(&format!("y{i}"), &format!("-{i}*l*sqrt(3)/2"))
            .particle(&format!("P{i}"), "m", &format!("[x{i}, y{i}, 0]"))
            .constraint(&format!("link{i}"), &link);
    }
    model.build().unwrap()
}

/// A straight chain let go from rest: each mass falls across the line as if alone, and each link carries
/// the weight of those below it along the line. T_i = (n + 1 − i) m g cos α, λ_i = −T_i/(2 l).
#[test]
fn a_straight_chain_falls_across_its_line() {
    let mechanism = Mechanism::new(chain(LINKS)).unwrap();
    let start = mechanism.start().unwrap();
    let now = mechanism.snapshot(&start.state).unwrap();
    let (m, l, g) = (0.1, 0.05, 9.81);
    let (sin, cos) = (0.5, 3.0_f64.sqrt() / 2.0);
    let fall = [-g * sin * cos, -g * sin * sin];
    let wanted: Vec<f64> = (0..2 * LINKS).map(|i| fall[i % 2]).collect();
    assert_close(&now.accelerations, &wanted, 1e-8, "accelerations");
    let pull = |i: usize| -((LINKS - i) as f64) * m * g * cos / (2.0 * l);
    let wanted: Vec<f64> = (0..LINKS).map(pull).collect();
    assert_close(&now.multipliers, &wanted, 1e-10, "multipliers");
    assert_eq!(now.rank, LINKS);
    for (formulation, rates) in &now.formulations {
        assert_close(rates, &now.speed_rates, 1e-8, &format!("{formulation:?}"));
    }
}

/// Dense and sparse runs of one chain: the same motion, and the energy kept.
#[test]
fn a_chain_runs_alike_in_both_storages() {
    let runs = [Stored::Full, Stored::Compressed].map(|stored| {
        let mechanism = Mechanism::stored(chain(40), Some(stored)).unwrap();
        run(&mechanism, 0.1, &exact())
    });
    let [full, compressed] = &runs;
    assert_close(
        &compressed.coordinates,
        &full.coordinates,
        1e-9,
        "coordinates",
    );
    assert_close(&compressed.rates, &full.rates, 1e-9, "rates");
    for run in &runs {
        assert!(run.position_residual < 1e-14, "{}", run.position_residual);
        let balance = run.balance_error() / run.energy_start.abs();
        assert!(balance.abs() < 1e-11, "{balance}");
    }
}
