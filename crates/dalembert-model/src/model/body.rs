//! Rigid bodies and their shapes.

use super::check::{Check, Content, Fields};
use super::form_codes::names as code;
use super::{Expression, Name};
use crate::units::{Dimension, lookup};

/// A rigid body whose kinematics are written out in coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Its name.
    pub name: Name,
    /// Its mass; or its density, if there is a shape; or none, if there is an inertia.
    pub mass: Mass,
    /// Inertia about the mass centre in body axes: three principal moments, or 3×3 by rows.
    pub inertia: Option<Inertia>,
    /// Position of the mass centre, a vector.
    pub center: Expression,
    /// Attitude: frames and rotations one after the other.
    pub attitude: Expression,
    /// What it is made of: gives the mass centre and the inertia where that is not given, and the drawing.
    pub shapes: Vec<Shape>,
    /// Named points in body coordinates.
    pub points: Vec<(Name, Expression)>,
}

/// The mass of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mass {
    /// The mass itself.
    Mass(Expression),
    /// Mass per volume of the shape.
    Density(Expression),
    /// Nothing is said of the whole: its parts have their own, or it has inertia only.
    None,
}

/// The inertia of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inertia {
    /// Principal moments.
    Principal(Box<[Expression; 3]>),
    /// The matrix by rows.
    Matrix(Box<[[Expression; 3]; 3]>),
}

impl Body {
    /// Its shape, if that is one, and stands around the origin of the body's axes.
    #[must_use]
    pub fn plain_shape(&self) -> Option<&Shape> {
        match self.shapes.as_slice() {
            [shape] if shape.is_plain() => Some(shape),
            _ => None,
        }
    }

    /// Whether it has inertia only, as a flywheel whose centre does not move.
    #[must_use]
    pub fn is_massless(&self) -> bool {
        self.mass == Mass::None && self.inertia.is_some()
    }

    /// Whether its mass centre follows from its shapes, and may be elsewhere than in the origin of its axes.
    #[must_use]
    pub fn is_off_center(&self) -> bool {
        let plain = self.shapes.is_empty() || self.plain_shape().is_some();
        self.inertia.is_none() && !plain
    }
}

/// A shape with its measures: `{ disk = { radius = "r", axis = "y" } }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// disk, rod, box, sphere, cylinder, tube, cone, ellipsoid or mesh.
    pub kind: Name,
    /// Measures by name: `radius`, `length`, `size`, …; a list has several expressions.
    pub measures: Vec<(Name, Vec<Expression>)>,
    /// Axis of symmetry in the body frame: x, y or z.
    pub axis: Option<Name>,
    /// The file of a mesh, and the unit of its numbers.
    pub file: Option<[Name; 2]>,
    /// Where it stands in the body's axes; at their origin if nothing is said.
    pub at: Option<Expression>,
    /// How it stands in them; along them if nothing is said.
    pub attitude: Option<Expression>,
    /// Its own mass or density, as a part of a body.
    pub mass: Option<Mass>,
}

impl Shape {
    /// Whether its mass centre is the origin of the body's axes.
    fn is_plain(&self) -> bool {
        let own = [&self.at, &self.attitude];
        self.file.is_none() && self.mass.is_none() && own.iter().all(|it| it.is_none())
    }

    /// Every expression of it.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let mass = self.mass.as_ref().and_then(Mass::expression);
        let measures = self.measures.iter().flat_map(|(_, list)| list);
        measures.chain(&self.at).chain(&self.attitude).chain(mass)
    }
}

impl Mass {
    /// What is written for it.
    #[must_use]
    pub fn expression(&self) -> Option<&Expression> {
        match self {
            Self::Mass(value) | Self::Density(value) => Some(value),
            Self::None => None,
        }
    }
}

/// Shapes without volume.
const THIN: &[&str] = &["disk", "rod"];

/// What is said of a shape beside what it is.
const BESIDE: &[&str] = &["at", "attitude", "mass", "density"];

impl Check {
    pub(super) fn body(&mut self, name: Name, mut table: Fields) -> Option<Body> {
        let dense = table.has("density");
        let whole = dense || table.has("mass");
        let parts = match table.take("shape") {
            Some(Content::Listed(parts)) => parts,
            _ => Vec::new(),
        };
        let weighed = |part: &Fields| part.has("mass") || part.has("density");
        if !table.has("inertia") && !parts.iter().any(weighed) {
            self.one_of(&table, &["mass", "density"], "mass = \"m\"");
        }
        self.exclusive(&table, "mass", "density");
        if !table.has("inertia") && !table.has("shape") {
            self.mistakes.report(
                code::ONE_OF,
                table.place.clone(),
                format!("[{}] has neither `inertia` nor `shape`", table.path),
                "add inertia = [\"Jx\", \"Jy\", \"Jz\"], or a shape such as { sphere = { radius = \"r\" } }; a point mass is a particle",
            );
        }
        if dense && !table.has("shape") {
            self.mistakes.report(
                code::ONE_OF,
                table.place_of("density"),
                format!("[{}] has a `density` but no `shape` to fill", table.path),
                "add a shape, or give the mass",
            );
        }
        let inertia = match table.take("inertia") {
            Some(Content::Inertia(inertia)) => Some(inertia),
            _ => None,
        };
        self.masses_of_parts(&table, &parts, inertia.is_some());
        let several = parts.len() > 1;
        let mut shapes = Vec::with_capacity(parts.len());
        for part in parts {
            // A whole mass is shared by volume.
            let filled = dense || part.has("density") || (several && whole && inertia.is_none());
            let filled = filled && !part.has("mass");
            shapes.extend(self.shape(part, filled));
        }
        let points = table.named_expressions("point");
        let [center, attitude] = self.body_motion(&name, &mut table)?;
        let in_parts = shapes.iter().any(|shape| shape.mass.is_some());
        Some(Body {
            mass: match table.expression("density") {
                Some(density) => Mass::Density(density),
                None if !whole && (inertia.is_some() || in_parts) => Mass::None,
                None => Mass::Mass(table.expression("mass")?),
            },
            inertia,
            center,
            attitude,
            shapes,
            points,
            name,
        })
    }

    /// Where the masses of the parts of a body come from: one way for each of them.
    fn masses_of_parts(&mut self, table: &Fields, parts: &[Fields], has_inertia: bool) {
        for part in parts {
            self.exclusive(part, "mass", "density");
            let own = ["mass", "density"].into_iter().find(|key| part.has(key));
            let (place, message, help) = match own {
                Some(own) if has_inertia => (
                    part.place_of(own),
                    format!(
                        "`{own}` of a part of [{}] has no effect beside its `inertia`",
                        table.path
                    ),
                    "leave out the inertia, which follows from the parts, or what the part weighs",
                ),
                Some(own) if table.has("mass") => (
                    part.place_of(own),
                    format!(
                        "[{}] has a `mass`, and a part of it has a `{own}`",
                        table.path
                    ),
                    "give every part its own, or the mass of the whole, which is shared by volume",
                ),
                None if !has_inertia && !table.has("mass") && !table.has("density") => (
                    part.place.clone(),
                    format!(
                        "a part of [{}] has neither `mass` nor `density`",
                        table.path
                    ),
                    "give it one, or a density of the whole body",
                ),
                _ => continue,
            };
            // Said of the body already, if no part weighs anything.
            if own.is_some() || parts.iter().any(|it| it.has("mass") || it.has("density")) {
                self.mistakes.report(code::EXCLUSIVE, place, message, help);
            }
        }
    }

    /// A shape; `filled` by a density, it has a volume.
    pub(super) fn shape(&mut self, mut table: Fields, filled: bool) -> Option<Shape> {
        let kinds: Vec<&str> = table.names().filter(|it| !BESIDE.contains(it)).collect();
        let Some(&kind) = kinds.first() else {
            if table.all_known {
                self.mistakes.report(
                    code::ONE_OF,
                    table.place.clone(),
                    "the shape is empty",
                    "write one, such as { disk = { radius = \"r\", axis = \"y\" } }",
                );
            }
            return None;
        };
        let kind = Name {
            text: kind.to_owned(),
            place: table.place_of(kind),
        };
        if let Some(second) = kinds.get(1) {
            self.mistakes.report(
                code::EXCLUSIVE,
                table.place_of(second),
                format!(
                    "there is one shape, but `{}` and `{second}` are given",
                    kind.text
                ),
                format!(
                    "keep one of them, or write a list: shape = [{{ {} = … }}, {{ {second} = … }}]",
                    kind.text
                ),
            );
        }
        if filled && THIN.contains(&kind.text.as_str()) {
            self.mistakes.report(
                code::NO_VOLUME,
                kind.place.clone(),
                format!("a {} is thin and has no volume for a density", kind.text),
                "give the mass, or use a cylinder",
            );
        }
        let mut measures = table.fields(&kind.text)?;
        let axis = measures.word("axis");
        let file = match kind.text.as_str() {
            "mesh" => Some([
                measures.word("file")?,
                self.unit_of_length(measures.word("unit")?)?,
            ]),
            _ => None,
        };
        let mut found = Vec::new();
        for name in measures.names().collect::<Vec<_>>() {
            let place = measures.place_of(name);
            let values = match measures.take(name) {
                Some(Content::Expression(value)) => vec![*value],
                Some(Content::Values(values)) => values,
                _ => continue,
            };
            let text = name.to_owned();
            found.push((Name { text, place }, values));
        }
        let density = table.expression("density").map(Mass::Density);
        Some(Shape {
            kind,
            measures: found,
            axis,
            file,
            at: table.expression("at"),
            attitude: table.expression("attitude"),
            mass: density.or_else(|| table.expression("mass").map(Mass::Mass)),
        })
    }

    fn unit_of_length(&mut self, unit: Name) -> Option<Name> {
        if lookup(&unit.text).is_some_and(|it| it.dimension == Dimension::LENGTH) {
            return Some(unit);
        }
        let message = format!("`{}` is no unit of length", unit.text);
        let help = "write that of the numbers in the file: \"mm\", \"m\", \"in\"";
        self.mistakes
            .report(code::NOT_A_CHOICE, unit.place, message, help);
        None
    }
}
