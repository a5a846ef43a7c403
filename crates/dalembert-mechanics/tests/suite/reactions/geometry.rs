//! Momenta, the parts of the acceleration, and rows that depend on each other.

use super::{DISK, PENDULUM, PENDULUM_IN_PLANE, at_start};
use crate::models::mechanism;
use crate::numbers::{assert_close, canonical, random_state};
use dalembert_mechanics::lower::RowId;
use fastrand::Rng;

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
        let canonical = canonical(&model, &now.state);
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
    assert_eq!(dependences.rows, [0, 1, 2, 3, 4].map(RowId::new));
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
