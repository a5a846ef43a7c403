//! Conditions made of several comparisons, and of energies and powers, against closed forms.

use super::{assert_near, run};
use dalembert_simulate::Outcome;

/// Thrown level at 1 m/s from a height of 1 m: x = t, y = 1 − g t²/2.
const THROWN: &str = "gravity = \"[0, -10, 0]\"\n[coordinates]\nx = 0\ny = 1\n[start]\n\"x'\" = 1\n\
    [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n";

fn ends(until: &str) -> f64 {
    let found = run(&format!("{THROWN}[run]\nspan = 2\nuntil = \"{until}\"\n"));
    assert_eq!(found.outcome, Outcome::Until, "{until}");
    found.t_end
}

#[test]
fn comparisons_are_joined_by_and_or_and_not() {
    let falls_to_half = 0.1_f64.sqrt();
    assert_near(ends("x > 0.3 and y < 0.5"), falls_to_half, 1e-12);
    assert_near(ends("x > 0.4 and y < 0.5"), 0.4, 1e-12);
    assert_near(ends("x > 0.3 or y < 0.5"), 0.3, 1e-12);
    assert_near(ends("x > 0.4 or y < 0.5"), falls_to_half, 1e-12);
    assert_near(ends("not (x < 0.3 or y > 0.5)"), falls_to_half, 1e-12);
    // `and` binds tighter than `or`, `not` tighter than both.
    assert_near(ends("x > 0.2 or y < 0.5 and x > 5"), 0.2, 1e-12);
    assert_near(ends("(x > 0.2 or y < 0.5) and x > 1.5"), 1.5, 1e-12);
    assert_near(ends("not x < 0.2 and y < 1"), 0.2, 1e-12);
}

/// Both hold for 1e-9 s only, in a step that is far longer; and a comparison that has no value decides nothing alone.
#[test]
fn short_truths_and_comparisons_without_a_value() {
    assert_near(ends("t > 0.314159 and t < 0.314159001"), 0.314159, 1e-12);
    assert_near(ends("x > 0.5 and log(x - 0.2) < 5"), 0.5, 1e-12);
}

/// `t >= 0` holds at the start, where it is zero; `t > 0` does not.
#[test]
fn what_holds_at_the_start_is_decided_comparison_by_comparison() {
    let at = |when: &str| {
        let event = format!("[event.e]\nwhen = \"{when}\"\nstop = true\n");
        let found = run(&format!("{THROWN}{event}[run]\nspan = 2\n"));
        (found.outcome, found.t_end)
    };
    assert_eq!(at("t >= 0 and y > 0.5"), (Outcome::Event(0), 0.0));
    assert_eq!(at("t > 0 and y > 0.5").0, Outcome::Event(0));
    assert_eq!(at("t > 0 and y > 5").0, Outcome::Done);
    assert_eq!(at("not t < 0 and not y <= 0.5"), (Outcome::Event(0), 0.0));
}

/// T = 1 + (10 t)², V = 20 (1 − 5 t²); the wind does 3 x' = 3 (1 + 1.5 t) W.
#[test]
fn energies_and_powers_are_known_in_conditions() {
    assert_near(ends("kinetic > 10"), 0.3, 1e-12);
    assert_near(ends("potential < 15"), 0.05_f64.sqrt(), 1e-12);
    let wind = "[force.wind]\non = \"P\"\nvector = \"[3, 0, 0]\"\n";
    let found = |until: &str| {
        let run_until = format!("{THROWN}{wind}[run]\nspan = 2\nuntil = \"{until}\"\n");
        run(&run_until).t_end
    };
    assert_near(found("power(wind) > 3.45"), 0.1, 1e-12);
    // The wind adds 3 x(t) = 3 (t + 0.75 t²) to the energy of 21 J.
    let added = |t: f64| 3.0 * (t + 0.75 * t * t);
    assert_near(
        found(&format!("energy > {}", 21.0 + added(0.4))),
        0.4,
        1e-12,
    );
}

/// A lift that is driven up does λ y' of work: λ = m (g + a), y' = a t.
#[test]
fn the_power_of_a_constraint_is_that_of_its_multiplier() {
    let text = "gravity = \"[0, -10, 0]\"\n[coordinates]\ny = \"?\"\n[particle.P]\nmass = 2\nposition = \"[0, y, 0]\"\n\
        [constraint.lift]\nholds = \"y = t^2\"\n[run]\nspan = 2\nuntil = \"power(lift) > 24 and lambda(lift) > 0\"\n";
    assert_near(run(text).t_end, 0.5, 1e-11);
}

/// 0.1 s < t < 0.2 s and 0.3 s < t ≤ 0.4 s: 10 N on 2 kg for 0.2 s in all.
#[test]
fn choices_have_conditions_of_several_comparisons() {
    let force = "[force.kick]\non = \"P\"\nvector = \"[if(t > 0.1 and (t < 0.2 or t > 0.3 and not t > 0.4), 10, 0), 0, 0]\"\n";
    let found = run(&format!("{THROWN}{force}[run]\nspan = 0.5\n"));
    assert_near(found.rates[0], 2.0, 1e-10);
    assert_near(found.coordinates[0], 0.5 + 0.175 + 0.075, 1e-10);
}

#[test]
fn powers_that_no_expression_says_are_refused_by_name() {
    let refused = |text: &str, what: &str| {
        let text = format!("dalembert = 1\n{text}");
        let read = dalembert_mechanics::read_model(&text);
        let found = match read.map(|(model, _)| dalembert_mechanics::Mechanism::new(model)) {
            Ok(Ok(_)) => panic!("{text} is accepted"),
            Ok(Err(errors)) | Err(errors) => errors,
        };
        let told = found
            .iter()
            .any(|it| it.code == "E0496" && it.message.contains(what));
        assert!(told, "{found:#?}");
    };
    let rough = "[constraint.table]\nholds = \"y = 1\"\nfriction = { coefficient = 0.1 }\n";
    let until = |of: &str| format!("[run]\nspan = 1\nuntil = \"power({of}) < -1\"\n");
    refused(&format!("{THROWN}{rough}{}", until("table")), "friction");
    refused(&format!("{THROWN}{}", until("drive")), "prescribed");
}
