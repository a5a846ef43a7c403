//! Coordinates of joints beside coordinates of bodies, and joints that couple others.

use super::{Now, close};

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
