//! Contacts: constraints that press and do not pull.
//!
//! ```text
//! g(q, t) ≥ 0      closed:  g = 0,  λ ≥ 0,  g'' ≥ 0,  λ g'' = 0        open:  λ = 0
//! ```
//!
//! The row is the larger side minus the smaller: the gap. Which contacts are closed is found at the start and along a run.

use super::{Lowering, Requirement};
use crate::ids::Id;
use crate::lower::{Level, Row, RowId};
use crate::model::{Constraint, Expression, Name};
use dalembert_expr::ExprId;

/// A contact, lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unilateral {
    /// Its row: the gap.
    pub row: RowId,
    /// How much comes back of an impact; nothing if not said.
    pub restitution: Option<ExprId>,
    /// Whether that is of the impulse (Poisson), and not of the velocity (Newton).
    pub poisson: bool,
}

impl Lowering<'_> {
    /// Whether the sides of a constraint are such that it can be held as it is written; says so where not.
    pub(super) fn may_be_held(&mut self, constraint: &Constraint, residuals: &[ExprId]) -> bool {
        let name = &constraint.name.text;
        if !constraint.is_contact() {
            if let Some(restitution) = &constraint.restitution {
                let message = format!("`{name}` is an equation, and nothing comes back from it");
                let help = "write >= or <= for a contact that closes with an impact, or leave `restitution` out";
                self.scope
                    .refuse_whole(&restitution.value, "E0561", message, help);
            }
            return true;
        }
        let holds = &constraint.holds;
        let &[gap] = residuals else {
            let message = format!("`{name}` compares vectors");
            let help = "a contact is one number, its gap: compare a distance, or one component";
            self.scope.refuse_whole(holds, "E0560", message, help);
            return false;
        };
        let found = self.depends_on(gap);
        if found.order == 0 && found.motion {
            return true;
        }
        let message = match found.order {
            0 => format!("`{name}` does not depend on the coordinates"),
            _ => format!("`{name}` compares rates"),
        };
        let help = "a contact is a gap between positions, such as y >= r; let an event engage and release what holds rates";
        self.scope.refuse_whole(holds, "E0560", message, help);
        false
    }

    /// The contacts, and what cannot be enforced on them.
    pub(super) fn unilateral(&mut self) -> Vec<Unilateral> {
        let model = self.model;
        let mut found = Vec::new();
        for (id, constraint) in Id::enumerate(&model.constraints) {
            if !constraint.is_contact() || constraint.closed {
                continue;
            }
            self.refuse_beside_contact(constraint);
            let own = |row: &Row| row.constraint == id && row.level == Level::Position;
            let row = Id::enumerate(&self.rows).find(|(_, row)| own(row));
            let Some(row) = row.map(|(row, _)| row) else {
                continue;
            };
            let restitution = match &constraint.restitution {
                None => None,
                Some(it) => self.restitution(&constraint.name.text, &it.value),
            };
            found.push(Unilateral {
                row,
                restitution,
                poisson: constraint.restitution.as_ref().is_some_and(|it| it.poisson),
            });
        }
        if !found.is_empty() {
            self.refuse_beside_poisson();
        }
        found
    }

    /// One law of restitution for all contacts.
    fn refuse_beside_poisson(&mut self) {
        let contacts = self.model.constraints.iter().filter(|it| it.is_contact());
        let poisson = |it: &Constraint| it.restitution.as_ref().map(|it| it.poisson);
        if !contacts.clone().any(|it| poisson(it) == Some(true)) {
            return;
        }
        for contact in contacts.filter(|it| poisson(it) == Some(false)) {
            let name = &contact.name.text;
            let message = format!("`{name}` has Newton's restitution, and the model has Poisson's");
            let help = "take one law of restitution for all contacts";
            self.scope
                .report("E0562", contact.name.place.clone(), message, help);
        }
    }

    /// A coefficient of restitution of something that is called so.
    pub(super) fn restitution(&mut self, of: &str, expression: &Expression) -> Option<ExprId> {
        let value = self.scope.scalar(expression)?;
        if !self.limit_order(expression, value, 1, "a coefficient of restitution") {
            return None;
        }
        let found = self.depends_on(value);
        if !found.motion && !found.time {
            self.requirements.push(Requirement::Restitution {
                of: of.to_owned(),
                value,
                place: expression.whole(),
            });
        }
        Some(value)
    }

    fn refuse_beside_contact(&mut self, constraint: &Constraint) {
        let named = |name: &Name| name.text == constraint.name.text;
        let mut events = self.model.events.iter();
        let event = events.find(|it| it.engage.iter().chain(&it.release).any(named));
        let smooth = || {
            let friction = constraint.friction.as_ref();
            friction.and_then(|it| it.smoothing.as_ref())
        };
        let name = &constraint.name.text;
        let (what, place) = match () {
            () if constraint.nonideal.is_some() => ("`nonideal`", constraint.name.place.clone()),
            () if !constraint.enforced_by.is_empty() => {
                ("`enforced_by`", constraint.enforced_by[0].place.clone())
            }
            () if !constraint.active => ("`active = false`", constraint.name.place.clone()),
            () if event.is_some() => (
                "an event that engages or releases it",
                event.map_or_else(|| constraint.name.place.clone(), |it| it.name.place.clone()),
            ),
            () if smooth().is_some() => (
                "`smoothing`",
                smooth().map_or_else(|| constraint.name.place.clone(), |it| it.whole()),
            ),
            () => return,
        };
        let message = format!("`{name}` is a contact, and has {what}");
        let help = "a contact opens and closes by itself, and takes `restitution` and `friction` (coefficient, static, at, against) only";
        self.scope.report("E0562", place, message, help);
    }
}
