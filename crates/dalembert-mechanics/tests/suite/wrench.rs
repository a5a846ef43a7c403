//! Physical forces of rows on particles and bodies: what a row pulls at, and where the model leaves it open.

use crate::models::{mechanism, thin_disk};
use dalembert_expr::print::{Format, print_one};
use dalembert_mechanics::lower::{Physical, physical};

fn of(model: &str) -> (dalembert_mechanics::model::Model, Physical) {
    let mechanism = mechanism(model);
    let physical = physical(&mechanism.model);
    (mechanism.model, physical)
}

/// The forces of a row in words: `P [a, b, c] [0, 0, 0]`, or why there are none.
fn said(model: &str, row: usize) -> String {
    let (model, physical) = of(model);
    let text = |v: &[dalembert_expr::ExprId; 3]| {
        let parts = v.map(|x| print_one(&physical.graph, x, Format::Model));
        format!("[{}]", parts.join(", "))
    };
    match &physical.rows[row] {
        Err(why) => why.clone(),
        Ok(wrenches) => wrenches
            .iter()
            .map(|w| {
                format!(
                    "{} {} {}",
                    w.on.name(&model),
                    text(&w.force),
                    text(&w.moment)
                )
            })
            .collect::<Vec<_>>()
            .join("; "),
    }
}

const DISK: &str = concat!(
    r#"
[parameters]
r = 0.343
[coordinates]
x = 0
y = 0
z = 1
psi = 0
theta = 0.2
phi = 0"#,
    thin_disk!()
);

#[test]
fn a_rolling_contact_pulls_at_the_contact_point() {
    let model = format!(
        "{DISK}\n[constraint.contact]\nholds = \"vel(disk, at = disk.center - r*lean.ez) = 0\""
    );
    // Force e_x at −r lean.ez: the moment is −r lean.ez × e_x.
    assert_eq!(
        said(&model, 0),
        "disk [1, 0, 0] [0, -r*cos(theta), -r*cos(psi)*sin(theta)]"
    );
    assert_eq!(
        said(&model, 2),
        "disk [0, 0, 1] [r*cos(psi)*sin(theta), r*sin(psi)*sin(theta), 0]"
    );
}

#[test]
fn a_raw_row_goes_to_what_its_coordinates_move() {
    let floor = format!("{DISK}\n[constraint.floor]\nholds = \"z = r*cos(theta)\"");
    assert_eq!(
        said(&floor, 0),
        "disk [0, 0, 1] [r*cos(psi)*sin(theta), r*sin(psi)*sin(theta), 0]"
    );
    let wire = r#"
[parameters]
k = 2
[coordinates]
x = 1
y = 2
[particle.P]
mass = 1
position = "[x, y, 0]"
[constraint.wire]
holds = "k*x - y = 0"
"#;
    assert_eq!(said(wire, 0), "P [k, -1, 0] [0, 0, 0]");
}

#[test]
fn oblique_coordinates_share_a_force() {
    // Work on u alone is done by a force at right angles to the direction of w.
    let oblique = r#"
[coordinates]
u = 1
w = 2
[particle.P]
mass = 1
position = "[u + w, w, 0]"
[constraint.hold]
holds = "u = 1"
"#;
    assert_eq!(said(oblique, 0), "P [1, -1, 0] [0, 0, 0]");
    // Two particles that move independently though no coordinate moves one alone.
    let mixed = r#"
[coordinates]
a = 1
b = 2
[particle.P]
mass = 1
position = "[a + b, 0, 0]"
[particle.Q]
mass = 1
position = "[a - b, 0, 0]"
[constraint.hold]
holds = "a = 1"
"#;
    assert_eq!(
        said(mixed, 0),
        "P [1/2, 0, 0] [0, 0, 0]; Q [1/2, 0, 0] [0, 0, 0]"
    );
}

#[test]
fn what_the_model_leaves_open_is_said_in_words() {
    let rod = r#"
[coordinates]
theta = 0.3
[body.rod]
mass = 1
center = "[sin(theta), -cos(theta), 0]"
attitude = "Rz(theta)"
shape = { rod = { length = 2, axis = "y" } }
[constraint.program]
holds = "theta = 0.3 + t"
"#;
    assert_eq!(
        said(rod, 0),
        "`theta` moves both the velocity and the rotation of `rod`: write the constraint with pos, vel or omega of what is held"
    );
    // By a motor, or by a guide of its centre: the same row.
    for holds in ["omega(rod).z = 1", "vel(rod).x = cos(theta)"] {
        let held = rod.replace("theta = 0.3 + t", holds);
        let told = said(&held, 0);
        assert!(
            told.starts_with("its coordinates hold `rod` already"),
            "{told}"
        );
    }
    let energies = r#"
[coordinates]
x = 0
y = 1
[energy]
kinetic = "x'^2 + y'^2"
[constraint.wire]
holds = "x = 2*y"
"#;
    assert!(said(energies, 0).starts_with("`x` moves inertia that is given as an energy"));
    let double = r#"
[coordinates]
a = 0.3
b = 0.5
[particle.P]
mass = 1
position = "[sin(a), -cos(a), 0]"
[particle.Q]
mass = 1
position = "pos(P) + [sin(b), -cos(b), 0]"
[constraint.program]
holds = "b = 0.3 + t"
"#;
    assert!(said(double, 0).starts_with("`a` moves `P` and `Q`"));
}

#[test]
fn definitions_speeds_and_frames_of_a_row_pull_at_what_they_speak_of() {
    let bodies = r#"
[coordinates]
a = 0.3
b = 0.5
u = 0
v = 0
w = 0
[definitions]
tip = "point(first, [1, 0, 0])"
gap = "tip - point(second, [-1, 0, 0])"
[frame.fork]
attitude = "first Rz(1)"
[body.first]
mass = 1
inertia = [1, 1, 1]
center = "[cos(a) + u, sin(a) + v, 0]"
attitude = "Rz(a)"
[body.second]
mass = 1
inertia = [1, 1, 1]
center = "[1 + w, 0, 0]"
attitude = "Rz(b)"
[constraint.pin]
holds = "gap.x = 0"
[constraint.fork]
holds = "dot(fork.ex, ground.ey) = 0"
"#;
    assert_eq!(
        said(bodies, 0),
        "first [1, 0, 0] [0, 0, -sin(a)]; second [-1, force that is not determined, 0] [0, 0, -sin(b)]"
    );
    // d(fork.ex)·e_y = (δ × fork.ex)·e_y
    assert_eq!(
        said(bodies, 1),
        "first [0, 0, 0] [0, 0, cos(a)*cos(1) - sin(a)*sin(1)]"
    );
}

/// A rope from a trolley on a rail to a load: what it does to the trolley across the rail follows from its words alone.
#[test]
fn components_across_a_rail_are_open() {
    let crane = |rope: &str| {
        format!(
            "[coordinates]\nx = 0\npx = 1\npy = -2\n[particle.trolley]\nmass = 3\nposition = \"[x, 0, 0]\"\n\
             [particle.load]\nmass = 1\nposition = \"[px, py, 0]\"\n[constraint.rope]\nholds = \"{rope}\"\n"
        )
    };
    let raw = crane("px^2 - 2*px*x + x^2 + py^2 = 5");
    assert_eq!(
        said(&raw, 0),
        "trolley [2*x - 2*px, force that is not determined, 0] [0, 0, 0]; load [2*px - 2*x, 2*py, 0] [0, 0, 0]"
    );
    let words = crane("dot(pos(load) - pos(trolley), pos(load) - pos(trolley)) = 5");
    let told = said(&words, 0);
    assert!(
        told.starts_with("trolley [") && !told.contains("determined"),
        "{told}"
    );
    let model = mechanism(&raw);
    let start = model.start().unwrap().state;
    let found = model.forces(&model.snapshot(&start).unwrap());
    let [trolley, load] = found.reactions[0].as_ref().unwrap()[..] else {
        panic!("{found:?}");
    };
    assert!(trolley.force[1].is_nan() && load.force.iter().all(|it| it.is_finite()));
    assert!((trolley.force[0] + load.force[0]).abs() < 1e-13);
    // All that holds the trolley is known all the same.
    let resultant = found.resultants[0].1.as_ref().unwrap();
    assert!(resultant.force.iter().all(|it| it.is_finite()));
}
