//! Reading, running and comparing.

use dalembert::simulate::{RunOptions, SimulateError, Simulation, simulate};
use dalembert::{Model, Source};
use dalembert_mechanics::model::Model as Description;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot, model};
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn files(folder: &Path, ending: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|known| known == ending))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// Names of all examples, without `.toml`.
pub(crate) fn names() -> Vec<String> {
    let names = files(&examples(), "toml");
    assert!(names.len() >= 35, "{names:?}");
    names
}

/// Names of all files of numbers, without `.json`.
pub(crate) fn references() -> Vec<String> {
    files(&examples().join("reference"), "json")
}

pub(crate) fn text(name: &str) -> String {
    std::fs::read_to_string(examples().join(format!("{name}.toml"))).unwrap()
}

/// A file of published numbers.
pub(crate) fn reference(name: &str) -> Value {
    let path = examples().join("reference").join(format!("{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What a text says, with the files that it takes tables from: they lie beside the examples.
pub(crate) fn with_files(text: &str, mut model: Description) -> Description {
    if !model.missing_files().is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let source = Source::new("model.toml", text).in_folder(folder);
        let read = Model::read(source).unwrap_or_else(|error| panic!("{error}"));
        model.files = read.description().files.clone();
    }
    model
}

/// The mechanism of a model file, or its diagnostics; warnings are none.
pub(crate) fn read(text: &str) -> Result<Mechanism, String> {
    let (model, warnings) = model::read(text).map_err(|errors| format!("{errors:#?}"))?;
    if !warnings.is_empty() {
        return Err(format!("{warnings:#?}"));
    }
    Mechanism::new(with_files(text, model)).map_err(|errors| format!("{errors:#?}"))
}

pub(crate) fn mechanism(name: &str) -> Mechanism {
    read(&text(name)).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

/// A run from the start of a mechanism.
pub(crate) fn ran(
    mechanism: &Mechanism,
    options: &RunOptions,
) -> Result<Simulation, SimulateError> {
    let start = mechanism.start().unwrap();
    simulate(mechanism, &start, options, |_| ControlFlow::Continue(()))
}

/// With a relative tolerance.
pub(crate) fn at(rtol: f64) -> RunOptions {
    RunOptions {
        rtol: Some(rtol),
        ..RunOptions::default()
    }
}

pub(crate) fn snapshot_at_start(mechanism: &Mechanism) -> Snapshot {
    mechanism
        .snapshot(&mechanism.start().unwrap().state)
        .unwrap()
}

/// A run of a given span; all else is the model's unless `options` say otherwise.
pub(crate) fn run(mechanism: &Mechanism, span: f64, options: &RunOptions) -> Simulation {
    let options = RunOptions {
        span: Some(span),
        ..options.clone()
    };
    ran(mechanism, &options).unwrap()
}

/// A span, or the model's own where that is shorter: some models live for milliseconds.
pub(crate) fn at_most(span: f64, mechanism: &Mechanism) -> f64 {
    span.min(mechanism.run_value(mechanism.system.run.span.unwrap()))
}

/// Tight tolerances, no samples in between.
pub(crate) fn exact() -> RunOptions {
    RunOptions {
        rtol: Some(1e-12),
        atol: Some(1e-14),
        samples: Some(2),
        ..RunOptions::default()
    }
}

/// A state on the way, where nothing is zero by accident.
pub(crate) fn state_on_the_way(mechanism: &Mechanism) -> State {
    let span = 0.62 * at_most(0.5, mechanism);
    let run = run(mechanism, span, &exact());
    State {
        t: run.t_end,
        coordinates: run.coordinates,
        rates: run.rates,
        ..State::default()
    }
}

/// A number written as a number or, with all its digits, as a string.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::String(digits) => digits.parse().unwrap(),
        other => other
            .as_f64()
            .unwrap_or_else(|| panic!("{other} is no number")),
    }
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

pub(crate) fn picked(value: &Value, keys: &[&str]) -> Vec<f64> {
    keys.iter().map(|&key| number(&value[key])).collect()
}

/// Vectors that agree, measured by the largest entry.
#[track_caller]
pub(crate) fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let size = wanted.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    for (i, (a, b)) in found.iter().zip(wanted).enumerate() {
        assert!(
            (a - b).abs() <= tolerance * size.max(1e-3),
            "{what}, entry {i}: {a:.17e} for {b:.17e}"
        );
    }
}
