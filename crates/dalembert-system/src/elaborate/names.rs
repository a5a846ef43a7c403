//! What each name of a model stands for, and in which order names can be resolved.

use super::Target;
use crate::model::{Body, Expression, Model, Name, Shape};
use dalembert_expr::syntax::{Kind, Tree};
use std::collections::BTreeMap;

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Declared {
    /// A parameter, by index.
    Parameter(usize),
    /// A definition, by index.
    Definition(usize),
    /// A coordinate, by index.
    Coordinate(usize),
    /// A speed, by index.
    Speed(usize),
    /// A particle, by index.
    Particle(usize),
    /// A frame, by index.
    Frame(usize),
    /// The attitude of a body, by index: its centre may be written in its own axes.
    Attitude(usize),
    /// A body, by index.
    Body(usize),
}

impl Declared {
    /// The particle or body that it is.
    #[must_use]
    pub fn target(self) -> Option<Target> {
        match self {
            Self::Particle(i) => Some(Target::Particle(i)),
            Self::Body(i) | Self::Attitude(i) => Some(Target::Body(i)),
            _ => None,
        }
    }
}

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub struct Names {
    table: BTreeMap<String, Declared>,
    /// Whether some have a dot: coordinates of bodies, angles of joints.
    dotted: bool,
}

impl Names {
    /// The names of a model; a name declared twice keeps its first meaning (the reader refuses it).
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let mut names = Self::default();
        let mut declare = |list: &mut dyn Iterator<Item = &Name>, make: fn(usize) -> Declared| {
            for (index, name) in list.enumerate() {
                let entry = names.table.entry(name.text.clone());
                entry.or_insert_with(|| make(index));
            }
        };
        let quantities = [
            (
                &model.parameters,
                Declared::Parameter as fn(usize) -> Declared,
            ),
            (&model.definitions, Declared::Definition),
            (&model.speeds, Declared::Speed),
        ];
        for (list, make) in quantities {
            declare(&mut list.iter().map(|(name, _)| name), make);
        }
        let coordinates = &mut model.coordinates.iter().map(|(name, _)| name);
        declare(coordinates, Declared::Coordinate);
        let particles = &mut model.particles.iter().map(|particle| &particle.name);
        declare(particles, Declared::Particle);
        let frames = &mut model.frames.iter().map(|frame| &frame.name);
        declare(frames, Declared::Frame);
        let bodies = &mut model.bodies.iter().map(|body| &body.name);
        declare(bodies, Declared::Body);
        names.dotted = names.table.keys().any(|name| name.contains('.'));
        names
    }

    /// What `name` is declared as.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Declared> {
        self.table.get(name).copied()
    }

    /// A tree in which names with a dot that are one name are one; `None` if it has none of them.
    pub(super) fn joined(&self, tree: &Tree) -> Option<Tree> {
        let mut members = tree.nodes().iter().enumerate();
        let found = self.dotted
            && members.any(|(index, node)| {
                let dotted = match node.kind {
                    Kind::Member { .. } => tree.dotted(tree.id(index)),
                    _ => None,
                };
                dotted.is_some_and(|(name, _)| self.table.contains_key(&name))
            });
        found.then(|| {
            tree.with_dotted_names(|name| self.table.contains_key(name).then(|| name.into()))
        })
    }

    /// All names, sorted.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(String::as_str)
    }

    /// Those of particles and bodies.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.only(|declared| declared.target().is_some())
    }

    /// Those of some declarations.
    pub(crate) fn only(&self, wanted: impl Fn(Declared) -> bool) -> impl Iterator<Item = &str> {
        let own = self.table.iter().filter(move |(_, it)| wanted(**it));
        own.map(|(name, _)| name.as_str())
    }
}

/// The expressions a declaration is made of; none for a coordinate, whose value is the motion.
pub(super) fn expressions_of(model: &Model, declared: Declared) -> Vec<&Expression> {
    match declared {
        Declared::Parameter(i) => vec![&model.parameters[i].1],
        Declared::Definition(i) => vec![&model.definitions[i].1],
        Declared::Coordinate(_) => Vec::new(),
        Declared::Speed(i) => vec![&model.speeds[i].1],
        Declared::Particle(i) => vec![&model.particles[i].position],
        Declared::Frame(i) => vec![&model.frames[i].attitude],
        Declared::Attitude(i) => {
            let body = &model.bodies[i];
            let mut found = vec![&body.attitude];
            // Its points are seen from its mass centre.
            if body.is_off_center() {
                found.extend(body.mass.expression());
                found.extend(body.shapes.iter().flat_map(Shape::expressions));
            }
            found
        }
        Declared::Body(i) => {
            let Body { center, points, .. } = &model.bodies[i];
            let points = points.iter().map(|(_, point)| point);
            std::iter::once(center).chain(points).collect()
        }
    }
}

/// The name a declaration was given.
pub(crate) fn name_of(model: &Model, declared: Declared) -> &Name {
    match declared {
        Declared::Parameter(i) => &model.parameters[i].0,
        Declared::Definition(i) => &model.definitions[i].0,
        Declared::Coordinate(i) => &model.coordinates[i].0,
        Declared::Speed(i) => &model.speeds[i].0,
        Declared::Particle(i) => &model.particles[i].name,
        Declared::Frame(i) => &model.frames[i].name,
        Declared::Attitude(i) | Declared::Body(i) => &model.bodies[i].name,
    }
}

/// Names used in a tree.
pub(super) fn used(tree: &Tree) -> impl Iterator<Item = &str> {
    tree.nodes().iter().filter_map(|node| match &node.kind {
        Kind::Name { name, .. } => Some(&**name),
        _ => None,
    })
}

/// All declarations, each after those it uses; or the names of a circle.
pub(super) fn order(model: &Model, names: &Names) -> Result<Vec<Declared>, Vec<Declared>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks: BTreeMap<Declared, Mark> = names
        .table
        .values()
        .map(|&declared| (declared, Mark::New))
        .chain((0..model.bodies.len()).map(|i| (Declared::Attitude(i), Mark::New)))
        .collect();
    let mut order = Vec::with_capacity(marks.len());
    let starts: Vec<Declared> = marks.keys().copied().collect();
    for start in starts {
        // Depth first with a stack of our own; `true` marks the way back.
        let mut pending = vec![(start, false)];
        let mut open: Vec<Declared> = Vec::new();
        while let Some((declared, back)) = pending.pop() {
            if back {
                open.pop();
                marks.insert(declared, Mark::Done);
                order.push(declared);
                continue;
            }
            match marks[&declared] {
                Mark::Done => continue,
                Mark::Open => {
                    let from = open.iter().position(|&d| d == declared).unwrap_or(0);
                    return Err(open.split_off(from));
                }
                Mark::New => {}
            }
            marks.insert(declared, Mark::Open);
            open.push(declared);
            pending.push((declared, true));
            let own_axes = match declared {
                Declared::Body(i) => Some(Declared::Attitude(i)),
                _ => None,
            };
            pending.extend(own_axes.map(|axes| (axes, false)));
            for expression in expressions_of(model, declared) {
                let next = used(&expression.tree).filter_map(|name| names.get(name));
                // Its own name means its axes here.
                let next = next.filter(|&next| own_axes.is_none() || next != declared);
                pending.extend(next.map(|next| (next, false)));
            }
        }
    }
    Ok(order)
}
