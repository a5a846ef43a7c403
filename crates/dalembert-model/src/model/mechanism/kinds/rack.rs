//! Rack and pinion: a slide moves by the arc of a hinge.

use super::{Axis, Connects, Form, JointType};

/// s = r φ + s₀, with φ the angle of the first joint and s the distance of the second.
pub(super) const RACK: JointType = JointType {
    name: "rack",
    connects: Connects::Joints,
    friction: false,
    plane: Some(Form {
        keys: &[("radius", None), ("offset", Some("0"))],
        axis: Axis::None,
        plane: true,
        rows: &["{s2} = {J}.radius*{s1} + {J}.offset"],
        quantities: &[],
    }),
    space: Some(Form {
        keys: &[("radius", None), ("offset", Some("0"))],
        axis: Axis::None,
        plane: false,
        rows: &["{s2} = {J}.radius*{s1} + {J}.offset"],
        quantities: &[],
    }),
};
