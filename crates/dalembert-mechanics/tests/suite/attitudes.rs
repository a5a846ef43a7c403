//! Attitudes by angles, by a quaternion and by a matrix say the same.

use crate::models::mechanism;
use dalembert_expr::{ExprId, evaluate};
use dalembert_mechanics::elaborate::Elaborator;
use dalembert_mechanics::model::read;

#[test]
fn angles_quaternions_and_matrices_agree() {
    let text = r#"dalembert = 1
[parameters]
k = 1.7
[coordinates]
a = 0.3
b = 0.5
[frame.angles]
attitude = "Rz(a) Rx(b)"
[frame.quaternion]
attitude = "quat(k*cos(a/2)*cos(b/2), k*cos(a/2)*sin(b/2), k*sin(a/2)*sin(b/2), k*sin(a/2)*cos(b/2))"
[frame.matrix]
attitude = "[[cos(a), -sin(a)*cos(b), sin(a)*sin(b)], [sin(a), cos(a)*cos(b), -cos(a)*sin(b)], [0, sin(b), cos(b)]]"
[particle.P]
mass = 1
position = "a*matrix.ex + b*quaternion.ey"
"#;
    let (model, _) = read(text).unwrap();
    let elaborator = Elaborator::new(&model);
    assert!(
        elaborator.diagnostics.is_empty(),
        "{:?}",
        elaborator.diagnostics
    );
    let values = [0, 1, 2].map(|frame| {
        let attitude = elaborator.frame(frame).unwrap();
        let asked: Vec<ExprId> = attitude
            .matrix
            .into_iter()
            .flatten()
            .chain(attitude.omega)
            .collect();
        evaluate(&elaborator.graph, &asked, |symbol| {
            0.4 + 0.37 * symbol.index() as f64
        })
    });
    for other in &values[1..] {
        for (expected, value) in values[0].iter().zip(other) {
            assert!((expected - value).abs() < 1e-14, "{values:?}");
        }
    }
}

/// Udwadia and Schutte (2010): the kinetic energy in q' of a body that turns about its mass centre.
#[test]
fn a_body_in_a_quaternion_moves_as_its_energy_says() {
    let common = "[parameters]\nI1 = 1\nI2 = 2\nI3 = 2.5\n[coordinates]\nq0 = 0.8\nq1 = 0.36\nq2 = -0.48\nq3 = 0\n\
                  [start]\n\"q0'\" = \"?\"\n\"q1'\" = 0.3\n\"q2'\" = 1\n\"q3'\" = -0.2\n\
                  [constraint.unit]\nholds = \"q0^2 + q1^2 + q2^2 + q3^2 = 1\"\n";
    let body = "[body.B]\nmass = 3\ncenter = \"[0, 0, 0]\"\nattitude = \"quat(q0, q1, q2, q3)\"\ninertia = [\"I1\", \"I2\", \"I3\"]\n";
    let energy = "[definitions]\nw1 = \"2*(-q1*q0' + q0*q1' + q3*q2' - q2*q3')\"\nw2 = \"2*(-q2*q0' - q3*q1' + q0*q2' + q1*q3')\"\n\
                  w3 = \"2*(-q3*q0' + q2*q1' - q1*q2' + q0*q3')\"\n[energy]\nkinetic = \"(I1*w1^2 + I2*w2^2 + I3*w3^2)/2\"\n";
    let accelerations = [body, energy].map(|system| {
        let mechanism = mechanism(&format!("{common}{system}"));
        let start = mechanism.start().expect("a start");
        mechanism
            .snapshot(&start.state)
            .expect("a motion")
            .accelerations
    });
    for (a, b) in accelerations[0].iter().zip(&accelerations[1]) {
        assert!((a - b).abs() < 1e-13, "{accelerations:?}");
    }
}

#[test]
fn what_is_no_rotation_is_refused() {
    for (rows, code) in [
        ("[[1, 0, 0], [0, 1, 0], [0, 0, -1]]", "E0405"),
        (
            "[[cos(a), sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]]",
            "E0405",
        ),
        ("[[1, 0, 0], [0, 1, 0]]", "E0402"),
        ("[[a, 0, 0], [0, 1, 0], [0, 0, 1]]", "E0405"),
        ("quat(a, [1, 0, 0], 0, 0)", "E0402"),
        ("quat(1, 0, 0)", "E0203"),
    ] {
        let text =
            format!("dalembert = 1\n[coordinates]\na = 1\n[frame.F]\nattitude = \"{rows}\"\n");
        let (model, _) = read(&text).unwrap();
        let codes: Vec<&str> = Elaborator::new(&model)
            .diagnostics
            .iter()
            .map(|error| error.code)
            .collect();
        assert_eq!(codes, [code], "{rows}");
    }
}
