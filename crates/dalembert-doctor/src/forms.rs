//! A Pfaffian system: forms A dq + c dt beside differentials dφ of what is held already.

use dalembert_expr::normal::Limits;
use dalembert_expr::normal::precise::Bounded;
use dalembert_expr::{ExprId, SymbolId};
use dalembert_symbolic::surface::Surface;
use std::collections::BTreeMap;

/// How much is done in symbols for rows that hang together: some 0.1 s at most.
pub(crate) const LIMITS: Limits = Limits {
    terms: 20_000,
    steps: 1_000_000,
};

/// The limits of one of several things that are done in symbols.
pub(crate) fn part_of_limits(parts: u64) -> Limits {
    Limits {
        steps: LIMITS.steps / parts,
        ..LIMITS
    }
}

/// Entries that are not zero, by variable.
pub type Form = BTreeMap<usize, ExprId>;
/// Values of variables and parameters, where all φ vanish.
pub type Point = BTreeMap<SymbolId, Bounded>;

/// Forms in some variables.
#[derive(Clone, Debug, Default)]
pub struct Pfaffian {
    /// Coordinates, and time and inputs where something depends on them.
    pub variables: Vec<SymbolId>,
    /// Which of them is time.
    pub time: Option<usize>,
    /// Which of them go their own way, whatever the mechanism does: time, and inputs that something depends on.
    pub outer: Vec<usize>,
    /// Differentials of functions that vanish.
    pub exact: Vec<Form>,
    /// Forms that vanish along motions.
    pub forms: Vec<Form>,
    /// Where all functions vanish of which `exact` has the differentials, if that is solved for.
    pub surface: Option<Surface>,
}
