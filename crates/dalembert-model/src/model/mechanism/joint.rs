//! Joints become constraints and definitions.

use super::axes::axis_name;
use super::ends::{End, Owner};
use super::free_body::plane_angle;
use super::kinds::{ANGLE as WRAPPED, Axis, Connects, Form, JointType, TYPES, UP_TO_TURNS};
use super::relative::HingeAxis;
use crate::model::check::{Check, Content, Fields};
use crate::model::form_codes::names as code;
use crate::model::turns::TURNS;
use crate::model::{Constraint, Ends, Expression, Friction, Model, Name};
use dalembert_expr::syntax::meant_or_known;

/// Keys that every joint has.
const COMMON: [&str; 2] = ["type", "active"];

/// A joint on its way: what stands in the texts of its type.
pub(super) struct Joint {
    pub(super) name: Name,
    pub(super) kind: &'static JointType,
    /// What it is in the plane, or in space.
    pub(super) form: &'static Form,
    pub(super) words: Vec<(&'static str, String)>,
    ends: Option<Ends>,
}

impl Joint {
    /// A text of the type with its own names put in.
    fn text(&self, template: &str) -> String {
        let mut text = template.replace("{J}", &self.name.text);
        for (word, value) in &self.words {
            text = text.replace(&format!("{{{word}}}"), value);
        }
        text
    }
}

impl Check {
    /// All joints, once bodies and particles are known.
    pub(in crate::model) fn joints(&mut self, model: &mut Model, given: Vec<(Name, Content)>) {
        let mut joints: Vec<(Joint, Fields)> = Vec::new();
        for (name, content) in given {
            let Content::Fields(mut table) = content else {
                continue;
            };
            if self.names.is_thing(&name.text) || self.names.table_of(&name.text).is_some() {
                let message = format!("the name `{}` is given twice", name.text);
                let help =
                    "a joint needs a name that nothing else has: its angle is called NAME.angle";
                let place = name.place.clone();
                self.mistakes
                    .report(code::GIVEN_TWICE, place, message, help);
                continue;
            }
            let kind = table.word("type").and_then(|it| JointType::named(&it.text));
            let Some(kind) = kind else {
                continue;
            };
            let Some(form) = kind.form(self.planar, table.has("second_axis")) else {
                self.refuse_kind(&name, kind);
                continue;
            };
            let joint = Joint {
                name,
                kind,
                form,
                words: Vec::new(),
                ends: None,
            };
            joints.push((joint, table));
        }
        let forms = joints.iter().map(|(joint, _)| {
            let name = joint.name.text.clone();
            (name, joint.form)
        });
        let forms: Vec<(String, &Form)> = forms.collect();
        for (joint, mut table) in joints {
            if let Some(constraint) = self.joint(model, joint, &mut table, &forms) {
                model.constraints.push(constraint);
            }
        }
    }

    /// A joint that is known in the plane alone, or in space alone.
    fn refuse_kind(&mut self, name: &Name, kind: &JointType) {
        let message = match self.planar {
            true => format!("a {} joint is of space, and the model is planar", kind.name),
            false => format!(
                "a {} joint is known in the plane only, with planar = true",
                kind.name
            ),
        };
        let kinds = TYPES.iter().copied();
        let known = kinds.filter(|it| {
            let kind = JointType::named(it);
            kind.is_some_and(|kind| kind.form(self.planar, false).is_some())
        });
        let known: Vec<&str> = known.collect();
        let help = format!(
            "here there are {}; or write it as a constraint",
            known.join(", ")
        );
        let place = name.place.clone();
        self.mistakes.report(code::NOT_YET, place, message, help);
    }

    fn joint(
        &mut self,
        model: &Model,
        mut joint: Joint,
        table: &mut Fields,
        forms: &[(String, &Form)],
    ) -> Option<Constraint> {
        self.keys_of(&joint, table);
        match joint.kind.connects {
            Connects::Points | Connects::Wheel => self.between(model, &mut joint, table)?,
            Connects::Path => self.path(model, &mut joint, table)?,
            Connects::Joints => self.coupled(&mut joint, table, forms)?,
        }
        let (mut rows, mut lengths) = (Vec::new(), Vec::new());
        for (key, usual) in joint.form.keys {
            if *key == "curve" {
                let curve = table.expression(key)?;
                rows.push(in_axes_of(&joint.name.text, curve));
                continue;
            }
            let given = table.expression(key);
            let is_length = *key == "length" || joint.kind.connects == Connects::Wheel;
            lengths.extend(given.clone().filter(|_| is_length).map(|it| (*key, it)));
            let usual = usual.and_then(|usual| self.made(&joint.name.place, usual));
            self.define(&joint.name, key, given.or(usual)?);
        }
        for (name, template) in joint.form.quantities {
            let text = joint.text(template);
            let value = self.made(&joint.name.place, &text)?;
            self.define(&joint.name, name, value);
        }
        if !joint.form.plane && joint.form.quantities.contains(&WRAPPED) {
            let holds = self.made(&joint.name.place, &joint.text(UP_TO_TURNS))?;
            self.turns(&joint.name, holds);
        }
        for template in joint.form.rows {
            rows.push(self.made(&joint.name.place, &joint.text(template))?);
        }
        for template in joint.form.senses() {
            let sense = self.made(&joint.name.place, &joint.text(template))?;
            joint
                .ends
                .iter_mut()
                .for_each(|ends| ends.senses.push(sense.clone()));
        }
        let friction = self.joint_friction(&joint, table);
        let mut rows = rows.into_iter();
        Some(Constraint {
            name: joint.name,
            holds: rows.next()?,
            also: rows.collect(),
            nonideal: None,
            friction: friction.map(Box::new),
            enforced_by: Vec::new(),
            active: !matches!(table.take("active"), Some(Content::Switch(false, _))),
            identity: false,
            restitution: None,
            closed: false,
            joint: joint.ends.map(Box::new),
            placed: joint.kind.connects != Connects::Joints,
            lengths,
        })
    }

    /// What lets the angle of a joint in space count turns, where something speaks of it.
    fn turns(&mut self, joint: &Name, holds: Expression) {
        let name = Name {
            text: format!("{}.{TURNS}", joint.text),
            place: joint.place.clone(),
        };
        self.made.turns.push(Constraint::identity(name, holds));
    }

    /// Refuses keys that joints of this type do not have, and misses those that they need.
    fn keys_of(&mut self, joint: &Joint, table: &Fields) {
        let kind = joint.kind;
        let connects: &[&str] = match kind.connects {
            Connects::Points | Connects::Wheel => &["between"],
            Connects::Path => &["through"],
            Connects::Joints => &["of"],
        };
        let form = joint.form;
        let axis = match form.axis {
            Axis::None => &[][..],
            Axis::Optional | Axis::Needed => &["axis"],
        };
        let turned: &[&str] = match form {
            _ if form.uses("{J}.own_") => &["attitude"],
            _ if form.uses("{J}.other_axis") => &["second_axis"],
            _ => &[],
        };
        let friction: &[&str] = if kind.friction { &["friction"] } else { &[] };
        let own = form.keys.iter().map(|(key, _)| *key);
        let known: Vec<&str> = [connects, axis, turned, friction]
            .concat()
            .into_iter()
            .chain(own)
            .collect();
        for key in table.names() {
            if !known.contains(&key) && !COMMON.contains(&key) {
                let message = format!("a {} joint has no `{key}`", kind.name);
                let listed = known.join(", ");
                let help = match key {
                    "friction" => rubbing(joint).unwrap_or_else(|| format!("it has {listed}")),
                    _ => format!("it has {listed}"),
                };
                let place = table.place_of(key);
                self.mistakes
                    .report(code::UNKNOWN_KEY, place, message, help);
            }
        }
        let required = form.keys.iter().filter(|(_, usual)| usual.is_none());
        let required = required.map(|(key, _)| *key);
        let required = required.chain(connects.iter().copied());
        let required = required.chain((form.axis == Axis::Needed).then_some("axis"));
        let turned = turned.iter().copied().filter(|key| *key == "second_axis");
        for key in required.chain(turned) {
            if !table.has(key) {
                let message = format!("[{}] has no `{key}`", table.path);
                let help = format!("a {} joint needs it", kind.name);
                let place = table.place.clone();
                self.mistakes.report(code::MISSING, place, message, help);
            }
        }
    }

    /// The two points of a joint, its axis and the angles of its bodies.
    fn between(&mut self, model: &Model, joint: &mut Joint, table: &mut Fields) -> Option<()> {
        let place = table.place_of("between");
        let ends = table.values("between")?.into_iter();
        let ends: Vec<Option<End>> = ends.map(|end| self.end(model, end)).collect();
        let [first, second] = <[Option<End>; 2]>::try_from(ends).ok()?;
        let (first, second) = (first?, second?);
        if first.name == second.name {
            let message = format!("the joint connects `{}` with itself", first.name);
            let help = "name points of two bodies, or of a body and the ground";
            self.mistakes.report(code::EXCLUSIVE, place, message, help);
            return None;
        }
        let (kind, form) = (joint.kind, joint.form);
        let uses = |word: &str| form.uses(word);
        let turns = [("{b}", &first), ("{c}", &second)];
        let axial = ["{B}", "{J}.axis", "{J}.across"];
        if form.axis == Axis::Needed || axial.into_iter().any(uses) {
            self.needs_axes(joint, &first)?;
        }
        if ["{J}.own_", "{J}.other_axis"].into_iter().any(uses) {
            self.needs_axes(joint, &second)?;
        }
        for (word, end) in turns {
            let angle = match (uses(word), &end.owner) {
                (true, _) => {
                    self.needs_axes(joint, end)?;
                    self.angle_of_end(model, joint, word == "{c}", end)?
                }
                // It is not asked for, but a body that turns otherwise does not move in the plane.
                (false, Owner::Body(_)) if form.plane => {
                    self.angle_of_end(model, joint, word == "{c}", end)?
                }
                _ => continue,
            };
            joint
                .words
                .push((if word == "{c}" { "c" } else { "b" }, angle));
        }
        if kind.connects == Connects::Wheel && !matches!(second.owner, Owner::Body(_)) {
            let message = format!("`{}` does not roll", second.name);
            let help =
                "the second end of a rolling joint is a point of the body that rolls, its centre";
            self.mistakes
                .report(code::NO_SUCH_END, second.point.whole(), message, help);
            return None;
        }
        let carried = match first.owner {
            Owner::Body(_) => format!(" - vel({}, at = {}.contact)", first.name, joint.name.text),
            _ => String::new(),
        };
        joint.words.push(("-B", carried));
        let turning = match (&first.owner, &second.owner) {
            (Owner::Body(_), Owner::Body(_)) => {
                format!("omega({}) - omega({})", second.name, first.name)
            }
            (Owner::Body(_), _) => format!("-omega({})", first.name),
            _ => format!("omega({})", second.name),
        };
        joint.words.push(("turning", turning));
        joint.words.push(("B", first.name.clone()));
        joint.words.push(("C", second.name.clone()));
        let on = [first.owner_name(), second.owner_name()];
        let axis = table.expression("axis");
        let attitude = table.expression("attitude");
        let hangs = self.hangs(&joint.name, kind) && !table.gives("active");
        if hangs && !self.relative {
            self.could_hang([&first, &second]);
        } else if hangs {
            let axis = axis.as_ref().map(|given| match axis_name(given) {
                Some(name) => HingeAxis::Named(name),
                None => HingeAxis::Vector(given.clone()),
            });
            let hinge = self.hinge(model, joint, [&first, &second], axis, attitude.clone());
            self.hinges.extend(hinge);
        }
        let mut heights = Vec::new();
        for (member, end) in [("first", first.point), ("second", second.point)] {
            if form.plane {
                let height = format!("{}.{member}.z", joint.name.text);
                heights.push(self.made(&end.whole(), &height)?);
            }
            self.define(&joint.name, member, end);
        }
        joint.ends = Some(Ends {
            on,
            heights,
            senses: Vec::new(),
        });
        match axis {
            Some(axis) if self.planar => self.axis_in_plane(joint, &first.name, axis),
            None if self.planar => Some(()),
            axis => {
                let ends = [first.name.as_str(), second.name.as_str()];
                self.directions(joint, ends, axis, attitude)?;
                match table.expression("second_axis") {
                    Some(axis) => self.other_axis(joint, &second.name, axis),
                    None => Some(()),
                }
            }
        }
    }

    fn needs_axes(&mut self, joint: &Joint, end: &End) -> Option<()> {
        if end.has_axes() {
            return Some(());
        }
        let message = format!(
            "a {} joint needs a body here: the particle `{}` has no axes",
            joint.kind.name, end.name
        );
        let help = "name a point of a body or of the ground";
        self.mistakes
            .report(code::NO_SUCH_END, end.point.whole(), message, help);
        None
    }

    /// The angle of a body in the plane.
    fn angle_of_end(
        &mut self,
        model: &Model,
        joint: &Joint,
        second: bool,
        end: &End,
    ) -> Option<String> {
        let Owner::Body(index) = end.owner else {
            return Some("0".to_owned());
        };
        let attitude = &model.bodies[index].attitude;
        let Some(tree) = plane_angle(&attitude.tree) else {
            let message = format!(
                "the joint needs the angle of `{}`, and its attitude does not say one",
                end.name
            );
            let help = "write the attitude of a body in the plane as Rz(angle)";
            self.mistakes
                .report(code::NO_SUCH_END, attitude.whole(), message, help);
            return None;
        };
        let member = if second {
            "second_angle"
        } else {
            "first_angle"
        };
        let angle = Expression {
            tree,
            ..attitude.clone()
        };
        self.define(&joint.name, member, angle);
        Some(format!("{}.{member}", joint.name.text))
    }

    /// The points that a rope runs through, and its length in their terms.
    fn path(&mut self, model: &Model, joint: &mut Joint, table: &mut Fields) -> Option<()> {
        let place = table.place_of("through");
        let points = table.values("through")?;
        if points.len() < 2 {
            let message = "a rope runs through two points or more";
            let help =
                "name them: through = [\"A.center\", \"point(ground, [0, 0, 0])\", \"B.center\"]";
            self.mistakes
                .report(code::WRONG_COUNT, place, message, help);
            return None;
        }
        let count = points.len();
        let own = joint.name.text.clone();
        for (i, point) in points.into_iter().enumerate() {
            let end = self.end(model, point)?;
            self.define(&joint.name, &format!("point{i}"), end.point);
        }
        let piece = |i: usize| format!("norm({own}.point{i} - {own}.point{})", i - 1);
        let pieces: Vec<String> = (1..count).map(piece).collect();
        joint.words.push(("path", pieces.join(" + ")));
        Some(())
    }

    /// The angles or distances of two joints.
    fn coupled(
        &mut self,
        joint: &mut Joint,
        table: &mut Fields,
        forms: &[(String, &Form)],
    ) -> Option<()> {
        let place = table.place_of("of");
        let of = table.words("of")?;
        if of.len() != 2 {
            let message = format!("a {} couples two joints", joint.kind.name);
            self.mistakes.report(
                code::WRONG_COUNT,
                place,
                message,
                "write of = [\"A\", \"B\"]",
            );
            return None;
        }
        let wanted = match joint.kind.name {
            "rack" => ["angle", "distance"].map(Some),
            _ => [None, None],
        };
        for ((name, word), wanted) in of.iter().zip(["s1", "s2"]).zip(wanted) {
            let value_of = |form: &Form| match wanted {
                Some(wanted) => form.has(wanted).then_some(wanted),
                None => form.value(),
            };
            let found = forms.iter().find(|(known, _)| *known == name.text);
            let Some(value) = found.and_then(|(_, form)| value_of(form)) else {
                let known = forms.iter().filter(|(_, form)| value_of(form).is_some());
                let known = known.map(|(name, _)| name.as_str());
                let help = meant_or_known(&name.text, known);
                let help = help.unwrap_or_else(|| "the model has none".to_owned());
                let what = wanted.map_or_else(String::new, |wanted| format!(" with `{wanted}`"));
                let message = format!("there is no joint `{}`{what}", name.text);
                let place = name.place.clone();
                self.mistakes
                    .report(code::NO_SUCH_END, place, message, help);
                return None;
            };
            joint.words.push((word, format!("{}.{value}", name.text)));
        }
        Some(())
    }

    fn joint_friction(&mut self, joint: &Joint, table: &mut Fields) -> Option<Friction> {
        let mut friction = table.fields("friction")?;
        let at = self.made(&joint.name.place, &format!("{}.second", joint.name.text));
        let against = joint.words.iter().find(|(word, _)| *word == "B");
        Some(Friction {
            coefficient: friction.expression("coefficient")?,
            at,
            against: against.map(|(_, text)| Name {
                text: text.clone(),
                place: joint.name.place.clone(),
            }),
            holding: friction.expression("static"),
            smoothing: friction.expression("smoothing"),
        })
    }
}

/// An equation in x, y and z, which are coordinates of a point of the joint.
fn in_axes_of(joint: &str, curve: Expression) -> Expression {
    let own = |name: &str| matches!(name, "x" | "y" | "z").then(|| format!("{joint}.{name}"));
    Expression {
        tree: curve.tree.renamed(own),
        ..curve
    }
}

/// How friction of a joint is written that does not keep one point on a line or surface: by the load that it carries.
fn rubbing(joint: &Joint) -> Option<String> {
    let mut moved = joint.form.quantities.iter().map(|(name, _)| *name);
    let moved = moved.find(|name| matches!(*name, "distance" | "angle"))?;
    let arm = if moved == "angle" { "r*" } else { "" };
    let name = &joint.name.text;
    Some(format!(
        "write [spring.NAME] on = \"{name}.{moved}\", dry = 'mu*{arm}norm(reaction({name}, on = \"BODY\"))', which sticks too"
    ))
}
