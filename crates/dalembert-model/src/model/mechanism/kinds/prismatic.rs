//! Prismatic joint, or slide: the second body moves along the axis and does not turn against the first.

use super::{Connects, JointType};

/// n · (r₂ − r₁) = 0 with n across the axis, φ₂ − φ₁ = const; the distance is e · (r₂ − r₁).
pub(super) const PRISMATIC: JointType = JointType {
    name: "prismatic",
    connects: Connects::Points,
    keys: &[("angle", Some("0"))],
    axis: true,
    friction: false,
    plane: true,
    rows: &[
        "dot({J}.second - {J}.first, cross(ground.ez, {J}.axis)) = 0",
        "{c} - {b} = {J}.angle",
    ],
    quantities: &[
        ("distance", "dot({J}.second - {J}.first, {J}.axis)"),
        ("rate", "{J}.distance'"),
    ],
};
