//! Constraints held by chosen forces in place of their own reactions: servo constraints ([P99], end of §2).
//!
//! ```text
//! M q'' = h + A_rᵀ λ + Eᵀ μ        A q'' = b
//! ```
//!
//! A force that holds a constraint gives the direction E, as it is written; it does not act by itself any more. Its size μ is
//! found, and is the multiplier of the row it holds: the first force that of the first row, and so on, rows that say
//! 0 = 0 left out.
//!
//! [P99]: Dinh Van Phong, "An algorithm for deriving equations of motion…" (1999).

use super::Lowering;
use crate::diagnostic::Place;
use crate::ids::{ConstraintId, Id};
use crate::lower::{ForceId, RowId};
use crate::model::{Name, counted};

/// Coordinates and rows up to which constraints may be held by forces: their equations are not symmetric, and are
/// solved with full matrices.
const MOST: usize = 1000;

/// A row held by a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Servo {
    /// The row.
    pub row: RowId,
    /// Which of the system's forces gives the direction.
    pub force: ForceId,
}

impl Lowering<'_> {
    /// Which force holds which row.
    pub(super) fn servos(&mut self) {
        let model = self.model;
        let mut taken: Vec<(ForceId, &str)> = Vec::new();
        for (index, constraint) in Id::enumerate(&model.constraints) {
            let Some(first) = constraint.enforced_by.first() else {
                continue;
            };
            let name = &constraint.name.text;
            if constraint.nonideal.is_some() || constraint.friction.is_some() {
                let message =
                    format!("`{name}` has no reaction of its own that could be non-ideal");
                let help = "leave out `nonideal` and `friction`, or `enforced_by`; friction against the force is a force of its own";
                self.scope
                    .report("E0483", first.place.clone(), message, help);
            }
            let mut forces = Vec::new();
            for by in &constraint.enforced_by {
                let Some(force) = self.named_force(by) else {
                    continue;
                };
                if let Some((_, other)) = taken.iter().find(|(known, _)| *known == force) {
                    let message = format!("`{}` holds `{other}` already", by.text);
                    let help = "a force holds one row: name another one, or leave it out";
                    self.scope.report("E0481", by.place.clone(), message, help);
                } else {
                    taken.push((force, name));
                    forces.push(force);
                }
            }
            self.hold(index, &forces);
        }
        let size = model.coordinates.len() + self.rows.len();
        if let Some(place) = self.first_servo_place()
            && size > MOST
        {
            let message = format!(
                "constraints are held by forces in models of up to {MOST} coordinates and rows; here are {size}"
            );
            let help = "let the constraint be held by its own reaction";
            self.scope.report("E0484", place, message, help);
        }
    }

    /// Gives each row of a constraint its force.
    fn hold(&mut self, index: ConstraintId, forces: &[ForceId]) {
        let constraint = &self.model.constraints[index];
        let zero = self.graph().integer(0);
        let rows: Vec<RowId> = Id::enumerate(&self.rows)
            .filter(|(_, row)| row.constraint == index && row.residual != zero)
            .map(|(row, _)| row)
            .collect();
        if forces.len() < constraint.enforced_by.len() || !self.scope.diagnostics.is_empty() {
            return; // Something is wrong already.
        }
        if rows.len() != forces.len() {
            let (rows, forces) = (counted(rows.len(), "row"), counted(forces.len(), "force"));
            let message = format!(
                "`{}` has {rows}, but {forces} to hold it",
                constraint.name.text
            );
            let place = constraint.enforced_by[0].place.clone();
            let help = "name one force for each row";
            self.scope.report("E0482", place, message, help);
            return;
        }
        let pairs = rows.into_iter().zip(forces);
        self.servo
            .extend(pairs.map(|(row, &force)| Servo { row, force }));
    }

    /// The place of a force among those of the system.
    fn named_force(&mut self, by: &Name) -> Option<ForceId> {
        let forces = &self.model.forces;
        if let Some(i) = forces.iter().position(|force| force.name.text == by.text) {
            return Some(ForceId::new(self.first_force + i));
        }
        let known = forces.iter().map(|force| force.name.text.as_str());
        let near = self.scope.did_you_mean(&by.text, known);
        let help = near.unwrap_or_else(|| format!("describe it: [force.{}]", by.text));
        let message = format!("there is no force `{}`", by.text);
        self.scope.report("E0480", by.place.clone(), message, &help);
        None
    }

    fn first_servo_place(&self) -> Option<Place> {
        let mut names = self.model.constraints.iter().flat_map(|it| &it.enforced_by);
        names.next().map(|name| name.place.clone())
    }
}
