//! Sweeps: one model, many runs, by a plan.
//!
//! ```
//! use dalembert::{Model, Source};
//! use dalembert_sweep::Sweep;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/phong-pendulum.toml");
//! let plan = Source::new("plan.toml", r#"
//!     dalembert = 1
//!     [vary.l]
//!     from = 0.5
//!     to = 2
//!     count = 8
//!     [results]
//!     swing = "max(phi)"
//! "#);
//! let sweep = Sweep::new(&Model::load(path)?, &plan)?;
//! assert_eq!(sweep.manifest().runs, 8);
//! let part = sweep.part(0)?;
//! assert_eq!(part.columns[0].name, "run");
//! # Ok::<(), dalembert::report::Error>(())
//! ```
//!
//! | place | what |
//! |---|---|
//! | `plan.rs` | a plan as it is written becomes numbers, checked against the model |
//! | `words.rs` | options that are chosen by a word |
//! | `variants.rs` | the model with what varies as parameters, and what each run is reduced to |
//! | `parts.rs` | parts of the data set, each by its number |
//! | `figure.rs` | maps, points, and quantiles over time |
//! | `report.rs` | what is said of it |
//! | `job.rs` | the same as text, for whoever makes parts elsewhere |
//!
//! What is not known of a model here is in `dalembert-sweep`: designs, parts, files.

mod figure;
mod job;
mod parts;
mod plan;
mod report;
mod variants;
mod words;

pub use figure::drawn;
pub use job::Job;
pub use report::{SweepFailure, SweepReport};

use dalembert::report::Error;
use dalembert::{Model, Source};
pub use dalembert_dataset::{
    Column, Folder, Head, HeadKind, MANIFEST, Manifest, Part, Shard, Values,
};
use dalembert_dataset::{DatasetError, Design};
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::model::read_sweep;
use parts::Maker;
use plan::Numbers;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use variants::Alternative;

/// How often whoever waits is asked.
const EVERY: Duration = Duration::from_millis(50);

/// Runs of a plan, made part by part.
pub struct Sweep {
    manifest: Manifest,
    design: Design,
    /// What each axis of the design does.
    roles: Vec<plan::Role>,
    /// The models: one, or as many as the plan names.
    alternatives: Vec<Alternative>,
    options: dalembert::simulate::RunOptions,
}

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs of this share that are there.
    pub done: u64,
    /// Of so many.
    pub of: u64,
}

impl Sweep {
    /// The sweep of a model by a plan.
    ///
    /// # Errors
    /// All that is wrong with the plan, or with the model.
    pub fn new(model: &Model, plan: &Source) -> Result<Self, Error> {
        model.mechanism()?;
        let read = read_sweep(&plan.text).map_err(|errors| plan.refuse(errors))?;
        let written = read.in_file(&plan.name, &plan.text);
        let numbers = Numbers::new(model, plan, &written)?;
        let alternatives = variants::alternatives(model, &written, &numbers)?;
        let first = &alternatives[0];
        let columns = variants::heads(&written, &numbers, first)?;
        let mut files = model.source().taken();
        files.extend(plan.taken());
        let title = written.title.clone();
        let title = title.or_else(|| model.description().title.clone());
        let options = variants::options(&written);
        Ok(Self {
            manifest: Manifest {
                dalembert: env!("CARGO_PKG_VERSION").to_owned(),
                title: title.unwrap_or_default(),
                model: model.source().text.clone(),
                set: model.settings().to_vec(),
                plan: plan.text.clone(),
                files,
                runs: numbers.design.runs(),
                chunk: numbers.chunk,
                series_t: first.series_times(&options),
                columns,
            },
            design: numbers.design,
            roles: numbers.roles,
            alternatives,
            options,
        })
    }

    /// What its data set is of.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// A part by its number: it depends on nothing else.
    ///
    /// # Errors
    /// A model cannot be run at all.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn part(&self, index: u64) -> Result<Part, Error> {
        assert!(index < self.manifest.parts(), "there is no part {index}");
        let part = Maker::new(self).part(index, &AtomicBool::new(false))?;
        Ok(part.expect("nothing stops it"))
    }

    /// The bytes of the file of a part.
    ///
    /// # Errors
    /// A model cannot be run at all.
    pub fn encoded(&self, index: u64) -> Result<Vec<u8>, Error> {
        let part = self.part(index)?;
        self.encode(&part)
    }

    /// What is there of a sweep in a folder.
    ///
    /// # Errors
    /// There is none, or a part is damaged.
    pub fn report(out: &Path) -> Result<SweepReport, Error> {
        let folder = Folder::open(out);
        let report = folder.and_then(|it| SweepReport::new(&it, Shard::ALL, (0, 0.0)));
        report.map_err(|error| unusable(out, error))
    }

    fn encode(&self, part: &Part) -> Result<Vec<u8>, Error> {
        Folder::encoded(&self.manifest, part).map_err(|error| {
            let message = format!("a part cannot be written: {error}");
            Error::about("sweep", "E0911", message, None)
        })
    }

    /// The data set in a folder, made or continued.
    ///
    /// # Errors
    /// The folder has the results of another sweep, or cannot be written.
    pub fn folder(&self, out: &Path) -> Result<Folder, Error> {
        let folder =
            Folder::begin(out, self.manifest.clone()).map_err(|error| unusable(out, error))?;
        folder
            .can_be_written()
            .map_err(|error| unusable(out, error))?;
        Ok(folder)
    }

    /// Writes the file of a part that was made elsewhere.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, out: &Path, part: u64, bytes: &[u8]) -> Result<(), Error> {
        let folder = Folder::begin(out, self.manifest.clone());
        let written = folder.and_then(|folder| folder.write(part, bytes));
        written.map_err(|error| unusable(out, error))
    }

    /// Makes the parts of a share that are missing in a folder, on so many threads. `watch` hears how far that is, and may stop the rest.
    ///
    /// # Errors
    /// The folder has the results of another sweep, a part cannot be written, or a model cannot be run at all.
    pub fn run(
        &self,
        out: &Path,
        (shard, threads): (Shard, usize),
        mut watch: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<SweepReport, Error> {
        let began = Instant::now();
        let folder = self.folder(out)?;
        let missing = folder.missing(shard);
        let of: u64 = (0..self.manifest.parts())
            .filter(|&part| shard.has(part))
            .map(|part| self.manifest.part(part).1)
            .sum();
        let mine = |parts: &[u64]| {
            parts
                .iter()
                .map(|&it| self.manifest.part(it).1)
                .sum::<u64>()
        };
        let before = of - mine(&missing);
        let mut made = 0;
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        // Parts wait for the disk, and not in memory.
        let (sender, receiver) = sync_channel(1);
        let mut failed = None;
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1).min(missing.len()) {
                let (sender, next, over, missing) = (sender.clone(), &next, &over, &missing);
                scope.spawn(move || {
                    let mut maker = Maker::new(self);
                    while !over.load(Ordering::Relaxed) {
                        let Some(&part) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            break;
                        };
                        let found = maker.part(part, over);
                        let found = match found {
                            Ok(None) => break,
                            Ok(Some(found)) => self.encode(&found),
                            Err(error) => Err(error),
                        };
                        if sender.send((part, found)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut stopped = false;
            loop {
                let found = receiver.recv_timeout(EVERY);
                let mut written = Ok(());
                match found {
                    Ok((part, Ok(bytes))) if failed.is_none() => {
                        written = folder
                            .write(part, &bytes)
                            .map_err(|error| unusable(out, error));
                        if written.is_ok() {
                            made += self.manifest.part(part).1;
                        }
                    }
                    Ok((_, Ok(_))) | Err(RecvTimeoutError::Timeout) => {}
                    Ok((_, Err(error))) => written = Err(error),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if let Err(error) = written {
                    failed.get_or_insert(error);
                }
                let done = before + made;
                stopped |= watch(Progress { done, of }).is_break();
                if stopped || failed.is_some() {
                    over.store(true, Ordering::Relaxed);
                }
            }
        });
        match failed {
            Some(error) => Err(error),
            None => {
                let seconds = began.elapsed().as_secs_f64();
                let report = SweepReport::new(&folder, shard, (made, seconds));
                report.map_err(|error| unusable(out, error))
            }
        }
    }
}

/// Joins data sets of shares in one, and sees that nothing is missing.
///
/// # Errors
/// They are of different sweeps, or parts are missing.
pub fn merged(folders: &[PathBuf], out: &Path) -> Result<SweepReport, Error> {
    let joined = dalembert_dataset::merge(folders, out);
    let report = joined.and_then(|folder| SweepReport::new(&folder, Shard::ALL, (0, 0.0)));
    report.map_err(|error| unusable(out, error))
}

/// Why a data set cannot be used, and what to do.
fn unusable(out: &Path, error: DatasetError) -> Error {
    let file = out.display().to_string();
    let (code, help) = match &error {
        DatasetError::File(_) => ("E0911", "choose another folder with --out"),
        DatasetError::Other { .. } => (
            "E0634",
            "choose another folder with --out, or delete this one",
        ),
        DatasetError::NotEmpty(_) => (
            "E0634",
            "choose another folder with --out: a sweep has one of its own",
        ),
        DatasetError::None(_) => ("E0634", "name a folder that `dalembert sweep --out` wrote"),
        DatasetError::Damaged(..) => (
            "E0634",
            "delete the file and run the sweep again: it makes what is missing",
        ),
        DatasetError::Incomplete(..) => (
            "E0634",
            "run the sweep again with the same folder, or the shares that are missing, and merge once more",
        ),
        DatasetError::Unequal(..) => (
            "E0634",
            "find out which of them is right, and delete the other",
        ),
    };
    Error::about(&file, code, error.to_string(), Some(help.to_owned()))
}

/// The first of some mistakes as one line, for a row of a table.
fn in_one_line(found: &[Diagnostic]) -> String {
    let line = |it: &Diagnostic| format!("{}: {}", it.code, it.message);
    found.first().map_or_else(String::new, line)
}
