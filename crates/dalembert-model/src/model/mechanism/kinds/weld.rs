//! Weld: the bodies move as one.

use super::{Connects, JointType};

/// r₂ − r₁ = 0, φ₂ − φ₁ = const.
pub(super) const WELD: JointType = JointType {
    name: "weld",
    connects: Connects::Points,
    keys: &[("angle", Some("0"))],
    axis: false,
    friction: false,
    plane: true,
    rows: &[
        "{J}.second.x = {J}.first.x",
        "{J}.second.y = {J}.first.y",
        "{c} - {b} = {J}.angle",
    ],
    quantities: &[],
};
