//! Where results and diagnostics go, and the exit code.

use crate::arguments::Color;
use crate::diagnostic::Diagnostic;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// What a command has to say: a text for people, a document for programs.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) json: Value,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Why a command has nothing to say.
pub(crate) enum Failure {
    /// The input was refused.
    Refused(Vec<Diagnostic>),
    /// The command was used wrongly.
    Usage(String),
}

/// Writes a result and chooses the exit code.
pub(crate) fn deliver(result: Result<Report, Failure>, as_json: bool, color: Color) -> ExitCode {
    let styled = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            io::stderr().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    let (text, diagnostics, code) = match result {
        Ok(report) => {
            let text = if as_json {
                pretty(&report.json)
            } else {
                report.text
            };
            (text, report.warnings, ExitCode::SUCCESS)
        }
        Err(Failure::Refused(diagnostics)) => {
            let list: Vec<Value> = diagnostics.iter().map(Diagnostic::to_json).collect();
            let text = if as_json {
                pretty(&json!({ "status": "error", "diagnostics": list }))
            } else {
                String::new()
            };
            (text, diagnostics, ExitCode::from(1))
        }
        Err(Failure::Usage(message)) => {
            write_to(io::stderr().lock(), &format!("error: {message}"));
            return ExitCode::from(2);
        }
    };
    let rendered: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.rendered(styled))
        .collect();
    if !rendered.is_empty() {
        write_to(io::stderr().lock(), &rendered.join("\n\n"));
    }
    if !text.is_empty() && !write_to(io::stdout().lock(), &text) {
        return ExitCode::from(1);
    }
    code
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|error| error.to_string())
}

/// Writes a text with a line break; whether that worked. A reader that has gone away is no failure.
fn write_to(mut stream: impl Write, text: &str) -> bool {
    match writeln!(stream, "{text}").and_then(|()| stream.flush()) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::BrokenPipe,
    }
}

/// A number for programs: null where it is not finite.
pub(crate) fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}
