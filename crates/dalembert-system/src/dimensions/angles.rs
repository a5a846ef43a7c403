//! Which quantities are angles: rad is shown where the dimension alone would say 1.

use crate::diagnostic::Diagnostic;
use crate::elaborate::{Declared, Names};
use crate::model::each_expression;
use crate::model::{Expression, Model, Name};
use crate::units;
use dalembert_expr::syntax::{Arithmetic, CHOICE, Kind, NodeId, Tree};
use std::collections::{BTreeSet, HashSet};

/// A full turn: larger angles are rarely meant as numbers of radians.
const TURN: f64 = std::f64::consts::TAU;

/// Names that stand in the argument of a sine, cosine, tangent or rotation, or have a value in units
/// of angle; and speeds made of rates of angles.
pub(super) struct Angles {
    found: BTreeSet<Declared>,
    names: Names,
    /// Whether what is an angle after multiplication by t counts too.
    with_rates: bool,
}

impl Angles {
    pub(super) fn of(model: &Model) -> Self {
        Self::find(model, true)
    }

    fn find(model: &Model, with_rates: bool) -> Self {
        let mut angles = Self {
            found: BTreeSet::new(),
            names: Names::of(model),
            with_rates,
        };
        let mut pending = Vec::new();
        each_expression(model, &mut |expression| {
            pending.extend(angles.arguments(expression, false));
        });
        // The parts of a definition that is an angle are angles.
        while let Some(declared) = pending.pop() {
            if angles.found.insert(declared)
                && let Declared::Definition(i) = declared
            {
                pending.extend(angles.arguments(&model.definitions[i].1, true));
            }
        }
        for (i, (_, start)) in model.coordinates.iter().enumerate() {
            if start.value.as_ref().is_some_and(in_angles) {
                angles.found.insert(Declared::Coordinate(i));
            }
        }
        for (i, (_, value)) in model.parameters.iter().enumerate() {
            if in_angles(value) {
                angles.found.insert(Declared::Parameter(i));
            }
        }
        for (i, (_, value)) in model.definitions.iter().enumerate() {
            if angles.names_one(value) {
                angles.found.insert(Declared::Definition(i));
            }
        }
        let bodies: HashSet<&str> = model.bodies.iter().map(|it| &*it.name.text).collect();
        for (i, (name, value)) in model.speeds.iter().enumerate() {
            if angles.names_one(value) || turns_a_body(&bodies, name) {
                angles.found.insert(Declared::Speed(i));
            }
        }
        angles
    }

    pub(super) fn contains(&self, declared: Declared) -> bool {
        self.found.contains(&declared)
    }

    /// Whether an expression has an angle, its rate, or an angular velocity as a term.
    pub(super) fn names_one(&self, expression: &Expression) -> bool {
        let tree = &expression.tree;
        terms(tree, vec![tree.root()], self.with_rates).any(|id| match &tree[id].kind {
            Kind::Name { name, .. } => {
                let declared = self.names.get(name);
                declared.is_some_and(|declared| self.contains(declared))
            }
            Kind::Call { function, .. } => *function.text == *"omega",
            _ => false,
        })
    }

    /// Names that are angles because of where they stand; all terms of the `whole`, if it is one.
    fn arguments(&self, expression: &Expression, whole: bool) -> Vec<Declared> {
        let tree = &expression.tree;
        let mut roots = Vec::new();
        for node in tree.nodes() {
            if let Kind::Call {
                function,
                arguments,
            } = &node.kind
                && matches!(&*function.text, "sin" | "cos" | "tan" | "Rx" | "Ry" | "Rz")
            {
                roots.extend(arguments.iter().map(|argument| argument.value));
            }
        }
        if whole {
            roots.push(tree.root());
        }
        terms(tree, roots, self.with_rates)
            .filter_map(|id| match &tree[id].kind {
                Kind::Name { name, primes: 0 } => self.names.get(name),
                _ => None,
            })
            .collect()
    }
}

/// Whether a speed is a component of the angular velocity of a free body in space: `B.wx`.
fn turns_a_body(bodies: &HashSet<&str>, speed: &Name) -> bool {
    let Some((body, "wx" | "wy" | "wz")) = speed.text.rsplit_once('.') else {
        return false;
    };
    bodies.contains(body)
}

/// Warnings about angles, at the start or constant, that are bare numbers of more than a turn: degrees, perhaps.
#[must_use]
pub fn perhaps_degrees(model: &Model) -> Vec<Diagnostic> {
    let starts = model.coordinates.iter().zip(0..);
    let starts = starts.filter_map(|((name, start), i)| {
        let value = start.value.as_ref()?;
        Some((Declared::Coordinate(i), name, value, "starts at"))
    });
    let constants = model.parameters.iter().zip(0..);
    let constants = constants.map(|((name, value), i)| (Declared::Parameter(i), name, value, "is"));
    let large = |(.., value, _): &(_, _, &Expression, _)| {
        bare_number(value).is_some_and(|number| number.abs() > TURN)
    };
    let large: Vec<_> = starts.chain(constants).filter(large).collect();
    if large.is_empty() {
        return Vec::new();
    }
    let angles = Angles::find(model, false);
    let angles = large.into_iter().filter(|(of, ..)| angles.contains(*of));
    let warning = |(_, name, value, verb): (Declared, &Name, &Expression, &str)| {
        let (name, number) = (&name.text, value.text.trim());
        let message = format!("the angle `{name}` {verb} {number} rad, more than a turn");
        let help = format!(
            "angles without a unit are in radians: write \"{number} deg\", or \"{number} rad\" if that is meant"
        );
        Diagnostic::warning("W0450", value.whole(), message, help)
    };
    angles.map(warning).collect()
}

/// The value of a number that stands alone, without a unit.
fn bare_number(expression: &Expression) -> Option<f64> {
    let tree = &expression.tree;
    match &tree[tree.root()].kind {
        Kind::Number(number) => Some(number.to_f64()),
        Kind::Signed { operand, .. } => match &tree[*operand].kind {
            Kind::Number(number) => Some(number.to_f64()),
            _ => None,
        },
        _ => None,
    }
}

/// The terms of sums, without signs and numbers before them, and without t if rates count as well.
fn terms(tree: &Tree, mut pending: Vec<NodeId>, with_rates: bool) -> impl Iterator<Item = NodeId> {
    let plain = move |id: NodeId| match &tree[id].kind {
        Kind::Number(_) => true,
        Kind::Name { name, primes: 0 } => with_rates && **name == *"t",
        _ => false,
    };
    std::iter::from_fn(move || {
        loop {
            let id = pending.pop()?;
            match &tree[id].kind {
                Kind::Signed { operand, .. } => pending.push(*operand),
                Kind::Binary { op, left, right } => match op {
                    Arithmetic::Add | Arithmetic::Subtract => pending.extend([*left, *right]),
                    Arithmetic::Multiply if plain(*left) => pending.push(*right),
                    Arithmetic::Multiply | Arithmetic::Divide if plain(*right) => {
                        pending.push(*left);
                    }
                    _ => {}
                },
                Kind::Member { of, .. } => pending.push(*of),
                Kind::Call {
                    function,
                    arguments,
                } if *function.text == *CHOICE => {
                    pending.extend(arguments.iter().skip(1).map(|argument| argument.value));
                }
                _ => return Some(id),
            }
        }
    })
}

/// Whether an expression is a number with a unit of angle in it: deg, rad/s, rpm.
fn in_angles(expression: &Expression) -> bool {
    let tree = &expression.tree;
    match &tree[tree.root()].kind {
        Kind::Quantity { unit, .. } => unit.iter().any(|factor| {
            let angle = units::lookup(&factor.name.text).is_some_and(|unit| unit.pi_power != 0);
            angle || *factor.name.text == *"rad"
        }),
        _ => false,
    }
}
