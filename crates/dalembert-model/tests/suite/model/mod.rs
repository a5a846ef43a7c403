//! Files and builders, right and wrong.

mod broken;
mod built;
mod codes;
mod full;
mod robustness;
mod schema;
mod syntax;

use dalembert_model::diagnostic::{Diagnostic, Place};
use dalembert_model::model::read;

/// A file with every part of the format that is supported.
pub(crate) const FULL: &str = include_str!("full.toml");

/// Every diagnostic: code, line and column, the text at its place, message, cure.
fn shown(file: &str, diagnostics: &[Diagnostic]) -> String {
    let mut lines = Vec::new();
    for diagnostic in diagnostics {
        let place = match &diagnostic.place {
            Place::File(span) => {
                let before = &file[..span.start];
                let line = 1 + before.matches('\n').count();
                let column = 1 + before.chars().rev().take_while(|c| *c != '\n').count();
                format!("{line}:{column} {}", &file[span.clone()])
            }
            Place::Text(given) => format!("{}: {}", given.key, &given.text[given.span.clone()]),
            Place::Model => "model".to_owned(),
        };
        lines.push(format!("{} {place}", diagnostic.code));
        lines.push(format!("  {}", diagnostic.message));
        lines.extend(diagnostic.help.as_ref().map(|help| format!("  {help}")));
    }
    lines.join("\n")
}

/// What is wrong with a file.
fn errors(file: &str) -> String {
    shown(file, &read(file).expect_err(file))
}

/// What is wrong with these lines in a file that is right otherwise.
fn errors_in(lines: &str) -> String {
    errors(&format!("dalembert = 1\ncoordinates.x = 0\n{lines}"))
}
