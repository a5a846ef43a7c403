//! What begins, ends or changes within a step is seen: forces that switch, pulses, thin places, conditions true for an instant.

use crate::support::{at, ran, read};
use dalembert::simulate::{RunOptions, SimulateError, Stop};
use dalembert_ode::Method;

/// A force that begins to act, however large, from rest.
#[test]
fn a_step_of_a_force_is_crossed() {
    for force in [1e-9, 1.0, 1e9] {
        let text = format!(
            "dalembert = 1\n[parameters]\nF = {force:e}\n[coordinates]\nx = 0\n[particle.P]\nmass = 1\n\
             position = \"[x, 0, 0]\"\n[force.f]\non = \"P\"\nvector = \"[F*(1 + sign(t - 1/3))/2, 0, 0]\"\n[run]\nspan = 1\n"
        );
        let end = ran(&read(&text).unwrap(), &RunOptions::default()).unwrap();
        let wanted = (2.0_f64 / 3.0).powi(2) * force / 2.0;
        let found = end.coordinates[0] / wanted;
        assert!((found - 1.0).abs() < 1e-8, "{force:e}: {found}");
    }
}

/// A force that grows from nothing: x' = ∫ (sin t − 0.9) dt from 1.12 to 2.02, before which there is no energy to compare with.
#[test]
fn a_force_that_begins_at_nothing_is_in_balance() {
    let text = "dalembert = 1\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[force.f]\n\
        generalized = { x = \"max(0, sin(t) - 0.9)\" }\n";
    let mechanism = read(text).unwrap();
    let first = 0.9_f64.asin();
    let wanted = 2.0 * first.cos() - 0.9 * (std::f64::consts::PI - 2.0 * first);
    for span in [2.1, 3.0, 4.0, 5.0, 6.0] {
        for rtol in [1e-6, 1e-9, 1e-12] {
            let options = RunOptions {
                span: Some(span),
                ..at(rtol)
            };
            let found = ran(&mechanism, &options).unwrap().rates[0];
            let off = (found - wanted).abs();
            assert!(off < 1e-9 + rtol, "{span} at {rtol:e}: {off:e}");
        }
    }
}

/// Pulses are not stepped over, however short beside the steps and however often they come: x' is their integral.
#[test]
fn pulses_that_switch_are_never_stepped_over() {
    let first = 0.9_f64.asin();
    let hump = 2.0 * first.cos() - 0.9 * (std::f64::consts::PI - 2.0 * first);
    let pulses = [
        ("max(0, sin(t) - 0.9)", 100.0, 16.0 * hump),
        ("max(0, sin(t) - 0.9)", 1000.0, 159.0 * hump),
        ("(sign(t - 1.5) - sign(t - 1.501))/2*1e3", 1e3, 1.0),
        (
            "1e6*(1 + sign(t - 1))/2 - 1e6*(1 + sign(t - 1 - 1e-6))/2",
            1e6,
            1.0,
        ),
        (
            "min(abs(t - 7), 1) - 1 + 2*max(0, 1e-3 - abs(t - 500))*1e6",
            1e3,
            1.0,
        ),
        ("sign(t)", 2.0, 2.0),
    ];
    for (force, span, wanted) in pulses {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[force.f]\n\
             generalized = {{ x = \"{force}\" }}\n[run]\nspan = {span}\nsamples = 1001\n"
        );
        let mechanism = read(&text).unwrap();
        for rtol in [1e-6, 1e-9, 1e-12] {
            let end = ran(&mechanism, &at(rtol)).unwrap();
            let off = (end.rates[0] / wanted - 1.0).abs();
            assert!(off < 1e-8 + rtol, "{force} at {rtol:e}: {}", end.rates[0]);
            assert_eq!(end.table.columns()[0].values.len(), 1001, "{force}");
        }
    }
}

/// A force that acts in a place thinner than any step: what it takes from the motion, as a step of a potential would, is seen.
#[test]
fn a_thin_place_with_a_force_is_not_stepped_over() {
    for (place, work) in [
        ("1e7*max(0, 1e-4 - abs(x - 0.5))", 0.1),
        ("1e6*(1 - sign(abs(x - 0.5) - 1e-7))/2", 0.2),
    ] {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
             [force.f]\ngeneralized = {{ x = \"{place}\" }}\n[run]\nspan = 1.2\n"
        );
        let mechanism = read(&text).unwrap();
        for rtol in [1e-6, 1e-9] {
            let end = ran(&mechanism, &at(rtol)).unwrap();
            let (x, v) = (end.coordinates[0], end.rates[0]);
            assert!(x < 0.49, "{place}: {x}");
            let energy = (x * x + v * v) / 2.0;
            let off = (energy - 0.5 + work).abs();
            assert!(off < 1e-5 + 100.0 * rtol, "{place} at {rtol:e}: {energy}");
        }
    }
}

/// A step of a force costs no more than setting out again: nothing is approached in ever shorter steps.
#[test]
fn a_step_of_a_force_is_stepped_onto() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
        [force.f]\ngeneralized = { x = \"(1 + sign(t - 1))/2\" }\n[run]\nspan = 2\n";
    let mechanism = read(text).unwrap();
    let (mut errors, mut rejected) = (Vec::new(), 0);
    for rtol in [1e-5, 1e-7, 1e-9, 1e-11] {
        let end = ran(&mechanism, &at(rtol)).unwrap();
        // x = cos t before, and 1 - cos (t - 1) beside it behind.
        let wanted = 2.0_f64.cos() + 1.0 - 1.0_f64.cos();
        errors.push((end.coordinates[0] - wanted).abs() / rtol);
        rejected += end.rejected;
        assert!(end.steps < 60, "{rtol:e}: {} steps", end.steps);
    }
    assert!(errors.iter().all(|error| *error < 10.0), "{errors:?}");
    assert!(rejected < 10, "{rejected}");
}

/// Smooth pulses are not stepped over either, however narrow: x' is their integral, x that over the time since.
#[test]
fn smooth_pulses_are_never_stepped_over() {
    let root = std::f64::consts::PI.sqrt();
    for width in ["1e-2", "1e-4", "1e-7"] {
        for (shape, integral, known) in [
            ("exp(-U^2)", root, 1e-9),
            ("7*exp(-(U - 3)^2) - 2*exp(-U^2)", 5.0 * root, 1e-9),
            // Its skirts reach far: π but for twice the width over the way to either end.
            ("1/(1 + U^2)", std::f64::consts::PI, 2e-2),
            ("1/cosh(U)^2", 2.0, 1e-9),
            ("(tanh(U) - tanh(U - 2))/2", 2.0, 1e-9),
        ] {
            let force = shape.replace('U', &format!("((t - 1.7)/{width})"));
            let text = format!(
                "dalembert = 1\n[coordinates]\nx = 0\n[start]\n\"x'\" = 1\n[energy]\nkinetic = \"x'^2/2\"\n[force.f]\n\
                 generalized = {{ x = \"({force})/{width}\" }}\n[run]\nspan = 5\nsamples = 2\n"
            );
            let mechanism = read(&text).unwrap();
            for rtol in [1e-4, 1e-7, 1e-10] {
                for method in [None, Some(Method::DormandPrince5), Some(Method::Radau5)] {
                    let options = RunOptions {
                        method: method.map(Some),
                        ..at(rtol)
                    };
                    let end = ran(&mechanism, &options).unwrap();
                    let off = (end.rates[0] - 1.0 - integral).abs();
                    // Times are known to 4e-16, in each of some hundred steps, and no better beside so short a while.
                    let timed = 1e-13 / width.parse::<f64>().unwrap();
                    let may = known + timed + 50.0 * rtol * integral;
                    assert!(off < may, "{force} at {rtol:e}, {method:?}: {off:e}");
                }
            }
        }
    }
}

/// `until` is found though it is true only for an instant between steps.
#[test]
fn a_condition_that_is_true_for_an_instant_ends_the_run() {
    use std::f64::consts::FRAC_PI_2;
    let conditions = [
        ("abs(x) < 0.01", 0.01_f64.acos()),
        ("x < -0.9999", FRAC_PI_2 + 0.9999_f64.asin()),
        ("x^2 < 1e-6", 1e-3_f64.acos()),
        ("x*x' > 0.49999", FRAC_PI_2 + 0.999_98_f64.asin() / 2.0),
        ("1/x > 1e9", FRAC_PI_2),
        ("1/x < -1e9", FRAC_PI_2),
        ("1/x^2 > 1e9", 10.0_f64.powf(-4.5).acos()),
        ("3/(x*(x + 2)) > 1e12", FRAC_PI_2),
        ("log(x^2) < -50", FRAC_PI_2),
    ];
    for (until, t) in conditions {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
             [run]\nspan = 20\nuntil = \"{until}\"\n"
        );
        let end = ran(&read(&text).unwrap(), &RunOptions::default()).unwrap();
        assert!(
            (end.t_end - t).abs() < 1e-6,
            "{until}: {} for {t}",
            end.t_end
        );
    }
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
        [run]\nspan = 20\nuntil = \"sqrt(x) > 2\"\n";
    let Err(SimulateError::Stopped { why, so_far }) =
        ran(&read(text).unwrap(), &RunOptions::default())
    else {
        panic!("it is no number from a quarter on");
    };
    assert!(
        matches!(why, Stop::UndefinedCondition { t, .. } if (t - FRAC_PI_2).abs() < 1e-9 && so_far.t_end < t),
        "{why:?}"
    );
    assert!((so_far.t_end - FRAC_PI_2).abs() < 1e-9);
}
