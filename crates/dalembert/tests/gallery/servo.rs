//! Constraints held by forces: the model as a whole.

use crate::support::{
    assert_close, exact, mechanism, read, reference, run, snapshot_at_start, text,
};
use dalembert::simulate::RunOptions;
use dalembert_mechanics::NoMotion;
use dalembert_mechanics::formulation::{Failure, Formulation};

/// The motor's force at later times, from the second derivation.
#[test]
fn the_motor_is_as_strong_as_it_must_be() {
    let mechanism = mechanism("servo-pendulum");
    let wanted = reference("servo-pendulum");
    for (t, force) in wanted["motor"].as_object().unwrap() {
        let options = RunOptions {
            record_all: true,
            ..exact()
        };
        let end = run(&mechanism, t.parse().unwrap(), &options);
        let last = |name: &str| *end.table.column(name).unwrap().values.last().unwrap();
        let force = force.as_f64().unwrap();
        assert_close(&[last("lambda(program)")], &[force], 1e-9, t);
        assert_close(&[last("reaction(program).x")], &[force], 1e-9, t);
        assert!(last("reaction(program).theta").abs() < 1e-12);
        assert_close(&[last("power(motor)")], &[force * end.rates[0]], 1e-9, t);
        assert!(last("power(program)").abs() < 1e-12);
        assert!(end.balance_error().abs() < 1e-10);
    }
}

#[test]
fn all_formulations_run_it() {
    let mechanism = mechanism("servo-pendulum");
    let by = |formulation| {
        let options = RunOptions {
            formulation: Some(formulation),
            ..exact()
        };
        run(&mechanism, 1.0, &options)
    };
    let usual = by(Formulation::Multipliers);
    for formulation in Formulation::ALL {
        let end = by(formulation);
        assert_close(
            &end.coordinates,
            &usual.coordinates,
            1e-10,
            formulation.name(),
        );
        assert_close(&end.rates, &usual.rates, 1e-10, formulation.name());
        assert_close(&[end.work], &[usual.work], 1e-9, formulation.name());
    }
}

/// A force gives its direction alone: in which units, and whether it is as long as the force, makes no difference but to its size.
#[test]
fn a_direction_is_a_direction() {
    let once = snapshot_at_start(&mechanism("servo-pendulum"));
    let long = text("servo-pendulum").replace("{ x = 1 }", "{ x = \"-250 N\" }");
    let long = snapshot_at_start(&read(&long).unwrap());
    assert_close(
        &long.accelerations,
        &once.accelerations,
        1e-12,
        "accelerations",
    );
    assert_close(&long.force_servo, &once.force_servo, 1e-12, "servo");
    assert_close(
        &long.multipliers,
        &[once.multipliers[0] / -250.0],
        1e-12,
        "size",
    );
    let on_cart = text("servo-pendulum").replace(
        "generalized = { x = 1 } ",
        "on = \"cart\"\nvector = \"[1, 0, 0]\"",
    );
    let on_cart = snapshot_at_start(&read(&on_cart).unwrap());
    assert_close(
        &on_cart.multipliers,
        &once.multipliers,
        1e-12,
        "on the cart",
    );
    let sum: Vec<f64> = (0..2)
        .map(|i| {
            once.force_given[i] + once.force_ideal[i] + once.force_nonideal[i] + once.force_servo[i]
        })
        .collect();
    let (m, theta) = (0.5, once.state.coordinates[1]);
    let inertia = [
        3.5 * once.accelerations[0] + m * 0.8 * theta.cos() * once.accelerations[1],
        m * 0.8 * theta.cos() * once.accelerations[0] + m * 0.64 * once.accelerations[1],
    ];
    assert_close(&sum, &inertia, 1e-12, "M v' is the sum of the forces");
}

/// Its own reaction in place of the motor: the same program, another motion.
#[test]
fn the_force_and_not_the_reaction_holds_it() {
    let own = text("servo-pendulum").replace("enforced_by = [\"motor\"]", "");
    let own = own
        .replace("{ x = 1 }", "{ x = 0 }")
        .replace(", \"power(motor)\"", "");
    let own = snapshot_at_start(&read(&own).unwrap());
    let held = snapshot_at_start(&mechanism("servo-pendulum"));
    assert!(
        (own.accelerations[1] - held.accelerations[1]).abs() < 1e-12,
        "the program"
    );
    assert!(
        (own.accelerations[0] - held.accelerations[0]).abs() > 0.1,
        "the cart"
    );
}

/// Level, the pendulum is out of the cart's reach.
#[test]
fn a_level_pendulum_cannot_be_held() {
    let level = text("servo-pendulum").replace("theta = 0.4*sin(3*t + 0.5)", "theta = pi/2");
    let level = read(&level).unwrap();
    let state = level.start().unwrap().state;
    let Err(NoMotion::Failure(Failure::NotHeld {
        rows,
        rank,
        needed,
        least,
    })) = level.motion(&state)
    else {
        panic!("it is refused");
    };
    assert_eq!((rows, rank, needed), (vec![0], 0, 1));
    assert!(least < 1e-15);
}

/// Two rows, two forces; the third component says 0 = 0 and needs none. A tip led along a circle by two motors of an arm: their
/// torques are those of inverse dynamics, by hand.
#[test]
fn two_motors_lead_a_tip() {
    let arm = read(
        "dalembert = 1\n[coordinates]\na = { value = 0.4, priority = \"guess\" }\nb = { value = 1.9, priority = \"guess\" }\n\
         [particle.elbow]\nmass = 2\nposition = \"[cos(a), sin(a), 0]\"\n\
         [particle.tip]\nmass = 1\nposition = \"[cos(a) + cos(b), sin(a) + sin(b), 0]\"\n\
         [force.shoulder]\ngeneralized = { a = 1 }\n[force.hand]\ngeneralized = { b = 1 }\n\
         [constraint.circle]\nholds = \"pos(tip) = [0.6 + 0.2*cos(3*t), 1.3 + 0.2*sin(3*t), 0]\"\n\
         enforced_by = [\"shoulder\", \"hand\"]\n[run]\nspan = 2\n",
    )
    .unwrap();
    assert_eq!(arm.system.rows.len(), 3);
    let now = snapshot_at_start(&arm);
    let [a, b] = [now.state.coordinates[0], now.state.coordinates[1]];
    let [u, v] = [now.state.rates[0], now.state.rates[1]];
    let [p, q] = [now.accelerations[0], now.accelerations[1]];
    // M = [3, c; c, 1] with c = cos(a − b), and centrifugal terms.
    let (s, c) = (a - b).sin_cos();
    let torques = [3.0 * p + c * q + s * v * v, c * p + q - s * u * u];
    assert_close(&now.multipliers[..2], &torques, 1e-12, "torques");
    assert!(now.multipliers[2].abs() < 1e-15);
    let acceleration = [-1.8, 0.0]; // −0.2·9 (cos 0, sin 0)
    let found = [
        -a.sin() * p - a.cos() * u * u - b.sin() * q - b.cos() * v * v,
        a.cos() * p - a.sin() * u * u + b.cos() * q - b.sin() * v * v,
    ];
    assert_close(&found, &acceleration, 1e-12, "the tip");
    let end = run(&arm, 2.0, &exact());
    assert!(end.position_residual < 1e-12 && end.balance_error().abs() < 1e-10);
}
