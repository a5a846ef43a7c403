//! Contacts by shape, against closed forms and against the same gaps written by hand.

use super::{assert_near, run};
use dalembert_mechanics::read_model;
use dalembert_simulate::{Happening, Simulation};

const G: f64 = 9.81;

/// The value of a coordinate or a rate at the end.
fn at_end(found: &Simulation, name: &str) -> f64 {
    let column = found.table.column(name);
    let column = column.unwrap_or_else(|| panic!("no column {name}"));
    *column.values.last().expect("samples")
}

/// A ball rolls down a rough slope with 5/7 of what it would slide with.
#[test]
fn a_ball_rolls_down_a_slope() {
    let text = "gravity = \"[0, 0, -9.81]\"\n[parameters]\na = 0.3\nr = 0.1\n\
        [body.ball]\nmass = 2\nshape = { sphere = { radius = \"r\" } }\nstart = { center = \"[r*sin(a), 0, r*cos(a)]\" }\n\
        [contact.slope]\nbetween = [\"ball\", \"ground\"]\nplane = { normal = \"[2*sin(a), 0, 2*cos(a)]\" }\nfriction = { coefficient = 0.5 }\n\
        [run]\nspan = 1\n";
    let found = run(text);
    let way = 0.5 * 5.0 / 7.0 * G * 0.3_f64.sin();
    let along = at_end(&found, "ball.x") - 0.1 * 0.3_f64.sin();
    assert_near(along, way * 0.3_f64.cos(), 1e-8);
    assert!(
        found.balance_error().abs() < 1e-8,
        "{}",
        found.balance_error()
    );
}

/// Two equal balls that meet head-on without loss change their velocities; one that comes askew hands on its part along the line of centres.
#[test]
fn balls_strike_each_other() {
    let text = |offset: f64| {
        format!(
            "[body.A]\nmass = 1\nshape = {{ sphere = {{ radius = 0.5 }} }}\nstart = {{ center = \"[-2, {offset}, 0]\", velocity = \"[1, 0, 0]\" }}\n\
             [body.B]\nmass = 1\nshape = {{ sphere = {{ radius = 0.5 }} }}\n\
             [contact.meet]\nbetween = [\"A\", \"B\"]\nrestitution = 1\n[run]\nspan = 2\n"
        )
    };
    let found = run(&text(0.0));
    assert_near(found.happened[0].t, 1.0, 1e-9);
    assert_near(at_end(&found, "A.x'"), 0.0, 1e-9);
    assert_near(at_end(&found, "B.x'"), 1.0, 1e-9);
    // The line of centres stands at 30 degrees.
    let found = run(&text(0.5));
    assert_near(at_end(&found, "B.x'"), 0.75, 1e-9);
    assert_near(at_end(&found, "B.y'"), -0.75_f64.sqrt() * 0.5, 1e-9);
    assert_near(at_end(&found, "A.x'"), 0.25, 1e-9);
}

/// Without friction the centre of a ball in a bowl is a pendulum; on a bowl that is carried along by a body, too.
#[test]
fn a_ball_slides_in_a_bowl() {
    let ball = "[body.ball]\nmass = 2\nshape = { sphere = { radius = 0.1 } }\nstart = { center = \"[0.9*sin(1), 1 - 0.9*cos(1), 0]\" }\n";
    let text = format!(
        "planar = true\ngravity = \"[0, -9.81, 0]\"\n{ball}\
         [contact.bowl]\nbetween = [\"ball\", \"ground\"]\nbowl = {{ center = \"[0, 1, 0]\", radius = 1 }}\n[run]\nspan = 5\nuntil = \"ball.x < 0\"\n"
    );
    let found = run(&text);
    let speed = (2.0 * G * 0.9 * (1.0 - 1.0_f64.cos())).sqrt();
    assert_near(at_end(&found, "ball.x'"), -speed, 1e-8);
    let carried = format!(
        "planar = true\ngravity = \"[0, -9.81, 0]\"\n{ball}\
         [body.cup]\nmass = 1\ninertia = [1, 1, 1]\nstart = {{ center = \"[3, 1, 0]\" }}\n\
         [joint.fixed]\ntype = \"weld\"\nbetween = [\"point(ground, [3, 1, 0])\", \"cup\"]\n\
         [contact.bowl]\nbetween = [\"ball\", \"cup\"]\nbowl = {{ center = \"[-3, 0, 0]\", radius = 1 }}\n[run]\nspan = 5\nuntil = \"ball.x < 0\"\n"
    );
    let found = run(&carried);
    assert_near(at_end(&found, "ball.x'"), -speed, 1e-8);
}

/// A box thrown flat along a rough floor lands on four corners, which share its weight in many ways, and slides to rest after v²/2 μ g.
#[test]
fn a_box_slides_over_a_rough_floor_in_space() {
    let text = "gravity = \"[0, 0, -9.81]\"\n[body.crate]\nmass = 2\nshape = { box = { size = [1, 0.6, 0.4] } }\n\
        start = { center = \"[0, 0, 0.2]\", velocity = \"[1.5, 1, 0]\" }\n\
        [contact.floor]\nbetween = [\"crate\", \"ground\"]\nplane = { normal = \"[0, 0, 1]\" }\nfriction = { coefficient = 0.3 }\n[run]\nspan = 1\n";
    let found = run(text);
    let way = (1.5 * 1.5 + 1.0) / (2.0 * 0.3 * G);
    let part = way / 3.25_f64.sqrt();
    assert_near(at_end(&found, "crate.x"), 1.5 * part, 1e-7);
    assert_near(at_end(&found, "crate.y"), part, 1e-7);
    assert_near(at_end(&found, "crate.z"), 0.2, 1e-9);
    assert!(at_end(&found, "crate.x'").abs() < 1e-9);
    assert!(found.balance_error().abs() < 1e-8);
    // That the corners share its weight in many ways is told, and so is that nothing excludes another way to come to rest (W0571, W0552).
    let shared = found.shared_slips.expect("they share its weight");
    assert_eq!((shared.0, shared.1.len()), (0.0, 4));
    assert_eq!(found.doubtful_slips.len(), 4);
}

/// A cube that tumbles onto a rough floor and bounces lies flat in the end: where its corners land together more than the first search is needed.
#[test]
fn a_cube_that_tumbles_onto_a_rough_floor_lies_flat_in_the_end() {
    for spin in ["[0.3, 0.2, 4]", "[5, 1, 0]"] {
        let text = format!(
            "gravity = \"[0, 0, -9.81]\"\n[body.cube]\nmass = 1\nshape = {{ box = {{ size = [0.2, 0.2, 0.2] }} }}\n\
             start = {{ center = \"[0, 0, 0.5]\", omega = \"{spin}\" }}\n\
             [contact.floor]\nbetween = [\"cube\", \"ground\"]\nplane = {{ normal = \"[0, 0, 1]\" }}\n\
             friction = {{ coefficient = 0.4 }}\nrestitution = 0.3\n[run]\nspan = 1.5\nsamples = 2\n"
        );
        let found = run(&text);
        assert_near(at_end(&found, "cube.z"), 0.1, 1e-9);
        assert!(found.rates.iter().all(|rate| rate.abs() < 1e-9));
        assert!(found.energy_end < 9.81 * 0.1 + 1e-8);
    }
}

/// Turned about its middle the corners rub at a distance d from it: it comes to rest after ω J/(μ m g d).
#[test]
fn a_box_that_spins_on_its_corners_comes_to_rest() {
    let text = "gravity = \"[0, 0, -9.81]\"\n[body.crate]\nmass = 2\nshape = { box = { size = [0.8, 0.6, 0.4] } }\n\
        start = { center = \"[0, 0, 0.2]\", omega = \"[0, 0, 3]\" }\n\
        [contact.floor]\nbetween = [\"crate\", \"ground\"]\nplane = { normal = \"[0, 0, 1]\" }\nfriction = { coefficient = 0.3 }\n[run]\nspan = 1\n";
    let found = run(text);
    let (inertia, d) = (2.0 * (0.64 + 0.36) / 12.0, 0.5);
    let sticks = found.slips.iter().find(|it| it.held).expect("it sticks");
    assert_near(sticks.t, 3.0 * inertia / (0.3 * 2.0 * G * d), 1e-6);
}

/// A box that rests on four corners, loaded off its middle and pushed ever more, stays while friction holds.
#[test]
fn a_box_loaded_off_its_middle_stands() {
    let text = |load: f64, push: f64| {
        format!(
            "gravity = \"[0, 0, -9.81]\"\n[body.crate]\nmass = 2\nshape = {{ box = {{ size = [1, 0.6, 0.4] }} }}\nstart = {{ center = \"[0, 0, 0.2]\" }}\n\
             [contact.floor]\nbetween = [\"crate\", \"ground\"]\nplane = {{ normal = \"[0, 0, 1]\" }}\nfriction = {{ coefficient = 0.3 }}\n\
             [force.load]\non = \"crate\"\nat = \"point(crate, [0.4, 0.2, 0])\"\nvector = \"[0, 0, -{load}]\"\n\
             [force.push]\non = \"crate\"\nat = \"point(crate, [0, 0, 0.1])\"\nvector = \"[{push}*t, 0, 0]\"\n[run]\nspan = 1\n"
        )
    };
    let found = run(&text(10.0, 0.6 * 0.3 * (2.0 * G + 10.0)));
    assert!(at_end(&found, "crate.x").abs() < 1e-12);
}

/// A box on four rough corners that is pushed ever more, at a height above its middle and at a distance from its plane.
fn pushed_box(push: &str, height: f64, aside: f64, rest: &str) -> Simulation {
    let text = format!(
        "gravity = \"[0, 0, -9.81]\"\n[body.crate]\nmass = 2\nshape = {{ box = {{ size = [1, 0.6, 0.4] }} }}\nstart = {{ center = \"[0, 0, 0.2]\" }}\n\
         [contact.floor]\nbetween = [\"crate\", \"ground\"]\nplane = {{ normal = \"[0, 0, 1]\" }}\n{rest}\n\
         [force.push]\non = \"crate\"\nat = \"point(crate, [0, {aside}, {height}])\"\nvector = \"[{push}, 0, 0]\"\n[run]\nspan = 0.5\n"
    );
    run(&text)
}

/// Pushed with F = k t from rest it stays until F = μ m g, and goes on with F/m − μ g.
#[test]
fn a_box_that_is_pushed_ever_more_begins_to_slide() {
    let found = pushed_box("20*t", 0.0, 0.0, "friction = { coefficient = 0.3 }");
    let begins = 0.3 * 2.0 * G / 20.0;
    let slip = found.slips.iter().find(|it| !it.held).expect("it slips");
    assert_near(slip.t, begins, 1e-9);
    // x'' = 10 (t − t₀)
    let d = 0.5 - begins;
    assert_near(at_end(&found, "crate.x'"), 5.0 * d * d, 1e-8);
    assert_near(at_end(&found, "crate.x"), 5.0 / 3.0 * d * d * d, 1e-8);
    assert!(at_end(&found, "crate.y").abs() < 1e-9);
    assert_near(at_end(&found, "crate.z"), 0.2, 1e-9);
    assert!(found.balance_error().abs() < 1e-8);
}

/// Once it slides, friction of sliding is less than that which held it.
#[test]
fn a_box_that_breaks_loose_slides_with_less_friction() {
    let rough = "friction = { coefficient = 0.2, static = 0.3 }";
    let found = pushed_box("20*t", 0.0, 0.0, rough);
    let begins = 0.3 * 2.0 * G / 20.0;
    // x'' = 10 t − 0.2 g
    let speed = 5.0 * (0.25 - begins * begins) - 0.2 * G * (0.5 - begins);
    assert_near(at_end(&found, "crate.x'"), speed, 1e-7);
}

/// A push beyond friction from the start: F/m − μ g; at the height h above the floor it tips where F h is more than m g times half its length.
#[test]
fn a_box_that_is_pushed_slides_or_tips() {
    let found = pushed_box("10", 0.1, 0.0, "friction = { coefficient = 0.3 }");
    let a = 5.0 - 0.3 * G;
    assert_near(at_end(&found, "crate.x"), a / 8.0, 1e-8);
    assert_near(at_end(&found, "crate.z"), 0.2, 1e-9);
    // With μ = 1 it tips before it slides, when k t (0.2 + h) = m g/2.
    let found = pushed_box("50*t", 0.5, 0.0, "friction = { coefficient = 1 }");
    let opens = found.happened.iter();
    let mut opens = opens.filter(|it| matches!(it.of, Happening::Open(_)));
    let first = opens.next().expect("it tips");
    assert_near(first.t, G / (50.0 * 0.7), 1e-7);
    assert!(at_end(&found, "crate.z") > 0.2);
}

/// Pushed off its middle it slides and turns: no corner goes below the floor, and energy is kept account of.
#[test]
fn a_box_that_is_pushed_off_its_middle_slides_and_turns() {
    for (push, aside) in [("10", 0.2), ("9", -0.1), ("9 + 20*t", -0.1)] {
        let found = pushed_box(push, 0.0, aside, "friction = { coefficient = 0.3 }");
        // It turns against the side it is pushed on.
        assert!(at_end(&found, "crate.q3") * aside < -1e-4, "{push} {aside}");
        assert!(at_end(&found, "crate.x") > 1e-3, "{push} {aside}");
        assert_near(at_end(&found, "crate.z"), 0.2, 1e-9);
        assert!(found.balance_error().abs() < 1e-7);
    }
}

/// A rod that stands askew falls on its other end, and moves as with gaps that are written by hand.
#[test]
fn a_rod_falls_as_with_gaps_written_by_hand() {
    let rod = "planar = true\ngravity = \"[0, -9.81, 0]\"\n[body.rod]\nmass = 1\nshape = { rod = { length = 2, axis = \"x\" } }\n\
        start = { center = \"[0, 0.8, 0]\", attitude = \"Rz(0.5)\" }\n";
    let by_shape = "[contact.floor]\nbetween = [\"rod\", \"ground\"]\nplane = { normal = \"[0, 1, 0]\" }\nfriction = { coefficient = 0.2 }\n";
    let by_hand = "[constraint.a]\nholds = \"point(rod, [-1, 0, 0]).y >= 0\"\nfriction = { coefficient = 0.2, at = \"point(rod, [-1, 0, 0])\" }\n\
        [constraint.b]\nholds = \"point(rod, [1, 0, 0]).y >= 0\"\nfriction = { coefficient = 0.2, at = \"point(rod, [1, 0, 0])\" }\n";
    let run_of = |contact: &str| run(&format!("{rod}{contact}[run]\nspan = 1.5\n"));
    let (one, other) = (run_of(by_shape), run_of(by_hand));
    let impacts = |it: &Simulation| {
        let all = it.happened.iter();
        all.filter(|it| matches!(it.of, Happening::Impact(_)))
            .count()
    };
    assert!(impacts(&one) >= 2 && impacts(&one) == impacts(&other));
    for (a, b) in one.coordinates.iter().zip(&other.coordinates) {
        assert_near(*a, *b, 1e-12);
    }
}

/// A particle bounces on a plane that a driven body carries; its contact has the name of the table.
#[test]
fn a_particle_bounces_on_a_table_that_moves() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\ny = 1\nh = 0\n[particle.P]\nmass = 1\nposition = \"[0, y, 0]\"\n\
        [body.table]\nmass = 1\ninertia = [1, 1, 1]\ncenter = \"[0, h, 0]\"\nattitude = \"Rz(0)\"\n\
        [constraint.drive]\nholds = \"h = 0.2*t\"\n[start]\n\"h'\" = 0.2\n\
        [contact.lands]\nbetween = [\"P\", \"table\"]\nplane = { normal = \"[0, 1, 0]\", through = \"[0, 0.1, 0]\" }\nrestitution = 0.5\n\
        [run]\nspan = 0.6\nrecord = [\"gap(lands)\", \"lambda(lands)\"]\n";
    let found = run(text);
    // 1 − g t²/2 = 0.1 + 0.2 t
    let t = (-0.2 + (0.04 + 2.0 * G * 0.9_f64).sqrt()) / G;
    assert_near(found.happened[0].t, t, 1e-10);
    let before = -G * t - 0.2;
    assert_near(found.happened[0].after[0], 0.2 - 0.5 * before, 1e-9);
    assert!(at_end(&found, "gap(lands)") > 0.0);
}

/// What shapes do not say is refused, with a cure.
#[test]
fn what_shapes_do_not_say_is_refused() {
    let codes = |contact: &str| -> Vec<&'static str> {
        let text = format!(
            "dalembert = 1\n[body.A]\nmass = 1\nshape = {{ sphere = {{ radius = 1 }} }}\n[body.C]\nmass = 1\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n\
             [body.D]\nmass = 1\nshape = {{ cone = {{ radius = 1, length = 1 }} }}\n[contact.c]\n{contact}\n"
        );
        match read_model(&text) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.iter().map(|it| it.code).collect(),
        }
    };
    let plane = "plane = { normal = \"[0, 0, 1]\" }";
    let rough = "between = [\"C\", \"ground\"]\nfriction = { coefficient = 0.3 }\n";
    for (contact, code) in [
        (format!("between = [\"D\", \"ground\"]\n{plane}"), "E0310"),
        ("between = [\"C\", \"A\"]".to_owned(), "E0310"),
        ("between = [\"A\", \"ground\"]".to_owned(), "E0316"),
        ("between = [\"A\", \"C\"]".to_owned(), "E0316"),
        (format!("between = [\"ground\", \"A\"]\n{plane}"), "E0327"),
        (format!("between = [\"A\", \"A\"]\n{plane}"), "E0315"),
        (format!("between = [\"E\", \"A\"]\n{plane}"), "E0327"),
        (
            format!("between = [\"A\", \"ground\"]\n{plane}\nbowl = {{ radius = 1 }}"),
            "E0315",
        ),
        (
            format!("between = [\"A\", \"ground\"]\n{plane}\nactive = false"),
            "E0304",
        ),
        // A normal that is none is told as that, once and not for each corner.
        (
            format!("{rough}plane = {{ normal = \"[0, 0, 0]\" }}"),
            "E0314",
        ),
        (format!("{rough}plane = {{ normal = \"3\" }}"), "E0306"),
    ] {
        assert_eq!(codes(&contact), [code], "{contact}");
    }
}

/// Pushed ever more off its middle it lets go where friction of the least normal forces holds no more, and turns; 0.2 m off, about a corner that holds at first.
/// The times are those of a linear program over all frictions within polygons of 2000 sides (`tests/python/rough_box.py`).
#[test]
fn a_box_that_is_pushed_ever_more_off_its_middle_lets_go_and_turns() {
    for (aside, begins) in [(0.05, 0.292_823_4), (0.1, 0.288_580_6), (0.2, 0.273_835_8)] {
        let found = pushed_box("20*t", 0.0, aside, "friction = { coefficient = 0.3 }");
        let slip = found.slips.iter().find(|it| !it.held).expect("it slips");
        assert_near(slip.t, begins, 1e-6);
        assert!(at_end(&found, "crate.q3") < -1e-5, "{aside}");
        assert_near(at_end(&found, "crate.z"), 0.2, 1e-9);
        assert!(found.balance_error().abs() < 1e-8, "{aside}");
    }
}

/// A rod that turns many times within a step of its fall, which the integrator follows exactly: its ends touch the floor first where 3 − g t²/2 is
/// ½ |sin(0.3 + w t)|.
#[test]
fn the_ends_of_a_rod_that_spins_do_not_pass_through_the_floor() {
    for w in [20.0, 100.0, 400.0, 1000.0] {
        let text = format!(
            "gravity = \"[0, -9.81, 0]\"\nplanar = true\n[body.rod]\nmass = 1\nshape = {{ rod = {{ length = 1, axis = \"x\" }} }}\n\
             start = {{ center = \"[0, 3, 0]\", attitude = \"Rz(0.3)\", omega = \"[0, 0, {w}]\" }}\n\
             [contact.floor]\nbetween = [\"rod\", \"ground\"]\nplane = {{ normal = \"[0, 1, 0]\" }}\nrestitution = 0.5\n[run]\nspan = 0.78\n"
        );
        let found = run(&text);
        let gap = |t: f64| 3.0 - G * t * t / 2.0 - (0.3 + w * t).sin().abs() / 2.0;
        let fine = (0..).map(|k| 0.6 + 1e-6 * f64::from(k));
        let below = fine
            .take(200_000)
            .find(|&t| gap(t) < 0.0)
            .expect("it falls");
        let first = found.happened.first().expect("an impact");
        assert!(matches!(first.of, Happening::Impact(_)), "{first:?}");
        assert!(
            first.t <= below && first.t > below - 1.1e-6,
            "{w}: {} and {below}",
            first.t
        );
    }
}
