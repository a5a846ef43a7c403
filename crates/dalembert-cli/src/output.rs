//! Where results and diagnostics go, and the exit code.

use crate::arguments::Color;
use clap::error::ErrorKind;
use dalembert::mechanics::diagnostic::Diagnostic;
use dalembert::report::{Entry, Error, Report, rendered};
use dalembert_expr::print::visible_lines;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// What a command answers; written as text or as a document when it is known which.
pub(crate) struct Answer {
    said: Box<dyn Said>,
    /// 1 if the answer is no.
    pub(crate) code: u8,
    /// Whether the text is left out.
    pub(crate) quiet: bool,
}

impl<R: Report + 'static> From<R> for Answer {
    fn from(report: R) -> Self {
        Self {
            said: Box::new(report),
            code: 0,
            quiet: false,
        }
    }
}

impl Answer {
    /// All was said before.
    pub(crate) fn nothing() -> Self {
        Self {
            said: Box::new(Nothing),
            code: 0,
            quiet: true,
        }
    }
}

struct Nothing;

impl Said for Nothing {
    fn text(&self) -> String {
        String::new()
    }

    fn document(&self) -> String {
        String::new()
    }

    fn warnings(&self) -> &[Diagnostic] {
        &[]
    }
}

/// A report of any kind.
trait Said {
    fn text(&self) -> String;
    fn document(&self) -> String;
    fn warnings(&self) -> &[Diagnostic];
}

impl<R: Report> Said for R {
    fn text(&self) -> String {
        visible_lines(&self.to_string()).into_owned()
    }

    fn document(&self) -> String {
        pretty(self)
    }

    fn warnings(&self) -> &[Diagnostic] {
        Report::warnings(self)
    }
}

/// A report of the command line itself: a text for people, a document for programs.
pub(crate) struct Plain {
    pub(crate) text: String,
    pub(crate) json: Value,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Report for Plain {
    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

/// Why a command has nothing to say.
pub(crate) enum Failure {
    /// The input was refused.
    Refused(Error),
    /// The command was used wrongly.
    Usage(String),
    /// The input could not be read.
    Unreadable(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// What shells make of a process that SIGINT has ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Writes a result and chooses the exit code.
pub(crate) fn deliver(result: Result<Answer, Failure>, as_json: bool, color: Color) -> ExitCode {
    let styled = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            io::stderr().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    let told = |diagnostics: &[Diagnostic]| {
        let rendered: Vec<String> = diagnostics.iter().map(|it| rendered(it, styled)).collect();
        if !rendered.is_empty() {
            let _ = write_to(io::stderr().lock(), &rendered.join("\n\n"));
        }
    };
    match result {
        Ok(Answer { said, code, quiet }) => {
            told(said.warnings());
            let text = match (as_json, quiet) {
                (true, _) => Some(said.document()),
                (false, true) => None,
                (false, false) => Some(said.text()),
            };
            to_stdout(text.filter(|text| !text.is_empty()), code)
        }
        Err(Failure::Refused(error)) => {
            told(&error.diagnostics);
            to_stdout(as_json.then(|| pretty(&error)), 1)
        }
        Err(Failure::Usage(message)) => without_place(&message, as_json, 2),
        Err(Failure::Unreadable(message)) => without_place(&message, as_json, 1),
    }
}

/// What the command line's reader has to say: help, the version, or a mistake.
pub(crate) fn usage(error: &clap::Error, as_json: bool) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let mut message = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        message.insert_str(0, "which command?\n\n");
    }
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    without_place(message.trim_end(), as_json, 2)
}

/// A failure that is not about a place in a text.
fn without_place(message: &str, as_json: bool, code: u8) -> ExitCode {
    let shown = visible_lines(message);
    let _ = write_to(io::stderr().lock(), &format!("error: {shown}"));
    let list = [Entry::without_place(message)];
    let document = || pretty(&json!({ "status": "error", "diagnostics": list }));
    to_stdout(as_json.then(document), code)
}

/// Writes the result, if there is one; `code` unless that fails.
fn to_stdout(text: Option<String>, code: u8) -> ExitCode {
    let written = text.map_or(Ok(()), |text| write_to(io::stdout().lock(), &text));
    match written {
        Ok(()) => ExitCode::from(code),
        Err(error) => {
            let message = format!("error: cannot write the result: {error}");
            let _ = write_to(io::stderr().lock(), &message);
            ExitCode::from(1)
        }
    }
}

/// A document as text; whatever a terminal would obey stands only in strings, where it may be escaped.
fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| error.to_string());
    visible_lines(&text).into_owned()
}

/// Prints a line of a result while the rest is still on its way.
pub(crate) fn line(text: &str) -> io::Result<()> {
    let mut stream = io::stdout().lock();
    writeln!(stream, "{}", visible_lines(text)).and_then(|()| stream.flush())
}

/// Writes a text with a line break. A reader that has gone away is no failure.
fn write_to(mut stream: impl Write, text: &str) -> io::Result<()> {
    match writeln!(stream, "{text}").and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
