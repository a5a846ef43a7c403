//! Slip in a plane that begins, by hand.

use super::{at_start, close, mechanism};
use dalembert_mechanics::ids::ConstraintId;

const G: f64 = 9.81;

/// A block at rest on a plane of slope 3 : 4 along x, pulled along y.
fn block(mu: f64, pull: f64) -> String {
    format!(
        "gravity = \"[0, 0, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = \"?\"\n\
         [particle.P]\nmass = 2\nposition = \"[x, y, z]\"\n\
         [force.pull]\non = \"P\"\nvector = \"[0, {pull}, 0]\"\n\
         [constraint.plane]\nholds = \"4*z = 3*x\"\nfriction = {{ coefficient = {mu} }}\n"
    )
}

/// It starts along the sum of weight and pull in the plane, and friction is against that.
#[test]
fn block_that_begins_to_slide() {
    for (mu, pull) in [(0.25, 5.0), (0.7, 0.0), (0.7, -9.0), (0.0, 3.0)] {
        let found = at_start(&mechanism(&block(mu, pull))).unwrap();
        let (along, across) = (-0.6 * G, pull / 2.0);
        let free = along.hypot(across);
        let part = 1.0 - mu * 0.8 * G / free;
        assert!(part > 0.0);
        let expected = [0.8 * along * part, across * part, 0.6 * along * part];
        close(&found.accelerations, &expected, 1e-12, "plane");
        // The whole reaction: normal force and friction.
        let normal = 2.0 * G * 0.8;
        let against = [-along, -across].map(|it| mu * normal * it / free);
        let total = [
            -0.6 * normal + 0.8 * against[0],
            against[1],
            0.8 * normal + 0.6 * against[0],
        ];
        close(
            &found.reactions.on_all(ConstraintId::new(0)),
            &total,
            1e-11,
            "reaction",
        );
    }
}

/// Up to the angle of friction it stays where it is, pulled or not.
#[test]
fn block_that_friction_holds() {
    for (mu, pull) in [(0.76, 0.0), (0.95, 8.0)] {
        let held = at_start(&mechanism(&block(mu, pull))).unwrap();
        close(&held.accelerations, &[0.0; 3], 1e-14, "held");
        // The whole reaction is what carries weight and pull.
        let total = [0.0, -pull, 2.0 * G];
        close(
            &held.reactions.on_all(ConstraintId::new(0)),
            &total,
            1e-12,
            "reaction",
        );
    }
    for (mu, pull) in [(0.74, 0.0), (0.95, 12.0)] {
        let slides = at_start(&mechanism(&block(mu, pull))).unwrap();
        assert!(slides.accelerations[2] < -1e-3);
    }
}

/// A sledge of a body in space, its foot at rest on a rough plane and below the mass centre: the normal force depends on the
/// friction. Against Newton and Euler with the direction as the unknown, solved by halving.
#[test]
fn foot_whose_normal_force_depends_on_friction() {
    let text = "gravity = \"[2, 5, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = 0\na = 0\n\
                [body.sledge]\nmass = 2\ninertia = [1, 0.5, 1]\ncenter = \"[x, y, z]\"\nattitude = \"Ry(a)\"\n\
                [constraint.foot]\nholds = \"pos(point(sledge, [0.3, 0, -0.4])).z = -0.4\"\n\
                friction = { coefficient = 0.3, at = \"point(sledge, [0.3, 0, -0.4])\" }\n";
    let found = at_start(&mechanism(text)).unwrap();
    // Ry(a) turns [0.3, 0, −0.4] by a a-dot e_y × r = (−0.4, 0, −0.3) a'.
    // Unknown N, fx, fy: m x'' = 2 m + fx, m y'' = 5 m + fy, m z'' = N − m g, I a'' = −0.4 fx − 0.3 N, z'' = 0.3 a''.
    let (m, inertia, mu) = (2.0, 0.5, 0.3);
    let motion = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        // fx = −mu N cos: z'' = N/m − g = 0.3 (0.4 mu N cos − 0.3 N)/I
        let normal = G / (1.0 / m - 0.3 * (0.4 * mu * cos - 0.3) / inertia);
        let turn = normal * (0.4 * mu * cos - 0.3) / inertia;
        let x = 2.0 - mu * normal * cos / m;
        let y = 5.0 - mu * normal * sin / m;
        let foot = [x - 0.4 * turn, y];
        (
            foot[1] * cos - foot[0] * sin,
            foot[0] * cos + foot[1] * sin,
            [x, y, normal / m - G, turn],
        )
    };
    let (mut low, mut high) = (0.0, 2.0);
    assert!(motion(low).0 > 0.0 && motion(high).0 < 0.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match motion(middle).0 > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    assert!(motion(low).1 > 0.0, "it grows");
    close(&found.accelerations, &motion(low).2, 1e-11, "sledge");
}
