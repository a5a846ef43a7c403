//! What bodies, forces, springs and runs have more of than fits a list of arguments.

use super::{list, path_of, put, set, table, values};
use crate::model::source::{Item, Table};

/// Declares a builder of one table.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        #[must_use]
        pub struct $name {
            table: Table,
        }

        impl $name {
            fn with(mut self, key: &str, value: &str) -> Self {
                set(&mut self.table, key, value);
                self
            }

            pub(super) fn into_table(self) -> Table {
                self.table
            }
        }
    };
}

part!(
    /// A rigid body in the making: its mass, and its inertia or shape.
    BodyBuilder
);
part!(
    /// A force on a body or particle in the making.
    ForceBuilder
);
part!(
    /// A spring in the making.
    SpringBuilder
);
part!(
    /// How to run a model, in the making.
    RunBuilder
);

impl BodyBuilder {
    pub(super) fn new(table: Table) -> Self {
        Self { table }
    }

    /// Its mass.
    pub fn mass(self, mass: &str) -> Self {
        self.with("mass", mass)
    }

    /// Mass per volume of the shape, in place of the mass.
    pub fn density(self, density: &str) -> Self {
        self.with("density", density)
    }

    /// Principal moments of inertia about the mass centre, along the body axes.
    pub fn principal_inertia(mut self, moments: [&str; 3]) -> Self {
        let path = path_of(&self.table, "inertia");
        put(&mut self.table, "inertia", list(&path, &moments));
        self
    }

    /// Inertia about the mass centre in body axes, 3 × 3 by rows.
    pub fn inertia_matrix(mut self, rows: [[&str; 3]; 3]) -> Self {
        let path = path_of(&self.table, "inertia");
        let items = rows.iter().map(|row| list(&path, row)).collect();
        let place = table(&path).place;
        put(&mut self.table, "inertia", Item::List(items, place));
        self
    }

    /// Its shape with measures: `("disk", &[("radius", "r"), ("axis", "y")])`.
    pub fn shape(mut self, kind: &str, measures: &[(&str, &str)]) -> Self {
        let path = path_of(&self.table, "shape");
        let mut shape = table(&path);
        let measures = values(&format!("{path}.{kind}"), measures);
        put(&mut shape, kind, Item::Table(measures));
        put(&mut self.table, "shape", Item::Table(shape));
        self
    }

    /// A box with these sizes along the body axes.
    pub fn box_shape(mut self, size: [&str; 3]) -> Self {
        let path = path_of(&self.table, "shape");
        let mut shape = table(&path);
        let mut measures = table(&format!("{path}.box"));
        put(
            &mut measures,
            "size",
            list(&format!("{path}.box.size"), &size),
        );
        put(&mut shape, "box", Item::Table(measures));
        put(&mut self.table, "shape", Item::Table(shape));
        self
    }

    /// A named point in body coordinates.
    pub fn point(mut self, name: &str, position: &str) -> Self {
        let path = path_of(&self.table, "point");
        let entries = self.table.entries.iter_mut();
        let mut points = entries.filter(|entry| entry.key.text == "point");
        let point = [(name, position)];
        if let Some(Item::Table(points)) = points.next().map(|entry| &mut entry.item) {
            points.entries.extend(values(&path, &point).entries);
        } else {
            put(&mut self.table, "point", Item::Table(values(&path, &point)));
        }
        self
    }
}

impl ForceBuilder {
    pub(super) fn new(path: &str, on: &str) -> Self {
        let table = table(path);
        Self { table }.with("on", on)
    }

    /// The point of action; the mass centre if not said.
    pub fn at(self, point: &str) -> Self {
        self.with("at", point)
    }

    /// The force, a vector.
    pub fn vector(self, vector: &str) -> Self {
        self.with("vector", vector)
    }

    /// The moment, a vector.
    pub fn torque(self, vector: &str) -> Self {
        self.with("torque", vector)
    }

    /// The frame or body in whose axes the components are; world if not said.
    pub fn axes(self, frame: &str) -> Self {
        self.with("in", frame)
    }
}

impl SpringBuilder {
    pub(super) fn new(path: &str) -> Self {
        Self { table: table(path) }
    }

    /// Between two points.
    pub fn between(mut self, one: &str, other: &str) -> Self {
        let path = path_of(&self.table, "between");
        put(&mut self.table, "between", list(&path, &[one, other]));
        self
    }

    /// On a coordinate or another scalar.
    pub fn on(self, scalar: &str) -> Self {
        self.with("on", scalar)
    }

    /// Stiffness.
    pub fn stiffness(self, value: &str) -> Self {
        self.with("stiffness", value)
    }

    /// Unstretched length; 0 if not said.
    pub fn length(self, value: &str) -> Self {
        self.with("length", value)
    }

    /// Damping.
    pub fn damping(self, value: &str) -> Self {
        self.with("damping", value)
    }
}

impl RunBuilder {
    pub(super) fn new(path: &str) -> Self {
        Self { table: table(path) }
    }

    /// Time at the start; 0 if not said.
    pub fn from(self, value: &str) -> Self {
        self.with("from", value)
    }

    /// Duration.
    pub fn span(self, value: &str) -> Self {
        self.with("span", value)
    }

    /// Relative tolerance.
    pub fn rtol(self, value: &str) -> Self {
        self.with("rtol", value)
    }

    /// Absolute tolerance.
    pub fn atol(self, value: &str) -> Self {
        self.with("atol", value)
    }

    /// Name of the integrator.
    pub fn integrator(self, name: &str) -> Self {
        self.with("integrator", name)
    }

    /// Condition that ends the run.
    pub fn until(self, condition: &str) -> Self {
        self.with("until", condition)
    }

    /// Number of samples, the first and the last included.
    pub fn samples(self, count: &str) -> Self {
        self.with("samples", count)
    }

    /// Time between samples.
    pub fn step(self, value: &str) -> Self {
        self.with("step", value)
    }

    /// Longest step of the integrator.
    pub fn max_step(self, value: &str) -> Self {
        self.with("max_step", value)
    }

    /// Largest number of steps.
    pub fn max_steps(self, count: &str) -> Self {
        self.with("max_steps", count)
    }

    /// What to record besides coordinates and rates.
    pub fn record(mut self, values: &[&str]) -> Self {
        let path = path_of(&self.table, "record");
        put(&mut self.table, "record", list(&path, values));
        self
    }
}
