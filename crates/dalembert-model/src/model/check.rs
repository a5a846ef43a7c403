//! Compares what was given with the table of keys and reads every expression in it.
//!
//! Every mistake is reported where it is found; what is right is kept, so that one mistake does not
//! hide another.

mod expression;
mod fields;
mod list;
mod table;

pub(super) use fields::{Content, Fields};
pub(crate) use list::counted;

use super::mistakes::Mistakes;
use super::names::GivenNames;

/// The work of checking: what was found so far.
pub(super) struct Check {
    pub(super) mistakes: Mistakes,
    pub(super) names: GivenNames,
}

impl Check {
    /// Nothing found yet; lines are named if there is a file.
    pub(super) fn new(file: Option<&str>) -> Self {
        Self {
            mistakes: Mistakes::new(file),
            names: GivenNames::default(),
        }
    }
}
