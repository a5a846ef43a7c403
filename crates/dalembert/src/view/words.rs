//! What symbols, events and sources are, in words.

use crate::Source;
use crate::report::Event;
use dalembert_expr::{Symbol, SymbolKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Place;
use dalembert_mechanics::model::Name;
use std::collections::HashMap;
use std::path::Path;

/// What names mean: as comments beside them in the file say, if they do.
pub(super) struct Sayings<'m> {
    mechanism: &'m Mechanism,
    comments: HashMap<String, String>,
}

impl<'m> Sayings<'m> {
    pub(super) fn of(source: &Source, mechanism: &'m Mechanism) -> Self {
        let model = &mechanism.model;
        let parameters = model.parameters.iter().map(|(name, _)| name);
        let coordinates = model.coordinates.iter().map(|(name, _)| name);
        let speeds = model.speeds.iter().map(|(name, _)| name);
        let names = parameters.chain(coordinates).chain(speeds);
        let comments = names.filter_map(|it| Some((it.text.clone(), comment(&source.text, it)?)));
        Self {
            comments: comments.collect(),
            mechanism,
        }
    }

    /// What a name means: as a comment says, or by a word.
    pub(super) fn of_name(&self, name: &str, word: &str) -> String {
        let said = self.comments.get(name).cloned();
        said.map_or_else(|| word.to_owned(), |said| format!("{word}: {said}"))
    }

    /// The name of a symbol as columns and parameters have it, and what it means.
    pub(super) fn of_symbol(&self, symbol: &Symbol) -> (String, String) {
        let primes = "'".repeat(usize::from(symbol.order));
        let name = format!("{}{primes}", symbol.name);
        let said = self.comments.get(&*symbol.name);
        let beside = |words: &str| match said {
            Some(comment) => format!("{words}: {comment}"),
            None => words.to_owned(),
        };
        let own = &symbol.name;
        match (symbol.kind, symbol.order) {
            (SymbolKind::Parameter, _) => {
                let model = &self.mechanism.model;
                let known = model.parameters.iter().any(|(it, _)| it.text == **own);
                let words = if known { "parameter" } else { "shorthand" };
                (name, beside(words))
            }
            (SymbolKind::Time, _) => (name, "time".to_owned()),
            (SymbolKind::Coordinate, 0) => (name, beside("coordinate")),
            (SymbolKind::Coordinate, 1) => (name, beside(&format!("rate of {own}"))),
            (SymbolKind::Coordinate, _) => (name, beside(&format!("acceleration of {own}"))),
            (SymbolKind::Speed, 0) => {
                let mut speeds = self.mechanism.model.speeds.iter();
                let speed = speeds.find(|(it, _)| it.text == **own);
                let words = speed.map_or_else(
                    || "speed".to_owned(),
                    |(_, value)| format!("speed {} = {}", own, value.text),
                );
                (name, beside(&words))
            }
            (SymbolKind::Speed, _) => (name, beside(&format!("rate of the speed {own}"))),
            (SymbolKind::Multiplier, _) => {
                let row = own.strip_prefix("lambda(");
                let row = row.and_then(|it| it.strip_suffix(')')).unwrap_or(own);
                let words =
                    format!("multiplier of the row {row}: its reaction per unit of the row");
                (format!("lambda({row})"), words)
            }
        }
    }
}

/// The comment behind a name in the file.
fn comment(text: &str, name: &Name) -> Option<String> {
    let Place::File(span) = &name.place else {
        return None;
    };
    let line = text.get(span.start..)?.lines().next()?;
    let (mut quoted, mut begin) = (false, None);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => {
                begin = Some(at + 1);
                break;
            }
            _ => {}
        }
    }
    let words = line[begin?..].trim();
    (!words.is_empty()).then(|| words.to_owned())
}

/// Where a model comes from: the comment that begins with "Source:", up to its end.
pub(super) fn citation(text: &str) -> String {
    let mut found: Vec<&str> = Vec::new();
    for line in text.lines() {
        let words = line.strip_prefix('#').map(str::trim);
        match (words, found.is_empty()) {
            (Some(words), true) => found.extend(words.strip_prefix("Source:").map(str::trim)),
            (Some(words), false) if !words.is_empty() => found.push(words),
            (None, true) => {}
            (_, false) => break,
        }
    }
    found.join(" ")
}

/// The last part of a path.
pub(super) fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(|| path.to_owned(), |it| it.to_string_lossy().into_owned())
}

/// What happened.
pub(super) fn event(event: &Event) -> String {
    let name = &event.name;
    match event.kind {
        "impact" => format!("{name}: impact"),
        "open" => format!("{name} opens"),
        "close" => format!("{name} closes"),
        "stick" => format!("{name} sticks"),
        "slip" => format!("{name} slips"),
        "change point" => format!("change point of {name}"),
        _ => name.clone(),
    }
}
