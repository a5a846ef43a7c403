//! Rolling without slip: a wheel on a line, a ball or a disk on a plane of the first body, which may move.

use super::{Axis, Connects, Form, JointType};

/// The material points in contact have the same velocity along the plane.
const ACROSS: &str = "dot(vel({C}, at = {J}.contact){-B}, {J}.across) = 0";
const BESIDE: &str = "dot(vel({C}, at = {J}.contact){-B}, {J}.beside) = 0";

/// In the plane a wheel on a line along the axis: n · (r₂ − r₁) = r, with n to the left of the axis and r₂ the centre of the wheel; the material
/// points in contact have the same velocity along the axis.
///
/// In space a ball on a plane that the axis e is square to: e · (r₂ − r₁) = r, with r₂ the centre of the ball.
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
    space: Some(Form {
        keys: &[("radius", None)],
        axis: Axis::Needed,
        plane: false,
        rows: &[
            "dot({J}.second - {J}.first, {J}.axis) = {J}.radius",
            ACROSS,
            BESIDE,
        ],
        quantities: &[("contact", "{J}.second - {J}.radius*{J}.axis")],
    }),
};

/// A thin disk, or the rim of a wheel, with the axle a = `second_axis` of its body: it stands on the lowest point of the rim, which is d = e − (e · a) a
/// below the centre. e · (r₂ − r₁) = r |d|.
pub(super) const DISK: Form = Form {
    keys: &[("radius", None)],
    axis: Axis::Needed,
    plane: false,
    rows: &[
        "dot({J}.second - {J}.first, {J}.axis) = {J}.radius*norm({J}.upward)",
        ACROSS,
        BESIDE,
    ],
    quantities: &[
        (
            "upward",
            "{J}.axis - dot({J}.axis, {J}.other_axis)*{J}.other_axis",
        ),
        (
            "contact",
            "{J}.second - {J}.radius/norm({J}.upward)*{J}.upward",
        ),
    ],
};
