//! The same mechanism written otherwise has the same motion and the same reactions.

use super::{Now, close};

/// A slider-crank whose parts can be renamed, moved and measured otherwise.
fn slider_crank(crank: &str, at: [&str; 2], lengths: [&str; 2]) -> String {
    let ([x, y], [r, l]) = (at, lengths);
    format!(
        r#"
gravity = "[0, -9.81, 0]"
[parameters]
r = "{r}"
l = "{l}"
tau = "1.5 N*m"
[body.{crank}]
mass = "1 kg"
shape = {{ rod = {{ length = "r", axis = "x" }} }}
point = {{ foot = "[-r/2, 0, 0]", tip = "[r/2, 0, 0]" }}
start = {{ center = "[{x} + 0.05 m, {y} + 0.08 m, 0]", attitude = "Rz(50 deg)" }}
[body.rod]
mass = "2 kg"
shape = {{ rod = {{ length = "l", axis = "x" }} }}
point = {{ foot = "[-l/2, 0, 0]", tip = "[l/2, 0, 0]" }}
start = {{ center = "[{x} + 0.4 m, {y} + 0.08 m, 0]", attitude = "Rz(-15 deg)" }}
[body.block]
mass = "3 kg"
inertia = [0, 0, "0.01 kg*m^2"]
start = {{ center = "[{x} + 0.7 m, {y}, 0]" }}
[joint.A]
type = "revolute"
between = ["point(ground, [{x}, {y}, 0])", "{crank}.foot"]
[joint.B]
type = "revolute"
between = ["{crank}.tip", "rod.foot"]
[joint.C]
type = "revolute"
between = ["rod.tip", "block"]
[joint.S]
type = "prismatic"
axis = "x"
between = ["point(ground, [{x}, {y}, 0])", "block"]
[force.motor]
along = "A.angle"
size = "tau"
[start]
"A.angle" = "50 deg"
"A.rate" = "3 rad/s"
"#
    )
}

fn plain() -> String {
    slider_crank("crank", ["0 m", "0 m"], ["0.2 m", "0.6 m"])
}

/// The same in one coordinate, the rod's angle by the sine rule.
const ONE_COORDINATE: &str = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
q = "50 deg"
[start]
"q'" = 3
[definitions]
b = "-asin(0.2*sin(q)/0.6)"
[body.crank]
mass = 1
shape = { rod = { length = 0.2, axis = "x" } }
center = "[0.1*cos(q), 0.1*sin(q), 0]"
attitude = "Rz(q)"
[body.rod]
mass = 2
shape = { rod = { length = 0.6, axis = "x" } }
center = "[0.2*cos(q) + 0.3*cos(b), 0.2*sin(q) + 0.3*sin(b), 0]"
attitude = "Rz(b)"
[body.block]
mass = 3
inertia = [0, 0, 0.01]
center = "[0.2*cos(q) + 0.6*cos(b), 0, 0]"
attitude = "Rz(0)"
[force.motor]
on = "crank"
torque = "[0, 0, 1.5]"
"#;

#[test]
fn as_in_one_coordinate() {
    let (joints, one) = (Now::of(&plain()), Now::written(ONE_COORDINATE));
    close(joints.acceleration("crank.angle"), one.acceleration("q"));
    // What acts on the block: the rod's pin and the slide, against Newton in the other.
    let block = |now: &Now| {
        let resultants = now.forces.resultants.iter();
        let mut named = resultants.map(|(on, it)| (on.name(&now.mechanism.model), it));
        let found = named.find(|(name, _)| *name == "block").unwrap();
        found.1.as_ref().unwrap().force
    };
    let [pin, slide] = ["C", "S"].map(|it| joints.reaction(it, "block").force);
    let wanted = block(&one);
    close(pin[0] + slide[0], wanted[0]);
    close(pin[1] + slide[1], wanted[1]);
}

#[test]
fn names_order_place_and_units_do_not_matter() {
    let reference = Now::of(&plain());
    let renamed = Now::of(&slider_crank("zzz", ["0 m", "0 m"], ["0.2 m", "0.6 m"]));
    let moved = Now::of(&slider_crank("crank", ["7 m", "-3 m"], ["0.2 m", "0.6 m"]));
    let small = Now::of(&slider_crank(
        "crank",
        ["0 mm", "0 mm"],
        ["20 cm", "600 mm"],
    ));
    let swapped = plain().replace(
        r#"between = ["rod.tip", "block"]"#,
        r#"between = ["block", "rod.tip"]"#,
    );
    let swapped = Now::of(&swapped);
    let wanted = reference.acceleration("block.x");
    for other in [&renamed, &moved, &small, &swapped] {
        close(other.acceleration("block.x"), wanted);
        for axis in 0..2 {
            let force = |now: &Now| now.reaction("C", "block").force[axis];
            close(force(other), force(&reference));
        }
    }
    close(
        moved.position("block.x"),
        reference.position("block.x") + 7.0,
    );
    close(swapped.multiplier("C.0"), -reference.multiplier("C.0"));
    // Tables in another order.
    let text = plain();
    let (bodies, rest) = text.split_once("[joint.A]").unwrap();
    let (head, bodies) = bodies.split_once("[body.crank]").unwrap();
    let reordered = format!("{head}[joint.A]{rest}[body.crank]{bodies}");
    close(Now::of(&reordered).acceleration("block.x"), wanted);
}

/// Nothing holds it from outside: momentum and angular momentum keep their rates at zero.
#[test]
fn a_floating_linkage_keeps_its_momentum() {
    let now = Now::of(
        r#"
[body.a]
mass = 1
inertia = [0, 0, 0.2]
point = { tip = "[0.5, 0, 0]" }
start = { center = "[0, 0, 0]", velocity = "[1, 0.5, 0]", omega = "[0, 0, 2]" }
[body.b]
mass = 3
inertia = [0, 0, 0.4]
point = { foot = "[-0.7, 0.1, 0]" }
start = { center = "[1, 0.3, 0]", attitude = "Rz(20 deg)", omega = "[0, 0, -1]" }
[joint.A]
type = "revolute"
between = ["a.tip", "b.foot"]
[force.motor]
along = "A.angle"
size = 2
[spring.S]
on = "A.angle"
stiffness = 3
"#,
    );
    for axis in ["x", "y"] {
        let of = |body: &str| now.acceleration(&format!("{body}.{axis}"));
        close(of("a") + 3.0 * of("b"), 0.0);
    }
    let spin = |body: &str, mass: f64, inertia: f64| {
        let [x, y] = ["x", "y"].map(|axis| now.position(&format!("{body}.{axis}")));
        let [ax, ay] = ["x", "y"].map(|axis| now.acceleration(&format!("{body}.{axis}")));
        mass * (x * ay - y * ax) + inertia * now.acceleration(&format!("{body}.angle"))
    };
    close(spin("a", 1.0, 0.2) + spin("b", 3.0, 0.4), 0.0);
}
