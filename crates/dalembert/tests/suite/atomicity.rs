//! Files are there whole or not at all.

use super::directory;
use dalembert::results::{Column, Format, ResultsError, Table, write_atomically};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

fn table() -> Table {
    Table::new("", vec![Column::new("t", None, vec![1.0])]).unwrap()
}

fn entries(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn an_existing_file_is_replaced() {
    let directory = directory("atomic-replace");
    let path = directory.join("run.csv");
    fs::write(&path, "much longer than what comes now\n").unwrap();
    table().write(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "t\n1.0\n");
    assert_eq!(entries(&directory), ["run.csv"]);
}

#[test]
fn a_failure_in_the_middle_leaves_the_old_file_and_nothing_else() {
    let directory = directory("atomic-failure");
    let path = directory.join("run.csv");
    fs::write(&path, "old").unwrap();
    let result = write_atomically(&path, |file| {
        file.write_all(&[b'x'; 1_000_000])?;
        Err(io::Error::other("disk on fire"))
    });
    let message = result.unwrap_err().to_string();
    assert!(message.starts_with("cannot write "), "{message}");
    assert!(message.ends_with("run.csv: disk on fire"), "{message}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(entries(&directory), ["run.csv"]);

    let panicked = std::panic::catch_unwind(|| {
        let _ = write_atomically(&path, |_| panic!("in the middle"));
    });
    assert!(panicked.is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(entries(&directory), ["run.csv"]);
}

#[test]
fn nowhere_to_write_is_said_with_path_and_reason() {
    let directory = directory("atomic-nowhere");
    for format in Format::ALL {
        let path = directory
            .join("missing")
            .join("run")
            .with_extension(format.extension());
        let error = table().write(&path).unwrap_err();
        assert!(error.to_string().contains("missing"), "{error}");
        let ResultsError::Write { source, .. } = error else {
            panic!("{error:?}")
        };
        assert_eq!(source.kind(), io::ErrorKind::NotFound);
    }
    // A directory stands where the file should be.
    let path = directory.join("taken.csv");
    fs::create_dir(&path).unwrap();
    assert!(table().write(&path).is_err());
    assert_eq!(entries(&directory), ["taken.csv"]);
    // A file stands where the directory should be.
    fs::write(directory.join("file"), "").unwrap();
    assert!(table().write(&directory.join("file/run.csv")).is_err());
    assert_eq!(entries(&directory), ["file", "taken.csv"]);
}

#[test]
fn a_read_only_file_is_refused() {
    let directory = directory("atomic-read-only");
    let path = directory.join("run.csv");
    fs::write(&path, "old").unwrap();
    let writable = fs::metadata(&path).unwrap().permissions();
    let mut locked = writable.clone();
    locked.set_readonly(true);
    fs::set_permissions(&path, locked).unwrap();
    assert!(table().write(&path).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(entries(&directory), ["run.csv"]);
    fs::set_permissions(&path, writable).unwrap();
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let directory = directory("atomic-links");
    let target = directory.join("target.csv");
    let link = directory.join("link.csv");
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&target, &link).unwrap();
    table().write(&link).unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "t\n1.0\n");
    assert_eq!(
        fs::metadata(&target).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[test]
fn an_unknown_extension_is_refused_with_the_known_ones() {
    let directory = directory("atomic-extension");
    let message = |name: &str| table().write(Path::new(name)).unwrap_err().to_string();
    assert_eq!(
        message("run.xlsx"),
        "run.xlsx: unknown extension '.xlsx'; known are .parquet, .csv"
    );
    assert_eq!(
        message("run"),
        "run: no extension; known are .parquet, .csv"
    );
    let error = Table::read(&directory.join("run.txt")).unwrap_err();
    assert!(matches!(error, ResultsError::UnknownExtension { .. }));
    assert!(entries(&directory).is_empty());
    let error = Table::read(&directory.join("run.csv")).unwrap_err();
    assert!(matches!(error, ResultsError::Read { .. }), "{error}");
}

#[test]
fn mistakes_in_a_file_are_said_with_path_and_place() {
    let path = directory("atomic-mistake").join("run.csv");
    fs::write(&path, "t,x\n0,one\n").unwrap();
    let message = Table::read(&path).unwrap_err().to_string();
    assert!(
        message.ends_with("run.csv:2:3: 'one' in column 'x' is not a number"),
        "{message}"
    );
}
