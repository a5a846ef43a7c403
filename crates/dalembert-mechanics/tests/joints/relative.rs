//! Coordinates of joints beside coordinates of bodies, and joints that couple others.

use super::{Now, close};

/// Two bars in space, the first on a ball joint, the second bent down on a hinge; its tip is where `closing` holds it.
fn closed(coordinates: &str, closing: &str) -> Now {
    Now::written(&format!(
        r#"
coordinates = "{coordinates}"
gravity = "[1, 2, -9]"
[body.a]
mass = 1
inertia = [0.1, 0.2, 0.3]
start = {{ center = "[0.5, 0, 0]" }}
[body.b]
mass = 2
inertia = [0.2, 0.3, 0.4]
start = {{ center = "[1.25, 0, -sqrt(3)/4]", attitude = "Ry(60 deg)" }}
[joint.A]
type = "spherical"
between = ["ground", "point(a, [-0.5, 0, 0])"]
[joint.B]
type = "revolute"
axis = "y"
between = ["point(a, [0.5, 0, 0])", "point(b, [-0.5, 0, 0])"]
[joint.C]
{closing}
"#
    ))
}

/// A joint that closes a loop acts as its type says, whatever the coordinates hold already.
#[test]
fn reactions_of_joints_that_close_loops_are_those_of_free_bodies() {
    let tip = "between = [\"point(ground, [1.5, 0, -sqrt(3)/2])\", \"point(b, [0.5, 0, 0])\"]";
    let below =
        "between = [\"point(ground, [1.5, 0, -sqrt(3)/2 - 0.2])\", \"point(b, [0.5, 0, 0])\"]";
    for (closing, moments) in [
        (format!("type = \"spherical\"\n{tip}"), 3),
        (format!("type = \"distance\"\nlength = 0.2\n{below}"), 1),
        (format!("type = \"point-on-line\"\naxis = \"[1, 1, 0]\"\n{tip}"), 2),
        (format!("type = \"point-on-plane\"\naxis = \"[0, 1, 2]\"\n{tip}"), 1),
        (format!("type = \"track\"\ncurve = \"z = x^2 + y^2\"\n{tip}"), 1),
        (format!("type = \"rolling\"\naxis = \"z\"\nradius = 0.2\n{below}"), 3),
        (
            "type = \"rope\"\nlength = 0.2\nthrough = [\"point(ground, [1.5, 0, -sqrt(3)/2 - 0.2])\", \"point(b, [0.5, 0, 0])\"]".to_owned(),
            1,
        ),
    ] {
        let [free, hung] = ["absolute", "relative"].map(|it| closed(it, &closing));
        let [wanted, found] = [&free, &hung].map(|it| it.reaction("C", "b"));
        let size: f64 = wanted.force.iter().map(|it| it.abs()).sum();
        assert!(size > 1.0, "{closing} carries {size}");
        for axis in 0..3 {
            close(found.force[axis], wanted.force[axis]);
            close(found.moment[axis], wanted.moment[axis]);
        }
        assert!(hung.snapshot.multipliers.len() >= moments);
    }
}

/// What the coordinates hold in place of all rows of a joint is not known.
#[test]
fn a_joint_that_coordinates_hold_has_no_reaction() {
    let now = Now::of(
        "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nq = 0.3\n[body.bar]\nmass = 1\ninertia = [0, 0, 0.1]\n\
         center = \"[0.5*cos(q), 0.5*sin(q), 0]\"\nattitude = \"Rz(q)\"\n\
         [joint.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"point(bar, [-0.5, 0, 0])\"]\n",
    );
    assert!(now.forces.reactions[0].is_err());
}

/// Wheels B and A about z; A may slide along its axle, or is on a screw.
fn geared(second: &str, coupling: &str) -> Now {
    Now::written(&format!(
        r#"
[body.b]
mass = 1
inertia = [1, 1, 2]
[body.a]
mass = 3
inertia = [1, 1, 0.5]
start = {{ center = "[1, 0, 0]" }}
[joint.B]
type = "revolute"
axis = "z"
between = ["ground", "b"]
[joint.A]
{second}
axis = "z"
between = ["point(ground, [1, 0, 0])", "a"]
[joint.G]
{coupling}
[force.motor]
along = "B.angle"
size = 10
[spring.none]
on = "A.distance"
stiffness = 0
[start]
"B.rate" = 1
"#
    ))
}

#[test]
fn a_gear_couples_the_angle_of_what_slides_and_turns() {
    let gear = "type = \"gear\"\nof = [\"B\", \"A\"]\nratio = -2";
    let now = geared("type = \"cylindrical\"", gear);
    close(now.rate("B.angle"), 1.0);
    close(now.rate("A.angle"), -2.0);
    close(now.rate("a.z"), 0.0);
    close(now.acceleration("B.angle"), 10.0 / (2.0 + 4.0 * 0.5));
    close(now.acceleration("a.z"), 0.0);
    // On a screw it moves along, by its pitch for each turn.
    let now = geared("type = \"screw\"\npitch = 0.6", gear);
    let lead = 0.6 / std::f64::consts::TAU;
    close(now.rate("A.angle"), -2.0);
    close(now.rate("a.z"), -2.0 * lead);
    close(
        now.acceleration("B.angle"),
        10.0 / (2.0 + 4.0 * (0.5 + 3.0 * lead * lead)),
    );
}

#[test]
fn a_rack_takes_the_angle_of_one_and_the_distance_of_the_other() {
    let now = geared(
        "type = \"cylindrical\"",
        "type = \"rack\"\nof = [\"B\", \"A\"]\nradius = 0.4",
    );
    close(now.rate("a.z"), 0.4);
    close(now.acceleration("B.angle"), 10.0 / (2.0 + 0.16 * 3.0));
    let screw = geared(
        "type = \"screw\"\npitch = 0.6",
        "type = \"rack\"\nof = [\"B\", \"A\"]\nradius = 0.4",
    );
    close(screw.rate("a.z"), 0.4);
}

/// Six rows of two rolling joints on three speeds, which they hold: all motions that are left move something else, and no rounding of what is held makes it a
/// change point.
#[test]
fn rows_that_hold_all_they_know_are_no_change_point() {
    let now = Now::written(
        r#"
coordinates = "relative"
gravity = "[1, -2, -9]"
[body.b0]
mass = 1
inertia = [0.1, 0.2, 0.25]
[body.b1]
mass = 2
inertia = [0.1, 0.2, 0.25]
start = { center = "[0, 0.5, 1]" }
[body.b3]
mass = 2
inertia = [0.1, 0.2, 0.25]
start = { center = "[0.2, 0.1, 0.3]" }
[joint.J0]
type = "prismatic"
axis = "[-0.07, -0.25, -0.72]"
between = ["ground", "b0"]
[joint.J1]
type = "revolute"
axis = "[0.73, -0.99, 0.01]"
between = ["b0", "point(b1, [-0.69, -0.52, -0.78])"]
[joint.J3]
type = "cylindrical"
axis = "[0.8, -0.84, 0.11]"
between = ["point(b0, [0.01, 0.85, 0.18])", "point(b3, [0.55, -0.23, 0.49])"]
[joint.J4]
type = "rolling"
axis = "[0.23, -0.92, -0.24]"
radius = 0.2
between = ["b0", "point(b3, [-0.8, -0.42, 0.35])"]
[joint.J5]
type = "rolling"
axis = "[0.41, -0.1, 0.45]"
radius = 0.3
between = ["ground", "point(b3, [0.45, -0.16, -0.82])"]
"#,
    );
    let start = now.mechanism.start().unwrap();
    assert!(!start.change_point, "{:#?}", start.warnings);
    for held in ["J0.distance", "J3.angle", "J3.distance"] {
        close(now.acceleration(held), 0.0);
    }
    assert!(now.acceleration("J1.angle").abs() > 1.0);
}
