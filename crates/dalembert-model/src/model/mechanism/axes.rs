//! Directions that joints are made of.

use super::attitudes::{conjugate, quaternion};
use super::free_body::is_zero;
use super::joint::Joint;
use crate::model::check::Check;
use crate::model::form_codes::names as code;
use crate::model::{Expression, Frame, Name};
use dalembert_expr::syntax::Kind;

impl Check {
    /// The axis in world axes, of length one: `x`, `y`, or a vector in axes of the first body.
    pub(super) fn axis_in_plane(
        &mut self,
        joint: &Joint,
        body: &str,
        given: Expression,
    ) -> Option<()> {
        let named = axis_name(&given);
        let across = named.as_deref() == Some("z");
        if across != (joint.kind.name == "revolute") {
            let (message, help) = match across {
                true => (
                    "the axis z stands across the plane",
                    "write x, y, or a vector [a, b, 0]",
                ),
                false => ("bodies in the plane turn about z", "leave the axis out"),
            };
            self.mistakes
                .report(code::NOT_A_CHOICE, given.whole(), message, help);
            return None;
        }
        let own = &joint.name.text;
        let text = match named {
            Some(axis) => format!("{body}.e{axis}"),
            None => {
                let parts = self.not_zero(&given, ["axis", "write x, y, or a vector [a, b, 0]"])?;
                self.only_zero(&parts, &[2], "the axis lies in the plane");
                self.define(&joint.name, "direction", given);
                along(&format!("{own}.direction"), body)
            }
        };
        let axis = self.made(&joint.name.place, &text)?;
        self.define(&joint.name, "axis", axis);
        Some(())
    }

    /// In space: the axis and two directions across it, of the first body and of the second; as far as the joint speaks of them.
    pub(super) fn directions(
        &mut self,
        joint: &Joint,
        [first, second]: [&str; 2],
        axis: Option<Expression>,
        attitude: Option<Expression>,
    ) -> Option<()> {
        let form = joint.form;
        if !["{J}.axis", "{J}.across"]
            .into_iter()
            .any(|it| form.uses(it))
        {
            return Some(());
        }
        let triad = match axis {
            None => Triad::Named("z".to_owned()),
            Some(given) => self.triad(joint, given)?,
        };
        self.put_triad(joint, &triad, first, ["axis", "across", "beside"])?;
        if !form.uses("{J}.own_") {
            return Some(());
        }
        let mate = match attitude {
            None => second.to_owned(),
            Some(given) => self.mate(joint, second, &given)?,
        };
        self.put_triad(
            joint,
            &triad,
            &mate,
            ["own_axis", "own_across", "own_beside"],
        )
    }

    /// The axis of the second body of a cross.
    pub(super) fn other_axis(
        &mut self,
        joint: &Joint,
        second: &str,
        given: Expression,
    ) -> Option<()> {
        let text = match axis_name(&given) {
            Some(axis) => format!("{second}.e{axis}"),
            None => {
                self.a_direction(&given)?;
                self.define(&joint.name, "other_direction", given);
                along(&format!("{}.other_direction", joint.name.text), second)
            }
        };
        let axis = self.made(&joint.name.place, &text)?;
        self.define(&joint.name, "other_axis", axis);
        Some(())
    }

    /// A frame that the axes of the second body make with those of the first at the angle zero.
    fn mate(&mut self, joint: &Joint, second: &str, given: &Expression) -> Option<String> {
        let Some(found) = quaternion(given) else {
            let message = "the attitude of a joint is written out";
            let help = "write rotations one after the other, such as \"Rx(90 deg)\", or a quaternion: quat(a, b, c, d)";
            self.mistakes
                .report(code::WRONG_KIND, given.whole(), message, help);
            return None;
        };
        let turned = format!("quat({})", conjugate(&found).join(", "));
        let text = match second {
            "ground" => turned,
            body => format!("{body} {turned}"),
        };
        let attitude = self.made(&given.whole(), &text)?;
        let text = format!("{}.mate", joint.name.text);
        let name = Name {
            text: text.clone(),
            place: joint.name.place.clone(),
        };
        self.made.frames.push(Frame { name, attitude });
        Some(text)
    }

    /// What an axis is, and which directions stand across it.
    fn triad(&mut self, joint: &Joint, given: Expression) -> Option<Triad> {
        if let Some(name) = axis_name(&given) {
            return Some(Triad::Named(name));
        }
        let parts = self.a_direction(&given)?;
        // A component that is zero, or the least of those that are numbers: no axis lies along it.
        let size = |part: &Expression| match &part.tree[part.tree.root()].kind {
            Kind::Number(number) | Kind::Quantity { number, .. } => number.to_f64().abs(),
            _ => f64::MAX,
        };
        let sizes = parts.each_ref().map(size);
        let least = (0..3).min_by(|&i, &j| sizes[i].total_cmp(&sizes[j]))?;
        self.define(&joint.name, "direction", given);
        Some(Triad::Vector { least })
    }

    /// The components of a vector that is not zero.
    fn a_direction(&mut self, given: &Expression) -> Option<[Expression; 3]> {
        self.not_zero(given, ["axis", "write x, y, z, or a vector [a, b, c]"])
    }

    /// The components of a vector that is not zero; what it is called, and what to write.
    pub(super) fn not_zero(
        &mut self,
        given: &Expression,
        [what, help]: [&str; 2],
    ) -> Option<[Expression; 3]> {
        let parts = self.three(given)?;
        if parts.iter().all(is_zero) {
            let message = format!("the {what} has no length");
            self.mistakes
                .report(code::NOT_A_CHOICE, given.whole(), message, help);
            return None;
        }
        Some(parts)
    }

    fn put_triad(
        &mut self,
        joint: &Joint,
        triad: &Triad,
        body: &str,
        names: [&str; 3],
    ) -> Option<()> {
        let own = &joint.name.text;
        let texts = match triad {
            Triad::Named(axis) => {
                let next = |axis: &str| match axis {
                    "x" => "y",
                    "y" => "z",
                    _ => "x",
                };
                let axes = [axis.as_str(), next(axis), next(next(axis))];
                axes.map(|axis| format!("{body}.e{axis}"))
            }
            Triad::Vector { least } => {
                let other = ["x", "y", "z"][*least];
                let [axis, across, _] = names.map(|name| format!("{own}.{name}"));
                let side = format!("cross({body}.e{other}, {axis})");
                [
                    along(&format!("{own}.direction"), body),
                    format!("{side}/norm({side})"),
                    format!("cross({axis}, {across})"),
                ]
            }
        };
        for (name, text) in names.into_iter().zip(texts) {
            let direction = self.made(&joint.name.place, &text)?;
            self.define(&joint.name, name, direction);
        }
        Some(())
    }
}

/// The axis of a joint in space.
enum Triad {
    /// x, y or z.
    Named(String),
    /// `J.direction`, across which the axis with this place is.
    Vector { least: usize },
}

pub(super) fn axis_name(given: &Expression) -> Option<String> {
    match &given.tree[given.tree.root()].kind {
        Kind::Name { name, primes: 0 } if matches!(&**name, "x" | "y" | "z") => {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// A vector in axes of a body, of length one.
fn along(direction: &str, body: &str) -> String {
    let part = |axis| format!("{direction}.{axis}*{body}.e{axis}");
    let sum = ["x", "y", "z"].map(part).join(" + ");
    format!("({sum})/norm({direction})")
}
