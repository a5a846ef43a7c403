//! When events happen.

use super::{assert_near, run, run_with};
use dalembert_mechanics::formulation::Formulation;
use dalembert_simulate::{Happened, Happening, Outcome, RunOptions, Watched};

const BALL: &str = "gravity = \"[0, -g, 0]\"\n[parameters]\ng = 9.81\nh = 1\ne = 0.8\n[coordinates]\ny = \"h\"\n\
    [particle.ball]\nmass = 1\nposition = \"[0, y, 0]\"\n\
    [event.hit]\nwhen = \"y < 0\"\nimpact = { on = \"y\", restitution = \"e\" }\n";

/// The k-th impact is at √(2h/g) (1 + 2e + 2e² + …), and all are over at √(2h/g) (1 + e)/(1 − e).
#[test]
fn a_ball_bounces_at_the_times_of_the_textbook_and_comes_to_rest() {
    let found = run(&format!("{BALL}[run]\nspan = 10\n"));
    let (first, e) = ((2.0_f64 / 9.81).sqrt(), 0.8_f64);
    let mut expected = first;
    for (k, hit) in found.happened.iter().take(60).enumerate() {
        assert_near(hit.t, expected, 1e-12);
        let v = (2.0 * 9.81_f64).sqrt() * e.powi(k as i32);
        assert_near(hit.before[0], -v, 1e-10);
        assert_near(hit.after[0], e * v, 1e-10);
        assert_near(hit.impulses[0], (1.0 + e) * v, 1e-10);
        assert_near(hit.lost.unwrap(), 0.5 * v * v * (1.0 - e * e), 1e-9);
        expected += 2.0 * first * e.powi(k as i32 + 1);
    }
    assert!(matches!(found.outcome, Outcome::Rest { event: 0, .. }));
    assert_near(found.t_end, first * (1.0 + e) / (1.0 - e), 1e-10);
    assert_near(found.coordinates[0], 0.0, 1e-9);
    assert_near(found.rates[0], 0.0, 1e-9);
    assert_near(found.work, -9.81, 1e-9);
}

#[test]
fn elastic_bounces_go_on_for_ever_and_keep_the_energy() {
    let text = format!("{BALL}[run]\nspan = 1000\n").replace("e = 0.8", "e = 1");
    let found = run(&text);
    assert_eq!(found.outcome, Outcome::Done);
    let first = (2.0_f64 / 9.81).sqrt();
    let count = ((1000.0 / first - 1.0) / 2.0).floor() as usize + 1;
    assert_eq!(found.happened.len(), count);
    let last = &found.happened[count - 1];
    assert_near(last.t, first * (2 * count - 1) as f64, 1e-9);
    assert!(
        found.balance_error().abs() < 1e-8,
        "{}",
        found.balance_error()
    );
}

/// Backwards through an elastic impact: what comes back is what was thrown.
#[test]
fn an_elastic_impact_is_symmetric_in_time() {
    let text = format!("{BALL}[run]\nspan = 1.3\n").replace("e = 0.8", "e = 1");
    let there = run(&text);
    let back = text
        .replace("y = \"h\"", &format!("y = {}", there.coordinates[0]))
        .replace(
            "[particle.ball]",
            &format!("[start]\n\"y'\" = {}\n[particle.ball]", -there.rates[0]),
        );
    let back = run(&back);
    assert_near(back.coordinates[0], 1.0, 1e-10);
    assert_near(back.rates[0], 0.0, 1e-10);
}

/// The crossing and the return lie within one long step of a motion that the integrator follows exactly.
#[test]
fn what_becomes_true_and_false_again_within_a_step_is_not_missed() {
    let text = "[coordinates]\nx = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
        [event.touch]\nwhen = \"(x - 5)^2 < 1e-8\"\nset = { \"x'\" = \"2*x'\" }\n[run]\nspan = 20\n";
    let found = run(text);
    assert_eq!(found.happened.len(), 1);
    assert_near(found.happened[0].t, 5.0 - 1e-4, 1e-12);
    assert_near(found.rates[0], 2.0, 1e-14);
}

#[test]
fn events_at_one_instant_happen_in_the_order_of_the_file_each_once() {
    let text = "[coordinates]\nx = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
        [event.first]\nwhen = \"x > 1\"\nset = { \"x'\" = \"x' + 1\" }\n\
        [event.second]\nwhen = \"t > 1\"\nset = { \"x'\" = \"3*x'\" }\n\
        [event.third]\nwhen = \"x' > 5\"\nset = { \"x'\" = \"x' - 5\" }\n[run]\nspan = 2\n";
    let found = run(text);
    let event = |it: &Happened| match it.of {
        Happening::Event(event) => event,
        _ => panic!("{it:?}"),
    };
    let order: Vec<usize> = found.happened.iter().map(event).collect();
    assert_eq!(order, [0, 1, 2]);
    assert!(found.happened.iter().all(|it| (it.t - 1.0).abs() < 1e-14));
    assert_near(found.coordinates[0], 2.0, 1e-12);
}

#[test]
fn what_is_true_at_the_start_happens_there() {
    let text = "[coordinates]\nx = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
        [event.now]\nwhen = \"x < 1\"\nset = { \"x'\" = \"7\" }\n\
        [event.end]\nwhen = \"x > 3\"\nstop = true\n[run]\nspan = 2\n";
    let found = run(text);
    assert_eq!(found.happened.len(), 2);
    assert_near(found.happened[0].t, 0.0, 0.0);
    assert_eq!(found.outcome, Outcome::Event(1));
    assert_near(found.t_end, 3.0 / 7.0, 1e-14);
}

#[test]
fn until_and_a_stop_are_the_same() {
    let ball = BALL.replace(
        "impact = { on = \"y\", restitution = \"e\" }",
        "stop = true",
    );
    let stopped = run(&format!("{ball}[run]\nspan = 10\n"));
    let head = &ball[..ball.find("[event").unwrap()];
    let until = run(&format!("{head}[run]\nspan = 10\nuntil = \"y < 0\"\n"));
    assert_eq!(until.outcome, Outcome::Until);
    assert_eq!(stopped.t_end.to_bits(), until.t_end.to_bits());
}

#[test]
fn every_integrator_and_formulation_bounces_alike() {
    for integrator in ["dop853", "dopri5", "radau"] {
        let text = format!("{BALL}[run]\nspan = 3\nintegrator = \"{integrator}\"\n");
        let found = run(&text);
        assert_near(
            found.happened[2].t,
            (2.0_f64 / 9.81).sqrt() * (1.0 + 1.6 + 1.28),
            1e-9,
        );
    }
    let options = RunOptions {
        formulation: Some(dalembert_mechanics::formulation::Formulation::Independent),
        ..RunOptions::default()
    };
    let found = run_with(&format!("{BALL}[run]\nspan = 3\n"), &options).unwrap();
    assert_near(found.happened[1].t, (2.0_f64 / 9.81).sqrt() * 2.6, 1e-12);
}

/// An implicit step is as long as the motion allows, and power may change much within it: the work up to where it is cut off is that of the
/// forces, not of the polynomial. x' = v - t - t²/2.
#[test]
fn the_work_up_to_an_event_within_a_long_implicit_step_is_right() {
    const SLIDE: &str = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 5\n[particle.b]\nmass = 1\nposition = \"[x, y, 0]\"\n";
    let rate = |t: f64| 5.0 - t - t * t / 2.0;
    let vanishes = 11.0_f64.sqrt() - 1.0;
    let pushed = format!("{SLIDE}[force.f]\non = \"b\"\nvector = \"[-1 - t, 0, 0]\"\n");
    let rough = format!(
        "gravity = \"[0, -10, 0]\"\n{SLIDE}[constraint.floor]\nholds = \"y = 0\"\nfriction = {{ coefficient = 0.1 }}\n\
         [force.f]\non = \"b\"\nvector = \"[0, -10*t, 0]\"\n"
    );
    let ends = "[run]\nspan = 3\nintegrator = \"radau\"\n";
    let formulations = [Formulation::Multipliers, Formulation::Independent];
    for (text, formulation) in formulations
        .into_iter()
        .flat_map(|it| [(&pushed, it), (&rough, it)])
    {
        let options = RunOptions {
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        let until =
            |when: &str| run_with(&format!("{text}{ends}until = \"{when}\"\n"), &options).unwrap();
        for when in ["x > 2", "x' < 3.5", "t > 0.1", "t > 1.9"] {
            let found = until(when);
            assert_eq!(found.outcome, Outcome::Until);
            let v = rate(found.t_end);
            assert_near(found.rates[0], v, 1e-7);
            assert_near(found.work, (v * v - 25.0) / 2.0, 1e-6);
            assert!(
                found.balance_error().abs() < 1e-6,
                "{}",
                found.balance_error()
            );
        }
    }
    // The whole step errs by more than what is cut off, and says so.
    for k in 1..12 {
        let text = "[coordinates]\nx = 0\n[start]\n\"x'\" = 5\n[particle.b]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
             [force.f]\non = \"b\"\nvector = \"[-1e4*(x - cos(t)) - 100*x', 0, 0]\"\n";
        let t = 0.0731 * f64::from(k);
        let found = run(&format!("{text}{ends}rtol = 1e-6\nuntil = \"t > {t}\"\n"));
        assert_eq!(found.outcome, Outcome::Until);
    }
    let stuck = run(&format!("{rough}{ends}"));
    assert!(stuck.slips.last().is_some_and(|slip| slip.held));
    assert_near(stuck.slips.last().unwrap().t, vanishes, 1e-7);
    assert_near(stuck.work, -12.5, 1e-6);
    // y = 1 - 5t² + t³/3 until it lands.
    let bounces = run(&format!(
        "gravity = \"[0, -10, 0]\"\n[coordinates]\ny = 1\n[particle.b]\nmass = 1\nposition = \"[0, y, 0]\"\n\
         [constraint.floor]\nholds = \"y >= 0\"\nrestitution = 0.7\n[force.f]\non = \"b\"\nvector = \"[0, 2*t, 0]\"\n{ends}"
    ));
    let t = bounces.happened[0].t;
    assert_near(1.0 - 5.0 * t * t + t * t * t / 3.0, 0.0, 1e-7);
    assert!(bounces.happened.len() > 5);
    assert!(
        bounces.balance_error().abs() < 1e-6,
        "{}",
        bounces.balance_error()
    );
}

/// A strict condition that is zero at the start is yet to become true: at once, later, or not at all.
#[test]
fn what_sets_out_from_zero_becomes_true() {
    let at = |when: &str| {
        let text = format!(
            "gravity = \"[0, -10, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n\"y'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
             [event.e]\nwhen = \"{when}\"\nstop = true\n[run]\nspan = 1\n"
        );
        let found = run(&text);
        (found.outcome == Outcome::Event(0)).then_some(found.t_end)
    };
    assert_near(at("x > 0").unwrap(), 0.0, 1e-12);
    assert_near(at("y < 0").unwrap(), 0.2, 1e-12);
    assert_eq!(at("x < 0"), None);
    assert_near(at("x > 0 and y < 0").unwrap(), 0.2, 1e-12);
}

/// What is exactly zero is not positive: it is so only from where it departs on, if it does.
#[test]
fn what_stays_at_zero_does_not_become_true() {
    let at = |model: &str, until: &str| {
        let found = run(&format!("{model}[run]\nspan = 1\nuntil = \"{until}\"\n"));
        (found.outcome == Outcome::Until).then_some(found.t_end)
    };
    let particle = |y: f64| {
        format!(
            "gravity = \"[0, -10, 0]\"\n[coordinates]\nx = 0\ny = {y}\n\
             [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.floor]\nholds = \"y >= 0\"\n"
        )
    };
    let rests = particle(0.0);
    for until in ["x > 0", "x < 0", "x' > 0", "x*0 > 0", "y > 0", "y' < 0"] {
        assert_eq!(at(&rests, until), None, "{until}");
    }
    assert_near(at(&rests, "x > 0 or t > 0.5").unwrap(), 0.5, 1e-12);
    // It is pushed from half a second on.
    let pushed = format!("{rests}[force.push]\non = \"P\"\nvector = \"[step(t - 0.5), 0, 0]\"\n");
    assert_near(at(&pushed, "x > 0").unwrap(), 0.5, 1e-12);
    assert_near(at(&pushed, "x' > 0").unwrap(), 0.5, 1e-12);
    assert_eq!(at(&pushed, "x' < 0"), None);
    // One that falls presses the floor where it lands, not in the air.
    let falls = particle(1.0);
    assert_near(
        at(&falls, "lambda(floor) > 0").unwrap(),
        0.2_f64.sqrt(),
        1e-9,
    );
    assert_near(at(&falls, "y' < 0").unwrap(), 0.0, 1e-12);
    // It is seen below where it was by more than rounding.
    assert_near(at(&falls, "y < 1").unwrap(), 0.0, 1e-6);
    // One that is stopped at one second stays so.
    let stopped = run(
        "[coordinates]\nx = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
         [constraint.pin]\nholds = \"x' = 0\"\nactive = false\n[event.e]\nwhen = \"x > 1\"\nengage = \"pin\"\n\
         [run]\nspan = 3\nuntil = \"x' < 0\"\n",
    );
    assert_eq!(stopped.outcome, Outcome::Done);
}

const EVEN: &str =
    "[coordinates]\nx = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n";

/// Times at which an event happens that leaves all as it was, of a motion x = t that the integrator follows exactly in a few long steps.
fn times_of(when: &str) -> Vec<f64> {
    let event = format!("[event.e]\nwhen = \"{when}\"\nset = {{ \"x'\" = \"x'\" }}\n");
    let found = run(&format!("{EVEN}{event}[run]\nspan = 2\n"));
    found.happened.iter().map(|it| it.t).collect()
}

/// sin 50 x is beyond 0.9999 for half a thousandth of a second, sixteen times in the run.
#[test]
fn conditions_that_change_far_faster_than_the_motion_are_followed() {
    let first = 0.9999_f64.asin();
    for (when, expected) in [
        ("sin(50*x) > 0.9999", first),
        ("x' - 1 < sin(50*x) - 0.9999", first),
        ("cos(50*t) < -0.9999", (-0.9999_f64).acos()),
    ] {
        let times = times_of(when);
        let place = |k: i32| (expected + std::f64::consts::TAU * f64::from(k)) / 50.0;
        let all = (0..20).map(place).filter(|t| (0.0..2.0).contains(t));
        let all: Vec<f64> = all.collect();
        assert_eq!(times.len(), all.len(), "{when}: {times:?}");
        for (found, wanted) in times.iter().zip(all) {
            assert_near(*found, wanted, 1e-10);
        }
    }
    let found = times_of("sin(50*x) > 0.9999 and x > 1");
    assert_eq!(found.len(), 8, "{found:?}");
    assert!(times_of("sin(50*x) > 1.0001").is_empty());
}

#[test]
fn conditions_that_are_true_in_a_thin_place_only_are_found() {
    let inside = |width: f64| 0.7 - width * 2.0_f64.ln().sqrt();
    for (when, expected) in [
        ("pulse(x - 0.7, 0.001) > 0.5", 0.7),
        ("if(x > 0.7 and x < 0.7001, 1, 0) > 0.5", 0.7),
        ("step(x - 0.7) - step(x - 0.7001) > 0.5", 0.7),
        ("exp(-((x - 0.7)/1e-4)^2) > 0.5", inside(1e-4)),
        ("exp(-((x - 0.7)/1e-6)^2) > 0.5 and t < 1", inside(1e-6)),
        ("sqrt((x - 0.7)^2 + 1e-10) < 2e-5", 0.7 - 3e-10_f64.sqrt()),
        ("1/((x - 0.7)^2 + 1e-8) > 1e7", 0.7 - 9e-8_f64.sqrt()),
    ] {
        let times = times_of(when);
        assert_eq!(times.len(), 1, "{when}: {times:?}");
        assert_near(times[0], expected, 1e-10);
    }
}

/// 100 N on 1 kg while sin 50 y is beyond 0.9999, for 2 acos(0.9999)/50 each of sixteen times.
#[test]
fn forces_that_change_far_faster_than_the_motion_are_followed() {
    let force = "[force.f]\ngeneralized = { x = \"if(sin(50*y) > 0.9999, 100, 0)\" }\n";
    let text = EVEN
        .replace("x = 0\n", "x = 0\ny = 0\n")
        .replace("\"x'\" = 1", "\"y'\" = 1")
        .replace("[x, 0, 0]", "[x, y, 0]");
    let found = run(&format!("{text}{force}[run]\nspan = 2\n"));
    let each = 2.0 * 0.9999_f64.acos() / 50.0;
    assert_near(found.rates[0], 16.0 * 100.0 * each, 1e-6);
}

/// A condition that comes near to being true a hundred thousand times in one step is followed in points from some place on, and that is told; with shorter
/// steps it is followed.
#[test]
fn what_changes_too_fast_to_be_followed_is_told() {
    let spins = "[coordinates]\na = 0\n[start]\n\"a'\" = 1e5\n[energy]\nkinetic = \"a'^2/2\"\n\
        [event.up]\nwhen = \"sin(a)*cos(a) > 0.5000001\"\nstop = true\n[run]\nspan = 10\nsamples = 2\n";
    let found = run(spins);
    let (t, what) = found.unfollowed.expect("it turns too often");
    assert_eq!(what, Watched::Event(0));
    assert!(t < 10.0);
    let options = RunOptions {
        max_step: Some(1e-3),
        span: Some(0.1),
        ..RunOptions::default()
    };
    let followed = run_with(spins, &options).unwrap();
    assert_eq!(followed.unfollowed, None);
    assert_eq!(followed.outcome, Outcome::Done);
}

/// A condition that stays true is no event again where something else happens.
#[test]
fn an_impact_does_not_repeat_an_event() {
    let text = "[coordinates]\nx = 0.6\ny = 1.7\n[energy]\nkinetic = \"x'^2/2 + y'^2/2\"\npotential = \"9.81*x + 9.81*y\"\n\
        [constraint.floor]\nholds = \"x >= 0\"\nrestitution = 0.9\n\
        [event.kick]\nwhen = \"y < 1.4\"\nset = { \"y'\" = \"y' - 1\" }\n[run]\nspan = 0.6\n";
    let found = run(text);
    let kinds: Vec<&Happening> = found.happened.iter().map(|it| &it.of).collect();
    assert_eq!(kinds, [&Happening::Event(0), &Happening::Impact(vec![0])]);
    assert_near(
        found.coordinates[1],
        1.7 - (0.6 - (0.6_f64 / 9.81).sqrt()) - 9.81 * 0.18,
        1e-10,
    );
}
