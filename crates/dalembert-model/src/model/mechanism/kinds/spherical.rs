//! Spherical joint, or ball: the bodies turn about a common point, any way.

use super::{Axis, Form, JointType};

/// r₂ − r₁ = 0.
pub(super) const SPHERICAL: JointType = JointType::of_space(
    "spherical",
    Form {
        plane: false,
        axis: Axis::None,
        keys: &[],
        rows: &["{J}.second = {J}.first"],
        quantities: &[],
    },
);
