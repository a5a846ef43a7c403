//! What rolls in space: balls by closed forms, a disk against the same in Euler's angles with its rows written out.

use super::space::{all_close, motion, needed, started};
use super::{Now, close};

/// A full ball on a plane through [0.2, 0, 0.1], square to z, with gravity across it: it falls with 5/7 of what slides, and friction is 2/7 of the
/// weight along the plane.
#[test]
fn a_ball_on_a_slope() {
    let (m, r, along, across) = (1.4, 0.3, 2.7, -9.1);
    let now = Now::written(&format!(
        "gravity = \"[{along}, 0, {across}]\"\n[body.b]\nmass = {m}\nshape = {{ sphere = {{ radius = {r} }} }}\n\
         start = {{ center = \"[1, 2, 0.35]\", attitude = \"Rx(0.4) Ry(0.7)\", velocity = \"[0.5, -0.8, 0]\" }}\n\
         [joint.J]\ntype = \"rolling\"\naxis = \"z\"\nradius = {r}\nbetween = [\"point(ground, [0.2, 0, 0.1])\", \"b\"]\n"
    ));
    close(now.position("b.z"), 0.1 + r);
    close(now.acceleration("b.x"), 5.0 / 7.0 * along);
    close(now.acceleration("b.y"), 0.0);
    close(now.acceleration("b.z"), 0.0);
    let on = now.reaction("J", "b");
    let friction = -2.0 / 7.0 * m * along;
    all_close(&on.force, &[friction, 0.0, -m * across]);
    // About the centre: (0, 0, −r) × f.
    all_close(&on.moment, &[0.0, -r * friction, 0.0]);
}

/// On a table that turns steadily with Ω a ball's centre moves in circles, a = 2/7 Ω × v, wherever it is (K. Weltner, Am. J. Phys. 47 (1979) 984).
#[test]
fn a_ball_on_a_turntable() {
    let (r, turn) = (0.2, 3.0);
    let now = Now::written(&format!(
        "gravity = \"[0, 0, -9.81]\"\n[body.table]\nmass = 5\ninertia = [1, 1, 2]\nstart = {{ omega = \"[0, 0, {turn}]\" }}\n\
         [joint.A]\ntype = \"revolute\"\naxis = \"z\"\nbetween = [\"ground\", \"table\"]\n\
         [constraint.motor]\nholds = \"A.rate = {turn}\"\n\
         [body.b]\nmass = 1.4\nshape = {{ sphere = {{ radius = {r} }} }}\nstart = {{ center = \"[1, 2, {r}]\" }}\n\
         [joint.J]\ntype = \"rolling\"\naxis = \"z\"\nradius = {r}\nbetween = [\"table\", \"b\"]\n\
         [start]\n\"b.x'\" = 0.5\n\"b.y'\" = -0.8\n"
    ));
    close(now.rate("b.x"), 0.5);
    close(now.acceleration("b.x"), 2.0 / 7.0 * turn * 0.8);
    close(now.acceleration("b.y"), 2.0 / 7.0 * turn * 0.5);
    close(now.acceleration("b.z"), 0.0);
    // What acts on the table acts against the ball.
    let (on, back) = (now.reaction("J", "b"), now.reaction("J", "table"));
    for i in 0..3 {
        close(on.force[i], -back.force[i]);
    }
    close(on.force[2], 1.4 * 9.81);
}

/// A thin disk with its axle along y: attitude Rz(ψ) Rx(θ) Ry(φ), the centre r cos θ above the plane; the rows in rates are written out.
#[test]
fn a_disk_in_eulers_angles() {
    let hand = started(
        r#"
gravity = "[0.3, -0.4, -9.81]"
[coordinates]
x = 0.3
y = -0.2
psi = 0.4
theta = 0.5
phi = 0.9
[start]
"psi'" = 0.7
"theta'" = -0.6
"phi'" = 4.1
[body.b]
mass = 2
inertia = [0.1, 0.2, 0.1]
center = "[x, y, 0.5*cos(theta)]"
attitude = "Rz(psi) Rx(theta) Ry(phi)"
[constraint.along]
holds = "x'*cos(psi) + y'*sin(psi) = 0.5*(phi' + psi'*sin(theta))"
[constraint.across]
holds = "y'*cos(psi) - x'*sin(psi) = -0.5*theta'*cos(theta)"
[run]
span = 1
record = ["pos(b)", "vel(b)", "omega(b)"]
"#,
    );
    let at = motion(&hand);
    let vector = |at: &[f64]| format!("\"[{:?}, {:?}, {:?}]\"", at[0], at[1], at[2]);
    let now = started(&format!(
        "gravity = \"[0.3, -0.4, -9.81]\"\n[body.b]\nmass = 2\ninertia = [0.1, 0.2, 0.1]\n\
         start = {{ center = {}, attitude = \"Rz(0.4) Rx(0.5) Ry(0.9)\", velocity = {}, omega = {} }}\n\
         [joint.J]\ntype = \"rolling\"\naxis = \"z\"\nsecond_axis = \"y\"\nradius = 0.5\nbetween = [\"ground\", \"b\"]\n\
         [run]\nspan = 1\nrecord = [\"pos(b)\", \"vel(b)\", \"omega(b)\"]\n",
        vector(&at[..3]),
        vector(&at[3..6]),
        vector(&at[6..9]),
    ));
    all_close(&motion(&now), &at);
    let wanted = needed(&hand, "b");
    all_close(&needed(&now, "b"), &wanted);
    let on = now.reaction("J", "b");
    let found: Vec<f64> = on.force.iter().chain(&on.moment).copied().collect();
    all_close(&found, &wanted);
}
