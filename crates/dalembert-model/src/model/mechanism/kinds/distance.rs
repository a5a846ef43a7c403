//! A rod without mass: two points keep their distance.

use super::{Axis, Connects, Form, JointType};

/// |r₂ − r₁| = l; the multiplier is the force that pushes the points apart.
pub(super) const DISTANCE: JointType = JointType {
    name: "distance",
    connects: Connects::Points,
    friction: false,
    plane: Some(Form {
        keys: &[("length", None)],
        axis: Axis::None,
        plane: false,
        rows: &["norm({J}.second - {J}.first) = {J}.length"],
        quantities: &[],
    }),
    space: Some(Form {
        keys: &[("length", None)],
        axis: Axis::None,
        plane: false,
        rows: &["norm({J}.second - {J}.first) = {J}.length"],
        quantities: &[],
    }),
};
