//! What bodies, forces, springs and runs have more of than fits a list of arguments.

use super::{list, path_of, put, set, table, values};
use crate::model::source::{Item, Table};

/// Declares a builder of one table, with a method for each key that takes a text.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $key:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        #[must_use]
        pub struct $name {
            table: Table,
        }

        impl $name {
            pub(super) fn new(path: &str) -> Self {
                Self { table: table(path) }
            }

            pub(super) fn with(mut self, key: &str, value: &str) -> Self {
                set(&mut self.table, key, value);
                self
            }

            pub(super) fn into_table(self) -> Table {
                self.table
            }

            $(
                $(#[$about])*
                pub fn $key(self, value: &str) -> Self {
                    self.with(stringify!($key), value)
                }
            )*
        }
    };
}

part!(
    /// A rigid body in the making: its mass, and its inertia or shape.
    BodyBuilder {
        /// Its mass.
        mass,
        /// Mass per volume of the shape, in place of the mass.
        density,
    }
);
part!(
    /// A force on a body or particle in the making.
    ForceBuilder {
        /// The point of action; the mass centre if not said.
        at,
        /// The force, a vector.
        vector,
        /// The moment, a vector.
        torque,
    }
);
part!(
    /// A spring in the making.
    SpringBuilder {
        /// On a coordinate or another scalar.
        on,
        /// Stiffness.
        stiffness,
        /// Unstretched length; 0 if not said.
        length,
        /// Damping.
        damping,
    }
);
part!(
    /// How to run a model, in the making.
    RunBuilder {
        /// Time at the start; 0 if not said.
        from,
        /// Duration.
        span,
        /// Relative tolerance.
        rtol,
        /// Absolute tolerance.
        atol,
        /// Name of the integrator.
        integrator,
        /// Condition that ends the run.
        until,
        /// Number of samples, the first and the last included.
        samples,
        /// Time between samples.
        step,
        /// Longest step of the integrator.
        max_step,
        /// Largest number of steps.
        max_steps,
    }
);

impl BodyBuilder {
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
    /// The frame or body in whose axes the components are; world if not said.
    pub fn axes(self, frame: &str) -> Self {
        self.with("in", frame)
    }
}

impl SpringBuilder {
    /// Between two points.
    pub fn between(mut self, one: &str, other: &str) -> Self {
        let path = path_of(&self.table, "between");
        put(&mut self.table, "between", list(&path, &[one, other]));
        self
    }
}

impl RunBuilder {
    /// What to record besides coordinates and rates.
    pub fn record(mut self, values: &[&str]) -> Self {
        let path = path_of(&self.table, "record");
        put(&mut self.table, "record", list(&path, values));
        self
    }
}
