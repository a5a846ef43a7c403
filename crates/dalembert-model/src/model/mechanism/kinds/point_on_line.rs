//! A pin in a slot: a point of the second body stays on a line of the first.

use super::{Axis, Connects, DISTANCE_ALONG, Form, JointType, ON_ACROSS, ON_BESIDE};

/// n · (r₂ − r₁) = 0 with n across the axis; the distance is e · (r₂ − r₁).
///
/// In space both directions across the axis count.
pub(super) const POINT_ON_LINE: JointType = JointType {
    name: "point-on-line",
    connects: Connects::Points,
    friction: true,
    plane: Some(Form {
        keys: &[],
        axis: Axis::Needed,
        plane: true,
        rows: &["dot({J}.second - {J}.first, cross(ground.ez, {J}.axis)) = 0"],
        quantities: &[
            ("distance", "dot({J}.second - {J}.first, {J}.axis)"),
            ("rate", "{J}.distance'"),
        ],
    }),
    space: Some(Form::with_axis(
        &[ON_ACROSS, ON_BESIDE],
        &[DISTANCE_ALONG, ("rate", "{J}.distance'")],
    )),
};
