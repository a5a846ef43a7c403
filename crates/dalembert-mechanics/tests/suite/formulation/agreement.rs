//! All routes give the same motion, and it is the right one.

use super::system::{System, dot};
use super::{assert_close, difference, largest, lean, motion};
use dalembert_mechanics::formulation::{Formulation, Motion};

/// Two routes of condition up to 1e4 (mass matrix) times 1e2 (rows) differ by 1e6 roundings at
/// most: 2e-10; random rows stay well below that.
const SAME: f64 = 1e-10;

/// Systems of all shapes: no rows, as many rows as speeds, repeated, scaled and combined rows.
fn systems() -> Vec<System> {
    let mut rng = fastrand::Rng::with_seed(21);
    let mut systems = Vec::new();
    for condition in [1.0, 10.0, 1e2, 1e4] {
        for (nv, nc) in [
            (1, 0),
            (1, 1),
            (2, 1),
            (3, 3),
            (6, 2),
            (7, 5),
            (12, 8),
            (20, 9),
        ] {
            let plain = System::random(&mut rng, nv, nc, condition);
            let mut ideal = plain.clone();
            ideal.w.fill(0.0);
            systems.push(ideal);
            if nc > 0 {
                let mut dependent = plain.clone();
                dependent.combine_rows(&mut rng, 2);
                dependent.repeat_row(0, 1.0);
                dependent.repeat_row(nc - 1, -1e6);
                dependent.repeat_row(nc / 2, 1e-6);
                systems.push(dependent);
                // Units that differ from speed to speed.
                let mut units = plain.clone();
                let scale = |j: usize| 10.0_f64.powi((j % 5) as i32 - 2);
                for i in 0..nv {
                    units.h[i] *= scale(i);
                    units.w[i] *= scale(i);
                    (0..nv).for_each(|j| units.M[i * nv + j] *= scale(i) * scale(j));
                    (0..nc).for_each(|row| units.A[row * nv + i] *= scale(i));
                }
                systems.push(units);
            }
            systems.push(plain);
        }
    }
    systems
}

fn all(system: &System) -> [Motion; 5] {
    Formulation::ALL.map(|formulation| motion(formulation, system).unwrap())
}

#[test]
fn formulations_agree_on_random_systems() {
    let systems = systems();
    assert!(systems.len() > 100);
    for system in &systems {
        let [left, others @ ..] = all(system);
        for right in others {
            assert_close(&left.acceleration, &right.acceleration, SAME);
            assert_close(&left.multipliers, &right.multipliers, SAME);
            assert_close(&left.multipliers_ideal, &right.multipliers_ideal, SAME);
            assert_close(&left.force_ideal, &right.force_ideal, SAME);
            if largest(&system.w) > 0.0 && left.rank < system.nv() {
                assert_close(&left.force_nonideal, &right.force_nonideal, SAME);
            }
            assert_eq!((left.rank, &left.rows), (right.rank, &right.rows));
        }
        let (acceleration, multipliers) = lean(system).unwrap();
        assert_close(&left.acceleration, &acceleration, SAME);
        assert_close(&left.multipliers, &multipliers, SAME);
    }
}

#[test]
fn block_elimination_confirms_systems_of_full_rank() {
    let mut rng = fastrand::Rng::with_seed(22);
    for (nv, nc) in [(2, 1), (5, 5), (9, 4), (30, 20)] {
        let system = System::random(&mut rng, nv, nc, 100.0);
        let (acceleration, multipliers) = system.block_solution();
        for motion in all(&system) {
            assert_close(&motion.acceleration, &acceleration, SAME);
            assert_close(&motion.multipliers, &multipliers, SAME);
            assert_eq!(motion.rank, nc);
        }
    }
}

#[test]
fn motion_satisfies_the_equations_it_comes_from() {
    for system in systems() {
        for motion in all(&system) {
            let v_dot = &motion.acceleration;
            for (i, (left, b)) in system.rows_times(v_dot).iter().zip(&system.b).enumerate() {
                let size = b.abs() + largest(system.row(i)) * largest(v_dot);
                assert!((left - b).abs() <= SAME * size, "A v' = b");
            }
            let inertia = system.mass_times(v_dot);
            let reaction = system.reaction(&motion.multipliers);
            let reaction_ideal = system.reaction(&motion.multipliers_ideal);
            let size = largest(&inertia) + largest(&reaction) + largest(&system.h);
            for j in 0..system.nv() {
                let by_multipliers = system.h[j] + reaction[j] + system.w[j];
                let by_forces = system.h[j] + motion.force_ideal[j] + motion.force_nonideal[j];
                assert!((inertia[j] - by_multipliers).abs() <= SAME * size);
                assert!((inertia[j] - by_forces).abs() <= SAME * size);
                assert!((motion.force_ideal[j] - reaction_ideal[j]).abs() <= SAME * size);
            }
        }
    }
}

#[test]
fn virtual_work_is_that_of_the_nonideal_part_alone() {
    let mut directions = 0;
    for system in systems() {
        let basis = system.null_space();
        for motion in all(&system) {
            assert_eq!(basis.len(), system.nv() - motion.rank);
            for direction in &basis {
                directions += 1;
                let size = largest(direction) * (largest(&motion.force_ideal) + largest(&system.w));
                assert!(dot(direction, &motion.force_ideal).abs() <= SAME * size);
                let work = dot(direction, &motion.force_nonideal) - dot(direction, &system.w);
                assert!(work.abs() <= SAME * size);
            }
        }
    }
    assert!(directions > 500);
}

#[test]
fn ideal_motion_is_the_nearest_to_the_free_one() {
    let mut rng = fastrand::Rng::with_seed(23);
    for mut system in systems() {
        system.w.fill(0.0);
        let mut free = system.clone();
        (free.A, free.b) = (Vec::new(), Vec::new());
        let (a, _) = free.block_solution();
        let constraint = |v: &[f64]| -> f64 {
            let away: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v - a).collect();
            dot(&away, &system.mass_times(&away))
        };
        for motion in all(&system) {
            let least = constraint(&motion.acceleration);
            for direction in system.null_space() {
                let step = (rng.f64() - 0.5) / largest(&direction);
                let mut other = motion.acceleration.clone();
                for (v, d) in other.iter_mut().zip(&direction) {
                    *v += step * d;
                }
                let added: Vec<f64> = direction.iter().map(|d| step * d).collect();
                let expected = dot(&added, &system.mass_times(&added));
                // Gauss: G grows by exactly the square of the step, so there is no slope.
                let growth = constraint(&other) - least;
                assert!((growth - expected).abs() <= 1e-9 * (least + expected));
            }
        }
    }
}

#[test]
fn ill_conditioned_masses_cost_their_condition_and_no_more() {
    let mut rng = fastrand::Rng::with_seed(24);
    for exponent in [6, 8] {
        let condition = 10.0_f64.powi(exponent);
        let system = System::random(&mut rng, 10, 6, condition);
        let [left, others @ ..] = all(&system);
        let bound = 100.0 * f64::EPSILON * condition;
        for right in others {
            assert!(difference(&left.acceleration, &right.acceleration) <= bound);
            assert!(difference(&left.multipliers, &right.multipliers) <= bound);
        }
    }
}

#[test]
fn corrections_are_nearest_in_the_metric_of_mass() {
    use dalembert_mechanics::formulation::{Factorisation, Tolerance};
    use dalembert_mechanics::linear::Matrix;
    let mut rng = fastrand::Rng::with_seed(25);
    for extra in [0, 3] {
        let mut system = System::random(&mut rng, 9, 4, 100.0);
        system.combine_rows(&mut rng, extra);
        let mut factorisation = Factorisation::new(9, 4 + extra, Tolerance::default());
        let (mass, rows) = (
            Matrix::full(9, 9, &system.M),
            Matrix::full(4 + extra, 9, &system.A),
        );
        factorisation.factor(&mass, &rows).unwrap();
        let mut correction = vec![0.0; 9];
        let missed = factorisation.project(&system.b, &mut correction);
        assert!(missed < 1e-13);
        assert_close(&system.rows_times(&correction), &system.b, SAME);
        let momentum = system.mass_times(&correction);
        for direction in system.null_space() {
            assert!(dot(&direction, &momentum).abs() <= SAME * largest(&momentum));
        }
        if extra > 0 {
            system.b[4] += 1.0;
            assert!(factorisation.project(&system.b, &mut correction) > 0.01);
            let (mut v, mut lambda) = (vec![0.0; 9], vec![0.0; 7]);
            let solved = factorisation.solve(&system.h, &system.b, &mut v, &mut lambda);
            assert!(solved.is_err());
        }
    }
}

#[test]
fn lower_triangle_of_the_mass_matrix_is_not_read() {
    let mut rng = fastrand::Rng::with_seed(26);
    for massless in [0, 2] {
        let mut system = System::random(&mut rng, 6, 3, 10.0);
        system.remove_mass(massless);
        let mut spoiled = system.clone();
        for i in 0..6 {
            (0..i).for_each(|j| spoiled.M[i * 6 + j] = 99.0);
        }
        for (left, right) in all(&system).iter().zip(all(&spoiled)) {
            assert_close(&left.acceleration, &right.acceleration, f64::EPSILON);
        }
        let (left, right) = (lean(&system).unwrap(), lean(&spoiled).unwrap());
        assert_close(&left.0, &right.0, f64::EPSILON);
    }
}

#[test]
fn systems_without_speeds_have_a_motion() {
    let mut nothing = System::random(&mut fastrand::Rng::with_seed(27), 0, 2, 1.0);
    nothing.b.fill(0.0);
    for motion in all(&nothing) {
        assert_eq!((motion.rank, motion.acceleration.len()), (0, 0));
        assert!(motion.rows.iter().all(|row| row.redundant));
    }
    assert!(lean(&nothing).is_ok());
    nothing.b[1] = 1.0;
    assert!(lean(&nothing).is_err());
}
