//! Starts: the nearest values that meet the rows, in any units, and what is said where there are none.

use dalembert_mechanics::start::Start;
use dalembert_mechanics::{Mechanism, model};
use std::f64::consts::PI;
use std::fmt::Write;

mod asked;
mod dependent;
mod open;
mod sizes;

fn assembled(text: &str) -> Result<Start, Vec<(&'static str, String)>> {
    let text = format!("dalembert = 1\n{text}");
    let (model, _) = model::read(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let found = Mechanism::new(model).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let told = |errors: Vec<dalembert_mechanics::diagnostic::Diagnostic>| {
        let words = |e: &dalembert_mechanics::diagnostic::Diagnostic| {
            let help = e.help.clone().unwrap_or_default();
            (e.code, format!("{}; {help}", e.message))
        };
        errors.iter().map(words).collect()
    };
    found.start().map_err(told)
}

fn guess(value: f64) -> String {
    format!("{{ value = {value:e}, priority = \"guess\" }}")
}

/// A particle in x and y, with constraints a, b, …
fn particle(x: &str, y: &str, start: &str, rows: &[&str]) -> String {
    let mut text = format!("[coordinates]\nx = {x}\ny = {y}\n");
    if !start.is_empty() {
        let _ = writeln!(text, "[start]\n{start}");
    }
    text += "[particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n";
    for (name, row) in ('a'..='z').zip(rows) {
        let _ = writeln!(text, "[constraint.{name}]\nholds = \"{row}\"");
    }
    text
}

fn close(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        let size = wanted.abs().max(1e-300);
        assert!(
            (found - wanted).abs() <= tolerance * size,
            "{found} for {wanted}"
        );
    }
}

#[test]
fn units_change_nothing() {
    for size in [1e-9, 1e-5, 1.0, 1e7] {
        let rod = format!("x^2 + y^2 = ({size:e})^2");
        // The nearest point of a circle is on the ray.
        let near = particle(&guess(3.0 * size), &guess(4.0 * size), "", &[&rod]);
        let start = assembled(&near).unwrap();
        close(&start.state.coordinates, &[0.6 * size, 0.8 * size], 1e-9);
        assert_eq!(start.moved.len(), 2);
        // One part in a thousand off is off, however small.
        let off = particle(&format!("{:e}", 1.001 * size), "0", "", &[&rod]);
        assert_eq!(assembled(&off).unwrap_err()[0].0, "E0504");
        let unknown = particle("\"?\"", &format!("{:e}", 0.6 * size), "", &[&rod]);
        close(
            &assembled(&unknown).unwrap().state.coordinates,
            &[0.8 * size, 0.6 * size],
            1e-12,
        );
        // Neither is a row singular because it is small.
        let cup = particle("0", "0", "", &[&format!("y = x^2/({size:e})")]);
        assert!(assembled(&cup).is_ok());
        // All at the centre, where the gradient is zero: some point of the circle.
        let centre = particle(&guess(0.0), &guess(0.0), "", &[&rod]);
        let q = assembled(&centre).unwrap().state.coordinates;
        close(&[q[0].hypot(q[1])], &[size], 1e-12);
        // Two circles, from nothing.
        let other = format!("(x - 1.6*{size:e})^2 + y^2 = ({size:e})^2");
        let both = particle("\"?\"", "\"?\"", "", &[&rod, &other]);
        let q = assembled(&both).unwrap().state.coordinates;
        close(&[q[0], q[1].abs()], &[0.8 * size, 0.6 * size], 1e-9);
        let speed = format!("x'^2 + y'^2 = ({size:e})^2");
        let v = assembled(&particle("0", "0", "", &[&speed]))
            .unwrap()
            .state
            .rates;
        close(&[v[0].hypot(v[1])], &[size], 1e-12);
    }
}

/// A four-bar linkage's two shapes for each crank angle, by the meeting points of two circles.
fn shapes(l: [f64; 4], a: f64) -> Vec<[f64; 3]> {
    let (x, y) = (l[3] - l[0] * a.cos(), -l[0] * a.sin());
    let square = x * x + y * y;
    let along = (square + l[1] * l[1] - l[2] * l[2]) / (2.0 * square);
    let across = l[1] * l[1] / square - along * along;
    if across < 0.0 {
        return Vec::new();
    }
    let across = across.sqrt();
    [across, -across]
        .map(|s| {
            let (px, py) = (along * x - s * y, along * y + s * x);
            [a, py.atan2(px), (py - y).atan2(px - x)]
        })
        .to_vec()
}

#[test]
fn the_nearest_linkage_is_the_nearest_of_all() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut tried = 0;
    while tried < 12 {
        let l: [f64; 4] = std::array::from_fn(|_| 0.5 + 2.5 * rng.f64());
        let longest = l.iter().copied().fold(0.0, f64::max);
        if 2.0 * longest > 0.95 * l.iter().sum::<f64>() {
            continue;
        }
        tried += 1;
        let q0: [f64; 3] = std::array::from_fn(|_| 2.0 * PI * (rng.f64() - 0.5));
        let w: [f64; 3] = std::array::from_fn(|_| 0.3 + 2.0 * rng.f64());
        let distance = |q: &[f64]| -> f64 { (0..3).map(|i| w[i] * (q[i] - q0[i]).powi(2)).sum() };
        let text = format!(
            "[coordinates]\na = {}\nb = {}\nc = {}\n[energy]\nkinetic = \"({}*a'^2 + {}*b'^2 + {}*c'^2)/2\"\n\
             [constraint.x]\nholds = \"{}*cos(a) + {}*cos(b) - {}*cos(c) = {}\"\n\
             [constraint.y]\nholds = \"{}*sin(a) + {}*sin(b) - {}*sin(c) = 0\"\n",
            guess(q0[0]),
            guess(q0[1]),
            guess(q0[2]),
            w[0],
            w[1],
            w[2],
            l[0],
            l[1],
            l[2],
            l[3],
            l[0],
            l[1],
            l[2],
        );
        let found = assembled(&text).unwrap().state.coordinates;
        // Every crank angle in turn; other angles may be whole turns away.
        let mut least = f64::INFINITY;
        for k in -20_000..20_000 {
            let a = q0[0] + 2.0 * PI * f64::from(k) / 20_000.0;
            for mut q in shapes(l, a) {
                for i in 1..3 {
                    q[i] += ((q0[i] - q[i]) / (2.0 * PI)).round() * 2.0 * PI;
                }
                least = least.min(distance(&q));
            }
        }
        let found = distance(&found);
        assert!(
            found <= least * (1.0 + 1e-6),
            "{found} is farther than {least}"
        );
        assert!(
            found >= least * (1.0 - 1e-3) - 1e-6,
            "{found} is nearer than {least}"
        );
    }
}

#[test]
fn the_metric_is_the_mass_matrix() {
    // On a plane: x - x0 = -M^-1 n (n.x0 - d)/(n.M^-1 n), with M of a particle at [x, x + 2 y].
    let text = format!(
        "[coordinates]\nx = {}\ny = {}\n[particle.P]\nmass = 3\nposition = \"[x, x + 2*y, 0]\"\n\
         [constraint.a]\nholds = \"x + y = 1\"\n",
        guess(2.0),
        guess(4.0)
    );
    // M = 3 [2 2; 2 4], M^-1 n ~ [4 - 2, 2 - 2] = [2, 0].
    let start = assembled(&text).unwrap();
    close(&start.state.coordinates, &[-3.0, 4.0], 1e-12);
    assert_eq!(start.moved.len(), 1);
    assert_eq!(
        (start.moved[0].given, start.solved[0].1),
        (2.0, start.moved[0].found)
    );
    // What has no inertia goes first.
    let text = format!(
        "[coordinates]\nx = {}\nz = {}\n[particle.P]\nmass = 3\nposition = \"[x, 0, 0]\"\n\
         [constraint.a]\nholds = \"x + z = 1\"\n",
        guess(2.0),
        guess(4.0)
    );
    close(
        &assembled(&text).unwrap().state.coordinates,
        &[2.0, -1.0],
        1e-8,
    );
    // Guesses stay where "?" can do without them.
    let text = particle("\"?\"", &guess(1.0), "", &["x^2 + y^2 = 4"]);
    close(
        &assembled(&text).unwrap().state.coordinates,
        &[3.0_f64.sqrt(), 1.0],
        1e-12,
    );
}

#[test]
fn hard_searches_end_well() {
    let cases: [(String, [f64; 2]); 7] = [
        // Two rows pull in opposite directions from most places.
        (
            particle(
                "\"?\"",
                "1",
                "",
                &["(x - 4.8)^2 = 0.0064*y", "(x - 4.64)^2 = 0.0064*y"],
            ),
            [4.72, 1.0],
        ),
        // Newton's method alone goes to infinity.
        (
            particle(&guess(20.0), "0", "", &["atan(x) = y"]),
            [0.0, 0.0],
        ),
        (
            particle(&guess(0.0), "0", "", &["x*exp(x) = exp(1)*1 + y"]),
            [1.0, 0.0],
        ),
        // Infinite slope at the given value.
        (particle("\"?\"", "4", "", &["sqrt(x) = y"]), [16.0, 4.0]),
        // A root where the slope vanishes determines what it belongs to.
        (particle("1", "\"?\"", "", &["x^2 + y^2 = 1"]), [1.0, 0.0]),
        // Twice the same.
        (
            particle("\"?\"", "1", "", &["x = 3*y", "2*x - 6*y = 0"]),
            [3.0, 1.0],
        ),
        (
            particle("\"?\"", "1e9", "", &["x^2 + y^2 = 2e18"]),
            [1e9, 1e9],
        ),
    ];
    for (text, wanted) in cases {
        let found = assembled(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        for (found, wanted) in found.state.coordinates.iter().zip(wanted) {
            assert!(
                (found - wanted).abs() <= 1e-7 * wanted.max(1.0),
                "{found} for {wanted}\n{text}"
            );
        }
    }
}

#[test]
fn velocities_of_redundant_and_nonlinear_rows() {
    let speed = "x'^2 + y'^2 = 9";
    let v = assembled(&particle("0", "0", "\"x'\" = 2", &[speed]))
        .unwrap()
        .state
        .rates;
    close(&v, &[2.0, 5.0_f64.sqrt()], 1e-12);
    let fast = assembled(&particle("0", "0", "\"x'\" = 4", &[speed])).unwrap_err();
    assert_eq!(fast[0].0, "E0506");
    assert!(fast[0].1.contains("x' is 3"), "{}", fast[0].1);
    // The nearest of a circle of velocities, twice said.
    let start = format!("\"x'\" = {}\n\"y'\" = {}", guess(6.0), guess(-8.0));
    let twice = particle("0", "0", &start, &[speed, "2*x'^2 = 18 - 2*y'^2"]);
    let found = assembled(&twice).unwrap();
    close(&found.state.rates, &[1.8, -2.4], 1e-8);
    assert_eq!(found.moved.len(), 2);
    let rows = ["x' - 2*y' = 1", "2*x' - 4*y' = 2"];
    let v = assembled(&particle("0", "0", "\"x'\" = 3", &rows))
        .unwrap()
        .state
        .rates;
    close(&v, &[3.0, 1.0], 1e-12);
    let rows = ["x' - 2*y' = 1", "2*x' - 4*y' = 3"];
    let told = assembled(&particle("0", "0", "", &rows)).unwrap_err();
    assert_eq!(told[0].0, "E0509");
    assert!(told[0].1.contains("`a` and `b` together"), "{}", told[0].1);
}

#[test]
fn the_smallest_conflict_is_named() {
    let cases = [
        // The third row has nothing to do with it.
        (
            particle(
                &guess(0.3),
                &guess(0.1),
                "",
                &["x + y = 1", "2*x + 2*y = 3", "x - y = 0"],
            ),
            vec![("E0509", "`a` and `b` together", "`a` is violated by 0.5")],
        ),
        (
            particle("1", "1", "", &["x^2 + y^2 = 1"]),
            vec![(
                "E0504",
                "`a` cannot be met with x = 1 and y = 1",
                "x is 0, y is 0",
            )],
        ),
        (
            particle("1.1", "0", "", &["x^2 + y^2 = 1"]),
            vec![("E0504", "with x = 1.1;", "x is 1;")],
        ),
        // Two that have nothing to do with each other.
        (
            particle("1", "2", "", &["x = 2", "y = 5"]),
            vec![
                ("E0504", "`a` cannot be met with x = 1", "x is 2"),
                ("E0504", "with y = 2", "y is 5"),
            ],
        ),
        // Whatever is given, the rows exclude each other: the value that meets one of them is not to blame.
        (
            particle("1", "0", "", &["x = 1", "x = 2"]),
            vec![(
                "E0509",
                "`a` and `b` together",
                "with `a` met, `b` is violated by 1",
            )],
        ),
        (
            particle("0", "0", "\"x'\" = 1", &["x' = 1", "x' = 2"]),
            vec![(
                "E0509",
                "`a` and `b` together",
                "with `a` met, `b` is violated by 1",
            )],
        ),
        (
            particle(&guess(1.0), &guess(1.0), "", &["x^2 + y^2 = -1"]),
            vec![(
                "E0509",
                "no start was found that meets `a`",
                "is violated by 1",
            )],
        ),
        (
            particle("\"?\"", "3", "", &["x^2 + y^2 = 1"]),
            vec![("E0504", "`a` cannot be met with y = 3", "y is 1")],
        ),
        (
            particle("0", "0", "\"x'\" = 1\n\"y'\" = 1", &["x' = 2*y'"]),
            vec![(
                "E0506",
                "`a` cannot be met with x' = 1 and y' = 1",
                "x' is 2, y' is 0.5",
            )],
        ),
        (
            particle(&guess(3.0), "0", "", &["(x - 1)^2 = 0"]),
            vec![("E0508", "`a` is singular", "it is (x - 1)^2 = 0")],
        ),
        (
            particle(&guess(1.0), &guess(1.0), "", &["x^2 + y^2 = 0"]),
            vec![("E0508", "`a` is singular", "")],
        ),
        // What is not linear in velocities says nothing of accelerations where its slope vanishes.
        (
            particle(
                "0",
                "0",
                "\"x'\" = 1\n\"y'\" = 1",
                &["x'^2 - 2*x'*y' + y'^2 = 0"],
            ),
            vec![("E0508", "by every rate is zero", "it is (x' - y')^2 = 0")],
        ),
        (
            particle("0", "0", "", &["x'^2 = 2*y'^2"]),
            vec![("E0508", "by every rate is zero", "start with velocities")],
        ),
        (
            particle("\"?\"", "\"?\"", "", &["x^2 + y^2 = 4"]),
            vec![("E0505", "`y`", "")],
        ),
    ];
    for (text, wanted) in cases {
        let told = assembled(&text).expect_err(&text);
        assert_eq!(told.len(), wanted.len(), "{told:?}\n{text}");
        for ((code, words), (wanted, one, other)) in told.iter().zip(wanted) {
            assert_eq!(*code, wanted, "{words}\n{text}");
            assert!(
                words.contains(one) && words.contains(other),
                "{words}\n{text}"
            );
        }
    }
}

#[test]
fn a_conflict_among_many_is_found_or_told_to_be_too_large() {
    // A chain of equal distances with its ends held: all of it conflicts.
    let chain = |n: usize| {
        let mut text = "[coordinates]\nx0 = 0\n".to_owned();
        for i in 1..n {
            let _ = writeln!(text, "x{i} = \"?\"");
        }
        let _ = writeln!(text, "x{n} = {}", 2 * n);
        text += "[energy]\nkinetic = \"(x0'^2";
        for i in 1..=n {
            let _ = write!(text, " + x{i}'^2");
        }
        text += ")/2\"\n";
        for i in 0..n {
            let _ = writeln!(text, "[constraint.c{i}]\nholds = \"x{} - x{i} = 1\"", i + 1);
        }
        text
    };
    let told = assembled(&chain(6)).unwrap_err();
    assert_eq!(told.len(), 1);
    assert!(
        told[0].1.contains(
            "`c0`, `c1`, `c2`, `c3`, `c4` and `c5` cannot be met with x0 = 0 and x6 = 12"
        ),
        "{told:?}"
    );
    assert!(told[0].1.contains("x6 is 6"), "{told:?}");
    let told = assembled(&chain(300)).unwrap_err();
    assert!(told[0].1.contains("too many"), "{told:?}");
}

/// A parallelogram with sides 1 and 2, given flat.
fn parallelogram(start: &str) -> String {
    format!(
        "[coordinates]\na = 0\nb = 0\nc = 0\n[start]\n{start}\n\
         [energy]\nkinetic = \"(a'^2 + 2*b'^2 + a'*b'*cos(a - b) + 1.5*c'^2)/2\"\n\
         [constraint.x]\nholds = \"cos(a) + 2*cos(b) - cos(c) = 2\"\n\
         [constraint.y]\nholds = \"sin(a) + 2*sin(b) - sin(c) = 0\"\n"
    )
}

#[test]
fn velocities_at_a_change_point_lie_on_a_branch() {
    // a' + 2 b' - c' = 0 and a'² + 2 b'² - c'² = 0: b' = 0 (parallelogram), or c' = a' + 2 b' with b' = -2 a' (crossed).
    let start = assembled(&parallelogram("\"a'\" = 1")).unwrap();
    assert_eq!(start.warnings[0].code, "E0523");
    let [a, b, c] = start.state.rates[..] else {
        panic!()
    };
    let parallel = (b.abs() < 1e-9) && (c - a).abs() < 1e-9;
    assert!(parallel, "{a} {b} {c}");
    let crossed = format!(
        "\"a'\" = 1\n\"b'\" = {}\n\"c'\" = {}",
        guess(-1.8),
        guess(-2.5)
    );
    let start = assembled(&parallelogram(&crossed)).unwrap();
    close(&start.state.rates, &[1.0, -2.0, -3.0], 1e-8);
    let told = assembled(&parallelogram("\"a'\" = 1\n\"c'\" = 0")).unwrap_err();
    assert_eq!(told[0].0, "E0524");
    // At rest all is well, and rows that depend on each other everywhere are no change point.
    assert_eq!(
        assembled(&parallelogram("\"a'\" = 0")).unwrap().state.rates,
        [0.0; 3]
    );
    let twice = particle(
        "1",
        "0",
        "\"y'\" = 2",
        &["x^2 + y^2 = 1", "2*x^2 + 2*y^2 = 2"],
    );
    assert!(assembled(&twice).unwrap().warnings.is_empty());
}
