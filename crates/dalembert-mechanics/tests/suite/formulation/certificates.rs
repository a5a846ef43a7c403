//! Models of all kinds are certified at random states.

use crate::ideal::SYSTEMS;
use crate::models::mechanism;
use dalembert_mechanics::formulation::Formulation;

#[test]
fn all_kinds_of_rows_are_certified() {
    for (name, text) in SYSTEMS {
        let found = mechanism(text);
        let certificate = found.certify(&found.start().unwrap().state);
        assert_eq!(certificate.states, 100, "{name}");
        assert!(
            certificate.max_difference < 1e-12,
            "{name}: {certificate:?}"
        );
        assert!(certificate.agree() && !certificate.is_limited());
        // A speed that is not linear, and an acceleration row.
        let reducible = *name != "particle at given speed";
        let expected = if reducible { 5 } else { 4 };
        assert_eq!(certificate.formulations.len(), expected, "{name}");
        let rows = if reducible { vec![] } else { vec![0, 1] };
        assert_eq!(certificate.not_reducible, rows, "{name}");
        assert_eq!(certificate, found.certify(&found.start().unwrap().state));
    }
}

/// Half of the shakes lead where √x has no value; smaller ones are taken there.
#[test]
fn states_without_a_meaning_are_replaced_by_nearer_ones() {
    let edge = mechanism(
        r#"
[coordinates]
x = 1e-3
y = "?"
[start]
"x'" = 1e-3
[particle.P]
mass = 1
position = "[x, y, 0]"
[constraint.edge]
holds = "y = sqrt(x)"
"#,
    );
    let certificate = edge.certify(&edge.start().unwrap().state);
    assert!(certificate.agree(), "{certificate:?}");
    assert!(certificate.states > 80, "{certificate:?}");
}

#[test]
fn large_models_are_compared_less_and_say_so() {
    let chain = |links: usize| {
        let mut text = String::from("gravity = \"[0, -9.81, 0]\"\n[coordinates]\n");
        for i in 1..=links {
            text += &format!("x{i} = {}\ny{i} = {}\n", 0.6 * i as f64, -0.8 * i as f64);
        }
        for i in 1..=links {
            let before = i - 1;
            let (x, y) = match before {
                0 => (format!("x{i}"), format!("y{i}")),
                _ => (format!("(x{i} - x{before})"), format!("(y{i} - y{before})")),
            };
            text += &format!("[particle.P{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\"\n");
            text += &format!("[constraint.c{i}]\nholds = \"{x}^2 + {y}^2 = 1\"\n");
        }
        let found = mechanism(&text);
        found.certify(&found.start().unwrap().state)
    };
    let small = chain(10);
    assert_eq!((small.asked, small.is_limited()), (100, false));
    let medium = chain(40);
    assert!(medium.is_limited() && (1..100).contains(&medium.asked));
    assert_eq!(medium.formulations, Formulation::ALL);
    let large = chain(110);
    assert_eq!((large.asked, large.formulations.len()), (1, 4));
    for certificate in [small, medium, large] {
        assert!(certificate.max_difference < 1e-11, "{certificate:?}");
        assert_eq!(certificate.states, certificate.asked);
    }
}

#[test]
fn states_differ_and_meet_rows_of_all_levels() {
    let text = r#"
[coordinates]
x = 1
y = 0
z = "?"
[start]
"y'" = { value = 1.2, priority = "guess" }
[particle.P]
mass = 1
position = "[x, y, z]"
[constraint.ring]
holds = "x^2 + y^2 = 1 + 0.1*sin(t)"
[constraint.twice]
holds = "2*x*x' + 2*y*y' = 0.1*cos(t)"
[constraint.height]
holds = "z = x*y"
[constraint.speed]
holds = "x'^2 + y'^2 + z'^2 = 3"
"#;
    let mechanism = mechanism(text);
    let start = mechanism.start().unwrap().state;
    let mut evaluator = mechanism.evaluator();
    let mut before = start.clone();
    let states = mechanism.states_around(&start, 50);
    assert_eq!(states.len(), 50);
    for state in states {
        evaluator.set_position(state.t, &state.coordinates);
        evaluator.set_rates(&state.rates);
        let met = |values: &[f64]| values.iter().all(|value| value.abs() < 1e-10);
        assert!(met(evaluator.position().values));
        assert!(met(evaluator.velocity().values));
        assert!((state.coordinates[1] - before.coordinates[1]).abs() > 1e-6);
        assert!((state.rates[0] - before.rates[0]).abs() > 1e-6);
        before = state;
    }
}
