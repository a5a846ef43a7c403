//! Small models whose rows say the same thing in several ways, most of them outside what the normal form decides: whatever
//! is derived has the freedoms of the numbers, and holds at states around the start.

use crate::every_example::compare;
use crate::support::{Reader, Values, derived};
use dalembert::derive::{Derivation, DeriveOptions, Form, Style};
use dalembert_mechanics::{Mechanism, Snapshot, model};

/// A particle in space, pulled along x, with some rows.
fn particle(rows: &[&str]) -> String {
    let mut text = String::from(
        r#"dalembert = 1
[parameters]
m = 1.3
F = 2
k = 0.7
[coordinates]
x = { value = 0.6, priority = "guess" }
y = { value = 0.4, priority = "guess" }
z = 0.5
[start]
"x'" = { value = 0.8, priority = "guess" }
"z'" = { value = 0.3, priority = "guess" }
[particle.P]
mass = "m"
position = "[x, y, z]"
[force.f]
on = "P"
vector = "[F, 0.3, -m*9.81]"
"#,
    );
    for (n, row) in rows.iter().enumerate() {
        text += &format!("[constraint.c{n}]\nholds = \"{row}\"\n");
    }
    text
}

/// Rows of such a particle, and the freedoms that they leave.
const PARTICLES: [(&[&str], usize); 17] = [
    (&["y' = x'*cos(atan(z))", "y'*sqrt(1 + z^2) = x'"], 2),
    (&["y' = x'*sin(asin(z))", "y' = x'*z"], 2),
    (&["y' = x'*abs(z)", "y' = x'*z*sign(z)"], 2),
    (&["y' = x'*sqrt(z^2)", "y' = x'*abs(z)"], 2),
    (&["y' = x'*exp(log(z))", "y' = x'*z"], 2),
    (&["y' = x'*exp(2*z)*exp(-z)", "y' = x'*exp(z)"], 2),
    (
        &[
            "y'*cos(z) = x'*sin(z)",
            "y'*(1 - tan(z/2)^2) = 2*x'*tan(z/2)",
        ],
        2,
    ),
    (&["y' = x'*sinh(log(z))", "y' = x'*(z - 1/z)/2"], 2),
    (&["y' = x'*log(z^2)", "y' = 2*x'*log(z)"], 2),
    (&["y' = x'*max(z, -z)", "y' = x'*abs(z)"], 2),
    // Once more in three rows, of which two are left.
    (
        &[
            "y' = x'*cos(atan(z))",
            "z' = x'*z",
            "y'*sqrt(1 + z^2)*z = z'",
        ],
        1,
    ),
    // Positions.
    (&["y = x*cos(atan(k))", "y*sqrt(1 + k^2) = x"], 2),
    (&["y = x^2", "sqrt(y) = abs(x)"], 2),
    (&["x^2 + y^2 = 1", "atan2(y, x) = asin(y)"], 2),
    // Rows that depend on each other only where they are met.
    (&["x = 0.6", "(x - 0.6)*y = 0", "y' = x'*z"], 1),
    (&["y = k*t", "x' = y'*z", "x' = k*z"], 1),
    // Rows that say nothing, and rows twice.
    (&["0*x' = 0", "x' = y'", "2*x' = 2*y'"], 2),
];

fn others() -> Vec<(&'static str, String)> {
    let disc = r#"dalembert = 1
gravity = "[0, 0, -g]"
[parameters]
r = 0.3
m = 2
g = 9.81
[coordinates]
x = 0
y = 0
z = "?"
a = 0.1
b = 0.2
c = 0
[start]
"a'" = 1
"b'" = 0.5
"c'" = 2
[body.disc]
mass = "m"
inertia = ["m*r^2/2", "m*r^2/4", "m*r^2/4"]
center = "[x, y, z]"
attitude = "Rz(a) Ry(b) Rx(c)"
[definitions]
down = "[0, 0, -1] + disc.ex.z*disc.ex"
touch = "disc.center + r/norm(down)*down"
[constraint.normal]
holds = "touch.z = 0"
[constraint.slip]
holds = "vel(disc, at = touch) = [0, 0, 0]"
"#;
    let car = r#"dalembert = 1
[parameters]
m = 1200
J = 1800
lf = 1.2
lr = 1.4
w = 1.5
F = 600
d = 0.17
[coordinates]
x = 0
y = 0
psi = 0
[definitions]
delta = "d*sin(t)"
L = "lf + lr"
dl = "atan(tan(delta)*L/(L - w/2*tan(delta)))"
dr = "atan(tan(delta)*L/(L + w/2*tan(delta)))"
[start]
"x'" = 10
[body.car]
mass = "m"
inertia = ["J", "J", "J"]
center = "[x, y, 0]"
attitude = "Rz(psi)"
point = { rear = "[-lr, 0, 0]", left = "[lf, w/2, 0]", right = "[lf, -w/2, 0]" }
[frame.wl]
attitude = "car Rz(dl)"
[frame.wr]
attitude = "car Rz(dr)"
[force.push]
on = "car"
at = "car.rear"
vector = "[F, 0, 0]"
in = "car"
[constraint.rear]
holds = "dot(vel(car.rear), car.ey) = 0"
[constraint.left]
holds = "dot(vel(car.left), wl.ey) = 0"
[constraint.right]
holds = "dot(vel(car.right), wr.ey) = 0"
"#;
    let quasi = r#"dalembert = 1
[parameters]
m = 2
J = 0.3
F = 1.5
[coordinates]
x = 0
y = 0
th = 0.4
[speeds]
u = "x'*cos(th) + y'*sin(th)"
v = "y'*cos(th) - x'*sin(th)"
w = "th'"
[start]
u = 1
w = 0.5
[energy]
kinetic = "m*(x'^2 + y'^2)/2 + J*th'^2/2"
potential = "-F*x"
[constraint.edge]
holds = "v = 0"
[constraint.again]
holds = "y' = x'*tan(2*atan(tan(th/2)))"
"#;
    let servo = r#"dalembert = 1
[parameters]
m = 1
l = 0.5
[coordinates]
x = 0
phi = 0.3
[start]
"phi'" = 0.2
[particle.cart]
mass = "2*m"
position = "[x, 0, 0]"
[particle.bob]
mass = "m"
position = "[x + l*sin(phi), -l*cos(phi), 0]"
[force.motor]
on = "cart"
vector = "[1, 0, 0]"
[constraint.held]
holds = "x + l*sin(phi) = 0.1*t + 0.5*sin(0.3)"
enforced_by = ["motor"]
"#;
    let friction = r#"dalembert = 1
gravity = "[0, -g, 0]"
[parameters]
m = 1
g = 9.81
[coordinates]
x = 0
y = 0
[start]
"x'" = 1.5
[particle.P]
mass = "m"
position = "[x, y, 0]"
[constraint.floor]
holds = "y = 0.1*abs(x + 4) - 0.4"
friction = { coefficient = 0.2 }
"#;
    vec![
        ("disc", disc.to_owned()),
        ("car", car.to_owned()),
        ("quasi", quasi.to_owned()),
        ("servo", servo.to_owned()),
        ("friction", friction.to_owned()),
        (
            "nonlinear",
            particle(&["x'^2 + y'^2 = 4*z'^2", "sqrt(x'^2 + y'^2) = 2*abs(z')"]),
        ),
        ("signs", particle(&["y' = x'*abs(x)", "y' = x'*x"])),
    ]
}

/// The snapshots at the start and around it.
fn snapshots(mechanism: &Mechanism) -> Vec<Snapshot> {
    let start = mechanism.start().unwrap().state;
    let mut states = mechanism.states_around(&start, 5);
    states.push(start);
    let snapshots = states.iter().map(|state| mechanism.snapshot(state));
    snapshots.filter_map(Result::ok).collect()
}

/// Every formulation of a model against numbers; how many there were.
fn hold(name: &str, text: &str) -> Vec<Derivation> {
    let (model, _) = model::read(text).unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
    let mechanism = Mechanism::new(model).unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
    let snapshots = snapshots(&mechanism);
    assert!(snapshots.len() > 3, "{name}");
    let mut all = Vec::new();
    for form in [None].into_iter().chain(Form::ALL.map(Some)) {
        let options = DeriveOptions {
            form,
            ..DeriveOptions::default()
        };
        let found = match derived(text, &options) {
            Ok(found) => found,
            Err(errors) => {
                assert!(
                    form.is_some() && !errors.contains("E0608"),
                    "{name}: {errors}"
                );
                continue;
            }
        };
        for now in &snapshots {
            let reader = Reader::new(&found, Values::at(&mechanism, now));
            let mut nonzero = found.nonzero.equations.iter();
            if nonzero.any(|&it| reader.value(it).abs() < 1e-3) {
                continue;
            }
            compare(name, &found, &mechanism, now);
            if let Some(independent) = &found.independent {
                let freedoms = mechanism.speed_names().len() - now.rank;
                assert_eq!(independent.speeds.len(), freedoms, "{name}");
            }
        }
        all.push(found);
    }
    all
}

#[test]
fn rows_that_say_the_same_in_other_words() {
    for (rows, freedoms) in PARTICLES {
        let all = hold(&rows.join("; "), &particle(rows));
        let mut independent = all.iter().filter_map(|it| it.independent.as_ref());
        assert!(
            independent.all(|it| it.speeds.len() == freedoms),
            "{rows:?}"
        );
        // What is not solved is always there; what is solved, nearly always.
        assert!(all.len() >= 3, "{rows:?}");
    }
}

#[test]
fn rolling_quasi_velocities_servo_and_friction() {
    for (name, text) in others() {
        hold(name, &text);
    }
}

#[test]
fn what_numbers_decided_is_not_called_proved() {
    let (rows, _) = PARTICLES[0];
    let options = DeriveOptions {
        form: Some(Form::Independent),
        ..DeriveOptions::default()
    };
    let found = derived(&particle(rows), &options).unwrap();
    assert!(!found.proved.contains(&Form::Independent));
    let (form, agreement) = found.agree[0];
    assert_eq!(form, Form::Independent);
    assert!(
        agreement.states >= 5 && agreement.digits >= 20,
        "{agreement:?}"
    );
    let page = found.page(Style::Text);
    assert!(!page.contains("proved equal"), "{page}");
    assert!(page.contains("states, not proved: independent"), "{page}");
    assert!(page.contains("`c1` follows from the other rows"), "{page}");
}

#[test]
fn rows_that_depend_on_each_other_on_one_side_only_are_not_solved() {
    let text = particle(&["y' = x'*abs(x)", "y' = x'*x"]);
    let options = DeriveOptions {
        form: Some(Form::Independent),
        ..DeriveOptions::default()
    };
    let errors = derived(&text, &options).err().unwrap();
    assert!(errors.contains("E0607"), "{errors}");
    let found = derived(&text, &DeriveOptions::default()).unwrap();
    assert!([Form::Multipliers, Form::Lagrange].contains(&found.form));
}
