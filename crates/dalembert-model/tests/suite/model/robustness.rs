//! Files damaged at random, deep files and large ones.

use super::{FULL, shown};
use dalembert_model::diagnostic::{Diagnostic, Place};
use dalembert_model::model::read;
use fastrand::Rng;
use std::time::{Duration, Instant};

const SEED: u64 = 0x00da_1e4b;
const MUTANTS: usize = 20_000;

/// Reads a file; whatever is said about it must be about places in it.
fn survey(file: &str) -> usize {
    let diagnostics: Vec<Diagnostic> = match read(file) {
        Ok((_, warnings)) => warnings,
        Err(errors) => {
            assert!(!errors.is_empty(), "refused without a reason: {file}");
            errors
        }
    };
    assert!(diagnostics.len() <= 51);
    let mut last = 0;
    for diagnostic in &diagnostics {
        if let Place::File(span) = &diagnostic.place {
            assert!(file.get(span.clone()).is_some(), "{diagnostic:?} in {file}");
            assert!(last <= span.start, "not in order: {diagnostic:?}");
            last = span.start;
        }
        assert!(!diagnostic.message.ends_with('.'), "{}", diagnostic.message);
    }
    diagnostics.len()
}

fn random_boundary(rng: &mut Rng, text: &str) -> usize {
    text.floor_char_boundary(rng.usize(..=text.len()))
}

fn damaged_by_bytes(rng: &mut Rng) -> String {
    let mut file = FULL.to_owned();
    for _ in 0..rng.usize(1..4) {
        let at = random_boundary(rng, &file);
        match rng.u8(0..4) {
            0 => {
                let end = file.ceil_char_boundary((at + rng.usize(0..8)).min(file.len()));
                file.replace_range(at..end, "");
            }
            1 => {
                let pieces = [
                    "\"",
                    "'",
                    "[",
                    "]",
                    "{",
                    "}",
                    "=",
                    ".",
                    ",",
                    "#",
                    "\n",
                    "\r",
                    "\\",
                    "\"\"\"",
                    "'''",
                    "θ",
                    "日",
                    "\u{0}",
                    "1",
                    "nan",
                    "?",
                    "true",
                    "0x",
                    "_",
                    " ",
                    "[[",
                    "]]",
                    "\u{feff}",
                    "1979-05-27",
                ];
                file.insert_str(at, rng.choice(pieces.iter()).unwrap());
            }
            2 => {
                let from = random_boundary(rng, &file);
                let to = file.ceil_char_boundary((from + rng.usize(0..30)).min(file.len()));
                let piece = file[from..to].to_owned();
                file.insert_str(at, &piece);
            }
            _ => file.truncate(at.max(file.floor_char_boundary(file.len() / 2))),
        }
    }
    file
}

fn damaged_by_lines(rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = FULL.lines().collect();
    for _ in 0..rng.usize(1..6) {
        let (a, b) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
        match rng.u8(0..4) {
            0 => {
                lines.remove(a);
            }
            1 => lines.insert(a, lines[b]),
            2 => lines.swap(a, b),
            _ => {
                let line = lines[b];
                lines[a] = &line[..random_boundary(rng, line)];
            }
        }
    }
    lines.join(if rng.bool() { "\n" } else { "\r\n" })
}

#[test]
fn damaged_files_are_read_or_refused_in_good_order() {
    let mut rng = Rng::with_seed(SEED);
    let started = Instant::now();
    let (mut broken, mut found) = (0, 0);
    for at in 0..MUTANTS {
        let file = if at % 2 == 0 {
            damaged_by_bytes(&mut rng)
        } else {
            damaged_by_lines(&mut rng)
        };
        let count = survey(&file);
        broken += usize::from(count > 0);
        found += count;
    }
    // The mutations are not toothless, and a slip does not bring an avalanche.
    assert!(broken > MUTANTS / 2, "{broken}");
    assert!(found < 5 * broken, "{found} diagnostics for {broken} files");
    assert!(
        started.elapsed() < Duration::from_secs(120),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn deep_and_odd_files_are_refused() {
    const DEPTH: usize = 100_000;
    for file in [
        "a.".repeat(DEPTH) + "a = 1",
        format!("[{}a]", "a.".repeat(DEPTH)),
        "a = ".to_owned() + &"[".repeat(DEPTH),
        "a = ".to_owned() + &"{a = ".repeat(DEPTH),
        format!(
            "dalembert = 1\n[coordinates]\nx = {}0{}",
            "{ value = ".repeat(50),
            "}".repeat(50)
        ),
        "\"".repeat(DEPTH),
        "=".repeat(DEPTH),
        "\n".repeat(DEPTH),
        "[x]\n".repeat(DEPTH),
        "x = 1\n".repeat(DEPTH),
        "x".repeat(DEPTH),
        "x = y z\n".repeat(DEPTH),
        "x = y ".repeat(DEPTH),
        format!("dalembert = 1\n[parameters]\nx = \"{}\"", "(".repeat(DEPTH)),
        format!(
            "dalembert = 1\n[coordinates]\n\"{}\" = 1",
            "a".repeat(DEPTH)
        ) + "\nt = 1",
        String::new(),
        "\u{feff}".to_owned(),
    ] {
        let started = Instant::now();
        assert!(survey(&file) > 0, "{:.40}", file);
        assert!(started.elapsed() < Duration::from_secs(60), "{:.40}", file);
    }
}

/// A file with so many coordinates.
fn large(count: usize) -> String {
    let line = |at| format!("coordinate_number_{at} = \"{at}.25 m + 2*\\u006cength_{at}\"\n");
    "dalembert = 1\n[coordinates]\n".to_owned() + &(0..count).map(line).collect::<String>()
}

#[test]
fn large_files_are_read() {
    let file = large(20_000);
    assert!(file.len() > 1_000_000, "{}", file.len());
    let (model, _) = read(&file).unwrap_or_else(|errors| panic!("{}", shown(&file, &errors)));
    assert_eq!(model.coordinates.len(), 20_000);
}

#[test]
fn large_files_full_of_mistakes_are_refused() {
    let repeated = |line: &dyn Fn(usize) -> String| (0..20_000).map(line).collect::<String>();
    for body in [
        repeated(&|at| format!("x{at} = \"1 +\"\n")),
        repeated(&|at| format!("x{at} = y\n")),
        repeated(&|at| format!("\"x {at}\" = 1\n")),
        repeated(&|at| format!("x = {at}\n")),
        repeated(&|at| format!("x{at}_dot = {at}\n")),
        "[parameters]\n".to_owned()
            + &repeated(&|at| format!("x{at} = 1\n"))
            + "[speeds]\n"
            + &repeated(&|at| format!("x{at} = 1\n")),
        repeated(&|at| format!("[particle.P{at}]\nmas = {at}\nstifness = 2\nunheard_of = 3\n")),
        repeated(&|at| format!("[particle.P{at}]\nmass = {at}\n[particle.P{at}]\n")),
    ] {
        let file = format!("dalembert = 1\n[coordinates]\n{body}");
        let started = Instant::now();
        assert_eq!(survey(&file), 51, "{:.80}", body);
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{:?} {:.80}",
            started.elapsed(),
            body
        );
    }
}
