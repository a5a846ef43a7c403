//! One test for each type of joint, by Newton and Euler.

use super::{Now, close};

const G: f64 = 9.81;

/// Two bodies welded together, spun and driven: they turn as one about their common mass centre.
#[test]
fn weld() {
    let now = Now::of(
        r#"
[body.a]
mass = 2
inertia = [0, 0, 0.3]
start = { center = "[0, 0, 0]", omega = "[0, 0, 3]" }
[body.b]
mass = 1
inertia = [0, 0, 0.1]
start = { center = "[0.8, 0, 0]" }
[start]
"a.x" = 0
"a.y" = 0
"a.angle" = 0
"a.x'" = 0
"a.y'" = 0
"a.angle'" = 3
[joint.W]
type = "weld"
between = ["point(a, [0.5, 0, 0])", "point(b, [0, 0.4, 0])"]
angle = "90 deg"
[force.drive]
on = "a"
torque = "[0, 0, 1.5]"
"#,
    );
    // b's centre: (0.5, 0) − Rz(90°)(0, 0.4) = (0.9, 0).
    close(now.position("b.x"), 0.9);
    close(now.position("b.y"), 0.0);
    close(now.position("b.angle"), std::f64::consts::FRAC_PI_2);
    close(now.rate("b.y"), 2.7);
    let reduced = 2.0 * 1.0 / 3.0;
    let alpha = 1.5 / (0.3 + 0.1 + reduced * 0.81);
    close(now.acceleration("a.angle"), alpha);
    close(now.acceleration("b.angle"), alpha);
    let arm = 0.9 * 2.0 / 3.0;
    let on = now.reaction("W", "b");
    close(on.force[0], -9.0 * arm);
    close(on.force[1], alpha * arm);
    close(on.moment[2], 0.1 * alpha);
    let back = now.reaction("W", "a");
    close(back.force[0], 9.0 * arm);
    close(back.moment[2] + 1.5, 0.3 * alpha);
}

/// A bar on a hinge: its angle is that of the joint, and the pivot carries what Newton asks for.
#[test]
fn revolute() {
    let now = Now::of(
        r#"
gravity = "[0, -9.81, 0]"
[body.bar]
mass = 2
inertia = [0, 0, 0.3]
start = { center = "[0.3, 0.3, 0]", attitude = "Rz(20 deg)" }
[joint.A]
type = "revolute"
between = ["point(ground, [0.1, 0.2, 0])", "point(bar, [-0.5, 0, 0])"]
[start]
"A.angle" = 0.4
"A.rate" = 1.3
"#,
    );
    let (angle, rate, d, m) = (0.4_f64, 1.3, 0.5, 2.0);
    close(now.position("bar.x"), 0.1 + d * angle.cos());
    close(now.position("bar.y"), 0.2 + d * angle.sin());
    close(now.rate("bar.y"), d * rate * angle.cos());
    let alpha = -m * G * d * angle.cos() / (0.3 + m * d * d);
    close(now.acceleration("bar.angle"), alpha);
    let x = -d * (alpha * angle.sin() + rate * rate * angle.cos());
    let y = d * (alpha * angle.cos() - rate * rate * angle.sin());
    close(now.acceleration("bar.x"), x);
    let on = now.reaction("A", "bar");
    close(on.force[0], m * x);
    close(on.force[1], m * (y + G));
    close(now.multiplier("A.0"), m * x);
    close(on.moment[2], 0.3 * alpha);
}

/// A slide on an arm that a motor turns: s'' = ω² s, and the arm pushes with Coriolis' force.
#[test]
fn prismatic() {
    let now = Now::of(
        r#"
[body.arm]
mass = 1
inertia = [0, 0, 0.2]
[body.block]
mass = 3
inertia = [0, 0, 0.05]
start = { center = "[0.5, 0.1, 0]" }
[joint.A]
type = "revolute"
between = ["ground", "arm"]
[constraint.motor]
holds = "A.angle = 2*t"
[joint.S]
type = "prismatic"
axis = "x"
between = ["point(arm, [0, 0.1, 0])", "block"]
[start]
"S.distance" = 0.7
"S.rate" = 0.4
"#,
    );
    let (omega, s, rate, h, m) = (2.0, 0.7, 0.4, 0.1, 3.0);
    close(now.position("block.x"), s);
    close(now.position("block.y"), h);
    close(now.rate("block.x"), rate - omega * h);
    close(now.rate("block.y"), omega * s);
    close(now.rate("block.angle"), omega);
    // Seen from the arm: s'' = ω² s, and across −ω² h + 2 ω s'.
    close(now.acceleration("block.x"), 0.0);
    let across = -omega * omega * h + 2.0 * omega * rate;
    close(now.acceleration("block.y"), across);
    let on = now.reaction("S", "block");
    close(on.force[0], 0.0);
    close(on.force[1], m * across);
    close(on.moment[2], 0.0);
    let back = now.reaction("S", "arm");
    close(back.force[1], -m * across);
    // About the arm's centre: the block's centre is at (s, h).
    close(back.moment[2], -s * m * across);
}

/// A pin in the slot of a turning arm: as the slide, but the block keeps its own angle.
#[test]
fn point_on_line() {
    let now = Now::of(
        r#"
[body.arm]
mass = 1
inertia = [0, 0, 0.2]
[body.block]
mass = 3
inertia = [0, 0, 0.05]
[joint.A]
type = "revolute"
between = ["ground", "arm"]
[constraint.motor]
holds = "A.angle = 2*t"
[joint.S]
type = "point-on-line"
axis = "[3, 4, 0]"
between = ["arm", "block"]
[start]
"S.distance" = 0.7
"S.rate" = 0.4
"#,
    );
    let (omega, s, rate, m) = (2.0, 0.7, 0.4, 3.0);
    close(now.position("block.x"), 0.6 * s);
    close(now.position("block.y"), 0.8 * s);
    close(now.rate("block.angle"), 0.0);
    let push = m * 2.0 * omega * rate;
    let on = now.reaction("S", "block");
    close(on.force[0], -0.8 * push);
    close(on.force[1], 0.6 * push);
    close(on.moment[2], 0.0);
    close(now.multiplier("S"), push);
    close(now.reaction("S", "arm").moment[2], -s * push);
}

/// A bob on a rod without mass.
#[test]
fn distance() {
    let now = Now::of(
        r#"
gravity = "[0, -9.81, 0]"
[body.bob]
mass = 2
inertia = [0, 0, 0.1]
start = { center = "[0.6, -0.8, 0]" }
[joint.R]
type = "distance"
between = ["ground", "bob"]
length = 1
[start]
"bob.x" = 0.6
"bob.x'" = 0.8
"#,
    );
    close(now.position("bob.y"), -0.8);
    close(now.rate("bob.y"), 0.6);
    let tension = 2.0 * (0.8 * G + 1.0);
    close(now.multiplier("R"), -tension);
    let on = now.reaction("R", "bob");
    close(on.force[0], -0.6 * tension);
    close(on.force[1], 0.8 * tension);
    close(now.acceleration("bob.angle"), 0.0);
}

/// Atwood's machine.
#[test]
fn rope() {
    let now = Now::of(
        r#"
gravity = "[0, -9.81, 0]"
[body.p]
mass = 2
inertia = [0, 0, 1]
start = { center = "[0, -1, 0]" }
[body.q]
mass = 3
inertia = [0, 0, 1]
start = { center = "[1, -2, 0]" }
[joint.R]
type = "rope"
through = ["p", "point(ground, [0, 0, 0])", "point(ground, [1, 0, 0])", "q"]
length = 4
"#,
    );
    close(now.acceleration("p.y"), G / 5.0);
    close(now.acceleration("q.y"), -G / 5.0);
    let tension = 2.0 * 2.0 * 3.0 * G / 5.0;
    close(now.reaction("R", "p").force[1], tension);
    close(now.multiplier("R"), -tension);
}

/// Two wheels, the second driven by the first, and a rack that it moves.
#[test]
fn gear_and_rack() {
    let now = Now::of(
        r#"
[body.one]
mass = 1
inertia = [0, 0, 0.2]
[body.two]
mass = 1
inertia = [0, 0, 0.7]
start = { center = "[1, 0, 0]" }
[body.rack]
mass = 4
inertia = [0, 0, 1]
start = { center = "[1, 0.5, 0]" }
[joint.A]
type = "revolute"
between = ["ground", "one"]
[joint.B]
type = "revolute"
between = ["point(ground, [1, 0, 0])", "two"]
[joint.C]
type = "prismatic"
axis = "x"
between = ["point(ground, [1, 0.5, 0])", "rack"]
[joint.G]
type = "gear"
of = ["A", "B"]
ratio = -2
[joint.K]
type = "rack"
of = ["B", "C"]
radius = -0.25
offset = 0.1
[force.motor]
along = "A.angle"
size = 5
[start]
"A.angle" = 0.3
"A.rate" = 2
"#,
    );
    close(now.position("two.angle"), -0.6);
    close(now.position("rack.x"), 1.1 + 0.25 * 0.6);
    close(now.rate("rack.x"), 0.25 * 4.0);
    let alpha = 5.0 / (0.2 + 4.0 * (0.7 + 4.0 * 0.0625));
    close(now.acceleration("one.angle"), alpha);
    close(now.acceleration("rack.x"), 0.5 * alpha);
    close(now.reaction("K", "rack").force[0], 4.0 * 0.5 * alpha);
    close(now.reaction("G", "one").moment[2], 0.2 * alpha - 5.0);
    let teeth = now.reaction("G", "two").moment[2] + now.reaction("K", "two").moment[2];
    close(teeth, 0.7 * -2.0 * alpha);
}

/// A solid wheel on a plate that is pulled away below it: it follows with a third of the acceleration.
#[test]
fn rolling() {
    let now = Now::of(
        r#"
gravity = "[0, -9.81, 0]"
[body.plate]
mass = 5
inertia = [0, 0, 1]
[body.wheel]
mass = 2
shape = { disk = { radius = 0.3, axis = "z" } }
start = { center = "[0.2, 0.5, 0]" }
[joint.P]
type = "prismatic"
axis = "x"
between = ["ground", "plate"]
[constraint.pull]
holds = "P.distance = 3*t^2 + t"
[joint.R]
type = "rolling"
axis = "x"
radius = 0.3
between = ["point(plate, [0, 0.1, 0])", "wheel"]
[start]
"wheel.x'" = 0
"#,
    );
    close(now.position("wheel.y"), 0.4);
    // The contact moves with the plate: 0 + ω r = 1.
    close(now.rate("wheel.angle"), 1.0 / 0.3);
    close(now.acceleration("wheel.x"), 2.0);
    close(now.acceleration("wheel.angle"), 4.0 / 0.3);
    let on = now.reaction("R", "wheel");
    close(on.force[0], 2.0 * 2.0);
    close(on.force[1], 2.0 * G);
    close(on.moment[2], 0.3 * 4.0);
    close(now.reaction("R", "plate").force[0], -4.0);
}

/// A bead at the bottom of a parabola on a tilted plate.
#[test]
fn track() {
    let now = Now::of(
        r#"
gravity = "[0, -9.81, 0]"
[body.plate]
mass = 5
inertia = [0, 0, 1]
[body.bead]
mass = 2
inertia = [0, 0, 1]
start = { center = "[0.1, 0, 0]" }
[joint.W]
type = "weld"
angle = "30 deg"
between = ["ground", "plate"]
[joint.T]
type = "track"
curve = "y = 1.5*x^2"
between = ["plate", "bead"]
[start]
"T.x" = 0
"T.x'" = 2
"#,
    );
    let (c, s) = (0.75_f64.sqrt(), 0.5);
    close(now.rate("bead.x"), 2.0 * c);
    close(now.rate("bead.y"), 2.0 * s);
    // Along the tangent −g sin 30°, across it 2·1.5·v².
    let (along, across) = (-G * s, 12.0);
    close(now.acceleration("bead.x"), along * c - across * s);
    close(now.acceleration("bead.y"), along * s + across * c);
    let push = 2.0 * (across + G * c);
    let on = now.reaction("T", "bead");
    close(on.force[0], -push * s);
    close(on.force[1], push * c);
    close(now.reaction("T", "plate").force[1], -push * c);
}

/// Friction of a pin in a slot comes from the slot's actual push.
#[test]
fn friction_of_a_slot() {
    let now = Now::of(
        r#"
gravity = "[0, -9.81, 0]"
[body.block]
mass = 2
inertia = [0, 0, 1]
[joint.S]
type = "point-on-line"
axis = "[4, 3, 0]"
between = ["ground", "block"]
friction = { coefficient = 0.25 }
[start]
"S.rate" = 1
"#,
    );
    let along = -G * (0.6 + 0.25 * 0.8);
    close(now.acceleration("block.x"), 0.8 * along);
    close(now.acceleration("block.y"), 0.6 * along);
}
