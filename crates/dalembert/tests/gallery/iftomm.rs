//! The IFToMM benchmark A01 against its closed form.

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
        .map(|&name| run.table.column(name).unwrap().values.as_slice())
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
