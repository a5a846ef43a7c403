//! Points whose body coordinates change: `pos`, `vel` and `acc` are derivatives of one another along any motion,
//! springs feel the rate of their length, and forces and friction act on the material point that is there now.

use crate::models::mechanism;
use crate::numbers::assert_close;
use dalembert_expr::{ExprId, SymbolId, evaluate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::Record;

const BODY: &str = r#"
[coordinates]
x = 1
a = 0.5
b = 0.3
s = 0.5
[body.B]
mass = 1
inertia = [1, 1.2, 1.5]
center = "[x, sin(x), 0.2*x*t]"
attitude = "Rz(a) Rx(b)"
point = { rim = "[s, 0.3*s^2, sin(t)]" }
[definitions]
tip = "point(B, [sin(t), s, x])"
[particle.P]
mass = 1
position = "pos(B.rim)"
"#;

/// Coordinates that move in time without any pattern, and their derivatives.
fn curve(i: usize, t: f64, order: usize) -> f64 {
    let (size, speed, phase) = (0.7 + 0.1 * i as f64, 1.0 + 0.3 * i as f64, 0.4 * i as f64);
    let angle = speed * t + phase + std::f64::consts::FRAC_PI_2 * order as f64;
    size * speed.powi(order as i32) * angle.sin()
}

fn value(mechanism: &Mechanism, expression: ExprId, t: f64) -> f64 {
    let symbols = &mechanism.system.symbols;
    let orders = [&symbols.coordinates, &symbols.rates, &symbols.accelerations];
    let known = |symbol: SymbolId| {
        let found = orders.iter().enumerate().find_map(|(order, list)| {
            let place = list.iter().position(|&it| it == symbol);
            place.map(|i| curve(i, t, order))
        });
        let place = symbols.parameters.iter().position(|&it| it == symbol);
        let parameter = place.map(|i| mechanism.parameters[i]);
        found.or(parameter).unwrap_or(t)
    };
    evaluate(&mechanism.system.graph, &[expression], known)[0]
}

/// A mechanism that records some expressions, and their components.
fn recorded(model: &str, expressions: &[&str]) -> (Mechanism, Vec<ExprId>) {
    let list: Vec<String> = expressions.iter().map(|it| format!("\"{it}\"")).collect();
    let mechanism = mechanism(&format!("{model}\n[run]\nrecord = [{}]\n", list.join(", ")));
    let value = |record: &Record| match record {
        Record::Value(_, id) => *id,
        other => panic!("{other:?}"),
    };
    let values = mechanism.system.run.record.iter().map(value).collect();
    (mechanism, values)
}

#[test]
fn velocities_and_accelerations_are_derivatives_of_positions() {
    let points = [
        "B.rim",
        "P",
        "point(B, [s, 0, 0])",
        "point(B, [sin(t), 0, 0])",
        "tip",
        "point(ground, [s, sin(t), x*s])",
        "B",
    ];
    for point in points {
        let [p, v, a] = ["pos", "vel", "acc"].map(|what| format!("{what}({point})"));
        let (mechanism, ids) = recorded(BODY, &[&p, &v, &a]);
        let h = 1e-5;
        for t in [0.2, 0.9, 1.7] {
            let rate = |id: ExprId| {
                let [after, before] = [t + h, t - h].map(|t| value(&mechanism, id, t));
                (after - before) / (2.0 * h)
            };
            for (order, list) in [(1, &ids[..6]), (2, &ids[3..])] {
                for axis in 0..3 {
                    let (wanted, found) = (rate(list[axis]), value(&mechanism, list[axis + 3], t));
                    let what = format!("{point}, derivative {order}, axis {axis}");
                    assert_close(&[found], &[wanted], 1e-8, &what);
                }
            }
        }
    }
    // A prime is the same derivative, of a definition that is a point as well.
    let (mechanism, ids) = recorded(BODY, &["vel(tip)", "tip'", "acc(tip)", "tip''"]);
    for axis in [0, 1, 2, 6, 7, 8] {
        let [one, other] = [ids[axis], ids[axis + 3]].map(|id| value(&mechanism, id, 0.8));
        assert_close(&[one], &[other], 1e-12, "prime");
    }
}

/// v(P) = v_B + s' e_x, a(P) = a_B + 2 ω × s' e_x + s'' e_x, with the material point's v_B and a_B.
#[test]
fn material_points_are_left_behind_by_moving_ones() {
    let point = "point(B, [s, 0, 0])";
    let texts = [
        format!("vel({point}) - vel(B, at = {point}) - s'*B.ex"),
        format!("acc({point}) - acc(B, at = {point}) - 2*s'*cross(omega(B), B.ex) - s''*B.ex"),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (mechanism, ids) = recorded(BODY, &texts);
    for t in [0.3, 1.1] {
        let values: Vec<f64> = ids.iter().map(|&id| value(&mechanism, id, t)).collect();
        assert_close(&values, &[0.0; 6], 1e-12, "Coriolis");
    }
}

/// The power of a spring and damper between moving points is its force times the rate of its length.
#[test]
fn springs_between_moving_points_feel_the_rate_of_their_length() {
    let spring = r#"
[spring.S]
between = ["point(B, [s, 0.2, 0])", "point(ground, [3, 0.1, 1])"]
stiffness = 3
length = 0.5
damping = 0.2
"#;
    let still = BODY.replace("0.2*x*t", "0.2*x").replace("sin(t)", "0.1");
    let length = "norm(pos(point(B, [s, 0.2, 0])) - [3, 0.1, 1])";
    let (mechanism, ids) = recorded(&format!("{still}{spring}"), &[length]);
    let (t, h) = (0.7, 1e-5);
    let at = |t: f64| value(&mechanism, ids[0], t);
    let rate = (at(t + h) - at(t - h)) / (2.0 * h);
    let pull = 3.0 * (at(t) - 0.5) + 0.2 * rate;
    let system = &mechanism.system;
    let springs = system.forces.iter().filter(|it| it.name.starts_with("S"));
    let parts: Vec<(usize, ExprId)> = springs.flat_map(|it| it.force.clone()).collect();
    let power: f64 = parts
        .iter()
        .map(|&(i, id)| value(&mechanism, id, t) * curve(i, t, 1))
        .sum();
    assert_close(&[power], &[-pull * rate], 1e-8, "power");
    // The slider along the body gets its share.
    let along_s = parts.iter().filter(|(i, _)| *i == 3);
    let along_s: f64 = along_s.map(|&(_, id)| value(&mechanism, id, t)).sum();
    assert!(along_s.abs() > 0.1);
}

/// A force at a moving place has no work on the motion of the place along the body.
#[test]
fn forces_act_on_the_material_point() {
    let push = r#"
[force.push]
on = "B"
at = "point(B, [s, 0, 0])"
vector = "[1, 2, 3]"
"#;
    let mechanism = mechanism(&format!("{BODY}{push}"));
    let push = &mechanism.system.forces[0];
    assert_eq!(push.name, "push");
    assert!(push.force.iter().all(|(i, _)| *i != 3), "{:?}", push.force);
}

/// A ball thrown along a rough floor: x'' = −μ g, φ'' = 5 μ g/(2 r), whichever way its lowest point is named.
#[test]
fn friction_acts_on_the_material_point_that_touches() {
    let ball = |at: &str, more: &str| {
        format!(
            r#"
gravity = "[0, 0, -9.81]"
[parameters]
r = 0.3
[coordinates]
x = 0
z = "r"
phi = 0.4
[start]
"x'" = 2
[body.ball]
mass = 2
center = "[x, 0, z]"
attitude = "Ry(phi)"
shape = {{ sphere = {{ radius = "r" }} }}
{more}
[constraint.floor]
holds = "dot(pos(ball), ground.ez) = r"
friction = {{ coefficient = 0.2, at = "{at}" }}
"#
        )
    };
    let rider = "[body.rider]\nmass = 1\ninertia = [1, 1, 1]\ncenter = \"[5, 0, z]\"\nattitude = \"Rz(0)\"\n";
    let places = [
        ("ball.center - [0, 0, r]", "", 1.0),
        ("pos(ball) - [0, 0, r]", "", 1.0),
        ("point(ball, [r*sin(phi), 0, -r*cos(phi)])", "", 1.0),
        // Of two bodies that the floor moves, the place speaks of one; it carries the other.
        ("ball.center - [0, 0, r]", rider, 1.5),
    ];
    for (at, more, carried) in places {
        let model = mechanism(&ball(at, more));
        let start = model.start().unwrap();
        let now = model.snapshot(&start.state).unwrap();
        let (mu, g, r) = (0.2 * carried, 9.81, 0.3);
        let wanted = [-mu * g, 0.0, 2.5 * mu * g / r];
        assert_close(&now.accelerations, &wanted, 1e-12, at);
    }
}
