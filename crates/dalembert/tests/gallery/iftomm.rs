//! IFToMM benchmarks over their whole span: A01 and A02 against their closed forms, A02 past its change points, A04 with its redundant row.

use crate::support::{mechanism, number, numbers, reference};
use dalembert::simulate::{RunOptions, simulate};
use std::ops::ControlFlow;

#[test]
fn simple_pendulum() {
    let reference = reference("iftomm_a01");
    let mechanism = mechanism("pendulum-iftomm-a01");
    let start = mechanism.start().unwrap();
    let run = simulate(&mechanism, &start, &RunOptions::default(), |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!((run.t_end - 10.0).abs() < 1e-12);
    let columns: Vec<&[f64]> = ["t", "x", "y", "x'", "y'"]
        .iter()
        .map(|&name| run.table.column(name).unwrap().values)
        .collect();
    let series = reference["series"].as_array().unwrap();
    assert!(series.len() > 20);
    for wanted in series.iter().map(numbers) {
        let row = (wanted[0] * 10.0).round() as usize;
        for (column, wanted) in columns.iter().zip(&wanted) {
            let found = column[row];
            assert!((found - wanted).abs() < 1e-6, "{found} for {wanted}");
        }
    }
    let last = numbers(series.last().unwrap());
    assert!((last[0] - number(&reference["definition"]["t_end"])).abs() < 1e-12);
    assert!(run.position_residual <= 1e-12, "{}", run.position_residual);
    assert!(run.velocity_residual <= 1e-12, "{}", run.velocity_residual);
    let energies = &run.table.column("energy").unwrap().values;
    assert!(energies.iter().all(|energy| energy.abs() < 1e-9 * 9.81));
}

/// Columns of a run of a model against those of a reference's series, to `tolerance`; the change points passed.
fn series(model: &str, data: &str, columns: &[Column], tolerance: f64) -> usize {
    let reference = reference(data);
    let mechanism = mechanism(model);
    let start = mechanism.start().unwrap();
    assert!(start.warnings.is_empty(), "{:?}", start.warnings);
    let run = simulate(&mechanism, &start, &RunOptions::default(), |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    let times = &run.table.column("t").unwrap().values;
    let series = reference["series"].as_array().unwrap();
    let mut compared = 0;
    for wanted in series.iter().map(numbers) {
        let Some(row) = times.iter().position(|t| (t - wanted[0]).abs() < 1e-9) else {
            continue;
        };
        compared += 1;
        for &(name, place, value) in columns {
            let found = value(run.table.column(name).unwrap().values[row]);
            let wanted = wanted[place];
            assert!(
                (found - wanted).abs() < tolerance,
                "{name} at {}: {found} for {wanted}",
                times[row]
            );
        }
    }
    assert!(compared > 90, "{compared}");
    assert!(run.steps < 400, "{}", run.steps);
    run.change_points.len()
}

/// A column of a run, its place in the reference's series, and what is to be taken of it.
type Column<'a> = (&'a str, usize, fn(f64) -> f64);

#[test]
fn bricard() {
    let same = |x: f64| x;
    let columns: [Column; 3] = [
        ("pos(point(rod2, [0, -l/2, 0])).x", 1, same),
        ("pos(point(rod2, [0, -l/2, 0])).y", 2, same),
        ("pos(point(rod2, [0, -l/2, 0])).z", 3, same),
    ];
    assert_eq!(
        series("bricard-iftomm-a04", "iftomm_a04", &columns, 1e-10),
        0
    );
}

/// Five turns: the cranks are level, and the rows lose their rank, a quarter and three quarters through each.
#[test]
fn two_four_bars() {
    let columns: [Column; 4] = [
        ("a0", 1, f64::cos),
        ("a0", 2, f64::sin),
        ("a2", 1, f64::cos),
        ("a2", 2, f64::sin),
    ];
    series("n-four-bar-iftomm-a02", "iftomm_a02", &columns, 1e-8);
}
