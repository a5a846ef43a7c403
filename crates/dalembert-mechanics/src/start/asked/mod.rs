//! What is asked of a start, level by level, and what is told of the answer.
//!
//! | place | what |
//! |---|---|
//! | `given.rs` | numbers for what the user wrote |
//! | `positions.rs`, `velocities.rs` | the two levels |
//! | `senses.rs` | joints that closed the other way round |
//! | `branches.rs` | change points: one more question about velocities |
//! | `words.rs` | what conflicts, in words |

mod branches;
mod given;
mod positions;
mod senses;
mod velocities;
mod words;

use crate::diagnostic::{Diagnostic, Place};
use crate::dimensions::Units;
use crate::equations::Evaluator;
use crate::linear::Pattern;
use crate::lower::{Row, System};
use crate::mechanism::Mechanism;
use crate::mode::Mode;
use crate::model::Model;
use std::sync::Arc;

/// Puts the questions of one start.
pub(super) struct Assembler<'a> {
    model: &'a Model,
    system: &'a System,
    units: &'a Units,
    evaluator: Evaluator<'a>,
    t: f64,
}

impl<'a> Assembler<'a> {
    pub(super) fn new(mechanism: &'a Mechanism, t: f64) -> Self {
        Self {
            model: &mechanism.model,
            system: &mechanism.system,
            units: &mechanism.units,
            evaluator: mechanism.evaluator(),
            t,
        }
    }

    /// The time of the start.
    pub(super) const fn time(&self) -> f64 {
        self.t
    }

    /// Asks in another mode than that of the start.
    pub(super) fn set_mode(&mut self, mode: &Mode) {
        self.evaluator.set_mode(mode);
    }

    /// The evaluator at coordinates and rest.
    fn at_rest(&mut self, q: &[f64]) -> &mut Evaluator<'a> {
        self.evaluator.set_position(self.t, q);
        self.evaluator.set_rates(&vec![0.0; q.len()]);
        &mut self.evaluator
    }

    /// M at q and rest, with its pattern: of a tree in full, for unknowns are taken out of it, or its diagonal where no `rows` couple them.
    fn mass_at(&mut self, q: &[f64], rows: usize) -> (Arc<Pattern>, Vec<f64>) {
        let equations = self.evaluator.equations();
        let now = self.at_rest(q).canonical();
        match now.mass.tree() {
            Some(_) if rows == 0 => (
                Arc::new(Pattern::diagonal(q.len())),
                now.mass.whole_diagonal(),
            ),
            Some(_) => (
                Arc::new(Pattern::full_symmetric(q.len())),
                now.mass.to_vec(),
            ),
            None => (
                Arc::clone(equations.mass_pattern()),
                now.mass.values().to_vec(),
            ),
        }
    }

    /// Where the constraint of a row stands.
    fn place_of(&self, row: &Row) -> Place {
        self.model.constraints[row.constraint].holds.whole()
    }
}

fn error(code: &'static str, message: String, help: impl Into<String>, place: Place) -> Diagnostic {
    Diagnostic::error(code, place, message, help)
}
