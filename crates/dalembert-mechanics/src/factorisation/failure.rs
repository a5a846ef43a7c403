//! Why there is no motion; in words by whoever knows the model.

use crate::lower::{Rough, RowId};

/// One of the five givens of a problem, or its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// M, row-major.
    MassMatrix,
    /// h.
    Force,
    /// A, row-major.
    Jacobian,
    /// b.
    Bias,
    /// E, the directions of forces that hold rows, row-major.
    Direction,
    /// w.
    NonIdeal,
    /// v', though all givens are finite: they are too large.
    Acceleration,
}

/// Why a state has no motion, or no unique one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// A number is infinite or not a number.
    NotFinite {
        /// Which array.
        what: Quantity,
        /// Where in the array.
        index: usize,
    },
    /// The mass matrix is not positive: some motion has negative kinetic energy.
    NotPositive {
        /// The speed that moves most in that motion.
        speed: usize,
        /// vᵀ M v of that motion, with this speed one: negative.
        value: f64,
    },
    /// There are motions that meet no inertia and no constraint.
    Undetermined {
        /// A basis of them, each of nv entries, the largest being one.
        directions: Vec<Vec<f64>>,
    },
    /// Rows of A v' = b that cannot hold at once, although each can if one of the others is left out.
    Contradictory {
        /// The rows, ascending.
        rows: Vec<usize>,
        /// By how much the right side of the last of them differs from what the others require.
        residual: f64,
    },
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
    /// A slip vanishes where forces hold rows in place of reactions: whether it is held is not decided.
    AtRest {
        /// Whose slip.
        of: Rough,
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
    /// The factor of a sparse system would not fit memory.
    TooLarge,
    /// The equations of a large system are so nearly singular that numbers cannot solve them.
    Imprecise {
        /// What is left of an equation, measured by its terms.
        residual: f64,
    },
}

impl Failure {
    /// The speeds that take part in undetermined motions, ascending.
    pub fn undetermined_speeds(&self) -> Vec<usize> {
        let Self::Undetermined { directions } = self else {
            return Vec::new();
        };
        let count = directions.first().map_or(0, Vec::len);
        let moves = |speed: &usize| directions.iter().any(|direction| direction[*speed] != 0.0);
        (0..count).filter(moves).collect()
    }
}
