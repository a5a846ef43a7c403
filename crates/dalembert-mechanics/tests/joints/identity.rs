//! Coordinates that obey an identity: fewer speeds than coordinates.

use super::{Now, close};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::model::read;

const COORDINATES: &str = r#"
[parameters]
I1 = 1
I2 = 2
I3 = 2.5
[coordinates]
q0 = 0.8
q1 = 0.36
q2 = -0.48
q3 = 0
"#;

const SPEEDS: &str = r#"
[speeds]
w1 = "2*(-q1*q0' + q0*q1' + q3*q2' - q2*q3')"
w2 = "2*(-q2*q0' - q3*q1' + q0*q2' + q1*q3')"
w3 = "2*(-q3*q0' + q2*q1' - q1*q2' + q0*q3')"
[start]
w1 = 0.7
w2 = -0.4
w3 = 1.1
"#;

const UNIT: &str = "[constraint.unit]\nholds = \"q0^2 + q1^2 + q2^2 + q3^2 = 1\"\n";

/// Euler's equations, whatever the body is given by: its energy, M v' = h in the speeds, or as a body. The mass matrix in the speeds is that of the
/// principal moments.
#[test]
fn euler() {
    let bodies = [
        "[energy]\nkinetic = \"(I1*w1^2 + I2*w2^2 + I3*w3^2)/2\"\n",
        "[dynamics]\nmass_matrix = [[\"I1\", 0, 0], [0, \"I2\", 0], [0, 0, \"I3\"]]\n\
         force = [\"(I2 - I3)*w2*w3\", \"(I3 - I1)*w3*w1\", \"(I1 - I2)*w1*w2\"]\n",
        "[body.B]\ninertia = [\"I1\", \"I2\", \"I3\"]\ncenter = \"[0, 0, 0]\"\nattitude = \"quat(q0, q1, q2, q3)\"\n",
    ];
    for body in bodies {
        let force = "[force.drive]\ngeneralized = { w1 = 0.3, w3 = -0.2 }\n";
        let now = Now::written(&format!(
            "{COORDINATES}{SPEEDS}{body}{force}{UNIT}identity = true\n"
        ));
        let (w, moment) = ([0.7, -0.4, 1.1], [0.3, 0.0, -0.2]);
        let inertia = [1.0, 2.0, 2.5];
        let snapshot = &now.snapshot;
        assert_eq!(snapshot.speeds.len(), 3);
        assert_eq!(snapshot.speed_rates.len(), 3);
        assert_eq!(snapshot.force_given.len(), 3);
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let given = (inertia[j] - inertia[k]) * w[j] * w[k] + moment[i];
            close(snapshot.speeds[i], w[i]);
            close(snapshot.speed_rates[i], given / inertia[i]);
            close(snapshot.force_given[i], given);
            close(snapshot.force_ideal[i], 0.0);
        }
        // q'' = N v' + N' v: the length stays.
        let (q, rates) = (&snapshot.state.coordinates, &snapshot.state.rates);
        let along = |x: &[f64]| -> f64 { q.iter().zip(x).map(|(q, x)| q * x).sum() };
        let squares: f64 = rates.iter().map(|rate| rate * rate).sum();
        close(along(rates), 0.0);
        close(along(&snapshot.accelerations), -squares);
        let system = &now.mechanism.system;
        assert_eq!(system.identities(), 1);
        assert_eq!(system.named_speeds(), 3);
    }
}

/// The same constraint as a row, with a speed of its own for the length: accelerations agree.
#[test]
fn as_a_row() {
    let body = "[body.B]\ninertia = [\"I1\", \"I2\", \"I3\"]\ncenter = \"[0, 0, 0]\"\nattitude = \"quat(q0, q1, q2, q3)\"\n\
                [force.drive]\non = \"B\"\ntorque = \"[0.3, 0.2, -0.7]\"\n";
    let identity = Now::written(&format!(
        "{COORDINATES}{SPEEDS}{body}{UNIT}identity = true\n"
    ));
    let row = Now::written(&format!(
        "{COORDINATES}{}{body}{UNIT}",
        SPEEDS.replace(
            "[start]",
            "size = \"q0*q0' + q1*q1' + q2*q2' + q3*q3'\"\n[start]"
        )
    ));
    for name in ["q0", "q1", "q2", "q3"] {
        close(identity.rate(name), row.rate(name));
        close(identity.acceleration(name), row.acceleration(name));
    }
}

/// A start that is off the identity is a guess that is moved onto it, and a value that must be met is named.
#[test]
fn start() {
    let body = "[energy]\nkinetic = \"(I1*w1^2 + I2*w2^2 + I3*w3^2)/2\"\n";
    let guessed = COORDINATES.replace("q0 = 0.8", "q0 = { value = 1.6, priority = \"guess\" }");
    let now = Now::written(&format!("{guessed}{SPEEDS}{body}{UNIT}identity = true\n"));
    close(now.position("q0"), 0.8);
    let wrong = COORDINATES.replace("q0 = 0.8", "q0 = 1.6");
    let text = format!("dalembert = 1\n{wrong}{SPEEDS}{body}{UNIT}identity = true\n");
    let mechanism = Mechanism::new(read(&text).unwrap().0).unwrap();
    let error = mechanism.start().unwrap_err();
    assert!(error[0].message.contains("unit"), "{error:?}");
}

fn refused(text: &str) -> (String, String) {
    let text = format!("dalembert = 1\n{text}");
    let errors = match read(&text) {
        Ok((model, _)) => Mechanism::new(model).err().unwrap(),
        Err(errors) => errors,
    };
    assert_eq!(errors.len(), 1, "{errors:#?}");
    (errors[0].code.to_owned(), errors[0].message.clone())
}

#[test]
fn refusals() {
    let body = "[energy]\nkinetic = \"(I1*q1'^2 + I2*q2'^2 + I3*q3'^2 + q0'^2)/2\"\n";
    let with = |speeds: &str, constraint: &str| {
        refused(&format!("{COORDINATES}{speeds}{body}{constraint}"))
    };
    let identity = format!("{UNIT}identity = true\n");
    // Too few speeds, too many, and none.
    let two = SPEEDS
        .replace("w3 = \"2", "# \"2")
        .replace("w3 = 1.1\n", "");
    assert_eq!(with(&two, &identity).0, "E0420");
    let four = SPEEDS.replace("[start]", "w4 = \"q0'\"\n[start]");
    assert_eq!(with(&four, &identity).0, "E0420");
    assert_eq!(with("", &identity).0, "E0420");
    assert_eq!(with(SPEEDS, UNIT).0, "E0420");
    // What is no identity.
    for holds in [
        "q0*q0' + q1*q1' + q2*q2' + q3*q3' = 0",
        "q0^2 + q1^2 + q2^2 + q3^2 >= 1",
        "q0^2 + q1^2 + q2^2 + q3^2 = 1 + t",
        "I1 = 1",
    ] {
        let text = format!("[constraint.unit]\nholds = \"{holds}\"\nidentity = true\n");
        assert_eq!(with(SPEEDS, &text).0, "E0418", "{holds}");
    }
    // What an identity cannot have.
    for line in [
        "nonideal = { q0 = 1 }",
        "friction = { coefficient = 0.1 }",
        "active = false",
        "enforced_by = [\"F\"]",
        "restitution = 0.5",
    ] {
        let (code, message) = with(SPEEDS, &format!("{identity}{line}\n"));
        assert_eq!(code, "E0315", "{line}: {message}");
    }
    // Its reaction.
    let record = |what: &str| format!("{identity}[run]\nspan = 1\nrecord = [\"{what}\"]\n");
    for what in ["lambda(unit)", "reaction(unit)", "power(unit)"] {
        let (code, message) = with(SPEEDS, &record(what));
        assert_eq!(code, "E0435");
        assert!(message.contains("has no reaction"), "{message}");
    }
    let law = format!("{identity}[force.F]\ngeneralized = {{ w1 = \"lambda(unit)\" }}\n");
    assert_eq!(with(SPEEDS, &law).0, "E0472");
    let event = format!("{identity}[event.E]\nwhen = \"q1 > 1\"\nrelease = \"unit\"\n");
    assert_eq!(with(SPEEDS, &event).0, "E0490");
}

/// Speeds and identity that do not determine the rates.
#[test]
fn singular() {
    let text = format!(
        "dalembert = 1\n{COORDINATES}{}[energy]\nkinetic = \"(w1^2 + w2^2 + w3^2)/2\"\n{UNIT}identity = true\n",
        SPEEDS
            .replace(
                "w3 = \"2*(-q3*q0' + q2*q1' - q1*q2' + q0*q3')\"",
                "w3 = \"w1 + w2\""
            )
            .replace("w3 = 1.1\n", "")
    );
    let mechanism = Mechanism::new(read(&text).unwrap().0).unwrap();
    let start = mechanism.start();
    let found = start.map(|start| mechanism.snapshot(&start.state).map(|_| ()));
    assert!(!matches!(found, Ok(Ok(()))), "{found:?}");
}
