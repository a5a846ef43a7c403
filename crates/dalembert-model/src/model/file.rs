//! Model files: TOML with the place of everything in it.

use super::assemble::partial;
use super::form_codes::names as code;
use super::mistakes::{at_most_shown, in_order, sorted};
use super::source::{Entry, Item, Table};
use super::{Model, Parts, text, toml_errors};
use crate::diagnostic::{Diagnostic, Place};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// Mistakes that may be no more than the consequence of text that could not be read as TOML.
pub(super) const CONSEQUENCES: &[&str] = &[
    code::NO_VERSION,
    code::MISSING,
    code::ONE_OF,
    code::NO_MASSES,
    code::OWN_TABLE,
    code::WRONG_COUNT,
    code::BELOW_A_HEADER,
];

/// Reads a model file, with the warnings about it.
///
/// ```
/// let (model, warnings) = dalembert_model::model::read(
///     r#"
///     dalembert = 1
///     [parameters]
///     m = "2 kg"
///     [coordinates]
///     x = 0
///     [particle.P]
///     mass = "m"
///     position = "[x, 0, 0]"
///     "#,
/// )
/// .map_err(|errors| errors[0].message.clone())?;
/// assert_eq!(model.particles[0].name.text, "P");
/// assert!(warnings.is_empty());
///
/// let errors = dalembert_model::model::read("dalembert = 1\n[coordinates]\nx = \"2 +\"").unwrap_err();
/// assert_eq!(errors[0].message, "`+` has nothing on its right");
/// assert_eq!(errors[0].place, dalembert_model::diagnostic::Place::File(35..36));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Everything that is wrong with the form of the file, in its order: what is no TOML, unknown and
/// missing keys, wrong kinds of values, names given twice, mistakes inside expressions, and parts of
/// the format that are not supported yet. At most fifty, and a last entry if there are more.
pub fn read(text: &str) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    examine(text, Parts::new()).map_err(|refused| at_most_shown(refused.errors))
}

/// A file that is refused.
pub struct Refused {
    /// All that is wrong with its form, in its order.
    pub errors: Vec<Diagnostic>,
    /// The model without what is wrong with its form.
    pub model: Option<Box<Model>>,
}

/// What stands in a file, as far as it can be read, and what cannot.
pub(super) fn root(text: &str) -> (Table, Vec<toml::de::Error>) {
    let (document, toml_errors) = DeTable::parse_recoverable(text);
    let reader = TomlReader { text };
    let root = Table {
        entries: reader.entries(document.get_ref()),
        place: Place::File(reader.top()),
    };
    (root, toml_errors)
}

/// As [`read`], with all mistakes and what could be made out beside them; `parts` are the models that it uses.
pub fn examine(text: &str, parts: Parts) -> Result<(Model, Vec<Diagnostic>), Refused> {
    let (root, toml_errors) = root(text);
    let (model, mut errors, warnings) = partial(root, Some(text), parts);
    if !toml_errors.is_empty() {
        let mut all = toml_errors::diagnostics(text, &toml_errors);
        let spoilt = toml_errors::spoilt(text, &all);
        all.extend(errors.into_iter().filter(|diagnostic| {
            let Place::File(span) = &diagnostic.place else {
                return false;
            };
            let after = spoilt.partition_point(|line| line.start <= span.start);
            let is_spoilt = after > 0 && span.start <= spoilt[after - 1].end;
            !CONSEQUENCES.contains(&diagnostic.code) && !is_spoilt
        }));
        errors = all;
    }
    match model {
        Some(model) if errors.is_empty() => Ok((model, sorted(warnings))),
        model => Err(Refused {
            errors: in_order(errors),
            model: model.map(Box::new),
        }),
    }
}

struct TomlReader<'f> {
    text: &'f str,
}

impl TomlReader<'_> {
    /// The place of what concerns the whole file: its first line.
    fn top(&self) -> Range<usize> {
        let start = self
            .text
            .find(|c: char| !c.is_whitespace() && c != '\u{feff}');
        let start = start.unwrap_or(0);
        start..start + self.text[start..].lines().next().unwrap_or("").len()
    }

    fn entries(&self, table: &DeTable<'_>) -> Vec<Entry> {
        let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| Entry {
            key: text::decoded(self.raw(&key.span()), key.span().start),
            item: self.item(value),
        };
        table.iter().map(entry).collect()
    }

    /// Nesting is limited by the parser, so this may call itself.
    fn item(&self, value: &Spanned<DeValue<'_>>) -> Item {
        let span = value.span();
        let raw = self.raw(&span);
        if raw.is_empty() {
            return Item::Unread;
        }
        let place = Place::File(span.clone());
        match value.get_ref() {
            DeValue::String(_) => Item::Text(text::decoded(raw, span.start)),
            DeValue::Integer(integer) => self.integer(integer, raw, span.start),
            DeValue::Float(_) if raw.ends_with("inf") || raw.ends_with("nan") => {
                Item::NotFinite(place)
            }
            DeValue::Float(_) => Item::Number(text::number(raw, span.start)),
            DeValue::Boolean(on) => Item::Switch(*on, place),
            DeValue::Datetime(_) => Item::Date(place),
            DeValue::Array(items) => {
                Item::List(items.iter().map(|item| self.item(item)).collect(), place)
            }
            DeValue::Table(table) => Item::Table(Table {
                entries: self.entries(table),
                place,
            }),
        }
    }

    fn integer(&self, integer: &DeInteger<'_>, raw: &str, start: usize) -> Item {
        if integer.radix() == 10 {
            return Item::Number(text::number(raw, start));
        }
        match u128::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(value) => Item::Number(text::replaced(value.to_string(), start, raw.len())),
            // What is so large has a mistake of its own when it is read as an expression.
            Err(_) => Item::Number(text::decoded(raw, start)),
        }
    }

    fn raw(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }
}
