//! What nature asks of the parameters of a run that is made elsewhere.

use dalembert_expr::{Cone, ExprId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::Requirement;
use dalembert_program::{Program, compile};

/// Something that nature asks of parameters.
#[derive(Clone, Debug)]
pub struct CarriedNeed {
    /// Of what, in words.
    pub of: String,
    /// What its values must be.
    pub must_be: MustBe,
}

/// What values must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MustBe {
    /// One that is positive.
    Positive,
    /// One that is not negative.
    NotNegative,
    /// One from 0 to 1.
    Part,
    /// Nine of a matrix of inertia, with the axes that the body turns about.
    Inertia([bool; 3]),
}

/// What nature asks of the parameters, as far as it does not depend on the motion.
pub(super) fn needs_of(mechanism: &Mechanism) -> Option<(Program, Vec<CarriedNeed>)> {
    let system = &mechanism.system;
    let (mut outputs, mut needs) = (Vec::new(), Vec::new());
    for need in &system.requirements {
        let (of, must_be, values): (String, MustBe, Vec<ExprId>) = match need {
            Requirement::Mass { of, value, .. } => {
                (format!("the mass of {of}"), MustBe::Positive, vec![*value])
            }
            Requirement::Inertia {
                of, matrix, turns, ..
            } => {
                let values = matrix.as_flattened().to_vec();
                (
                    format!("the inertia of {of}"),
                    MustBe::Inertia(*turns),
                    values,
                )
            }
            Requirement::Restitution { of, value, .. } => (
                format!("the restitution of {of}"),
                MustBe::Part,
                vec![*value],
            ),
            Requirement::Length {
                of,
                what,
                value,
                zero,
                ..
            } => {
                let must_be = match zero {
                    true => MustBe::NotNegative,
                    false => MustBe::Positive,
                };
                (format!("the {what} of {of}"), must_be, vec![*value])
            }
            Requirement::Friction {
                of, value, zero, ..
            } => {
                let must_be = match zero {
                    true => MustBe::NotNegative,
                    false => MustBe::Positive,
                };
                (format!("the friction of {of}"), must_be, vec![*value])
            }
            Requirement::Dry { of, value, .. } => (
                format!("the dry friction of {of}"),
                MustBe::NotNegative,
                vec![*value],
            ),
            // Looked at where it is used.
            Requirement::Holding { .. } => continue,
        };
        let symbols = Cone::new(&system.graph, &values).symbols(&system.graph);
        if symbols
            .iter()
            .any(|it| !system.symbols.parameters.contains(it))
        {
            continue;
        }
        outputs.extend(values);
        needs.push(CarriedNeed { of, must_be });
    }
    let program = compile(&system.graph, &system.symbols.parameters, &outputs).ok()?;
    Some((program, needs))
}
