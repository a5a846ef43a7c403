//! How long printed equations may be.

use crate::support::{by, derived, text};
use dalembert::derive::{DeriveOptions, Form};
use std::fmt::Write;

/// A planar chain of links with a point mass at the end of each, angles relative to the link before or absolute.
fn chain(links: usize, relative: bool) -> String {
    let mut model =
        String::from("dalembert = 1\ngravity = \"[0, -g, 0]\"\n[parameters]\ng = 9.81\n");
    for i in 1..=links {
        writeln!(model, "m{i} = 1\nl{i} = 1").unwrap();
    }
    model += "[coordinates]\n";
    for i in 1..=links {
        writeln!(model, "q{i} = 0.1").unwrap();
    }
    let (mut x, mut y) = (String::new(), String::new());
    for i in 1..=links {
        let first = if relative { 1 } else { i };
        let angle: Vec<String> = (first..=i).map(|k| format!("q{k}")).collect();
        let angle = angle.join(" + ");
        x += &format!(" + l{i}*sin({angle})");
        y += &format!(" - l{i}*cos({angle})");
        let (x, y) = (x.trim_start_matches(" + "), y.trim());
        writeln!(
            model,
            "[particle.p{i}]\nmass = \"m{i}\"\nposition = \"[{x}, {y}, 0]\""
        )
        .unwrap();
    }
    model
}

const PENDULUM: &str = r#"dalembert = 1
gravity = "[0, -g, 0]"
[parameters]
m = 1
l = 1
g = 9.81
[coordinates]
phi = 0.1
[particle.bob]
mass = "m"
position = "[l*sin(phi), -l*cos(phi), 0]"
"#;

#[track_caller]
fn at_most(model: &str, limit: usize) {
    let derivation = derived(model, &DeriveOptions::default()).unwrap();
    let length = derivation.latex_length();
    assert!(
        length <= limit,
        "{length} characters by {}",
        derivation.form
    );
}

/// Particles that know nothing of each other, or only of the next one.
fn particles(count: usize, rods: bool) -> String {
    let mut model = String::from("dalembert = 1\n[parameters]\nm = 1\nl = 1\n[coordinates]\n");
    for i in 1..=count {
        writeln!(model, "x{i} = {i}\ny{i} = 0").unwrap();
    }
    for i in 1..=count {
        writeln!(
            model,
            "[particle.p{i}]\nmass = \"m\"\nposition = \"[x{i}, y{i}, 0]\""
        )
        .unwrap();
    }
    for i in 2..=if rods { count } else { 0 } {
        let k = i - 1;
        let rod = format!("(x{i} - x{k})^2 + (y{i} - y{k})^2 = l^2");
        writeln!(model, "[constraint.rod{i}]\nholds = \"{rod}\"").unwrap();
    }
    model
}

/// What is not coupled costs no more than it says: 600 equations take a second, where full matrices took minutes.
#[test]
fn many_particles_are_many_short_equations() {
    let start = std::time::Instant::now();
    let found = derived(&particles(300, false), &DeriveOptions::default()).unwrap();
    assert_eq!(found.equations.len(), 600);
    assert!(found.proved.len() >= 4, "{:?}", found.proved);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// A chain is derived, or refused at once.
#[test]
fn a_chain_that_is_too_long_is_refused() {
    let found = derived(&particles(60, true), &DeriveOptions::default()).unwrap();
    assert!(found.equations.len() >= 120);
    let start = std::time::Instant::now();
    let errors = derived(&particles(1000, true), &DeriveOptions::default());
    let errors = errors.err().unwrap();
    let said = errors.contains("E0609") && errors.contains("2000 coordinates, 999 rows");
    assert!(said, "{errors}");
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn pendulum() {
    at_most(PENDULUM, 120);
}

#[test]
fn double_pendulum_by_energies() {
    at_most(&text("double-pendulum"), 700);
    assert!(by("double-pendulum", Form::Lagrange).latex_length() <= 700);
}

#[test]
fn rolling_disk_in_independent_speeds() {
    for name in ["blajer-disk", "rolling-disk"] {
        let length = by(name, Form::Independent).latex_length();
        assert!(length <= 600, "{name}: {length}");
    }
}

#[test]
fn appell_and_hamels_particle_with_drag() {
    let model = text("appell-hamel").replace("g = \"x^2 + y*z + cos(t)\"", "g = \"z\"");
    at_most(&model, 400);
}

#[test]
fn chain_of_five_in_relative_angles() {
    at_most(&chain(5, true), 12_000);
}

#[test]
fn chain_of_ten_is_printed() {
    let derivation = derived(&chain(10, false), &DeriveOptions::default()).unwrap();
    assert!(derivation.notes.is_empty(), "{:?}", derivation.notes);
    assert_eq!(derivation.equations.len(), 10);
    assert!(
        derivation.latex_length() < 20_000,
        "{}",
        derivation.latex_length()
    );
}
