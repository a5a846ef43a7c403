//! What names mean to `calc`: every name is a number, and there are no units but those of angles.

use super::input::Input;
use dalembert::mechanics::diagnostic::Diagnostic;
use dalembert::mechanics::model::Model;
use dalembert::mechanics::units;
use dalembert_expr::syntax::{Function, Kind, NodeId, Tree, UnitFactor, nearest, quoted, undotted};
use std::collections::BTreeSet;

const ANGLES: [&str; 2] = ["rad", "deg"];

/// Names that have a prime somewhere are functions of time, the others constants.
#[derive(Default)]
pub(super) struct CalcNames {
    pub(super) moving: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl CalcNames {
    pub(super) fn collect(&mut self, input: &Input) {
        for (name, primes, _) in input.names() {
            if matches!(name, "pi" | "t") || Function::reserves(name) {
                continue;
            }
            if primes > 0 {
                self.moving.insert(name.to_owned());
            }
            self.known.insert(name.to_owned());
        }
    }

    /// Lets a name move that was given by `--moving`; says what is wrong or strange about it.
    pub(super) fn declare_moving(
        &mut self,
        input: &Input,
        expression: &Input,
    ) -> Option<Diagnostic> {
        let name = input.text().trim().trim_end_matches('\'');
        let is_name = input.names().any(|(found, ..)| found == name);
        if !is_name || matches!(name, "pi" | "t") || Function::reserves(name) {
            let message = format!("`{}` is not a name that can move", input.text());
            return Some(input.about("E0901", message, "name a function of time, such as x"));
        }
        self.moving.insert(name.to_owned());
        let message = format!("`{name}` does not occur in the expression");
        let elsewhere = expression.names().all(|(found, ..)| found != name);
        elsewhere.then(|| input.about("W0906", message, "check the spelling"))
    }

    /// A model of these names.
    pub(super) fn model(&self) -> Model {
        let constants = self.known.difference(&self.moving).map(String::as_str);
        Model::of_names(constants, self.moving.iter().map(String::as_str))
    }
}

/// What may stand in models, and not here: units of other things than angles, members, and numbers that are none.
pub(super) fn not_here(input: &Input, tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let within: BTreeSet<usize> = tree
        .nodes()
        .iter()
        .filter_map(|node| match &node.kind {
            Kind::Member { of, .. } => Some(of.index()),
            _ => None,
        })
        .collect();
    let text = input.text();
    for (index, node) in tree.nodes().iter().enumerate() {
        match &node.kind {
            Kind::Name { name, .. } if is_no_number(name) => {
                let message = format!("unknown name {}", quoted(name));
                let help = "every number here is finite";
                found.push(input.diagnostic("E0201", node.span.range(), message, help));
            }
            Kind::Member { of, .. } if !within.contains(&index) && is_of_name(tree, *of) => {
                let written = node.span.text(text);
                let message = format!("unknown name {}", quoted(written));
                let help = format!("there is no dot in names here: write {}", undotted(written));
                found.push(input.diagnostic("E0201", node.span.range(), message, help));
            }
            Kind::Quantity { unit, .. } => {
                let number = text[..unit_start(unit)].get(node.span.range().start..);
                let number = number.unwrap_or_default().trim();
                for factor in unit {
                    if let Some((message, help)) = no_angle(factor, number) {
                        let at = factor.name.span.range();
                        found.push(input.diagnostic("E0207", at, message, help));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a member belongs to a name, directly or through others.
fn is_of_name(tree: &Tree, mut of: NodeId) -> bool {
    while let Kind::Member { of: inner, .. } = &tree[of].kind {
        of = *inner;
    }
    matches!(tree[of].kind, Kind::Name { .. })
}

/// Numbers that are none.
fn is_no_number(name: &str) -> bool {
    ["inf", "infinity", "nan"].contains(&&*name.to_ascii_lowercase())
}

fn unit_start(unit: &[UnitFactor]) -> usize {
    unit.first()
        .map_or(0, |factor| factor.name.span.range().start)
}

/// What is wrong with a unit behind a number, and the cure.
fn no_angle(factor: &UnitFactor, number: &str) -> Option<(String, String)> {
    let name = &*factor.name.text;
    if ANGLES.contains(&name) {
        let message = format!(
            "{} is not a unit",
            quoted(&format!("{name}^{}", factor.power))
        );
        let help = format!("write ({number} {name})^{}", factor.power);
        return (factor.power != 1).then_some((message, help));
    }
    let multiply = format!("to multiply, write {number}*{name}");
    let suggested = units::suggestion(name).filter(|unit| ANGLES.contains(&&**unit));
    let help = if let Some(angle) = suggested.filter(|angle| name.starts_with(&**angle)) {
        format!("write {number} {angle}")
    } else if units::lookup(name).is_some() {
        format!("only rad and deg are units here: write the number alone; {multiply}")
    } else if let Some(near) = nearest(name, ANGLES) {
        format!("did you mean {near}?")
    } else {
        format!("the units are rad, deg; {multiply}")
    };
    Some((format!("{} is not a unit", quoted(name)), help))
}
