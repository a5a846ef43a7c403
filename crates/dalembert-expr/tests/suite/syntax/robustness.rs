//! Texts of any depth and size, and texts damaged at random.

use super::{VALID, assert_postorder};
use dalembert_expr::syntax::{Kind, parse_expression, parse_value};
use std::time::{Duration, Instant};

const DEPTH: usize = 100_000;

/// Nodes of the tree of `before… middle after…`.
fn nested(before: &str, middle: &str, after: &str) -> usize {
    let source = [before.repeat(DEPTH), middle.to_owned(), after.repeat(DEPTH)].concat();
    let tree = parse_expression(&source).unwrap();
    assert_postorder(&tree);
    tree.nodes().len()
}

#[test]
fn depth_is_unlimited() {
    assert_eq!(nested("(", "x", ")"), 1);
    assert_eq!(nested("[", "x", "]"), DEPTH + 1);
    assert_eq!(nested("f(", "x", ")"), DEPTH + 1);
    assert_eq!(nested("f(at = ", "x", ")"), DEPTH + 1);
    assert_eq!(nested("-", "x", ""), DEPTH + 1);
    assert_eq!(nested("", "x", "^x"), 2 * DEPTH + 1);
    assert_eq!(nested("2^-", "x", ""), 3 * DEPTH + 1);
    assert_eq!(nested("", "x", ".y"), DEPTH + 1);
    assert_eq!(nested("a*(b + ", "x", ")"), 4 * DEPTH + 1);
    assert_eq!(nested("", "x", " y"), DEPTH + 2);
    assert_eq!(nested("a f(", "x", ")"), 3 * DEPTH + 1);
}

#[test]
fn deep_mistakes_are_found_in_linear_time() {
    for source in [
        "(".repeat(DEPTH),
        "[(".repeat(DEPTH) + "]",
        "f(".repeat(DEPTH) + &"]".repeat(DEPTH),
        "-".repeat(DEPTH),
        "x^".repeat(DEPTH),
        "'".repeat(DEPTH),
        "x".to_owned() + &"_dot".repeat(DEPTH),
        "f(".to_owned() + &"a = 1, ".repeat(DEPTH) + "a = 1)",
    ] {
        let started = Instant::now();
        assert!(parse_expression(&source).is_err());
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{}…",
            &source[..10]
        );
    }
}

#[test]
fn a_million_terms_are_read_quickly() {
    let source = "x*2 + ".repeat(999_999) + "y";
    let started = Instant::now();
    let tree = parse_expression(&source).unwrap();
    let elapsed = started.elapsed();
    assert_eq!(tree.nodes().len(), 999_999 * 4 + 1);
    assert!(matches!(tree[tree.root()].kind, Kind::Binary { .. }));
    // Generous: an unoptimised build on a loaded machine; quadratic time would take hours.
    assert!(elapsed < Duration::from_secs(30), "{elapsed:?}");
}

#[test]
fn a_call_takes_many_named_arguments() {
    let arguments: Vec<String> = (0..DEPTH).map(|i| format!("a{i} = {i}")).collect();
    let tree = parse_expression(&format!("f({})", arguments.join(", "))).unwrap();
    assert_eq!(tree.nodes().len(), DEPTH + 1);
}

/// Pieces that are put into valid texts to break them.
const PIECES: &[&str] = &[
    "(", ")", "[", "]", ",", ".", "=", "==", "<", ">=", "!=", "+", "-", "*", "**", "/", "^", "'",
    "''", "\"", " ", "\n", "\t", "0", "1.5", "1e", "e9", "1..2", "x", "_dot", "at =", "f(", "deg",
    "2 m", "θ", "²", "−", "′", "“", "\u{a0}", "\u{200b}", "日", "💥", "$", "{", "|", "\0",
    "\u{7f}",
];

/// A valid text with one to four random injuries; bytes are whole characters.
fn mutant(random: &mut fastrand::Rng) -> String {
    let mut text: Vec<char> = VALID[random.usize(..VALID.len())].chars().collect();
    for _ in 0..random.usize(1..=4) {
        let at = random.usize(..=text.len());
        let end = random.usize(at..=text.len().min(at + 4));
        match random.u8(..6) {
            0 => drop(text.drain(at..end)),
            1 => {
                let copy = text[at..end].to_vec();
                drop(text.splice(at..at, copy));
            }
            2 => {
                let piece = PIECES[random.usize(..PIECES.len())];
                drop(text.splice(at..at, piece.chars()));
            }
            3 => {
                let piece = PIECES[random.usize(..PIECES.len())];
                drop(text.splice(at..end, piece.chars()));
            }
            4 if text.len() > 1 => {
                let other = random.usize(..text.len());
                text.swap(at.min(other), other);
            }
            _ => {
                let other: Vec<char> = VALID[random.usize(..VALID.len())].chars().collect();
                let part = random.usize(..=other.len());
                drop(text.splice(at..end, other[part..].iter().copied()));
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn damaged_texts_are_refused_with_sound_places_or_read() {
    let (mut refused, mut read) = (0, 0);
    for seed in 0..20_000 {
        let source = mutant(&mut fastrand::Rng::with_seed(seed));
        for parse in [parse_expression, parse_value] {
            match parse(&source) {
                Ok(tree) => {
                    read += 1;
                    assert_postorder(&tree);
                    for node in tree.nodes() {
                        assert!(!node.span.text(&source).is_empty(), "{source}");
                    }
                }
                Err(errors) => {
                    refused += 1;
                    assert!((1..=20).contains(&errors.len()), "{source}");
                    assert!(errors.is_sorted_by_key(|e| e.span), "{source}");
                    for error in errors {
                        let range = error.span.range();
                        assert!(source.get(range).is_some(), "{source}: {error:?}");
                        assert!(!error.message.is_empty() && !error.message.ends_with('.'));
                    }
                }
            }
        }
    }
    // Both outcomes must be exercised, or the test says nothing.
    assert!(
        refused > 10_000 && read > 2_000,
        "{refused} refused, {read} read"
    );
}
