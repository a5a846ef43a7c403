//! Free bodies in space: blows, speeds that are set, contacts, and the ways to integrate.

use super::{assert_near, run, run_with};
use dalembert_mechanics::formulation::Formulation;
use dalembert_ode::Method;
use dalembert_simulate::{RunOptions, SimulateError, Simulation, Stop};

const TOP: &str = "[body.top]\nmass = 3\ninertia = [1, 2, 2.5]\n\
    start = { center = \"[1, 2, 3]\", attitude = \"Rz(0.5) Rx(0.3)\", velocity = \"[0.1, 0.2, 0.3]\", omega = \"[0.5, 2, -0.4]\" }\n";

fn last(found: &Simulation, name: &str) -> f64 {
    let column = found.table.column(name).expect("the column is recorded");
    *column.values.last().expect("there is a sample")
}

const RECORD: &str = "[run]\nspan = 3\nrtol = 1e-12\nrecord = [\"energy\", \"momentum\", \"angular_momentum\", \"top.wx\", \"top.vy\"]\n";

fn six(found: &Simulation) -> [f64; 6] {
    let of = |what: &str| ["x", "y", "z"].map(|axis| last(found, &format!("{what}.{axis}")));
    let ([a, b, c], [d, e, f]) = (of("momentum"), of("angular_momentum"));
    [a, b, c, d, e, f]
}

/// A blow changes the momenta by what it is, and nothing else does.
#[test]
fn a_blow_changes_the_momenta() {
    let without = six(&run(&format!("{TOP}{RECORD}")));
    let kick = "[event.kick]\nwhen = \"t > 1\"\nimpulse = { on = \"top\", angular = \"[0.3, -0.2, 0.7]\" }\n";
    let found = run(&format!("{TOP}{kick}{RECORD}"));
    let wanted = [0.0, 0.0, 0.0, 0.3, -0.2, 0.7];
    for ((found, without), wanted) in six(&found).iter().zip(without).zip(wanted) {
        assert_near(*found, without + wanted, 1e-9);
    }
    // Identities take no impulse, and are kept.
    let length: f64 = (0..4)
        .map(|i| last(&found, &format!("top.q{i}")).powi(2))
        .sum();
    assert_near(length, 1.0, 1e-13);
    assert_near(found.balance_error(), 0.0, 1e-9);
}

/// A speed that is set has its value, and the others keep theirs; rates that the identity does not allow are refused.
#[test]
fn speeds_are_set() {
    let text = format!(
        "{TOP}[event.e]\nwhen = \"t > 3\"\nset = {{ \"top.wx\" = \"-5\" }}\n{}",
        RECORD.replace("span = 3", "span = 3.0000001")
    );
    let found = run(&text);
    assert_near(last(&found, "top.wx"), -5.0, 1e-5);
    let before = run(&format!("{TOP}{RECORD}"));
    assert_near(last(&found, "top.vy"), last(&before, "top.vy"), 1e-5);
    let text =
        format!("{TOP}[event.e]\nwhen = \"t > 1\"\nset = {{ \"top.q0'\" = \"7\" }}\n{RECORD}");
    let error = run_with(&text, &RunOptions::default());
    let Err(SimulateError::Stopped { why, .. }) = error else {
        panic!("{error:?}")
    };
    assert!(matches!(why, Stop::Unset { .. }), "{why:?}");
}

/// Implicit steps, and all formulations, find the same motion.
#[test]
fn all_ways_to_integrate_agree() {
    let wanted = run(&format!("{TOP}{RECORD}"));
    let spun = |options: &RunOptions| {
        let found = run_with(&format!("{TOP}{RECORD}"), options).unwrap();
        for name in ["top.q0", "top.q3", "top.x'", "top.wx", "top.vy"] {
            assert_near(last(&found, name), last(&wanted, name), 1e-7);
        }
    };
    spun(&RunOptions {
        method: Some(Some(Method::Radau5)),
        ..RunOptions::default()
    });
    for formulation in &Formulation::ALL {
        spun(&RunOptions {
            formulation: Some(*formulation),
            ..RunOptions::default()
        });
    }
}

/// A ball that falls onto the ground bounces, turning as before.
#[test]
fn a_free_ball_bounces() {
    let text = "gravity = \"[0, 0, -10]\"\n[body.ball]\nmass = 2\nshape = { sphere = { radius = 0.1 } }\n\
        start = { center = \"[0, 0, 1.35]\", omega = \"[1, 2, 3]\" }\n\
        [constraint.ground]\nholds = \"pos(ball).z >= 0.1\"\nrestitution = 0.8\n\
        [run]\nspan = 0.6\nrecord = [\"vel(ball)\", \"omega(ball)\"]\n";
    let found = run(text);
    // Falls 1.25 m in 0.5 s, comes back with 4 m/s.
    assert_near(found.happened[0].t, 0.5, 1e-10);
    assert_near(last(&found, "vel(ball).z"), 3.0, 1e-9);
    assert_near(last(&found, "omega(ball).y"), 2.0, 1e-9);
}
