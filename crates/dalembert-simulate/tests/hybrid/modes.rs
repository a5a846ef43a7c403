//! Constraints that come and go.

use super::{assert_near, mechanism, run, run_with};
use dalembert_mechanics::formulation::Formulation;
use dalembert_simulate::{Outcome, RunOptions};

/// A bob falls inside the circle of its string: where that goes taut the velocity along it is lost.
const STRING: &str = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0.6\ny = 0\n\
    [particle.bob]\nmass = 2\nposition = \"[x, y, 0]\"\n\
    [constraint.string]\nholds = \"x^2 + y^2 = 1\"\nactive = false\n\
    [event.taut]\nwhen = \"x^2 + y^2 > 1\"\nengage = \"string\"\n";

#[test]
fn a_string_that_goes_taut_takes_the_velocity_along_it() {
    let found = run(&format!("{STRING}[run]\nspan = 2\n"));
    let hit = &found.happened[0];
    // At (0.6, −0.8) after a fall of 0.8.
    assert_near(hit.t, (1.6_f64 / 9.81).sqrt(), 1e-12);
    let v = (2.0 * 9.81 * 0.8_f64).sqrt();
    assert_near(hit.before[1], -v, 1e-11);
    // Along the tangent (0.8, 0.6): −0.6 v.
    assert_near(hit.after[0], -0.6 * v * 0.8, 1e-11);
    assert_near(hit.after[1], -0.6 * v * 0.6, 1e-11);
    assert_near(hit.lost.unwrap(), 0.64 * v * v, 1e-10);
    let radius = found.coordinates[0].hypot(found.coordinates[1]);
    assert_near(radius, 1.0, 1e-12);
    assert!(found.balance_error().abs() < 1e-8);
}

#[test]
fn modes_change_by_every_formulation_and_integrator() {
    let reference = run(&format!("{STRING}[run]\nspan = 2\nrtol = 1e-11\n"));
    for formulation in Formulation::ALL {
        let options = RunOptions {
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        let found = run_with(&format!("{STRING}[run]\nspan = 2\n"), &options);
        let found = found.unwrap_or_else(|error| panic!("{formulation:?}: {error:?}"));
        assert_near(found.coordinates[0], reference.coordinates[0], 1e-7);
    }
    for integrator in ["dopri5", "radau"] {
        let found = run(&format!(
            "{STRING}[run]\nspan = 2\nintegrator = \"{integrator}\"\n"
        ));
        assert_near(found.coordinates[0], reference.coordinates[0], 1e-6);
    }
}

/// From rest near the top a particle leaves a smooth sphere where cos θ = (2/3) cos θ₀.
#[test]
fn a_particle_leaves_a_sphere_at_two_thirds() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nr = 2\n[coordinates]\nx = \"r*sin(0.1)\"\ny = \"r*cos(0.1)\"\n\
        [particle.P]\nmass = 0.5\nposition = \"[x, y, 0]\"\n[constraint.sphere]\nholds = \"x^2 + y^2 = r^2\"\n\
        [event.leave]\nwhen = \"lambda(sphere) < 0\"\nrelease = \"sphere\"\n\
        [event.ground]\nwhen = \"y < 0\"\nstop = true\n[run]\nspan = 5\n";
    let found = run(text);
    assert_eq!(found.outcome, Outcome::Event(1));
    let leave = &found.happened[0];
    assert!(leave.impulses.is_empty() && !leave.is_blow);
    // Energy: v² = 2 g r (cos θ₀ − cos θ); the angle of the velocity is that of the tangent.
    let v2: f64 = leave.before.iter().map(|v| v * v).sum();
    let cos = 0.1_f64.cos() - v2 / (2.0 * 9.81 * 2.0);
    assert_near(cos, 2.0 / 3.0 * 0.1_f64.cos(), 1e-9);
    assert!(found.balance_error().abs() < 1e-8);
}

/// A ladder that slides down from rest leaves the wall where its height is 2/3 of that at the start.
#[test]
fn a_ladder_leaves_the_wall_at_two_thirds_of_its_height() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nl = 4\n[coordinates]\nx = \"?\"\ny = \"?\"\na = \"1.2\"\n\
        [body.ladder]\nmass = 10\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\ninertia = [0, 1, \"10*l^2/12\"]\n\
        point = { top = \"[-l/2, 0, 0]\", foot = \"[l/2, 0, 0]\" }\n\
        [constraint.wall]\nholds = \"ladder.top.x = 0\"\n[constraint.floor]\nholds = \"ladder.foot.y = 0\"\n\
        [event.leave]\nwhen = \"lambda(wall) < 0\"\nrelease = \"wall\"\n[run]\nspan = 5\nuntil = \"y < 0.3\"\n";
    let text = text.replace("a = \"1.2\"", "a = -1.2");
    let found = run(&text);
    let leave = &found.happened[0];
    // Energy: (2/3) … the height of the centre at the release follows from the kinetic energy there.
    let [vx, vy, w] = [leave.before[0], leave.before[1], leave.before[2]];
    let kinetic = 5.0 * (vx * vx + vy * vy) + 0.5 * (10.0 * 16.0 / 12.0) * w * w;
    let height = 2.0 * 1.2_f64.sin() - kinetic / (10.0 * 9.81);
    assert_near(height, 2.0 / 3.0 * 2.0 * 1.2_f64.sin(), 1e-8);
    // From there on the foot slides at a constant momentum along the floor: x' of the centre stays.
    assert_near(found.rates[0], vx, 1e-9);
}

/// What waits is in no count, has no multiplier, and does not restrict the start.
#[test]
fn what_waits_is_not_there() {
    let mechanism = mechanism(STRING);
    let start = mechanism.start().unwrap();
    assert_eq!(start.state.coordinates, [0.6, 0.0]);
    let motion = mechanism.snapshot(&start.state).unwrap();
    assert_eq!((motion.rank, motion.multipliers[0]), (0, 0.0));
    assert!(motion.unique[0] && !motion.redundant[0]);
    assert_near(motion.accelerations[1], -9.81, 1e-14);
    let engaged = start.state.mode.with(
        &mechanism.system,
        dalembert_mechanics::ids::ConstraintId::new(0),
        true,
    );
    let mut held = start.state.clone();
    held.mode = engaged;
    held.coordinates = vec![0.0, -1.0];
    let motion = mechanism.snapshot(&held).unwrap();
    assert_eq!(motion.rank, 1);
    assert_near(motion.accelerations[1], 0.0, 1e-13);
}

/// A non-ideal constraint does its work only while it holds.
#[test]
fn a_virtual_work_vector_waits_with_its_constraint() {
    let text = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 4\n[particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.track]\nholds = \"y = 0\"\nactive = false\nnonideal = { x = \"-3*x'\" }\n\
        [event.on]\nwhen = \"t > 1\"\nengage = \"track\"\n[event.off]\nwhen = \"t > 2\"\nrelease = \"track\"\n[run]\nspan = 3\n";
    let found = run(text);
    let v = 4.0 * (-1.5_f64).exp();
    assert_near(found.rates[0], v, 1e-9);
    let x = 4.0 + 4.0 / 1.5 * (1.0 - (-1.5_f64).exp()) + v;
    assert_near(found.coordinates[0], x, 1e-9);
    assert_near(found.work, v * v - 16.0, 1e-8);
}
