//! Reading a model file, with mistakes of form and of meaning reported together.

use crate::diagnostic::{Diagnostic, Place};
use crate::lower::lower;
use crate::model::{Model, read, read_partially};

/// Mistakes of meaning inside expressions, which a mistake of form elsewhere does not cause.
const INDEPENDENT: [&str; 9] = [
    "E0201", "E0202", "E0203", "E0204", "E0206", "E0207", "E0208", "E0402", "E0403",
];

/// Reads a model file.
///
/// # Errors
/// All mistakes of form; and with them those of meaning in the expressions that could be read, as far
/// as they do not follow from the others.
pub fn read_model(text: &str) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    read(text).map_err(|mut errors| {
        let more = read_partially(text).and_then(|model| lower(&model).err());
        let known: Vec<usize> = errors
            .iter()
            .filter_map(|error| line(text, error))
            .collect();
        let is_new = |error: &Diagnostic| {
            let elsewhere = line(text, error).is_some_and(|line| !known.contains(&line));
            elsewhere && INDEPENDENT.contains(&error.code) && !is_lost_declaration(text, error)
        };
        errors.extend(more.into_iter().flatten().filter(is_new));
        errors.sort_by_key(|error| match &error.place {
            Place::File(span) => span.start,
            _ => 0,
        });
        errors
    })
}

/// Start of the line a diagnostic is about.
fn line(text: &str, diagnostic: &Diagnostic) -> Option<usize> {
    let Place::File(span) = &diagnostic.place else {
        return None;
    };
    let before = text.get(..span.start)?;
    Some(before.rfind('\n').map_or(0, |at| at + 1))
}

/// Whether an unknown name has a declaration in the file, which was refused for its own mistakes.
fn is_lost_declaration(text: &str, diagnostic: &Diagnostic) -> bool {
    if diagnostic.code != "E0201" && diagnostic.code != "E0202" {
        return false;
    }
    let Some(name) = diagnostic.message.split('`').nth(1) else {
        return false;
    };
    text.lines().map(str::trim_start).any(|line| {
        let key = line.strip_prefix(name).map(str::trim_start);
        let table = line
            .strip_prefix('[')
            .and_then(|header| header.split(']').next());
        key.is_some_and(|rest| rest.starts_with('='))
            || table.is_some_and(|header| header.rsplit('.').next() == Some(name))
    })
}
