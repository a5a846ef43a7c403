//! Forces on bodies and momenta along a run, against the columns beside them.

use crate::support::{read, run, text};
use dalembert::results::ColumnView;
use dalembert::simulate::{RunOptions, Simulation};
use dalembert_doctor::held;

fn disk(record: &str) -> Simulation {
    let text = text("rolling-disk");
    let (before, _) = text.split_once("record").unwrap();
    let model = read(&format!("{before}record = [{record}]\n")).unwrap();
    let options = RunOptions {
        samples: Some(11),
        ..RunOptions::default()
    };
    run(&model, 2.0, &options)
}

fn column<'t>(run: &'t Simulation, name: &str) -> ColumnView<'t> {
    let columns = run.table.columns();
    let names: Vec<&str> = columns.iter().map(|it| it.name.as_str()).collect();
    let found = run.table.column(name);
    found.unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

fn assert_columns(found: &[f64], wanted: impl Fn(usize) -> f64, what: &str) {
    for (i, found) in found.iter().enumerate() {
        let wanted = wanted(i);
        let size = 1.0 + wanted.abs();
        assert!(
            (found - wanted).abs() < 1e-11 * size,
            "{what}: {found}, {wanted}"
        );
    }
}

#[test]
fn the_contact_force_of_the_disk_is_recorded_with_units() {
    let run = disk("\"reaction(contact)\", \"resultant(disk)\", \"theta''\"");
    let (m, r, g) = (2.0, 0.5, 9.81);
    let normal = column(&run, "reaction(contact).force.z");
    assert_eq!(normal.unit.as_deref(), Some("N"));
    let of = |name: &str| column(&run, name).values;
    let (theta, rate, second) = (of("theta"), of("theta'"), of("theta''"));
    // N = m g − m r (θ'' sin θ + θ'² cos θ)
    let wanted = |i: usize| {
        let (sine, cosine) = theta[i].sin_cos();
        m * g - m * r * (second[i] * sine + rate[i] * rate[i] * cosine)
    };
    assert_columns(normal.values, wanted, "normal force");
    assert!((normal.values[10] - normal.values[0]).abs() > 0.1);
    let moment = column(&run, "reaction(contact).moment.x");
    assert_eq!(moment.unit.as_deref(), Some("N*m"));
    // The generalized reaction stands beside, and the resultant is the same force: nothing else holds the disk.
    let generalized = of("reaction(contact).z");
    assert_columns(generalized, |i| normal.values[i], "in coordinates");
    for part in ["force.y", "force.z", "moment.x", "moment.z"] {
        let one = of(&format!("reaction(contact).{part}"));
        assert_columns(of(&format!("resultant(disk).{part}")), |i| one[i], part);
    }
}

#[test]
fn momenta_are_recorded_with_units() {
    let run = disk(
        "\"momentum\", \"angular_momentum\", \"momentum(psi)\", \"vel(disk)\", \"omega(disk)\", \"acc(disk)\"",
    );
    let of = |name: &str| column(&run, name).values;
    let unit = |name: &str| column(&run, name).unit.clone().unwrap_or_default();
    let velocity = of("vel(disk).x");
    assert_columns(of("momentum.x"), |i| 2.0 * velocity[i], "m v");
    assert_eq!(unit("momentum.x"), "kg*m/s");
    assert_eq!(unit("angular_momentum.z"), "kg*m^2/s");
    assert_eq!(unit("momentum(psi)"), "kg*m^2/s");
    // ψ turns the disk about the vertical through its centre.
    let (x, y) = (of("x"), of("y"));
    let (px, py) = (of("momentum.x"), of("momentum.y"));
    let (angular, own) = (of("angular_momentum.z"), of("momentum(psi)"));
    assert_columns(own, |i| angular[i] - (x[i] * py[i] - y[i] * px[i]), "spin");
    assert!(own.iter().any(|p| p.abs() > 0.1));
    assert_eq!(unit("acc(disk).x"), "m/s^2");
    let z = of("omega(disk).z");
    assert!(z.iter().all(|z| z.is_finite()));
}

/// A row of velocities that is held at position level stays one: its multiplier is a force.
#[test]
fn multipliers_of_rows_in_disguise_have_the_units_of_the_rows_as_written() {
    let text = text("rolling-disk");
    let (before, _) = text.split_once("record").unwrap();
    let rows = [
        "lambda(contact.0)",
        "lambda(contact.1)",
        "lambda(contact.2)",
    ];
    let written = read(&format!("{before}record = {rows:?}\n")).unwrap();
    let start = written.start().unwrap();
    let held = held(&written, &start.state).unwrap();
    for mechanism in [&written, &held] {
        let run = run(mechanism, 0.1, &RunOptions::default());
        for row in rows {
            assert_eq!(column(&run, row).unit.as_deref(), Some("N"), "{row}");
        }
    }
}

/// A link between two bodies acts on both: each is asked for by name.
#[test]
fn a_force_between_two_is_recorded_for_each() {
    let model = r#"
dalembert = 1
[coordinates]
x = 0
y = 1
[start]
"x'" = 1
[particle.P]
mass = 1
position = "[x, 0, 0]"
[particle.Q]
mass = 2
position = "[0, y, 0]"
[constraint.rod]
holds = "x^2 + y^2 = 1"
[run]
span = 1
samples = 11
record = ["reaction(rod)", "reaction(rod, on = P)", "reaction(rod, on = \"Q\")"]
"#;
    let model = read(model.trim_start()).unwrap();
    let run = crate::support::run(&model, 1.0, &RunOptions::default());
    let of = |name: &str| column(&run, name).values;
    let (on_p, along_x) = (of("reaction(rod, on = P).force.x"), of("reaction(rod).x"));
    assert_columns(on_p, |i| along_x[i], "P");
    let (on_q, along_y) = (of("reaction(rod, on = Q).force.y"), of("reaction(rod).y"));
    assert_columns(on_q, |i| along_y[i], "Q");
    assert!(on_q.iter().any(|f| f.abs() > 0.1));
    // Everything there is, once.
    let all = RunOptions {
        record_all: true,
        ..RunOptions::default()
    };
    let all = crate::support::run(&model, 1.0, &all);
    for name in [
        "resultant(P).force.x",
        "momentum.y",
        "momentum(x)",
        "reaction(rod, on = Q).force.y",
    ] {
        let columns = all.table.columns();
        let count = columns.iter().filter(|it| it.name == name).count();
        assert_eq!(count, 1, "{name}");
    }
}
