//! Models whose matrices are compressed.

use super::{assert_close, largest};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::formulation::{
    Factorisation, Problem, Tolerance, Unsolved, Workspace, solve_accelerations,
};
use dalembert_mechanics::ids::ConstraintId;
use dalembert_mechanics::linear::Pattern;
use dalembert_mechanics::model::{self, Model};
use dalembert_mechanics::start::State;
use std::sync::Arc;

/// Masses on a line of rods in a plane, bent, and rows besides.
fn chain(masses: usize, more: &[String]) -> Model {
    let mut model = Model::builder("Chain")
        .gravity("[0, -g, 0]")
        .parameter("m", "0.1 kg")
        .parameter("l", "0.05 m")
        .parameter("g", "9.81 m/s^2");
    let (mut x, mut y) = (0.0, 0.0);
    for i in 1..=masses {
        let before = i - 1;
        let link = if i == 1 {
            "x1^2 + y1^2 = l^2".to_owned()
        } else {
            format!("(x{i} - x{before})^2 + (y{i} - y{before})^2 = l^2")
        };
        let angle = 0.6 * (0.37 * i as f64).sin() - 0.4;
        (x, y) = (x + 0.05 * f64::cos(angle), y + 0.05 * f64::sin(angle));
        model = model
            .coordinate(&format!("x{i}"), &format!("{x:.17} m"))
            .coordinate(&format!("y{i}"), &format!("{y:.17} m"))
            .particle(&format!("P{i}"), "m", &format!("[x{i}, y{i}, 0]"))
            .constraint(&format!("link{i}"), &link);
    }
    for (k, row) in more.iter().enumerate() {
        model = model.constraint(&format!("more{k}"), row);
    }
    model.build().unwrap()
}

/// A moving state of a chain: rates that keep the rods' lengths.
fn moving(mechanism: &Mechanism) -> State {
    let mut state = mechanism.start().unwrap().state;
    let count = state.coordinates.len() / 2;
    let (mut vx, mut vy) = (0.0, 0.0);
    for i in 0..count {
        let q = |k: usize| state.coordinates[k];
        let (dx, dy) = match i {
            0 => (q(0), q(1)),
            _ => (q(2 * i) - q(2 * i - 2), q(2 * i + 1) - q(2 * i - 1)),
        };
        let turn = 2.0 * (0.21 * i as f64).cos();
        (vx, vy) = (vx - turn * dy, vy + turn * dx);
        (state.rates[2 * i], state.rates[2 * i + 1]) = (vx, vy);
    }
    state
}

/// λ of a chain by hand. Row i: d_i·(a_i − a_{i−1}) = −|v_i − v_{i−1}|², times 2; S = A M⁻¹ Aᵀ is tridiagonal.
fn tension_by_hand(state: &State, m: f64, g: f64) -> Vec<f64> {
    let n = state.coordinates.len() / 2;
    let point = |x: &[f64], i: usize| match i {
        0 => [0.0, 0.0],
        _ => [x[2 * i - 2], x[2 * i - 1]],
    };
    let difference = |x: &[f64], i: usize| {
        let (a, b) = (point(x, i), point(x, i - 1));
        [a[0] - b[0], a[1] - b[1]]
    };
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let d: Vec<_> = (1..=n).map(|i| difference(&state.coordinates, i)).collect();
    let v: Vec<_> = (1..=n).map(|i| difference(&state.rates, i)).collect();
    let mut diagonal = vec![0.0; n];
    let mut right = vec![0.0; n];
    for i in 0..n {
        let ends = if i == 0 { 1.0 } else { 2.0 };
        diagonal[i] = 4.0 * ends * dot(d[i], d[i]) / m;
        // Gravity moves both ends alike, except at the wall.
        let weight = if i == 0 { 2.0 * d[0][1] * g } else { 0.0 };
        right[i] = -2.0 * dot(v[i], v[i]) + weight;
    }
    let off: Vec<f64> = (1..n).map(|i| -4.0 * dot(d[i - 1], d[i]) / m).collect();
    // Thomas.
    for i in 1..n {
        let factor = off[i - 1] / diagonal[i - 1];
        diagonal[i] -= factor * off[i - 1];
        right[i] -= factor * right[i - 1];
    }
    for i in (0..n).rev() {
        let behind = if i + 1 < n {
            off[i] * right[i + 1]
        } else {
            0.0
        };
        right[i] = (right[i] - behind) / diagonal[i];
    }
    right
}

#[test]
fn a_long_chain_pulls_as_thomas_says() {
    let mechanism = Mechanism::new(chain(1000, &[])).unwrap();
    assert_eq!(mechanism.equations.stored(), Stored::Compressed);
    let state = moving(&mechanism);
    let now = mechanism.motion(&state).unwrap();
    assert_eq!(now.rank, 1000);
    assert!(now.unique.iter().all(|unique| *unique));
    let wanted = tension_by_hand(&state, 0.1, 9.81);
    assert_close(&now.multipliers, &wanted, 1e-11, "multipliers");
    // The reaction of a rod acts on its two ends, and nowhere else.
    assert_eq!(now.reactions.components(ConstraintId::new(7)).len(), 4);
    assert_eq!(
        now.reactions
            .of(ConstraintId::new(7))
            .map(|(i, _)| i)
            .collect::<Vec<_>>(),
        [12, 13, 14, 15]
    );
}

#[test]
fn a_doubled_rod_and_a_loop_change_nothing_but_themselves() {
    let n = 60;
    let plain = Mechanism::new(chain(n, &[])).unwrap();
    let state = moving(&plain);
    let alone = plain.motion(&state).unwrap();
    let doubled = "7*(x9 - x8)^2 + 7*(y9 - y8)^2 = 7*l^2".to_owned();
    let again = Mechanism::new(chain(n, &[doubled])).unwrap();
    assert_eq!(again.equations.stored(), Stored::Compressed);
    let now = again.motion(&state).unwrap();
    assert_close(
        &now.accelerations,
        &alone.accelerations,
        1e-9,
        "accelerations",
    );
    assert_eq!(now.rank, n);
    for row in 0..=n {
        assert_eq!(now.redundant[row], row == n, "{row}");
        assert_eq!(now.unique[row], row != n && row != 8, "{row}");
    }
    // Each takes half of the load.
    let (half, other) = (now.multipliers[8], 7.0 * now.multipliers[n]);
    assert!((half - alone.multipliers[8] / 2.0).abs() < 1e-8 * alone.multipliers[8].abs());
    assert!((other - half).abs() < 1e-8 * half.abs());

    let (x, y) = (
        state.coordinates[2 * n - 2] - 1.7,
        state.coordinates[2 * n - 1],
    );
    let closing = format!("(x60 - 1.7)^2 + y60^2 = {:.17}", x * x + y * y);
    let closed = chain(n, &[closing]);
    let [full, compressed] = [Stored::Full, Stored::Compressed].map(|stored| {
        let mechanism = Mechanism::stored(closed.clone(), Some(stored)).unwrap();
        let start = mechanism.start().unwrap();
        (mechanism.motion(&start.state).unwrap(), start)
    });
    assert_close(
        &compressed.1.state.coordinates,
        &full.1.state.coordinates,
        1e-9,
        "start",
    );
    assert_close(
        &compressed.0.multipliers,
        &full.0.multipliers,
        1e-8,
        "multipliers",
    );
    assert_close(
        &compressed.0.accelerations,
        &full.0.accelerations,
        1e-8,
        "accelerations",
    );
}

#[test]
fn every_example_moves_alike_in_both_storages() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("table(") {
            // Files beside a model are read by the front door.
            continue;
        }
        if text.contains("enforced_by") {
            // Not symmetric: stored in full whatever is wanted.
            let (model, _) = model::read(&text).unwrap();
            let mechanism = Mechanism::stored(model, Some(Stored::Compressed)).unwrap();
            assert_eq!(mechanism.equations.stored(), Stored::Full);
            continue;
        }
        let [full, compressed] = [Stored::Full, Stored::Compressed].map(|stored| {
            let (model, _) = model::read(&text).unwrap();
            let mechanism = Mechanism::stored(model, Some(stored)).unwrap();
            assert_eq!(mechanism.equations.stored(), stored);
            let start = mechanism.start().unwrap();
            let snapshot = mechanism.snapshot(&start.state).unwrap();
            (start, snapshot, matrices(&mechanism))
        });
        let name = path.display().to_string();
        assert_eq!(full.2, compressed.2, "{name}: M and A");
        let (a, b) = (&full.0.state, &compressed.0.state);
        assert_close(&b.coordinates, &a.coordinates, 1e-9, &name);
        assert_close(&b.rates, &a.rates, 1e-8, &name);
        let (a, b) = (full.1, compressed.1);
        for (found, wanted, what) in [
            (&b.accelerations, &a.accelerations, "accelerations"),
            (&b.speed_rates, &a.speed_rates, "speed rates"),
            (&b.force_given, &a.force_given, "given"),
            (&b.force_ideal, &a.force_ideal, "ideal"),
            (&b.force_nonideal, &a.force_nonideal, "non-ideal"),
            (&b.force_power, &a.force_power, "powers"),
            (&b.constraint_power, &a.constraint_power, "powers"),
        ] {
            assert_close(found, wanted, 1e-7, &format!("{name}: {what}"));
        }
        assert_eq!(
            (b.rank, &b.redundant, &b.unique),
            (a.rank, &a.redundant, &a.unique)
        );
        for row in (0..a.unique.len()).filter(|&row| a.unique[row]) {
            let size = largest(&a.multipliers).max(1e-3);
            let apart = (a.multipliers[row] - b.multipliers[row]).abs();
            assert!(apart <= 1e-7 * size, "{name}: {row}");
        }
        assert!((a.kinetic - b.kinetic).abs() <= 1e-9 * (1.0 + a.kinetic.abs()));
        assert!((a.potential - b.potential).abs() <= 1e-9 * (1.0 + a.potential.abs()));
        count += 1;
    }
    assert!(count >= 13);
}

/// M and A at a state that is no start, bit by bit: an example may have no numbers there.
fn matrices(mechanism: &Mechanism) -> [Vec<u64>; 2] {
    let n = mechanism.equations.coordinates();
    let numbers: Vec<f64> = (0..n).map(|i| 0.7 + 0.3 * (1.0 + i as f64).sin()).collect();
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(0.3, &numbers);
    evaluator.set_rates(&numbers);
    let now = evaluator.canonical();
    [now.mass.to_vec(), now.jacobian.to_vec()]
        .map(|list| list.iter().map(|x| x.to_bits()).collect())
}

#[test]
fn a_sparse_step_does_not_allocate() {
    let mechanism = Mechanism::new(chain(100, &[])).unwrap();
    assert_eq!(mechanism.equations.stored(), Stored::Compressed);
    let state = moving(&mechanism);
    let mut evaluator = mechanism.evaluator();
    let mut workspace = Workspace::of(&mechanism.equations);
    let (mut v, mut lambda) = (vec![0.0; 200], vec![0.0; 100]);
    let mut correction = vec![0.0; 200];
    let mut step = || {
        evaluator.set_position(state.t, &state.coordinates);
        evaluator.set_rates(&state.rates);
        let problem = Problem::from(evaluator.canonical());
        solve_accelerations(&problem, &mut workspace, &mut v, &mut lambda).unwrap();
        workspace.factorisation().project(&lambda, &mut correction);
    };
    step();
    let before = crate::allocation::count();
    step();
    assert_eq!(crate::allocation::count() - before, 0);
}

#[test]
fn singular_masses_need_rows() {
    // y has no mass; the row holds it to x. Without the row nothing does.
    let mass = Arc::new(Pattern::diagonal(2));
    let rows = Arc::new(Pattern::compressed(2, &[vec![0, 1]]));
    let (m, a) = ([2.0, 0.0], [1.0, -1.0]);
    let mut factorisation = Factorisation::of(&mass, &rows, Tolerance::default()).unwrap();
    factorisation
        .factor(&mass.matrix(&m), &rows.matrix(&a))
        .unwrap();
    let (mut v, mut lambda) = ([0.0; 2], [0.0]);
    factorisation
        .solve(&[4.0, 6.0], &[0.0], &mut v, &mut lambda)
        .unwrap();
    assert_close(&v, &[5.0, 5.0], 1e-12, "accelerations");
    assert_close(&lambda, &[6.0], 1e-12, "multiplier");
    let failure = factorisation
        .factor(&mass.matrix(&m), &rows.matrix(&[1.0, 0.0]))
        .unwrap_err();
    assert_eq!(failure.undetermined_speeds(), [1]);
    let negative = factorisation.factor(&mass.matrix(&[2.0, -1.0]), &rows.matrix(&a));
    assert!(matches!(
        negative,
        Err(Unsolved::NotPositive { speed: 1, .. })
    ));
    let nothing = factorisation.factor(&mass.matrix(&[2.0, f64::NAN]), &rows.matrix(&a));
    assert!(matches!(nothing, Err(Unsolved::NotFinite { .. })));
}

/// A leaning truss of bays of unit squares with one diagonal each, at rest, whose first node hangs on a rod of length
/// one from the origin: a rigid body on a rod, though its rows are within 10⁻⁴ of dependence. With d from the
/// centre of mass to the node, u along the rod: λ (1/M + (d × u)²/I) = −g·u, the rest follows.
#[test]
fn a_long_truss_is_a_rigid_body() {
    use std::fmt::Write;
    let bays = 300;
    let (c, s) = (0.5_f64.cos(), 0.5_f64.sin());
    let at = |k: usize| {
        let (i, j) = ((k % 2 + 1) as f64, (k / 2) as f64);
        [i * c + j * s, i * s - j * c]
    };
    let mut rods = Vec::new();
    for j in 0..bays {
        rods.push((2 * j, 2 * j + 1, 1));
        if j + 1 < bays {
            rods.extend([
                (2 * j, 2 * j + 2, 1),
                (2 * j + 1, 2 * j + 3, 1),
                (2 * j, 2 * j + 3, 2),
            ]);
        }
    }
    let nodes = 2 * bays;
    let mut text = String::from("dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\n");
    for k in 0..nodes {
        for (name, x) in ["x", "y"].iter().zip(at(k)) {
            writeln!(
                text,
                "{name}{k} = {{ value = {x:?}, priority = \"guess\" }}"
            )
            .unwrap();
        }
    }
    for k in 0..nodes {
        writeln!(
            text,
            "[particle.P{k}]\nmass = 1\nposition = \"[x{k}, y{k}, 0]\""
        )
        .unwrap();
    }
    writeln!(text, "[constraint.pin]\nholds = \"x0^2 + y0^2 = 1\"").unwrap();
    for (k, (a, b, square)) in rods.iter().enumerate() {
        writeln!(
            text,
            "[constraint.r{k}]\nholds = \"(x{b}-x{a})^2 + (y{b}-y{a})^2 = {square}\""
        )
        .unwrap();
    }
    let (model, _) = model::read(&text).unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    assert_eq!(mechanism.equations.stored(), Stored::Compressed);
    let state = mechanism.start().unwrap().state;
    let found = mechanism.motion(&state).unwrap();

    let mass = nodes as f64;
    let center = (0..nodes).fold([0.0, 0.0], |sum, k| {
        [sum[0] + at(k)[0] / mass, sum[1] + at(k)[1] / mass]
    });
    let arm = |k: usize| [at(k)[0] - center[0], at(k)[1] - center[1]];
    let inertia: f64 = (0..nodes)
        .map(|k| arm(k)[0].powi(2) + arm(k)[1].powi(2))
        .sum();
    let (d, u) = (arm(0), at(0));
    let turn = d[0] * u[1] - d[1] * u[0];
    let force = 9.81 * u[1] / (1.0 / mass + turn * turn / inertia);
    let angular = turn * force / inertia;
    let wanted: Vec<f64> = (0..nodes)
        .flat_map(|k| {
            let r = arm(k);
            [
                force * u[0] / mass - angular * r[1],
                force * u[1] / mass - 9.81 + angular * r[0],
            ]
        })
        .collect();
    assert_close(&found.accelerations, &wanted, 1e-8, "accelerations");
    // The row is x² + y² − 1: its gradient is twice u.
    assert_close(&found.multipliers[..1], &[force / 2.0], 1e-8, "the pin's");
}
