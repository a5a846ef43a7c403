//! Constant-velocity joint: shafts that meet in a point at any angle turn equally fast.

use super::{Form, JointType};

/// It turns about a line across the axis.
pub(super) const ALIKE: &str = "dot({J}.own_across, {J}.beside) = dot({J}.own_beside, {J}.across)";

/// r₂ − r₁ = 0, and the second body is turned against the first about a line across the axis: R₂₁ = R₁₂, with R the attitude of the second in
/// axes of the first, the shafts being along the third. Between shafts at an angle θ that is (1 + cos θ) sin(φ₂ − φ₁) = 0.
pub(super) const CONSTANT_VELOCITY: JointType = JointType::of_space(
    "constant-velocity",
    Form::with_axis(&["{J}.second = {J}.first", ALIKE], &[]),
);
