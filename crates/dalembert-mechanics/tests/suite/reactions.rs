//! Reactions on particles and bodies, resultants and momenta, against closed forms, Newton and Euler written by
//! hand, and a second derivation.

use crate::equations::{assert_close, cross, mechanism, random_state};
use dalembert_mechanics::reactions::{Acting, Forces};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};
use fastrand::Rng;

fn at_start(mechanism: &Mechanism) -> (Snapshot, Forces) {
    let start = mechanism.start().unwrap_or_else(|e| panic!("{e:#?}"));
    let now = mechanism.snapshot(&start.state).unwrap();
    let forces = mechanism.forces(&now);
    (now, forces)
}

fn on(forces: &Forces, mechanism: &Mechanism, constraint: &str, target: &str) -> Acting {
    let constraints = &mechanism.model.constraints;
    let index = constraints.iter().position(|c| c.name.text == constraint);
    let all = forces.reactions[index.unwrap()].as_ref().unwrap();
    let found = all.iter().find(|it| it.on.name(&mechanism.model) == target);
    *found.unwrap_or_else(|| panic!("{constraint} does not act on {target}"))
}

fn resultant(forces: &Forces, mechanism: &Mechanism, target: &str) -> Acting {
    let mut all = forces.resultants.iter();
    let found = all.find(|(on, _)| on.name(&mechanism.model) == target);
    *found.unwrap().1.as_ref().unwrap()
}

fn sum(vectors: impl IntoIterator<Item = [f64; 3]>) -> [f64; 3] {
    let add = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + b[i]);
    vectors.into_iter().fold([0.0; 3], add)
}

const DISK: &str = r#"
gravity = "[0, 0, -g]"
[parameters]
m = 2
r = 0.5
g = 9.81
J = "m*r^2/4"
[coordinates]
x = 0
y = 0
z = "r*cos(theta)"
psi = 0.4
theta = 0.3
phi = 0.2
[start]
"phi'" = 8
"theta'" = 0.7
"psi'" = -1.1
[frame.lean]
attitude = "Rz(psi) Rx(theta)"
[body.disk]
mass = "m"
inertia = ["J", "2*J", "J"]
center = "[x, y, z]"
attitude = "lean Ry(phi)"
[constraint.contact]
holds = "vel(disk, at = disk.center - r*lean.ez) = 0"
"#;

#[test]
fn the_floor_carries_the_disk_at_the_contact() {
    let model = mechanism(DISK);
    let (now, forces) = at_start(&model);
    let contact = on(&forces, &model, "contact", "disk");
    let (m, r, g) = (2.0, 0.5, 9.81);
    let [psi, theta] = [now.state.coordinates[3], now.state.coordinates[4]];
    let (rate, second) = (now.state.rates[4], now.accelerations[4]);
    // z = r cos θ
    let normal = m * g - m * r * (second * theta.sin() + rate * rate * theta.cos());
    assert_close(&[contact.force[2]], &[normal], 1e-13, "normal force");
    assert!((normal - m * g).abs() > 0.1, "the disk falls");
    // −r lean.ez, written out
    let arm = [
        -r * theta.sin() * psi.sin(),
        r * theta.sin() * psi.cos(),
        -r * theta.cos(),
    ];
    let moment = cross(arm, contact.force);
    assert_close(&contact.moment, &moment, 1e-13, "moment of the contact");
    // It is the only reaction: Newton and Euler of the disk.
    let all = resultant(&forces, &model, "disk");
    assert_close(&all.force, &contact.force, 1e-12, "m a − m g");
    assert_close(&all.moment, &contact.moment, 1e-12, "I α + ω × I ω");
}

/// The seed's disk, leaning by ten degrees: the normal force of `examples/reference/rolling-disk.json`.
#[test]
fn the_seeds_disk_has_its_published_normal_force() {
    let seed = DISK
        .replace("psi = 0.4", "psi = 0")
        .replace("theta = 0.3", "theta = \"10 deg\"")
        .replace("phi = 0.2", "phi = 0")
        .replace("\"theta'\" = 0.7", "\"theta'\" = 0")
        .replace("\"psi'\" = -1.1", "\"psi'\" = 0");
    let model = mechanism(&seed);
    let (_, forces) = at_start(&model);
    let contact = on(&forces, &model, "contact", "disk");
    assert_close(&[contact.force[2]], &[19.1467076879], 1e-11, "N");
}

const PENDULUM: &str = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
theta = 0.7
[start]
"theta'" = 1.3
[particle.P]
mass = 2
position = "[0.8*sin(theta), -0.8*cos(theta), 0]"
"#;

const PENDULUM_IN_PLANE: &str = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = "0.8*sin(0.7)"
y = "-0.8*cos(0.7)"
[start]
"x'" = "0.8*1.3*cos(0.7)"
"y'" = "0.8*1.3*sin(0.7)"
[particle.P]
mass = 2
position = "[x, y, 0]"
[constraint.string]
holds = "x^2 + y^2 = 0.64"
"#;

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

/// d/dt Σ m v = Σ forces, d/dt Σ (r × m v + I ω) = Σ moments about the origin: by differences along the motion.
#[test]
fn momentum_changes_by_given_forces_and_reactions() {
    let wind = r#"
[force.wind]
on = "disk"
at = "disk.center + 0.3*disk.ex"
vector = "[0.5, -0.2, 0.1] - 0.1*vel(disk)"
torque = "[0.1, 0.2, -0.3]"
in = "lean"
"#;
    let model = mechanism(&format!("{DISK}{wind}"));
    let (now, forces) = at_start(&model);
    let moved = |h: f64| {
        let at = |i: usize| {
            let (q, v, a) = (&now.state.coordinates, &now.state.rates, &now.accelerations);
            (q[i] + h * (v[i] + h / 2.0 * a[i]), v[i] + h * a[i])
        };
        let (coordinates, rates) = (0..6).map(at).unzip();
        let state = State {
            t: h,
            coordinates,
            rates,
        };
        let there = model.snapshot(&state).unwrap();
        model.forces(&there).momentum.unwrap()
    };
    let h = 1e-5;
    let (after, before) = (moved(h), moved(-h));
    let rate = |k: usize| -> [f64; 3] {
        std::array::from_fn(|i| (after[k][i] - before[k][i]) / (2.0 * h))
    };
    let contact = on(&forces, &model, "contact", "disk");
    // The wind is in axes of the frame `lean`, at a point of the rim.
    let q = &now.state.coordinates;
    let center = [q[0], q[1], q[2]];
    let turn = |v: [f64; 3]| rotate(q[3], q[4], v);
    let velocity = [now.state.rates[0], now.state.rates[1], now.state.rates[2]];
    let given: [f64; 3] = {
        let plain = [0.5, -0.2, 0.1];
        turn(std::array::from_fn(|i| plain[i] - 0.1 * velocity[i]))
    };
    let arm = turn([0.3 * q[5].cos(), 0.0, -0.3 * q[5].sin()]);
    let weight = [0.0, 0.0, -2.0 * 9.81];
    let force = sum([contact.force, given, weight]);
    assert_close(&rate(0), &force, 1e-7, "linear");
    let moment = sum([
        contact.moment,
        cross(arm, given),
        turn([0.1, 0.2, -0.3]),
        cross(center, force),
    ]);
    assert_close(&rate(1), &moment, 1e-7, "angular");
    // And what the resultant says without rows.
    let hidden = resultant(&forces, &model, "disk");
    assert_close(&hidden.force, &contact.force, 1e-12, "resultant");
    assert_close(&hidden.moment, &contact.moment, 1e-12, "its moment");
}

/// Rz(psi) Rx(theta) v
fn rotate(psi: f64, theta: f64, v: [f64; 3]) -> [f64; 3] {
    let ((s, c), (sine, cosine)) = (psi.sin_cos(), theta.sin_cos());
    let u = [
        v[0],
        cosine * v[1] - sine * v[2],
        sine * v[1] + cosine * v[2],
    ];
    [c * u[0] - s * u[1], s * u[0] + c * u[1], u[2]]
}

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

#[test]
fn generalized_momenta_are_slopes_of_the_kinetic_energy() {
    let mut rng = Rng::with_seed(5);
    let model = mechanism(DISK);
    for _ in 0..5 {
        let state = random_state(&mut rng, 6);
        let kinetic = |i: usize, h: f64| {
            let mut moved = state.clone();
            moved.rates[i] += h;
            model.motion(&moved).unwrap().kinetic
        };
        let slope = |i: usize| (kinetic(i, 1e-4) - kinetic(i, -1e-4)) / 2e-4;
        let wanted: Vec<f64> = (0..6).map(slope).collect();
        let now = model.motion(&state).unwrap();
        assert_close(&model.forces(&now).momenta, &wanted, 1e-8, "p = ∂T/∂q'");
    }
}

/// [UK02] 43–46: q'' is the sum of a part that meets the rows at least, and one that they leave free.
#[test]
fn acceleration_has_a_tangent_and_a_normal_part() {
    for text in [DISK, PENDULUM_IN_PLANE] {
        let model = mechanism(text);
        let (now, _) = at_start(&model);
        let geometry = model.geometry(&now);
        let canonical = crate::equations::canonical(&model, &now.state);
        let n = now.accelerations.len();
        let row = |i: usize, x: &[f64]| -> f64 {
            let row = &canonical.jacobian[i * n..][..n];
            row.iter().zip(x).map(|(a, x)| a * x).sum()
        };
        for i in 0..canonical.bias.len() {
            assert_close(&[row(i, &geometry.tangent)], &[0.0], 1e-11, "tangent");
            let b = canonical.bias[i];
            assert_close(&[row(i, &geometry.normal)], &[b], 1e-11, "normal");
        }
        let mut product = 0.0;
        for i in 0..n {
            for j in 0..n {
                let mass = canonical.mass[i * n + j];
                product += geometry.tangent[i] * mass * geometry.normal[j];
            }
        }
        assert_close(&[product], &[0.0], 1e-10, "at right angles in M");
    }
    // The free pendulum falls: e = b − A a with a = (0, −g).
    let model = mechanism(PENDULUM_IN_PLANE);
    let (now, _) = at_start(&model);
    let y = now.state.coordinates[1];
    let b = -2.0 * 0.8_f64.powi(2) * 1.3 * 1.3;
    let wanted = b + 2.0 * y * 9.81;
    let error = model.geometry(&now).error.unwrap();
    assert_close(&error, &[wanted], 1e-12, "e = b − A a");
}

#[test]
fn a_singular_mass_matrix_has_no_free_motion() {
    let model = mechanism(
        r#"
[coordinates]
x = 0
y = 0
[start]
"x'" = 1
[energy]
kinetic = "x'^2/2"
potential = "x + 2*y"
[constraint.link]
holds = "x = y"
"#,
    );
    let (now, _) = at_start(&model);
    let geometry = model.geometry(&now);
    assert!(geometry.error.unwrap_err().contains("singular"));
    assert_close(&geometry.tangent, &now.accelerations, 1e-12, "b = 0");
}

#[test]
fn rows_that_depend_on_each_other_say_how() {
    let model = mechanism(
        r#"
[coordinates]
x = 0
y = 0
z = 0
[particle.P]
mass = 1
position = "[x, y, z]"
[constraint.contact]
holds = "pos(P) = [0, 0, 0]"
[constraint.stop]
holds = "2*y = 0"
[constraint.brace]
holds = "x - y + 0.5*z = 0"
"#,
    );
    let (now, _) = at_start(&model);
    let dependences = model.dependences(&now);
    assert_eq!(dependences.rows, [0, 1, 2, 3, 4]);
    assert_eq!(
        dependences.words(&model),
        [
            "stop = 2*contact.1: only lambda(contact.1) + 2*lambda(stop) - lambda(brace) is determined",
            "brace = contact.0 - contact.1 + 0.5*contact.2: only lambda(contact.0) + lambda(brace), \
             lambda(contact.1) + 2*lambda(stop) - lambda(brace) and lambda(contact.2) + 0.5*lambda(brace) are determined",
        ]
    );
    // What is said to be determined does not move with the choice of multipliers.
    let sum = now.multipliers[1] + 2.0 * now.multipliers[3] - now.multipliers[4];
    assert_close(&[sum], &[0.0], 1e-14, "no force along y");
    let free = mechanism(PENDULUM);
    let (now, _) = at_start(&free);
    assert!(free.dependences(&now).words(&free).is_empty());
}
