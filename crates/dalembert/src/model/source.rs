//! Texts that models and equations are read from.

use super::Folder;
use crate::report::Error;
use crate::results::{Format, Table};
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of the longest text that is read: a model of a hundred thousand bodies has less.
const LONGEST_TEXT: u64 = 1 << 28;

/// Where files are looked for that a text names.
const BESIDE: &str = "files are looked for beside the model";

/// A text and what it is called: a file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
    /// Files that the text may name, besides those in its folder.
    files: BTreeMap<String, String>,
    /// Where other files are that the text names; nowhere if it was not read from a file.
    folder: Option<PathBuf>,
    /// Beyond which no file is read, if that was asked for.
    within: Option<Arc<Folder>>,
    /// Marks of the files that were taken, by the names that the text has for them.
    taken: Taken,
}

/// Marks of files, shared by all who read them for one text; it is no part of the text.
#[derive(Clone, Debug, Default)]
struct Taken(Arc<Mutex<BTreeMap<String, TakenFile>>>);

/// A mark of a file, and the file if it is a text.
type TakenFile = (String, Option<String>);

impl PartialEq for Taken {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Taken {}

/// A mark of the contents of a file: other contents have another (FNV-1a with 64 bits, and the length).
fn mark(bytes: &[u8]) -> String {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let hash = bytes.iter().fold(start, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{}-{hash:016x}", bytes.len())
}

impl Source {
    /// A text under a name, by which diagnostics speak of it.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            files: BTreeMap::new(),
            folder: None,
            within: None,
            taken: Taken::default(),
        }
    }

    /// The same with a file that the text names, such as `drive.csv` of `table("drive.csv", t)`.
    #[must_use]
    pub fn with_file(mut self, name: &str, text: &str) -> Self {
        self.files.insert(name.to_owned(), text.to_owned());
        self
    }

    /// The same text as if it had been read in this folder: other files that it names are there.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Where files are that the text names, if it was read from one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Files that came with the text, by name.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// A file that the text names.
    pub(super) fn beside(&self, name: &str) -> Result<Self, Error> {
        let mut file = match self.files.get(name) {
            Some(text) => Self {
                files: self.files.clone(),
                ..Self::new(name, text)
            },
            None => Self::open(&self.path_beside(name)?, BESIDE)?,
        };
        self.take(name, file.text.as_bytes());
        file.within = self.within.clone();
        file.taken = self.taken.clone();
        Ok(file)
    }

    /// Marks of the files that were taken for this text, by the names that it has for them.
    #[must_use]
    pub fn taken(&self) -> BTreeMap<String, String> {
        let marked = |(name, (mark, _)): (&String, &TakenFile)| (name.clone(), mark.clone());
        self.taken_files().iter().map(marked).collect()
    }

    /// The same files as texts, those that are.
    #[must_use]
    pub fn taken_texts(&self) -> Vec<(String, Option<String>)> {
        let text = |(name, (_, text)): (&String, &TakenFile)| (name.clone(), text.clone());
        self.taken_files().iter().map(text).collect()
    }

    fn taken_files(&self) -> MutexGuard<'_, BTreeMap<String, TakenFile>> {
        let taken = self.taken.0.lock();
        taken.unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, name: &str, bytes: &[u8]) {
        let text = str::from_utf8(bytes).ok().map(str::to_owned);
        self.taken_files()
            .insert(name.to_owned(), (mark(bytes), text));
    }

    /// A table that the text names, in CSV or Parquet.
    ///
    /// # Errors
    /// There is none, or it is no table.
    pub fn table_beside(&self, name: &str) -> Result<Table, Error> {
        let refuse = |why: String| Error::about(name, "E0632", why, None);
        let csv = |bytes: &[u8]| {
            Table::from_csv(bytes).map_err(|error| refuse(format!("{name}: {error}")))
        };
        if self.files.contains_key(name) {
            return csv(&self.bytes_beside(name)?.1);
        }
        let bytes = self.bytes_beside(name)?.1;
        let path = self.path_beside(name)?;
        match Format::of(Path::new(&path)) {
            Ok(Format::Csv) => csv(&bytes),
            Ok(Format::Parquet) => {
                Table::read(Path::new(&path)).map_err(|error| refuse(error.to_string()))
            }
            Err(error) => Err(refuse(error.to_string())),
        }
    }

    /// The bytes of a file that the text names, and what it is called.
    pub(super) fn bytes_beside(&self, name: &str) -> Result<(String, Vec<u8>), Error> {
        let found = match self.files.get(name) {
            Some(text) => (name.to_owned(), text.clone().into_bytes()),
            None => read_bytes(&self.path_beside(name)?, BESIDE)?,
        };
        self.take(name, &found.1);
        Ok(found)
    }

    /// Where a file is that the text names, if it may be read.
    fn path_beside(&self, name: &str) -> Result<String, Error> {
        let Some(folder) = &self.folder else {
            let message = format!("there is no file {name}: the model was not read from a file");
            return Err(Error::about(name, "E0485", message, None));
        };
        let path = folder.join(name);
        if self.within.as_ref().is_some_and(|it| !it.admits(&path)) {
            return Err(outside(name));
        }
        Ok(path.to_string_lossy().into_owned())
    }

    /// Reads a file of a folder; no file that its text names is read from beyond that.
    pub(super) fn open_within(path: &str, help: &str, folder: &Arc<Folder>) -> Result<Self, Error> {
        if !folder.admits(Path::new(path)) {
            return Err(outside(path));
        }
        let mut file = Self::open(path, help)?;
        file.within = Some(Arc::clone(folder));
        Ok(file)
    }

    /// Reads a file, or standard input if that is called `-`; `help` says what to do if there is none.
    ///
    /// # Errors
    /// It cannot be read, or is no text.
    pub fn open(path: &str, help: &str) -> Result<Self, Error> {
        let (name, bytes) = read_bytes(path, help)?;
        let text = String::from_utf8(bytes).map_err(|_| {
            let message = format!("{name} is not text in UTF-8");
            Error::about(&name, "E0910", message, Some("save it as UTF-8".to_owned()))
        })?;
        let folder = match path {
            "-" => PathBuf::new(),
            _ => Path::new(path)
                .parent()
                .map(Path::to_owned)
                .unwrap_or_default(),
        };
        Ok(Self {
            folder: Some(folder),
            ..Self::new(&name, &text)
        })
    }

    /// A diagnostic that knows which file it is about.
    pub(super) fn locate(&self, mut found: Diagnostic) -> Diagnostic {
        found.place = self.located_place(found.place);
        found
    }

    pub(super) fn located_place(&self, place: Place) -> Place {
        let (text, span) = match place {
            Place::Text(_) => return place,
            Place::File(span) => (self.text.as_str(), span),
            Place::Model => ("", 0..0),
        };
        Place::given(self.name.as_str(), text, span)
    }

    pub(super) fn located(&self, found: Vec<Diagnostic>) -> impl Iterator<Item = Diagnostic> {
        found.into_iter().map(|found| self.locate(found))
    }

    /// An error of these diagnostics, which know which file they are about.
    #[must_use]
    pub fn refuse(&self, errors: Vec<Diagnostic>) -> Error {
        Error::new(self.located(errors).collect())
    }
}

/// That a file is not where files may be.
fn outside(file: &str) -> Error {
    let message = format!("{file} is not in the folder that files may be read from, nor below it");
    let help = "put the file there, or name another folder";
    Error::about(file, "E0910", message, Some(help.to_owned()))
}

/// The bytes of a file, or of standard input if that is called `-`, and what it is called; `help` says what to do if there is none.
fn read_bytes(path: &str, help: &str) -> Result<(String, Vec<u8>), Error> {
    let mut bytes = Vec::new();
    // One byte more than there may be, so that what is longer shows; a device may have no end.
    let most = LONGEST_TEXT + 1;
    let (name, read) = match path {
        "-" => {
            let read = std::io::stdin().take(most).read_to_end(&mut bytes);
            ("standard input".to_owned(), read)
        }
        _ => {
            let file = std::fs::File::open(path);
            let read = file.and_then(|file| file.take(most).read_to_end(&mut bytes));
            (path.to_owned(), read)
        }
    };
    let refuse = |message, help: &str| Error::about(&name, "E0910", message, Some(help.to_owned()));
    read.map_err(|error| refuse(format!("cannot read {name}: {error}"), help))?;
    if bytes.len() as u64 == most {
        let message = format!("{name} is longer than {} MB", LONGEST_TEXT >> 20);
        return Err(refuse(message, "is it the file that you mean?"));
    }
    Ok((name, bytes))
}
