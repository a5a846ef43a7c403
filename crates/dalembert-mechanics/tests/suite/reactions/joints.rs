//! Strings, rods and joints.

use super::{PENDULUM, PENDULUM_IN_PLANE, at_start, on, resultant, sum};
use crate::models::mechanism;
use crate::numbers::{assert_close, cross};
use dalembert_mechanics::start::State;

#[test]
fn the_string_pulls_though_no_row_speaks_of_it() {
    let (m, g, l, theta, rate) = (2.0, 9.81, 0.8, 0.7_f64, 1.3);
    let tension = m * g * theta.cos() + m * l * rate * rate;
    let wanted = [-tension * theta.sin(), tension * theta.cos(), 0.0];
    let minimal = mechanism(PENDULUM);
    let (_, forces) = at_start(&minimal);
    let hidden = resultant(&forces, &minimal, "P").force;
    assert_close(&hidden, &wanted, 1e-13, "resultant");
    let rows = mechanism(PENDULUM_IN_PLANE);
    let (_, forces) = at_start(&rows);
    let shown = on(&forces, &rows, "string", "P").force;
    assert_close(&shown, &wanted, 1e-13, "reaction of the row");
}

#[test]
fn scaling_a_row_changes_nothing_physical() {
    let plain = mechanism(PENDULUM_IN_PLANE);
    let scaled = PENDULUM_IN_PLANE.replace("x^2 + y^2 = 0.64", "1e6*(x^2 + y^2) = 1e6*0.64");
    let scaled = mechanism(&scaled);
    let ((one, a), (other, b)) = (at_start(&plain), at_start(&scaled));
    let ratio = one.multipliers[0] / other.multipliers[0];
    assert_close(&[ratio], &[1e6], 1e-9, "the multiplier is the row's");
    let [a, b] = [(&a, &plain), (&b, &scaled)].map(|(f, m)| on(f, m, "string", "P").force);
    assert_close(&a, &b, 1e-12, "the force is the string's");
}

/// Every link in coordinates of its own, every joint a pair of rows.
const FOUR_BAR: &str = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x1 = { value = 0.07, priority = "guess" }
y1 = { value = 0.13, priority = "guess" }
q1 = 1.05
x2 = { value = 0.49, priority = "guess" }
y2 = { value = 0.46, priority = "guess" }
q2 = { value = 0.52, priority = "guess" }
x3 = { value = 0.84, priority = "guess" }
y3 = { value = 0.34, priority = "guess" }
q3 = { value = 1.74, priority = "guess" }
[start]
"q1'" = 4
[body.crank]
mass = 0.6
inertia = [0.001, 0.0045, 0.0045]
center = "[x1, y1, 0]"
attitude = "Rz(q1)"
[body.coupler]
mass = 1.6
inertia = [0.001, 0.085, 0.085]
center = "[x2, y2, 0]"
attitude = "Rz(q2)"
[body.rocker]
mass = 1.4
inertia = [0.001, 0.057, 0.057]
center = "[x3, y3, 0]"
attitude = "Rz(q3)"
[definitions]
tip = "point(crank, [0.15, 0, 0]) - point(coupler, [-0.4, 0, 0])"
end = "point(coupler, [0.4, 0, 0]) - point(rocker, [0.35, 0, 0])"
[force.motor]
on = "crank"
torque = "[0, 0, 0.5]"
[constraint.a_x]
holds = "point(crank, [-0.15, 0, 0]).x = 0"
[constraint.a_y]
holds = "point(crank, [-0.15, 0, 0]).y = 0"
[constraint.b_x]
holds = "tip.x = 0"
[constraint.b_y]
holds = "tip.y = 0"
[constraint.c_x]
holds = "end.x = 0"
[constraint.c_y]
holds = "end.y = 0"
[constraint.d_x]
holds = "point(rocker, [-0.35, 0, 0]).x = 0.9"
[constraint.d_y]
holds = "point(rocker, [-0.35, 0, 0]).y = 0"
"#;

#[test]
fn joint_forces_of_a_four_bar_are_newtons_and_eulers() {
    let model = mechanism(FOUR_BAR);
    let (now, forces) = at_start(&model);
    let joint = |name: &str, link: &str| {
        let parts = ["x", "y"].map(|axis| on(&forces, &model, &format!("{name}_{axis}"), link));
        sum(parts.map(|part| part.force))
    };
    // Action and reaction.
    for (name, first, second) in [("b", "crank", "coupler"), ("c", "coupler", "rocker")] {
        let both = sum([joint(name, first), joint(name, second)]);
        assert_close(&both, &[0.0; 3], 1e-12, name);
    }
    let (q, v, a) = (&now.state.coordinates, &now.state.rates, &now.accelerations);
    // Centre of a link by the angles alone, from the loop: c'' = Σ l (q'' (−sin, cos) − q'² (cos, sin)).
    let swing = |length: f64, i: usize| {
        let (sine, cosine) = q[i].sin_cos();
        [
            length * (-a[i] * sine - v[i] * v[i] * cosine),
            length * (a[i] * cosine - v[i] * v[i] * sine),
            0.0,
        ]
    };
    let arm = |length: f64, i: usize| [length * q[i].cos(), length * q[i].sin(), 0.0];
    let links = [
        ("crank", 0.6, 0.0045, swing(0.15, 2), "a", "b", 0.15, 2, 0.5),
        (
            "coupler",
            1.6,
            0.085,
            sum([swing(0.3, 2), swing(0.4, 5)]),
            "b",
            "c",
            0.4,
            5,
            0.0,
        ),
        ("rocker", 1.4, 0.057, swing(0.35, 8), "d", "c", 0.35, 8, 0.0),
    ];
    for (link, mass, inertia, acceleration, near, far, half, angle, torque) in links {
        let (near, far) = (joint(near, link), joint(far, link));
        let newton = acceleration.map(|a| mass * a);
        let total = sum([near, far, [0.0, -9.81 * mass, 0.0]]);
        assert_close(&total, &newton, 1e-11, link);
        let moments = [
            cross(arm(-half, angle), near),
            cross(arm(half, angle), far),
            [0.0, 0.0, torque],
        ];
        let euler = [0.0, 0.0, inertia * a[angle]];
        assert_close(&sum(moments), &euler, 1e-11, link);
        // The same by the resultant, which knows no joints.
        let resultant = resultant(&forces, &model, link);
        assert_close(&resultant.force, &sum([near, far]), 1e-11, link);
    }
}

/// The numbers are from Lagrange's equations in three angles with the ball joint built in, by CasADi; the pivot's
/// force is then m a − m g without the force of the plane.
#[test]
fn a_ball_joint_and_a_plane_agree_with_a_second_derivation() {
    let model = mechanism(
        r#"
gravity = "[0, 0, -9.81]"
[coordinates]
x = 0
y = 0
z = 0
a = 0
b = 0
c = 0
[body.top]
mass = 1.7
inertia = [[0.9, 0.1, -0.05], [0.1, 1.1, 0.2], [-0.05, 0.2, 0.6]]
center = "[x, y, z]"
attitude = "Rz(a) Rx(b) Ry(c)"
point = { pivot = "[0.1, -0.2, -0.7]", tip = "[0.3, 0.4, 0.5]" }
[constraint.pivot]
holds = "top.pivot = [0, 0, 0]"
[constraint.plane]
holds = "top.tip.x = 0.1"
"#,
    );
    let center = [
        -0.11925284315480485,
        -0.4944776103254088,
        0.5303495566947979,
    ];
    let velocity = [0.3712674526039786, 1.6953300100478927, 1.6641428662175715];
    let state = State {
        t: 0.0,
        coordinates: [center, [0.4, 0.960179190945817, -0.3]].concat(),
        rates: [velocity, [1.2, -3.7296223829445356, 0.8]].concat(),
        ..State::default()
    };
    let now = model.snapshot(&state).unwrap();
    let angles = [-4.062817769709275, 8.47504262176618, 11.335420488130293];
    assert_close(&now.accelerations[3..], &angles, 1e-12, "angles");
    let forces = model.forces(&now);
    let pivot = on(&forces, &model, "pivot", "top");
    let wanted = [-5.377266773075287, 5.670548990731067, 3.698787917281015];
    assert_close(&pivot.force, &wanted, 1e-12, "pivot");
    // The pivot is at the origin: its arm is minus the centre.
    let moment = cross(center.map(|x| -x), wanted);
    assert_close(&pivot.moment, &moment, 1e-12, "its moment");
    let plane = on(&forces, &model, "plane", "top");
    assert_close(&plane.force, &[6.562602831359805, 0.0, 0.0], 1e-12, "plane");
}

#[test]
fn a_rod_between_two_bodies_pulls_both_alike() {
    let model = mechanism(
        r#"
gravity = "[0, 0, -9.81]"
[coordinates]
x = 0
y = 0
z = 0
a = 0.3
b = 0.2
c = 0.1
u = 1.1
v = 0.4
w = 0.7
[start]
"a'" = 1
"u'" = { value = 2, priority = "guess" }
[body.B]
mass = 2
inertia = [0.4, 0.5, 0.3]
center = "[x, y, z]"
attitude = "Rz(a) Rx(b) Ry(c)"
[particle.P]
mass = 1
position = "[u, v, w]"
[definitions]
line = "pos(P) - point(B, [0.2, 0.1, 0.3])"
[constraint.rod]
holds = "dot(line, line') = 0"
"#,
    );
    let (now, forces) = at_start(&model);
    let (body, particle) = (
        on(&forces, &model, "rod", "B"),
        on(&forces, &model, "rod", "P"),
    );
    assert!(particle.force[0].abs() > 0.1);
    let total = sum([body.force, particle.force]);
    assert_close(&total, &[0.0; 3], 1e-13, "action and reaction");
    let q = &now.state.coordinates;
    let moments = [
        cross([q[6], q[7], q[8]], particle.force),
        cross([q[0], q[1], q[2]], body.force),
        body.moment,
    ];
    assert_close(&sum(moments), &[0.0; 3], 1e-13, "no moment together");
}
