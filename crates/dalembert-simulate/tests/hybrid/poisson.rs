//! Poisson's restitution with friction: the impulse of compression, and a part of it that comes back, along which slips stop and turn back.

use super::{assert_near, run, run_with};
use dalembert_mechanics::contacts::NoContact;
use dalembert_simulate::{Happened, RunOptions, SimulateError, Stop};

/// A rod of length 2 and mass 1 at an angle from the floor, whose lower end meets the floor at t = 0 with the velocity (u, −v).
fn rod(angle: f64, [u, v]: [f64; 2], mu: f64, restitution: &str) -> String {
    format!(
        "[coordinates]\nx = 0\ny = {}\na = {angle}\n[start]\n\"x'\" = {u}\n\"y'\" = {}\n\
         [body.rod]\nmass = 1\ninertia = [0, 0, \"1/3\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\npoint = {{ foot = \"[-1, 0, 0]\" }}\n\
         [constraint.floor]\nholds = \"pos(rod.foot).y >= 0\"\nrestitution = {restitution}\nfriction = {{ coefficient = {mu}, at = \"rod.foot\" }}\n\
         [run]\nspan = 0.01\n",
        angle.sin(),
        -v
    )
}

/// The impulses that the rates of a rod have jumped by.
fn impulses(hit: &Happened) -> [f64; 2] {
    let jump = |i: usize| hit.after[i] - hit.before[i];
    [jump(1), jump(0)]
}

/// W of the foot, along and across the floor's normal.
fn mobility(angle: f64) -> [f64; 3] {
    let (sin, cos) = angle.sin_cos();
    [
        1.0 + 3.0 * cos * cos,
        -3.0 * sin * cos,
        1.0 + 3.0 * sin * sin,
    ]
}

/// Closed forms of Wang and Mason (1992): it slips all the way; it stops in compression and sticks; it stops and is driven back.
#[test]
fn a_rough_rod_slips_sticks_or_turns_back_in_an_impact() {
    let (e, v) = (0.6, 2.0);
    // Slides on: the slip is too fast to stop.
    let (angle, u, mu) = (1.2, 5.0, 0.2);
    let [nn, nt, _] = mobility(angle);
    let found = run(&rod(angle, [u, v], mu, "{ poisson = 0.6 }"));
    let normal = (1.0 + e) * v / (nn - mu * nt);
    let [pressed, rubbed] = impulses(&found.happened[0]);
    assert_near(pressed, normal, 1e-9);
    assert_near(rubbed, -mu * normal, 1e-9);
    assert_near(found.happened[0].impulses[0], normal, 1e-9);
    // Stops in compression, and sticks from there on: −Wₜₙ/Wₜₜ is within μ.
    let (angle, u, mu) = (1.0, 0.3, 0.8);
    let [nn, nt, tt] = mobility(angle);
    assert!((nt / tt).abs() < mu);
    let found = run(&rod(angle, [u, v], mu, "{ poisson = 0.6 }"));
    let stops = u / (mu * tt - nt);
    let gap = -v + stops * (nn - mu * nt);
    let normal = (1.0 + e) * (stops - gap / (nn - nt * nt / tt));
    let [pressed, rubbed] = impulses(&found.happened[0]);
    assert_near(pressed, normal, 1e-9);
    assert_near(rubbed, -mu * stops - nt / tt * (normal - stops), 1e-9);
    // Stops, and is driven back by the normal impulse, which friction does not hold.
    let (angle, u, mu) = (1.0, 0.3, 0.2);
    let [nn, nt, tt] = mobility(angle);
    assert!((nt / tt).abs() > mu);
    let found = run(&rod(angle, [u, v], mu, "{ poisson = 0.6 }"));
    let stops = u / (mu * tt - nt);
    let gap = -v + stops * (nn - mu * nt);
    let normal = (1.0 + e) * (stops - gap / (nn + mu * nt));
    let [pressed, rubbed] = impulses(&found.happened[0]);
    assert_near(pressed, normal, 1e-9);
    assert_near(rubbed, -mu * stops + mu * (normal - stops), 1e-9);
}

/// Where slip is driven on by the normal impulse, Newton's restitution may bring energy, which is refused; Poisson's loses some.
#[test]
fn poissons_restitution_brings_no_energy_where_newtons_would() {
    let mut grew = 0;
    for k in 1..60 {
        let angle = 0.025 * f64::from(k);
        for mu in [0.3, 0.7, 1.5] {
            let text = |restitution: &str| rod(angle, [0.66, 1.0], mu, restitution);
            let newton = run_with(&text("0.9"), &RunOptions::default());
            let grows = matches!(
                newton,
                Err(SimulateError::Stopped {
                    why: Stop::NoContact {
                        why: NoContact::Grows { .. },
                        ..
                    },
                    ..
                })
            );
            grew += usize::from(grows);
            let poisson = run(&text("{ poisson = 0.9 }"));
            let hit = &poisson.happened[0];
            let energy = |rates: &[f64]| {
                0.5 * (rates[0].powi(2) + rates[1].powi(2)) + rates[2].powi(2) / 6.0
            };
            let lost = energy(&hit.before) - energy(&hit.after);
            assert!(lost >= -1e-12, "{angle} {mu}: {lost}");
            assert_near(hit.lost.unwrap_or(f64::NAN), lost, 1e-9);
        }
    }
    println!("Newton's restitution would have brought energy {grew} times");
    assert!(grew > 0);
}

/// The slip of a ball keeps its direction in a plane, so that its impact is that of a line: what spins is stopped, or rubbed at all the way.
#[test]
fn a_spinning_ball_bounces_as_along_a_line() {
    let text = |spin: f64, mu: f64| {
        format!(
            "[body.ball]\nmass = 2\nshape = {{ sphere = {{ radius = 0.1 }} }}\n\
             start = {{ center = \"[0, 0, 0.1]\", velocity = \"[3, 1, -2]\", omega = \"[0, {spin}, 0]\" }}\n\
             [contact.floor]\nbetween = [\"ball\", \"ground\"]\nplane = {{ normal = \"[0, 0, 1]\" }}\nrestitution = {{ poisson = 0.5 }}\n\
             friction = {{ coefficient = {mu} }}\n[run]\nspan = 0.01\n"
        )
    };
    let rate = |found: &dalembert_simulate::Simulation, name: &str| {
        let column = found.table.column(name).expect("a column");
        *column.values.last().expect("samples")
    };
    // All the way: 2 · 1.5 · 2 of impulse, μ times that against the slip (3 − 0.1 · 20, 1).
    let found = run(&text(20.0, 0.1));
    let part = 0.1 * 3.0 / 2.0_f64.sqrt();
    assert_near(rate(&found, "ball.x'"), 3.0 - part, 1e-9);
    assert_near(rate(&found, "ball.y'"), 1.0 - part, 1e-9);
    assert_near(rate(&found, "ball.z'"), 1.0, 1e-9);
    // Stopped: 2/7 of the slip.
    let found = run(&text(20.0, 1.0));
    assert_near(rate(&found, "ball.x'"), 3.0 - 2.0 / 7.0, 1e-9);
    assert_near(rate(&found, "ball.y'"), 1.0 - 2.0 / 7.0, 1e-9);
}

/// What one contact alone does not decide is refused by name: two that act on each other, and a slip that turns on the way.
#[test]
fn what_one_contact_does_not_decide_is_refused() {
    let refused = |text: &str| match run_with(text, &RunOptions::default()) {
        Err(SimulateError::Stopped {
            why: Stop::NoContact { why, .. },
            ..
        }) => why,
        other => panic!("{other:?}"),
    };
    let both = "gravity = \"[0, -10, 0]\"\nplanar = true\n[body.block]\nmass = 1\nshape = { box = { size = [1, 1, 1] } }\n\
        start = { center = \"[0, 1, 0]\", velocity = \"[1, 0, 0]\" }\n\
        [contact.floor]\nbetween = [\"block\", \"ground\"]\nplane = { normal = \"[0, 1, 0]\" }\nrestitution = { poisson = 0.5 }\nfriction = { coefficient = 0.3 }\n\
        [run]\nspan = 1\n";
    assert!(matches!(refused(both), NoContact::RoughCompression(of) if of.len() == 2));
    let corner = "[body.block]\nmass = 1\nshape = { box = { size = [1, 2, 3] } }\n\
        start = { center = \"[0, 0, 2]\", attitude = \"Rx(0.3) Ry(0.4)\", velocity = \"[1, 0.5, -2]\" }\n\
        [contact.floor]\nbetween = [\"block\", \"ground\"]\nplane = { normal = \"[0, 0, 1]\" }\nrestitution = { poisson = 0.5 }\nfriction = { coefficient = 0.3 }\n\
        [run]\nspan = 2\n";
    assert!(matches!(refused(corner), NoContact::TurningSlip(_)));
    // Two that touch at once and do not act on each other are followed each by itself.
    let apart = "gravity = \"[0, -10, 0]\"\n[coordinates]\nx = 0\ny = 1\nu = 5\nv = 1\n[start]\n\"x'\" = 1\n\"u'\" = -1\n\
        [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n[particle.Q]\nmass = 2\nposition = \"[u, v, 0]\"\n\
        [constraint.a]\nholds = \"y >= 0\"\nrestitution = { poisson = 0.5 }\nfriction = { coefficient = 0.1 }\n\
        [constraint.b]\nholds = \"v >= 0\"\nrestitution = { poisson = 0.5 }\nfriction = { coefficient = 0.1 }\n[run]\nspan = 0.5\n";
    let found = run(apart);
    let speed = 20.0_f64.sqrt();
    assert_near(found.rates[0], 1.0 - 0.1 * 1.5 * speed, 1e-9);
    assert_near(found.rates[2], -1.0 + 0.1 * 1.5 * speed, 1e-9);
}
