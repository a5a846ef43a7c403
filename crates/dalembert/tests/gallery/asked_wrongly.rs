//! Runs that end early, starts that cannot be, and plans that make no sense.

use crate::support::{assert_close, exact, read, run, text};
use dalembert::simulate::Outcome;

/// The pendulum with a piece of its text replaced.
fn pendulum(old: &str, new: &str) -> String {
    let text = text("pendulum");
    assert!(text.contains(old), "{old}");
    text.replace(old, new)
}

#[test]
fn until_ends_with_a_row() {
    let text = pendulum("[run]", "[run]\nuntil = \"x < 0\"");
    let end = run(&read(&text).unwrap(), 10.0, &exact());
    assert_eq!(end.outcome, Outcome::Until);
    assert!(end.coordinates[0].abs() < 1e-12);
    let column = |name: &str| end.table.column(name).unwrap().values;
    assert_eq!(column("t").len(), 2);
    assert_close(&column("t")[1..], &[end.t_end], 1e-15, "t");
    assert_close(&column("x'")[1..], &end.rates[..1], 1e-15, "x'");
    // m g l (1 - cos 30°) = m v²/2
    let speed = (2.0 * 9.81 * (1.0 - 30.0_f64.to_radians().cos())).sqrt();
    assert_close(&end.rates[..1], &[-speed], 1e-9, "x'");
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let guess = "y = { value = \"-l\", priority = \"guess\" }";
    let rod = "holds = \"x^2 + y^2 = l^2\"";
    for (text, code) in [
        (pendulum(guess, "y = 1"), "E0504"),
        // No number at all.
        (
            pendulum(rod, "holds = \"l*sqrt(x/l - 5) + y = 0\""),
            "E0507",
        ),
        (
            pendulum("[run]", "[start]\n\"x'\" = 1\n\"y'\" = 1\n[run]"),
            "E0506",
        ),
    ] {
        let refused = read(&text).unwrap().start().unwrap_err();
        assert_eq!(refused[0].code, code, "{text}");
    }
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let energy = "\"energy\"";
    for (text, code) in [
        (pendulum(energy, "\"x'''\""), "E0434"),
        (pendulum("[run]", "[run]\nintegrator = \"rk4\""), "E0436"),
    ] {
        let Err(refused) = read(&text) else {
            panic!("{text}");
        };
        assert!(refused.contains(code), "{refused}");
    }
    for name in dalembert_mechanics::lower::INTEGRATORS {
        assert!(dalembert::simulate::method_named(name).is_some(), "{name}");
    }
}
