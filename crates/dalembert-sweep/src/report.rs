//! What `sweep` says: how many runs there are, how they ended, and what failed.

use dalembert::report::{Report, schema_of, significant};
use dalembert_dataset::{DatasetError, Folder, Shard};
use dalembert_expr::print::visible;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Failures that the text tells.
const TOLD: usize = 10;

/// A sweep: whole, or as far as it came.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SweepReport {
    /// "done" if all runs of the sweep are there, "shard" if those of the share are, else "interrupted".
    pub status: &'static str,
    /// The folder with the results.
    pub out: String,
    /// Runs of the sweep.
    pub runs: u64,
    /// Runs that are there.
    pub there: u64,
    /// Runs that were made now; the others were there.
    pub made: u64,
    /// Parts of the sweep, each a file.
    pub parts: u64,
    /// Seconds that it took.
    pub wall_s: f64,
    /// How many runs ended how, as `status` of `run --json`; "refused" could not begin.
    pub ended: BTreeMap<String, u64>,
    /// Why runs have no results.
    pub failures: Vec<SweepFailure>,
}

/// A reason for which runs have no results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SweepFailure {
    /// The code of the diagnostic.
    pub code: String,
    /// What it says of the first of them.
    pub message: String,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first_run: u64,
}

impl SweepReport {
    pub(crate) fn new(
        folder: &Folder,
        shard: Shard,
        (made, wall_s): (u64, f64),
    ) -> Result<Self, DatasetError> {
        let (ended, reasons) = folder.tally()?;
        let manifest = folder.manifest();
        let (all, mine) = (folder.missing(Shard::ALL), folder.missing(shard));
        let missing: u64 = all.iter().map(|&part| manifest.part(part).1).sum();
        let mut failures: Vec<SweepFailure> = Vec::new();
        for (code, (count, first_run, message)) in reasons {
            failures.push(SweepFailure {
                code,
                message,
                count,
                first_run,
            });
        }
        failures.sort_by(|a, b| b.count.cmp(&a.count).then(a.first_run.cmp(&b.first_run)));
        let status = match (all.is_empty(), mine.is_empty()) {
            (true, _) => "done",
            (false, true) => "shard",
            (false, false) => "interrupted",
        };
        Ok(Self {
            status,
            out: folder.path().display().to_string(),
            runs: manifest.runs,
            there: manifest.runs - missing,
            made,
            parts: manifest.parts(),
            wall_s,
            ended,
            failures,
        })
    }
}

impl SweepReport {
    /// The JSON Schema of its document.
    #[must_use]
    pub fn schema() -> Schema {
        schema_of::<Self>()
    }
}

impl Report for SweepReport {}

impl fmt::Display for SweepReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            runs, there, made, ..
        } = self;
        let out = visible(&self.out);
        write!(f, "runs         {there} of {runs} in {out}")?;
        match self.status {
            "done" => writeln!(f, ", {} parts", self.parts)?,
            "shard" => writeln!(f, ", all of this share")?,
            _ => writeln!(f, "; the same command goes on from here")?,
        }
        if *made > 0 {
            let rate = *made as f64 / self.wall_s;
            let (seconds, rate) = (significant(self.wall_s, 3), significant(rate, 3));
            writeln!(f, "made         {made} in {seconds} s, {rate} a second")?;
        } else {
            writeln!(f, "made         none: they were there")?;
        }
        let ended: Vec<String> = self
            .ended
            .iter()
            .map(|(status, count)| format!("{status} {count}"))
            .collect();
        writeln!(f, "ended        {}", ended.join(", "))?;
        for (index, failure) in self.failures.iter().take(TOLD).enumerate() {
            let head = if index == 0 { "failed" } else { "" };
            let SweepFailure {
                code,
                message,
                count,
                first_run,
            } = failure;
            writeln!(
                f,
                "{head:<12} {count} by {code}, the first is run {first_run}: {}",
                visible(message)
            )?;
        }
        if self.failures.len() > TOLD {
            writeln!(
                f,
                "{:<12} … and by {} other reasons",
                "",
                self.failures.len() - TOLD
            )?;
        }
        Ok(())
    }
}
