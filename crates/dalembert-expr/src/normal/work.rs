//! Limits: how large a result may become and how long it may take.

use super::Outside;
use std::cell::Cell;

/// How much a [`Field`](super::Field) may do before it answers [`Outside::TooLarge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most terms of one polynomial.
    pub terms: usize,
    /// Most products of terms in all; a million take some 0.1 s.
    pub steps: u64,
}

impl Default for Limits {
    /// 100 000 terms, ten million steps: about a second at worst.
    fn default() -> Self {
        Self {
            terms: 100_000,
            steps: 10_000_000,
        }
    }
}

/// What is left of the limits.
#[derive(Debug)]
pub(crate) struct Work {
    terms: usize,
    left: Cell<u64>,
}

impl Work {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            terms: limits.terms,
            left: Cell::new(limits.steps),
        }
    }

    /// A part of what is left, for an attempt that may fail.
    pub(super) fn part(&self, steps: u64) -> Self {
        Self {
            terms: self.terms,
            left: Cell::new(steps.min(self.left.get())),
        }
    }

    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Counts steps.
    pub(super) fn spend(&self, steps: usize) -> Result<(), Outside> {
        match self.left.get().checked_sub(steps as u64) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(Outside::TooLarge)
            }
        }
    }

    /// Charges what an attempt has used.
    pub(super) fn settle(&self, before: u64, part: &Self) -> Result<(), Outside> {
        self.spend(usize::try_from(before.saturating_sub(part.left())).unwrap_or(usize::MAX))
    }

    /// Refuses polynomials that are too long.
    pub(super) fn hold(&self, terms: usize) -> Result<(), Outside> {
        if terms > self.terms {
            return Err(Outside::TooLarge);
        }
        Ok(())
    }
}
