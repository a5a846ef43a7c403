//! Revolute joint, or hinge: the bodies turn about a common point.

use super::{Connects, JointType};

/// r₂ − r₁ = 0; the angle φ₂ − φ₁ counts turns.
pub(super) const REVOLUTE: JointType = JointType {
    name: "revolute",
    connects: Connects::Points,
    keys: &[],
    axis: false,
    friction: false,
    plane: true,
    rows: &["{J}.second.x = {J}.first.x", "{J}.second.y = {J}.first.y"],
    quantities: &[("angle", "{c} - {b}"), ("rate", "{J}.angle'")],
};
