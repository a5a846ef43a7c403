//! One joint in many words: what is said of the forces on bodies is the same number, or not determined.

use super::at_start;
use crate::models::mechanism;
use std::collections::BTreeMap;

/// Forces and moments of the constraint `joint` on a target; what is not determined is no number.
type Found = BTreeMap<String, [f64; 6]>;

fn forces(model: &str, holds: &str) -> Option<Found> {
    let model = mechanism(&format!(
        "{model}\n[constraint.joint]\nholds = \"{holds}\"\n"
    ));
    let (_, forces) = at_start(&model);
    let acting = forces.reactions.last().unwrap().as_ref().ok()?;
    let named = acting.iter().map(|it| {
        let six = [it.force, it.moment].concat().try_into().unwrap();
        (it.on.name(&model.model).to_owned(), six)
    });
    Some(named.collect())
}

/// Asserts that the first wording has these numbers, and that no other wording has another one.
fn assert_one_joint(model: &str, wordings: &[&str], wanted: &[(&str, [f64; 6])]) {
    let mut known: BTreeMap<(String, usize), f64> = BTreeMap::new();
    for (place, holds) in wordings.iter().enumerate() {
        let Some(found) = forces(model, holds) else {
            assert!(place > 0, "{holds}: not determined");
            continue;
        };
        for (name, components) in &found {
            let numbers = components.iter().enumerate();
            for (i, &number) in numbers.filter(|(_, number)| !number.is_nan()) {
                let first = *known.entry((name.clone(), i)).or_insert(number);
                let size = components.iter().filter(|it| !it.is_nan());
                let size = size.fold(0.0_f64, |size, it| size.max(it.abs()));
                let apart = (first - number).abs();
                assert!(
                    apart <= 1e-9 * size,
                    "{holds}: {name} {i}: {number}, {first}"
                );
            }
        }
        if place == 0 {
            for (name, wanted) in wanted {
                for (i, (found, wanted)) in found[*name].iter().zip(wanted).enumerate() {
                    let same = found.is_nan() && wanted.is_nan() || (found - wanted).abs() < 1e-9;
                    assert!(same, "{holds}: {name} {i}: {found}, {wanted}");
                }
            }
        }
    }
}

const OPEN: f64 = f64::NAN;

/// A rod that turns about the origin, and a pin in its slot.
fn slot(center: &str) -> String {
    format!(
        r#"
gravity = "[0, -9.81, 0]"
[coordinates]
q = "30 deg"
x = "0.5*cos(30 deg)"
y = 0.25
[start]
"q'" = 2
"x'" = {{ value = 2, priority = "guess" }}
[body.B]
mass = 1
shape = {{ rod = {{ length = 2, axis = "x" }} }}
center = "{center}"
attitude = "Rz(q)"
[particle.P]
mass = 1
position = "[x, y, 0]"
"#
    )
}

#[test]
fn a_pin_in_a_slot() {
    let wordings = [
        "dot(pos(P) - pos(B), B.ey) = 0",
        "dot(pos(P), B.ey) = 0",
        "y*cos(q) - x*sin(q) = 0",
        "y = x*tan(q)",
        "cross(B.ex, pos(P) - pos(B)).z = 0",
        "3*dot(pos(P) - point(B, [0.3, 0, 0]), B.ey) = 0",
        "dot(pos(P) - B.center, [-sin(q), cos(q), 0]) = 0",
        "dot(vel(P) - vel(B, at = pos(P)), B.ey) = 0",
    ];
    // Newton and Euler by hand: I q'' = -s N, and across the slot s q'' + 2 s' q' = N - g cos q.
    let model = slot("[0, 0, 0]");
    let (q, s) = (30.0_f64.to_radians(), 0.5);
    let mechanism = mechanism(&format!(
        "{model}\n[constraint.joint]\nholds = \"{}\"\n",
        wordings[0]
    ));
    let start = mechanism.start().unwrap().state;
    let along = start.rates[1] * q.cos() + start.rates[2] * q.sin();
    let normal = (2.0 * along * 2.0 + 9.81 * q.cos()) / (1.0 + 3.0 * s * s);
    let force = [-normal * q.sin(), normal * q.cos()];
    let wanted = [
        ("P", [force[0], force[1], 0.0, 0.0, 0.0, 0.0]),
        ("B", [-force[0], -force[1], 0.0, 0.0, 0.0, -s * normal]),
    ];
    assert_one_joint(&model, &wordings, &wanted);
    // What one wording leaves to the ground is not said to be 0.
    let found = forces(&model, wordings[1]).unwrap();
    assert!(found["B"][0].is_nan() && found["B"][1].is_nan());
    // The rod turns about its end: its centre moves, and not freely.
    let ended = slot("[cos(q), sin(q), 0]");
    assert_one_joint(&ended, &wordings, &[]);
}

#[test]
fn a_pin_of_a_crank() {
    let wordings = [
        "pos(P) = point(B, [0.25, 0, 0])",
        "point(B, [0.25, 0, 0]) - pos(P) = 0",
        "pos(P) = [0.5*cos(q), 0.5*sin(q), 0]",
        "vel(P) = vel(B, at = pos(P))",
        "vel(P) = vel(point(B, [0.25, 0, 0]))",
        "pos(P) - pos(B) = 0.25*B.ex",
    ];
    let crank = slot("[0.25*cos(q), 0.25*sin(q), 0]");
    assert_one_joint(&crank, &wordings, &[]);
    let found = forces(&crank, wordings[0]).unwrap();
    for (action, reaction) in found["P"].iter().zip(&found["B"]).take(2) {
        assert!((action + reaction).abs() < 1e-12);
    }
}

#[test]
fn a_rope_and_a_rod() {
    let crane = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = 0.1
px = 1
py = -2
[start]
"x'" = 1
[particle.T]
mass = 3
position = "[x, 0, 0]"
[particle.L]
mass = 1
position = "[px, py, 0]"
"#;
    let wordings = [
        "norm(pos(L) - pos(T)) = sqrt(4.81)",
        "dot(pos(L) - pos(T), pos(L) - pos(T)) = 4.81",
        "(px - x)^2 + py^2 = 4.81",
        "(px - pos(T).x)^2 + py^2 = 4.81",
        "dot(pos(L) - pos(T), vel(L) - vel(T)) = 0",
    ];
    assert_one_joint(crane, &wordings, &[]);
    let found = forces(crane, wordings[0]).unwrap();
    assert!((found["T"][1] + found["L"][1]).abs() < 1e-12 && found["L"][1] > 1.0);
    // Between two cranks: a belt would turn them just so, without any force along the line of their pivots.
    let cranks = r#"
[coordinates]
a = 0.5
b = 0.7
[start]
"a'" = 1
[body.C]
mass = 1
inertia = [0, 0, 1]
center = "[0.5*cos(a), 0.5*sin(a), 0]"
attitude = "Rz(a)"
[body.R]
mass = 1
inertia = [0, 0, 1]
center = "[2 + 0.5*cos(b), 0.5*sin(b), 0]"
attitude = "Rz(b)"
[definitions]
line = "point(C, [0.5, 0, 0]) - point(R, [0.5, 0, 0])"
square = "(2 + cos(b) - cos(a))^2 + (sin(b) - sin(a))^2"
"#;
    let square =
        (2.0 + 0.7_f64.cos() - 0.5_f64.cos()).powi(2) + (0.7_f64.sin() - 0.5_f64.sin()).powi(2);
    let [words, raw] = ["dot(line, line)", "square"].map(|it| format!("{it} = {square:?}"));
    assert_one_joint(cranks, &[&words, &raw], &[]);
    let found = forces(cranks, &words).unwrap();
    assert!(found["C"][0].is_nan() && found["C"][1].is_finite() && found["C"][5].is_nan());
}

#[test]
fn rolling() {
    let plank = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = "cos(0.3) - 0.4*sin(0.3)"
y = "sin(0.3) + 0.4*cos(0.3)"
q = 0
b = 0.3
[start]
"b'" = 1
"q'" = 2
[body.disc]
mass = 1
shape = { disk = { radius = 0.4 } }
center = "[x, y, 0]"
attitude = "Rz(q)"
[body.plank]
mass = 2
inertia = [0, 0, 1]
center = "[0, 0, 0]"
attitude = "Rz(b)"
[definitions]
contact = "pos(disc) - 0.4*plank.ey"
[constraint.on]
holds = "dot(pos(disc) - pos(plank), plank.ey) = 0.4"
"#;
    let wordings = [
        "dot(vel(disc, at = contact) - vel(plank, at = contact), plank.ex) = 0",
        "dot(vel(disc, at = contact) - vel(plank, at = contact), [cos(b), sin(b), 0]) = 0",
        "dot(vel(disc) - vel(plank, at = disc.center), plank.ex) + 0.4*(omega(disc) - omega(plank)).z = 0",
        "x'*cos(b) + y'*sin(b) + 0.4*q' = 0",
    ];
    assert_one_joint(plank, &wordings, &[]);
    let found = forces(plank, wordings[0]).unwrap();
    assert!((found["disc"][0] + found["plank"][0]).abs() < 1e-12 && found["disc"][0] > 0.1);
    // A disc whose height is built into its coordinates: what carries it is not in the rows.
    let disc = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = 0
q = 0
[start]
"q'" = 2
[body.disc]
mass = 1
shape = { disk = { radius = 0.4 } }
center = "[x, 0.4, 0]"
attitude = "Rz(q)"
[force.motor]
on = "disc"
torque = "[0, 0, 3]"
"#;
    let wordings = [
        "vel(disc, at = disc.center - [0, 0.4, 0]) = 0",
        "vel(disc, at = disc.center - [0, 0.4, 0]).x = 0",
        "x' + 0.4*q' = 0",
        "x + 0.4*q = 0",
    ];
    // 3/2 m x'' = -3/0.4
    let wanted = [("disc", [-5.0, OPEN, 0.0, 0.0, 0.0, -2.0])];
    assert_one_joint(disc, &wordings, &wanted);
}

/// Gears on fixed axles: the moments are known, the force of the teeth only where the words leave the ground out.
#[test]
fn gears() {
    let gears = r#"
[coordinates]
a = 0
b = 0
[start]
"a'" = 1
[body.C]
mass = 1
inertia = [0, 0, 1]
center = "[0, 0, 0]"
attitude = "Rz(a)"
[body.R]
mass = 1
inertia = [0, 0, 2]
center = "[3, 0, 0]"
attitude = "Rz(b)"
[force.motor]
on = "C"
torque = "[0, 0, 3]"
"#;
    let wordings = [
        "dot(vel(C, at = [1, 0, 0]) - vel(R, at = [1, 0, 0]), cross(ground.ez, pos(R) - pos(C))) = 0",
        "dot(vel(C, at = [1, 0, 0]) - vel(R, at = [1, 0, 0]), ground.ey) = 0",
        "omega(C).z + 2*omega(R).z = 0",
        "a + 2*b = 0",
    ];
    let wanted = [
        ("C", [OPEN, -1.0, 0.0, 0.0, 0.0, -1.0]),
        ("R", [OPEN, 1.0, 0.0, 0.0, 0.0, -2.0]),
    ];
    assert_one_joint(gears, &wordings, &wanted);
    // A motor and a guide that drive one rod are one row: whether a force or a moment does it is not determined.
    let rod = r#"
[coordinates]
theta = 0.3
[start]
"theta'" = 1
[body.rod]
mass = 1
inertia = [0, 0, 1]
center = "[sin(theta), -cos(theta), 0]"
attitude = "Rz(theta)"
"#;
    for holds in ["theta' = 1", "omega(rod).z = 1", "vel(rod).x = cos(theta)"] {
        assert_eq!(forces(rod, holds), None, "{holds}");
    }
}

/// A spring written as a potential acts on what it speaks of, and the bearing of the bar carries the rest: known where the
/// words leave the ground out. A field acts on the one thing it speaks of.
#[test]
fn potentials() {
    let bearing = |potential: &str| {
        let model = slot("[0, 0, 0]").replace("gravity", "# gravity");
        let model = format!("{model}\n[energy]\npotential = \"{potential}\"\n");
        let model = mechanism(&model);
        let (now, forces) = at_start(&model);
        let on = |name: &str| super::resultant(&forces, &model, name);
        (on("P").force, on("B").force, now.state.coordinates)
    };
    let field = "3*pos(B).y + 9.81*pos(P).y";
    let (particle, bar, q) = bearing(&format!(
        "{field} + 20*dot(pos(P) - pos(B), B.ey + 0.1*B.ex)^2"
    ));
    let axis = [
        -q[0].sin() + 0.1 * q[0].cos(),
        q[0].cos() + 0.1 * q[0].sin(),
    ];
    let stretch = q[1] * axis[0] + q[2] * axis[1];
    for i in 0..2 {
        let pull = 40.0 * stretch * axis[i];
        let weight = [0.0, 3.0][i];
        assert!(particle[i].abs() < 1e-12, "P is free");
        assert!((bar[i] - (weight - pull)).abs() < 1e-12, "{bar:?}");
    }
    let (particle, bar, _) = bearing(&format!("{field} + 20*dot(pos(P), B.ey + 0.1*B.ex)^2"));
    assert!(particle.iter().all(|it| it.abs() < 1e-12), "P is free");
    assert!(bar[0].is_nan() && bar[1].is_nan(), "{bar:?}");
}
