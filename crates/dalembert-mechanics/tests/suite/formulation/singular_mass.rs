//! Mass matrices that are definite only where the rows leave freedom.

use super::system::{System, dot};
use super::{assert_close, largest, lean, motion};
use dalembert_mechanics::formulation::{Formulation, Motion};

/// The rows of these systems have condition up to about 1e3 on the massless speeds.
const SAME: f64 = 1e-12;
/// The penalty squares that, and Udwadia and Kalaba's formula takes it as it is.
const SQUARED: f64 = 1e-9;

#[test]
fn block_elimination_confirms_massless_speeds() {
    let mut rng = fastrand::Rng::with_seed(51);
    for (nv, nc, massless) in [(2, 1, 1), (5, 3, 2), (8, 5, 5), (4, 4, 4), (12, 6, 3)] {
        let mut system = System::random(&mut rng, nv, nc, 100.0);
        system.remove_mass(massless);
        check(&system);
    }
}

#[test]
fn block_elimination_confirms_masses_of_low_rank() {
    let mut rng = fastrand::Rng::with_seed(52);
    for (nv, nc, rank) in [(4, 2, 2), (7, 4, 3), (9, 5, 5)] {
        let mut system = System::random(&mut rng, nv, nc, 1.0);
        let factors: Vec<f64> = (0..nv * rank).map(|_| rng.f64() - 0.5).collect();
        for i in 0..nv {
            for j in 0..nv {
                system.M[i * nv + j] =
                    dot(&factors[i * rank..][..rank], &factors[j * rank..][..rank]);
            }
        }
        check(&system);
    }
}

fn check(system: &System) {
    let (acceleration, multipliers) = system.block_solution();
    for formulation in Formulation::ALL {
        let motion = motion(formulation, system).unwrap();
        let same = if formulation == Formulation::UdwadiaKalaba {
            SQUARED
        } else {
            SAME
        };
        assert_close(&acceleration, &motion.acceleration, same);
        assert_close(&multipliers, &motion.multipliers, same);
        let size = largest(&motion.force_ideal) + largest(&system.w);
        for direction in system.null_space() {
            let size = size * largest(&direction);
            assert!(dot(&direction, &motion.force_ideal).abs() <= same * size);
            let work = dot(&direction, &motion.force_nonideal) - dot(&direction, &system.w);
            assert!(work.abs() <= same * size);
        }
    }
    let (lean_acceleration, lean_multipliers) = lean(system).unwrap();
    assert_close(&acceleration, &lean_acceleration, SAME);
    assert_close(&multipliers, &lean_multipliers, SAME);
}

#[test]
fn dependent_rows_and_massless_speeds_agree_in_all_formulations() {
    let mut rng = fastrand::Rng::with_seed(53);
    let mut plain = System::random(&mut rng, 8, 4, 100.0);
    plain.remove_mass(2);
    let reference = motion(Formulation::Multipliers, &plain).unwrap();
    let mut dependent = plain.clone();
    dependent.repeat_row(2, 1e6);
    dependent.combine_rows(&mut rng, 2);
    let reaction = |motion: &Motion| -> Vec<f64> {
        let lambda = motion.multipliers.iter().enumerate();
        lambda.map(|(i, l)| l * largest(dependent.row(i))).collect()
    };
    let motions = Formulation::ALL.map(|f| motion(f, &dependent).unwrap());
    for motion in &motions {
        assert_eq!((motion.rank, &motion.rows), (4, &motions[0].rows));
        assert_close(&reference.acceleration, &motion.acceleration, SQUARED);
        assert_close(&reference.force_ideal, &motion.force_ideal, SQUARED);
        assert_close(&reference.force_nonideal, &motion.force_nonideal, SQUARED);
        assert_close(&reaction(&motions[0]), &reaction(motion), SQUARED);
    }
}

/// Two masses hang on one almost massless ring: with A M^-½ alone the two rows would look parallel.
#[test]
fn masses_that_span_twenty_decades_keep_the_rank() {
    // The penalty starts below 1e-10: above, rows as parallel as 1e-4 cost that much accuracy.
    let same = 1e-11;
    for light in [0.0, 1e-20, 1e-14, 1e-8] {
        let system = System {
            M: vec![1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, light],
            h: vec![3.0, 0.0, 0.0],
            A: vec![1.0, 0.0, -1.0, 0.0, 1.0, -1.0],
            b: vec![0.0, 0.5],
            w: vec![0.0; 3],
        };
        let expected = (3.0 - 2.0 * 0.5) / (3.0 + light);
        for formulation in Formulation::ALL {
            let motion = motion(formulation, &system).unwrap();
            assert_eq!(motion.rank, 2);
            assert_close(
                &[expected, expected + 0.5, expected],
                &motion.acceleration,
                1e-12,
            );
        }
        let (acceleration, _) = lean(&system).unwrap();
        assert_close(&[expected, expected + 0.5, expected], &acceleration, same);
    }
}
