//! The types of joints, each one definition in the language of models.
//!
//! In the texts `{J}` is the name of the joint, `{B}` and `{C}` are the bodies it connects, `{b}` and `{c}` their angles in the plane,
//! and `{-B}` takes away what the first body carries its points with. `J.first` and `J.second` are the two points, `J.axis` is the
//! axis, of length one and fixed in the first body. Rows are the second body's side minus the first's, so that multipliers are forces
//! and moments on the second body.

mod distance;
mod gear;
mod point_on_line;
mod prismatic;
mod rack;
mod revolute;
mod rolling;
mod rope;
mod track;
mod weld;

use crate::model::source::Item;

/// A type of joint.
pub(super) struct JointType {
    pub(super) name: &'static str,
    /// What it connects.
    pub(super) connects: Connects,
    /// Keys of its own; those without a value must be given.
    pub(super) keys: &'static [(&'static str, Option<&'static str>)],
    /// Whether its axis must be said.
    pub(super) axis: bool,
    /// Whether it can have friction: it keeps one point on a line or surface, with one row.
    pub(super) friction: bool,
    /// Whether its equations hold in the plane only.
    pub(super) plane: bool,
    /// Equations that hold.
    pub(super) rows: &'static [&'static str],
    /// What has a name: the first is what a motor moves.
    pub(super) quantities: &'static [(&'static str, &'static str)],
}

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

const ALL: [&JointType; 10] = [
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

/// Joints in space, which the format has and this version does not.
pub(in crate::model) const IN_SPACE: &[&str] = &[
    "cylindrical",
    "screw",
    "universal",
    "spherical",
    "planar",
    "point-on-plane",
    "constant-velocity",
];

/// Names that joints of any type may have.
const COMMON: [&str; 8] = [
    "first",
    "second",
    "axis",
    "direction",
    "rate",
    "normal",
    "first_angle",
    "second_angle",
];

impl JointType {
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|it| it.name == name)
    }

    /// What a motor moves: `angle`, `distance`.
    pub(super) fn value(&self) -> Option<&'static str> {
        let values = self.quantities.iter().map(|(name, _)| *name);
        values
            .into_iter()
            .find(|it| matches!(*it, "angle" | "distance"))
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
    let own = kind.into_iter().flat_map(|kind| {
        let keys = kind.keys.iter().map(|(key, _)| *key);
        keys.chain(kind.quantities.iter().map(|(name, _)| *name))
    });
    own.chain(COMMON)
        .map(str::to_owned)
        .chain((0..points).map(|i| format!("point{i}")))
}
