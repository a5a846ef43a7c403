//! Where results and diagnostics go, and the exit code.

use crate::arguments::Color;
use crate::diagnostic::Diagnostic;
use dalembert::mechanics::Mechanism;
use dalembert_expr::print::visible_lines;
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
    /// The input could not be read.
    Unreadable(String),
    /// The command was asked a question, and the answer is no.
    No(Report),
    /// The work ended on its way: what there is, with the errors among its diagnostics.
    Stopped(Report),
    /// The user stopped it: what there is.
    Interrupted(Report),
}

/// What shells make of a process that SIGINT has ended.
pub(crate) const INTERRUPTED: u8 = 130;

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
    let said = |report: Report, code| {
        let text = if as_json {
            pretty(&report.json)
        } else {
            visible_lines(&report.text).into_owned()
        };
        (text, report.warnings, code)
    };
    let (text, diagnostics, code) = match result {
        Ok(report) => said(report, ExitCode::SUCCESS),
        Err(Failure::No(report) | Failure::Stopped(report)) => said(report, ExitCode::from(1)),
        Err(Failure::Interrupted(report)) => said(report, ExitCode::from(INTERRUPTED)),
        Err(Failure::Refused(diagnostics)) => {
            let list: Vec<Value> = diagnostics.iter().map(Diagnostic::to_json).collect();
            let text = if as_json {
                pretty(&json!({ "status": "error", "diagnostics": list }))
            } else {
                String::new()
            };
            (text, diagnostics, ExitCode::from(1))
        }
        Err(Failure::Usage(message)) => return without_place(&message, as_json, 2),
        Err(Failure::Unreadable(message)) => return without_place(&message, as_json, 1),
    };
    let rendered: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.rendered(styled))
        .collect();
    if !rendered.is_empty() {
        let _ = write_to(io::stderr().lock(), &rendered.join("\n\n"));
    }
    to_stdout(&text, code)
}

/// What the command line's reader has to say: help, the version, or a mistake.
pub(crate) fn usage(error: &clap::Error, as_json: bool) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let message = error.render().to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    without_place(message.trim_end(), as_json, 2)
}

/// A failure that is not about a place in a text.
fn without_place(message: &str, as_json: bool, code: u8) -> ExitCode {
    let shown = visible_lines(message);
    let _ = write_to(io::stderr().lock(), &format!("error: {shown}"));
    let text = if as_json {
        let list = [json!({
            "code": null, "severity": "error", "message": message, "help": null,
            "file": null, "line": null, "column": null, "end_line": null, "end_column": null,
        })];
        pretty(&json!({ "status": "error", "diagnostics": list }))
    } else {
        String::new()
    };
    to_stdout(&text, ExitCode::from(code))
}

/// Writes the result, if there is one; `code` unless that fails.
fn to_stdout(text: &str, code: ExitCode) -> ExitCode {
    if text.is_empty() {
        return code;
    }
    match write_to(io::stdout().lock(), text) {
        Ok(()) => code,
        Err(error) => {
            let message = format!("error: cannot write the result: {error}");
            let _ = write_to(io::stderr().lock(), &message);
            ExitCode::from(1)
        }
    }
}

/// A document as text; whatever a terminal would obey stands only in strings, where it may be escaped.
fn pretty(value: &Value) -> String {
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

/// A number for programs: null where it is not finite.
pub(crate) fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// Independent names that are listed; more are counted.
const SHOWN: usize = 12;

/// Coordinates and speeds that the others follow from, by name.
pub(crate) fn independent(
    mechanism: &Mechanism,
    coordinates: &[usize],
    speeds: &[usize],
) -> String {
    let listed = |names: &[String], chosen: &[usize]| {
        let shown = chosen.iter().take(SHOWN).map(|&i| names[i].as_str());
        let list = shown.collect::<Vec<_>>().join(", ");
        match chosen.len() {
            0 => "none".to_owned(),
            count if count > SHOWN => format!("{list} and {} more", count - SHOWN),
            _ => list,
        }
    };
    let names: Vec<String> = mechanism.coordinate_names().map(str::to_owned).collect();
    let coordinates = listed(&names, coordinates);
    let speeds = listed(&mechanism.speed_names(), speeds);
    format!("coordinates {coordinates}; speeds {speeds}")
}

/// A number in so many significant digits, without zeros at its end.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e9).contains(&value.abs()) {
        return format!("{value:.*e}", digits - 1);
    }
    let before = value.abs().log10().floor() as i32 + 1;
    let after = (digits as i32 - before).clamp(0, digits as i32 + 2) as usize;
    let text = format!("{value:.after$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
