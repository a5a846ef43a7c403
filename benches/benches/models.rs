//! From a model file to motion: the gallery, and a chain of many masses.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert::report::Error;
use dalembert::simulate::{RunOptions, simulate};
use dalembert::{Model, Source};
use dalembert_benches::{Clock, chain, milliseconds};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Masses of the chain.
const MASSES: usize = 200;

fn main() -> Result<(), String> {
    let clock = Clock::from_arguments();
    println!(
        "gallery: milliseconds from text to programs, for a start, for all of `eval`, for the run as written"
    );
    println!(
        "{:<24} {:>10} {:>10} {:>10} {:>10} {:>8}",
        "model", "compile", "start", "eval", "run", "steps"
    );
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|error| error.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    for file in files {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        report(clock, &name, || Model::load(&file))?;
    }
    println!(
        "\nchain of {MASSES} masses in x and y, {} coordinates",
        2 * MASSES
    );
    let chain = chain(MASSES);
    report(clock, "chain", || Model::read(Source::new("chain", &chain)))
}

fn report(clock: Clock, name: &str, read: impl Fn() -> Result<Model, Error>) -> Result<(), String> {
    let words = |error: Error| format!("{name}: {error}");
    let model = read().map_err(words)?;
    let mechanism = model.mechanism().map_err(words)?;
    let start = model.start().map_err(words)?;
    let compile = || read().and_then(|model| model.mechanism().map(drop));
    let compile_time = milliseconds(clock.least(compile));
    let start_time = milliseconds(clock.least(|| mechanism.start()));
    let eval_time = milliseconds(clock.least(|| mechanism.snapshot(&start.state)));
    let run = mechanism.system.run.span.map(|_| {
        let run = || {
            simulate(mechanism, start, &RunOptions::default(), |_| {
                ControlFlow::Continue(())
            })
        };
        let steps = run().map_or(0, |run| run.steps);
        (milliseconds(clock.least(run)), steps)
    });
    let (run_time, steps) = run.map_or((String::new(), String::new()), |(time, steps)| {
        (format!("{time:.2}"), steps.to_string())
    });
    println!(
        "{name:<24} {compile_time:>10.3} {start_time:>10.3} {eval_time:>10.3} {run_time:>10} {steps:>8}"
    );
    Ok(())
}
