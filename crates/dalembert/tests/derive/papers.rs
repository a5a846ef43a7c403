//! The papers' examples: their equations with the misprints corrected, and all formulations proved equal.

use crate::support::{Reader, Values, by, derived, states, text, varied};
use dalembert::derive::{Derivation, DeriveOptions, Form};
use dalembert_mechanics::Mechanism;

/// Values at which nothing is zero or equal by accident, constraints not met.
fn anywhere(mechanism: &Mechanism, seed: u64) -> Values {
    let now = mechanism.snapshot(&states(mechanism)[1]).unwrap();
    let mut values = Values::at(mechanism, &now);
    let mut rng = fastrand::Rng::with_seed(seed);
    let names: Vec<String> = mechanism.coordinate_names().map(str::to_owned).collect();
    for name in names {
        for primes in ["", "'", "''"] {
            values.set(&format!("{name}{primes}"), 0.3 + rng.f64());
        }
    }
    values
}

/// Whether one printed equation is `left = right`, up to a factor that is the same for all accelerations.
fn is_printed(derivation: &Derivation, mechanism: &Mechanism, wanted: &str) -> bool {
    let (left, right) = wanted.split_once('=').unwrap();
    let residual = |values: &Values| values.of(left) - values.of(right);
    derivation.equations.iter().any(|equation| {
        let ratio = |seed: u64, shift: f64| {
            let mut values = anywhere(mechanism, seed);
            for name in mechanism.coordinate_names() {
                values = values.with(&format!("{name}''"), shift * name.len() as f64);
            }
            let wanted = residual(&values);
            let (found, _) = Reader::new(derivation, values).residual(equation);
            found / wanted
        };
        (0..5).all(|seed| {
            let (first, second, third) = (ratio(seed, 0.0), ratio(seed, 0.7), ratio(seed, -1.3));
            let close = |a: f64, b: f64| (a - b).abs() < 1e-9 * a.abs();
            close(first, second) && close(first, third)
        })
    })
}

#[track_caller]
fn prints(name: &str, form: Form, wanted: &[&str]) {
    let (derivation, mechanism) = (by(name, form), varied(name, 3));
    for equation in wanted {
        let found = is_printed(&derivation, &mechanism, equation);
        let page = derivation.page(dalembert::derive::Style::Text);
        assert!(found, "{name} by {form} does not say {equation}\n{page}");
    }
    assert_eq!(derivation.equations.len(), wanted.len(), "{name} by {form}");
}

#[test]
fn blajers_disk() {
    // (6.27), (6.28), misprints corrected.
    let equations = [
        "((m*r^2 + J)*sin(theta)^2 + J)*phi'' + (m*r^2 + 2*J)*sin(theta)*psi'' = -2*(m*r^2 + J)*phi'*theta'*sin(theta)*cos(theta) - 2*J*theta'*psi'*cos(theta)",
        "(m*r^2 + J)*theta'' = (m*r^2 + J)*phi'^2*sin(theta)*cos(theta) + (m*r^2 + 2*J)*phi'*psi'*cos(theta) + m*g*r*sin(theta)",
        "(m*r^2 + 2*J)*(sin(theta)*phi'' + psi'') = -2*(m*r^2 + J)*phi'*theta'*cos(theta)",
    ];
    let options = DeriveOptions {
        independent: ["phi", "theta", "psi"].map(str::to_owned).to_vec(),
        ..DeriveOptions::default()
    };
    for name in ["blajer-disk", "blajer-disk-contact"] {
        let derivation = derived(&text(name), &options).unwrap();
        assert_eq!(derivation.form, Form::Independent);
        for equation in equations {
            let found = is_printed(&derivation, &varied(name, 3), equation);
            assert!(found, "{name}: {equation}");
        }
        assert_eq!(derivation.equations.len(), 3);
    }
}

#[test]
fn phongs_pendulum() {
    // (3.16)
    let equation = "(J + m*l^2)*phi'' = -m*g*l*sin(phi)";
    prints("phong-pendulum", Form::Independent, &[equation]);
}

#[test]
fn phongs_disk() {
    let equation = "(m*r^2 + J)*phi'' = -r*(1 + 2*sin(3*t))";
    prints("phong-disk", Form::Independent, &[equation]);
}

#[test]
fn particle_on_a_line() {
    let derivation = by("ukf-line", Form::UdwadiaKalaba);
    let mechanism = varied("ukf-line", 3);
    let values = || anywhere(&mechanism, 1);
    let reader = Reader::new(&derivation, values());
    // (28)–(32): F^L and F^C.
    let ideal = ["-m*g*k/(k^2 + 1)", "m*g/(k^2 + 1)"];
    let nonideal = ["(1 + 2*k)/(k^2 + 1)", "k*(1 + 2*k)/(k^2 + 1)"];
    let pairs = derivation.forces.ideal.iter().zip(ideal);
    for (found, wanted) in pairs.chain(derivation.forces.nonideal.iter().zip(nonideal)) {
        let (found, wanted) = (reader.value(found.unwrap()), values().of(wanted));
        assert!(
            (found - wanted).abs() < 1e-12 * wanted.abs(),
            "{found} for {wanted}"
        );
    }
}

#[test]
fn appell_and_hamels_particle() {
    // (42) for m = 1: the ideal force along the row, the other with its part along the row taken out.
    let derivation = by("appell-hamel", Form::UdwadiaKalaba);
    let mechanism = varied("appell-hamel", 3);
    let values = || anywhere(&mechanism, 2);
    let reader = Reader::new(&derivation, values());
    let drag = "(-a0*sqrt(x'^2 + y'^2 + z'^2))";
    let speed = "(x'^2 + y'^2 + z'^2)";
    let along = format!("{drag}*(x'^2 + y'^2 - z'^2)/{speed}");
    let wanted = [
        format!("{drag}*x' - x'*{along}"),
        format!("{drag}*y' - y'*{along}"),
        format!("{drag}*z' + z'*{along}"),
    ];
    for (found, wanted) in derivation.forces.nonideal.iter().zip(wanted) {
        let (found, wanted) = (reader.value(found.unwrap()), values().of(&wanted));
        assert!(
            (found - wanted).abs() < 1e-10 * wanted.abs(),
            "{found} for {wanted}"
        );
    }
}

#[test]
fn angeles_disk() {
    // (a), (b'), (c), in which (b') is a combination of the rows of the reduced equations.
    let derivation = by("angeles-disk", Form::Independent);
    let equation = "5*theta'' - 5*sin(theta)*cos(theta)*phi'^2 - 6*cos(theta)*phi'*psi' - 4*g*sin(theta)/r = 0";
    assert!(is_printed(
        &derivation,
        &varied("angeles-disk", 3),
        equation
    ));
    let equation = "3*sin(theta)*phi'' + 3*psi'' + 5*cos(theta)*theta'*phi' = 0";
    assert!(is_printed(
        &derivation,
        &varied("angeles-disk", 3),
        equation
    ));
}

#[test]
fn angeles_bar() {
    prints(
        "angeles-bar",
        Form::Lagrange,
        &[
            "theta''*sin(phi)^2 + 2*theta'*phi'*sin(phi)*cos(phi) = 0",
            "m*a^2/3*phi'' = m*a^2/3*theta'^2*sin(phi)*cos(phi) - m*g*a/2*sin(phi) - k*phi",
        ],
    );
}

#[test]
fn all_formulations_are_proved_equal() {
    let all = Form::ALL.to_vec();
    let without = |left_out: Form| -> Vec<Form> {
        all.iter()
            .copied()
            .filter(|&form| form != left_out)
            .collect()
    };
    let cases = [
        ("blajer-disk", all.clone()),
        ("rolling-disk", all.clone()),
        ("angeles-disk", all.clone()),
        ("angeles-axle", all.clone()),
        ("angeles-bar", all.clone()),
        ("angeles-bar-torque", all.clone()),
        ("angeles-gear-train", all.clone()),
        ("phong-pendulum", all.clone()),
        ("pendulum", all.clone()),
        ("ukf-line", all.clone()),
        // Given by forces.
        ("phong-disk", without(Form::Lagrange)),
        ("blajer-disk-contact", without(Form::Lagrange)),
        // Not linear in the velocities.
        ("appell-hamel", without(Form::Independent)),
    ];
    for (name, wanted) in cases {
        let found = derived(&text(name), &DeriveOptions::default()).unwrap();
        assert_eq!(found.proved, wanted, "{name}: {:?}", found.not_proved);
    }
}
