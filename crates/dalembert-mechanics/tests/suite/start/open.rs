//! Parameters that are "?", against what equilibrium by hand gives.

use dalembert_mechanics::{Mechanism, model};

fn completed(text: &str) -> Result<Mechanism, String> {
    let text = format!("dalembert = 1\n{text}");
    let (model, _) = model::read(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    Mechanism::new(model).map_err(|errors| {
        let told = errors.iter();
        let told = told.map(|it| format!("{} {} {:?}\n", it.code, it.message, it.help));
        told.collect()
    })
}

fn value(mechanism: &Mechanism, name: &str) -> f64 {
    let mut parameters = mechanism.model.parameters.iter();
    let place = parameters.position(|(own, _)| own.text == name).unwrap();
    mechanism.parameters[place]
}

#[track_caller]
fn close(found: f64, wanted: f64) {
    assert!(
        (found - wanted).abs() <= 1e-9 * wanted.abs(),
        "{found} and not {wanted}"
    );
}

const PENDULUM: &str = r#"gravity = "[0, -9.81, 0]"
[parameters]
m = "2 kg"
l = "0.7 m"
k = "50 N*m"
rest = "?"
[coordinates]
theta = "0.5 rad"
[particle.P]
mass = "m"
position = "[l*sin(theta), -l*cos(theta), 0]"
[spring.S]
on = "theta"
stiffness = "k"
length = "rest"
[start]
"theta''" = 0
"#;

/// k (θ₀ − θ) = m g l sin θ
#[test]
fn a_torsion_spring_holds_a_pendulum() {
    let mechanism = completed(PENDULUM).unwrap();
    close(
        value(&mechanism, "rest"),
        0.5 + 2.0 * 9.81 * 0.7 * 0.5_f64.sin() / 50.0,
    );
    let start = mechanism.start().unwrap();
    assert!(start.solved.iter().any(|(name, _)| name == "rest"));
    let found = mechanism.snapshot(&start.state).unwrap();
    assert!(found.accelerations[0].abs() < 1e-9);
}

/// A wanted acceleration other than zero, and a parameter that others are written in.
#[test]
fn what_is_asked_for_is_met() {
    let text = PENDULUM
        .replace("\"theta''\" = 0", "\"theta''\" = \"3 rad/s^2\"")
        .replace("rest = \"?\"", "half = \"?\"\nrest = \"2*half\"");
    let mechanism = completed(&text).unwrap();
    let rest = 0.5 + (2.0 * 0.49 * 3.0 + 2.0 * 9.81 * 0.7 * 0.5_f64.sin()) / 50.0;
    close(value(&mechanism, "half"), rest / 2.0);
}

/// A lever of bodies and joints: the moment of the spring about the hinge is that of the weight. From the wall at (0, 1) to the tip at 30°.
#[test]
fn a_spring_between_points_holds_a_lever() {
    let text = r#"planar = true
gravity = "[0, -9.81, 0]"
[parameters]
l0 = "?"
[body.lever]
mass = "3 kg"
shape = { rod = { length = "2 m", axis = "x" } }
point = { foot = "[-1, 0, 0]", tip = "[1, 0, 0]" }
start = { center = "[0.9, 0.4, 0]", attitude = "Rz(30 deg)" }
[joint.A]
type = "revolute"
between = ["ground", "lever.foot"]
[spring.S]
between = ["point(ground, [0, 1, 0])", "lever.tip"]
stiffness = "400 N/m"
length = "l0"
[start]
"A.angle" = "30 deg"
"A.angle''" = 0
"#;
    let mechanism = completed(text).unwrap();
    // The tip is at (√3, 1): the spring pulls along −x, with the arm 1; the weight has the arm √3/2.
    let tension = 3.0 * 9.81 * 3.0_f64.sqrt() / 2.0;
    close(value(&mechanism, "l0"), 3.0_f64.sqrt() - tension / 400.0);
}

/// Two of them, for two accelerations.
#[test]
fn two_parameters_are_found_together() {
    let text = "[parameters]\na = \"?\"\nb = \"?\"\n[coordinates]\nx = 1\ny = 2\n[particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [force.F]\ngeneralized = { x = \"a + b*y\", y = \"a*x - 3*b\" }\n[start]\n\"x''\" = 4\n\"y''\" = -1\n";
    // a + 2 b = 8, a − 3 b = −2
    let mechanism = completed(text).unwrap();
    close(value(&mechanism, "a"), 4.0);
    close(value(&mechanism, "b"), 2.0);
}

#[test]
fn what_cannot_be_found_is_refused() {
    let force = |force: &str, start: &str| {
        format!(
            "[parameters]\np = \"?\"\n[coordinates]\nx = 1\n[particle.P]\nmass = 2\nposition = \"[x, 0, 0]\"\n[force.F]\ngeneralized = {{ x = \"{force}\" }}\n{start}"
        )
    };
    let asked = "[start]\n\"x''\" = 1\n";
    for (text, wanted) in [
        (force("p", ""), "no acceleration"),
        (
            force("p", "[start]\n\"x''\" = 1\n\"2*x''\" = 1\n"),
            "is not a rate",
        ),
        (
            force("2 + 0*p", asked),
            "nothing determines the parameter `p`",
        ),
        (force("1 - p^2 - x^2", asked), "no values of `p`"),
        (force("p^2 - 7", asked), "several values"),
    ] {
        let told = match model::read(&format!("dalembert = 1\n{text}")) {
            Err(errors) => errors[0].message.clone(),
            Ok(_) => match completed(&text) {
                Err(told) => told,
                Ok(mechanism) => panic!("p = {} {text}", value(&mechanism, "p")),
            },
        };
        assert!(told.contains(wanted), "{told}");
    }
}

/// An override is a value like any other, and what it was to be found from goes with it.
#[test]
fn an_override_closes_it() {
    let text = format!("dalembert = 1\n{PENDULUM}");
    let (mut model, _) = model::read(&text).unwrap();
    model.set("rest=0.4").unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    close(value(&mechanism, "rest"), 0.4);
    assert!(mechanism.start().unwrap().solved.is_empty());
}

/// Lengths from places: of a rod whose ends are given, and of a link of a loop whose two angles are.
#[test]
fn lengths_are_found_from_positions() {
    let rod = "[parameters]\nl = \"?\"\n[coordinates]\nx = \"0.3 m\"\ny = \"-0.4 m\"\n[particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
        [constraint.rod]\nholds = \"x^2 + y^2 = l^2\"\n";
    let told = completed(rod).err().expect("l and -l");
    assert!(told.contains("several values"), "{told}");
    let rod = rod.replace("x^2 + y^2 = l^2", "sqrt(x^2 + y^2) = l");
    close(value(&completed(&rod).unwrap(), "l"), 0.5);
    let loop_of = |said: &str| {
        format!(
            r#"planar = true
[parameters]
l = "?"
[body.crank]
mass = 1
shape = {{ rod = {{ length = 0.2, axis = "x" }} }}
point = {{ foot = "[-0.1, 0, 0]", tip = "[0.1, 0, 0]" }}
start = {{ center = "[0.1, 0, 0]" }}
[body.rod]
mass = 1
inertia = [1, 1, 1]
point = {{ foot = "[-l/2, 0, 0]", tip = "[l/2, 0, 0]" }}
start = {{ center = "[0.5, 0.1, 0]" }}
[body.block]
mass = 1
inertia = [1, 1, 1]
start = {{ center = "[0.8, 0, 0]" }}
[joint.A]
type = "revolute"
between = ["ground", "crank.foot"]
[joint.B]
type = "revolute"
between = ["crank.tip", "rod.foot"]
[joint.C]
type = "revolute"
between = ["rod.tip", "block"]
[joint.S]
type = "prismatic"
axis = "x"
between = ["ground", "block"]
[start]
{said}
"#
        )
    };
    let both = loop_of("\"A.angle\" = \"60 deg\"\n\"S.distance\" = \"0.7 m\"");
    let (c, s): (f64, f64) = (0.2 * 0.5, 0.2 * 0.75_f64.sqrt());
    let length = ((0.7 - c).powi(2) + s * s).sqrt();
    close(value(&completed(&both).unwrap(), "l"), length);
    // With a rate beside them, which every length allows.
    let beside = loop_of("\"A.angle\" = \"60 deg\"\n\"S.distance\" = \"0.7 m\"\n\"A.rate\" = 2");
    close(value(&completed(&beside).unwrap(), "l"), length);
    // From a rate: the block stands still where the crank is square to it, and its rate tells the length elsewhere.
    let rate = loop_of("\"A.angle\" = \"60 deg\"\n\"A.rate\" = 2\n\"S.rate\" = \"-0.4 m/s\"");
    let mechanism = completed(&rate).unwrap();
    // s' = −a φ' (sin φ + cos φ tan β), sin β = a sin φ/l
    let tangent: f64 = (0.4 / 0.4 - 0.75_f64.sqrt()) / 0.5;
    close(value(&mechanism, "l"), s / tangent.atan().sin());
    // One thing alone says where the motion starts, and nothing of the length.
    let told = completed(&loop_of("\"A.angle\" = \"60 deg\""))
        .err()
        .expect("open");
    assert!(told.contains("E0533"), "{told}");
}
