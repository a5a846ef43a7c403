//! Bodies without written kinematics: coordinates of their own.
//!
//! In the plane `B.x`, `B.y` and `B.angle`, of the mass centre and about the z axis. In space `B.x`, `B.y`, `B.z` and the unit
//! quaternion `B.q0` … `B.q3`, scalar first, from body axes to the world's; its speeds are along and about the body's own axes, so that the
//! mass matrix in them is constant:
//!
//! ```text
//! v = Rᵀ r'        ω = 2 (q0 q' − q0' q − q × q')        with q the vector part        |q0, q|² = 1, an identity
//! ```

use super::attitudes::quaternion;
use crate::model::check::{Check, Fields};
use crate::model::form_codes::names as code;
use crate::model::source::Item;
use crate::model::{Constraint, Expression, Name, StartValue};
use dalembert_expr::Rational;
use dalembert_expr::syntax::{Kind, Tree};

/// Quantities that a free body has in the plane.
pub(super) const IN_PLANE: &[&str] = &["x", "y", "angle"];

/// Those that it has in space.
pub(super) const IN_SPACE: &[&str] = &[
    "x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz",
];

/// ω in body axes.
const OMEGA: [(&str, &str); 3] = [
    (
        "wx",
        "2*({B}.q0*{B}.q1' - {B}.q1*{B}.q0' - {B}.q2*{B}.q3' + {B}.q3*{B}.q2')",
    ),
    (
        "wy",
        "2*({B}.q0*{B}.q2' - {B}.q2*{B}.q0' - {B}.q3*{B}.q1' + {B}.q1*{B}.q3')",
    ),
    (
        "wz",
        "2*({B}.q0*{B}.q3' - {B}.q3*{B}.q0' - {B}.q1*{B}.q2' + {B}.q2*{B}.q1')",
    ),
];

/// Whether a body says nothing of its motion.
pub(super) fn is_free(body: &Item) -> bool {
    let Item::Table(table) = body else {
        return false;
    };
    let written = ["center", "attitude"];
    let mut keys = table.entries.iter().map(|entry| entry.key.text.as_str());
    !keys.any(|key| written.contains(&key))
}

impl Check {
    /// Centre and attitude of a body as the user wrote them, or in coordinates that are made for it.
    pub(in crate::model) fn body_motion(
        &mut self,
        name: &Name,
        table: &mut Fields,
    ) -> Option<[Expression; 2]> {
        let written = ["center", "attitude"];
        let missing = written.into_iter().find(|key| !table.has(key));
        match missing {
            None => {}
            Some(_) if !written.iter().any(|key| table.has(key)) => {
                return self.free_motion(name, table);
            }
            Some(missing) => {
                let message = format!("[{}] has no `{missing}`", table.path);
                let help = "write both center and attitude, or neither: a free body";
                let place = table.place.clone();
                self.mistakes.report(code::ONE_OF, place, message, help);
            }
        }
        if table.has("start") {
            let message = format!("[{}] has both written kinematics and `start`", table.path);
            let help = "give the start values of its coordinates in [coordinates] and [start]";
            let place = table.place_of("start");
            self.mistakes.report(code::EXCLUSIVE, place, message, help);
        }
        Some([table.expression("center")?, table.expression("attitude")?])
    }

    fn free_motion(&mut self, name: &Name, table: &mut Fields) -> Option<[Expression; 2]> {
        self.free = true;
        match self.planar {
            true => self.free_in_plane(name, table),
            false => self.free_in_space(name, table),
        }
    }

    fn free_in_plane(&mut self, name: &Name, table: &mut Fields) -> Option<[Expression; 2]> {
        let mut start = table.fields("start");
        let mut vector = |check: &mut Self, key: &str, out_of_plane: &[usize]| {
            let given = start.as_mut().and_then(|start| start.expression(key))?;
            let parts = check.three(&given)?;
            check.only_zero(&parts, out_of_plane, "a free body moves in the plane");
            Some(parts)
        };
        let center = vector(self, "center", &[2]);
        let velocity = vector(self, "velocity", &[2]);
        let omega = vector(self, "omega", &[0, 1]);
        let attitude = start.as_mut().and_then(|it| it.expression("attitude"));
        let attitude = attitude.and_then(|given| self.angle_of(&given));
        let part = |vector: &Option<[Expression; 3]>, i: usize| {
            vector.as_ref().map(|vector| vector[i].clone())
        };
        self.coordinate(name, "x", part(&center, 0), part(&velocity, 0));
        self.coordinate(name, "y", part(&center, 1), part(&velocity, 1));
        self.coordinate(name, "angle", attitude, part(&omega, 2));
        let own = &name.text;
        let center = self.made(&name.place, &format!("[{own}.x, {own}.y, 0]"))?;
        let attitude = self.made(&name.place, &format!("Rz({own}.angle)"))?;
        Some([center, attitude])
    }

    fn free_in_space(&mut self, name: &Name, table: &mut Fields) -> Option<[Expression; 2]> {
        let mut start = table.fields("start");
        let mut vector = |check: &mut Self, key: &str| {
            let given = start.as_mut().and_then(|start| start.expression(key))?;
            check.three(&given)
        };
        let [center, velocity, omega] =
            ["center", "velocity", "omega"].map(|key| vector(self, key));
        let attitude = start.as_mut().and_then(|it| it.expression("attitude"));
        let attitude = attitude.and_then(|given| self.quaternion_of(&given));
        let part = |vector: &Option<[Expression; 3]>, i: usize| {
            vector.as_ref().map(|vector| vector[i].clone())
        };
        for (i, member) in ["x", "y", "z"].into_iter().enumerate() {
            self.coordinate(name, member, part(&center, i), part(&velocity, i));
        }
        for (i, member) in ["q0", "q1", "q2", "q3"].into_iter().enumerate() {
            let usual = self.made(&name.place, if i == 0 { "1" } else { "0" });
            let given = attitude.as_ref().map(|it| it[i].clone());
            self.coordinate(name, member, given.or(usual), None);
        }
        let own = &name.text;
        for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let key = self.made(&name.place, &format!("omega({own}).{axis}"));
            let value = part(&omega, i).map(guess);
            self.made.start.extend(key.zip(value));
        }
        for axis in ["x", "y", "z"] {
            let speed = format!("dot([{own}.x', {own}.y', {own}.z'], {own}.e{axis})");
            self.speed(name, &format!("v{axis}"), &speed)?;
        }
        for (member, speed) in OMEGA {
            self.speed(name, member, &speed.replace("{B}", own))?;
        }
        let square = |i: usize| format!("{own}.q{i}^2");
        let squares: Vec<String> = (0..4).map(square).collect();
        let holds = self.made(&name.place, &format!("{} = 1", squares.join(" + ")))?;
        let unit = Name {
            text: format!("{own}.unit"),
            place: name.place.clone(),
        };
        self.made.identities.push(Constraint::identity(unit, holds));
        let center = self.made(&name.place, &format!("[{own}.x, {own}.y, {own}.z]"))?;
        let attitude = format!("quat({own}.q0, {own}.q1, {own}.q2, {own}.q3)");
        Some([center, self.made(&name.place, &attitude)?])
    }

    fn speed(&mut self, of: &Name, member: &str, text: &str) -> Option<()> {
        let value = self.made(&of.place, text)?;
        let text = format!("{}.{member}", of.text);
        let place = of.place.clone();
        self.made.speeds.push((Name { text, place }, value));
        Some(())
    }

    /// The components of a quaternion of an attitude that is written out.
    fn quaternion_of(&mut self, given: &Expression) -> Option<[Expression; 4]> {
        let Some(found) = quaternion(given) else {
            let message = "the start of a free body needs an attitude that is written out";
            let help = "write rotations one after the other, such as \"Rz(30 deg) Rx(10 deg)\", or a quaternion: quat(a, b, c, d)";
            self.mistakes
                .report(code::WRONG_KIND, given.whole(), message, help);
            return None;
        };
        let [a, b, c, d] = found.map(|text| self.made(&given.whole(), &text));
        Some([a?, b?, c?, d?])
    }

    /// A coordinate with guesses for its start and its rate; 0 if nothing is said.
    fn coordinate(
        &mut self,
        of: &Name,
        member: &str,
        start: Option<Expression>,
        rate: Option<Expression>,
    ) {
        let text = format!("{}.{member}", of.text);
        let zero = self.made(&of.place, "0");
        if let Some(value) = start.or(zero).map(guess) {
            let place = of.place.clone();
            let name = Name {
                text: text.clone(),
                place,
            };
            self.made.coordinates.push((name, value));
        }
        let key = self.made(&of.place, &format!("{text}'"));
        self.made.start.extend(key.zip(rate.map(guess)));
    }

    /// Refuses components that are not written as 0.
    pub(super) fn only_zero(&mut self, parts: &[Expression; 3], which: &[usize], why: &str) {
        for &i in which {
            let part = &parts[i];
            if !is_zero(part) {
                let axis = ["x", "y", "z"][i];
                let message = format!("{why}: the {axis} component here is 0");
                let place = part.place(part.tree[part.tree.root()].span.range());
                let help = "write 0";
                self.mistakes.report(code::EXCLUSIVE, place, message, help);
            }
        }
    }

    /// The components of a vector that is written out.
    pub(super) fn three(&mut self, given: &Expression) -> Option<[Expression; 3]> {
        if let Kind::Vector(elements) = &given.tree[given.tree.root()].kind
            && let [x, y, z] = **elements
        {
            let part = |id| Expression {
                tree: given.tree.part(id),
                ..given.clone()
            };
            return Some([part(x), part(y), part(z)]);
        }
        let message = "a vector with its three components is needed here";
        let help = "write them in brackets, such as \"[0.5, 0, 0]\"";
        self.mistakes
            .report(code::WRONG_KIND, given.whole(), message, help);
        None
    }

    /// a of Rz(a), or a itself.
    fn angle_of(&mut self, given: &Expression) -> Option<Expression> {
        match plane_angle(&given.tree) {
            Some(tree) => Some(Expression {
                tree,
                ..given.clone()
            }),
            None => {
                let message = "the start of a free body in the plane needs an attitude Rz(angle)";
                let help = "write such as \"Rz(30 deg)\"";
                self.mistakes
                    .report(code::WRONG_KIND, given.whole(), message, help);
                None
            }
        }
    }
}

pub(super) fn guess(value: Expression) -> StartValue {
    StartValue {
        place: value.whole(),
        value: Some(value),
        must: false,
    }
}

/// Whether it is written as 0.
pub(super) fn is_zero(part: &Expression) -> bool {
    match &part.tree[part.tree.root()].kind {
        Kind::Number(number) | Kind::Quantity { number, .. } => number.is_zero(),
        _ => false,
    }
}

/// The angle of an attitude in the plane, if its words say one: a of `Rz(a)`, 0 of `ground`.
pub(super) fn plane_angle(attitude: &Tree) -> Option<Tree> {
    match &attitude[attitude.root()].kind {
        Kind::Call {
            function,
            arguments,
        } if *function.text == *"Rz" && arguments.len() == 1 => {
            Some(attitude.part(arguments[0].value))
        }
        Kind::Name { name, primes: 0 } if **name == *"ground" => {
            Some(Tree::number(Rational::from(0)))
        }
        _ => None,
    }
}
