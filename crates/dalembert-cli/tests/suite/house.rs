//! The house itself: rooms of a crate use each other in one direction, and no crate outgrows a reader.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Lines of the sources of a crate that one can still read through.
const MOST_LINES: usize = 20_000;

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// All sources at a path or below it, as one text without comments and tests.
fn source(path: &Path) -> String {
    if path.is_dir() {
        return entries(path).iter().map(|it| source(it)).collect();
    }
    let text = std::fs::read_to_string(path).expect("a text");
    let text = if path.ends_with("tests.rs") {
        ""
    } else {
        &text
    };
    let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let code = text.lines().filter(|it| !it.trim_start().starts_with("//"));
    code.flat_map(|line| [line, "\n"]).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_')
}

/// The names that follow a path such as `crate::`, all of a group in braces.
fn named<'t>(text: &'t str, path: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(path).skip(1).flat_map(|rest| {
        let group = rest.starts_with('{');
        let end = rest.find(if group { ';' } else { ':' });
        let (part, count) = (
            &rest[..end.unwrap_or(rest.len())],
            if group { usize::MAX } else { 1 },
        );
        words(part.trim_start_matches('{')).take(count)
    })
}

/// What the rooms of a crate use of each other.
fn uses(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut rooms: BTreeMap<String, String> = BTreeMap::new();
    for path in entries(src) {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = source(&path).replace("super::super::", "");
        *rooms.entry(name.into_owned()).or_default() += &text;
    }
    // What the crate hands on belongs to the room it comes from.
    let root = rooms.remove("lib").or_else(|| rooms.remove("main"));
    let root = root.expect("a root");
    let mut homes: BTreeMap<&str, &str> = BTreeMap::new();
    for line in root.split(';') {
        let Some((_, path)) = line.split_once("use ") else {
            continue;
        };
        let (room, rest) = path.split_once("::").unwrap_or((path, ""));
        if rooms.contains_key(room) {
            homes.extend(words(rest).map(|name| (name, room)));
        }
    }
    homes.extend(rooms.keys().map(|room| (room.as_str(), room.as_str())));
    let used = |(room, text): (&String, &String)| {
        // A room that is one file calls its neighbours so, too.
        let near = if src.join(room).is_dir() {
            "crate::"
        } else {
            "super::"
        };
        let all = named(text, "crate::").chain(named(text, near));
        let used = all
            .filter_map(|name| homes.get(name))
            .map(|it| (*it).to_owned());
        (room.clone(), used.filter(|it| it != room).collect())
    };
    rooms.iter().map(used).collect()
}

#[test]
fn rooms_of_a_crate_use_each_other_in_one_direction() {
    for path in entries(Path::new(CRATES)) {
        let mut uses = uses(&path.join("src"));
        // Rooms that use nothing any more are taken away, until there are none left.
        while let Some(room) =
            (uses.iter().find(|(_, used)| used.is_empty())).map(|it| it.0.clone())
        {
            uses.remove(&room);
            for used in uses.values_mut() {
                used.remove(&room);
            }
        }
        assert!(uses.is_empty(), "{}: {uses:?}", path.display());
    }
}

#[test]
fn a_cycle_of_rooms_is_seen() {
    let text = "use crate::{one::A, two};\nuse crate::three::B;\ncrate::four(x)";
    let all: Vec<&str> = named(text, "crate::").filter(|it| !it.is_empty()).collect();
    assert_eq!(all, ["one", "A", "two", "three", "four"]);
}

#[test]
fn no_crate_outgrows_a_reader() {
    for path in entries(Path::new(CRATES)) {
        let lines = lines(&path.join("src"));
        assert!(lines <= MOST_LINES, "{}: {lines}", path.display());
    }
}

fn lines(path: &Path) -> usize {
    match path.is_dir() {
        true => entries(path).iter().map(|it| lines(it)).sum(),
        false => std::fs::read_to_string(path)
            .expect("a text")
            .lines()
            .count(),
    }
}
