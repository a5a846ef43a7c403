//! Contacts by shape: a ball, a box, a rod or a point on a plane, on a ball or in a bowl.
//!
//! ```text
//! plane    n · (p − p₀) ≥ r              n of length one, fixed in the second body, as p₀ is
//! ball     |p − c| ≥ r + r₂
//! bowl     |p − c| ≤ R − r
//! ```
//!
//! p is the centre of a ball of radius r, or with r = 0 a corner of a box, an end of a rod, a point. Each p makes a constraint, as one that is written by
//! hand: `holds = "… >= 0"`, with friction at the material point that touches.

use super::ends::{End, Owner};
use crate::model::assemble::{friction, restitution};
use crate::model::check::{Check, Content, Fields};
use crate::model::form_codes::names as code;
use crate::model::{Constraint, Expression, Friction, Model, Name};
use dalembert_expr::syntax::Kind;

/// What contacts give names to.
pub(super) const MEMBERS: [&str; 11] = [
    "through", "n", "normal", "center", "radius", "r", "length", "size0", "size1", "size2", "point",
];
/// Sizes of a box.
const SIZES: [&str; 3] = ["size0", "size1", "size2"];

/// What a contact is made with.
struct Surface {
    /// The gap of a point that stands for `{p}`.
    gap: String,
    /// Where the point's body touches.
    touch: String,
    /// Whether corners and ends say all of what they belong to.
    takes_corners: bool,
}

/// What touches: names of the contacts after that of the contact, and points.
struct Touching {
    points: Vec<(String, String)>,
    /// The radius around a point, if it has one.
    is_ball: bool,
}

impl Check {
    /// All contacts by shape, once bodies and particles are known.
    pub(in crate::model) fn contacts(&mut self, model: &mut Model, given: Vec<(Name, Content)>) {
        for (name, content) in given {
            let Content::Fields(mut table) = content else {
                continue;
            };
            let made = self.contact(model, &name, &mut table);
            model.constraints.extend(made.unwrap_or_default());
        }
    }

    fn contact(
        &mut self,
        model: &Model,
        name: &Name,
        table: &mut Fields,
    ) -> Option<Vec<Constraint>> {
        self.exclusive(table, "plane", "bowl");
        let restitution = table.take("restitution").and_then(restitution);
        let friction = table.fields("friction").and_then(friction);
        let ends = table.values("between")?.into_iter();
        let ends: Vec<Option<(End, bool)>> = ends
            .map(|given| {
                let whole = given.tree.dotted(given.tree.root());
                let end = self.end(model, given)?;
                let whole = whole.is_some_and(|(text, _)| text == end.name);
                Some((end, whole))
            })
            .collect();
        let [first, second] = <[Option<(End, bool)>; 2]>::try_from(ends).ok()?;
        let ((first, whole), (second, second_whole)) = (first?, second?);
        if first.name == second.name {
            let message = format!("the contact is between `{}` and itself", first.name);
            let help = "name two bodies, or a body and the ground";
            let place = second.point.whole();
            self.mistakes.report(code::EXCLUSIVE, place, message, help);
            return None;
        }
        let touching = self.touching(model, name, (&first, whole))?;
        let surface = self.surface(model, name, (&second, second_whole), table)?;
        if !touching.is_ball && touching.points.len() > 1 && !surface.takes_corners {
            let message = format!(
                "`{}` and `{}` may touch by faces and edges",
                first.name, second.name
            );
            let help = "by shape a ball or a point touches a ball; write other gaps as constraints, holds = \"… >= 0\"";
            let place = first.point.whole();
            self.mistakes.report(code::NOT_YET, place, message, help);
            return None;
        }
        let radius = match touching.is_ball {
            true => format!("{}.r", name.text),
            false => "0".to_owned(),
        };
        let particle = first.owner == Owner::Particle;
        let mut made = Vec::new();
        for (own, point) in &touching.points {
            let written = |template: &str| {
                let text = template.replace("{p}", point);
                text.replace("{r}", &radius)
            };
            let place = &name.place;
            let holds = self.made(place, &written(&surface.gap))?;
            let at = match (particle, touching.is_ball) {
                (true, _) => first.name.clone(),
                (false, true) => written(&surface.touch),
                (false, false) => point.clone(),
            };
            let at = self.made(place, &at)?;
            let friction = friction.clone().map(|given| Friction {
                at: Some(at),
                against: second.owner_name(),
                ..given
            });
            let name = Name {
                text: format!("{}{own}", name.text),
                place: place.clone(),
            };
            made.push(Constraint {
                name,
                holds,
                also: Vec::new(),
                nonideal: None,
                friction: friction.map(Box::new),
                enforced_by: Vec::new(),
                active: true,
                identity: false,
                restitution: restitution.clone().map(Box::new),
                closed: false,
                joint: None,
                placed: true,
                lengths: Vec::new(),
            });
        }
        Some(made)
    }

    /// The points of what touches.
    fn touching(
        &mut self,
        model: &Model,
        name: &Name,
        (end, whole): (&End, bool),
    ) -> Option<Touching> {
        let own = &end.name;
        let alone = |point: String| Touching {
            points: vec![(String::new(), point)],
            is_ball: false,
        };
        let index = match end.owner {
            Owner::Particle => return Some(alone(format!("pos({own})"))),
            Owner::Body(index) if whole => index,
            Owner::Body(_) => {
                self.define(name, "point", end.point.clone());
                return Some(alone(format!("{}.point", name.text)));
            }
            Owner::Ground => {
                let message = "what touches is a body, a point of one, or a particle";
                let help = "write the ground as the second: between = [\"ball\", \"ground\"]";
                let place = end.point.whole();
                self.mistakes
                    .report(code::NO_SUCH_END, place, message, help);
                return None;
            }
        };
        let shape = model.bodies[index].plain_shape();
        let measures = |of: &str| -> Vec<Expression> {
            let found = shape.and_then(|it| it.measures.iter().find(|it| it.0.text == of));
            found.map(|it| it.1.clone()).unwrap_or_default()
        };
        let axis = shape.and_then(|it| it.axis.as_ref());
        let axis = axis.map_or("z", |it| it.text.as_str());
        match shape.map(|it| it.kind.text.as_str()) {
            Some("sphere") => {
                let radius = measures("radius").into_iter().next()?;
                self.define(name, "r", radius);
                Some(Touching {
                    points: vec![(String::new(), format!("{own}.center"))],
                    is_ball: true,
                })
            }
            Some("rod") => {
                let length = measures("length").into_iter().next()?;
                self.define(name, "length", length);
                let half = |sign: &str| format!("{sign}{}.length/2", name.text);
                let end = |(k, sign): (usize, &str)| {
                    let at = ["x", "y", "z"].map(|it| match it == axis {
                        true => half(sign),
                        false => "0".to_owned(),
                    });
                    (
                        format!(".end{k}"),
                        format!("point({own}, [{}])", at.join(", ")),
                    )
                };
                Some(Touching {
                    points: ["-", ""].into_iter().enumerate().map(end).collect(),
                    is_ball: false,
                })
            }
            Some("box") => {
                for (member, size) in SIZES.into_iter().zip(measures("size")) {
                    self.define(name, member, size);
                }
                Some(Touching {
                    points: corners(&name.text, own, self.planar),
                    is_ball: false,
                })
            }
            kind => {
                let message = match kind {
                    Some(kind) => format!("contacts of a {kind} by its shape are not known"),
                    None if model.bodies[index].shapes.is_empty() => {
                        format!("`{own}` has no shape to touch with")
                    }
                    None => format!(
                        "contacts of `{own}`, a mesh or made of several shapes, are not known"
                    ),
                };
                let help = "a sphere, a box, a rod, or a point touches by shape; name points of the body, or write other gaps as constraints, holds = \"… >= 0\"";
                let place = end.point.whole();
                self.mistakes.report(code::NOT_YET, place, message, help);
                None
            }
        }
    }

    /// What is touched.
    fn surface(
        &mut self,
        model: &Model,
        name: &Name,
        (end, whole): (&End, bool),
        table: &mut Fields,
    ) -> Option<Surface> {
        let own = &name.text;
        if let Some(mut plane) = table.fields("plane") {
            let normal = plane.expression("normal")?;
            self.a_normal(&normal)?;
            self.carried(name, "through", (end, plane.expression("through")))?;
            let of = &end.name;
            let turned = match end.owner {
                Owner::Ground => format!("{own}.n"),
                _ => format!("({of}.ex*{own}.n.x + {of}.ey*{own}.n.y + {of}.ez*{own}.n.z)"),
            };
            let turned = self.made(&normal.whole(), &format!("{turned}/norm({own}.n)"))?;
            self.define(name, "n", normal);
            self.define(name, "normal", turned);
            return Some(Surface {
                gap: format!("dot({{p}} - {own}.through, {own}.normal) >= {{r}}"),
                touch: format!("{{p}} - {{r}}*{own}.normal"),
                takes_corners: true,
            });
        }
        if let Some(mut bowl) = table.fields("bowl") {
            let radius = bowl.expression("radius")?;
            self.carried(name, "center", (end, bowl.expression("center")))?;
            self.define(name, "radius", radius);
            return Some(Surface {
                gap: format!("norm({{p}} - {own}.center) <= {own}.radius - {{r}}"),
                touch: format!("{{p}} + {{r}}*({{p}} - {own}.center)/norm({{p}} - {own}.center)"),
                takes_corners: true,
            });
        }
        let shape = match end.owner {
            Owner::Body(index) if whole => model.bodies[index].plain_shape(),
            _ => None,
        };
        let ball = shape.filter(|it| it.kind.text == "sphere");
        let Some(radius) = ball.and_then(|it| it.measures.first()?.1.first().cloned()) else {
            let message = format!("what `{}` is touched at is not said", end.name);
            let help = "add plane = { normal = \"[0, 0, 1]\" } or bowl = { radius = \"R\" }; a body that is a sphere is touched as one";
            let place = end.point.whole();
            self.mistakes.report(code::ONE_OF, place, message, help);
            return None;
        };
        self.define(name, "radius", radius);
        let center = format!("{}.center", end.name);
        Some(Surface {
            gap: format!("norm({{p}} - {center}) >= {{r}} + {own}.radius"),
            touch: format!("{{p}} + {{r}}*({center} - {{p}})/norm({center} - {{p}})"),
            takes_corners: false,
        })
    }

    /// Whether a normal that is written out is a direction; one that has a name is looked at where it has a value.
    fn a_normal(&mut self, given: &Expression) -> Option<()> {
        let kind = &given.tree[given.tree.root()].kind;
        if !matches!(
            kind,
            Kind::Vector(_) | Kind::Number(_) | Kind::Quantity { .. }
        ) {
            return Some(());
        }
        let help = "write the direction from the plane to what touches, such as \"[0, 0, 1]\"";
        let parts = self.not_zero(given, ["normal", help])?;
        if self.planar {
            self.only_zero(&parts, &[2], "the normal lies in the plane");
        }
        Some(())
    }

    /// A point of what is touched, in its own coordinates; where it is named, or its origin, if not said.
    fn carried(
        &mut self,
        name: &Name,
        member: &str,
        (end, given): (&End, Option<Expression>),
    ) -> Option<()> {
        let point = match given {
            None => end.point.clone(),
            Some(given) => {
                let text = format!("point({}, {})", end.name, given.text);
                self.made(&given.whole(), &text)?
            }
        };
        self.define(name, member, point);
        Some(())
    }
}

/// Corners of a box, four in the plane.
fn corners(contact: &str, body: &str, planar: bool) -> Vec<(String, String)> {
    let count = if planar { 4 } else { 8 };
    let corner = |k: usize| {
        let part = |axis: usize| match (planar && axis == 2, k >> axis & 1) {
            (true, _) => "0".to_owned(),
            (false, 0) => format!("-{contact}.size{axis}/2"),
            (false, _) => format!("{contact}.size{axis}/2"),
        };
        let at = [part(0), part(1), part(2)].join(", ");
        (format!(".corner{k}"), format!("point({body}, [{at}])"))
    };
    (0..count).map(corner).collect()
}
