//! Energy and work: in every model dE/dt is the sum of the powers that are reported.

use crate::support::{
    assert_close, at, at_most, exact, mechanism, names, read, run, snapshot_at_start,
    state_on_the_way, text,
};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};

/// The sum of all powers but those of forces that are counted in the potential.
fn power(mechanism: &Mechanism, now: &Snapshot) -> f64 {
    let forces = mechanism.system.forces.iter().zip(&now.force_power);
    let given: f64 = forces
        .filter(|(force, _)| !force.conservative)
        .map(|(_, power)| power)
        .sum();
    given + now.constraint_power.iter().sum::<f64>() + now.drive
}

/// dE/dt by differences along the motion.
fn energy_rate(mechanism: &Mechanism, now: &Snapshot) -> f64 {
    let energy = |h: f64| {
        let State {
            t,
            coordinates,
            rates,
            ..
        } = &now.state;
        let moved = State {
            t: t + h,
            coordinates: (0..coordinates.len())
                .map(|i| coordinates[i] + h * (rates[i] + h / 2.0 * now.accelerations[i]))
                .collect(),
            rates: (0..rates.len())
                .map(|i| rates[i] + h * now.accelerations[i])
                .collect(),
            ..State::default()
        };
        let there = mechanism.snapshot(&moved).unwrap();
        there.kinetic + there.potential
    };
    let fastest = now.state.rates.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    let h = 1e-4 / fastest;
    (energy(h) - energy(-h)) / (2.0 * h)
}

fn assert_balanced(mechanism: &Mechanism, what: &str) {
    let now = mechanism.snapshot(&state_on_the_way(mechanism)).unwrap();
    let (found, wanted) = (power(mechanism, &now), energy_rate(mechanism, &now));
    assert!(
        (found - wanted).abs() < 1e-5 * (1.0 + wanted.abs()),
        "{what}: {found} for {wanted}"
    );
    let end = run(mechanism, at_most(1.0, mechanism), &exact());
    let size = now.kinetic + now.potential.abs() + end.work.abs();
    let error = end.balance_error() / size;
    assert!(error.abs() < 1e-8, "{what}: {error:e}");
}

#[test]
fn every_example_balances() {
    for name in names() {
        assert_balanced(&mechanism(&name), &name);
    }
}

#[test]
fn conservative_models_keep_their_energy() {
    for name in [
        "pendulum",
        "pendulum-iftomm-a01",
        "double-pendulum",
        "phong-pendulum",
        "blajer-disk",
        "rolling-disk",
        "rigid-body-quaternion",
    ] {
        let mechanism = mechanism(name);
        let now = mechanism.snapshot(&state_on_the_way(&mechanism)).unwrap();
        let end = run(&mechanism, 2.0, &exact());
        let size = now.kinetic + now.potential.abs();
        let change = (end.energy_end - end.energy_start) / size;
        assert!(change.abs() < 1e-9, "{name}: {change:e}");
        assert!(end.work.abs() < 1e-9 * size, "{name}: {:e}", end.work);
    }
}

/// E = m/2 ω² s₀² (sinh² + cosh²) of ω t.
fn energy_of_the_bead(t: f64) -> f64 {
    let (m, omega, s0) = (0.1, 2.0, 0.5_f64);
    m / 2.0 * (omega * s0).powi(2) * (2.0 * omega * t).cosh()
}

/// The wire that is a constraint works by its reaction, the one that is written into the position by
/// `drive` alone: a ledger without it would not close.
#[test]
fn the_driven_wire_needs_the_drive() {
    for (name, by_drive) in [("bead-on-wire", false), ("bead-on-driven-wire", true)] {
        let mechanism = mechanism(name);
        let end = run(&mechanism, 1.0, &exact());
        assert_close(&[end.coordinates[0]], &[0.5 * 2.0_f64.cosh()], 1e-9, "s");
        let energies = [end.energy_start, end.energy_end];
        let wanted = [energy_of_the_bead(0.0), energy_of_the_bead(1.0)];
        assert_close(&energies, &wanted, 1e-9, name);
        assert_close(&[end.work], &[wanted[1] - wanted[0]], 1e-9, name);
        let now = mechanism.snapshot(&state_on_the_way(&mechanism)).unwrap();
        let (all, drive) = (power(&mechanism, &now), now.drive);
        assert!(all > 0.1);
        let rest = if by_drive { all - drive } else { drive };
        assert!(rest.abs() < 1e-12, "{name}: {drive} of {all}");
    }
}

const HEAD: &str = "dalembert = 1\n[parameters]\nm = 0.1\nomega = 2\n";

/// Inertia that time does not occur in can do work too: T = T₂ + T₀ in a turning frame.
#[test]
fn a_turning_frame_needs_the_drive() {
    let text = format!(
        "{HEAD}[coordinates]\ns = 0.5\n[energy]\nkinetic = \"m/2*(s'^2 + omega^2*s^2)\"\n[run]\nspan = 1\n"
    );
    let mechanism = read(&text).unwrap();
    let end = run(&mechanism, 1.0, &exact());
    let wanted = energy_of_the_bead(1.0) - energy_of_the_bead(0.0);
    assert_close(&[end.work], &[wanted], 1e-9, "work");
    assert_balanced(&mechanism, "turning frame");
    // T₁ too: a force-free particle seen from a turning frame.
    let text = format!(
        "{HEAD}[coordinates]\nx = 0.5\ny = 0\n[energy]\nkinetic = \"m/2*((x' - omega*y)^2 + (y' + omega*x)^2)\"\n[run]\nspan = 1\n"
    );
    let mechanism = read(&text).unwrap();
    let end = run(&mechanism, 1.0, &exact());
    assert_close(&[end.energy_end], &[end.energy_start], 1e-10, "free");
    assert_balanced(&mechanism, "free");
}

/// A system given by its equations: what h holds beside the inertia of ½ vᵀMv is a force with power.
#[test]
fn equations_have_power() {
    // A weight on a wheel, r² = 1 + q²: M depends on q, and h holds −½ M' q'² and −c q'.
    let text = "dalembert = 1\n[parameters]\nc = 0.3\n[coordinates]\nq = 0.4\n[start]\n\"q'\" = 1\n\
        [dynamics]\nmass_matrix = [[\"1 + q^2\"]]\nforce = [\"-q*q'^2 - c*q' - 2*q\"]\n[run]\nspan = 1\n";
    let mechanism = read(text).unwrap();
    assert_balanced(&mechanism, "by equations");
    let now = snapshot_at_start(&mechanism);
    assert_close(&now.force_power, &[-0.3 - 0.8], 1e-12, "power");
    // The free top in its body speeds, Euler's equations: h is all inertia, and its power is none.
    let free = "dalembert = 1\n[coordinates]\na = 0.1\nb = 0.5\nc = 0.2\n[start]\nw1 = 1\nw2 = 2\nw3 = 3\n\
        [speeds]\nw1 = \"a'*sin(b)*sin(c) + b'*cos(c)\"\nw2 = \"a'*sin(b)*cos(c) - b'*sin(c)\"\nw3 = \"a'*cos(b) + c'\"\n\
        [dynamics]\nmass_matrix = [[1, 0, 0], [0, 2, 0], [0, 0, 2.5]]\nforce = [\"-0.5*w2*w3\", \"1.5*w3*w1\", \"-1*w1*w2\"]\n[run]\nspan = 1\n";
    let mechanism = read(free).unwrap();
    let now = snapshot_at_start(&mechanism);
    assert_close(&now.speed_rates, &[-3.0, 2.25, -0.8], 1e-12, "Euler");
    assert_close(&now.force_given, &[-3.0, 4.5, -2.0], 1e-12, "h");
    assert!(now.force_power[0].abs() < 1e-10, "{}", now.force_power[0]);
    assert_balanced(&mechanism, "Euler");
}

/// A spring with a damper reports both, by name.
#[test]
fn springs_report_their_parts() {
    let mechanism = mechanism("spring-damper");
    let names: Vec<&str> = mechanism
        .system
        .forces
        .iter()
        .map(|force| force.name.as_str())
        .collect();
    assert_eq!(names, ["push", "wall.stiffness", "wall.damping", "link"]);
    let options = dalembert::simulate::RunOptions {
        record_all: true,
        ..exact()
    };
    let end = run(&mechanism, 1.0, &options);
    for name in [
        "power(wall.stiffness)",
        "power(wall.damping)",
        "power(link)",
    ] {
        assert!(end.table.column(name).is_some(), "{name}");
    }
    let damping = end.table.column("power(wall.damping)").unwrap().values;
    let rate = end.table.column("x1'").unwrap().values;
    for (power, rate) in damping.iter().zip(rate) {
        assert!((power + 1.5 * rate * rate).abs() < 1e-12);
    }
}

/// A force and a constraint of one name can both be recorded.
#[test]
fn columns_of_one_name_are_told_apart() {
    let text = text("ukf-line").replace("[run]", "[force.line]\ngeneralized = { x1 = 1 }\n[run]");
    let mechanism = read(&text).unwrap();
    let options = dalembert::simulate::RunOptions {
        record_all: true,
        ..exact()
    };
    let end = run(&mechanism, 0.5, &options);
    let column = |name: &str| end.table.column(name).unwrap().values;
    assert_close(column("power(line)"), column("x1'"), 1e-12, "force");
    assert_eq!(column("power(line) (2)").len(), 2);
}

/// T = x'⁴/4, V = x²/2: what is conserved is x' ∂T/∂x' − T + V = 3 x'⁴/4 + x²/2, so T + V alone is not, and the
/// difference is the drive's: T + V − (T₀ + V₀) = x'⁴/4 − 3 x'⁴/4, from its start.
#[test]
fn a_kinetic_energy_that_is_not_quadratic_closes_its_ledger() {
    let mechanism = read(
        "dalembert = 1\n[coordinates]\nx = 1\n[start]\n\"x'\" = 1\n\
         [energy]\nkinetic = \"x'^4/4\"\npotential = \"x^2/2\"\n",
    )
    .unwrap();
    let end = run(&mechanism, 0.5, &exact());
    let (x, v) = (end.coordinates[0], end.rates[0]);
    let conserved = 0.75 * v.powi(4) + x * x / 2.0;
    assert!((conserved - 1.25).abs() < 1e-11, "{conserved}");
    let work = -v.powi(4) / 2.0 + 0.5;
    assert!((end.work - work).abs() < 1e-11, "{} for {work}", end.work);
    assert!(end.balance_error().abs() < 1e-11);
}

/// Weights far above and far below zero: the potential is a small difference of large terms, which rounding of a step at rest is held against. Heights alone
/// change nothing of the motion.
#[test]
fn potentials_of_large_terms_are_known_no_better_than_these() {
    let far = |height: &str| {
        let text = format!(
            "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[parameters]\nH = {height}\nm = 1\nn = 1\n[coordinates]\na = 1\nb = 0.5\n\
             [particle.A]\nmass = \"m\"\nposition = \"[sin(a), H - cos(a), 0]\"\n\
             [particle.B]\nmass = \"n\"\nposition = \"[sin(b), -H - cos(b), 0]\"\n[run]\nspan = 0.3\n"
        );
        let mechanism = read(&text).unwrap_or_else(|errors| panic!("{errors}"));
        run(&mechanism, 0.3, &at(1e-10))
    };
    let near = far("0");
    for height in ["1000", "1e7"] {
        let found = far(height);
        for (found, wanted) in found.coordinates.iter().zip(&near.coordinates) {
            assert!((found - wanted).abs() < 1e-9, "{height}: {found} {wanted}");
        }
    }
}
