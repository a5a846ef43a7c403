//! `dalembert sweep` and `dalembert merge`: many runs by a plan, and shares of them joined.

use crate::arguments::{Merge, Sweep as Arguments};
use crate::output::{Answer, Failure, INTERRUPTED};
use crate::run::{counting_bar, stop_flag};
use dalembert::report::Error;
use dalembert::{Model, Source};
use dalembert_sweep::{MANIFEST, Shard, Sweep, merged};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// What to do if there is no plan.
const NO_PLAN: &str =
    "write a plan (docs/sweeps.md), or say what varies with --vary \"l=0.5 m..2 m:16\"";

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let shard = match &arguments.shard {
        None => Shard::ALL,
        Some(text) => Shard::parse(text).ok_or_else(|| {
            Failure::Usage(format!(
                "--shard {text}: write K/N with K from 1 to N, such as 3/16"
            ))
        })?,
    };
    if arguments.model == "-" && arguments.plan.as_deref() == Some("-") {
        let message = "the model and the plan cannot both come from standard input";
        return Err(Failure::Usage(message.to_owned()));
    }
    let model = Model::load(&arguments.model)?.set_all(&arguments.set)?;
    let plan = match &arguments.plan {
        Some(plan) => Source::open(plan, NO_PLAN)?,
        None => Source::new("--vary", &written(arguments)?),
    };
    let sweep = Sweep::new(&model, &plan)?;
    let out = Path::new(&arguments.out);
    if arguments.resume && !out.join(MANIFEST).exists() {
        let message = format!("{} has no results to go on from", arguments.out);
        let help = "leave out --resume to begin".to_owned();
        return Err(Error::about(&arguments.out, "E0634", message, Some(help)).into());
    }
    let threads = arguments
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    let stop = stop_flag();
    let mut bar = None;
    let report = sweep.run(out, (shard, threads), |progress| {
        let bar = bar.get_or_insert_with(|| counting_bar(arguments.quiet, progress.of));
        if let Some(bar) = bar {
            bar.set_position(progress.done);
        }
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if let Some(Some(bar)) = bar {
        bar.finish_and_clear();
    }
    let report = report?;
    let code = if report.status == "interrupted" {
        INTERRUPTED
    } else {
        0
    };
    let mut answer = Answer::from(report);
    answer.code = code;
    answer.quiet = arguments.quiet;
    Ok(answer)
}

pub(crate) fn merge(arguments: &Merge) -> Result<Answer, Failure> {
    let folders: Vec<PathBuf> = arguments.folders.iter().map(PathBuf::from).collect();
    let out = arguments
        .out
        .as_ref()
        .map_or_else(|| folders[0].clone(), PathBuf::from);
    Ok(merged(&folders, &out)?.into())
}

/// The plan that options say.
fn written(arguments: &Arguments) -> Result<String, Failure> {
    let mut plan = String::from("dalembert = 1\n");
    let quoted = |text: &str| format!("{:?}", text.trim());
    if let (Some(design), Some(runs)) = (&arguments.design, &arguments.runs) {
        plan += &format!("design = {}\nruns = {}\n", quoted(design), quoted(runs));
    }
    if let Some(seed) = &arguments.seed {
        plan += &format!("seed = {}\n", quoted(seed));
    }
    if let Some(span) = &arguments.span {
        plan += &format!("[run]\nspan = {}\n", quoted(span));
    }
    for varied in &arguments.vary {
        let wrong = || {
            Failure::Usage(format!(
                "--vary {varied}: write NAME=FROM..TO:COUNT, NAME=FROM..TO or NAME=VALUE,VALUE"
            ))
        };
        let (name, values) = varied.split_once('=').ok_or_else(wrong)?;
        plan += &format!("[vary.{}]\n", quoted(name));
        let values = values.trim();
        let (values, log) = match values.strip_prefix("log ") {
            Some(rest) => (rest, true),
            None => (values, false),
        };
        match values.split_once("..") {
            Some((from, to)) => {
                let (to, count) = match to.rsplit_once(':') {
                    Some((to, count)) => (to, Some(count)),
                    None => (to, None),
                };
                plan += &format!("from = {}\nto = {}\n", quoted(from), quoted(to));
                if let Some(count) = count {
                    plan += &format!("count = {}\n", quoted(count));
                }
                if log {
                    plan += "scale = \"log\"\n";
                }
            }
            None if log || values.is_empty() => return Err(wrong()),
            None => {
                let values: Vec<String> = values.split(',').map(quoted).collect();
                plan += &format!("values = [{}]\n", values.join(", "));
            }
        }
    }
    if !arguments.result.is_empty() {
        plan += "[results]\n";
    }
    for result in &arguments.result {
        let Some((name, value)) = result.split_once('=') else {
            let message =
                format!("--result {result}: write NAME = RESULT, such as \"swing = max(theta)\"");
            return Err(Failure::Usage(message));
        };
        plan += &format!("{} = {}\n", name.trim(), quoted(value));
    }
    Ok(plan)
}
