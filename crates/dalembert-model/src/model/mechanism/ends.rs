//! What a joint connects: points of bodies, particles and the ground.

use crate::diagnostic::Place;
use crate::model::check::Check;
use crate::model::form_codes::names as code;
use crate::model::{Expression, Model, Name};
use dalembert_expr::syntax::{Kind, meant_or_known};
use std::collections::HashMap;

/// Bodies and particles by their names, as far as a model has them.
#[derive(Default)]
pub(in crate::model) struct Owners {
    by_name: HashMap<String, Owner>,
    bodies: usize,
    particles: usize,
}

impl Owners {
    /// The body or particle of a name.
    fn get(&mut self, model: &Model, name: &str) -> Option<Owner> {
        for (index, body) in model.bodies.iter().enumerate().skip(self.bodies) {
            let entry = self.by_name.entry(body.name.text.clone());
            entry.or_insert(Owner::Body(index));
        }
        for particle in model.particles.iter().skip(self.particles) {
            let entry = self.by_name.entry(particle.name.text.clone());
            entry.or_insert(Owner::Particle);
        }
        (self.bodies, self.particles) = (model.bodies.len(), model.particles.len());
        self.by_name.get(name).copied()
    }
}

/// What an end of a joint belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Ground,
    /// By index.
    Body(usize),
    Particle,
}

/// An end of a joint.
pub(super) struct End {
    pub(super) owner: Owner,
    /// What it belongs to, by name.
    pub(super) name: String,
    /// The point itself.
    pub(super) point: Expression,
}

impl End {
    /// What it belongs to; none of the ground.
    pub(super) fn owner_name(&self) -> Option<Name> {
        let place = self.point.whole();
        let text = self.name.clone();
        (self.owner != Owner::Ground).then_some(Name { text, place })
    }

    /// A body or the ground in whose axes directions can be given.
    pub(super) fn has_axes(&self) -> bool {
        self.owner != Owner::Particle
    }
}

impl Check {
    /// What `between` of a joint names.
    pub(super) fn end(&mut self, model: &Model, given: Expression) -> Option<End> {
        let tree = &given.tree;
        // The body, and whether it stands for its mass centre.
        let (owner, whole) = match &tree[tree.root()].kind {
            Kind::Name { name, primes: 0 } => (Some(name.to_string()), true),
            Kind::Member { primes: 0, .. } => {
                let dotted = tree.dotted(tree.root());
                let owner = dotted.and_then(|(name, _)| Some(name.rsplit_once('.')?.0.to_owned()));
                (owner, false)
            }
            Kind::Call {
                function,
                arguments,
            } if *function.text == *"point" && !arguments.is_empty() => {
                (tree.dotted(arguments[0].value).map(|(name, _)| name), false)
            }
            _ => (None, false),
        };
        let Some(name) = owner else {
            let message = "a joint connects points of bodies, particles or the ground";
            let help = "write a named point such as link.tip, point(link, [a, b, c]), or the name of a body for its mass centre";
            self.mistakes
                .report(code::NOT_A_NAME, given.whole(), message, help);
            return None;
        };
        let (owner, center) = match self.owners.get(model, &name) {
            Some(owner @ Owner::Particle) => (owner, format!("pos({name})")),
            Some(owner) => (owner, format!("{name}.center")),
            None if name == "ground" => (Owner::Ground, "point(ground, [0, 0, 0])".to_owned()),
            None => {
                self.no_such_end(model, &name, given.whole());
                return None;
            }
        };
        let point = match whole {
            true => self.made(&given.whole(), &center)?,
            false => given,
        };
        Some(End { owner, name, point })
    }

    fn no_such_end(&mut self, model: &Model, name: &str, place: Place) {
        let bodies = model.bodies.iter().map(|body| &body.name);
        let known: Vec<&Name> = bodies
            .chain(model.particles.iter().map(|it| &it.name))
            .collect();
        let names = known.iter().map(|it| it.text.as_str()).chain(["ground"]);
        let help = meant_or_known(name, names).unwrap_or_default();
        let message = format!("there is no body or particle `{name}`");
        self.mistakes
            .report(code::NO_SUCH_END, place, message, help);
    }
}
