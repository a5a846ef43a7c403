//! Universal joint, or cross: two axes that stay square, one of each body, meet in a point.

use super::{Form, JointType};

/// r₂ − r₁ = 0, e₁ · e₂ = 0 with e₁ fixed in the first body and e₂, `second_axis`, in the second.
pub(super) const UNIVERSAL: JointType = JointType::of_space(
    "universal",
    Form::with_axis(
        &[
            "{J}.second = {J}.first",
            "dot({J}.axis, {J}.other_axis) = 0",
        ],
        &[],
    ),
);
