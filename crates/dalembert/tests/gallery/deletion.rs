//! Whatever is written counts: a model without one of its elements moves otherwise, or is refused.

use crate::support::{at_most, exact, mechanism, names, read, run, state_on_the_way, text};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};

/// The text without one line or one table.
struct Without {
    what: String,
    text: String,
}

const COUNTING: [&str; 10] = [
    "force",
    "spring",
    "constraint",
    "particle",
    "body",
    "energy",
    "dynamics",
    "frame",
    "speeds",
    "event",
];

/// What only the drawing needs.
const DRAWN: [&str; 1] = ["shape"];

fn deletions(text: &str) -> Vec<Without> {
    let lines: Vec<&str> = text.lines().collect();
    let header_of = |line: &str| {
        line.starts_with('[')
            .then(|| line.trim_matches(['[', ']']).to_owned())
    };
    let mut found = Vec::new();
    let mut header = String::new();
    for (i, line) in lines.iter().enumerate() {
        if let Some(next) = header_of(line) {
            header = next;
        }
        let kind = header.split('.').next().unwrap();
        let counts = COUNTING.contains(&kind) || line.starts_with("gravity");
        let key = line.split(['=', ' ']).next().unwrap();
        if !counts || line.starts_with('#') || line.is_empty() || DRAWN.contains(&key) {
            continue;
        }
        let end = if line.starts_with('[') {
            (i + 1..lines.len())
                .find(|&j| lines[j].starts_with('['))
                .unwrap_or(lines.len())
        } else {
            i + 1
        };
        found.push(Without {
            what: format!("[{header}] {line}"),
            text: [&lines[..i], &lines[end..]].concat().join("\n"),
        });
    }
    found
}

fn differ(a: &[f64], b: &[f64]) -> bool {
    a.len() != b.len()
        || a.iter()
            .zip(b)
            .any(|(a, b)| (a - b).abs() > 1e-9 * (1.0 + b.abs()))
}

fn changed(whole: &Mechanism, now: &Snapshot, state: &State, text: &str) -> bool {
    // A refused model says what is missing.
    let Ok(other) = read(text) else { return true };
    let (Ok(start), Ok(there)) = (other.start(), other.snapshot(state)) else {
        return true;
    };
    let before = whole.start().unwrap().state;
    differ(&start.state.coordinates, &before.coordinates)
        || differ(&start.state.rates, &before.rates)
        || differ(&there.accelerations, &now.accelerations)
        || differ(&there.speeds, &now.speeds)
        || differ(&there.multipliers, &now.multipliers)
        || sets_out_otherwise(whole, &other, &before)
        || ends_otherwise(whole, &other, text)
}

/// Friction that has done its work on the way does it at the start.
fn sets_out_otherwise(whole: &Mechanism, other: &Mechanism, start: &State) -> bool {
    let at = |mechanism: &Mechanism| mechanism.snapshot(start).map(|it| it.accelerations);
    match (at(whole), at(other)) {
        (Ok(one), Ok(two)) => differ(&one, &two),
        _ => true,
    }
}

/// What impacts give back, what events do, and what a table says of later, shows after them only.
fn ends_otherwise(whole: &Mechanism, other: &Mechanism, text: &str) -> bool {
    let system = &whole.system;
    let lies_ahead = !system.events.is_empty() || text.contains("table(");
    if system.unilateral.is_empty() && !lies_ahead {
        return false;
    }
    // A ball that has come to rest does not tell how it bounced; wind comes late.
    let part = if text.contains("table(") { 0.75 } else { 0.62 };
    let span = part * at_most(f64::INFINITY, whole);
    let [one, two] = [whole, other].map(|it| run(it, span, &exact()));
    differ(&one.coordinates, &two.coordinates) || differ(&one.rates, &two.rates)
}

#[test]
fn every_element_counts() {
    let mut deleted = 0;
    for name in names() {
        let whole = mechanism(&name);
        let state = state_on_the_way(&whole);
        let now = whole.snapshot(&state).unwrap();
        // What is recorded by name would be missed, and hide what we look for.
        let text: String = text(&name)
            .lines()
            .filter(|line| !line.starts_with("record"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert!(!changed(&whole, &now, &state, &text), "{name}");
        for without in deletions(&text) {
            let what = &without.what;
            // The disk's shape says the same again.
            if name == "rolling-disk" && what.contains("inertia") {
                assert!(!changed(&whole, &now, &state, &without.text), "{what}");
                let neither = without.text.replace("\nshape", "\n# shape");
                assert!(changed(&whole, &now, &state, &neither), "{what}");
                continue;
            }
            // The centre of this body rests: its mass says nothing.
            if name == "angeles-euler-angles" && what.contains("mass ") {
                assert!(!changed(&whole, &now, &state, &without.text), "{what}");
                continue;
            }
            deleted += 1;
            assert!(
                changed(&whole, &now, &state, &without.text),
                "{name}: {what}"
            );
        }
    }
    assert!(deleted > 60, "{deleted}");
}
