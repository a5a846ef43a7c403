//! Files that a model uses as parts.

use super::Source;
use crate::report::Error;
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::model::{Parts, uses};
use dalembert_mechanics::read_model_of;
use std::path::Path;

/// The parts that a source asks for, with theirs, and the warnings about them; `above` are the files that ask for it.
///
/// # Errors
/// A file cannot be read, is a part of itself, or is no model.
pub(super) fn parts(source: &Source, above: &[&str]) -> Result<(Parts, Vec<Diagnostic>), Error> {
    let (mut found, mut warnings) = (Parts::new(), Vec::new());
    for part in uses(&source.text) {
        let place = source.located_place(part.place);
        let about = |message: String, help: &str| {
            Error::new(vec![Diagnostic::error(
                "E0328",
                place.clone(),
                message,
                help,
            )])
        };
        let file = source.beside(&part.file).map_err(|error| {
            let why = error.diagnostics.into_iter().next();
            let why = why.map_or_else(String::new, |it| it.message);
            about(
                why,
                "the file of a part stands beside the model that uses it",
            )
        })?;
        let above = [above, &[source.name.as_str()]].concat();
        if above.contains(&file.name.as_str()) {
            let message = format!("{} would be a part of itself", file.name);
            return Err(about(message, "use another file, or leave this part out"));
        }
        let (below, told) = parts(&file, &above)?;
        let read = read_model_of(&file.text, below);
        let (model, own) = read.map_err(|errors| file.refuse(errors))?;
        warnings.extend(told.into_iter().chain(file.located(own)));
        let folder = Path::new(&part.file).parent().unwrap_or(Path::new(""));
        let model = model.as_part(&part.name, folder, (&file.name, &file.text));
        found.insert(part.name, model);
    }
    Ok((found, warnings))
}
