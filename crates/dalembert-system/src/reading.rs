//! Reading a model file, with mistakes of form and of meaning reported together.

use crate::diagnostic::{Diagnostic, Place};
use crate::lower::lower_reporting_all;
use crate::model::{Model, Parts, Refused, at_most_shown, examine};
use std::collections::HashSet;

/// Mistakes of meaning inside expressions, which a mistake of form elsewhere does not cause.
const INDEPENDENT: [&str; 9] = [
    "E0201", "E0202", "E0203", "E0204", "E0206", "E0207", "E0208", "E0402", "E0403",
];

/// Reads a model file.
///
/// # Errors
/// All mistakes of form; and with them those of meaning in the expressions that could be read, as far
/// as they do not follow from the others. At most fifty, and a last entry if there are more.
pub fn read_model(text: &str) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    read_model_of(text, Parts::new())
}

/// The same of a file that uses others as `parts`.
///
/// # Errors
/// As [`read_model`].
pub fn read_model_of(
    text: &str,
    parts: Parts,
) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    examine(text, parts).map_err(|Refused { mut errors, model }| {
        let more = model.and_then(|model| lower_reporting_all(&model).err());
        let known: HashSet<usize> = errors
            .iter()
            .filter_map(|error| line(text, error))
            .collect();
        let declared = declared_names(text);
        let is_new = |error: &Diagnostic| {
            let elsewhere = line(text, error).is_some_and(|line| !known.contains(&line));
            let unknown = unknown_name(error);
            let lost = unknown.is_some_and(|name| declared.contains(name));
            elsewhere && INDEPENDENT.contains(&error.code) && !lost
        };
        errors.extend(more.into_iter().flatten().filter(is_new));
        errors.sort_by_key(|error| match &error.place {
            Place::File(span) => span.start,
            _ => 0,
        });
        at_most_shown(errors)
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

/// The name that a diagnostic says is unknown.
fn unknown_name(diagnostic: &Diagnostic) -> Option<&str> {
    let unknown = ["E0201", "E0202"].contains(&diagnostic.code);
    diagnostic.message.split('`').nth(1).filter(|_| unknown)
}

/// Names that stand before = or at the end of a header: an unknown name among them has a declaration
/// in the file, which was refused for its own mistakes.
fn declared_names(text: &str) -> HashSet<&str> {
    let lines = text.lines().map(str::trim_start);
    let names = lines.flat_map(|line| {
        let key = line.split_once('=').map(|(key, _)| key.trim_end());
        let header = line.strip_prefix('[');
        let header = header.and_then(|header| header.split(']').next());
        [key, header.and_then(|header| header.rsplit('.').next())]
    });
    names.flatten().collect()
}
