//! Why nothing is known about an equation.

use dalembert_expr::normal::Outside;
use dalembert_symbolic::surface::Unsolved;
use std::fmt;

/// Why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// The rows cannot be solved.
    Surface(Unsolved),
    /// Beyond the normal form.
    Outside(Outside),
    /// The equation holds products of accelerations or multipliers.
    NotLinear,
    /// The equation holds multipliers that are not unique.
    NotUnique,
    /// The accelerations are not determined.
    Undetermined,
    /// A force of the model depends on reactions in a way that is not linear.
    Law,
    /// Branches meet at the start, and its motion is on none that symbols describe.
    ChangePoint,
}

impl From<Outside> for Open {
    fn from(outside: Outside) -> Self {
        Self::Outside(outside)
    }
}

impl From<Unsolved> for Open {
    fn from(unsolved: Unsolved) -> Self {
        Self::Surface(unsolved)
    }
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Surface(unsolved) => unsolved.fmt(f),
            Self::Outside(outside) => outside.fmt(f),
            Self::NotLinear => f.write_str("it is not linear in the accelerations and multipliers"),
            Self::NotUnique => f.write_str("it holds a multiplier that is not unique"),
            Self::Undetermined => f.write_str("the accelerations are not determined"),
            Self::ChangePoint => f.write_str(
                "the start is a change point, and the motion that begins there leaves the branch that is solved in symbols",
            ),
            Self::Law => write!(
                f,
                "{}, which have no closed form beside laws that hold reactions",
                Self::NotLinear
            ),
        }
    }
}
