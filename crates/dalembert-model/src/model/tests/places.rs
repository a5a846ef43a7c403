//! Texts in files with escapes and several lines: every byte has its place.

use crate::diagnostic::Place;
use crate::model::text::decoded;
use fastrand::Rng;
use toml::de::{DeTable, DeValue};

const SEED: u64 = 0x00da_1e4b;

/// A piece of a string of one kind, as it is written and as it is meant.
fn piece(rng: &mut Rng, basic: bool, lines: bool) -> (String, String) {
    let plain = [
        "a", "x'", " ", "\t", "θ", "日", "𝄞", "*", "(", "1.5", "#", "=", "]",
    ];
    loop {
        let (written, meant): (String, String) = match rng.u8(0..10) {
            0..5 => {
                let text = *rng.choice(plain.iter()).unwrap();
                (text.to_owned(), text.to_owned())
            }
            5 if basic => {
                let (written, meant) = *rng
                    .choice(
                        [
                            ("\\n", "\n"),
                            ("\\t", "\t"),
                            ("\\r", "\r"),
                            ("\\b", "\u{8}"),
                            ("\\e", "\u{1b}"),
                            ("\\f", "\u{c}"),
                            ("\\\"", "\""),
                            ("\\\\", "\\"),
                        ]
                        .iter(),
                    )
                    .unwrap();
                (written.to_owned(), meant.to_owned())
            }
            6 if basic => {
                let c = *rng.choice(['a', 'é', 'ÿ'].iter()).unwrap();
                (format!("\\x{:02x}", c as u32), c.to_string())
            }
            7 if basic => {
                let c = *rng.choice(['a', 'θ', '日', '𝄞'].iter()).unwrap();
                match u16::try_from(c as u32) {
                    Ok(code) => (format!("\\u{code:04X}"), c.to_string()),
                    Err(_) => (format!("\\U{:08x}", c as u32), c.to_string()),
                }
            }
            8 if lines => {
                let newline = *rng.choice(["\n", "\r\n"].iter()).unwrap();
                (newline.to_owned(), newline.to_owned())
            }
            9 if basic && lines => {
                let newline = *rng
                    .choice(["\\\n", "\\  \n   ", "\\\r\n\r\n\t", "\\\n\n \n"].iter())
                    .unwrap();
                (newline.to_owned(), String::new())
            }
            9 if !basic => ("\\".to_owned(), "\\".to_owned()),
            _ => continue,
        };
        // An apostrophe would close a literal string.
        if basic || lines || !written.contains('\'') {
            return (written, meant);
        }
    }
}

/// Where each piece stands: in the text, and in the file.
type Expected = Vec<(std::ops::Range<usize>, std::ops::Range<usize>)>;

fn random_string(rng: &mut Rng) -> (String, String, Expected) {
    let quotes = *rng.choice(["\"", "'", "\"\"\"", "'''"].iter()).unwrap();
    let (basic, lines) = (quotes.starts_with('"'), quotes.len() == 3);
    let mut file = "key = ".to_owned() + quotes;
    let mut text = String::new();
    let mut expected = Vec::new();
    if lines && rng.bool() {
        file.push_str(rng.choice(["\n", "\r\n"].iter()).unwrap());
    }
    let first = file.len();
    let mut continued = false;
    for _ in 0..rng.usize(0..20) {
        let (written, meant) = piece(rng, basic, lines);
        // White space after a line continuation, and a newline at the start, mean nothing.
        let blank = meant.chars().all(|c| " \t\r\n".contains(c)) && !written.starts_with('\\');
        if (continued && blank) || (file.len() == first && lines && blank) {
            continue;
        }
        continued = meant.is_empty() || (continued && blank);
        let (in_text, in_file) = (text.len(), file.len());
        text.push_str(&meant);
        file.push_str(&written);
        if !meant.is_empty() {
            expected.push((in_text..text.len(), in_file..file.len()));
        }
    }
    file.push_str(quotes);
    (file, text, expected)
}

#[test]
fn every_piece_of_a_text_has_its_place_in_the_file() {
    let mut rng = Rng::with_seed(SEED);
    let (mut pieces, mut skipping) = (0, 0);
    for _ in 0..20_000 {
        let (file, text, expected) = random_string(&mut rng);
        let (document, errors) = DeTable::parse_recoverable(&file);
        assert!(errors.is_empty(), "{file:?} {errors:?}");
        let value = document.get_ref().get("key").unwrap();
        // TOML itself agrees about what is meant.
        assert!(
            matches!(value.get_ref(), DeValue::String(s) if **s == text),
            "{file:?}"
        );
        let span = value.span();
        let ours = decoded(&file[span.clone()], span.start);
        assert_eq!(ours.text, text, "{file:?}");
        for (at, (in_text, in_file)) in expected.iter().enumerate() {
            let place = ours.origin.place(&text, in_text.clone());
            assert_eq!(place, Place::File(in_file.clone()), "{file:?} {in_text:?}");
            // From any piece to any later one, what lies between is included.
            let (last_text, last_file) = &expected[rng.usize(at..expected.len())];
            let place = ours.origin.place(&text, in_text.start..last_text.end);
            assert_eq!(place, Place::File(in_file.start..last_file.end), "{file:?}");
            // A caret without width stands before the piece.
            let place = ours.origin.place(&text, in_text.start..in_text.start);
            assert_eq!(place, Place::File(in_file.start..in_file.start), "{file:?}");
            // Inside a piece that is written as it is meant, so does every byte.
            if in_text.len() == in_file.len() {
                for byte in 0..in_text.len() {
                    let place = ours.origin.place(&text, in_text.start + byte..in_text.end);
                    let expected = in_file.start + byte..in_file.end;
                    assert_eq!(place, Place::File(expected), "{file:?}");
                }
            }
            pieces += 1;
        }
        skipping += usize::from(expected.windows(2).any(|w| w[0].1.end < w[1].1.start));
    }
    assert!(pieces > 100_000 && skipping > 1000, "{pieces} {skipping}");
}

#[test]
fn malformed_texts_are_taken_as_they_stand() {
    for raw in [
        "",
        "'",
        "\"",
        "''",
        "\"\"",
        "'''",
        "\"\"\"",
        "''''",
        "\"\"\"\"\"",
        "\"\\",
        "\"\\\"",
        "\"\\u12\"",
        "\"\\xzz\"",
        "\"\\U00110000\"",
        "\"\\ \"",
        "abc",
        "\"\\θ\"",
        "\"\\u00θ\"",
        "\"\"\"\n\"\"\"",
        "'''\r\n'''",
    ] {
        let text = decoded(raw, 7);
        let place = text.origin.place(&text.text, 0..text.text.len());
        let Place::File(span) = place else {
            panic!("{raw:?}");
        };
        assert!(
            7 <= span.start && span.end <= 7 + raw.len(),
            "{raw:?} {span:?}"
        );
    }
}
