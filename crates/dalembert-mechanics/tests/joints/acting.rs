//! Motors, drives, springs and stops on what joints measure.

use super::{Now, close};

/// A bar of 2 kg on a hinge at its end, 0.5 m from its mass centre; about the hinge its inertia is 0.8 kg m².
fn bar(more: &str) -> Now {
    Now::of(&format!(
        r#"
gravity = "[0, -9.81, 0]"
[body.bar]
mass = 2
inertia = [0, 0, 0.3]
start = {{ center = "[0.4, 0.2, 0]" }}
[joint.A]
type = "revolute"
between = ["ground", "point(bar, [-0.5, 0, 0])"]
{more}
"#
    ))
}

const WEIGHT: f64 = 9.81; // m g times the arm of 0.5 m
const STARTED: &str = "[start]\n\"A.angle\" = 0.4\n\"A.rate\" = 1.5\n";

#[test]
fn a_motor_turns_as_told() {
    let told = "[constraint.motor]\nholds = \"A.angle = 0.4 + 1.5*t + t^2\"\n";
    let now = bar(told);
    close(now.position("bar.angle"), 0.4);
    close(now.rate("bar.angle"), 1.5);
    close(now.acceleration("bar.angle"), 2.0);
    let torque = 0.8 * 2.0 + WEIGHT * 0.4_f64.cos();
    close(now.multiplier("motor"), torque);
    // The same torque by a force that is found.
    let drive = "enforced_by = [\"drive\"]\n[force.drive]\nalong = \"A.angle\"\nsize = 1\n";
    let servo = bar(&format!("{told}{drive}"));
    close(servo.acceleration("bar.angle"), 2.0);
    close(servo.multiplier("motor"), torque);
    for force in [&now, &servo] {
        let on = force.reaction("A", "bar");
        close(on.force[0], 2.0 * force.acceleration("bar.x"));
        close(on.force[1], 2.0 * (force.acceleration("bar.y") + 9.81));
    }
}

#[test]
fn a_drive_follows_its_law() {
    let law = "[force.drive]\nalong = \"A.angle\"\nsize = \"3 - 0.2*A.rate\"\n";
    let now = bar(&format!("{law}{STARTED}"));
    let torque = 3.0 - 0.2 * 1.5 - WEIGHT * 0.4_f64.cos();
    close(now.acceleration("bar.angle"), torque / 0.8);
}

#[test]
fn a_spring_and_a_damper_hold_back() {
    let spring = "[spring.K]\non = \"A.angle\"\nstiffness = 7\nlength = 0.1\ndamping = 0.6\n";
    let now = bar(&format!("{spring}{STARTED}"));
    let torque = -7.0 * 0.3 - 0.6 * 1.5 - WEIGHT * 0.4_f64.cos();
    close(now.acceleration("bar.angle"), torque / 0.8);
}

/// What lies against a stop is held by it; what is farther is not.
#[test]
fn a_stop_presses_and_does_not_pull() {
    let stop = |at: &str| {
        format!(
            "[constraint.stop]\nholds = \"A.angle >= {at}\"\n[start]\n\"A.angle\" = 0.4\n\"A.rate\" = 0\n"
        )
    };
    let now = bar(&stop("0.4"));
    close(now.acceleration("bar.angle"), 0.0);
    close(now.multiplier("stop"), WEIGHT * 0.4_f64.cos());
    close(now.reaction("A", "bar").force[1], 2.0 * 9.81);
    let free = bar(&stop("0.3"));
    close(free.multiplier("stop"), 0.0);
    close(
        free.acceleration("bar.angle"),
        -WEIGHT * 0.4_f64.cos() / 0.8,
    );
}
