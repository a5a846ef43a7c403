//! Screw: the second body moves along an axis of the first as far as it turns about it.

use super::{
    ALONG_ACROSS, ALONG_BESIDE, ANGLE, Axis, DISTANCE_ALONG, Form, JointType, ON_ACROSS, ON_BESIDE,
    TURNING,
};

/// As a cylindrical joint, and s' = p ω/2π with the pitch p, the way of one turn: a row of velocities, so that turns need not be counted.
pub(super) const SCREW: JointType = JointType::of_space(
    "screw",
    Form {
        plane: false,
        axis: Axis::Needed,
        keys: &[("pitch", None)],
        rows: &[
            ON_ACROSS,
            ON_BESIDE,
            ALONG_ACROSS,
            ALONG_BESIDE,
            "{J}.distance' = {J}.pitch/(2*pi)*{J}.rate",
        ],
        quantities: &[DISTANCE_ALONG, ANGLE, TURNING],
    },
);
