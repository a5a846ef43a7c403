//! Planar joint: a plane of the second body slides on a plane of the first.

use super::{ALONG_ACROSS, ALONG_BESIDE, ANGLE, Form, JointType, ON_AXIS, TURNING};

/// e · (r₂ − r₁) = 0, and the normal e is the same in both bodies.
pub(super) const PLANAR: JointType = JointType::of_space(
    "planar",
    Form::with_axis(&[ON_AXIS, ALONG_ACROSS, ALONG_BESIDE], &[ANGLE, TURNING]),
);
