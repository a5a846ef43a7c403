//! Prismatic joint, or slide: the second body moves along the axis and does not turn against the first.

use super::{
    ACROSS_BESIDE, ALONG_ACROSS, ALONG_BESIDE, Axis, Connects, DISTANCE_ALONG, Form, JointType,
    ON_ACROSS, ON_BESIDE,
};

/// n · (r₂ − r₁) = 0 with n across the axis, φ₂ − φ₁ = const; the distance is e · (r₂ − r₁).
///
/// In space the axes of the bodies keep their directions against each other as in a weld.
pub(super) const PRISMATIC: JointType = JointType {
    name: "prismatic",
    connects: Connects::Points,
    friction: false,
    plane: Some(Form {
        keys: &[("angle", Some("0"))],
        axis: Axis::Needed,
        plane: true,
        rows: &[
            "dot({J}.second - {J}.first, cross(ground.ez, {J}.axis)) = 0",
            "{c} - {b} = {J}.angle",
        ],
        quantities: &[
            ("distance", "dot({J}.second - {J}.first, {J}.axis)"),
            ("rate", "{J}.distance'"),
        ],
    }),
    space: Some(Form::with_axis(
        &[
            ON_ACROSS,
            ON_BESIDE,
            ALONG_ACROSS,
            ALONG_BESIDE,
            ACROSS_BESIDE,
        ],
        &[DISTANCE_ALONG, ("rate", "{J}.distance'")],
    )),
};
