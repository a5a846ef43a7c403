//! A wheel that rolls on a line of the first body, without slip.

use super::{Axis, Connects, Form, JointType};

/// n · (r₂ − r₁) = r, with n to the left of the axis and r₂ the centre of the wheel; the material points in contact have the
/// same velocity along the axis.
pub(super) const ROLLING: JointType = JointType {
    name: "rolling",
    connects: Connects::Wheel,
    friction: false,
    plane: Some(Form {
        keys: &[("radius", None)],
        axis: Axis::Needed,
        plane: true,
        rows: &[
            "dot({J}.second - {J}.first, {J}.normal) = {J}.radius",
            "dot(vel({C}, at = {J}.contact){-B}, {J}.axis) = 0",
        ],
        quantities: &[
            ("normal", "cross(ground.ez, {J}.axis)"),
            ("contact", "{J}.second - {J}.radius*{J}.normal"),
            ("distance", "dot({J}.second - {J}.first, {J}.axis)"),
            ("rate", "{J}.distance'"),
        ],
    }),
    space: None,
};
