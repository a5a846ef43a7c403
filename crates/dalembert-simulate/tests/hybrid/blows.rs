//! Velocities that jump.

use super::{assert_near, mechanism, run};

const ROD: &str = "[parameters]\nm = 2\nl = 3\nv = 5\n[coordinates]\nx = 0\ny = 1\na = 0\n\
    [body.rod]\nmass = \"m\"\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\ninertia = [0, \"m*l^2/12\", \"m*l^2/12\"]\n";

/// A level rod that falls with v and is caught at one end turns about it with 3 v/(2 l), and keeps 3/4 of its energy (Carnot: it loses
/// ½ m v²/4).
#[test]
fn a_rod_that_is_caught_at_one_end_turns_about_it() {
    let text = format!(
        "{ROD}[start]\n\"y'\" = \"-v\"\n[constraint.pin]\nholds = \"point(rod, [l/2, 0, 0]) = [l/2, 0, 0]\"\nactive = false\n\
         [event.catch]\nwhen = \"y < 0\"\nengage = \"pin\"\n[run]\nspan = 1\n"
    );
    let found = run(&text);
    let hit = &found.happened[0];
    assert_near(hit.t, 0.2, 1e-12);
    assert_near(hit.after[2].abs(), 1.5 * 5.0 / 3.0, 1e-12);
    assert_near(hit.lost.unwrap(), 0.5 * 2.0 * 25.0 / 4.0, 1e-11);
    // Carnot: ½ Δvᵀ M Δv.
    let jump: Vec<f64> = hit
        .after
        .iter()
        .zip(&hit.before)
        .map(|(a, b)| a - b)
        .collect();
    let carnot =
        0.5 * (2.0 * jump[0] * jump[0] + 2.0 * jump[1] * jump[1] + 1.5 * jump[2] * jump[2]);
    assert_near(hit.lost.unwrap(), carnot, 1e-11);
    assert_near(found.balance_error(), 0.0, 1e-9);
}

/// An impulse p across a rod at its end: v = p/m, ω = p (l/2)/(m l²/12).
#[test]
fn an_impulse_at_a_point_moves_and_turns_a_rod() {
    for (impulse, v, w) in [
        (
            "{ on = \"rod\", at = \"point(rod, [l/2, 0, 0])\", vector = \"[0, 4, 0]\" }",
            2.0,
            4.0 * 1.5 / 1.5,
        ),
        ("{ on = \"rod\", vector = \"[0, 4, 0]\" }", 2.0, 0.0),
        ("{ on = \"rod\", angular = \"[0, 0, 6]\" }", 0.0, 4.0),
        ("{ generalized = { y = 4, a = 3 } }", 2.0, 2.0),
    ] {
        let text = format!(
            "{ROD}[event.kick]\nwhen = \"t > 0.5\"\nimpulse = {impulse}\n[run]\nspan = 1\n"
        );
        let found = run(&text);
        let hit = &found.happened[0];
        assert_near(hit.t, 0.5, 1e-14);
        assert_near(hit.after[1], v, 1e-13);
        assert_near(hit.after[2], w, 1e-13);
        assert_near(hit.lost.unwrap(), 0.0, 1e-13);
        assert_near(found.work, v * v + 0.75 * w * w, 1e-12);
    }
}

/// A block that rocks about the edge of its base loses speed by 1 − (3/2) sin² α where it changes edges (Housner).
#[test]
fn a_rocking_block_changes_edges_by_the_ratio_of_housner() {
    let (b, h) = (0.4_f64, 1.0_f64);
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nb = 0.4\nh = 1\n[coordinates]\nx = \"?\"\ny = \"?\"\na = -0.1\n\
        [body.block]\nmass = 3\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\ninertia = [0, 0, \"3*(b^2 + h^2)/3\"]\n\
        point = { left = \"[-b, -h, 0]\", right = \"[b, -h, 0]\" }\n\
        [constraint.right]\nholds = \"block.right = [0, 0, 0]\"\n\
        [constraint.left]\nholds = \"block.left = [-2*b, 0, 0]\"\nactive = false\n\
        [event.change]\nwhen = \"a > 0\"\nrelease = \"right\"\nengage = \"left\"\n[run]\nspan = 2\nuntil = \"a > 0.02\"\n";
    let found = run(text);
    let hit = &found.happened[0];
    let ratio = hit.after[2] / hit.before[2];
    let sin2 = b * b / (b * b + h * h);
    assert_near(ratio, 1.0 - 1.5 * sin2, 1e-9);
}

/// Two balls in a row, restitution e: momentum is kept, and the relative velocity turns.
#[test]
fn two_balls_collide_as_in_the_textbook() {
    let text = "[parameters]\nm1 = 2\nm2 = 5\nd = 0.1\n[coordinates]\nx1 = 0\nx2 = 1\n[start]\n\"x1'\" = 3\n\"x2'\" = -1\n\
        [particle.A]\nmass = \"m1\"\nposition = \"[x1, 0, 0]\"\n[particle.B]\nmass = \"m2\"\nposition = \"[x2, 0, 0]\"\n\
        [event.collide]\nwhen = \"x2 - x1 < d\"\nimpact = { on = \"x2 - x1\", restitution = 0.6 }\n[run]\nspan = 1\n";
    let found = run(text);
    let hit = &found.happened[0];
    assert_near(hit.t, 0.9 / 4.0, 1e-13);
    let momentum = |v: &[f64]| 2.0 * v[0] + 5.0 * v[1];
    assert_near(momentum(&hit.after), momentum(&hit.before), 1e-13);
    assert_near(hit.after[1] - hit.after[0], 0.6 * 4.0, 1e-13);
    // ½ μ (1 − e²) u², μ the reduced mass.
    assert_near(
        hit.lost.unwrap(),
        0.5 * (10.0 / 7.0) * (1.0 - 0.36) * 16.0,
        1e-12,
    );
}

/// A wall that moves with u sends a ball back with 2 u more.
#[test]
fn a_moving_wall_does_work() {
    let text = "[coordinates]\nx = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
        [event.racket]\nwhen = \"x > 3 - 2*t\"\nimpact = { on = \"x - 3 + 2*t\", restitution = 1 }\n[run]\nspan = 1.5\n";
    let found = run(text);
    let hit = &found.happened[0];
    assert_near(hit.t, 1.0, 1e-14);
    assert_near(hit.after[0], -5.0, 1e-13);
    assert_near(hit.lost.unwrap(), -12.0, 1e-12);
    assert_near(found.work, 12.0, 1e-12);
}

/// Both ends of a level rod at once: it jumps back without turning; rows that say the same twice change nothing.
#[test]
fn several_rows_are_struck_at_once_and_rows_may_be_redundant() {
    let text = format!(
        "{ROD}[start]\n\"y'\" = \"-v\"\n\
         [constraint.upright]\nholds = \"x = 0\"\n[constraint.again]\nholds = \"2*x = 0\"\n\
         [event.land]\nwhen = \"y < 0\"\nimpact = {{ on = [\"point(rod, [l/2, 0, 0]).y\", \"point(rod, [-l/2, 0, 0]).y\", \"y\"], restitution = 0.5 }}\n\
         [run]\nspan = 0.4\n"
    );
    let found = run(&text);
    let hit = &found.happened[0];
    assert_near(hit.after[1], 2.5, 1e-12);
    assert_near(hit.after[2], 0.0, 1e-12);
    assert_near(hit.lost.unwrap(), 25.0 * 0.75, 1e-11);
}

/// A sleigh's knife edge holds through a blow: an impulse across it does nothing, one along it moves it.
#[test]
fn velocity_rows_hold_through_a_blow() {
    let text = "[coordinates]\nx = 0\ny = 0\na = 0.3\n[body.B]\nmass = 2\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\ninertia = [1, 1, 1]\n\
        [constraint.edge]\nholds = \"dot(vel(B), B.ey) = 0\"\n\
        [event.kick]\nwhen = \"t > 0.1\"\nimpulse = { on = \"B\", vector = \"[3, 1, 0]\" }\n[run]\nspan = 0.2\n";
    let found = run(text);
    let hit = &found.happened[0];
    let along = (3.0 * 0.3_f64.cos() + 0.3_f64.sin()) / 2.0;
    assert_near(hit.after[0], along * 0.3_f64.cos(), 1e-13);
    assert_near(hit.after[1], along * 0.3_f64.sin(), 1e-13);
    let across = -3.0 * 0.3_f64.sin() + 0.3_f64.cos();
    assert_near(hit.impulses[0], -across, 1e-13);
}

/// Quasi-velocities jump with the rates.
#[test]
fn blows_know_speeds() {
    let text = "[coordinates]\nx = 1\n[start]\n\"x'\" = 1\n[speeds]\nu = \"2*x' + t\"\n[particle.P]\nmass = 3\nposition = \"[x, 0, 0]\"\n\
        [event.kick]\nwhen = \"t > 1\"\nimpulse = { generalized = { u = 6 } }\n\
        [event.still]\nwhen = \"t > 1.5\"\nset = { u = \"1.5\" }\n[run]\nspan = 2\n";
    let found = run(text);
    // A power per speed: p = 6·∂u/∂x' = 12.
    assert_near(found.happened[0].after[0], 5.0, 1e-12);
    assert_near(found.happened[1].after[0], 0.0, 1e-12);
    assert_near(found.coordinates[0], 1.0 + 1.0 + 2.5, 1e-10);
    let mechanism = mechanism(text);
    assert_eq!(mechanism.system.events.len(), 2);
}
