//! Tables: which keys there are, which are unknown, which are missing.

use super::{Check, Content, Fields};
use crate::diagnostic::Place;
use crate::model::form_codes::names as code;
use crate::model::format::{self, COORDINATES, Key, Kind, LOAD, Need, RESTITUTION, SHAPE, Space};
use crate::model::names::{is_identifier, name};
use crate::model::source::{Entry, Item, Table, Text};
use crate::model::{Expression, Name};
use dalembert_expr::syntax::nearest;
use std::collections::HashSet;

/// So many keys are named at once.
const FEW: usize = 8;

impl Check {
    /// The keys of the table at `path`.
    pub(in crate::model) fn table(
        &mut self,
        path: &str,
        keys: &'static [Key],
        table: Table,
    ) -> Fields {
        let mut fields = Fields {
            path: path.to_owned(),
            place: table.place,
            entries: Vec::new(),
            meant: Vec::new(),
            all_known: true,
        };
        for Entry { key, item } in table.entries {
            let Some(known) = format::find(keys, &key.text) else {
                fields.all_known = false;
                fields.meant.extend(self.unknown(path, keys, &key, &item));
                continue;
            };
            let place = key.place();
            if fields.gives(known.name) {
                self.given_twice(&key, &fields.place_of(known.name));
                continue;
            }
            let content = self.content(&joined(path, known.name), &known.kind, &key, item);
            fields.entries.push((known.name, place, content));
        }
        for key in keys {
            if key.need == Need::Required && !fields.has(key.name) {
                let message = format!("{} has no `{}`", header(path), key.name);
                let help = match key.kind {
                    Kind::Named(..) => format!("add a table [{}] with at least one name", key.name),
                    _ => format!(
                        "add {} = {}",
                        key.name,
                        format::example(key.name, &key.kind)
                    ),
                };
                let place = fields.place.clone();
                self.mistakes.report(code::MISSING, place, message, help);
            }
        }
        fields
    }

    fn given_twice(&mut self, key: &Text, first: &Place) {
        let help = keep_one(&self.mistakes.line_of(first));
        let message = format!("`{}` is given twice", key.text);
        self.mistakes
            .report(code::GIVEN_TWICE, key.place(), message, help);
    }

    /// Reports an unknown key; gives the key that was probably meant.
    fn unknown(
        &mut self,
        path: &str,
        keys: &'static [Key],
        key: &Text,
        item: &Item,
    ) -> Option<&'static str> {
        let text = &key.text;
        let message = match (item, path) {
            (Item::Table(_), "") => format!("there is no table [{text}]"),
            (_, "") => format!("there is no key `{text}` at the top of a file"),
            _ => format!("there is no key `{text}` in {}", header(path)),
        };
        let meant = nearest(text, keys.iter().map(|key| key.name));
        let help = meant
            .map(|meant| format!("did you mean `{meant}`?"))
            .unwrap_or_else(|| {
                let listed: Vec<&str> = keys.iter().map(|key| key.name).collect();
                let known = || format!("known here: {}", listed.join(", "));
                match home_of(path, text) {
                    // A short table within another is not left for a key of that name elsewhere.
                    Some(home) if path.matches('.').count() > 1 && listed.len() <= FEW => {
                        format!("{}; {home}", known())
                    }
                    home => home.unwrap_or_else(known),
                }
            });
        self.mistakes
            .report(code::UNKNOWN_KEY, key.place(), message, help);
        meant
    }

    /// What stands under a key of the given kind.
    fn content(&mut self, path: &str, kind: &Kind, key: &Text, item: Item) -> Option<Content> {
        match (kind, item) {
            (_, Item::Unread) => None,
            (Kind::Table(keys), Item::Table(table)) => {
                Some(Content::Fields(self.table(path, keys, table)))
            }
            (Kind::Named(Space::Quantities, Kind::Start), item @ Item::Text(_)) => {
                let word = self.word(path, &Kind::Choice(COORDINATES), item)?;
                Some(Content::Word(word))
            }
            (Kind::Named(space, each), Item::Table(table)) => {
                Some(Content::Named(self.named(path, *space, each, table)))
            }
            (Kind::Rates, Item::Table(table)) => Some(Content::Rates(self.rates(path, table))),
            (Kind::Sliders, Item::Table(table)) => {
                Some(Content::Sliders(self.sliders(path, table)))
            }
            (Kind::Varied, Item::Table(table)) => Some(Content::Varied(self.varied(path, table))),
            (Kind::Settings, Item::Table(table)) => {
                Some(Content::Settings(self.settings(path, table)?))
            }
            (Kind::Work, Item::Table(table)) if is_load(&table) => {
                Some(Content::Fields(self.table(path, LOAD, table)))
            }
            (Kind::Shapes, Item::Table(table)) => {
                Some(Content::Listed(vec![self.table(path, SHAPE, table)]))
            }
            (Kind::Shapes, Item::List(items, place)) => self.shapes_of(path, items, place),
            (Kind::Restitution, Item::Table(table)) => {
                Some(Content::Fields(self.table(path, RESTITUTION, table)))
            }
            (Kind::Work | Kind::Components, Item::Table(table)) => {
                Some(Content::Components(self.components(path, table)?))
            }
            (Kind::Named(_, Kind::Table(_)), Item::List(..)) => {
                self.mistakes.report(
                    code::OWN_TABLE,
                    key.place(),
                    format!("each {path} needs a name"),
                    format!("write [{path}.NAME] in place of [[{path}]]"),
                );
                None
            }
            (kind, item) => self.value(path, kind, item),
        }
    }

    /// A list of tables with the keys of shapes, at least one.
    fn shapes_of(&mut self, path: &str, items: Vec<Item>, place: Place) -> Option<Content> {
        if items.is_empty() {
            return self.wrong_count(path, &Kind::Shapes, "an empty list", place);
        }
        let mut found = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Unread => {}
                Item::Table(table) => found.push(self.table(path, SHAPE, table)),
                other => return self.wrong_kind(path, &Kind::Shapes, &other),
            }
        }
        Some(Content::Listed(found))
    }

    /// A table with names for keys.
    fn named(
        &mut self,
        path: &str,
        space: Space,
        each: &Kind,
        table: Table,
    ) -> Vec<(Name, Content)> {
        let mut found = Vec::with_capacity(table.entries.len());
        if table.entries.is_empty() && path == "coordinates" {
            self.mistakes.report(
                code::MISSING,
                table.place,
                "[coordinates] is empty",
                "add the coordinates with their values at the start, such as x = 0",
            );
        }
        for Entry { key, item } in table.entries {
            if matches!(each, Kind::Table(_)) && !matches!(item, Item::Table(_) | Item::Unread) {
                let text = &key.text;
                self.mistakes.report(
                    code::OWN_TABLE,
                    key.place(),
                    format!(
                        "`{text}` stands in [{path}], where each {path} needs a table of its own"
                    ),
                    format!("write [{path}.NAME] above it, with a name of your choice"),
                );
                break;
            }
            let name = self.names.declare(&mut self.mistakes, space, path, &key);
            let content = self.content(&joined(path, &key.text), each, &key, item);
            found.extend(name.zip(content));
        }
        found
    }

    /// A table with coordinates and speeds for keys.
    fn components(&mut self, path: &str, table: Table) -> Option<Vec<(Name, Expression)>> {
        if table.entries.is_empty() {
            self.mistakes.report(
                code::ONE_OF,
                table.place,
                format!("{} has no components", described(path)),
                "write them by coordinate or speed, such as { x = \"F\" }",
            );
            return None;
        }
        let mut found: Vec<(Name, Expression)> = Vec::with_capacity(table.entries.len());
        let mut seen = HashSet::new();
        for Entry { key, item } in table.entries {
            let bare = key.text.trim_end_matches('\'');
            if !is_identifier(bare) && !self.dotted.contains(bare) {
                self.mistakes.report(
                    code::NOT_A_NAME,
                    key.place(),
                    format!("`{}` is not a coordinate or speed", key.text),
                    "write the name of one",
                );
            }
            if !seen.insert(key.text.clone()) {
                let first = found.iter().find(|(name, _)| name.text == key.text);
                let place = first.map_or_else(|| key.place(), |(name, _)| name.place.clone());
                self.given_twice(&key, &place);
            }
            let expression = self.expression(&joined(path, &key.text), &Kind::Value, item);
            found.extend(Some(name(&key)).zip(expression));
        }
        Some(found)
    }
}

/// Whether the table says where and how a force acts, and not its components.
fn is_load(table: &Table) -> bool {
    let words = ["on", "vector", "torque"];
    let mut keys = table.entries.iter().map(|entry| entry.key.text.as_str());
    keys.any(|key| words.contains(&key))
}

/// The cure for what is given twice; `line` is that of the first.
pub(super) fn keep_one(line: &str) -> String {
    match line {
        "" => "keep one of them".to_owned(),
        _ => format!("keep one of them; the first is{line}"),
    }
}

/// `key` below `path`.
pub(super) fn joined(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        _ => format!("{path}.{key}"),
    }
}

/// The table at `path`, in words.
fn header(path: &str) -> String {
    match path {
        "" => "the model".to_owned(),
        _ => format!("[{path}]"),
    }
}

/// The key at `path`, in words: `` `mass` of particle.P ``.
pub(super) fn described(path: &str) -> String {
    match path.rsplit_once('.') {
        Some((table, key)) => format!("`{key}` of {table}"),
        None => format!("`{path}`"),
    }
}

/// Where a key that is unknown in the table at `path` would be known.
fn home_of(path: &str, text: &str) -> Option<String> {
    let (kind, _) = path.split_once('.').unwrap_or((path, ""));
    if kind == text {
        return None; // `force` in [force.NAME].
    }
    let is_there = |(path, _): &(String, &Key)| match path.rsplit_once('.') {
        Some((_, last)) => last == text,
        None => path == text,
    };
    let mut homes: Vec<(String, &Key)> = format::all().into_iter().filter(is_there).collect();
    // Rather deeper in the table that it stands in than elsewhere.
    let own = format!("{kind}.NAME.");
    homes.sort_by_key(|(path, _)| !path.starts_with(&own));
    let (path, key) = homes.into_iter().next()?;
    Some(match path.rsplit_once('.') {
        None if matches!(key.kind, Kind::Table(_) | Kind::Named(..) | Kind::Rates) => {
            format!("[{text}] is a table of its own, at the top level")
        }
        None => format!("`{text}` stands at the top of the file, before the first [table]"),
        Some((table, _)) => match table.strip_prefix(&own) {
            Some(inner) => format!("write {inner} = {{ {text} = … }}"),
            None => format!("`{text}` is a key of [{table}]"),
        },
    })
}
