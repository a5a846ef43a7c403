//! What users choose by name.

use std::fmt;

/// A name that none of the choices has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What was to be chosen: "format".
    pub what: &'static str,
    /// The name that was given.
    pub name: String,
    /// The names there are.
    pub known: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.join(", ");
        write!(
            f,
            "unknown {} '{}'; known are {known}",
            self.what, self.name
        )
    }
}

impl std::error::Error for UnknownName {}

/// The one of `all` choices that has a name.
///
/// # Errors
/// None has it.
pub fn chosen<T: Copy>(
    what: &'static str,
    all: &[T],
    name_of: fn(T) -> &'static str,
    name: &str,
) -> Result<T, UnknownName> {
    let found = all.iter().copied().find(|&it| name_of(it) == name);
    found.ok_or_else(|| UnknownName {
        what,
        name: name.to_owned(),
        known: all.iter().map(|&it| name_of(it)).collect(),
    })
}
