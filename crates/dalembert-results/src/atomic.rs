//! Files that are there whole or not at all.
//!
//! The new contents go to a temporary file in the same directory, are forced to disk and then renamed
//! over the old file. Only a process killed in between leaves something behind: a hidden file
//! `.dalembert-….tmp`, never a half-written result.
//!
//! What is no regular file (a device, a pipe, the standard output of the process) cannot be replaced: it is written to
//! as it is.

use super::ResultsError;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Writes a file by `fill`; on failure a regular file is as it was before.
///
/// A symbolic link is followed, and stays a link; an existing file keeps its permissions, and one that is read-only is
/// refused. What is no regular file is written to.
///
/// # Errors
/// [`ResultsError::Write`] with the path and the reason.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), ResultsError> {
    write(path, fill).map_err(|source| ResultsError::Write {
        path: path.to_owned(),
        source,
    })
}

/// Whether a path leads to something that is written to and read from as it comes: a device, a pipe, a standard
/// stream of the process, wherever that leads.
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| {
        let replaced = found.is_file() && open_already(&found).is_none();
        !replaced && !found.is_dir()
    })
}

/// Whether a path leads to the standard output of the process.
pub fn is_standard_output(path: &Path) -> bool {
    let opened = fs::metadata(path).ok().as_ref().and_then(open_already);
    opened.is_some_and(|(name, _)| name == Standard::Output)
}

/// Whether a file could be written, as far as that is known before it is: its folder is there and takes new files.
///
/// # Errors
/// [`ResultsError::Write`] with the path and the reason.
pub fn can_be_written(path: &Path) -> Result<(), ResultsError> {
    let tried = target(path).and_then(|target| match target {
        Target::File(target, _) => temporary(folder(&target)).map(drop),
        Target::Opened(_) | Target::Stream => Ok(()),
    });
    tried.map_err(|source| ResultsError::Write {
        path: path.to_owned(),
        source,
    })
}

/// What a path leads to.
enum Target {
    /// A regular file, or none yet: replaced.
    File(PathBuf, Option<Permissions>),
    /// A standard stream.
    Opened(File),
    /// A device or a pipe.
    Stream,
}

fn target(path: &Path) -> io::Result<Target> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Target::File(end_of_links(path), None));
        }
        Err(error) => return Err(error),
    };
    if found.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if let Some((_, stream)) = open_already(&found) {
        return Ok(Target::Opened(stream));
    }
    if !found.is_file() {
        return Ok(Target::Stream);
    }
    if found.permissions().readonly() {
        // A rename would not ask.
        return Err(io::Error::from(io::ErrorKind::PermissionDenied));
    }
    let path = fs::canonicalize(path)?;
    Ok(Target::File(path, Some(found.permissions())))
}

fn write(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    match target(path)? {
        Target::File(target, old) => replace(&target, old, fill),
        Target::Opened(stream) => through(stream, fill),
        Target::Stream => through(OpenOptions::new().write(true).open(path)?, fill),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standard {
    Output,
    Error,
}

/// The standard stream that leads to a file, if one does.
///
/// Opening it a second time would begin at its beginning, over what the stream has written, and wait for a reader if
/// it is a pipe whose reader has gone.
#[cfg(unix)]
fn open_already(found: &Metadata) -> Option<(Standard, File)> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let opened = [
        (Standard::Output, io::stdout().as_fd().try_clone_to_owned()),
        (Standard::Error, io::stderr().as_fd().try_clone_to_owned()),
    ];
    let mut opened = opened
        .into_iter()
        .filter_map(|(name, stream)| Some((name, File::from(stream.ok()?))));
    opened.find(|(_, stream)| {
        let same = |it: Metadata| (it.dev(), it.ino()) == (found.dev(), found.ino());
        stream.metadata().is_ok_and(same)
    })
}

#[cfg(not(unix))]
fn open_already(_found: &Metadata) -> Option<(Standard, File)> {
    None
}

/// Where a link leads that leads to nothing yet; another path stands for itself.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    while let Ok(link) = fs::read_link(&path) {
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    path
}

/// Writes to something as it is.
fn through(
    stream: File,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffer = BufWriter::with_capacity(1 << 16, stream);
    fill(&mut buffer)?;
    buffer.flush()
}

/// The folder that a file is in.
fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Puts a new file in the place of what is there.
fn replace(
    target: &Path,
    old: Option<Permissions>,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let directory = folder(target);
    let (file, path) = temporary(directory)?.into_parts();

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
    path.persist(target).map_err(|failed| failed.error)?;
    // The rename itself survives a crash only once the directory is on disk. Not every system can do
    // that, and the file is complete either way.
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
    Ok(())
}

/// A file that is removed again unless it is renamed; also when `fill` panics.
///
/// Opened here, for the permissions of any new file, and so that an error names no temporary path.
fn temporary(directory: &Path) -> io::Result<NamedTempFile<File>> {
    let open = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let mut named = Builder::new();
    named.prefix(".dalembert-").suffix(".tmp");
    named.make_in(directory, open)
}
