//! Revolute joint, or hinge: the bodies turn about a common point.

use super::{ALONG_ACROSS, ALONG_BESIDE, ANGLE, Axis, Connects, Form, JointType, TURNING};

/// r₂ − r₁ = 0; the angle φ₂ − φ₁ counts turns.
///
/// In space the axis is the same in both bodies too. The angle is that of the second body's axes against those of the first, between −π and π; the
/// rate is (ω₂ − ω₁) · e.
pub(super) const REVOLUTE: JointType = JointType {
    name: "revolute",
    connects: Connects::Points,
    friction: false,
    plane: Some(Form {
        keys: &[],
        axis: Axis::Optional,
        plane: true,
        rows: &["{J}.second.x = {J}.first.x", "{J}.second.y = {J}.first.y"],
        quantities: &[("angle", "{c} - {b}"), ("rate", "{J}.angle'")],
    }),
    space: Some(Form {
        plane: false,
        axis: Axis::Needed,
        keys: &[],
        rows: &["{J}.second = {J}.first", ALONG_ACROSS, ALONG_BESIDE],
        quantities: &[ANGLE, TURNING],
    }),
};
