//! What is no TOML, in words for people who do not know TOML.
//!
//! The parser recovers and goes on, at the price of several messages about one slip. A line with a
//! slip that everybody makes — a formula without quotes, a key with a prime — gets one message that
//! says so; of any other line the first message is kept.

use super::form_codes::names as code;
use super::mistakes::MAX_SHOWN;
use super::names::is_identifier;
use crate::diagnostic::{Diagnostic, Place};
use std::ops::Range;
use toml::de::Error;

/// How the message about a bracket that is never closed starts.
const UNCLOSED: &str = "this is still inside";

/// The message about three quotes that are never closed.
const UNCLOSED_TEXT: &str = "a text over several lines is not closed";

/// Longest value that a cure repeats, in bytes.
const MAX_REPEATED: usize = 200;

/// One message for each line that is no TOML.
pub(super) fn diagnostics(text: &str, errors: &[Error]) -> Vec<Diagnostic> {
    let mut sorted: Vec<(Range<usize>, &str)> = errors
        .iter()
        .map(|error| (within(text, error.span().unwrap_or(0..0)), error.message()))
        .collect();
    sorted.sort_by_key(|(span, _)| (span.start, span.end));
    let mut found: Vec<Diagnostic> = Vec::new();
    // What has been said up to here covers the rest of it.
    let mut covered = None;
    for (span, message) in sorted {
        if covered.is_some_and(|end| span.start <= end) {
            continue;
        }
        let slip = Slip {
            text,
            line: line_around(text, span.start),
            span,
            message,
        };
        covered = Some(slip.covers());
        // Looking for the first of two keys goes through the file: not for more than are shown.
        found.push(slip.diagnostic(found.len() <= MAX_SHOWN));
    }
    found
}

/// The parts of the file that the diagnostics may have spoilt, in order: a line and the next.
pub(super) fn spoilt(text: &str, diagnostics: &[Diagnostic]) -> Vec<Range<usize>> {
    let lines = |diagnostic: &Diagnostic| {
        let Place::File(span) = &diagnostic.place else {
            return 0..0;
        };
        let line = line_around(text, span.start);
        if diagnostic.message.starts_with(UNCLOSED) || diagnostic.message == UNCLOSED_TEXT {
            return line.start..text.len();
        }
        let newline = text[line.end..].find('\n');
        let next = newline.map_or(text.len(), |n| line.end + n + 1);
        line.start..line_around(text, next).end
    };
    let mut spoilt: Vec<Range<usize>> = diagnostics.iter().map(lines).collect();
    spoilt.sort_by_key(|lines| lines.start);
    spoilt
}

/// `span` moved into the text and onto the borders of characters.
fn within(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(span.start);
    let end = text.ceil_char_boundary(span.end.min(text.len()));
    start..end.max(start)
}

/// The line that byte `at` is in, without its end. At the end of a line it is that line.
fn line_around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
    let end = start + text[start..end].trim_end_matches('\r').len();
    start..end
}

/// Something that is no TOML.
struct Slip<'f> {
    text: &'f str,
    /// The line it is in.
    line: Range<usize>,
    span: Range<usize>,
    /// What the TOML parser says.
    message: &'f str,
}

impl<'f> Slip<'f> {
    fn line(&self) -> &'f str {
        &self.text[self.line.clone()]
    }

    /// The place of a part of the line.
    fn place_of(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn is_repetition(&self) -> bool {
        self.message.starts_with("duplicate key")
    }

    fn is_header(&self) -> bool {
        self.line().trim_start().starts_with('[')
    }

    /// Whether a list or a table in braces that started above is still open.
    fn is_unclosed(&self) -> bool {
        let inside = ["array", "inline table", "key-value pairs"];
        let before = &self.text[self.line.start..self.span.start];
        let key = self
            .line()
            .split_once('=')
            .map_or("", |(key, _)| key.trim());
        before.trim().is_empty()
            && inside.iter().any(|word| self.message.contains(word))
            && (self.is_header() || is_identifier(key))
    }

    /// Up to where further mistakes are consequences of this one.
    fn covers(&self) -> usize {
        if self.is_unclosed() {
            return self.text.len();
        }
        if self.is_repetition() && self.is_header() {
            // Its keys repeat those of the first, up to the next header.
            let rest = &self.text[self.line.end..];
            return rest
                .find("\n[")
                .map_or(self.text.len(), |n| self.line.end + n);
        }
        self.line.end
    }

    fn diagnostic(&self, look: bool) -> Diagnostic {
        let mut span = self.span.clone();
        let mut code = code::SYNTAX;
        let (message, help) = if self.is_repetition() {
            code = code::GIVEN_TWICE;
            self.repetition(look)
        } else if self.is_unclosed() {
            let message = format!("{UNCLOSED} a list or table in braces that starts above");
            (message, "add ] or } at its end".to_owned())
        } else if let Some((key, rest)) = primed_key(self.line()) {
            span = self.place_of(key);
            let message = format!("the key {key} has a prime and needs quotes");
            (message, format!("write \"{key}\"{rest}"))
        } else if let Some((key, value)) = unquoted(self.line()) {
            span = self.place_of(value);
            match decimal_comma(value) {
                Some(number) => {
                    let message = format!("the value of `{key}` has a decimal comma");
                    (message, format!("write {key} = {number}"))
                }
                None => {
                    let message = format!("the value of `{key}` needs quotes");
                    let value = value.replace('°', " deg");
                    (message, format!("write {key} = \"{value}\""))
                }
            }
        } else if let Some((key, value)) = quotes_within(self.line()) {
            span = self.place_of(value);
            let message = format!("the value of `{key}` has double quotes within double quotes");
            let inside = &value[1..value.len() - 1];
            (message, format!("write {key} = '{inside}'"))
        } else {
            let (message, help) = in_plain_words(self.message, &self.text[span.clone()]);
            if message == UNCLOSED_TEXT {
                span = self.opening_quotes();
            }
            (message, help.to_owned())
        };
        Diagnostic::error(code, Place::File(span), message, help)
    }

    /// The three quotes that open the text that ends here.
    fn opening_quotes(&self) -> Range<usize> {
        let quotes = match self.message.contains("basic") {
            true => "\"\"\"",
            false => "'''",
        };
        let opening = self.text[..self.span.start].rfind(quotes);
        opening.map_or(self.span.clone(), |start| start..start + quotes.len())
    }

    /// A key or a table is given twice; the first is looked for if `look` says so.
    fn repetition(&self, look: bool) -> (String, String) {
        let line = self.line().trim();
        let header = line.split('#').next().unwrap_or(line).trim();
        let key = &self.text[self.span.clone()];
        let before = if look {
            &self.text[..self.line.start]
        } else {
            ""
        };
        let mut first = None;
        for (at, other) in before.lines().map(str::trim).enumerate() {
            if self.is_header() {
                if first.is_none() && other.starts_with(header) {
                    first = Some(at + 1);
                }
            } else if other.starts_with('[') {
                first = None;
            } else if first.is_none()
                && let Some((other, _)) = other.split_once(['=', '.'])
                && other.trim() == key
            {
                first = Some(at + 1);
            }
        }
        let message = if self.is_header() {
            format!("the table {header} is given twice")
        } else {
            format!("`{key}` is given twice")
        };
        let first = first.map(|line| format!("; the first is on line {line}"));
        (
            message,
            format!("keep one of them{}", first.unwrap_or_default()),
        )
    }
}

/// `phi'` and ` = 8` of `phi' = 8`.
fn primed_key(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (key, _) = line.split_once('=')?;
    let key = key.trim_end();
    let bare = key.trim_end_matches('\'');
    (bare.len() < key.len() && is_identifier(bare)).then(|| (key, &line[key.len()..]))
}

/// Key and value of a line `key = value` whose value is a formula without quotes.
fn unquoted(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.split('#').next()?.trim());
    let quoted = value.contains(['"', '\'', '{', '}']);
    let key_path = key.split('.').all(|part| {
        part.trim()
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_-\"'".contains(&b))
    });
    // A number needs no quotes, so something else is wrong with it.
    let number = value.bytes().all(|b| b"+-._eE 0123456789".contains(&b));
    // A list that is not closed, or closed too early, has another mistake.
    let open = value.matches('[').count() != value.matches(']').count();
    let short =
        (1..=MAX_REPEATED).contains(&key.len()) && (1..=MAX_REPEATED).contains(&value.len());
    (key_path && short && !quoted && !number && !open).then_some((key, value))
}

/// Key and value of a line `key = "…"name"…"`: a formula with a text in it, as `table("drive.csv", t)`.
fn quotes_within(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let whole = value.len() <= MAX_REPEATED && value.starts_with('"') && value.ends_with('"');
    let texts = value.contains("(\"")
        && !value.contains("\"\"")
        && !value.contains(['\'', '\\', '#', '{', '}']);
    let count = value.matches('"').count();
    (is_identifier(key) && whole && texts && count >= 4 && count % 2 == 0).then_some((key, value))
}

/// Message and cure for what the TOML parser says about `place`.
fn in_plain_words(message: &str, place: &str) -> (String, &'static str) {
    let (said, help) = match message.split(", expected").next().unwrap_or(message) {
        "string values must be quoted" if place.trim().is_empty() => {
            ("a value is missing", "write one after the =")
        }
        "string values must be quoted" => {
            let message = format!("`{place}` needs quotes");
            return (message, "write texts and formulas in double quotes");
        }
        "invalid basic string" | "invalid literal string" if place.is_empty() => (
            "a text is not closed on its line",
            "add the quote at its end; a text over several lines stands between \"\"\" and \"\"\"",
        ),
        "invalid multi-line basic string" | "invalid multi-line literal string"
            if place.is_empty() =>
        {
            (UNCLOSED_TEXT, "end it with the three quotes it starts with")
        }
        "invalid basic string" | "invalid literal string" => {
            ("a text holds a character that cannot be seen", "remove it")
        }
        "missing escaped value" => (
            "a backslash in a text in double quotes starts an escape, but this is none",
            "write \\\\ for a backslash",
        ),
        "too few unicode value digits" | "invalid value" => (
            "this escape is not the number of a character",
            "write \\u and four hexadecimal digits",
        ),
        "key with no value" | "missing value for key" => (
            "a key stands here without a value",
            "write key = value; a table starts with its name in brackets: [name]",
        ),
        "missing value" => ("a value is missing", "write one after the ="),
        "unclosed table" | "unclosed array table" => {
            ("a table header is not closed", "add ] at its end")
        }
        "unexpected `=` in array" => ("an = stands in a list", "close the list with ] before it"),
        "unclosed array" => ("a list is not closed", "add ] at its end"),
        "unclosed inline table" => ("a table in braces is not closed", "add } at its end"),
        "missing comma between array elements" => {
            ("a comma is missing between two elements", "add it")
        }
        "missing comma between key-value pairs" => (
            "a comma is missing between two keys of a table in braces",
            "add it",
        ),
        "extra comma in array" | "extra comma in inline table" => {
            ("there is a comma too many", "remove it")
        }
        "unexpected key or value" | "unexpected content" => (
            "something follows where the line should end",
            "write one key = value on each line, and formulas and numbers with units in quotes",
        ),
        "invalid unquoted key" => (
            "a key holds a character that needs quotes",
            "names are written with letters a-z A-Z, digits and _; spell Greek letters out",
        ),
        "invalid key-value pair"
        | "invalid inline table element"
        | "unquoted keys cannot be empty"
        | "missing key for inline table element" => ("a key is missing", "write key = value"),
        "missing assignment between key-value pairs" => {
            ("an = is missing after a key", "write key = value")
        }
        "unexpected leading zero" => ("a number starts with a superfluous 0", "remove the 0"),
        "carriage return must be followed by newline" | "invalid comment character" => {
            ("there is a character that cannot be seen", "remove it")
        }
        "recursion limit" | "cannot recurse further; max recursion depth met" => (
            "tables or lists are nested too deeply",
            "no part of a model needs more than a few levels",
        ),
        _ => (
            message,
            "write key = value, and texts and formulas in double quotes",
        ),
    };
    (said.to_owned(), help)
}

/// A number with a comma in place of a point, as it should be.
fn decimal_comma(value: &str) -> Option<String> {
    let (whole, part) = value.split_once(',')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits(whole.trim_start_matches('-')) && digits(part);
    number.then(|| format!("{whole}.{part}"))
}
