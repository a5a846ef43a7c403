//! A rope without mass through a row of points, which are pulleys without size: its length stays.

use super::{Connects, JointType};

/// Σ |rᵢ₊₁ − rᵢ| = l; the multiplier is what pushes, minus the tension. The row is written for as many points as there are.
pub(super) const ROPE: JointType = JointType {
    name: "rope",
    connects: Connects::Path,
    keys: &[("length", None)],
    axis: false,
    friction: false,
    plane: false,
    rows: &["{path} = {J}.length"],
    quantities: &[],
};
