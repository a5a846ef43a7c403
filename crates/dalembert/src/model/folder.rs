//! The folder that a model's files are read from, and whether one of them has changed since.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// A folder beyond which nothing is read, and the files in it that were asked for.
///
/// Whoever shows a model again and again reads it by [`Model::load_within`](crate::Model::load_within), and once more when
/// [`has_changed`](Self::has_changed) says so.
#[derive(Debug)]
pub struct Folder {
    /// Without links.
    root: PathBuf,
    /// What was asked for, be it there or not, and what it looked like before it was read.
    asked: Mutex<BTreeMap<PathBuf, Mark>>,
}

/// What a file looks like from outside; nothing if it is not there.
type Mark = Option<(SystemTime, u64)>;

impl Folder {
    /// The folder at a path.
    ///
    /// # Errors
    /// There is none.
    pub fn new(path: &Path) -> io::Result<Self> {
        // The folder of a file without one before it is this one.
        let path = match path.as_os_str().is_empty() {
            true => Path::new("."),
            false => path,
        };
        Ok(Self {
            root: path.canonicalize()?,
            asked: Mutex::default(),
        })
    }

    /// Whether a file may be read: it lies in the folder, also if links are followed. From now on it is one of those that may change.
    pub(super) fn admits(&self, file: &Path) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked
            .entry(file.to_owned())
            .or_insert_with(|| mark_of(file));
        // What is not there is where it would be.
        let beside =
            |file: &Path| Some(file.parent()?.canonicalize().ok()?.join(file.file_name()?));
        let real = file.canonicalize().ok().or_else(|| beside(file));
        real.is_some_and(|real| real.starts_with(&self.root))
    }

    /// Whether any file that was asked for is another one than it was then, or is there now, or is there no more.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().any(|(file, mark)| mark_of(file) != *mark)
    }
}

/// Two are the same if they stand for the same folder.
impl PartialEq for Folder {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root
    }
}

impl Eq for Folder {}

fn mark_of(file: &Path) -> Mark {
    let found = std::fs::metadata(file).ok()?;
    Some((found.modified().ok()?, found.len()))
}

#[cfg(test)]
#[path = "../../tests/inside/model_folder.rs"]
mod tests;
