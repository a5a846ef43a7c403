//! `dalembert new`: models to start from.

use crate::arguments::New;
use crate::output::{Answer, Failure, Plain};
use dalembert::report::{GalleryReport, gallery_files, gallery_model};
use serde_json::json;
use std::io::{ErrorKind, Write};

pub(crate) fn run(arguments: &New) -> Result<Answer, Failure> {
    let Some(name) = arguments.name.as_deref().filter(|_| !arguments.list) else {
        return Ok(GalleryReport::new().into());
    };
    let text = gallery_model(name).map_err(Failure::Usage)?;
    let file = format!("{name}.toml");
    // What the model takes tables from comes first, so that a model is there only if all of it is.
    for (beside, text) in gallery_files(name) {
        write(beside, text, &file)?;
    }
    write(&file, text, &file)?;
    let plain = Plain {
        text: format!("wrote {file}; next: dalembert check {file}"),
        json: json!({ "status": "done", "file": file }),
        warnings: Vec::new(),
    };
    Ok(plain.into())
}

/// Writes a new file of the model that `file` is.
fn write(path: &str, text: &str, file: &str) -> Result<(), Failure> {
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut out| out.write_all(text.as_bytes()));
    written.map_err(|error| {
        Failure::Usage(if error.kind() == ErrorKind::AlreadyExists {
            format!("{path} is there already, and is not overwritten; next: dalembert check {file}")
        } else {
            format!("cannot write {path}: {error}")
        })
    })
}
