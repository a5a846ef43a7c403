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

impl UnknownName {
    /// A name that is none of those of the choices.
    #[must_use]
    pub fn among(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Self {
        Self {
            what,
            name: name.to_owned(),
            known: known.collect(),
        }
    }
}

/// Gives the variants of a type their names, and lets them be listed, written and read by these: `what` is chosen.
#[macro_export]
macro_rules! named_choices {
    ($choice:ident, $what:literal, $count:literal: $($variant:ident $name:literal),* $(,)?) => {
        impl $choice {
            /// All of them.
            pub const ALL: [Self; $count] = [$(Self::$variant),*];

            /// The name users choose it by.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl ::std::fmt::Display for $choice {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::str::FromStr for $choice {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                let found = Self::ALL.into_iter().find(|it| it.name() == name);
                let unknown = || {
                    let known = Self::ALL.into_iter().map(Self::name);
                    $crate::UnknownName::among($what, name, known)
                };
                found.ok_or_else(unknown)
            }
        }
    };
}
