//! Why equations of M and A have no solution.

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

/// Why M v' = f + Aᵀ λ, A v' = b was not solved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unsolved {
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
    /// The factor of a sparse system would not fit memory.
    TooLarge,
    /// The equations of a large system are so nearly singular that numbers cannot solve them.
    Imprecise {
        /// What is left of an equation, measured by its terms.
        residual: f64,
    },
}

impl Unsolved {
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
