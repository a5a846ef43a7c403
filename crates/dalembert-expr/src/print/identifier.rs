//! Names that programming languages accept.

use super::greek::greek;
use super::infix::Dialect;
use rustc_hash::{FxHashMap, FxHashSet};

/// Hands out identifiers, no two the same.
pub(super) struct Identifiers {
    dialect: &'static Dialect,
    taken: FxHashSet<String>,
    /// Next number for each name that was taken.
    next: FxHashMap<String, u32>,
}

impl Identifiers {
    pub(super) fn new(dialect: &'static Dialect) -> Self {
        Self {
            dialect,
            taken: FxHashSet::default(),
            next: FxHashMap::default(),
        }
    }

    /// An identifier for `name` with `order` dots: `theta'` becomes `theta_dot`. A reserved word gets an
    /// underscore behind it, a name that is taken a number.
    pub(super) fn assign(&mut self, name: &str, order: u8) -> String {
        let mut identifier = spelled(name);
        match order {
            0 => {}
            1..=3 => {
                identifier.push('_');
                (1..order).for_each(|_| identifier.push('d'));
                identifier.push_str("dot");
            }
            n => identifier.push_str(&format!("_d{n}")),
        }
        if self.dialect.is_reserved(&identifier) {
            identifier.push('_');
        }
        let mut candidate = identifier.clone();
        while !self.taken.insert(candidate.clone()) {
            let number = self.next.entry(identifier.clone()).or_insert(2);
            candidate = format!("{identifier}_{number}");
            *number += 1;
        }
        candidate
    }
}

/// `name` in ASCII letters, digits and underscores: `lambda(contact.0)` is `lambda_contact_0`.
fn spelled(name: &str) -> String {
    let mut identifier = String::with_capacity(name.len());
    for c in name.chars() {
        match greek(c.encode_utf8(&mut [0; 4])) {
            _ if c.is_ascii_alphanumeric() => identifier.push(c),
            Some(letter) => identifier.push_str(letter.name),
            None => identifier.push('_'),
        }
    }
    if !name.ends_with('_') {
        identifier.truncate(identifier.trim_end_matches('_').len());
    }
    if !identifier.starts_with(|c: char| c.is_ascii_alphabetic()) {
        identifier.insert(0, 'v');
    }
    identifier
}
