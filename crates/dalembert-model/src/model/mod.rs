//! A model as it was written: names and expressions with their places, checked for form.
//!
//! This is what a model file says, and what the Rust builder builds; nothing is resolved yet. Whether
//! names exist, units agree and rows make sense is decided when the model is lowered.
//!
//! The way through: `file` reads TOML into a `source` (keys, texts and lists with their places), the
//! [`builder`] makes one from strings; `check` compares it with the one table of keys in `format`,
//! reads every expression, and `assemble` makes the [`Model`] of what it found.

mod assemble;
mod body;
pub mod builder;
mod check;
mod drawing;
mod event;
mod expressions;
mod file;
pub mod form_codes;
mod format;
mod gauge;
mod load;
mod mechanism;
mod mistakes;
mod names;
mod part;
mod repeat;
mod schema;
mod set;
mod source;
mod sweep;
#[cfg(test)]
mod tests;
mod text;
mod toml_errors;
mod turns;

pub use body::{Body, Inertia, Mass, Shape};
pub use check::counted;
pub use drawing::{Curve, Draw, Figure, PALETTE, SliderRange, View, each_drawn};
pub use expressions::{each_expression, inertia};
pub use file::read;
pub use file::{Refused, examine};
pub use gauge::{Asked, Gauge, Kept};
pub use mechanism::Hanging;
pub use mistakes::MAX_SHOWN;
pub use mistakes::at_most_shown;
pub use part::{PartFile, Parts, Use, uses};
pub use schema::{json_schema, sweep_schema};
pub use sweep::{Spread, SweepPlan, Varied, read_sweep};

use crate::data::DataFiles;
use crate::diagnostic::{Diagnostic, Place};
use dalembert_expr::Rational;
use dalembert_expr::syntax::{ExpressionError, Kind, Relation, Tree};
use std::ops::Range;
use std::sync::Arc;

/// A name given by the user, with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// An expression of a model, parsed, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The text, after the file's own escapes were resolved.
    pub text: String,
    /// Its syntax tree.
    pub tree: Tree,
    /// Where the text stands.
    pub origin: Origin,
}

/// Where the text of an expression stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the file: piecewise offsets of the text into the file, as (byte of text, byte of file),
    /// ascending, each valid up to the next; the first is (0, start). Where the file has something
    /// that the text has not, two pieces have the same byte of text: before it and after it.
    File(Box<[(usize, usize)]>),
    /// Given by a program under this key.
    Key(String),
    /// Written by the program for something the user named there: coordinates of a body, rows of a joint.
    Of(Place),
    /// In the file of a part, by offsets as in [`Origin::File`].
    Part(Arc<PartFile>, Box<[(usize, usize)]>),
}

impl Origin {
    /// The place of a part of `text`, which stands here.
    fn place(&self, text: &str, span: Range<usize>) -> Place {
        match self {
            Self::File(pieces) => Place::File(in_file(pieces, span)),
            Self::Part(file, pieces) => file.place(Place::File(in_file(pieces, span))),
            Self::Key(key) => Place::given(key.as_str(), text, span),
            Self::Of(place) => place.clone(),
        }
    }
}

impl Origin {
    /// That of the text from a byte on; what a program gave stays whole.
    fn from(&self, start: usize) -> Self {
        let later = |pieces: &[(usize, usize)]| {
            let first = (0, start_in_file(pieces, start));
            let after = pieces.iter().filter(|(text, _)| *text > start);
            let after = after.map(|(text, file)| (text - start, *file));
            std::iter::once(first).chain(after).collect()
        };
        match self {
            Self::File(pieces) => Self::File(later(pieces)),
            Self::Part(file, pieces) => Self::Part(Arc::clone(file), later(pieces)),
            Self::Key(_) | Self::Of(_) => self.clone(),
        }
    }
}

/// Where a part of a text stands.
fn in_file(pieces: &[(usize, usize)], span: Range<usize>) -> Range<usize> {
    let start = start_in_file(pieces, span.start);
    match span.is_empty() {
        true => start..start,
        false => start..end_in_file(pieces, span.end),
    }
}

/// Where the text from `offset` on stands: what the file skips before it does not belong to it.
fn start_in_file(pieces: &[(usize, usize)], offset: usize) -> usize {
    let after = pieces.partition_point(|&(text, _)| text <= offset);
    let (text, file) = pieces
        .get(after.wrapping_sub(1))
        .copied()
        .unwrap_or_default();
    file + (offset - text)
}

/// Where the text up to `offset` ends: what the file skips after it does not belong to it.
fn end_in_file(pieces: &[(usize, usize)], offset: usize) -> usize {
    let at = pieces.partition_point(|&(text, _)| text < offset);
    match pieces.get(at) {
        Some(&(text, file)) if text == offset => file,
        _ => start_in_file(pieces, offset),
    }
}

impl Expression {
    /// The place of a part of the text.
    #[must_use]
    pub fn place(&self, span: Range<usize>) -> Place {
        self.origin.place(&self.text, span)
    }

    /// The place of the whole text.
    #[must_use]
    pub fn whole(&self) -> Place {
        self.place(0..self.text.len())
    }

    /// The diagnostic of a mistake in the text.
    #[must_use]
    pub fn diagnostic(&self, error: ExpressionError) -> Diagnostic {
        let place = self.place(error.span.range());
        Diagnostic::of_text(error, place)
    }
}

/// The constraint of a row, by the name of the row: `contact` of `contact.0`, and of `contact`.
#[must_use]
pub fn constraint_of(row: &str) -> &str {
    match row.rsplit_once('.') {
        Some((constraint, number)) if number.bytes().all(|b| b.is_ascii_digit()) => constraint,
        _ => row,
    }
}

/// A whole model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// What it is.
    pub title: Option<String>,
    /// Acceleration of gravity, a vector.
    pub gravity: Option<Expression>,
    /// Constants.
    pub parameters: Vec<(Name, Expression)>,
    /// Parameters that are left open with "?", by name: their value here is a number to set out from, and they are found from accelerations that `[start]` asks
    /// for.
    pub open: Vec<Name>,
    /// Parameters that are set from outside, by name: the inputs, constant in between.
    pub inputs: Vec<Name>,
    /// Parameters that were open, and have the values that were found for them.
    pub found: Vec<Name>,
    /// Named expressions.
    pub definitions: Vec<(Name, Expression)>,
    /// Coordinates with their start values.
    pub coordinates: Vec<(Name, StartValue)>,
    /// Rates and speeds at the start; the key is an expression: `phi'` or the name of a speed.
    pub start: Vec<(Expression, StartValue)>,
    /// Quasi-velocities, affine in the rates.
    pub speeds: Vec<(Name, Expression)>,
    /// Particles.
    pub particles: Vec<Particle>,
    /// Frames.
    pub frames: Vec<Frame>,
    /// Rigid bodies.
    pub bodies: Vec<Body>,
    /// How bodies hang on others in coordinates of joints, each after the one it hangs on.
    pub hanging: Vec<Hanging>,
    /// Energies.
    pub energy: Option<Energy>,
    /// Equations of the unconstrained system.
    pub dynamics: Option<Dynamics>,
    /// Forces.
    pub forces: Vec<Force>,
    /// Springs and dampers.
    pub springs: Vec<Spring>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
    /// Identities by which angles of joints in space count turns; constraints of those that something speaks of: [`Model::with_turns`].
    pub turns: Vec<Constraint>,
    /// Bodies with coordinates of their own that would hang by their joints with `coordinates = "relative"`.
    pub could_hang: Vec<String>,
    /// What happens when conditions become true.
    pub events: Vec<Event>,
    /// How to run it.
    pub run: Run,
    /// What is drawn besides particles and bodies.
    pub draws: Vec<Draw>,
    /// How that is looked at.
    pub view: View,
    /// Files that its texts take tables from.
    pub files: DataFiles,
}

impl Model {
    /// The model with some of its constraints, contacts as if they stayed closed, and without all that happens and is watched on the way.
    #[must_use]
    pub fn at_events(&self, holds: impl FnMut(&Constraint) -> bool) -> Self {
        let mut model = self.clone();
        model.constraints.retain(holds);
        for constraint in &mut model.constraints {
            constraint.closed = constraint.is_contact();
            constraint.restitution = None;
        }
        model.events.clear();
        (model.run.until, model.run.record) = (None, Vec::new());
        (model.run.gauges, model.run.reduced) = (Vec::new(), Vec::new());
        model
    }

    /// A model that has nothing but names, of constants and of functions of time: texts can be read with it.
    pub fn of_names<'n>(
        constants: impl IntoIterator<Item = &'n str>,
        moving: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let place = Place::Model;
        let name = |name: &str| Name {
            text: name.to_owned(),
            place: place.clone(),
        };
        let one = Expression {
            text: "1".to_owned(),
            tree: Tree::number(Rational::from(1)),
            origin: Origin::Key(String::new()),
        };
        let unknown = StartValue {
            value: None,
            must: false,
            place: place.clone(),
        };
        let constants = constants.into_iter();
        let moving = moving.into_iter();
        Self {
            parameters: constants.map(|it| (name(it), one.clone())).collect(),
            coordinates: moving.map(|it| (name(it), unknown.clone())).collect(),
            ..Self::default()
        }
    }
}

/// A value at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartValue {
    /// The value; `None` is "?": found by the assembler.
    pub value: Option<Expression>,
    /// Whether it must be met exactly; a given value must, unless said otherwise.
    pub must: bool,
    /// Where it stands.
    pub place: Place,
}

/// A point mass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Particle {
    /// Its name.
    pub name: Name,
    /// Its mass.
    pub mass: Expression,
    /// Its position, a vector.
    pub position: Expression,
}

/// A frame of reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its name.
    pub name: Name,
    /// Its attitude: rotations one after the other.
    pub attitude: Expression,
}

/// A system given by its energies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: Option<Expression>,
    /// Potential energy.
    pub potential: Option<Expression>,
    /// Rayleigh's dissipation function.
    pub dissipation: Option<Expression>,
}

/// A system given by its unconstrained equations M v' = h.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dynamics {
    /// M by rows.
    pub mass_matrix: Vec<Vec<Expression>>,
    /// h.
    pub force: Vec<Expression>,
    /// Where the table stands.
    pub place: Place,
}

/// A force vector: by coordinates and speeds, or on a body or particle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Load {
    /// Components by coordinate (work per dq) or speed (power per speed).
    Generalized(Vec<(Name, Expression)>),
    /// Along a scalar of the coordinates: work per its change.
    Along {
        /// The scalar.
        measure: Expression,
        /// The work per change of it.
        size: Expression,
    },
    /// On a body or particle.
    Applied {
        /// Body or particle.
        on: Name,
        /// The point of action; the mass centre if not said.
        at: Option<Expression>,
        /// The force.
        vector: Option<Expression>,
        /// The moment, on bodies.
        torque: Option<Expression>,
        /// Frame or body in whose axes the components are; world if not said.
        axes: Option<Name>,
    },
}

/// A given force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Force {
    /// Its name.
    pub name: Name,
    /// What it does.
    pub load: Load,
}

/// A spring, damper or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spring {
    /// Its name.
    pub name: Name,
    /// What it connects.
    pub span: SpringSpan,
    /// Stiffness.
    pub stiffness: Option<Expression>,
    /// Unstretched length; 0 if not said.
    pub length: Option<Expression>,
    /// Damping.
    pub damping: Option<Expression>,
    /// Size of dry friction.
    pub dry: Option<Expression>,
}

/// What a spring connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpringSpan {
    /// Two points.
    Between(Box<[Expression; 2]>),
    /// A scalar expression: torsion and generalized springs.
    On(Expression),
}

/// A constraint. What few have is in boxes: each joint is one, and has one for its turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Its name.
    pub name: Name,
    /// The equation that holds, or the comparison `>=` or `<=` of a contact, which can open.
    pub holds: Expression,
    /// Further equations that hold with it.
    pub also: Vec<Expression>,
    /// The virtual-work vector of a non-ideal constraint.
    pub nonideal: Option<Box<Load>>,
    /// Coulomb friction.
    pub friction: Option<Box<Friction>>,
    /// Forces that hold it in place of its own reaction; none if that does.
    pub enforced_by: Vec<Name>,
    /// Whether it holds from the start.
    pub active: bool,
    /// Whether the coordinates obey it by what they are, as those of a unit quaternion: it has no reaction, and there is a speed less.
    /// Identities stand before all other constraints.
    pub identity: bool,
    /// How a contact comes back.
    pub restitution: Option<Box<Restitution>>,
    /// Whether a contact is taken to stay closed, for equations that hold as long as it does.
    pub closed: bool,
    /// Of a joint, what it connects.
    pub joint: Option<Box<Ends>>,
    /// Whether what it is made of says where and how it acts: a joint between points, a rope, a contact by shape.
    pub placed: bool,
    /// Lengths of a joint that are positive, by their keys.
    pub lengths: Vec<(&'static str, Expression)>,
}

/// What a joint connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// What its two points belong to; none of the ground.
    pub on: [Option<Name>; 2],
    /// The heights of its points above the plane, which the motion may not change; none of a joint that may stand in space.
    pub heights: Vec<Expression>,
    /// Cosines that are 1 where the joint stands as it is defined. Its rows hold as well where one is −1: an axis lies along another that
    /// points the other way too.
    pub senses: Vec<Expression>,
}

impl Constraint {
    /// An identity of the coordinates.
    fn identity(name: Name, holds: Expression) -> Self {
        Self {
            name,
            holds,
            also: Vec::new(),
            nonideal: None,
            friction: None,
            enforced_by: Vec::new(),
            active: true,
            identity: true,
            restitution: None,
            closed: false,
            joint: None,
            placed: false,
            lengths: Vec::new(),
        }
    }

    /// All its equations.
    pub fn equations(&self) -> impl Iterator<Item = &Expression> {
        std::iter::once(&self.holds).chain(&self.also)
    }

    /// Whether it is a contact: it presses and does not pull, and can open.
    #[must_use]
    pub fn is_contact(&self) -> bool {
        let tree = &self.holds.tree;
        let contacts = [Relation::GreaterOrEqual, Relation::LessOrEqual];
        matches!(&tree[tree.root()].kind, Kind::Relation { relation, .. } if contacts.contains(relation))
    }
}

/// How a contact comes back from an impact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restitution {
    /// The coefficient.
    pub value: Expression,
    /// Whether it is Poisson's, of impulses; else Newton's, of velocities.
    pub poisson: bool,
}

/// Coulomb friction of a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Friction {
    /// Friction force per normal force.
    pub coefficient: Expression,
    /// The same where nothing slips, `static`; the coefficient if not said.
    pub holding: Option<Expression>,
    /// The particle or material point that slides; the only particle involved if not said.
    pub at: Option<Expression>,
    /// The body it slides on; the ground if not said.
    pub against: Option<Name>,
    /// Slip speed below which the law is smooth.
    pub smoothing: Option<Expression>,
}

/// What happens when a condition becomes true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// The condition.
    pub when: Expression,
    /// Whether the run ends.
    pub stop: bool,
    /// New values of coordinates, rates (`x'`) and speeds.
    pub set: Vec<(Expression, Expression)>,
    /// Constraints that hold no longer.
    pub release: Vec<Name>,
    /// Constraints that hold from then on.
    pub engage: Vec<Name>,
    /// A given impulse.
    pub impulse: Option<Load>,
    /// A blow.
    pub impact: Option<Impact>,
}

/// A blow along the gradients of position expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// These.
    pub on: Vec<Expression>,
    /// How much of their rates comes back; none if not said.
    pub restitution: Option<Expression>,
}

/// How to run a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Start of time; 0 if not said.
    pub from: Option<Expression>,
    /// Duration.
    pub span: Option<Expression>,
    /// Relative tolerance.
    pub rtol: Option<Expression>,
    /// Absolute tolerance.
    pub atol: Option<Expression>,
    /// Name of the integrator.
    pub integrator: Option<Name>,
    /// Condition that ends the run.
    pub until: Option<Expression>,
    /// Number of samples, the first and the last included.
    pub samples: Option<Expression>,
    /// Time between samples.
    pub step: Option<Expression>,
    /// Longest step of the integrator.
    pub max_step: Option<Expression>,
    /// Largest number of steps.
    pub max_steps: Option<Expression>,
    /// What to record besides coordinates and rates.
    pub record: Vec<Expression>,
    /// What the run is reduced to, each after those that it uses.
    pub gauges: Vec<Gauge>,
    /// Gauges that are parameters of those after them, by their names.
    pub reduced: Vec<(usize, String)>,
}
