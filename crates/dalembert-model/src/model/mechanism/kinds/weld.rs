//! Weld: the bodies move as one.

use super::{ACROSS_BESIDE, ALONG_ACROSS, ALONG_BESIDE, Axis, Connects, Form, JointType};

/// r₂ − r₁ = 0, φ₂ − φ₁ = const.
///
/// In space r₂ − r₁ = 0, and the axes of the second body stand as those of the first, turned by `attitude`.
pub(super) const WELD: JointType = JointType {
    name: "weld",
    connects: Connects::Points,
    friction: false,
    plane: Some(Form {
        keys: &[("angle", Some("0"))],
        axis: Axis::None,
        plane: true,
        rows: &[
            "{J}.second.x = {J}.first.x",
            "{J}.second.y = {J}.first.y",
            "{c} - {b} = {J}.angle",
        ],
        quantities: &[],
    }),
    space: Some(Form {
        plane: false,
        axis: Axis::None,
        keys: &[],
        rows: &[
            "{J}.second = {J}.first",
            ALONG_ACROSS,
            ALONG_BESIDE,
            ACROSS_BESIDE,
        ],
        quantities: &[],
    }),
};
