//! Rows, constraints and forces by the names that `record` calls them.

use super::{Lowering, Record};
use crate::ids::{ConstraintId, Id};
use crate::lower::{ForceId, RowId};
use std::collections::HashMap;

/// What prescribed motions are called in `power`.
pub const DRIVE: &str = "drive";

/// What each name stands for.
pub(super) struct Labels {
    constraints: HashMap<String, ConstraintId>,
    /// Rows, by their own name and by that of their constraint.
    rows: HashMap<String, Vec<RowId>>,
    /// Forces; a spring with a damper is two, `S.stiffness` and `S.damping` (with dry friction `S.dry` too), and `S` is all.
    forces: HashMap<String, Vec<ForceId>>,
}

impl Labels {
    pub(super) fn of(work: &Lowering<'_>) -> Self {
        let constraints = Id::enumerate(&work.model.constraints);
        let mut labels = Self {
            constraints: constraints
                .filter(|(_, it)| !it.identity)
                .map(|(id, it)| (it.name.text.clone(), id))
                .collect(),
            rows: HashMap::new(),
            forces: HashMap::new(),
        };
        for (i, row) in Id::enumerate(&work.rows).filter(|(_, row)| !row.identity) {
            let constraint = &work.model.constraints[row.constraint].name.text;
            labels.rows.entry(row.name.clone()).or_default().push(i);
            if *constraint != row.name {
                labels.rows.entry(constraint.clone()).or_default().push(i);
            }
        }
        for (i, force) in Id::enumerate(&work.forces) {
            let parts = force.name.match_indices('.').map(|(dot, _)| dot);
            for end in parts.chain([force.name.len()]) {
                let label = force.name[..end].to_owned();
                labels.forces.entry(label).or_default().push(i);
            }
        }
        labels
    }

    /// What `lambda(label)`, `reaction(label)` or `power(label)` records.
    pub(super) fn records(&self, function: &str, label: &str) -> Vec<Record> {
        let constraint = self.constraints.get(label).copied();
        match function {
            "lambda" => all(self.rows.get(label), Record::Multiplier),
            "reaction" => constraint.map(Record::Reaction).into_iter().collect(),
            _ => {
                let mut powers = all(self.forces.get(label), Record::ForcePower);
                powers.extend(constraint.map(Record::ConstraintPower));
                // A force or constraint of the model that is called so comes first.
                powers.extend((powers.is_empty() && label == DRIVE).then_some(Record::DrivePower));
                powers
            }
        }
    }
}

fn all<T>(ids: Option<&Vec<Id<T>>>, record: fn(Id<T>) -> Record) -> Vec<Record> {
    ids.into_iter().flatten().copied().map(record).collect()
}

impl Lowering<'_> {
    /// The names that a function of `record` knows.
    pub(super) fn known_labels(&self, function: &str) -> Vec<&str> {
        let constraints = self
            .model
            .constraints
            .iter()
            .filter(|constraint| !constraint.identity)
            .map(|constraint| constraint.name.text.as_str());
        let rows = self.rows.iter().filter(|row| !row.identity);
        let rows = rows.map(|row| row.name.as_str());
        let coordinates = self
            .model
            .coordinates
            .iter()
            .map(|(name, _)| name.text.as_str());
        let particles = self.model.particles.iter().map(|it| it.name.text.as_str());
        let bodies = self.model.bodies.iter().map(|it| it.name.text.as_str());
        let forces = self.forces.iter().map(|force| force.name.as_str());
        match function {
            "lambda" => rows.collect(),
            "reaction" => constraints.collect(),
            "gap" => {
                let contacts = self.model.constraints.iter();
                let contacts = contacts.filter(|it| it.is_contact());
                contacts.map(|it| it.name.text.as_str()).collect()
            }
            "momentum" => coordinates.collect(),
            "resultant" => particles.chain(bodies).collect(),
            _ => forces.chain(constraints).chain([DRIVE]).collect(),
        }
    }
}
