//! Why there is no motion.

use std::error::Error;
use std::fmt;

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
        /// Constraints with friction, and their coefficients.
        coefficients: Vec<(usize, f64)>,
        /// How much friction adds to the reaction that causes it, where friction is all there is: below one there
        /// is one solution.
        gain: Option<f64>,
    },
    /// A constraint with friction does not slip, and friction holds it.
    AtRest {
        /// Index of the constraint.
        constraint: usize,
        /// Whether friction is known to hold it: slip in a plane is not asked.
        holds: bool,
    },
    /// Reactions that a law uses, and that have no unique value.
    ReactionNotUnique {
        /// The rows.
        rows: Vec<usize>,
    },
    /// A coefficient of friction that depends on the motion has become negative.
    NegativeFriction {
        /// Index of the constraint.
        constraint: usize,
        /// The coefficient.
        coefficient: f64,
    },
    /// The reaction of a row is not a force at the point that is said to slide.
    NotAContact {
        /// The row.
        row: usize,
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

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MassMatrix => "mass matrix",
            Self::Force => "force",
            Self::Jacobian => "constraint Jacobian",
            Self::Bias => "right side of the constraints",
            Self::Direction => "directions of forces that hold constraints",
            Self::NonIdeal => "non-ideal force",
            Self::Acceleration => "acceleration",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { what, index } => {
                write!(f, "entry {index} of the {what} is not finite")
            }
            Self::NotPositive { speed, value } => write!(
                f,
                "the mass matrix is not positive: a motion with speed {speed} equal to 1 has twice the kinetic energy {value:e}"
            ),
            Self::Undetermined { .. } => {
                f.write_str("neither inertia nor constraints determine ")?;
                list(f, "speed", &self.undetermined_speeds())
            }
            Self::Contradictory { rows, residual } => {
                list(f, "constraint row", rows)?;
                write!(f, " cannot hold: the last differs by {residual:e}")
            }
            Self::NotReducible { rows } => {
                f.write_str("no speeds are independent under ")?;
                list(f, "constraint row", rows)?;
                f.write_str(": not linear in the velocities, or of accelerations")
            }
            Self::Painleve {
                rows,
                free,
                solutions,
                gain,
                ..
            } => {
                let count = if solutions.is_empty() {
                    "no"
                } else {
                    "several"
                };
                write!(f, "Painlevé: the law of ")?;
                list(f, "constraint row", rows)?;
                write!(
                    f,
                    " has {count} solutions; multipliers are {free:?} without it"
                )?;
                if !solutions.is_empty() {
                    write!(f, ", {solutions:?} with it")?;
                }
                match gain {
                    Some(gain) => write!(f, "; friction adds {gain} times the reaction to it"),
                    None => Ok(()),
                }
            }
            Self::AtRest { constraint, holds } => {
                write!(f, "constraint {constraint} does not slip")?;
                f.write_str(if *holds { ": friction holds it" } else { "" })
            }
            Self::ReactionNotUnique { rows } => {
                f.write_str("a law uses the reaction of ")?;
                list(f, "constraint row", rows)?;
                f.write_str(", which has no unique value")
            }
            Self::NegativeFriction {
                constraint,
                coefficient,
            } => write!(
                f,
                "the coefficient of friction of constraint {constraint} is {coefficient}"
            ),
            Self::NotAContact { row, part } => write!(
                f,
                "the reaction of constraint row {row} is not a force at the sliding point, by {part:e} of it"
            ),
            Self::NotHeld {
                rows,
                rank,
                needed,
                least,
            } => {
                f.write_str("no size of their forces holds ")?;
                list(f, "constraint row", rows)?;
                write!(
                    f,
                    ": the matrix of their effects has rank {rank} where {needed} is needed (least cosine {least:.1e})"
                )
            }
            Self::TooLarge => f.write_str("the factor of the equations would not fit memory"),
            Self::Imprecise { residual } => write!(
                f,
                "the equations are nearly singular: numbers meet them only to {residual:e}"
            ),
        }
    }
}

impl Error for Failure {}

fn list(f: &mut fmt::Formatter<'_>, noun: &str, items: &[usize]) -> fmt::Result {
    let plural = if items.len() == 1 { "" } else { "s" };
    write!(f, "{noun}{plural}")?;
    for (k, item) in items.iter().enumerate() {
        let comma = if k == 0 { "" } else { "," };
        write!(f, "{comma} {item}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Failure, Quantity};

    #[test]
    fn messages_have_the_numbers() {
        let failure = Failure::Contradictory {
            rows: vec![1, 4],
            residual: 0.5,
        };
        assert_eq!(
            failure.to_string(),
            "constraint rows 1, 4 cannot hold: the last differs by 5e-1"
        );
        let failure = Failure::Undetermined {
            directions: vec![vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]],
        };
        assert_eq!(
            failure.to_string(),
            "neither inertia nor constraints determine speeds 1, 2"
        );
        let failure = Failure::NotFinite {
            what: Quantity::Jacobian,
            index: 3,
        };
        assert_eq!(
            failure.to_string(),
            "entry 3 of the constraint Jacobian is not finite"
        );
    }
}
