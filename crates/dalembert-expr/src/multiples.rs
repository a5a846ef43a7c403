//! Equal terms, or equal bases, put together.

use crate::graph::ExprId;
use crate::rational::Rational;
use rustc_hash::FxHashMap;

/// Expressions with a number each, in the order of their first appearance: terms with their multiples, or bases with
/// their exponents.
#[derive(Default)]
pub(crate) struct Multiples {
    pub(crate) entries: Vec<(ExprId, Rational)>,
    places: FxHashMap<ExprId, usize>,
}

impl Multiples {
    /// Adds to the number of an expression. A sum too long to be kept exactly stays in two entries.
    pub(crate) fn add(&mut self, id: ExprId, number: Rational) {
        let place = *self.places.entry(id).or_insert(self.entries.len());
        match self.entries.get_mut(place) {
            None => self.entries.push((id, number)),
            Some((_, total)) => match total.checked_add(&number) {
                Some(sum) => *total = sum,
                None => self.entries.push((id, number)),
            },
        }
    }

    /// The number of an expression, if it has one.
    pub(crate) fn get_mut(&mut self, id: ExprId) -> Option<&mut Rational> {
        Some(&mut self.entries[*self.places.get(&id)?].1)
    }
}
