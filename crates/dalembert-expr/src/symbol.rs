//! Symbols: the names an expression is a function of, with what they mean to the calculus.

use std::fmt;

/// What a symbol stands for. The calculus needs to know how it moves, the printers how to write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum SymbolKind {
    /// A constant of the system; its time derivative is zero.
    Parameter,
    /// Time itself.
    Time,
    /// A coordinate or one of its time derivatives: x, x', x''.
    Coordinate,
    /// A speed (quasi-velocity) or one of its time derivatives.
    Speed,
    /// The multiplier of a constraint row; it has no time derivative.
    Multiplier,
}

impl SymbolKind {
    /// Whether symbols of this kind have derivatives of their own: x, x', x''.
    #[must_use]
    pub const fn moves(self) -> bool {
        matches!(self, Self::Coordinate | Self::Speed)
    }
}

/// A symbol of an expression graph: name, kind and number of primes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// Name without primes, as the user wrote it.
    pub name: Box<str>,
    /// What it stands for.
    pub kind: SymbolKind,
    /// How often it is differentiated in time: 0 for x, 1 for x'.
    pub order: u8,
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        (0..self.order).try_for_each(|_| f.write_str("'"))
    }
}
