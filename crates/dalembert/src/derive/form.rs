//! The formulations that equations are derived in.

use dalembert_expr::named_choices;

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

// Of equally long ones the first is the most readable.
named_choices! {
    Form, "formulation", 6:
    Independent "independent", Lagrange "lagrange", Multipliers "multipliers", UdwadiaKalaba "udwadia-kalaba",
    Projection "projection", Complement "complement",
}
