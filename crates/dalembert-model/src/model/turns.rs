//! Angles of joints in space that count turns.
//!
//! What a joint in space measures is an angle up to whole turns, atan2(s, c). Where a model speaks of it, in a force, a record, a start of
//! more than half a turn or another joint, the angle θ is a coordinate of its own, which obeys an identity: it is what is measured, but for whole turns.
//!
//! ```text
//! atan2(s cos θ − c sin θ, c cos θ + s sin θ) = 0
//! ```
//!
//! The slope by θ is −1 everywhere, so that θ' is the rate of the joint, and what acts along θ acts on the bodies. Where nothing speaks of it,
//! nothing is added: equations in symbols stay those of the bodies. Done last of all, when parts have joined and options are known.

use super::{Constraint, Expression, Gauge, Load, Model, Name, SpringSpan, StartValue};
use dalembert_expr::syntax::{Arithmetic, Kind, Tree};
use std::borrow::Cow;
use std::collections::HashSet;
use std::f64::consts::PI;

/// What the identity of a joint is called, beside what it measures.
pub(super) const TURNS: &str = "turns";
pub(super) const ANGLE: &str = "angle";

impl Model {
    /// The same with a coordinate for each angle in space that it speaks of.
    #[must_use]
    pub fn with_turns(mut self) -> Self {
        if self.turns.is_empty() {
            return self;
        }
        let spoken_of = names_of_angles(&self);
        for identity in std::mem::take(&mut self.turns) {
            let stem = identity.name.text.strip_suffix(TURNS).unwrap_or_default();
            let text = format!("{stem}{ANGLE}");
            if !spoken_of.contains(&text) {
                self.turns.push(identity);
                continue;
            }
            self.definitions.retain(|(name, _)| name.text != text);
            let place = identity.name.place.clone();
            let start = self.started(&text).unwrap_or(StartValue {
                value: None,
                must: false,
                place: place.clone(),
            });
            self.coordinates.push((Name { text, place }, start));
            let identities = self.constraints.iter().filter(|it| it.identity).count();
            self.constraints.insert(identities, identity);
        }
        self
    }

    /// Whether a coordinate is the angle of a joint that counts turns: it moves bodies by its identity alone.
    #[must_use]
    pub fn counts_turns(&self, coordinate: &str) -> bool {
        let stem = coordinate.strip_suffix(ANGLE).unwrap_or_default();
        let mut identities = self.constraints.iter().filter(|it| it.identity);
        identities.any(|it| it.name.text.strip_suffix(TURNS) == Some(stem))
    }

    /// The same with such angles as the bodies show them, θ + atan2(…) with the coordinate θ beside it: so one asks what acts on the bodies.
    #[must_use]
    pub fn with_measured_turns(&self) -> Cow<'_, Self> {
        let names = self.coordinates.iter().map(|(name, _)| &name.text);
        let wound: Vec<String> = names.filter(|it| self.counts_turns(it)).cloned().collect();
        if wound.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut model = self.clone();
        for angle in wound {
            let stem = angle.strip_suffix(ANGLE).unwrap_or_default();
            let counted = format!("{stem}counted");
            let other = |name: &str| (name == angle).then(|| counted.clone());
            let mut coordinates = model.coordinates.iter_mut();
            if let Some((name, _)) = coordinates.find(|(name, _)| name.text == angle) {
                name.text.clone_from(&counted);
            }
            let own = |it: &&mut Constraint| it.name.text.strip_suffix(TURNS) == Some(stem);
            if let Some(identity) = model.constraints.iter_mut().find(own) {
                let tree = identity.holds.tree.clone().renamed(other);
                let name = Name {
                    text: angle.clone(),
                    place: identity.name.place.clone(),
                };
                let measured = Expression {
                    tree: beside(tree.clone(), &counted),
                    ..identity.holds.clone()
                };
                identity.holds.tree = tree;
                model.definitions.push((name, measured));
            }
        }
        Cow::Owned(model)
    }

    /// What [start] says of a quantity that becomes a coordinate.
    fn started(&mut self, name: &str) -> Option<StartValue> {
        let is_own = |key: &Expression| matches!(key.tree.dotted(key.tree.root()), Some((it, 0)) if it == name);
        let place = self.start.iter().position(|(key, _)| is_own(key))?;
        Some(self.start.remove(place).1)
    }
}

/// f + θ, of an identity f = 0.
fn beside(identity: Tree, angle: &str) -> Tree {
    let Kind::Relation { right: zero, .. } = identity[identity.root()].kind else {
        return identity;
    };
    identity.with_kinds(|id, kind| match kind {
        Kind::Relation { left, right, .. } => {
            let (op, left, right) = (Arithmetic::Add, *left, *right);
            *kind = Kind::Binary { op, left, right };
        }
        _ if id == zero => {
            let (name, primes) = (angle.into(), 0);
            *kind = Kind::Name { name, primes };
        }
        _ => {}
    })
}

/// The angles that a model speaks of, by name.
fn names_of_angles(model: &Model) -> HashSet<String> {
    let mut found = HashSet::new();
    for expression in expressions(model) {
        let tree = &expression.tree;
        let names = tree.ids().filter_map(|id| tree.dotted(id));
        let is_angle = |(name, _): &(String, u8)| name.rsplit('.').next() == Some(ANGLE);
        found.extend(names.filter(is_angle).map(|(name, _)| name));
    }
    found
}

/// Everything that a model says in expressions, but for what bodies and parameters are.
fn expressions(model: &Model) -> Vec<&Expression> {
    let mut all: Vec<&Expression> = model.definitions.iter().map(|(_, it)| it).collect();
    let coordinates = model.coordinates.iter().map(|(_, start)| start);
    all.extend(coordinates.flat_map(|it| &it.value));
    for (key, start) in &model.start {
        // What sets out within half a turn, and is not spoken of again, has no turns to count.
        let plain = start.value.as_ref().is_some_and(is_within_half_a_turn);
        all.extend(Some(key).filter(|_| !plain).into_iter().chain(&start.value));
    }
    all.extend(model.speeds.iter().map(|(_, it)| it));
    all.extend(model.particles.iter().map(|it| &it.position));
    all.extend(model.frames.iter().map(|it| &it.attitude));
    all.extend(
        model
            .bodies
            .iter()
            .flat_map(|it| [&it.center, &it.attitude]),
    );
    if let Some(it) = &model.energy {
        all.extend(
            [&it.kinetic, &it.potential, &it.dissipation]
                .into_iter()
                .flatten(),
        );
    }
    if let Some(it) = &model.dynamics {
        all.extend(it.mass_matrix.iter().flatten().chain(&it.force));
    }
    model.forces.iter().for_each(|it| load(&it.load, &mut all));
    for spring in &model.springs {
        match &spring.span {
            SpringSpan::Between(ends) => all.extend(ends.iter()),
            SpringSpan::On(measure) => all.push(measure),
        }
        let given = [
            &spring.stiffness,
            &spring.length,
            &spring.damping,
            &spring.dry,
        ];
        all.extend(given.into_iter().flatten());
    }
    for constraint in &model.constraints {
        all.extend([&constraint.holds].into_iter().chain(&constraint.also));
        constraint.nonideal.iter().for_each(|it| load(it, &mut all));
        all.extend(constraint.restitution.iter().map(|it| &it.value));
        if let Some(it) = &constraint.friction {
            let given = [&it.holding, &it.at, &it.smoothing].into_iter().flatten();
            all.extend([&it.coefficient].into_iter().chain(given));
        }
    }
    for event in &model.events {
        all.push(&event.when);
        all.extend(event.set.iter().flat_map(|(key, value)| [key, value]));
        event.impulse.iter().for_each(|it| load(it, &mut all));
        let impacts = event.impact.iter();
        all.extend(impacts.flat_map(|it| it.on.iter().chain(&it.restitution)));
    }
    all.extend(model.run.until.iter().chain(&model.run.record));
    all.extend(model.run.gauges.iter().flat_map(Gauge::expressions));
    all
}

/// Whether a value is written as a number of less than half a turn.
fn is_within_half_a_turn(value: &Expression) -> bool {
    let tree = &value.tree;
    let number = match &tree[tree.root()].kind {
        Kind::Signed { operand, .. } => *operand,
        _ => tree.root(),
    };
    let (number, half) = match &tree[number].kind {
        Kind::Number(number) => (number, PI),
        Kind::Quantity { number, unit } => match &**unit {
            [unit] if unit.power == 1 && &*unit.name.text == "deg" => (number, 180.0),
            [unit] if unit.power == 1 && &*unit.name.text == "rad" => (number, PI),
            _ => return false,
        },
        _ => return false,
    };
    number.abs().to_f64() < half
}

fn load<'m>(load: &'m Load, all: &mut Vec<&'m Expression>) {
    match load {
        Load::Generalized(components) => all.extend(components.iter().map(|(_, it)| it)),
        Load::Along { measure, size } => all.extend([measure, size]),
        Load::Applied {
            at, vector, torque, ..
        } => all.extend([at, vector, torque].into_iter().flatten()),
    }
}
