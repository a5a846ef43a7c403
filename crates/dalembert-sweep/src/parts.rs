//! Parts of the data set of a sweep, each by its number.

use super::plan::Role;
use super::words::word;
use super::{Sweep, in_one_line};
use dalembert::report::{Error, stopped};
use dalembert::simulate::{Done, Ended, Gauged, Outcome, RunOptions, Variants, Worker};
use dalembert_dataset::{Column, HeadKind, Part, Values};
use dalembert_mechanics::model::Kept;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs between looks at whether to stop: short enough to answer, and full lanes.
const BETWEEN: usize = 256;

/// Makes parts: the programs of its models stay from part to part.
pub(super) struct Maker<'s> {
    sweep: &'s Sweep,
    workers: Vec<Option<Worker>>,
}

/// What there is of one run.
struct Row {
    status: &'static str,
    reason: Option<String>,
    numbers: Vec<f64>,
    series: Vec<Vec<f64>>,
}

impl<'s> Maker<'s> {
    pub(super) fn new(sweep: &'s Sweep) -> Self {
        let workers = sweep.alternatives.iter().map(|_| None).collect();
        Self { sweep, workers }
    }

    /// A part; `None` if it was to stop before.
    pub(super) fn part(&mut self, index: u64, over: &AtomicBool) -> Result<Option<Part>, Error> {
        let sweep = self.sweep;
        let (first, count) = sweep.manifest.part(index);
        let count = usize::try_from(count).expect("a part fits memory");
        let width = sweep.roles.len();
        let mut values = Vec::with_capacity(count * width);
        for run in first..first + count as u64 {
            values.extend(sweep.design.values(run));
        }
        let mut rows: Vec<Option<Row>> = (0..count).map(|_| None).collect();
        let place = sweep
            .roles
            .iter()
            .position(|it| matches!(it, Role::Model(_)));
        for which in 0..sweep.alternatives.len() {
            let of = |run: &usize| match place {
                Some(place) => values[run * width + place] as usize == which,
                None => true,
            };
            let runs: Vec<usize> = (0..count).filter(of).collect();
            for runs in runs.chunks(BETWEEN) {
                let found = self.rows(which, runs, &values, over)?;
                if over.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                for (run, row) in runs.iter().zip(found) {
                    rows[*run] = Some(row);
                }
            }
        }
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        Ok(Some(self.columns(first, &values, rows)))
    }

    /// Some runs of one model.
    fn rows(
        &mut self,
        which: usize,
        runs: &[usize],
        values: &[f64],
        over: &AtomicBool,
    ) -> Result<Vec<Row>, Error> {
        let sweep = self.sweep;
        let alternative = &sweep.alternatives[which];
        let worker = match &mut self.workers[which] {
            Some(worker) => worker,
            none => none.insert(alternative.worker(&sweep.options)?),
        };
        let width = sweep.roles.len();
        let of = |run: &usize| &values[run * width..][..width];
        let mut given = Vec::with_capacity(runs.len() * alternative.places.len());
        for run in runs {
            let both = sweep.roles.iter().zip(of(run));
            given.extend(
                both.filter(|(role, _)| matches!(role, Role::Value(_)))
                    .map(|(_, value)| *value),
            );
        }
        let varies = |role: &Role| matches!(role, Role::Option(_) | Role::Word(..));
        let options: Option<Vec<RunOptions>> = (sweep.roles.iter().any(varies)).then(|| {
            let mut all = Vec::with_capacity(runs.len());
            all.extend(runs.iter().map(|run| options(sweep, of(run))));
            all
        });
        let variants = Variants {
            places: &alternative.places,
            values: &given,
            count: runs.len(),
            options: options.as_deref(),
        };
        let done = worker.work(variants, 0, runs.len(), over);
        let Done { rows, ended, .. } = done;
        let columns = worker.columns();
        let series: Vec<usize> = (alternative.results.iter())
            .filter_map(|kept| match kept {
                Kept::Series(index) => alternative.column(columns, *index),
                Kept::Gauge(_) => None,
            })
            .collect();
        let (sampled, wide) = (worker.times().len(), columns.len() - 1);
        let mechanism = worker.mechanism();
        let found = ended.into_iter().enumerate().map(|(i, ended)| {
            let rows = &rows[i * sampled * wide..][..sampled * wide];
            let none = |status, reason| Row {
                status,
                reason: Some(reason),
                numbers: Vec::new(),
                series: Vec::new(),
            };
            match ended {
                Ended::Run {
                    outcome,
                    samples,
                    gauged,
                    ..
                } => {
                    let Gauged { numbers, undefined } = gauged.unwrap_or_default();
                    if let Some((gauge, t)) = undefined {
                        let of = &alternative.gauged[gauge];
                        return none("error", format!("E0631: `{of}` is no number at t = {t}"));
                    }
                    // What ended a run before its last sample was worth a row beside them.
                    let on_time = if outcome == Outcome::Done {
                        samples
                    } else {
                        samples.saturating_sub(1)
                    };
                    let one = |column: &usize| {
                        (0..on_time)
                            .map(|it| rows[it * wide + column - 1])
                            .collect()
                    };
                    Row {
                        status: status(outcome),
                        reason: None,
                        numbers,
                        series: series.iter().map(one).collect(),
                    }
                }
                Ended::Refused(errors) => none("refused", in_one_line(&errors)),
                Ended::Stopped(error, _) => {
                    let (why, so_far) = stopped(mechanism, *error);
                    let status = if so_far.is_some() { "error" } else { "refused" };
                    none(status, in_one_line(&[why]))
                }
                Ended::NotRun => none("interrupted", String::new()),
            }
        });
        Ok(found.collect())
    }

    fn columns(&self, first: u64, values: &[f64], rows: Vec<Row>) -> Part {
        let (sweep, width) = (self.sweep, self.sweep.roles.len());
        let alternative = &sweep.alternatives[0];
        let mut axes = sweep.roles.iter().enumerate();
        let mut results = alternative.results.iter();
        let mut series = 0;
        let columns = sweep.manifest.columns.iter().map(|head| {
            let count = rows.len();
            let values = match head.kind {
                HeadKind::Run => {
                    Values::Whole((0..count).map(|it| first as i64 + it as i64).collect())
                }
                HeadKind::Varied => {
                    let (axis, role) = axes.next().expect("a head for each axis");
                    let of = values.iter().skip(axis).step_by(width);
                    match role {
                        Role::Word(_, words) | Role::Model(words) => {
                            Values::Text(of.map(|it| Some(words[*it as usize].clone())).collect())
                        }
                        _ => Values::Number(of.copied().collect()),
                    }
                }
                HeadKind::Status => {
                    Values::Text(rows.iter().map(|it| Some(it.status.to_owned())).collect())
                }
                HeadKind::Reason => Values::Text(rows.iter().map(|it| it.reason.clone()).collect()),
                HeadKind::Result => {
                    let Some(Kept::Gauge(index)) = results.next() else {
                        unreachable!("heads follow results")
                    };
                    let number = |row: &Row| row.numbers.get(*index).copied().unwrap_or(f64::NAN);
                    Values::Number(rows.iter().map(number).collect())
                }
                HeadKind::Series => {
                    results.next();
                    series += 1;
                    let one = |row: &Row| row.series.get(series - 1).cloned().unwrap_or_default();
                    Values::Series(rows.iter().map(one).collect())
                }
            };
            Column {
                name: head.name.clone(),
                values,
            }
        });
        Part {
            columns: columns.collect(),
        }
    }
}

/// How a run that came to an end did so.
fn status(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Until => "until",
        Outcome::Event(_) => "event",
        Outcome::Rest { .. } => "rest",
        Outcome::Interrupted => "interrupted",
        Outcome::Stopped => "error",
    }
}

/// The options of a run, of which some vary.
fn options(sweep: &Sweep, values: &[f64]) -> RunOptions {
    let mut options = sweep.options.clone();
    for (role, value) in sweep.roles.iter().zip(values) {
        match role {
            Role::Option("span") => options.span = Some(*value),
            Role::Option("rtol") => options.rtol = Some(*value),
            Role::Option("atol") => options.atol = Some(*value),
            Role::Option("max_step") => options.max_step = Some(*value),
            Role::Option(_) => options.max_steps = Some(*value as u64),
            Role::Word(option, words) => {
                if let Ok(found) = word(option, &words[*value as usize]) {
                    options.method = found.method.or(options.method);
                    options.formulation = found.formulation.or(options.formulation);
                }
            }
            Role::Value(_) | Role::Model(_) => {}
        }
    }
    options
}
