//! Stiff motions: implicit steps against explicit ones, closed forms and the rigid limit; changes from one to the other are told.

use crate::support::{assert_close, names, ran, read, text};
use dalembert::simulate::{RunOptions, Simulation, simulate};
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::{Mechanism, model};
use dalembert_ode::Method;
use std::fmt::Write as _;
use std::ops::ControlFlow;

fn run(text: &str, options: &RunOptions) -> Simulation {
    let mechanism = read(text).unwrap_or_else(|errors| panic!("{text}: {errors}"));
    let start = mechanism.start().unwrap();
    simulate(&mechanism, &start, options, |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn by(method: Option<Method>, rtol: f64) -> RunOptions {
    RunOptions {
        method: Some(method),
        rtol: Some(rtol),
        samples: Some(2),
        ..RunOptions::default()
    }
}

/// Two integrators that have nothing in common but the right-hand side end every example at the same state.
#[test]
fn implicit_steps_end_where_explicit_ones_do() {
    // Their motion has some 10 000 periods, or takes minutes.
    let long = ["slider-crank-flexible", "wheelset-ivp"];
    for name in names() {
        if long.contains(&name.as_str()) {
            continue;
        }
        let text = text(&name);
        let explicit = run(&text, &by(Some(Method::DormandPrince8), 1e-8));
        let implicit = run(&text, &by(Some(Method::Radau5), 1e-7));
        let free = run(&text, &by(None, 1e-8));
        assert_eq!(implicit.integrator, "radau");
        assert!(implicit.jacobians > 0 && implicit.factorisations >= implicit.jacobians);
        let size = |values: &[f64]| values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        for other in [&implicit, &free] {
            let both = [
                (&explicit.coordinates, &other.coordinates),
                (&explicit.rates, &other.rates),
            ];
            for (one, two) in both {
                for (a, b) in one.iter().zip(two) {
                    let off = (a - b).abs() / size(one).max(1e-9);
                    assert!(off < 2e-4, "{name} by {}: {a} is not {b}", other.integrator);
                }
            }
        }
    }
}

/// A pendulum on a spring that becomes a rod: its angle is that of the rigid pendulum but for g/k, and its force the rod's.
#[test]
fn a_spring_without_end_is_a_rod() {
    let rod = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0.6\ny = -0.8\n\
        [particle.p]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.rod]\nholds = \"x^2 + y^2 = 1\"\n[run]\nspan = 2\n";
    let rigid = run(rod, &by(None, 1e-9));
    let mut before = f64::INFINITY;
    for stiffness in [1e3, 1e5, 1e7, 1e9] {
        // It begins at the loaded deflection: the force along it is 9.81·0.8.
        let loaded = 1.0 + 9.81 * 0.8 / stiffness;
        let spring = format!(
            "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = {}\ny = {}\n\
            [particle.p]\nmass = 1\nposition = \"[x, y, 0]\"\n\
            [spring.s]\nbetween = [\"[0, 0, 0]\", \"p\"]\nstiffness = {stiffness}\nlength = 1\ndamping = {}\n[run]\nspan = 2\n",
            0.6 * loaded,
            -0.8 * loaded,
            stiffness * 1e-3,
        );
        let end = run(&spring, &by(None, 1e-8));
        let off = (end.coordinates[0] - rigid.coordinates[0]).abs();
        assert!(off < 200.0 / stiffness + 1e-6, "{stiffness:e}: {off:e}");
        assert!(off < before, "{stiffness:e}: {off:e} after {before:e}");
        before = off.max(1e-7);
        // What the rod pulls with, and what the spring does.
        let ([x, y], [u, v]) = (
            [0, 1].map(|i| rigid.coordinates[i]),
            [0, 1].map(|i| rigid.rates[i]),
        );
        let rod = u * u + v * v - 9.81 * y;
        assert!((x.hypot(y) - 1.0).abs() < 1e-12);
        let ([x, y], [u, v]) = (
            [0, 1].map(|i| end.coordinates[i]),
            [0, 1].map(|i| end.rates[i]),
        );
        let length = x.hypot(y);
        let spring = stiffness * (length - 1.0) + 1e-3 * stiffness * (x * u + y * v) / length;
        assert!(
            (spring / rod - 1.0).abs() < 300.0 / stiffness + 1e-4,
            "{stiffness:e}: {spring} for {rod}"
        );
        if stiffness > 1e6 {
            assert_eq!(end.integrator, "radau", "{stiffness:e}");
            let first = end.switched.first().expect("a change of the integrator");
            assert!(first.to == Method::Radau5 && first.t < 0.1, "{first:?}");
        }
    }
}

/// A spring of 10⁹ N/m, undamped, that swings for ten seconds: Newton's method does not limit the steps.
#[test]
fn a_swinging_spring_takes_the_steps_of_a_pendulum() {
    let text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 1\ny = 0\n\
        [particle.p]\nmass = 1\nposition = \"[x, y, 0]\"\n\
        [spring.s]\nbetween = [\"[0, 0, 0]\", \"p\"]\nstiffness = 1e9\nlength = 1\n[run]\nspan = 10\n";
    let rod = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 1\ny = 0\n\
        [particle.p]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.rod]\nholds = \"x^2 + y^2 = 1\"\n[run]\nspan = 10\n";
    let rigid = run(rod, &by(None, 1e-10));
    let end = run(text, &by(Some(Method::Radau5), 1e-7));
    assert_eq!(counters(&end), [2434, 57, 25212, 17175, 7413]);
    let off = (end.coordinates[0] - rigid.coordinates[0]).abs();
    assert!(off < 1e-4, "{off:e}");
    assert!(
        end.steps + end.rejected < 4000,
        "{} {}",
        end.steps,
        end.rejected
    );
}

/// A mass that falls on a penalty contact of 10⁷ N/m, written with max, and rests on it.
#[test]
fn a_penalty_contact_holds_what_falls_on_it() {
    let text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\ny = 0.01\n\
        [particle.p]\nmass = 1\nposition = \"[0, y, 0]\"\n\
        [force.floor]\non = \"p\"\nvector = \"[0, 1e7*max(0, -y)*(1 - 2*y'), 0]\"\n[run]\nspan = 3\n";
    let end = run(text, &by(None, 1e-7));
    let deflection = -9.81 / 1e7;
    assert!(
        (end.coordinates[0] / deflection - 1.0).abs() < 1e-2,
        "{:?}",
        end.coordinates
    );
    assert!(
        end.steps + end.rejected < 20_000,
        "{} {}",
        end.steps,
        end.rejected
    );
}

/// A ball that falls on a floor of stiffness k and is thrown back, without loss: it flies 2 v/g, presses for 2 (π − atan(ω v/g))/ω with
/// ω² = k/m, and is back at its height after each of these.
#[test]
fn a_penalty_contact_throws_back() {
    let (height, g, bounces) = (0.5_f64, 9.81_f64, 5.0);
    for stiffness in [1e6, 1e7, 1e8, 1e9] {
        let (omega, v) = (f64::sqrt(stiffness), (2.0 * g * height).sqrt());
        let pressed = 2.0 * (std::f64::consts::PI - (omega * v / g).atan()) / omega;
        let span = bounces * (2.0 * v / g + pressed);
        let text = format!(
            "dalembert = 1\ngravity = \"[0, -{g}, 0]\"\n[coordinates]\ny = {height}\n[particle.p]\nmass = 1\nposition = \"[0, y, 0]\"\n\
             [force.floor]\non = \"p\"\nvector = \"[0, {stiffness}*max(0, -y), 0]\"\n[run]\nspan = {span}\nsamples = 2\n"
        );
        let mechanism = read(&text).unwrap();
        for (method, rtol) in [
            (None, 1e-6),
            (None, 1e-9),
            (Some(Method::Radau5), 1e-4),
            (Some(Method::Radau5), 1e-6),
            (Some(Method::Radau5), 1e-9),
        ] {
            let place = format!("{stiffness:e} at {rtol:e}, {method:?}");
            let end = ran(&mechanism, &by(method, rtol));
            let end = end.unwrap_or_else(|why| panic!("{place}: {why:?}"));
            let (off, rate) = (end.coordinates[0] - height, end.rates[0]);
            let may = 1e3 * rtol;
            assert!(
                off.abs() < may && rate.abs() < 10.0 * may,
                "{place}: {off:e}, {rate:e}"
            );
        }
    }
}

/// Steps, rejected ones, evaluations, Jacobians and factorisations: a change of any shows.
fn counters(end: &Simulation) -> [u64; 5] {
    [
        end.steps,
        end.rejected,
        end.rhs_evaluations,
        end.jacobians,
        end.factorisations,
    ]
}

#[test]
fn the_governor_costs_what_it_did() {
    let end = run(&text("governor-iftomm-a05"), &by(None, 1e-7));
    assert_eq!(counters(&end), [949, 4, 10081, 211, 337]);
}

/// A damper of 10⁶ N s/m: x' falls to the slow motion at once, x = exp(−k t/c) after it.
#[test]
fn a_strong_damper_is_passed_in_few_steps() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[particle.p]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
        [force.k]\non = \"p\"\nvector = \"[-1e6*x - 1e6*x', 0, 0]\"\n[run]\nspan = 5\n";
    // Of s² + 10⁶ s + 10⁶ = 0 the slow root.
    let slow = -2e6 / (1e6 + f64::sqrt(1e12 - 4e6));
    for (method, most) in [(Some(Method::Radau5), 400), (None, 600)] {
        let end = run(text, &by(method, 1e-8));
        let expected = (5.0 * slow).exp();
        let off = (end.coordinates[0] - expected).abs();
        assert!(off < 1e-7, "{off:e}");
        assert!(end.steps < most, "{}", end.steps);
    }
}

/// What is stiff at first and harmless later goes back to explicit steps: a damper that time switches off smoothly.
#[test]
fn the_way_back() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[particle.p]\nmass = 1\nposition = \"[x, 0, 0]\"\n\
        [force.k]\non = \"p\"\nvector = \"[-x - 1e5*exp(-t^2)*x', 0, 0]\"\n[run]\nspan = 200\n";
    let end = run(text, &by(None, 1e-8));
    let methods: Vec<Method> = end.switched.iter().map(|switch| switch.to).collect();
    assert_eq!(methods, [Method::Radau5, Method::DormandPrince8]);
    assert_eq!(end.integrator, "dop853");
    let exact = run(text, &by(Some(Method::Radau5), 1e-9));
    let off = (end.coordinates[0] - exact.coordinates[0]).abs();
    assert!(off < 1e-5, "{off:e}");
}

/// Masses in a row, each held by a spring with a damper to the one before.
fn chain(masses: usize, (stiffness, damping): (f64, f64), gravity: &str, span: f64) -> String {
    let mut text = format!("dalembert = 1\ngravity = \"{gravity}\"\n[coordinates]\n");
    for i in 1..=masses {
        writeln!(text, "x{i} = {i}\ny{i} = 0").unwrap();
    }
    for i in 1..=masses {
        let before = match i {
            1 => "[0, 0, 0]".to_owned(),
            _ => format!("p{}", i - 1),
        };
        write!(
            text,
            "[particle.p{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\"\n[spring.s{i}]\nbetween = [\"{before}\", \"p{i}\"]\n\
             stiffness = {stiffness}\nlength = 1\ndamping = {damping}\n"
        )
        .unwrap();
    }
    write!(text, "[run]\nspan = {span}\n").unwrap();
    text
}

/// 300 masses on springs of 10⁹ N/m come to rest as the weights below each spring want it: implicit steps solve sparse equations, and
/// `auto` takes them.
#[test]
fn a_long_stiff_chain_hangs_down() {
    let (masses, stiffness) = (300, 1e9);
    let end = run(
        &chain(masses, (stiffness, 1e6), "[9.81, 0, 0]", 2.0),
        &by(None, 1e-6),
    );
    assert_eq!(end.integrator, "radau");
    assert!(
        end.steps + end.rejected < 500 && end.jacobians < 50,
        "{:?}",
        counters(&end)
    );
    let mut place = 0.0;
    for i in 0..masses {
        place += 1.0 + (masses - i) as f64 * 9.81 / stiffness;
        let off = (end.coordinates[2 * i] - place).abs();
        assert!(off < 1e-7, "{i}: {off:e}");
        assert!(end.coordinates[2 * i + 1].abs() < 1e-12);
    }
}

/// Sparse and full matrices give the same implicit steps, with a J for all stages and with a J each: a chain that swings.
#[test]
fn sparse_implicit_steps_are_those_of_full_matrices() {
    let text = chain(6, (1e9, 1e6), "[0, -9.81, 0]", 0.3);
    let [full, sparse] = [Stored::Full, Stored::Compressed].map(|stored| {
        let (model, _) = model::read(&text).unwrap();
        let mechanism = Mechanism::stored(model, Some(stored)).unwrap();
        let start = mechanism.start().unwrap();
        let options = by(Some(Method::Radau5), 1e-7);
        simulate(&mechanism, &start, &options, |_| ControlFlow::Continue(())).unwrap()
    });
    assert!(full.jacobians > full.steps, "{:?}", counters(&full));
    assert!(sparse.jacobians > sparse.steps, "{:?}", counters(&sparse));
    let more = sparse.steps.abs_diff(full.steps);
    assert!(
        more * 20 < full.steps,
        "{:?} {:?}",
        counters(&full),
        counters(&sparse)
    );
    assert_close(&sparse.coordinates, &full.coordinates, 1e-6, "coordinates");
    assert_close(&sparse.rates, &full.rates, 1e-5, "rates");
}
