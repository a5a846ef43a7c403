//! Models from Rust: the same tables and the same checks as in files.

use super::assemble::{assembled, finished};
use super::source::{Entry, Item, Table, Text};
use super::{Model, Origin};
use crate::diagnostic::{Diagnostic, Place};

mod parts;

pub use parts::{BodyBuilder, ForceBuilder, RunBuilder, SpringBuilder};

/// A model in the making; see [`Model::builder`].
#[derive(Clone, Debug)]
#[must_use = "a model comes out of `build`"]
pub struct ModelBuilder {
    root: Table,
}

impl Model {
    /// Starts a model with this title.
    ///
    /// Everything is given as in a file: values are expressions, with units if you like, and a start
    /// value of "?" is found by the assembler.
    ///
    /// ```
    /// use dalembert_model::model::Model;
    ///
    /// let model = Model::builder("Pendulum")
    ///     .parameter("m", "2 kg")
    ///     .parameter("l", "1 m")
    ///     .coordinate("x", "l")
    ///     .coordinate("y", "?")
    ///     .particle("P", "m", "[x, y, 0]")
    ///     .constraint("rod", "x^2 + y^2 = l^2")
    ///     .gravity("[0, -9.81, 0]")
    ///     .build()
    ///     .map_err(|errors| errors[0].message.clone())?;
    /// assert_eq!(model.coordinates.len(), 2);
    ///
    /// let errors = Model::builder("").coordinate("t", "2 +").build().unwrap_err();
    /// assert_eq!(errors.len(), 2);
    /// # Ok::<(), String>(())
    /// ```
    pub fn builder(title: &str) -> ModelBuilder {
        let mut root = table("");
        let version = text("dalembert", "1");
        put(&mut root, "dalembert", Item::Number(version));
        set(&mut root, "title", title);
        ModelBuilder { root }
    }
}

impl ModelBuilder {
    /// Acceleration of gravity, a vector.
    pub fn gravity(mut self, vector: &str) -> Self {
        set(&mut self.root, "gravity", vector);
        self
    }

    /// A constant.
    pub fn parameter(self, name: &str, value: &str) -> Self {
        self.named_value("parameters", name, value)
    }

    /// A value that is set from outside while the system moves, and constant between.
    pub fn input(self, name: &str, value: &str) -> Self {
        self.named_value("inputs", name, value)
    }

    /// A named expression.
    pub fn definition(self, name: &str, value: &str) -> Self {
        self.named_value("definitions", name, value)
    }

    /// A coordinate with a start value that must be met, or "?".
    pub fn coordinate(self, name: &str, start: &str) -> Self {
        self.named_value("coordinates", name, start)
    }

    /// A coordinate with a guess for its start value.
    pub fn coordinate_guess(self, name: &str, start: &str) -> Self {
        self.guess("coordinates", name, start)
    }

    /// A rate (`phi'`) or a speed with a start value that must be met.
    pub fn start(self, rate: &str, value: &str) -> Self {
        self.named_value("start", rate, value)
    }

    /// A rate or a speed with a guess for its start value.
    pub fn start_guess(self, rate: &str, value: &str) -> Self {
        self.guess("start", rate, value)
    }

    /// A quasi-velocity, affine in the rates.
    pub fn speed(self, name: &str, value: &str) -> Self {
        self.named_value("speeds", name, value)
    }

    /// A point mass at a position, a vector.
    pub fn particle(self, name: &str, mass: &str, position: &str) -> Self {
        self.thing("particle", name, &[("mass", mass), ("position", position)])
    }

    /// A frame of reference.
    pub fn frame(self, name: &str, attitude: &str) -> Self {
        self.thing("frame", name, &[("attitude", attitude)])
    }

    /// A rigid body with the position of its mass centre and its attitude, and what `describe` says.
    pub fn body(
        mut self,
        name: &str,
        center: &str,
        attitude: &str,
        describe: impl FnOnce(BodyBuilder) -> BodyBuilder,
    ) -> Self {
        let body = BodyBuilder::new(&format!("body.{name}"));
        let body = body.with("center", center).with("attitude", attitude);
        let body = describe(body).into_table();
        self.add("body", name, Item::Table(body));
        self
    }

    /// Kinetic energy.
    pub fn kinetic_energy(self, value: &str) -> Self {
        self.named_value("energy", "kinetic", value)
    }

    /// Potential energy.
    pub fn potential_energy(self, value: &str) -> Self {
        self.named_value("energy", "potential", value)
    }

    /// Rayleigh's dissipation function.
    pub fn dissipation(self, value: &str) -> Self {
        self.named_value("energy", "dissipation", value)
    }

    /// Unconstrained equations M v' = h: M by rows, and h.
    pub fn dynamics(mut self, mass_matrix: &[&[&str]], force: &[&str]) -> Self {
        let path = "dynamics.mass_matrix";
        let rows = mass_matrix.iter().map(|row| list(path, row)).collect();
        let place = text(path, "").place();
        self.add("dynamics", "mass_matrix", Item::List(rows, place));
        self.add("dynamics", "force", list("dynamics.force", force));
        self
    }

    /// A force by components: work per dq of a coordinate, or power per speed.
    pub fn generalized_force(mut self, name: &str, components: &[(&str, &str)]) -> Self {
        let path = format!("force.{name}");
        let mut force = table(&path);
        let components = values(&format!("{path}.generalized"), components);
        put(&mut force, "generalized", Item::Table(components));
        self.add("force", name, Item::Table(force));
        self
    }

    /// A force on a body or particle, and what `describe` says of it.
    pub fn force(
        mut self,
        name: &str,
        on: &str,
        describe: impl FnOnce(ForceBuilder) -> ForceBuilder,
    ) -> Self {
        let force = ForceBuilder::new(&format!("force.{name}"));
        let force = describe(force.with("on", on)).into_table();
        self.add("force", name, Item::Table(force));
        self
    }

    /// A spring, a damper or both: what `describe` says.
    pub fn spring(
        mut self,
        name: &str,
        describe: impl FnOnce(SpringBuilder) -> SpringBuilder,
    ) -> Self {
        let spring = SpringBuilder::new(&format!("spring.{name}"));
        let spring = describe(spring).into_table();
        self.add("spring", name, Item::Table(spring));
        self
    }

    /// An ideal constraint, `left = right`.
    pub fn constraint(self, name: &str, holds: &str) -> Self {
        self.thing("constraint", name, &[("holds", holds)])
    }

    /// A constraint with a virtual-work vector given by components.
    pub fn nonideal_constraint(self, name: &str, holds: &str, components: &[(&str, &str)]) -> Self {
        let work = values(&format!("constraint.{name}.nonideal"), components);
        self.constraint_with(name, holds, ("nonideal", Item::Table(work)))
    }

    /// A constraint whose virtual-work vector is that of a force on a body or particle.
    pub fn nonideal_constraint_on(
        self,
        name: &str,
        holds: &str,
        on: &str,
        describe: impl FnOnce(ForceBuilder) -> ForceBuilder,
    ) -> Self {
        let work = ForceBuilder::new(&format!("constraint.{name}.nonideal"));
        let work = describe(work.with("on", on)).into_table();
        self.constraint_with(name, holds, ("nonideal", Item::Table(work)))
    }

    /// A constraint with Coulomb friction: `coefficient`, and where needed `at`, `against` and `smoothing`.
    pub fn rough_constraint(self, name: &str, holds: &str, friction: &[(&str, &str)]) -> Self {
        let friction = values(&format!("constraint.{name}.friction"), friction);
        self.constraint_with(name, holds, ("friction", Item::Table(friction)))
    }

    /// A constraint held by forces of given direction, whose size is found, in place of its own reaction.
    pub fn servo_constraint(self, name: &str, holds: &str, forces: &[&str]) -> Self {
        let by = list(&format!("constraint.{name}.enforced_by"), forces);
        self.constraint_with(name, holds, ("enforced_by", by))
    }

    /// An identity that the coordinates obey by what they are, as those of a unit quaternion: it has no reaction, and there is a speed
    /// less for each of its rows.
    pub fn identity(self, name: &str, holds: &str) -> Self {
        let identity = Item::Switch(
            true,
            text(&format!("constraint.{name}.identity"), "").place(),
        );
        self.constraint_with(name, holds, ("identity", identity))
    }

    /// A constraint with one more key.
    fn constraint_with(mut self, name: &str, holds: &str, (key, item): (&str, Item)) -> Self {
        let mut constraint = values(&format!("constraint.{name}"), &[("holds", holds)]);
        put(&mut constraint, key, item);
        self.add("constraint", name, Item::Table(constraint));
        self
    }

    /// How to run it: what `describe` says.
    pub fn run(mut self, describe: impl FnOnce(RunBuilder) -> RunBuilder) -> Self {
        let run = describe(RunBuilder::new("run")).into_table();
        put(&mut self.root, "run", Item::Table(run));
        self
    }

    /// The model.
    ///
    /// # Errors
    /// Everything that is wrong with its form, as for files. Warnings are left out; see
    /// [`build_with_warnings`](Self::build_with_warnings).
    pub fn build(self) -> Result<Model, Vec<Diagnostic>> {
        self.build_with_warnings().map(|(model, _)| model)
    }

    /// The model, and what the reader should know about it.
    ///
    /// # Errors
    /// Everything that is wrong with its form, as for files.
    pub fn build_with_warnings(self) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
        finished(assembled(self.root, None))
    }

    fn named_value(mut self, kind: &str, name: &str, value: &str) -> Self {
        let item = Item::Text(text(&format!("{kind}.{name}"), value));
        self.add(kind, name, item);
        self
    }

    fn guess(mut self, kind: &str, name: &str, value: &str) -> Self {
        let path = format!("{kind}.{name}");
        let item = values(&path, &[("value", value), ("priority", "guess")]);
        self.add(kind, name, Item::Table(item));
        self
    }

    fn thing(mut self, kind: &str, name: &str, entries: &[(&str, &str)]) -> Self {
        let item = values(&format!("{kind}.{name}"), entries);
        self.add(kind, name, Item::Table(item));
        self
    }

    /// Puts an item under its name into the table of its kind.
    fn add(&mut self, kind: &str, name: &str, item: Item) {
        let entry = Entry {
            key: text(&format!("{kind}.{name}"), name),
            item,
        };
        let tables = self.root.entries.iter_mut();
        let existing = tables.rev().find(|entry| entry.key.text == kind);
        if let Some(Entry {
            item: Item::Table(table),
            ..
        }) = existing
        {
            table.entries.push(entry);
            return;
        }
        let mut new = table(kind);
        new.entries.push(entry);
        put(&mut self.root, kind, Item::Table(new));
    }
}

/// A text given under a key.
fn text(key: &str, given: &str) -> Text {
    Text {
        text: given.to_owned(),
        origin: Origin::Key(key.to_owned()),
    }
}

/// An empty table; its place is its path.
fn table(path: &str) -> Table {
    let place = match path {
        "" => Place::Model,
        _ => text(path, path).place(),
    };
    Table {
        entries: Vec::new(),
        place,
    }
}

/// A table of texts.
fn values(path: &str, entries: &[(&str, &str)]) -> Table {
    let mut table = table(path);
    for (key, value) in entries {
        set(&mut table, key, value);
    }
    table
}

/// A list of texts.
fn list(path: &str, given: &[&str]) -> Item {
    let items = given.iter().map(|given| Item::Text(text(path, given)));
    Item::List(items.collect(), text(path, "").place())
}

/// Puts `item` under `key`.
fn put(table: &mut Table, key: &str, item: Item) {
    let key = text(&path_of(table, key), key);
    table.entries.push(Entry { key, item });
}

/// Puts the text `value` under `key`.
fn set(table: &mut Table, key: &str, value: &str) {
    let value = text(&path_of(table, key), value);
    put(table, key, Item::Text(value));
}

/// The whole path of a key of the table.
fn path_of(table: &Table, key: &str) -> String {
    match &table.place {
        Place::Text(given) => format!("{}.{key}", given.key),
        _ => key.to_owned(),
    }
}
