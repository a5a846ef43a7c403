//! Text of others, made fit to be printed.

use dalembert_expr::print::{visible, visible_lines};

#[test]
fn what_is_obeyed_is_shown() {
    for (text, shown) in [
        ("\0", "\\u0000"),
        ("\u{1b}[31m", "\\u001B[31m"),
        ("\u{7f}\u{9b}", "\\u007F\\u009B"),
        ("a\u{202e}b\u{2066}c", "a\\u202Eb\\u2066c"),
        ("\u{2028}\u{feff}\u{ffff}", "\\u2028\\uFEFF\\uFFFF"),
        ("\u{e0041}", "\\uDB40\\uDC41"),
        ("a\tb\r\nc", "a\\tb\\r\\nc"),
    ] {
        assert_eq!(visible(text), shown);
    }
    assert_eq!(
        visible_lines("a\tb\r\nc\rd\n\u{1b}"),
        "a\tb\nc\\rd\n\\u001B"
    );
}

#[test]
fn what_is_seen_stays() {
    for text in ["", "x = ½ m v² — λ₁, ẋ̈, Øster, 漢字, 👩‍🔧, \u{a0}"] {
        assert!(matches!(visible(text), std::borrow::Cow::Borrowed(same) if same == text));
    }
}
