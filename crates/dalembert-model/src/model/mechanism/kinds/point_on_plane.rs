//! A point of the second body stays on a plane of the first.

use super::{Axis, Connects, Form, JointType, ON_AXIS};

/// e · (r₂ − r₁) = 0, with the axis e square to the plane.
pub(super) const POINT_ON_PLANE: JointType = JointType {
    name: "point-on-plane",
    connects: Connects::Points,
    friction: true,
    plane: None,
    space: Some(Form {
        plane: false,
        axis: Axis::Needed,
        keys: &[],
        rows: &[ON_AXIS],
        quantities: &[],
    }),
};
