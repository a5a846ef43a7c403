//! Examples of the papers, with numbers derived independently: `examples/reference/seed_examples.json`.

use super::system::System;
use super::{assert_close, by_all_formulations, motion};
use dalembert_mechanics::formulation::{Failure, Formulation, Motion, Unsolved};

/// A few roundings of small well-conditioned systems.
const SAME: f64 = 1e-14;

const UNIT_3: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

fn for_all(system: &System, check: impl Fn(&Motion)) {
    by_all_formulations(system, SAME, check);
}

/// [UKF05] (22)–(32), `ukf2005_particle_on_line`: k x₁ − x₂ = 0, c = (1, 2).
#[test]
fn particle_on_a_line() {
    let g = 9.81;
    for k in [2.0, -0.3, 0.0, 50.0] {
        let line = System {
            M: vec![1.0, 0.0, 0.0, 1.0],
            h: vec![0.0, -g],
            A: vec![k, -1.0],
            b: vec![0.0],
            w: vec![1.0, 2.0],
        };
        let square = k * k + 1.0;
        for_all(&line, |motion| {
            let ideal = -g / square;
            assert_close(&[ideal * k, -ideal], &motion.force_ideal, SAME);
            let along = (1.0 + 2.0 * k) / square;
            assert_close(&[along, along * k], &motion.force_nonideal, SAME);
            assert_close(&[ideal], &motion.multipliers_ideal, SAME);
            // What w pushes against the line is taken up by the line.
            assert_close(
                &[ideal - (k - 2.0) / square],
                &motion.multipliers,
                2.0 * SAME,
            );
        });
        if (k - 2.0).abs() < f64::EPSILON {
            for_all(&line, |motion| {
                assert_close(&[-3.924, 1.962], &motion.force_ideal, SAME);
                assert_close(&[1.0, 2.0], &motion.force_nonideal, SAME);
                assert_close(&[-2.924, -5.848], &motion.acceleration, SAME);
                assert_close(&[-1.962], &motion.multipliers_ideal, SAME);
            });
        }
    }
}

/// Appell and Hamel's particle of [UK02] §5 with α ġ given, C = −a₀ |u| v.
fn appell_hamel(velocity: [f64; 3], force: [f64; 3], alpha_g_dot: f64, a0: f64) -> System {
    let [x, y, z] = velocity;
    let speed = (x * x + y * y + z * z).sqrt();
    System {
        M: UNIT_3.to_vec(),
        h: force.to_vec(),
        A: vec![x, y, -z],
        b: vec![alpha_g_dot],
        w: velocity.iter().map(|v| -a0 * speed * v).collect(),
    }
}

/// `uk2002_appell_hamel_nonideal`.
#[test]
fn appell_hamel_particle_has_the_reference_numbers() {
    let velocity = [1.0, 0.8, 1.004_987_562_112_089];
    let system = appell_hamel(velocity, [0.5, 0.2, -1.0], 0.479_700_746_273_274_66, 0.1);
    for_all(&system, |motion| {
        let ideal = [
            -0.447_278_043_712_760_14,
            -0.357_822_434_970_208_1,
            0.449_508_870_737_151_2,
        ];
        let nonideal = [
            -0.124_087_613_600_458_14,
            -0.099_270_090_880_366_51,
            -0.202_493_736_218_054_83,
        ];
        let acceleration = [
            -0.071_365_657_313_218_28,
            -0.257_092_525_850_574_6,
            -0.752_984_865_480_903_6,
        ];
        assert_close(&ideal, &motion.force_ideal, SAME);
        assert_close(&nonideal, &motion.force_nonideal, SAME);
        assert_close(&acceleration, &motion.acceleration, SAME);
        assert_close(
            &[-0.447_278_043_712_760_14],
            &motion.multipliers_ideal,
            SAME,
        );
    });
}

#[test]
fn appell_hamel_particle_follows_equation_42() {
    let a0 = 0.3;
    let states = [
        ([0.3, -1.2, 2.0], [0.1, 0.4, -9.81], 0.7),
        ([1e-7, 2e-7, -1e-7], [1.0, 0.0, -1.0], 1e-7),
        ([30.0, 0.0, 0.0], [0.0, 5.0, 2.0], -0.2),
    ];
    for (velocity, force, alpha_g_dot) in states {
        let [x, y, z] = velocity;
        let square: f64 = x * x + y * y + z * z;
        let pull = (alpha_g_dot - x * force[0] - y * force[1] + z * force[2]) / square;
        let drag = -a0 / square.sqrt();
        let ideal = [pull * x, pull * y, -pull * z];
        let across = 2.0 * z * (x * x + y * y);
        let nonideal = [
            drag * 2.0 * x * z * z,
            drag * 2.0 * y * z * z,
            drag * across,
        ];
        let total: Vec<f64> = (0..3).map(|k| force[k] + ideal[k] + nonideal[k]).collect();
        for_all(&appell_hamel(velocity, force, alpha_g_dot, a0), |motion| {
            assert_close(&total, &motion.acceleration, SAME);
            assert_close(&ideal, &motion.force_ideal, SAME);
            let error = nonideal
                .iter()
                .zip(&motion.force_nonideal)
                .map(|(e, f)| (e - f).abs());
            // The third state moves across the row alone: all of w but roundings is taken up.
            assert!(error.fold(0.0, f64::max) <= SAME * a0 * square);
        });
    }
}

#[test]
fn appell_hamel_particle_at_rest_is_free_or_impossible() {
    let force = [0.5, 0.2, -1.0];
    for_all(&appell_hamel([0.0; 3], force, 0.0, 0.1), |motion| {
        assert_eq!(motion.rank, 0);
        assert!(motion.rows[0].redundant);
        assert_close(&force, &motion.acceleration, SAME);
    });
    let impossible = appell_hamel([0.0; 3], force, 0.3, 0.1);
    for formulation in Formulation::ALL {
        let failure = motion(formulation, &impossible).unwrap_err();
        let expected = Failure::Unsolved(Unsolved::Contradictory {
            rows: vec![0],
            residual: 0.3,
        });
        assert_eq!(failure, expected);
    }
}

/// The sign convention: φ = x² + y² − l², hanging at rest, λ = −m g / (2 l).
#[test]
fn hanging_pendulum_pulls_with_minus_half_its_weight_over_length() {
    let (m, g, l) = (2.5, 9.81, 0.7);
    let pendulum = System {
        M: vec![m, 0.0, 0.0, m],
        h: vec![0.0, -m * g],
        A: vec![0.0, -2.0 * l],
        b: vec![0.0],
        w: vec![0.0; 2],
    };
    for_all(&pendulum, |motion| {
        assert_close(&[-m * g / (2.0 * l)], &motion.multipliers, SAME);
        assert!(motion.acceleration.iter().all(|a| a.abs() < 1e-14));
    });
}

/// [P99] example 1 at t = 0.7, `phong_ex1_planar_rolling_disk`.
#[test]
fn rolling_disk_of_phong() {
    let (m, r, inertia, g) = (3.0, 0.4, 0.24, 9.81);
    let f = 1.0 + 2.0 * (3.0_f64 * 0.7).sin();
    let disk = System {
        M: vec![m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, inertia],
        h: vec![f, -m * g, 0.0],
        A: vec![0.0, 1.0, 0.0, 1.0, 0.0, r],
        b: vec![0.0; 2],
        w: vec![0.0; 3],
    };
    for_all(&disk, |motion| {
        let acceleration = [0.605_870_829_621_721_7, 0.0, -1.514_677_074_054_304_2];
        let reaction = [-0.908_806_244_432_582_5, 29.43, -0.363_522_497_773_033];
        assert_close(&acceleration, &motion.acceleration, SAME);
        assert_close(&reaction, &motion.force_ideal, SAME);
        assert_close(
            &[29.43, -0.908_806_244_432_582_5],
            &motion.multipliers,
            SAME,
        );
    });
}

/// [P99] example 2, `phong_ex2_pendulum`: φ = 1, φ' = 0.5.
#[test]
fn pendulum_of_phong() {
    let (m, l, inertia, g) = (1.5, 0.8, 0.05, 9.81);
    let (sine, cosine) = 1.0_f64.sin_cos();
    let rate: f64 = 0.5;
    let pendulum = System {
        M: vec![m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, inertia],
        h: vec![0.0, -m * g, 0.0],
        A: vec![1.0, 0.0, -l * cosine, 0.0, 1.0, -l * sine],
        b: vec![-l * sine * rate * rate, l * cosine * rate * rate],
        w: vec![0.0; 3],
    };
    for_all(&pendulum, |motion| {
        let acceleration = [
            -4.407_600_853_829_668,
            -6.494_268_473_413_683,
            -9.807_719_240_751_047,
        ];
        let reaction = [
            -6.611_401_280_744_502,
            4.973_597_289_879_476,
            -0.490_385_962_037_552_36,
        ];
        assert_close(&acceleration, &motion.acceleration, SAME);
        assert_close(&reaction, &motion.force_ideal, SAME);
        assert_close(&reaction[..2], &motion.multipliers, SAME);
    });
}
