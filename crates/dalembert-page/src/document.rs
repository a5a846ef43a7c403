//! The page around data and script.

use crate::base64::encode;
use crate::data::PageData;
use crate::packed::{Packed, packed};
use crate::script::script;
use crate::sha256::sha256;
use serde::Serialize;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// The data as it is written into the page.
#[derive(Serialize)]
struct Written<'d> {
    #[serde(flatten)]
    data: &'d PageData,
    equations: Packed,
}

/// The whole page.
///
/// # Errors
/// The data cannot be written as JSON, which no data of numbers and texts fails to be.
pub fn html(data: &PageData) -> Result<String, serde_json::Error> {
    let script = script();
    // Nothing in the data ends its element, or begins another.
    let written = Written {
        data,
        equations: packed(&data.equations),
    };
    let json = serde_json::to_string(&written)?.replace('<', "\\u003c");
    // Programs of a model may be compiled here, and run in a worker made of this very script's text; nothing else may.
    let policy = format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; worker-src blob:; style-src {}; img-src blob: data:; base-uri 'none'; form-action 'none'",
        source(&script),
        source(STYLE)
    );
    let parts = [
        ("policy", policy),
        ("title", escaped(&data.title)),
        ("style", STYLE.to_owned()),
        ("file", escaped(&data.file)),
        ("data", json),
        ("script", script),
    ];
    let mut page =
        String::with_capacity(PAGE.len() + parts.iter().map(|it| it.1.len()).sum::<usize>());
    // Pieces are put in one after the other, so that none is looked for in another.
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page.push_str(before);
        let part = parts.iter().find(|(part, _)| *part == name);
        page.push_str(part.map_or("", |(_, text)| text));
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// How a policy names a script or a style.
fn source(text: &str) -> String {
    format!("'sha256-{}'", encode(&sha256(text.as_bytes())))
}

fn escaped(text: &str) -> String {
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
