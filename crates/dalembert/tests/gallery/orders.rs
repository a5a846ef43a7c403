//! The order of each integrator on motions with rows, against closed forms: rows of positions and of velocities, rows that time moves, and a
//! law of friction that asks for the reaction.
//!
//! Steps are chosen by the tolerance, so all of them are scaled alike: the error at the end falls as the number of steps to the power
//! of minus the order, or faster where errors cancel at the end. By `complement` the stages of implicit steps meet the rows themselves.

use crate::support::read;
use dalembert::simulate::{RunOptions, simulate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::formulation::Formulation;
use dalembert_ode::Method;
use std::ops::ControlFlow;

/// A motion and what its coordinates and rates are at the end: where errors of the ones cancel, those of the others hardly do.
struct Known {
    name: &'static str,
    model: String,
    span: f64,
    end: Vec<f64>,
    rates: Vec<f64>,
}

/// A pendulum of length one in x and y, from rest at the height of its pivot, for a period and a quarter: it passes its lowest point, where it
/// is fast, so that errors in time show. A quarter takes K(1/√2)/√g, K(1/√2) = Γ(1/4)²/(4 √π).
fn pendulum() -> Known {
    let quarter = 1.854_074_677_301_371_9 / 9.81_f64.sqrt();
    Known {
        name: "pendulum in x and y",
        model: "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 1\ny = 0\n\
            [particle.p]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.rod]\nholds = \"x^2 + y^2 = 1\"\n"
            .to_owned(),
        span: 5.0 * quarter,
        end: vec![0.0, -1.0],
        rates: vec![-(2.0 * 9.81_f64).sqrt(), 0.0],
    }
}

/// A skate on a slope: Bloch, Nonholonomic Mechanics and Control (2003), chapter 1.
fn skate() -> Known {
    let (omega, span, pull) = (1.5_f64, 4.0, 9.81 * 20.0_f64.to_radians().sin());
    let size = pull / (2.0 * omega * omega);
    let angle: f64 = omega * span;
    Known {
        name: "skate",
        model: format!(
            "dalembert = 1\ngravity = \"[{pull}, 0, 0]\"\n[coordinates]\nx = 0\ny = 0\nphi = 0\n[start]\n\"x'\" = 0\n\"y'\" = 0\n\"phi'\" = {omega}\n\
            [body.skate]\nmass = 1\ninertia = [0.05, 0.05, 0.1]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(phi)\"\n\
            [constraint.edge]\nholds = \"x'*sin(phi) - y'*cos(phi) = 0\"\n"
        ),
        span,
        end: vec![
            size * angle.sin().powi(2),
            size * (angle - (2.0 * angle).sin() / 2.0),
            angle,
        ],
        rates: vec![
            size * omega * (2.0 * angle).sin(),
            size * omega * (1.0 - (2.0 * angle).cos()),
            omega,
        ],
    }
}

/// A bead on a straight wire that turns: its distance from the axis grows as cosh ωt.
fn turning_wire() -> Known {
    let (omega, span) = (2.0_f64, 3.0);
    let (sin, cos) = (omega * span).sin_cos();
    let (r, rate) = (
        0.5 * (omega * span).cosh(),
        0.5 * omega * (omega * span).sinh(),
    );
    Known {
        name: "bead on a turning wire",
        model: format!(
            "dalembert = 1\n[coordinates]\nx = 0.5\ny = 0\n[start]\n\"x'\" = 0\n\
            [particle.p]\nmass = 1\nposition = \"[x, y, 0]\"\n\
            [constraint.wire]\nholds = \"x*sin({omega}*t) = y*cos({omega}*t)\"\n"
        ),
        span,
        end: vec![r * cos, r * sin],
        rates: vec![rate * cos - r * omega * sin, rate * sin + r * omega * cos],
    }
}

/// A bead on a rough hoop without gravity: m v' = −μ m v²/R, so the angle is ln(1 + μ v₀ t/R)/μ.
fn rough_hoop() -> Known {
    let (mu, v, span) = (0.3_f64, 4.0, 6.0);
    let (angle, speed) = ((1.0 + mu * v * span).ln() / mu, v / (1.0 + mu * v * span));
    Known {
        name: "bead on a rough hoop",
        model: format!(
            "dalembert = 1\n[coordinates]\nx = 1\ny = 0\n[start]\n\"y'\" = {v}\n\
            [particle.p]\nmass = 1\nposition = \"[x, y, 0]\"\n\
            [constraint.hoop]\nholds = \"x^2 + y^2 = 1\"\nfriction = {{ coefficient = {mu} }}\n"
        ),
        span,
        end: vec![angle.cos(), angle.sin()],
        rates: vec![-speed * angle.sin(), speed * angle.cos()],
    }
}

/// Steps and the error at the end.
fn steps_and_error(
    known: &Known,
    mechanism: &Mechanism,
    (method, formulation): (Method, Formulation),
    rtol: f64,
) -> (f64, f64) {
    let options = RunOptions {
        span: Some(known.span),
        method: Some(Some(method)),
        formulation: Some(formulation),
        rtol: Some(rtol),
        samples: Some(2),
        ..RunOptions::default()
    };
    let start = mechanism.start().unwrap();
    let end = simulate(mechanism, &start, &options, |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{}: {error:?}", known.name));
    let coordinates = end.coordinates.iter().zip(&known.end);
    let pairs = coordinates.chain(end.rates.iter().zip(&known.rates));
    let error = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(end.position_residual < 1e-12 && end.velocity_residual < 1e-12);
    (end.steps as f64, error)
}

/// Slope of the line through logarithms, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(a, b)| (a.ln(), b.ln())).collect();
    let count = logs.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| logs.iter().map(pick).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let along: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    along / logs.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

#[test]
fn errors_fall_with_the_order_of_the_integrator() {
    let problems = [pendulum(), skate(), turning_wire(), rough_hoop()];
    for known in problems {
        let mechanism = read(&known.model).unwrap_or_else(|errors| panic!("{errors}"));
        for (method, order, formulation, exponents) in [
            (
                Method::DormandPrince5,
                5.0,
                Formulation::Multipliers,
                5..=10,
            ),
            (
                Method::DormandPrince8,
                8.0,
                Formulation::Multipliers,
                6..=11,
            ),
            (Method::Radau5, 5.0, Formulation::Multipliers, 6..=9),
            (Method::Radau5, 5.0, Formulation::Complement, 6..=9),
            (Method::Radau5, 5.0, Formulation::Independent, 6..=9),
            (
                Method::DormandPrince8,
                8.0,
                Formulation::Independent,
                6..=11,
            ),
        ] {
            let points: Vec<(f64, f64)> = exponents
                .map(|digits| {
                    let rtol = 10.0_f64.powi(-digits);
                    steps_and_error(&known, &mechanism, (method, formulation), rtol)
                })
                .collect();
            let found = -slope(&points);
            println!(
                "{} {method:?} {formulation}: {found:.2} {points:?}",
                known.name
            );
            assert!(
                found > order - 0.7,
                "{} {method:?} by {formulation}: {found}, {points:?}",
                known.name
            );
        }
    }
}

/// The same with steps of one length, which the tolerance does not shorten: the order itself. Where errors cancel at the end they fall
/// faster (the pendulum by order 8, the skate and the hoop by order 5), and the hoop's first steps are too long for order 8: these are left
/// out.
#[test]
fn steps_of_one_length_show_the_order() {
    let fifth = (Method::DormandPrince5, 5.0, [80.0, 120.0, 180.0, 270.0]);
    let eighth = (Method::DormandPrince8, 8.0, [36.0, 40.0, 45.0, 50.0]);
    for (known, methods) in [
        (pendulum(), vec![fifth]),
        (skate(), vec![eighth]),
        (turning_wire(), vec![fifth, eighth]),
    ] {
        let mechanism = read(&known.model).unwrap_or_else(|errors| panic!("{errors}"));
        for (method, order, counts) in methods {
            let points = counts.map(|count| {
                let options = RunOptions {
                    span: Some(known.span),
                    method: Some(Some(method)),
                    rtol: Some(1e-2),
                    max_step: Some(known.span / count),
                    samples: Some(2),
                    ..RunOptions::default()
                };
                let start = mechanism.start().unwrap();
                let end = simulate(&mechanism, &start, &options, |_| ControlFlow::Continue(()));
                let end = end.unwrap_or_else(|error| panic!("{}: {error:?}", known.name));
                let coordinates = end.coordinates.iter().zip(&known.end);
                let pairs = coordinates.chain(end.rates.iter().zip(&known.rates));
                let error = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!((end.steps as f64) < count + 12.0, "{}", known.name);
                (count, error)
            });
            let found = -slope(&points);
            println!("{} {method:?}: {found:.2} {points:?}", known.name);
            assert!(
                (found - order).abs() < 0.3,
                "{} {method:?}: {found}, {points:?}",
                known.name
            );
        }
    }
}
