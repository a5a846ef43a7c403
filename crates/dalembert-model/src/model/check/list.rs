//! Lists of expressions, and messages about what is no list or no such list.

use super::Check;
use super::table::described;
use crate::diagnostic::Place;
use crate::model::form_codes::names as code;
use crate::model::format::{self, Count, Kind};
use crate::model::source::Item;
use crate::model::{Expression, Name};
use dalembert_expr::syntax::{Kind as Node, Tree, parse_value};

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

    /// A list of texts, at least one.
    pub(super) fn texts(&mut self, path: &str, item: Item) -> Option<Vec<Name>> {
        let Item::List(items, place) = item else {
            return self.wrong_kind(path, &Kind::Words, &item);
        };
        let count = items.len();
        if count == 0 {
            return self.wrong_count(path, &Kind::Words, "an empty one", place);
        }
        let items = items
            .into_iter()
            .filter(|item| !matches!(item, Item::Unread));
        let texts: Vec<Name> = items
            .filter_map(|item| self.word(path, &Kind::Title, item))
            .collect();
        (texts.len() == count).then_some(texts)
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
            (Kind::Value, Item::List(items, _)) => as_text(key, items),
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

/// How a list that was meant to be a vector is written. Inside an expression a number takes one unit, so that others get a name.
fn as_text(key: &str, items: &[Item]) -> String {
    let written = |item: &Item| match item {
        Item::Text(text) | Item::Number(text) => Some(text.text.clone()),
        _ => None,
    };
    let elements: Option<Vec<String>> = items.iter().map(written).collect();
    let elements = elements.filter(|elements| (1..=3).contains(&elements.len()));
    let mut elements = elements.unwrap_or_else(|| ["x", "y", "0"].map(str::to_owned).into());
    let long = elements.iter_mut().find(|text| {
        let several = |tree: Tree| matches!(&tree[tree.root()].kind, Node::Quantity { unit, .. } if unit.len() > 1);
        parse_value(text).is_ok_and(several)
    });
    let long = long.map(|text| std::mem::replace(text, "a".to_owned()));
    let mut help = format!(
        "write a vector as text: {key} = \"[{}]\"",
        elements.join(", ")
    );
    if let Some(long) = long {
        help += &format!(", with a = \"{long}\" in [parameters]");
    }
    help
}

/// A number with its noun.
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
