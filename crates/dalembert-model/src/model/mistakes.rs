//! The list in which everything that is wrong with a model is collected.

use super::form_codes::names as code;
use crate::diagnostic::{Diagnostic, Place, Severity};

/// The reader has enough to do with so many.
pub const MAX_SHOWN: usize = 50;

/// What was found so far.
#[derive(Default)]
pub(super) struct Mistakes {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Ends of the lines of the file that places are in.
    line_ends: Vec<usize>,
}

impl Mistakes {
    /// Nothing found yet; places are in `file`, if there is one.
    pub(super) fn new(file: Option<&str>) -> Self {
        let newlines = file.unwrap_or_default().match_indices('\n');
        Self {
            line_ends: newlines.map(|(at, _)| at).collect(),
            ..Self::default()
        }
    }

    pub(super) fn report(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Diagnostic::error(code, place, message, help));
    }

    /// Something has no effect.
    pub(super) fn warn(&mut self, place: Place, message: String, help: &str) {
        self.add(Diagnostic::warning(code::NO_EFFECT, place, message, help));
    }

    pub(super) fn add(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors.push(diagnostic),
            Severity::Warning => self.warnings.push(diagnostic),
        }
    }

    /// The line of a place in a file: ` on line 7`; empty for other places.
    pub(super) fn line_of(&self, place: &Place) -> String {
        let Place::File(span) = place else {
            return String::new();
        };
        let before = self.line_ends.partition_point(|&end| end < span.start);
        format!(" on line {}", before + 1)
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Everything unsorted: errors and warnings.
    pub(super) fn into_lists(self) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        (self.errors, self.warnings)
    }
}

/// In the order of the file, each once, at most [`MAX_SHOWN`] and a word about the rest.
pub(super) fn sorted(list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    at_most_shown(in_order(list))
}

/// In the order of the file, each once.
pub(super) fn in_order(mut list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // Places outside a file keep the order in which they were found.
    list.sort_by_key(|diagnostic| match &diagnostic.place {
        Place::File(span) => (span.start, span.end),
        _ => (0, 0),
    });
    // What is wrong with all copies of a family is said of the first.
    let without_index = |it: &Diagnostic| it.message.replace(|c: char| c.is_ascii_digit(), "");
    list.dedup_by(|next, it| {
        let same = next.code == it.code && next.place == it.place;
        same && matches!(it.place, Place::File(_)) && without_index(next) == without_index(it)
            || next == it
    });
    list
}

/// The first fifty, and a word about the rest.
#[must_use]
pub fn at_most_shown(mut list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if list.len() > MAX_SHOWN {
        let more = list.len() - MAX_SHOWN;
        list.truncate(MAX_SHOWN);
        let message = format!("{more} more mistakes are not shown");
        let help = "put these right first";
        list.push(Diagnostic::error(code::MORE, Place::Model, message, help));
    }
    list
}
