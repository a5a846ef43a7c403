//! Contacts beside other laws: friction of equations, dry friction, rows held by forces, friction of bearings; against closed forms.

use super::{assert_near, run, run_with};
use dalembert_mechanics::contacts::NoContact;
use dalembert_simulate::{Happening, RunOptions, SimulateError, Simulation, Stop};

const G: f64 = 9.81;

/// When something slips, or sticks.
fn change(found: &Simulation, held: bool) -> f64 {
    let slip = found.slips.iter().find(|it| it.held == held);
    slip.unwrap_or_else(|| panic!("{:?}", found.slips)).t
}

/// Along a rough rail, which is an equation, to a stop, which is a contact: friction slows it, half of its speed comes back, and it sticks.
#[test]
fn a_block_on_a_rough_rail_comes_back_from_a_stop_and_sticks() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 4\n\
        [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.rail]\nholds = \"y = 0\"\nfriction = { coefficient = 0.3 }\n\
        [constraint.stop]\nholds = \"x <= 1\"\nrestitution = 0.5\n[run]\nspan = 3\n";
    let found = run(text);
    let a = 0.3 * G;
    let speed = (16.0 - 2.0 * a).sqrt();
    let hit = &found.happened[0];
    assert_eq!(hit.of, Happening::Impact(vec![0]));
    assert_near(hit.t, (4.0 - speed) / a, 1e-9);
    assert_near(hit.after[0], -0.5 * speed, 1e-9);
    assert_near(hit.lost.unwrap(), 0.75 * speed * speed, 1e-9);
    let stop = hit.t + 0.5 * speed / a;
    let held = found.slips.iter().rfind(|it| it.held).expect("it sticks");
    assert_near(held.t, stop, 1e-9);
    assert_near(
        found.coordinates[0],
        1.0 - 0.25 * speed * speed / (2.0 * a),
        1e-9,
    );
    assert!(found.balance_error().abs() < 1e-9);
}

/// A block lies on a rough floor, and a damper of dry friction holds it besides: it slips where the push is more than both together.
#[test]
fn a_contact_with_friction_and_dry_friction_hold_together() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.floor]\nholds = \"y >= 0\"\nfriction = { coefficient = 0.25 }\n[spring.damper]\non = \"x\"\ndry = 3\n\
        [force.push]\ngeneralized = { x = \"5*t\" }\n[run]\nspan = 3\n";
    let found = run(text);
    let holds = 0.25 * 2.0 * G + 3.0;
    let begins = holds / 5.0;
    assert_near(change(&found, false), begins, 1e-9);
    let after = 3.0 - begins;
    assert_near(found.rates[0], 5.0 * after * after / 4.0, 1e-9);
    assert!(found.balance_error().abs() < 1e-9);
}

/// A bar on a floor with dry friction in its hinge: the floor presses no more where the pull carries the weight, and the bar turns
/// where the pull overcomes the friction as well.
#[test]
fn a_bar_with_a_stiff_hinge_leaves_the_floor_late() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\na = 0\n\
        [body.bar]\nmass = 3\ninertia = [0, 0, 0.25]\ncenter = \"0.5*[cos(a), sin(a), 0]\"\nattitude = \"Rz(a)\"\n\
        [spring.hinge]\non = \"a\"\ndry = 2\n[constraint.floor]\nholds = \"a >= 0\"\n\
        [force.pull]\ngeneralized = { a = \"8*t\" }\n[run]\nspan = 2.4\n";
    let found = run(text);
    let weight = 3.0 * G * 0.5;
    let opens = found.happened.iter().find(|it| it.of == Happening::Open(0));
    assert_near(opens.expect("it opens").t, weight / 8.0, 1e-9);
    assert_near(change(&found, false), (weight + 2.0) / 8.0, 1e-9);
    assert!(found.coordinates[0] > 0.0);
    assert!(found.balance_error().abs() < 1e-9);
}

/// A motor pulls a cart, and the load on it as much, so that the cart follows a program: while the load sticks, each pull is half of what both need.
#[test]
fn a_load_that_sticks_hands_on_the_force_of_a_motor() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\nu = 0\nv = 0\n[start]\n\"x'\" = 0.6\n\"u'\" = 0.6\n\
        [particle.load]\nmass = 2\nposition = \"[u, v, 0]\"\n\
        [body.cart]\nmass = 5\ninertia = [1, 1, 1]\ncenter = \"[x, -1, 0]\"\nattitude = \"Rz(0)\"\n\
        [constraint.lies]\nholds = \"v >= 0\"\nfriction = { coefficient = 0.5, at = \"load\", against = \"cart\" }\n\
        [force.motor]\ngeneralized = { x = 1, u = 1 }\n\
        [constraint.program]\nholds = \"x = 0.3*sin(2*t)\"\nenforced_by = [\"motor\"]\n\
        [run]\nspan = 2\nsamples = 41\nrecord = [\"lambda(program)\", \"lambda(lies)\"]\n";
    let found = run(text);
    let column = |name: &str| found.table.column(name).expect("recorded").values.to_vec();
    let (t, motor, press) = (
        column("t"),
        column("lambda(program)"),
        column("lambda(lies)"),
    );
    for ((t, motor), press) in t.iter().zip(motor).zip(press) {
        assert_near(motor, -3.5 * 1.2 * (2.0 * t).sin(), 1e-8);
        assert_near(press, 2.0 * G, 1e-9);
    }
    assert_near(found.coordinates[1], 0.3 * 4.0_f64.sin(), 1e-9);
    // With less friction the load slides, and the cart follows still.
    let weak = text.replace("coefficient = 0.5", "coefficient = 0.05");
    let weak = weak
        .replace("0.3*sin(2*t)", "0.3*sin(6*t)")
        .replace("= 0.6", "= 1.8");
    let found = run(&weak);
    assert_near(found.coordinates[0], 0.3 * 12.0_f64.sin(), 1e-8);
    assert!(found.slips.iter().any(|it| !it.held), "{:?}", found.slips);
    assert!(found.balance_error().abs() < 1e-8);
}

/// A balanced wheel in a bearing of radius r: the friction of its weight, μ r m g, stops it, and holds it until a torque is more.
#[test]
fn friction_of_a_bearing_stops_a_wheel_and_holds_it() {
    let text = "planar = true\ngravity = \"[0, -9.81, 0]\"\n\
        [body.wheel]\nmass = 4\ninertia = [1, 1, 0.5]\nstart = { omega = \"[0, 0, 3]\" }\n\
        [joint.A]\ntype = \"revolute\"\nbetween = [\"point(ground, [0, 0, 0])\", \"wheel.center\"]\n\
        [spring.bearing]\non = \"A.angle\"\ndry = '0.2*0.05*norm(reaction(A, on = \"wheel\"))'\n\
        [force.torque]\non = \"wheel\"\ntorque = \"[0, 0, step(t - 5)*(t - 5)*0.1]\"\n\
        [constraint.stop]\nholds = \"A.angle <= 60\"\n\
        [run]\nspan = 12\n";
    let found = run(text);
    let friction = 0.2 * 0.05 * 4.0 * G;
    assert_near(change(&found, true), 0.5 * 3.0 / friction, 1e-9);
    let begins = 5.0 + friction / 0.1;
    let again = found.slips.iter().rfind(|it| !it.held).expect("it turns");
    assert_near(again.t, begins, 1e-9);
    let after = 12.0 - begins;
    assert_near(
        found.rates.last().copied().unwrap(),
        0.1 * after * after,
        1e-8,
    );
}

/// Ten blocks on one floor, tied by dry friction and pushed: more contacts than all sets are tried of.
#[test]
fn many_contacts_beside_dry_friction() {
    let mut text = String::from("gravity = \"[0, -9.81, 0]\"\n[coordinates]\n");
    for i in 0..10 {
        text += &format!("x{i} = {i}\ny{i} = 0\n");
    }
    for i in 0..10 {
        text += &format!(
            "[particle.P{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\"\n[constraint.floor{i}]\nholds = \"y{i} >= 0\"\n"
        );
    }
    for i in 0..9 {
        let next = i + 1;
        text += &format!("[spring.s{i}]\non = \"x{next} - x{i}\"\ndry = 1\n");
    }
    // The last is pulled with more than its tie holds, and up with more than its weight after a second.
    text += "[force.pull]\ngeneralized = { x9 = \"3\", y9 = \"9.81*t\" }\n[run]\nspan = 1.5\n";
    let found = run(&text);
    let opens = found.happened.iter().find(|it| it.of == Happening::Open(9));
    assert_near(opens.expect("it lifts").t, 1.0, 1e-9);
    assert_near(found.rates[18], 2.0 * 1.5, 1e-9);
    // The others stay together, pulled by one.
    for i in 0..9 {
        assert_near(found.rates[2 * i], 1.5 / 9.0, 1e-9);
    }
    let up = G * 0.125;
    assert_near(found.rates[19], up, 1e-8);
}

/// Friction of an equation has no impulses: an impact that would need some is refused by name.
#[test]
fn an_impact_that_a_rough_rail_takes_part_in_is_refused() {
    let text = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 4\n[particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.rail]\nholds = \"y = 0.5*x\"\nfriction = { coefficient = 0.3 }\n\
        [constraint.stop]\nholds = \"x <= 1\"\n[run]\nspan = 3\n";
    match run_with(text, &RunOptions::default()) {
        Err(SimulateError::Stopped { why, .. }) => assert!(
            matches!(&why, Stop::NoContact { why: NoContact::Lawful(row), .. } if row.index() == 0),
            "{why:?}"
        ),
        other => panic!("{other:?}"),
    }
}
