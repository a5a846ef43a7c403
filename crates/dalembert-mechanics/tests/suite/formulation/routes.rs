//! What the papers' routes were made for, and what their printed rules miss.
#![expect(non_snake_case, reason = "letters of the papers")]

use super::system::{System, dot};
use super::{assert_close, largest, motion};
use dalembert_mechanics::formulation::{Failure, Formulation, Motion, Workspace, solve};

/// A few roundings of small well-conditioned systems.
const SAME: f64 = 1e-14;

fn diagonal(entries: &[f64]) -> Vec<f64> {
    let n = entries.len();
    let mut matrix = vec![0.0; n * n];
    (0..n).for_each(|i| matrix[i * n + i] = entries[i]);
    matrix
}

/// [B92] (6.7)–(6.13) as corrected in `docs/papers.md`: `blajer_rolling_disk`.
#[test]
fn rolling_disk_of_blajer() {
    let (m, r, J, g) = (2.0, 0.5, 0.125, 9.81);
    let theta: f64 = 0.4;
    let v = [
        -2.636_296_419_808_027_7,
        0.0,
        0.15,
        0.3,
        0.644_742_695_802_019_6,
        5.272_592_839_616_055,
    ];
    let disk = System {
        M: diagonal(&[m, m, m, J, J, 2.0 * J]),
        h: vec![
            m * v[4] * (v[1] * theta.tan() - v[2]),
            m * (v[3] * v[2] - v[4] * v[0] * theta.tan() - g * theta.cos()),
            m * (v[4] * v[0] - v[3] * v[1] - g * theta.sin()),
            J * v[4] * (v[4] * theta.tan() - 2.0 * v[5]),
            J * v[3] * (2.0 * v[5] - v[4] * theta.tan()),
            0.0,
        ],
        A: [
            [1.0, 0.0, 0.0, 0.0, 0.0, r],
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, -r, 0.0, 0.0],
        ]
        .concat(),
        b: vec![0.0; 3],
        w: vec![0.0; 6],
    };
    let v_dot = [
        -6.447_426_958_020_195e-2,
        0.0,
        -5.078_259_358_979_539,
        -10.156_518_717_959_079,
        3.081_777_851_884_816_6,
        0.128_948_539_160_403_9,
    ];
    let lambda = [
        6.447_426_958_020_195e-2,
        16.543_945_648_046_385,
        0.883_334_879_417_124_9,
    ];
    // The rows of (6.8).
    let D = [
        [-r, 0.0, 0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, r, 1.0, 0.0, 0.0],
    ];
    for formulation in Formulation::ALL {
        let found = motion(formulation, &disk).unwrap();
        assert_close(&v_dot, &found.acceleration, SAME);
        assert_close(&lambda, &found.multipliers, SAME);
        let by_speed = [
            lambda[0],
            lambda[1],
            lambda[2],
            -r * lambda[2],
            0.0,
            r * lambda[0],
        ];
        assert_close(&by_speed, &found.force_ideal, SAME);
        for d in &D {
            assert!(dot(d, &found.force_ideal).abs() <= SAME * largest(&found.force_ideal));
        }
    }
}

/// [A83] 2.3.1 with its inertias corrected: `angeles_differential_gear`.
#[test]
fn differential_gear_of_angeles() {
    let (a, b, m_A, m_B) = (0.3, 0.1, 2.0, 0.5);
    let wheel = m_A * a * a / 2.0;
    let planet = m_B * b * b / 2.0;
    let carrier = m_B * (a * a + b * b / 4.0);
    let gear = System {
        M: diagonal(&[wheel, wheel, planet, carrier]),
        h: vec![1.2, -0.4, 0.0, 0.7],
        A: vec![-a, 0.0, -b, a, 0.0, -a, b, a],
        b: vec![0.0; 2],
        w: vec![0.0; 4],
    };
    for formulation in Formulation::ALL {
        let found = motion(formulation, &gear).unwrap();
        let acceleration = [
            14.531_068_822_044_88,
            -1.271_400_313_757_588,
            -23.703_703_703_703_702,
            6.629_834_254_143_646,
        ];
        assert_close(&acceleration, &found.acceleration, SAME);
        let lambda = [-0.359_320_646_613_464_3, -0.951_913_239_206_056_9];
        assert_close(&lambda, &found.multipliers, SAME);
    }
}

/// [P99] example 1 with r = 1: the paper's x = [1 1 1] = g₁ + g₂ lies in the span of the rows, and gives d = 0.
#[test]
fn phongs_disk_of_radius_one_needs_an_x_outside_the_span() {
    let (m, r, J, g, f) = (3.0, 1.0, 1.5, 9.81, 2.0);
    let disk = System {
        M: diagonal(&[m, m, J]),
        h: vec![f, -m * g, 0.0],
        A: vec![0.0, 1.0, 0.0, 1.0, 0.0, r],
        b: vec![0.0; 2],
        w: vec![0.0; 3],
    };
    let sum: Vec<f64> = (0..3).map(|j| disk.row(0)[j] + disk.row(1)[j]).collect();
    assert_eq!(sum, [1.0; 3], "this is the paper's x");
    let s = f / (m + J / (r * r));
    for formulation in Formulation::ALL {
        let found = motion(formulation, &disk).unwrap();
        assert_close(&[s, 0.0, -s / r], &found.acceleration, SAME);
        assert_close(&[m * g, m * s - f], &found.multipliers, SAME); // (3.4), (3.5)
    }
}

/// [P99] example 2 at φ = 0: the paper's x = [0 1 0] is a row.
#[test]
fn phongs_pendulum_hanging_down_needs_another_x() {
    let (m, l, J, g, rate) = (1.5, 0.8, 0.05, 9.81, 0.5_f64);
    let pendulum = System {
        M: diagonal(&[m, m, J]),
        h: vec![0.0, -m * g, 0.0],
        A: vec![1.0, 0.0, -l, 0.0, 1.0, 0.0],
        b: vec![0.0, l * rate * rate],
        w: vec![0.0; 3],
    };
    assert_eq!(pendulum.row(1), [0.0, 1.0, 0.0]);
    for formulation in Formulation::ALL {
        let found = motion(formulation, &pendulum).unwrap();
        assert_close(&[0.0, l * rate * rate, 0.0], &found.acceleration, SAME);
        assert_close(&[0.0, m * (g + l * rate * rate)], &found.multipliers, SAME);
    }
}

/// x'² + y'² = c(t)²: no virtual work, and the power m c c' all the same.
#[test]
fn ideal_reaction_of_a_given_speed_has_power() {
    let (m, c, c_dot) = (1.5, 2.0, 0.7);
    let v = [c * 0.6, c * 0.8];
    let particle = System {
        M: diagonal(&[m, m]),
        h: vec![0.0; 2],
        A: vec![2.0 * v[0], 2.0 * v[1]],
        b: vec![2.0 * c * c_dot],
        w: vec![0.0; 2],
    };
    for formulation in Formulation::ALL {
        let found = motion(formulation, &particle).unwrap();
        assert_close(&[m * c_dot / (2.0 * c)], &found.multipliers, SAME);
        let power = found.power(&particle.problem(), 0, &v);
        assert_close(&[m * c * c_dot], &[power], SAME);
        let virtual_work = dot(&[-v[1], v[0]], &found.force_ideal);
        assert!(virtual_work.abs() <= SAME * largest(&found.force_ideal));
    }
}

#[test]
fn independent_speeds_are_named_and_determine_the_others() {
    // x' = 3 θ' and y' = 0.1 θ': the largest coefficients are solved for.
    let system = System {
        M: diagonal(&[1.0; 4]),
        h: vec![0.0; 4],
        A: vec![1.0, 0.0, 0.0, -3.0, 0.0, 1.0, 0.0, -0.1],
        b: vec![0.0; 2],
        w: vec![0.0; 4],
    };
    let found = motion(Formulation::Independent, &system).unwrap();
    assert_eq!(found.independent, [0, 2]);
    let mut rng = fastrand::Rng::with_seed(61);
    for (nv, nc) in [(4, 0), (6, 2), (7, 7), (12, 5)] {
        let mut system = System::random(&mut rng, nv, nc, 10.0);
        system.combine_rows(&mut rng, 2);
        let found = motion(Formulation::Independent, &system).unwrap();
        assert_eq!(found.independent.len(), nv - found.rank);
        // With these held too, nothing is left free.
        let mut held = system.clone();
        for &speed in &found.independent {
            held.A
                .extend((0..nv).map(|j| f64::from(u8::from(j == speed))));
            held.b.push(found.acceleration[speed]);
        }
        let held = motion(Formulation::Projection, &held).unwrap();
        assert_eq!(held.rank, nv);
        assert_close(&found.acceleration, &held.acceleration, 1e-11);
        let others = [Formulation::Multipliers, Formulation::Complement];
        for other in others.map(|other| motion(other, &system).unwrap()) {
            assert!(other.independent.is_empty());
        }
    }
}

#[test]
fn independent_speeds_refuse_rows_by_name_that_others_take() {
    let mut rng = fastrand::Rng::with_seed(62);
    let system = System::random(&mut rng, 5, 3, 10.0);
    let (mut workspace, mut motion) = (Workspace::new(5, 3), Motion::default());
    let problem = system.problem().with_not_reducible(&[0, 2]);
    for formulation in Formulation::ALL {
        let found = solve(formulation, &problem, &mut workspace, &mut motion);
        if formulation == Formulation::Independent {
            let failure = found.unwrap_err();
            assert_eq!(failure, Failure::NotReducible { rows: vec![0, 2] });
        } else {
            assert_eq!(found, Ok(()));
        }
    }
}

/// One workspace for problems of the same size and different rank: nothing is left over from the one before.
#[test]
fn routes_forget_the_problem_before() {
    let mut rng = fastrand::Rng::with_seed(63);
    let (mut workspace, mut kept) = (Workspace::new(8, 5), Motion::default());
    for round in 0..12 {
        let mut system = System::random(&mut rng, 8, 5 - round % 3, 10.0);
        system.combine_rows(&mut rng, round % 3);
        if round % 2 == 0 {
            system.w.fill(0.0);
        }
        for formulation in Formulation::ALL {
            let problem = system.problem();
            solve(formulation, &problem, &mut workspace, &mut kept).unwrap();
            assert_eq!(kept, motion(formulation, &system).unwrap());
        }
    }
}
