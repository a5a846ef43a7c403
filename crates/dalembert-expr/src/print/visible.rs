//! Text of others made fit to be printed.
//!
//! A title, a name or a file may hold characters that a terminal obeys instead of showing, that turn the direction of
//! what stands beside them, or that end a line where a printer thinks it goes on. They are written as in model files
//! and JSON: `\n`, `\u001B`.

use std::borrow::Cow;
use std::fmt::Write;

/// A text that stands within one line: every character in it is one that is seen.
///
/// ```
/// use dalembert_expr::print::visible;
///
/// assert_eq!(visible("Disk\n\u{1b}[2J"), "Disk\\n\\u001B[2J");
/// assert_eq!(visible("Küche ½ θ̇"), "Küche ½ θ̇");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// The same for a text of several lines, which keeps its line breaks and tabs.
///
/// Line breaks of Windows become plain ones.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    let hidden = |c| is_hidden(c) && !matches!(c, '\n' | '\t');
    match text.contains("\r\n") {
        true => escaped(&text.replace("\r\n", "\n"), hidden)
            .into_owned()
            .into(),
        false => escaped(text, hidden),
    }
}

/// Whether a character is not shown but obeyed, turns the direction of others, or has no place in a text.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{200E}' | '\u{200F}' // marks of direction
            | '\u{2028}'..='\u{202E}' // ends of lines and paragraphs; embeddings and overrides of direction
            | '\u{2066}'..='\u{2069}' // isolates of direction
            | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' // a byte order mark, annotations between lines
            | '\u{E0000}'..='\u{E007F}') // tags
        || u32::from(c) & 0xFFFE == 0xFFFE // no characters, and forbidden in XML
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            _ if !hidden(c) => shown.push(c),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                write!(shown, "\\u{unit:04X}").expect("a string takes everything");
            }),
        }
    }
    Cow::Owned(shown)
}
