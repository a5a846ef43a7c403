//! What happens at an instant: conditions, and what they set off.
//!
//! ```text
//! M (q'⁺ − q'⁻) = p + Aᵀ Λ        p given, A of the rows that hold, and along the gradients of what is struck
//! ```

use super::dependence::Order;
use super::{Lowering, Sparse};
use crate::diagnostic::Diagnostic;
use crate::elaborate::Declared;
use crate::ids::ConstraintId;
use crate::model::{self, Expression, Impact, Load, Name};
use dalembert_expr::ExprId;
use dalembert_expr::syntax::{Join, Kind, meant_or_known};

/// When a constraint holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Always.
    Always,
    /// A contact: it opens and closes by itself, and is open unless a state says otherwise.
    Contact,
    /// It comes and goes by events; at the start it does, or does not.
    Changes {
        /// Whether it holds at the start.
        at_start: bool,
    },
}

impl Activity {
    /// Whether it holds at the start.
    #[must_use]
    pub const fn at_start(self) -> bool {
        matches!(self, Self::Always | Self::Changes { at_start: true })
    }

    /// Whether it comes and goes.
    #[must_use]
    pub const fn changes(self) -> bool {
        !matches!(self, Self::Always)
    }
}

/// A condition: comparisons, each before what joins it to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its parts; the last is the whole.
    pub parts: Vec<Part>,
}

/// A part of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A comparison.
    Above {
        /// Positive where it is true.
        value: ExprId,
        /// Whether it is true where this is zero, as `x >= 0` is.
        at_zero: bool,
    },
    /// The two before it, joined.
    Joined(Join),
}

impl Condition {
    /// The numbers of its comparisons, in order.
    pub fn values(&self) -> impl Iterator<Item = ExprId> {
        self.parts.iter().filter_map(|part| match part {
            Part::Above { value, .. } => Some(*value),
            Part::Joined(_) => None,
        })
    }
}

/// What is set at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A coordinate.
    Coordinate(usize),
    /// The rate of one.
    Rate(usize),
    /// A speed.
    Speed(usize),
}

/// A direction along which something is struck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struck {
    /// The rate of the expression.
    pub rate: ExprId,
    /// Its gradient.
    pub jacobian: Sparse,
}

/// What happens when a condition becomes true, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The condition.
    pub when: Condition,
    /// New values.
    pub set: Vec<(Target, ExprId)>,
    /// Constraints that hold no longer.
    pub release: Vec<ConstraintId>,
    /// Constraints that hold from then on.
    pub engage: Vec<ConstraintId>,
    /// The generalized impulse that is given, by coordinate.
    pub impulse: Sparse,
    /// What is struck.
    pub struck: Vec<Struck>,
    /// How much of the rates of what is struck comes back.
    pub restitution: Option<ExprId>,
    /// Whether the run ends.
    pub stop: bool,
}

impl Event {
    /// Whether velocities jump by a blow.
    #[must_use]
    pub fn is_blow(&self) -> bool {
        !self.engage.is_empty() || !self.impulse.is_empty() || !self.struck.is_empty()
    }
}

impl Lowering<'_> {
    /// When the constraints hold.
    pub(super) fn activity(&mut self) -> Vec<Activity> {
        let model = self.model;
        let mut all = Vec::with_capacity(model.constraints.len());
        for (index, constraint) in model.constraints.iter().enumerate() {
            if constraint.is_contact() && !constraint.closed {
                all.push(Activity::Contact);
                continue;
            }
            let at_start = constraint.active;
            if at_start && !self.is_named_by_events(&constraint.name.text) {
                all.push(Activity::Always);
                continue;
            }
            all.push(Activity::Changes { at_start });
            let name = &constraint.name.text;
            let engaged = || {
                let mut names = model.events.iter().flat_map(|event| &event.engage);
                names.any(|it| it.text == *name)
            };
            if !at_start && !engaged() {
                let message = format!("`{name}` is not active, and no event engages it");
                let help = format!("add an event with engage = \"{name}\", or leave it out");
                let place = constraint.holds.whole();
                let warning = Diagnostic::warning("W0494", place, message, help);
                self.warnings.push(warning);
            }
            let work: Vec<ExprId> = match self.nonideal.get(index) {
                Some(work) => work.iter().map(|&(_, value)| value).collect(),
                None => Vec::new(),
            };
            // Friction goes with its normal force.
            let rubs = constraint.friction.is_some();
            let lawful = self.scope.holds_reaction(&work) && !rubs;
            let what = match () {
                () if rubs && constraint.nonideal.is_some() => "friction beside `nonideal`",
                () if lawful => "a virtual-work vector that uses reactions",
                () if !constraint.enforced_by.is_empty() => "forces that hold it",
                () => continue,
            };
            let message = format!("`{name}` comes and goes, and has {what}");
            let help = "leave that out: constraints that are engaged or released are held by their own reactions, with friction or an ideal or given virtual-work vector";
            let place = constraint.name.place.clone();
            self.scope.report("E0493", place, message, help);
        }
        all
    }

    /// Whether events engage or release a constraint.
    pub(super) fn is_named_by_events(&self, constraint: &str) -> bool {
        let events = self.model.events.iter();
        let mut names = events.flat_map(|event| event.engage.iter().chain(&event.release));
        names.any(|it| it.text == constraint)
    }

    pub(super) fn events(&mut self) -> Vec<Event> {
        let model = self.model;
        let events = model.events.iter();
        events.filter_map(|event| self.event(event)).collect()
    }

    fn event(&mut self, event: &model::Event) -> Option<Event> {
        let when = self.condition(&event.when);
        let set: Vec<Option<(Target, ExprId)>> =
            event.set.iter().map(|it| self.setting(it)).collect();
        let release = self.constraints_named(&event.release);
        let engage = self.constraints_named(&event.engage);
        let impulse = event.impulse.as_ref().map(|load| self.impulse(load));
        let impact = event.impact.as_ref().map(|it| self.impact(event, it));
        let (struck, restitution) = match impact {
            Some(found) => found?,
            None => (Vec::new(), None),
        };
        Some(Event {
            name: event.name.text.clone(),
            when: when?,
            set: set.into_iter().collect::<Option<_>>()?,
            release: release?,
            engage: engage?,
            impulse: match impulse {
                Some(impulse) => impulse?,
                None => Sparse::new(),
            },
            struck,
            restitution,
            stop: event.stop,
        })
    }

    /// A coordinate, a rate or a speed, and its new value.
    fn setting(&mut self, (key, value): &(Expression, Expression)) -> Option<(Target, ExprId)> {
        let target = match &key.tree[key.tree.root()].kind {
            Kind::Name { name, primes } => match (self.scope.names().get(name), primes) {
                (Some(Declared::Coordinate(i)), 0) => Some(Target::Coordinate(i)),
                (Some(Declared::Coordinate(i)), 1) => Some(Target::Rate(i)),
                (Some(Declared::Speed(k)), 0) => Some(Target::Speed(k)),
                _ => None,
            },
            _ => None,
        };
        if target.is_none() {
            let model = self.model;
            let coordinates = model.coordinates.iter().map(|(name, _)| &name.text);
            let known = coordinates.flat_map(|name| [name.clone(), format!("{name}'")]);
            let speeds = model.speeds.iter().map(|(name, _)| name.text.clone());
            let known: Vec<String> = known.chain(speeds).collect();
            let help = meant_or_known(&key.text, known.iter().map(String::as_str));
            let message = format!("`{}` is no coordinate, rate or speed", key.text);
            self.scope
                .refuse_whole(key, "E0491", message, help.unwrap_or_default());
        }
        let found = self.scope.scalar(value)?;
        self.limit_order(value, found, 1, "a new value")
            .then_some((target?, found))
    }

    fn constraints_named(&mut self, names: &[Name]) -> Option<Vec<ConstraintId>> {
        let constraints = &self.model.constraints;
        let mut found = Vec::new();
        for name in names {
            let known = constraints.iter().position(|it| it.name.text == name.text);
            if known.is_none() {
                let known = constraints.iter().map(|it| it.name.text.as_str());
                let near = self.scope.did_you_mean(&name.text, known);
                let help =
                    near.unwrap_or_else(|| format!("describe it: [constraint.{}]", name.text));
                let message = format!("there is no constraint `{}`", name.text);
                self.scope
                    .report("E0490", name.place.clone(), message, &help);
            }
            if known.is_some_and(|at| constraints[at].identity) {
                let message = format!(
                    "`{}` is an identity of the coordinates, and holds always",
                    name.text
                );
                let help = "leave it out; a constraint that comes and goes is no identity";
                self.scope
                    .report("E0490", name.place.clone(), message, help);
                continue;
            }
            found.extend(known.map(ConstraintId::new));
        }
        (found.len() == names.len()).then_some(found)
    }

    fn impulse(&mut self, load: &Load) -> Option<Sparse> {
        let impulse = self.load(load)?;
        let values: Vec<ExprId> = impulse.iter().map(|&(_, value)| value).collect();
        if !self.scope.holds_reaction(&values) {
            return Some(impulse);
        }
        let expression = match load {
            Load::Generalized(components) => components.first().map(|(_, value)| value),
            Load::Along { size, .. } => Some(size),
            Load::Applied { vector, torque, .. } => vector.as_ref().or(torque.as_ref()),
        };
        let message = "an impulse is given, and cannot depend on reactions";
        let help = "write it in coordinates, rates and time";
        if let Some(expression) = expression {
            self.scope.refuse_whole(expression, "E0470", message, help);
        }
        None
    }

    /// What is struck, and how much of its rate comes back.
    fn impact(
        &mut self,
        event: &model::Event,
        impact: &Impact,
    ) -> Option<(Vec<Struck>, Option<ExprId>)> {
        let mut struck = Vec::new();
        for on in &impact.on {
            let value = self.scope.scalar(on)?;
            let found = self.depends_on(value);
            if found.order != 0 || !found.motion {
                let message = "a blow acts along the gradient of a function of the coordinates";
                let help = "write the gap that closes, such as on = \"y\"";
                self.scope.refuse_whole(on, "E0492", message, help);
                return None;
            }
            struck.push(Struck {
                rate: self.scope.rate(value),
                jacobian: self.sparse_gradient(value, Order::Coordinates),
            });
        }
        let Some(restitution) = &impact.restitution else {
            return Some((struck, None));
        };
        let value = self.restitution(&event.name.text, restitution)?;
        Some((struck, Some(value)))
    }
}
