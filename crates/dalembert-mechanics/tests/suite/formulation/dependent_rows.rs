//! Rows that depend on each other change the report and nothing else.

use super::system::System;
use super::{assert_close, by_all_formulations, lean, motion};
use dalembert_mechanics::formulation::{Formulation, Motion, RowReport};

/// Condition 1e2 and rows of all sizes.
const SAME: f64 = 1e-11;

const INDEPENDENT: RowReport = RowReport {
    redundant: false,
    reaction_unique: true,
};
const SHARED: RowReport = RowReport {
    redundant: false,
    reaction_unique: false,
};
const REDUNDANT: RowReport = RowReport {
    redundant: true,
    reaction_unique: false,
};

fn for_all(system: &System, check: impl Fn(&Motion)) {
    by_all_formulations(system, SAME, check);
}

#[test]
fn repeated_row_changes_only_the_report() {
    let mut rng = fastrand::Rng::with_seed(31);
    let plain = System::random(&mut rng, 6, 3, 100.0);
    let reference = motion(Formulation::Multipliers, &plain).unwrap();
    let mut repeated = plain.clone();
    repeated.repeat_row(1, 1.0);
    for_all(&repeated, |motion| {
        assert_close(&reference.acceleration, &motion.acceleration, SAME);
        assert_close(&reference.force_ideal, &motion.force_ideal, SAME);
        assert_close(&reference.force_nonideal, &motion.force_nonideal, SAME);
        assert_eq!(motion.rank, 3);
        assert_eq!(motion.rows, [INDEPENDENT, SHARED, INDEPENDENT, REDUNDANT]);
        let half = reference.multipliers[1] / 2.0;
        let shared = [
            reference.multipliers[0],
            half,
            reference.multipliers[2],
            half,
        ];
        assert_close(&shared, &motion.multipliers, SAME);
    });
}

#[test]
fn scaling_a_row_changes_only_its_multiplier() {
    let mut rng = fastrand::Rng::with_seed(32);
    for extra in [0, 2] {
        let mut plain = System::random(&mut rng, 7, 3, 100.0);
        plain.combine_rows(&mut rng, extra);
        let reference = motion(Formulation::Multipliers, &plain).unwrap();
        for factor in [1e-6, 1e6, -1.0] {
            for row in 0..plain.nc() {
                let mut scaled = plain.clone();
                scaled.scale_row(row, factor);
                for_all(&scaled, |motion| {
                    assert_close(&reference.acceleration, &motion.acceleration, SAME);
                    assert_close(&reference.force_ideal, &motion.force_ideal, SAME);
                    assert_close(&reference.force_nonideal, &motion.force_nonideal, SAME);
                    assert_eq!(
                        (reference.rank, &reference.rows),
                        (motion.rank, &motion.rows)
                    );
                    let mut multipliers = motion.multipliers.clone();
                    multipliers[row] *= factor;
                    assert_close(&reference.multipliers, &multipliers, SAME);
                });
            }
        }
    }
}

#[test]
fn extreme_scales_side_by_side_change_nothing() {
    let mut rng = fastrand::Rng::with_seed(33);
    let plain = System::random(&mut rng, 7, 4, 100.0);
    let reference = motion(Formulation::Multipliers, &plain).unwrap();
    let mut scaled = plain.clone();
    scaled.scale_row(0, 1e-6);
    scaled.scale_row(2, 1e6);
    for_all(&scaled, |motion| {
        assert_eq!(motion.rank, 4);
        assert_close(&reference.acceleration, &motion.acceleration, SAME);
    });
}

#[test]
fn more_rows_than_speeds_are_no_obstacle() {
    let mut rng = fastrand::Rng::with_seed(34);
    let mut system = System::random(&mut rng, 3, 3, 10.0);
    system.combine_rows(&mut rng, 4);
    for_all(&system, |motion| {
        assert_eq!(motion.rank, 3);
        let redundant: Vec<bool> = motion.rows.iter().map(|row| row.redundant).collect();
        assert_eq!(redundant, [false, false, false, true, true, true, true]);
        assert!(motion.rows.iter().all(|row| !row.reaction_unique));
    });
}

/// Two rows at a small angle cost the angle's reciprocal in accuracy, not its square, and the rows
/// themselves are met to the last digits.
#[test]
fn nearly_parallel_rows_are_met_exactly() {
    let mut rng = fastrand::Rng::with_seed(37);
    for exponent in 1..7 {
        let angle = 10.0_f64.powi(-exponent);
        let mut system = System::random(&mut rng, 8, 4, 10.0);
        for j in 0..8 {
            system.A[8 + j] = system.A[j] + angle * system.A[8 + j];
        }
        system.b[1] = system.b[0] + angle * system.b[1];
        let (acceleration, _) = lean(&system).unwrap();
        assert_close(&system.b, &system.rows_times(&acceleration), 1e-13);
        for formulation in Formulation::ALL {
            let motion = motion(formulation, &system).unwrap();
            assert_eq!(motion.rank, 4);
            assert_close(&motion.acceleration, &acceleration, 1e-14 / angle);
        }
    }
}

#[test]
fn right_sides_that_nearly_agree_leave_multipliers_least() {
    let mut rng = fastrand::Rng::with_seed(38);
    let mut system = System::random(&mut rng, 5, 2, 10.0);
    system.repeat_row(0, 1.0);
    system.b[2] += 1e-8;
    for_all(&system, |motion| {
        let lambda = &motion.multipliers;
        assert!((lambda[0] - lambda[2]).abs() <= 1e-13 * lambda[0].abs());
    });
}

/// A table of weight 12 on four legs at the corners of a square of side 2: rows are heights of the corners,
/// speeds (z, roll, pitch).
#[test]
fn four_legs_share_the_weight_equally_and_say_it_is_not_unique() {
    let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let rows: Vec<f64> = corners.iter().flat_map(|[x, y]| [1.0, *y, -*x]).collect();
    let table = System {
        M: vec![1.2, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5],
        h: vec![-12.0, 0.0, 0.0],
        A: rows,
        b: vec![0.0; 4],
        w: vec![0.0; 3],
    };
    for_all(&table, |motion| {
        assert_eq!(motion.rank, 3);
        assert_eq!(motion.rows, [SHARED, SHARED, SHARED, REDUNDANT]);
        assert_close(&[3.0; 4], &motion.multipliers, SAME);
    });
}

#[test]
fn zero_row_holds_nothing() {
    let mut rng = fastrand::Rng::with_seed(35);
    let plain = System::random(&mut rng, 4, 2, 10.0);
    let reference = motion(Formulation::Multipliers, &plain).unwrap();
    let mut with_zero = plain.clone();
    with_zero.A.extend([0.0; 4]);
    with_zero.b.push(0.0);
    for_all(&with_zero, |motion| {
        assert_close(&reference.acceleration, &motion.acceleration, SAME);
        assert_eq!(motion.rows, [INDEPENDENT, INDEPENDENT, REDUNDANT]);
        assert!(motion.multipliers[2].abs() < 1e-300);
        assert_close(&reference.multipliers, &motion.multipliers[..2], SAME);
    });
    // A row of nothing but the rounding of sin π is a zero row beside others.
    with_zero.A[8] = std::f64::consts::PI.sin();
    for_all(&with_zero, |motion| assert_eq!(motion.rank, 2));
}

#[test]
fn reaction_and_power_belong_to_one_row() {
    let mut rng = fastrand::Rng::with_seed(36);
    let system = System::random(&mut rng, 5, 3, 10.0);
    let motion = motion(Formulation::Multipliers, &system).unwrap();
    let speeds = [0.3, -0.1, 0.7, 0.2, -0.5];
    let (mut sum, mut power) = ([0.0; 5], 0.0);
    for row in 0..3 {
        let mut reaction = [0.0; 5];
        motion.reaction_into(&system.problem(), row, &mut reaction);
        sum.iter_mut()
            .zip(reaction)
            .for_each(|(sum, part)| *sum += part);
        power += motion.power(&system.problem(), row, &speeds);
    }
    assert_close(&system.reaction(&motion.multipliers), &sum, 1e-14);
    assert_close(&[super::system::dot(&sum, &speeds)], &[power], 1e-13);
}
