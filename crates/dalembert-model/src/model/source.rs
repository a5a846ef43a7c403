//! What was given, before anything is known about it: keys, texts and lists with their places.
//!
//! Files and the builder both end here, so that one set of checks serves both.

use super::Origin;
use crate::diagnostic::Place;
use std::ops::Range;

/// A text with its place.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) origin: Origin,
}

impl Text {
    /// The place of the whole text.
    pub(super) fn place(&self) -> Place {
        self.origin.place(&self.text, 0..self.text.len())
    }

    /// A part of it, which stands where it stands there.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        Self {
            text: self.text[range.clone()].to_owned(),
            origin: self.origin.from(range.start),
        }
    }
}

/// What is given under a key.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// Text, in quotes in a file.
    Text(Text),
    /// A number without quotes, as a decimal literal.
    Number(Text),
    /// `inf` or `nan`.
    NotFinite(Place),
    /// `true` or `false`.
    Switch(bool, Place),
    /// A date or a time of day.
    Date(Place),
    /// A list.
    List(Vec<Item>, Place),
    /// A table.
    Table(Table),
    /// Nothing that could be read; the mistake has been reported.
    Unread,
}

/// Keys with what is given under them, in the order written.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) entries: Vec<Entry>,
    /// Its header, or the whole of it if it stands in one line.
    pub(super) place: Place,
}

/// A key with what is given under it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: Text,
    pub(super) item: Item,
}

impl Item {
    /// Where it stands; `None` if nothing could be read.
    pub(super) fn place(&self) -> Option<Place> {
        Some(match self {
            Self::Text(text) | Self::Number(text) => text.place(),
            Self::NotFinite(place)
            | Self::Switch(_, place)
            | Self::Date(place)
            | Self::List(_, place) => place.clone(),
            Self::Table(table) => table.place.clone(),
            Self::Unread => return None,
        })
    }

    /// What it is, for messages.
    pub(super) fn described(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Number(_) => "a number",
            Self::NotFinite(_) => "no finite number",
            Self::Switch(..) => "true or false",
            Self::Date(_) => "a date or time",
            Self::List(..) => "a list",
            Self::Table(_) => "a table",
            Self::Unread => "nothing",
        }
    }
}
