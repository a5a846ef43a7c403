//! A point of the second body stays on a curve of the first, which is given by an equation.

use super::{Axis, Connects, Form, JointType};

/// f(x, y) = 0, with x and y the coordinates of the point in axes of the first body, from its own point. The row is the equation
/// `curve` itself.
pub(super) const TRACK: JointType = JointType {
    name: "track",
    connects: Connects::Points,
    friction: true,
    plane: Some(Form {
        keys: &[("curve", None)],
        axis: Axis::None,
        plane: true,
        rows: &[],
        quantities: &[
            ("x", "dot({J}.second - {J}.first, {B}.ex)"),
            ("y", "dot({J}.second - {J}.first, {B}.ey)"),
            ("z", "dot({J}.second - {J}.first, {B}.ez)"),
        ],
    }),
    space: Some(Form {
        keys: &[("curve", None)],
        axis: Axis::None,
        plane: false,
        rows: &[],
        quantities: &[
            ("x", "dot({J}.second - {J}.first, {B}.ex)"),
            ("y", "dot({J}.second - {J}.first, {B}.ey)"),
            ("z", "dot({J}.second - {J}.first, {B}.ez)"),
        ],
    }),
};
