//! Whole runs of examples: what the integration costs, beside what its evaluations alone would.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert::mechanics::Mechanism;
use dalembert::mechanics::model;
use dalembert::simulate::{RightHandSide, RunOptions, simulate};
use dalembert_benches::{Clock, microseconds};
use std::ops::ControlFlow;
use std::time::Duration;

/// Examples with their spans: as IFToMM's benchmark has them, or as they are.
const RUNS: [(&str, Option<f64>); 6] = [
    ("pendulum-iftomm-a01", Some(10.0)),
    ("four-bar", None),
    ("andrews-squeezer", Some(0.05)),
    ("bricard-iftomm-a04", Some(10.0)),
    ("governor-iftomm-a05", Some(10.0)),
    ("rolling-disk", None),
];

fn main() -> Result<(), String> {
    let clock = Clock::from_arguments();
    let only = std::env::args().skip(1).find(|name| !name.starts_with('-'));
    println!(
        "rtol 1e-7, 101 samples; µs of integration, with the program of the right-hand side; evaluations in native code alone"
    );
    println!(
        "{:<22} {:>6} {:>8} {:>11} {:>10} {:>10} {:>10} {:>6}",
        "", "steps", "rejected", "evaluations", "integrate", "compile", "alone", "ratio"
    );
    for (name, span) in RUNS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let path = format!("{}/../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let (model, _) = model::read(&text).map_err(|errors| format!("{errors:?}"))?;
        let mechanism = Mechanism::new(model).map_err(|errors| format!("{errors:?}"))?;
        let start = mechanism.start().map_err(|errors| format!("{errors:?}"))?;
        let options = RunOptions {
            span,
            rtol: Some(1e-7),
            samples: Some(101),
            ..RunOptions::default()
        };
        let mut last = None;
        let mut compile = f64::INFINITY;
        let integrate = clock.least_part(|| {
            let run = simulate(&mechanism, &start, &options, |_| ControlFlow::Continue(()));
            let run = run.unwrap_or_else(|error| panic!("{name}: {error:?}"));
            compile = compile.min(run.compile_s);
            let time = Duration::from_secs_f64(run.wall_s);
            last = Some(run);
            time
        });
        let run = last.expect("a run");
        let mut right = RightHandSide::new(&mechanism, &start.state);
        right.make_native();
        let (y, mut dy) = (right.start(&start.state), vec![0.0; right.size()]);
        let one = clock.least(|| right.derivative(start.state.t, &y, &mut dy).is_ok());
        let alone = one * run.rhs_evaluations as u32;
        println!(
            "{name:<22} {:>6} {:>8} {:>11} {:>10.1} {:>10.1} {:>10.1} {:>6.1}",
            run.steps,
            run.rejected,
            run.rhs_evaluations,
            microseconds(integrate),
            compile * 1e6,
            microseconds(alone),
            integrate.as_secs_f64() / alone.as_secs_f64(),
        );
    }
    Ok(())
}
