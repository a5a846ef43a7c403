//! Results of a simulation: a [`Table`] of named columns with units, and the files it is kept in.
//!
//! | file | names | units, title, metadata | numbers |
//! |---|---|---|---|
//! | `.parquet` | the schema's | key-value metadata `dalembert.units` (a JSON object), `dalembert.title`, and the table's own | the same bits |
//! | `.csv` | first line | none, or one line `# {…}` before the names if [`CsvHead::Metadata`] asks for it | shortest decimals that give the same bits back |
//!
//! Every file is written beside its place and then moved there: a reader sees the old file or the whole
//! new one, and a failure leaves no trace. Devices and pipes are written to as they are ([`write_atomically`]).
//!
//! In Python:
//!
//! ```text
//! pandas.read_csv("run.csv")     # with CsvHead::Metadata: comment="#"; last digits in old pandas: float_precision="round_trip"
//! pandas.read_parquet("run.parquet")
//! json.loads(pyarrow.parquet.read_schema("run.parquet").metadata[b"dalembert.units"])
//! ```

mod atomic;
mod csv;
mod parquet;
mod table;

pub use atomic::{can_be_written, is_standard_output, is_stream, write_atomically};
pub use csv::{CsvError, CsvHead, CsvMistake};
pub use table::{Column, ColumnView, Head, Table, TableError};

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The key that the title has in a file's metadata.
pub const TITLE_KEY: &str = "dalembert.title";

/// The key that the units have in a file's metadata: a JSON object from column name to unit.
pub const UNITS_KEY: &str = "dalembert.units";

/// A kind of file that holds a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet.
    Parquet,
    /// Comma-separated values, RFC 4180.
    Csv,
}

impl Format {
    /// All formats, the preferred one first.
    pub const ALL: [Format; 2] = [Format::Parquet, Format::Csv];

    /// The extension of its files, without a dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
        }
    }

    /// The format that the extension of a path stands for, in capitals or not; a device or a pipe without one,
    /// such as `/dev/stdout`, takes and gives CSV.
    ///
    /// # Errors
    /// [`ResultsError::UnknownExtension`].
    pub fn of(path: &Path) -> Result<Format, ResultsError> {
        let extension = path.extension().unwrap_or_default();
        if extension.is_empty() && is_stream(path) {
            return Ok(Format::Csv);
        }
        Format::ALL
            .into_iter()
            .find(|format| extension.eq_ignore_ascii_case(format.extension()))
            .ok_or_else(|| ResultsError::UnknownExtension {
                path: path.to_owned(),
            })
    }
}

impl Table {
    /// Writes the table to a file, atomically, in the format that the extension names.
    ///
    /// # Errors
    /// An unknown extension, or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), ResultsError> {
        self.write_with(path, CsvHead::Names)
    }

    /// Like [`Table::write`], with a choice of what a CSV file begins with.
    ///
    /// # Errors
    /// An unknown extension, or the file cannot be written.
    pub fn write_with(&self, path: &Path, head: CsvHead) -> Result<(), ResultsError> {
        let format = Format::of(path)?;
        write_atomically(path, |file| match format {
            Format::Csv => self.write_csv(file, head),
            Format::Parquet => self.write_parquet(file),
        })
    }

    /// Reads a table from a file in the format that its extension names.
    ///
    /// # Errors
    /// An unknown extension, the file cannot be read, or it does not hold a table of numbers.
    pub fn read(path: &Path) -> Result<Table, ResultsError> {
        let format = Format::of(path)?;
        let unreadable = |source| ResultsError::Read {
            path: path.to_owned(),
            source,
        };
        match format {
            Format::Csv => {
                let bytes = fs::read(path).map_err(unreadable)?;
                Table::from_csv(&bytes).map_err(|source| ResultsError::Csv {
                    path: path.to_owned(),
                    source,
                })
            }
            Format::Parquet => {
                let file = fs::File::open(path).map_err(unreadable)?;
                Table::from_parquet(file).map_err(|source| ResultsError::Parquet {
                    path: path.to_owned(),
                    source,
                })
            }
        }
    }
}

/// Why a file could not be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResultsError {
    /// The extension of the path stands for no format.
    UnknownExtension {
        /// The path as given.
        path: PathBuf,
    },
    /// The file could not be written; a regular file that was there before is untouched.
    Write {
        /// The path as given.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file could not be read.
    Read {
        /// The path as given.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not a table in CSV.
    Csv {
        /// The path as given.
        path: PathBuf,
        /// What is wrong, and where.
        source: CsvError,
    },
    /// The file is not a table in Parquet.
    Parquet {
        /// The path as given.
        path: PathBuf,
        /// What is wrong.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResultsError::UnknownExtension { path } => {
                let known: Vec<String> = Format::ALL
                    .iter()
                    .map(|format| format!(".{}", format.extension()))
                    .collect();
                write!(f, "{}: ", path.display())?;
                match path.extension() {
                    Some(extension) => write!(f, "unknown extension '.{}'", extension.display())?,
                    None => write!(f, "no extension")?,
                }
                write!(f, "; known are {}", known.join(", "))
            }
            ResultsError::Write { path, source } => {
                write!(f, "cannot write {}: {source}", path.display())
            }
            ResultsError::Read { path, source } => {
                write!(f, "cannot read {}: {source}", path.display())
            }
            // The form that editors and terminals jump to.
            ResultsError::Csv { path, source } => write!(f, "{}:{source}", path.display()),
            ResultsError::Parquet { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl Error for ResultsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ResultsError::UnknownExtension { .. } => None,
            ResultsError::Write { source, .. } | ResultsError::Read { source, .. } => Some(source),
            ResultsError::Csv { source, .. } => Some(source),
            ResultsError::Parquet { source, .. } => Some(source.as_ref()),
        }
    }
}
