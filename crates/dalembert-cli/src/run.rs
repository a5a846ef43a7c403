//! `dalembert run`: simulate, and write what was recorded.

use crate::arguments::Run;
use crate::model::{load, parsed};
use crate::output::{Answer, Failure, INTERRUPTED};
use dalembert::Model;
use dalembert::mechanics::formulation::Formulation;
use dalembert::report::{Error, RunReport};
use dalembert::results::{Format, ResultsError, can_be_written, is_standard_output};
use dalembert::simulate::{RunOptions, method_named};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps of the progress bar.
const TICKS: u64 = 1000;

pub(crate) fn run(arguments: &Run) -> Result<Answer, Failure> {
    let numbers = [
        ("--span", &arguments.span),
        ("--samples", &arguments.samples),
        ("--step", &arguments.step),
        ("--rtol", &arguments.rtol),
        ("--atol", &arguments.atol),
        ("--max-step", &arguments.max_step),
        ("--max-steps", &arguments.max_steps),
        ("--until", &arguments.until),
    ];
    let mut model = load(&arguments.model)?;
    for (option, value) in numbers {
        if let Some(value) = value {
            model = model.option(option, value)?;
        }
    }
    model.mechanism()?;
    let options = options(arguments)?;
    let out = arguments.out.as_deref();
    let out = out.map(|out| if out == "-" { "/dev/stdout" } else { out });
    if let Some(out) = out {
        // Refused before the work is done, not after it.
        Format::of(Path::new(out)).map_err(|error| Failure::Usage(error.to_string()))?;
        can_be_written(Path::new(out)).map_err(|error| unwritten(out, &error))?;
    }
    let mut report = watched(&model, &options, arguments.quiet)?;
    if let Some(out) = out
        && let Err(error) = report.write(out)
    {
        report.fail(unwritten(out, &error));
    }
    let code = code_of(&report);
    let mut answer = Answer::from(report);
    answer.code = code;
    answer.quiet = arguments.quiet || out.is_some_and(|out| is_standard_output(Path::new(out)));
    Ok(answer)
}

/// Runs a model, as far as it goes, with a bar that shows how far that is.
pub(crate) fn watched(
    model: &Model,
    options: &RunOptions,
    quiet: bool,
) -> Result<RunReport, Failure> {
    let bar = progress_bar(quiet, TICKS);
    let stop = stop_flag();
    let result = watched_by(model, options, |done| {
        if let Some(bar) = &bar {
            bar.set_position((done * TICKS as f64) as u64);
        }
        stop.load(Ordering::Relaxed)
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(result?)
}

/// Runs a model, as far as it goes, until `stopped` says so: it hears how much is done.
pub(crate) fn watched_by(
    model: &Model,
    options: &RunOptions,
    mut stopped: impl FnMut(f64) -> bool,
) -> Result<RunReport, Error> {
    let result = model.run_watched(options, |done| match stopped(done) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    match result {
        Err(Error {
            so_far: Some(so_far),
            ..
        }) => Ok(*so_far),
        other => other,
    }
}

/// The exit code of a run.
pub(crate) fn code_of(report: &RunReport) -> u8 {
    match report.status {
        "interrupted" => INTERRUPTED,
        "error" => 1,
        _ => 0,
    }
}

/// That the samples cannot be written.
fn unwritten(out: &str, error: &ResultsError) -> Error {
    let help = Some("choose another file with --out".to_owned());
    Error::about(out, "E0911", error.to_string(), help)
}

/// What Ctrl-C sets; without a handler it ends the process, as ever.
pub(crate) fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let _ = ctrlc::set_handler(move || {
        // Whoever asks twice does not wait for a last step, nor for the reader of a pipe.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    stop
}

fn options(arguments: &Run) -> Result<RunOptions, Failure> {
    let method = arguments.integrator.as_ref().map(|name| {
        let unknown = || format!("--integrator {name}: there are auto, dop853, dopri5 and radau");
        method_named(name).ok_or_else(|| Failure::Usage(unknown()))
    });
    let formulation = arguments.formulation.as_deref();
    let formulation = formulation.map(|name| parsed::<Formulation>("--formulation", name));
    let record_all = match arguments.record.as_deref() {
        None => false,
        Some("all") => true,
        Some(other) => {
            return Err(Failure::Usage(format!(
                "--record {other}: write `--record all`, or a list in [run] of the model"
            )));
        }
    };
    Ok(RunOptions {
        method: method.transpose()?,
        formulation: formulation.transpose()?,
        record_all,
        ..RunOptions::default()
    })
}

pub(crate) fn progress_bar(quiet: bool, ticks: u64) -> Option<ProgressBar> {
    bar(quiet, ticks, "{bar:40} {percent}%  {eta} left")
}

/// A bar for things that are counted, with how many are done a second.
pub(crate) fn counting_bar(quiet: bool, count: u64) -> Option<ProgressBar> {
    bar(
        quiet,
        count,
        "{bar:40} {pos} of {len}  {per_sec}  {eta} left",
    )
}

fn bar(quiet: bool, ticks: u64, template: &str) -> Option<ProgressBar> {
    if quiet || !std::io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template(template).ok()?;
    Some(ProgressBar::new(ticks).with_style(style))
}
