//! `dalembert run`: simulate, and write what was recorded.

use crate::arguments::Run;
use crate::diagnostic::{Diagnostic, Severity};
use crate::load::{Loaded, Source, load_run};
use crate::output::{Failure, INTERRUPTED, Report, number};
use dalembert::mechanics::diagnostic as mechanics;
use dalembert::mechanics::formulation::Formulation;
use dalembert::mechanics::{MAX_COMPARED, Mechanism, NoMotion};
use dalembert::simulate::{
    Outcome, Reduction, RunOptions, SimulateError, Simulation, Stop, Undetermined, method_named,
    simulate,
};
use dalembert_expr::print::visible;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps of the progress bar.
const TICKS: u64 = 1000;

pub(crate) fn run(arguments: &Run) -> Result<Report, Failure> {
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
    let loaded = load_run(&arguments.model, &numbers)?;
    let options = options(arguments)?;
    let equations = &loaded.mechanism.equations;
    let size = equations.coordinates() + equations.rows();
    if let Some(formulation) = options.formulation
        && formulation != Formulation::Multipliers
        && size > MAX_COMPARED
    {
        return Err(Failure::Usage(format!(
            "--formulation {formulation} computes with full matrices, for up to {MAX_COMPARED} coordinates and rows; \
             here are {size}: leave it to multipliers"
        )));
    }
    if let Some(out) = &arguments.out {
        // Refused before the work is done, not after it.
        dalembert::results::Format::of(Path::new(out))
            .map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let start = loaded
        .mechanism
        .start()
        .map_err(|errors| loaded.source.refuse(errors))?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the process, as ever.
    let _ = ctrlc::set_handler(move || {
        // Whoever asks twice does not wait for a last step, nor for the reader of a pipe.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    let bar = progress_bar(arguments.quiet);
    let result = simulate(&loaded.mechanism, &start, &options, |done| {
        if let Some(bar) = &bar {
            bar.set_position((done * TICKS as f64) as u64);
        }
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let mut errors = Vec::new();
    let simulation = match result {
        Ok(simulation) => simulation,
        Err(SimulateError::Stopped { why, so_far }) => {
            match explain_stop(&loaded, why, &so_far) {
                Failure::Refused(list) => errors = list,
                other => return Err(other),
            }
            *so_far
        }
        Err(error) => return Err(refuse(&loaded, error)),
    };
    let mut text = text(&loaded.mechanism, &simulation, loaded.derive_s);
    let mut json = document(&loaded, &simulation);
    if let Some(out) = &arguments.out {
        let (rows, columns) = (simulation.table.rows(), simulation.table.columns().len());
        match simulation.table.write(Path::new(out)) {
            Ok(()) => {
                text += &format!(
                    "\nwrote        {}: {rows} rows, {columns} columns",
                    visible(out)
                );
                json["files"] = json!([{ "path": out, "rows": rows, "columns": columns }]);
                for stopped in &mut errors {
                    let reached = format!("what was reached is in {out}: {rows} rows");
                    let help = stopped.help.take();
                    stopped.help =
                        Some(help.map_or(reached.clone(), |help| format!("{help}; {reached}")));
                }
            }
            Err(error) => errors.push(file_error(out, &error.to_string())),
        }
    }
    let mut warnings = loaded.warnings;
    warnings.extend(
        start
            .warnings
            .into_iter()
            .map(|warning| loaded.source.diagnostic(warning)),
    );
    let idle = loaded.mechanism.idle_work(&start.state);
    warnings.extend(
        idle.into_iter()
            .map(|found| loaded.source.diagnostic(found)),
    );
    if let Some((count, t, reason)) = &simulation.undetermined {
        warnings.push(undetermined(
            &loaded.source,
            &loaded.mechanism,
            (*count, *t, reason),
        ));
    }
    if let Some(passed) = passed_change_points(&loaded.mechanism, &simulation) {
        warnings.push(loaded.source.diagnostic(passed));
    }
    let out = arguments.out.as_deref().map(Path::new);
    let quiet = arguments.quiet || out.is_some_and(dalembert::results::is_standard_output);
    let text = if quiet { String::new() } else { text };
    if !errors.is_empty() {
        // The errors first, then what else is to be said of the run.
        errors.append(&mut warnings);
        json["status"] = "error".into();
        json["diagnostics"] = errors.iter().map(Diagnostic::to_json).collect();
        let warnings = errors;
        return Err(Failure::Stopped(Report {
            text,
            json,
            warnings,
        }));
    }
    let report = Report {
        text,
        json,
        warnings,
    };
    match simulation.outcome {
        Outcome::Interrupted => Err(Failure::Interrupted(report)),
        Outcome::Done | Outcome::Until | Outcome::Stopped => Ok(report),
    }
}

/// A warning where rows vanished on the way.
fn passed_change_points(mechanism: &Mechanism, run: &Simulation) -> Option<mechanics::Diagnostic> {
    let &(t, row) = run.change_points.first()?;
    let row = &mechanism.system.rows[row];
    let more = match run.change_points.len() - 1 {
        0 => String::new(),
        n => format!(", and {n} more times"),
    };
    Some(mechanics::Diagnostic {
        code: "E0525",
        severity: mechanics::Severity::Warning,
        message: format!(
            "a change point of `{}` is passed at t = {t:.6}{more}",
            row.name
        ),
        help: Some(
            "several motions branch off there; the direction of the motion and its ledger are those it came with, else the \
             run would have stopped"
                .to_owned(),
        ),
        place: mechanism.model.constraints[row.constraint].holds.whole(),
    })
}

fn options(arguments: &Run) -> Result<RunOptions, Failure> {
    let method = match &arguments.integrator {
        None => None,
        Some(name) => Some(method_named(name).ok_or_else(|| {
            Failure::Usage(format!(
                "--integrator {name}: there are auto, dopri5 and dop853"
            ))
        })?),
    };
    let formulation = arguments
        .formulation
        .as_deref()
        .map(str::parse::<Formulation>);
    let formulation = formulation
        .transpose()
        .map_err(|error| Failure::Usage(format!("--formulation: {error}")))?;
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
        method,
        formulation,
        record_all,
        ..RunOptions::default()
    })
}

fn progress_bar(quiet: bool) -> Option<ProgressBar> {
    if quiet || !std::io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{bar:40} {percent}%  {eta} left").ok()?;
    Some(ProgressBar::new(TICKS).with_style(style))
}

fn file_error(out: &str, message: &str) -> Diagnostic {
    Diagnostic {
        code: "E0911",
        severity: Severity::Error,
        message: message.to_owned(),
        help: Some("choose another file with --out".to_owned()),
        file: out.to_owned(),
        source: String::new(),
        span: 0..0,
    }
}

fn run_error(loaded: &Loaded, code: &'static str, message: String, help: &str) -> Failure {
    use dalembert::mechanics::diagnostic::{Diagnostic, Place, Severity};
    let (severity, place) = (Severity::Error, Place::Model);
    let help = Some(help.to_owned());
    loaded.source.refuse(vec![Diagnostic {
        code,
        severity,
        message,
        help,
        place,
    }])
}

fn refuse(loaded: &Loaded, error: SimulateError) -> Failure {
    match error {
        SimulateError::NoSpan => {
            let help = "write `span = 10` in [run], or use --span 10";
            run_error(
                loaded,
                "E0520",
                "nothing says how long to run".to_owned(),
                help,
            )
        }
        SimulateError::BadNumber(name, value, wanted) => {
            let message = format!("{name} is {value}");
            run_error(loaded, "E0521", message, &format!("it must be {wanted}"))
        }
        SimulateError::Options(error) => {
            run_error(loaded, "E0521", error.to_string(), "change the tolerances")
        }
        SimulateError::NoMotion(reason) => {
            loaded
                .source
                .no_motion(&loaded.mechanism, &reason, "at the start")
        }
        SimulateError::Stopped { why, so_far } => explain_stop(loaded, why, &so_far),
    }
}

/// A warning where samples have columns that are not determined.
fn undetermined(
    source: &Source,
    mechanism: &Mechanism,
    (count, t, reason): (usize, f64, &Undetermined),
) -> Diagnostic {
    let samples = match count {
        1 => format!("one sample, at t = {t:.6},"),
        n => format!("{n} samples, the first at t = {t:.6},"),
    };
    let why = match reason {
        Undetermined::ChangePoint => {
            Some("constraints that are independent elsewhere depend on each other there".to_owned())
        }
        Undetermined::NoMotion(reason) => match source.no_motion(mechanism, reason, "there") {
            Failure::Refused(list) => list.into_iter().next().map(|first| first.message),
            _ => None,
        },
    };
    let message = format!(
        "in {samples} accelerations, multipliers and what needs them are not determined and left out: {}",
        why.unwrap_or_default()
    );
    source.diagnostic(mechanics::Diagnostic {
        code: "E0543",
        severity: mechanics::Severity::Warning,
        message,
        help: Some(
            "coordinates, rates and energy are those of the run; choose other sample times"
                .to_owned(),
        ),
        place: mechanics::Place::Model,
    })
}

/// The run stopped on its way: says when and why; what was reached is written all the same.
fn explain_stop(loaded: &Loaded, why: Stop, so_far: &Simulation) -> Failure {
    let t = so_far.t_end;
    match why {
        Stop::Stuck(cause) => explain_stuck(loaded, cause, t),
        Stop::Integrator {
            change_point: true,
            lost: false,
            ..
        } => {
            let message = format!(
                "the run stopped at t = {t:.6}: constraints that are independent elsewhere become dependent there, and it is \
                 not known which motion leads on"
            );
            let help = "look at the motion up to there; write constraints that stay independent, or end the run before";
            run_error(loaded, "E0541", message, help)
        }
        Stop::Integrator {
            failure: dalembert_ode::Failure::Displaced { component, .. },
            ..
        } => {
            let names: Vec<&str> = loaded.mechanism.coordinate_names().collect();
            let speeds = loaded.mechanism.speed_names();
            let what = match component.checked_sub(names.len()) {
                None => names[component],
                Some(speed) => speeds.get(speed).map_or("the motion", String::as_str),
            };
            let message = format!(
                "the run stopped at t = {t:.6}: to meet the constraints from there on, {what} would have to jump"
            );
            let help = "a constraint has a corner there, as |x| has, and the motion runs into it: take a smooth one";
            run_error(loaded, "E0542", message, help)
        }
        Stop::Integrator {
            failure,
            cause,
            lost,
            ..
        } => explain_failure(loaded, &failure, (cause, lost), so_far),
        Stop::OutOfBalance(found) => {
            let message = format!(
                "the run stopped at t = {:.6}: energy and work are out of balance by {:.3e} J at t = {:.6}, of which tolerances \
                 explain {:.1e} J",
                found.t, found.by, found.t_after, found.explained
            );
            let help = "the motion after this time would be wrong: look for a singular place, a corner or a jump there, and \
                        try a smaller rtol or max_step";
            run_error(loaded, "E0540", message.replace(" J", ""), help)
        }
        Stop::LostBranch(at) => {
            let message = format!(
                "the run passed a change point at t = {at:.6} and did not stay on the motion that arrived there"
            );
            let help = format!(
                "constraints that are independent elsewhere become dependent there, and several motions branch off; the run \
                 is good up to t = {t:.6}"
            );
            run_error(loaded, "E0541", message, &help)
        }
        Stop::UndefinedCondition(at) => {
            let message = format!("the condition `until` is no number at t = {at:.6}");
            let help = "write a condition that has a value wherever the motion goes";
            run_error(loaded, "E0544", message, help)
        }
    }
}

/// A slip has vanished and does not grow again.
fn explain_stuck(
    loaded: &Loaded,
    cause: dalembert::mechanics::formulation::Failure,
    t: f64,
) -> Failure {
    let when = format!("at t = {t:.6}, where the run stopped");
    let reason = NoMotion::Failure(cause);
    loaded.source.no_motion(&loaded.mechanism, &reason, &when)
}

/// The run stopped on its way: says when and why; what was reached is written all the same.
fn explain_failure(
    loaded: &Loaded,
    failure: &dalembert_ode::Failure,
    (cause, lost): (Option<dalembert::mechanics::formulation::Failure>, bool),
    so_far: &Simulation,
) -> Failure {
    let t = so_far.t_end;
    match cause {
        Some(cause) => {
            let when = format!("at t = {t:.6}, where the run stopped");
            loaded
                .source
                .no_motion(&loaded.mechanism, &NoMotion::Failure(cause), &when)
        }
        None if lost => {
            let message = format!(
                "the run stopped at t = {t:.6}: no choice of independent coordinates and speeds determines the others there"
            );
            let help = "look at the motion up to there: its constraints are singular, or cannot be met any more";
            run_error(loaded, "E0531", message, help)
        }
        None => {
            let message = format!("the run stopped at t = {t:.6}: {failure}");
            let help = match failure {
                dalembert_ode::Failure::TooManySteps { .. } => {
                    "look at the motion up to there; allow more with --max-steps, or `max_steps` in [run]"
                }
                _ => "look at the motion up to there: is it singular, or does it leave its domain",
            };
            run_error(loaded, "E0522", message, help)
        }
    }
}

fn text(mechanism: &Mechanism, run: &Simulation, derive_s: f64) -> String {
    let ended = match run.outcome {
        Outcome::Done => "",
        Outcome::Until => " (until)",
        Outcome::Interrupted => " (interrupted)",
        Outcome::Stopped => " (stopped)",
    };
    let energy = run.energy_end - run.energy_start;
    let by = match run.formulation {
        Formulation::Multipliers => String::new(),
        other => format!(", accelerations by {other}"),
    };
    let mut lines = vec![
        format!("t            {:.6}{ended}", run.t_end),
        format!(
            "steps        {} ({} rejected, {} evaluations) by {}{by}",
            run.steps, run.rejected, run.rhs_evaluations, run.integrator
        ),
        format!(
            "residuals    position {:.1e}, velocity {:.1e}",
            run.position_residual, run.velocity_residual
        ),
        format!(
            "energy       {:.10} at the start, changed by {energy:.6e}, work {:.6e}, out of balance by {:.1e}",
            run.energy_start,
            run.work,
            run.balance_error()
        ),
        format!(
            "time         {:.1} ms to derive, {:.1} ms to compile, {:.1} ms to integrate",
            1e3 * derive_s,
            1e3 * run.compile_s,
            1e3 * run.wall_s
        ),
    ];
    if let Some(reduction) = &run.reduction {
        lines.insert(2, independent(mechanism, reduction));
    }
    lines.join("\n")
}

/// What governed a run by independent coordinates and speeds.
fn independent(mechanism: &Mechanism, reduction: &Reduction) -> String {
    let choice = crate::output::independent(mechanism, &reduction.coordinates, &reduction.speeds);
    let rechosen = match reduction.rechosen {
        0 => "never chosen anew".to_owned(),
        1 => "chosen anew once".to_owned(),
        n => format!("chosen anew {n} times"),
    };
    format!("{:<12} {choice}; {rechosen}", "independent")
}

fn document(loaded: &Loaded, run: &Simulation) -> Value {
    let mechanism = &loaded.mechanism;
    let names: Vec<&str> = mechanism.coordinate_names().collect();
    let mut end: Map<String, Value> = names
        .iter()
        .zip(&run.coordinates)
        .map(|(name, value)| ((*name).to_owned(), number(*value)))
        .collect();
    end.extend(
        names
            .iter()
            .zip(&run.rates)
            .map(|(name, value)| (format!("{name}'"), number(*value))),
    );
    let status = match run.outcome {
        Outcome::Done => "done",
        Outcome::Until => "until",
        Outcome::Interrupted => "interrupted",
        Outcome::Stopped => "error",
    };
    let mut document = json!({
        "status": status,
        "t_end": number(run.t_end),
        "steps": run.steps,
        "rejected": run.rejected,
        "rhs_evaluations": run.rhs_evaluations,
        "wall_s": run.wall_s,
        "derive_s": loaded.derive_s,
        "compile_s": run.compile_s,
        "formulation": run.formulation.name(),
        "integrator": run.integrator,
        "max_residual": { "position": number(run.position_residual), "velocity": number(run.velocity_residual) },
        "energy": {
            "start": number(run.energy_start),
            "end": number(run.energy_end),
            "work": number(run.work),
            "balance_error": number(run.balance_error()),
        },
        "events": [],
        "end": end,
    });
    if let Some(reduction) = &run.reduction {
        let speeds = mechanism.speed_names();
        let coordinates: Vec<&str> = reduction.coordinates.iter().map(|&i| names[i]).collect();
        let speeds: Vec<&String> = reduction.speeds.iter().map(|&i| &speeds[i]).collect();
        document["independent"] = json!({ "coordinates": coordinates, "speeds": speeds });
        document["rechosen"] = json!(reduction.rechosen);
    }
    document
}
