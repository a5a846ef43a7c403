//! What rattles to rest, and what leaves again at once, against closed forms.

use super::{assert_near, run};
use dalembert_simulate::{Outcome, Simulation};

fn last(found: &Simulation, name: &str) -> f64 {
    let column = found.table.column(name);
    let column = column.unwrap_or_else(|| {
        let names = found.table.columns().into_iter().map(|it| it.name.clone());
        panic!("no column {name}: {:?}", names.collect::<Vec<_>>())
    });
    *column.values.last().expect("samples")
}

/// One end is pinned by a rough plastic contact, the other falls on the floor about it and bounces: from height h at the end of a rod of length one
/// it takes √(2h/15) with g = 10, then e times as long to and fro, and the rod lies there with half of its weight on each end.
#[test]
fn a_rough_rod_rattles_to_rest() {
    let text = |mu: f64, e: f64, push: f64| {
        format!(
            "planar = true\ngravity = \"[0, -10, 0]\"\n[body.rod]\nmass = 1\ninertia = [1, 1, 0.08333333333333333]\n\
             point = {{ a = \"[-0.5, 0, 0]\", b = \"[0.5, 0, 0]\" }}\n[start]\n\"rod.angle\" = 0.001\n\"rod.y\" = \"0.5*sin(0.001)\"\n\
             [constraint.A]\nholds = \"pos(rod.a).y >= 0\"\nfriction = {{ coefficient = {mu}, at = \"rod.a\" }}\n\
             [constraint.B]\nholds = \"pos(rod.b).y >= 0\"\nrestitution = {e}\n\
             [force.p]\non = \"rod\"\nvector = \"[{push}, 0, 0]\"\n\
             [run]\nspan = 1\nsamples = 2\nrecord = [\"lambda(A)\", \"lambda(B)\", \"reaction(A, on = rod)\"]\n"
        )
    };
    for (mu, e, push) in [(0.3, 0.5, 0.0), (0.6, 0.7, 0.0), (0.1, 0.3, 1e-9)] {
        let found = run(&text(mu, e, push));
        assert_eq!(found.outcome, Outcome::Done);
        assert_near(last(&found, "lambda(A)"), 5.0, 1e-9);
        assert_near(last(&found, "lambda(B)"), 5.0, 1e-9);
        assert_near(last(&found, "reaction(A).force.x"), -push, 1e-12);
        let over = (2.0 * 0.001 / 15.0_f64).sqrt() * (1.0 + e) / (1.0 - e);
        // It is the end that bounces which comes to rest.
        let &[(contact, t)] = found.contacts.rested.as_slice() else {
            panic!("{:?}", found.contacts.rested);
        };
        assert_eq!(contact, 1);
        assert_near(t, over, 1e-6);
        found
            .rates
            .iter()
            .for_each(|rate| assert_near(*rate, 0.0, 1e-12));
    }
}

/// A rough rod that falls askew rattles on both of its ends, and lies on the floor in the end.
#[test]
fn a_rough_rod_that_falls_askew_comes_to_rest() {
    for (mu, e) in [(0.3, 0.5), (0.1, 0.3)] {
        let text = format!(
            "planar = true\ngravity = \"[0, -10, 0]\"\n[body.rod]\nmass = 1\nshape = {{ rod = {{ length = 1, axis = \"x\" }} }}\n\
             start = {{ center = \"[0, 0.45, 0]\", attitude = \"Rz(1 deg)\" }}\n\
             [contact.f]\nbetween = [\"rod\", \"ground\"]\nplane = {{ normal = \"[0, 1, 0]\" }}\nrestitution = {e}\nfriction = {{ coefficient = {mu} }}\n\
             [run]\nspan = 1.5\nsamples = 2\nrecord = [\"energy\"]\n"
        );
        let found = run(&text);
        assert_eq!(found.outcome, Outcome::Done);
        assert_near(last(&found, "energy"), 0.0, 1e-9);
        found
            .rates
            .iter()
            .for_each(|rate| assert_near(*rate, 0.0, 1e-9));
    }
}

/// A coefficient of nothing is no friction, however it is written: forces are those without any.
#[test]
fn friction_of_nothing_is_none() {
    let text = |friction: &str, parameters: &str| {
        format!(
            "gravity = \"[0, -10, 0]\"\n{parameters}[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
             [constraint.floor]\nholds = \"y = 0\"\n{friction}[run]\nspan = 1\nsamples = 2\n\
             record = [\"reaction(floor)\", \"reaction(floor, on = P)\", \"resultant(P)\"]\n"
        )
    };
    let smooth = run(&text("", ""));
    let zero = run(&text("friction = { coefficient = 0 }\n", ""));
    let named = run(&text(
        "friction = { coefficient = \"mu\" }\n",
        "[parameters]\nmu = 0\n",
    ));
    for column in [
        "reaction(floor).force.y",
        "reaction(floor).force.x",
        "resultant(P).force.y",
    ] {
        for found in [&smooth, &zero, &named] {
            let wanted = if column.ends_with('y') { 20.0 } else { 0.0 };
            assert_near(last(found, column), wanted, 1e-12);
        }
    }
    // Dry friction of nothing, too.
    let dry = "[coordinates]\nx = 0.3\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
               [spring.s]\nbetween = [\"[0, 0, 0]\", \"P\"]\nstiffness = 4\ndry = 0\n[run]\nspan = 1\nsamples = 2\nrecord = [\"resultant(P)\"]\n";
    assert_near(run(dry).coordinates[0], 0.3 * 2.0_f64.cos(), 1e-8);
}

/// Bounces written by `set` are as many as those of `impact`, infinitely many until √(2h/g) (1 + e)/(1 − e): the run ends there, and does not fall through
/// the floor.
#[test]
fn bounces_by_set_end_at_their_limit() {
    let ball = |event: &str| {
        let text = format!(
            "[coordinates]\ny = 1\n[particle.P]\nmass = 1\nposition = \"[0, y, 0]\"\n[force.g]\ngeneralized = {{ y = \"-10\" }}\n\
             [event.bounce]\n{event}\n[run]\nspan = 3\nsamples = 3\n"
        );
        run(&text)
    };
    let over = 0.2_f64.sqrt() * 3.0;
    for event in [
        "when = \"y <= 0 and y' < 0\"\nset = { \"y'\" = \"-0.5*y'\" }",
        "when = \"y < 0\"\nset = { \"y'\" = \"-0.5*y'\" }",
        "when = \"y < 0\"\nimpulse = { on = \"P\", vector = \"[0, -1.5*y', 0]\" }",
        "when = \"y < 0\"\nimpact = { on = \"y\", restitution = 0.5 }",
    ] {
        let found = ball(event);
        assert!(
            matches!(found.outcome, Outcome::Rest { event: 0, .. }),
            "{event}: {:?}",
            found.outcome
        );
        assert_near(found.t_end, over, 1e-8);
        assert_near(found.coordinates[0], 0.0, 1e-8);
    }
    // What happens at one pace goes on.
    let steady = ball("when = \"y < 0\"\nset = { \"y'\" = \"-y'\" }");
    assert_eq!(steady.outcome, Outcome::Done);
}

/// A plastic ball on a floor that falls away faster than it does flies on at once, with the speed of the floor: nothing there is too fast to be followed.
#[test]
fn a_plastic_ball_leaves_a_shaking_floor_at_once() {
    let text = "[coordinates]\ny = 0.5\n[particle.P]\nmass = 2\nposition = \"[0, y, 0]\"\n[force.g]\non = \"P\"\nvector = \"[0, -20, 0]\"\n\
                [constraint.floor]\nholds = \"y >= 0.3*sin(8*t)\"\n[run]\nspan = 0.5\nsamples = 2\n";
    let found = run(text);
    assert!(found.unfollowed.is_none(), "{:?}", found.unfollowed);
    let t0 = found.happened[0].t;
    assert_near(0.5 - 5.0 * t0 * t0, 0.3 * (8.0 * t0).sin(), 1e-12);
    // It sets out with the speed of the floor, and lands again later than this.
    let (v, dt) = (2.4 * (8.0 * t0).cos(), 0.5 - t0);
    let flown = 0.3 * (8.0 * t0).sin() + v * dt - 5.0 * dt * dt;
    assert_near(found.coordinates[0], flown, 1e-9);
}
