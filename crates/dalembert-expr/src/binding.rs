//! How tightly the operators of the language bind.

/// How tightly an operator binds, or a piece of text holds together; the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    /// `or`
    Or,
    /// `and`
    And,
    /// `not`
    Not,
    /// `=`, `<`, `>`
    Relation,
    /// `+`, `-`
    Sum,
    /// `*`, `/`
    Product,
    /// `-x`
    Sign,
    /// Rotations one after the other: `Rz(psi) Rx(theta)`.
    Sequence,
    /// `^`
    Power,
    /// Names, numbers, calls, and what stands in brackets.
    Atom,
}
