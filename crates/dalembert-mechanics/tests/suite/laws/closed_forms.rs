//! Accelerations and reactions under friction, by hand.

use super::{at_start, close, mechanism};
use dalembert_mechanics::ids::ConstraintId;

const G: f64 = 9.81;

fn block(slope: &str, friction: &str, start: f64) -> String {
    format!(
        "gravity = \"[0, -9.81, 0]\"\n[parameters]\nmu = 0.3\nalpha = \"30 deg\"\n\
         [coordinates]\nx = 0\ny = \"?\"\n[start]\n\"x'\" = {start}\n\
         [particle.block]\nmass = 2\nposition = \"[x, y, 0]\"\n\
         [constraint.slope]\nholds = \"{slope}\"\nfriction = {{ {friction} }}\n"
    )
}

/// Along the slope −g (sin ± μ cos); the reaction m g cos, whatever the row is scaled by.
#[test]
fn block_on_a_slope() {
    let (s, c): (f64, f64) = (0.5, 0.75_f64.sqrt());
    for (speed, sign) in [(2.0, 1.0), (-2.0, -1.0)] {
        let along = -G * (s + sign * 0.3 * c);
        for (row, length) in [
            ("y = x*tan(alpha)", 1.0 / c),
            ("x*tan(alpha) = y", 1.0 / c),
            ("y*cos(alpha) - x*sin(alpha) = 0", 1.0),
            ("1e6*(y*cos(alpha) - x*sin(alpha)) = 0", 1e6),
            ("1e-6*(y*cos(alpha) - x*sin(alpha)) = 0", 1e-6),
        ] {
            let found = at_start(&mechanism(&block(row, "coefficient = \"mu\"", speed))).unwrap();
            close(&found.accelerations, &[along * c, along * s], 1e-13, row);
            close(
                &[found.multipliers[0].abs() * length],
                &[2.0 * G * c],
                1e-13,
                row,
            );
            // The friction does work, and it alone.
            let power = -0.3 * 2.0 * G * c * 2.0 / c;
            close(&found.constraint_power, &[power], 1e-12, row);
            let total = found.reactions.on_all(ConstraintId::new(0));
            let push = [
                -2.0 * G * c * (s + sign * 0.3 * c),
                2.0 * G * c * (c - sign * 0.3 * s),
            ];
            close(&total, &push, 1e-12, row);
        }
    }
}

/// At rest on a slope that is too steep to hold, friction points uphill: the block starts to slide down.
#[test]
fn block_slides_off_from_rest() {
    let text = block("y = x*tan(alpha)", "coefficient = \"mu\"", 0.0);
    let found = at_start(&mechanism(&text)).unwrap();
    let (s, c): (f64, f64) = (0.5, 0.75_f64.sqrt());
    let along = -G * (s - 0.3 * c);
    close(&found.accelerations, &[along * c, along * s], 1e-13, "rest");
}

/// Smooth friction is Coulomb's times tanh(slip/smoothing).
#[test]
fn smoothing_is_a_hyperbolic_tangent() {
    let (s, c): (f64, f64) = (0.5, 0.75_f64.sqrt());
    for (width, speed) in [(0.5, 0.2), (0.01, 0.02), (1e-3, 1.0), (0.1, 0.0)] {
        let friction = format!("coefficient = \"mu\", smoothing = {width}");
        let found = at_start(&mechanism(&block("y = x*tan(alpha)", &friction, speed))).unwrap();
        let slip = speed / c;
        let along = -G * (s + 0.3 * c * (slip / width).tanh());
        close(
            &found.accelerations,
            &[along * c, along * s],
            1e-12,
            "smooth",
        );
    }
}

/// A bead on a rough hoop, R = ½: θ'' = −g/R sin θ − μ |θ'² + g/R cos θ| sign θ', in three sets of coordinates.
#[test]
fn bead_on_a_hoop() {
    let (theta, rate, mu) = (2.6_f64, 3.0, 0.4);
    let push = rate * rate + G / 0.5 * theta.cos();
    assert!(push < 0.0, "it hangs on the outside");
    let expected = -G / 0.5 * theta.sin() - mu * push.abs();
    let head = "gravity = \"[0, -9.81, 0]\"\n";
    let (sin, cos) = (theta.sin(), theta.cos());
    let cartesian = format!(
        "{head}[coordinates]\nx = {}\ny = {}\n[start]\n\"x'\" = {}\n\"y'\" = {}\n\
         [particle.bead]\nmass = 0.1\nposition = \"[x, y, 0]\"\n\
         [constraint.hoop]\nholds = \"x^2 + y^2 = 0.25\"\nfriction = {{ coefficient = {mu} }}\n",
        0.5 * sin,
        -0.5 * cos,
        0.5 * rate * cos,
        0.5 * rate * sin
    );
    let found = at_start(&mechanism(&cartesian)).unwrap();
    let [x, y] = [found.accelerations[0], found.accelerations[1]];
    close(
        &[(x * cos + y * sin) / 0.5],
        &[expected],
        1e-12,
        "cartesian",
    );
    close(
        &found.multipliers,
        &[-0.1 * 0.5 * push / 1.0],
        1e-12,
        "reaction over 2 R",
    );
    let polar = format!(
        "{head}[coordinates]\nr = 0.5\ntheta = {theta}\n[start]\n\"theta'\" = {rate}\n\
         [particle.bead]\nmass = 0.1\nposition = \"[r*sin(theta), -r*cos(theta), 0]\"\n\
         [constraint.hoop]\nholds = \"r = 0.5\"\nfriction = {{ coefficient = {mu} }}\n"
    );
    let found = at_start(&mechanism(&polar)).unwrap();
    close(&found.accelerations, &[0.0, expected], 1e-12, "polar");
    // In space: the hoop is a sphere cut by a plane, one constraint of two rows in a vector.
    let space = format!(
        "{head}[coordinates]\nx = {}\ny = {}\nz = 0\n[start]\n\"x'\" = {}\n\"y'\" = {}\n\"z'\" = 0\n\
         [particle.bead]\nmass = 0.1\nposition = \"[x, y, z]\"\n\
         [constraint.hoop]\nholds = \"[x^2 + y^2 + z^2 - 0.25, 3*z, 0] = 0\"\nfriction = {{ coefficient = {mu} }}\n",
        0.5 * sin,
        -0.5 * cos,
        0.5 * rate * cos,
        0.5 * rate * sin
    );
    let found = at_start(&mechanism(&space)).unwrap();
    let [x, y] = [found.accelerations[0], found.accelerations[1]];
    close(&[(x * cos + y * sin) / 0.5], &[expected], 1e-12, "space");
}

/// On a rough inclined plane in space friction is against the velocity, which is not along the slope.
#[test]
fn particle_on_a_plane_in_space() {
    let text = "gravity = \"[0, 0, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = \"?\"\n\
                [start]\n\"x'\" = 0.4\n\"y'\" = 3\n\
                [particle.P]\nmass = 2\nposition = \"[x, y, z]\"\n\
                [constraint.plane]\nholds = \"4*z = 3*x\"\nfriction = { coefficient = 0.25 }\n";
    let found = at_start(&mechanism(text)).unwrap();
    // Slope 3-4-5: along it u = (0.8, 0, 0.6), normal force m g 0.8.
    let (v1, v2): (f64, f64) = (0.5, 3.0);
    let speed = v1.hypot(v2);
    let friction = 0.25 * G * 0.8;
    let a1 = -G * 0.6 - friction * v1 / speed;
    let a2 = -friction * v2 / speed;
    close(
        &found.accelerations,
        &[0.8 * a1, a2, 0.6 * a1],
        1e-12,
        "plane",
    );
}

/// A block on a cart that is pushed: friction acts on both, and the normal force is not the weight.
#[test]
fn block_on_a_cart_that_is_pushed() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 1\ns = 0\n\
                [start]\n\"x'\" = 1\n\"s'\" = 3\n\
                [particle.block]\nmass = 2\nposition = \"[x, y, 0]\"\n\
                [body.cart]\nmass = 5\ninertia = [1, 1, 1]\ncenter = \"[s, 0, 0]\"\nattitude = \"Rz(0)\"\n\
                [force.push]\non = \"block\"\nvector = \"[7, -4, 0]\"\n\
                [constraint.top]\nholds = \"y = 1\"\n\
                friction = { coefficient = 0.2, at = \"block\", against = \"cart\" }\n";
    let found = at_start(&mechanism(text)).unwrap();
    let friction = 0.2 * (2.0 * G + 4.0);
    // The block is slower than the cart, so friction drags it along.
    let expected = [(7.0 + friction) / 2.0, 0.0, -friction / 5.0];
    close(&found.accelerations, &expected, 1e-13, "cart");
    close(&found.constraint_power, &[-friction * 2.0], 1e-12, "power");
}

/// The same friction written by hand, with the reaction in the law, and as a given force.
#[test]
fn laws_by_hand_are_friction() {
    let law = "\"-0.3*abs(reaction(slope))*sqrt(1 + tan(alpha)^2)*vel(block)/norm(vel(block))\"";
    let text = block("y = x*tan(alpha)", "coefficient = \"mu\"", 2.0);
    let friction = "friction = { coefficient = \"mu\" }";
    assert!(text.contains(friction));
    let expected = at_start(&mechanism(&text)).unwrap();
    let nonideal = format!("nonideal = {{ on = \"block\", vector = {law} }}");
    let found = at_start(&mechanism(&text.replace(friction, &nonideal))).unwrap();
    close(&found.accelerations, &expected.accelerations, 1e-13, "w");
    close(&found.multipliers, &expected.multipliers, 1e-13, "w");
    close(&found.force_nonideal, &expected.force_nonideal, 1e-13, "w");
    let given = format!("[force.drag]\non = \"block\"\nvector = {law}\n");
    let found = at_start(&mechanism(&text.replace(friction, &given))).unwrap();
    close(&found.accelerations, &expected.accelerations, 1e-13, "h");
    close(&found.multipliers, &expected.multipliers, 1e-13, "h");
    close(&found.force_nonideal, &[0.0, 0.0], 1e-13, "h");
    // By a definition too.
    let head =
        format!("{text}[definitions]\npush = \"abs(reaction(slope))*sqrt(1 + tan(alpha)^2)\"\n");
    let nonideal =
        "nonideal = { on = \"block\", vector = \"-mu*push*vel(block)/norm(vel(block))\" }";
    let found = at_start(&mechanism(&head.replace(friction, nonideal))).unwrap();
    close(
        &found.accelerations,
        &expected.accelerations,
        1e-13,
        "definition",
    );
    // By the force on the block.
    let push = "norm(reaction(slope, on = \"block\"))";
    let nonideal = format!(
        "nonideal = {{ on = \"block\", vector = '-mu*{push}*vel(block)/norm(vel(block))' }}"
    );
    let found = at_start(&mechanism(&text.replace(friction, &nonideal))).unwrap();
    close(
        &found.accelerations,
        &expected.accelerations,
        1e-13,
        "on the block",
    );
}

/// A bar in two rough slots: each has its own normal force, from an independent linear solution of the four sign
/// patterns of  x = c + B |x|.
#[test]
fn bar_on_two_rough_supports() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\na = 0\n[start]\n\"x'\" = 1\n\
                [body.bar]\nmass = 3\ninertia = [1, 1, 0.5]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
                [force.push]\non = \"bar\"\nat = \"point(bar, [0, 0.8, 0])\"\nvector = \"[20, 0, 0]\"\n\
                [constraint.left]\nholds = \"y - 0.6*sin(a) - 0.2*cos(a) = -0.2\"\n\
                friction = { coefficient = 0.5, at = \"point(bar, [-0.6, -0.2, 0])\" }\n\
                [constraint.right]\nholds = \"2*(y + 0.4*sin(a) - 0.2*cos(a)) = -0.4\"\n\
                friction = { coefficient = 0.1, at = \"point(bar, [0.4, -0.2, 0])\" }\n";
    let found = at_start(&mechanism(text)).unwrap();
    // m y'' = 0 = N1 + N2 − m g;  0 = I a'' = −0.6 N1 + 0.4 N2 + (−0.2)(…friction to the left at height −0.2) − 20·0.8
    // friction −μ|N| at height −0.2: moment −(−0.2)(−μ|N|) = −0.2 μ |N|.
    let mut answers = Vec::new();
    for (s1, s2) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let (a1, b1) = (-0.6 - 0.2 * 0.5 * s1, 0.4 - 0.2 * 0.1 * s2);
        let weight = 3.0 * G;
        // N2 = weight − N1
        let n1 = (16.0 - b1 * weight) / (a1 - b1);
        let n2 = weight - n1;
        if n1 * s1 >= 0.0 && n2 * s2 >= 0.0 {
            answers.push((n1, n2));
        }
    }
    assert_eq!(answers.len(), 1);
    let (n1, n2) = answers[0];
    assert!(n1 < 0.0 && n2 > 0.0, "the left support pulls");
    close(&found.multipliers, &[n1, n2 / 2.0], 1e-12, "supports");
    let expected = (20.0 - 0.5 * n1.abs() - 0.1 * n2.abs()) / 3.0;
    close(&found.accelerations, &[expected, 0.0, 0.0], 1e-12, "bar");
}
