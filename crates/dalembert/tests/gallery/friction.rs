//! Runs with friction: slips that vanish, turn, are held and begin.

use crate::support::{assert_close, mechanism, ran, read, text};
use dalembert::simulate::{RunOptions, simulate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::formulation::Formulation;
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

/// A slope that friction can hold: the block stays at the top, by every formulation and integrator.
#[test]
fn friction_holds_at_the_top() {
    let text = text("sliding-block").replace("mu    = 0.3", "mu    = 0.7");
    let slowing = G * (0.5 + 0.7 * 0.75_f64.sqrt());
    let along = 8.0 / slowing;
    let place = [along * 0.75_f64.sqrt(), along * 0.5];
    for formulation in Formulation::ALL {
        let options = RunOptions {
            formulation: Some(formulation),
            ..over(100.0)
        };
        let end = ran(&read(&text).unwrap(), &options).unwrap();
        let what = formulation.name();
        assert_close(&end.coordinates, &place, 1e-10, what);
        assert!(end.rates.iter().all(|rate| rate.abs() < 1e-13), "{what}");
        assert_eq!(end.table.rows(), 11, "{what}");
        assert!(end.balance_error().abs() < 1e-8, "{what}");
    }
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
    let end = ran(&read(text).unwrap(), &over(1.0)).unwrap();
    let t = 2.0 * 2.0 / (7.0 * 0.2 * G);
    let speed = 5.0 / 7.0 * 2.0;
    // Then it rolls on.
    let x = 2.0 * t - 0.2 * G * t * t / 2.0 + speed * (1.0 - t);
    let phi = 2.5 * 0.2 * G / 0.3 * t * t / 2.0 + speed / 0.3 * (1.0 - t);
    assert_close(&end.coordinates, &[x, 0.3, phi], 1e-9, "place");
    assert_close(&end.rates, &[speed, 0.0, speed / 0.3], 1e-9, "5/7");
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
    let end = ran(&in_space(0.8, 0.0), &over(1.0)).unwrap();
    let along = 8.0 / (G * (0.6 + 0.64));
    let top = [0.8 * along, 0.0, 0.6 * along];
    assert_close(&end.coordinates, &top, 1e-9, "top");
    assert!(end.rates.iter().all(|rate| rate.abs() < 1e-13));
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

/// In a plane the slip ends without turning round, and stays.
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
    let end = ran(&mechanism, &over(20.0)).unwrap();
    let along = 25.0 / (2.0 * 0.981);
    let place = [0.6 * along, 0.8 * along, 0.0];
    assert_close(&end.coordinates, &place, 1e-9, "rest");
    assert!(end.rates.iter().all(|rate| rate.abs() < 1e-13));
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

/// A block on a belt that runs at v, held by a spring k, with static friction μ_s and sliding friction μ: from the end of a slip on it is
/// carried along for 2 D/v, D = (μ_s − μ) m g/k, and then slides for (2 π − 2 atan(D ω/v))/ω, back to where it was.
#[test]
fn a_block_on_a_belt_sticks_and_slips_with_the_period_of_the_textbook() {
    let (stiffness, static_, sliding, speed): (f64, f64, f64, f64) = (50.0, 0.6, 0.4, 0.3);
    let mass = 2.0;
    let omega = (stiffness / mass).sqrt();
    let reach = (static_ - sliding) * mass * G / stiffness;
    let middle = sliding * mass * G / stiffness;
    let first = middle - reach;
    let text = format!(
        "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = {first}\ny = 0\n[start]\n\"x'\" = {speed}\n\
         [particle.block]\nmass = {mass}\nposition = \"[x, y, 0]\"\n\
         [body.belt]\nmass = 1\ninertia = [1, 1, 1]\ncenter = \"[{speed}*t, 0, 0]\"\nattitude = \"Rz(0)\"\n\
         [spring.S]\non = \"x\"\nstiffness = {stiffness}\n\
         [constraint.on]\nholds = \"y = 0\"\n\
         friction = {{ coefficient = {sliding}, static = {static_}, at = \"block\", against = \"belt\" }}\n"
    );
    let mechanism = read(&text).unwrap();
    let stuck = 2.0 * reach / speed;
    let slid = (std::f64::consts::TAU - 2.0 * (reach * omega / speed).atan()) / omega;
    let period = stuck + slid;
    for formulation in [Formulation::Multipliers, Formulation::Independent] {
        let options = RunOptions {
            formulation: Some(formulation),
            ..over(5.0 * period + 0.5 * stuck)
        };
        let end = ran(&mechanism, &options).unwrap();
        let place = first + 0.5 * stuck * speed;
        assert_close(&end.coordinates, &[place, 0.0], 1e-8, "place");
        assert_close(&end.rates, &[speed, 0.0], 1e-8, "carried along");
        assert_eq!(end.slips.len(), 11, "{:?}", end.slips);
        for (change, slip) in end.slips[1..].chunks(2).zip(0..5) {
            let begins = f64::from(slip) * period + stuck;
            assert_close(
                &[change[0].t, change[1].t],
                &[begins, begins + slid],
                1e-8,
                "times",
            );
            assert!(!change[0].held && change[1].held);
        }
    }
}

/// Dry friction of given size in a spring: swings shrink by 4 F₀/k, and end where the spring pulls less than it.
#[test]
fn dry_friction_of_a_spring_ends_its_swings() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
                [spring.S]\nbetween = [\"point(ground, [-3, 0, 0])\", \"P\"]\nlength = 3\nstiffness = 4\ndry = 0.5\n";
    let mechanism = read(text).unwrap();
    // Half swings of π/2 seconds: 1, −0.75, 0.5, −0.25, 0, and there it stays.
    let quarter = std::f64::consts::FRAC_PI_2;
    let near = ran(&mechanism, &over(3.0 * quarter)).unwrap();
    assert_close(&near.coordinates, &[-0.25], 1e-9, "third turn");
    let end = ran(&mechanism, &over(50.0)).unwrap();
    assert!(end.coordinates[0].abs() < 1e-8 && end.rates[0].abs() < 1e-13);
    assert_eq!(end.slips.last().map(|it| it.held), Some(true));
    assert_close(&[end.work], &[-2.0], 1e-8, "work");
    // Pulled up slowly it begins to move where the pull is F₀.
    let pulled = text.replace("x = 1\n", "x = 0\n")
        + "[force.pull]\non = \"P\"\nvector = \"[t/10, 0, 0]\"\n";
    let mechanism = read(&pulled).unwrap();
    let end = ran(&mechanism, &over(4.9)).unwrap();
    assert_eq!(end.coordinates, [0.0]);
    let end = ran(&mechanism, &over(6.0)).unwrap();
    assert_close(&[end.slips[1].t], &[5.0], 1e-12, "begins");
    // 4 x + x'' = (t − 5)/10
    let place = (1.0 - 2.0_f64.sin() / 2.0) / 40.0;
    assert_close(&end.coordinates, &[place], 1e-9, "moves");
}

/// A push that swings about what friction holds moves a block only while it is more, however long the steps may be meanwhile.
#[test]
fn pushes_beyond_friction_are_not_missed() {
    let text = "dalembert = 1\n[coordinates]\nx = 0\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
                [spring.S]\non = \"x\"\ndry = 1\n[force.push]\non = \"P\"\nvector = \"[1.0001*sin(t)^9, 0, 0]\"\n";
    let end = ran(&read(text).unwrap(), &over(100.0)).unwrap();
    // Sixteen times to the right, and as often to the left.
    let begins = end.slips.iter().filter(|change| !change.held);
    assert_eq!(begins.count(), 32, "{:?}", end.slips);
}

/// Two feet of one block share what holds it; in a plane too.
#[test]
fn two_feet_hold_together() {
    for (pull, holds) in [(4.4, true), (4.5, false)] {
        let text = format!(
            "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\na = 0\n\
             [body.bar]\nmass = 3\ninertia = [1, 1, 0.5]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
             [force.pull]\non = \"bar\"\nvector = \"[{pull}, 0, 0]\"\n\
             [constraint.left]\nholds = \"y - sin(a) = 0\"\nfriction = {{ coefficient = 0.2, at = \"point(bar, [-1, 0, 0])\" }}\n\
             [constraint.right]\nholds = \"y + 3*sin(a) = 0\"\nfriction = {{ coefficient = 0.0, static = 0.0, at = \"point(bar, [3, 0, 0])\" }}\n"
        );
        // The left foot carries three quarters of the weight.
        let end = ran(&read(&text).unwrap(), &over(1.0)).unwrap();
        let pushed = (pull - 0.2 * 0.75 * 3.0 * G) / 3.0;
        let place = if holds { 0.0 } else { pushed / 2.0 };
        assert!(
            (end.coordinates[0] - place).abs() < 1e-10,
            "{:?}",
            end.coordinates
        );
        let both = text.replace("0.0, static = 0.0", "0.1, static = 0.2");
        let end = ran(&read(&both).unwrap(), &over(1.0)).unwrap();
        assert!(end.coordinates[0].abs() < 1e-14, "both hold {pull}");
    }
}

/// Two bodies in planes of their own begin one after the other.
#[test]
fn slips_in_two_planes_are_decided_at_once() {
    let text = "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = 0\nu = 1\nv = 0\nw = 0\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, z]\"\n[particle.Q]\nmass = 1\nposition = \"[u, v, w]\"\n\
                [force.pull]\non = \"Q\"\nvector = \"[3, 4, 0]\"\n\
                [constraint.first]\nholds = \"z = 0\"\nfriction = { coefficient = 0.3 }\n\
                [constraint.second]\nholds = \"w = 0\"\nfriction = { coefficient = 0.3 }\n";
    let end = ran(&read(text).unwrap(), &over(1.0)).unwrap();
    let along = (5.0 - 0.3 * G) / 2.0;
    let place = [0.0, 0.0, 0.0, 1.0 + 0.6 * along, 0.8 * along, 0.0];
    assert_close(&end.coordinates, &place, 1e-9, "place");
}

/// Fifty blocks in a row, with springs between them, each held by dry friction, pushed from one end: each moves after the one before it, and none back.
#[test]
fn fifty_blocks_in_a_row_stick_and_slip() {
    let count = 50;
    let mut text = "dalembert = 1\n[coordinates]\n".to_owned();
    (0..count).for_each(|i| text += &format!("x{i} = 0\n"));
    for i in 0..count {
        text += &format!("[particle.P{i}]\nmass = 1\nposition = \"[x{i}, 0, 0]\"\n");
        text += &format!("[spring.d{i}]\non = \"x{i}\"\ndry = 1\n");
        let before = match i {
            0 => "t/5".to_owned(),
            _ => format!("x{}", i - 1),
        };
        text += &format!("[spring.s{i}]\non = \"{before} - x{i}\"\nstiffness = 100\n");
    }
    let options = RunOptions {
        span: Some(10.0),
        samples: Some(101),
        rtol: Some(1e-6),
        ..RunOptions::default()
    };
    let end = ran(&read(&text).unwrap(), &options).unwrap();
    println!(
        "{} changes, {} steps, {} s",
        end.slips.len(),
        end.steps,
        end.wall_s
    );
    // All stick at the start.
    assert!(end.slips.len() > count + 20, "{}", end.slips.len());
    let places = &end.coordinates;
    assert!(
        places.windows(2).all(|pair| pair[0] >= pair[1]),
        "{places:?}"
    );
    // What the spring at the end has pushed is work of friction, and energy.
    assert!(end.balance_error().abs() < 1e-4, "{}", end.balance_error());
    for column in &end.table.columns()[1..=count] {
        assert!(
            column
                .values
                .windows(2)
                .all(|pair| pair[1] >= pair[0] - 1e-6)
        );
    }
}
