//! The table of keys.

use super::{Count, Key, Kind, Need, Space};
use crate::model::mechanism::TYPES;

const fn key(name: &'static str, kind: Kind, need: Need, doc: &'static str) -> Key {
    Key {
        name,
        kind,
        need,
        doc,
    }
}

const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    key(name, kind, Need::Optional, doc)
}

const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    key(name, kind, Need::Required, doc)
}

/// What stands at the top of a file.
pub(in crate::model) const ROOT: &[Key] = &[
    key("dalembert", Kind::Version, Need::RequiredBySense, "Version of the format, 1."),
    optional("title", Kind::Title, "What the system is."),
    optional("gravity", Kind::Value, "Acceleration of gravity, a vector; acts on every particle and body."),
    optional("planar", Kind::Switch, "Whether free bodies move in the plane: x, y and an angle."),
    optional("parameters", Kind::Named(Space::Quantities, &Kind::Value), "Constants: numbers, numbers with units, or expressions of other parameters."),
    optional("inputs", Kind::Named(Space::Quantities, &Kind::Value), "Values that are set from outside while the system moves, and constant between: forces, laws and constraints of velocities may use them."),
    optional("definitions", Kind::Named(Space::Quantities, &Kind::Value), "Named expressions of parameters and of the motion."),
    optional("coordinates", Kind::Named(Space::Quantities, &Kind::Start), "Coordinates with their values at the start; free bodies have their own. Or the word \"relative\": bodies that hang on others by joints get the coordinates of the joints."),
    optional("start", Kind::Rates, "Rates and speeds at the start; those not mentioned are guesses of 0."),
    optional("speeds", Kind::Named(Space::Quantities, &Kind::Value), "Quasi-velocities, affine in the rates, as many as coordinates."),
    optional("particle", Kind::Named(Space::Things, &Kind::Table(PARTICLE)), "Point masses."),
    optional("frame", Kind::Named(Space::Things, &Kind::Table(FRAME)), "Frames of reference."),
    optional("body", Kind::Named(Space::Things, &Kind::Table(BODY)), "Rigid bodies."),
    optional("energy", Kind::Table(ENERGY), "A system given by its energies."),
    optional("dynamics", Kind::Table(DYNAMICS), "A system given by its unconstrained equations M v' = h."),
    optional("force", Kind::Named(Space::Forces, &Kind::Table(FORCE)), "Given forces."),
    optional("spring", Kind::Named(Space::Springs, &Kind::Table(SPRING)), "Springs and dampers."),
    optional("constraint", Kind::Named(Space::Constraints, &Kind::Table(CONSTRAINT)), "What holds."),
    optional("joint", Kind::Named(Space::Constraints, &Kind::Table(JOINT)), "Joints between bodies."),
    optional("contact", Kind::Named(Space::Constraints, &Kind::Table(CONTACT)), "Contacts by shape: balls, boxes, rods and points on planes, on balls and in bowls."),
    optional("event", Kind::Named(Space::Events, &Kind::Table(EVENT)), "What happens when a condition becomes true."),
    optional("repeat", Kind::Named(Space::Events, &Kind::Table(REPEAT)), "Families: copies of tables with an index."),
    optional("use", Kind::Named(Space::Things, &Kind::Table(USE)), "Other model files as parts: their names become PART.NAME."),
    optional("run", Kind::Table(RUN), "How to simulate."),
    optional("draw", Kind::Named(Space::Drawings, &Kind::Table(DRAW)), "What the page draws besides bodies, particles and springs."),
    optional("view", Kind::Table(VIEW), "From where the page looks at it."),
];

const USE: &[Key] = &[
    required("file", Kind::Title, "The file of the part, beside this one."),
    optional("set", Kind::Components, "Other values for parameters of the part."),
];

/// A start value with a priority.
pub(in crate::model) const START_VALUE: &[Key] = &[
    required("value", Kind::Start, "The value; \"?\" is found by the assembler."),
    optional("priority", Kind::Choice(&["must", "guess"]), "Whether the value must be met exactly or is a guess."),
];

const PARTICLE: &[Key] = &[
    required("mass", Kind::Value, "Its mass."),
    required("position", Kind::Value, "Its position, a vector."),
];

const FRAME: &[Key] = &[required("attitude", Kind::Value, "Its attitude: frames and rotations one after the other.")];

/// A family. Copies are written out before they are looked at.
pub(in crate::model) const REPEAT: &[Key] = &[
    required("count", Kind::Value, "How many copies there are."),
    optional("from", Kind::Value, "The index of the first; 0 if not said."),
    optional("parameters", Kind::Copies, "Parameters of each copy."),
    optional("definitions", Kind::Copies, "Definitions of each copy."),
    optional("coordinates", Kind::Copies, "Coordinates of each copy."),
    optional("start", Kind::Copies, "What is said of the start of each copy, such as \"hinge{i}.rate\"."),
    optional("particle", Kind::Copies, "Point masses."),
    optional("frame", Kind::Copies, "Massless axes."),
    optional("body", Kind::Copies, "Rigid bodies: link becomes link0, link1, …"),
    optional("force", Kind::Copies, "Given forces."),
    optional("spring", Kind::Copies, "Springs and dampers."),
    optional("constraint", Kind::Copies, "What holds."),
    optional("joint", Kind::Copies, "Joints, such as between = [\"link{i-1}.tip\", \"link{i}.foot\"]."),
    optional("contact", Kind::Copies, "Contacts by shape, such as between = [\"ball{i}\", \"ball{i+1}\"]."),
    optional("event", Kind::Copies, "What happens."),
    optional("draw", Kind::Copies, "What the page draws."),
    optional("use", Kind::Copies, "Other model files as parts: leg becomes leg0, leg1, …"),
];

const BODY: &[Key] = &[
    optional("mass", Kind::Value, "Its mass; with an inertia it may be left out, and is none then."),
    optional("density", Kind::Value, "Mass per volume of the shape, in place of the mass."),
    optional("inertia", Kind::Inertia, "Inertia about the mass centre in body axes: principal moments, or 3x3; wins over the shape."),
    optional("center", Kind::Value, "Position of the mass centre, a vector; without it and `attitude` the body is free."),
    optional("attitude", Kind::Value, "Its attitude: frames and rotations one after the other."),
    optional("shape", Kind::Shapes, "Its shape, or a list of shapes that it is made of: gives the mass centre and the inertia where that is not given, and the drawing."),
    optional("point", Kind::Named(Space::Points, &Kind::Value), "Named points in body coordinates."),
    optional("start", Kind::Table(BODY_START), "Where a free body starts, roughly: guesses."),
];

const BODY_START: &[Key] = &[
    optional("center", Kind::Value, "Position of the mass centre, a vector written out."),
    optional("attitude", Kind::Value, "Its attitude, such as Rz(30 deg)."),
    optional("velocity", Kind::Value, "Velocity of the mass centre, a vector written out."),
    optional("omega", Kind::Value, "Angular velocity, a vector written out."),
];

/// A shape, or a part of a body that is made of several.
pub(in crate::model) const SHAPE: &[Key] = &[
    optional("disk", Kind::Table(&[RADIUS, AXIS]), "A thin disk with the axis as its normal."),
    optional("rod", Kind::Table(&[LENGTH, AXIS]), "A thin rod along the axis."),
    optional("box", Kind::Table(&[SIZE]), "A box along the body axes."),
    optional("sphere", Kind::Table(&[RADIUS]), "A ball."),
    optional("cylinder", Kind::Table(&[RADIUS, LENGTH, AXIS]), "A cylinder around the axis."),
    optional("tube", Kind::Table(&[RADIUS, INNER_RADIUS, LENGTH, AXIS]), "A hollow cylinder around the axis."),
    optional("cone", Kind::Table(&[RADIUS, LENGTH, AXIS]), "A cone around the axis, its tip in the direction of the axis."),
    optional("ellipsoid", Kind::Table(&[RADII]), "An ellipsoid along the body axes."),
    optional("mesh", Kind::Table(&[FILE, UNIT]), "A closed surface of triangles from a file, in the axes of the file."),
    optional("at", Kind::Value, "Where it stands in the body's axes, a vector; at their origin if not said."),
    optional("attitude", Kind::Value, "How it stands in the body's axes, such as Ry(90 deg); along them if not said."),
    optional("mass", Kind::Value, "Of a part: its own mass."),
    optional("density", Kind::Value, "Of a part: its own mass per volume."),
];

const RADIUS: Key = required("radius", Kind::Value, "Its radius.");
const INNER_RADIUS: Key = required("inner_radius", Kind::Value, "Radius of the bore.");
const LENGTH: Key = required("length", Kind::Value, "Its length along the axis.");
const SIZE: Key = required("size", Kind::Values(Count::Exactly(3)), "Its sizes along the body axes x, y and z.");
const RADII: Key = required("radii", Kind::Values(Count::Exactly(3)), "Its half sizes along the body axes x, y and z.");
const FILE: Key = required("file", Kind::Title, "The file beside the model: STL, as text or binary, or OBJ.");
const UNIT: Key = required("unit", Kind::Word, "The unit of its numbers, such as mm: files do not say it.");
const AXIS: Key = optional("axis", Kind::Choice(&["x", "y", "z"]), "The body axis it is aligned with; z if not said.");

const ENERGY: &[Key] = &[
    optional("kinetic", Kind::Value, "Kinetic energy."),
    optional("potential", Kind::Value, "Potential energy."),
    optional("dissipation", Kind::Value, "Rayleigh's dissipation function."),
];

const DYNAMICS: &[Key] = &[
    required("mass_matrix", Kind::Rows, "M by rows, in the order of the speeds."),
    required("force", Kind::Values(Count::Any), "h in the order of the speeds, gyroscopic terms included."),
];

const GENERALIZED: Key = optional("generalized", Kind::Components, "Components by coordinate (work per dq) or speed (power per speed).");
const ON: Key = optional("on", Kind::Reference, "The body or particle it acts on.");
const AT: Key = optional("at", Kind::Value, "The point of action; the mass centre if not said.");
const VECTOR: Key = optional("vector", Kind::Value, "The force, a vector.");
const TORQUE: Key = optional("torque", Kind::Value, "The moment, a vector.");
const IN: Key = optional("in", Kind::Reference, "Frame or body in whose axes the components are; world if not said.");

const FORCE: &[Key] = &[
    GENERALIZED,
    ON,
    AT,
    VECTOR,
    TORQUE,
    IN,
    optional("along", Kind::Value, "A length, an angle or another scalar of the coordinates that it does work on."),
    optional("size", Kind::Value, "Its size along that: work per change, a force or a torque."),
];

/// A force on a body or particle.
pub(in crate::model) const LOAD: &[Key] = &[ON, AT, VECTOR, TORQUE, IN];

const SPRING: &[Key] = &[
    optional("between", Kind::Values(Count::Exactly(2)), "The two points it connects."),
    optional("on", Kind::Value, "The coordinate or other scalar it acts on: torsion and generalized springs."),
    optional("stiffness", Kind::Value, "Force per length."),
    optional("length", Kind::Value, "Unstretched length; 0 if not said."),
    optional("damping", Kind::Value, "Force per speed of lengthening."),
    optional("dry", Kind::Value, "Dry friction of given size against lengthening and shortening; holds what rests."),
];

const CONSTRAINT: &[Key] = &[
    required("holds", Kind::Equations, "The equation that holds, between scalars or vectors; or a list of them; or left >= right, a contact that presses and does not pull."),
    optional("nonideal", Kind::Work, "The virtual-work vector: by coordinate or speed, or a force on a body or particle."),
    optional("active", Kind::Switch, "Whether it holds from the start; false waits for an event to engage it."),
    optional("identity", Kind::Switch, "true: the coordinates obey it by what they are, as those of a unit quaternion; it has no reaction, and [speeds] has one entry less for each of its rows."),
    optional("friction", Kind::Table(FRICTION), "Coulomb friction, by the actual normal force."),
    optional("restitution", Kind::Restitution, "Of a contact: how much of the speed of approach comes back (Newton), or { poisson = e }, how much of the impulse; 0 (plastic) if not said."),
    optional("enforced_by", Kind::References, "Forces that hold the constraint in place of its own reaction, one for each row: they give directions, their sizes are found."),
];

/// Which coordinates bodies with joints get, where they are not named.
pub(in crate::model) const COORDINATES: &[&str] = &["absolute", "relative"];

/// Restitution by another law than Newton's.
pub(in crate::model) const RESTITUTION: &[Key] = &[
    required("poisson", Kind::Value, "How much of the impulse of compression comes back (Poisson)."),
];

const CONTACT: &[Key] = &[
    required("between", Kind::Values(Count::Exactly(2)), "What touches, and what it touches: a body that is a sphere, a box or a rod, a point of a body, or a particle; and a body or the ground."),
    optional("plane", Kind::Table(PLANE), "The plane that is touched, in the axes of the second."),
    optional("bowl", Kind::Table(BOWL), "The bowl in which it lies, in the axes of the second."),
    optional("restitution", Kind::Restitution, "How much of the speed of approach comes back (Newton), or { poisson = e }, how much of the impulse; 0 (plastic) if not said."),
    optional("friction", Kind::Table(&[COEFFICIENT, STATIC]), "Coulomb friction, by the actual normal force, at the material point that touches."),
];

const PLANE: &[Key] = &[
    required("normal", Kind::Value, "Its normal, towards what touches: a vector."),
    optional("through", Kind::Value, "A point of it; the origin of the second, or the point that is named there, if not said."),
];

const BOWL: &[Key] = &[
    required("radius", Kind::Value, "Its radius."),
    optional("center", Kind::Value, "Its centre; the origin of the second, or the point that is named there, if not said."),
];

const JOINT: &[Key] = &[
    required("type", Kind::Choice(TYPES), "What kind of joint it is."),
    optional("between", Kind::Values(Count::Exactly(2)), "The two points that it connects: named points, point(B, [a, b, c]), or bodies for their mass centres."),
    optional("through", Kind::Values(Count::Any), "The points that a rope runs through."),
    optional("of", Kind::References, "The two joints that gears couple."),
    optional("axis", Kind::Value, "Its axis in the first body's frame: x, y, z, or a vector; the normal of a plane."),
    optional("second_axis", Kind::Value, "The other axis of a cross, in the second body's frame."),
    optional("attitude", Kind::Value, "How the second body's axes stand in the first body's at the angle zero, in space, such as Rx(90 deg); alike if not said."),
    optional("pitch", Kind::Value, "Way of a screw per turn."),
    optional("length", Kind::Value, "Distance of the points, or length of the rope."),
    optional("radius", Kind::Value, "Radius of the wheel or pinion."),
    optional("ratio", Kind::Value, "Motion of the second joint per motion of the first."),
    optional("offset", Kind::Value, "What the second joint is at where the first is at 0; 0 if not said."),
    optional("angle", Kind::Value, "Angle between the bodies, which stays; 0 if not said."),
    optional("curve", Kind::Equation, "Equation of the curve in x and y of the first body's frame, from its point."),
    optional("active", Kind::Switch, "Whether it holds from the start; false waits for an event to engage it."),
    optional("friction", Kind::Table(JOINT_FRICTION), "Coulomb friction, by the actual normal force."),
];

const JOINT_FRICTION: &[Key] = &[COEFFICIENT, SMOOTHING, STATIC];

const FRICTION: &[Key] = &[
    COEFFICIENT,
    optional("at", Kind::Value, "The particle, or the material point of a body, that slides; needed where several could be meant."),
    optional("against", Kind::Reference, "The body it slides on; the ground if not said."),
    SMOOTHING,
    STATIC,
];

const COEFFICIENT: Key = required("coefficient", Kind::Value, "Friction force per normal force.");
const SMOOTHING: Key = optional("smoothing", Kind::Value, "Slip speed below which a smooth law, with tanh(slip/smoothing), replaces the jump at rest.");
const STATIC: Key = optional("static", Kind::Value, "Coefficient of static friction: how much holds what rests; the coefficient if not said, and never less.");

const EVENT: &[Key] = &[
    required("when", Kind::Condition, "The condition; it happens when this becomes true, at the start if it is true then."),
    optional("stop", Kind::Switch, "Whether the run ends."),
    optional("set", Kind::Settings, "New values of coordinates, rates or speeds, in terms of those before."),
    optional("release", Kind::Names, "Constraints that hold no longer."),
    optional("engage", Kind::Names, "Constraints that hold from now on: a plastic impact."),
    optional("impulse", Kind::Table(IMPULSE), "A given impulse."),
    optional("impact", Kind::Table(IMPACT), "A blow along the gradient of a position expression."),
];

const IMPULSE: &[Key] = &[
    optional("generalized", Kind::Components, "Components by coordinate (work per dq' of the blow) or speed."),
    ON,
    AT,
    optional("vector", Kind::Value, "The impulse, a vector: a force times a time."),
    optional("angular", Kind::Value, "The angular impulse, a vector: a moment times a time."),
    IN,
];

const IMPACT: &[Key] = &[
    required("on", Kind::OneOrMore, "The position expression, or expressions, along which the blow acts: a gap."),
    optional("restitution", Kind::Value, "How much of the rate of it comes back; 0 (plastic) if not said."),
];

const DRAW: &[Key] = &[
    optional("point", Kind::Value, "Where a shape stands, a vector; a small ball without `shape`."),
    optional("attitude", Kind::Value, "How the shape at the point stands: frames and rotations one after the other."),
    optional("line", Kind::Values(Count::Exactly(2)), "The two ends of a rod."),
    optional("curve", Kind::Table(CURVE), "A wire, point by point."),
    optional("body", Kind::Reference, "A body or particle that gets this look."),
    optional("shape", Kind::Table(SHAPE), "The shape that is drawn."),
    optional("color", Kind::Word, "blue, orange, green, vermilion, purple, sky, yellow, gray, or #rrggbb."),
    optional("label", Kind::Title, "Words beside it."),
    optional("trail", Kind::Switch, "Whether its way stays visible."),
];

const CURVE: &[Key] = &[
    required("of", Kind::Reference, "A name for what runs along the curve, such as s."),
    required("from", Kind::Value, "Where it begins."),
    required("to", Kind::Value, "Where it ends."),
    required("at", Kind::Value, "The point at each of its values, a vector."),
];

const VIEW: &[Key] = &[
    optional("up", Kind::Choice(&["x", "y", "z"]), "The axis that points up; z if not said, y where gravity is along -y."),
    optional("plane", Kind::Choice(&["xy", "xz", "yz"]), "The plane that is looked at straight on, without perspective."),
    optional("camera", Kind::Table(CAMERA), "Where the camera stands."),
    optional("sliders", Kind::Sliders, "Ranges of values that can be changed in the page, by parameter, coordinate, rate or speed."),
];

/// The range of a slider.
pub(in crate::model) const SLIDER: &[Key] = &[
    required("min", Kind::Value, "The least value."),
    required("max", Kind::Value, "The largest value."),
    optional("log", Kind::Switch, "Whether equal ways multiply by equal factors; stiffness is changed so if not said."),
];

const CAMERA: &[Key] = &[
    required("from", Kind::Value, "Where it is, a vector."),
    required("at", Kind::Value, "What it looks at, a vector."),
];

const RUN: &[Key] = &[
    optional("from", Kind::Value, "Time at the start; 0 if not said."),
    optional("span", Kind::Value, "Duration."),
    optional("rtol", Kind::Value, "Relative tolerance."),
    optional("atol", Kind::Value, "Absolute tolerance."),
    optional("integrator", Kind::Word, "Name of the integrator."),
    optional("until", Kind::Condition, "Condition that ends the run."),
    optional("samples", Kind::Value, "Number of samples, the first and the last included."),
    optional("step", Kind::Value, "Time between samples."),
    optional("max_step", Kind::Value, "Longest step of the integrator, for forces that act for a short while."),
    optional("max_steps", Kind::Value, "Largest number of steps; ten million if not said."),
    optional("record", Kind::Values(Count::Any), "What to record besides coordinates and rates."),
];

/// What stands at the top of the plan of a sweep.
pub(in crate::model) const SWEEP: &[Key] = &[
    required("dalembert", Kind::Version, "Version of the format, 1."),
    optional("title", Kind::Title, "What is studied."),
    optional("design", Kind::Choice(&["grid", "random", "latin-hypercube", "sobol", "table"]), "How values are chosen: all combinations, at random, stratified, evenly filling, or row by row from a table; grid if not said, table where one is given."),
    optional("runs", Kind::Value, "How many runs a design draws; grids and tables have their own number."),
    optional("seed", Kind::Value, "A whole number from which all that is random follows; 0 if not said."),
    optional("chunk", Kind::Value, "How many runs make a part, which is lost as a whole or not at all."),
    optional("table", Kind::Title, "The file beside the plan with a row for each run, .csv or .parquet."),
    optional("vary", Kind::Varied, "What differs from run to run: parameters, start values, \"run.rtol\" and the like, or the model."),
    optional("set", Kind::Settings, "Values that are the same in all runs, in place of those of the model."),
    optional("run", Kind::Table(SWEEP_RUN), "How to simulate, in place of what the model says."),
    optional("results", Kind::Named(Space::Results, &Kind::Asked), "What is kept of each run; the time and the state at its end if nothing is said."),
];

const SWEEP_RUN: &[Key] = &[
    optional("from", Kind::Value, "Time at the start; 0 if not said."),
    optional("span", Kind::Value, "Duration."),
    optional("rtol", Kind::Value, "Relative tolerance."),
    optional("atol", Kind::Value, "Absolute tolerance."),
    optional("integrator", Kind::Choice(&["auto", "dop853", "dopri5", "radau"]), "Name of the integrator."),
    optional("formulation", Kind::Choice(&["multipliers", "udwadia-kalaba", "projection", "complement", "independent"]), "Where accelerations come from."),
    optional("until", Kind::Condition, "Condition that ends a run."),
    optional("samples", Kind::Value, "Number of samples of a series, the first and the last included."),
    optional("step", Kind::Value, "Time between samples of a series."),
    optional("max_step", Kind::Value, "Longest step of the integrator."),
    optional("max_steps", Kind::Value, "Largest number of steps."),
];

/// How something differs from run to run.
pub(in crate::model) const VARIED: &[Key] = &[
    optional("values", Kind::Values(Count::Any), "These values."),
    optional("from", Kind::Value, "The least value."),
    optional("to", Kind::Value, "The largest value."),
    optional("count", Kind::Value, "How many values of a grid, both ends included."),
    optional("mean", Kind::Value, "The middle of a normal distribution; on a logarithmic scale its median."),
    optional("deviation", Kind::Value, "Its standard deviation; on a logarithmic scale that of the logarithm, a pure number."),
    optional("scale", Kind::Choice(&["linear", "log"]), "Whether equal ways are equal differences or equal factors; linear if not said."),
    optional("column", Kind::Title, "The column of the table; that of the same name if not said."),
    optional("words", Kind::Words, "These words, for what is chosen by a word: the integrator, the formulation."),
    optional("files", Kind::Words, "These model files, each in place of the model."),
];
