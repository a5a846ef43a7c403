//! How a body hangs on another, by itself: for whoever goes from link to link, and does not write out where each body is in space.

use super::Hung;
use crate::model::Expression;
use crate::model::check::Check;

/// A body that hangs on another or on the ground, seen from there: what its attitude and its centre were written out from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hanging {
    /// The body, by index.
    pub body: usize,
    /// The one it hangs on; none is the ground.
    pub on: Option<usize>,
    /// Its attitude against that one.
    pub turn: Expression,
    /// Whether it is the second body of the joint, so that what moves in this moves it along the axis.
    pub forward: bool,
    /// The axis of the joint, of length one, in axes of the joint's first body.
    pub axis: Expression,
    /// How the second body stands against the first at the angle zero, if not alike.
    pub mount: Option<Expression>,
    /// Where the joint is on the body and on the one it hangs on, in their own axes.
    pub arms: [Expression; 2],
    /// Whether these begin elsewhere than in the mass centre.
    pub off_center: [bool; 2],
    /// The coordinates of the joint, if it turns and if it slides.
    pub angle: Option<String>,
    /// The second of them.
    pub distance: Option<String>,
}

impl Check {
    pub(super) fn hanging(&mut self, &Hung { hinge, end, body }: &Hung) -> Option<Hanging> {
        let place = hinge.joint.place.clone();
        // In the plane what does not turn has an angle that stays, in place of an attitude.
        let in_plane = |sign: &str| format!("Rz({sign}{}.angle)", hinge.joint.text);
        let turns = hinge.moves.contains(&"angle");
        let [x, y, z] = match self.planar && turns {
            true => ["0", "0", "1"].map(str::to_owned),
            false => hinge.axis.components(),
        };
        let turn = match (self.planar, end) {
            (false, _) => hinge.turned(end).join(" "),
            (true, 1) => in_plane(""),
            (true, _) => in_plane("-"),
        };
        let turn = if turn.is_empty() { "ground" } else { &turn };
        let member = |it: &str| {
            let moves = hinge.moves.contains(&it);
            moves.then(|| format!("{}.{it}", hinge.joint.text))
        };
        let mount = match self.planar {
            false => hinge.mount().map(|it| format!("quat({})", it.join(", "))),
            true => (!turns).then(|| in_plane("")),
        };
        Some(Hanging {
            body,
            on: hinge.bodies[1 - end],
            turn: self.made(&place, turn)?,
            forward: end == 1,
            axis: self.made(&place, &format!("[{x}, {y}, {z}]"))?,
            mount: match mount {
                Some(mount) => Some(self.made(&place, &mount)?),
                None => None,
            },
            arms: [end, 1 - end].map(|end| hinge.arms[end].clone()),
            off_center: [end, 1 - end].map(|end| hinge.off_center[end]),
            angle: member("angle"),
            distance: member("distance"),
        })
    }
}
