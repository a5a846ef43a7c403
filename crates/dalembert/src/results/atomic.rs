//! Files that are there whole or not at all.
//!
//! The new contents go to a temporary file in the same directory, are forced to disk and then renamed
//! over the old file. Only a process killed in between leaves something behind: a hidden file
//! `.dalembert-….tmp`, never a half-written result.

use super::ResultsError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file by `fill`; on failure the path is as it was before.
///
/// A symbolic link is followed; an existing file keeps its permissions, and one that is read-only is refused.
///
/// # Errors
/// [`ResultsError::Write`] with the path and the reason.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), ResultsError> {
    replace(path, fill).map_err(|source| ResultsError::Write {
        path: path.to_owned(),
        source,
    })
}

fn replace(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    // Resolves links; a path that does not exist yet stands for itself.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let old = fs::metadata(&target).ok().map(|old| old.permissions());
    if old.as_ref().is_some_and(fs::Permissions::readonly) {
        // A rename would not ask.
        return Err(io::Error::from(io::ErrorKind::PermissionDenied));
    }
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (temporary, file) = Temporary::in_directory(directory)?;

    let mut buffer = BufWriter::with_capacity(1 << 16, file);
    fill(&mut buffer)?;
    let file = buffer
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    if let Some(old) = old {
        file.set_permissions(old)?;
    }
    file.sync_all()?;
    drop(file);
    temporary.rename(&target)?;
    // The rename itself survives a crash only once the directory is on disk. Not every system can do
    // that, and the file is complete either way.
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
    Ok(())
}

/// A file that is removed again unless it is renamed; also when `fill` panics.
struct Temporary {
    path: Option<PathBuf>,
}

impl Temporary {
    fn in_directory(directory: &Path) -> io::Result<(Temporary, File)> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = directory.join(format!(".dalembert-{}-{number}.tmp", process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Temporary { path: Some(path) }, file)),
                // Left by a killed process that had our number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, target)?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}
