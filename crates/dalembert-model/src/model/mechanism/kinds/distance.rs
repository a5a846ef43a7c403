//! A rod without mass: two points keep their distance.

use super::{Connects, JointType};

/// |r₂ − r₁| = l; the multiplier is the force that pushes the points apart.
pub(super) const DISTANCE: JointType = JointType {
    name: "distance",
    connects: Connects::Points,
    keys: &[("length", None)],
    axis: false,
    friction: false,
    plane: false,
    rows: &["norm({J}.second - {J}.first) = {J}.length"],
    quantities: &[],
};
