//! Universal joint, or cross: two axes that stay square, one of each body, meet in a point.

use super::{Axis, Connects, Form, JointType};

/// r₂ − r₁ = 0, e₁ · e₂ = 0 with e₁ fixed in the first body and e₂, `second_axis`, in the second.
pub(super) const UNIVERSAL: JointType = JointType {
    name: "universal",
    connects: Connects::Points,
    friction: false,
    plane: None,
    space: Some(Form {
        plane: false,
        axis: Axis::Needed,
        keys: &[],
        rows: &[
            "{J}.second = {J}.first",
            "dot({J}.axis, {J}.other_axis) = 0",
        ],
        quantities: &[],
    }),
};
