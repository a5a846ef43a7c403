//! The formulations that equations are derived in.

use dalembert_expr::{UnknownName, chosen};
use dalembert_mechanics::formulation::Formulation;
use std::fmt;
use std::str::FromStr;

/// A formulation of the equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// With the multipliers of the rows: file `multipliers.rs`.
    Multipliers,
    /// Accelerations given explicitly: file `udwadia_kalaba.rs`.
    UdwadiaKalaba,
    /// Projected on the tangent space: file `projection.rs`.
    Projection,
    /// By Phong's orthogonal complement: file `complement.rs`.
    Complement,
    /// In independent speeds: file `independent.rs`.
    Independent,
    /// From the energies: file `lagrange.rs`.
    Lagrange,
}

impl Form {
    /// All of them; of equally long ones the first is the most readable.
    pub const ALL: [Self; 6] = [
        Self::Independent,
        Self::Lagrange,
        Self::Multipliers,
        Self::UdwadiaKalaba,
        Self::Projection,
        Self::Complement,
    ];

    /// The formulation of the same name in numbers, but for `lagrange`: there energies are numbers like any other.
    #[must_use]
    pub const fn in_numbers(self) -> Option<Formulation> {
        match self {
            Self::Multipliers => Some(Formulation::Multipliers),
            Self::UdwadiaKalaba => Some(Formulation::UdwadiaKalaba),
            Self::Projection => Some(Formulation::Projection),
            Self::Complement => Some(Formulation::Complement),
            Self::Independent => Some(Formulation::Independent),
            Self::Lagrange => None,
        }
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.in_numbers().map_or("lagrange", Formulation::name)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        chosen("formulation", &Self::ALL, Self::name, name)
    }
}
