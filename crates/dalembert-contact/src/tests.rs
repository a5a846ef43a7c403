//! Against enumeration on random problems, and closed forms.

use super::lemke::lemke;
use super::{Contact, Friction, NoAnswer, Problem, State, Uniqueness, lemke, modes, newton};

const G: f64 = 9.81;

/// W = B Bᵀ of a random B with fewer columns than rows, or more.
fn random_mobility(random: &mut fastrand::Rng, n: usize, rank: usize) -> Vec<f64> {
    let b: Vec<f64> = (0..n * rank).map(|_| 2.0 * random.f64() - 1.0).collect();
    let entry =
        |i: usize, j: usize| -> f64 { (0..rank).map(|k| b[i * rank + k] * b[j * rank + k]).sum() };
    (0..n * n)
        .map(|place| entry(place / n, place % n))
        .collect()
}

fn close(found: &[f64], expected: &[f64], within: f64, what: &str) {
    for (a, b) in found.iter().zip(expected) {
        let size = a.abs().max(b.abs()).max(1.0);
        assert!(
            (a - b).abs() <= within * size,
            "{what}: {found:?} for {expected:?}"
        );
    }
}

#[test]
fn contacts_without_friction_agree_with_enumeration() {
    let mut random = fastrand::Rng::with_seed(1);
    for trial in 0..300_usize {
        let n = 1 + trial % 6;
        // Contacts that depend on each other too.
        let rank = if trial % 3 == 0 { n.div_ceil(2) } else { n + 2 };
        let mobility = random_mobility(&mut random, n, rank);
        // Free accelerations that some motion has.
        let push: Vec<f64> = (0..n).map(|_| 2.0 * random.f64() - 1.0).collect();
        let rows = mobility.chunks(n);
        let free: Vec<f64> = rows
            .map(|row| row.iter().zip(&push).map(|(a, b)| a * b).sum())
            .collect();
        let contacts: Vec<Contact> = (0..n)
            .map(|normal| Contact {
                normal,
                friction: Friction::Smooth,
            })
            .collect();
        let problem = Problem {
            mobility: &mobility,
            free: &free,
            contacts: &contacts,
        };
        let (found, known) = problem.solve().unwrap();
        assert_eq!(known, Uniqueness::Convex);
        assert!(problem.residual(&found.forces) < 1e-10);
        let all = modes::solutions(&problem);
        for other in &all {
            close(&found.accelerations, &other.accelerations, 1e-8, "motion");
        }
    }
}

#[test]
fn random_linear_complementarity_problems() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..300 {
        let n = 1 + random.usize(..7);
        // Positive definite, not symmetric: one solution.
        let mut matrix = random_mobility(&mut random, n, n + 2);
        for i in 0..n {
            matrix[i * n + i] += 0.1;
            for j in 0..i {
                let turn = 2.0 * random.f64() - 1.0;
                matrix[i * n + j] += turn;
                matrix[j * n + i] -= turn;
            }
        }
        let right: Vec<f64> = (0..n).map(|_| 2.0 * random.f64() - 1.0).collect();
        let z = lemke(&matrix, &right).unwrap();
        for (i, row) in matrix.chunks(n).enumerate() {
            let w: f64 = row.iter().zip(&z).map(|(a, b)| a * b).sum::<f64>() + right[i];
            assert!(z[i] >= 0.0 && w > -1e-9 && (z[i] * w).abs() < 1e-8, "{z:?}");
        }
    }
}

/// A body of n contacts with friction along lines: pivots and enumeration find the same.
#[test]
fn friction_along_lines_agrees_with_enumeration() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut compared = 0;
    for trial in 0..200 {
        let count = 1 + trial % 3;
        let n = 2 * count;
        let mobility = random_mobility(&mut random, n, n + 3);
        let free: Vec<f64> = (0..n).map(|_| 2.0 * random.f64() - 1.0).collect();
        let contacts: Vec<Contact> = (0..count)
            .map(|k| Contact {
                normal: 2 * k,
                friction: Friction::Line {
                    at: 2 * k + 1,
                    coefficient: 0.3 * random.f64(),
                    way: None,
                },
            })
            .collect();
        let problem = Problem {
            mobility: &mobility,
            free: &free,
            contacts: &contacts,
        };
        let all = modes::solutions(&problem);
        let by_pivots = lemke::solve(&problem);
        if let (Some(found), [only]) = (&by_pivots, all.as_slice()) {
            close(&found.accelerations, &only.accelerations, 1e-8, "motion");
            assert!(problem.residual(&found.forces) < 1e-9);
            compared += 1;
        }
        // Sweeps and Newton's method know lines too.
        let by_newton = newton::solve(&problem);
        if let (Some(found), [only]) = (&by_newton, all.as_slice())
            && problem.residual(&found.forces) < 1e-10
        {
            close(
                &found.accelerations,
                &only.accelerations,
                1e-7,
                "by projections",
            );
        }
    }
    assert!(compared > 150, "{compared}");
}

/// A block of 2 kg on a slope of 30°, at rest: normal and tangent down the slope.
#[test]
fn a_block_on_a_slope_sticks_or_slips() {
    let (s, c) = (0.5, 0.75_f64.sqrt());
    let mobility = [0.5, 0.0, 0.0, 0.5];
    let free = [-G * c, G * s];
    for (coefficient, state) in [(0.6, State::Sticks), (0.5, State::Slips)] {
        let friction = Friction::Line {
            at: 1,
            coefficient,
            way: None,
        };
        let contacts = [Contact {
            normal: 0,
            friction,
        }];
        let problem = Problem {
            mobility: &mobility,
            free: &free,
            contacts: &contacts,
        };
        let (found, known) = problem.solve().unwrap();
        assert_eq!((found.states[0], known), (state, Uniqueness::Convex));
        let along = (G * s - coefficient * G * c).max(0.0);
        close(&found.accelerations, &[0.0, along], 1e-14, "block");
        // In a plane the same, in any direction.
        for angle in [0.0_f64, 0.7, 2.0, 4.0] {
            let mobility = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5];
            let free = [-G * c, G * s * angle.cos(), G * s * angle.sin()];
            let friction = Friction::Plane {
                at: 1,
                coefficient,
                way: None,
            };
            let contacts = [Contact {
                normal: 0,
                friction,
            }];
            let problem = Problem {
                mobility: &mobility,
                free: &free,
                contacts: &contacts,
            };
            let (found, _) = problem.solve().unwrap();
            assert_eq!(found.states[0], state);
            let expected = [0.0, along * angle.cos(), along * angle.sin()];
            close(&found.accelerations, &expected, 1e-12, "plane");
        }
    }
}

/// Painlevé's rod slides with its contact: aₙ = A fₙ + b with A = (1 + 3 cos²θ − 3 μ sin θ cos θ)/m.
#[test]
fn painleve_has_no_solution_or_two() {
    let (m, theta, coefficient) = (1.0, 0.9_f64, 2.5);
    let (sin, cos) = theta.sin_cos();
    let across = 3.0 * sin * cos / m;
    let mobility = [
        (1.0 + 3.0 * cos * cos) / m,
        across,
        across,
        (1.0 + 3.0 * sin * sin) / m,
    ];
    let effective = mobility[0] - coefficient * across;
    assert!(effective < 0.0);
    let friction = Friction::Line {
        at: 1,
        coefficient,
        way: Some(1.0),
    };
    let contacts = [Contact {
        normal: 0,
        friction,
    }];
    let free = [-G, 0.0];
    let problem = Problem {
        mobility: &mobility,
        free: &free,
        contacts: &contacts,
    };
    assert_eq!(problem.solve(), Err(NoAnswer::Nothing(Uniqueness::Tried)));
    // It turns so fast that it would lift by itself: open, or pressed.
    let free = [1.0, 0.0];
    let problem = Problem {
        mobility: &mobility,
        free: &free,
        contacts: &contacts,
    };
    let Err(NoAnswer::Several(both)) = problem.solve() else {
        panic!("{:?}", problem.solve());
    };
    assert_eq!(both.len(), 2);
    let pressed = both
        .iter()
        .find(|it| it.states[0] == State::Pressed)
        .unwrap();
    close(&pressed.forces[..1], &[-1.0 / effective], 1e-12, "force");
    // Less friction has one answer.
    let friction = Friction::Line {
        at: 1,
        coefficient: 0.5,
        way: Some(1.0),
    };
    let contacts = [Contact {
        normal: 0,
        friction,
    }];
    let free = [-G, 0.0];
    let problem = Problem {
        mobility: &mobility,
        free: &free,
        contacts: &contacts,
    };
    let (found, _) = problem.solve().unwrap();
    close(
        &found.forces[..1],
        &[G / (mobility[0] - 0.5 * across)],
        1e-12,
        "force",
    );
}

/// Twelve rods that slide far apart are twelve problems: each has its answer, and of one that has none or two that is told of all.
#[test]
fn contacts_that_do_not_act_on_each_other_are_decided_apart() {
    let (apart, n) = (12, 24);
    let rods = |coefficient: f64, last: [f64; 2], way: Option<f64>| {
        let mut mobility = vec![0.0; n * n];
        let contact = |k: usize| {
            let is_last = k == apart - 1;
            let friction = Friction::Line {
                at: 2 * k + 1,
                coefficient: if is_last { coefficient } else { 0.5 },
                way: if is_last { way } else { None },
            };
            Contact {
                normal: 2 * k,
                friction,
            }
        };
        for k in 0..apart {
            let (sin, cos) = (1.0_f64 + 0.01 * k as f64).sin_cos();
            let own = [
                1.0 + 3.0 * cos * cos,
                3.0 * sin * cos,
                3.0 * sin * cos,
                1.0 + 3.0 * sin * sin,
            ];
            for (i, entry) in own.into_iter().enumerate() {
                mobility[(2 * k + i / 2) * n + 2 * k + i % 2] = entry;
            }
        }
        let mut free: Vec<f64> = (0..apart).flat_map(|k| [-G, 0.1 * k as f64]).collect();
        free[n - 2..].copy_from_slice(&last);
        let contacts: Vec<Contact> = (0..apart).map(contact).collect();
        (mobility, free, contacts)
    };
    let answer = |coefficient: f64, last: [f64; 2], way: Option<f64>| {
        let (mobility, free, contacts) = rods(coefficient, last, way);
        let all = Problem {
            mobility: &mobility,
            free: &free,
            contacts: &contacts,
        };
        all.solve()
    };
    let (found, known) = answer(0.5, [-G, 1.0], None).unwrap();
    assert_eq!(known, Uniqueness::Tried);
    let (mobility, free, contacts) = rods(0.5, [-G, 1.0], None);
    for k in 0..apart {
        let own = [0, 1, n, n + 1].map(|it| mobility[2 * k * (n + 1) + it]);
        let friction = Friction::Line {
            at: 1,
            coefficient: 0.5,
            way: None,
        };
        let contact = [Contact {
            normal: 0,
            friction,
        }];
        let alone = Problem {
            mobility: &own,
            free: &free[2 * k..][..2],
            contacts: &contact,
        };
        let (alone, _) = alone.solve().unwrap();
        close(&found.forces[2 * k..][..2], &alone.forces, 1e-12, "forces");
        assert_eq!(found.states[k], alone.states[0]);
        assert_eq!(contacts[k].normal, 2 * k);
    }
    let none = answer(2.5, [-G, 0.0], Some(1.0));
    assert_eq!(none, Err(NoAnswer::Nothing(Uniqueness::Tried)));
    let Err(NoAnswer::Several(both)) = answer(2.5, [1.0, 0.0], Some(1.0)) else {
        panic!("one has two answers");
    };
    assert_eq!(both.len(), 2);
    for one in &both {
        close(
            &one.forces[..n - 2],
            &found.forces[..n - 2],
            1e-12,
            "forces",
        );
    }
}

/// A particle of 1 kg in a wedge of two walls, 45° to both sides: rough walls hold it, one force being free.
#[test]
fn a_particle_in_a_rough_wedge_rests() {
    let r = 0.5_f64.sqrt();
    // Rows: normal and tangent of the left wall, of the right wall, by (x, y).
    let rows = [[r, r], [r, -r], [-r, r], [r, r]];
    let mobility: Vec<f64> = (0..16)
        .map(|place| {
            rows[place / 4][0] * rows[place % 4][0] + rows[place / 4][1] * rows[place % 4][1]
        })
        .collect();
    let free: Vec<f64> = rows.iter().map(|row| -G * row[1]).collect();
    for coefficient in [0.0, 0.3, 0.9] {
        let contact = |normal: usize| Contact {
            normal,
            friction: Friction::Line {
                at: normal + 1,
                coefficient,
                way: None,
            },
        };
        let contacts = [contact(0), contact(2)];
        let problem = Problem {
            mobility: &mobility,
            free: &free,
            contacts: &contacts,
        };
        let (found, _) = problem.solve().unwrap();
        close(&found.accelerations, &[0.0; 4], 1e-9, "rest");
        assert!(problem.residual(&found.forces) < 1e-9);
        // The weight is carried.
        let lift: f64 = found
            .forces
            .iter()
            .zip(&rows)
            .map(|(f, row)| f * row[1])
            .sum();
        assert!((lift - G).abs() < 1e-9, "{lift}");
    }
}

/// A ball of 1 kg and radius 1 falls on a rough floor with speeds and spin: the impulse of friction ends the slip, or is μ times the other.
#[test]
fn a_spinning_ball_strikes_a_floor() {
    let restitution = 0.8;
    let (down, along, across): (f64, f64, f64) = (-3.0, 2.0, 1.0);
    // Mobilities 1 and 1 + 5/2.
    let mobility = [1.0, 0.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0, 3.5];
    let free = [(1.0 + restitution) * down, along, across];
    let pressed = -(1.0 + restitution) * down;
    let slip = along.hypot(across);
    for coefficient in [0.02, 0.5] {
        let friction = Friction::Plane {
            at: 1,
            coefficient,
            way: None,
        };
        let contacts = [Contact {
            normal: 0,
            friction,
        }];
        let problem = Problem {
            mobility: &mobility,
            free: &free,
            contacts: &contacts,
        };
        let (found, known) = problem.solve().unwrap();
        assert_eq!(known, Uniqueness::Convex);
        let rubbed = (coefficient * pressed).min(slip / 3.5);
        let expected = [pressed, -rubbed * along / slip, -rubbed * across / slip];
        close(&found.forces, &expected, 1e-12, "impulses");
    }
}

/// Random planes: what is found leaves nothing, and units do not matter.
#[test]
fn friction_in_planes_is_accepted_by_what_it_leaves() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut found = 0;
    for trial in 0..100 {
        let count = 1 + trial % 3;
        let n = 3 * count;
        let mobility = random_mobility(&mut random, n, n + 4);
        let free: Vec<f64> = (0..n).map(|_| 2.0 * random.f64() - 1.0).collect();
        let contacts: Vec<Contact> = (0..count)
            .map(|k| Contact {
                normal: 3 * k,
                friction: Friction::Plane {
                    at: 3 * k + 1,
                    coefficient: 0.2 * random.f64(),
                    way: None,
                },
            })
            .collect();
        let problem = Problem {
            mobility: &mobility,
            free: &free,
            contacts: &contacts,
        };
        let Ok((one, _)) = problem.solve() else {
            continue;
        };
        found += 1;
        assert!(problem.residual(&one.forces) < 1e-9);
        let (heavy, long): (Vec<f64>, Vec<f64>) = (
            mobility.iter().map(|w| w * 1e-6).collect(),
            free.iter().map(|a| a * 1e-3).collect(),
        );
        let other = Problem {
            mobility: &heavy,
            free: &long,
            contacts: &contacts,
        };
        let (other, _) = other.solve().unwrap();
        let scaled: Vec<f64> = other.accelerations.iter().map(|a| a * 1e3).collect();
        close(&scaled, &one.accelerations, 1e-7, "units");
    }
    assert!(found > 80, "{found}");
}
