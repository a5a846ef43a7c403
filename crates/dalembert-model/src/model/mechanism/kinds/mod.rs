//! The types of joints, each one definition in the language of models.
//!
//! In the texts `{J}` is the name of the joint, `{B}` and `{C}` are the bodies it connects, `{b}` and `{c}` their angles in the plane, `{turning}`
//! is ω₂ − ω₁, and `{-B}` takes away what the first body carries its points with. `J.first` and `J.second` are the two points, `J.axis` is the
//! axis, of length one and fixed in the first body. Rows are the second body's side minus the first's, so that multipliers are forces
//! and moments on the second body.

mod constant_velocity;
mod cylindrical;
mod distance;
mod gear;
mod planar;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod rack;
mod revolute;
mod rolling;
mod rope;
mod screw;
mod spherical;
mod track;
mod universal;
mod weld;

use crate::model::source::Item;

/// A type of joint.
pub(super) struct JointType {
    pub(super) name: &'static str,
    /// What it connects.
    pub(super) connects: Connects,
    /// Whether it can have friction: it keeps one point on a line or surface.
    pub(super) friction: bool,
    /// What it is with `planar = true`; none if it is of space alone.
    pub(super) plane: Option<Form>,
    /// What it is in space; none if it is of the plane alone.
    pub(super) space: Option<Form>,
}

/// A joint in the plane, or in space.
pub(super) struct Form {
    /// Whether its equations hold in the plane only.
    pub(super) plane: bool,
    /// Whether its axis must be said.
    pub(super) axis: Axis,
    /// Keys of its own; those without a value must be given.
    pub(super) keys: &'static [(&'static str, Option<&'static str>)],
    /// Equations that hold.
    pub(super) rows: &'static [&'static str],
    /// What has a name.
    pub(super) quantities: &'static [(&'static str, &'static str)],
}

/// What a joint says of its axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// It has none.
    None,
    /// There is only one that it can have.
    Optional,
    /// It must be said.
    Needed,
}

// In space `J.axis`, `J.across` and `J.beside` are directions of the first body, square to each other and of length one;
// `J.own_axis`, … the same directions of the second body as it stands at the angle zero.

/// The axis of the second body stays square to two directions of the first, and so along the axis there.
const ALONG_ACROSS: &str = "dot({J}.own_axis, {J}.across) = 0";
const ALONG_BESIDE: &str = "dot({J}.own_axis, {J}.beside) = 0";
/// It does not turn about the axis either.
const ACROSS_BESIDE: &str = "dot({J}.own_across, {J}.beside) = 0";
/// The point of the second body stays on the axis through that of the first.
const ON_ACROSS: &str = "dot({J}.second - {J}.first, {J}.across) = 0";
const ON_BESIDE: &str = "dot({J}.second - {J}.first, {J}.beside) = 0";
/// It stays in the plane that the axis is square to.
const ON_AXIS: &str = "dot({J}.second - {J}.first, {J}.axis) = 0";

/// What is 1 where a row holds as it is meant, and −1 where it holds the other way round.
const SENSES: [(&str, &str); 3] = [
    (ALONG_ACROSS, "dot({J}.own_axis, {J}.axis)"),
    (ACROSS_BESIDE, "dot({J}.own_across, {J}.across)"),
    (
        constant_velocity::ALIKE,
        "(dot({J}.own_across, {J}.across) + dot({J}.own_beside, {J}.beside))/\
         norm([dot({J}.own_across, {J}.across) + dot({J}.own_beside, {J}.beside), \
         dot({J}.own_across, {J}.beside) - dot({J}.own_beside, {J}.across), 0])",
    ),
];

const DISTANCE_ALONG: (&str, &str) = ("distance", "dot({J}.second - {J}.first, {J}.axis)");
pub(super) const ANGLE: (&str, &str) = (
    "angle",
    "atan2(dot({J}.own_across, {J}.beside), dot({J}.own_across, {J}.across))",
);
/// The angle is what is measured, but for whole turns: see `turns.rs`.
pub(super) const UP_TO_TURNS: &str = "atan2(dot({J}.own_across, {J}.beside)*cos({J}.angle) - dot({J}.own_across, {J}.across)*sin({J}.angle), \
     dot({J}.own_across, {J}.across)*cos({J}.angle) + dot({J}.own_across, {J}.beside)*sin({J}.angle)) = 0";
const TURNING: (&str, &str) = ("rate", "dot({turning}, {J}.axis)");

/// What a joint connects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Connects {
    /// Two points.
    Points,
    /// A point and a whole body: the rim of a wheel.
    Wheel,
    /// A row of points.
    Path,
    /// Two joints.
    Joints,
}

const ALL: [&JointType; 17] = [
    &weld::WELD,
    &revolute::REVOLUTE,
    &prismatic::PRISMATIC,
    &point_on_line::POINT_ON_LINE,
    &distance::DISTANCE,
    &rope::ROPE,
    &gear::GEAR,
    &rack::RACK,
    &rolling::ROLLING,
    &track::TRACK,
    &spherical::SPHERICAL,
    &cylindrical::CYLINDRICAL,
    &screw::SCREW,
    &universal::UNIVERSAL,
    &constant_velocity::CONSTANT_VELOCITY,
    &planar::PLANAR,
    &point_on_plane::POINT_ON_PLANE,
];

/// Their names.
pub(in crate::model) const TYPES: &[&str] = &{
    let mut names = [""; ALL.len()];
    let mut i = 0;
    while i < ALL.len() {
        names[i] = ALL[i].name;
        i += 1;
    }
    names
};

/// Names that joints of any type may have.
const COMMON: [&str; 18] = [
    "arm",
    "first",
    "second",
    "axis",
    "direction",
    "rate",
    "normal",
    "first_angle",
    "second_angle",
    "across",
    "beside",
    "own_axis",
    "own_across",
    "own_beside",
    "other_axis",
    "other_direction",
    "mate",
    "turns",
];

impl JointType {
    /// A joint between points of bodies that there is in space alone.
    const fn of_space(name: &'static str, form: Form) -> Self {
        Self {
            name,
            connects: Connects::Points,
            friction: false,
            plane: None,
            space: Some(form),
        }
    }

    pub(super) fn named(name: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|it| it.name == name)
    }

    /// What it is in the plane, or in space, where what rolls is a disk if it has an axle.
    pub(super) fn form(&self, planar: bool, axle: bool) -> Option<&Form> {
        match planar {
            true => self.plane.as_ref(),
            false if axle && self.name == rolling::ROLLING.name => Some(&rolling::DISK),
            false => self.space.as_ref(),
        }
    }
}

impl Form {
    /// In space, about or along an axis that must be said.
    const fn with_axis(
        rows: &'static [&'static str],
        quantities: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            plane: false,
            axis: Axis::Needed,
            keys: &[],
            rows,
            quantities,
        }
    }

    /// What a gear moves: the angle of a joint that has one, and else the distance.
    pub(super) fn value(&self) -> Option<&'static str> {
        ["angle", "distance"].into_iter().find(|it| self.has(it))
    }

    /// Whether one of its quantities has a name.
    pub(super) fn has(&self, quantity: &str) -> bool {
        self.quantities.iter().any(|(name, _)| *name == quantity)
    }

    /// Cosines that are 1 where its rows hold as they are meant.
    pub(super) fn senses(&self) -> impl Iterator<Item = &'static str> {
        let rows = self.rows;
        let own = SENSES.iter().filter(move |(row, _)| rows.contains(row));
        own.map(|(_, sense)| *sense)
    }

    /// Whether its texts hold a word.
    pub(super) fn uses(&self, word: &str) -> bool {
        let quantities = self.quantities.iter().map(|it| it.1);
        let mut texts = self.rows.iter().copied().chain(quantities);
        texts.any(|text| text.contains(word))
    }
}

/// Quantities that a joint may have, as its table was given.
pub(super) fn members(joint: &Item) -> impl Iterator<Item = String> {
    let entries = match joint {
        Item::Table(table) => table.entries.as_slice(),
        _ => &[],
    };
    let text = |key: &str| {
        let entry = entries.iter().find(|entry| entry.key.text == key);
        entry.map(|entry| &entry.item)
    };
    let kind = match text("type") {
        Some(Item::Text(kind)) => JointType::named(&kind.text),
        _ => None,
    };
    let points = match text("through") {
        Some(Item::List(points, _)) => points.len(),
        _ => 0,
    };
    let forms = kind.into_iter().flat_map(|kind| {
        let disk = kind.form(false, true);
        [kind.plane.as_ref(), kind.space.as_ref(), disk]
    });
    let own = forms.flatten().flat_map(|kind| {
        let keys = kind.keys.iter().map(|(key, _)| *key);
        keys.chain(kind.quantities.iter().map(|(name, _)| *name))
    });
    own.chain(COMMON)
        .map(str::to_owned)
        .chain((0..points).map(|i| format!("point{i}")))
}
