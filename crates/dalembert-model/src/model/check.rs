//! Compares what was given with the table of keys and reads every expression in it.
//!
//! Every mistake is reported where it is found; what is right is kept, so that one mistake does not
//! hide another.

mod asked;
mod expression;
mod fields;
mod list;
mod table;

pub(super) use fields::{Content, Fields};
pub use list::counted;

use super::Name;
use super::mechanism::{Hinge, Made, Owners};
use super::mistakes::Mistakes;
use super::names::GivenNames;
use super::part::Parts;
use std::collections::HashSet;
use std::sync::Arc;

/// The work of checking: what was found so far.
pub(super) struct Check {
    pub(super) mistakes: Mistakes,
    pub(super) names: GivenNames,
    /// Whether free bodies move in the plane.
    pub(super) planar: bool,
    /// Whether bodies that hang on others by joints get the coordinates of the joints.
    pub(super) relative: bool,
    /// Names that texts speak of, not of their members.
    pub(super) spoken_of: HashSet<String>,
    /// Joints that bodies hang by, with all that they hang in; where none is asked to, what each of them connects.
    pub(super) hinges: Vec<Hinge>,
    pub(super) could_hang: Vec<[Option<usize>; 2]>,
    /// What ends of joints belong to.
    pub(super) owners: Owners,
    /// Whether some body is free.
    pub(super) free: bool,
    /// Names with a dot that are one name: `link.x`.
    pub(super) dotted: HashSet<Arc<str>>,
    /// Parameters that are left open with "?".
    pub(super) open: Vec<Name>,
    /// What bodies, joints and parts add to the model.
    pub(super) made: Made,
    /// The models that parts are.
    pub(super) parts: Parts,
}

impl Check {
    /// Nothing found yet; lines are named if there is a file.
    pub(super) fn new(file: Option<&str>) -> Self {
        Self {
            mistakes: Mistakes::new(file),
            names: GivenNames::default(),
            planar: false,
            relative: false,
            spoken_of: HashSet::new(),
            hinges: Vec::new(),
            could_hang: Vec::new(),
            owners: Owners::default(),
            free: false,
            dotted: HashSet::new(),
            open: Vec::new(),
            made: Made::default(),
            parts: Parts::new(),
        }
    }
}
