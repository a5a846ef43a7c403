//! Planar joint: a plane of the second body slides on a plane of the first.

use super::{ALONG_ACROSS, ALONG_BESIDE, ANGLE, Axis, Connects, Form, JointType, ON_AXIS, TURNING};

/// e · (r₂ − r₁) = 0, and the normal e is the same in both bodies.
pub(super) const PLANAR: JointType = JointType {
    name: "planar",
    connects: Connects::Points,
    friction: false,
    plane: None,
    space: Some(Form {
        plane: false,
        axis: Axis::Needed,
        keys: &[],
        rows: &[ON_AXIS, ALONG_ACROSS, ALONG_BESIDE],
        quantities: &[ANGLE, TURNING],
    }),
};
