//! Lists of expressions, and messages about what is no list or no such list.

use super::Check;
use super::table::described;
use crate::diagnostic::Place;
use crate::model::codes::names as code;
use crate::model::format::{self, Count, Kind};
use crate::model::source::Item;
use crate::model::{Expression, Name};

/// The elements if all are right, how many there are, and where the list stands.
type Listed = (Option<Vec<Expression>>, usize, Place);

impl Check {
    /// A list of expressions.
    pub(super) fn values(&mut self, path: &str, kind: &Kind, item: Item) -> Option<Listed> {
        let Item::List(items, place) = item else {
            return self.wrong_kind(path, kind, &item);
        };
        let count = items.len();
        let mut values = Vec::with_capacity(count);
        for item in items {
            if !matches!(item, Item::Unread) {
                values.extend(self.expression(path, &Kind::Value, item));
            }
        }
        let all = (values.len() == count).then_some(values);
        Some((all, count, place))
    }

    /// A list of names, at least one.
    pub(super) fn references(&mut self, path: &str, item: Item) -> Option<Vec<Name>> {
        let Item::List(items, place) = item else {
            return self.wrong_kind(path, &Kind::References, &item);
        };
        let count = items.len();
        if count == 0 {
            return self.wrong_count(path, &Kind::References, "an empty one", place);
        }
        let mut names = Vec::with_capacity(count);
        for item in items {
            if !matches!(item, Item::Unread) {
                names.extend(self.word(path, &Kind::Reference, item));
            }
        }
        (names.len() == count).then_some(names)
    }

    /// A square matrix of expressions.
    pub(super) fn rows(&mut self, path: &str, item: Item) -> Option<Vec<Vec<Expression>>> {
        let Item::List(items, _) = item else {
            return self.wrong_kind(path, &Kind::Rows, &item);
        };
        let size = items.len();
        let mut rows = Vec::with_capacity(size);
        for item in items {
            let kind = Kind::Values(Count::Any);
            let Some((row, found, place)) = self.values(path, &kind, item) else {
                continue;
            };
            if found == size {
                rows.extend(row);
            } else {
                let message = format!(
                    "a row of {} has {}, but there are {size} rows",
                    described(path),
                    counted(found, "element")
                );
                let help = "write as many elements in each row as there are rows";
                self.mistakes
                    .report(code::WRONG_COUNT, place, message, help);
            }
        }
        (rows.len() == size).then_some(rows)
    }

    /// Reports that something else than `kind` is given; gives nothing.
    pub(super) fn wrong_kind<T>(&mut self, path: &str, kind: &Kind, item: &Item) -> Option<T> {
        let place = item.place()?;
        let message = format!(
            "{} needs {}, not {}",
            described(path),
            kind.described(),
            item.described()
        );
        let key = path.rsplit('.').next().unwrap_or(path);
        let help = match (kind, item) {
            (Kind::Value, Item::List(items, _)) => {
                format!("write a vector as text: {key} = \"{}\"", vector(items))
            }
            (Kind::Switch, Item::Text(text)) if matches!(text.text.as_str(), "true" | "false") => {
                format!("write {key} = {}", text.text)
            }
            (Kind::Version, Item::Text(_)) => "write dalembert = 1, without quotes".to_owned(),
            (Kind::Table(_) | Kind::Named(..) | Kind::Rates, _) if !path.contains('.') => {
                format!("write [{path}] on a line of its own, and its keys below")
            }
            _ => format!("write {key} = {}", format::example(key, kind)),
        };
        self.mistakes.report(code::WRONG_KIND, place, message, help);
        None
    }

    /// Reports that a list has another length; gives nothing.
    pub(super) fn wrong_count<T>(
        &mut self,
        path: &str,
        kind: &Kind,
        found: &str,
        place: Place,
    ) -> Option<T> {
        let key = path.rsplit('.').next().unwrap_or(path);
        self.mistakes.report(
            code::WRONG_COUNT,
            place,
            format!(
                "{} needs {}, not {found}",
                described(path),
                kind.described()
            ),
            format!("write {key} = {}", format::example(key, kind)),
        );
        None
    }
}

/// The vector that a list was meant to be.
fn vector(items: &[Item]) -> String {
    let elements: Option<Vec<&str>> = items
        .iter()
        .map(|item| match item {
            Item::Text(text) | Item::Number(text) => Some(text.text.as_str()),
            _ => None,
        })
        .collect();
    match elements {
        Some(elements) if (1..=3).contains(&elements.len()) => format!("[{}]", elements.join(", ")),
        _ => "[x, y, 0]".to_owned(),
    }
}

/// A number with its noun.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
