//! Gears: the motion of one joint is a multiple of that of another.

use super::{Axis, Connects, Form, JointType};

/// s₂ = i s₁ + s₀, with s the angles of the two joints, or the distances of those that have none. Wheels that mesh outside turn against each other: i < 0.
pub(super) const GEAR: JointType = JointType {
    name: "gear",
    connects: Connects::Joints,
    friction: false,
    plane: Some(Form {
        keys: &[("ratio", None), ("offset", Some("0"))],
        axis: Axis::None,
        plane: true,
        rows: &["{s2} = {J}.ratio*{s1} + {J}.offset"],
        quantities: &[],
    }),
    space: Some(Form {
        keys: &[("ratio", None), ("offset", Some("0"))],
        axis: Axis::None,
        plane: false,
        rows: &["{s2} = {J}.ratio*{s1} + {J}.offset"],
        quantities: &[],
    }),
};
