//! Cylindrical joint: the second body moves along an axis of the first and turns about it.

use super::{
    ALONG_ACROSS, ALONG_BESIDE, ANGLE, DISTANCE_ALONG, Form, JointType, ON_ACROSS, ON_BESIDE,
    TURNING,
};

/// r₂ − r₁ along the axis, which is the same in both bodies; the distance and the angle are independent of each other.
pub(super) const CYLINDRICAL: JointType = JointType::of_space(
    "cylindrical",
    Form::with_axis(
        &[ON_ACROSS, ON_BESIDE, ALONG_ACROSS, ALONG_BESIDE],
        &[DISTANCE_ALONG, ANGLE, TURNING],
    ),
);
