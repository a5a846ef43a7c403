//! A q'' − b against what it stands for: φ'' and ψ' by differences along smooth curves q(t).

use crate::models::mechanism;
use crate::numbers::{Vector, assert_close, canonical, cross};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use fastrand::Rng;

const CURVES: usize = 20;
/// Steps of the differences: rounding and fourth-order error are both below 1e-8.
const STEP: f64 = 4e-3;

/// A cubic for each coordinate.
struct Curve {
    at: f64,
    powers: Vec<[f64; 4]>,
}

impl Curve {
    fn random(rng: &mut Rng, n: usize) -> Self {
        let mut power = |from: f64, to: f64| from + (to - from) * rng.f64();
        Self {
            at: power(-0.5, 1.5),
            powers: (0..n)
                .map(|_| {
                    [
                        power(0.4, 1.2),
                        power(-1.5, 1.5),
                        power(-1.0, 1.0),
                        power(-0.5, 0.5),
                    ]
                })
                .collect(),
        }
    }

    /// The state `dt` after the middle of the curve.
    fn state(&self, dt: f64) -> State {
        let value = |p: &[f64; 4]| ((p[3] * dt + p[2]) * dt + p[1]) * dt + p[0];
        let rate = |p: &[f64; 4]| (3.0 * p[3] * dt + 2.0 * p[2]) * dt + p[1];
        State {
            t: self.at + dt,
            coordinates: self.powers.iter().map(value).collect(),
            rates: self.powers.iter().map(rate).collect(),
            ..State::default()
        }
    }

    fn accelerations(&self) -> Vec<f64> {
        self.powers.iter().map(|p| 2.0 * p[2]).collect()
    }
}

fn positions(mechanism: &Mechanism, state: &State) -> Vec<f64> {
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.position().values.to_vec()
}

fn velocities(mechanism: &Mechanism, state: &State) -> Vec<f64> {
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    evaluator.velocity().values.to_vec()
}

/// A q'' − b at the middle of a curve.
fn rows(mechanism: &Mechanism, curve: &Curve) -> Vec<f64> {
    let found = canonical(mechanism, &curve.state(0.0));
    let a = curve.accelerations();
    found
        .jacobian
        .chunks_exact(a.len())
        .zip(&found.bias)
        .map(|(row, b)| row.iter().zip(&a).map(|(x, y)| x * y).sum::<f64>() - b)
        .collect()
}

fn combine(weights: [f64; 5], values: [&[f64]; 5]) -> Vec<f64> {
    (0..values[0].len())
        .map(|row| weights.iter().zip(values).map(|(w, v)| w * v[row]).sum())
        .collect()
}

fn first(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let [a, b, c, d, e] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| f(k * STEP));
    let scale = 1.0 / (12.0 * STEP);
    combine(
        [scale, -8.0 * scale, 0.0, 8.0 * scale, -scale],
        [&a, &b, &c, &d, &e],
    )
}

fn second(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let [a, b, c, d, e] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| f(k * STEP));
    let scale = 1.0 / (12.0 * STEP * STEP);
    combine(
        [-scale, 16.0 * scale, -30.0 * scale, 16.0 * scale, -scale],
        [&a, &b, &c, &d, &e],
    )
}

/// Six coordinates, a particle, a frame and a body whose attitude depends on time.
const MOVING: &str = r#"
[parameters]
r = 0.4
k = 2
[coordinates]
x = 0
y = 0
z = 0
psi = 0.1
theta = 0.2
phi = 0.3
[particle.P]
mass = 1
position = "[x*cos(psi), y + sin(t), z*x]"
[frame.lean]
attitude = "Rz(psi) Rx(theta)"
[body.disk]
mass = 1
inertia = [1, 2, 1]
center = "[x, y, z]"
attitude = "lean Ry(phi)"
[body.arm]
mass = 1
inertia = [1, 1.2, 1.1]
center = "disk.center + 0.3*lean.ex"
attitude = "Rx(0.3*t) lean Rz(x*t)"
"#;

fn with(constraints: &[&str]) -> Mechanism {
    let tables: String = constraints
        .iter()
        .enumerate()
        .map(|(i, holds)| format!("[constraint.c{i}]\nholds = \"{holds}\"\n"))
        .collect();
    mechanism(&format!("{MOVING}{tables}"))
}

#[test]
fn position_rows_are_differentiated_twice() {
    let found = with(&[
        "k*x - y = 0",
        "x^2 + y^2*z = 1 + sin(theta)*cos(phi)",
        "x = sin(3*t)*y",
        "atan2(y, x) + exp(-z*t) = sqrt(x^2 + z^2) + log(2 + theta)",
        "pos(P) = [1, 2, 3]",
        "norm(pos(P) - disk.center) = 2 + t",
        "point(disk, [0.1, 0.2, 0.3]) = point(arm, [0.5, 0, t])",
        "dot(lean.ey, arm.ez) = 0",
        "cross(disk.ex, arm.ex) = [0.1, 0, 0]",
        "tanh(x)*asin(y/3) + max(x, y - 10) = abs(phi)",
    ]);
    assert_eq!(found.equations.rows(), 16);
    assert_eq!(found.equations.position_rows().len(), 16);
    let mut rng = Rng::with_seed(1);
    for _ in 0..CURVES {
        let curve = Curve::random(&mut rng, 6);
        let at = |dt: f64| positions(&found, &curve.state(dt));
        let rates = velocities(&found, &curve.state(0.0));
        assert_close(&rates, &first(at), 1e-8, "φ'");
        assert_close(&rows(&found, &curve), &second(at), 1e-6, "φ''");
    }
}

#[test]
fn velocity_rows_are_differentiated_once() {
    let found = with(&[
        "x'*sin(psi) - y'*cos(psi) = 0",
        "x'^2 + y'^2 = (1 + t)*z'^2 + psi'*theta'",
        "y' = k*sin(t)*x'",
        "sqrt(1 + x'^2)*z = exp(phi')*t",
        "vel(disk, at = disk.center - r*lean.ez) = 0",
        "vel(arm, at = pos(P)) = vel(disk, at = pos(P))",
        "omega(arm) = omega(disk) + [t, x, 0]",
        "norm(vel(P)) = 2",
        "dot(omega(disk), lean.ez) = psi_dot",
        "vel(point(arm, [0.1, 0, 0.2])) = [t^2, 0, 0]",
    ]);
    let mut rng = Rng::with_seed(2);
    for _ in 0..CURVES {
        let curve = Curve::random(&mut rng, 6);
        let at = |dt: f64| velocities(&found, &curve.state(dt));
        assert_close(&rows(&found, &curve), &first(at), 1e-7, "ψ'");
    }
}

/// The contact of a thin disk, by hand: v_c + ω × (−r e_z).
#[test]
fn the_material_point_of_a_disk_moves_as_by_hand() {
    let found = with(&["vel(disk, at = disk.center - r*lean.ez) = 0"]);
    let mut rng = Rng::with_seed(3);
    for _ in 0..CURVES {
        let state = Curve::random(&mut rng, 6).state(0.0);
        let (q, v) = (&state.coordinates, &state.rates);
        let ((s, c), (st, ct)) = (q[3].sin_cos(), q[4].sin_cos());
        let (ex, ey, ez): (Vector, Vector, Vector) =
            ([c, s, 0.0], [-s * ct, c * ct, st], [s * st, -c * st, ct]);
        let omega =
            [0, 1, 2].map(|i| v[4] * ex[i] + v[5] * ey[i] + if i == 2 { v[3] } else { 0.0 });
        let turning = cross(omega, ez.map(|e| -0.4 * e));
        let expected = [v[0] + turning[0], v[1] + turning[1], v[2] + turning[2]];
        assert_close(&velocities(&found, &state), &expected, 1e-13, "contact");
    }
}

/// A material point is where the body carries it: vel(B, at = r) is the rate of the point that is
/// at r now, with its body coordinates held.
#[test]
fn places_and_points_agree() {
    let pairs = [
        (
            "vel(arm, at = point(arm, [0.1, 0.2, 0.3])) = 0",
            "vel(point(arm, [0.1, 0.2, 0.3])) = 0",
        ),
        (
            "acc(arm, at = point(arm, [0.1, 0.2, 0.3])) = 0",
            "acc(point(arm, [0.1, 0.2, 0.3])) = 0",
        ),
        ("vel(arm, at = arm.center) = 0", "vel(arm) = 0"),
        ("acc(P) = 0", "vel(P) = 0"),
        ("acc(disk) = [0, 0, 1]", "vel(disk) = [0, 0, t]"),
        ("acc(P) = [cos(t), 2, 0]", "pos(P) = [-cos(t), t^2, 0]"),
        ("x*x'' + x'^2 + k*y'' = -sin(t)", "x^2/2 + k*y = sin(t)"),
        ("x''*y' + x'*y'' = 0", "x'*y' = 1"),
        ("x_ddot = y_dot", "x' = y"),
    ];
    let mut rng = Rng::with_seed(4);
    for (left, right) in pairs {
        let (left_rows, right_rows) = (with(&[left]), with(&[right]));
        for _ in 0..CURVES {
            let curve = Curve::random(&mut rng, 6);
            let (a, b) = (rows(&left_rows, &curve), rows(&right_rows, &curve));
            assert_close(&a, &b, 1e-11, &format!("{left} and {right}"));
        }
    }
    // The point is where its position says it is.
    let point = with(&["point(arm, [0.1, 0.2, 0.3]) = 0"]);
    let velocity = with(&["vel(arm, at = point(arm, [0.1, 0.2, 0.3])) = 0"]);
    for _ in 0..CURVES {
        let curve = Curve::random(&mut rng, 6);
        let moved = first(|dt| positions(&point, &curve.state(dt)));
        assert_close(&velocities(&velocity, &curve.state(0.0)), &moved, 1e-8, "v");
    }
}

#[test]
fn levels_are_found_after_simplification() {
    use dalembert_mechanics::lower::Level::{Acceleration, Position, Velocity};
    let found = with(&[
        "x + x' - x' = 1",
        "x'*y - y*x' + z = 0",
        "sin(x')^2 + cos(x')^2 + psi = 2",
        "x'' - x'' + x' = 0",
        "x'^2 + 0*x'' = 1",
        "z'' = 1",
        "0 = x''*x/x - y",
    ]);
    let levels: Vec<_> = found.system.rows.iter().map(|row| row.level).collect();
    assert_eq!(
        levels,
        [
            Position,
            Position,
            Position,
            Velocity,
            Velocity,
            Acceleration,
            Acceleration
        ]
    );
    let linear: Vec<bool> = found.system.rows.iter().map(|row| row.linear).collect();
    assert_eq!(linear, [true, true, true, true, false, true, true]);
}

/// A row is left minus right as written, and so is its multiplier.
#[test]
fn multipliers_belong_to_rows_as_written() {
    let wire = |holds: &str| {
        let text = format!(
            "gravity = \"[0, -9.81, 0]\"\n[parameters]\nk = 2\n[coordinates]\nx = 0\ny = 0\n\
             [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.wire]\nholds = \"{holds}\"\n"
        );
        let found = mechanism(&text);
        let start = found.start().unwrap();
        found.snapshot(&start.state).unwrap().multipliers
    };
    assert_close(&wire("k*x - y = 0"), &[-1.962], 1e-13, "as in the format");
    assert_close(&wire("y = k*x"), &[1.962], 1e-13, "as in the format");
    assert_close(&wire("10*y = 10*k*x"), &[0.1962], 1e-13, "scaled");
    assert_close(&wire("k*x' - y' = 0"), &[-1.962], 1e-13, "of velocities");
    assert_close(&wire("y'' = k*x''"), &[1.962], 1e-13, "of accelerations");
}
