//! Families: `[repeat.NAME]` stands for copies of its tables, one for each index.
//!
//! A copy is a table as if it had been written out: `{i}`, `{i-1}` and `{i+1}` in its texts are numbers there, and names get the
//! index. It is done before anything else is looked at, so that nothing behind it knows of families.

use super::Origin;
use super::check::Check;
use super::form_codes::names as code;
use super::format::{self, REPEAT};
use super::source::{Entry, Item, Table, Text};
use super::start_in_file;
use dalembert_expr::syntax::meant_or_known;
use std::ops::Range;

/// Copies of one family, at most.
const MOST: usize = 100_000;

/// What is wrong with a text in braces.
struct Wrong {
    span: Range<usize>,
    message: String,
    help: &'static str,
}

impl Check {
    /// A file with its families written out.
    pub(super) fn written_out(&mut self, mut root: Table) -> Table {
        let is_family =
            |entry: &Entry| entry.key.text == "repeat" && matches!(entry.item, Item::Table(_));
        let Some(at) = root.entries.iter().position(is_family) else {
            return root;
        };
        if let Item::Table(families) = root.entries.remove(at).item {
            for Entry { key, item } in families.entries {
                match item {
                    Item::Table(family) => self.family(&mut root, &key.text, family),
                    other => self.no_family(&key, &other),
                }
            }
        }
        root
    }

    fn no_family(&mut self, key: &Text, item: &Item) {
        let message = format!(
            "repeat.{} needs a table, not {}",
            key.text,
            item.described()
        );
        let help =
            "write [repeat.NAME] with a count, and [repeat.NAME.body.link] and the like below it";
        self.mistakes
            .report(code::WRONG_KIND, key.place(), message, help);
    }

    fn family(&mut self, root: &mut Table, name: &str, family: Table) {
        let mut count = None;
        let mut from = Some(0);
        let mut given = false;
        let mut parts = Vec::new();
        for Entry { key, item } in family.entries {
            match (key.text.as_str(), item) {
                ("count", item) => {
                    given = true;
                    count = self.whole_number(name, &key, &item);
                }
                ("from", item) => from = self.whole_number(name, &key, &item),
                (known, Item::Table(table)) if format::find(REPEAT, known).is_some() => {
                    parts.push((key, table));
                }
                (_, item) => self.no_part(name, &key, &item),
            }
        }
        if !given {
            let message = format!("[repeat.{name}] has no `count`");
            let help = "say how many copies there are: count = 10";
            self.mistakes
                .report(code::MISSING, family.place.clone(), message, help);
        }
        let (Some(count), Some(from)) = (count, from) else {
            return;
        };
        for (key, table) in parts {
            let is_word =
                |entry: &Entry| entry.key.text == key.text && matches!(entry.item, Item::Text(_));
            if key.text == "coordinates" && root.entries.iter().any(is_word) {
                let message = "the file says in a word which coordinates there are, and a family has coordinates of its own";
                let help = "leave one of the two out";
                self.mistakes
                    .report(code::EXCLUSIVE, key.place(), message, help);
            }
            let mut copies = Vec::new();
            // In the order in which one would write them: all of the first index, then all of the next.
            for index in from..from + count {
                for entry in &table.entries {
                    match copy(entry, index, key.text == "start") {
                        Ok(entry) => copies.push(entry),
                        Err((text, wrong)) => {
                            let place = text.origin.place(&text.text, wrong.span);
                            self.mistakes.report(
                                code::NOT_A_NAME,
                                place,
                                wrong.message,
                                wrong.help,
                            );
                            return;
                        }
                    }
                }
            }
            let place = table.place.clone();
            append(root, key, copies, place);
        }
    }

    fn no_part(&mut self, name: &str, key: &Text, item: &Item) {
        let known = REPEAT.iter().map(|key| key.name);
        let (code, message, help) = match format::find(REPEAT, &key.text) {
            Some(_) => (
                code::WRONG_KIND,
                format!(
                    "repeat.{name}.{} needs a table, not {}",
                    key.text,
                    item.described()
                ),
                Some(format!("write [repeat.{name}.{}.NAME]", key.text)),
            ),
            None => (
                code::UNKNOWN_KEY,
                format!("there is no key `{}` in [repeat.{name}]", key.text),
                meant_or_known(&key.text, known),
            ),
        };
        let help = help.unwrap_or_default();
        self.mistakes.report(code, key.place(), message, help);
    }

    /// How many, or from which index on.
    fn whole_number(&mut self, name: &str, key: &Text, item: &Item) -> Option<usize> {
        let least = usize::from(key.text == "count");
        let found = match item {
            Item::Number(number) => number.text.parse().ok(),
            _ => None,
        };
        let found = found.filter(|it| (least..=MOST).contains(it));
        if found.is_none() {
            let message = format!(
                "`{}` of repeat.{name} needs a whole number from {least} to {MOST}",
                key.text
            );
            let help = format!("write {} = 10, without quotes", key.text);
            let place = item.place().unwrap_or_else(|| key.place());
            self.mistakes.report(code::WRONG_KIND, place, message, help);
        }
        found
    }
}

/// Entries join those of the table with this name.
fn append(root: &mut Table, key: Text, copies: Vec<Entry>, place: crate::diagnostic::Place) {
    let mut tables = root.entries.iter_mut();
    let own = tables.find(|entry| entry.key.text == key.text);
    match own.map(|entry| &mut entry.item) {
        Some(Item::Table(table)) => table.entries.extend(copies),
        // It is no table, which is refused with it.
        Some(_) => {}
        None => root.entries.push(Entry {
            key,
            item: Item::Table(Table {
                entries: copies,
                place,
            }),
        }),
    }
}

/// An entry with its index; a name without one gets it at its end.
fn copy(entry: &Entry, index: usize, written: bool) -> Result<Entry, (Text, Wrong)> {
    let mut key = indexed(&entry.key, index)?;
    let place = entry.key.place();
    if key.text == entry.key.text && !written {
        key.text += &index.to_string();
    }
    key.origin = Origin::Of(place);
    let item = item(&entry.item, index)?;
    Ok(Entry { key, item })
}

fn item(given: &Item, index: usize) -> Result<Item, (Text, Wrong)> {
    Ok(match given {
        Item::Text(text) => Item::Text(indexed(text, index)?),
        Item::List(items, place) => {
            let items: Result<Vec<Item>, _> = items.iter().map(|it| item(it, index)).collect();
            Item::List(items?, place.clone())
        }
        Item::Table(table) => {
            let entry = |entry: &Entry| -> Result<Entry, (Text, Wrong)> {
                Ok(Entry {
                    key: indexed(&entry.key, index)?,
                    item: item(&entry.item, index)?,
                })
            };
            let entries: Result<Vec<Entry>, _> = table.entries.iter().map(entry).collect();
            Item::Table(Table {
                entries: entries?,
                place: table.place.clone(),
            })
        }
        other => other.clone(),
    })
}

/// A text with numbers for what stands in braces; places in it stay those of the file.
fn indexed(given: &Text, index: usize) -> Result<Text, (Text, Wrong)> {
    let text = given.text.as_str();
    let (mut made, mut pieces, mut done) = (String::new(), Vec::new(), 0);
    while let Some(open) = text[done..].find('{').map(|at| done + at) {
        let close = text[open..].find('}').map(|at| open + at + 1);
        let end = close.unwrap_or(text.len());
        let number = match shift(&text[open..end], index) {
            Ok(number) => number,
            Err((message, help)) => {
                let span = open..end;
                return Err((
                    given.clone(),
                    Wrong {
                        span,
                        message,
                        help,
                    },
                ));
            }
        };
        piece(given, done..open, made.len(), &mut pieces);
        made += &text[done..open];
        piece(given, open..open, made.len(), &mut pieces);
        made += &number.to_string();
        done = end;
    }
    if done == 0 {
        return Ok(given.clone());
    }
    piece(given, done..text.len(), made.len(), &mut pieces);
    made += &text[done..];
    let origin = match &given.origin {
        Origin::File(_) => Origin::File(pieces.into()),
        other => other.clone(),
    };
    Ok(Text { text: made, origin })
}

/// Where a part of a text stands, which comes to stand at `at` of another.
fn piece(given: &Text, part: Range<usize>, at: usize, pieces: &mut Vec<(usize, usize)>) {
    let Origin::File(own) = &given.origin else {
        return;
    };
    pieces.push((at, start_in_file(own, part.start)));
    let inside = own
        .iter()
        .filter(|(text, _)| part.start < *text && *text < part.end);
    pieces.extend(inside.map(|&(text, file)| (at + text - part.start, file)));
}

/// The number that `{i}`, `{i-1}`, `{i+2}` stands for.
fn shift(braces: &str, index: usize) -> Result<usize, (String, &'static str)> {
    const HELP: &str = "write {i} for the index, {i-1} and {i+1} for those beside it";
    let inside = braces.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let rest = inside
        .and_then(|it| it.trim().strip_prefix('i'))
        .map(str::trim);
    let found = match rest {
        Some("") => Some(Some(index)),
        Some(rest) => match rest.split_at_checked(1) {
            Some(("+", by)) => by.trim().parse().ok().map(|by| index.checked_add(by)),
            Some(("-", by)) => by.trim().parse().ok().map(|by| index.checked_sub(by)),
            _ => None,
        },
        None => None,
    };
    match found {
        Some(Some(number)) => Ok(number),
        Some(None) => Err((
            format!("{braces} is no index where i is {index}"),
            "begin later, with from = 1, and write what comes before by itself",
        )),
        None => Err((format!("{braces} is no index"), HELP)),
    }
}
