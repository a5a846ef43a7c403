//! When events happen.

use super::{assert_near, run, run_with};
use dalembert_simulate::{Happened, Happening, Outcome, RunOptions};

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
