//! Runs with friction: slips that vanish, turn or are held.

use crate::support::{assert_close, mechanism, ran, read, text};
use dalembert::simulate::{RunOptions, SimulateError, Stop, simulate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::formulation::{Failure, Formulation};
use dalembert_mechanics::ids::ConstraintId;
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn over(span: f64) -> RunOptions {
    RunOptions {
        span: Some(span),
        samples: Some(11),
        rtol: Some(1e-10),
        ..RunOptions::default()
    }
}

/// Up and down again by every formulation, and the work is that of the friction.
#[test]
fn every_formulation_turns() {
    let mechanism = mechanism("sliding-block");
    let (s, c) = (0.5, 0.75_f64.sqrt());
    let (up, down) = (G * (s + 0.3 * c), G * (s - 0.3 * c));
    let (top, length) = (4.0 / up, 8.0 / up);
    let back = down * (1.0 - top).powi(2) / 2.0;
    let along = length - back;
    for formulation in Formulation::ALL {
        let options = RunOptions {
            formulation: Some(formulation),
            ..over(1.0)
        };
        let end = ran(&mechanism, &options).unwrap();
        let what = formulation.name();
        assert_close(&end.coordinates, &[along * c, along * s], 1e-10, what);
        let work = -0.3 * 2.0 * G * c * (length + back);
        assert_close(&[end.work], &[work], 1e-9, what);
        assert!(end.balance_error().abs() < 1e-9, "{what}");
        // Nothing is missing at the turn, and nothing comes twice.
        let times = &end.table.columns()[0].values;
        assert_eq!(times.len(), 11);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

/// A slope that friction can hold: the run ends at the top, to the last digits, and what was reached is kept.
#[test]
fn friction_holds_at_the_top() {
    let text = text("sliding-block").replace("mu    = 0.3", "mu    = 0.7");
    let Err(SimulateError::Stopped {
        why: Stop::Stuck(cause),
        so_far,
    }) = ran(&read(&text).unwrap(), &over(1.0))
    else {
        panic!("the block sticks");
    };
    let holds = true;
    assert_eq!(
        cause,
        Failure::AtRest {
            constraint: ConstraintId::new(0),
            holds
        }
    );
    let slowing = G * (0.5 + 0.7 * 0.75_f64.sqrt());
    assert_close(&[so_far.t_end], &[4.0 / slowing], 1e-10, "time");
    let along = 8.0 / slowing;
    let place = [along * 0.75_f64.sqrt(), along * 0.5];
    assert_close(&so_far.coordinates, &place, 1e-10, "place");
    assert_eq!(so_far.table.rows(), 4, "samples up to 0.3");
}

/// A ball thrown along a rough floor slides until its lowest point rests: then it has 5/7 of its speed. The place of
/// friction is written as a place, and is another point of the ball at each time.
#[test]
fn a_thrown_ball_comes_to_roll() {
    let text = r#"dalembert = 1
gravity = "[0, 0, -9.81]"
[parameters]
r = 0.3
[coordinates]
x = 0
z = "r"
phi = 0
[start]
"x'" = 2
[body.ball]
mass = 2
center = "[x, 0, z]"
attitude = "Ry(phi)"
shape = { sphere = { radius = "r" } }
[constraint.floor]
holds = "z = r"
friction = { coefficient = 0.2, at = "ball.center - [0, 0, r]" }
"#;
    let Err(SimulateError::Stopped {
        why: Stop::Stuck(_),
        so_far,
    }) = ran(&read(text).unwrap(), &over(1.0))
    else {
        panic!("the ball rolls");
    };
    let t = 2.0 * 2.0 / (7.0 * 0.2 * G);
    assert_close(&[so_far.t_end], &[t], 1e-9, "time");
    let x = 2.0 * t - 0.2 * G * t * t / 2.0;
    let phi = 2.5 * 0.2 * G / 0.3 * t * t / 2.0;
    assert_close(&so_far.coordinates, &[x, 0.3, phi], 1e-9, "place");
    let speed = 5.0 / 7.0 * 2.0;
    assert_close(&so_far.rates, &[speed, 0.0, speed / 0.3], 1e-9, "5/7");
}

/// Started from rest on a slope that does not hold.
#[test]
fn a_block_slides_off() {
    let text = text("sliding-block").replace("\"v0*cos(alpha)\"", "0");
    let end = ran(&read(&text).unwrap(), &over(1.0)).unwrap();
    let along = -G * (0.5 - 0.3 * 0.75_f64.sqrt()) / 2.0;
    let place = [along * 0.75_f64.sqrt(), along * 0.5];
    assert_close(&end.coordinates, &place, 1e-10, "place");
}

/// A smooth law comes near Coulomb's as its width shrinks, in proportion to it.
#[test]
fn smoothing_converges() {
    let exact = ran(&mechanism("sliding-block"), &over(1.0)).unwrap();
    let distance = |width: &str| {
        let friction = format!("coefficient = \"mu\", smoothing = {width}");
        let text = text("sliding-block").replace("coefficient = \"mu\"", &friction);
        let end = ran(&read(&text).unwrap(), &over(1.0)).unwrap();
        assert!(end.balance_error().abs() < 1e-7);
        (end.coordinates[0] - exact.coordinates[0]).abs()
    };
    let [wide, narrow, fine] = ["1e-2", "1e-3", "1e-4"].map(distance);
    assert!(wide < 2e-2 && wide > 1e-4, "{wide}");
    assert!((wide / narrow - 10.0).abs() < 1.0, "{wide} {narrow}");
    assert!((narrow / fine - 10.0).abs() < 1.0, "{narrow} {fine}");
}

/// A block on a slope in space, sent up with speeds along the slope and across it.
fn in_space(mu: f64, across: f64) -> Mechanism {
    let text = format!(
        "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = \"?\"\n\
         [start]\n\"x'\" = 3.2\n\"y'\" = {across}\n[particle.block]\nmass = 2\nposition = \"[x, y, z]\"\n\
         [constraint.plane]\nholds = \"4*z = 3*x\"\nfriction = {{ coefficient = {mu} }}\n"
    );
    read(&text).unwrap()
}

/// Straight up a slope in space and down again: the slip passes through nothing, and the run goes on.
#[test]
fn a_slip_in_a_plane_passes_through_zero() {
    let (up, down) = (G * (0.6 + 0.3 * 0.8), G * (0.6 - 0.3 * 0.8));
    let (top, length) = (4.0 / up, 8.0 / up);
    for formulation in Formulation::ALL {
        let options = RunOptions {
            formulation: Some(formulation),
            ..over(1.0)
        };
        let end = ran(&in_space(0.3, 0.0), &options).unwrap();
        let along = length - down * (1.0 - top).powi(2) / 2.0;
        let what = formulation.name();
        assert_close(
            &end.coordinates,
            &[0.8 * along, 0.0, 0.6 * along],
            1e-8,
            what,
        );
        assert!(end.balance_error().abs() < 1e-7, "{what}");
        assert_eq!(end.table.rows(), 11);
    }
    // Nearly straight it comes near zero and turns round, to nearly the same place.
    let straight = ran(&in_space(0.3, 0.0), &over(1.0)).unwrap();
    for across in [1e-3, 1e-6, 1e-9] {
        let end = ran(&in_space(0.3, across), &over(1.0)).unwrap();
        assert_close(
            &end.coordinates,
            &straight.coordinates,
            across + 1e-8,
            "oblique",
        );
        assert!(end.balance_error().abs() < 1e-7);
    }
    // Where friction holds it, it stays at the top.
    let Err(SimulateError::Stopped {
        why: Stop::Stuck(cause),
        so_far,
    }) = ran(&in_space(0.8, 0.0), &over(1.0))
    else {
        panic!("the block sticks");
    };
    let holds = true;
    assert_eq!(
        cause,
        Failure::AtRest {
            constraint: ConstraintId::new(0),
            holds
        }
    );
    assert_close(&[so_far.t_end], &[4.0 / (G * (0.6 + 0.64))], 3e-6, "time");
}

/// Down a slope in space from rest.
#[test]
fn a_slip_in_a_plane_begins() {
    let mechanism = in_space(0.3, 0.0);
    let mut start = mechanism.start().unwrap();
    start.state.rates.fill(0.0);
    let end = simulate(
        &mechanism,
        &start,
        &over(1.0),
        |_| ControlFlow::Continue(()),
    )
    .unwrap();
    let along = -G * (0.6 - 0.3 * 0.8) / 2.0;
    assert_close(
        &end.coordinates,
        &[0.8 * along, 0.0, 0.6 * along],
        1e-10,
        "down",
    );
    assert!(end.balance_error().abs() < 1e-9);
}

/// Dragged by a rope so that x = 3 t + ¾ t²: its force is m (a + μ g)/(c + μ s), and its work that times the way along it.
#[test]
fn a_rope_holds_a_program_against_friction() {
    let text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 3\n\
                [particle.block]\nmass = 2\nposition = \"[x, y, 0]\"\n\
                [force.rope]\non = \"block\"\nvector = \"[0.8, 0.6, 0]\"\n\
                [constraint.program]\nholds = \"x = 3*t + 3*t^2/4\"\nenforced_by = [\"rope\"]\n\
                [constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 0.25 }\n";
    let mechanism = read(text).unwrap();
    let force = 2.0 * (1.5 + 0.25 * G) / (0.8 + 0.25 * 0.6);
    let friction = 0.25 * (2.0 * G - 0.6 * force);
    let way = 3.75;
    for formulation in Formulation::ALL {
        let options = RunOptions {
            formulation: Some(formulation),
            ..over(1.0)
        };
        let end = ran(&mechanism, &options).unwrap();
        let what = formulation.name();
        assert_close(&end.coordinates, &[way, 0.0], 1e-12, what);
        assert_close(&[end.work], &[(0.8 * force - friction) * way], 1e-10, what);
        assert!(end.balance_error().abs() < 1e-9, "{what}");
    }
}

/// In a plane the slip ends without turning round: the run says where.
#[test]
fn a_puck_comes_to_rest() {
    let text = "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = 0\n\
                [start]\n\"x'\" = 3\n\"y'\" = 4\n[particle.puck]\nmass = 0.2\nposition = \"[x, y, z]\"\n\
                [constraint.ice]\nholds = \"z = 0\"\nfriction = { coefficient = 0.1 }\n";
    let mechanism = read(text).unwrap();
    let end = ran(&mechanism, &over(2.0)).unwrap();
    let left = 5.0 - 0.981 * 2.0;
    let along = (5.0 + left) / 2.0 * 2.0;
    assert_close(
        &end.coordinates,
        &[0.6 * along, 0.8 * along, 0.0],
        1e-10,
        "puck",
    );
    let Err(SimulateError::Stopped {
        why: Stop::Stuck(cause),
        so_far,
    }) = ran(&mechanism, &over(6.0))
    else {
        panic!("the puck rests");
    };
    let holds = true;
    assert_eq!(
        cause,
        Failure::AtRest {
            constraint: ConstraintId::new(0),
            holds
        }
    );
    assert_close(&[so_far.t_end], &[5.0 / 0.981], 1e-6, "time");
}

/// Two contacts of one body slip together and turn together.
#[test]
fn two_contacts_turn_at_once() {
    let text = "dalembert = 1\ngravity = \"[-3, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\na = 0\n\
                [start]\n\"x'\" = 1\n[body.bar]\nmass = 3\ninertia = [1, 1, 0.5]\n\
                center = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
                [constraint.left]\nholds = \"y - sin(a) = 0\"\nfriction = { coefficient = 0.2, at = \"point(bar, [-1, 0, 0])\" }\n\
                [constraint.right]\nholds = \"y + sin(a) = 0\"\nfriction = { coefficient = 0.1, at = \"point(bar, [1, 0, 0])\" }\n";
    let end = ran(&read(text).unwrap(), &over(1.0)).unwrap();
    // Each carries half of the weight.
    let friction = 0.15 * G;
    let top = 1.0 / (3.0 + friction);
    let place = top / 2.0 - (3.0 - friction) * (1.0 - top).powi(2) / 2.0;
    assert_close(&end.coordinates, &[place, 0.0, 0.0], 1e-10, "bar");
}
