//! Why there is no motion; in words by whoever knows the model.

use crate::linear::factorisation::Unsolved;
use crate::lower::{Rough, RowId};

/// Why a state has no motion, or no unique one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The equations of the motion have no solution, or none that numbers find.
    Unsolved(Unsolved),
    /// Rows that independent speeds cannot meet: not linear in the velocities, or of accelerations.
    NotReducible {
        /// The rows, ascending.
        rows: Vec<usize>,
    },
    /// The law of some reactions has no solution, or several: Painlevé's paradox.
    Painleve {
        /// Rows whose reactions the law uses.
        rows: Vec<usize>,
        /// Their multipliers without the law.
        free: Vec<f64>,
        /// Multipliers that satisfy the law: none, or several.
        solutions: Vec<Vec<f64>>,
        /// What has friction, and its coefficient.
        coefficients: Vec<(Rough, f64)>,
        /// How much friction adds to the reaction that causes it, where friction is all there is: below one there
        /// is one solution.
        gain: Option<f64>,
    },
    /// Slips that vanish: no way was found in which each of them is held or begins.
    NotSettled {
        /// Whose slips.
        of: Vec<Rough>,
    },
    /// The coefficient of static friction is less than that of sliding.
    WeakHold {
        /// Whose.
        of: Rough,
        /// The coefficient of sliding.
        coefficient: f64,
        /// The static one.
        holding: f64,
    },
    /// Reactions that a law uses, and that have no unique value.
    ReactionNotUnique {
        /// The rows.
        rows: Vec<usize>,
    },
    /// A coefficient of friction that depends on the motion has become negative.
    NegativeFriction {
        /// Whose.
        of: Rough,
        /// The coefficient.
        coefficient: f64,
    },
    /// The reaction of a row is not a force at the point that is said to slide.
    NotAContact {
        /// The row.
        row: RowId,
        /// The part of it that is not.
        part: f64,
    },
    /// Forces that are to hold rows cannot do so, whatever their size: A M⁻¹ Gᵀ is singular.
    NotHeld {
        /// Rows held by forces that are concerned, ascending.
        rows: Vec<usize>,
        /// The rank of A M⁻¹ Gᵀ.
        rank: usize,
        /// The rank it should have.
        needed: usize,
        /// The least cosine between what the rows forbid and what reactions and forces reach, in the metric M.
        least: f64,
    },
}

impl From<Unsolved> for Failure {
    fn from(unsolved: Unsolved) -> Self {
        Self::Unsolved(unsolved)
    }
}
