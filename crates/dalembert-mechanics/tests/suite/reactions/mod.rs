//! Reactions on particles and bodies, resultants and momenta, against closed forms, Newton and Euler written by
//! hand, and a second derivation.

mod contact;
mod geometry;
mod joints;
mod laws;
mod wording;

use crate::models::leaning_disk;
use dalembert_mechanics::reactions::{Acting, Forces};
use dalembert_mechanics::{Mechanism, Snapshot};

fn at_start(mechanism: &Mechanism) -> (Snapshot, Forces) {
    let start = mechanism.start().unwrap_or_else(|e| panic!("{e:#?}"));
    let now = mechanism.snapshot(&start.state).unwrap();
    let forces = mechanism.forces(&now);
    (now, forces)
}

fn on(forces: &Forces, mechanism: &Mechanism, constraint: &str, target: &str) -> Acting {
    let constraints = &mechanism.model.constraints;
    let index = constraints.iter().position(|c| c.name.text == constraint);
    let all = forces.reactions[index.unwrap()].as_ref().unwrap();
    let found = all.iter().find(|it| it.on.name(&mechanism.model) == target);
    *found.unwrap_or_else(|| panic!("{constraint} does not act on {target}"))
}

fn resultant(forces: &Forces, mechanism: &Mechanism, target: &str) -> Acting {
    let mut all = forces.resultants.iter();
    let found = all.find(|(on, _)| on.name(&mechanism.model) == target);
    *found.unwrap().1.as_ref().unwrap()
}

fn sum(vectors: impl IntoIterator<Item = [f64; 3]>) -> [f64; 3] {
    let add = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + b[i]);
    vectors.into_iter().fold([0.0; 3], add)
}

const DISK: &str = concat!(
    r#"
gravity = "[0, 0, -g]"
[parameters]
m = 2
r = 0.5
g = 9.81
J = "m*r^2/4"
[coordinates]
x = 0
y = 0
z = "r*cos(theta)"
psi = 0.4
theta = 0.3
phi = 0.2
[start]
"phi'" = 8
"theta'" = 0.7
"psi'" = -1.1"#,
    leaning_disk!(),
    r#"[constraint.contact]
holds = "vel(disk, at = disk.center - r*lean.ez) = 0"
"#
);

const PENDULUM: &str = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
theta = 0.7
[start]
"theta'" = 1.3
[particle.P]
mass = 2
position = "[0.8*sin(theta), -0.8*cos(theta), 0]"
"#;

const PENDULUM_IN_PLANE: &str = r#"
gravity = "[0, -9.81, 0]"
[coordinates]
x = "0.8*sin(0.7)"
y = "-0.8*cos(0.7)"
[start]
"x'" = "0.8*1.3*cos(0.7)"
"y'" = "0.8*1.3*sin(0.7)"
[particle.P]
mass = 2
position = "[x, y, 0]"
[constraint.string]
holds = "x^2 + y^2 = 0.64"
"#;
