//! The page around data and script.

use crate::base64::encode;
use crate::data::PageData;
use crate::packed::packed;
use crate::script::{MODULES, SERVED, joined, simulator};
use crate::sha256::sha256;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const WAITING: &str = include_str!("waiting.html");
const SERVED_STYLE: &str = include_str!("served.css");

/// The whole page, which never asks for anything.
///
/// # Errors
/// The data cannot be written as JSON, which no data of numbers and texts fails to be.
pub fn html(data: &PageData) -> Result<String, serde_json::Error> {
    page(data, STYLE, &joined(MODULES), None)
}

/// The same page as `dalembert serve` gives it, time after time: it hears from its own server, and from nobody else.
///
/// # Errors
/// As those of [`html`].
pub fn served_html(data: &PageData, edition: u64) -> Result<String, serde_json::Error> {
    let script = joined(&[MODULES, &[SERVED]].concat());
    page(data, &served_style(), &script, Some(edition))
}

/// What is there before the first page is: a title, and what the server says.
#[must_use]
pub fn waiting_html(title: &str) -> String {
    let style = served_style();
    let script = joined(&[MODULES[0], SERVED]);
    let parts = [
        ("policy", policy(&script, &style, true)),
        ("title", escaped(title)),
        ("style", style),
        ("script", script),
    ];
    filled(WAITING, &parts)
}

/// The data of a page as its script reads it from a server.
///
/// # Errors
/// As those of [`html`].
pub fn json(data: &PageData) -> Result<String, serde_json::Error> {
    serde_json::to_string(data)
}

fn page(
    data: &PageData,
    style: &str,
    script: &str,
    edition: Option<u64>,
) -> Result<String, serde_json::Error> {
    let data_text = packed(serde_json::to_value(data)?);
    let parts = [
        ("policy", policy(script, style, edition.is_some())),
        ("title", escaped(&data.title)),
        ("style", style.to_owned()),
        (
            "edition",
            edition.map_or_else(String::new, |it| format!(" data-edition=\"{it}\"")),
        ),
        ("file", escaped(&data.file)),
        ("data", data_text),
        // What cannot be run needs nothing to run it with.
        (
            "simulator",
            data.live.as_ref().map_or_else(String::new, |_| simulator()),
        ),
        ("script", script.to_owned()),
    ];
    Ok(filled(PAGE, &parts))
}

fn served_style() -> String {
    format!("{STYLE}{SERVED_STYLE}")
}

/// This script and this style, and nothing else. Programs of a model may be compiled here, and run in a worker made of this very
/// script's text; only a page that comes from a server may ask for anything, and of that server only.
pub(crate) fn policy(script: &str, style: &str, served: bool) -> String {
    let server = if served { "connect-src 'self'; " } else { "" };
    format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; worker-src blob:; style-src {}; img-src blob: data:; {server}base-uri 'none'; form-action 'none'",
        source(script),
        source(style)
    )
}

/// A template with its parts put in one after the other, so that none is looked for in another.
pub(crate) fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let length = parts.iter().map(|it| it.1.len()).sum::<usize>();
    let mut page = String::with_capacity(template.len() + length);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page.push_str(before);
        let part = parts.iter().find(|(part, _)| *part == name);
        page.push_str(part.map_or("", |(_, text)| text));
        rest = after;
    }
    page.push_str(rest);
    page
}

/// How a policy names a script or a style.
fn source(text: &str) -> String {
    format!("'sha256-{}'", encode(&sha256(text.as_bytes())))
}

pub(crate) fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            c => written.push(c),
        }
    }
    written
}
