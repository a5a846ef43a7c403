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
