//! The data set of a sweep: a folder with `manifest.json` and a file for each part. A part is there whole, or it is yet to be made.

use super::columns::Part;
use super::manifest::{MANIFEST, Manifest, Shard};
use super::parquet::{self, Reasons, Tally};
use dalembert_results::{ResultsError, can_be_written, write_atomically};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The data set of a sweep.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
}

/// Why a data set cannot be used.
#[derive(Debug)]
pub enum DatasetError {
    /// A file cannot be written or read.
    File(ResultsError),
    /// It is of something else.
    Other {
        /// Where.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// There is none.
    None(PathBuf),
    /// Files are there that are no data set.
    NotEmpty(PathBuf),
    /// Its manifest or a part is damaged.
    Damaged(PathBuf, String),
    /// Parts are missing: the first few, and how many.
    Incomplete(Vec<u64>, u64),
    /// A part is there twice, with other contents.
    Unequal(PathBuf, PathBuf),
}

impl From<ResultsError> for DatasetError {
    fn from(error: ResultsError) -> Self {
        Self::File(error)
    }
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Other { path, what } => {
                write!(
                    f,
                    "{} has the results of another sweep: {what}",
                    path.display()
                )
            }
            Self::None(path) => write!(f, "{} has no results of a sweep", path.display()),
            Self::NotEmpty(path) => {
                write!(f, "{} has files, and no results of a sweep", path.display())
            }
            Self::Damaged(path, why) => write!(f, "{}: {why}", path.display()),
            Self::Incomplete(first, count) => {
                let listed: Vec<String> = first.iter().map(u64::to_string).collect();
                let more = if *count > first.len() as u64 {
                    ", …"
                } else {
                    ""
                };
                let verb = if *count == 1 { "part is" } else { "parts are" };
                write!(f, "{count} {verb} missing: {}{more}", listed.join(", "))
            }
            Self::Unequal(one, other) => {
                write!(f, "{} and {} differ", one.display(), other.display())
            }
        }
    }
}

impl std::error::Error for DatasetError {}

/// How many missing parts are listed.
const LISTED: usize = 8;

impl Folder {
    /// The data set of a sweep in a folder, which is made, or continued if it is of the same sweep.
    ///
    /// # Errors
    /// It is of another sweep, or cannot be written.
    pub fn begin(path: &Path, manifest: Manifest) -> Result<Self, DatasetError> {
        match Self::open(path) {
            Ok(there) => {
                return match there.manifest.difference(&manifest) {
                    None => Ok(there),
                    Some(what) => Err(DatasetError::Other {
                        path: path.to_owned(),
                        what,
                    }),
                };
            }
            Err(DatasetError::None(_)) => {}
            Err(error) => return Err(error),
        }
        let unwritten = |source| ResultsError::Write {
            path: path.to_owned(),
            source,
        };
        fs::create_dir_all(path).map_err(unwritten)?;
        let mut entries = fs::read_dir(path).map_err(unwritten)?.flatten();
        if entries.any(|it| !it.file_name().to_string_lossy().starts_with('.')) {
            // Another share of the same sweep may just have begun.
            return match Self::open(path) {
                Ok(there) if there.manifest == manifest => Ok(there),
                _ => Err(DatasetError::NotEmpty(path.to_owned())),
            };
        }
        let text = serde_json::to_string_pretty(&manifest).expect("it has texts and numbers");
        write_atomically(&path.join(MANIFEST), |file| writeln!(file, "{text}"))?;
        Ok(Self {
            path: path.to_owned(),
            manifest,
        })
    }

    /// The data set in a folder.
    ///
    /// # Errors
    /// There is none, or it is damaged.
    pub fn open(path: &Path) -> Result<Self, DatasetError> {
        let file = path.join(MANIFEST);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(DatasetError::None(path.to_owned()));
            }
            Err(source) => return Err(ResultsError::Read { path: file, source }.into()),
        };
        let damaged = |error: serde_json::Error| DatasetError::Damaged(file, error.to_string());
        Ok(Self {
            path: path.to_owned(),
            manifest: serde_json::from_str(&text).map_err(damaged)?,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is of.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The file of a part.
    #[must_use]
    pub fn file(&self, part: u64) -> PathBuf {
        self.path.join(format!("part-{part:06}.parquet"))
    }

    /// The parts of a share that are yet to be made.
    #[must_use]
    pub fn missing(&self, shard: Shard) -> Vec<u64> {
        let parts = (0..self.manifest.parts()).filter(|&part| shard.has(part));
        parts.filter(|&part| !self.file(part).exists()).collect()
    }

    /// Refuses what could not be written, before work is done.
    ///
    /// # Errors
    /// The folder takes no files.
    pub fn can_be_written(&self) -> Result<(), DatasetError> {
        Ok(can_be_written(&self.file(0))?)
    }

    /// A part as the bytes of its file.
    ///
    /// # Errors
    /// None that a part of this data set would cause.
    pub fn encoded(manifest: &Manifest, part: &Part) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        parquet::write(part, (&manifest.title, &manifest.columns), &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the file of a part.
    ///
    /// # Errors
    /// It cannot be written; then nothing is left of it.
    pub fn write(&self, part: u64, bytes: &[u8]) -> Result<(), DatasetError> {
        Ok(write_atomically(&self.file(part), |file| {
            file.write_all(bytes)
        })?)
    }

    /// Some columns of a part.
    ///
    /// # Errors
    /// The file cannot be read, or has no such column.
    pub fn read(&self, part: u64, columns: &[&str]) -> Result<Part, DatasetError> {
        let file = self.file(part);
        parquet::read(&file, columns)
            .map_err(|error| DatasetError::Damaged(file, error.to_string()))
    }

    /// How the runs of all parts that are there ended: how many by status, and by the code of the reason, with the first of them and its reason.
    ///
    /// # Errors
    /// A part is damaged, or has another number of runs than it should.
    pub fn tally(&self) -> Result<(BTreeMap<String, u64>, Reasons), DatasetError> {
        let mut all = Tally::default();
        for part in 0..self.manifest.parts() {
            let file = self.file(part);
            if !file.exists() {
                continue;
            }
            let damaged = |why: String| DatasetError::Damaged(self.file(part), why);
            let (tally, rows) =
                parquet::tally(&file).map_err(|error| damaged(error.to_string()))?;
            let expected = self.manifest.part(part).1;
            if rows != expected {
                return Err(damaged(format!("it has {rows} runs, not {expected}")));
            }
            all.add(tally);
        }
        Ok((all.status, all.reasons))
    }

    /// Refuses a data set of which parts are missing.
    ///
    /// # Errors
    /// Those.
    pub fn complete(&self) -> Result<(), DatasetError> {
        let missing = self.missing(Shard::ALL);
        match missing.len() {
            0 => Ok(()),
            count => Err(DatasetError::Incomplete(
                missing.into_iter().take(LISTED).collect(),
                count as u64,
            )),
        }
    }
}

/// Joins the parts of several folders in one, which may be one of them, and sees that none is missing.
///
/// # Errors
/// They are of different sweeps, a part is there twice with other contents, or parts are missing.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<Folder, DatasetError> {
    let opened: Result<Vec<Folder>, DatasetError> =
        folders.iter().map(|it| Folder::open(it)).collect();
    let opened = opened?;
    let Some(first) = opened.first() else {
        return Err(DatasetError::None(out.to_owned()));
    };
    for other in &opened[1..] {
        if let Some(what) = first.manifest.difference(&other.manifest) {
            let path = other.path.clone();
            return Err(DatasetError::Other { path, what });
        }
    }
    let joined = Folder::begin(out, first.manifest.clone())?;
    for part in 0..joined.manifest.parts() {
        let to = joined.file(part);
        for from in opened
            .iter()
            .map(|it| it.file(part))
            .filter(|it| it.exists())
        {
            let read = |path: &Path| {
                let unread = |source| ResultsError::Read {
                    path: path.to_owned(),
                    source,
                };
                fs::read(path).map_err(unread)
            };
            if !to.exists() {
                let bytes = read(&from)?;
                joined.write(part, &bytes)?;
            } else if !is_same(&from, &to) && read(&from)? != read(&to)? {
                return Err(DatasetError::Unequal(from, to));
            }
        }
    }
    joined.complete()?;
    Ok(joined)
}

/// Whether two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let found = [one, other].map(|it| fs::canonicalize(it).ok());
    found[0].is_some() && found[0] == found[1]
}
