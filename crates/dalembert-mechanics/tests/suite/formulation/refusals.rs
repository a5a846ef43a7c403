//! What has no motion is refused, with the place and the number.

use super::system::System;
use super::{lean, motion};
use dalembert_mechanics::equations::RowTerms;
use dalembert_mechanics::formulation::{
    Failure, Formulation, Motion, Quantity, Unsolved, Workspace, solve,
};

fn unsolved(failure: Failure) -> Unsolved {
    match failure {
        Failure::Unsolved(unsolved) => unsolved,
        other => panic!("{other:?}"),
    }
}

/// The refusal of every route, which is the same one.
fn refusal(system: &System) -> Unsolved {
    let failure = unsolved(motion(Formulation::Multipliers, system).unwrap_err());
    let others = Formulation::ALL.map(|other| motion(other, system).unwrap_err());
    for other in others.into_iter().chain(lean(system).err()).map(unsolved) {
        assert_eq!(
            std::mem::discriminant(&failure),
            std::mem::discriminant(&other),
            "{failure:?} / {other:?}"
        );
        if let (
            Unsolved::Contradictory { rows, residual },
            Unsolved::Contradictory {
                rows: others,
                residual: other,
            },
        ) = (&failure, &other)
        {
            assert_eq!(rows, others);
            assert!((residual - other).abs() <= 1e-9 * residual.abs());
        }
    }
    failure
}

#[track_caller]
fn assert_contradiction(system: &System, expected_rows: &[usize], expected: f64) {
    let failure = refusal(system);
    let Unsolved::Contradictory { rows, residual } = &failure else {
        panic!("{failure:?}");
    };
    assert_eq!(rows, expected_rows);
    let error = (residual - expected).abs();
    assert!(error <= 1e-9 * expected.abs(), "{residual} {expected}");
}

fn plane(rows: &[[f64; 2]], b: &[f64]) -> System {
    System {
        M: vec![1.0, 0.0, 0.0, 1.0],
        h: vec![0.0, -9.81],
        A: rows.concat(),
        b: b.to_vec(),
        w: vec![0.0; 2],
    }
}

#[test]
fn contradictory_rows_are_named() {
    assert_contradiction(&plane(&[[1.0, 2.0], [1.0, 2.0]], &[1.0, 1.5]), &[0, 1], 0.5);
    // The second row is minus twice the first: it should be −2.
    assert_contradiction(
        &plane(&[[1.0, 2.0], [-2.0, -4.0]], &[1.0, 3.0]),
        &[0, 1],
        5.0,
    );
    // x'' + y'' must be 1 + 2.
    let three = plane(&[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], &[1.0, 2.0, 4.0]);
    assert_contradiction(&three, &[0, 1, 2], 1.0);
    // Of four rows two are enough.
    let four = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]];
    assert_contradiction(&plane(&four, &[1.0, 2.0, 3.0, 4.0]), &[2, 3], 1.0);
}

#[test]
fn contradiction_is_found_among_many_rows_of_all_sizes() {
    let mut rng = fastrand::Rng::with_seed(41);
    for scale in [1e-6, 1.0, 1e6] {
        let mut system = System::random(&mut rng, 12, 7, 100.0);
        system.repeat_row(3, scale);
        system.b[7] += 0.25 * scale;
        assert_contradiction(&system, &[3, 7], 0.25 * scale);
    }
}

#[test]
fn right_sides_that_differ_by_rounding_agree() {
    let mut system = plane(&[[1.0, 2.0], [1.0, 2.0]], &[1.0, 1.0 + 1e-12]);
    assert!(
        Formulation::ALL
            .map(|f| motion(f, &system))
            .iter()
            .all(Result::is_ok)
    );
    assert!(lean(&system).is_ok());
    // All of it rounding: of terms of which nothing else tells.
    (system.h, system.b) = (vec![0.0; 2], vec![1e-17, -1e-17]);
    for formulation in Formulation::ALL {
        let mut workspace = Workspace::new(system.nv(), system.nc());
        workspace.measure_by(RowTerms {
            jacobian: system.A.clone(),
            bias: vec![1.0; 2],
        });
        let mut found = Motion::default();
        let solved = solve(formulation, &system.problem(), &mut workspace, &mut found);
        assert_eq!(solved, Ok(()), "{formulation}");
        // By themselves the two numbers contradict each other, in whatever unit they are so small.
        assert!(motion(formulation, &system).is_err(), "{formulation}");
    }
}

#[test]
fn zero_row_that_demands_something_is_refused() {
    let system = plane(&[[1.0, 2.0], [0.0, 0.0]], &[1.0, -0.5]);
    assert_contradiction(&system, &[1], -0.5);
}

#[test]
fn motion_without_inertia_and_constraint_is_named() {
    // Three massless speeds, the last two tied by one row: x₁ free, x₂ + x₃ held, x₂ − x₃ free.
    let mut mass = vec![0.0; 16];
    mass[0] = 2.0;
    let system = System {
        M: mass,
        h: vec![1.0, 0.0, 0.0, 0.0],
        A: vec![0.0, 0.0, 1.0, 1.0],
        b: vec![0.0],
        w: vec![0.0; 4],
    };
    let failure = refusal(&system);
    assert_eq!(failure.undetermined_speeds(), [1, 2, 3]);
    let Unsolved::Undetermined { directions } = &failure else {
        panic!("{failure:?}");
    };
    assert_eq!(directions.len(), 2);
    for direction in directions {
        let alone = direction[1].abs() > 0.5;
        let expected = if alone {
            [0.0, 1.0, 0.0, 0.0]
        } else {
            [0.0, 0.0, direction[2], -direction[2]]
        };
        let error = direction.iter().zip(expected).map(|(d, e)| (d - e).abs());
        assert!(error.fold(0.0, f64::max) < 1e-12, "{direction:?}");
    }
}

#[test]
fn inertia_that_is_the_rounding_of_zero_is_none() {
    let tiny = std::f64::consts::PI.sin().powi(2);
    let mut system = plane(&[], &[]);
    system.M[3] = tiny;
    assert_eq!(refusal(&system).undetermined_speeds(), [1]);
}

#[test]
fn negative_mass_is_refused_even_under_constraint() {
    let mut system = plane(&[[0.0, 1.0]], &[0.0]);
    system.M[3] = -3.0;
    assert_eq!(
        refusal(&system),
        Unsolved::NotPositive {
            speed: 1,
            value: -3.0
        }
    );
    // Indefinite with a positive diagonal: eigenvalues 3 and −1.
    system.M = vec![1.0, 2.0, 2.0, 1.0];
    let Unsolved::NotPositive { value, .. } = refusal(&system) else {
        panic!("indefinite");
    };
    assert!(
        (value + 2.0).abs() < 1e-12,
        "(1, −1) has 1 − 4 + 1 = {value}"
    );
    // A massless speed cannot be coupled to another.
    system.M = vec![1.0, 0.5, 0.5, 0.0];
    assert!(matches!(refusal(&system), Unsolved::NotPositive { .. }));
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    let good = plane(&[[1.0, 2.0]], &[0.0]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let named = |what: Quantity, index: usize, spoil: fn(&mut System) -> &mut Vec<f64>| {
            let mut system = good.clone();
            spoil(&mut system)[index] = bad;
            assert_eq!(refusal(&system), Unsolved::NotFinite { what, index });
        };
        named(Quantity::MassMatrix, 3, |system| &mut system.M);
        named(Quantity::Force, 1, |system| &mut system.h);
        named(Quantity::Jacobian, 0, |system| &mut system.A);
        named(Quantity::Bias, 0, |system| &mut system.b);
        named(Quantity::NonIdeal, 0, |system| &mut system.w);
    }
}

/// Kinetic energies of rates that all vanish along one direction, and rows that do so too: whatever the sizes, no route
/// finds a motion; with one row that does not, all find the same.
#[test]
fn a_motion_without_inertia_that_no_row_stops_is_refused() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut number = move || f64::from(rng.i32(-4..=4));
    for case in 0..400 {
        let nv = 2 + case % 5;
        let mut idle: Vec<f64> = (0..nv).map(|_| number()).collect();
        idle[case % nv] = 1.0;
        // Vectors across the idle direction, in whole numbers: nothing is rounded.
        let mut across = |scale: f64| -> Vec<f64> {
            let mut vector: Vec<f64> = (0..nv).map(|_| number()).collect();
            let along: f64 = vector.iter().zip(&idle).map(|(a, b)| a * b).sum();
            vector[case % nv] -= along;
            vector.iter_mut().for_each(|x| *x *= scale);
            vector
        };
        let mut mass = vec![0.0; nv * nv];
        for k in 0..1 + case % 4 {
            let rate = across([1.0, 1.0, 0.125, 16.0][k]);
            for (i, a) in rate.iter().enumerate() {
                for (j, b) in rate.iter().enumerate() {
                    mass[i * nv + j] += a * b;
                }
            }
        }
        let mut rows: Vec<Vec<f64>> = (0..nv + 1).map(|_| across(1.0)).collect();
        rows.truncate(1 + case % nv);
        let system = |rows: &[Vec<f64>]| System {
            M: mass.clone(),
            h: vec![1.0; nv],
            A: rows.concat(),
            b: vec![0.0; rows.len()],
            w: vec![0.0; nv],
        };
        let failure = refusal(&system(&rows));
        assert!(
            matches!(failure, Unsolved::Undetermined { .. }),
            "{case}: {failure:?}"
        );
        // Held along the idle direction, and everywhere else.
        for k in 0..nv {
            let mut row = vec![0.0; nv];
            row[k] = 1.0;
            rows.push(row);
        }
        let held = system(&rows);
        for route in Formulation::ALL {
            let found = motion(route, &held).unwrap_or_else(|e| panic!("{case}: {e:?}"));
            assert!(found.acceleration.iter().all(|v| v.abs() < 1e-9), "{case}");
        }
    }
}

/// Rows of massless speeds are long in a metric with a penalty; other rows are not zero for that. Answers by hand.
#[test]
fn rows_are_not_lost_beside_rows_of_massless_speeds() {
    let found = |mass: &[f64], h: &[f64], rows: &[&[f64]]| {
        let system = System {
            M: mass.to_vec(),
            h: h.to_vec(),
            A: rows.concat(),
            b: vec![0.0; rows.len()],
            w: vec![0.0; h.len()],
        };
        Formulation::ALL.map(|route| motion(route, &system).unwrap().acceleration)
    };
    let diagonal = [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let held = found(
        &[2.0, 0.0, 0.0, 0.0],
        &[-1.0, 0.0],
        &[&[0.0, 1e2], &[1e-9, 0.0]],
    );
    for v in held {
        assert!(v[0].abs() < 1e-12, "{v:?}");
    }
    // x + y/100 = 0, 2 x'' = λ, 0 = -1 + λ/100.
    let rows: [&[f64]; 2] = [&[1.0, 0.01, 0.0], &[0.0, 0.0, 9e12]];
    for v in found(&diagonal, &[0.0, -1.0, 0.0], &rows) {
        assert!(
            (v[0] - 50.0).abs() < 1e-9 && (v[1] + 5000.0).abs() < 1e-7,
            "{v:?}"
        );
    }
    // Twice the same of a massless speed that is pushed.
    for push in [1.0, 470.0, 1e6] {
        for v in found(
            &[1.0, 0.0, 0.0, 0.0],
            &[0.0, push],
            &[&[0.0, 1.0], &[0.0, 1.0]],
        ) {
            assert!(v.iter().all(|v| v.abs() < 1e-9), "{v:?}");
        }
    }
}
