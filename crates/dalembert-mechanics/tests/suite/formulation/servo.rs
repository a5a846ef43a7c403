//! Rows held by forces of given directions in place of their own reactions.
#![expect(non_snake_case, reason = "letters of the papers")]

use super::system::{System, dot, eliminate};
use super::{assert_close, largest};
use dalembert_mechanics::formulation::{
    Failure, Formulation, Motion, Quantity, Unsolved, Workspace, solve, solve_accelerations,
};

/// As for other random systems: condition up to 1e4 times that of oblique projections, 1e3.
const SAME: f64 = 1e-9;

/// A system whose `rows` are held by forces along E.
#[derive(Clone)]
struct Held {
    system: System,
    rows: Vec<usize>,
    E: Vec<f64>,
}

impl Held {
    /// Directions at no more than 80 degrees or so from what they hold.
    fn random(
        rng: &mut fastrand::Rng,
        (nv, nc): (usize, usize),
        rows: &[usize],
        condition: f64,
    ) -> Self {
        let system = System::random(rng, nv, nc, condition);
        let mut E = Vec::new();
        for &row in rows {
            let own = system.row(row).iter();
            E.extend(own.map(|a| a + 1.5 * (rng.f64() - 0.5)));
        }
        let rows = rows.to_vec();
        Self { system, rows, E }
    }

    fn motion(&self, formulation: Formulation) -> Result<Motion, Failure> {
        let problem = self.system.problem().with_servo(&self.rows, &self.E);
        let mut workspace = Workspace::new(self.system.nv(), self.system.nc());
        let mut motion = Motion::default();
        solve(formulation, &problem, &mut workspace, &mut motion)?;
        Ok(motion)
    }

    fn lean(&self) -> Result<(Vec<f64>, Vec<f64>), Failure> {
        let problem = self.system.problem().with_servo(&self.rows, &self.E);
        let (nv, nc) = (self.system.nv(), self.system.nc());
        let mut workspace = Workspace::new(nv, nc);
        let (mut a, mut lambda) = (vec![0.0; nv], vec![0.0; nc]);
        solve_accelerations(&problem, &mut workspace, &mut a, &mut lambda)?;
        Ok((a, lambda))
    }

    /// Direction of the force of a row: its own reaction's, or that of the force that holds it.
    fn direction(&self, row: usize) -> &[f64] {
        let nv = self.system.nv();
        match self.rows.iter().position(|&held| held == row) {
            Some(k) => &self.E[k * nv..][..nv],
            None => self.system.row(row),
        }
    }

    /// Σ Gᵢᵀ λᵢ over some rows.
    fn force(&self, lambda: &[f64], of: impl Fn(usize) -> bool) -> Vec<f64> {
        let mut force = vec![0.0; self.system.nv()];
        for row in (0..lambda.len()).filter(|&row| of(row)) {
            for (f, g) in force.iter_mut().zip(self.direction(row)) {
                *f += g * lambda[row];
            }
        }
        force
    }

    /// M v' = h + w + Gᵀ λ, A v' = b, by elimination with partial pivoting: rows must be independent.
    fn block_solution(&self) -> (Vec<f64>, Vec<f64>) {
        let (nv, nc) = (self.system.nv(), self.system.nc());
        let n = nv + nc;
        let mut table = vec![vec![0.0; n + 1]; n];
        for (i, line) in table[..nv].iter_mut().enumerate() {
            line[..nv].copy_from_slice(&self.system.M[i * nv..][..nv]);
            for row in 0..nc {
                line[nv + row] = -self.direction(row)[i];
            }
            line[n] = self.system.h[i] + self.system.w[i];
        }
        for row in 0..nc {
            table[nv + row][..nv].copy_from_slice(self.system.row(row));
            table[nv + row][n] = self.system.b[row];
        }
        let mut x = eliminate(table);
        let lambda = x.split_off(nv);
        (x, lambda)
    }
}

fn all(held: &Held) -> [Motion; 5] {
    Formulation::ALL.map(|formulation| held.motion(formulation).unwrap())
}

/// All shapes: one row held, all rows held, massless speeds, other rows repeated, scaled and combined.
fn systems() -> Vec<Held> {
    let mut rng = fastrand::Rng::with_seed(81);
    let mut systems = Vec::new();
    for condition in [1.0, 1e2, 1e4] {
        for ((nv, nc), rows) in [
            ((1, 1), &[0][..]),
            ((2, 1), &[0]),
            ((3, 3), &[1, 2]),
            ((6, 3), &[2, 0]),
            ((9, 5), &[4, 1, 2]),
            ((16, 7), &[0, 6]),
        ] {
            let plain = Held::random(&mut rng, (nv, nc), rows, condition);
            let free = (0..nc).find(|row| !rows.contains(row));
            if let Some(free) = free {
                let mut dependent = plain.clone();
                dependent.system.repeat_row(free, 1.0);
                dependent.system.repeat_row(free, -1e6);
                dependent.system.repeat_row(free, 1e-6);
                systems.push(dependent);
            }
            if nv >= 6 {
                let mut light = plain.clone();
                light.system.remove_mass(1);
                systems.push(light);
            }
            let mut ideal = plain.clone();
            ideal.system.w.fill(0.0);
            systems.push(ideal);
            systems.push(plain);
        }
    }
    systems
}

#[test]
fn formulations_agree_and_meet_the_equations() {
    let systems = systems();
    assert!(systems.len() > 40);
    for held in &systems {
        let [first, others @ ..] = all(held);
        for other in &others {
            assert_close(&first.acceleration, &other.acceleration, SAME);
            assert_close(&first.multipliers, &other.multipliers, SAME);
            assert_close(&first.multipliers_ideal, &other.multipliers_ideal, SAME);
            assert_close(&first.force_servo, &other.force_servo, SAME);
            assert_eq!((first.rank, &first.rows), (other.rank, &other.rows));
        }
        let (acceleration, multipliers) = held.lean().unwrap();
        assert_close(&first.acceleration, &acceleration, SAME);
        assert_close(&first.multipliers, &multipliers, SAME);
        let system = &held.system;
        for motion in [&first].into_iter().chain(&others) {
            let v_dot = &motion.acceleration;
            for (i, b) in system.b.iter().enumerate() {
                let size = b.abs() + largest(system.row(i)) * largest(v_dot);
                assert!(
                    (dot(system.row(i), v_dot) - b).abs() <= SAME * size,
                    "A v' = b"
                );
            }
            let inertia = system.mass_times(v_dot);
            let ours = |row: usize| held.rows.contains(&row);
            let reaction = held.force(&motion.multipliers, |_| true);
            let ideal = held.force(&motion.multipliers_ideal, |row| !ours(row));
            let servo = held.force(&motion.multipliers, ours);
            let size =
                largest(&inertia) + largest(&system.h) + largest(&servo) + largest(&reaction);
            for j in 0..system.nv() {
                let by_multipliers = system.h[j] + system.w[j] + reaction[j];
                let parts = [
                    &motion.force_ideal,
                    &motion.force_nonideal,
                    &motion.force_servo,
                ];
                let by_forces = system.h[j] + parts.iter().map(|part| part[j]).sum::<f64>();
                assert!((inertia[j] - by_multipliers).abs() <= SAME * size);
                assert!((inertia[j] - by_forces).abs() <= SAME * size);
                assert!((motion.force_ideal[j] - ideal[j]).abs() <= SAME * size);
                assert!((motion.force_servo[j] - servo[j]).abs() <= SAME * size);
            }
        }
    }
}

#[test]
fn block_elimination_confirms_systems_of_full_rank() {
    let mut rng = fastrand::Rng::with_seed(82);
    for (size, rows) in [((2, 1), &[0][..]), ((5, 5), &[3, 0]), ((12, 6), &[1, 5, 4])] {
        let held = Held::random(&mut rng, size, rows, 100.0);
        let (acceleration, multipliers) = held.block_solution();
        for motion in all(&held) {
            assert_close(&acceleration, &motion.acceleration, SAME);
            assert_close(&multipliers, &motion.multipliers, SAME);
        }
    }
}

/// The reaction's own direction is one like any other.
#[test]
fn forces_along_the_rows_are_the_reactions() {
    let mut rng = fastrand::Rng::with_seed(83);
    let mut held = Held::random(&mut rng, (8, 4), &[1, 3], 100.0);
    held.E = [held.system.row(1), held.system.row(3)].concat();
    for (formulation, by_force) in Formulation::ALL.into_iter().zip(all(&held)) {
        let own = super::motion(formulation, &held.system).unwrap();
        assert_close(&own.acceleration, &by_force.acceleration, SAME);
        assert_close(&own.multipliers, &by_force.multipliers, SAME);
        let parts = by_force.force_servo.iter().zip(&by_force.force_ideal);
        let sum: Vec<f64> = parts
            .zip(&by_force.force_nonideal)
            .map(|((servo, ideal), nonideal)| servo + ideal + nonideal)
            .collect();
        let both = own.force_ideal.iter().zip(&own.force_nonideal);
        assert_close(&both.map(|(i, n)| i + n).collect::<Vec<_>>(), &sum, SAME);
    }
}

/// A row in other units: the force that holds it is as large as before. A direction in other units: its size changes, not
/// what it does. And another row: only its own multiplier changes.
#[test]
fn units_of_rows_and_directions_change_multipliers_only() {
    let mut rng = fastrand::Rng::with_seed(84);
    for factor in [1e6, -1e-6] {
        let held = Held::random(&mut rng, (7, 4), &[2], 10.0);
        let mut row = held.clone();
        row.system.scale_row(2, factor);
        let mut direction = held.clone();
        direction.E.iter_mut().for_each(|entry| *entry *= factor);
        let mut other = held.clone();
        other.system.scale_row(0, factor);
        for formulation in Formulation::ALL {
            let was = held.motion(formulation).unwrap();
            let now = row.motion(formulation).unwrap();
            assert_close(&was.acceleration, &now.acceleration, SAME);
            assert_close(&was.multipliers, &now.multipliers, SAME);
            let now = direction.motion(formulation).unwrap();
            assert_close(&was.acceleration, &now.acceleration, SAME);
            assert_close(&was.force_servo, &now.force_servo, SAME);
            assert_close(&was.multipliers[2..3], &[now.multipliers[2] * factor], SAME);
            assert_close(&was.multipliers[..2], &now.multipliers[..2], SAME);
            let now = other.motion(formulation).unwrap();
            assert_close(&was.acceleration, &now.acceleration, SAME);
            assert_close(&was.multipliers[..1], &[now.multipliers[0] * factor], SAME);
            assert_close(&was.multipliers[1..], &now.multipliers[1..], SAME);
        }
    }
}

/// A cart of mass M with a pendulum (m, l) at the angle q, pushed so that q'' = b: closed form of [P99]'s kind.
#[test]
fn a_cart_makes_its_pendulum_follow() {
    let (M, m, l, g) = (3.0, 0.5, 0.8, 9.81);
    for (q, rate, b) in [(0.4_f64, 1.2, -3.6), (-1.1, 0.3, 2.0), (2.5, -1.0, 0.0)] {
        let (s, c) = q.sin_cos();
        let held = Held {
            system: System {
                M: vec![M + m, m * l * c, m * l * c, m * l * l],
                h: vec![m * l * s * rate * rate, -m * g * l * s],
                A: vec![0.0, 1.0],
                b: vec![b],
                w: vec![0.0; 2],
            },
            rows: vec![0],
            E: vec![1.0, 0.0],
        };
        let x = -(l * b + g * s) / c;
        let force = (M + m) * x + m * l * (b * c - rate * rate * s);
        for motion in all(&held) {
            assert_close(&[x, b], &motion.acceleration, 1e-13);
            assert_close(&[force], &motion.multipliers, 1e-13);
            assert_close(&[force, 0.0], &motion.force_servo, 1e-13);
            assert!(largest(&motion.force_ideal) <= 1e-13 * force.abs());
        }
    }
}

/// x and y of a particle; the direction of the force decides whether it can hold a row.
fn particle(A: &[f64], rows: &[usize], E: &[f64]) -> Held {
    let nc = A.len() / 2;
    Held {
        system: System {
            M: vec![2.0, 0.0, 0.0, 3.0],
            h: vec![1.0, -1.0],
            A: A.to_vec(),
            b: vec![0.0; nc],
            w: vec![0.0; 2],
        },
        rows: rows.to_vec(),
        E: E.to_vec(),
    }
}

#[test]
fn forces_that_cannot_hold_their_rows_are_refused_with_numbers() {
    let cases: [(&str, Held, &[usize], usize, usize); 6] = [
        (
            "across",
            particle(&[1.0, 0.0], &[0], &[0.0, 1.0]),
            &[0],
            0,
            1,
        ),
        (
            "nothing",
            particle(&[1.0, 0.0], &[0], &[0.0, 0.0]),
            &[0],
            0,
            1,
        ),
        (
            "along the reaction of another row",
            particle(&[1.0, 0.0, 0.0, 1.0], &[1], &[5.0, 0.0]),
            &[1],
            1,
            2,
        ),
        (
            "two forces of one direction",
            particle(&[1.0, 0.0, 0.0, 1.0], &[0, 1], &[1.0, 1.0, 2.0, 2.0]),
            &[0, 1],
            1,
            2,
        ),
        (
            "a row that follows from another",
            particle(&[1.0, 0.0, 2.0, 0.0], &[1], &[1.0, 1.0]),
            &[1],
            1,
            2,
        ),
        (
            "nearly across",
            particle(&[1.0, 0.0], &[0], &[1e-12, 1.0]),
            &[0],
            0,
            1,
        ),
    ];
    for (name, held, rows, rank, needed) in cases {
        let lean = held.lean().unwrap_err();
        let routes = Formulation::ALL.map(|formulation| held.motion(formulation).unwrap_err());
        for failure in routes.into_iter().chain([lean]) {
            let Failure::NotHeld {
                rows: found,
                rank: found_rank,
                needed: found_needed,
                least,
            } = &failure
            else {
                panic!("{name}: {failure:?}");
            };
            assert_eq!(
                (&found[..], *found_rank, *found_needed),
                (rows, rank, needed),
                "{name}"
            );
            assert!(*least < 1e-8, "{name}: {least}");
        }
    }
}

/// A force along its own row's reaction where the row follows from others: the motion is known, the sizes are not.
#[test]
fn a_held_row_that_another_reaction_holds_too_has_no_unique_size() {
    let held = particle(&[1.0, 0.0, 2.0, 0.0], &[1], &[3.0, 0.0]);
    for motion in all(&held) {
        assert_close(&[0.0, -1.0 / 3.0], &motion.acceleration, 1e-14);
        assert!(motion.rows.iter().all(|row| !row.reaction_unique));
        assert!((motion.multipliers[0] + 3.0 * motion.multipliers[1] + 1.0).abs() < 1e-14);
    }
}

#[test]
fn contradictions_and_numbers_that_are_not_finite_are_named() {
    let mut held = particle(&[1.0, 0.0, 2.0, 0.0, 0.0, 1.0], &[2], &[1.0, 1.0]);
    held.system.b = vec![1.0, 0.0, 0.0];
    for formulation in Formulation::ALL {
        let failure = held.motion(formulation).unwrap_err();
        assert!(
            matches!(&failure, Failure::Unsolved(Unsolved::Contradictory { rows, .. }) if rows == &[0, 1]),
            "{formulation}: {failure:?}"
        );
    }
    held.system.b.fill(0.0);
    held.E[1] = f64::NAN;
    for formulation in Formulation::ALL {
        let failure = held.motion(formulation).unwrap_err();
        let (what, index) = (Quantity::Direction, 1);
        assert_eq!(
            failure,
            Failure::Unsolved(Unsolved::NotFinite { what, index })
        );
    }
    assert!(held.lean().is_err());
}

/// Full matrices of a large model would be many; it is refused by name before any is made.
#[test]
fn large_models_are_refused() {
    use dalembert_mechanics::{lower, model};
    let text = |n: usize| {
        let mut text = String::from("dalembert = 1\n[coordinates]\n");
        (0..n).for_each(|i| text += &format!("q{i} = 0\n"));
        let squares: Vec<String> = (0..n).map(|i| format!("q{i}'^2")).collect();
        text += &format!("[energy]\nkinetic = \"{}\"\n", squares.join(" + "));
        text + "[force.motor]\ngeneralized = { q0 = 1 }\n\
                [constraint.program]\nholds = \"q0 = t\"\nenforced_by = [\"motor\"]\n"
    };
    let errors = |n| {
        let (model, _) = model::read(&text(n)).unwrap();
        lower::lower(&model).err().unwrap_or_default()
    };
    assert_eq!(errors(999), []);
    let refused = errors(1000);
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].code, "E0484");
    assert!(
        refused[0].message.ends_with("here are 1001"),
        "{}",
        refused[0].message
    );
}

/// The same from Rust: a mass on a wheel's rim, turned by the wheel's motor; the torque is that of inverse dynamics.
#[test]
fn a_model_can_be_built_in_rust() {
    use dalembert_mechanics::Mechanism;
    use dalembert_mechanics::model::Model;
    let model = Model::builder("Wheel")
        .coordinate("a", "?")
        .kinetic_energy("2*a'^2")
        .potential_energy("3*cos(a)")
        .generalized_force("motor", &[("a", "10")])
        .servo_constraint("program", "a = 0.5 + t^2", &["motor"])
        .build()
        .unwrap();
    let wheel = Mechanism::new(model).unwrap();
    let now = wheel.snapshot(&wheel.start().unwrap().state).unwrap();
    let torque = 4.0 * 2.0 - 3.0 * 0.5_f64.sin();
    assert_close(&[torque / 10.0], &now.multipliers, 1e-14);
    assert_close(&[torque], &now.force_servo, 1e-14);
    assert_close(
        &[0.0, 2.0],
        &[now.state.rates[0], now.accelerations[0]],
        1e-14,
    );
}
