//! Painlevé's rod, and other laws without a unique solution.

use super::{at_start, close, mechanism};
use dalembert_mechanics::NoMotion;
use dalembert_mechanics::formulation::Failure;

/// A uniform rod of length 2, tan θ = 2, its lower end sliding to the left with the mass centre behind it.
fn rod(mu: f64, extra: &str) -> String {
    format!(
        "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = \"sin(theta)\"\ntheta = \"atan(2)\"\n\
         [start]\n\"x'\" = -1\n\"y'\" = 0\n\"theta'\" = 0\n\
         [body.rod]\nmass = 1.5\nshape = {{ rod = {{ length = 2, axis = \"x\" }} }}\n\
         center = \"[x, y, 0]\"\nattitude = \"Rz(theta)\"\n\
         [constraint.contact]\nholds = \"y = sin(theta)\"\n\
         friction = {{ coefficient = {mu}, at = \"point(rod, [-1, 0, 0])\"{extra} }}\n"
    )
}

/// N (1 + 3 cos θ (cos θ − μ sin θ)) = m g: one solution below μ = 4/3.
#[test]
fn rod_is_solved_below_four_thirds() {
    for mu in [0.0, 0.5, 1.0, 1.33, 1.333] {
        let found = at_start(&mechanism(&rod(mu, ""))).unwrap();
        let weight = 1.5 * 9.81;
        let normal = weight / (1.6 - 1.2 * mu);
        close(&found.multipliers, &[normal], 1e-11, "normal force");
        let (sin, cos) = (2.0 / 5.0_f64.sqrt(), 1.0 / 5.0_f64.sqrt());
        let turn = normal * (mu * sin - cos) / 0.5;
        let expected = [mu * normal / 1.5, normal / 1.5 - 9.81, turn];
        close(&found.accelerations, &expected, 1e-11, "rod");
    }
}

#[test]
fn rod_is_refused_above() {
    for (mu, extra) in [
        (1.34, ""),
        (1.334, ""),
        (3.0, ""),
        (1.34, ", smoothing = 1e-3"),
    ] {
        let found = at_start(&mechanism(&rod(mu, extra)));
        let Err(NoMotion::Failure(Failure::Painleve {
            rows,
            free,
            solutions,
            coefficients,
            gain,
        })) = found
        else {
            panic!("{found:?}");
        };
        assert_eq!((rows.as_slice(), solutions.len()), ([0].as_slice(), 0));
        close(&free, &[1.5 * 9.81 / 1.6], 1e-12, "without friction");
        close(&[coefficients[0].1], &[mu], 1e-15, "coefficient");
        close(&[gain.unwrap()], &[mu / (4.0 / 3.0)], 1e-12, "gain");
    }
}

/// Lifted by more than its weight the end is pulled down by the guide: two reactions satisfy the law.
#[test]
fn pulled_rod_has_two_solutions() {
    let lift = "[force.lift]\non = \"rod\"\nvector = \"[0, 30, 0]\"\n";
    let found = at_start(&mechanism(&(rod(1.5, "") + lift)));
    let Err(NoMotion::Failure(Failure::Painleve { solutions, .. })) = found else {
        panic!("{found:?}");
    };
    let pull = 1.5 * 9.81 - 30.0;
    // N (1.6 − 1.2 μ sign N) = m g − 30
    let mut found: Vec<f64> = solutions.into_iter().flatten().collect();
    found.sort_by(f64::total_cmp);
    let expected = [pull / (1.6 + 1.8), pull / (1.6 - 1.8)];
    close(&found, &expected, 1e-12, "both");
    // Written by hand the law is no more unique than that.
    let law = "nonideal = { on = \"rod\", at = \"point(rod, [-1, 0, 0])\", vector = \"[1.5*abs(reaction(contact)), 0, 0]\" }\n";
    let friction = "friction = { coefficient = 1.5, at = \"point(rod, [-1, 0, 0])\" }\n";
    let text = (rod(1.5, "") + lift).replace(friction, law);
    assert!(!text.contains("friction"));
    let found = at_start(&mechanism(&text));
    let Err(NoMotion::Failure(Failure::Painleve { solutions, .. })) = found else {
        panic!("{found:?}");
    };
    assert_eq!(solutions.len(), 2);
}

/// A law of a power of the reaction, x = c − k x^2 …: solved where it has one root in sight.
#[test]
fn smooth_laws_are_solved() {
    let text = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
                [force.f]\non = \"P\"\nvector = \"[0, -3 - 0.5*tanh(reaction(floor)), 0]\"\n\
                [constraint.floor]\nholds = \"y = 0\"\n";
    let found = at_start(&mechanism(text)).unwrap();
    let normal = found.multipliers[0];
    close(
        &[normal],
        &[3.0 + 0.5 * normal.tanh()],
        1e-13,
        "fixed point",
    );
    close(&found.accelerations, &[0.0, 0.0], 1e-13, "floor");
}
