//! Diagnostics: what was wrong where, for people and for programs.

use super::{Report, RunReport};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use dalembert_expr::print::{visible, visible_lines};
use dalembert_mechanics::diagnostic::{Diagnostic, Place, Severity};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::Range;

/// Why there is no report: diagnostics that know their files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Error {
    /// Always "error".
    status: &'static str,
    /// What is wrong, all at once.
    #[serde(serialize_with = "entries")]
    #[schemars(with = "Vec<Entry>")]
    pub diagnostics: Vec<Diagnostic>,
    /// A run that stopped on its way, as far as it came.
    #[serde(skip)]
    pub so_far: Option<Box<RunReport>>,
}

impl Error {
    /// An error of these diagnostics.
    #[must_use]
    pub fn new(diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            status: "error",
            diagnostics: told_once(diagnostics),
            so_far: None,
        }
    }

    /// An error about a file as a whole.
    #[must_use]
    pub fn about(file: &str, code: &'static str, message: String, help: Option<String>) -> Self {
        let place = Place::given(file, "", 0..0);
        let help = help.unwrap_or_default();
        Self::new(vec![Diagnostic::error(code, place, message, help)])
    }
}

/// Each mistake once: the same words, or the same place in a file that several parts of a model are made of.
fn told_once(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    for found in diagnostics {
        let somewhere = matches!(&found.place, Place::Text(given) if !given.span.is_empty());
        let known = |it: &Diagnostic| {
            let alike = it.message == found.message || (somewhere && ends_alike(it, &found));
            it.code == found.code && it.place == found.place && alike
        };
        if !kept.iter().any(known) {
            kept.push(found);
        }
    }
    kept
}

/// Whether two messages differ by the names of parts before a dot alone: `a.length` and `b.length`.
fn ends_alike(one: &Diagnostic, other: &Diagnostic) -> bool {
    let bare = |text: &str| {
        let words = text
            .split('`')
            .map(|it| it.rsplit('.').next().unwrap_or(it));
        words.collect::<Vec<_>>().join("`")
    };
    bare(&one.message) == bare(&other.message)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.diagnostics.iter().map(|it| rendered(it, false));
        f.write_str(&all.collect::<Vec<_>>().join("\n\n"))
    }
}

impl std::error::Error for Error {}

impl Report for Error {}

/// Whether there are only warnings.
pub(super) fn no_errors(list: &[Diagnostic]) -> bool {
    list.iter().all(|it| it.severity == Severity::Warning)
}

/// A diagnostic for programs: lines and columns count from 1, columns in characters, the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// What `explain` knows it by; null where the command was used wrongly.
    pub code: Option<&'static str>,
    /// "error" or "warning".
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// How to put it right.
    pub help: Option<String>,
    /// The file, or the argument that a text was given as.
    pub file: Option<String>,
    /// Where it begins.
    pub line: Option<usize>,
    /// Where it begins in its line.
    pub column: Option<usize>,
    /// Where it ends.
    pub end_line: Option<usize>,
    /// Where it ends in that line.
    pub end_column: Option<usize>,
}

impl Entry {
    /// An error that has no place and no code.
    #[must_use]
    pub fn without_place(message: &str) -> Self {
        Self {
            code: None,
            severity: "error",
            message: message.to_owned(),
            help: None,
            file: None,
            line: None,
            column: None,
            end_line: None,
            end_column: None,
        }
    }
}

impl From<&Diagnostic> for Entry {
    fn from(found: &Diagnostic) -> Self {
        let (file, source, span) = place(found);
        let (line, column) = position(source, span.start);
        let (end_line, end_column) = position(source, span.end);
        Self {
            code: Some(found.code),
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: found.message.clone(),
            help: found.help.clone(),
            file: Some(file.to_owned()),
            line: Some(line),
            column: Some(column),
            end_line: Some(end_line),
            end_column: Some(end_column),
        }
    }
}

pub(super) fn entries<S: Serializer>(
    list: &[Diagnostic],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(Entry::from))
}

/// The file of a diagnostic, its text, and the place there; a model that was built has no file.
fn place(found: &Diagnostic) -> (&str, &str, Range<usize>) {
    match &found.place {
        Place::Text(given) => (&given.key, &given.text, given.span.clone()),
        Place::File(_) | Place::Model => ("model", "", 0..0),
    }
}

/// A diagnostic for people: the line, a caret under the place, the cure.
#[must_use]
pub fn rendered(found: &Diagnostic, styled: bool) -> String {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let (file, source, span) = place(found);
    let (message, file) = (visible(&found.message), visible(file));
    let title = Group::with_title(level.primary_title(message).id(found.code));
    let mut group = if source.is_empty() {
        // About the file as a whole: there is no line to show.
        title.element(Origin::path(file))
    } else {
        let shown = Shown::new(source, span);
        let snippet = Snippet::source(shown.text)
            .path(file)
            .line_start(shown.line)
            .annotation(AnnotationKind::Primary.span(shown.span));
        title.element(snippet)
    };
    if let Some(help) = &found.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    let renderer = match styled {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    renderer.render(&[group])
}

/// Line and column of a byte, both from 1.
fn position(source: &str, offset: usize) -> (usize, usize) {
    let before = source.get(..offset).unwrap_or(source);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// The part of a source that fits a screen: the lines of the span, cut around it if they are long.
struct Shown {
    text: String,
    line: usize,
    span: Range<usize>,
}

impl Shown {
    /// Characters shown on either side of a place in a long line.
    const MARGIN: usize = 60;

    fn new(source: &str, span: Range<usize>) -> Self {
        let start = source[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = source[span.end..]
            .find('\n')
            .map_or(source.len(), |at| span.end + at);
        let end = span.end + source[span.end..end].trim_end_matches('\r').len();
        let (line, _) = position(source, span.start);
        let from = back(source, span.start, Self::MARGIN).max(start);
        let until = forth(source, span.end, Self::MARGIN).min(end);
        // What is marked may be long itself: show its beginning.
        let marked_until = forth(source, span.start, 2 * Self::MARGIN).min(span.end);
        let (before, after) = (
            if from > start { "…" } else { "" },
            if until < end { "…" } else { "" },
        );
        let mut text = before.to_owned() + &visible_lines(&source[from..span.start]);
        let first = text.len();
        text += &visible_lines(&source[span.start..marked_until]);
        let marked = first..text.len();
        match marked_until < span.end {
            true => text.push('…'),
            false => text = text + &visible_lines(&source[span.end..until]) + after,
        }
        Self {
            text,
            line,
            span: marked,
        }
    }
}

fn back(source: &str, from: usize, characters: usize) -> usize {
    source[..from]
        .char_indices()
        .rev()
        .nth(characters)
        .map_or(0, |(at, _)| at)
}

fn forth(source: &str, from: usize, characters: usize) -> usize {
    source[from..]
        .char_indices()
        .nth(characters)
        .map_or(source.len(), |(at, _)| from + at)
}
