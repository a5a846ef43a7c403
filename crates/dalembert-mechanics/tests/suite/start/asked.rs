//! What is asked of a start, and how well it is answered.

use super::{assembled, close, guess, particle};
use std::fmt::Write;

/// Of several values for a "?" one is taken, and it is said which, and how to get another.
#[test]
fn several_values_of_an_unknown_are_told() {
    for (size, other) in [(1e-6, "-8.000e-7"), (1.0, "-0.8"), (1e6, "-800000")] {
        let rod = format!("x^2 + y^2 = ({size:e})^2");
        let start = assembled(&particle(
            &format!("{:e}", 0.6 * size),
            "\"?\"",
            "",
            &[&rod],
        ));
        let start = start.unwrap();
        close(&start.state.coordinates, &[0.6 * size, 0.8 * size], 1e-15);
        let [warning] = &start.warnings[..] else {
            panic!("{:?}", start.warnings);
        };
        assert_eq!(warning.code, "W0505");
        let help = warning.help.as_deref().unwrap_or_default();
        assert!(
            help.contains(&format!("y = {{ value = {other}, priority = \"guess\" }}")),
            "{help}"
        );
        // What is said there leads there.
        let start = particle(
            &format!("{:e}", 0.6 * size),
            &guess(-0.8 * size),
            "",
            &[&rod],
        );
        let start = assembled(&start).unwrap();
        close(&start.state.coordinates, &[0.6 * size, -0.8 * size], 1e-15);
        assert!(start.warnings.is_empty());
    }
    // A value that is the only one is no choice.
    let one = assembled(&particle("1", "\"?\"", "", &["x + y^3 = 9"])).unwrap();
    close(&one.state.coordinates, &[1.0, 2.0], 1e-15);
    assert!(one.warnings.is_empty(), "{:?}", one.warnings);
}

/// Start values may be written in each other, in any order, but not in a circle, nor in what is not known.
#[test]
fn start_values_are_written_in_each_other() {
    let model = |values: [&str; 4]| {
        let mut text = String::from("[parameters]\nl = 2\n[coordinates]\n");
        for (name, value) in ["a", "b", "c", "d"].iter().zip(values) {
            let _ = writeln!(text, "{name} = \"{value}\"");
        }
        assembled(&(text + "[energy]\nkinetic = \"a'^2 + b'^2 + c'^2 + d'^2\"\n"))
    };
    let start = model(["b + c", "2*c", "l*d", "3"]).unwrap();
    assert_eq!(start.state.coordinates, [18.0, 12.0, 6.0, 3.0]);
    assert!(start.moved.is_empty() && start.solved.is_empty());
    for (values, code, word) in [
        (["b", "c + 1", "b", "3"], "E0501", "defined by itself"),
        (["a", "1", "2", "3"], "E0501", "`a`"),
        (["b", "?", "1", "3"], "E0502", "`b`, which is \"?\""),
        (["1", "1/(d - 3)", "1", "3"], "E0503", "inf"),
    ] {
        let told = model(values).unwrap_err();
        assert_eq!((told[0].0, told.len()), (code, 1), "{told:?}");
        assert!(told[0].1.contains(word), "{told:?}");
    }
    // The one that is named is in the circle, not one that leads to it.
    let told = model(["b", "c + 1", "b", "3"]).unwrap_err();
    assert!(!told[0].1.contains("`a`"), "{told:?}");
}

/// Rates move as little as possible in the metric of M: with x' + y' = 1 and guesses u, v they move by 1 − u − v in the ratio
/// 1/m to 1/n, in any units of time and mass.
#[test]
fn rates_are_nearest_in_the_metric_of_mass() {
    for (mass, time) in [(1.0, 1.0), (1e-9, 1e3), (1e6, 1e-6)] {
        let (m, n, u, v) = (2.0 * mass, 3.0 * mass, 0.3 / time, -0.1 / time);
        let text = format!(
            "[coordinates]\nx = 0\ny = 5\n[start]\n\"x'\" = {}\n\"y'\" = {}\n\
             [energy]\nkinetic = \"({m:e}*x'^2 + {n:e}*y'^2)/2\"\n[constraint.a]\nholds = \"x' + y' = {:e}\"\n",
            guess(u),
            guess(v),
            1.0 / time
        );
        let start = assembled(&text).unwrap();
        let missing = 1.0 / time - u - v;
        let wanted = [u + missing * n / (m + n), v + missing * m / (m + n)];
        close(&start.state.rates, &wanted, 1e-14);
        assert_eq!(start.moved.len(), 2);
    }
}

/// Rows are met as well as numbers can: what is left is a rounding error of their terms, also where one row's terms are large and
/// another's are small, and where guesses were far away.
#[test]
fn rows_are_met_to_the_last_digits() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..40 {
        let size = 10.0_f64.powi(random.i32(-8..8));
        let far = 10.0_f64.powi(random.i32(-1..3));
        let (x, y) = (far * (random.f64() - 0.5), far * (random.f64() + 0.1));
        let text = format!(
            "[coordinates]\nx = {}\ny = {}\nz = {}\n[particle.P]\nmass = 2\nposition = \"[x, y, z]\"\n\
             [constraint.a]\nholds = \"x^2 + y^2 = 1\"\n[constraint.b]\nholds = \"z = {size:e}*(x + 2*y)\"\n",
            guess(x),
            guess(y),
            guess(far),
        );
        let [x, y, z] = assembled(&text).unwrap().state.coordinates[..] else {
            panic!()
        };
        assert!((x * x + y * y - 1.0).abs() <= 4.0 * f64::EPSILON, "{text}");
        let right = size * (x + 2.0 * y);
        let terms = size * (x.abs() + 2.0 * y.abs());
        assert!((z - right).abs() <= 4.0 * f64::EPSILON * terms, "{text}");
    }
}

/// A chain in space that is given by the angles of its hinges, far from where its bodies are guessed to be: the tip is where the product of the
/// turns takes it.
#[test]
fn a_chain_of_twenty_bodies_starts_from_angles() {
    let count: usize = 20;
    let angle = |i: usize| 0.3 * (7.0 * i as f64).sin();
    let mut text = String::new();
    for i in 0..count {
        let center = i as f64 + 0.5;
        let before = match i {
            0 => "ground".to_owned(),
            _ => format!("link{}.tip", i - 1),
        };
        let axis = ["y", "z"][i % 2];
        let _ = write!(
            text,
            "[body.link{i}]\nmass = 1\nshape = {{ box = {{ size = [1, 0.1, 0.1] }} }}\nstart = {{ center = \"[{center}, 0, 0]\" }}\n\
             point = {{ foot = \"[-0.5, 0, 0]\", tip = \"[0.5, 0, 0]\" }}\n\
             [joint.h{i}]\ntype = \"revolute\"\naxis = \"{axis}\"\nbetween = [\"{before}\", \"link{i}.foot\"]\n"
        );
    }
    text += "[start]\n";
    for i in 0..count {
        let _ = writeln!(text, "\"h{i}.angle\" = {:e}", angle(i));
    }
    let start = assembled(&text).unwrap();
    // Columns of the attitude: Ry(a) and Rz(a), one after the other.
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut tip = [0.0; 3];
    for i in 0..count {
        let (s, c) = angle(i).sin_cos();
        let (first, second, sign) = if i % 2 == 0 {
            (0, 2, -1.0)
        } else {
            (0, 1, 1.0)
        };
        let (a, b): ([f64; 3], [f64; 3]) = (axes[first], axes[second]);
        for k in 0..3 {
            axes[first][k] = c * a[k] + sign * s * b[k];
            axes[second][k] = c * b[k] - sign * s * a[k];
            tip[k] += axes[0][k];
        }
    }
    let last = 7 * (count - 1);
    let center: Vec<f64> = (0..3).map(|k| tip[k] - 0.5 * axes[0][k]).collect();
    close(&start.state.coordinates[last..last + 3], &center, 1e-9);
}

/// Guesses of a velocity and a turning that fit a hinge but for the rounding of cos(90°); and such as fit no hinge: of 3 rad/s and 0 rad/s, each in
/// three rows of which one tells the rate, what is least missed.
#[test]
fn guesses_of_bodies_that_hang_tell_the_rates_of_joints() {
    let rate = |velocity: &str, omega: &str| {
        let text = format!(
            "coordinates = \"relative\"\n[body.a]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n\
             start = {{ center = \"[0, 1, 0]\", attitude = \"Rz(90 deg)\", velocity = \"{velocity}\", omega = \"{omega}\" }}\n\
             [joint.A]\ntype = \"revolute\"\naxis = \"z\"\nbetween = [\"ground\", \"point(a, [-1, 0, 0])\"]\n"
        );
        assembled(&text).unwrap().state.rates[0]
    };
    close(&[rate("[-3, 0, 0]", "[0, 0, 3]")], &[3.0], 1e-14);
    close(&[rate("[0, 0, 0]", "[0, 0, 3]")], &[1.5], 1e-9);
}

/// A row that is flat at rest is flat whatever else moves.
#[test]
fn flat_rows_beside_a_moving_coordinate_are_refused() {
    for rate in ["0", "1e-6", "0.3"] {
        let text = format!(
            "[coordinates]\nx = 0\ny = 0\nz = 0\n[start]\n\"x'\" = 0\n\"y'\" = 0\n\"z'\" = {rate}\n[energy]\n\
             kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"-x\"\n[constraint.a]\nholds = \"x'^2 = 2*y'^2\"\n"
        );
        let errors = assembled(&text).unwrap_err();
        assert!(
            errors.iter().any(|it| it.0 == "E0508"),
            "{rate}: {errors:?}"
        );
    }
}
