//! A pin in a slot: a point of the second body stays on a line of the first.

use super::{Connects, JointType};

/// n · (r₂ − r₁) = 0 with n across the axis; the distance is e · (r₂ − r₁).
pub(super) const POINT_ON_LINE: JointType = JointType {
    name: "point-on-line",
    connects: Connects::Points,
    keys: &[],
    axis: true,
    friction: true,
    plane: true,
    rows: &["dot({J}.second - {J}.first, cross(ground.ez, {J}.axis)) = 0"],
    quantities: &[
        ("distance", "dot({J}.second - {J}.first, {J}.axis)"),
        ("rate", "{J}.distance'"),
    ],
};
