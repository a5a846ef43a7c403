//! The disk on the floor.

use super::{DISK, at_start, on, resultant, sum};
use crate::models::mechanism;
use crate::numbers::{assert_close, cross};
use dalembert_mechanics::start::State;

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

/// The disk of the gallery, leaning by ten degrees: the normal force of `examples/reference/rolling-disk.json`.
#[test]
fn the_disk_of_the_gallery_has_its_normal_force() {
    let leaning = DISK
        .replace("psi = 0.4", "psi = 0")
        .replace("theta = 0.3", "theta = \"10 deg\"")
        .replace("phi = 0.2", "phi = 0")
        .replace("\"theta'\" = 0.7", "\"theta'\" = 0")
        .replace("\"psi'\" = -1.1", "\"psi'\" = 0");
    let model = mechanism(&leaning);
    let (_, forces) = at_start(&model);
    let contact = on(&forces, &model, "contact", "disk");
    assert_close(&[contact.force[2]], &[19.1467076879], 1e-11, "N");
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
            ..State::default()
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
