//! Long runs: what they cost, and what a million steps leave of the rows.

use crate::support::{at, mechanism, ran};
use dalembert::simulate::RunOptions;

/// Steps, rejected ones, evaluations, Jacobians and factorisations of benchmarks: a change of any shows. (The stiff one: `stiff.rs`.)
#[test]
fn runs_cost_what_they_did() {
    let mut costs = String::from("steps rejected evaluations jacobians factorisations\n");
    for (name, span) in [
        ("pendulum-iftomm-a01", 10.0),
        ("four-bar-iftomm", 10.0),
        ("andrews-squeezer", 0.05),
        ("bricard-iftomm-a04", 10.0),
        ("rolling-disk", 10.0),
    ] {
        let options = RunOptions {
            span: Some(span),
            samples: Some(101),
            ..at(1e-7)
        };
        let end = ran(&mechanism(name), &options).unwrap();
        let counters = [
            end.steps,
            end.rejected,
            end.rhs_evaluations,
            end.jacobians,
            end.factorisations,
        ];
        costs += &format!("{counters:?} {name}\n");
    }
    insta::assert_snapshot!(costs);
}

/// Rows do not drift: after a million steps they are met as after one.
#[test]
#[ignore = "thorough: a million steps"]
fn a_million_steps_keep_the_rows() {
    let name = "pendulum-iftomm-a01";
    let options = RunOptions {
        span: Some(1000.0),
        samples: Some(2),
        max_step: Some(1e-3),
        max_steps: Some(3_000_000),
        ..at(1e-9)
    };
    let end = ran(&mechanism(name), &options).unwrap();
    assert!(end.steps >= 1_000_000, "{name}: {}", end.steps);
    // Lengths are metres, speeds some metres per second.
    assert!(
        end.position_residual <= 1e-12,
        "{name}: {:e}",
        end.position_residual
    );
    assert!(
        end.velocity_residual <= 1e-12 * 10.0,
        "{name}: {:e}",
        end.velocity_residual
    );
}
