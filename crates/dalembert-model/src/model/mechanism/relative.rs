//! `coordinates = "relative"`: bodies that hang on others by joints, in coordinates of the joints.
//!
//! A tree is found in the joints, from the ground and from bodies with written kinematics. A body that hangs on another gets no coordinates of its own: its
//! attitude and its mass centre are those of the other, turned by `J.angle` and moved by `J.distance`. What it had as coordinates (`B.x`, `B.angle`, …)
//! are definitions then, so that all texts mean what they meant. Joints that close loops stay constraints, and so does every joint whose reaction
//! or coming and going some text speaks of: without its rows it would have none.

mod hanging;

pub use hanging::Hanging;

use super::Made;
use super::attitudes::{Quaternion, conjugate, product, rotated};
use super::ends::{End, Owner};
use super::free_body::{IN_PLANE, IN_SPACE, guess, is_zero};
use super::joint::Joint;
use super::kinds::JointType;
use crate::model::check::Check;
use crate::model::source::{Entry, Item, Table};
use crate::model::turns::TURNS;
use crate::model::{Expression, Model, Name, StartValue};
use dalembert_expr::syntax::Kind;
use std::collections::{HashMap, HashSet, VecDeque};

/// Types of joints that a body can hang by, and what moves in them.
const HANGING: [(&str, &[&str]); 4] = [
    ("weld", &[]),
    ("revolute", &["angle"]),
    ("prismatic", &["distance"]),
    ("cylindrical", &["angle", "distance"]),
];

/// A joint that a body may hang by.
pub(in crate::model) struct Hinge {
    pub(super) joint: Name,
    /// What moves: its coordinates.
    pub(super) moves: &'static [&'static str],
    /// The bodies by index; none is the ground.
    pub(super) bodies: [Option<usize>; 2],
    pub(super) names: [String; 2],
    /// Where its points are in the bodies' own axes.
    pub(super) arms: [Expression; 2],
    /// Whether they begin elsewhere than in the mass centre.
    off_center: [bool; 2],
    /// Angles of the bodies in the plane.
    pub(super) angles: [String; 2],
    pub(super) axis: HingeAxis,
    /// How the second body stands against the first at the angle zero, if not alike.
    pub(super) attitude: Option<Expression>,
}

/// The axis in axes of the first body.
pub(super) enum HingeAxis {
    /// x, y or z.
    Named(String),
    /// `J.direction`, as it was given.
    Vector(Expression),
}

impl HingeAxis {
    /// A vector of length one, by components.
    fn components(&self) -> [String; 3] {
        match self {
            Self::Named(name) => ["x", "y", "z"].map(|axis| u8::from(axis == name).to_string()),
            Self::Vector(given) => {
                let text = text_of(given);
                let unit = |axis: usize| format!("({})/norm({text})", component(&text, axis));
                [unit(0), unit(1), unit(2)]
            }
        }
    }
}

/// Names that texts outside of joints speak of as such, not of a member: `reaction(A)`, engage = "A".
pub(in crate::model) fn spoken_of(root: &Table) -> HashSet<String> {
    let mut found = HashSet::new();
    let outside = |entry: &&Entry| entry.key.text != "joint";
    let mut open: Vec<&Item> = root
        .entries
        .iter()
        .filter(outside)
        .map(|it| &it.item)
        .collect();
    while let Some(item) = open.pop() {
        match item {
            Item::Text(text) => found.extend(names_in(&text.text)),
            Item::List(items, _) => open.extend(items),
            Item::Table(table) => open.extend(table.entries.iter().map(|entry| &entry.item)),
            _ => {}
        }
    }
    found
}

/// Words of a text, unless a member of theirs is meant: `A` of `reaction(A)` and of the row `A.0`, not of `A.angle`.
fn names_in(text: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let words = text.split(move |c| !is_part(c));
    words.filter_map(|word| {
        let (name, member) = word.split_once('.').unwrap_or((word, ""));
        let whole = member.chars().all(|c| c.is_ascii_digit());
        (whole && !name.is_empty()).then(|| name.to_owned())
    })
}

/// A body that hangs by a joint.
struct Hung<'h> {
    hinge: &'h Hinge,
    /// Its place among the two of the joint.
    end: usize,
    body: usize,
}

impl Check {
    /// Whether bodies may hang by a joint.
    pub(super) fn hangs(&self, joint: &Name, kind: &JointType) -> bool {
        let known = HANGING.iter().any(|(name, _)| *name == kind.name);
        known && !self.spoken_of.contains(&joint.text)
    }

    /// Keeps what a joint connects that bodies could hang by, if they were asked to.
    pub(super) fn could_hang(&mut self, ends: [&End; 2]) {
        if ends.iter().all(|end| end.owner != Owner::Particle) {
            self.could_hang.push(bodies_of(ends));
        }
    }

    /// The bodies that would hang by their joints.
    pub(super) fn who_could_hang(&mut self, model: &Model, made: &Made) -> Vec<String> {
        let joints = std::mem::take(&mut self.could_hang);
        if joints.is_empty() {
            return Vec::new();
        }
        let found = tree(model, made, &joints, self.planar);
        let name = |(.., body): (usize, usize, usize)| model.bodies[body].name.text.clone();
        found.into_iter().map(name).collect()
    }

    /// What a joint is for bodies that could hang by it.
    pub(super) fn hinge(
        &mut self,
        model: &Model,
        joint: &Joint,
        ends: [&End; 2],
        axis: Option<HingeAxis>,
        attitude: Option<Expression>,
    ) -> Option<Hinge> {
        let (_, moves) = HANGING.iter().find(|(name, _)| *name == joint.kind.name)?;
        let bodies = bodies_of(ends);
        if ends.iter().any(|end| end.owner == Owner::Particle) {
            return None;
        }
        let arms = [self.arm(model, ends[0])?, self.arm(model, ends[1])?];
        let word = |word: &str| {
            let found = joint.words.iter().find(|(name, _)| *name == word);
            found.map_or_else(|| "0".to_owned(), |(_, text)| text.clone())
        };
        Some(Hinge {
            joint: joint.name.clone(),
            moves,
            bodies,
            names: [word("B"), word("C")],
            arms,
            off_center: ends.map(|end| seen_off_center(model, end)),
            angles: [word("b"), word("c")],
            axis: axis.unwrap_or_else(|| HingeAxis::Named("z".to_owned())),
            attitude,
        })
    }

    /// Where a point that a joint names is in the axes of its body; none if its words do not say it.
    fn arm(&mut self, model: &Model, end: &End) -> Option<Expression> {
        let point = &end.point;
        let tree = &point.tree;
        match &tree[tree.root()].kind {
            Kind::Call { arguments, .. } => Some(Expression {
                tree: tree.part(arguments.get(1)?.value),
                ..point.clone()
            }),
            Kind::Member { .. } => {
                let Owner::Body(body) = end.owner else {
                    return None;
                };
                let (name, _) = tree.dotted(tree.root())?;
                let member = name.rsplit_once('.')?.1;
                let mut points = model.bodies[body].points.iter();
                match points.find(|(name, _)| name.text == member) {
                    Some((_, local)) => Some(local.clone()),
                    None => self.made(&point.whole(), "[0, 0, 0]"),
                }
            }
            _ => None,
        }
    }

    /// Puts joints in the place of coordinates of bodies that hang by them.
    pub(super) fn hang(&mut self, model: &mut Model, made: &mut Made) -> Option<()> {
        let hinges = std::mem::take(&mut self.hinges);
        let all = made.coordinates.iter().cloned();
        let stood: Stood = all.map(|(name, start)| (name.text, start)).collect();
        let mut gone = Gone::default();
        let joints: Vec<[Option<usize>; 2]> = hinges.iter().map(|it| it.bodies).collect();
        for (joint, end, body) in tree(model, made, &joints, self.planar) {
            let hinge = &hinges[joint];
            let hung = Hung { hinge, end, body };
            self.hang_body(model, made, (&stood, &mut gone), &hung)?;
        }
        let members = if self.planar { IN_PLANE } else { IN_SPACE };
        self.take_away(model, made, (gone, members));
        Some(())
    }

    /// Takes away what bodies had as coordinates, and rows of their joints; coordinates of these stand where those of the bodies stood.
    fn take_away(
        &mut self,
        model: &mut Model,
        made: &mut Made,
        (mut gone, members): (Gone, &[&str]),
    ) {
        let mut said: HashMap<String, Vec<(Name, StartValue)>> = HashMap::new();
        let Gone { bodies, .. } = &gone;
        let owner = |name: &Name| {
            let (body, member) = name.text.rsplit_once('.')?;
            (members.contains(&member) && bodies.contains_key(body)).then(|| body.to_owned())
        };
        let mut kept = Vec::new();
        for (name, value) in std::mem::take(&mut made.coordinates) {
            let Some(body) = owner(&name) else {
                kept.push((name, value));
                continue;
            };
            let own = said.entry(body).or_insert_with_key(|body| {
                kept.extend(bodies[body].iter().cloned());
                Vec::new()
            });
            own.push((name, value));
        }
        made.coordinates = kept;
        made.speeds.retain(|(name, _)| owner(name).is_none());
        let whose = |name: &Name, member: &str| {
            let (whose, own) = name.text.rsplit_once('.')?;
            (own == member).then(|| whose.to_owned())
        };
        made.identities
            .retain(|it| !whose(&it.name, "unit").is_some_and(|it| bodies.contains_key(&it)));
        model
            .constraints
            .retain(|it| !gone.joints.contains(&it.name.text));
        // Such an angle is a coordinate, and counts turns by itself.
        made.turns
            .retain(|it| !whose(&it.name, TURNS).is_some_and(|it| gone.joints.contains(&it)));
        made.definitions
            .retain(|(name, _)| !gone.definitions.contains(&name.text));
        for body in std::mem::take(&mut gone.order) {
            self.keep_said(made, said.remove(&body).unwrap_or_default());
        }
    }

    fn hang_body(
        &mut self,
        model: &mut Model,
        made: &mut Made,
        (stood, gone): (&Stood, &mut Gone),
        hung: &Hung,
    ) -> Option<()> {
        let Hung { hinge, end, body } = *hung;
        let place = hinge.joint.place.clone();
        let (own, other) = (&hinge.names[end], &hinge.names[1 - end]);
        let joint = &hinge.joint.text;
        let starts = self.starts(stood, hinge);
        let mut coordinates = Vec::new();
        for (member, start) in hinge.moves.iter().zip(starts) {
            let text = format!("{joint}.{member}");
            gone.definitions.insert(text.clone());
            let name = Name {
                text,
                place: place.clone(),
            };
            coordinates.push((name, guess(self.made(&place, &start)?)));
        }
        gone.bodies.insert(own.clone(), coordinates);
        gone.order.push(own.clone());
        gone.joints.insert(joint.clone());
        made.definitions
            .push((dotted(&hinge.joint, "arm"), hinge.arms[end].clone()));
        let forward = end == 1;
        if !self.planar {
            let attitude = hinge.attitude_of(end);
            model.bodies[body].attitude = self.made(&place, &attitude)?;
        }
        let hanging = self.hanging(hung)?;
        model.hanging.push(hanging);
        let (from, sign) = if forward {
            ("first", "+")
        } else {
            ("second", "-")
        };
        let slides = match (hinge.moves.contains(&"distance"), forward) {
            (true, true) => format!(" {sign} {joint}.distance*{joint}.axis"),
            // The axis is one of the body itself, of which only the attitude is known yet.
            (true, false) => format!(" {sign} {joint}.distance*({})", hinge.axis_of(own)),
            (false, _) => String::new(),
        };
        let arm = ["x", "y", "z"]
            .map(|axis| match hinge.off_center[end] {
                true => format!("({joint}.arm.{axis} - {own}.mass_center.{axis})*{own}.e{axis}"),
                false => format!("{joint}.arm.{axis}*{own}.e{axis}"),
            })
            .join(" + ");
        let center = format!("{joint}.{from}{slides} - ({arm})");
        model.bodies[body].center = self.made(&place, &center)?;
        for (member, text) in self.definitions_of(hinge, end, own, other) {
            let of = &model.bodies[body].name.clone();
            let value = self.made(&of.place, &text)?;
            made.definitions.push((dotted(of, &member), value));
        }
        Some(())
    }

    /// What [start] says of coordinates that are no longer ones must still be met.
    fn keep_said(&mut self, made: &mut Made, said: Vec<(Name, StartValue)>) {
        for (name, value) in said {
            if value.must
                && let Some(key) = self.made(&name.place, &name.text)
            {
                made.start.push((key, value));
            }
        }
    }

    /// What the body had as coordinates and speeds.
    fn definitions_of(
        &self,
        hinge: &Hinge,
        end: usize,
        own: &str,
        other: &str,
    ) -> Vec<(String, String)> {
        let place = |axis: &str| (axis.to_owned(), format!("{own}.center.{axis}"));
        let joint = &hinge.joint.text;
        if self.planar {
            let turned = match (hinge.angles[1 - end].as_str(), end) {
                ("0", 1) => format!("{joint}.angle"),
                ("0", _) => format!("-{joint}.angle"),
                (other, 1) => format!("{other} + {joint}.angle"),
                (other, _) => format!("{other} - {joint}.angle"),
            };
            return vec![place("x"), place("y"), ("angle".to_owned(), turned)];
        }
        let mut found: Vec<(String, String)> = ["x", "y", "z"].map(place).into();
        let parent = match hinge.bodies[1 - end] {
            None => ["1", "0", "0", "0"].map(str::to_owned),
            Some(_) => ["q0", "q1", "q2", "q3"].map(|member| format!("{other}.{member}")),
        };
        let whole = product(&parent, &hinge.turn(end));
        let numbered = whole.into_iter().enumerate();
        found.extend(numbered.map(|(i, text)| (format!("q{i}"), text)));
        for axis in ["x", "y", "z"] {
            found.push((
                format!("v{axis}"),
                format!("dot(vel({own}), {own}.e{axis})"),
            ));
            found.push((
                format!("w{axis}"),
                format!("dot(omega({own}), {own}.e{axis})"),
            ));
        }
        found
    }

    /// Where the joint stands by the guesses for the bodies it connects.
    fn starts(&self, stood: &Stood, hinge: &Hinge) -> Vec<String> {
        let stands = [0, 1].map(|end| self.stands(stood, hinge, end));
        let [first, second] = &stands;
        let axis = hinge.axis.components();
        let one = |member: &&str| match *member {
            "angle" if self.planar => {
                let angle = |end: usize| started(stood, &hinge.names[end], "angle");
                format!("({}) - ({})", angle(1), angle(0))
            }
            "angle" => {
                let mut turn = product(&conjugate(&first.attitude), &second.attitude);
                if let Some(mount) = hinge.mount() {
                    turn = product(&turn, &conjugate(&mount));
                }
                let [q0, q1, q2, q3] = turn;
                let along = dot(&[q1, q2, q3], &axis);
                format!("2*atan2({along}, {q0})")
            }
            _ => {
                let apart =
                    [0, 1, 2].map(|i| format!("({} - ({}))", second.point[i], first.point[i]));
                dot(&apart, &rotated(&first.attitude, &axis))
            }
        };
        hinge.moves.iter().map(one).collect()
    }

    fn stands(&self, stood: &Stood, hinge: &Hinge, end: usize) -> Stands {
        let body = &hinge.names[end];
        let attitude = match self.planar {
            true => {
                let angle = started(stood, body, "angle");
                [
                    format!("cos(({angle})/2)"),
                    "0".to_owned(),
                    "0".to_owned(),
                    format!("sin(({angle})/2)"),
                ]
            }
            false if hinge.bodies[end].is_none() => ["1", "0", "0", "0"].map(str::to_owned),
            false => ["q0", "q1", "q2", "q3"].map(|member| started(stood, body, member)),
        };
        let arm = match hinge.off_center[end] {
            true => format!("({} - {body}.mass_center)", text_of(&hinge.arms[end])),
            false => text_of(&hinge.arms[end]),
        };
        let arm = rotated(&attitude, &[0, 1, 2].map(|i| component(&arm, i)));
        let center = ["x", "y", "z"].map(|axis| started(stood, body, axis));
        let point = [0, 1, 2].map(|i| format!("{} + ({})", center[i], arm[i]));
        Stands { attitude, point }
    }
}

/// Coordinates of bodies before they hang, by name.
type Stood = HashMap<String, StartValue>;

/// What bodies that hang have no more.
#[derive(Default)]
struct Gone {
    /// Their names, with the coordinates of the joint that stand for theirs.
    bodies: HashMap<String, Vec<(Name, StartValue)>>,
    /// In the order of the tree.
    order: Vec<String>,
    joints: HashSet<String>,
    definitions: HashSet<String>,
}

/// The guess for a coordinate of a body; 0 of the ground, and of what has none.
fn started(stood: &Stood, body: &str, member: &str) -> String {
    let found = stood.get(&format!("{body}.{member}"));
    match found.and_then(|start| start.value.as_ref()) {
        Some(value) => text_of(value),
        None => "0".to_owned(),
    }
}

/// Where the guesses put one end of a joint.
struct Stands {
    attitude: Quaternion,
    point: [String; 3],
}

impl Hinge {
    fn mount(&self) -> Option<Quaternion> {
        self.attitude
            .as_ref()
            .and_then(super::attitudes::quaternion)
    }

    /// The axis in space, of its first body.
    fn axis_of(&self, body: &str) -> String {
        let parts = self.axis.components().into_iter().zip(["ex", "ey", "ez"]);
        let parts =
            parts.map(|(part, axis)| super::attitudes::times(&part, &format!("{body}.{axis}")));
        let parts: Vec<String> = parts.filter(|it| it != "0").collect();
        parts.join(" + ")
    }

    /// The rotation from the other body's axes to those of the body at this end.
    fn turn(&self, end: usize) -> Quaternion {
        let mut turn = ["1", "0", "0", "0"].map(str::to_owned);
        if self.moves.contains(&"angle") {
            let half = format!("{}.angle/2", self.joint.text);
            let axis = self.axis.components();
            turn[0] = format!("cos({half})");
            for (part, axis) in turn[1..].iter_mut().zip(axis) {
                *part = super::attitudes::times(&axis, &format!("sin({half})"));
            }
        }
        if let Some(mount) = self.mount() {
            turn = product(&turn, &mount);
        }
        if end == 0 { conjugate(&turn) } else { turn }
    }

    /// The attitude of the body at this end, in space.
    fn attitude_of(&self, end: usize) -> String {
        let other = self.bodies[1 - end].map(|_| self.names[1 - end].clone());
        let parts: Vec<String> = other.into_iter().chain(self.turned(end)).collect();
        match parts.is_empty() {
            true => "ground".to_owned(),
            false => parts.join(" "),
        }
    }

    /// The same against the other body.
    fn turned(&self, end: usize) -> Vec<String> {
        let sign = if end == 1 { "" } else { "-" };
        let angle = format!("{sign}{}.angle", self.joint.text);
        let turn = match (&self.axis, self.moves.contains(&"angle")) {
            (_, false) => None,
            (HingeAxis::Named(axis), true) => Some(format!("R{axis}({angle})")),
            (HingeAxis::Vector(_), true) => {
                let [x, y, z] = self.axis.components();
                let half = format!("{angle}/2");
                Some(format!(
                    "quat(cos({half}), {x}*sin({half}), {y}*sin({half}), {z}*sin({half}))"
                ))
            }
        };
        let mount = self
            .mount()
            .map(|it| if end == 1 { it } else { conjugate(&it) });
        let mount = mount.map(|it| format!("quat({})", it.join(", ")));
        let parts = if end == 1 {
            [turn, mount]
        } else {
            [mount, turn]
        };
        parts.into_iter().flatten().collect()
    }
}

/// The bodies that the two ends of a joint belong to; none is the ground.
fn bodies_of(ends: [&End; 2]) -> [Option<usize>; 2] {
    ends.map(|end| match end.owner {
        Owner::Body(body) => Some(body),
        Owner::Ground | Owner::Particle => None,
    })
}

/// The bodies that hang by joints between these bodies, each after what it hangs on: by which joint, which end of it the body is, and which body.
fn tree(
    model: &Model,
    made: &Made,
    joints: &[[Option<usize>; 2]],
    planar: bool,
) -> Vec<(usize, usize, usize)> {
    let names = made.coordinates.iter().map(|(name, _)| name.text.as_str());
    let names: HashSet<&str> = names.collect();
    let of_its_own =
        |body: usize| names.contains(format!("{}.x", model.bodies[body].name.text).as_str());
    let free: Vec<bool> = (0..model.bodies.len()).map(of_its_own).collect();
    let mut reached: Vec<bool> = free.iter().map(|free| !free).collect();
    let mut beside: Vec<Vec<(usize, usize)>> = vec![Vec::new(); model.bodies.len() + 1];
    let ground = model.bodies.len();
    for (i, bodies) in joints.iter().enumerate() {
        for end in [0, 1] {
            let other = bodies[1 - end].unwrap_or(ground);
            beside[other].push((i, end));
        }
    }
    let mut found = Vec::new();
    // Ground first, then bodies with written kinematics (in space they have no quaternion to be turned from); then those that float, one after the other.
    let written = (0..ground).filter(|&body| planar && !free[body]);
    let mut open: VecDeque<usize> = std::iter::once(ground).chain(written).collect();
    let mut floating = 0..ground;
    loop {
        while let Some(at) = open.pop_front() {
            for &(joint, end) in &beside[at] {
                if let Some(body) = joints[joint][end].filter(|&body| !reached[body]) {
                    reached[body] = true;
                    found.push((joint, end, body));
                    open.push_back(body);
                }
            }
        }
        match floating.find(|&body| !reached[body]) {
            None => return found,
            Some(body) => {
                reached[body] = true;
                open.push_back(body);
            }
        }
    }
}

fn dotted(of: &Name, member: &str) -> Name {
    Name {
        text: format!("{}.{member}", of.text),
        place: of.place.clone(),
    }
}

/// The words of an expression, in brackets.
fn text_of(value: &Expression) -> String {
    match is_zero(value) {
        true => "0".to_owned(),
        false => format!("({})", value.tree[value.tree.root()].span.text(&value.text)),
    }
}

/// Whether a point of a body is given from another place than its mass centre.
fn seen_off_center(model: &Model, end: &End) -> bool {
    let Owner::Body(body) = end.owner else {
        return false;
    };
    let tree = &end.point.tree;
    let dotted = tree.dotted(tree.root());
    let is_center = dotted.is_some_and(|(name, _)| name.ends_with(".center"));
    model.bodies[body].is_off_center() && !is_center
}

fn component(vector: &str, axis: usize) -> String {
    let unit = ["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"][axis];
    format!("dot({vector}, {unit})")
}

fn dot(a: &[String; 3], b: &[String; 3]) -> String {
    let terms = a.iter().zip(b).map(|(a, b)| super::attitudes::times(a, b));
    let terms: Vec<String> = terms.filter(|it| it != "0").collect();
    if terms.is_empty() {
        "0".to_owned()
    } else {
        terms.join(" + ")
    }
}
