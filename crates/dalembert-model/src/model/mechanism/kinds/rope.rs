//! A rope without mass through a row of points, which are pulleys without size: its length stays.

use super::{Axis, Connects, Form, JointType};

/// Σ |rᵢ₊₁ − rᵢ| = l; the multiplier is what pushes, minus the tension. The row is written for as many points as there are.
pub(super) const ROPE: JointType = JointType {
    name: "rope",
    connects: Connects::Path,
    friction: false,
    plane: Some(Form {
        keys: &[("length", None)],
        axis: Axis::None,
        plane: false,
        rows: &["{path} = {J}.length"],
        quantities: &[],
    }),
    space: Some(Form {
        keys: &[("length", None)],
        axis: Axis::None,
        plane: false,
        rows: &["{path} = {J}.length"],
        quantities: &[],
    }),
};
