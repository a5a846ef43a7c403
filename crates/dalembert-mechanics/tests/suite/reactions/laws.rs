//! Reactions with power, servo forces, friction, laws, springs and potentials.

use super::{at_start, on, resultant};
use crate::models::mechanism;
use crate::numbers::{assert_close, cross};

/// x'² + y'² = c² is ideal: its force along the path does no virtual work, and yet it has the power that keeps
/// the speed.
#[test]
fn an_ideal_row_can_have_power() {
    let model = mechanism(
        r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = 0
y = 0
[start]
"x'" = 1.2
"y'" = 1.6
[particle.P]
mass = 2
position = "[x, y, 0]"
[constraint.speed]
holds = "x'^2 + y'^2 = 4"
"#,
    );
    let (now, forces) = at_start(&model);
    let climb = 2.0 * 9.81 * 1.6;
    assert_close(&now.constraint_power, &[climb], 1e-13, "power");
    let force = on(&forces, &model, "speed", "P").force;
    assert_close(&force, &[climb * 0.3, climb * 0.4, 0.0], 1e-13, "along v");
    assert_close(&now.force_nonideal, &[0.0, 0.0], 1e-15, "ideal");
}

/// A force that holds a constraint is its reaction, wherever it acts.
#[test]
fn a_servo_force_acts_where_it_is_written() {
    let model = mechanism(
        r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = 0
y = 0
theta = 0.3
[start]
"x'" = { value = 0, priority = "guess" }
[body.B]
mass = 2
inertia = [1, 1, 0.5]
center = "[x, y, 0]"
attitude = "Rz(theta)"
[force.jet]
on = "B"
at = "point(B, [0, -0.4, 0])"
vector = "B.ey"
[constraint.height]
holds = "y = 0.1*t^2"
enforced_by = ["jet"]
"#,
    );
    let (now, forces) = at_start(&model);
    let jet = on(&forces, &model, "height", "B");
    // 2 (0.2 + 9.81) = μ cos θ
    let size = 2.0 * (0.2 + 9.81) / 0.3_f64.cos();
    assert_close(&now.multipliers, &[size], 1e-13, "μ");
    let wanted = [-size * 0.3_f64.sin(), size * 0.3_f64.cos(), 0.0];
    assert_close(&jet.force, &wanted, 1e-13, "along the body");
    assert_close(&jet.moment, &[0.0; 3], 1e-13, "through the centre");
    let all = resultant(&forces, &model, "B");
    assert_close(&all.force, &wanted, 1e-12, "nothing else holds it");
}

/// A block that slides down, one that starts to, and a load that a law makes of the force on it.
#[test]
fn friction_is_part_of_the_force_on_the_block() {
    for speed in [-1.5, 0.0] {
        let model = mechanism(&format!(
            r#"
gravity = "[9.81*sin(0.5), -9.81*cos(0.5), 0]"
[coordinates]
x = 0
y = 0
[start]
"x'" = {speed}
[particle.P]
mass = 2
position = "[x, y, 0]"
[constraint.floor]
holds = "y = 0"
friction = {{ coefficient = 0.3 }}
[force.drag]
on = "P"
vector = "[-0.1*reaction(floor, on = \"P\").y, 0, 0]"
"#
        ));
        let (_, forces) = at_start(&model);
        let normal = 2.0 * 9.81 * 0.5_f64.cos();
        let way = if speed < 0.0 { 1.0 } else { -1.0 };
        let wanted = [way * 0.3 * normal, normal, 0.0];
        let floor = on(&forces, &model, "floor", "P").force;
        assert_close(&floor, &wanted, 1e-12, "normal force and friction");
        let all = resultant(&forces, &model, "P").force;
        assert_close(&all, &wanted, 1e-12, "m a without weight and drag");
    }
}

#[test]
fn laws_on_a_body_are_forces_on_it() {
    let model = mechanism(
        r#"
[coordinates]
x = 0
y = 0
z = 0
a = 0.3
b = 0.2
c = 0.1
[start]
"x'" = 1
[body.B]
mass = 2
inertia = [0.4, 0.5, 0.3]
center = "[x, y, z]"
attitude = "Rz(a) Rx(b) Ry(c)"
[constraint.floor]
holds = "z = 0"
nonideal = { on = "B", at = "B.center + [0, 0, -0.2]", vector = "[-0.5, 0, 0]" }
[constraint.slope]
holds = "y = 0"
nonideal = { x = "-0.25" }
"#,
    );
    let (_, forces) = at_start(&model);
    let floor = on(&forces, &model, "floor", "B");
    assert_close(&floor.force[..2], &[-0.5, 0.0], 1e-15, "drag");
    assert_close(&floor.moment, &[0.0, 0.1, 0.0], 1e-15, "its moment");
    let slope = on(&forces, &model, "slope", "B");
    assert_close(&slope.force, &[-0.25, 0.0, 0.0], 1e-12, "in coordinates");
    let all = resultant(&forces, &model, "B");
    assert_close(&all.force[..2], &[-0.75, 0.0], 1e-12, "together");
}

#[test]
fn springs_and_potentials_act_where_they_speak() {
    let model = mechanism(
        r#"
[coordinates]
x = 0.3
y = 0.4
s = 0.2
[start]
"x'" = 1
[particle.P]
mass = 1
position = "[x, y, 0]"
[body.B]
mass = 1
inertia = [1, 1, 1]
center = "[s, 2, 0]"
attitude = "Rz(s)"
[spring.S]
between = ["P", "point(B, [0, 0.5, 0])"]
stiffness = 3
length = 0.5
damping = 0.2
[spring.zero]
between = ["point(ground, [0, 0, 0])", "pos(P)"]
stiffness = 2
[energy]
potential = "5*pos(B).y"
dissipation = "0.1*dot(vel(P), vel(P))/2"
[force.drive]
generalized = { x = 0.7 }
"#,
    );
    let (now, forces) = at_start(&model);
    // Nothing holds P: there is no reaction on it.
    let free = resultant(&forces, &model, "P");
    assert_close(&free.force, &[0.0; 3], 1e-12, "no reaction on P");
    let held = resultant(&forces, &model, "B");
    // B moves along x and turns, both by s: the guide holds what the spring and the potential pull across.
    let q = &now.state.coordinates;
    let end = [q[2] - 0.5 * q[2].sin(), 2.0 + 0.5 * q[2].cos(), 0.0];
    let line: [f64; 3] = std::array::from_fn(|i| end[i] - [q[0], q[1], 0.0][i]);
    let length = line.iter().map(|x| x * x).sum::<f64>().sqrt();
    let v = &now.state.rates;
    let rates = [
        v[2] * (1.0 - 0.5 * q[2].cos()) - v[0],
        -0.5 * v[2] * q[2].sin() - v[1],
        0.0,
    ];
    let stretching = line.iter().zip(&rates).map(|(l, r)| l * r).sum::<f64>() / length;
    let pull = 3.0 * (length - 0.5) + 0.2 * stretching;
    let force = line.map(|x| -pull * x / length);
    let wanted = [now.accelerations[2] - force[0], 5.0 - force[1], 0.0];
    assert_close(&held.force, &wanted, 1e-12, "guide");
    let arm = [-0.5 * q[2].sin(), 0.5 * q[2].cos(), 0.0];
    let turning = now.accelerations[2] - cross(arm, force)[2];
    assert_close(&held.moment, &[0.0, 0.0, turning], 1e-12, "guide's moment");
}
