//! Which constraint, row or force is meant: indices that cannot be taken for one another.
//!
//! A constraint has several rows, and a row may be held by a force: the three are counted differently, and an index of one is a valid
//! index of another. So what is handed from function to function is an [`Id`], which indexes the list that it counts, and nothing
//! else. Loops over one list, and places in vectors and matrices of numbers, are plain numbers.

use crate::model::Constraint;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The index of a `T` in the list of all.
pub struct Id<T> {
    index: usize,
    of: PhantomData<fn() -> T>,
}

/// One of the constraints of a model.
pub type ConstraintId = Id<Constraint>;

impl<T> Id<T> {
    /// The one at a place in the list.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Self {
            index,
            of: PhantomData,
        }
    }

    /// Its place: in the list itself, or in numbers that have one for each.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// All of a list, in order.
    pub fn all(list: &[T]) -> impl ExactSizeIterator<Item = Self> + use<T> {
        (0..list.len()).map(Self::new)
    }

    /// All of a list, each with its own.
    pub fn enumerate(list: &[T]) -> impl DoubleEndedIterator<Item = (Self, &T)> {
        let numbered = list.iter().enumerate();
        numbered.map(|(index, item)| (Self::new(index), item))
    }
}

impl<T> Index<Id<T>> for Vec<T> {
    type Output = T;

    fn index(&self, id: Id<T>) -> &T {
        &self[id.index]
    }
}

impl<T> IndexMut<Id<T>> for Vec<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self[id.index]
    }
}

impl<T> Default for Id<T> {
    /// The first: room for one that is not known yet.
    fn default() -> Self {
        Self::new(0)
    }
}

// Derived, these would ask the same of T.

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.index.cmp(&other.index)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index.fmt(f)
    }
}
