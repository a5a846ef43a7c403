//! Slopes of the right-hand side, seen from inside.

use super::*;
use crate::read_model;

/// m l² θ'' = −m g l sin θ − c θ' + τ cos(ω t), by hand, by everything that is in it.
#[test]
fn a_driven_pendulum_has_the_derivatives_of_the_textbook() {
    let text = "dalembert = 1\n[parameters]\nm = 3\nl = 2\ng = 9.81\nc = 0.3\nT = 1.5\nw = 4\n\
                [coordinates]\na = 0.7\n[start]\n\"a'\" = 1.5\n[energy]\nkinetic = \"m*l^2*a'^2/2\"\n\
                potential = \"-m*g*l*cos(a)\"\ndissipation = \"c/2*a'^2\"\n\
                [force.drive]\ngeneralized = { a = \"T*cos(w*t)\" }\n";
    let (model, _) = read_model(text).expect("a model");
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let mut state = mechanism.start().expect("a start").state;
    state.t = 0.2;
    let [m, l, g, c, drive, w] = [3.0, 2.0, 9.81, 0.3, 1.5, 4.0];
    let ([a, rate], t) = ([0.7_f64, 1.5], state.t);
    let torque = -m * g * l * a.sin() - c * rate + drive * (w * t).cos();
    let inertia = m * l * l;
    let mut slopes = Slopes::new(&mechanism, By::Everything);
    let evaluator = mechanism.evaluator_at(&state);
    assert!(slopes.find(&evaluator, &[torque / inertia], &[]));
    let expected = [
        -g / l * a.cos(),
        -c / inertia,
        -drive * w * (w * t).sin() / inertia,
        (-g * l * a.sin() - torque / m) / inertia,
        (-m * g * a.sin() - 2.0 * torque / l) / inertia,
        -a.sin() / l,
        -rate / inertia,
        (w * t).cos() / inertia,
        -drive * t * (w * t).sin() / inertia,
    ];
    for (input, expected) in expected.into_iter().enumerate() {
        let found = slopes.moved_by(input)[0];
        assert!(
            (found - expected).abs() < 1e-14,
            "{input}: {found}, {expected}"
        );
    }
}

/// A bead of mass m on the circle x² + y² = l²: λ = −m v²/(2 (x² + y²)), by hand.
#[test]
fn multipliers_have_derivatives_too() {
    let text = "dalembert = 1\n[parameters]\nm = 2\nl = 5\n[coordinates]\nx = 3\ny = 4\n\
                [start]\n\"x'\" = 4\n\"y'\" = -3\n[energy]\nkinetic = \"m*(x'^2 + y'^2)/2\"\n\
                [constraint.circle]\nholds = \"x^2 + y^2 = l^2\"\n";
    let (model, _) = read_model(text).expect("a model");
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let state = mechanism.start().expect("a start").state;
    let evaluator = mechanism.evaluator_at(&state);
    // 2 x x'' + 2 y y'' = −2 v², m x'' = 2 x λ: λ = −m v²/(2 (x² + y²)).
    let (m, v2, l2) = (2.0, 25.0, 25.0);
    let lambda = -m * v2 / (2.0 * l2);
    let mut slopes = Slopes::new(&mechanism, By::State);
    let accelerations = [2.0 * 3.0 * lambda / m, 2.0 * 4.0 * lambda / m];
    assert!(slopes.find(&evaluator, &accelerations, &[lambda]));
    let expected = [
        m * v2 * 3.0 / (l2 * l2),
        m * v2 * 4.0 / (l2 * l2),
        -m * 4.0 / l2,
        m * 3.0 / l2,
    ];
    for (input, expected) in expected.into_iter().enumerate() {
        let found = slopes.moved_by(input)[2];
        assert!(
            (found - expected).abs() < 1e-14,
            "{input}: {found}, {expected}"
        );
    }
}
