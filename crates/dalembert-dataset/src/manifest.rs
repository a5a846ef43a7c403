//! What a data set is of: `manifest.json` beside its parts.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The file's name.
pub const MANIFEST: &str = "manifest.json";

/// What a data set is of. Two that are equal make the same parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the program that makes the parts.
    pub dalembert: String,
    /// What is studied.
    pub title: String,
    /// The model as it was read.
    pub model: String,
    /// Values that were set in place of those of the model.
    pub set: Vec<String>,
    /// The plan as it was read.
    pub plan: String,
    /// Marks of the files that model and plan take, by name: other contents have another.
    pub files: BTreeMap<String, String>,
    /// How many runs there are.
    pub runs: u64,
    /// How many runs make a part.
    pub chunk: u64,
    /// The columns.
    pub columns: Vec<Head>,
    /// Times of the samples of series.
    pub series_t: Vec<f64>,
}

/// What a column is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Its name.
    pub name: String,
    /// What it has.
    pub kind: HeadKind,
    /// Its unit, if that is known.
    pub unit: Option<String>,
}

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeadKind {
    /// Numbers of runs.
    Run,
    /// What differs.
    Varied,
    /// How runs ended.
    Status,
    /// Why some have no results.
    Reason,
    /// A result.
    Result,
    /// A result at every sample.
    Series,
}

impl Manifest {
    /// How many parts there are.
    #[must_use]
    pub fn parts(&self) -> u64 {
        self.runs.div_ceil(self.chunk)
    }

    /// The first run of a part, and how many it has.
    #[must_use]
    pub fn part(&self, index: u64) -> (u64, u64) {
        let first = index * self.chunk;
        (first, self.chunk.min(self.runs - first))
    }

    /// What of another one differs, in words.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differs = [
            (
                self.dalembert != other.dalembert,
                "it was made by another version of dalembert",
            ),
            (self.model != other.model, "the model is another one"),
            (self.set != other.set, "other values are set"),
            (self.plan != other.plan, "the plan is another one"),
            (
                self.files != other.files,
                "a file that the model or the plan takes has changed",
            ),
            (self != other, "its columns are others"),
        ];
        differs
            .into_iter()
            .find(|(differs, _)| *differs)
            .map(|(_, what)| what)
    }
}

/// Which parts a machine makes: one of so many shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// All parts.
    pub const ALL: Self = Self { index: 0, of: 1 };

    /// The share of a text `k/n`, the first of them 1.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (index, of) = text.split_once('/')?;
        let [index, of] = [index, of].map(|it| it.trim().parse::<u64>().ok());
        let (index, of) = (index?.checked_sub(1)?, of?);
        (index < of).then_some(Self { index, of })
    }

    /// Whether a part is in it.
    #[must_use]
    pub fn has(self, part: u64) -> bool {
        part % self.of == self.index
    }

    /// Whether it is all there is.
    #[must_use]
    pub fn is_all(self) -> bool {
        self.of == 1
    }
}
