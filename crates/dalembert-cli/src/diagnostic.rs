//! Diagnostics: what was wrong where, for people and for programs.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use dalembert_expr::print::{visible, visible_lines};
use dalembert_expr::syntax::ExpressionError;
use serde_json::{Value, json};
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Warning,
}

/// A message about a place in a text.
pub(crate) struct Diagnostic {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Name of the text: a file, or the argument it was given as.
    pub(crate) file: String,
    pub(crate) source: String,
    /// Bytes of `source`.
    pub(crate) span: Range<usize>,
}

impl Diagnostic {
    /// The mistakes in an expression that was given as argument `file`.
    pub(crate) fn of_expression(
        file: &str,
        source: &str,
        errors: Vec<ExpressionError>,
    ) -> Vec<Self> {
        let convert = |error: ExpressionError| Self {
            code: error.code,
            severity: Severity::Error,
            message: error.message,
            help: error.help,
            file: file.to_owned(),
            source: source.to_owned(),
            span: error.span.range(),
        };
        errors.into_iter().map(convert).collect()
    }

    /// For people: the line, a caret under the place, the cure.
    pub(crate) fn rendered(&self, styled: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let (message, file) = (visible(&self.message), visible(&self.file));
        let title = Group::with_title(level.primary_title(message).id(self.code));
        let mut group = if self.source.is_empty() {
            // About the file as a whole: there is no line to show.
            title.element(Origin::path(file))
        } else {
            let shown = Shown::new(&self.source, self.span.clone());
            let snippet = Snippet::source(shown.text)
                .path(file)
                .line_start(shown.line)
                .annotation(AnnotationKind::Primary.span(shown.span));
            title.element(snippet)
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        renderer(styled).render(&[group])
    }

    /// For programs: lines and columns count from 1, columns in characters, the end is exclusive.
    pub(crate) fn to_json(&self) -> Value {
        let (line, column) = position(&self.source, self.span.start);
        let (end_line, end_column) = position(&self.source, self.span.end);
        json!({
            "code": self.code,
            "severity": match self.severity { Severity::Error => "error", Severity::Warning => "warning" },
            "message": self.message,
            "help": self.help,
            "file": self.file,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
        })
    }
}

fn renderer(styled: bool) -> Renderer {
    if styled {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
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
