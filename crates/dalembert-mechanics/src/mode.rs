//! What holds now: a mechanism whose constraints come and go has one set of programs for all of that, and a mode says which of its
//! rows count. A row that does not is zero, and so are its right side, its multiplier and the virtual-work vector of its constraint.

use crate::ids::ConstraintId;
use crate::lower::{Activity, Sense, System};
use dalembert_expr::{ExprId, SymbolId, evaluate};
use std::sync::Arc;

/// Which constraints are active; as the model starts, if nothing else is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// By constraint.
    active: Option<Arc<[bool]>>,
}

impl Mode {
    /// The mode in which every constraint is active.
    #[must_use]
    pub fn all_active(system: &System) -> Self {
        Self {
            active: Some(vec![true; system.activity.len()].into()),
        }
    }

    /// Whether each constraint of a system is active.
    #[must_use]
    pub fn of(&self, system: &System) -> Vec<bool> {
        self.among(&system.activity)
    }

    /// The same by what is known of when they are.
    pub(crate) fn among(&self, activity: &[Activity]) -> Vec<bool> {
        match &self.active {
            Some(active) => active.to_vec(),
            None => activity.iter().map(|it| it.at_start()).collect(),
        }
    }

    /// The mode in which a constraint is, or is not, active besides.
    #[must_use]
    pub fn with(&self, system: &System, constraint: ConstraintId, is_active: bool) -> Self {
        let mut active = self.of(system);
        active[constraint.index()] = is_active;
        Self {
            active: Some(active.into()),
        }
    }

    /// Whether a constraint is active.
    #[must_use]
    pub fn is_active(&self, system: &System, constraint: ConstraintId) -> bool {
        match &self.active {
            Some(active) => active[constraint.index()],
            None => system.activity[constraint.index()].at_start(),
        }
    }
}

/// The first joint that holds and stands the other way round: its rows are met with axes that point against each other.
pub(crate) fn reversed_joint(
    system: &System,
    mode: &Mode,
    value_of: impl Fn(SymbolId) -> f64,
) -> Option<ConstraintId> {
    let holds = |sense: &&Sense| mode.is_active(system, sense.constraint);
    let senses: Vec<&Sense> = system.senses.iter().filter(holds).collect();
    let cosines: Vec<ExprId> = senses.iter().map(|sense| sense.cosine).collect();
    let found = evaluate(&system.graph, &cosines, value_of);
    let wrong = |cosine: f64| cosine <= 0.0 || cosine.is_nan();
    let mut found = senses.into_iter().zip(found);
    found.find_map(|(sense, cosine)| wrong(cosine).then_some(sense.constraint))
}
