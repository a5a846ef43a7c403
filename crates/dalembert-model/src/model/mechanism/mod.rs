//! Bodies and joints: one more way to write a model.
//!
//! A body without written kinematics gets coordinates of its own, a joint becomes a constraint and some definitions. All of it
//! is text of the language of models, so that everything behind the reader works on mechanisms as on coordinates.

mod attitudes;
mod axes;
mod contact;
mod ends;
mod free_body;
mod joint;
mod kinds;
mod relative;

pub(super) use ends::Owners;
pub(super) use kinds::TYPES;
pub use relative::Hanging;
pub(super) use relative::{Hinge, spoken_of};

use super::check::Check;
use super::source::{Entry, Item, Table, Text};
use super::{Constraint, Expression, Frame, Model, Name, Origin, StartValue};
use crate::diagnostic::Place;
use dalembert_expr::syntax::{Kind, parse_expression};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What bodies and joints add to a model.
#[derive(Default)]
pub(super) struct Made {
    pub(super) coordinates: Vec<(Name, StartValue)>,
    pub(super) start: Vec<(Expression, StartValue)>,
    pub(super) definitions: Vec<(Name, Expression)>,
    pub(super) speeds: Vec<(Name, Expression)>,
    pub(super) identities: Vec<Constraint>,
    pub(super) turns: Vec<Constraint>,
    pub(super) frames: Vec<Frame>,
}

/// Names with a dot that bodies and joints of a file have, before anything of it is read.
pub(super) fn dotted_names(root: &Table) -> HashSet<Arc<str>> {
    let mut found = HashSet::new();
    let tables = |kind: &str| {
        let entry = root.entries.iter().find(|entry| entry.key.text == kind);
        match entry.map(|entry| &entry.item) {
            Some(Item::Table(table)) => table.entries.as_slice(),
            _ => &[],
        }
    };
    let is_planar =
        |entry: &Entry| entry.key.text == "planar" && matches!(entry.item, Item::Switch(true, _));
    let members = match root.entries.iter().any(is_planar) {
        true => free_body::IN_PLANE,
        false => free_body::IN_SPACE,
    };
    for body in tables("body") {
        if free_body::is_free(&body.item) {
            let name = &body.key.text;
            found.extend(
                members
                    .iter()
                    .map(|member| format!("{name}.{member}").into()),
            );
        }
    }
    for joint in tables("joint") {
        let name = &joint.key.text;
        found.extend(kinds::members(&joint.item).map(|member| format!("{name}.{member}").into()));
    }
    for contact in tables("contact") {
        let name = &contact.key.text;
        found.extend(contact::MEMBERS.map(|member| format!("{name}.{member}").into()));
    }
    found
}

impl Check {
    /// An expression that the program writes for something the user named.
    fn made(&mut self, of: &Place, text: &str) -> Option<Expression> {
        let given = Text {
            text: text.to_owned(),
            origin: Origin::Of(of.clone()),
        };
        let tree = self.parsed(&given, parse_expression(text))?;
        Some(Expression {
            text: given.text,
            tree,
            origin: given.origin,
        })
    }

    fn define(&mut self, of: &Name, member: &str, value: Expression) {
        let text = format!("{}.{member}", of.text);
        let place = of.place.clone();
        self.made.definitions.push((Name { text, place }, value));
    }

    /// Where free bodies or parts have speeds and the file names none, those of all other coordinates are their rates.
    fn complete_speeds(&mut self, model: &mut Model, made: &Made) {
        let speeds = || model.speeds.iter().chain(&made.speeds);
        if speeds().next().is_none() {
            return;
        }
        let nodes = speeds().flat_map(|(_, speed)| speed.tree.nodes());
        let rates = nodes.filter_map(|node| match &node.kind {
            Kind::Name { name, primes: 1 } => Some(&**name),
            _ => None,
        });
        let rates: HashSet<&str> = rates.collect();
        let names = model.coordinates.iter().chain(&made.coordinates);
        let names = names.map(|(name, _)| name);
        let others: Vec<Name> = names
            .filter(|name| !rates.contains(name.text.as_str()))
            .cloned()
            .collect();
        for Name { text, place } in others {
            let text = format!("{text}'");
            if let Some(rate) = self.made(&place, &text) {
                model.speeds.push((Name { text, place }, rate));
            }
        }
    }

    /// Adds what bodies and joints made of themselves. What [start] says of their coordinates and rates wins over guesses.
    pub(super) fn add_made(&mut self, model: &mut Model, has_speeds: bool) {
        let mut made = std::mem::take(&mut self.made);
        let mut given = std::mem::take(&mut model.start);
        adopt(&mut made, &mut given);
        if self.relative {
            self.hang(model, &mut made);
            adopt(&mut made, &mut given);
        } else {
            model.could_hang = self.who_could_hang(model, &made);
        }
        let root = |key: &Expression| key.tree.dotted(key.tree.root());
        let said: HashSet<_> = given.iter().filter_map(|(key, _)| root(key)).collect();
        let unsaid = |(key, _): &(Expression, _)| root(key).is_none_or(|it| !said.contains(&it));
        made.start.retain(unsaid);
        if !has_speeds {
            self.complete_speeds(model, &made);
        }
        model.speeds.append(&mut made.speeds);
        model.constraints.append(&mut made.identities);
        model.turns.append(&mut made.turns);
        model.frames.append(&mut made.frames);
        model.coordinates.append(&mut made.coordinates);
        model.definitions.append(&mut made.definitions);
        model.start = given;
        model.start.append(&mut made.start);
    }
}

/// What [start] says of coordinates that bodies and joints have.
fn adopt(made: &mut Made, given: &mut Vec<(Expression, StartValue)>) {
    if given.is_empty() {
        return;
    }
    let own = made.coordinates.iter_mut();
    let mut own: HashMap<&str, &mut StartValue> =
        own.map(|(name, start)| (&*name.text, start)).collect();
    given.retain(|(key, value)| {
        let Some((name, 0)) = key.tree.dotted(key.tree.root()) else {
            return true;
        };
        let coordinate = own.get_mut(name.as_str());
        coordinate.map(|start| **start = value.clone()).is_none()
    });
}
