//! Random mechanisms through random blows keep what they must.

use super::run;
use fastrand::Rng;
use std::fmt::Write;

/// Particles in the plane, a chain of rods between all but the last, which is struck by the first: momentum stays, the rods hold, and
/// energy is lost by Carnot's ½ (1 − e)/(1 + e) Δvᵀ M Δv.
#[test]
fn momentum_is_kept_by_what_happens_inside() {
    let mut rng = Rng::with_seed(7);
    for trial in 0..20 {
        let count = rng.usize(3..6);
        let last = count - 1;
        let masses: Vec<f64> = (0..count).map(|_| 0.5 + rng.f64()).collect();
        let place = |i: usize| 3.0 * i as f64;
        let places: Vec<[f64; 2]> = (0..count)
            .map(|i| [place(i) + rng.f64(), 2.0 * rng.f64()])
            .collect();
        let e = rng.f64();
        let mut text = String::from("[coordinates]\n");
        for (i, [x, y]) in places.iter().enumerate() {
            write!(text, "x{i} = {x}\ny{i} = {y}\n").unwrap();
        }
        text += "[start]\n";
        for i in 0..count {
            for axis in ["x", "y"] {
                let value = rng.f64() - 0.5;
                let start = format!("{{ value = {value}, priority = \"guess\" }}");
                writeln!(text, "\"{axis}{i}'\" = {start}").unwrap();
            }
        }
        for (i, mass) in masses.iter().enumerate() {
            let position = format!("\"[x{i}, y{i}, 0]\"");
            write!(
                text,
                "[particle.P{i}]\nmass = {mass}\nposition = {position}\n"
            )
            .unwrap();
        }
        for i in 0..last - 1 {
            let j = i + 1;
            let [dx, dy] = [0, 1].map(|axis| places[i][axis] - places[j][axis]);
            let squares = format!("(x{i} - x{j})^2 + (y{i} - y{j})^2");
            let length = dx * dx + dy * dy;
            write!(
                text,
                "[constraint.rod{i}]\nholds = \"{squares} = {length}\"\n"
            )
            .unwrap();
        }
        let gap = format!("sqrt((x0 - x{last})^2 + (y0 - y{last})^2)");
        let impact = format!("{{ on = \"{gap}\", restitution = {e} }}");
        write!(
            text,
            "[event.hit]\nwhen = \"t > 0.2\"\nimpact = {impact}\n[run]\nspan = 0.4\n"
        )
        .unwrap();
        let found = run(&text);
        let hit = &found.happened[0];
        for axis in 0..2 {
            let parts = masses.iter().enumerate();
            let gained: f64 = parts
                .map(|(i, m)| m * (hit.after[2 * i + axis] - hit.before[2 * i + axis]))
                .sum();
            assert!(gained.abs() < 1e-12, "trial {trial}: {gained}");
        }
        let jump = |i: usize| hit.after[i] - hit.before[i];
        let carnot: f64 = (0..2 * count)
            .map(|i| 0.5 * masses[i / 2] * jump(i) * jump(i))
            .sum();
        let expected = (1.0 - e) / (1.0 + e) * carnot;
        let lost = hit.lost.unwrap();
        assert!(
            (lost - expected).abs() < 1e-11 * carnot.max(1e-3),
            "trial {trial}: {lost} {expected}"
        );
        assert!(found.balance_error().abs() < 1e-9, "trial {trial}");
    }
}

/// Balls in the plane, the first two joined by a rod, thrown at each other: contacts by shape keep momentum and angular momentum, and energy but for what impacts are said to
/// take; of elastic ones nothing.
#[test]
fn contacts_keep_momentum_and_what_they_do_not_take_of_energy() {
    let mut rng = Rng::with_seed(11);
    let mut impacts = 0;
    for trial in 0..12 {
        let count = rng.usize(3..6);
        let e = if trial % 2 == 0 {
            1.0
        } else {
            0.2 + 0.7 * rng.f64()
        };
        let mut text = String::from("planar = true\n");
        let mut masses = Vec::new();
        for i in 0..count {
            let angle = std::f64::consts::TAU * i as f64 / count as f64;
            let (x, y) = (2.0 * angle.cos(), 2.0 * angle.sin());
            // To the middle, and a little beside it.
            let speed = 1.0 + rng.f64();
            let (vx, vy) = (-speed * angle.cos(), -speed * angle.sin());
            let [vx, vy] = [vx, vy].map(|v| v + 0.3 * (rng.f64() - 0.5));
            let spin = 4.0 * (rng.f64() - 0.5);
            masses.push(0.5 + rng.f64());
            write!(
                text,
                "[body.B{i}]\nmass = {}\nshape = {{ sphere = {{ radius = 0.4 }} }}\n\
                 start = {{ center = \"[{x}, {y}, 0]\", velocity = \"[{vx}, {vy}, 0]\", omega = \"[0, 0, {spin}]\" }}\n",
                masses[i]
            )
            .unwrap();
        }
        text += "[joint.rod]\ntype = \"distance\"\nbetween = [\"B0\", \"B1\"]\nlength = \"2*sqrt(2 - 2*cos(2*pi/N))\"\n";
        writeln!(text, "[parameters]\nN = {count}").unwrap();
        for i in 0..count {
            for j in i + 1..count {
                let ends = format!("between = [\"B{i}\", \"B{j}\"]");
                if (i, j) != (0, 1) {
                    write!(text, "[contact.c{i}{j}]\n{ends}\nrestitution = {e}\n").unwrap();
                }
            }
        }
        text += "[run]\nspan = 3\nsamples = 31\nrecord = [\"momentum\", \"angular_momentum\", \"energy\"]\n";
        let found = run(&text);
        let column = |name: &str| found.table.column(name).expect("recorded").values.to_vec();
        for name in ["momentum.x", "momentum.y", "angular_momentum.z"] {
            let values = column(name);
            let (first, last) = (values[0], values[values.len() - 1]);
            assert!(
                (first - last).abs() < 1e-8,
                "trial {trial}: {name} {first} {last}"
            );
        }
        let energy = column("energy");
        let lost: f64 = found.happened.iter().filter_map(|it| it.lost).sum();
        let left = energy[0] - energy[energy.len() - 1] - lost;
        assert!(left.abs() < 1e-8 * energy[0], "trial {trial}: {left}");
        assert!(lost > -1e-12 * energy[0] && (e < 1.0 || lost < 1e-9 * energy[0]));
        impacts += found.happened.iter().filter(|it| it.is_blow).count();
    }
    assert!(impacts >= 20, "{impacts}");
}

/// Disks in a box with gravity and a rod between the first two, whose impacts are elastic: thrown back with the velocities that they end with, they come back to where
/// they began, through the same impacts in reverse.
#[test]
fn elastic_impacts_go_back_the_way_they_came() {
    let mut rng = Rng::with_seed(23);
    let mut impacts = 0;
    for trial in 0..8 {
        let count = rng.usize(2..5);
        let masses: Vec<f64> = (0..count).map(|_| 0.5 + rng.f64()).collect();
        // In columns of their own at the start, with room between them.
        let places = (0..count).flat_map(|i| [1.0 + i as f64 + 0.2 * rng.f64(), 1.0 + rng.f64()]);
        let places: Vec<f64> = places.collect();
        let model = |q: &[f64], v: &[f64]| {
            let mut text = String::from("gravity = \"[0, -2, 0]\"\n[coordinates]\n");
            let names = (0..count).flat_map(|i| [format!("x{i}"), format!("y{i}")]);
            let names: Vec<String> = names.collect();
            for (name, value) in names.iter().zip(q) {
                writeln!(text, "{name} = {value:?}").unwrap();
            }
            text += "[start]\n";
            for (name, value) in names.iter().zip(v) {
                let start = format!("{{ value = {value:?}, priority = \"guess\" }}");
                writeln!(text, "\"{name}'\" = {start}").unwrap();
            }
            for (i, mass) in masses.iter().enumerate() {
                write!(
                    text,
                    "[particle.P{i}]\nmass = {mass}\nposition = \"[x{i}, y{i}, 0]\"\n"
                )
                .unwrap();
                let walls = ["x >= 0.2", "y >= 0.2", "x <= 6", "y <= 3"];
                for (k, wall) in walls.iter().enumerate() {
                    let wall = wall.replacen(' ', &format!("{i} "), 1);
                    write!(
                        text,
                        "[constraint.wall{i}{k}]\nholds = \"{wall}\"\nrestitution = 1\n"
                    )
                    .unwrap();
                }
                for j in 0..i {
                    let squares = format!("(x{i} - x{j})^2 + (y{i} - y{j})^2");
                    let (name, holds) = match (i, j) {
                        (1, 0) => {
                            let [dx, dy] = [0, 1].map(|axis| places[axis] - places[2 + axis]);
                            let length = dx * dx + dy * dy;
                            ("rod", format!("{squares} = {length:?}\"\n"))
                        }
                        _ => ("touch", format!("{squares} >= 0.09\"\nrestitution = 1\n")),
                    };
                    write!(text, "[constraint.{name}{i}{j}]\nholds = \"{holds}").unwrap();
                }
            }
            text += "[run]\nspan = 2\nrtol = 1e-12\n";
            text
        };
        let thrown: Vec<f64> = (0..2 * count).map(|_| 3.0 * (rng.f64() - 0.5)).collect();
        let forth = run(&model(&places, &thrown));
        let reversed: Vec<f64> = forth.rates.iter().map(|v| -v).collect();
        let back = run(&model(&forth.coordinates, &reversed));
        for (i, (found, place)) in back.coordinates.iter().zip(&places).enumerate() {
            assert!(
                (found - place).abs() < 1e-6,
                "trial {trial}, {i}: {found} {place}"
            );
        }
        assert_eq!(forth.happened.len(), back.happened.len(), "trial {trial}");
        for (there, here) in forth.happened.iter().zip(back.happened.iter().rev()) {
            assert_eq!(there.of, here.of, "trial {trial}");
            assert!((there.t - (2.0 - here.t)).abs() < 1e-6, "trial {trial}");
            for (v, w) in there.before.iter().zip(&here.after) {
                assert!((v + w).abs() < 1e-5, "trial {trial}: {v} {w}");
            }
        }
        impacts += forth.happened.len();
    }
    assert!(impacts >= 20, "{impacts}");
}
