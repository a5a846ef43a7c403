//! Contacts with friction, against closed forms.

use super::{assert_near, mechanism, run, run_with};
use dalembert_mechanics::Snapshot;
use dalembert_mechanics::contacts::NoContact;
use dalembert_simulate::{Happening, RunOptions, SimulateError, Simulation, Stop};

const G: f64 = 9.81;

fn column(found: &Simulation, name: &str) -> Vec<f64> {
    let column = found.table.column(name);
    let column = column.unwrap_or_else(|| panic!("no column {name}"));
    column.values.to_vec()
}

/// Everything about the motion at the start.
fn at_start(text: &str) -> Snapshot {
    let mechanism = mechanism(text);
    let start = mechanism.start().expect("a start");
    mechanism.motion(&start.state).expect("a motion")
}

/// Thrown along a rough floor from the air: the blow slows it by μ (1 + e) v, then it slides with μ g and sticks.
#[test]
fn a_particle_lands_on_a_rough_floor_slides_and_sticks() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 1\n[start]\n\"x'\" = 4\n\
        [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.floor]\nholds = \"y >= 0\"\nfriction = { coefficient = 0.3 }\n[run]\nspan = 3\n";
    let found = run(text);
    let (t, v) = ((2.0 / G).sqrt(), (2.0 * G).sqrt());
    let hit = &found.happened[0];
    assert_near(hit.t, t, 1e-12);
    let after = 4.0 - 0.3 * v;
    assert_near(hit.after[0], after, 1e-10);
    assert_near(hit.after[1], 0.0, 1e-12);
    // Work of both impulses.
    let lost = 0.5 * 2.0 * (16.0 + v * v - after * after);
    assert_near(hit.lost.unwrap(), lost, 1e-10);
    let stop = found.slips.iter().find(|it| it.held).expect("it sticks");
    assert_near(stop.t, t + after / (0.3 * G), 1e-9);
    assert_near(
        found.coordinates[0],
        4.0 * t + after * after / (2.0 * 0.3 * G),
        1e-9,
    );
    assert_near(found.rates[0], 0.0, 1e-12);
}

/// A billiard ball that slides at first rolls with 5/7 of its speed.
#[test]
fn a_billiard_ball_slides_then_rolls_with_five_sevenths() {
    let text = "gravity = \"[0, 0, -9.81]\"\n[parameters]\nr = 0.03\n[coordinates]\nx = 0\nz = \"r\"\na = 0\n[start]\n\"x'\" = 2\n\"a'\" = 0\n\
        [body.ball]\nmass = 0.2\nshape = { sphere = { radius = \"r\" } }\ncenter = \"[x, 0, z]\"\nattitude = \"Ry(a)\"\n\
        [constraint.cloth]\nholds = \"z >= r\"\nfriction = { coefficient = 0.2, at = \"ball.center - [0, 0, r]\" }\n\
        [run]\nspan = 1\n";
    let found = run(text);
    assert_near(found.rates[0], 2.0 * 5.0 / 7.0, 1e-9);
    assert_near(found.rates[2] * 0.03, 2.0 * 5.0 / 7.0, 1e-9);
    let rolls = found.slips.iter().find(|it| it.held).expect("it rolls");
    assert_near(rolls.t, 2.0 * 2.0 / (7.0 * 0.2 * G), 1e-9);
}

/// Over a table in space friction has the direction of the slip: a disk, not a pyramid.
#[test]
fn a_puck_slides_straight_over_a_table() {
    let text = "gravity = \"[0, 0, -9.81]\"\n[parameters]\nmu = 0.3\n[coordinates]\nx = 0\ny = 0\nz = 0\n[start]\n\"x'\" = 3\n\"y'\" = 4\n\
        [particle.P]\nmass = 0.2\nposition = \"[x, y, z]\"\n\
        [constraint.table]\nholds = \"z >= 0\"\nfriction = { coefficient = \"mu\" }\n[run]\nspan = 3\n";
    let found = run(text);
    let way = 25.0 / (2.0 * 0.3 * G);
    assert_near(found.coordinates[0], 0.6 * way, 1e-8);
    assert_near(found.coordinates[1], 0.8 * way, 1e-8);
}

/// Up a rough slope: it stops, and stays where tan α < μ; it comes back where not.
#[test]
fn a_block_goes_up_a_rough_slope_and_sticks_or_comes_back() {
    let text = "gravity = \"[-9.81*sin(a), -9.81*cos(a), 0]\"\n[parameters]\na = 0.3\nmu = 0.5\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 3\n\
        [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.slope]\nholds = \"y >= 0\"\nfriction = { coefficient = \"mu\" }\n[run]\nspan = 2\n";
    let found = run(text);
    let (a, mu) = (0.3_f64, 0.5);
    let up = G * (a.sin() + mu * a.cos());
    assert_near(found.coordinates[0], 9.0 / (2.0 * up), 1e-9);
    assert_near(found.rates[0], 0.0, 1e-12);
    let back = run(&text.replace("mu = 0.5", "mu = 0.2"));
    let (up, down) = (G * (a.sin() + 0.2 * a.cos()), G * (a.sin() - 0.2 * a.cos()));
    assert_near(back.rates[0], -down * (2.0 - 3.0 / up), 1e-8);
}

/// A hoop set down with spin: slides until it rolls with half its rim speed.
#[test]
fn a_rough_hoop_rolls_with_half_its_speed() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nr = 0.5\nm = 2\n[coordinates]\nx = 0\ny = \"r + 0.2\"\na = 0\n[start]\n\"a'\" = -20\n\
        [body.hoop]\nmass = \"m\"\ninertia = [0, 0, \"m*r^2\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        [constraint.floor]\nholds = \"y >= r\"\nfriction = { coefficient = 0.3, at = \"hoop.center - [0, r, 0]\" }\n\
        [run]\nspan = 4\nrecord = [\"lambda(floor)\"]\n";
    let found = run(text);
    assert_near(found.rates[0], 5.0, 1e-8);
    assert_near(found.rates[2], -10.0, 1e-8);
    assert_near(
        *column(&found, "lambda(floor)").last().unwrap(),
        2.0 * G,
        1e-8,
    );
}

/// A cylinder that spins in a rough groove of a right angle: N₁ − N₂ = μ (N₁ + N₂), (1 + μ²)(N₁ + N₂) = √2 m g.
#[test]
fn a_cylinder_spins_down_in_a_groove_of_two_rough_contacts() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nr = 0.1\nm = 2\nmu = 0.25\n[coordinates]\nx = 0\ny = \"r*sqrt(2)\"\na = 0\n[start]\n\"a'\" = 100\n\
        [body.roller]\nmass = \"m\"\ninertia = [0, 0, \"m*r^2/2\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        [constraint.left]\nholds = \"(x + y)/sqrt(2) >= r\"\nfriction = { coefficient = \"mu\", at = \"roller.center - [r, r, 0]/sqrt(2)\" }\n\
        [constraint.right]\nholds = \"(y - x)/sqrt(2) >= r\"\nfriction = { coefficient = \"mu\", at = \"roller.center - [-r, r, 0]/sqrt(2)\" }\n\
        [run]\nspan = 0.5\nrecord = [\"lambda(left)\", \"lambda(right)\"]\n";
    let found = run(text);
    let (mu, both) = (0.25, 2_f64.sqrt() * 2.0 * G / (1.0 + 0.0625));
    assert_near(
        column(&found, "lambda(left)")[1],
        0.5 * both * (1.0 + mu),
        1e-9,
    );
    assert_near(
        column(&found, "lambda(right)")[1],
        0.5 * both * (1.0 - mu),
        1e-9,
    );
    let slows = mu * both * 0.1 / (2.0 * 0.01 / 2.0);
    assert_near(found.rates[2], 100.0 - 0.5 * slows, 1e-8);
    assert_near(found.coordinates[0], 0.0, 1e-10);
}

/// Painlevé's rod: one way it slides, though a bilateral joint would have two reactions; the other way nothing agrees, and that is told.
#[test]
fn painleves_rod_slides_one_way_and_has_no_motion_the_other() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nl = 2\nm = 1\np = 0.6\n\
        [coordinates]\nx = 0\ny = \"l/2*cos(p)\"\na = \"p\"\n[start]\n\"x'\" = -1\n\"y'\" = 0\n\"a'\" = 0\n\
        [body.rod]\nmass = \"m\"\ninertia = [0, 0, \"m*l^2/12\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        [constraint.floor]\nholds = \"y >= l/2*cos(a)\"\nfriction = { coefficient = 2.5, at = \"point(rod, [0, -l/2, 0])\" }\n\
        [run]\nspan = 0.01\nrecord = [\"lambda(floor)\"]\n";
    let found = run(text);
    // g'' = λ (1 + 3 s² ∓ 3 μ s c)/m − g = 0
    let (s, c) = 0.6_f64.sin_cos();
    let lambda = G / (1.0 + 3.0 * s * s + 3.0 * 2.5 * s * c);
    assert_near(column(&found, "lambda(floor)")[0], lambda, 1e-9);
    let text = text.replace("\"x'\" = -1", "\"x'\" = 1");
    match run_with(&text, &RunOptions::default()) {
        Err(SimulateError::Stopped {
            why:
                Stop::NoContact {
                    why: NoContact::Answers { forces, tried, .. },
                    ..
                },
            ..
        }) => assert!(forces.is_empty() && tried),
        other => panic!("{other:?}"),
    }
}

/// A brake that events engage and release has friction while it holds.
#[test]
fn friction_comes_and_goes_with_its_constraint() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 3\n\
        [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.smooth]\nholds = \"y = 0\"\n[constraint.rough]\nholds = \"y = 0\"\nactive = false\nfriction = { coefficient = 0.2 }\n\
        [event.on]\nwhen = \"t > 0.5\"\nrelease = \"smooth\"\nengage = \"rough\"\n\
        [event.off]\nwhen = \"t > 1\"\nrelease = \"rough\"\nengage = \"smooth\"\n[run]\nspan = 2\n";
    let found = run(text);
    assert_near(found.rates[0], 3.0 - 0.2 * G * 0.5, 1e-10);
}

/// A block that rocks over rough corners loses at each landing: ω⁺/ω⁻ = 1 − 3/2 sin² α with tan α = b/h.
#[test]
fn a_block_rocks_over_rough_corners_with_the_ratio_of_the_textbook() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nm = 2\nb = 0.2\nh = 0.8\np = 0.1\n\
        [coordinates]\nx = \"-b/2*cos(p) + h/2*sin(p)\"\ny = \"b/2*sin(p) + h/2*cos(p)\"\na = \"-p\"\n\
        [body.block]\nmass = \"m\"\ninertia = [0, 0, \"m*(b^2 + h^2)/12\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        point = { A = \"[-b/2, -h/2, 0]\", B = \"[b/2, -h/2, 0]\" }\n\
        [constraint.left]\nholds = \"pos(block.A).y >= 0\"\nfriction = { coefficient = 0.8, at = \"block.A\" }\n\
        [constraint.right]\nholds = \"pos(block.B).y >= 0\"\nfriction = { coefficient = 0.8, at = \"block.B\" }\n\
        [run]\nspan = 2\nrtol = 1e-10\n";
    let found = run(text);
    let sine = 0.0625 / 1.0625;
    let hits = found.happened.iter();
    let hits: Vec<_> = hits.filter(|it| it.is_blow).take(4).collect();
    assert_eq!(hits.len(), 4);
    for hit in hits {
        assert_near(hit.after[2] / hit.before[2], 1.0 - 1.5 * sine, 1e-8);
    }
}

/// Friction in a blow can stop the slip: a superball without bounce sticks where μ is large enough.
#[test]
fn a_blow_stops_a_slip_that_friction_can_stop() {
    let text = "[coordinates]\nx = 0\ny = 1\n[start]\n\"x'\" = 1\n\"y'\" = -10\n\
        [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.floor]\nholds = \"y >= 0\"\nrestitution = 0.5\nfriction = { coefficient = 0.3 }\n[run]\nspan = 0.2\n";
    let found = run(text);
    let hit = &found.happened[0];
    assert!(matches!(hit.of, Happening::Impact(_)));
    assert_near(hit.after[0], 0.0, 1e-12);
    assert_near(hit.after[1], 5.0, 1e-12);
}

/// A ladder that leans at a wall, rough at both ends: four forces, of which three equations know. It stands where tan a ≤ 2 μ/(1 − μ²), and slides
/// down beyond.
#[test]
fn a_ladder_at_a_rough_wall_stands_or_slides() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nl = 2\nmu = 0.2\n[coordinates]\nx = \"l/2*sin(0.3)\"\ny = \"l/2*cos(0.3)\"\na = 0.3\n\
        [body.ladder]\nmass = 3\nshape = { rod = { length = \"l\", axis = \"y\" } }\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        point = { top = \"[0, l/2, 0]\", foot = \"[0, -l/2, 0]\" }\n\
        [constraint.wall]\nholds = \"x >= l/2*sin(a)\"\nfriction = { coefficient = \"mu\", at = \"ladder.top\" }\n\
        [constraint.floor]\nholds = \"y >= l/2*cos(a)\"\nfriction = { coefficient = \"mu\", at = \"ladder.foot\" }\n\
        [run]\nspan = 0.5\nsamples = 3\nrecord = [\"lambda(wall)\", \"lambda(floor)\", \"reaction(wall)\", \"reaction(floor)\"]\n";
    let tan = 0.3_f64.tan();
    let critical = ((1.0 + tan * tan).sqrt() - 1.0) / tan;
    for factor in [1.001, 1.1, 2.0, 4.0, 20.0] {
        let mu = factor * critical;
        let found = run(&text.replace("mu = 0.2", &format!("mu = {mu}")));
        assert_near(found.coordinates[2], 0.3, 1e-12);
        // They share the load in many ways: a file has no marks, and leaves them out.
        for name in ["lambda(wall)", "lambda(floor)"] {
            assert!(column(&found, name).iter().all(|it| it.is_nan()), "{name}");
        }
        let shared = found.shared_slips.expect("they share the load");
        assert_eq!((shared.0, shared.1.len()), (0.0, 2));
        let at_start = at_start(&text.replace("mu = 0.2", &format!("mu = {mu}")));
        assert_eq!(at_start.unique, [false, false]);
        let (wall, floor) = (at_start.multipliers[0], at_start.multipliers[1]);
        // What friction at the wall must be, and that at the floor.
        let (up, across) = (3.0 * G - floor, wall);
        assert!(wall > 0.0 && floor > 0.0, "{wall} {floor}");
        assert_near(wall + up * tan, 1.5 * G * tan, 1e-9);
        assert!(up.abs() <= mu * wall * (1.0 + 1e-9), "{up} {wall} at {mu}");
        assert!(across <= mu * floor * (1.0 + 1e-9), "{across} {floor}");
    }
    let found = run(&text.replace("mu = 0.2", &format!("mu = {}", 0.999 * critical)));
    assert!(found.coordinates[2] > 0.3 + 1e-6, "{:?}", found.coordinates);
}

/// A particle falls into a rough groove, jumps to and fro, and comes to rest at the bottom: what rows hold, friction need not.
#[test]
fn a_particle_comes_to_rest_in_a_rough_groove() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0.2\ny = 1\n[particle.A]\nmass = 1\nposition = \"[x, y, 0]\"\n\
        [constraint.left]\nholds = \"y + x >= 0\"\nrestitution = 0.5\nfriction = { coefficient = 0.3, at = \"A\" }\n\
        [constraint.right]\nholds = \"y - x >= 0\"\nrestitution = 0.5\nfriction = { coefficient = 0.3, at = \"A\" }\n\
        [run]\nspan = 6\nsamples = 4\nrecord = [\"lambda(left)\", \"lambda(right)\"]\n";
    let found = run(text);
    assert_near(found.coordinates[0], 0.0, 1e-12);
    assert_near(found.coordinates[1], 0.0, 1e-12);
    assert!(found.steps < 300, "{} steps", found.steps);
    // Friction might carry a part: that is not recorded, and the least is shown.
    assert!(column(&found, "lambda(left)").last().unwrap().is_nan());
    // The same, at rest there from the start.
    let resting = text.replace("x = 0.2\ny = 1", "x = 0\ny = 0");
    let found = run(&resting);
    assert_near(found.coordinates[1], 0.0, 1e-12);
    let presses = at_start(&resting);
    assert_near(presses.multipliers[0], G / 2.0, 1e-9);
    assert!(!presses.unique[0]);
}

/// A plank on three rough supports, pressed down beyond the last of them: none of them slips, though the first carries less and less; with friction or
/// without, it tips about the last, C, where P outweighs the weight there: 4 t + t² = 10.
#[test]
fn a_plank_that_nothing_pushes_along_does_not_slip_before_it_tips() {
    let text = "gravity = \"[0, -10, 0]\"\n[coordinates]\nx = 0\ny = 0\na = 0\n\
        [body.plank]\nmass = 1\ninertia = [1, 1, 1]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        point = { A = \"[-1, 0, 0]\", B = \"[0.2, 0, 0]\", C = \"[1, 0, 0]\", P = \"[2, 0, 0]\" }\n\
        [constraint.A]\nholds = \"pos(plank.A).y >= 0\"\nfriction = { coefficient = 0.3, at = \"plank.A\" }\n\
        [constraint.B]\nholds = \"pos(plank.B).y >= 0\"\nfriction = { coefficient = 0.3, at = \"plank.B\" }\n\
        [constraint.C]\nholds = \"pos(plank.C).y >= 0\"\nfriction = { coefficient = 0.3, at = \"plank.C\" }\n\
        [force.push]\non = \"plank\"\nat = \"plank.P\"\nvector = \"[0, -4*t - t^2, 0]\"\n[run]\nspan = 1.8\n";
    let lines = text.lines().filter(|line| !line.starts_with("friction"));
    let smooth: Vec<&str> = lines.collect();
    for text in [text, &smooth.join("\n")] {
        let found = run(text);
        let tips = 14.0_f64.sqrt() - 2.0;
        for slip in found.slips.iter().filter(|it| !it.held) {
            assert!(slip.t >= tips - 1e-6, "{:?}", found.slips);
        }
        let opens = |contact| {
            let mut all = found.happened.iter();
            all.find(|it| it.of == Happening::Open(contact)).unwrap().t
        };
        assert_near(opens(0), tips, 2e-7);
        assert_near(opens(1), tips, 2e-7);
    }
}

/// A box on two corners that is pushed ever more, 3 t N on 2 kg with μ = 0.1: both let go at 2 g μ/3 once, and not again and again until the force is clearly
/// more than friction. v = 3 (t − t₀)²/4.
#[test]
fn corners_that_begin_to_slip_together_let_go_once() {
    let text = "gravity = \"[0, -9.81, 0]\"\nplanar = true\n[body.box]\nmass = 2\nshape = { box = { size = [1, 2, 0.3] } }\n\
        point = { side = \"[-0.5, 0.5, 0]\" }\nstart = { center = \"[0, 1, 0]\" }\n\
        [contact.floor]\nbetween = [\"box\", \"ground\"]\nplane = { normal = \"[0, 1, 0]\" }\nfriction = { coefficient = 0.1 }\n\
        [force.push]\non = \"box\"\nat = \"box.side\"\nvector = \"[3*t, 0, 0]\"\n[run]\nspan = 2\n";
    let found = run(text);
    let begins = 2.0 * 9.81 * 0.1 / 3.0;
    let slips: Vec<_> = found.slips.iter().filter(|it| !it.held).collect();
    assert_eq!(slips.len(), 2, "{slips:?}");
    for slip in slips {
        assert_near(slip.t, begins, 1e-9);
    }
    assert_near(found.rates[0], 0.75 * (2.0_f64 - begins).powi(2), 1e-9);
}
