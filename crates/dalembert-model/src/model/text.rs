//! Texts of a TOML file with the place of every byte.
//!
//! Escapes, line continuations and the newline after `"""` make the text differ from the file; the
//! pieces of an [`Origin::File`] say how. Whether the text is well formed has been checked before;
//! what is not is taken as it stands.

use super::Origin;
use super::source::Text;

/// Reads a string or key of the file as written, quotes included, that starts at byte `start`.
pub(super) fn decoded(raw: &str, start: usize) -> Text {
    let (quotes, escapes) = match raw.as_bytes() {
        [b'"', b'"', b'"', ..] if raw.len() >= 6 => (3, true),
        [b'\'', b'\'', b'\'', ..] if raw.len() >= 6 => (3, false),
        [b'"', .., b'"'] => (1, true),
        [b'\'', .., b'\''] => (1, false),
        _ => (0, false),
    };
    let mut first = quotes;
    let body = &raw[first..raw.len() - quotes];
    if quotes == 3 {
        let newline = ["\n", "\r\n"].iter().find(|n| body.starts_with(**n));
        first += newline.map_or(0, |newline| newline.len());
    }
    let body = &raw[first.min(raw.len() - quotes)..raw.len() - quotes];
    let mut mapped = Mapped::new(start + first);
    if escapes {
        mapped.escaped(body);
    } else {
        mapped.verbatim(body);
    }
    mapped.finish()
}

/// Reads a decimal number of the file as written: `1_000` is 1000.
pub(super) fn number(raw: &str, start: usize) -> Text {
    let mut mapped = Mapped::new(start);
    for (at, digits) in raw.split('_').enumerate() {
        if at > 0 {
            mapped.skip(1);
        }
        mapped.verbatim(digits);
    }
    mapped.finish()
}

/// `text` in place of a piece of the file that is `length` bytes long.
pub(super) fn replaced(text: String, start: usize, length: usize) -> Text {
    let mut mapped = Mapped::new(start);
    mapped.instead(&text, length);
    mapped.finish()
}

/// A text that grows together with the place of each byte.
struct Mapped {
    text: String,
    pieces: Vec<(usize, usize)>,
    /// Byte of the file up to which it has been read.
    at: usize,
}

impl Mapped {
    fn new(start: usize) -> Self {
        Self {
            text: String::new(),
            pieces: vec![(0, start)],
            at: start,
        }
    }

    /// Says where the text that follows stands.
    fn mark(&mut self) {
        let piece = (self.text.len(), self.at);
        if self.pieces.last() != Some(&piece) {
            self.pieces.push(piece);
        }
    }

    fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
        self.at += text.len();
    }

    /// The next `length` bytes of the file stand for nothing.
    fn skip(&mut self, length: usize) {
        self.mark();
        self.at += length;
        self.mark();
    }

    /// The next `length` bytes of the file stand for `text`.
    fn instead(&mut self, text: &str, length: usize) {
        self.mark();
        self.text.push_str(text);
        self.at += length;
        self.mark();
    }

    fn escaped(&mut self, body: &str) {
        let mut rest = body;
        while let Some(at) = rest.find('\\') {
            self.verbatim(&rest[..at]);
            rest = &rest[at..];
            let length = match escape(rest) {
                Some((character, length)) => {
                    self.instead(character.encode_utf8(&mut [0; 4]), length);
                    length
                }
                None => match continuation(rest) {
                    Some(length) => {
                        self.skip(length);
                        length
                    }
                    None => {
                        self.verbatim("\\");
                        1
                    }
                },
            };
            rest = &rest[length..];
        }
        self.verbatim(rest);
    }

    fn finish(self) -> Text {
        Text {
            text: self.text,
            origin: Origin::File(self.pieces.into()),
        }
    }
}

/// The character that the escape at the start of `text` stands for, and its length in the file.
fn escape(text: &str) -> Option<(char, usize)> {
    let simple = |c| Some((c, 2));
    let hexadecimal = |digits: usize| {
        let digits = text.get(2..2 + digits)?;
        let all_digits = digits.bytes().all(|b| b.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16)
            .ok()
            .filter(|_| all_digits)?;
        Some((char::from_u32(code)?, 2 + digits.len()))
    };
    match text.as_bytes().get(1)? {
        b'b' => simple('\u{8}'),
        b'e' => simple('\u{1b}'),
        b'f' => simple('\u{c}'),
        b'n' => simple('\n'),
        b'r' => simple('\r'),
        b't' => simple('\t'),
        b'"' => simple('"'),
        b'\\' => simple('\\'),
        b'x' => hexadecimal(2),
        b'u' => hexadecimal(4),
        b'U' => hexadecimal(8),
        _ => None,
    }
}

/// Length of the backslash, line end and white space at the start of `text`.
fn continuation(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\\')?.trim_start_matches([' ', '\t']);
    let newline = rest.starts_with('\n') || rest.starts_with("\r\n");
    let after = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    newline.then_some(text.len() - after.len())
}
