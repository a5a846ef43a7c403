//! What a table holds after it has been checked.

use crate::diagnostic::Place;
use crate::model::{Asked, Expression, Inertia, Name, SliderRange, StartValue};

/// What stands under a key.
pub(in crate::model) enum Content {
    Expression(Box<Expression>),
    /// A word, a name or a title.
    Word(Name),
    Words(Vec<Name>),
    Switch(bool, Place),
    Start(Box<StartValue>),
    Values(Vec<Expression>),
    Rows(Vec<Vec<Expression>>),
    Inertia(Inertia),
    Fields(Fields),
    /// Tables of a list.
    Listed(Vec<Fields>),
    Named(Vec<(Name, Content)>),
    Rates(Vec<(Expression, StartValue)>),
    Components(Vec<(Name, Expression)>),
    Settings(Vec<(Expression, Expression)>),
    Sliders(Vec<SliderRange>),
    Varied(Vec<(Expression, Fields)>),
    Asked(Box<Asked>),
}

/// The keys of a table with what stands under them.
pub(in crate::model) struct Fields {
    /// Path of the table: `particle.P`.
    pub(in crate::model) path: String,
    /// Where the table stands.
    pub(in crate::model) place: Place,
    /// Key, its place, and its content if that is right.
    pub(super) entries: Vec<(&'static str, Place, Option<Content>)>,
    /// Keys that unknown keys were probably meant to be: they are not missing as well.
    pub(super) meant: Vec<&'static str>,
    /// Whether all keys are known.
    pub(in crate::model) all_known: bool,
}

impl Fields {
    /// Whether the key is there, be its content right or wrong, and itself misspelt or not.
    pub(in crate::model) fn has(&self, name: &str) -> bool {
        self.gives(name) || self.meant.contains(&name)
    }

    /// Whether the key itself is there, be its content right or wrong.
    pub(in crate::model) fn gives(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, _, _)| *key == name)
    }

    /// Where the key stands, or else the table.
    pub(in crate::model) fn place_of(&self, name: &str) -> Place {
        let entry = self.entries.iter().find(|(key, _, _)| *key == name);
        entry.map_or_else(|| self.place.clone(), |(_, place, _)| place.clone())
    }

    pub(in crate::model) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|(key, _, _)| *key)
    }

    pub(in crate::model) fn take(&mut self, name: &str) -> Option<Content> {
        let entry = self.entries.iter_mut().find(|(key, _, _)| *key == name);
        entry.and_then(|(_, _, content)| content.take())
    }

    pub(in crate::model) fn expression(&mut self, name: &str) -> Option<Expression> {
        match self.take(name)? {
            Content::Expression(expression) => Some(*expression),
            _ => None,
        }
    }

    pub(in crate::model) fn word(&mut self, name: &str) -> Option<Name> {
        match self.take(name)? {
            Content::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(in crate::model) fn words(&mut self, name: &str) -> Option<Vec<Name>> {
        match self.take(name)? {
            Content::Words(words) => Some(words),
            _ => None,
        }
    }

    pub(in crate::model) fn values(&mut self, name: &str) -> Option<Vec<Expression>> {
        match self.take(name)? {
            Content::Values(values) => Some(values),
            _ => None,
        }
    }

    pub(in crate::model) fn fields(&mut self, name: &str) -> Option<Fields> {
        match self.take(name)? {
            Content::Fields(fields) => Some(fields),
            _ => None,
        }
    }

    /// The content of a table of names; empty if there is none.
    pub(in crate::model) fn named(&mut self, name: &str) -> Vec<(Name, Content)> {
        match self.take(name) {
            Some(Content::Named(entries)) => entries,
            _ => Vec::new(),
        }
    }

    /// The expressions of a table of names.
    pub(in crate::model) fn named_expressions(&mut self, name: &str) -> Vec<(Name, Expression)> {
        let expression = |(name, content)| match content {
            Content::Expression(expression) => Some((name, *expression)),
            _ => None,
        };
        self.named(name)
            .into_iter()
            .filter_map(expression)
            .collect()
    }
}
