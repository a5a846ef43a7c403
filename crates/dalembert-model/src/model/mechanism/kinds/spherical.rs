//! Spherical joint, or ball: the bodies turn about a common point, any way.

use super::{Axis, Connects, Form, JointType};

/// r₂ − r₁ = 0.
pub(super) const SPHERICAL: JointType = JointType {
    name: "spherical",
    connects: Connects::Points,
    friction: false,
    plane: None,
    space: Some(Form {
        plane: false,
        axis: Axis::None,
        keys: &[],
        rows: &["{J}.second = {J}.first"],
        quantities: &[],
    }),
};
